//! Changes of the configuration, as organizers ask for them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most changes of one request: a hall of three hundred boards is seated in a few.
pub const CHANGES_MAX: usize = 128;

/// Changes the file of the configuration: all of the changes, or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Configure {
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The revision of the file that the sender has seen; none: whatever it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Whether a game in play may lose its board by it.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub disturb: bool,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A board gets this table.
    Seat(SeatAt),
    /// The table is removed, with everything that is written of it.
    Unseat {
        /// The table.
        table: u32,
    },
    /// Two tables exchange their boards.
    Swap {
        /// The tables.
        tables: [u32; 2],
    },
    /// A key of `[event]` gets this value.
    Set {
        /// The key.
        key: EventKey,
        /// Its value; null: the key is removed.
        value: Value,
    },
}

/// A board and its table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatAt {
    /// The table.
    pub table: u32,
    /// The line of a board that is present, by any of its names. The daemon finds out what lasts:
    /// the serial number of the board, or else the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The board's station on a bus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub station: Option<u16>,
    /// The serial number, if no line is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The port, if no line is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// The driver of the port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
}

/// The keys of `[event]` that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they are the keys of the configuration")]
pub enum EventKey {
    Name,
    Site,
    Round,
    Laws,
    TimeControl,
    Language,
    Supervision,
    DefaultTimeS,
    MinDrawMove,
    Start,
    Pairings,
}

impl EventKey {
    /// The key as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Site => "site",
            Self::Round => "round",
            Self::Laws => "laws",
            Self::TimeControl => "time_control",
            Self::Language => "language",
            Self::Supervision => "supervision",
            Self::DefaultTimeS => "default_time_s",
            Self::MinDrawMove => "min_draw_move",
            Self::Start => "start",
            Self::Pairings => "pairings",
        }
    }
}
