//! Articles 6.6 and 6.7: the start of the round and who is not there. Words and advice.

use std::time::Duration;

use shakmaty::Color;

use crate::incident::Advice;
use crate::laws::editions;
use crate::message::Message;
use crate::say;
use crate::settings::Edition;

pub(crate) fn not_started() -> Message {
    say::not_started()
}

/// Moves are made from the set-up beside a clock that stands.
pub(crate) fn unrecorded() -> Message {
    say::unrecorded()
}

pub(crate) fn unrecorded_advice() -> Vec<Advice> {
    vec![say::start_to_record(), say::record_without_clock()]
}

pub(crate) fn not_started_advice(edition: Edition) -> Vec<Advice> {
    let start = say::start_white();
    vec![start, lost_time(edition)]
}

/// Whom the time is charged that passes while nobody is there.
pub(crate) fn lost_time(edition: Edition) -> Advice {
    let article = editions::lost_time_article(edition);
    say::white_loses_time(article)
}

/// Minutes that have passed since the start of the round, and what is missing of each time.
pub(crate) fn shared_unequally(late: u32, white: u32, black: u32) -> Message {
    say::shared_unequally(late, white, black)
}

/// `ago`: since the round started.
pub(crate) fn default_time(side: Color, ago: Duration) -> Message {
    let minutes = ago.as_secs() / 60;
    say::no_sign_since_start(side, minutes)
}

/// `replied`: it is the player who had sealed, and the other one has replied.
pub(crate) fn late_for_resumption(side: Color, replied: bool, ago: Duration) -> Message {
    let minutes = ago.as_secs() / 60;
    match replied {
        true => say::no_sign_since_resumed(side, minutes),
        false => say::envelope_unopened(side, minutes),
    }
}

pub(crate) fn late_for_resumption_advice(edition: Edition) -> Vec<Advice> {
    let article = editions::late_article(edition);
    vec![say::late_for_resumption(article)]
}

pub(crate) fn default_time_advice() -> Vec<Advice> {
    vec![say::late_for_round()]
}
