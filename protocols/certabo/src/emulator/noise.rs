//! The flicker of a weak reader, the same for the same seed. Not noise on the line.

use crate::frame::{Tag, Tags};

/// Of a thousand readings of an empty square, so many give a ghost: 299 of 1184 in real frames.
const GHOSTS: u64 = 253;

/// Of a thousand readings of a man, so many fail: hardly less than the most that
/// real frames allow.
const MISSES: u64 = 2;

/// A source of flicker.
#[derive(Debug)]
pub(super) struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One frame as the reader gives it. Half of the misses read nothing, half one byte wrong.
    pub fn disturb(&mut self, tags: &mut Tags) {
        for tag in tags {
            let chance = self.next();
            if *tag == Tag::NONE {
                if chance % 1000 < GHOSTS {
                    tag.0 = self.id();
                }
            } else if chance % 1000 < MISSES {
                match chance & 1 << 40 {
                    0 => *tag = Tag::NONE,
                    _ => self.damage(tag),
                }
            }
        }
    }

    fn damage(&mut self, tag: &mut Tag) {
        let [at, value, ..] = self.id();
        if let Some(byte) = tag.0.get_mut(usize::from(at % 5)) {
            *byte = value;
        }
    }

    fn id(&mut self) -> [u8; 5] {
        let [a, b, c, d, e, ..] = self.next().to_le_bytes();
        [a, b, c, d, e]
    }

    /// `SplitMix64`.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
