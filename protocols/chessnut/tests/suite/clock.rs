//! The clock: which half has the move, and nothing else.

use chessnut::CLOCK;
use eboard::{
    Anomaly, Change, ClockFace, Dial, FaceTime, Input, Moment, Output, Said, Side, Sighting,
    Station,
};

/// What a conversation answers to these reports, after it has been opened.
fn reported(reports: &[&[u8]]) -> Vec<Output> {
    let mut clock = (CLOCK.converse)();
    let mut out = Vec::new();
    clock.handle(Moment::ZERO, Input::Opened, &mut out);
    assert!(matches!(out.pop(), Some(Output::Saw(Station::ONLY, Sighting::Identified(_)))));
    for report in reports {
        clock.handle(Moment::ZERO, Input::Bytes(report), &mut out);
    }
    out
}

fn lever(side: Side) -> Output {
    Output::Saw(Station::ONLY, Sighting::Lever(side))
}

/// From the maker's own program: byte 2 is 0 for the left half and 1 for the right one, in a report
/// of three bytes or more.
#[test]
fn the_third_byte_says_which_half_has_the_move() {
    assert_eq!(reported(&[&[0, 0, 0]]), [lever(Side::Left)]);
    assert_eq!(reported(&[&[2, 1, 1]]), [lever(Side::Right)]);
    assert_eq!(reported(&[&[9, 9, 1, 7, 7, 7, 7, 7]]), [lever(Side::Right)]);
}

#[test]
fn what_is_said_again_is_told_once() {
    let left = [0, 0, 0];
    let right = [0, 0, 1];
    let seen = reported(&[&left, &left, &right, &right, &left]);
    assert_eq!(seen, [lever(Side::Left), lever(Side::Right), lever(Side::Left)]);
}

#[test]
fn a_report_that_cannot_be_is_counted_and_the_next_one_is_heard() {
    let seen = reported(&[&[], &[0, 0], &[0, 0, 2], &[0, 0, 1]]);
    let noise = [Anomaly::BadLength, Anomaly::BadLength, Anomaly::BadValue].map(Output::Noise);
    assert_eq!(seen[..3], noise);
    assert_eq!(seen[3..], [lever(Side::Right)]);
}

#[test]
fn it_is_never_written_to_and_never_called_silent() {
    let clock = (CLOCK.converse)();
    assert_eq!(clock.deadline(), None);
    let sent = reported(&[&[0, 0, 0]]).iter().any(|it| matches!(it, Output::Send(_)));
    assert!(!sent);
}

#[test]
fn an_emulated_one_says_where_its_lever_is_when_it_goes_over() {
    let mut board = (CLOCK.emulate)();
    let mut said = |lever, seconds| {
        let dial = Dial { time: FaceTime::from_hms(0, 0, seconds), ..Dial::default() };
        let face = ClockFace { left: dial, right: dial, running: true, lever, low_battery: false };
        let mut out = Said::default();
        board.handle(Moment::ZERO, Change::Clock(Some(face)).here(), &mut out);
        out.writes().collect::<Vec<_>>()
    };
    assert_eq!(said(Side::Left, 60), [[0, 0, 0]]);
    assert_eq!(said(Side::Left, 59), [[0; 3]; 0]);
    assert_eq!(said(Side::Right, 59), [[0, 0, 1]]);
}
