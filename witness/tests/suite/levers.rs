//! A clock that tells only which half has the move: presses are known, times are not.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::{Record, play_through_answered};
use eboard::{Side, Sighting};
use shakmaty::Color;
use witness::{Effect, Event, Settings};

/// Plays a script on a clock that tells only its lever, again and again.
fn play(script: &str) -> Record {
    heard(script, |side| side)
}

/// The same where the clock stands on the other side of the board.
fn play_turned(script: &str) -> Record {
    heard(script, Side::other)
}

fn heard(script: &str, side: impl Fn(Side) -> Side) -> Record {
    play_through_answered(script, Settings::default(), |sighting| match sighting {
        Sighting::Clock(face) => vec![Sighting::Lever(side(face.lever))],
        Sighting::ClockLost => Vec::new(),
        other => vec![other],
    })
}

/// The same of a clock that was plugged in before the game and speaks only when it is pressed.
fn play_from_the_first_press(script: &str) -> Record {
    let mut known = None;
    play_through_answered(script, Settings::default(), |sighting| match sighting {
        Sighting::Clock(face) => {
            let before = known.replace(face.lever);
            let pressed = before.is_some_and(|before| before != face.lever);
            pressed.then_some(Sighting::Lever(face.lever)).into_iter().collect()
        }
        Sighting::ClockLost => Vec::new(),
        other => vec![other],
    })
}

fn presses(record: &Record) -> Vec<Color> {
    let pressed = record.effects.iter().filter_map(|(_, effect)| match effect {
        Effect::Event(Event::Pressed(by)) => Some(*by),
        _ => None,
    });
    pressed.collect()
}

fn completed(record: &Record) -> usize {
    record.table.score().plies().iter().filter(|ply| ply.completed.is_some()).count()
}

const OPENING: &str = "+2 e2^ e4v | +2 e7^ e5v | +2 g1^ f3v | +2 b8^ c6v |";

#[test]
fn a_press_completes_the_move_on_whichever_side_the_clock_stands() {
    for play in [play, play_turned] {
        let record = play(&format!("{OPENING} +1"));
        assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6");
        use Color::{Black, White};
        assert_eq!(presses(&record), [White, Black, White, Black]);
        assert_eq!((completed(&record), record.raised().len()), (4, 0), "{:?}", record.raised());
    }
}

#[test]
fn the_first_press_after_the_clock_is_plugged_in_only_shows_where_its_lever_is() {
    let record = play_from_the_first_press("+2 e2^ e4v | +9");
    assert_eq!((record.moves().as_str(), completed(&record)), ("e2e4", 0));
    assert_eq!(presses(&record), []);
    // The next one completes the reply, and what it replies to.
    let record = play_from_the_first_press("+2 e2^ e4v | +2 e7^ e5v | +9");
    assert_eq!((completed(&record), presses(&record)), (2, vec![Color::Black]));
    let record = play_from_the_first_press(&format!("{OPENING} +1"));
    use Color::{Black, White};
    assert_eq!((record.moves().as_str(), completed(&record)), ("e2e4 e7e5 g1f3 b8c6", 4));
    assert_eq!((presses(&record), record.raised().len()), (vec![Black, White, Black], 0));
}

#[test]
fn no_time_and_no_flag_is_made_up() {
    let record = play(&format!("# time_control: 30\n{OPENING} +60 f1^ b5v | +1"));
    assert!(record.table.clocks().state().is_none());
    assert_eq!(record.kinds(), [""; 0]);
    let plies = record.table.score().plies();
    assert!(plies.iter().all(|ply| ply.clock.is_none()));
}

#[test]
fn an_illegal_move_that_is_pressed_for_is_reported_and_one_that_is_put_right_before_is_not() {
    let record = play(&format!("{OPENING} +3 f1^ f4v | +5"));
    assert_eq!(record.kinds(), ["illegal_move"]);
    assert_eq!(record.raised()[0].side, Some(Color::White));
    let record = play(&format!("{OPENING} +3 f1^ f4v +2 f4^ c4v | +5"));
    assert_eq!((record.kinds().len(), completed(&record)), (0, 5));
}

#[test]
fn a_lever_that_goes_over_without_a_move_accuses_nobody() {
    // The clock may stand: the arbiter tries it, or somebody plays with it.
    let record = play(&format!("{OPENING} +3 | +3 | +3 f1^ b5v | +3"));
    assert_eq!((record.kinds(), record.moves().as_str()), (vec![], "e2e4 e7e5 g1f3 b8c6 f1b5"));
    let record = play("+1 | +1 | +1 | +2 e2^ e4v | +2 e7^ e5v | +1");
    assert_eq!((record.kinds(), record.moves().as_str()), (vec![], "e2e4 e7e5"));
}

#[test]
fn a_press_that_is_forgotten_is_nothing_to_tell() {
    let record = play(&format!("{OPENING} +3 f1^ b5v +4 a7^ a6v +4 b5^ a4v | +4 g8^ f6v | +60"));
    assert_eq!(record.kinds(), [""; 0]);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6");
}
