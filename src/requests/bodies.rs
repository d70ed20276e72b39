//! The bodies of requests. docs/mqtt.md explains every key.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use witness::laws::claims::Claim;
use witness::{Absent, Ruling, TableNo};

use crate::pairings::Player;
use crate::side::Side;

/// An arbiter is on the way to an alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acknowledge {
    /// The id of the alert: `table-game-number`.
    pub alert: String,
}

/// A ruling on an alert. It closes the alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// The id of the alert.
    pub alert: String,
    /// The ruling.
    #[serde(with = "RulingWord")]
    pub ruling: Ruling,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Ruling", rename_all = "snake_case")]
enum RulingWord {
    Upheld,
    Dismissed,
    Noted,
}

/// The game at a table goes on from another position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetPosition {
    /// The table.
    pub table: TableNo,
    /// The position, with the side to move and the number of the move.
    pub fen: String,
    /// Whether its castling rights are those of Chess960.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub chess960: bool,
}

/// A question whether a claim of a draw is right (9.2, 9.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimCheck {
    /// The table.
    pub table: TableNo,
    /// The draw that is claimed.
    #[serde(with = "ClaimWord")]
    pub kind: Claim,
    /// The move that the player has written and not made; none: the position is on the board.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Claim", rename_all = "snake_case")]
enum ClaimWord {
    Threefold,
    Fifty,
}

/// Who plays at a table, in the game that is on or, after a result, in the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetPairing {
    /// The table.
    pub table: TableNo,
    /// The round; none: it stays, or after a result it is the next one of the pairings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Name>,
    /// White.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<PlayerWord>,
    /// Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<PlayerWord>,
    /// Whether the players of the game that is on have each other's colours (7.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colours_reversed: Option<bool>,
    /// The first position; none: the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Whether the game is Chess960.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub chess960: bool,
}

/// The round starts now: White's clocks are to be started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartRound {
    /// The round; none: each table plays the round that it is at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Name>,
    /// Its tables; none: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<TableNo>>,
}

/// The name of a round. Numbers are accepted too, because most rounds have one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "write the name of a round")]
pub enum Name {
    /// A text.
    Text(String),
    /// A number.
    Number(u32),
}

/// A player, as a bare name or as in the payload of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "write a name, or an object with name, title, rating, federation and fide_id"
)]
pub enum PlayerWord {
    /// The bare name.
    Name(String),
    /// All that is known of him.
    Whole(Player),
}

/// The game is adjourned (Guideline I).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjourn {
    /// The table.
    pub table: TableNo,
    /// The player who has sealed a move; none: nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed_by: Option<Side>,
    /// The player who has offered a draw that stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Side>,
    /// When the game is resumed, in words; at most 200 letters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resumption: String,
    /// And where; at most 200 letters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// The arbiter has shown his score to a player (A.3.2, B.3.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreShown {
    /// The table.
    pub table: TableNo,
    /// The player.
    pub side: Side,
}

/// An adjourned game is resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resume {
    /// The table.
    pub table: TableNo,
    /// Who is absent; none: nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<AbsentWord>,
}

/// Who is absent at a resumption.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbsentWord {
    /// Both players are there.
    Nobody,
    /// White alone is absent.
    White,
    /// Black alone is absent.
    Black,
    /// Both are absent.
    Both,
}

/// The content of an envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SealedMove {
    /// The table.
    pub table: TableNo,
    /// The move as it is written; at most 200 letters.
    #[serde(rename = "move")]
    pub written: String,
}

/// The score loses its last half moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakeBack {
    /// The table.
    pub table: TableNo,
    /// How many half moves.
    pub plies: usize,
    /// How many half moves the score has for who asks. With another number it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

/// A passage of the score is put right from a scoresheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectScore {
    /// The table.
    pub table: TableNo,
    /// How many half moves before the passage stay.
    pub after: usize,
    /// How many half moves after those are replaced.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub replaces: usize,
    /// The moves in their place, in SAN or UCI, at most 400.
    pub moves: Vec<String>,
    /// How many half moves the score has for who asks. With another number it is refused.
    pub of: usize,
}

/// What was decided a moment ago is taken back by the arbiter who has decided it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    /// The table.
    pub table: TableNo,
    /// The number of the decision, as in the answer to it.
    pub act: u32,
}

/// A request with a table and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToTable {
    /// The table.
    pub table: TableNo,
}

impl From<AbsentWord> for Absent {
    fn from(absent: AbsentWord) -> Self {
        match absent {
            AbsentWord::Nobody => Self::Nobody,
            AbsentWord::White => Self::One(Color::White),
            AbsentWord::Black => Self::One(Color::Black),
            AbsentWord::Both => Self::Both,
        }
    }
}

/// Gives a board a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatBoard {
    /// The line of the board, by any of its names.
    pub line: String,
    /// The board's station on a bus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub station: Option<u16>,
    /// The table; none: a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableNo>,
}
