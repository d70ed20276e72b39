//! Both times of a clock together against our own time. What one player loses the other does not:
//! so their sum falls as fast as time passes and rises by what presses bring. Seconds are rounded
//! and reports are late, but only at its two ends: over a whole stretch this never adds up, as it
//! would turn by turn.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::Color;

use super::{Reading, TICK_MS, change, fell, ms, passed};
use crate::clock::tolerances::ENDS_MS;

/// Readings without a gap of a clock that ran, and at which nothing happened but presses.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Stretch {
    pub since: Moment,
    /// Both times at its beginning, and what presses should have brought since.
    given: i64,
    left: i64,
    passed: i64,
    /// At the last press: how much was counted beyond our own time, and how long it was.
    settled: (i64, i64),
}

impl Stretch {
    pub fn from(reading: Reading) -> Self {
        let sum = sum(reading);
        Self { since: reading.at, given: sum, left: sum, passed: 0, settled: (0, 0) }
    }

    /// Goes on to this reading; `due` is what a press between should have brought.
    pub fn follow(&mut self, before: Reading, now: Reading, due: i64) {
        self.given += due;
        self.left = sum(now);
        self.passed += passed(before, now);
        if before.lever != now.lever {
            self.settled = (self.given - self.left - self.passed, self.passed);
        }
    }

    /// How much was counted beyond our own time until the last press, and over how much of it.
    pub fn settled(&self) -> (i64, i64) {
        self.settled
    }

    /// The same without what its ends may hide.
    pub fn surely(&self) -> (i64, i64) {
        let (off, passed) = self.settled;
        (off - off.clamp(-ENDS_MS, ENDS_MS), passed)
    }
}

fn sum(reading: Reading) -> i64 {
    ms(reading.times.white) + ms(reading.times.black)
}

/// Whether nothing has happened between these readings of a running clock but time, and a press
/// that brought about what it should.
pub(super) fn is_plain(before: Reading, now: Reading, due: i64) -> bool {
    let at_zero = |it: Reading| Color::ALL.iter().any(|side| ms(*it.times.get(*side)) == 0);
    let (own, other) = (before.lever, before.lever.other());
    let (rose, idle) = (change(before, now, own), change(before, now, other));
    let step = passed(before, now) + 2 * TICK_MS;
    let plain = match before.lever == now.lever {
        true => rose <= 0 && idle == 0 && !fell(before, now),
        false => (due - step..=due + TICK_MS).contains(&rose) && (-step..=0).contains(&idle),
    };
    plain && !at_zero(before) && !at_zero(now)
}
