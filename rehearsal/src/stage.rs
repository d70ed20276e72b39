//! One emulated table: acts and a clock, turned into what happens at which moment. It opens no line
//! and speaks no wire language: whoever drives it sleeps, and hands the happenings to an emulator.

use std::collections::VecDeque;
use std::time::Duration;

use eboard::{ClockFace, Moment, Placement};

use crate::{Act, Clock, Cue, Happening, Performance, Trouble};

/// How fast the world of a stage runs against our own clock.
///
/// Thinking and the chess clock run faster alike. What a hand does to the board must stay slow
/// enough for a board to see: two acts at different moments never come closer than the least gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Thousandths: 1000 is as in life.
    speed: u64,
    min_gap: Duration,
}

/// The gap below which boards that scan their squares in turn begin to lose acts.
const VISIBLE_GAP: Duration = Duration::from_millis(60);

impl Pace {
    /// As in life; nothing is stretched.
    #[must_use]
    pub const fn real() -> Self {
        Self { speed: 1000, min_gap: Duration::ZERO }
    }

    /// This many seconds of the world in one of ours, 0.001 to 1000, with acts of hands never less
    /// than 60 ms of our time apart.
    #[must_use]
    pub fn times(speed: f64) -> Self {
        let clamped = if speed.is_nan() { 1.0 } else { speed.clamp(0.001, 1000.0) };
        // In range: the clamp leaves 1 to 1 000 000.
        Self { speed: (clamped * 1000.0).round() as u64, min_gap: VISIBLE_GAP }
    }

    /// The same with another least gap between acts, in our own time.
    #[must_use]
    pub const fn with_min_gap(self, min_gap: Duration) -> Self {
        Self { min_gap, ..self }
    }

    /// The least gap between two acts at different moments, in the world's time.
    #[must_use]
    pub fn least_gap(self) -> Duration {
        self.worlds(self.min_gap)
    }

    /// The first of our moments at which this much of the world's time has passed.
    fn ours(self, world: Moment) -> Duration {
        let scaled = (u128::from(world.as_micros()) * 1000).div_ceil(u128::from(self.speed));
        Duration::from_micros(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// How much of the world's time passes in this much of ours.
    #[must_use]
    pub fn worlds(self, ours: Duration) -> Duration {
        let scaled = ours.as_micros().saturating_mul(u128::from(self.speed)) / 1000;
        Duration::from_micros(u64::try_from(scaled).unwrap_or(u64::MAX))
    }
}

/// A table on which acts are performed.
///
/// Inside, moments are the world's: zero where the performance begins, faster than ours by the
/// pace. At the doors they are ours.
#[derive(Clone, Debug)]
pub struct Stage {
    begin: Moment,
    pace: Pace,
    placement: Placement,
    clock: Clock,
    acts: VecDeque<Cue>,
    /// The hands rest until then after the last act.
    rests_until: Moment,
    opened: bool,
    reached: Moment,
    shown: Option<ClockFace>,
    last_cue: Duration,
    last_act: Moment,
}

impl Stage {
    /// A table that begins at `begin` (ours) with these pieces and this clock. The acts are in
    /// order of time.
    #[must_use]
    pub fn new(
        begin: Moment,
        opening: Placement,
        acts: impl Into<VecDeque<Cue>>,
        clock: Clock,
        pace: Pace,
    ) -> Self {
        Self {
            begin,
            pace,
            placement: opening,
            clock,
            acts: acts.into(),
            rests_until: Moment::ZERO,
            opened: false,
            reached: Moment::ZERO,
            shown: clock.reported(Moment::ZERO),
            last_cue: Duration::ZERO,
            last_act: Moment::ZERO,
        }
    }

    /// The same, over no earlier than at this moment of the world.
    #[must_use]
    pub fn resting_until(self, rests_until: Moment) -> Self {
        Self { rests_until, ..self }
    }

    /// A table at which virtual players perform.
    #[must_use]
    pub fn of(begin: Moment, performance: Performance, clock: Clock, pace: Pace) -> Self {
        Self::new(begin, performance.start, performance.acts, clock, pace)
    }

    /// When something happens next, in our moments; `None` if nothing more will.
    #[must_use]
    pub fn next(&self) -> Option<Moment> {
        if !self.opened {
            return Some(self.begin);
        }
        Some(self.begin + self.pace.ours(self.next_in_world()?))
    }

    /// All that has happened until `now` (ours) and has not been given yet, in order. First comes
    /// the whole board and the face of the clock.
    pub fn due(&mut self, now: Moment) -> Vec<Happening> {
        let mut happened = Vec::new();
        if now < self.begin {
            return happened;
        }
        let world = Moment::ZERO + self.pace.worlds(now.since(self.begin));
        self.play_until(world, &mut |_, what| {
            happened.push(what);
        });
        happened
    }

    /// Whether all acts are done, and the hands have rested. The clock may still be running.
    #[must_use]
    pub fn over(&self) -> bool {
        self.acts.is_empty() && self.reached >= self.rests_until
    }

    /// What the clock shows when somebody stops it now (ours), if it is there.
    #[must_use]
    pub fn stopped(mut self, now: Moment) -> Option<Happening> {
        let world = Moment::ZERO + self.pace.worlds(now.since(self.begin));
        self.clock.stop(world);
        self.clock.reported(world).map(Happening::Clock)
    }

    /// What stands on the board.
    #[must_use]
    pub const fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The clock. Its moments are the world's.
    #[must_use]
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Plays on until this moment of the world and tells what happens when.
    pub(crate) fn play_until(&mut self, until: Moment, tell: &mut impl FnMut(Moment, Happening)) {
        if !self.opened {
            self.opened = true;
            tell(Moment::ZERO, Happening::Board(self.placement));
            tell(Moment::ZERO, self.shown.map_or(Happening::NoClock, Happening::Clock));
        }
        while let Some(at) = self.next_in_world().filter(|&at| at <= until) {
            self.reached = at;
            if self.act_time() == Some(at) {
                self.perform_next(at, tell);
            }
            self.show_clock(at, tell);
        }
    }

    fn next_in_world(&self) -> Option<Moment> {
        let ticking = self.clock.next_change(self.reached);
        let rested = Some(self.rests_until).filter(|until| self.reached < *until);
        [self.act_time(), ticking, rested].into_iter().flatten().min()
    }

    /// When the next act comes: as planned, unless the last one was too short ago to be seen.
    fn act_time(&self) -> Option<Moment> {
        let &(planned, _) = self.acts.front()?;
        let together = planned <= self.last_cue;
        let gap = if together { Duration::ZERO } else { self.pace.least_gap() };
        let earliest = self.last_act + gap;
        Some((Moment::ZERO + planned).max(earliest))
    }

    fn perform_next(&mut self, at: Moment, tell: &mut impl FnMut(Moment, Happening)) {
        let Some((planned, act)) = self.acts.pop_front() else { return };
        self.last_cue = planned;
        self.last_act = at;
        let before = self.placement;
        act.apply(at, &mut self.placement, &mut self.clock);
        if let Act::Trouble(Trouble::Wire(disturbance)) = act {
            tell(at, Happening::Disturbed(disturbance));
        }
        for square in before.differing(&self.placement) {
            tell(at, Happening::Square { square, piece: self.placement[square] });
        }
    }

    fn show_clock(&mut self, at: Moment, tell: &mut impl FnMut(Moment, Happening)) {
        let face = self.clock.reported(at);
        if face != self.shown {
            self.shown = face;
            tell(at, face.map_or(Happening::NoClock, Happening::Clock));
        }
    }
}

#[cfg(test)]
mod tests;
