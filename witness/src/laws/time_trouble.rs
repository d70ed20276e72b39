//! Articles 8.4 and 8.5 and Guideline III (G in 2014): who is so short of time that he need not
//! write, and who may ask for what in the last two minutes.

use eboard::FaceTime;
use shakmaty::Color;

use crate::incident::{Advice, Kind};
use crate::laws::editions;
use crate::laws::rate::Rate;
use crate::message::Message;
use crate::say;
use crate::settings::{Edition, Settings};
use crate::time_control::Periods;

/// Below this nobody has to write (8.4).
const TROUBLE: FaceTime = FaceTime::from_hms(0, 5, 0);
/// But with this much per move everybody has to. Seconds.
const WRITES_ON_S: u32 = 30;
/// Appendix A: below an hour the game is rapid or blitz, and nobody has to write anyway. Seconds.
const STANDARD_S: u32 = 3600;
/// Guideline III.4: with less than this, requests are possible.
const TWO_MINUTES: FaceTime = FaceTime::from_hms(0, 2, 0);

/// Whether a player with this time left in this period, from 0, need not write any more.
pub(crate) fn need_not_write(periods: &Periods, period: usize, left: FaceTime) -> bool {
    let per_move = periods.get(period).map(|it| it.per_move_s(u32::MAX));
    let standard = periods.sixty_moves_s() >= STANDARD_S;
    standard && left < TROUBLE && per_move.is_some_and(|it| it < WRITES_ON_S)
}

/// Whether a player with this time left in this period, from 0, may make the requests of Guideline
/// III when he has the move: the last period, nothing per move, not blitz.
pub(crate) fn last_two_minutes(
    settings: &Settings,
    periods: &Periods,
    period: usize,
    left: FaceTime,
) -> bool {
    let nothing = periods.get(period).is_some_and(|it| it.per_move_s(u32::MAX) == 0);
    settings.quickplay_finish
        && nothing
        && periods.is_last(period)
        && left < TWO_MINUTES
        && settings.rate_of_play() != Rate::Blitz
}

/// Whether all the same is said of a player with either of these times left.
pub(crate) fn is_alike(one: FaceTime, other: FaceTime) -> bool {
    [TROUBLE, TWO_MINUTES].into_iter().all(|less| (one < less) == (other < less))
}

pub(crate) fn text(side: Color, left: FaceTime, still: Option<u32>) -> Message {
    match still {
        Some(0) => say::short_moves_made(side, left),
        Some(1) => say::short_one_move(side, left),
        Some(moves) => say::short_moves(side, left, moves),
        None => say::short_all_moves(side, left),
    }
}

pub(crate) fn advice() -> Vec<Advice> {
    vec![say::need_not_write()]
}

pub(crate) fn two_minutes(side: Color, left: FaceTime) -> Message {
    say::two_minutes(side, left)
}

pub(crate) fn two_minutes_advice(edition: Edition) -> Vec<Advice> {
    let delay = editions::article(Kind::TwoMinutes, edition);
    let draw = editions::normal_means_article(edition);
    let increment = (edition >= Edition::Y2014).then(|| say::five_seconds_more(delay));
    // G.4 is new in 2014, by its commentary.
    let claim = match increment {
        Some(_) => say::or_he_may_claim_draw(draw),
        None => say::he_may_claim_draw(draw),
    };
    increment.into_iter().chain([claim]).collect()
}
