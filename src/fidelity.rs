//! How often a score is right: virtual players over virtual boards and faulty lines, compared with
//! the truth they know. Pure but for the threads that share the work.

mod baselines;
mod models;
mod occupied;
mod outage;
mod reticent;
mod round;
mod verdict;

pub use baselines::Baseline;
pub use models::{Games, Model, models};
pub use outage::{Outage, Told};
pub use verdict::{Class, Classes, Ending, Verdict};

use round::Round;
use witness::{Effect, Kind};

use crate::works::Act;

/// Plays one game of a model and compares. The same number gives the same game.
#[must_use]
pub fn judge(model: &Model, number: u64) -> Verdict {
    let round = Round::play(model, number);
    let verdict = verdict::of(&round);
    let outage = outage::of(&round, &verdict);
    let determined = occupied::is_determined(model, &round);
    Verdict { outage, determined, ..verdict }
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

/// What went wrong in one game, as remarks, and the hands around the first wrong move, as gestures:
/// a script that can be read again.
#[must_use]
pub fn explain(model: &Model, number: u64) -> String {
    let round = Round::play(model, number);
    let game = &round.game;
    let mut text = format!("; {} – {}, {}\n", game.white, game.black, game.event);
    text += &format!("; {}, game {number}\n", model.name);
    for unplug in &round.unplugs {
        let (from, until) = (unplug.at, unplug.at + unplug.lasts);
        text +=
            &format!("; the line was out from {} to {} µs\n", from.as_micros(), until.as_micros());
    }
    for act in &round.acts {
        let Act::Table(at, _, Effect::Raised(incident)) = act else { continue };
        text += &format!("; {} µs: {}\n", at.as_micros(), incident.text.en.replace('\n', " "));
        if incident.kind == Kind::PositionToCheck {
            let lines = &incident.facts.candidates;
            text += &format!(";   after {}, candidates {lines:?}\n", incident.facts.fen);
        }
    }
    let Some(table) = round.table() else { return text };
    let score = verdict::score(table);
    let played = round.expected(table.score().mode());
    let same = score.iter().zip(&played).take_while(|(one, other)| *one == *other).count();
    let around = |line: &[String]| line.iter().skip(same).take(6).cloned().collect::<Vec<_>>();
    let truth = round.truth;
    text += &format!(
        "; phase {:?}, result {} of {}, {} plies of {}\n",
        table.phase(),
        table.score().result(),
        verdict::result(truth),
        score.len(),
        truth.plies,
    );
    text += &format!(
        "; from ply {} on the score has {:?}, played was {:?}\n",
        same + 1,
        around(&score),
        around(&played),
    );
    if model.driver.senses == eboard::Senses::Occupancy {
        text += "# sensing: occupancy\n";
    }
    let plies = same.saturating_sub(2)..(same + 4).max(1);
    text + &round.performance.excerpt(game, model.manner.control, plies)
}

#[cfg(test)]
mod tests;
