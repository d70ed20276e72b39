//! Words and advice for results that are missing (8.7), and for players at two tables, boards that
//! are missing and games without a pairing (12.2).

use std::time::Duration;

use shakmaty::Color;

use crate::incident::{Advice, Kind};
use crate::message::Message;
use crate::number::TableNo;
use crate::say;

/// The words for a game in which nothing has happened for this time; `stood`: the clock shows that
/// both times stand.
pub(crate) fn no_result(quiet: Duration, stood: bool) -> Message {
    let minutes = quiet.as_secs() / 60;
    match stood {
        true => say::no_result_stood(minutes),
        false => say::no_result_quiet(minutes),
    }
}

/// `decided`: an arbiter has upheld what ends the game.
pub(crate) fn no_result_advice(decided: bool) -> Vec<Advice> {
    let upheld = say::result_still_missing();
    Some(upheld).filter(|_| decided).into_iter().chain([say::enter_signed_result()]).collect()
}

pub(crate) fn left_without_result() -> Message {
    say::left_without_result()
}

pub(crate) fn left_without_result_advice() -> Vec<Advice> {
    vec![say::ask_for_sheets()]
}

pub(crate) fn player_twice(side: Color, other: TableNo) -> Message {
    say::player_twice(side, other)
}

pub(crate) fn player_twice_advice() -> Vec<Advice> {
    vec![say::pairing_put_right()]
}

/// Words and advice for a pairing without a board, or a game without a pairing; `others`: the
/// tables that may be meant.
pub(crate) fn unmatched(kind: Kind, others: &[TableNo]) -> (Message, Vec<Advice>) {
    let (text, at, advice): (_, fn(Message) -> Message, _) = match kind {
        Kind::NoBoard => {
            (say::no_board_here(), say::game_without_pairing_at, say::see_to_the_board())
        }
        _ => (say::no_pairing_here(), say::pairing_without_board_at, say::name_the_players_here()),
    };
    let text = match tables(others) {
        Some(tables) => text.then(at(tables)),
        None => text,
    };
    (text, vec![advice])
}

/// Tables by number; none: there are none.
fn tables(numbers: &[TableNo]) -> Option<Message> {
    let (last, others) = numbers.split_last()?;
    let others = others.iter().map(TableNo::to_string).collect::<Vec<_>>().join(", ");
    Some(match others.is_empty() {
        true => say::one_table(*last),
        false => say::one_of_tables(&others, *last),
    })
}
