//! Moves whose press nobody heard, or heard apart from them: completed as soon as something shows
//! that they were, and not before (Article 6.2.1).

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::Doors as _;
use crate::common::desk::{B, Desk, W};
use eboard::{Piece, Placement, Sighting, Square};
use shakmaty::Color;
use witness::{Effect, Status};

const CONTROLS: [&str; 2] = ["180", "180+2"];

/// The game has begun, and White thinks.
fn begun(control: &str) -> Desk {
    Desk::started(control, 180)
}

/// What the clock shows after so many seconds of each, with what presses have brought.
fn shows(desk: &mut Desk, control: &str, white: u32, black: u32, counts: Option<Color>) {
    let adds = if control.contains('+') { 2 } else { 0 };
    let pressed = |side: Option<Color>| if counts == side { 0 } else { adds };
    // White has pressed once when Black's time counts, and each once when it is White's again.
    let both = if counts == W && black < 180 { adds } else { 0 };
    let (white, black) = (white + pressed(W).max(both), black + both);
    desk.shows(white, black, counts);
}

fn square(name: &str) -> Square {
    let name = name.as_bytes();
    Square::at(name[0] - b'a', name[1] - b'1').unwrap()
}

/// All the squares, after these moves from the starting position.
fn whole(desk: &mut Desk, moves: &[(&str, &str)]) {
    let mut standing = Placement::starting();
    for (from, to) in moves {
        standing[square(to)] = standing[square(from)].take();
    }
    desk.sight(Sighting::Position(standing));
}

fn out(desk: &mut Desk, seconds: f64) {
    desk.table.line(desk.now, false, &mut Vec::new());
    desk.wait(seconds);
    desk.table.line(desk.now, true, &mut Vec::new());
}

/// The moves, those with a dash that are not completed.
fn record(desk: &Desk) -> String {
    let plies = desk.table.score().plies().iter();
    let record = plies.map(|ply| match ply.status {
        Status::Completed => ply.san.clone(),
        Status::Released => format!("{}-", ply.san),
    });
    record.collect::<Vec<_>>().join(" ")
}

const E4: (&str, &str) = ("e2", "e4");
const E5: (&str, &str) = ("e7", "e5");

#[test]
fn a_move_that_is_reported_after_its_press_is_completed_by_it() {
    for control in CONTROLS {
        let mut desk = begun(control);
        shows(&mut desk, control, 177, 180, B);
        desk.moves("e2", "e4", Piece::WhitePawn).wait(3.0);
        assert_eq!(record(&desk), "e4", "{control}");
        assert_eq!(desk.kinds(), Vec::<&str>::new());
    }
}

#[test]
fn a_move_of_which_only_the_press_was_heard_is_completed_when_the_board_tells_all() {
    for control in CONTROLS {
        let mut desk = begun(control);
        shows(&mut desk, control, 177, 180, B);
        desk.wait(0.5);
        whole(&mut desk, &[E4]);
        desk.wait(2.0);
        assert_eq!(record(&desk), "e4", "{control}");
        assert_eq!(desk.kinds(), Vec::<&str>::new());
    }
}

/// A board that is asked in vain for a while, as amid noise.
#[test]
fn a_press_completes_the_move_that_the_board_tells_long_after_it() {
    let mut desk = begun("180");
    desk.moves("e2", "e4", Piece::WhitePawn).shows(176, 180, B).shows(176, 179, B);
    whole(&mut desk, &[E4]);
    desk.wait(1.0).shows(176, 177, W).wait(4.0);
    whole(&mut desk, &[E4, E5]);
    desk.wait(2.0);
    assert_eq!(record(&desk), "e4 e5");
}

#[test]
fn nobody_is_said_to_have_pressed_without_a_move_before_the_board_was_asked() {
    for (moves, expected, kinds) in
        [(&[E4, E5][..], "e4 e5", &[][..]), (&[E4][..], "e4", &["pressed_without_move"][..])]
    {
        let mut desk = begun("180");
        desk.moves("e2", "e4", Piece::WhitePawn).shows(176, 180, B).shows(176, 179, B);
        whole(&mut desk, &[E4]);
        let asked = |desk: &Desk| {
            let surveys = desk.effects.iter().filter(|(_, it)| matches!(it, Effect::Survey));
            surveys.count()
        };
        let before = asked(&desk);
        desk.wait(1.0).shows(176, 177, W).wait(0.8);
        assert_eq!(asked(&desk), before + 1);
        assert_eq!(desk.kinds(), Vec::<&str>::new());
        whole(&mut desk, moves);
        desk.wait(2.0);
        // Black has not pressed before, so the clock may have been started for the wrong player.
        assert_eq!((record(&desk).as_str(), &desk.kinds()[..]), (expected, &[][..]));
        (0..40).for_each(|second| {
            desk.wait(1.0).shows(176, 176 - second, W);
        });
        assert_eq!((record(&desk).as_str(), &desk.kinds()[..]), (expected, kinds));
    }
}

#[test]
fn moves_whose_presses_fell_into_a_silence_are_completed_by_what_the_clock_shows_then() {
    for control in CONTROLS {
        let mut desk = begun(control);
        desk.moves("e2", "e4", Piece::WhitePawn).wait(3.0);
        desk.moves("e7", "e5", Piece::BlackPawn).wait(3.0);
        assert_eq!(record(&desk), "e4- e5-", "{control}: nobody has heard the clock yet");
        shows(&mut desk, control, 174, 175, W);
        desk.wait(1.0);
        assert_eq!(record(&desk), "e4 e5", "{control}");

        let mut desk = begun(control);
        desk.moves("e2", "e4", Piece::WhitePawn).wait(3.0);
        desk.moves("e7", "e5", Piece::BlackPawn).wait(3.0);
        shows(&mut desk, control, 174, 175, B);
        desk.wait(1.0);
        assert_eq!(record(&desk), "e4 e5-", "{control}: Black has not pressed");
    }
}

#[test]
fn while_the_clock_is_heard_only_a_press_completes_a_move() {
    for control in CONTROLS {
        let mut desk = begun(control);
        desk.moves("e2", "e4", Piece::WhitePawn);
        desk.shows(176, 180, W).shows(175, 180, W);
        desk.moves("e7", "e5", Piece::BlackPawn);
        desk.shows(174, 180, W).shows(173, 180, W);
        assert_eq!(record(&desk), "e4- e5-", "{control}");
    }
}

#[test]
fn a_move_seen_before_the_line_was_out_is_completed_by_the_reply_that_stands_after_it() {
    for (control, seen) in CONTROLS.into_iter().flat_map(|it| [(it, true), (it, false)]) {
        for (counts, expected) in [(W, "e4 e5"), (B, "e4 e5-")] {
            let mut desk = begun(control);
            desk.moves("e2", "e4", Piece::WhitePawn).wait(3.0);
            out(&mut desk, 6.0);
            if seen {
                whole(&mut desk, &[E4]);
                desk.wait(0.5).moves("e7", "e5", Piece::BlackPawn);
            } else {
                whole(&mut desk, &[E4, E5]);
            }
            shows(&mut desk, control, 172, 175, counts);
            desk.wait(5.0);
            assert_eq!(record(&desk), expected, "{control}, seen: {seen}, {counts:?}");
        }
    }
}
