//! Who plays whom at which table, round by round, and with which pieces.

mod file;
mod pgn;
mod trf;

use serde::{Deserialize, Serialize};
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError};
use witness::Array;

pub use file::{Problem, load};

/// The longest name of a player or of a round that is kept, in letters.
pub const NAME_MAX: usize = 100;

/// A player as screens show him.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Player {
    /// `Doe, Jane`.
    pub name: String,
    /// `GM`, …
    pub title: Option<String>,
    /// Rating.
    pub rating: Option<u16>,
    /// Three letters.
    pub federation: Option<String>,
    /// His number at FIDE.
    pub fide_id: Option<u32>,
}

/// Both players of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Players {
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

impl Players {
    /// The same two, with the other colours.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { white: self.black, black: self.white }
    }
}

/// One game that is to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The table.
    pub table: u32,
    /// The players.
    #[serde(flatten)]
    pub players: Players,
    /// The position it begins with; none: the usual array, or one of Chess960.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Castling follows Chess960.
    #[serde(default)]
    pub chess960: bool,
}

/// The games of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// As it is called: `3`.
    pub name: String,
    /// Its games.
    pub pairings: Vec<Pairing>,
}

impl Round {
    /// The game of a table.
    #[must_use]
    pub fn at(&self, table: u32) -> Option<&Pairing> {
        self.pairings.iter().find(|pairing| pairing.table == table)
    }
}

/// What a file says, no longer than is kept of it.
fn short(text: &str) -> String {
    text.trim().chars().take(NAME_MAX).collect()
}

/// Why a game cannot begin with a position.
#[derive(Debug, thiserror::Error)]
pub enum BadStart {
    /// It is no FEN.
    #[error("the FEN cannot be read: {0}")]
    Fen(#[from] ParseFenError),
    /// No game can have it.
    #[error("no legal position: {0}")]
    Position(#[from] Box<PositionError<Chess>>),
}

impl Pairing {
    /// What the game begins with, if that was said.
    ///
    /// # Errors
    /// When no game can begin with it.
    pub fn array(&self) -> Result<Option<Array>, BadStart> {
        let Some(fen) = &self.start_fen else { return Ok(None) };
        start(fen, self.chess960).map(Some)
    }
}

/// A FEN as a start position. Where it can only be castled as in Chess960, it is.
///
/// # Errors
/// When no game can begin with it.
pub fn start(fen: &str, chess960: bool) -> Result<Array, BadStart> {
    let setup = fen.parse::<Fen>()?.into_setup();
    if !chess960 && let Ok(position) = Chess::from_setup(setup.clone(), CastlingMode::Standard) {
        return Ok(Array { position, mode: CastlingMode::Standard });
    }
    let position = Chess::from_setup(setup, CastlingMode::Chess960).map_err(Box::new)?;
    Ok(Array { position, mode: CastlingMode::Chess960 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_says_by_itself_how_castling_goes() {
        let mode = |fen, chess960| start(fen, chess960).unwrap().mode;
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(mode(usual, false), CastlingMode::Standard);
        assert_eq!(mode(usual, true), CastlingMode::Chess960);
        let array = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
        assert_eq!(mode(array, false), CastlingMode::Chess960);
        assert!(matches!(start("nonsense", false), Err(BadStart::Fen(_))));
        assert!(matches!(start("8/8/8/8/8/8/8/KK6 w - - 0 1", false), Err(BadStart::Position(_))));
    }
}
