//! The twelve chessmen, as far as a board can tell them apart.

use bincode::{Decode, Encode};

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum Colour {
    /// The player who begins.
    White,
    /// The other one.
    Black,
}

/// The kind of a piece, whatever its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum Role {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

/// One of the twelve chessmen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl Piece {
    /// All twelve, White's first, in the order of [`Role`].
    pub const ALL: [Self; 12] = [
        Self::WhitePawn,
        Self::WhiteKnight,
        Self::WhiteBishop,
        Self::WhiteRook,
        Self::WhiteQueen,
        Self::WhiteKing,
        Self::BlackPawn,
        Self::BlackKnight,
        Self::BlackBishop,
        Self::BlackRook,
        Self::BlackQueen,
        Self::BlackKing,
    ];

    /// The piece of this colour and role.
    #[must_use]
    pub const fn new(colour: Colour, role: Role) -> Self {
        let offset = match colour {
            Colour::White => 0,
            Colour::Black => 6,
        };
        Self::ALL[offset + role as usize]
    }

    /// Whose piece it is.
    #[must_use]
    pub const fn colour(self) -> Colour {
        if (self as u8) < 6 { Colour::White } else { Colour::Black }
    }

    /// What kind of piece it is.
    #[must_use]
    pub const fn role(self) -> Role {
        match self as u8 % 6 {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        }
    }

    /// The letter of a FEN: capitals for White.
    #[must_use]
    pub const fn letter(self) -> char {
        b"PNBRQKpnbrqk"[self as usize] as char
    }

    /// The piece a FEN letter stands for.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_parts_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.colour(), piece.role()), piece);
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::WhiteKnight.letter(), 'N');
        assert_eq!(Piece::BlackKing.letter(), 'k');
    }
}
