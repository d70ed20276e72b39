//! The tree of pictures that have stood on the board since the last move that can no longer
//! change, each read as moves: as one as a rule, as several where the order does not tell.

use std::borrow::Cow;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Chess, Move, Position};

use super::stale::Stale;
use crate::candidates;
use crate::keep::keep;
use crate::score::Confidence;

/// Pictures remembered beside the path; hands that wander more than this start to forget.
const STANDS_MAX: usize = 64;

/// One way to read a picture.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// Which reading of the picture before it goes on from.
    pub from: usize,
    /// The moves between: one, or more if some were missed.
    pub line: Vec<Move>,
    /// The position after them.
    pub position: Chess,
    /// Seen on the squares, or worked out.
    pub confidence: Confidence,
    /// Squares that look otherwise, because their reports were lost.
    pub stale: Stale,
}

keep!(Reading { line, position; from, confidence, stale });

impl Reading {
    /// This reading is the `way`-th of its picture: the one that goes on from it by these moves.
    pub fn then(&self, way: usize, line: Vec<Move>, confidence: Confidence) -> Self {
        let start = self.position.clone();
        let position = line.iter().fold(start, |at, &mv| candidates::after(&at, mv));
        Self { from: way, line, position, confidence, stale: self.stale }
    }
}

/// One picture that has stood on the board.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Stand {
    /// The picture before.
    pub parent: usize,
    /// When it last appeared.
    pub seen: Moment,
    /// The clock was pressed while it stood: its last move is completed.
    pub pressed: bool,
    /// It once stood for as long as a move that is made rests.
    pub rested: bool,
    /// Every square was reported as it is after its moves.
    pub shown_whole: bool,
    /// Other lines may lead here that nobody has found.
    pub unproven: bool,
    /// It was seen to come about in an order in which no legal moves lead here.
    pub contradicted: bool,
    /// What it may mean, the likeliest first. Never empty.
    pub readings: Vec<Reading>,
}

impl Stand {
    fn new(now: Moment, parent: usize, readings: Vec<Reading>) -> Self {
        Self {
            parent,
            seen: now,
            pressed: false,
            rested: false,
            shown_whole: false,
            unproven: false,
            contradicted: false,
            readings,
        }
    }

    /// The likeliest position.
    pub fn position(&self) -> &Chess {
        &self.readings[0].position
    }

    /// Whether every reading leads to the same position.
    pub fn is_certain(&self) -> bool {
        self.readings.iter().all(|it| it.position == self.readings[0].position)
    }
}

/// One move on the way to a picture.
#[derive(Clone, Debug)]
pub(crate) struct Step<'a> {
    /// The move.
    pub mv: Move,
    /// Seen, or worked out.
    pub confidence: Confidence,
    /// The position after it.
    pub position: Cow<'a, Chess>,
}

/// The tree. Index 0 is the root; parents come before their children.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Stands(Vec<Stand>);

impl std::ops::Index<usize> for Stands {
    type Output = Stand;

    fn index(&self, index: usize) -> &Stand {
        &self.0[index]
    }
}

impl std::ops::IndexMut<usize> for Stands {
    fn index_mut(&mut self, index: usize) -> &mut Stand {
        &mut self.0[index]
    }
}

impl Stands {
    /// A tree that begins with these positions; only one of them is true.
    pub fn new(now: Moment, positions: Vec<Chess>) -> Self {
        let reading = |position| Reading {
            from: 0,
            line: Vec::new(),
            position,
            confidence: Confidence::Seen,
            stale: Stale::default(),
        };
        let readings = positions.into_iter().map(reading).collect();
        Self(vec![Stand::new(now, 0, readings)])
    }

    pub fn all(&self) -> &[Stand] {
        &self.0
    }

    pub fn push(&mut self, now: Moment, parent: usize, readings: Vec<Reading>) -> usize {
        self.0.push(Stand::new(now, parent, readings));
        self.0.len() - 1
    }

    /// Whether nothing has come after this picture yet.
    pub fn is_leaf(&self, stand: usize) -> bool {
        !self.0.iter().skip(1).any(|it| it.parent == stand)
    }

    /// Every picture but this one, the latest first.
    pub fn others(&self, than: usize) -> Vec<usize> {
        let mut others: Vec<_> = (0..self.0.len()).filter(|&it| it != than).collect();
        others.sort_by_key(|&stand| std::cmp::Reverse(self.0[stand].seen));
        others
    }

    /// From this picture to the root, both included.
    pub fn back_from(&self, stand: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(stand), |&at| (at != 0).then(|| self.0[at].parent))
    }

    /// Whether the one came after the other, or is the same.
    pub fn comes_after(&self, stand: usize, other: usize) -> bool {
        self.back_from(stand).take_while(|at| *at >= other).any(|at| at == other)
    }

    /// The moves from the root to one reading of a picture.
    pub fn moves(&self, stand: usize, reading: usize) -> Vec<Move> {
        let chain = self.chain(stand, reading).into_iter();
        chain.flat_map(|(at, way)| self.0[at].readings[way].line.iter().copied()).collect()
    }

    /// The moves from the root to one reading of a picture, each with what is known of it.
    pub fn steps(&self, stand: usize, reading: usize) -> Vec<Step<'_>> {
        let chain = self.chain(stand, reading);
        let mut steps = Vec::with_capacity(chain.len());
        let mut before = &self.0[0].readings[self.root_of(stand, reading)].position;
        for (stand, reading) in chain {
            let Reading { line, confidence, position: after, .. } =
                &self.0[stand].readings[reading];
            let Some((last, missed)) = line.split_last() else { continue };
            if !missed.is_empty() {
                let mut position = before.clone();
                for &mv in missed {
                    position.play_unchecked(mv);
                    let position = Cow::Owned(position.clone());
                    steps.push(Step { mv, confidence: *confidence, position });
                }
            }
            before = after;
            let position = Cow::Borrowed(after);
            steps.push(Step { mv: *last, confidence: *confidence, position });
        }
        steps
    }

    /// How many moves lead from the root to one reading of a picture.
    pub fn plies(&self, stand: usize, reading: usize) -> usize {
        let chain = self.chain_back(stand, reading);
        chain.map(|(at, way)| self.0[at].readings[way].line.len()).sum()
    }

    /// The pictures from the root's child to this one, each with its reading.
    pub fn chain(&self, stand: usize, reading: usize) -> Vec<(usize, usize)> {
        let mut chain = Vec::with_capacity(self.chain_back(stand, reading).count());
        chain.extend(self.chain_back(stand, reading));
        chain.reverse();
        chain
    }

    /// The same, the last one first.
    pub fn chain_back(&self, stand: usize, reading: usize) -> impl Iterator<Item = (usize, usize)> {
        let before = |(stand, reading): (usize, usize)| {
            let stand = &self.0[stand];
            (stand.parent, stand.readings[reading].from)
        };
        let not_root = |at: &(usize, usize)| at.0 != 0;
        std::iter::successors(Some((stand, reading)).filter(not_root), move |&at| {
            Some(before(at)).filter(not_root)
        })
    }

    /// How many of the moves that lead to this picture were seen one by one. After each of them
    /// every square looked as it should, and nothing else explains that.
    pub fn seen_one_by_one(&self, stand: usize) -> usize {
        let seen = |&(at, _): &(usize, usize)| {
            let stand = &self.0[at];
            let sure = stand.shown_whole && !stand.unproven && !stand.contradicted;
            let [only] = &stand.readings[..] else { return false };
            sure && only.confidence == Confidence::Seen && only.line.len() == 1
        };
        self.chain(stand, 0).iter().take_while(|it| seen(it)).count()
    }

    /// From which of the root's readings this one goes on.
    pub fn root_of(&self, stand: usize, reading: usize) -> usize {
        let first = self.chain_back(stand, reading).last();
        first.map_or(reading, |(stand, reading)| self.0[stand].readings[reading].from)
    }

    /// The latest picture before this one after which at least `keep` moves come and through which
    /// all readings of this one go the same way; with that way, and how many moves lead to it.
    pub fn settled(&self, stand: usize, keep: usize) -> Option<(usize, usize, usize)> {
        let all = self.plies(stand, 0);
        if all < keep {
            return None;
        }
        let path = self.chain(stand, 0);
        let lengths = path.iter().map(|&(at, way)| self.0[at].readings[way].line.len());
        let others: Vec<_> =
            (1..self.0[stand].readings.len()).map(|other| self.chain(stand, other)).collect();
        let mut best = None;
        let mut plies = 0;
        for (&(at, way), length) in path.iter().zip(lengths) {
            plies += length;
            let same = others.iter().all(|other| other.contains(&(at, way)));
            if all - plies < keep || !same {
                break;
            }
            best = Some((at, way, plies));
        }
        best
    }

    /// Makes one reading of a picture the root and keeps what comes after it. Returns where each
    /// picture is now.
    pub fn reroot(&mut self, root: usize, reading: usize) -> Vec<Option<usize>> {
        // Where each picture is now, and each reading of it.
        let mut moved = vec![None; self.0.len()];
        let mut ways = Ways::with_room_for(self.0.len());
        let (mut index, mut kept) = (0, 0);
        self.0.retain_mut(|stand| {
            let (at, parent) = (index, stand.parent);
            index += 1;
            let mut way = 0;
            let mut left = 0;
            if at == root {
                stand.parent = 0;
                stand.readings.retain_mut(|it| {
                    way += 1;
                    (it.from, it.line) = (0, Vec::new());
                    ways.push((way == reading + 1).then_some(0));
                    way == reading + 1
                });
                moved[at] = Some(0);
            } else if let Some(parent_now) = moved[parent].filter(|_| at > root) {
                stand.parent = parent_now;
                stand.readings.retain_mut(|it| {
                    let from = ways.of(parent, it.from);
                    ways.push(from.map(|_| left));
                    left += usize::from(from.is_some());
                    it.from = from.unwrap_or_default();
                    from.is_some()
                });
                moved[at] = (left > 0).then_some(kept);
            }
            ways.end();
            kept += usize::from(moved[at].is_some());
            moved[at].is_some()
        });
        moved
    }

    /// Forgets what wandering hands have left beside these pictures and the way to them, if that is
    /// too much.
    pub fn forget_beside(&mut self, wanted: &[usize]) -> Option<Vec<Option<usize>>> {
        if self.0.len() <= STANDS_MAX {
            return None;
        }
        let path: Vec<_> = wanted.iter().flat_map(|&it| self.back_from(it)).collect();
        if self.0.len() <= STANDS_MAX + path.len() {
            return None;
        }
        let mut moved = vec![None; self.0.len()];
        let mut kept = Vec::new();
        for (index, stand) in std::mem::take(&mut self.0).into_iter().enumerate() {
            let parent = if index == 0 { Some(0) } else { moved[stand.parent] };
            if let Some(parent) = parent.filter(|_| path.contains(&index)) {
                moved[index] = Some(kept.len());
                kept.push(Stand { parent, ..stand });
            }
        }
        self.0 = kept;
        Some(moved)
    }
}

/// Where each reading of each picture is after others are gone.
struct Ways {
    all: Vec<Option<usize>>,
    /// Where those of each picture end.
    ends: Vec<usize>,
}

impl Ways {
    fn with_room_for(stands: usize) -> Self {
        Self { all: Vec::with_capacity(stands), ends: Vec::with_capacity(stands) }
    }

    /// The next reading of the picture that is looked at.
    fn push(&mut self, now: Option<usize>) {
        self.all.push(now);
    }

    /// The picture that is looked at has no more of them.
    fn end(&mut self) {
        self.ends.push(self.all.len());
    }

    fn of(&self, stand: usize, reading: usize) -> Option<usize> {
        let begin = stand.checked_sub(1).map_or(0, |before| self.ends[before]);
        *self.all[begin..self.ends[stand]].get(reading)?
    }
}
