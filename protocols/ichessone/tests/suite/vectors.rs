//! The published messages in `captures/vectors.txt`, read and written.

use eboard::{Anomaly, Battery, Placement};
use ichessone::frame::{Answer, Reader};

fn vectors() -> Vec<(Answer, Vec<u8>)> {
    let lines = include_str!("../../captures/vectors.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(vector).collect()
}

fn vector(line: &str) -> (Answer, Vec<u8>) {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [kind, says, hex] = fields[..] else { panic!("three fields are wanted: {line}") };
    let answer = match kind {
        "position" => Answer::Position(Placement::from_fen(says).expect("a placement")),
        _ => {
            let (how, percent) = says.split_once('-').expect("how, and how much");
            let percent = percent.parse().expect("a number");
            Answer::Battery(Battery { charging: how == "charging", percent })
        }
    };
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    (answer, (0..hex.len()).step_by(2).map(byte).collect())
}

#[test]
fn every_vector_reads_and_writes_as_it_is() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 7);
    for (answer, wire) in vectors {
        assert_eq!(answer.encode(), wire, "{answer:?}");
        assert_eq!(Reader::default().feed(&wire), [Ok(answer)]);
    }
}

/// Other people's tests of a reader: what stands before, between and in pieces.
#[test]
fn what_stands_before_and_between_is_noise() {
    let vectors = vectors();
    let ((start, position), (low, battery)) = (&vectors[0], &vectors[6]);
    let junk = [0x98, 0x71, 0x23, 0x32, 0x10];
    let mut reader = Reader::default();
    let mut found = Vec::new();
    for piece in [&junk, &position[..26], &position[26..30], &position[30..], &junk] {
        found.extend(reader.feed(piece));
    }
    for piece in battery.chunks(2) {
        found.extend(reader.feed(piece));
    }
    let stray = Err(Anomaly::Stray);
    assert_eq!(found, [stray.clone(), Ok(start.clone()), stray, Ok(low.clone())]);
}

#[test]
fn a_half_byte_that_is_no_man_makes_no_position() {
    let mut damaged = vectors().remove(0).1;
    damaged[18] = 0xff;
    let found = Reader::default().feed(&damaged);
    assert_eq!(found.first(), Some(&Err(Anomaly::BadValue)));
    assert!(found.iter().all(Result::is_err), "{found:?}");
}

#[test]
fn a_message_that_was_cut_does_not_take_the_next_with_it() {
    let (start, whole) = vectors().remove(0);
    for lost in 1..whole.len() {
        let mut cut = whole.clone();
        cut.remove(lost);
        cut.extend(&whole);
        let found = Reader::default().feed(&cut);
        assert_eq!(found.last(), Some(&Ok(start.clone())), "without byte {lost}");
        assert_eq!(found.iter().filter(|it| it.is_ok()).count(), 1, "without byte {lost}");
    }
}

#[test]
fn a_version_ends_where_it_can() {
    let (start, position) = vectors().remove(0);
    let version = |text: &str| Ok(Answer::Hardware(text.to_owned()));
    let mut followed = b"=h2.1 b".to_vec();
    followed.extend(&position);
    assert_eq!(Reader::default().feed(&followed), [version("2.1 b"), Ok(start)]);
    assert_eq!(Reader::default().feed(b"=h2.1\n"), [version("2.1")]);
    assert_eq!(Reader::default().feed(b"=h2.1"), []);
    let long = [b"=h".as_slice(), &[b'7'; 40]].concat();
    assert_eq!(Reader::default().feed(&long)[0], version(&"7".repeat(32)));
}

#[test]
fn what_no_board_says_is_not_believed() {
    for (bytes, anomaly) in [
        (&[0x3d, 0x62, 2, 50][..], Anomaly::BadValue),
        (&[0x3d, 0x62, 1, 101], Anomaly::BadValue),
        (&[0x3d, 0x3d], Anomaly::Truncated),
        (&[0x3d, 0x71], Anomaly::Unknown),
        (b"x", Anomaly::Stray),
    ] {
        assert_eq!(Reader::default().feed(bytes)[0], Err(anomaly), "{bytes:02x?}");
    }
}
