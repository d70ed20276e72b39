//! Our belief about the 64 squares: what the board last said, the right way round. Not a position
//! of the game: any picture can stand here.

use eboard::{Moment, Placement, Square as WireSquare};
use shakmaty::{Board, Piece, Square};

use crate::convert;

/// One square that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub square: Square,
    pub was: Option<Piece>,
    pub is: Option<Piece>,
}

/// The physical squares as last reported.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    raw: Placement,
    board: Board,
    turned: bool,
    known: bool,
    changed: Moment,
}

impl Surface {
    pub fn unknown() -> Self {
        Self {
            raw: Placement::EMPTY,
            board: Board::empty(),
            turned: false,
            known: false,
            changed: Moment::ZERO,
        }
    }

    /// The squares, White's first rank at the bottom.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the whole board has been seen since the beginning.
    pub fn known(&self) -> bool {
        self.known
    }

    /// Whether the board lies the other way round than its wire order says.
    pub fn turned(&self) -> bool {
        self.turned
    }

    /// When a square last changed.
    pub fn changed(&self) -> Moment {
        self.changed
    }

    /// Lays the board the other way round.
    pub fn turn(&mut self) {
        self.turned = !self.turned;
        self.board = convert::board(&self.raw, self.turned);
    }

    /// Whether the picture, turned round, is exactly `other`.
    pub fn is_turned(&self, other: &Board) -> bool {
        // Asked at every touch and hardly ever so: the occupied squares alone tell that at once.
        self.known
            && self.board.occupied().rotate_180() == other.occupied()
            && convert::board(&self.raw, !self.turned) == *other
    }

    /// One square was reported. Nothing is believed before the whole board was seen once.
    pub fn square(
        &mut self,
        now: Moment,
        wire: WireSquare,
        piece: Option<eboard::Piece>,
    ) -> Option<Change> {
        if !self.known || self.raw[wire] == piece {
            return None;
        }
        self.raw[wire] = piece;
        self.changed = now;
        let square = convert::to_shakmaty(wire, self.turned);
        let change =
            Change { square, was: self.board.piece_at(square), is: piece.map(convert::piece) };
        match change.is {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        Some(change)
    }

    /// The whole board was reported; gives what is new in it.
    pub fn whole(&mut self, now: Moment, placement: &Placement) -> Vec<Change> {
        if !self.known {
            self.known = true;
            self.changed = now;
            self.raw = *placement;
            self.board = convert::board(placement, self.turned);
            return Vec::new();
        }
        let differing: Vec<_> = self.raw.differing(placement).collect();
        let mut changes: Vec<_> = differing
            .into_iter()
            .filter_map(|square| self.square(now, square, placement[square]))
            .collect();
        // Within one scan nothing tells the order: lifts first, as a hand must.
        changes.sort_by_key(|change| change.is.is_some());
        changes
    }
}
