//! From pictures to moves: the tree of positions that have really stood on the board since the
//! last move that can no longer change. Knows legal play only; what is illegal is the Laws' matter.
//!
//! The root is the last fixed position. Every picture that one legal move reaches from any
//! position of the tree becomes a node; the node believed in is `shown`, and the path from the root
//! to it is the tail of the score. A press, or enough later moves, moves the root forward. So a
//! slide can go on, a move can be taken back, and a reply can come before either is settled,
//! without a guess at any time.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Board, Chess, Color, Move, Position};

use crate::candidates::{self, LINES_MAX};
use crate::score::Confidence;
use crate::signal;

/// Moves by either side that may still change when no clock fixes them.
const TAIL_MAX: usize = 6;
/// Positions remembered beside the path; hands that wander more than this start to forget.
const NODES_MAX: usize = 48;
/// How many moves may have been missed and still be found again.
const GAP_MAX: usize = 3;

/// One position that has stood on the board.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    parent: usize,
    /// The move that led here; none for the root.
    pub mv: Option<Move>,
    /// The position after it.
    pub position: Chess,
    /// Seen on the squares, or worked out.
    pub confidence: Confidence,
    /// When its picture last appeared.
    pub seen: Moment,
}

/// A picture nothing in the tree explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub since: Moment,
    /// A move may be half done: pieces lifted, castling with one piece, a captured pawn left.
    pub unfinished: bool,
}

/// How long a picture must rest before it is believed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits {
    /// When it may be the passage to something longer.
    pub settle: Duration,
    /// Before missed moves are looked for; none: the picture is explained otherwise.
    pub gap: Option<Duration>,
    /// A mate or stalemate that may be the passage to something else.
    pub end: Duration,
    /// When a king's move to the centre may be the sign of a result: the clock stands.
    pub trip: Option<Duration>,
}

/// The recogniser of one game.
#[derive(Clone, Debug)]
pub(crate) struct Tracker {
    nodes: Vec<Node>,
    shown: usize,
    standing: Option<usize>,
    /// A node that stands there, or stood there last, and is not believed yet.
    pending: Option<usize>,
    /// When it is to be believed if it goes on standing.
    settles: Option<Moment>,
    lost: Option<Lost>,
    gap_at: Option<Moment>,
    candidates: Vec<Vec<Move>>,
}

impl Tracker {
    pub fn new(now: Moment, position: Chess) -> Self {
        let confidence = Confidence::Seen;
        let root = Node { parent: 0, mv: None, position, confidence, seen: now };
        Self {
            nodes: vec![root],
            shown: 0,
            standing: Some(0),
            pending: None,
            settles: None,
            lost: None,
            gap_at: None,
            candidates: Vec::new(),
        }
    }

    /// The position the score ends in.
    pub fn position(&self) -> &Chess {
        &self.nodes[self.shown].position
    }

    /// The moves since the root, oldest first.
    pub fn tail(&self) -> Vec<&Node> {
        self.path(self.shown).into_iter().skip(1).map(|index| &self.nodes[index]).collect()
    }

    /// The position before the last move of the tail, or the root.
    pub fn before_last(&self) -> &Chess {
        &self.nodes[self.nodes[self.shown].parent].position
    }

    /// The squares show exactly the position the score ends in.
    pub fn agrees(&self) -> bool {
        self.standing == Some(self.shown)
    }

    /// Since when nothing explains the picture.
    pub fn lost(&self) -> Option<Lost> {
        self.lost
    }

    /// Whether this picture is a legal position after a move by this side, or such a position has
    /// come to stand there since that moment.
    pub fn has_stood(&self, picture: &Board, by: Color, since: Moment) -> bool {
        self.nodes.iter().any(|node| {
            let moved = node.position.turn() == by.other();
            moved && (node.position.board() == picture || node.mv.is_some() && node.seen > since)
        })
    }

    /// The lines that would explain a picture of which the order does not tell.
    pub fn candidates(&self) -> &[Vec<Move>] {
        &self.candidates
    }

    /// The squares changed. Tells whether the tail is another one now.
    pub fn see(&mut self, now: Moment, picture: &Board, waits: Waits) -> bool {
        let before = self.shown;
        self.standing = self.find(now, picture);
        self.settles = None;
        match self.standing {
            Some(standing) => {
                self.pending = None;
                self.nodes[standing].seen = now;
                self.found();
                self.believe_if_final(now, standing, waits);
            }
            None => {
                self.believe_if_answered(picture);
                self.find_answered(now, picture, waits);
                self.lose(now, picture, waits.gap);
            }
        }
        before != self.shown
    }

    /// A deadline came. Tells whether the tail is another one now.
    pub fn due(&mut self, now: Moment, picture: &Board) -> bool {
        let before = self.shown;
        if self.settles.is_some_and(|at| at <= now) {
            self.settles = None;
            self.shown = self.standing.unwrap_or(self.shown);
        }
        if self.gap_at.is_some_and(|at| at <= now) {
            self.gap_at = None;
            self.bridge(now, picture);
        }
        before != self.shown
    }

    /// A clock was pressed: what stands there was meant, or what this side put there last if hands
    /// are over the board again. Tells whether the tail is another one now.
    pub fn pressed(&mut self, by: Color, picture: &Board) -> bool {
        let before = self.shown;
        let left = self.pending.filter(|&node| self.has_moved(node, by, picture));
        self.shown = self.standing.or(left).unwrap_or(self.shown);
        (self.settles, self.pending) = (None, None);
        before != self.shown
    }

    /// A scan has brought in another move of this side after the press: that one was meant. Tells
    /// whether the tail is another one now.
    pub fn came_late(&mut self, by: Color, pressed: Moment) -> bool {
        let late = self.pending.filter(|&node| {
            self.nodes[node].position.turn() == by.other() && self.nodes[node].seen > pressed
        });
        let Some(late) = late else { return false };
        self.shown = late;
        (self.settles, self.pending) = (None, None);
        true
    }

    /// Everything up to the last move of this side can no longer change. Gives how many moves that
    /// were.
    pub fn fix_through(&mut self, side: Color) -> usize {
        let path = self.path(self.shown);
        let last = path.iter().rposition(|&node| self.nodes[node].position.turn() == side.other());
        match last {
            Some(plies) if plies > 0 => self.reroot(path[plies], plies),
            _ => 0,
        }
    }

    /// Keeps the tail short. Gives how many moves have been fixed by it.
    pub fn fix_old(&mut self) -> usize {
        let path = self.path(self.shown);
        let plies = path.len() - 1;
        if plies > TAIL_MAX {
            let fixed = plies - TAIL_MAX;
            return self.reroot(path[fixed], fixed);
        }
        if self.nodes.len() > NODES_MAX {
            self.reroot(0, 0);
        }
        0
    }

    /// Gives up the last `plies` moves of the tail, as when they were no moves at all.
    pub fn drop_last(&mut self, plies: usize) {
        for _ in 0..plies {
            self.shown = self.nodes[self.shown].parent;
        }
        (self.settles, self.pending) = (None, None);
        if self.standing.is_some_and(|standing| standing != self.shown) {
            self.standing = None;
        }
    }

    pub fn deadline(&self) -> Option<Moment> {
        self.settles.into_iter().chain(self.gap_at).min()
    }

    /// The most recent explanation first: what is shown, its move just undone, a move on from it,
    /// then the same of everything that stood there before, the latest first.
    fn find(&mut self, now: Moment, picture: &Board) -> Option<usize> {
        let parent = self.nodes[self.shown].parent;
        for node in [self.shown, parent] {
            if self.nodes[node].position.board() == picture {
                return Some(node);
            }
        }
        if let Some(child) = self.child(now, self.shown, picture) {
            return Some(child);
        }
        let mut others: Vec<_> = (0..self.nodes.len()).filter(|&it| it != self.shown).collect();
        others.sort_by_key(|&node| std::cmp::Reverse(self.nodes[node].seen));
        let same = others.iter().find(|&&it| self.nodes[it].position.board() == picture);
        same.copied().or_else(|| others.into_iter().find_map(|it| self.child(now, it, picture)))
    }

    fn child(&mut self, now: Moment, parent: usize, picture: &Board) -> Option<usize> {
        let mv = candidates::single(&self.nodes[parent].position, picture)?;
        Some(self.grow(now, parent, mv, Confidence::Seen))
    }

    fn grow(&mut self, now: Moment, parent: usize, mv: Move, confidence: Confidence) -> usize {
        let position = candidates::after(&self.nodes[parent].position, mv);
        self.nodes.push(Node { parent, mv: Some(mv), position, confidence, seen: now });
        self.nodes.len() - 1
    }

    /// What builds on a position proves it; a picture that cannot go on needs no rest either.
    fn believe_if_final(&mut self, now: Moment, standing: usize, waits: Waits) {
        if standing == self.shown {
            return;
        }
        let node = &self.nodes[standing];
        let parent = &self.nodes[node.parent];
        let taken_back = self.back_from(self.shown).any(|node| node == standing);
        let passage = node.mv.is_none_or(|mv| candidates::extendable(&parent.position, mv));
        let trip = waits.trip.filter(|_| node.mv.is_some_and(signal::may_be_a_trip));
        if taken_back || passage || trip.is_some() {
            if node.parent != self.shown && !taken_back && self.on_path_of(node.parent) {
                self.shown = node.parent;
            }
            let rest = if node.position.is_game_over() { waits.end } else { waits.settle };
            self.settles = Some(now + trip.unwrap_or(rest));
            self.pending = (!taken_back && trip.is_none()).then_some(standing);
        } else {
            self.shown = standing;
        }
    }

    /// The opponent has begun to move: a move that has not rested long enough was one all the same.
    fn believe_if_answered(&mut self, picture: &Board) {
        let Some(pending) = self.pending else { return };
        let turn = self.nodes[pending].position.turn();
        let board = self.nodes[pending].position.board();
        let lifted = board.by_color(turn) & !picture.by_color(turn);
        if lifted.any() && self.has_moved(pending, turn.other(), picture) {
            self.shown = pending;
            self.pending = None;
        }
    }

    /// The opponent has lifted something before the board has told of the whole move: the one move
    /// that explains the rest was made.
    fn find_answered(&mut self, now: Moment, picture: &Board, waits: Waits) {
        let moves = candidates::answered(&self.nodes[self.shown].position, picture);
        if let [mv] = moves[..]
            && !(waits.trip.is_some() && signal::may_be_a_trip(mv))
        {
            self.shown = self.grow(now, self.shown, mv, Confidence::Seen);
        }
    }

    /// Whether this node's move is one of this side and its piece still stands where it was put.
    fn has_moved(&self, node: usize, side: Color, picture: &Board) -> bool {
        let Node { mv: Some(mv), position, .. } = &self.nodes[node] else { return false };
        let to = match mv.castling_side() {
            Some(castling) => castling.king_to(side),
            None => mv.to(),
        };
        position.turn() == side.other() && picture.piece_at(to) == position.board().piece_at(to)
    }

    /// Whether this node comes after what is shown: the reply has proved it.
    fn on_path_of(&self, node: usize) -> bool {
        node != self.shown && self.back_from(node).any(|it| it == self.shown)
    }

    fn found(&mut self) {
        self.lost = None;
        self.gap_at = None;
        self.candidates.clear();
    }

    fn lose(&mut self, now: Moment, picture: &Board, gap: Option<Duration>) {
        let unfinished = self.nodes.iter().any(|it| candidates::unfinished(&it.position, picture));
        let since = match self.lost {
            Some(lost) if lost.unfinished == unfinished => lost.since,
            _ => now,
        };
        self.lost = Some(Lost { since, unfinished });
        self.candidates.clear();
        self.gap_at = gap.filter(|_| !unfinished).map(|gap| now + gap);
    }

    /// Moves were missed: look for the one short line that ends in this picture.
    fn bridge(&mut self, now: Moment, picture: &Board) {
        let roots = [self.shown, 0];
        for depth in 2..=GAP_MAX {
            for root in roots {
                let lines = candidates::lines(&self.nodes[root].position, picture, depth);
                match lines.as_slice() {
                    [] => {}
                    [line] => return self.infer(now, root, line),
                    several => {
                        self.candidates = several.iter().take(LINES_MAX).cloned().collect();
                        return;
                    }
                }
            }
        }
    }

    fn infer(&mut self, now: Moment, root: usize, line: &[Move]) {
        let mut node = root;
        for &mv in line {
            node = self.grow(now, node, mv, Confidence::Inferred);
        }
        self.shown = node;
        self.standing = Some(node);
        self.found();
    }

    /// From the root to this node, both included.
    fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<_> = self.back_from(node).collect();
        path.reverse();
        path
    }

    /// From this node to the root, both included.
    fn back_from(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |&at| (at != 0).then(|| self.nodes[at].parent))
    }

    /// Makes `root` the root and keeps what comes after it, or only the path if there is too much.
    fn reroot(&mut self, root: usize, plies: usize) -> usize {
        let only_path = self.nodes.len() > NODES_MAX;
        let path = self.path(self.shown);
        let mut moved = vec![None; self.nodes.len()];
        let mut kept = Vec::new();
        for (index, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            let parent = if index == root { Some(0) } else { moved[node.parent] };
            let wanted = index == root
                || (parent.is_some() && index != 0 && (!only_path || path.contains(&index)));
            if let (true, Some(parent)) = (wanted, parent) {
                moved[index] = Some(kept.len());
                kept.push(Node { parent, ..node });
            }
        }
        kept[0].mv = None;
        self.shown = moved[self.shown].unwrap_or(0);
        self.standing = self.standing.and_then(|standing| moved[standing]);
        self.pending = self.pending.and_then(|pending| moved[pending]);
        if self.standing.is_none() {
            self.settles = None;
        }
        self.nodes = kept;
        plies
    }
}
