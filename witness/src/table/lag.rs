//! Boards that are asked now and then tell of a change later than it was made, and how much later
//! nobody knows to less than they say. What must have lasted is held to have lasted so much less.

use std::time::Duration;

use super::Table;
use crate::settings::Settings;
use crate::tracker::{Absent, Waits};

impl Table {
    /// How long a picture must be seen to have rested for that. What was told late may have come
    /// just after what was told before, and what goes may have gone by now.
    pub(super) fn settle(&self) -> Duration {
        self.settings.settle + self.lag
    }

    /// How long a piece must be seen to stand before it has been released.
    pub(super) fn release(&self) -> Duration {
        self.settings.release + self.lag
    }

    /// How long whatever stands there is to be waited for, and what may have happened meanwhile.
    pub(super) fn waits(&self, explained: bool, rearranged: bool, absent: Option<Absent>) -> Waits {
        let (settle, release) = (self.settle(), self.release());
        let stands = self.clock_ran && self.clocks.stopped();
        Waits {
            settle,
            release,
            // What was illegal is the explanation: no missed moves are made up.
            gaps: !explained,
            absent,
            end: settle + release,
            trip: stands.then_some(Settings::TRIP),
            rearranged,
        }
    }
}
