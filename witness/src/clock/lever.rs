//! The lever of a clock that reports no times: it says which half has the move, and no more.

use eboard::Side;
use shakmaty::Color;

use super::Readings;

impl Readings {
    /// Whether it reports what the players have left. A clock that reports only its lever does not
    /// show whether a time counts.
    pub(crate) fn reports_times(&self) -> bool {
        self.face.is_some()
    }

    /// A clock without times reports which half has the move. Returns the half that had it before,
    /// if the lever has gone over.
    pub(crate) fn lever_at(&mut self, side: Side) -> Option<Side> {
        self.lost = false;
        self.lever.replace(side).filter(|had| *had != side)
    }

    /// The half that has the move by this lever is this player's; `surely`, or most likely.
    pub(crate) fn lever_is_with(&mut self, player: Color, surely: bool) {
        if let Some(side) = self.lever {
            self.half_is(side, player, surely);
        }
    }
}
