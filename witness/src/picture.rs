//! What a board shows at one moment, and what of a position can be compared with it: every piece,
//! or only which squares are occupied.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Board, Color, Role, Square};

/// The squares at one moment.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Picture {
    board: Board,
    blind: bool,
    /// When something was last heard of each square, a1 first.
    stirred: [Moment; 64],
    /// When the whole board was last reported.
    confirmed: Moment,
    /// It was not reported when it should have been.
    uncertain: bool,
    /// A square that was left although nothing was known to stand there, and when.
    surprise: Option<(Square, Moment)>,
}

impl Picture {
    /// Of a board that knows its pieces, or of one that sees none, whose pieces are supposed.
    pub fn new(board: Board, blind: bool, stirred: [Moment; 64]) -> Self {
        Self { board, blind, stirred, confirmed: Moment::ZERO, uncertain: false, surprise: None }
    }

    /// The same of a board that reported all its squares at this moment, and was surprised since.
    pub fn confirmed_at(self, confirmed: Moment, surprise: Option<(Square, Moment)>) -> Self {
        Self { confirmed, surprise, ..self }
    }

    /// The same of a board that does not answer when it is asked for all its squares.
    pub fn uncertain(self) -> Self {
        Self { uncertain: true, ..self }
    }

    /// A square that was left last although nothing was known to stand there, and when.
    pub fn surprise(&self) -> Option<(Square, Moment)> {
        self.surprise
    }

    /// When the whole board was last reported.
    pub fn confirmed(&self) -> Moment {
        self.confirmed
    }

    /// Whether the board does not answer when it is asked for all its squares.
    pub fn is_uncertain(&self) -> bool {
        self.uncertain
    }

    /// The same with these squares as on that board.
    pub fn with(&self, squares: Bitboard, board: &Board) -> Self {
        let mut picture = self.clone();
        for square in squares {
            match board.piece_at(square) {
                Some(piece) => picture.board.set_piece_at(square, piece),
                None => picture.board.discard_piece_at(square),
            }
        }
        picture
    }

    /// The pieces, or what is supposed to stand there.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether only occupied squares are seen.
    pub fn is_blind(&self) -> bool {
        self.blind
    }

    /// Whether this is how that position looks.
    pub fn shows(&self, board: &Board) -> bool {
        self.board.occupied() == board.occupied() && (self.blind || self.board == *board)
    }

    /// The squares that look otherwise than in that position.
    pub fn differing(&self, board: &Board) -> Bitboard {
        match self.blind {
            false => differing(board, &self.board),
            true => board.occupied() ^ self.board.occupied(),
        }
    }

    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// Where something has come to stand that may be of this colour.
    pub fn arrived(&self, board: &Board, color: Color) -> Bitboard {
        let differing = self.differing(board);
        match self.blind {
            false => differing & self.board.by_color(color),
            true => differing & self.board.occupied(),
        }
    }

    /// The squares that pieces of this colour have left, as far as can be seen.
    pub fn left(&self, board: &Board, color: Color) -> Bitboard {
        let stands = match self.blind {
            false => self.board.by_color(color),
            true => self.board.occupied(),
        };
        board.by_color(color) & !stands
    }

    /// Whether this square looks as in that position.
    pub fn agrees_on(&self, square: Square, board: &Board) -> bool {
        match self.blind {
            false => self.board.piece_at(square) == board.piece_at(square),
            true => self.board.occupied().contains(square) == board.occupied().contains(square),
        }
    }

    /// The squares that something was heard of since that moment.
    pub fn stirred_since(&self, since: Moment) -> Bitboard {
        Square::ALL.into_iter().filter(|&it| self.stirred(it) > since).collect()
    }

    /// When something was last heard of this square.
    pub fn stirred(&self, square: Square) -> Moment {
        self.stirred[usize::from(square)]
    }
}

/// The squares on which two boards differ.
pub(crate) fn differing(one: &Board, other: &Board) -> Bitboard {
    let colours = (one.white() ^ other.white()) | (one.black() ^ other.black());
    Role::ALL.into_iter().fold(colours, |all, role| all | (one.by_role(role) ^ other.by_role(role)))
}
