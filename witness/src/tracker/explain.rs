//! Which moves explain a picture: one move on from something that stood, or a few that nobody saw.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Chess, Move, Position, Role, Square};

use super::gap::{self, Effort, Put};
use super::stands::Reading;
use super::{AT_ONCE, PUTS_MAX, READINGS_MAX, RESTING, REWRITTEN_MAX, Tracker};
use crate::candidates;
use crate::picture::{Picture, differing};
use crate::score::Confidence;
use crate::tolerances::SCAN_AND_LINE;
use crate::tracker::tolerances::PUT_ASIDE_MAX;

/// A piece, and where it was brought.
type Arrival = (Role, Square);

impl Tracker {
    pub(super) fn note_puts(&mut self, now: Moment, picture: &Picture) {
        let (board, confirmed) = (picture.board(), picture.confirmed());
        let last = self.last.replace(board.clone());
        let Some(last) = last else { return };
        if let Some(hearing) = &mut self.hearing {
            hearing.saw(&last, picture);
        }
        for square in differing(&last, board) & board.occupied() {
            let piece = board.piece_at(square);
            self.puts.extend(piece.map(|piece| Put { at: now, square, piece, confirmed }));
        }
        let surplus = self.puts.len().saturating_sub(PUTS_MAX);
        self.puts.drain(..surplus);
    }

    /// The most recent explanation first: what is shown, its move just undone, a move on from it,
    /// then the same of everything that stood there before, the latest first.
    pub(super) fn find(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let open = self.open_from();
        if let Some(found) = self.find_shown(now, picture, open) {
            return Some(found);
        }
        let mut free = self.stands.others(self.shown);
        free.retain(|&it| self.stands.comes_after(it, open));
        let same = self.same_among(&free, picture);
        free.retain(|&it| !self.was_answered_otherwise(it, picture));
        let found = same.or_else(|| free.iter().find_map(|&it| self.child(now, it, picture)));
        if found.is_some() {
            return found;
        }
        if self.is_heard(picture) {
            return None;
        }
        let skipped = self.skip(now, picture);
        // More likely a piece is in the hand; what comes next will decide.
        skipped.filter(|_| !self.is_half_done(self.shown, picture))
    }

    /// What is shown, its move just undone, or a move on from it.
    pub(super) fn find_shown(
        &mut self,
        now: Moment,
        picture: &Picture,
        open: usize,
    ) -> Option<usize> {
        let parent = self.stands[self.shown].parent;
        let back = self.stands.comes_after(parent, open).then_some(parent);
        let mut near = std::iter::once(self.shown).chain(back);
        let same = near.find(|&it| self.stands[it].readings[0].shows(picture));
        same.or_else(|| self.child(now, self.shown, picture))
    }

    /// What stood since the clock was pressed last, the latest first; or one move on from what is
    /// shown, as long as nothing else is moved.
    pub(super) fn find_again(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let back: Vec<_> = self.stands.back_from(self.shown).collect();
        let pressed = |it: &usize| *it == 0 || self.stands[*it].pressed;
        let open = back.iter().copied().find(pressed).unwrap_or(0);
        let mut stood: Vec<_> = back.into_iter().chain(self.stands.others(self.shown)).collect();
        stood.retain(|&it| self.stands.comes_after(it, open));
        let same = self.same_among(&stood, picture);
        match self.lost.filter(|lost| !lost.unfinished) {
            None => same.or_else(|| self.child(now, self.shown, picture)),
            Some(_) => same,
        }
    }

    /// The first of these that this picture shows again.
    fn same_among(&self, stands: &[usize], picture: &Picture) -> Option<usize> {
        stands.iter().copied().find(|&it| self.stands[it].readings[0].shows(picture))
    }

    /// One move on from a picture.
    pub(super) fn child(&mut self, now: Moment, parent: usize, picture: &Picture) -> Option<usize> {
        let readings = self.one_move_from(parent, picture);
        if let Some(both) = self.or_put_aside(parent, &readings, picture) {
            let before = self.stands[parent].parent;
            return Some(self.stands.push(now, before, both));
        }
        if let Some((before, whole)) = self.slid_on(parent, &readings, picture) {
            self.shown = self.stands.push(now, before, vec![whole]);
            return Some(self.shown);
        }
        (!readings.is_empty()).then(|| self.stands.push(now, parent, readings))
    }

    /// A pawn that is taken en passant, and was not pressed for, may have been put where it stands
    /// by who took it: if it had rested on the square before, it was taken there. Who puts it aside
    /// takes up his own pawn at once.
    fn or_put_aside(
        &self,
        parent: usize,
        readings: &[Reading],
        picture: &Picture,
    ) -> Option<Vec<Reading>> {
        let [passing] = readings else { return None };
        let [taken] = passing.line[..] else { return None };
        let stand = &self.stands[parent];
        if !taken.is_en_passant() || parent == 0 || stand.pressed {
            return None;
        }
        if taken.from().is_some_and(|from| stand.seen + PUT_ASIDE_MAX < picture.stirred(from)) {
            return None;
        }
        let before = stand.parent;
        let stepped = |it: &usize| {
            let other = &self.stands[*it];
            let to = other.readings[0].line.last().map(|mv| mv.to());
            other.parent == before && other.rested && to == Some(taken.to())
        };
        let other = (1..self.stands.all().len()).find(stepped)?;
        let capture = self.one_move_from(other, picture).into_iter().next()?;
        let rested = self.with_the_move_before(other, &capture);
        Some(vec![rested, self.with_the_move_before(parent, passing)])
    }

    /// A piece that goes on after the reply to its move, and had left its square before the reply
    /// stood, has only slid over that square. Both moves are revised.
    fn slid_on(
        &self,
        parent: usize,
        readings: &[Reading],
        picture: &Picture,
    ) -> Option<(usize, Reading)> {
        let [further] = readings else { return None };
        let [mv] = further.line[..] else { return None };
        let answer = &self.stands[parent];
        let made = &self.stands[answer.parent];
        if parent == 0 || answer.parent == 0 || made.rested || made.pressed || answer.pressed {
            return None;
        }
        let reply = &answer.readings[further.from];
        let [passing] = made.readings[reply.from].line[..] else { return None };
        let left = picture.stirred(passing.to()) < answer.seen;
        if mv.from() != Some(passing.to()) || !left {
            return None;
        }
        let way = made.readings[reply.from].from;
        let start = &self.stands[made.parent].readings[way];
        let whole = other_way(&start.position, passing, mv.to())?;
        let [answered] = reply.line[..] else { return None };
        let follows = candidates::after(&start.position, whole).is_legal(answered);
        let both = follows.then(|| start.then(way, vec![whole, answered], Confidence::Seen))?;
        both.shows(picture).then_some((made.parent, both))
    }

    fn one_move_from(&self, parent: usize, picture: &Picture) -> Vec<Reading> {
        let stand = &self.stands[parent];
        let mut readings = Vec::new();
        for (way, reading) in stand.readings.iter().enumerate() {
            let seen = reading.corrected(picture);
            let moves = candidates::single(&reading.position, seen.board());
            // A pawn that nobody saw arrive may have been taken in passing.
            let unseen = || candidates::single(&reading.position, picture.board());
            let moves = moves.or_else(|| unseen().filter(|mv| mv.is_en_passant())).into_iter();
            readings.extend(moves.map(|mv| reading.then(way, vec![mv], Confidence::Seen)));
        }
        readings.truncate(READINGS_MAX);
        readings
    }

    /// Two moves on from one of the last pictures: one fell between two scans.
    fn skip(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        if self.unseen.lasts {
            return None;
        }
        let effort = if self.doubts.corrected.is_some() { RESTING } else { AT_ONCE };
        self.missed(now, picture, effort)
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
            let mut readings = self.lines_from(base, picture, (plies, positions));
            readings.retain(|it| !self.was_answered(base, &it.line, picture));
            let Some(first) = readings.first() else { continue };
            let length = self.stands.plies(base, first.from) + first.line.len();
            if best.as_ref().is_none_or(|(shortest, ..)| length < *shortest) {
                best = Some((length, base, readings));
            }
        }
        let (_, base, readings) = best.filter(|(.., readings)| readings.len() <= READINGS_MAX)?;
        let contradicted = |it: &Reading| gap::contradicts_order(picture, &self.puts, &it.line);
        let contradicted = readings.iter().all(contradicted);
        let found = self.stands.push(now, base, readings);
        self.stands[found].contradicted = contradicted;
        Some(found)
    }

    /// Whether the board was watched and has not reported all of these moves.
    fn needs_lost_report(&self, base: usize, reading: &Reading, picture: &Picture) -> bool {
        let stand = &self.stands[base];
        let position = &stand.readings[reading.from].position;
        !self.unseen.lasts
            && gap::unseen(position, picture, stand.seen, &self.puts, &reading.line) > 0
    }

    /// Whether the reply in this line was begun while another move than its first stood there: a
    /// move that is answered is not changed any more.
    fn was_answered(&self, base: usize, line: &[Move], picture: &Picture) -> bool {
        let [first, reply, ..] = line else { return false };
        [self.doubts.trunk.or(Some(self.shown)), self.pending].into_iter().flatten().any(|leaf| {
            let stands = self.stands[leaf].parent == base && leaf != base;
            let [made] = self.stands[leaf].readings[0].line[..] else { return false };
            stands && self.is_reply_to(leaf, made, (*first, *reply), picture)
        })
    }

    /// Whether the move shown was answered, where another picture reads the reply as its own.
    fn was_answered_otherwise(&self, beside: usize, picture: &Picture) -> bool {
        if self.stands.comes_after(beside, self.shown) {
            return false;
        }
        let (shown, other) = (self.stands.moves(self.shown, 0), self.stands.moves(beside, 0));
        let same = shown.iter().zip(&other).take_while(|(one, other)| one == other).count();
        let ([made], [first]) = (&shown[same..], &other[same..]) else { return false };
        let replies = self.one_move_from(beside, picture);
        let replies = replies.iter().filter(|it| it.from == 0).flat_map(|it| &it.line);
        let mut replies = replies.map(|reply| (*first, *reply));
        replies.any(|line| self.is_reply_to(self.shown, *made, line, picture))
    }

    /// Whether this reply was begun while the picture after another move stood there than the one
    /// it is taken to answer.
    fn is_reply_to(
        &self,
        leaf: usize,
        made: Move,
        (first, reply): (Move, Move),
        picture: &Picture,
    ) -> bool {
        let Some(begun) = reply.from().map(|from| picture.stirred(from)) else { return false };
        let stand = &self.stands[leaf];
        // A captured piece is put aside by whoever takes it: that is no move it made.
        if made == first || made.from() == first.from() && reply.to() == first.to() {
            return false;
        }
        let order = if stand.rested { Duration::ZERO } else { SCAN_AND_LINE };
        let gone = !picture.agrees_on(made.to(), stand.position().board());
        gone && stand.seen < begun && begun + order < picture.stirred(made.to())
    }

    /// A reading that goes on from a picture, as it begins at the picture before.
    pub(super) fn with_the_move_before(&self, stand: usize, reading: &Reading) -> Reading {
        let before = &self.stands[stand].readings[reading.from];
        let line = [&before.line[..], &reading.line[..]].concat();
        Reading { from: before.from, line, ..reading.clone() }
    }

    /// Where moves may have been missed: after what is shown or pending, or instead of its last
    /// move if that is not completed.
    pub(super) fn bases(&self) -> Vec<usize> {
        if self.doubts.corrected.is_some() {
            let open = self.open_from();
            let back = self.stands.back_from(self.shown);
            return back.filter(|&it| self.stands.comes_after(it, open)).collect();
        }
        let mut bases: Vec<usize> = Vec::new();
        for leaf in [self.doubts.trunk.or(Some(self.shown)), self.pending].into_iter().flatten() {
            let parent = Some(self.stands[leaf].parent).filter(|_| !self.stands[leaf].pressed);
            for base in [Some(leaf), parent].into_iter().flatten() {
                if !bases.contains(&base) {
                    bases.push(base);
                }
            }
        }
        bases
    }

    /// All the shortest lines from a picture to this one; none if they cannot all be found.
    fn lines_from(
        &self,
        base: usize,
        picture: &Picture,
        (plies, positions): (usize, usize),
    ) -> Vec<Reading> {
        let watched = (!self.unseen.lasts).then_some((self.stands[base].seen, &self.puts[..]));
        let effort = Effort { plies, positions, watched };
        let mut readings = Vec::new();
        for (way, reading) in self.stands[base].readings.iter().enumerate() {
            let picture = &reading.corrected(picture);
            let found = gap::shortest(&reading.position, picture, 2, effort);
            if !found.complete {
                return Vec::new();
            }
            let lines = found.lines.into_iter();
            let start = reading.position.board();
            let lines =
                lines.filter(|line| !self.unseen.lasts || self.ends_as_seen(start, line, picture));
            readings.extend(lines.map(|line| reading.then(way, line, Confidence::Inferred)));
        }
        let shortest = readings.iter().map(|it| it.line.len()).min();
        readings.retain(|it| Some(it.line.len()) == shortest);
        if self.unseen.lasts {
            self.prefer_as_reported(base, picture, &mut readings);
        }
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

    /// Whether this picture goes on from one that several moves had led to at once: if they were
    /// others, so is what came after them. What was seen and pressed for came by itself.
    fn goes_on_from_a_guess(&self, stand: usize) -> bool {
        let seen = |it: usize| self.stands[it].readings[0].confidence == Confidence::Seen;
        let mut open = self
            .stands
            .back_from(stand)
            .take_while(|&it| it != 0 && !(self.stands[it].pressed && seen(it)));
        open.any(|it| self.was_skipped(it))
    }

    /// Goes on from what was shown before the last revision, unless a press has confirmed the
    /// revision: a piece in the hand looks captured.
    pub(super) fn as_before(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let before = self.doubts.revised?;
        let since = self.stands.back_from(self.shown);
        let since: Vec<_> = since.take_while(|&it| !self.stands.comes_after(before, it)).collect();
        if since.is_empty() || since.iter().any(|&it| self.stands[it].pressed) {
            return None;
        }
        if self.stands[before].readings[0].shows(picture) {
            return Some(before);
        }
        let mut readings = self.one_move_from(before, picture);
        readings.extend(self.lines_from(before, picture, AT_ONCE));
        readings.retain(|it| !self.needs_lost_report(before, it, picture));
        (!readings.is_empty()).then(|| self.stands.push(now, before, readings))
    }

    /// Moves on from farther back: a captured piece that was parked where it might have gone by
    /// itself has made several moves of one. What was seen to rest stays; what was completed stays
    /// by another way.
    pub(super) fn rethought(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let was_seen = |it: usize| self.stands[it].readings[0].confidence == Confidence::Seen;
        let rested = |it: usize| self.stands[it].rested && was_seen(it);
        let stays = |it: usize| it == 0 || rested(it) && !self.goes_on_from_a_guess(it);
        let back = self.stands.back_from(self.shown).take_while(|&it| !stays(it));
        let mut completed = Vec::new();
        let (mut plies, mut has_rested) = (0, false);
        for given_up in back.take(REWRITTEN_MAX).collect::<Vec<_>>() {
            let stand = &self.stands[given_up];
            plies += stand.readings[0].line.len();
            has_rested |= rested(given_up);
            if stand.pressed && was_seen(given_up) {
                completed.splice(..0, stand.readings[0].line.iter().map(arrival));
            }
            let base = stand.parent;
            let mut readings = self.one_move_from(base, picture);
            if readings.is_empty() {
                readings = self.lines_from(base, picture, RESTING);
                // What is thought anew has to fit all that was seen.
                readings.retain(|it| !self.needs_lost_report(base, it, picture));
            }
            readings.retain(|it| holds(&it.line, &completed));
            // What rested gives way only to fewer moves.
            readings.retain(|it| !has_rested || it.line.len() < plies);
            if !readings.is_empty() {
                return Some(self.stands.push(now, base, readings));
            }
        }
        None
    }
}

/// What a move brings where, by whatever way.
pub(super) fn arrival(mv: &Move) -> Arrival {
    (mv.role(), mv.to())
}

/// Whether a line brings all these pieces there, in this order.
pub(super) fn holds(line: &[Move], arrivals: &[Arrival]) -> bool {
    let mut rest = line.iter().map(arrival);
    arrivals.iter().all(|&it| rest.any(|made| made == it))
}

/// The same piece, moved to that square.
fn other_way(position: &Chess, mv: Move, to: Square) -> Option<Move> {
    let mut moves = position.legal_moves().into_iter();
    moves.find(|it| it.from() == mv.from() && it.role() == mv.role() && it.to() == to)
}
