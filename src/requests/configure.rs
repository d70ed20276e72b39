//! Changes of the configuration, as organizers ask for them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use witness::TableNo;

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
        table: TableNo,
    },
    /// Two tables exchange their boards.
    Swap {
        /// The tables.
        tables: [TableNo; 2],
    },
    /// A key gets this value.
    Set {
        /// The key: of `[event]` by its name, else with its sections. Whether there is such a key
        /// is known where the file is changed, so that old records are read.
        key: String,
        /// Its value; null: the key is removed.
        value: Value,
        /// The table, for a key that begins with `table.`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<TableNo>,
    },
}

impl Change {
    /// A key that stands in no table gets this value.
    #[must_use]
    pub fn set(key: &str, value: Value) -> Self {
        Self::Set { key: key.to_owned(), value, table: None }
    }

    /// The tables that it is about.
    pub fn tables(&self) -> impl Iterator<Item = TableNo> + use<> {
        let tables = match self {
            Self::Seat(seat) => vec![seat.table],
            Self::Unseat { table } => vec![*table],
            Self::Swap { tables } => tables.to_vec(),
            Self::Set { table, .. } => table.iter().copied().collect(),
        };
        tables.into_iter()
    }
}

/// A board and its table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatAt {
    /// The table.
    pub table: TableNo,
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
