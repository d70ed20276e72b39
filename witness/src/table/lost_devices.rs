//! A board or a clock of a game that goes on is not heard any more, or its battery is low. For a
//! clock that is lost the table reckons what it would show by now, so that another one can be set.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::reckoning::Reckoning;
use super::watch::Watch;
use super::{Effect, Event, Phase, Play};
use crate::clock::ClockState;
use crate::detail::Detail;
use crate::evidence::Trace;
use crate::incident::{Facts, Gravity, Kind};
use crate::laws::clock;
use crate::score::Status;
use crate::table::tolerances::{AWAY, RECKONED, RETURNED_MS, TOO_LITTLE, TOO_MUCH};
use crate::topic::Topic;

/// The devices of a game that are lost.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct LostDevices {
    clock: Watch<()>,
    board: Watch<()>,
    /// When it is reckoned anew what the lost clock would show.
    reckon_at: Option<Moment>,
}

/// What is heard at the table now.
#[derive(Clone, Copy, Debug)]
struct View {
    /// The game goes on: its clock has run, it has moves and no result.
    playing: bool,
    /// The board that is followed is heard.
    board_heard: bool,
    /// The other board of the game was heard, and is not.
    other_board_lost: bool,
    /// The clock was heard, and is not.
    clock_lost: bool,
}

/// Whether a device is lost by what is heard now, reported or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lost {
    clock: bool,
    board: bool,
}

impl LostDevices {
    /// Looks at what is heard.
    fn follow(&mut self, now: Moment, view: View) -> Lost {
        // A clock that is read by a lost board is lost with it, and that is reported as one thing.
        let clock = view.playing && view.board_heard && view.clock_lost;
        let board = view.playing && (!view.board_heard || view.other_board_lost);
        self.clock.follow(now, clock.then_some(()));
        self.board.follow(now, board.then_some(()));
        if !clock {
            self.reckon_at = None;
        }
        Lost { clock, board }
    }

    pub(super) fn clock_due_at(&self) -> Option<Moment> {
        self.clock.due_at(AWAY)
    }

    pub(super) fn board_due_at(&self) -> Option<Moment> {
        self.board.due_at(AWAY)
    }

    pub(super) fn reckon_at(&self) -> Option<Moment> {
        self.reckon_at
    }
}

/// The topic of an advice about a low battery, `before` the game or in its midst.
const fn battery(before: bool) -> Topic {
    if before { Topic::BatteryBefore } else { Topic::BatteryDuring }
}

impl Play {
    /// Looks at what is heard of the devices.
    pub(super) fn note_lost_devices(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let board_heard = self.board.device.present && self.board.device.answering;
        let view = View {
            playing: self.game.score.ending().is_none()
                && self.game.clock.ran
                && !self.game.score.plies().is_empty(),
            board_heard,
            other_board_lost: self.board_away_of().is_some(),
            clock_lost: self.clocks.lost(),
        };
        let lost = self.game.timing.lost.follow(now, view);
        if !lost.clock {
            self.close_kind(Kind::ClockLost, out);
        }
        if !lost.board {
            self.close_kind(Kind::BoardLost, out);
        }
        self.note_battery(now, board_heard, out);
        if self.step.has(|it| matches!(it, Event::Released { .. } | Event::Revised { .. })) {
            self.reckon_anew(now, out);
        }
    }

    /// A clock with this sign must not begin a game, but may finish the game it is used in. So the
    /// advice changes when the game begins.
    fn note_battery(&mut self, now: Moment, heard: bool, out: &mut Vec<Effect>) {
        let state = self.clocks.state().filter(|_| !self.clocks.lost());
        let low = state.is_some_and(|state| state.low_battery) && heard;
        let before = self.phase == Phase::Ready;
        let kind = Kind::LowBattery;
        match (low, self.docket.of_kind(kind)) {
            // No alert stays open, so one would be raised with every second.
            (true, _) if self.settings.silent => {}
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

    pub(super) fn clock_lost_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.timing.lost.clock.due(now, AWAY).is_some() {
            let saying = self.clock_is_lost(now);
            self.raise(now, saying, out);
        }
    }

    pub(super) fn board_lost_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.timing.lost.board.due(now, AWAY).is_some() {
            let text = self.board_away_of().map_or_else(clock::board_lost, clock::one_board_lost);
            let advice = vec![clock::lost_advice()];
            let facts = self.facts();
            let kind = Kind::BoardLost;
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
    }

    fn clock_is_lost(&mut self, now: Moment) -> Saying {
        let state = self.clocks.state();
        let reckoning = Reckoning::new(&self.game.score, self.control());
        let by_now = reckoning.zip(state.as_ref());
        let by_now = by_now.and_then(|(reckoning, state)| reckoning.times_by_now(now, state));
        let mut advice = vec![clock::lost_advice()];
        if let (Some(state), Some(by_now)) = (&state, by_now) {
            let ago = now.since(state.sampled).as_secs();
            advice.push(clock::replaced_advice(by_now, state.times, ago));
        }
        self.game.timing.lost.reckon_at = by_now.map(|_| now + RECKONED);
        let since = state.map(|state| state.sampled);
        let facts = Facts { expected: by_now, since, ..self.facts() };
        Saying { kind: Kind::ClockLost, side: None, text: clock::clock_lost(), facts, advice }
    }

    /// Time has passed, or a move was made, and the clock is still away.
    pub(super) fn reckon_anew(&mut self, now: Moment, out: &mut Vec<Effect>) {
        // An arbiter who has ruled on it needs nothing more.
        self.game.timing.lost.reckon_at = None;
        let Some(open) = self.docket.of_kind(Kind::ClockLost) else { return };
        let saying = self.clock_is_lost(now);
        self.renew(open, saying, self.game.score.move_number(), out);
    }

    /// What a clock whose loss was reported would show, if it counted when it was heard last.
    pub(super) fn reckoned(&self, now: Moment) -> Option<ByColor<FaceTime>> {
        self.docket.of_kind(Kind::ClockLost).filter(|_| self.clocks.lost())?;
        let state = self.clocks.state().filter(|state| state.running.is_some())?;
        Reckoning::new(&self.game.score, self.control())?.times_by_now(now, &state)
    }

    /// The clock is heard again. It may be another one, but what it should show is known.
    pub(super) fn hold_returned(
        &mut self,
        now: Moment,
        expected: ByColor<FaceTime>,
        out: &mut Vec<Effect>,
    ) {
        let Some(state) = self.clocks.state() else { return };
        let (seen, mut expected) = (state.times, expected);
        if let Some(by) = self.has_not_pressed(&state) {
            let made = self.game.score.moves_completed(by);
            let control = self.control();
            let lacks = control.map_or(0, |it| Reckoning::brought_by_next(&it, &state, by, made));
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

    /// The player whose move stands on the board while his time counts. Its increment is still to
    /// come.
    fn has_not_pressed(&self, state: &ClockState) -> Option<Color> {
        let last = self.game.score.plies().last().filter(|ply| ply.status == Status::Released)?;
        let by = !last.after.turn();
        state.running.filter(|counting| *counting == by)
    }

    /// A clock is heard running for the first time in the midst of a game. Reports it if it cannot
    /// have counted in this game. Whose half is which is only supposed, so both ways are tried.
    pub(super) fn hold_plugged_in(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let seen = self.clocks.state().map(|state| state.times);
        let first = self.game.score.plies().first().map(|ply| (!ply.after.turn(), ply.released));
        let certain = self.agrees() && !self.game.reading.several_ways;
        let reckoning = Reckoning::new(&self.game.score, self.control()).filter(|_| certain);
        let reckoned = reckoning.and_then(|reckoning| reckoning.since_first_move(now));
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
                // Nobody knows how long the very first move took.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn a_clock_is_lost_alone_only_while_its_board_is_heard() {
        let all =
            View { playing: true, board_heard: true, other_board_lost: false, clock_lost: true };
        let mut lost = LostDevices::default();
        assert_eq!(lost.follow(at(1), all), Lost { clock: true, board: false });
        assert_eq!((lost.clock_due_at(), lost.board_due_at()), (Some(at(1) + AWAY), None));
        let deaf = View { board_heard: false, ..all };
        assert_eq!(lost.follow(at(2), deaf), Lost { clock: false, board: true });
        assert_eq!((lost.clock_due_at(), lost.board_due_at()), (None, Some(at(2) + AWAY)));
        let before = View { playing: false, ..deaf };
        assert_eq!(lost.follow(at(3), before), Lost { clock: false, board: false });
        assert_eq!(lost.board_due_at(), None, "Nobody misses a board that nobody plays on.");
    }

    #[test]
    fn one_board_of_two_is_lost_as_a_board() {
        let other =
            View { playing: true, board_heard: true, other_board_lost: true, clock_lost: false };
        let lost = LostDevices::default().follow(at(1), other);
        assert_eq!(lost, Lost { clock: false, board: true });
    }
}
