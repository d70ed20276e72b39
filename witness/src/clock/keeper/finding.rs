//! What a clock can betray.

use eboard::FaceTime;
use shakmaty::{ByColor, Color};

use super::Fault;
use crate::clock::mode::Manner;
use crate::time_control::Period;

/// Something a clock has betrayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It was started with other times than the time control says.
    Start {
        /// What it should have shown.
        expected: ByColor<FaceTime>,
        /// What it showed.
        seen: ByColor<FaceTime>,
    },
    /// A press brings something else than the time control says.
    Mode {
        /// What it should do.
        expected: Period,
        /// What it does.
        seen: Manner,
        /// What was reported before, when less was known.
        before: Option<Manner>,
    },
    /// The next period brought another time than the time control says.
    Addition {
        /// Whose.
        side: Color,
        /// What should have been added.
        expected: FaceTime,
        /// What was.
        seen: FaceTime,
    },
    /// Times were changed while the clock stood.
    Adjusted {
        /// When it was stopped.
        before: ByColor<FaceTime>,
        /// When it went on.
        after: ByColor<FaceTime>,
    },
    /// It does not keep time.
    Fault {
        /// In which way.
        fault: Fault,
        /// What it shows.
        shown: ByColor<FaceTime>,
        /// What it would show by our own clock, had it kept time so far.
        ours: ByColor<FaceTime>,
    },
    /// The next period began for this side.
    Period(Color),
    /// And a press brought it, while both players had time left: the clock counts moves.
    Counted {
        /// Whose.
        side: Color,
        /// The period that ended, from 0.
        period: u8,
        /// Presses of his seen by then, this one among them.
        presses: u32,
    },
}

impl Finding {
    /// Whether it says that the clock went on with other times than were known.
    pub(crate) fn is_of_setting(self) -> bool {
        matches!(self, Self::Start { .. } | Self::Adjusted { .. })
    }
}
