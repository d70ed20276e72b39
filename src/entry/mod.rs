//! Everything that can enter the works: what the journal keeps and a replay reads. Not what comes
//! out of them: that follows from these alone.

mod appointment;
mod regulations;

pub use appointment::{Appointment, Standing, Start};
pub use regulations::Regulations;

use std::collections::BTreeMap;

use bincode::{Decode, Encode};
use eboard::{Carrier, Moment, Station};
use serde::{Deserialize, Serialize};
use witness::laws::rate::Rate;
use witness::{Edition, Part, Place, TimeControl, Which};

use crate::pairings::{Players, Round};
use crate::requests::Request;

/// The names and facts by which a line can be known again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct LineId {
    /// The device file it was opened by.
    pub path: String,
    /// Everything it is known by: the path, stable links, a USB location or serial number.
    pub names: Vec<String>,
    /// What carries its bytes.
    #[serde(default, with = "CarrierText")]
    pub carrier: Carrier,
}

/// A [`Carrier`] as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Carrier", rename_all = "snake_case")]
enum CarrierText {
    Serial,
    Hid { vendor: u16, product: u16 },
    Socket,
}

impl LineId {
    /// The serial line that is known by this path alone.
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), names: vec![path.to_owned()], carrier: Carrier::Serial }
    }

    /// The names by which the same line is known again whatever else is plugged in, the best first:
    /// the adapter's own number, or the socket. The path, and the link that adapters without a
    /// number share, are all there is where nothing better is known.
    #[must_use]
    pub fn lasting(&self) -> Vec<String> {
        const LASTING: [&str; 5] =
            ["usb:", "/dev/adoubed/", "/dev/serial/by-path/", "usb-socket:", "hid:"];
        let rank = |name: &String| LASTING.iter().position(|prefix| name.starts_with(prefix));
        let mut lasting: Vec<_> =
            self.names.iter().filter_map(|name| Some((rank(name)?, name))).collect();
        lasting.sort();
        match lasting.is_empty() {
            true => self.names.clone(),
            false => lasting.into_iter().map(|(_, name)| name.clone()).collect(),
        }
    }

    /// The same, with its bytes carried by this.
    #[must_use]
    pub fn over(self, carrier: Carrier) -> Self {
        Self { carrier, ..self }
    }
}

/// How one table is to be watched, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct TableEntry {
    /// The table's number.
    pub number: u32,
    /// The line it sits at.
    pub port: Option<String>,
    /// The serial number of its board.
    pub serial: Option<String>,
    /// The language of its line, if it is not to be found out.
    pub driver: Option<String>,
    /// The place on the line.
    pub station: u16,
    /// How it is watched.
    pub watch: Watch,
}

impl TableEntry {
    /// The table with this number, at a line whose language is known.
    pub fn at(number: u32, port: &str, driver: &str, watch: &Watch) -> Self {
        Self {
            number,
            port: Some(port.to_owned()),
            serial: None,
            driver: Some(driver.to_owned()),
            station: 0,
            watch: watch.clone(),
        }
    }
}

/// The settings of a table as the journal keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Watch {
    /// Edition of the Laws: 2005, 2014, 2018 or 2023.
    pub laws: u16,
    /// See [`witness::Settings::settle`].
    pub settle_ms: u64,
    /// See [`witness::Settings::release`].
    pub release_ms: u64,
    /// See [`witness::Settings::check_after`], in seconds.
    pub check_after_s: u64,
    /// See [`witness::Settings::control`], as it is written.
    #[serde(default)]
    pub time_control: String,
    /// See [`witness::Settings::rate`]: `standard`, `rapid`, `blitz`, or empty.
    #[serde(default)]
    pub rate: String,
    /// The opposite of [`witness::Settings::supervised`].
    #[serde(default)]
    pub unsupervised: bool,
    /// See [`witness::Settings::min_draw_move`].
    #[serde(default)]
    pub min_draw_move: u32,
    /// See [`witness::Settings::regulations`].
    #[serde(default)]
    pub regulations: Regulations,
    /// See [`witness::Settings::second_board`]: `white`, `black`, or empty.
    #[serde(default)]
    pub second_board: String,
    /// See [`witness::Settings::repeat`], in seconds.
    #[serde(default = "repeat_s")]
    pub repeat_s: u64,
    /// See [`witness::Settings::default_time`], in seconds.
    #[serde(default)]
    pub default_time_s: u64,
    /// See [`witness::Settings::result_after`], in seconds. Records from before it tell nothing of
    /// the kind when they are lived through again.
    #[serde(default)]
    pub result_after_s: u64,
    /// See [`witness::Settings::quickplay_finish`].
    #[serde(default)]
    pub quickplay_finish: bool,
    /// See [`witness::Settings::silent`]: nobody can configure it, and no record holds it.
    #[serde(skip)]
    pub silent: bool,
}

/// The rule by which the entries after this one become public, until another rule is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Delay {
    /// The recorded time up to now, in microseconds. It leaves out pauses between runs, because
    /// nobody can know how long they were.
    pub counted: u64,
    /// The recorded time, in microseconds, at which the entries before this one are public. Later
    /// ones never become public before it.
    pub due: u64,
    /// Later entries become public this many seconds after they are recorded.
    pub delay_s: u64,
    /// How many of the last half moves of a game in play are held back.
    pub delay_moves: u64,
}

/// A second board at a table, for a game with a visually impaired player (Appendix D).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct SecondBoard {
    /// The table's number.
    pub table: u32,
    /// The line it sits at.
    pub port: Option<String>,
    /// Its serial number.
    pub serial: Option<String>,
    /// The language of its line, if it is not to be found out.
    pub driver: Option<String>,
    /// The place on the line.
    pub station: u16,
}

/// A clock that has a line of its own, beside the board of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Clock {
    /// The table's number.
    pub table: u32,
    /// Its line.
    pub port: String,
    /// Its language: no clock is searched for.
    pub driver: String,
}

/// What was so before anybody could say otherwise.
fn repeat_s() -> u64 {
    witness::Settings::default().repeat.as_secs()
}

/// The tables of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Plan {
    /// Tables named in the configuration; none: every recognised board gets one.
    pub tables: Vec<TableEntry>,
    /// The second boards of some of them.
    #[serde(default)]
    pub second_boards: Vec<SecondBoard>,
    /// The clocks that have lines of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Clock>,
    /// How tables without an entry are watched.
    pub watch: Watch,
    /// Who sat where before: a record that begins here must not seat anybody anew.
    #[serde(default)]
    pub seats: Seats,
    /// The round that the organizer has named.
    #[serde(default)]
    pub round: String,
    /// When it officially starts: microseconds since 1970.
    #[serde(default)]
    pub start: Option<i64>,
    /// Who plays whom, in the order of the rounds.
    #[serde(default)]
    pub rounds: Vec<Round>,
    /// Who plays at a table where no round and no arbiter says so.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<u32, Players>,
    /// Where each table has come to.
    #[serde(default)]
    pub standings: BTreeMap<u32, Standing>,
    /// The languages that texts are published in, beside English and French.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
}

impl Plan {
    /// Whether a record that is understood alone begins with it: it says where each table has come
    /// to.
    #[must_use]
    pub fn begins_a_record(&self) -> bool {
        !self.standings.is_empty()
    }

    /// Every place that is named, for a board or for a clock.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let first = self.tables.iter().map(|table| Place {
            table: table.number,
            port: table.port.clone(),
            serial: table.serial.clone(),
            language: table.driver.clone(),
            station: Station(table.station),
            part: Part::BOARD,
        });
        let second = self.second_boards.iter().map(|board| Place {
            table: board.table,
            port: board.port.clone(),
            serial: board.serial.clone(),
            language: board.driver.clone(),
            station: Station(board.station),
            part: Part::Board(Which::Second),
        });
        let clocks = self.clocks.iter().map(|clock| Place {
            table: clock.table,
            port: Some(clock.port.clone()),
            language: Some(clock.driver.clone()),
            part: Part::Clock,
            ..Place::default()
        });
        first.chain(second).chain(clocks)
    }

    /// How a table is watched.
    #[must_use]
    pub fn watch_of(&self, table: u32) -> &Watch {
        let named = self.tables.iter().find(|entry| entry.number == table);
        named.map_or(&self.watch, |entry| &entry.watch)
    }

    /// The round the event is in: as named, or else the first that there are pairings for.
    #[must_use]
    pub fn round(&self) -> &str {
        let named = self.rounds.iter().find(|it| it.name == self.round);
        named.or(self.rounds.first()).map_or(&self.round, |it| &it.name)
    }

    /// The round after that one; nothing after the last. Without pairings nobody can tell, and it
    /// keeps its name.
    #[must_use]
    pub fn round_after<'a>(&'a self, round: &'a str) -> &'a str {
        if self.rounds.is_empty() {
            return round;
        }
        let mut after = self.rounds.iter().skip_while(|it| it.name != round).skip(1);
        after.next().map_or("", |it| &it.name)
    }
}

/// Which boards and lines have had which table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Seats {
    /// By the board's own serial number.
    pub by_serial: BTreeMap<String, u32>,
    /// The tables that arbiters have named for boards that have no serial number, as in `by_line`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_word: BTreeMap<String, u32>,
    /// Boards that have no serial number, by the lasting names of their line, on a bus with their
    /// station.
    pub by_line: BTreeMap<String, u32>,
    /// The language of the board at a table that is known by its line.
    #[serde(default)]
    pub languages: BTreeMap<u32, String>,
    /// The language that was spoken last on a line, by any of its names.
    #[serde(default)]
    pub spoken: BTreeMap<String, String>,
    /// How many games each table has had.
    #[serde(default)]
    pub games: BTreeMap<u32, u32>,
}

/// An entry and its moment.
pub type Record = (Moment, Entry);

/// One thing that entered, in the order of its moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The daemon was started, or has read its configuration anew.
    Planned(Box<Plan>),
    /// This moment was this time of day: microseconds since 1970, UTC.
    Wall(i64),
    /// A line was opened under a number that no other line has in this journal.
    Opened(u32, LineId),
    /// Bytes were read from it.
    Bytes(u32, Vec<u8>),
    /// So many bytes of it were left out, here: it said more than any board can.
    Shed(u32, u64),
    /// It is gone.
    Closed(u32),
    /// A request of somebody entitled to it.
    Request(Request),
    /// Somebody has looked at a question of a table for as long as he would.
    Answered(Answer),
    /// The rule of the public delay from here on, changed or repeated.
    Delayed(Delay),
}

/// What was found out about a question of mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The table that asked.
    pub table: u32,
    /// The number of its question.
    pub question: u32,
    /// Whether the side can checkmate; none: not found out.
    pub winnable: Option<bool>,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            laws: 2023,
            settle_ms: 400,
            release_ms: 1000,
            check_after_s: 4,
            time_control: String::new(),
            rate: String::new(),
            unsupervised: false,
            min_draw_move: 0,
            regulations: Regulations::default(),
            second_board: String::new(),
            repeat_s: repeat_s(),
            default_time_s: 0,
            result_after_s: 900,
            quickplay_finish: false,
            silent: false,
        }
    }
}

impl Watch {
    /// As the witness wants it.
    #[must_use]
    pub fn settings(&self) -> witness::Settings {
        use std::time::Duration;
        let edition = Edition::named(&self.laws.to_string()).unwrap_or_default();
        witness::Settings {
            edition,
            settle: Duration::from_millis(self.settle_ms),
            release: Duration::from_millis(self.release_ms),
            check_after: Duration::from_secs(self.check_after_s),
            // Checked where it was said; a journal of another version may say more than we know.
            control: TimeControl::told(&self.time_control).ok().flatten(),
            rate: match self.rate.as_str() {
                "standard" => Some(Rate::Standard),
                "rapid" => Some(Rate::Rapid),
                "blitz" => Some(Rate::Blitz),
                _ => None,
            },
            supervised: !self.unsupervised,
            min_draw_move: self.min_draw_move,
            regulations: self.regulations.regulations(edition),
            second_board: match self.second_board.as_str() {
                "white" => Some(shakmaty::Color::White),
                "black" => Some(shakmaty::Color::Black),
                _ => None,
            },
            repeat: Duration::from_secs(self.repeat_s),
            default_time: Duration::from_secs(self.default_time_s),
            result_after: Duration::from_secs(self.result_after_s),
            quickplay_finish: self.quickplay_finish,
            silent: self.silent,
        }
    }
}
