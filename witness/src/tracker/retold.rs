//! A piece is lifted from a square on which nobody has seen it put: an earlier move went there, and
//! the report of it was damaged so that it looked like another move.

use eboard::Moment;
use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::Tracker;
use super::stale::Stale;
use super::stands::Reading;
use crate::candidates;
use crate::picture::Picture;
use crate::score::Confidence;

impl Tracker {
    /// The moves told anew, so that what was lifted stood there; and the one made with it.
    pub(super) fn retold(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        let (lifted, at) = picture.surprise()?;
        let base = self.trunk.unwrap_or(self.shown);
        if !picture.is_uncertain() || at <= self.stands[base].seen {
            return None;
        }
        let stands = |it: &Reading| it.position.board().piece_at(lifted).is_some();
        if self.stands[base].readings.iter().any(stands) {
            return None;
        }
        let (parent, reading) = self.retold_to(now, base, lifted, picture)?;
        Some(self.stands.push(now, parent, vec![reading]))
    }

    /// The latest move that may have gone to this square instead, with what came after it.
    fn retold_to(
        &self,
        now: Moment,
        base: usize,
        lifted: Square,
        picture: &Picture,
    ) -> Option<(usize, Reading)> {
        let path = self.stands.chain(base, 0);
        (0..path.len()).rev().find_map(|index| {
            let (stand, way) = path[index];
            let parent = self.stands[stand].parent;
            let told = &self.stands[stand].readings[way];
            let [mv] = told.line[..] else { return None };
            let from = &self.stands[parent].readings[told.from];
            let later = path[index + 1..].iter();
            let later: Vec<Move> = later
                .flat_map(|&(stand, way)| self.stands[stand].readings[way].line.iter().copied())
                .collect();
            let stale = Bitboard::from(mv.to()) | told.stale.live(picture);
            let other = other_way(&from.position, mv, lifted)?;
            let line = replayed(&from.position, other, &later, stale, picture)?;
            let reading = from.then(told.from, line, Confidence::Inferred);
            Some((parent, Reading { stale: Stale::new(now, stale), ..reading }))
        })
    }
}

/// The same piece, moved to that square.
pub(super) fn other_way(position: &Chess, mv: Move, to: Square) -> Option<Move> {
    let mut moves = position.legal_moves().into_iter();
    moves.find(|it| it.from() == mv.from() && it.role() == mv.role() && it.to() == to)
}

/// This move and the later ones, if they are legal after it, and the one after them that leads to
/// the picture.
fn replayed(
    position: &Chess,
    first: Move,
    later: &[Move],
    stale: Bitboard,
    picture: &Picture,
) -> Option<Vec<Move>> {
    let mut line = vec![first];
    let mut position = candidates::after(position, first);
    for &mv in later {
        if !position.is_legal(mv) {
            return None;
        }
        position = candidates::after(&position, mv);
        line.push(mv);
    }
    let corrected = picture.with(stale, position.board());
    line.push(candidates::single(&position, corrected.board())?);
    Some(line)
}
