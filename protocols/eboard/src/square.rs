//! Squares and what stands on them, in the order of the wire: **square 0 is a8**, 63 is h1.

use std::fmt;
use std::ops::{Index, IndexMut};

use bincode::{Decode, Encode};

use crate::Piece;

/// One of the 64 squares. Index 0 is a8, 7 is h8, 56 is a1, 63 is h1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Square(u8);

impl Square {
    /// The square with this index, 0 (a8) to 63 (h1).
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square of a file (0 = a) and a rank (0 = first rank).
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self((7 - rank) * 8 + file)) } else { None }
    }

    /// All squares, a8 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..64).map(Self)
    }

    /// 0 for a8 … 63 for h1.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// 0 for the a-file … 7 for the h-file.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// 0 for the first rank … 7 for the eighth.
    #[must_use]
    pub const fn rank(self) -> u8 {
        7 - self.0 / 8
    }

    /// The same place when the board is turned by 180°.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(63 - self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Which squares carry something, for boards that cannot tell what. Bit n is [`Square`] n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Occupancy(pub u64);

impl Occupancy {
    /// Whether something stands on this square.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Marks a square as occupied or empty.
    pub const fn set(&mut self, square: Square, occupied: bool) {
        let bit = 1 << square.0;
        if occupied { self.0 |= bit } else { self.0 &= !bit }
    }

    /// The same when the board is turned by 180°.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(self.0.reverse_bits())
    }
}

/// What stands on each of the 64 squares. Any picture at all: nothing says it is a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Placement([Option<Piece>; 64]);

/// A placement text that could not be read: eight ranks of eight squares are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementError;

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("read a placement: eight ranks of eight squares are wanted")
    }
}

impl std::error::Error for PlacementError {}

impl Placement {
    /// No piece anywhere.
    pub const EMPTY: Self = Self([None; 64]);

    /// The 64 squares in wire order, a8 first.
    #[must_use]
    pub const fn from_squares(squares: [Option<Piece>; 64]) -> Self {
        Self(squares)
    }

    /// Every man where the game begins.
    #[must_use]
    pub fn starting() -> Self {
        const BACK: &str = "RNBQKBNR";
        let mut placement = Self::EMPTY;
        for (file, letter) in (0u8..).zip(BACK.chars()) {
            let rows = [(0, letter), (1, 'P'), (6, 'p'), (7, letter.to_ascii_lowercase())];
            for (rank, letter) in rows {
                if let Some(square) = Square::at(file, rank) {
                    placement[square] = Piece::from_letter(letter);
                }
            }
        }
        placement
    }

    /// Reads the first field of a FEN.
    ///
    /// # Errors
    /// When it is not eight ranks of eight squares.
    pub fn from_fen(text: &str) -> Result<Self, PlacementError> {
        let mut squares = Vec::with_capacity(64);
        let mut ranks = 0;
        for rank in text.split('/') {
            ranks += 1;
            for letter in rank.chars() {
                match letter.to_digit(10) {
                    Some(run @ 1..=8) => squares.extend((0..run).map(|_| None)),
                    Some(_) => return Err(PlacementError),
                    None => squares.push(Some(Piece::from_letter(letter).ok_or(PlacementError)?)),
                }
            }
            if squares.len() != ranks * 8 {
                return Err(PlacementError);
            }
        }
        squares.try_into().map(Self).map_err(|_| PlacementError)
    }

    /// The same picture when the board is turned by 180°.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut squares = self.0;
        squares.reverse();
        Self(squares)
    }

    /// Which squares carry something.
    #[must_use]
    pub fn occupancy(&self) -> Occupancy {
        let mut occupancy = Occupancy::default();
        for square in Square::all() {
            occupancy.set(square, self[square].is_some());
        }
        occupancy
    }

    /// The squares on which two pictures differ, a8 first.
    pub fn differing(&self, other: &Self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |&square| self[square] != other[square])
    }
}

impl Default for Placement {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Index<Square> for Placement {
    type Output = Option<Piece>;

    fn index(&self, square: Square) -> &Option<Piece> {
        &self.0[usize::from(square.0)]
    }
}

impl IndexMut<Square> for Placement {
    fn index_mut(&mut self, square: Square) -> &mut Option<Piece> {
        &mut self.0[usize::from(square.0)]
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in self.0.chunks_exact(8).enumerate() {
            if row > 0 {
                f.write_str("/")?;
            }
            let mut run = 0;
            for piece in squares {
                match piece {
                    None => run += 1,
                    Some(piece) => {
                        if run > 0 {
                            write!(f, "{run}")?;
                        }
                        run = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_zero_is_a8() {
        assert_eq!(Square::new(0).unwrap().to_string(), "a8");
        assert_eq!(Square::new(63).unwrap().to_string(), "h1");
        assert_eq!(Square::new(52).unwrap().to_string(), "e2");
        assert_eq!(Square::at(4, 1), Square::new(52));
        assert_eq!(Square::new(64), None);
        assert_eq!(Square::new(0).unwrap().turned().to_string(), "h1");
    }

    #[test]
    fn the_starting_placement_reads_as_its_fen() {
        let start = Placement::starting();
        assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert_eq!(Placement::from_fen(&start.to_string()), Ok(start));
        assert_eq!(start.turned().to_string(), "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr");
        assert_eq!(start.occupancy().0, 0xffff_0000_0000_ffff);
    }

    #[test]
    fn a_crooked_placement_is_refused() {
        for text in
            ["", "8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7x", "44/8/8/8/8/8/8/71p"]
        {
            assert_eq!(Placement::from_fen(text), Err(PlacementError), "{text}");
        }
    }
}
