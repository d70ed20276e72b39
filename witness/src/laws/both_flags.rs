//! What decides when both flags are down and no reading shows which fell first.

use shakmaty::{ByColor, Color};

use super::editions;
use super::flag::{self, Around, Count};
use super::rate::Rate;
use crate::clock::{AfterPeriod, FlagFall};
use crate::incident::{Advice, Kind};
use crate::message::Message;
use crate::say;
use crate::settings::{Edition, Settings};
use crate::time_control::TimeControl;
use crate::unwinnable::Verdict;

/// What decides when nobody can say which flag fell first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A draw in the last period, and play goes on in an earlier one: 6.11 up to 2014, since then
    /// Guideline III where it holds.
    Provided,
    /// Since 2018 otherwise: an electronic clock shows it by its own sign (6.4).
    Sign(Without),
}

/// Why Guideline III does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    Blitz,
    Increment,
    Unannounced,
}

/// What is known about the fall of both.
pub(crate) struct Falls {
    pub falls: [FlagFall; 2],
    pub counts: ByColor<Count>,
    /// Who has completed the moves of a period that another one follows.
    pub passed: ByColor<bool>,
    /// What follows the period in which they fell.
    pub follows: AfterPeriod,
    /// Whether this side can mate.
    pub mate: ByColor<Verdict>,
    pub rule: Rule,
    pub around: Around,
}

/// What decides where both players are in these periods, counted from 0, and this is played, with
/// what an arbiter has granted.
pub(crate) fn rule(
    settings: &Settings,
    control: Option<TimeControl>,
    periods: ByColor<u8>,
) -> Rule {
    let increment = |side: Color| {
        let control = control.as_ref().map(|control| control.of(side));
        let period = control.and_then(|control| control.get(usize::from(*periods.get(side))));
        period.is_some_and(|period| period.per_move_s(u32::MAX) > 0)
    };
    if settings.edition < Edition::Y2018 {
        Rule::Provided
    } else if settings.rate_of_play() == Rate::Blitz {
        Rule::Sign(Without::Blitz)
    } else if Color::ALL.into_iter().any(increment) {
        Rule::Sign(Without::Increment)
    } else if !settings.quickplay_finish {
        Rule::Sign(Without::Unannounced)
    } else {
        Rule::Provided
    }
}

impl Rule {
    /// The Article that says so.
    pub fn article(self, edition: Edition) -> &'static str {
        let provided = editions::article(Kind::BothFlags, edition);
        match self {
            Self::Provided => provided,
            Self::Sign(_) => editions::other_article(Kind::BothFlags, edition).unwrap_or(provided),
        }
    }
}

pub(crate) fn text() -> Message {
    say::both_flags_fell()
}

pub(crate) fn advice(it: &Falls) -> Vec<Advice> {
    let mut advice: Vec<_> = each_within(&it.falls).into_iter().collect();
    if it.follows == AfterPeriod::Another {
        let asked = |side: &Color| it.counts.get(*side).required.is_some();
        let moves = |side| flag::moves(side, it.counts.get(side));
        advice.extend(Color::ALL.into_iter().filter(asked).map(moves));
        advice.extend(flag::score_sheets(&it.around));
    }
    match (it.passed.white, it.passed.black) {
        (true, true) => advice.push(say::both_made_their_moves()),
        (true, false) => advice.extend(only(it, Color::Black)),
        (false, true) => advice.extend(only(it, Color::White)),
        (false, false) => {
            match it.rule {
                Rule::Provided => advice.extend(provided(it)),
                Rule::Sign(without) => advice.extend(by_sign(it, without)),
            }
            advice.extend(Color::ALL.into_iter().filter_map(|side| not_lost(it, side)));
        }
    }
    advice
}

/// Only this side has not completed the moves of the period.
fn only(it: &Falls, side: Color) -> Vec<Advice> {
    let counts = say::only_one_flag_counts(side);
    [counts].into_iter().chain(not_lost(it, side)).collect()
}

fn provided(it: &Falls) -> Vec<Advice> {
    let article = it.rule.article(it.around.edition);
    let mut advice = vec![say::if_clock_shows_not(article)];
    advice.extend(match it.follows {
        AfterPeriod::Nothing => Some(say::is_last_period()),
        AfterPeriod::Another => Some(say::another_follows()),
        AfterPeriod::Unknown => None,
    });
    let claimed = editions::claimed_on_time_article(it.around.edition);
    advice.extend(claimed.filter(|_| it.around.unsupervised).map(flag::nobody_can_claim));
    advice
}

fn by_sign(it: &Falls, without: Without) -> Vec<Advice> {
    let article = it.rule.article(it.around.edition);
    let without = match without {
        Without::Blitz => say::guideline_not_blitz(),
        Without::Increment => say::guideline_not_increment(),
        Without::Unannounced => say::guideline_unannounced(),
    };
    vec![say::sign_decides(article), without]
}

/// 6.9: what follows where this side's flag decides, if that is not the loss of the game.
fn not_lost(it: &Falls, side: Color) -> Option<Advice> {
    match it.mate.get(!side) {
        Verdict::Winnable(_) => None,
        Verdict::Unwinnable => Some(say::if_decides_draw(side, !side)),
        Verdict::Undetermined => Some(say::if_decides_undetermined(side, !side)),
    }
}

/// Within what time each of them fell, as far as it is known.
fn each_within(falls: &[FlagFall; 2]) -> Option<Advice> {
    let within = |fall: &FlagFall| {
        let seconds = flag::begun_seconds(fall.seen.since(fall.last_above_zero?));
        Some((fall.side, seconds))
    };
    let [(one, first_s), (other, second_s)] = [within(&falls[0])?, within(&falls[1])?];
    Some(say::each_fell_within(one, first_s, other, second_s))
}
