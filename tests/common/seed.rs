//! Chance that can be repeated. Not for secrets.

use std::hash::{BuildHasher, RandomState};

pub struct Seed(u64);

impl Seed {
    /// Another one each time, or the one in `$ADOUBED_SEED`. It is printed, to be used again.
    pub fn draw(test: &str) -> Self {
        let given = std::env::var("ADOUBED_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one(test));
        println!("{test}: ADOUBED_SEED={seed}");
        Self(seed)
    }

    /// A number below `end`, which must not be 0 (splitmix64).
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).expect("below a usize")
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| u8::try_from(self.below(256)).expect("a byte")).collect()
    }
}
