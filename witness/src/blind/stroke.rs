//! A move as a blind board sees it: the squares that it empties and fills; and how well what the
//! squares did fits it. A weight is a cost: the higher, the less likely, one unit for about a
//! factor of two. All of them are estimates of what hands do.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use super::watched::Toggle;
use crate::blind::tolerances::{CARRIED, REPLIED, REPLIED_TO_UNSEEN};
use crate::candidates;
use crate::keep::keep;
use crate::tolerances::SCAN_AND_LINE;

pub(super) type Weight = u32;

/// A captured piece whose place was taken so quickly, or so directly, that no scan saw it empty.
const REPLACED: Weight = 3;
/// A piece of the mover's own, put straight.
pub(super) const ADJUSTED: Weight = 8;
/// A piece that is captured before a scan has seen it arrive.
const FLEETING: Weight = 7;
/// The piece that is moved, lifted or put more than once.
pub(super) const AGAIN: Weight = 6;
/// A piece of the other player's, lifted and put back.
const TOUCHED: Weight = 9;
/// A piece that passes over a square on its way.
const PASSED: Weight = 2;
/// A piece that stands for a moment where it does not belong.
const STRAYED: Weight = 8;
/// The same, where nothing has put it right yet; and a piece that is only lifted so far.
pub(super) const STRAYING: Weight = 9;
const LIFTED: Weight = 6;
/// Something came before what must have come first.
pub(super) const OUT_OF_ORDER: Weight = 14;
/// A promotion to a knight. Others cannot be distinguished from a queen.
const KNIGHT: Weight = 5;
/// A move has begun and is not there yet.
const BEGUN: Weight = 1;
/// A piece has been in the hand for [`HELD_LONG`].
pub(super) const HELD: Weight = 8;

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub mv: Move,
    lifts: Bitboard,
    puts: Bitboard,
    /// What is occupied after it.
    pub after: Bitboard,
}

keep!(Stroke { mv; lifts, puts, after });

/// What the squares did since a position stood there.
#[derive(Clone, Debug)]
pub(super) struct Deeds {
    occupied: Bitboard,
    own: Bitboard,
    toggles: Vec<Toggle>,
    counts: [u8; 64],
    touched: Bitboard,
    /// When the position was reached, and whether the last put was not seen.
    since: Moment,
    unseen: bool,
}

/// The moves from a position that a board without pieces can distinguish.
pub(super) fn strokes(position: &Chess) -> Vec<Stroke> {
    let occupied = position.board().occupied();
    let moves = position.legal_moves().into_iter().filter(is_distinct);
    moves.map(|mv| Stroke::new(mv, position, occupied)).collect()
}

/// A rook or bishop moves as a queen might: the makers of such boards take it for one.
pub(super) fn is_distinct(mv: &Move) -> bool {
    mv.promotion().is_none_or(|it| [Role::Queen, Role::Knight].contains(&it))
}

impl Stroke {
    pub fn new(mv: Move, position: &Chess, occupied: Bitboard) -> Self {
        let mut lifts: Bitboard = mv.from().into_iter().collect();
        let mut puts = Bitboard::from(mv.to());
        match mv {
            Move::Castle { rook, .. } => {
                lifts.add(rook);
                let side = mv.castling_side().into_iter();
                let turn = position.turn();
                puts = side.flat_map(|side| [side.king_to(turn), side.rook_to(turn)]).collect();
            }
            _ => candidates::captured(mv).into_iter().for_each(|taken| lifts.add(taken)),
        }
        Self { mv, lifts, puts, after: occupied & !lifts | puts }
    }

    /// A capture that replaces a piece: it ends on a square that was occupied.
    fn replaces(&self) -> Option<Square> {
        (self.mv.is_capture() && !self.mv.is_en_passant()).then(|| self.mv.to())
    }

    pub fn squares(&self) -> Bitboard {
        self.lifts | self.puts
    }

    pub fn passage(&self) -> Bitboard {
        match self.mv.from().filter(|_| !self.mv.is_castle()) {
            Some(from) => attacks::between(from, self.mv.to()),
            None => Bitboard::EMPTY,
        }
    }

    /// How often this square changes by the move, at least.
    fn changes(&self, square: Square) -> u8 {
        u8::from(self.lifts.contains(square)) + u8::from(self.puts.contains(square))
    }

    /// Where long pauses are no wonder: the rook, the captured pawn or the new queen comes later.
    fn may_pause(&self) -> bool {
        self.mv.is_castle() || self.mv.is_en_passant() || self.mv.is_promotion()
    }
}

impl Deeds {
    pub fn new(
        position: &Chess,
        (since, unseen): (Moment, bool),
        toggles: impl Iterator<Item = Toggle>,
    ) -> Self {
        let toggles: Vec<_> = toggles.collect();
        let (mut counts, mut touched) = ([0_u8; 64], Bitboard::EMPTY);
        for toggle in &toggles {
            let count = &mut counts[usize::from(toggle.square)];
            *count = count.saturating_add(1);
            touched.add(toggle.square);
        }
        let (occupied, own) = (position.board().occupied(), position.us());
        Self { occupied, own, toggles, counts, touched, since, unseen }
    }

    pub fn is_nothing(&self) -> bool {
        self.toggles.is_empty()
    }

    pub fn toggles(&self) -> &[Toggle] {
        &self.toggles
    }

    /// When the position was reached.
    pub fn since(&self) -> Moment {
        self.since
    }

    /// When this square was filled or emptied last.
    pub fn last(&self, square: Square, filled: bool) -> Option<Moment> {
        let mut toggles = self.toggles.iter().rev();
        toggles.find(|it| it.square == square && it.filled == filled).map(|it| it.at)
    }

    /// The last change of each of these squares, in order of time.
    pub fn latest(&self, squares: Bitboard) -> Vec<Toggle> {
        let mut left = squares;
        let mut latest: Vec<_> = self.toggles.iter().rev().copied().collect();
        latest.retain(|toggle| left.remove(toggle.square));
        latest.reverse();
        latest
    }

    /// Whether this square has changed at all.
    pub fn saw(&self, square: Square) -> bool {
        self.touched.contains(square)
    }

    /// What this move costs if it was made and these squares belong to the next one.
    pub fn done(&self, stroke: &Stroke, next: Bitboard) -> Weight {
        let unseen = stroke.replaces().is_some_and(|to| !self.saw(to));
        let knight = stroke.mv.promotion() == Some(Role::Knight);
        let own = stroke.squares();
        let mut weight = self.beside(stroke, next) + self.order(stroke);
        weight += self.pace(stroke.squares() & !next, stroke.may_pause());
        weight += if unseen { REPLACED } else { 0 };
        weight += if knight { KNIGHT } else { 0 };
        for square in own & self.touched & !next {
            let promoted = stroke.mv.is_promotion() && square == stroke.mv.to();
            let expected = stroke.changes(square) + if promoted { 2 } else { 0 };
            weight += AGAIN * self.more(square, expected);
        }
        weight
    }

    /// What it costs if nothing but something was done, and no move.
    pub fn nothing(&self) -> Weight {
        if self.is_nothing() { 0 } else { self.others(Bitboard::EMPTY, Bitboard::EMPTY) + BEGUN }
    }

    /// What it costs if this move has begun and is not done.
    pub fn begun(&self, stroke: &Stroke) -> Weight {
        let own = stroke.squares();
        if own.is_disjoint(self.touched) {
            return Weight::MAX;
        }
        let mut weight = self.beside(stroke, Bitboard::EMPTY) + self.order(stroke) + BEGUN;
        weight += self.pace(own, stroke.may_pause());
        for square in own & self.touched {
            weight += AGAIN * self.more(square, stroke.changes(square));
        }
        weight
    }

    /// The squares that the move has nothing to do with.
    fn beside(&self, stroke: &Stroke, next: Bitboard) -> Weight {
        let touched = self.touched & !stroke.squares();
        if touched.is_empty() { 0 } else { self.others(stroke.squares() | next, stroke.passage()) }
    }

    pub fn others(&self, but: Bitboard, passage: Bitboard) -> Weight {
        let mut weight = 0;
        for square in self.touched & !but {
            let count = Weight::from(self.counts[usize::from(square)]);
            let (pair, odd) = match (self.occupied.contains(square), self.own.contains(square)) {
                (true, true) => (ADJUSTED, LIFTED),
                (true, false) => (TOUCHED, LIFTED),
                (false, _) if passage.contains(square) => (PASSED, PASSED),
                (false, _) => (STRAYED, STRAYING),
            };
            weight += pair * (count / 2) + odd * (count % 2);
        }
        weight
    }

    /// A piece is put after it was lifted. A new queen may come before the pawn goes.
    fn order(&self, stroke: &Stroke) -> Weight {
        let Some(from) = stroke.mv.from().filter(|_| !stroke.mv.is_castle()) else { return 0 };
        let put = self.last(stroke.mv.to(), true);
        let Some(put) = put.filter(|_| !stroke.mv.is_promotion()) else { return 0 };
        match self.last(from, false) {
            Some(lifted) if lifted <= put + SCAN_AND_LINE && self.brought(from, stroke.mv.to()) => {
                0
            }
            _ => OUT_OF_ORDER,
        }
    }

    /// Whether nothing stood on this square, if it was empty, before there was a piece in the hand.
    pub fn brought(&self, from: Square, to: Square) -> bool {
        let first = |square| self.toggles.iter().find(|it| it.square == square).map(|it| it.at);
        let (lifted, put) = (first(from), first(to).filter(|_| !self.occupied.contains(to)));
        put.is_none_or(|put| lifted.is_some_and(|lifted| lifted <= put + SCAN_AND_LINE))
    }

    /// How many pairs of changes of this square there are beyond so many changes.
    pub fn more(&self, square: Square, expected: u8) -> Weight {
        Weight::from(self.counts[usize::from(square)].saturating_sub(expected) / 2)
    }

    /// How soon after the move before, and with what pauses.
    fn pace(&self, own: Bitboard, may_pause: bool) -> Weight {
        let mut weight = self.toggles.first().map_or(0, |first| self.reply(first.at));
        let mut times = self.toggles.iter().filter(|it| own.contains(it.square)).map(|it| it.at);
        if let Some(mut before) = times.next().filter(|_| !may_pause) {
            for at in times {
                weight += if before + CARRIED.0 < at { CARRIED.1 } else { 0 };
                before = at;
            }
        }
        weight
    }

    fn reply(&self, at: Moment) -> Weight {
        let fast =
            |&(span, weight): &(Duration, Weight)| (at < self.since + span).then_some(weight);
        match self.unseen {
            true => REPLIED_TO_UNSEEN.iter().find_map(fast).unwrap_or(0),
            false => fast(&REPLIED).unwrap_or(0),
        }
    }

    /// Whether this move may be what happened, up to changes that belong to the next one; which
    /// those are.
    pub fn reaches(&self, stroke: &Stroke, occupied: Bitboard, just: Bitboard) -> Option<Bitboard> {
        self.left_over(stroke.after, stroke.squares(), occupied, just)
    }

    /// The same of any moves that leave these squares occupied and concern those.
    pub fn left_over(
        &self,
        after: Bitboard,
        own: Bitboard,
        occupied: Bitboard,
        just: Bitboard,
    ) -> Option<Bitboard> {
        /// A reply that has begun within the same scan: lifted, or moved as well.
        const NEXT_MAX: usize = 2;
        let next = after ^ occupied;
        (next.is_subset(just) && next.count() <= NEXT_MAX && next.is_disjoint(own)).then_some(next)
    }

    /// What these two moves cost if no scan saw the piece that was captured at once.
    pub fn done_both(&self, first: &Stroke, second: &Stroke, next: Bitboard) -> Weight {
        let own = first.squares() | second.squares();
        let passage = first.passage() | second.passage();
        let beside = self.touched & !own;
        let mut weight = FLEETING;
        weight += if beside.is_empty() { 0 } else { self.others(own | next, passage) };
        weight += self.order_of_both(first, second) + self.pace(own & !next, false);
        for square in own & self.touched & !next {
            let expected = 1 + u8::from(self.occupied.contains(square));
            weight += AGAIN * self.more(square, expected);
        }
        weight
    }

    fn order_of_both(&self, first: &Stroke, second: &Stroke) -> Weight {
        let put = self.last(second.mv.to(), true);
        let lifts = [first, second].map(|it| self.last(it.mv.from()?, false));
        match (lifts, put) {
            ([Some(one), Some(other)], Some(put))
                if one <= other + SCAN_AND_LINE && other <= put + SCAN_AND_LINE =>
            {
                0
            }
            _ => OUT_OF_ORDER,
        }
    }

    /// Whether the end of this move was not seen.
    pub fn is_unseen(&self, stroke: &Stroke) -> bool {
        stroke.replaces().is_some_and(|to| !self.saw(to))
    }
}

/// The position after this move.
pub(super) fn after(position: &Chess, mv: Move) -> Chess {
    candidates::after(position, mv)
}
