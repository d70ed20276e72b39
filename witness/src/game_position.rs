//! A position as it stood in a game: not only what the Laws compare when they count repetitions,
//! but which move was to be made, and how many had been made without a capture or a pawn's move.

use std::fmt;
use std::ops::Deref;

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::keep::keep;
use crate::score::Score;

/// A position of a game. Two are equal if they have the same FEN.
#[derive(Clone, Debug, Default)]
pub struct GamePosition {
    position: Chess,
}

keep!(GamePosition { position; });

impl GamePosition {
    /// The number of the move that is made from it.
    pub(crate) fn move_number(&self) -> u32 {
        u32::from(self.position.fullmoves())
    }

    /// After how many moves of this score it stands; the last such place.
    pub(crate) fn place_in(&self, score: &Score) -> Option<usize> {
        (0..=score.plies().len()).rev().find(|ply| *self == *score.position_at(*ply))
    }
}

impl From<Chess> for GamePosition {
    fn from(position: Chess) -> Self {
        Self { position }
    }
}

impl From<&Chess> for GamePosition {
    fn from(position: &Chess) -> Self {
        Self { position: position.clone() }
    }
}

impl Deref for GamePosition {
    type Target = Chess;

    fn deref(&self) -> &Chess {
        &self.position
    }
}

impl PartialEq<Chess> for GamePosition {
    fn eq(&self, other: &Chess) -> bool {
        self.fullmoves() == other.fullmoves()
            && self.halfmoves() == other.halfmoves()
            && self.position == *other
    }
}

impl PartialEq for GamePosition {
    fn eq(&self, other: &Self) -> bool {
        *self == other.position
    }
}

impl Eq for GamePosition {}

/// As FEN.
impl fmt::Display for GamePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fen::from_position(&self.position, EnPassantMode::Legal).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;

    fn position(fen: &str) -> GamePosition {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position::<Chess>(CastlingMode::Standard).unwrap().into()
    }

    #[test]
    fn positions_differ_by_all_that_a_fen_tells() {
        let same = position("4k3/8/8/8/4P3/8/8/R3K3 b Q e3 0 7");
        assert_eq!(same, position("4k3/8/8/8/4P3/8/8/R3K3 b Q - 0 7"), "nothing can capture");
        for other in [
            "4k3/8/8/8/4P3/8/8/R3K3 b - - 0 7",
            "4k3/8/8/8/4P3/8/8/R3K3 w Q - 0 7",
            "4k3/8/8/8/8/4P3/8/R3K3 b Q - 0 7",
            "4k3/8/8/8/4P3/8/8/R3K3 b Q - 1 7",
            "4k3/8/8/8/4P3/8/8/R3K3 b Q - 0 8",
        ] {
            assert_ne!(same, position(other), "{other}");
            assert_eq!(position(other).to_string(), other);
        }
        let captures = |square: &str| format!("4k3/8/8/8/3pP3/8/8/R3K3 b Q {square} 0 7");
        assert_ne!(position(&captures("e3")), position(&captures("-")));
    }
}
