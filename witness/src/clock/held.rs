//! Readings that the one before them rules out: a flag down, or a zero, with minutes left just
//! before. One damaged report looks like that, and no clock does: it counts down to its flag. So
//! such a reading waits for the next one.

use std::time::Duration;

use eboard::{ClockFace, FaceTime, FlagMark, Moment, Side};

use super::{Clocks, EARLY};

/// A clock that runs reports every second, and up to a quarter of a second late. One that is quiet
/// for longer has been blocked by its flag.
const QUIET: Duration = Duration::from_millis(1500);

impl Clocks {
    /// What is to be believed now that this was read: nothing yet if the reading before rules it
    /// out; together with what was held back if it says the same; else it alone.
    pub(crate) fn believed(
        &mut self,
        now: Moment,
        face: ClockFace,
    ) -> impl Iterator<Item = (Moment, ClockFace)> + use<> {
        let held = self.held.take();
        let this = (now, face);
        let believed = match (held, self.rules_out(now, &face)) {
            (_, false) => [None, Some(this)],
            (Some(held), true) => [Some(held), Some(this)],
            (None, true) => {
                self.held = Some(this);
                [None, None]
            }
        };
        believed.into_iter().flatten()
    }

    /// When what is held back is believed because the clock says nothing else.
    pub(crate) fn held_until(&self) -> Option<Moment> {
        self.held.map(|(at, _)| at + QUIET)
    }

    /// What was held back, if nothing has been read since.
    pub(crate) fn quiet(&mut self, now: Moment) -> Option<(Moment, ClockFace)> {
        self.held.take_if(|(at, _)| *at + QUIET <= now)
    }

    /// Nothing more will be read for now: silence confirms nothing.
    pub(crate) fn forget_held(&mut self) {
        self.held = None;
    }

    /// Whether a time stands at zero, or a flag is down, that cannot have run out since the last
    /// reading of a running clock.
    fn rules_out(&self, now: Moment, face: &ClockFace) -> bool {
        let Some((read, before)) = self.face.filter(|(_, before)| before.running) else {
            return false;
        };
        let passed = now.since(read) + EARLY;
        [Side::Left, Side::Right].into_iter().any(|half| {
            let (was, is) = (before.dial(half), face.dial(half));
            let marked = is.flag != FlagMark::None && is.flag != was.flag;
            (is.time == FaceTime::ZERO || marked) && was.time.less(passed) > FaceTime::ZERO
        })
    }
}
