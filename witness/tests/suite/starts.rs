//! Clocks that are started, and whose half counts first: also where the start was not heard.

#![allow(clippy::unwrap_used)]

use crate::common::desk::{B, Desk, W};
use eboard::FlagMark;

#[test]
fn a_start_that_is_heard_after_the_first_move_leaves_open_whose_half_it_is() {
    let mut desk = Desk::new("300+3");
    desk.shows(303, 303, None).wait(1.5);
    desk.moves("g1", "f3", eboard::Piece::WhiteKnight).shows(301, 303, W);
    desk.shows(303, 303, B);
    desk.moves("g8", "f6", eboard::Piece::BlackKnight).shows(303, 305, W);
    let state = desk.table.clocks().state().unwrap();
    assert_eq!((state.running, state.times.white.as_ms()), (W, 303_000));
    let plies = desk.table.score().plies();
    assert!(plies.iter().all(|ply| ply.status == witness::Status::Completed));
    assert_eq!(desk.kinds(), [""; 0]);
}

/// Where one time counts the other one rises, before it is seen to fall.
#[test]
fn the_start_of_an_hourglass_is_no_press() {
    let mut desk = Desk::new("*60");
    desk.shows(60, 60, None).shows(60, 61, W).shows(59, 61, W);
    let state = desk.table.clocks().state().unwrap();
    assert_eq!((state.running, state.times.white.as_ms()), (W, 59_000));
}

#[test]
fn a_start_that_was_not_heard_shows_in_the_time_that_has_counted() {
    let mut desk = Desk::new("90");
    desk.shows(90, 90, None).wait(0.8);
    desk.moves("c2", "c3", eboard::Piece::WhitePawn);
    // White has used a second and pressed: none of it was heard.
    desk.shows(89, 90, B).shows(89, 89, B);
    desk.moves("d7", "d5", eboard::Piece::BlackPawn).shows(89, 88, W).shows(88, 88, W);
    let state = desk.table.clocks().state().unwrap();
    assert_eq!((state.running, state.times.white.as_ms()), (W, 88_000));
    assert_eq!(desk.kinds(), [""; 0]);
}

#[test]
fn neither_start_nor_first_press_was_heard_and_no_time_has_counted_during_the_delay() {
    let none = FlagMark::None;
    for step in ["a4", "a3"] {
        let mut desk = Desk::new("120+d3");
        desk.shows(120, 120, None).wait(0.8);
        // A pawn that went one square may still go on, and is not believed yet.
        desk.moves("a2", step, eboard::Piece::WhitePawn).reads(120, 120, B, none);
        desk.shows(120, 120, B).shows(120, 119, B);
        desk.moves("h7", "h6", eboard::Piece::BlackPawn).reads(120, 119, W, none);
        desk.shows(120, 119, W).shows(120, 119, W).shows(119, 119, W);
        let state = desk.table.clocks().state().unwrap();
        assert_eq!((state.running, state.times.white.as_ms()), (W, 119_000), "{step}");
        let plies = desk.table.score().plies();
        assert!(plies.iter().all(|ply| ply.status == witness::Status::Completed), "{step}");
        assert_eq!(desk.kinds(), [""; 0]);
    }
}
