//! How a clock treats a press, told from what it shows: increment, Bronstein, delay or nothing.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::FaceTime;

use crate::time_control::{Extra, Period};

/// Presses in a row that must speak against the time control before it is said.
const AGAINST: u8 = 2;
/// Whole seconds on the face.
const TICK_MS: i64 = 1000;
/// A press reaches us up to so much later than the reading before it.
const LATE_MS: i64 = 500;
/// No delay that is played with is longer.
const LONGEST_DELAY_MS: i64 = 60_000;
/// A clock may spare one part in so many of the time that passes: then it is slow.
const SLOWEST: i64 = 20;

/// What a press brings on this clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// So many seconds, whatever was used.
    Increment(u32),
    /// What was used comes back.
    Bronstein,
    /// So many seconds, or what was used: the turns took equally long.
    Either(u32),
    /// Nothing, but the time waited before it counted.
    Delay,
    /// Nothing.
    Nothing,
}

/// What the presses that spoke against the time control have in common.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct Gain {
    against: u8,
    told: bool,
    /// What they may all have brought, in milliseconds: least and most.
    common: Option<(i64, i64)>,
    /// What they have most likely brought together.
    likely: i64,
    /// One of them has not brought back just what was used.
    other: bool,
    /// It was told to wait before it counts.
    delays: bool,
    /// A press was read so closely that it tells what it brought.
    measured: bool,
    /// The most that any of them has surely brought, where that is more than it should.
    brings: i64,
}

impl Gain {
    /// Whether it is known by now what a press brings on this clock.
    pub const fn is_measured(&self) -> bool {
        self.measured
    }

    /// What a press brings on this clock at most, in milliseconds, where it should bring so much.
    pub fn at_most(&self, bonus: i64) -> i64 {
        self.brings.max(bonus)
    }

    /// Whether presses have not brought what they should.
    pub const fn is_wrong(&self) -> bool {
        self.told
    }

    /// For how long this clock may wait in each turn, in milliseconds, where it should so long.
    pub fn waits_at_most(&self, bonus: i64) -> i64 {
        if self.delays { bonus.max(LONGEST_DELAY_MS) } else { bonus }
    }

    /// One press at the end of a turn watched from its first moment: what the presser had at the
    /// start of it, at the last reading before the press, and after it; how long the last step and
    /// the whole turn took. Says what the clock does once that is surely not what it should.
    #[allow(clippy::too_many_arguments)] // Each is another reading; a struct would name them twice.
    pub fn press(
        &mut self,
        period: &Period,
        number: u32,
        start: FaceTime,
        last: FaceTime,
        shown: FaceTime,
        step: Duration,
        waited: Duration,
    ) -> Option<Manner> {
        let [start, last, shown] = [start, last, shown].map(|time| i64::from(time.as_ms()));
        let step = i64::try_from(step.as_millis()).unwrap_or(i64::MAX);
        // What went by between the last reading and the press, on the face, is not known.
        let hidden = step.min(last) + TICK_MS;
        let (least, most) = (shown - last, shown - last + hidden);
        let used = start - last;
        let bonus = i64::from(period.per_move_s(number)) * 1000;
        self.measured |= step <= TICK_MS + LATE_MS;
        if least > bonus {
            self.brings = self.brings.max(least + TICK_MS);
        }
        let fits = match period.extra {
            Extra::Increment { .. } => (least..=most).contains(&bonus),
            Extra::Bronstein(_) => {
                least <= bonus.min(used + hidden) && bonus.min((used - TICK_MS).max(0)) <= most
            }
            _ => (least..=most).contains(&0),
        };
        // A delay shows in what was not counted, but so does a clock that is slow.
        let waited = i64::try_from(waited.as_millis()).unwrap_or(i64::MAX);
        let spared = waited - (start - shown);
        let delayed = match period.extra {
            Extra::Delay(_) => spared + TICK_MS + LATE_MS >= bonus.min(waited),
            Extra::None => spared <= 2 * TICK_MS + LATE_MS,
            _ => true,
        };
        let may_be_slow = period.extra == Extra::None && spared <= waited / SLOWEST + 2 * TICK_MS;
        if fits && !delayed && may_be_slow {
            return None;
        }
        if fits && delayed {
            (self.against, self.common, self.likely, self.other) = (0, None, 0, false);
            return None;
        }
        self.against += 1;
        let common = self.common.map_or((least, most), |(a, b)| (a.max(least), b.min(most)));
        self.common = Some(common);
        self.other |= (shown - start).abs() > TICK_MS;
        // The press came somewhere between the two readings.
        self.likely += least + step.min(TICK_MS) / 2;
        if self.told || self.against < AGAINST {
            return None;
        }
        self.told = true;
        let likely = self.likely / i64::from(self.against);
        let manner = match manner(common, likely, least, used + hidden, spared) {
            Manner::Increment(seconds @ 1..) if !self.other => Manner::Either(seconds),
            known => known,
        };
        self.delays = manner == Manner::Delay;
        Some(manner)
    }
}

/// The simplest that explains them all.
fn manner(common: (i64, i64), likely: i64, last: i64, used: i64, spared: i64) -> Manner {
    let holds = |(least, most): (i64, i64), gain: i64| least <= gain && gain <= most;
    if holds(common, 0) {
        let waits = spared > 2 * TICK_MS + LATE_MS;
        return if waits { Manner::Delay } else { Manner::Nothing };
    }
    let seconds = u32::try_from((likely + TICK_MS / 2).max(0) / TICK_MS).unwrap_or_default();
    if holds(common, i64::from(seconds) * TICK_MS) {
        return Manner::Increment(seconds);
    }
    // Never more than what was used comes back.
    if last <= used { Manner::Bronstein } else { Manner::Increment(seconds) }
}
