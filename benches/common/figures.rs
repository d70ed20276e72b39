//! Figures of a noisy machine: the best of several rounds and how far the others were from it.

use std::time::Duration;

/// How long the same work took, round after round.
#[derive(Clone, Debug, Default)]
pub struct Rounds(Vec<Duration>);

impl Rounds {
    /// One more round.
    pub fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    /// The round that was disturbed least, in seconds.
    pub fn best(&self) -> f64 {
        self.0.iter().min().copied().unwrap_or_default().as_secs_f64()
    }

    /// The slowest round by the fastest.
    pub fn spread(&self) -> f64 {
        let worst = self.0.iter().max().copied().unwrap_or_default().as_secs_f64();
        worst / self.best()
    }
}

/// How long many messages took, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// How many there were.
    pub count: usize,
    /// Half of them took no longer.
    pub p50: f64,
    /// One of a hundred took longer.
    pub p99: f64,
    /// None took longer.
    pub max: f64,
}

impl Spread {
    /// Of these; all zero if there are none.
    pub fn of(took: &[Duration]) -> Self {
        let mut took = took.to_vec();
        took.sort_unstable();
        let count = took.len();
        let at = |index: usize| took.get(index).copied().unwrap_or_default().as_secs_f64();
        let last = count.saturating_sub(1);
        Self {
            count,
            p50: at(last / 2),
            p99: at((count * 99).div_ceil(100).min(last)),
            max: at(last),
        }
    }
}

/// One figure by another, as it stands in a table.
pub fn ratio(one: f64, other: f64) -> String {
    format!("{:.2}", one / other)
}
