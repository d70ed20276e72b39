//! What hands did since the last move was settled: lifts and puts in order, and what is in the air.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Piece, Square};

use crate::surface::Change;

/// The most touches kept for one move; a clumsy time scramble stays far below.
const TOUCHES_MAX: usize = 256;

/// One lift or put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Touched {
    /// When the board reported it.
    pub at: Moment,
    /// Where.
    pub square: Square,
    /// The piece that left the square, if one did.
    pub lifted: Option<Piece>,
    /// The piece that appeared there, if one did.
    pub put: Option<Piece>,
}

/// The hand over one board.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Hand {
    touches: Vec<Touched>,
    air: Vec<(Square, Piece)>,
}

impl Hand {
    /// A square changed.
    pub fn saw(&mut self, now: Moment, change: Change) -> Touched {
        let touched =
            Touched { at: now, square: change.square, lifted: change.was, put: change.is };
        if self.touches.len() == TOUCHES_MAX {
            self.touches.remove(0);
        }
        self.touches.push(touched);
        if let Some(piece) = change.was {
            self.air.push((change.square, piece));
        }
        if let Some(piece) = change.is {
            self.land(change.square, piece);
        }
        touched
    }

    /// Pieces off the board that have not been seen again, in order of touch.
    pub fn air(&self) -> &[(Square, Piece)] {
        &self.air
    }

    /// The squares agree with the score: nothing is in the air.
    pub fn empty(&mut self) {
        self.air.clear();
    }

    /// A move is settled: what led to it before `moment` is history.
    pub fn forget_before(&mut self, moment: Moment) {
        self.touches.retain(|touched| touched.at >= moment);
    }

    /// A new game.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a piece of this colour was lifted or put after that moment.
    pub fn touched_since(&self, moment: Moment, color: shakmaty::Color) -> bool {
        let of_color = |piece: &Option<Piece>| piece.is_some_and(|piece| piece.color == color);
        self.touches.iter().any(|touched| {
            touched.at > moment && (of_color(&touched.lifted) || of_color(&touched.put))
        })
    }

    fn land(&mut self, square: Square, piece: Piece) {
        let same_square = self.air.iter().rposition(|&held| held == (square, piece));
        let any = || self.air.iter().rposition(|&(_, held)| held == piece);
        if let Some(index) = same_square.or_else(any) {
            self.air.remove(index);
        }
    }
}
