//! A piece that is captured within a scan of its arrival. No scan saw it stand there: of two moves
//! the squares show two pieces lifted and one put.

use shakmaty::{Bitboard, Chess, Move, Position};

use super::stroke::{self, Deeds, Stroke};
use crate::candidates::captured;

/// A move, and the capture of what it moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub first: Stroke,
    pub second: Stroke,
}

/// The pairs that may have been made by now from this position, with what changed since and belongs
/// to the next move.
pub(super) fn pairs(
    position: &Chess,
    strokes: &[Stroke],
    deeds: &Deeds,
    (occupied, just): (Bitboard, Bitboard),
) -> Vec<(Pair, Bitboard)> {
    let lifted = |mv: Move| mv.from().is_some_and(|it| deeds.saw(it) && !occupied.contains(it));
    let mut pairs = Vec::new();
    for first in strokes.iter().filter(|it| lifted(it.mv) && !it.mv.is_castle()) {
        let (to, stepped_over) = (first.mv.to(), first.passage());
        // What is put last stands where the first piece was, or behind it, if that was a pawn.
        let put = Bitboard::from(to) | stepped_over;
        if !(put & occupied).into_iter().any(|it| deeds.saw(it)) {
            continue;
        }
        let between = stroke::after(position, first.mv);
        let captures = between.capture_moves().into_iter();
        let captures = captures.filter(|mv| lifted(*mv) && captured(*mv) == Some(to));
        for mv in captures.filter(stroke::is_distinct) {
            let second = Stroke::new(mv, &between, first.after);
            let pair = Pair { first: *first, second };
            let next =
                deeds.left_over(second.after, first.squares() | second.squares(), occupied, just);
            pairs.extend(next.map(|next| (pair, next)));
        }
    }
    pairs
}
