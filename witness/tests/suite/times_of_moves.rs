//! What the mover's clock showed stands beside his move, and nothing where nobody heard it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::desk::{B, Desk, W};
use crate::common::play;
use eboard::{FlagMark, Piece, Sighting, Square};
use shakmaty::Color;

/// What stands beside each move, in seconds.
fn shown(script: &str) -> Vec<Option<u32>> {
    let record = play(script);
    let plies = record.table.score().plies();
    plies.iter().map(|ply| ply.clock.map(|face| face.as_ms() / 1000)).collect()
}

/// 300 s and 3 s for every move, the first included. White presses 4.6 s after the start, Black
/// 6.6 s later; the clock is out for 203.6 s, in which 62 and 21.6 s are used; then White presses
/// after 122.9 s and Black after 5.6 s. Seconds are rounded up. Black's last press before the clock
/// is heard again left 303 - 6.6 + 3 - 21.6 + 3 s, which it still shows then.
#[test]
fn while_the_clock_is_away_no_time_stands_beside_a_move_but_what_it_shows_afterwards() {
    let script = "# time_control: 300+3
        +3 e2^ e4v | +5 e7^ e5v | clock:out +60 g1^ f3v | +20 b8^ c6v |
        +90 a2^ a3v +30 clock:in +2.5 | +4 a7^ a6v | +4";
    assert_eq!(shown(script), [Some(302), Some(300), None, Some(281), Some(123), Some(279)]);
}

/// What was read before the press lacks the increment of the press that nobody heard.
#[test]
fn a_reading_of_before_the_press_does_not_stay_beside_the_move() {
    let script = "# time_control: 300+3
        +3 e2^ e4v | +5 e7^ e5v | +3 g1^ f3v +0.2 clock:out | +5 b8^ c6v | +9 f1^ b5v +12";
    assert_eq!(shown(script), [Some(302), Some(300), None, None, None]);
}

/// The innocent twin: a forgotten press is no reason to doubt a clock that is heard.
#[test]
fn a_clock_that_is_heard_tells_its_time_without_a_press() {
    let script = "# time_control: 300+3
        +3 e2^ e4v | +5 e7^ e5v | +3 g1^ f3v +5 b8^ c6v +5 f1^ b5v | +4";
    assert!(shown(script).iter().all(Option::is_some));
}

/// The clock is started while the first piece is in the hand, so nothing but the moves tells whose
/// half is whose; and Black's presses are reported when White has moved again.
#[test]
fn presses_that_are_reported_late_do_not_exchange_the_times() {
    let mut desk = Desk::new("300+2");
    let square = |name: &[u8; 2]| Square::at(name[0] - b'a', name[1] - b'1').unwrap();
    let none = FlagMark::None;
    desk.reads(302, 302, None, none);
    desk.sight(Sighting::Square { square: square(b"d2"), piece: None });
    desk.wait(0.1).reads(302, 302, W, none);
    desk.sight(Sighting::Square { square: square(b"d4"), piece: Some(Piece::WhitePawn) });
    desk.wait(0.1).reads(304, 302, B, none);
    desk.moves("g8", "f6", Piece::BlackKnight).moves("c2", "c4", Piece::WhitePawn);
    desk.moves("e7", "e5", Piece::BlackPawn);
    desk.reads(304, 304, W, none).reads(305, 304, B, none);
    desk.moves("g1", "f3", Piece::WhiteKnight);
    desk.reads(305, 306, W, none).reads(307, 306, B, none).wait(1.0);
    let clock = desk.table.clocks().state().unwrap();
    let seconds = clock.times.map(|time| time.as_ms() / 1000);
    assert_eq!((seconds.white, seconds.black, clock.running), (307, 306, Some(Color::Black)));
}
