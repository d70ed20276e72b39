//! The quick way to a mate: down the moves that seem to lead there, one position at a time. It can
//! find a mate and cannot rule one out.

use std::collections::VecDeque;

use shakmaty::{Chess, Color, Move, Position};

use super::guide::{FARTHEST, Guide};
use super::packed::Packed;

#[derive(Clone, Debug)]
struct Step {
    position: Chess,
    packed: Packed,
    parent: u32,
    mv: Option<Move>,
}

/// A move not yet made, of a position in `steps`.
type Pending = (u32, Move);

#[derive(Clone, Debug)]
pub(super) struct Dive {
    winner: Color,
    steps: Vec<Step>,
    /// Open addressing: indices of `steps`, its length a power of two.
    table: Vec<u32>,
    queues: Vec<VecDeque<Pending>>,
    turns: u32,
    nearest: usize,
    /// A move that mates in the last of `steps`.
    mating: Option<Move>,
}

const NO_STEP: u32 = u32::MAX;
/// Of so many moves that seem equally good, one is the oldest and not the newest.
const OLD_EACH: u32 = 8;

impl Dive {
    /// For at most `most` positions.
    pub fn new(root: &Chess, winner: Color, most: usize) -> Self {
        let mut dive = Self {
            winner,
            steps: Vec::with_capacity(64),
            table: vec![NO_STEP; (2 * most).next_power_of_two()],
            queues: vec![VecDeque::new(); FARTHEST + 1],
            turns: 0,
            nearest: FARTHEST,
            mating: None,
        };
        dive.enter(root.clone(), NO_STEP, None);
        dive
    }

    /// Makes one position more: `Some(moves)` if it is mate. `None` also when there is none left;
    /// `exhausted` distinguishes that.
    pub fn step(&mut self) -> Option<Vec<Move>> {
        if self.mating.is_some() {
            return Some(self.line());
        }
        let (parent, mv) = self.next()?;
        let mut position = self.steps[parent as usize].position.clone();
        position.play_unchecked(mv);
        self.enter(position, parent, Some(mv)).then(|| self.line())
    }

    pub fn exhausted(&self) -> bool {
        self.nearest > FARTHEST || self.steps.len() * 2 >= self.table.len()
    }

    fn next(&mut self) -> Option<Pending> {
        while self.nearest <= FARTHEST {
            self.turns += 1;
            let queue = &mut self.queues[self.nearest];
            let old = self.turns.is_multiple_of(OLD_EACH);
            let pending = if old { queue.pop_front() } else { queue.pop_back() };
            if let Some(pending) = pending {
                return Some(pending);
            }
            self.nearest += 1;
        }
        None
    }

    /// Whether it is mate.
    fn enter(&mut self, position: Chess, parent: u32, mv: Option<Move>) -> bool {
        let packed = Packed::of(&position);
        let mask = self.table.len() - 1;
        let mut slot = packed.hash() as usize & mask;
        while let Some(step) = self.steps.get(self.table[slot] as usize) {
            if step.packed == packed {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        let index = self.steps.len() as u32;
        self.table[slot] = index;
        let moves = position.legal_moves();
        let mate = moves.is_empty() && position.turn() != self.winner && position.is_check();
        if let Some(guide) = Guide::new(&position, self.winner) {
            for mv in moves {
                if guide.may_mate(mv) && mates(&position, mv) {
                    self.mating = Some(mv);
                }
                let distance = guide.after(mv);
                self.queues[distance].push_back((index, mv));
                self.nearest = self.nearest.min(distance);
            }
        }
        self.steps.push(Step { position, packed, parent, mv });
        mate || self.mating.is_some()
    }

    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut step = self.steps.last();
        while let Some(Step { parent, mv: Some(mv), .. }) = step {
            line.push(*mv);
            step = self.steps.get(*parent as usize);
        }
        line.reverse();
        line.extend(self.mating);
        line
    }
}

fn mates(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_checkmate()
}
