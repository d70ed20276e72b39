//! What the virtual board answers, checked against the bytes the documents give.

use eboard::{Change, Dial, FaceTime, Piece, Said, Side};

use super::*;

const NOW: Moment = Moment::from_micros(1_000_000);

fn asked(board: &mut VirtualBoard, bytes: &[u8]) -> Vec<u8> {
    sent(board, Stimulus::Host(bytes))
}

fn sent(board: &mut VirtualBoard, stimulus: Stimulus<'_>) -> Vec<u8> {
    let mut out = Said::default();
    board.handle(NOW, stimulus, &mut out);
    out.bytes()
}

fn pawn_to_e4(board: &mut VirtualBoard) -> Vec<u8> {
    let square = Square::at(4, 3).unwrap();
    sent(board, Change::Square { square, piece: Some(Piece::WhitePawn) }.here())
}

fn no_pawn_on_e4(board: &mut VirtualBoard) -> Vec<u8> {
    sent(board, Change::Square { square: Square::at(4, 3).unwrap(), piece: None }.here())
}

fn face(seconds: u32, running: bool, lever: Side) -> Stimulus<'static> {
    let dial = |seconds| Dial { time: FaceTime::from_hms(0, 3, seconds), ..Dial::default() };
    let (left, right) = (dial(2), dial(seconds));
    Change::Clock(Some(ClockFace { left, right, running, lever, low_battery: false })).here()
}

#[test]
fn every_question_has_its_answer() {
    let mut board = VirtualBoard::new();
    board.set_serials(&["01025"]);
    for (order, answer) in [
        (0x41, &b"\x8d\x00\x0a\0\0\0\0\0\0\x20"[..]),
        (0x45, b"\x91\x00\x0801025"),
        (0x46, b"\x90\x00\x05\x08\x01"),
        (0x48, b"\x96\x00\x05\x01\x00"),
        (0x4d, b"\x93\x00\x05\x03\x01"),
        (0x55, b"\xa2\x00\x0d0000001025"),
        (0x40, b""),
        (0x43, b""),
        (0x44, b""),
        (0x4b, b""),
        (0x4c, b""),
        (0x4e, b""),
        (0x51, b""),
    ] {
        assert_eq!(asked(&mut board, &[order]), answer, "{order:02x}");
    }
    let dump = asked(&mut board, &[0x42]);
    assert_eq!(dump[..11], [0x86, 0x00, 0x43, 0x08, 0x09, 0x0a, 0x0c, 0x0b, 0x0a, 0x09, 0x08]);
    assert_eq!(dump[59..], [0x02, 0x03, 0x04, 0x06, 0x05, 0x04, 0x03, 0x02]);
    let introduction = asked(&mut board, &[0x47]);
    assert_eq!(introduction[..3], [0x92, 0x00, introduction.len() as u8]);
    assert!(introduction[3..].starts_with(b"adoubed virtual board\n"));
}

#[test]
fn a_battery_answers_in_twelve_bytes() {
    let mut board = VirtualBoard::new();
    board.set_battery(Some(Battery { percent: 100, charging: true }));
    let answer = [0xa0, 0x00, 0x0c, 0x64, 0x7f, 0x7f, 0, 0, 0, 0, 0, 1];
    assert_eq!(asked(&mut board, &[0x4c]), answer);
}

#[test]
fn numbers_of_any_shape_become_ten_digits() {
    let mut board = VirtualBoard::new();
    for (given, short, long) in [
        ("17", b"00017", b"0000000017"),
        ("3000147740", b"47740", b"3000147740"),
        ("table 9", b"00009", b"0000000009"),
        ("", b"00000", b"0000000000"),
        ("123000147740", b"47740", b"3000147740"),
    ] {
        board.set_serials(&[given]);
        assert_eq!(asked(&mut board, &[0x45])[3..], short[..], "{given}");
        assert_eq!(asked(&mut board, &[0x55])[3..], long[..], "{given}");
    }
}

#[test]
fn squares_are_told_in_every_mode_but_idle_and_only_when_changed() {
    let placed = [0x8e, 0x00, 0x05, 0x24, 0x01];
    let lifted = [0x8e, 0x00, 0x05, 0x24, 0x00];
    for (order, tells) in [(0x40, false), (0x43, true), (0x44, true), (0x4b, true)] {
        let mut board = VirtualBoard::new();
        asked(&mut board, &[order]);
        let expected = |bytes: [u8; 5]| if tells { bytes.to_vec() } else { Vec::new() };
        assert_eq!(pawn_to_e4(&mut board), expected(placed), "{order:02x}");
        assert_eq!(pawn_to_e4(&mut board), [], "{order:02x}");
        assert_eq!(no_pawn_on_e4(&mut board), expected(lifted), "{order:02x}");
    }
}

#[test]
fn orders_that_only_ask_leave_the_mode_alone() {
    let mut board = VirtualBoard::new();
    asked(&mut board, &[0x4b, 0x41, 0x42, 0x45, 0x4d, 0x55]);
    assert_ne!(pawn_to_e4(&mut board), []);
    asked(&mut board, &[0x40]);
    assert_eq!(no_pawn_on_e4(&mut board), []);
}

#[test]
fn status_bytes_are_those_of_the_captures() {
    let mut board = VirtualBoard::new();
    for (running, lever, status) in [
        (false, Side::Left, 0x08),
        (true, Side::Left, 0x09),
        (true, Side::Right, 0x13),
        (false, Side::Right, 0x12),
    ] {
        sent(&mut board, face(1, running, lever));
        let report = [0x8d, 0x00, 0x0a, 0x00, 0x03, 0x01, 0x00, 0x03, 0x02, status];
        assert_eq!(asked(&mut board, &[0x41]), report);
    }
}

#[test]
fn a_nice_clock_is_told_when_changed_only() {
    let mut board = VirtualBoard::new();
    assert_eq!(asked(&mut board, &[0x4b]), []);
    assert_eq!(board.deadline(), None);
    assert_ne!(sent(&mut board, face(1, true, Side::Left)), []);
    assert_eq!(sent(&mut board, face(1, true, Side::Left)), []);
    assert_ne!(sent(&mut board, face(0, true, Side::Left)), []);
    assert_eq!(sent(&mut board, Change::Clock(None).here())[9], 0x20);
    assert_eq!(sent(&mut board, Change::Clock(None).here()), []);
}

#[test]
fn a_plain_clock_is_told_every_second_too() {
    let mut board = VirtualBoard::new();
    asked(&mut board, &[0x43]);
    let (at, _) = board.deadline().unwrap();
    assert_eq!(at.since(NOW), CLOCK_PERIOD);
    assert_eq!(sent(&mut board, Stimulus::Due), [], "not yet");
    let mut out = Said::default();
    board.handle(at, Stimulus::Due, &mut out);
    let out = out.bytes();
    assert_eq!(out.len(), 10);
    assert_eq!(board.deadline().unwrap().0.since(at), CLOCK_PERIOD);
    asked(&mut board, &[0x44]);
    assert_eq!(board.deadline(), None);
    assert_eq!(sent(&mut board, face(5, true, Side::Left)), [], "squares only");
}

/// Null frame and acknowledgements as real boards send them (`README.md`, section "Clock").
#[test]
fn what_is_no_face_is_told_as_real_boards_tell_it() {
    let setnrun = [0x2b, 0x0a, 0x03, 0x0a, 0x01, 0x1e, 0x00, 0x01, 0x1e, 0x00, 0x01, 0x00];
    let mut board = VirtualBoard::new();
    assert_eq!(asked(&mut board, &setnrun), [], "nothing is told before updates are on");
    assert_eq!(sent(&mut board, Change::Disturbed(Disturbance::Null).here()), []);
    asked(&mut board, &[0x4b]);
    let null = [0x8d, 0x00, 0x0a, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(sent(&mut board, Change::Disturbed(Disturbance::Null).here()), null);
    let ordered = [0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x0a, 0x0a, 0x00, 0x00, 0];
    assert_eq!(asked(&mut board, &setnrun), ordered);
    let button = [0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x08, 0x2a, 0x05, 0x33, 0];
    assert_eq!(sent(&mut board, Change::Disturbed(Disturbance::Button).here()), button);
}

#[test]
fn a_report_that_is_lost_is_not_repeated_and_can_be_asked_for() {
    let mut board = VirtualBoard::new();
    asked(&mut board, &[0x4b]);
    sent(&mut board, Change::Disturbed(Disturbance::Lost(2)).here());
    assert_eq!(sent(&mut board, face(1, true, Side::Left)), []);
    assert_eq!(sent(&mut board, face(0, true, Side::Left)), []);
    let report = [0x8d, 0x00, 0x0a, 0x00, 0x03, 0x00, 0x00, 0x03, 0x02, 0x09];
    assert_eq!(asked(&mut board, &[0x41]), report);
}

#[test]
fn a_board_set_up_unseen_is_known_to_dumps_only() {
    let mut board = VirtualBoard::new();
    asked(&mut board, &[0x4b]);
    assert_eq!(sent(&mut board, Change::Board(&Placement::EMPTY).here()), []);
    assert_eq!(asked(&mut board, &[0x42])[3..], [0; 64]);
}
