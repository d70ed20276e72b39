//! What is asked of a tracker: the moves of the tail, what stands there by them, and whether the
//! squares show it.

use eboard::Moment;
use shakmaty::Chess;

use super::stands::{Reading, Stand};
use super::{Lost, Step, Tracker};
use crate::candidates;
use crate::picture::Picture;
use crate::score::Confidence;

impl Tracker {
    /// The position the score ends in.
    pub fn position(&self) -> &Chess {
        self.stands[self.shown].position()
    }

    /// The position before the tail, by which the score goes on.
    pub fn root(&self) -> &Chess {
        let first = self.stands.root_of(self.shown, 0);
        &self.stands[0].readings[first].position
    }

    /// The moves since the root, oldest first.
    pub fn tail(&self) -> Vec<Step<'_>> {
        self.stands.steps(self.shown, 0)
    }

    /// How many they are.
    pub fn plies(&self) -> usize {
        self.stands.plies(self.shown, 0)
    }

    /// Whether one of the last moves of the tail, of so many at most, was worked out.
    pub fn has_worked_out_among(&self, last: usize) -> bool {
        let readings = self.stands.chain_back(self.shown, 0);
        let readings = readings.map(|(at, way)| &self.stands[at].readings[way]);
        let moves = readings.flat_map(|it| it.line.iter().map(|_| it.confidence));
        moves.take(last).any(|it| it == Confidence::Inferred)
    }

    /// The position before the last move of the tail, or the root's.
    pub fn before_last(&self) -> Chess {
        let Some((at, way)) = self.stands.chain_back(self.shown, 0).next() else {
            return self.stands[0].position().clone();
        };
        let Stand { parent, readings, .. } = &self.stands[at];
        let Reading { from, line, .. } = &readings[way];
        let before = &line[..line.len().saturating_sub(1)];
        if before.is_empty() && *parent == 0 {
            return self.stands[0].position().clone();
        }
        let start = self.stands[*parent].readings[*from].position.clone();
        before.iter().fold(start, |position, mv| candidates::after(&position, *mv))
    }

    /// The squares show exactly the position the score ends in.
    pub fn agrees(&self) -> bool {
        self.standing == Some(self.shown)
    }

    /// Since when nothing explains the picture.
    pub fn lost(&self) -> Option<Lost> {
        self.lost
    }

    pub fn deadline(&self) -> Option<Moment> {
        self.settles.into_iter().chain(self.gap_at).min()
    }

    /// What is shown, and how it is read.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.shown, self.stands[self.shown].readings.len())
    }

    /// Whether more than one move led to this picture since the one before, or a report was lost.
    pub(super) fn was_skipped(&self, stand: usize) -> bool {
        self.stands[stand].readings[0].line.len() > 1 || self.was_guessed(stand)
    }

    /// Where the moves begin that may still be given up: not those for which the clock was pressed,
    /// nor those after which the same player has moved again, nor one that rested and was answered.
    pub(super) fn open_from(&self) -> usize {
        if let Some(at) =
            self.doubts.corrected.filter(|&at| self.stands.comes_after(self.shown, at))
        {
            return at;
        }
        let last = self.doubts.trunk.unwrap_or(self.shown);
        if self.stands[last].pressed {
            return last;
        }
        let parent = self.stands[last].parent;
        let before = &self.stands[parent];
        if before.pressed || before.rested { parent } else { before.parent }
    }

    pub(super) fn is_half_done(&self, stand: usize, picture: &Picture) -> bool {
        let reading = &self.stands[stand].readings[0];
        candidates::unfinished(&reading.position, &reading.corrected(picture))
    }

    /// Whether this picture comes after what is shown: the reply has proved it.
    pub(super) fn goes_on_from_shown(&self, stand: usize) -> bool {
        stand != self.shown && self.stands.comes_after(stand, self.shown)
    }
}
