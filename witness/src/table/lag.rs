//! Boards that are polled now and then report a change after it was made. Such a board says how
//! late its reports may be at most. A picture may have rested for less time than it seems to, by up
//! to that lag, so every wait is longer by it.

use std::time::Duration;

use super::Play;
use crate::table::tolerances::AFTER_STOPPING;
use crate::tolerances::TRIP;
use crate::tracker::{Unwatched, Waits};

impl Play {
    /// How long a picture must be seen to rest until it counts as settled. A late report may stem
    /// from a moment just after the report before it, and what is shown may have gone by now.
    pub(super) fn settle(&self) -> Duration {
        self.settings.settle + self.board.lag
    }

    /// How long a piece must be seen to stand until it counts as released.
    pub(super) fn release(&self) -> Duration {
        self.settings.release + self.board.lag
    }

    /// A touch that lasts less than this may never be reported: the board does not see it, or notes
    /// only what a square shows when it is asked.
    pub(super) fn misses(&self) -> Duration {
        self.board.surface.misses().max(self.board.lag)
    }

    /// How long after both times stood a change may still be reported that was made before.
    pub(super) fn after_stopping(&self) -> Duration {
        AFTER_STOPPING + self.board.lag
    }

    /// How long to wait for the present picture to settle, and what may have happened meanwhile.
    pub(super) fn waits(
        &self,
        explained: bool,
        rearranged: bool,
        unwatched: Option<Unwatched>,
    ) -> Waits {
        let (settle, release) = (self.settle(), self.release());
        let stands = self.game.clock.ran && self.clocks.stopped();
        Waits {
            settle,
            release,
            // An illegal move already explains the picture, so no missed moves are inferred.
            gaps: !explained,
            unwatched,
            end: settle + release,
            trip: stands.then_some(TRIP),
            rearranged,
        }
    }
}
