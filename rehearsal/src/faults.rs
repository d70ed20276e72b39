//! A line that loses, doubles and spoils what it carries, and is pulled out now and then. It
//! carries frames of any language and understands none.

use std::time::Duration;

use eboard::Moment;

use crate::{Permille, Rng};

/// What goes wrong on a line. By default nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// What happens to whole frames.
    pub frames: Rates,
    /// What happens to single bytes of the frames that are left.
    pub bytes: Rates,
    /// How often, for each frame, the line stands still: what was sent meanwhile comes in one go
    /// when it is over.
    pub stalls: Permille,
    /// How long it stands still: least and most.
    pub stall: (Duration, Duration),
    /// When the line is out, in any order.
    pub unplugs: Vec<Unplug>,
}

/// How often a frame or a byte is harmed, each by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// It is missing.
    pub drop: Permille,
    /// It comes twice.
    pub double: Permille,
    /// One of its bits, or several of one byte, are wrong.
    pub corrupt: Permille,
}

/// A time during which nothing passes; after it the line is opened anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unplug {
    /// When it is pulled out.
    pub at: Moment,
    /// How long until it is there again.
    pub lasts: Duration,
}

/// What came through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damaged {
    /// What arrives when, in order.
    pub chunks: Vec<(Moment, Vec<u8>)>,
    /// When the line was out: in order and apart. At the end of each it is to be opened anew.
    pub windows: Vec<Unplug>,
    /// How many frames did not arrive as they were sent; late ones are not counted.
    pub harmed: usize,
}

impl Unplug {
    /// Once at random between two moments, for so long: least and most.
    #[must_use]
    pub fn drawn(
        seed: u64,
        (from, until): (Moment, Moment),
        (least, most): (Duration, Duration),
    ) -> Self {
        let mut dice = Rng::new(seed);
        let at = from + dice.between((Duration::ZERO, until.since(from)));
        Self { at, lasts: dice.between((least, most)) }
    }

    /// When the line is there again.
    #[must_use]
    pub fn end(self) -> Moment {
        self.at + self.lasts
    }
}

impl Faults {
    /// Sends these frames, one in each chunk and in order of time, over the line. The same seed
    /// does the same harm.
    #[must_use]
    pub fn inject(&self, frames: &[(Moment, Vec<u8>)], seed: u64) -> Damaged {
        let mut dice = Rng::new(seed);
        let windows = apart(&self.unplugs);
        let mut through = Damaged { windows, ..Damaged::default() };
        let mut stands_until = Moment::ZERO;
        for (sent, frame) in frames {
            if *sent >= stands_until && happens(self.stalls, &mut dice) {
                stands_until = *sent + dice.between(self.stall);
            }
            let arrives = (*sent).max(stands_until);
            let out = through.windows.iter().any(|it| it.at <= arrives && *sent < it.end());
            let arrived = if out { Vec::new() } else { self.harm(frame, &mut dice) };
            through.harmed += usize::from(arrived != *frame);
            if !arrived.is_empty() {
                through.chunks.push((arrives, arrived));
            }
        }
        through
    }

    fn harm(&self, frame: &[u8], dice: &mut Rng) -> Vec<u8> {
        if happens(self.frames.drop, dice) {
            return Vec::new();
        }
        let mut frame = frame.to_vec();
        if happens(self.frames.corrupt, dice) {
            let index = usize::try_from(dice.below(frame.len() as u64)).unwrap_or_default();
            if let Some(byte) = frame.get_mut(index) {
                *byte = spoilt(*byte, dice);
            }
        }
        if happens(self.frames.double, dice) {
            frame.extend_from_within(..);
        }
        if self.bytes == Rates::default() {
            return frame;
        }
        frame.into_iter().flat_map(|byte| self.harm_byte(byte, dice)).collect()
    }

    fn harm_byte(&self, byte: u8, dice: &mut Rng) -> impl Iterator<Item = u8> + use<> {
        let Rates { drop, double, corrupt } = self.bytes;
        let times = match (happens(drop, dice), happens(double, dice)) {
            (true, _) => 0,
            (false, doubled) => 1 + usize::from(doubled),
        };
        let byte = if happens(corrupt, dice) { spoilt(byte, dice) } else { byte };
        std::iter::repeat_n(byte, times)
    }
}

fn happens(rate: Permille, dice: &mut Rng) -> bool {
    rate > Permille(0) && dice.chance(rate)
}

/// Half of the time one bit is wrong, else any number.
fn spoilt(byte: u8, dice: &mut Rng) -> u8 {
    let wrong = match dice.below(2) {
        0 => 1 << dice.below(8),
        _ => 1 + dice.below(255),
    };
    byte ^ wrong as u8
}

/// The windows in order; those that touch are one.
fn apart(unplugs: &[Unplug]) -> Vec<Unplug> {
    let mut sorted = unplugs.to_vec();
    sorted.sort_unstable();
    let mut windows: Vec<Unplug> = Vec::with_capacity(sorted.len());
    for next in sorted {
        match windows.last_mut().filter(|last| next.at <= last.end()) {
            Some(last) => last.lasts = last.end().max(next.end()).since(last.at),
            None => windows.push(next),
        }
    }
    windows
}

#[cfg(test)]
mod tests;
