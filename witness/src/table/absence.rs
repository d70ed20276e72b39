//! A board or a clock of a game that goes on is not heard any more, or its battery is low. Of a
//! clock that is away it is reckoned what it would show by now, so that another one can be set.

use std::time::Duration;

use eboard::{FaceTime, FlagMark, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::{Effect, Event, Phase, Play};
use crate::clock::ClockState;
use crate::detail::Detail;
use crate::evidence::Trace;
use crate::incident::{Facts, Gravity, Kind};
use crate::laws::clock;
use crate::score::{Confidence, Ply, Status};
use crate::table::tolerances::{AWAY, RECKONED, RETURNED_MS, TOO_LITTLE, TOO_MUCH};
use crate::time_control::{Extra, Period, TimeControl};
use crate::topic::Topic;

/// What is said of a low battery: `before` the game, or in its midst.
const fn battery(before: bool) -> Topic {
    if before { Topic::BatteryBefore } else { Topic::BatteryDuring }
}

impl Play {
    pub(super) fn note_absence(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let playing = self.game.score.ending().is_none()
            && self.game.clock.ran
            && !self.game.score.plies().is_empty();
        let heard = self.board.device.present && self.board.device.answering;
        let clock_away = playing && heard && self.clocks.lost();
        self.game.timing.clock_away.follow(now, clock_away.then_some(()));
        if !clock_away {
            self.game.timing.reckon_at = None;
            self.close_kind(Kind::ClockLost, out);
        }
        let board_away = playing && (!heard || self.board_away_of().is_some());
        self.game.timing.board_away.follow(now, board_away.then_some(()));
        if !board_away {
            self.close_kind(Kind::BoardLost, out);
        }
        self.note_battery(now, heard, out);
        if self.step.has(|it| matches!(it, Event::Released { .. } | Event::Revised { .. })) {
            self.reckon_anew(now, out);
        }
    }

    /// A clock with this sign begins no game, but finishes the one it is used in: what is to be
    /// done is another thing once the game has begun.
    fn note_battery(&mut self, now: Moment, heard: bool, out: &mut Vec<Effect>) {
        let state = self.clocks.state().filter(|_| !self.clocks.lost());
        let low = state.is_some_and(|state| state.low_battery) && heard;
        let before = self.phase == Phase::Ready;
        let kind = Kind::LowBattery;
        match (low, self.docket.of_kind(kind)) {
            (true, open) if before || self.is_in_play() => {
                let advice = clock::low_battery_advice(before).about(battery(before));
                let known = open.and_then(|id| self.docket.get_mut(id));
                if known.is_some_and(|open| open.advises(battery(before))) {
                    return;
                }
                if let Some(state) = state.filter(|_| before) {
                    self.game.traces.add(now, Trace::Face(state.times));
                }
                let (text, facts) = (clock::low_battery(), self.facts());
                let saying = Saying { kind, side: None, text, facts, advice: vec![advice] };
                match open {
                    Some(open) => self.renew(open, saying, self.game.score.move_number(), out),
                    None => self.raise(now, saying, out),
                }
            }
            (false, Some(_)) if heard => self.close_kind(Kind::LowBattery, out),
            _ => {}
        }
    }

    pub(super) fn clock_away_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.timing.clock_away.due(now, AWAY).is_some() {
            let saying = self.clock_is_lost(now);
            self.raise(now, saying, out);
        }
    }

    pub(super) fn board_away_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.timing.board_away.due(now, AWAY).is_some() {
            let text = self.board_away_of().map_or_else(clock::board_lost, clock::one_board_lost);
            let advice = vec![clock::lost_advice()];
            let facts = self.facts();
            let kind = Kind::BoardLost;
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
    }

    fn clock_is_lost(&mut self, now: Moment) -> Saying {
        let state = self.clocks.state();
        let by_now = state.as_ref().and_then(|state| self.times_by_now(now, state));
        let mut advice = vec![clock::lost_advice()];
        if let (Some(state), Some(by_now)) = (&state, by_now) {
            let ago = now.since(state.sampled).as_secs();
            advice.push(clock::replaced_advice(by_now, state.times, ago));
        }
        self.game.timing.reckon_at = by_now.map(|_| now + RECKONED);
        let since = state.map(|state| state.sampled);
        let facts = Facts { expected: by_now, since, ..self.facts() };
        Saying { kind: Kind::ClockLost, side: None, text: clock::clock_lost(), facts, advice }
    }

    /// Time has passed, or a move was made, and the clock is still away.
    pub(super) fn reckon_anew(&mut self, now: Moment, out: &mut Vec<Effect>) {
        // An arbiter who has ruled on it needs to be told no more.
        self.game.timing.reckon_at = None;
        let Some(open) = self.docket.of_kind(Kind::ClockLost) else { return };
        let saying = self.clock_is_lost(now);
        self.renew(open, saying, self.game.score.move_number(), out);
    }

    /// What a clock whose loss was told would show, if it counted when it was heard last.
    pub(super) fn reckoned(&self, now: Moment) -> Option<ByColor<FaceTime>> {
        self.docket.of_kind(Kind::ClockLost).filter(|_| self.clocks.lost())?;
        let state = self.clocks.state().filter(|state| state.running.is_some())?;
        self.times_by_now(now, &state)
    }

    /// The clock is heard again. Whether it is the same one nobody knows, but what it should show.
    pub(super) fn hold_returned(
        &mut self,
        now: Moment,
        expected: ByColor<FaceTime>,
        out: &mut Vec<Effect>,
    ) {
        let Some(state) = self.clocks.state() else { return };
        let (seen, mut expected) = (state.times, expected);
        if let Some(by) = self.has_not_pressed(&state) {
            let period = usize::from(*state.periods.get(by)).saturating_sub(1);
            let made = self.game.score.moves_completed(by);
            let given = |moves: u32| {
                let control = self.control()?;
                Some(control.of(by).allotted(period, moves)?.as_ms())
            };
            let lacks =
                given(made + 1).zip(given(made)).map_or(0, |(with, without)| with - without);
            let own = expected.get_mut(by);
            *own = own.less(Duration::from_millis(lacks.into()));
        }
        let off = |side: Color| expected.get(side).as_ms().abs_diff(seen.get(side).as_ms());
        if Color::ALL.into_iter().all(|side| off(side) <= RETURNED_MS) {
            return;
        }
        let kind = Kind::ClockAdjusted;
        let text = clock::returned(expected, seen);
        let advice = vec![clock::returned_advice(self.settings.edition)];
        let facts =
            Facts { expected: Some(expected), detail: Some(Detail::Returned), ..self.facts() };
        let gravity = self.settings.gravity_grown(kind, Gravity::Look);
        self.raise_as(now, Saying { kind, side: None, text, facts, advice }, gravity, out);
    }

    /// Whose move stands on the board while his time counts: its increment is still to come.
    fn has_not_pressed(&self, state: &ClockState) -> Option<Color> {
        let last = self.game.score.plies().last().filter(|ply| ply.status == Status::Released)?;
        let by = !last.after.turn();
        state.running.filter(|counting| *counting == by)
    }

    /// A clock is heard running for the first time, in the midst of a game: whether it can have
    /// counted in it. Which half is whose is only supposed, so either way.
    pub(super) fn hold_plugged_in(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let seen = self.clocks.state().map(|state| state.times);
        let first = self.game.score.plies().first().map(|ply| (!ply.after.turn(), ply.released));
        let reckoned = self.reckoned_from_first_move(now);
        let (Some(expected), Some(seen), Some((first, since))) = (reckoned, seen, first) else {
            return;
        };
        let passed = now.since(since);
        let beyond = |least: FaceTime, most: FaceTime, (off, part): (Duration, u32)| {
            let apart = most.as_ms().saturating_sub(least.as_ms());
            Duration::from_millis(apart.into()) > off + passed / part
        };
        let is_wrong = |seen: ByColor<FaceTime>| {
            Color::ALL.into_iter().any(|side| {
                let (seen, due) = (*seen.get(side), *expected.get(side));
                // How long the first move of all took nobody knows.
                beyond(due, seen, TOO_MUCH) || side != first && beyond(seen, due, TOO_LITTLE)
            })
        };
        if !is_wrong(seen) || !is_wrong(seen.into_swapped()) {
            return;
        }
        let (kind, advice) = (Kind::ClockSetting, vec![clock::plugged_in_advice()]);
        let text = clock::plugged_in(expected, seen);
        let facts =
            Facts { expected: Some(expected), detail: Some(Detail::PluggedIn), ..self.facts() };
        let gravity = self.settings.gravity(kind);
        self.raise_setting(now, Saying { kind, side: None, text, facts, advice }, gravity, out);
    }

    /// What a clock would show that was started as the time control says and has counted since the
    /// first move, if all moves were seen and both players are in the first period still.
    fn reckoned_from_first_move(&self, now: Moment) -> Option<ByColor<FaceTime>> {
        let plies = self.game.score.plies();
        let first = plies.first()?;
        let control = self.control()?;
        let begins = |side: Color| {
            let made = self.game.score.moves_completed(side);
            let own = u32::from(side != first.after.turn());
            let in_first = control.of(side).after_moves(made) == 0;
            control.of(side).allotted(0, own).filter(|_| in_first)
        };
        let seen = plies.iter().all(|ply| ply.confidence == Confidence::Seen);
        let whole = seen
            && self.game.score.breaks().is_empty()
            && self.agrees()
            && !self.game.reading.several_ways;
        let from_the_first =
            self.game.score.start().fullmoves().get() == 1 && self.game.score.counts_all();
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

    /// What a clock that has kept its time would show: the last reading, less what has passed in
    /// each player's turns by the moves, and what these moves have brought. None where clocks
    /// differ in what they show.
    fn times_by_now(&self, now: Moment, state: &ClockState) -> Option<ByColor<FaceTime>> {
        let told = |side: Color, control: &TimeControl| {
            let periods = control.of(side).all();
            !periods.is_empty() && periods.iter().all(Period::is_predictable)
        };
        let all = |control: &TimeControl| Color::ALL.into_iter().all(|side| told(side, control));
        let control = self.control().filter(all)?;
        let spent = self.spent_since(now, state, &control)?;
        let by_now = |side: Color| {
            let given = self.given_since(state, &control, side)?;
            let left = FaceTime::from_ms(state.times.get(side).as_ms().saturating_add(given));
            Some(left.less(*spent.get(side)))
        };
        Some(ByColor { white: by_now(Color::White)?, black: by_now(Color::Black)? })
    }

    /// What has passed in the turns of each player since the reading, if the clock ran then.
    fn spent_since(
        &self,
        now: Moment,
        state: &ClockState,
        control: &TimeControl,
    ) -> Option<ByColor<Duration>> {
        let mut spent = ByColor::default();
        if state.running.is_none() {
            return Some(spent);
        }
        let mut began = state.sampled;
        let mut pass = |side: Color, until: Moment| {
            let waits = control.of(side).all().last().map_or(0, |period| match period.extra {
                Extra::Delay(seconds) | Extra::Bronstein(seconds) => seconds,
                _ => 0,
            });
            let turn = until.since(began).saturating_sub(Duration::from_secs(waits.into()));
            *spent.get_mut(side) += turn;
            began = until;
        };
        for ply in self.game.score.plies().iter().filter(|ply| ply.released > state.sampled) {
            pass(!ply.after.turn(), ply.released);
        }
        pass(self.game.score.position().turn(), now);
        Some(spent)
    }

    /// What the moves since the reading have brought this player, in milliseconds.
    fn given_since(&self, state: &ClockState, control: &TimeControl, side: Color) -> Option<u32> {
        let own = self.game.score.plies().iter().filter(|ply| ply.after.turn() == side.other());
        let made = |plies: usize| u32::try_from(plies).unwrap_or(u32::MAX);
        // What was pressed for later came with a press that nobody read.
        let given = |ply: &&Ply| ply.completed.is_some_and(|at| at <= state.sampled);
        let before = made(own.clone().filter(given).count());
        let after = made(own.count());
        let periods = control.of(side);
        let period = usize::from(*state.periods.get(side)).saturating_sub(1);
        let reached = period.max(periods.after_moves(after));
        let before = periods.allotted(period, before)?;
        Some(periods.allotted(reached, after)?.as_ms().saturating_sub(before.as_ms()))
    }
}
