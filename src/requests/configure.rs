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
        /// The key.
        key: Key,
        /// Its value; null: the key is removed.
        value: Value,
    },
}

impl Change {
    /// The tables that it is about.
    pub fn tables(&self) -> impl Iterator<Item = TableNo> + use<> {
        let tables = match self {
            Self::Seat(seat) => vec![seat.table],
            Self::Unseat { table } => vec![*table],
            Self::Swap { tables } => tables.to_vec(),
            Self::Set { .. } => Vec::new(),
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

/// The keys that can be set: those of `[event]` by their names, others with their section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they are the keys of the configuration")]
pub enum Key {
    Name,
    Site,
    Round,
    Laws,
    TimeControl,
    Language,
    Languages,
    Supervision,
    DefaultTimeS,
    MinDrawMove,
    QuickplayFinish,
    ResultAfterMin,
    Start,
    Pairings,
    #[serde(rename = "web.screens.clocks")]
    ScreensClocks,
    #[serde(rename = "web.screens.moves")]
    ScreensMoves,
    #[serde(rename = "web.screens.presses")]
    ScreensPresses,
    #[serde(rename = "web.screens.figurines")]
    ScreensFigurines,
    #[serde(rename = "web.screens.featured")]
    ScreensFeatured,
    #[serde(rename = "web.screens.page_s")]
    ScreensPageS,
    /// Its value is an object: the tables of each part of the hall.
    #[serde(rename = "web.sections")]
    Sections,
    /// Without it there is no section `[public]`, and no delay.
    #[serde(rename = "public.delay_s")]
    PublicDelayS,
    #[serde(rename = "public.delay_moves")]
    PublicDelayMoves,
    #[serde(rename = "livechess.listen")]
    LivechessListen,
    #[serde(rename = "pgn.directory")]
    PgnDirectory,
    #[serde(rename = "lichess.round")]
    LichessRound,
    #[serde(rename = "lichess.token_file")]
    LichessTokenFile,
    #[serde(rename = "notify.url")]
    NotifyUrl,
    #[serde(rename = "notify.names")]
    NotifyNames,
    #[serde(rename = "notify.pages")]
    NotifyPages,
}

impl Key {
    /// The section and the key, as they are written.
    #[must_use]
    pub const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Name => ("event", "name"),
            Self::Site => ("event", "site"),
            Self::Round => ("event", "round"),
            Self::Laws => ("event", "laws"),
            Self::TimeControl => ("event", "time_control"),
            Self::Language => ("event", "language"),
            Self::Languages => ("event", "languages"),
            Self::Supervision => ("event", "supervision"),
            Self::DefaultTimeS => ("event", "default_time_s"),
            Self::MinDrawMove => ("event", "min_draw_move"),
            Self::QuickplayFinish => ("event", "quickplay_finish"),
            Self::ResultAfterMin => ("event", "result_after_min"),
            Self::Start => ("event", "start"),
            Self::Pairings => ("event", "pairings"),
            Self::ScreensClocks => ("web.screens", "clocks"),
            Self::ScreensMoves => ("web.screens", "moves"),
            Self::ScreensPresses => ("web.screens", "presses"),
            Self::ScreensFigurines => ("web.screens", "figurines"),
            Self::ScreensFeatured => ("web.screens", "featured"),
            Self::ScreensPageS => ("web.screens", "page_s"),
            Self::Sections => ("web", "sections"),
            Self::PublicDelayS => ("public", "delay_s"),
            Self::PublicDelayMoves => ("public", "delay_moves"),
            Self::LivechessListen => ("livechess", "listen"),
            Self::PgnDirectory => ("pgn", "directory"),
            Self::LichessRound => ("lichess", "round"),
            Self::LichessTokenFile => ("lichess", "token_file"),
            Self::NotifyUrl => ("notify", "url"),
            Self::NotifyNames => ("notify", "names"),
            Self::NotifyPages => ("notify", "pages"),
        }
    }
}
