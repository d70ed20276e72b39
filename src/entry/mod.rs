//! Everything that can enter the works. The journal keeps it, and a replay reads it. What comes out
//! of the works follows from it and is not kept.

mod appointment;
mod regulations;

pub use appointment::{Appointment, Standing, Start};
pub use regulations::Regulations;

use std::collections::BTreeMap;

use bincode::{Decode, Encode};
use eboard::{Carrier, Moment, Station};
use serde::{Deserialize, Serialize};
use witness::laws::rate::Rate;
use witness::unwinnable::Mate;
use witness::{Edition, LineNo, Part, Place, TableNo, TimeControl, Which};

use crate::pairings::{Players, Round};
use crate::requests::Request;

/// The names and facts by which a line can be known again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct LineId {
    /// The device file under which it was opened.
    pub path: String,
    /// All its names: the path, stable links, a USB location or serial number.
    pub names: Vec<String>,
    /// The carrier of its bytes.
    #[serde(default, with = "CarrierText")]
    pub carrier: Carrier,
}

/// A [`Carrier`] in its recorded form.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Carrier", rename_all = "snake_case")]
enum CarrierText {
    Serial,
    Hid { vendor: u16, product: u16 },
    Socket,
}

impl LineId {
    /// A serial line of which only the path is known.
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), names: vec![path.to_owned()], carrier: Carrier::Serial }
    }

    /// The names that recognise the line again, the best first, whatever else is plugged in: the
    /// adapter's serial number, or the socket. If there is neither, the path remains, and the link
    /// that adapters without a number share.
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

    /// The same line with this carrier.
    #[must_use]
    pub fn over(self, carrier: Carrier) -> Self {
        Self { carrier, ..self }
    }
}

/// Prefixes of the names that a configuration may use, the best first. Such files exist before the
/// daemon opens anything, and do not depend on what else is plugged in. [`LineId::lasting`] knows
/// more names that recognise a line, but no file has them.
const STABLE: [&str; 3] = ["/dev/adoubed/", "/dev/serial/by-path/", "/dev/serial/by-id/"];

/// The most lasting file of the line at this path, which has these names.
#[must_use]
pub fn lasting_file<'a>(path: &'a str, names: &'a [String]) -> &'a str {
    let named = |prefix: &str| names.iter().find(|name| name.starts_with(prefix));
    STABLE.into_iter().find_map(named).map_or(path, String::as_str)
}

/// A table's place and settings, in recorded form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct TableEntry {
    /// The table's number.
    pub number: TableNo,
    /// The line of its board.
    pub port: Option<String>,
    /// The serial number of its board.
    pub serial: Option<String>,
    /// The language of its line; none: found out.
    pub driver: Option<String>,
    /// The station on the line.
    pub station: u16,
    /// How it is watched.
    pub watch: Watch,
}

impl TableEntry {
    /// A table on a line whose language is known.
    pub fn at(number: TableNo, port: &str, driver: &str, watch: &Watch) -> Self {
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

/// The settings of a table, in recorded form.
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
    /// See [`witness::Settings::control`], as text.
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
    /// See [`witness::Settings::result_after`], in seconds. Older records lack it, and raise no
    /// such alert in a replay.
    #[serde(default)]
    pub result_after_s: u64,
    /// See [`witness::Settings::quickplay_finish`].
    #[serde(default)]
    pub quickplay_finish: bool,
    /// See [`witness::Settings::silent`]. It is not in the configuration and not recorded.
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
    pub table: TableNo,
    /// The line of the board.
    pub port: Option<String>,
    /// The serial number of the board.
    pub serial: Option<String>,
    /// The language of the line; none: found out.
    pub driver: Option<String>,
    /// The station on the line.
    pub station: u16,
}

/// A clock with a line of its own, beside the board of its table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Clock {
    /// The table's number.
    pub table: TableNo,
    /// Its line.
    pub port: String,
    /// The language of the line. Clocks are not searched for.
    pub driver: String,
}

/// The value for records from before the setting.
fn repeat_s() -> u64 {
    witness::Settings::default().repeat.as_secs()
}

/// The tables of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Plan {
    /// The configured tables; none: every recognised board gets one.
    pub tables: Vec<TableEntry>,
    /// The second boards of some of them.
    #[serde(default)]
    pub second_boards: Vec<SecondBoard>,
    /// The clocks that have lines of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Clock>,
    /// The settings of tables without an entry.
    pub watch: Watch,
    /// Which boards and lines had which tables. A new record must not give a board another table.
    #[serde(default)]
    pub seats: Seats,
    /// The round in the configuration.
    #[serde(default)]
    pub round: String,
    /// The official start of the round, in microseconds since 1970.
    #[serde(default)]
    pub start: Option<i64>,
    /// The pairings, in the order of the rounds.
    #[serde(default)]
    pub rounds: Vec<Round>,
    /// The players of tables that neither a round nor an arbiter names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<TableNo, Players>,
    /// The standing of each table in the rounds.
    #[serde(default)]
    pub standings: BTreeMap<TableNo, Standing>,
    /// The languages that texts are published in, beside English and French.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// The machine that records this, where the hall may have several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
}

impl Plan {
    /// Whether this plan makes a record complete in itself: it contains the standings of the
    /// tables.
    #[must_use]
    pub fn begins_a_record(&self) -> bool {
        !self.standings.is_empty()
    }

    /// All configured places of boards and clocks.
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

    /// The settings of a table.
    #[must_use]
    pub fn watch_of(&self, table: TableNo) -> &Watch {
        let named = self.tables.iter().find(|entry| entry.number == table);
        named.map_or(&self.watch, |entry| &entry.watch)
    }

    /// The round of the event: the configured one, or else the first with pairings.
    #[must_use]
    pub fn round(&self) -> &str {
        let named = self.rounds.iter().find(|it| it.name == self.round);
        named.or(self.rounds.first()).map_or(&self.round, |it| &it.name)
    }

    /// The round after that one; empty after the last. Without pairings the next round is unknown,
    /// and the name stays.
    #[must_use]
    pub fn round_after<'a>(&'a self, round: &'a str) -> &'a str {
        if self.rounds.is_empty() {
            return round;
        }
        let mut after = self.rounds.iter().skip_while(|it| it.name != round).skip(1);
        after.next().map_or("", |it| &it.name)
    }
}

/// Which boards and lines have had which tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Seats {
    /// Tables by the serial number of the board.
    pub by_serial: BTreeMap<String, TableNo>,
    /// Tables that arbiters have named for boards without a serial number, with keys as in
    /// `by_line`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_word: BTreeMap<String, TableNo>,
    /// Tables by the lasting names of the line, for boards without a serial number. On a bus the
    /// key contains the station.
    pub by_line: BTreeMap<String, TableNo>,
    /// The language of the board, for tables that are known by the line.
    #[serde(default)]
    pub languages: BTreeMap<TableNo, String>,
    /// The language last spoken on a line, by each of its names.
    #[serde(default)]
    pub spoken: BTreeMap<String, String>,
    /// The number of games that each table has had.
    #[serde(default)]
    pub games: BTreeMap<TableNo, u32>,
}

/// An entry and its moment.
pub type Record = (Moment, Entry);

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The plan: the daemon started, or read its configuration again.
    Planned(Box<Plan>),
    /// The time of day of this moment, in microseconds since 1970, UTC.
    Wall(i64),
    /// A line was opened. No other line in this journal has its number.
    Opened(LineNo, LineId),
    /// Bytes were read from the line.
    Bytes(LineNo, Vec<u8>),
    /// This many bytes of the line were left out, because no board sends as much.
    Shed(LineNo, u64),
    /// The line was closed.
    Closed(LineNo),
    /// A request from an arbiter.
    Request(Request),
    /// The analyst's answer to a question of a table.
    Answered(Answer),
    /// The rule of the public delay from now on. It may be repeated.
    Delayed(Delay),
}

/// The answer to a question about mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The table that asked.
    pub table: TableNo,
    /// The number of its question.
    pub question: u32,
    /// Whether the side can checkmate; none: undetermined.
    pub winnable: Option<bool>,
}

impl Answer {
    /// What was found out, as it is recorded.
    #[must_use]
    pub fn new(table: TableNo, question: u32, mate: Mate) -> Self {
        let winnable = match mate {
            Mate::Possible => Some(true),
            Mate::Impossible => Some(false),
            Mate::Undetermined => None,
        };
        Self { table, question, winnable }
    }

    /// What was found out.
    #[must_use]
    pub const fn mate(&self) -> Mate {
        match self.winnable {
            Some(true) => Mate::Possible,
            Some(false) => Mate::Impossible,
            None => Mate::Undetermined,
        }
    }
}

impl Default for Watch {
    fn default() -> Self {
        let usual = witness::Settings::default();
        let ms = |it: std::time::Duration| u64::try_from(it.as_millis()).unwrap_or(u64::MAX);
        Self {
            laws: 2023,
            settle_ms: ms(usual.settle),
            release_ms: ms(usual.release),
            check_after_s: usual.check_after.as_secs(),
            time_control: String::new(),
            rate: String::new(),
            unsupervised: false,
            min_draw_move: 0,
            regulations: Regulations::default(),
            second_board: String::new(),
            repeat_s: usual.repeat.as_secs(),
            default_time_s: 0,
            result_after_s: usual.result_after.as_secs(),
            quickplay_finish: false,
            silent: false,
        }
    }
}

impl Watch {
    /// The settings for the witness.
    #[must_use]
    pub fn settings(&self) -> witness::Settings {
        use std::time::Duration;
        let edition = Edition::named(&self.laws.to_string()).unwrap_or_default();
        witness::Settings {
            edition,
            settle: Duration::from_millis(self.settle_ms),
            release: Duration::from_millis(self.release_ms),
            check_after: Duration::from_secs(self.check_after_s),
            // The configuration refuses a wrong time control. A journal of a later version may
            // contain one that this version does not know.
            control: TimeControl::read(&self.time_control).ok().flatten(),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Journals of earlier versions hold bare numbers, as values and as keys.
    #[test]
    fn numbers_are_recorded_as_bare_numbers() {
        let written = concat!(
            r#"{"by_serial":{"26003":7},"by_line":{},"#,
            r#""languages":{"7":"dgt"},"spoken":{},"games":{"7":2}}"#
        );
        let seats: Seats = serde_json::from_str(written).unwrap();
        assert_eq!(seats.games, [(TableNo::new(7), 2)].into());
        assert_eq!(serde_json::to_string(&seats).unwrap(), written);
        let written = r#"{"table":7,"question":3,"winnable":true}"#;
        let answer: Answer = serde_json::from_str(written).unwrap();
        assert_eq!(answer.table, TableNo::new(7));
        assert_eq!(serde_json::to_string(&answer).unwrap(), written);
    }
}
