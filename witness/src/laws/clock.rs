//! Article 6 beside the flag: how a clock is set and handled, and what is wrong with it. Words and
//! advice; what was found is found elsewhere.

use bincode::{Decode, Encode};
use eboard::FaceTime;
use shakmaty::{ByColor, Color};

use crate::clock::{Fault, Manner};
use crate::incident::{Advice, Kind};
use crate::laws::{editions, settlement};
use crate::message::{Join, List, Message};
use crate::say;
use crate::settings::Edition;
use crate::time_control::Extra;
use crate::topic::{Setting, Topic};

/// `White 1:30:30, Black 1:30:30`.
fn times(times: ByColor<FaceTime>) -> Message {
    say::times_shown(times.white, times.black)
}

/// `White +2:00`, for each side whose time changed.
fn changes(before: ByColor<FaceTime>, after: ByColor<FaceTime>) -> Message {
    let signed = |side: Color| {
        let (before, after) = (before.get(side).as_ms(), after.get(side).as_ms());
        let sign = if after < before { '−' } else { '+' };
        (before != after).then(|| format!("{sign}{}", FaceTime::from_ms(before.abs_diff(after))))
    };
    let parts = Color::ALL.into_iter();
    let parts = parts.filter_map(|side| Some(say::time_change(side, &signed(side)?)));
    say::changes(List(parts.collect(), Join::Comma))
}

/// How a clock is set wrongly.
pub(crate) fn wrong_setting(setting: Setting) -> Message {
    let words = match setting {
        Setting::Start { expected, seen } => wrong_start(expected, seen),
        Setting::Mode { expected, seen } => wrong_mode(expected, seen),
        Setting::Addition { side, expected, seen } => say::period_brought(side, seen, expected),
        Setting::AddedAt { side, moves, required } => say::period_given_at(side, moves, required),
        Setting::AddedToOne { side, given_at, moves } => {
            say::period_given_to_one(side.other(), given_at, side, moves)
        }
    };
    words.about(Topic::Setting(setting))
}

fn wrong_start(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Message {
    let (off, seen) = (changes(expected, seen), times(seen));
    say::started_wrongly(seen, off)
}

/// A clock that is heard in the midst of a game for the first time.
pub(crate) fn plugged_in(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Message {
    let (expected, seen) = (times(expected), times(seen));
    say::heard_first(seen, expected)
}

pub(crate) fn plugged_in_advice() -> Advice {
    say::more_time_may_be_right()
}

pub(crate) fn wrongly_set(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Message {
    let (off, times) = (changes(expected, seen), times(expected));
    say::not_set_as_said(times, off)
}

/// `control`: the time control in words.
pub(crate) fn wrong_start_advice(control: Message, expected: ByColor<FaceTime>) -> Advice {
    let expected = times(expected);
    say::should_have_shown(control, expected)
}

fn wrong_mode(expected: Extra, seen: Manner) -> Message {
    let at_once = matches!(seen, Manner::Delay(_) | Manner::Still(_)) && expected == Extra::None;
    let seen = manner(seen);
    let wanted = match at_once {
        true => say::should_count_at_once(),
        false => mode(expected),
    };
    say::does_and_should(seen, wanted)
}

/// What the clock does.
fn manner(seen: Manner) -> Message {
    match seen {
        Manner::Increment(0) | Manner::Nothing => say::gives_nothing(),
        Manner::Increment(seconds) => say::gives(seconds),
        Manner::Bronstein => say::gives_back(),
        Manner::Either(seconds) => say::gives_either(seconds),
        Manner::Delay(seconds) => say::clock_waits(seconds),
        Manner::Still(seconds) => say::clock_has_not_counted(seconds),
    }
}

/// What it should do.
fn mode(expected: Extra) -> Message {
    match expected {
        Extra::Increment { seconds, .. } => say::should_give(seconds),
        Extra::Bronstein(seconds) => say::should_give_back(seconds),
        Extra::Delay(seconds) => say::should_wait(seconds),
        _ => say::should_give_nothing(),
    }
}

pub(crate) fn nothing_added(side: Color, expected: FaceTime) -> Message {
    say::period_not_added(side, expected)
}

/// The clock, or another one, is heard again.
pub(crate) fn returned(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Message {
    let (off, seen) = (changes(expected, seen), times(seen));
    say::heard_again(off, seen)
}

pub(crate) fn returned_advice(edition: Edition) -> Advice {
    let article = editions::article(Kind::ClockSetting, edition);
    say::unless_set_so(article)
}

/// What Article 6.10.2 provides.
pub(crate) fn setting_advice(edition: Edition) -> Advice {
    let article = editions::article(Kind::ClockSetting, edition);
    say::set_the_clock_right(article)
}

/// How a clock is set that nobody can have set anew after ten moves: in rapid and blitz without
/// adequate supervision. `by_now`: they have been completed by each.
pub(crate) fn setting_stands(by_now: bool, edition: Edition) -> Advice {
    let (article, moves) = (editions::standing_article(edition), editions::standing_moves(edition));
    match by_now {
        true => say::setting_stands(moves, article),
        false => say::setting_stands_later(moves, article),
    }
}

pub(crate) fn adjusted(before: ByColor<FaceTime>, after: ByColor<FaceTime>) -> Message {
    let (change, after) = (changes(before, after), times(after));
    say::times_changed(change, after)
}

/// The time that an illegal move gave the opponent has been given.
pub(crate) fn penalty_given(side: Color, given: FaceTime) -> Advice {
    say::penalty_paid(given, side)
}

/// It was given to this player, whom it is against.
pub(crate) fn penalty_amiss(side: Color, given: FaceTime) -> Advice {
    say::penalty_amiss(given, side, !side)
}

/// So has what a wrong claim of a draw cost.
pub(crate) fn claim_paid(side: Color, given: FaceTime, edition: Edition) -> Advice {
    let article = editions::wrong_claim_article(edition);
    say::claim_paid(given, side, article)
}

pub(crate) fn fault(fault: Fault, shown: ByColor<FaceTime>) -> Message {
    let shown = times(shown);
    let what = match fault {
        Fault::BothRun => say::both_count(),
        Fault::NeverStops(side) => say::one_never_stops(side),
        Fault::StandsStill(side) => say::one_stands_still(side),
        Fault::BothStand => say::both_stand(),
        Fault::Jumped(side) => say::time_jumped(side),
        Fault::AddsAfterFlag(side) => say::adds_after_flag(side),
        Fault::Fast => say::clock_fast(),
        Fault::Slow => say::clock_slow(),
    };
    say::fault_and_times(what, shown)
}

pub(crate) fn fault_advice(fault: Fault, ours: ByColor<FaceTime>, edition: Edition) -> Vec<Advice> {
    let article = editions::article(Kind::ClockFault, edition);
    let share = settlement::of(fault);
    let ours = times(ours);
    let adds = matches!(fault, Fault::AddsAfterFlag(_)).then(say::nothing_is_added_then);
    let mut advice = vec![say::by_our_clock(ours, share), say::replace_the_clock(article)];
    advice.extend(adds);
    advice
}

pub(crate) fn missed_press(side: Color, missing: ByColor<u32>) -> Message {
    say::missed_press(side, missing.white, missing.black)
}

/// `lacking`: seconds of increment that were not given; `counted`: a period ends by a count.
pub(crate) fn missed_press_advice(
    lacking: ByColor<u32>,
    counted: bool,
    edition: Edition,
) -> Vec<Advice> {
    let article = editions::article(Kind::MissedPress, edition);
    let mut advice = vec![say::counts_as_completed(article)];
    if lacking.white + lacking.black > 0 {
        advice.push(say::increment_lacking(lacking.white, lacking.black));
    }
    if counted {
        advice.push(say::counter_behind());
    }
    advice
}

/// Why the time of the player counts who does not have the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum WrongClock {
    /// He has made a move and not pressed.
    Forgotten,
    /// His move is completed, and the clock says otherwise.
    Contradicts,
}

pub(crate) fn wrong_clock(counting: Color, why: WrongClock, seconds: u64) -> Message {
    match why {
        WrongClock::Forgotten => say::forgot_to_press(counting, seconds),
        WrongClock::Contradicts => say::wrong_time_counts(counting, seconds),
    }
}

/// Article 6.6, where nobody has pressed yet.
pub(crate) fn no_press_yet() -> Advice {
    say::no_press_yet()
}

pub(crate) fn wrong_clock_advice(why: WrongClock, edition: Edition) -> Vec<Advice> {
    let pressing = editions::article(Kind::WrongClockRunning, edition);
    let setting = editions::article(Kind::ClockSetting, edition);
    vec![match why {
        WrongClock::Forgotten => say::is_not_told(pressing),
        WrongClock::Contradicts => say::look_for_missed(setting),
    }]
}

pub(crate) fn stopped(turn: Color, shown: Option<ByColor<FaceTime>>) -> Message {
    match shown {
        Some(shown) => say::clocks_stopped_at(turn, times(shown)),
        None => say::clocks_stopped(turn),
    }
}

pub(crate) fn stopped_advice(edition: Edition) -> Vec<Advice> {
    let article = editions::article(Kind::ClockStopped, edition);
    vec![say::somebody_asks(article)]
}

/// A player may stop the clock for it.
pub(crate) fn piece_wanted(edition: Edition) -> Advice {
    let article = editions::player_stops_article(edition);
    say::promotion_lacks_piece(article)
}

pub(crate) fn low_battery() -> Message {
    say::battery_low()
}

/// Before a game: `true`; during one: `false`.
pub(crate) fn low_battery_advice(before: bool) -> Advice {
    if before { say::battery_before() } else { say::battery_during() }
}

pub(crate) fn clock_lost() -> Message {
    say::clock_lost()
}

pub(crate) fn board_lost() -> Message {
    say::board_lost()
}

/// Of the two boards of a game with a visually impaired player.
pub(crate) fn one_board_lost(whose: Color) -> Message {
    say::one_board_lost(whose)
}

pub(crate) fn lost_advice() -> Advice {
    say::look_at_the_cable()
}

/// What another clock is to be set to; `last`: what was read `ago` seconds ago.
pub(crate) fn replaced_advice(
    by_now: ByColor<FaceTime>,
    last: ByColor<FaceTime>,
    ago: u64,
) -> Advice {
    let (by_now, last) = (times(by_now), times(last));
    say::if_replaced(by_now, ago, last)
}
