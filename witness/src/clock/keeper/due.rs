//! What a press is to bring, where an increment does not come with every move.

use shakmaty::Color;

use super::super::mode::Gain;
use super::Keeper;
use crate::time_control::{Extra, Period};

/// By so many moves a clock may begin an increment earlier or later that comes with a later move.
const MISCOUNTED: u32 = 1;

impl Keeper {
    /// What a press of this side is to bring now. Where an increment comes with a later move clocks
    /// count to it in ways of their own, and so do texts: that of move 60 or 61 proves nothing.
    pub(super) fn due(&mut self, side: Color) -> Option<Period> {
        let period = self.period(side).copied().filter(Period::is_predictable)?;
        let Extra::Increment { seconds, from_move: from @ 2.. } = period.extra else {
            return Some(period);
        };
        let (pressed, from) = (*self.presses.get(side), u32::from(from));
        if pressed >= from + MISCOUNTED {
            Some(Period { extra: Extra::Increment { seconds, from_move: 1 }, ..period })
        } else if pressed + 1 + MISCOUNTED < from {
            Some(Period { extra: Extra::None, ..period })
        } else {
            self.gain = Gain::default();
            None
        }
    }
}
