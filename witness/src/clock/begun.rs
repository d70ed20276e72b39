//! Whether a clock is that of a game that begins: by what it shows, or by how long it has counted.

use eboard::Moment;

use super::{Clocks, EARLY};
use crate::time_control::TimeControl;

impl Clocks {
    /// Whether it shows what both players are allotted, or the same time twice where that is not
    /// known.
    pub(crate) fn shows_a_start(&self, control: Option<TimeControl>) -> bool {
        let Some(times) = self.state().map(|state| state.times) else { return false };
        match control.and_then(|control| control.start()) {
            Some(start) => times == start,
            None => times.white == times.black,
        }
    }

    /// Whether the time of the player who begins has counted since the pieces were set up, from
    /// what both players are allotted.
    pub(crate) fn has_just_begun(
        &self,
        set_up: Moment,
        now: Moment,
        control: Option<TimeControl>,
    ) -> bool {
        let start = control.and_then(|control| control.start());
        let face = self.face().filter(|face| face.running);
        let Some((face, start)) = face.zip(start) else { return false };
        // Whole seconds, and what is late on its way.
        let counted = now.since(set_up) + EARLY;
        let (counts, waits) = (face.dial(face.lever).time, face.dial(face.lever.other()).time);
        !self.lost
            && waits == start.black
            && counts <= start.white
            && start.white.less(counted) <= counts
    }
}
