//! What is watched at the clock of a game, and reported if it goes on for long enough.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::Color;

use super::counted::Counted;
use super::lost_devices::LostDevices;
use super::missed_press::Missed;
use super::watch::Watch;
use crate::laws::clock::WrongClock;
use crate::number::TableNo;

/// What is being watched at the clock of one game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Timing {
    /// Both times stand.
    pub(super) stopped: Watch<()>,
    /// The time of the player counts who does not have the move.
    pub(super) wrong: Watch<WrongClock>,
    pub(super) lost: LostDevices,
    /// Whose period should have begun by then.
    pub(super) period_due: Option<(Color, Moment)>,
    pub(super) counted: Counted,
    /// When the clock went on after it was stopped to fetch a piece.
    pub(super) fetched: Option<Moment>,
    pub(super) missed: Missed,
    /// At which table a press is waited for that may have come here, and until when.
    pub(super) neighbour: Option<(TableNo, Moment)>,
}

impl Timing {
    /// Since when both times have stood.
    pub(super) fn standstill(&self) -> Option<Moment> {
        self.stopped.since()
    }
}
