//! The recogniser of one game on a board that only sees which squares are occupied. It follows
//! every line of legal moves that fits what the squares did, weighs how well each fits, and never
//! gives up one of two that fit as well. The score holds the lightest; where others are as good,
//! it says so.

mod lines;
mod pair;
mod sign;
mod stroke;
#[cfg(test)]
mod tests;
mod tolerances;
mod watched;

use crate::blind::tolerances::HELD_LONG;
use std::borrow::Cow;
use std::cmp::Reverse;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::candidates::{self, LINES_MAX};
use crate::picture::Picture;
use crate::signal::{self, Asked, Shown};
use crate::tracker::{self, Doubtful, Lost, Step, Waits};
use lines::{Lines, MARGIN, Tip};
use stroke::{STRAYING, Weight};
use watched::Watched;

/// Moves by either side that may still change.
const TAIL_MAX: usize = 8;
/// A picture that weighs more than this above its line is explained by nothing.
const EXPLAINED_MAX: Weight = 20;
/// A press shows that a move was made unless that is as unlikely as this.
const PRESSED_MAX: Weight = 12;
/// Moves nobody saw are looked for after so many lines.
const BRIDGES_MAX: usize = 8;
/// Steps that are taken back through the lines to list some of them.
const UNROLLED_MAX: usize = 400;
/// How many moves may have been missed, and how many positions are looked at for all lines.
const MISSED_MAX: (usize, usize) = (4, 80_000);
/// The same where the board was away.
const MISSED_AWAY: (usize, usize) = (8, 120_000);
/// The same where a hand may still be in the middle of a move.
const MISSED_AT_ONCE: (usize, usize) = (2, 8_000);

/// The recogniser.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Blind {
    watched: Watched,
    lines: Lines,
    shown: usize,
    settles: Option<Moment>,
    /// What stands there has rested so long that no hand is in the middle of a move.
    held: bool,
    lost: Option<Lost>,
    /// The board was away, and squares and score have not agreed since.
    unwatched: bool,
    gap_at: Option<Moment>,
    /// Where the game ended with the kings' sign: the likeliest first, with what each weighs.
    ends: Vec<(usize, Weight)>,
    /// Moves were settled although the squares do not show their order.
    undecided: bool,
}

/// The kings' sign after one of the lines.
struct Sign {
    node: usize,
    shown: Shown,
    weight: Weight,
}

impl Blind {
    pub fn new(now: Moment, position: Chess) -> Self {
        let watched = Watched::new(now, position.board().occupied());
        let lines = Lines::new(now, position, &watched);
        Self {
            watched,
            lines,
            shown: 0,
            settles: None,
            held: false,
            lost: None,
            unwatched: false,
            gap_at: None,
            ends: Vec::new(),
            undecided: false,
        }
    }

    pub fn position(&self) -> &Chess {
        &self.lines[self.shown].position
    }

    pub fn root(&self) -> &Chess {
        &self.lines[0].position
    }

    /// The moves since the root, oldest first.
    pub fn tail(&self) -> Vec<Step<'_>> {
        let path = self.lines.path(self.shown).into_iter().skip(1);
        let steps = path.filter_map(|node| {
            let node = &self.lines[node];
            let way = node.ways.first()?;
            let position = Cow::Borrowed(&node.position);
            Some(Step { mv: way.mv, confidence: way.confidence, position })
        });
        steps.collect()
    }

    pub fn before_last(&self) -> Chess {
        let path = self.lines.path(self.shown);
        let before = path.len().checked_sub(2).map_or(0, |index| path[index]);
        self.lines[before].position.clone()
    }

    /// The squares show exactly the position the score ends in.
    pub fn agrees(&self) -> bool {
        self.best() == Tip { whole: true, node: self.shown, ..self.best() }
    }

    pub fn lost(&self) -> Option<Lost> {
        self.lost
    }

    pub fn leave_undecided(&mut self) {
        self.undecided = true;
    }

    pub fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Whether this picture is a legal position after a move by this side, or such a position has
    /// come to stand there since that moment.
    pub fn has_stood(&self, picture: &Picture, by: Color, since: Moment) -> bool {
        self.lines.tips().iter().any(|tip| {
            let node = &self.lines[tip.node];
            let is = node.position_is(picture.occupied());
            node.mover() == by && (is || tip.node != 0 && node.since > since)
        })
    }

    /// Whether a move of the other side has come to stand there since that moment.
    pub fn has_answered(&self, by: Color, since: Moment) -> bool {
        self.lines.tips().iter().any(|tip| {
            let node = &self.lines[tip.node];
            node.since > since && node.mover() == by.other()
        })
    }

    /// Whether a move on from what is shown has stood there, and was not the last word.
    pub fn has_tried(&self) -> bool {
        let mut tips = self.lines.tips().iter();
        tips.any(|tip| tip.node != self.shown && self.lines.comes_after(tip.node, self.shown))
    }

    /// Where something stands that no move has brought there, if as many pieces stand on the board
    /// as should: none is in a hand.
    pub fn strays(&self) -> Bitboard {
        let (best, occupied) = (self.best(), self.watched.occupied());
        let astray = best.weight >= self.lines[best.node].weight() + STRAYING;
        let stands = |tip: &Tip| self.lines[tip.node].position.board().occupied();
        let mut likely =
            self.lines.tips().iter().take_while(|tip| tip.weight <= best.weight + MARGIN);
        let all_stand = likely.all(|tip| occupied.count() >= stands(tip).count());
        if astray && all_stand { occupied & !stands(&best) } else { Bitboard::EMPTY }
    }

    /// The squares changed. True if the tail is another one now.
    pub fn see(&mut self, now: Moment, picture: &Picture, waits: Waits) -> bool {
        let before = self.tail_ends();
        if !self.watched.see(now, picture.occupied()) {
            return false;
        }
        self.lines.follow(&self.watched);
        self.stay_small();
        (self.settles, self.held) = (None, false);
        self.unwatched = waits.unwatched.is_some();
        self.note_lost(now, waits);
        self.believe(now, waits);
        before != self.tail_ends()
    }

    /// A deadline came. True if the tail is another one now.
    pub fn due(&mut self, now: Moment, picture: &Picture) -> bool {
        let before = self.tail_ends();
        if self.gap_at.is_some_and(|at| at <= now) {
            self.gap_at = None;
            self.bridge(now, picture);
        }
        let held = self.held_at().is_some_and(|at| at <= now);
        self.held |= held;
        if held || self.settles.is_some_and(|at| at <= now) {
            self.settles = None;
            self.lines.weigh(&self.watched, now);
            self.show_best();
        }
        before != self.tail_ends()
    }

    pub fn deadline(&self) -> Option<Moment> {
        [self.settles, self.gap_at, self.held_at()].into_iter().flatten().min()
    }

    /// A clock was pressed: if a move by this side can have been made, it was. A press that was
    /// still owed for an earlier move says nothing of the next one.
    pub fn pressed(&mut self, by: Color, owed: bool) -> bool {
        let most = self.best().weight + PRESSED_MAX;
        let mut tips = self.lines.tips().iter().take_while(|tip| tip.weight <= most);
        let meant = tips.find(|tip| tip.whole && self.lines[tip.node].mover() == by);
        let Some(meant) = meant.map(|tip| tip.node) else { return false };
        let next = meant != self.shown && self.lines.comes_after(meant, self.shown);
        if meant == self.shown || owed && next {
            return false;
        }
        self.shown = meant;
        self.settles = None;
        true
    }

    /// The clock was pressed over a picture that nothing explains.
    pub fn doubt(&mut self, at: Moment) {
        if self.lost.is_some() && self.gap_at.is_none() {
            self.gap_at = Some(at);
        }
    }

    pub fn drop_last(&mut self, plies: usize) {
        let path = self.lines.path(self.shown);
        self.shown = path[path.len().saturating_sub(1 + plies)];
        self.settles = None;
    }

    /// Keeps the tail short. Gives how many moves have been settled by it.
    pub fn fix_old(&mut self) -> usize {
        if !self.ends.is_empty() {
            return 0;
        }
        let settled = self.lines.settle(self.shown, TAIL_MAX);
        self.shown = settled.moved[self.shown].unwrap_or(0);
        self.undecided |= settled.chosen;
        self.watched.forget_before(self.lines.oldest_frame());
        settled.plies
    }

    /// The kings' sign that the squares show, which no move explains as well.
    pub fn shown(&self, asked: Asked) -> Option<Shown> {
        let lightest = self.signs(asked).into_iter().next()?;
        (lightest.weight <= self.best().weight).then_some(lightest.shown)
    }

    /// Whether the sign explains about as well as any move what has not gone on for long.
    pub fn may_be_signed(&self) -> bool {
        let most = self.best().weight + MARGIN;
        let any = Asked { lone: true, open: true };
        self.held && self.signs(any).first().is_some_and(|sign| sign.weight <= most)
    }

    /// Whether the kings may say this or that: what stood in the centre may have been replaced.
    pub fn is_sign_unsure(&self, asked: Asked) -> bool {
        let signs = self.likely_signs(asked);
        let mut says = signs.iter().map(|it| signal::outcome(it.shown.kings));
        let first = says.next();
        says.any(|it| Some(it) != first)
    }

    /// The kings' sign has rested: the score ends before the trips of the kings.
    pub fn end_by_sign(&mut self, asked: Asked) -> Option<[Square; 2]> {
        let signs = self.likely_signs(asked);
        let (lightest, kings) = signs.first().map(|it| (it.weight, it.shown.kings))?;
        self.shown = signs[0].node;
        self.ends = signs.into_iter().map(|it| (it.node, it.weight - lightest)).collect();
        (self.settles, self.gap_at) = (None, None);
        Some(kings)
    }

    /// The signs that weigh about as little as the lightest, which is the first.
    fn likely_signs(&self, asked: Asked) -> Vec<Sign> {
        let mut signs = self.signs(asked);
        let most = signs.first().map_or(0, |it| it.weight + MARGIN);
        signs.retain(|it| it.weight <= most);
        signs
    }

    /// The last moves of the score, if the squares fit others as well.
    pub fn doubtful(&self) -> Option<Doubtful> {
        let ends = self.possible();
        let slack = self.lines.slack(&ends);
        let depths = self.depths(&slack);
        let certain = self.certain(&ends, &slack, &depths);
        let after = certain.into_iter().chain(self.lines.opens_after(self.shown)).min()?;
        let path = self.lines.path(self.shown);
        let from = path[after.min(path.len() - 1)];
        let lines = self.unroll(&ends, &depths, after);
        let shown: Vec<_> = self.tail().into_iter().skip(after).map(|step| step.mv).collect();
        let mut lines: Vec<_> = lines.into_iter().filter(|line| *line != shown).collect();
        lines.insert(0, shown);
        lines.truncate(LINES_MAX);
        let position = self.lines[from].position.clone();
        Some(Doubtful { after, position, lines, contradicted: false })
    }

    /// Whether the game may be over on the board, and nothing has been done for so long that no
    /// move will decide.
    pub fn may_be_over(&self) -> bool {
        let over = |it: &(usize, Weight)| candidates::is_over(&self.lines[it.0].position);
        self.held && self.possible().iter().any(over)
    }

    /// Where the score may end, with how much more each line to it may weigh.
    fn possible(&self) -> Vec<(usize, Weight)> {
        if !self.ends.is_empty() {
            return self.ends.iter().map(|&(node, more)| (node, MARGIN - more)).collect();
        }
        let whole = self.best().whole;
        // Where nothing explains the squares, any line that is still followed may be the true one.
        let lost = self.lost.is_some_and(|lost| !lost.unfinished);
        let most = if lost { Weight::MAX } else { self.best().weight + MARGIN };
        let tips = self.lines.tips().iter().take_while(|tip| tip.weight <= most);
        // While a move is in the hand it is none.
        let tips = tips.filter(|tip| tip.whole || !whole);
        let mut ends: Vec<_> = tips.map(|tip| (tip.node, most - tip.weight)).collect();
        if !ends.iter().any(|it| it.0 == self.shown) {
            ends.push((self.shown, 0));
        }
        ends
    }

    /// How many moves lead to each of these positions.
    fn depths(&self, slack: &[Option<Weight>]) -> Vec<Option<usize>> {
        let mut depths = vec![None; slack.len()];
        depths[0] = Some(0);
        for node in 1..slack.len() {
            let parent = self.lines[node].ways.first().map(|way| way.parent);
            depths[node] = parent.and_then(|parent| depths[parent]).map(|depth: usize| depth + 1);
        }
        depths
    }

    /// How many moves all lines have in common; none if there is only one line.
    fn certain(
        &self,
        ends: &[(usize, Weight)],
        slack: &[Option<Weight>],
        depths: &[Option<usize>],
    ) -> Option<usize> {
        let mut seen: Vec<Option<(Option<Square>, Square)>> = vec![None; slack.len() + 1];
        let mut parted: Option<usize> = None;
        let mut part = |depth: usize| parted = Some(parted.map_or(depth, |it| it.min(depth)));
        for (node, left) in slack.iter().enumerate() {
            let Some(left) = *left else { continue };
            for (way, _) in self.lines.ways_within(node, left) {
                let Some(depth) = depths[way.parent] else { continue };
                if depths[node] != Some(depth + 1) {
                    // A repetition: the same position after fewer moves.
                    part(self.held_in_common(node, way.parent));
                }
                let squares = (way.mv.from(), way.mv.to());
                if *seen[depth].get_or_insert(squares) != squares {
                    part(depth);
                }
            }
        }
        let depths: Vec<_> = ends.iter().filter_map(|&(node, _)| depths[node]).collect();
        let (shortest, longest) = (depths.iter().min()?, depths.iter().max()?);
        if shortest < longest {
            part(*shortest);
        }
        parted
    }

    /// How many moves the likeliest lines to these two positions have in common.
    fn held_in_common(&self, one: usize, other: usize) -> usize {
        let (one, other) = (self.lines.path(one), self.lines.path(other));
        let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        same.saturating_sub(1)
    }

    /// Some of the lines from after so many moves, which are certain, to these ends, within what
    /// they may weigh.
    fn unroll(
        &self,
        ends: &[(usize, Weight)],
        depths: &[Option<usize>],
        after: usize,
    ) -> Vec<Vec<Move>> {
        let mut lines: Vec<Vec<Move>> = Vec::new();
        let mut open: Vec<_> =
            ends.iter().rev().map(|&(node, left)| (node, left, Vec::new())).collect();
        for _ in 0..UNROLLED_MAX {
            let Some((node, left, line)) = open.pop() else { break };
            if depths[node].is_none_or(|depth| depth <= after) {
                let line: Vec<Move> = line.into_iter().rev().collect();
                if !lines.contains(&line) {
                    lines.push(line);
                }
                continue;
            }
            for (way, more) in self.lines.ways_within(node, left) {
                let line = line.iter().copied().chain([way.mv]).collect();
                open.push((way.parent, left - more, line));
            }
        }
        lines
    }

    fn best(&self) -> Tip {
        self.lines.best()
    }

    fn tail_ends(&self) -> usize {
        self.shown
    }

    fn signs(&self, asked: Asked) -> Vec<Sign> {
        let occupied = self.watched.occupied();
        let mut signs = Vec::new();
        for tip in self.lines.tips() {
            let node = &self.lines[tip.node];
            let deeds = node.deeds(&self.watched);
            let before = node.ways.first().filter(|_| asked.open).map(|way| way.parent);
            let base = &self.lines[before.unwrap_or(tip.node)].position;
            let kings = sign::signs(&node.position, &deeds, occupied).into_iter();
            signs.extend(kings.map(|it| Sign {
                node: tip.node,
                shown: Shown::since(base, &node.position, it.to),
                weight: node.weight() + it.weight,
            }));
        }
        signs.retain(|sign| sign.shown.suffices(asked));
        signs.sort_by_key(|sign| (sign.weight, Reverse(sign.node)));
        signs
    }

    /// When a piece has been in the hand for so long that it has taken another one's place.
    fn held_at(&self) -> Option<Moment> {
        (!self.held).then(|| self.watched.changed() + HELD_LONG)
    }

    fn note_lost(&mut self, now: Moment, waits: Waits) {
        let best = self.best();
        if best.whole {
            (self.lost, self.gap_at) = (None, None);
            return;
        }
        let unfinished = best.weight <= self.lines[best.node].weight() + EXPLAINED_MAX;
        let since = match self.lost {
            Some(lost) if lost.unfinished == unfinished => lost.since,
            _ => now,
        };
        let from = self.lost.map_or(now, |it| it.from);
        self.lost = Some(Lost { since, from, unfinished, doubted: false });
        self.gap_at = waits.gaps.then(|| now + waits.release);
    }

    /// However long nothing fits, lines and what they remember stay within bounds.
    fn stay_small(&mut self) {
        if self.lines.has_many() {
            let moved = self.lines.tidy(self.shown);
            self.shown = moved[self.shown].unwrap_or(0);
        }
        self.lines.sum_up(&self.watched);
        self.watched.forget_before(self.lines.oldest_frame());
        self.undecided |= self.lines.is_overfull();
    }

    /// What is lightest is shown: at once if it goes on from what is shown and can be nothing else,
    /// else when it has rested.
    fn believe(&mut self, now: Moment, waits: Waits) {
        let best = self.best();
        if best.node == self.shown {
            return;
        }
        let goes_on = self.lines.comes_after(best.node, self.shown);
        if !goes_on && !best.whole {
            return;
        }
        let node = &self.lines[best.node];
        let Some(way) = node.ways.first() else {
            // All moves that may still change have been taken back.
            self.settles = Some(now + waits.release);
            return;
        };
        let before = &self.lines[way.parent].position;
        let rivals = self.lines.tips().iter().filter(|tip| tip.whole).nth(1);
        let alone = rivals.is_none_or(|rival| rival.weight > best.weight + MARGIN);
        let over = candidates::is_over(&node.position);
        if goes_on && alone && !over && !candidates::extendable(before, way.mv) {
            self.shown = best.node;
            return;
        }
        if goes_on && way.parent != self.shown && !over {
            // Only its last move may be the passage to something else.
            self.shown = way.parent;
        }
        let rest = match (over, goes_on) {
            (true, _) if !alone => HELD_LONG,
            (true, _) => waits.end,
            (false, true) => waits.settle,
            (false, false) => waits.release,
        };
        self.settles = Some(now + rest);
    }

    fn show_best(&mut self) {
        let best = self.best();
        if best.whole || self.lines.comes_after(best.node, self.shown) {
            self.shown = best.node;
        }
        self.undecided |= self.lines.opens_after(self.shown).is_some();
        if best.whole {
            (self.lost, self.gap_at) = (None, None);
        }
    }

    /// Moves were missed: the short lines that end in this picture are followed as well.
    fn bridge(&mut self, now: Moment, picture: &Picture) {
        let unfinished = self.lost.is_some_and(|lost| lost.unfinished);
        let (plies, positions) = match (unfinished, self.unwatched) {
            (true, _) => MISSED_AT_ONCE,
            (false, true) => MISSED_AWAY,
            (false, false) => MISSED_MAX,
        };
        let least = if unfinished { 2 } else { 1 };
        let most = self.best().weight + MARGIN;
        let tips = self.lines.tips().iter().take_while(|tip| tip.weight <= most);
        let tips: Vec<_> = tips.take(BRIDGES_MAX).copied().collect();
        let share = positions / tips.len().max(1);
        for tip in tips {
            let node = &self.lines[tip.node];
            let watched = Some((node.since, &[][..]));
            let effort = tracker::Effort { plies, positions: share, watched };
            let found = tracker::shortest(&node.position, picture, least, effort);
            for line in found.lines {
                self.lines.bridge(tip.node, &line, !found.complete, &self.watched);
            }
        }
        self.lines.weigh(&self.watched, now);
        self.show_best();
    }
}
