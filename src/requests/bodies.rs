//! The bodies of requests. docs/mqtt.md explains every key.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use witness::laws::claims::Claim;
use witness::{Absent, Ruling};

use crate::pairings::Player;
use crate::side::Side;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acknowledge {
    pub alert: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub alert: String,
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetPosition {
    pub table: u32,
    pub fen: String,
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub chess960: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimCheck {
    pub table: u32,
    #[serde(with = "ClaimWord")]
    pub kind: Claim,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Claim", rename_all = "snake_case")]
enum ClaimWord {
    Threefold,
    Fifty,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetPairing {
    pub table: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<PlayerWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<PlayerWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colours_reversed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub chess960: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartRound {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<u32>>,
}

/// The name of a round. Numbers are accepted too, because most rounds have one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "write the name of a round")]
pub enum Name {
    Text(String),
    Number(u32),
}

/// A player, as a bare name or as in the payload of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "write a name, or an object with name, title, rating, federation and fide_id"
)]
pub enum PlayerWord {
    Name(String),
    Whole(Player),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjourn {
    pub table: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed_by: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Side>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resumption: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreShown {
    pub table: u32,
    pub side: Side,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resume {
    pub table: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<AbsentWord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbsentWord {
    Nobody,
    White,
    Black,
    Both,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SealedMove {
    pub table: u32,
    #[serde(rename = "move")]
    pub written: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakeBack {
    pub table: u32,
    pub plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectScore {
    pub table: u32,
    pub after: usize,
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub replaces: usize,
    pub moves: Vec<String>,
    pub of: usize,
}

/// A request with a table and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToTable {
    pub table: u32,
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
    pub table: Option<u32>,
}
