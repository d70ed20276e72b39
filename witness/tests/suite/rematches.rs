//! Another game at the same board, and what only looks like one: on boards that cannot be asked for
//! their squares, over restarts, and where an arbiter says what the position is.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position};
use witness::{Effect, Event, Order, Settings};

use crate::common::{Doors as _, Record, play, play_answered, play_restarted, taken_up};

const SENSING: [&str; 2] = ["", "# sensing: occupancy\n"];

/// A game that an arbiter has ended, and its clock stands.
const OVER: &str = "+1 e2^ e4v | e7^ e5v | +2 ~ +1 result:1-0 +5";
/// The pieces are set up again.
const BACK: &str = "e4^ e2v +0.3 e5^ e7v";

/// How many half moves the scores of games have that were put aside.
fn put_aside(record: &Record) -> Vec<usize> {
    let plies = record.effects.iter().filter_map(|(_, effect)| match effect {
        Effect::Event(Event::NewGame(Some(score))) => Some(score.plies().len()),
        _ => None,
    });
    plies.collect()
}

/// Every way in which a script may be played.
fn everywhere(script: &str) -> Vec<(String, Record)> {
    let with = SENSING.map(|sensing| format!("# time_control: 300+3\n{sensing}{script}"));
    let [seen, blind] = &with;
    vec![
        ("cannot be asked".to_owned(), play(seen)),
        ("answers".to_owned(), play_answered(seen, Settings::default())),
        ("is taken up again".to_owned(), play_restarted(seen)),
        ("sees no pieces".to_owned(), play(blind)),
        ("sees no pieces, is taken up again".to_owned(), play_restarted(blind)),
    ]
}

#[test]
fn a_rematch_on_old_times_is_a_game_and_leaves_the_one_before_as_it_is() {
    let script = format!("{OVER} {BACK} +0 ! +0.3 d2^ +0.5 d4v | +2 d7^ d5v | +2 c2^ c4v | +5");
    for (board, record) in everywhere(&script) {
        assert_eq!(record.moves(), "d2d4 d7d5 c2c4", "{board}");
        assert_eq!(put_aside(&record), [2], "{board}");
    }
}

#[test]
fn a_rematch_that_begins_while_the_clock_counts_is_one_when_both_have_pressed() {
    let script = format!("{OVER} ! +2 {BACK} +0.5 d2^ +0.5 d4v | +2 d7^ d5v | +2 c2^ c4v | +5");
    for (board, record) in everywhere(&script) {
        assert_eq!(record.moves(), "d2d4 d7d5 c2c4", "{board}");
        assert_eq!(put_aside(&record), [2], "{board}");
    }
}

#[test]
fn what_is_looked_at_beside_a_clock_that_stands_is_no_game() {
    let rested = format!("{OVER} {BACK} +5 d2^ d4v +2 d7^ d5v +2 c2^ c4v +60");
    let at_once = format!("{OVER} {BACK} +0.2 d2^ d4v +2 d7^ d5v +2 c2^ c4v +60");
    for (board, record) in everywhere(&rested).into_iter().chain(everywhere(&at_once)) {
        assert!(put_aside(&record).len() <= 1, "{board}");
        assert!(
            ["", "e2e4 e7e5"].contains(&record.moves().as_str()),
            "{board}: {}",
            record.moves()
        );
        assert_eq!(record.kinds(), [""; 0], "{board}");
    }
}

#[test]
fn an_opening_that_is_looked_at_between_two_games_is_in_neither() {
    let script = format!(
        "{OVER} {BACK} +5 d2^ d4v +2 d7^ d5v +2 c2^ c4v +3 d4^ d2v d5^ d7v c4^ c2v +4 ! \
         +2 g1^ f3v | g8^ f6v | +5"
    );
    for (board, record) in everywhere(&script) {
        assert_eq!(record.moves(), "g1f3 g8f6", "{board}");
        assert_eq!(put_aside(&record), [2], "{board}");
        assert_eq!(record.kinds(), [""; 0], "{board}");
    }
}

#[test]
fn what_is_looked_at_beside_a_clock_that_nobody_stopped_is_no_game() {
    let runs_on = "+1 e2^ e4v | e7^ e5v | +2 result:1-0 +5";
    let script = format!("{runs_on} {BACK} +6 d2^ d4v +2 d7^ d5v +2 c2^ c4v +5 flag:w +20");
    for (board, record) in everywhere(&script) {
        assert_eq!(record.moves(), "", "{board}");
        assert_eq!(put_aside(&record), [2], "{board}");
        assert_eq!(record.kinds(), [""; 0], "{board}");
    }
    let pressed = format!("{runs_on} {BACK} +6 d2^ d4v | d7^ d5v | c2^ c4v | +5");
    for (board, record) in everywhere(&pressed) {
        assert_eq!(record.moves(), "d2d4 d7d5 c2c4", "{board}");
        assert_eq!(put_aside(&record), [2], "{board}");
    }
    let stopped = format!("{runs_on} {BACK} +6 ~ +5 ! +2 d2^ d4v | d7^ d5v | +5");
    for (board, record) in everywhere(&stopped) {
        assert_eq!(record.moves(), "d2d4 d7d5", "{board}");
        assert_eq!(put_aside(&record), [2], "{board}");
    }
}

#[test]
fn pieces_that_go_home_while_the_clock_stands_are_no_moves_of_the_game_before() {
    let script = "+1 e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | +2 ~ +30 f3^ g1v c6^ b8v e4^ e2v \
                  e5^ e7v set:w=303 set:b=303 +5 ! +2 d2^ d4v | d7^ d5v | +5";
    for (board, record) in everywhere(script) {
        assert_eq!(record.moves(), "d2d4 d7d5", "{board}");
        assert_eq!(put_aside(&record), [4], "{board}");
    }
}

#[test]
fn a_clock_that_is_only_tried_out_is_in_nobodys_use() {
    let script = "~ +2 ! +3 ~ +5 e2^ e4v +2 e7^ e5v +20";
    for (board, record) in everywhere(script) {
        assert_eq!(record.moves(), "e2e4 e7e5", "{board}: it is on the screen at once");
        assert_eq!(record.kinds(), [""; 0], "{board}");
    }
}

#[test]
fn kings_in_the_centre_say_nothing_before_the_clock_counts() {
    let script = format!("{OVER} {BACK} +5 e1^ e4v e8^ e5v +20");
    for (board, record) in everywhere(&script) {
        assert_eq!(record.moves(), "", "{board}");
        assert_eq!(record.table.score().result(), "*", "{board}");
        assert_eq!(record.kinds(), [""; 0], "{board}");
    }
}

#[test]
fn what_was_moved_before_somebody_started_the_clock_is_played() {
    let script = "~ +3 e2^ e4v +2 e7^ e5v +2 g1^ f3v +9 |w ! +2 b8^ c6v | +2 f1^ c4v | +5";
    for (board, record) in everywhere(script) {
        assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6 f1c4", "{board}");
        assert_eq!(record.kinds(), [""; 0], "{board}");
    }
}

#[test]
fn a_set_up_that_is_put_back_is_the_same_game() {
    let script = "+3 e2^ e4v | e7^ e5v | +2 ~ +3 e4^ e2v e5^ e7v +1 ! +0.3 d2^ d4v | d7^ d5v | +5";
    for (board, record) in everywhere(script) {
        assert_eq!(record.moves(), "d2d4 d7d5", "{board}");
        assert_eq!(put_aside(&record), [0; 0], "{board}");
    }
}

/// Nine moves each, with nothing taken back.
const NINE: &str = "e2^ e4v +2 e7^ e5v +2 g1^ f3v +2 b8^ c6v +2 f1^ c4v +2 f8^ c5v +2 d2^ d3v \
                    +2 g8^ f6v +2 b1^ c3v +2 d7^ d6v +2 c1^ e3v +2 c5^ b6v +2 h2^ h3v +2 h7^ h6v \
                    +2 a2^ a3v +2 a7^ a6v +2 d1^ d2v +2 d8^ e7v";
/// The tenth.
const TENTH: &str = "+2 g2^ g4v +2 g7^ g5v";

#[test]
fn a_clock_that_never_counted_may_be_one_that_nobody_uses() {
    let record = play("~ +3 e2^ e4v +2");
    assert_eq!(record.moves(), "e2e4", "a move is on the screen at once");
    let record = play(&format!("~ +3 {NINE} {TENTH} +5"));
    assert_eq!(record.table.score().plies().len(), 20);
    let record = play(&format!("{OVER} {BACK} +5 {NINE} {TENTH} +5"));
    assert_eq!(record.moves(), "", "its clock has counted in the game before");
}

#[test]
fn a_position_that_an_arbiter_sets_is_followed_and_nothing_of_what_was_looked_at() {
    let mut record = play(&format!("{OVER} {BACK} +0.2 d2^ d4v +2 d7^ d5v +2"));
    let position = Chess::default();
    let d4 = position.legal_moves().into_iter().find(|mv| mv.to_string() == "d2-d4");
    let position = position.clone().play(d4.unwrap()).unwrap();
    let mut table = taken_up(&record.table);
    let (now, mode) =
        (record.effects.last().unwrap().0 + Duration::from_secs(3), CastlingMode::Standard);
    let order = Order::SetPosition { position: Box::new(position), mode };
    let mut out = Vec::new();
    table.order(now, order, &mut out).unwrap();
    while let Some((at, _)) = table.deadline().filter(|(at, _)| *at < now + Duration::from_secs(60))
    {
        table.due(at, &mut out);
    }
    record.table = table;
    assert_eq!(record.moves(), "d7d5");
}
