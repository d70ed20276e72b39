//! All positions that legal moves can lead to, the likeliest first, each once: until one is mate,
//! until there is none left, or until the effort is spent.

use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use super::dive::Dive;
use super::guide::{self, FARTHEST};
use super::packed::{Packed, PackedMove};
use super::pattern::{mate_conceivable, material_conceivable};
use super::reach::Reach;
use crate::laws::illegal;

/// Nodes that an analysis of [`Reach`] is counted as: about what it costs.
const REACH_COST: u64 = 8;
/// Positions of a dive before the first analysis of [`Reach`]: most questions are answered by then.
const BEFORE_REACH: u64 = 200;
/// Positions of a dive in all.
const DIVE: u64 = 2_000;
/// Of so many positions looked at, one is the oldest and not the likeliest: guesses may mislead.
const OLDEST_EACH: u64 = 4;

const NO_NODE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    packed: Packed,
    parent: u32,
    mv: PackedMove,
    /// Its moves have been looked at.
    expanded: bool,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Not yet anything.
    Nothing,
    /// These moves lead to mate.
    Mate(Vec<Move>),
    /// Every position has been looked at.
    NoMate,
    /// It cannot go on.
    Stuck,
}

/// A search that can be interrupted at any node.
#[derive(Clone, Debug)]
pub(super) struct Search {
    winner: Color,
    root: Chess,
    mode: CastlingMode,
    nodes: Vec<Node>,
    /// Open addressing: indices of `nodes`, its length a power of two.
    table: Vec<u32>,
    /// Not yet looked at, by guessed distance.
    queues: Vec<Vec<u32>>,
    /// No queue before this has anything.
    nearest: usize,
    /// All nodes before it have been looked at.
    oldest: u32,
    turns: u64,
    /// Positions made, the measure of effort.
    pub spent: u64,
    reached: bool,
    dive: Option<Dive>,
    pub found: Found,
}

impl Search {
    pub fn new(root: &Chess, winner: Color) -> Self {
        let mut search = Self {
            winner,
            root: root.clone(),
            mode: root.castles().mode(),
            nodes: Vec::new(),
            table: vec![NO_NODE; 512],
            queues: vec![Vec::new(); FARTHEST + 1],
            nearest: FARTHEST,
            oldest: 0,
            turns: 0,
            spent: 0,
            reached: false,
            dive: None,
            found: Found::Nothing,
        };
        if illegal::cannot_arise(root) {
            search.found = Found::Stuck;
        } else if search.is_mate(root) {
            search.found = Found::Mate(Vec::new());
        } else if !material_conceivable(root.board(), winner) {
            search.found = Found::NoMate;
        } else {
            search.dive = Some(Dive::new(root, winner, DIVE as usize));
        }
        search
    }

    /// Goes on until something is found or `limit` nodes are spent in all.
    pub fn advance(&mut self, limit: u64) {
        while self.found == Found::Nothing && self.spent < limit {
            if !self.reached && self.spent >= BEFORE_REACH {
                self.reached = true;
                if !self.conceivable(&self.root.clone()) {
                    self.found = Found::NoMate;
                    return;
                }
            }
            if self.dive.is_some() {
                self.plunge();
                continue;
            }
            match self.next() {
                Some(index) => self.expand(index),
                None => self.found = Found::NoMate,
            }
        }
    }

    fn plunge(&mut self) {
        let Some(dive) = &mut self.dive else { return };
        self.spent += 1;
        if let Some(line) = dive.step() {
            self.found = Found::Mate(line);
        } else if dive.exhausted() || self.spent >= DIVE {
            self.dive = None;
            self.spent = self.spent.max(BEFORE_REACH);
            let root = self.root.clone();
            self.enter(&root, NO_NODE, PackedMove::NONE, false);
        }
    }

    /// The moves to a node, or nothing if they cannot be found again.
    fn line(&self, mate: u32) -> Option<Vec<Move>> {
        let mut packed = Vec::new();
        let mut index = mate;
        while let Some(node) = self.nodes.get(index as usize) {
            packed.push(node.mv);
            index = node.parent;
        }
        let mut position = self.root.clone();
        let mut line = Vec::new();
        // The last is the root, which no move led to.
        for mv in packed.into_iter().rev().skip(1) {
            let mv = mv.unpack(&position)?;
            position.play_unchecked(mv);
            line.push(mv);
        }
        self.is_mate(&position).then_some(line)
    }

    fn is_mate(&self, position: &Chess) -> bool {
        position.turn() != self.winner && position.is_checkmate()
    }

    fn next(&mut self) -> Option<u32> {
        self.turns += 1;
        if self.turns.is_multiple_of(OLDEST_EACH) {
            return self.oldest();
        }
        while self.nearest <= FARTHEST {
            while let Some(index) = self.queues[self.nearest].pop() {
                if !self.nodes[index as usize].expanded {
                    return Some(index);
                }
            }
            self.nearest += 1;
        }
        None
    }

    fn oldest(&mut self) -> Option<u32> {
        while let Some(node) = self.nodes.get(self.oldest as usize) {
            self.oldest += 1;
            if !node.expanded {
                return Some(self.oldest - 1);
            }
        }
        None
    }

    fn expand(&mut self, index: u32) {
        let node = &mut self.nodes[index as usize];
        node.expanded = true;
        let Some(position) = node.packed.unpack(self.mode) else {
            self.found = Found::Stuck;
            return;
        };
        for mv in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(mv);
            self.spent += 1;
            let for_good = mv.is_zeroing() || mv.is_castle();
            let entered = self.enter(&child, index, PackedMove::of(mv), for_good);
            if let Some(entered) = entered
                && self.is_mate(&child)
            {
                self.found = self.line(entered).map_or(Found::Stuck, Found::Mate);
                return;
            }
        }
    }

    /// Makes a node of a position, unless it is known or a mate can never come of it.
    fn enter(&mut self, at: &Chess, parent: u32, mv: PackedMove, for_good: bool) -> Option<u32> {
        let packed = Packed::of(at);
        let slot = self.slot(&packed);
        if self.table[slot] != NO_NODE {
            return None;
        }
        if self.nodes.len() >= (NO_NODE - 1) as usize {
            self.found = Found::Stuck;
            return None;
        }
        let index = self.nodes.len() as u32;
        self.table[slot] = index;
        let hopeless = for_good && self.hopeless(at);
        self.nodes.push(Node { packed, parent, mv, expanded: hopeless });
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        if !hopeless {
            let distance = guide::distance(at, self.winner);
            self.queues[distance].push(index);
            self.nearest = self.nearest.min(distance);
        }
        Some(index)
    }

    fn hopeless(&mut self, position: &Chess) -> bool {
        !material_conceivable(position.board(), self.winner)
            || self.reached && !self.conceivable(position)
    }

    fn conceivable(&mut self, position: &Chess) -> bool {
        self.spent += REACH_COST;
        mate_conceivable(&Reach::of(position), self.winner) || self.mates_at_once(position)
    }

    fn mates_at_once(&self, position: &Chess) -> bool {
        position.turn() == self.winner
            && position.legal_moves().into_iter().any(|mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                after.is_checkmate()
            })
    }

    /// Where the position is in the table, or belongs.
    fn slot(&self, packed: &Packed) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = packed.hash() as usize & mask;
        loop {
            match self.nodes.get(self.table[slot] as usize) {
                Some(node) if node.packed != *packed => slot = (slot + 1) & mask,
                _ => return slot,
            }
        }
    }

    fn grow(&mut self) {
        self.table = vec![NO_NODE; self.table.len() * 2];
        for index in 0..self.nodes.len() {
            let slot = self.slot(&self.nodes[index].packed);
            self.table[slot] = index as u32;
        }
    }
}
