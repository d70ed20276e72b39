//! Both flags down, and no reading that tells which was first: what decides then.

use shakmaty::{ByColor, Color};

use super::editions;
use super::flag::{self, Around, Count};
use super::rate::Rate;
use super::words::{both, of_player_fr, player_en, the_player_fr};
use crate::clock::FlagFall;
use crate::incident::{Advice, Bilingual, Kind};
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
    /// Whether it was the last period; none: the time control is not told.
    pub last: Option<bool>,
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

pub(crate) fn text() -> Bilingual {
    both(
        "Both flags have fallen, and no reading tells which was first.",
        "Les deux drapeaux sont tombés, et rien ne dit lequel en premier.",
    )
}

pub(crate) fn advice(it: &Falls) -> Vec<Advice> {
    let mut advice: Vec<_> = each_within(&it.falls).into_iter().collect();
    if it.last == Some(false) {
        let asked = |side: &Color| it.counts.get(*side).required.is_some();
        let moves = |side| flag::moves(side, it.counts.get(side));
        advice.extend(Color::ALL.into_iter().filter(asked).map(moves));
        advice.extend(flag::score_sheets(&it.around));
    }
    match (it.passed.white, it.passed.black) {
        (true, true) => advice.push(both(
            "Both have made their moves: the next period begins (6.4).",
            "Tous deux ont fait leurs coups : la période suivante commence (6.4).",
        )),
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
    let counts = both(
        format!("Only {}'s flag counts: his moves were not made in time (6.9).", player_en(side)),
        format!(
            "Seul compte le drapeau {} : ses coups n'ont pas été faits à temps (6.9).",
            of_player_fr(side)
        ),
    );
    [counts].into_iter().chain(not_lost(it, side)).collect()
}

fn provided(it: &Falls) -> Vec<Advice> {
    let article = it.rule.article(it.around.edition);
    let mut advice = vec![both(
        format!(
            "If the clock does not show which flag fell first: in the last period the game is \
             drawn, in an earlier one it goes on ({article})."
        ),
        format!(
            "Si la pendule ne montre pas quel drapeau est tombé le premier : en dernière période \
             la partie est nulle, avant elle continue ({article})."
        ),
    )];
    advice.extend(it.last.map(|last| match last {
        true => both("This is the last period.", "C'est la dernière période."),
        false => both("Another period follows.", "Une autre période suit."),
    }));
    let claimed = editions::claimed_on_time_article(it.around.edition);
    advice.extend(claimed.filter(|_| it.around.unsupervised).map(flag::nobody_can_claim));
    advice
}

fn by_sign(it: &Falls, without: Without) -> Vec<Advice> {
    let article = it.rule.article(it.around.edition);
    let (en, fr) = match without {
        Without::Blitz => (
            "Guideline III, which would draw the game, is not for blitz (III.2.1).",
            "La directive III, qui ferait nulle, ne vaut pas en blitz (III.2.1).",
        ),
        Without::Increment => (
            "Guideline III, which would draw the game, is not for play with an increment \
             (III.2.1).",
            "La directive III, qui ferait nulle, ne vaut pas avec un incrément (III.2.1).",
        ),
        Without::Unannounced => (
            "Guideline III, which would draw the game, was not announced (III.1.1).",
            "La directive III, qui ferait nulle, n'a pas été annoncée (III.1.1).",
        ),
    };
    vec![
        both(
            format!(
                "The clock's own sign decides: whose flag fell first has lost on time ({article}, \
                 6.9). Look at the clock before anybody sets it."
            ),
            format!(
                "C'est le signe de la pendule qui décide : celui dont le drapeau est tombé le \
                 premier a perdu au temps ({article}, 6.9). La regarder avant tout réglage."
            ),
        ),
        both(en, fr),
    ]
}

/// 6.9: what follows where this side's flag decides, if that is not the loss of the game.
fn not_lost(it: &Falls, side: Color) -> Option<Advice> {
    let (en, fr) = (player_en(side), of_player_fr(side));
    let (to_mate_en, to_mate_fr) = (player_en(!side), the_player_fr(!side));
    match it.mate.get(!side) {
        Verdict::Winnable(_) => None,
        Verdict::Unwinnable => Some(both(
            format!("If {en}'s decides: a draw, for {to_mate_en} cannot mate (6.9)."),
            format!("Si celui {fr} décide : nulle, car {to_mate_fr} ne peuvent mater (6.9)."),
        )),
        Verdict::Undetermined => Some(both(
            format!("If {en}'s decides: whether {to_mate_en} can mate is undetermined (6.9)."),
            format!("Si celui {fr} décide : on ignore si {to_mate_fr} peuvent mater (6.9)."),
        )),
    }
}

/// Within what time each of them fell, as far as it is known.
fn each_within(falls: &[FlagFall; 2]) -> Option<Advice> {
    let within = |fall: &FlagFall| {
        let seconds = fall.seen.since(fall.last_above_zero?).as_millis().div_ceil(1000);
        Some((fall.side, seconds))
    };
    let [(one, first_s), (other, second_s)] = [within(&falls[0])?, within(&falls[1])?];
    Some(both(
        format!(
            "{}'s fell in the last {first_s} s before that reading, {}'s in the last {second_s} s.",
            player_en(one),
            player_en(other)
        ),
        format!(
            "Celui {} est tombé dans les {first_s} s avant ce relevé, celui {} dans les \
             {second_s} s.",
            of_player_fr(one),
            of_player_fr(other)
        ),
    ))
}
