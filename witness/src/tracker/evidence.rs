//! What the board has reported since it is watched again, and which lines that supports.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Board, Chess, Move, Position, Square, attacks};

use super::gap::Put;
use super::stands::Reading;
use super::{Tracker, Unwatched};
use crate::candidates;
use crate::picture::Picture;
use crate::tolerances::SCAN_AND_LINE;

/// Pieces that may be in hands at a time: both of a capture, or king and rook.
const IN_HANDS: usize = 2;

/// The board is watched again.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Again {
    /// Nobody had watched since this moment.
    since: Moment,
    /// Up to this one.
    until: Moment,
    /// All the squares, when it reported them first.
    whole: Picture,
}

impl Again {
    pub fn since(&self) -> Moment {
        self.since
    }

    pub fn reported(&self) -> Moment {
        self.whole.confirmed()
    }
}

impl Tracker {
    /// The board is watched again.
    pub fn watch_again(&mut self, unwatched: Unwatched, picture: &Picture) {
        let Unwatched { since, until, .. } = unwatched;
        if picture.confirmed() > since && self.unseen.again.is_none() {
            self.unseen.again = Some(Again { since, until, whole: picture.clone() });
        }
    }

    /// Whether nothing was played while the board was unwatched. Then its first squares are those
    /// of the shown position, except for pieces in a hand. What follows is watched as before.
    pub fn was_only_in_hand(&mut self, unwatched: Unwatched, picture: &Picture) -> bool {
        self.watch_again(unwatched, picture);
        let Some(again) = self.unseen.again.as_ref().filter(|_| self.doubts.trunk.is_none()) else {
            return false;
        };
        let shown = &self.stands[self.shown];
        let [reading] = &shown.readings[..] else { return false };
        let turn = reading.position.turn();
        let presses = unwatched.presses.filter(|presses| presses.are_known());
        let allowed = presses.is_none_or(|presses| presses.allow(0, turn));
        let whole = reading.corrected(&again.whole);
        let lacking = whole.differing(reading.position.board());
        if !allowed || lacking.count() > IN_HANDS || !lacking.is_disjoint(whole.occupied()) {
            return false;
        }
        (self.unseen.lasts, self.unseen.again, self.unseen.presses) = (false, None, None);
        true
    }

    /// Notes that everything done in the outage was reported after all. Gives whether that matters.
    pub fn was_watched(&mut self) -> bool {
        if self.doubts.trunk.is_some() {
            return false;
        }
        (self.unseen.lasts, self.unseen.again, self.unseen.presses) = (false, None, None);
        true
    }

    /// The squares that were reported one by one since the board is watched again.
    pub(super) fn seen_again(&self, picture: &Picture) -> Bitboard {
        let Some(again) = &self.unseen.again else { return Bitboard::EMPTY };
        let reported = |&square: &Square| {
            let at = picture.stirred(square);
            at > again.since && at != again.reported()
        };
        Bitboard::FULL.into_iter().filter(reported).collect()
    }

    /// Whether this line ends with the move that was seen last since, if one was. A piece that is
    /// back where it stood before may only have been touched.
    pub(super) fn ends_as_seen(&self, start: &Board, line: &[Move], picture: &Picture) -> bool {
        let put = self.seen_again(picture) & picture.occupied();
        let put: Bitboard =
            put.into_iter().filter(|&it| self.has_come(start, it, picture)).collect();
        let Some(last) = put.into_iter().map(|square| picture.stirred(square)).max() else {
            return true;
        };
        let is_last = |to: Square| put.contains(to) && picture.stirred(to) + SCAN_AND_LINE >= last;
        line.last().is_some_and(|mv| mv.is_castle() || is_last(mv.to()))
    }

    /// Whether what stands on this square has come there since it is watched again.
    fn has_come(&self, start: &Board, square: Square, picture: &Picture) -> bool {
        let since = self.unseen.again.as_ref().map_or(Moment::ZERO, |again| again.since);
        let other = |put: &&Put| put.square == square && put.at > since;
        picture.differing(start).contains(square)
            || self.puts.iter().filter(other).any(|put| start.piece_at(square) != Some(put.piece))
    }

    /// If the reports support some of these lines, it is one of them. Hands may have done what
    /// belongs to no line, so reports that support none decide nothing. The likeliest is the first.
    pub(super) fn prefer_as_reported(
        &self,
        base: usize,
        picture: &Picture,
        readings: &mut Vec<Reading>,
    ) {
        let as_reported = |it: &Reading| {
            let start = &self.stands[base].readings[it.from];
            let line = &it.line[..];
            self.comes_by_whole(start, line, picture)
                && self.comes_in_order(start.position.board(), line, picture)
                && self.leaves_what_was_left(line, picture)
        };
        if readings.iter().any(as_reported) {
            readings.retain(as_reported);
        }
        let start = |it: &Reading| &self.stands[base].readings[it.from].position;
        readings.sort_by_key(|it| !self.begins_with_what_was_lifted(base, start(it), &it.line));
    }

    /// A piece that was in the hand when the line broke has to be moved (4.3), unless it was only
    /// put straight.
    fn begins_with_what_was_lifted(&self, base: usize, start: &Chess, line: &[Move]) -> bool {
        let is_last = |it: usize| it == base || self.stands[it].parent == base;
        let seen = self.unseen.unwatched.as_ref().filter(|_| self.unseen.away.is_some_and(is_last));
        let Some(seen) = seen else { return true };
        let lifted = start.us() & !seen.occupied();
        let first = lifted.single_square().zip(line.first());
        first.is_none_or(|(lifted, first)| first.from() == Some(lifted))
    }

    /// All the squares stood like this at some moment of the line, but for pieces in hands, one
    /// that was sliding, or a pawn taken in passing that was not removed yet.
    fn comes_by_whole(&self, start: &Reading, line: &[Move], picture: &Picture) -> bool {
        let Some(again) = &self.unseen.again else { return true };
        let whole = start.corrected(&again.whole);
        let left = |it: &Square| picture.stirred(*it) <= again.reported() + SCAN_AND_LINE;
        let stands = |position: &Chess, made: Option<&Move>, next: Option<&Move>| {
            let passed = made.filter(|mv| mv.is_en_passant());
            let still = passed.and_then(|mv| candidates::captured(*mv));
            let still = still.map_or(Bitboard::EMPTY, Bitboard::from);
            let differing = whole.differing(position.board());
            let wrong = differing & whole.occupied() & !still;
            let slides = |mv| wrong.is_subset(way(mv)) && wrong.into_iter().all(|it| left(&it));
            differing.count() <= IN_HANDS && (wrong.is_empty() || next.is_some_and(slides))
        };
        let mut position = start.position.clone();
        stands(&position, None, line.first())
            || line.iter().enumerate().any(|(index, mv)| {
                position = candidates::after(&position, *mv);
                stands(&position, Some(mv), line.get(index + 1))
            })
    }

    /// What was put down unheard was put there before anything that was heard, and that in this
    /// order.
    fn comes_in_order(&self, start: &Board, line: &[Move], picture: &Picture) -> bool {
        let heard = self.seen_again(picture);
        let mut last = Moment::ZERO;
        line.iter().enumerate().all(|(index, mv)| {
            let to = mv.to();
            let gone = |it: &Move| it.to() == to || it.from() == Some(to);
            let reported = heard.contains(to);
            if mv.is_castle()
                || line[index + 1..].iter().any(gone)
                || reported
                    && !(picture.occupied().contains(to) && self.has_come(start, to, picture))
            {
                return true;
            }
            let passing = self.left_unexpectedly(picture).filter(|(it, _)| way(mv).contains(*it));
            let unheard = passing.map_or(Moment::ZERO, |(_, at)| at);
            let at = if reported { picture.stirred(to) } else { unheard };
            let in_order = last <= at + SCAN_AND_LINE;
            last = last.max(at);
            in_order
        })
    }

    /// A square that was left although nothing was known to stand there, and when.
    fn left_unexpectedly(&self, picture: &Picture) -> Option<(Square, Moment)> {
        let again = self.unseen.again.as_ref()?;
        picture.surprise().filter(|(_, at)| *at > again.since)
    }

    /// Such a square had been reached unheard, or was slid over just when somebody watched again.
    fn leaves_what_was_left(&self, line: &[Move], picture: &Picture) -> bool {
        let Some(again) = &self.unseen.again else { return true };
        let Some((square, at)) = self.left_unexpectedly(picture) else { return true };
        let slid =
            at <= again.until + SCAN_AND_LINE && line.iter().any(|mv| way(mv).contains(square));
        let reached = line.iter().filter(|mv| mv.to() == square).count();
        slid || reached > 1 || line.iter().any(|mv| mv.from() == Some(square))
    }
}

/// The squares that a piece slides over.
fn way(mv: &Move) -> Bitboard {
    mv.from().map_or(Bitboard::EMPTY, |from| attacks::between(from, mv.to()))
}
