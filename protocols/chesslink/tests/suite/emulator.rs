//! The emulated board by itself: what it reports unasked, and what it answers. Not the device.

use std::time::Duration;

use chesslink::frame::Answer;
use chesslink::{Board, Decoder};
use eboard::{Change, Emulator, Moment, Placement, Said, Square, Stimulus};

/// What a board says by itself within this time after the e-pawn is lifted.
fn reports(register: u8, span: Duration) -> Vec<(Duration, Placement)> {
    let mut board = Board::default().with_register(2, register).with_register(3, 50);
    let start = Moment::from_micros(5_000_000);
    let mut said = Said::default();
    board.handle(start, Change::Board(&Placement::starting()).here(), &mut said);
    run(&mut board, start + Duration::from_secs(10));
    let lifted = start + Duration::from_secs(10);
    board.handle(
        lifted,
        Change::Square { square: Square::new(52).expect("below 64"), piece: None }.here(),
        &mut said,
    );
    let said = run(&mut board, lifted + span);
    said.into_iter().map(|(at, placement)| (at.since(lifted), placement)).collect()
}

fn run(board: &mut Board, end: Moment) -> Vec<(Moment, Placement)> {
    let mut decoder = Decoder::default();
    let mut said = Vec::new();
    while let Some((at, _)) = board.deadline().filter(|(at, _)| *at <= end) {
        let mut bytes = Said::default();
        board.handle(at, Stimulus::Due, &mut bytes);
        let bytes = bytes.bytes();
        for answer in decoder.feed(&bytes) {
            let Ok(Answer::Board(placement)) = answer else { panic!("{answer:?}") };
            said.push((at, placement));
        }
    }
    said
}

#[test]
fn register_two_says_when_the_board_reports() {
    let second = Duration::from_secs(1);
    assert_eq!(reports(0, second).len(), 24, "every scan of 40.96 ms");
    assert_eq!(reports(1, second).len(), 0, "off");
    let timed = reports(2, second).len();
    assert!((4..=5).contains(&timed), "every 50 × 4.096 ms: {timed}");
    for (register, scans) in [(3, 1), (4, 2), (5, 3), (6, 4), (7, 5)] {
        let said = reports(register, second);
        assert_eq!(said.len(), 1, "once, on the change: {register}");
        assert_eq!(said[0].0, Duration::from_micros(40_960 * scans), "{register}");
    }
}

#[test]
fn a_change_undone_before_the_debounce_is_over_is_not_reported() {
    let mut board = Board::default().with_register(2, 7);
    let mut now = Moment::from_micros(1_000);
    run(&mut board, now + Duration::from_secs(5));
    now = now + Duration::from_secs(5);
    let square = Square::new(52).unwrap();
    let pawn = Placement::starting()[square];
    board.handle(now, Change::Square { square, piece: None }.here(), &mut Said::default());
    assert_eq!(run(&mut board, now + Duration::from_millis(100)), []);
    now = now + Duration::from_millis(100);
    board.handle(now, Change::Square { square, piece: pawn }.here(), &mut Said::default());
    assert_eq!(run(&mut board, now + Duration::from_secs(2)), []);
    assert_eq!(board.deadline(), None, "nothing left to report");
}

#[test]
fn lamps_are_answered_and_damage_is_not() {
    let vectors = include_str!("../../captures/vectors.txt");
    let lamps = vectors.lines().find(|line| line.contains(" L0F")).unwrap();
    let hex = lamps.split_whitespace().last().unwrap();
    let mut bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect();
    let mut board = Board::default().with_register(2, 1);
    let mut reported = |bytes: &[u8]| {
        let mut out = Said::default();
        board.handle(Moment::ZERO, Stimulus::Host(bytes), &mut out);
        out.bytes()
    };
    assert_eq!(reported(&bytes), Answer::Lights.encode());
    bytes[40] ^= 1;
    assert_eq!(reported(&bytes), []);
}

#[test]
fn registers_outlive_a_reset() {
    let mut board = Board::default();
    let mut out = Said::default();
    let write = [0x57, 0xb0, 0x32, 0xb0, 0x34, 0xb5, 0x31]; // W0204
    board.handle(Moment::ZERO, Stimulus::Host(&write), &mut out);
    board.handle(Moment::ZERO, Stimulus::Host(&[0x54, 0xb5, 0x34]), &mut out);
    assert_eq!(board.register(2), 4);
}
