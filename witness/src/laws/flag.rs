//! Articles 6.4, 6.8 and 6.9: a fallen flag, as far as the clock shows it, and what follows.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, FlagMark, Moment};
use shakmaty::{ByColor, Chess, Color, Position};

use crate::clock::FlagFall;
use crate::incident::Advice;
use crate::laws::editions;
use crate::laws::tolerances::{PROMPT, SAME_MOMENT};
use crate::message::Message;
use crate::say;
use crate::settings::Edition;
use crate::unwinnable::Verdict;

/// What follows from a fallen flag, as far as score and time control show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Consequence {
    /// The moves were made: the next period begins (6.4).
    PeriodPassed,
    /// The game is lost (6.9).
    Loss,
    /// The opponent cannot mate by any series of legal moves: a draw (6.9).
    Draw,
    /// Loss or draw: whether the opponent can mate was not found out (6.9).
    Undetermined,
}

impl Consequence {
    /// The stable name for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PeriodPassed => "period_passed",
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Undetermined => "undetermined",
        }
    }
}

impl Fall<'_> {
    /// What follows for certain: nothing while the fall itself is in doubt.
    pub fn follows(&self) -> Option<Consequence> {
        let passed = self.consequence == Some(Consequence::PeriodPassed);
        self.consequence.filter(|_| passed || self.fall.ours.is_none())
    }
}

/// How a game ends by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum OnTheBoard {
    Checkmate,
    Stalemate,
    Dead,
    Fivefold,
    SeventyFive,
}

impl OnTheBoard {
    /// What this position shows, if anything.
    pub fn of(position: &Chess) -> Option<Self> {
        match position.legal_moves().is_empty() {
            true if position.is_check() => Some(Self::Checkmate),
            true => Some(Self::Stalemate),
            false => None,
        }
    }

    /// In words, with the Article up to its second number, which all editions share.
    pub(super) fn words(self) -> (Message, &'static str) {
        match self {
            Self::Checkmate => (say::end_checkmate(), "5.1"),
            Self::Stalemate => (say::end_stalemate(), "5.2"),
            Self::Dead => (say::end_dead(), "5.2"),
            Self::Fivefold => (say::end_fivefold(), "9.6"),
            Self::SeventyFive => (say::end_seventy_five(), "9.6"),
        }
    }
}

/// The moves of the player whose flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Count {
    /// Completed, by the score.
    pub completed: u32,
    /// Asked for by the end of the period.
    pub required: Option<u32>,
    /// The last one was made, and the clock not pressed.
    pub unpressed: bool,
    /// How many of those that are completed nobody saw.
    pub worked_out: u32,
    /// There are no others that the score lacks.
    pub whole: bool,
}

/// Everything that is known about a fall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fall<'a> {
    pub fall: &'a FlagFall,
    pub count: Count,
    /// Unknown without a time control.
    pub consequence: Option<Consequence>,
    /// Whether the opponent can mate.
    pub mate: &'a Verdict,
    /// Whose flag fell before this one.
    pub earlier: Option<Color>,
    pub around: Around,
}

/// What the event and the players' duties make of a fall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    pub edition: Edition,
    /// Rapid or blitz without adequate supervision.
    pub unsupervised: bool,
    /// Who need not have written in this period (8.4).
    pub unwritten: ByColor<bool>,
}

/// How many seconds that is, one that has begun among them.
pub(super) fn begun_seconds(span: Duration) -> u64 {
    span.as_secs() + u64::from(span.subsec_millis() > 0)
}

pub(crate) fn text(fall: &FlagFall) -> Message {
    let left = fall.opponent;
    let within = fall.last_above_zero.map(|above| fall.seen.since(above));
    match within.filter(|within| *within > PROMPT).map(begun_seconds) {
        None => say::flag_fell(fall.side, left),
        Some(seconds) => say::flag_fell_within(fall.side, seconds, left),
    }
}

pub(crate) fn advice(it: &Fall<'_>) -> Vec<Advice> {
    if let Some(first) = it.earlier {
        let decides = say::fell_first(first);
        return [decides].into_iter().chain(sign(it)).collect();
    }
    let mut advice = Vec::new();
    if it.count.required.is_some() || it.consequence.is_none() {
        advice.push(moves(it.fall.side, &it.count));
        advice.extend(unpressed(it));
        advice.extend(unseen(&it.count));
    }
    advice.extend(it.count.required.and_then(|_| score_sheets(&it.around)));
    if let Some(left) = it.fall.ours.filter(|_| it.consequence != Some(Consequence::PeriodPassed)) {
        advice.extend(faulty(it.fall.side, left));
    }
    match it.consequence {
        None => advice.push(if_lost_on_time(!it.fall.side, it.mate)),
        Some(Consequence::PeriodPassed) if it.count.required.is_none() => {
            advice.push(say::no_moves_asked())
        }
        Some(Consequence::PeriodPassed) => advice.push(say::moves_were_made()),
        Some(Consequence::Loss) => advice.push(say::lost_on_time()),
        Some(Consequence::Draw) => advice.push(say::drawn_on_time()),
        Some(Consequence::Undetermined) => advice.push(say::undetermined_on_time()),
    }
    advice.extend(claim(it));
    advice.extend(sign(it));
    advice
}

/// A.4.c: up to 2014, in rapid and blitz without adequate supervision, a win on time is claimed by
/// a player who has time left himself.
fn claim(it: &Fall<'_>) -> Option<Advice> {
    let article = editions::claimed_on_time_article(it.around.edition)?;
    let decided = [Consequence::PeriodPassed, Consequence::Draw].map(Some);
    let open = !decided.contains(&it.consequence);
    if !it.around.unsupervised || !open {
        return None;
    }
    Some(match it.fall.opponent {
        FaceTime::ZERO => nobody_can_claim(article),
        _ => say::to_claim_the_win(!it.fall.side, article),
    })
}

/// The same where both have used up their time.
pub(super) fn nobody_can_claim(article: &str) -> Advice {
    say::nobody_can_claim(article)
}

/// 8.5: the score sheets at the end of a period, by who had not to write any more.
pub(super) fn score_sheets(around: &Around) -> Option<Advice> {
    let unwritten = around.unwritten;
    let neither = editions::unwritten_article(around.edition, true);
    let one = editions::unwritten_article(around.edition, false);
    match (unwritten.white, unwritten.black) {
        (true, true) => Some(say::neither_wrote(neither)),
        (false, false) => None,
        (white, _) => {
            let side = if white { Color::White } else { Color::Black };
            Some(say::only_one_wrote_not(side, one))
        }
    }
}

/// A clock with an evident defect is to be replaced (6.10): what it shows need not be what is left.
fn faulty(side: Color, left: FaceTime) -> [Advice; 2] {
    [say::clock_keeps_no_time(side, left), say::if_it_counts()]
}

/// What the clock itself shows of it, but for a period that has passed.
fn sign(it: &Fall<'_>) -> Option<Advice> {
    match it.fall.mark {
        FlagMark::None => Some(say::zero_without_sign()),
        _ if it.consequence == Some(Consequence::PeriodPassed) => None,
        FlagMark::Final => Some(say::flag_blocked()),
        FlagMark::Passed => Some(say::flag_runs_on()),
    }
}

/// Articles 5 and 6.8: the game was ended by a move made then, when the fall was seen then.
pub(crate) fn ended_after(how: OnTheBoard, made: Moment, seen: Moment) -> [Advice; 2] {
    let (end, article) = how.words();
    let ends = match made.since(seen) {
        later if made > seen && later > SAME_MOMENT => {
            let after = match later.as_secs() {
                0 => say::less_than_a_second(),
                seconds => say::seconds_after(seconds),
            };
            say::end_after_fall(end, after, article)
        }
        _ => say::end_with_fall(end, article),
    };
    [ends, say::if_somebody_had()]
}

/// 6.4: what is checked at once when a flag has fallen.
pub(super) fn moves(side: Color, count: &Count) -> Advice {
    let completed = count.completed;
    match count.required {
        Some(required) => say::moves_required(side, required, completed),
        None => say::check_moves(side, completed),
    }
}

/// A move that was made and not completed is none of those that are counted.
fn unpressed(it: &Fall<'_>) -> Option<Advice> {
    let counts = it.count.required.is_some() && it.consequence != Some(Consequence::PeriodPassed);
    (counts && it.count.unpressed).then(say::one_more_unpressed)
}

/// What the count may lack, or have too much.
fn unseen(count: &Count) -> Option<Advice> {
    match count.worked_out {
        _ if !count.whole => Some(say::not_every_move_seen()),
        0 => None,
        1 => Some(say::one_worked_out()),
        moves => Some(say::some_worked_out(moves)),
    }
}

/// Article 6.9, when it is not known whether the flag fell in time.
fn if_lost_on_time(opponent: Color, mate: &Verdict) -> Advice {
    match mate {
        Verdict::Winnable(_) => say::if_not_wins(opponent),
        Verdict::Unwinnable => say::if_not_draw(opponent),
        Verdict::Undetermined => say::if_not_undetermined(opponent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_within_the_interval_of_the_fall_came_with_it() {
        let at = |ms: u64| Moment::from_micros(ms * 1000);
        let said = |made| ended_after(OnTheBoard::Checkmate, at(made), at(5000))[0].clone();
        let mate = say::end_checkmate;
        assert_eq!(said(4900), say::end_with_fall(mate(), "5.1"));
        assert_eq!(said(5200), say::end_with_fall(mate(), "5.1"));
        let soon = say::less_than_a_second();
        assert_eq!(said(5500), say::end_after_fall(mate(), soon, "5.1"));
        let later = say::seconds_after(1);
        assert_eq!(said(6100), say::end_after_fall(mate(), later, "5.1"));
    }
}
