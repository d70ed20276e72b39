//! Inputs that are nearly right: members of a corpus, bent a little. A target is called with one
//! after the other, and whatever makes it panic is printed. Knows no format.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Executions of a target where nobody has asked for more.
const SHORT: u64 = 3000;
/// The longest input.
const LENGTH_MAX: usize = 8192;
/// Values that limits are made of.
const EDGES: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'\n', b'0'];

/// Calls a target with inputs from this corpus: so many as a test has time for, always the same; or
/// for `$ADOUBED_FUZZ_SECONDS`, from `$ADOUBED_SEED`. Tells how many.
pub fn fuzz(name: &str, corpus: &[Vec<u8>], mut target: impl FnMut(&[u8])) {
    let asked = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let seed = asked("ADOUBED_SEED").unwrap_or(1);
    let lasts = asked("ADOUBED_FUZZ_SECONDS").map(Duration::from_secs);
    let begun = Instant::now();
    let mut mutation = Mutation { dice: seed, input: Vec::new() };
    let (mut executions, mut settled) = (0u64, 0);
    loop {
        let over = match lasts {
            None => executions >= SHORT,
            // The time is looked at now and then: a call may take less than looking does.
            Some(lasts) => executions.is_multiple_of(256) && begun.elapsed() >= lasts,
        };
        if over {
            break;
        }
        let input = mutation.next(corpus);
        if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
            panic!("{name}: execution {executions} of seed {seed} fails with {input:02x?}");
        }
        executions += 1;
        if executions == SHORT {
            settled = resident();
        }
    }
    let grown = resident().saturating_sub(settled);
    println!("{name}: {executions} executions in {:?}, {grown} KiB more", begun.elapsed());
    assert!(settled == 0 || grown < 64 * 1024, "{name}: grown by {grown} KiB");
}

/// Resident memory in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

struct Mutation {
    dice: u64,
    input: Vec<u8>,
}

impl Mutation {
    fn below(&mut self, end: usize) -> usize {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.dice;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end.max(1) as u64).expect("below a usize")
    }

    fn byte(&mut self) -> u8 {
        self.below(256).to_le_bytes()[0]
    }

    fn next(&mut self, corpus: &[Vec<u8>]) -> &[u8] {
        self.input.clear();
        let chosen = self.below(corpus.len());
        self.input.extend_from_slice(&corpus[chosen]);
        for _ in 0..=self.below(6) {
            self.bend(corpus);
        }
        self.input.truncate(LENGTH_MAX);
        &self.input
    }

    fn bend(&mut self, corpus: &[Vec<u8>]) {
        let length = self.input.len();
        let at = self.below(length);
        let to = (at + 1 + self.below(16)).min(length);
        let (byte, edge) = (self.byte(), EDGES[self.below(EDGES.len())]);
        match self.below(8) {
            0 if length > 0 => self.input[at] ^= 1 << (byte % 8),
            1 if length > 0 => self.input[at] = edge,
            2 => self.input.insert(at, byte),
            3 if length > 0 => drop(self.input.drain(at..to)),
            4 if length > 0 => self.input.extend_from_within(at..to),
            5 => self.input.truncate(at),
            6 => {
                let other = &corpus[self.below(corpus.len())];
                let from = self.below(other.len());
                self.input.truncate(at);
                self.input.extend_from_slice(&other[from..]);
            }
            _ if length > 0 => self.input[at..to].fill(edge),
            _ => self.input.push(byte),
        }
    }
}
