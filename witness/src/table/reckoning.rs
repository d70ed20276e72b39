//! What a clock that cannot be read would show by now: a reading, less the time of each player's
//! turns by the moves, and what these moves have brought. Knows a score and a time control, and no
//! table.

use std::time::Duration;

use eboard::{FaceTime, FlagMark, Moment};
use shakmaty::{ByColor, Color, Position};

use crate::clock::ClockState;
use crate::score::{Confidence, Score};
use crate::time_control::{Extra, Period, TimeControl};

/// The score of a game, and a time control by which clocks show the same.
pub(super) struct Reckoning<'a> {
    score: &'a Score,
    control: TimeControl,
}

impl<'a> Reckoning<'a> {
    /// Reckons by this time control; none where clocks differ in what they show.
    pub fn new(score: &'a Score, control: Option<TimeControl>) -> Option<Self> {
        let predictable = |side: Color, control: &TimeControl| {
            let periods = control.of(side).all();
            !periods.is_empty() && periods.iter().all(Period::is_predictable)
        };
        let control =
            control.filter(|control| Color::ALL.into_iter().all(|it| predictable(it, control)))?;
        Some(Self { score, control })
    }

    /// What the clock would show that was read last as `state`.
    pub fn times_by_now(&self, now: Moment, state: &ClockState) -> Option<ByColor<FaceTime>> {
        let spent = self.spent_since(now, state);
        let by_now = |side: Color| {
            let given = self.given_since(state, side)?;
            let left = FaceTime::from_ms(state.times.get(side).as_ms().saturating_add(given));
            Some(left.less(*spent.get(side)))
        };
        Some(ByColor { white: by_now(Color::White)?, black: by_now(Color::Black)? })
    }

    /// What a clock would show that was started as the time control says and has counted since the
    /// first move; none if moves were not seen, or a player may have reached his second period.
    pub fn since_first_move(&self, now: Moment) -> Option<ByColor<FaceTime>> {
        let plies = self.score.plies();
        let first = plies.first()?;
        let begins = |side: Color| {
            let made = self.score.moves_completed(side);
            let own = u32::from(side != first.after.turn());
            let in_first = self.control.of(side).after_moves(made) == 0;
            self.control.of(side).allotted(0, own).filter(|_| in_first)
        };
        let seen = plies.iter().all(|ply| ply.confidence == Confidence::Seen);
        let whole = seen && self.score.breaks().is_empty();
        let from_the_first = self.score.start().fullmoves().get() == 1 && self.score.counts_all();
        let state = ClockState {
            times: ByColor { white: begins(Color::White)?, black: begins(Color::Black)? },
            running: Some(first.after.turn()),
            flag: None,
            mark: FlagMark::None,
            flag_due: None,
            periods: ByColor { white: 1, black: 1 },
            low_battery: false,
            sampled: first.released,
        };
        let used_up = |it: &ByColor<FaceTime>| it.iter().any(|left| *left == FaceTime::ZERO);
        let by_now = self.times_by_now(now, &state).filter(|it| !used_up(it))?;
        (whole && from_the_first && plies.len() > 1).then_some(by_now)
    }

    /// What the press for one move more would bring this player in the period he is in, in
    /// milliseconds.
    pub fn brought_by_next(control: &TimeControl, state: &ClockState, by: Color, made: u32) -> u32 {
        let period = usize::from(*state.periods.get(by)).saturating_sub(1);
        let given = |moves: u32| control.of(by).allotted(period, moves).map(FaceTime::as_ms);
        given(made + 1).zip(given(made)).map_or(0, |(with, without)| with - without)
    }

    /// What has passed in the turns of each player since the reading, if the clock ran then.
    fn spent_since(&self, now: Moment, state: &ClockState) -> ByColor<Duration> {
        let mut spent = ByColor::default();
        if state.running.is_none() {
            return spent;
        }
        let mut began = state.sampled;
        let mut pass = |side: Color, until: Moment| {
            let waits = self.control.of(side).all().last().map_or(0, |period| match period.extra {
                Extra::Delay(seconds) | Extra::Bronstein(seconds) => seconds,
                _ => 0,
            });
            let turn = until.since(began).saturating_sub(Duration::from_secs(waits.into()));
            *spent.get_mut(side) += turn;
            began = until;
        };
        for ply in self.score.plies().iter().filter(|ply| ply.released > state.sampled) {
            pass(!ply.after.turn(), ply.released);
        }
        pass(self.score.position().turn(), now);
        spent
    }

    /// What the moves since the reading have brought this player, in milliseconds.
    fn given_since(&self, state: &ClockState, side: Color) -> Option<u32> {
        let own = self.score.plies().iter().filter(|ply| ply.after.turn() == side.other());
        let made = |plies: usize| u32::try_from(plies).unwrap_or(u32::MAX);
        // A press after the reading has brought what the reading does not show.
        let given = |ply: &&crate::Ply| ply.completed.is_some_and(|at| at <= state.sampled);
        let before = made(own.clone().filter(given).count());
        let after = made(own.count());
        let periods = self.control.of(side);
        let period = usize::from(*state.periods.get(side)).saturating_sub(1);
        let reached = period.max(periods.after_moves(after));
        let before = periods.allotted(period, before)?;
        Some(periods.allotted(reached, after)?.as_ms().saturating_sub(before.as_ms()))
    }
}
