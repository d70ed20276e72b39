//! Readings that may be damaged reports. One that the reading before it rules out (a flag down, or
//! a zero, with minutes left just before) waits for the next one: a clock counts down to its flag.
//! And whether a game goes on after its result is asked of two readings in a row.

use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, FlagMark, Moment, Side};

use super::{EARLY, Readings};
use crate::clock::tolerances::BLOCKED;

/// Whose time counts, if one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Lever {
    pub running: bool,
    pub side: Side,
}

impl From<ClockFace> for Lever {
    fn from(face: ClockFace) -> Self {
        Self { running: face.running, side: face.lever }
    }
}

impl Readings {
    /// What two readings in a row have said last: no single damaged report has.
    pub(crate) fn steady(&self) -> Option<Lever> {
        self.steady.filter(|_| !self.lost)
    }

    pub(super) fn note_steady(&mut self, before: ClockFace, now: ClockFace) {
        if Lever::from(before) == Lever::from(now) {
            self.steady = Some(now.into());
        }
    }

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
        self.held.map(|(at, _)| at + BLOCKED)
    }

    /// What was held back, if nothing has been read since.
    pub(crate) fn quiet(&mut self, now: Moment) -> Option<(Moment, ClockFace)> {
        self.held.take_if(|(at, _)| *at + BLOCKED <= now)
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
