//! Every line of moves that fits what a blind board has shown, with its weight. Lines that lead to
//! the same position at the same moment are one from there on, and remember how they came.

use crate::blind::tolerances::HELD_LONG;
use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Chess, Move, Position};

use super::pair::{self, Pair};
use super::stroke::{self, Deeds, HELD, Stroke, Weight};
use super::watched::{Toggle, Watched};
use crate::keep::keep;
use crate::score::Confidence;

/// How much more than the lightest a line may weigh before it is given up.
const WIDTH: Weight = 44;
/// Positions that are followed at once.
pub(super) const LIVE_MAX: usize = 400;
/// Lines that weigh less than this more than the lightest may be true as well.
pub(super) const MARGIN: Weight = 9;
/// How many positions are remembered before an order that cannot be known is settled.
const NODES_MAX: usize = 4000;
/// How many positions are remembered before an order that cannot be known is settled.
pub(super) const NODES_MOST: usize = 8000;
/// Changes of squares since a position stood there that are remembered one by one.
pub(super) const TOGGLES_MAX: usize = 128;

/// A move that nobody saw.
const MISSED: Weight = 8;
/// How many squares are empty after two moves if the second captures what the first has moved, with
/// those of a reply that has begun.
const PAIR_LIFTS: std::ops::RangeInclusive<usize> = 2..=4;

/// How a position was reached.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub parent: usize,
    pub mv: Move,
    pub confidence: Confidence,
    /// Of the whole line.
    pub weight: Weight,
}

keep!(Way { mv; parent, confidence, weight });

/// A position that has stood on the board in some line.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub position: Chess,
    /// The lightest first; none for the first position of all.
    pub ways: Vec<Way>,
    weight: Weight,
    /// The frame with which it stood there, what of that frame belongs to the next move, when its
    /// move ended, and whether that end was not seen.
    frame: usize,
    next: Vec<Toggle>,
    pub since: Moment,
    unseen: bool,
    children: Vec<usize>,
    /// It was reached by moves that nobody saw, and more lines lead there than are followed.
    open: bool,
    /// Moves on from here; none where lines from here are given up.
    strokes: Option<Vec<Stroke>>,
}

keep!(Node {
    position;
    ways, weight, frame, next, since, unseen, children, open, strokes
});

/// A line as it stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct Tip {
    pub node: usize,
    pub weight: Weight,
    /// Nothing has been done since its last move.
    pub whole: bool,
}

/// All lines. The first node is where they part; parents come before their children.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Lines {
    nodes: Vec<Node>,
    /// Every line that is followed, the lightest first.
    tips: Vec<Tip>,
    /// Lines were given up that may have been true, as there were too many.
    overfull: bool,
}

impl std::ops::Index<usize> for Lines {
    type Output = Node;

    fn index(&self, index: usize) -> &Node {
        &self.nodes[index]
    }
}

impl Node {
    fn first(at: Moment, position: Chess, frame: usize) -> Self {
        let strokes = Some(stroke::strokes(&position));
        let (since, unseen) = (at, false);
        let (ways, next, children) = (Vec::new(), Vec::new(), Vec::new());
        let open = false;
        Self { position, ways, weight: 0, frame, next, since, unseen, children, open, strokes }
    }

    /// What the squares did since.
    pub fn deeds(&self, watched: &Watched) -> Deeds {
        let toggles = self.next.iter().copied().chain(watched.since(self.frame));
        Deeds::new(&self.position, (self.since, self.unseen), toggles)
    }

    /// What it weighs that this is all that was done since.
    fn weight_of(&self, deeds: &Deeds) -> Weight {
        let begun = self.strokes.iter().flatten().map(|stroke| deeds.begun(stroke)).min();
        begun.unwrap_or(Weight::MAX).min(deeds.nothing())
    }

    fn turn_after(&self) -> shakmaty::Color {
        shakmaty::Position::turn(&self.position)
    }
}

impl Lines {
    pub fn new(at: Moment, position: Chess, watched: &Watched) -> Self {
        let nodes = vec![Node::first(at, position, watched.last())];
        let tips = vec![Tip { node: 0, weight: 0, whole: true }];
        Self { nodes, tips, overfull: false }
    }

    /// The lines as they stand, the lightest first.
    pub fn tips(&self) -> &[Tip] {
        &self.tips
    }

    pub fn best(&self) -> Tip {
        self.tips[0]
    }

    /// The squares have changed.
    pub fn follow(&mut self, watched: &Watched) {
        let live: Vec<_> = (0..self.nodes.len()).filter(|&it| self.is_live(it)).collect();
        let mut fresh = Vec::new();
        // First, as what stood between comes before all that can be the same as what follows it.
        let by_two: Vec<_> =
            live.iter().flat_map(|&node| self.go_on_by_two(node, watched)).collect();
        for node in live {
            self.go_on(node, watched, &mut fresh);
        }
        self.go_on_from_fresh(0, watched, &mut fresh);
        let gone_on = fresh.len();
        for node in by_two {
            fresh.extend(self.merge(node, &fresh));
        }
        self.go_on_from_fresh(gone_on, watched, &mut fresh);
        self.weigh(watched, watched.changed());
    }

    /// Of what changed together, some may belong to the next move.
    fn go_on_from_fresh(&mut self, from: usize, watched: &Watched, fresh: &mut Vec<usize>) {
        let mut index = from;
        while index < fresh.len() {
            let node = fresh[index];
            if !self.nodes[node].next.is_empty() {
                self.go_on(node, watched, fresh);
            }
            index += 1;
        }
    }

    fn is_live(&self, node: usize) -> bool {
        self.nodes[node].strokes.is_some()
    }

    /// Every move on from a position that has been made by now.
    fn go_on(&mut self, node: usize, watched: &Watched, fresh: &mut Vec<usize>) {
        let from = &self.nodes[node];
        let Some(strokes) = &from.strokes else { return };
        let (occupied, just) = (watched.occupied(), watched.just_changed());
        let mut reached: Vec<(Stroke, Bitboard)> = Vec::new();
        let mut deeds = None;
        for stroke in strokes {
            if (stroke.after ^ occupied).is_subset(just) {
                let deeds = deeds.get_or_insert_with(|| from.deeds(watched));
                let next = deeds.reaches(stroke, occupied, just);
                reached.extend(next.map(|next| (*stroke, next)));
            }
        }
        let Some(deeds) = deeds else { return };
        for (stroke, next) in reached {
            let weight = self.nodes[node].weight + deeds.done(&stroke, next);
            if weight <= self.best().weight + WIDTH && self.is_news(node, &stroke, weight, watched)
            {
                let reached = self.reach(node, &stroke, (weight, next), &deeds, watched);
                if let Some(new) = self.merge(reached, fresh) {
                    fresh.push(new);
                }
            }
        }
    }

    /// Every two moves on from a position if the second captures at once what the first has moved.
    /// Remembers what stood between, and returns what stands there now.
    fn go_on_by_two(&mut self, node: usize, watched: &Watched) -> Vec<Node> {
        let from = &self.nodes[node];
        let shown = (watched.occupied(), watched.just_changed());
        let gone = from.position.board().occupied() & !shown.0;
        let Some(strokes) = from.strokes.as_ref().filter(|_| PAIR_LIFTS.contains(&gone.count()))
        else {
            return Vec::new();
        };
        let deeds = from.deeds(watched);
        let mut reached = Vec::new();
        for (Pair { first, second }, next) in pair::pairs(&from.position, strokes, &deeds, shown) {
            let weight = self.nodes[node].weight + deeds.done_both(&first, &second, next);
            if weight > self.best().weight + WIDTH || self.is_known(node, (&first, &second), weight)
            {
                continue;
            }
            let between = self.reach(node, &first, (weight, next), &deeds, watched);
            let ways = between.ways.into_iter();
            let ways = ways.map(|way| Way { confidence: Confidence::Inferred, ..way }).collect();
            self.nodes.push(Node { ways, strokes: None, ..between });
            let between = self.nodes.len() - 1;
            self.nodes[node].children.push(between);
            reached.push(self.reach(between, &second, (weight, next), &deeds, watched));
        }
        reached
    }

    /// Whether these two moves from here are known already, from an earlier frame and as light.
    fn is_known(&self, node: usize, (first, second): (&Stroke, &Stroke), weight: Weight) -> bool {
        let leads = |child: usize, parent: usize, mv: Move| {
            let mut ways = self.nodes[child].ways.iter();
            ways.any(|way| way.parent == parent && way.mv == mv && way.weight <= weight + 1)
        };
        let mut between = self.nodes[node].children.iter().copied();
        between.any(|between| {
            let mut children = self.nodes[between].children.iter().copied();
            leads(between, node, first.mv)
                && children.any(|it| self.is_live(it) && leads(it, between, second.mv))
        })
    }

    /// Whether this move from here is not known already, from an earlier frame and as light.
    fn is_news(&self, node: usize, stroke: &Stroke, weight: Weight, watched: &Watched) -> bool {
        let children = self.nodes[node].children.iter();
        !children.filter(|&&child| self.is_live(child)).any(|&child| {
            let child = &self.nodes[child];
            let mut ways = child.ways.iter().filter(|it| it.parent == node && it.mv == stroke.mv);
            ways.any(|way| way.weight.saturating_add(child.deeds(watched).nothing()) <= weight + 1)
        })
    }

    fn reach(
        &self,
        parent: usize,
        stroke: &Stroke,
        (weight, next): (Weight, Bitboard),
        deeds: &Deeds,
        watched: &Watched,
    ) -> Node {
        let position = stroke::after(&self.nodes[parent].position, stroke.mv);
        let unseen = deeds.is_unseen(stroke);
        let confidence = if unseen { Confidence::Inferred } else { Confidence::Seen };
        let (now, last) = (deeds.toggles().iter().rev()).fold(
            (Vec::new(), None),
            |(mut carried, last), toggle| {
                let again = carried.iter().any(|it: &Toggle| it.square == toggle.square);
                if next.contains(toggle.square) && !again {
                    carried.push(*toggle);
                    return (carried, last);
                }
                (carried, last.or(Some(toggle.at)))
            },
        );
        Node {
            strokes: Some(stroke::strokes(&position)),
            position,
            ways: vec![Way { parent, mv: stroke.mv, confidence, weight }],
            weight,
            frame: watched.last(),
            next: now.into_iter().rev().collect(),
            since: last.unwrap_or_else(|| watched.changed()),
            unseen,
            children: Vec::new(),
            open: false,
        }
    }

    /// Takes a position in: one that has just been reached in another way too is the same.
    fn merge(&mut self, node: Node, fresh: &[usize]) -> Option<usize> {
        let way = node.ways[0].clone();
        let same = fresh.iter().copied().find(|&it| {
            let other = &self.nodes[it];
            it > way.parent && other.next == node.next && other.position == node.position
        });
        let index = match same {
            Some(same) => {
                let other = &mut self.nodes[same];
                if way.weight < other.weight {
                    (other.weight, other.since, other.unseen) =
                        (node.weight, node.since, node.unseen);
                }
                let most = other.weight + MARGIN;
                let mut ways = std::mem::take(&mut other.ways);
                ways.push(way.clone());
                ways.sort_by_key(|way| way.weight);
                ways.retain(|way| way.weight <= most);
                self.nodes[same].ways = self.different(ways);
                same
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        if !self.nodes[way.parent].children.contains(&index) {
            self.nodes[way.parent].children.push(index);
        }
        same.is_none().then_some(index)
    }

    /// Of ways that only differ in when the same moves were made, the lightest.
    fn different(&self, ways: Vec<Way>) -> Vec<Way> {
        let before = |way: &Way| {
            let earlier = self.nodes[way.parent].ways.first();
            (way.mv, earlier.map(|it| (it.parent, it.mv)))
        };
        let mut kept: Vec<Way> = Vec::new();
        for way in ways {
            if !kept.iter().any(|it| it.parent == way.parent || before(it) == before(&way)) {
                kept.push(way);
            }
        }
        kept
    }

    /// A line that nobody has seen: these moves from here to what stands there now. What was seen
    /// beside them weighs what it does beside any move.
    pub fn bridge(&mut self, from: usize, line: &[Move], open: bool, watched: &Watched) {
        if !line.iter().all(stroke::is_distinct) {
            return;
        }
        let own = line.iter().flat_map(|mv| mv.from().into_iter().chain([mv.to()])).collect();
        let beside = self.nodes[from].deeds(watched).others(own, Bitboard::EMPTY);
        let mut at = from;
        for (index, &mv) in line.iter().enumerate() {
            let position = stroke::after(&self.nodes[at].position, mv);
            let first = Node::first(watched.changed(), position, watched.last());
            let weight = self.nodes[at].weight + MISSED + if index == 0 { beside } else { 0 };
            let way = Way { parent: at, mv, confidence: Confidence::Inferred, weight };
            let node = Node { ways: vec![way], weight, open, ..first };
            self.nodes.push(node);
            let index = self.nodes.len() - 1;
            self.nodes[at].children.push(index);
            at = index;
        }
    }

    /// Compares the lines, and gives up those that are too heavy.
    pub fn weigh(&mut self, watched: &Watched, now: Moment) {
        let mut tips: Vec<_> = (0..self.nodes.len())
            .filter(|&it| self.is_live(it))
            .map(|node| self.tip(node, watched, now))
            .collect();
        tips.sort_by_key(|tip| (tip.weight, !tip.whole, std::cmp::Reverse(tip.node)));
        let within = |more| {
            let most = tips[0].weight.saturating_add(more);
            tips.iter().take_while(|tip| tip.weight <= most).count()
        };
        let kept = within(WIDTH).min(LIVE_MAX);
        self.overfull |= within(MARGIN) > LIVE_MAX;
        for given_up in &tips[kept..] {
            self.nodes[given_up.node].strokes = None;
        }
        tips.truncate(kept);
        self.tips = tips;
    }

    fn tip(&self, node: usize, watched: &Watched, now: Moment) -> Tip {
        let at = &self.nodes[node];
        let deeds = at.deeds(watched);
        if deeds.is_nothing() {
            return Tip { node, weight: at.weight, whole: true };
        }
        let weight = at.weight_of(&deeds);
        let whole = at.position_is(watched.occupied());
        let held = !whole && watched.changed() + HELD_LONG <= now;
        let weight = weight.saturating_add(if held { HELD } else { 0 });
        Tip { node, weight: at.weight.saturating_add(weight), whole }
    }

    /// The moves from the first position to this one by the lightest way, oldest first.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<_> =
            std::iter::successors(Some(node), |&at| Some(self.nodes[at].ways.first()?.parent))
                .collect();
        path.reverse();
        path
    }

    /// Whether the lightest way to one leads through the other.
    pub fn comes_after(&self, node: usize, other: usize) -> bool {
        self.path(node).contains(&other)
    }

    /// How many moves lead to the first one on the way here that may have been another one than all
    /// that are followed.
    pub fn opens_after(&self, node: usize) -> Option<usize> {
        self.path(node).iter().position(|&it| self.nodes[it].open)?.checked_sub(1)
    }

    /// Follows every line back from these positions that does not weigh more than allowed. Gives
    /// for each position how much more it might weigh, if any such line leads through it.
    pub fn slack(&self, ends: &[(usize, Weight)]) -> Vec<Option<Weight>> {
        let mut slack = vec![None; self.nodes.len()];
        for &(node, left) in ends {
            slack[node] = slack[node].max(Some(left));
        }
        for node in (0..self.nodes.len()).rev() {
            let Some(left) = slack[node] else { continue };
            for (way, more) in self.ways_within(node, left) {
                slack[way.parent] = slack[way.parent].max(Some(left - more));
            }
        }
        slack
    }

    /// The ways to a position that weigh at most `left` more than the lightest, each with its
    /// excess.
    pub fn ways_within(&self, node: usize, left: Weight) -> impl Iterator<Item = (&Way, Weight)> {
        let node = &self.nodes[node];
        let ways = node.ways.iter().map(move |way| (way, way.weight - node.weight));
        ways.filter(move |(_, more)| *more <= left)
    }

    /// Forgets what no line needs any more. `shown` must stay. Positions that all lines share and
    /// that are followed by at least `keep` moves of the shown line can no longer change. Gives
    /// where each position is now, how many moves were settled by it, and whether that meant to
    /// choose among lines.
    pub fn settle(&mut self, shown: usize, keep: usize) -> Settled {
        let mut needed = self.needed(shown);
        let path = self.path(shown);
        let most = path.len().saturating_sub(1 + keep);
        let (mut root, mut plies) = (0, 0);
        while plies < most {
            let mut on = self.nodes[root].children.iter().filter(|&&it| needed[it]);
            let (Some(&only), None) = (on.next(), on.next()) else { break };
            if self.nodes[root].strokes.is_some() || self.nodes[only].ways.len() > 1 {
                break;
            }
            (root, plies) = (only, plies + 1);
        }
        let mut chosen = false;
        let many = needed.iter().filter(|it| **it).count() > NODES_MAX && most > plies;
        if many && self.comes_after(self.best().node, path[most]) {
            (root, plies, chosen) = (path[most], most, true);
        }
        for (node, needed) in needed.iter_mut().enumerate() {
            *needed &= node >= root;
        }
        Settled { moved: self.keep(root, &needed), plies, chosen }
    }

    /// Forgets positions that no line needs, and if there are still too many, the heaviest lines.
    /// Gives where each position is now. `shown` stays.
    pub fn tidy(&mut self, shown: usize) -> Vec<Option<usize>> {
        let mut needed = self.needed(shown);
        while needed.iter().filter(|it| **it).count() > NODES_MOST && self.tips.len() > 1 {
            let lightest = self.tips[0].weight;
            for given_up in self.tips.split_off(self.tips.len() / 2) {
                self.overfull |= given_up.weight <= lightest.saturating_add(MARGIN);
                self.nodes[given_up.node].strokes = None;
            }
            needed = self.needed(shown);
        }
        self.keep(0, &needed)
    }

    /// Lines, positions, and the bytes that they take.
    #[cfg(test)]
    pub fn size(&self) -> (usize, usize, usize) {
        let bytes = self.nodes.iter().map(|node| {
            let strokes = node.strokes.as_ref().map_or(0, Vec::capacity);
            size_of::<Node>()
                + node.ways.capacity() * size_of::<Way>()
                + node.next.capacity() * size_of::<Toggle>()
                + node.children.capacity() * size_of::<usize>()
                + strokes * size_of::<Stroke>()
        });
        (self.tips.len(), self.nodes.len(), bytes.sum())
    }

    pub fn has_many(&self) -> bool {
        self.nodes.len() > NODES_MOST
    }

    pub fn is_overfull(&self) -> bool {
        self.overfull
    }

    /// Of lines that have waited long for their next move, what was touched and put back is summed
    /// up in what they weigh: so that noise does not fill any memory.
    pub fn sum_up(&mut self, watched: &Watched) {
        for index in 0..self.tips.len() {
            let tip = self.tips[index];
            let node = &self.nodes[tip.node];
            let deeds = node.deeds(watched);
            if deeds.toggles().len() <= TOGGLES_MAX {
                continue;
            }
            let differing = node.position.board().occupied() ^ watched.occupied();
            let next = deeds.latest(differing);
            let node = &mut self.nodes[tip.node];
            (node.frame, node.next) = (watched.last(), next);
            let since = node.weight_of(&node.deeds(watched));
            let more = tip.weight.saturating_sub(since).saturating_sub(node.weight);
            node.weight += more;
            node.ways.iter_mut().for_each(|way| way.weight += more);
        }
    }

    fn needed(&self, shown: usize) -> Vec<bool> {
        let mut needed: Vec<_> = (0..self.nodes.len()).map(|it| self.is_live(it)).collect();
        needed[shown] = true;
        needed[0] = true;
        for node in (0..self.nodes.len()).rev() {
            if needed[node] {
                for way in &self.nodes[node].ways {
                    needed[way.parent] = true;
                }
            }
        }
        needed
    }

    fn keep(&mut self, root: usize, needed: &[bool]) -> Vec<Option<usize>> {
        let mut moved = vec![None; self.nodes.len()];
        let mut kept: Vec<Node> = Vec::new();
        for (index, mut node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            if !needed[index] {
                continue;
            }
            node.ways.retain_mut(|way| match moved[way.parent] {
                Some(parent) if index != root => {
                    way.parent = parent;
                    true
                }
                _ => false,
            });
            if index != root && node.ways.is_empty() {
                continue;
            }
            node.weight = node.ways.first().map_or(node.weight, |way| way.weight);
            moved[index] = Some(kept.len());
            kept.push(node);
        }
        for node in &mut kept {
            node.children = node.children.iter().filter_map(|&it| moved[it]).collect();
        }
        self.nodes = kept;
        self.tips = std::mem::take(&mut self.tips)
            .into_iter()
            .filter_map(|tip| Some(Tip { node: moved[tip.node]?, ..tip }))
            .collect();
        moved
    }

    /// The oldest frame that a line still asks for.
    pub fn oldest_frame(&self) -> usize {
        let frames = self.tips.iter().map(|tip| self.nodes[tip.node].frame);
        frames.min().unwrap_or(0)
    }
}

/// What settling has done.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub moved: Vec<Option<usize>>,
    pub plies: usize,
    pub chosen: bool,
}

impl Node {
    pub fn position_is(&self, occupied: Bitboard) -> bool {
        shakmaty::Position::board(&self.position).occupied() == occupied
    }

    pub fn weight(&self) -> Weight {
        self.weight
    }

    /// Whose move led here.
    pub fn mover(&self) -> shakmaty::Color {
        self.turn_after().other()
    }
}
