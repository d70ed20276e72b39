//! A time control in words, for people.

use super::{Extra, Period, Periods, TimeControl};
use crate::message::{Join, List, Message};
use crate::say;

impl TimeControl {
    /// In one sentence.
    #[must_use]
    pub fn words(&self) -> Message {
        if self.is_untimed() {
            return say::control_untimed();
        }
        match self.white == self.black {
            true => of(&self.white),
            false => say::control_each(of(&self.white), of(&self.black)),
        }
    }
}

fn of(periods: &Periods) -> Message {
    let count = periods.all().len();
    let periods = periods.all().iter().enumerate();
    let periods = periods.map(|(index, it)| period(it, index + 1 == count && it.moves.is_some()));
    say::control_periods(List(periods.collect(), Join::Then))
}

/// `again`: it comes again and again.
fn period(period: &Period, again: bool) -> Message {
    let mut parts = match period.main_s {
        0 => vec![say::no_main_time()],
        main_s => duration(main_s).0,
    };
    parts.extend(period.moves.map(|moves| match moves {
        1 if again => say::for_every_move(),
        moves if again => say::for_every_moves(moves.into()),
        moves => say::for_moves(moves.into()),
    }));
    parts.extend(extra(&period.extra));
    say::control_period(List(parts, Join::Space))
}

fn extra(extra: &Extra) -> Option<Message> {
    Some(match *extra {
        Extra::None => return None,
        Extra::Increment { seconds, from_move: 1 } => say::with_increment(duration(seconds)),
        Extra::Increment { seconds, from_move } => {
            say::with_increment_from(duration(seconds), from_move.into())
        }
        Extra::Delay(seconds) => say::with_delay(duration(seconds)),
        Extra::Bronstein(seconds) => say::with_bronstein(duration(seconds), seconds),
        Extra::Japanese { periods, seconds } => {
            say::with_japanese(periods.into(), duration(seconds))
        }
        Extra::Canadian { moves, seconds } => say::with_canadian(duration(seconds), moves.into()),
        Extra::Hourglass => say::with_hourglass(),
    })
}

/// Up to two hours in minutes, as players say it: 90 minutes.
fn duration(seconds: u32) -> List {
    let hours = if seconds >= 7200 { seconds / 3600 } else { 0 };
    let minutes = (seconds - hours * 3600) / 60;
    let parts = [(hours, say::hours as fn(u32) -> Message), (minutes, say::minutes)];
    let parts = parts.into_iter().chain([(seconds % 60, say::seconds as fn(u32) -> Message)]);
    let parts = parts.filter(|(count, _)| *count > 0).map(|(count, unit)| unit(count));
    List(parts.collect(), Join::Space)
}
