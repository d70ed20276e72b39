//! Which moves explain a picture: one move on from something that stood, or a few that nobody saw.

use eboard::Moment;
use shakmaty::{Board, Position};

use super::gap::{self, Effort, Put};
use super::stands::Reading;
use super::{AT_ONCE, PUTS_MAX, READINGS_MAX, Supposed, Tracker};
use crate::candidates;
use crate::picture::{Picture, differing};
use crate::score::Confidence;

impl Tracker {
    pub(super) fn note_puts(&mut self, now: Moment, board: &Board) {
        let last = self.last.replace(board.clone());
        let Some(last) = last else { return };
        for square in differing(&last, board) & board.occupied() {
            let piece = board.piece_at(square);
            self.puts.extend(piece.map(|piece| Put { at: now, square, piece }));
        }
        let surplus = self.puts.len().saturating_sub(PUTS_MAX);
        self.puts.drain(..surplus);
    }

    /// The most recent explanation first: what is shown, its move just undone, a move on from it,
    /// then the same of everything that stood there before, the latest first.
    pub(super) fn find(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let parent = self.stands[self.shown].parent;
        let shows =
            |tracker: &Self, stand: usize| picture.shows(tracker.stands[stand].position().board());
        let back = (!self.undoes_completed(parent)).then_some(parent);
        if let Some(same) = std::iter::once(self.shown).chain(back).find(|&it| shows(self, it)) {
            return Some(same);
        }
        if let Some(child) = self.child(now, self.shown, picture) {
            return Some(child);
        }
        let others = self.stands.others(self.shown);
        let free: Vec<_> = others.into_iter().filter(|&it| !self.undoes_completed(it)).collect();
        if let Some(found) = self.find_among(now, &free, picture) {
            return Some(found);
        }
        if picture.is_blind() {
            self.suppose_capture(now, picture);
        }
        let skipped = self.skip(now, picture);
        // More likely a piece is in the hand; what comes next will tell.
        skipped.filter(|_| !self.is_half_done(self.shown, picture))
    }

    /// One of these pictures, or one move on from it.
    fn find_among(&mut self, now: Moment, stands: &[usize], picture: &Picture) -> Option<usize> {
        let same = |it: &&usize| {
            let stand = &self.stands[**it];
            !stand.supposed && picture.shows(stand.position().board())
        };
        let same = stands.iter().find(same).copied();
        same.or_else(|| stands.iter().find_map(|&it| self.child(now, it, picture)))
    }

    /// One move on from a picture.
    fn child(&mut self, now: Moment, parent: usize, picture: &Picture) -> Option<usize> {
        let readings = self.one_move_from(parent, picture);
        (!readings.is_empty()).then(|| self.stands.push(now, parent, readings))
    }

    /// On a blind board a piece that is lifted may have taken another's place between two scans:
    /// every capture it can make is a reading, if the opponent goes on from there or nothing else
    /// comes for long.
    fn suppose_capture(&mut self, now: Moment, picture: &Picture) {
        let bases: Vec<_> = (0..self.stands.all().len())
            .filter(|&it| it == self.shown || self.hangs_on_shown(it))
            .collect();
        for base in bases {
            let readings = self.captures_from(base, picture);
            if !readings.is_empty() {
                let stand = self.stands.push(now, base, readings);
                self.stands[stand].supposed = true;
                self.supposed = Some(Supposed { since: now, stand });
            }
        }
    }

    /// Every capture by the one piece that is missing.
    fn captures_from(&self, base: usize, picture: &Picture) -> Vec<Reading> {
        let stand = &self.stands[base];
        let position = stand.position();
        let lifted = picture.left(position.board(), position.turn());
        let differing = picture.differing(position.board());
        let from = lifted.single_square().filter(|_| lifted == differing);
        let Some(from) = from.filter(|&it| picture.stirred(it) > stand.seen) else {
            return Vec::new();
        };
        let mut readings = Vec::new();
        for (way, reading) in stand.readings.iter().enumerate() {
            let captures = reading.position.capture_moves().into_iter();
            for mv in captures.filter(|mv| mv.from() == Some(from) && !mv.is_en_passant()) {
                let position = candidates::after(&reading.position, mv);
                let (line, confidence) = (vec![mv], Confidence::Inferred);
                readings.push(Reading { from: way, line, position, confidence });
            }
        }
        readings.sort_by_key(|reading| std::cmp::Reverse(reading.line[0].capture()));
        readings.truncate(READINGS_MAX);
        readings
    }

    /// Whether this is a capture nobody saw, after what is shown or after another such capture.
    fn hangs_on_shown(&self, stand: usize) -> bool {
        let mut back = self.stands.back_from(stand).skip_while(|&at| self.stands[at].supposed);
        self.stands[stand].supposed && back.next() == Some(self.shown)
    }

    fn one_move_from(&self, parent: usize, picture: &Picture) -> Vec<Reading> {
        let stand = &self.stands[parent];
        if stand.supposed && !(self.hangs_on_shown(parent) && self.was_answered(parent, picture)) {
            return Vec::new();
        }
        let mut readings = Vec::new();
        for (from, reading) in stand.readings.iter().enumerate() {
            for mv in candidates::singles(&reading.position, picture, stand.seen) {
                let position = candidates::after(&reading.position, mv);
                let (line, confidence) = (vec![mv], Confidence::Seen);
                readings.push(Reading { from, line, position, confidence });
            }
        }
        readings.truncate(READINGS_MAX);
        readings
    }

    /// Whether something of the opponent's was lifted after the piece that is supposed to have
    /// captured, and put before anything else.
    fn was_answered(&self, supposed: usize, picture: &Picture) -> bool {
        let stand = &self.stands[supposed];
        let Some(from) = stand.readings[0].line[0].from() else { return false };
        let board = stand.position().board();
        let lifted = picture.left(board, stand.position().turn());
        let filled = picture.occupied() & !board.occupied();
        let first = lifted.into_iter().map(|it| picture.stirred(it)).min();
        first.is_some_and(|first| {
            first > picture.stirred(from)
                && filled.into_iter().all(|square| picture.stirred(square) >= first)
        })
    }

    /// Two moves on from one of the last pictures: one fell between two scans.
    fn skip(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        if picture.is_blind() || self.absent {
            return None;
        }
        self.missed(now, picture, AT_ONCE)
    }

    /// Some moves on from one of the last pictures: by the shortest lines, counted from the last
    /// move that is completed.
    pub(super) fn missed(
        &mut self,
        now: Moment,
        picture: &Picture,
        (plies, positions): (usize, usize),
    ) -> Option<usize> {
        let mut best: Option<(usize, usize, Vec<Reading>)> = None;
        for base in self.bases() {
            let readings = self.lines_from(base, picture, (plies, positions));
            let Some(first) = readings.first() else { continue };
            let length = self.stands.steps(base, first.from).len() + first.line.len();
            if best.as_ref().is_none_or(|(shortest, ..)| length < *shortest) {
                best = Some((length, base, readings));
            }
        }
        let (_, base, readings) = best?;
        (readings.len() <= READINGS_MAX).then(|| self.stands.push(now, base, readings))
    }

    /// Where moves may have been missed: after what is shown or pending, or instead of its last
    /// move if that is not completed.
    fn bases(&self) -> Vec<usize> {
        let mut bases: Vec<usize> = Vec::new();
        for leaf in [Some(self.shown), self.pending].into_iter().flatten() {
            let parent = Some(self.stands[leaf].parent).filter(|_| !self.stands[leaf].pressed);
            for base in [Some(leaf), parent].into_iter().flatten() {
                if !bases.contains(&base) {
                    bases.push(base);
                }
            }
        }
        bases
    }

    /// All the shortest lines from a picture to this one; none if they cannot be told completely.
    fn lines_from(
        &self,
        base: usize,
        picture: &Picture,
        (plies, positions): (usize, usize),
    ) -> Vec<Reading> {
        let watched = (!self.absent).then_some((self.stands[base].seen, &self.puts[..]));
        let effort = Effort { plies, positions, watched };
        let least = if picture.is_blind() { 1 } else { 2 };
        let mut readings = Vec::new();
        for (from, reading) in self.stands[base].readings.iter().enumerate() {
            let found = gap::shortest(&reading.position, picture, least, effort);
            if !found.complete {
                return Vec::new();
            }
            for line in found.lines {
                let start = reading.position.clone();
                let position = line.iter().fold(start, |at, &mv| candidates::after(&at, mv));
                let confidence = Confidence::Inferred;
                readings.push(Reading { from, line, position, confidence });
            }
        }
        let shortest = readings.iter().map(|it| it.line.len()).min();
        readings.retain(|it| Some(it.line.len()) == shortest);
        readings
    }

    /// Moves on from another move that stood there too, although the clock was pressed after it
    /// had been changed: an opponent who parks the piece he captures does just that.
    pub(super) fn instead(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let back: Vec<_> = self.stands.back_from(self.shown).take(3).collect();
        let beside = |it: &usize| {
            let parent = self.stands[*it].parent;
            *it != 0 && !back.contains(it) && back.iter().skip(1).any(|&at| at == parent)
        };
        let beside: Vec<_> = self.stands.others(self.shown).into_iter().filter(beside).collect();
        beside.into_iter().find_map(|it| {
            let to = self.stands[it].readings[0].line.last().map(|mv| mv.to());
            let mut readings = self.one_move_from(it, picture);
            readings.extend(self.lines_from(it, picture, AT_ONCE));
            readings.retain(|it| it.line[0].is_capture() && Some(it.line[0].to()) == to);
            (!readings.is_empty()).then(|| self.stands.push(now, it, readings))
        })
    }
}
