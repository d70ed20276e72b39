//! What a square of the wire holds, and the dump of all 64. Codes only; no rule of chess.

use eboard::{Piece, Placement, Square};

/// What the wire says about one square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Code 00.
    #[default]
    Empty,
    /// Codes 01 to 0c.
    Man(Piece),
    /// Codes 0d to 0f.
    Result(ResultPiece),
}

/// Special pieces a board may know besides the chessmen. Which of them exist in boxes is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPiece {
    /// Code 0d.
    Draw,
    /// Code 0e.
    WhiteWins,
    /// Code 0f.
    BlackWins,
}

/// Code of a content is its index. Rook before knight, king before queen.
const CODES: [Content; 16] = [
    Content::Empty,
    Content::Man(Piece::WhitePawn),
    Content::Man(Piece::WhiteRook),
    Content::Man(Piece::WhiteKnight),
    Content::Man(Piece::WhiteBishop),
    Content::Man(Piece::WhiteKing),
    Content::Man(Piece::WhiteQueen),
    Content::Man(Piece::BlackPawn),
    Content::Man(Piece::BlackRook),
    Content::Man(Piece::BlackKnight),
    Content::Man(Piece::BlackBishop),
    Content::Man(Piece::BlackKing),
    Content::Man(Piece::BlackQueen),
    Content::Result(ResultPiece::Draw),
    Content::Result(ResultPiece::WhiteWins),
    Content::Result(ResultPiece::BlackWins),
];

impl Content {
    /// What this code stands for; `None` above 0f.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        CODES.get(usize::from(code)).copied()
    }

    /// Its code, 00 to 0f.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Empty => 0x00,
            Self::Man(Piece::WhitePawn) => 0x01,
            Self::Man(Piece::WhiteRook) => 0x02,
            Self::Man(Piece::WhiteKnight) => 0x03,
            Self::Man(Piece::WhiteBishop) => 0x04,
            Self::Man(Piece::WhiteKing) => 0x05,
            Self::Man(Piece::WhiteQueen) => 0x06,
            Self::Man(Piece::BlackPawn) => 0x07,
            Self::Man(Piece::BlackRook) => 0x08,
            Self::Man(Piece::BlackKnight) => 0x09,
            Self::Man(Piece::BlackBishop) => 0x0a,
            Self::Man(Piece::BlackKing) => 0x0b,
            Self::Man(Piece::BlackQueen) => 0x0c,
            Self::Result(ResultPiece::Draw) => 0x0d,
            Self::Result(ResultPiece::WhiteWins) => 0x0e,
            Self::Result(ResultPiece::BlackWins) => 0x0f,
        }
    }

    /// The chessman there. A result piece is none: for the game its square is empty.
    #[must_use]
    pub const fn man(self) -> Option<Piece> {
        match self {
            Self::Man(piece) => Some(piece),
            Self::Empty | Self::Result(_) => None,
        }
    }
}

impl From<Option<Piece>> for Content {
    fn from(piece: Option<Piece>) -> Self {
        piece.map_or(Self::Empty, Self::Man)
    }
}

/// A whole board as dumped: 64 codes, each 00 to 0f, square 0 (a8) first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dump([u8; 64]);

impl std::fmt::Debug for Dump {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dump({})", self.placement())
    }
}

impl Dump {
    /// The dump with these codes; `None` when one of them is above 0f.
    #[must_use]
    pub fn new(codes: [u8; 64]) -> Option<Self> {
        codes.iter().all(|&code| code <= 0x0f).then_some(Self(codes))
    }

    /// The codes, a8 first.
    #[must_use]
    pub const fn codes(&self) -> &[u8; 64] {
        &self.0
    }

    /// What stands on one square.
    #[must_use]
    pub fn content(&self, square: Square) -> Content {
        Content::from_code(self.0[usize::from(square.index())]).unwrap_or_default()
    }

    /// The chessmen on the board, without result pieces.
    #[must_use]
    pub fn placement(&self) -> Placement {
        Placement::from_squares(
            self.0.map(|code| Content::from_code(code).unwrap_or_default().man()),
        )
    }
}

impl From<&Placement> for Dump {
    fn from(placement: &Placement) -> Self {
        let mut codes = [0; 64];
        for (code, square) in codes.iter_mut().zip(Square::all()) {
            *code = Content::from(placement[square]).code();
        }
        Self(codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_header() {
        let letters = ".PRNBKQprnbkq";
        for (code, letter) in (0u8..).zip(letters.chars()) {
            let content = Content::from_code(code).unwrap();
            assert_eq!(content.man(), Piece::from_letter(letter), "code {code:02x}");
        }
        assert_eq!(Content::from_code(0x10), None);
    }

    #[test]
    fn every_code_round_trips() {
        for code in 0..=0x0f {
            assert_eq!(Content::from_code(code).unwrap().code(), code);
        }
    }

    #[test]
    fn result_pieces_are_no_chessmen() {
        for code in 0x0d..=0x0f {
            assert_eq!(Content::from_code(code).unwrap().man(), None);
        }
        let mut codes = *Dump::from(&Placement::starting()).codes();
        codes[27] = 0x0e;
        assert_eq!(Dump::new(codes).unwrap().placement(), Placement::starting());
        codes[27] = 0x10;
        assert_eq!(Dump::new(codes), None);
    }
}
