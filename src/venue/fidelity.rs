//! How often a score is right: virtual players over virtual boards and faulty lines, compared with
//! the truth they know. Pure but for the threads that share the work.

mod baselines;
mod explain;
mod models;
mod occupied;
mod outage;
mod reticent;
mod round;
mod slow_bus;
mod verdict;

pub use baselines::Baseline;
pub use explain::explain;
pub use models::{Games, Model, models};
pub use outage::{Outage, Told};
pub use verdict::{Class, Classes, Ending, Verdict};

use crate::record::journal::Record;
use round::Round;

/// Plays one game of a model and compares. The same number gives the same game.
#[must_use]
pub fn judge(model: &Model, number: u64) -> Verdict {
    let round = Round::play(model, number);
    let verdict = verdict::of(&round);
    let outage = outage::of(&round, &verdict);
    let determined = occupied::is_determined(model, &round);
    Verdict { outage, determined, ..verdict }
}

/// One game of a model as a daemon would have kept it, from its first entry.
#[must_use]
pub fn recorded(model: &Model, number: u64) -> Vec<Record> {
    Round::play(model, number).records
}

/// What each method made of one and the same game: how many plies it got wrong in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideBySide {
    /// Ours, moves only.
    pub ours: usize,
    /// Our moves are not all right, but nothing is wrong in silence.
    pub doubted: bool,
    /// Those of [`Baseline::ALL`]; `None` where a method cannot be used.
    pub theirs: [Option<usize>; Baseline::ALL.len()],
}

/// Plays one game of a model and lets every method make its score.
#[must_use]
pub fn compare(model: &Model, number: u64) -> SideBySide {
    let round = Round::play(model, number);
    let verdict = verdict::of(&round);
    let ours = verdict.count(Class::SilentlyWrong);
    let theirs = Baseline::ALL.map(|baseline| baseline.wrong(&round));
    SideBySide { ours, doubted: !verdict.moves_exact && ours == 0, theirs }
}

#[cfg(test)]
mod tests;
