//! What the squares do not decide: moves that can be read in more than one way.

use shakmaty::{Chess, Move};

use super::Tracker;
use crate::candidates::LINES_MAX;

/// Moves that the squares do not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubtful {
    /// How many moves of the tail are beyond doubt.
    pub after: usize,
    /// The position after them.
    pub position: Chess,
    /// What may have been played from there, the likeliest first.
    pub lines: Vec<Vec<Move>>,
    /// They were seen in an order in which they are no legal moves.
    pub contradicted: bool,
}

impl Tracker {
    /// The lines that would explain a picture which does not show their order, and is not believed
    /// for that reason.
    pub fn candidates(&self) -> Option<Doubtful> {
        self.doubts.open.and_then(|stand| self.ways_to(stand))
    }

    /// The last moves of the score, if the squares fit others as well.
    pub fn doubtful(&self) -> Option<Doubtful> {
        self.ways_to(self.shown)
    }

    /// Moves may have been made that no picture will show.
    pub fn leave_undecided(&mut self) {
        self.doubts.undecided = true;
    }

    /// Whether moves were settled although the squares do not show their order.
    pub fn is_undecided(&self) -> bool {
        self.doubts.undecided
    }

    fn ways_to(&self, stand: usize) -> Option<Doubtful> {
        let proven = |at: usize| !self.stands[at].unproven && !self.stands[at].contradicted;
        if self.stands[stand].readings.len() == 1
            && self.doubts.disputed.is_none()
            && self.stands.back_from(stand).all(proven)
        {
            return None;
        }
        let ways = 0..self.stands[stand].readings.len();
        let lines: Vec<_> = ways.map(|way| self.stands.steps(stand, way)).collect();
        let first_unproven = self.proven(stand);
        let proven = first_unproven.into_iter().chain(self.doubts.disputed).min();
        let first = &lines[0];
        let same = |index: usize| {
            lines.iter().all(|line| line.get(index).is_some_and(|it| it.mv == first[index].mv))
        };
        let alike = (0..first.len()).take_while(|&index| same(index)).count();
        let after = proven.map_or(alike, |proven| proven.min(alike));
        let position = match after.checked_sub(1) {
            Some(last) => first[last].position.clone().into_owned(),
            None => self.stands[0].readings[self.stands.root_of(stand, 0)].position.clone(),
        };
        let mut rest: Vec<Vec<Move>> = Vec::new();
        for line in &lines {
            let line: Vec<_> = line[after..].iter().map(|step| step.mv).collect();
            if !rest.contains(&line) {
                rest.push(line);
            }
        }
        rest.truncate(LINES_MAX);
        let open = rest.len() > 1 || proven.is_some();
        let contradicted = first_unproven == Some(after)
            && self.stands.chain(stand, 0).iter().any(|&(at, _)| self.stands[at].contradicted);
        open.then_some(Doubtful { after, position, lines: rest, contradicted })
    }

    /// How many moves lead to the first picture that other lines may lead to as well, if there is
    /// one among those before this one.
    fn proven(&self, stand: usize) -> Option<usize> {
        let path = self.stands.chain(stand, 0);
        let first = path
            .iter()
            .position(|&(at, _)| self.stands[at].unproven || self.stands[at].contradicted);
        first.map(|first| {
            let before = path[..first].iter();
            before.map(|&(at, way)| self.stands[at].readings[way].line.len()).sum()
        })
    }

    /// What nobody can prove any more when the moves after it are settled.
    pub(super) fn leave_unproven(&mut self) {
        // Of the root nothing is left to prove.
        let mut path = self.stands.back_from(self.shown).take_while(|&at| at != 0);
        self.doubts.undecided |= path.any(|at| self.stands[at].unproven);
    }

    /// So many moves are settled, and what was doubted in them stays so.
    pub(super) fn leave_settled(&mut self, plies: usize) {
        let proven = self.proven(self.shown);
        self.doubts.undecided |=
            proven.into_iter().chain(self.doubts.disputed).any(|at| at < plies);
    }
}
