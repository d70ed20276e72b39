//! What the squares do not tell: the moves that can be read in more than one way.

use shakmaty::{Chess, Move};

use super::Tracker;
use crate::candidates::LINES_MAX;

/// Moves of which the squares do not tell which were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubtful {
    /// How many moves of the tail are beyond doubt.
    pub after: usize,
    /// The position after them.
    pub position: Chess,
    /// What may have been played from there, the likeliest first.
    pub lines: Vec<Vec<Move>>,
}

impl Tracker {
    /// The lines that would explain a picture of which the order does not tell, and which is not
    /// believed for that reason.
    pub fn candidates(&self) -> Option<Doubtful> {
        self.open.and_then(|stand| self.ways_to(stand))
    }

    /// The last moves of the score, if the squares fit others as well.
    pub fn doubtful(&self) -> Option<Doubtful> {
        self.ways_to(self.shown)
    }

    /// Moves may have been made that no picture will show.
    pub fn leave_undecided(&mut self) {
        self.undecided = true;
    }

    /// Whether moves were settled of which the squares could not tell the order.
    pub fn is_undecided(&self) -> bool {
        self.undecided
    }

    fn ways_to(&self, stand: usize) -> Option<Doubtful> {
        let readings = self.stands[stand].readings.len();
        if readings < 2 {
            return None;
        }
        let lines: Vec<_> = (0..readings).map(|way| self.stands.steps(stand, way)).collect();
        let first = &lines[0];
        let same = |index: usize| {
            lines.iter().all(|line| line.get(index).is_some_and(|it| alike(it.mv, first[index].mv)))
        };
        let after = (0..first.len()).take_while(|&index| same(index)).count();
        let position = match after.checked_sub(1) {
            Some(last) => first[last].position.clone(),
            None => self.stands[0].position().clone(),
        };
        let mut rest: Vec<Vec<Move>> = Vec::new();
        for line in &lines {
            let line: Vec<_> = line[after..].iter().map(|step| step.mv).collect();
            let told = |other: &Vec<Move>| {
                other.len() == line.len()
                    && other.iter().zip(&line).all(|(one, other)| alike(*one, *other))
            };
            if !rest.iter().any(told) {
                rest.push(line);
            }
        }
        rest.truncate(LINES_MAX);
        (rest.len() > 1).then_some(Doubtful { after, position, lines: rest })
    }
}

/// Whether two moves differ at most in what a pawn becomes: a queen, if nobody sees it.
fn alike(one: Move, other: Move) -> bool {
    one.from() == other.from() && one.to() == other.to()
}
