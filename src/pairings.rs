//! Who plays whom at which table and with which colour, round by round.

mod file;
mod pgn;
mod start;
pub(crate) mod trf;
mod write;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use witness::{Array, TableNo};

pub use file::{Problem, Source, judge, load, of, read};
pub(crate) use file::{lines, text};
pub use start::{BadStart, position, start};
pub(crate) use write::tag;
pub use write::write;

/// The longest name of a player or a round, in characters. What is longer in a file of another
/// program is cut off; whoever writes it for us is asked for a shorter one.
pub const NAME_MAX: usize = 100;

/// A player as screens show him.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
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
    /// FIDE's number of the player.
    pub fide_id: Option<u32>,
}

/// Both players of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Players {
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

impl Players {
    /// The players with reversed colours.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { white: self.black, black: self.white }
    }
}

/// A game of the pairings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Pairing {
    /// The table.
    pub table: TableNo,
    /// The players.
    #[serde(flatten)]
    pub players: Players,
    /// The first position; none: the initial position, or one of Chess960.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Whether castling follows Chess960.
    #[serde(default)]
    pub chess960: bool,
}

/// The games of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Round {
    /// The name of the round: `3`.
    pub name: String,
    /// Its games.
    pub pairings: Vec<Pairing>,
}

impl Round {
    /// The game of a table.
    #[must_use]
    pub fn at(&self, table: TableNo) -> Option<&Pairing> {
        self.pairings.iter().find(|pairing| pairing.table == table)
    }
}

/// A text of a file, cut to the longest that is kept.
fn short(text: &str) -> String {
    let text = text.trim();
    if !is_plain(text) {
        tracing::warn!("{text:?} in the pairings is kept without its line breaks and the like");
    }
    text.chars().filter(|letter| !commands(*letter)).take(NAME_MAX).collect()
}

/// Whether a name is one line of text. In PGN a line break would end its tag, and the rest would be
/// read as moves. A change of direction would turn round what stands beside the name on a page.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    !text.contains(commands)
}

/// Whether a character is no letter but says how those around it are set. Names that are written
/// from right to left need none of these.
fn commands(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

impl Pairing {
    /// The first position of the game, if the pairings give one.
    ///
    /// # Errors
    /// If no game can begin with it.
    pub fn array(&self) -> Result<Option<Array>, BadStart> {
        let Some(fen) = &self.start_fen else { return Ok(None) };
        start(fen, self.chess960).map(Some)
    }
}
