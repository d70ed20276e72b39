//! How often a score is right. Virtual players play on virtual boards over faulty lines, and the
//! scores are compared with the games they played. It is pure, except for the threads that share
//! the work.

mod baselines;
mod explain;
mod models;
mod occupied;
mod outage;
mod reticent;
mod round;
mod slow_bus;
mod telling;
mod verdict;

pub use baselines::Baseline;
pub use explain::explain;
pub use models::{Games, Model, models};
pub use outage::{Fitting, Grade, Outage};
pub use telling::{Sort, Telling};
pub use verdict::{Class, Classes, Ending, Marks, Verdict};

use crate::record::journal::Record;
use round::Round;

/// Plays a game of a model and compares. Equal numbers give equal games.
#[must_use]
pub fn judge(model: &Model, number: u64) -> Verdict {
    let round = Round::play(model, number);
    let verdict = verdict::of(&round);
    let outage = outage::of(&round, &verdict);
    let fitting = occupied::fitting(model, &round);
    Verdict { outage, fitting, ..verdict }
}

/// A game of a model as a daemon would record it, from the first entry.
#[must_use]
pub fn recorded(model: &Model, number: u64) -> Vec<Record> {
    Round::play(model, number).records
}

/// The number of plies that each method got wrong without a sign of doubt, in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideBySide {
    /// Our method, moves only.
    pub ours: usize,
    /// Whether our moves are not all right, but every error is covered by a doubt.
    pub doubted: bool,
    /// The methods of [`Baseline::ALL`]; `None` if a method cannot be used.
    pub theirs: [Option<usize>; Baseline::ALL.len()],
}

/// Plays a game of a model and lets every method make its score.
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
