//! Both kings in the centre, as a blind board sees them: two pieces have left the kings' squares,
//! and two centre squares are occupied.

use shakmaty::{Bitboard, Chess, Color, Position, Square};

use super::stroke::{ADJUSTED, AGAIN, Deeds, OUT_OF_ORDER, Weight};
use crate::blind::tolerances::TOGETHER;
use crate::signal;

/// A sign is rarer than any move.
const SIGN: Weight = 6;
/// What stood in the centre was replaced by the king without being lifted.
const REPLACED: Weight = 5;
const APART: Weight = 9;

/// The kings have gone to these squares, White's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kings {
    pub to: [Square; 2],
    pub weight: Weight,
}

/// How the squares may show the kings' sign after this position, the likeliest first.
pub(super) fn signs(position: &Chess, deeds: &Deeds, occupied: Bitboard) -> Vec<Kings> {
    let board = position.board();
    let (Some(white), Some(black)) = (board.king_of(Color::White), board.king_of(Color::Black))
    else {
        return Vec::new();
    };
    let from = [white, black];
    let without = board.occupied() & !Bitboard::from(white) & !Bitboard::from(black);
    let pairs = signal::CENTRE.into_iter().flat_map(|one| signal::CENTRE.map(|other| [one, other]));
    let fits = |to: &[Square; 2]| {
        to[0] != to[1] && *to != from && without | Bitboard::from_iter(*to) == occupied
    };
    // A king that nobody lifted has not made room for the other one.
    let exchanged = |to: &[Square; 2]| to[0] == from[1] || to[1] == from[0];
    let lifted = |to: &[Square; 2]| {
        let left = |at: Square| deeds.last(at, false).is_some();
        !exchanged(to) || from.into_iter().filter(|at| to.contains(at)).all(left)
    };
    let mut signs: Vec<_> = pairs
        .filter(|to| fits(to) && lifted(to))
        .map(|to| Kings { to, weight: SIGN + weigh(from, to, without, deeds) })
        .collect();
    signs.sort_by_key(|kings| kings.weight);
    signs
}

fn weigh(from: [Square; 2], to: [Square; 2], others: Bitboard, deeds: &Deeds) -> Weight {
    let all: Bitboard = from.into_iter().chain(to).collect();
    let mut weight = deeds.others(all, Bitboard::EMPTY);
    let mut times = Vec::new();
    for (from, to) in from.into_iter().zip(to).filter(|(from, to)| from != to) {
        let lifted = deeds.last(from, false);
        let put = deeds.last(to, true);
        // What was put there earlier was straightened, and the king has replaced it.
        let straightened =
            others.contains(to) && put.is_some_and(|put| lifted.is_some_and(|it| put < it));
        let put = put.filter(|_| !straightened);
        weight += if straightened { ADJUSTED } else { 0 };
        if others.contains(to) && put.is_none() {
            weight += REPLACED;
        }
        if let (Some(lifted), Some(put)) = (lifted, put)
            && (put < lifted || !deeds.brought(from, to))
        {
            weight += OUT_OF_ORDER;
        }
        weight +=
            AGAIN * (deeds.more(from, 1) + deeds.more(to, if others.contains(to) { 2 } else { 1 }));
        let cleared = deeds.last(to, false).filter(|_| put.is_some() && others.contains(to));
        times.extend(lifted.into_iter().chain(put).chain(cleared));
    }
    times.sort();
    let Some(&first) = times.first() else { return weight };
    if first < deeds.since() + TOGETHER {
        weight += APART;
    }
    let apart = times.windows(2).filter(|pair| pair[0] + TOGETHER < pair[1]);
    weight + APART * Weight::try_from(apart.count()).unwrap_or(Weight::MAX)
}
