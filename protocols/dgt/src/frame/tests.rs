//! Vectors of the wire sheet, and what damage does.

use eboard::{Anomaly, Placement};

use super::*;

/// Owned shape of what was heard: frames by their encoding, which tests elsewhere prove faithful.
#[derive(Debug, PartialEq, Eq)]
enum Got {
    Frame(Vec<u8>),
    Noise(Anomaly),
}

fn decode(bytes: &[u8]) -> Vec<Got> {
    let mut got = Vec::new();
    Decoder::default().feed(bytes, |heard| {
        got.push(match heard {
            Heard::Frame(frame) => {
                let mut bytes = Vec::new();
                frame.encode(&mut bytes);
                Got::Frame(bytes)
            }
            Heard::Noise(anomaly) => Got::Noise(anomaly),
        });
    });
    got
}

fn only(bytes: &[u8], check: impl FnOnce(Frame<'_>)) {
    let mut check = Some(check);
    Decoder::default().feed(bytes, |heard| match (heard, check.take()) {
        (Heard::Frame(frame), Some(check)) => check(frame),
        (other, _) => panic!("{other:?}"),
    });
    assert!(check.is_none(), "nothing heard in {bytes:02x?}");
}

fn dump(back: [u8; 8], front: u8, far_front: u8, far_back: [u8; 8]) -> Vec<u8> {
    [&[0x86, 0x00, 0x43], &back[..], &[front; 8], &[0; 32], &[far_front; 8], &far_back].concat()
}

#[test]
fn the_start_position_reads_from_both_sides() {
    let normal = dump(
        [0x08, 0x09, 0x0a, 0x0c, 0x0b, 0x0a, 0x09, 0x08],
        0x07,
        0x01,
        [0x02, 0x03, 0x04, 0x06, 0x05, 0x04, 0x03, 0x02],
    );
    let turned = dump(
        [0x02, 0x03, 0x04, 0x05, 0x06, 0x04, 0x03, 0x02],
        0x01,
        0x07,
        [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0a, 0x09, 0x08],
    );
    for (bytes, placement) in
        [(normal, Placement::starting()), (turned, Placement::starting().turned())]
    {
        only(&bytes, |frame| match frame {
            Frame::Board(dump) => assert_eq!(dump.placement(), placement),
            other => panic!("{other:?}"),
        });
        let mut encoded = Vec::new();
        Frame::Board(Dump::from(&placement)).encode(&mut encoded);
        assert_eq!(encoded, bytes);
    }
}

#[test]
fn captured_square_changes_read_as_played() {
    for (bytes, square, letter) in [
        ([0x8e, 0x00, 0x05, 0x34, 0x00], "e2", None),
        ([0x8e, 0x00, 0x05, 0x24, 0x01], "e4", Some('P')),
        ([0x8e, 0x00, 0x05, 0x0c, 0x00], "e7", None),
        ([0x8e, 0x00, 0x05, 0x1c, 0x07], "e5", Some('p')),
        ([0x8e, 0x00, 0x05, 0x3e, 0x00], "g1", None),
        ([0x8e, 0x00, 0x05, 0x2d, 0x03], "f3", Some('N')),
        ([0x8e, 0x00, 0x05, 0x1b, 0x0b], "d5", Some('k')),
        ([0x8e, 0x00, 0x05, 0x24, 0x05], "e4", Some('K')),
        ([0x8e, 0x00, 0x05, 0x0b, 0x00], "d7", None),
        ([0x8e, 0x00, 0x05, 0x1b, 0x01], "d5", Some('P')),
    ] {
        only(&bytes, |frame| match frame {
            Frame::Field { square: got, content } => {
                assert_eq!(got.to_string(), square);
                assert_eq!(content.man().map(eboard::Piece::letter), letter);
            }
            other => panic!("{other:?}"),
        });
    }
}

#[test]
fn answers_of_real_boards_read() {
    only(&[0x93, 0x00, 0x05, 0x05, 0x07], |frame| {
        assert_eq!(frame, Frame::Version(Version { major: 5, minor: 7 }));
    });
    only(&[0x96, 0x00, 0x05, 0x01, 0x00], |frame| {
        assert_eq!(frame, Frame::HardwareVersion(Version { major: 1, minor: 0 }));
    });
    only(&[0xa0, 0x00, 0x0c, 0x58, 0, 0, 0, 0, 0, 0, 0, 0x02], |frame| {
        assert_eq!(frame, Frame::Battery(Battery { percent: 0x58, charging: false }));
    });
    only(&[0x90, 0x00, 0x05, 0x08, 0x01], |frame| assert_eq!(frame, Frame::BusAddress(1025)));
    only(b"\x91\x00\x0801025", |frame| assert_eq!(frame, Frame::Serial("01025")));
    only(b"\x91\x00\x0c00137 1.0", |frame| assert_eq!(frame, Frame::Serial("00137 1.0")));
    only(b"\xa2\x00\x0d3000147740", |frame| assert_eq!(frame, Frame::LongSerial("3000147740")));
    only(b"\xa2\x00\x0e3.250010001", |frame| assert_eq!(frame, Frame::LongSerial("3.250010001")));
    only(b"\x92\x00\x07a\r\nb", |frame| assert_eq!(frame, Frame::Trademark("a\r\nb")));
}

#[test]
fn a_length_has_seven_bits_in_each_byte() {
    let text = "x".repeat(200);
    let mut bytes = Vec::new();
    Frame::Trademark(&text).encode(&mut bytes);
    assert_eq!(bytes[..3], [0x92, 0x01, 0x4b], "203 = 1 * 128 + 0x4b");
    only(&bytes, |frame| assert_eq!(frame, Frame::Trademark(&text)));
}

#[test]
fn the_whole_log_is_passed_over_and_the_next_frame_is_heard() {
    let mut bytes = vec![0x8f, 0x3e, 0x03];
    bytes.extend(std::iter::repeat_n(0x40, 0x1f00));
    let field = [0x8e, 0x00, 0x05, 0x34, 0x00];
    bytes.extend(field);
    let mut heard = Vec::new();
    let mut decoder = Decoder::default();
    for piece in bytes.chunks(1000) {
        decoder.feed(piece, |it| heard.push(matches!(it, Heard::Frame(_))));
        assert_eq!(decoder.in_log(), heard.is_empty());
    }
    assert_eq!(heard, [true, true]);
}

#[test]
fn a_log_cut_short_costs_only_itself() {
    let got = decode(&[0x8f, 0x3e, 0x03, 0x40, 0x34, 0x8e, 0x00, 0x05, 0x34, 0x00]);
    let field = Got::Frame(vec![0x8e, 0x00, 0x05, 0x34, 0x00]);
    assert_eq!(got, [Got::Noise(Anomaly::Truncated), field]);
}

#[test]
fn damage_is_named() {
    for (bytes, anomaly) in [
        (&[0x00, 0x01, 0x02][..], Anomaly::Stray),
        (&[0x86, 0x00, 0x67, 0x00, 0x00], Anomaly::BadLength),
        (&[0x8e, 0x00, 0x02], Anomaly::BadLength),
        (&[0x8d, 0x00, 0x0b, 0x20], Anomaly::BadLength),
        (&[0x93, 0x00, 0x04, 0x03], Anomaly::BadLength),
        (&[0xa0, 0x00, 0x07, 0x64], Anomaly::BadLength),
        (&[0x8e, 0x7f, 0x7f, 0x00], Anomaly::BadLength),
        (&[0x8f, 0x3e, 0x04, 0x00], Anomaly::BadLength),
        (&[0x92, 0x04, 0x01], Anomaly::BadLength),
        (&[0x8e, 0x00, 0x05, 0x40, 0x00], Anomaly::BadValue),
        (&[0x8e, 0x00, 0x05, 0x00, 0x10], Anomaly::BadValue),
        (&[0x8d, 0x00, 0x0a, 0x00, 0x60, 0, 0, 0, 0, 0x09], Anomaly::BadValue),
        (&[0x91, 0x00, 0x08, 0x30, 0x31, 0x07, 0x32, 0x33], Anomaly::BadValue),
        (&[0xa0, 0x00, 0x0c, 0x65, 0, 0, 0, 0, 0, 0, 0, 0], Anomaly::BadValue),
        (&[0x87, 0x00, 0x06, 0x08, 0x01, 0x16], Anomaly::Unknown),
        (&[0xdf, 0x00, 0x03], Anomaly::Unknown),
        // A clock on the I2C jack, of which no layout is known: whatever its length is.
        (&[0xa3, 0x00, 0x03], Anomaly::Unknown),
        (&[0xa3, 0x00, 0x0d, 0x00, 0x14, 0x0a, 0x05, 0x01, 0, 0, 0, 0, 0x33], Anomaly::Unknown),
    ] {
        assert_eq!(decode(bytes), [Got::Noise(anomaly)], "{bytes:02x?}");
        let field = [0x8e, 0x00, 0x05, 0x34, 0x00];
        let after = decode(&[bytes, &field].concat());
        assert_eq!(after, [Got::Noise(anomaly), Got::Frame(field.to_vec())], "{bytes:02x?}");
    }
}

#[test]
fn a_frame_begun_inside_another_is_kept() {
    let got = decode(&[0x8d, 0x00, 0x0a, 0x20, 0x03, 0x8e, 0x00, 0x05, 0x24, 0x01]);
    let field = Got::Frame(vec![0x8e, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(got, [Got::Noise(Anomaly::Truncated), field]);
}
