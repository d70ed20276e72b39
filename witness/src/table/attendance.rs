//! The start of the round at a table (6.6, 6.7): whether White's clock runs, and which player has
//! given no sign yet. Of somebody who sits there and thinks a board sees nothing.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::{Effect, Event, Phase, Play};
use crate::detail::Detail;
use crate::incident::{Facts, Kind};
use crate::laws::attendance;
use crate::table::tolerances::{GRACE, SET_BY_HAND_MS, THINKS};

/// What has been seen at a table since its round started.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Attendance {
    /// The start that this is about.
    start: Option<Moment>,
    /// The game of the round has begun.
    begun: bool,
    seen: ByColor<bool>,
    /// What was told already.
    not_started: bool,
    absent: ByColor<bool>,
}

impl Play {
    /// Looks at what the step has brought.
    pub(super) fn note_attendance(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let start = self.round_start();
        if self.checks.attendance.start != start {
            self.checks.attendance = Attendance { start, ..Attendance::default() };
        }
        if start.is_none_or(|start| now < start) {
            return;
        }
        for event in &self.step.events {
            let side = match event {
                Event::Touched(it) => it.lifted.or(it.put).map(|piece| piece.color),
                Event::Pressed(side) => Some(*side),
                Event::Released { ply, .. } => Some(!ply.after.turn()),
                _ => None,
            };
            if let Some(side) = side {
                *self.checks.attendance.seen.get_mut(side) = true;
            }
        }
        if self.game.clock.ran || !self.game.score.plies().is_empty() {
            self.checks.attendance.begun = true;
            self.close_kind(Kind::NotStarted, out);
        }
    }

    /// Whether a clock was started with so much less as the round is late by: nobody had come, or
    /// there was no clock. The Laws charge White (6.7.2, 6.7.b), a competition's rules may share
    /// it; any other share is for an arbiter to look at.
    pub(super) fn is_lateness(
        &mut self,
        now: Moment,
        expected: ByColor<FaceTime>,
        seen: ByColor<FaceTime>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let late = self.round_start().map(|start| now.since(start)).filter(|late| *late >= GRACE);
        let Some(late) = late.and_then(|late| u32::try_from(late.as_millis()).ok()) else {
            return false;
        };
        let less = |side| expected.get(side).as_ms().checked_sub(seen.get(side).as_ms());
        let (Some(white), Some(black)) = (less(Color::White), less(Color::Black)) else {
            return false;
        };
        // Set by hand in minutes, and started a little later.
        let near = |one: u32, other: u32| one.abs_diff(other) <= SET_BY_HAND_MS;
        if !near(white.saturating_add(black), late) {
            return false;
        }
        if !near(white, black) && black > SET_BY_HAND_MS {
            let kind = Kind::ClockSetting;
            let text = attendance::shared_unequally(late / 60_000, white / 60_000, black / 60_000);
            let advice = vec![attendance::lost_time(self.settings.edition)];
            let detail = Some(Detail::Lateness);
            let facts = Facts { expected: Some(expected), detail, ..self.facts() };
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
        true
    }

    pub(super) fn attendance_due_at(&self) -> Option<Moment> {
        let absent = Color::ALL.into_iter().filter_map(|side| self.absent_at(side));
        self.not_started_at().into_iter().chain(absent).min()
    }

    pub(super) fn attendance_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let since = self.checks.attendance.start;
        let shown = self.clocks.state().map(|state| state.times);
        let facts = |table: &Self| Facts { since, ..table.facts() };
        if self.not_started_at().is_some_and(|at| at <= now) {
            self.checks.attendance.not_started = true;
            self.note_shown(now, shown);
            let (kind, facts) = (Kind::NotStarted, facts(self));
            let (text, advice) =
                (attendance::not_started(), attendance::not_started_advice(self.settings.edition));
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
        for side in Color::ALL {
            if self.absent_at(side).is_some_and(|at| at <= now) {
                *self.checks.attendance.absent.get_mut(side) = true;
                self.note_shown(now, shown);
                let (kind, facts) = (Kind::DefaultTime, facts(self));
                let ago = since.map_or(Duration::ZERO, |since| now.since(since));
                let text = attendance::default_time(side, ago);
                let advice = attendance::default_time_advice();
                self.raise(now, Saying { kind, side: Some(side), text, facts, advice }, out);
            }
        }
    }

    /// When White's clock should run at the latest.
    fn not_started_at(&self) -> Option<Moment> {
        let attendance = &self.checks.attendance;
        let stands = self.phase == Phase::Ready
            && self.clocks.state().is_some_and(|state| state.running.is_none())
            && !self.clocks.lost();
        let waits = stands && !attendance.begun && !attendance.not_started;
        Some(attendance.start.filter(|_| waits)? + GRACE)
    }

    /// When this player must have given a sign at the latest.
    fn absent_at(&self, side: Color) -> Option<Moment> {
        let (limit, attendance) = (self.settings.default_time, &self.checks.attendance);
        let known = *attendance.seen.get(side) || *attendance.absent.get(side);
        let playing = matches!(self.phase, Phase::Ready | Phase::InPlay | Phase::Paused);
        let start = attendance.start.filter(|_| !limit.is_zero() && !known && playing)?;
        match (side, self.game.score.plies()) {
            // Set up once more after the game of the round.
            (Color::White, []) if attendance.begun && !self.game.clock.ran => None,
            (Color::White, []) => Some(start + limit),
            (Color::Black, [first]) => Some((start + limit).max(first.released + THINKS)),
            _ => None,
        }
    }
}
