//! Another second of the time that counts, and nothing else: nearly all that a clock reports. What
//! follows from it is the same as from any reading ([`Readings::read`]), and is done here at once.

use eboard::{ClockFace, Moment, Side};
use shakmaty::Color;

use super::{Above, Readings, keeper};

impl Readings {
    /// Takes a reading that shows nothing but another second of the time that counts. Whether it
    /// does; if not, nothing has changed.
    pub(super) fn pass(&mut self, now: Moment, face: ClockFace) -> bool {
        let last = self.face.filter(|_| !self.lost && self.held.is_none() && self.flags.is_empty());
        let Some(((_, before), white)) = last.zip(self.white_half()) else { return false };
        // That it has counted, and no flag is shown, the keeper looks at.
        let reading = keeper::reading(now, &face, white);
        if !is_only_time(before, face) || !self.keeper.pass(reading) {
            return false;
        }
        (self.face, self.second, self.ticked) = (Some((now, face)), now, true);
        self.note_counting(now, Some(before), face);
        self.note_steady(before, face);
        for side in Color::ALL {
            let time = face.dial(if side == Color::White { white } else { white.other() }).time;
            let above = self.above_zero.get_mut(side);
            *above = Some(Above::followed(*above, now, time));
            *self.zero.get_mut(side) = None;
        }
        true
    }
}

/// Whether nothing but the time that counts is another one.
fn is_only_time(before: ClockFace, now: ClockFace) -> bool {
    let mut then = now;
    match now.lever {
        Side::Left => then.left.time = before.left.time,
        Side::Right => then.right.time = before.right.time,
    }
    then == before
}
