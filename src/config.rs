//! `adoubed.toml`, the organizer's configuration. All of it is checked before anything starts.
//! Every refusal names file, line, key and remedy.

pub mod accounts;
mod away;
mod broker;
mod check;
mod fixed;
mod halls;
pub mod keys;
pub mod laws;
mod outlets;
pub mod pages;
mod places;
mod refusal;
pub(crate) mod say;
mod words;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use witness::{Edition, TableNo};

use crate::entry::{self, Plan, TableEntry, Watch};
use crate::pairings::{self, Player, Players, Round};
use crate::side::Side;
use crate::time::WallTime;

pub use accounts::{Account, Role};
pub use away::{Lichess, Notify};
pub use broker::{Urls, Version};
pub use halls::{ShownHall, ShownHalls, load_for_boards, load_for_pages};
pub use outlets::{Feed, LiveChess, Pgn, Public};
pub use refusal::ConfigError;
pub use words::{Broker, Hall, Supervision};

/// The whole configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The event.
    pub event: Event,
    /// Where the event departs from the Laws.
    pub laws: laws::Laws,
    /// The feed.
    pub mqtt: Mqtt,
    /// The pages.
    pub web: Web,
    /// The journal.
    pub journal: Journal,
    /// Times that hold for every table.
    pub defaults: Defaults,
    /// Where boards are searched for.
    pub ports: Ports,
    /// Clients written for DGT LiveChess.
    pub livechess: LiveChess,
    /// The games as PGN files.
    pub pgn: Pgn,
    /// The games on Lichess.
    pub lichess: Lichess,
    /// Summons to tablets that sleep.
    pub notify: Notify,
    /// The delayed copy of the feed, if there is one.
    pub public: Option<Public>,
    /// The tables; none: every recognised board gets one.
    pub table: Vec<Table>,
    /// The content of the file with the pairings.
    #[serde(skip)]
    pub rounds: Vec<Round>,
    /// The file that all this was read from; none: nobody wrote one.
    #[serde(skip)]
    pub source: Option<Source>,
}

/// A file of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// The [revision] of its text.
    pub revision: String,
    /// The values that are written there.
    pub written: toml::Table,
}

/// The event.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    /// Its name, on one line.
    pub name: String,
    /// The place, on one line.
    pub site: String,
    /// The name of the round, on one line.
    pub round: String,
    /// Edition of the Laws: `2005`, `2014`, `2018` or `2023`.
    #[serde(deserialize_with = "words::edition")]
    pub laws: Edition,
    /// The time control, in the notation of the TimeControl tag; empty or `?`: not known.
    pub time_control: String,
    /// The language in which pages begin.
    pub language: String,
    /// The languages of pages and alerts; none: English, French and `language`.
    pub languages: Vec<String>,
    /// Whether rapid and blitz games are supervised.
    pub supervision: Option<Supervision>,
    /// Seconds after the start at which an absent player loses; 0: not watched. A board cannot see
    /// a player who sits there and thinks.
    pub default_time_s: Option<u64>,
    /// The number of the first move at which a draw may be agreed; 0: any.
    pub min_draw_move: Option<u32>,
    /// Minutes between two rows of the time sheet, 1 to 1440.
    pub time_sheet_min: u64,
    /// Minutes after which a game without a result raises an alert, at most 1440; 0: never.
    pub result_after_min: u64,
    /// Whether players may make requests in the last two minutes (Guideline III; G in 2014).
    pub quickplay_finish: bool,
    /// The start of the round, as in RFC 3339 with an offset; none: it is not watched.
    pub start: Option<String>,
    /// The file with the pairings.
    pub pairings: Option<PathBuf>,
}

/// Where boards are searched for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ports {
    /// A directory whose entries are lines; empty: the USB serial lines of this machine.
    pub directory: PathBuf,
    /// Whether other lines than those of the tables are searched, where every table names its port.
    pub search: bool,
}

/// The feed.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mqtt {
    /// The broker of the feed.
    pub broker: Broker,
    /// Where the embedded broker listens.
    pub listen: SocketAddr,
    /// The external broker, or several that are tried one after the other: `mqtt://host:port`, or
    /// `mqtts://host:port` with TLS.
    pub url: Urls,
    /// The version of MQTT there.
    pub version: Version,
    /// The daemon's user name there.
    pub username: String,
    /// The file with its password.
    pub password_file: PathBuf,
    /// The authorities to trust, in PEM; empty: those of this machine.
    pub ca_file: PathBuf,
    /// The base of all topics: neither `+` nor `#` in it, no `/` at an end.
    pub base: String,
    /// The name of this machine, where the hall may have several; empty: it has one.
    pub machine: String,
    /// Whether this machine speaks only where another one has died.
    pub spare: bool,
    /// Who may read the tables; none: all guests if everything listens on loopback, or else users.
    pub hall: Option<Hall>,
    /// The most connections of guests from one address, at the broker and at the pages. A hall
    /// behind one router needs more.
    pub guests_per_address: usize,
}

/// The pages.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Web {
    /// Their address.
    pub listen: SocketAddr,
    /// Their encrypted address; none: they are not encrypted.
    pub listen_tls: Option<SocketAddr>,
    /// The organizer's certificate and its chain, in PEM; empty: one of our own.
    pub certificate: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
    /// Names and addresses for our own certificate, besides those that the machine knows itself.
    pub names: Vec<String>,
    /// Arbiters and the argon2 hashes of their passwords, as `adoubed passwd` writes them.
    pub arbiters: BTreeMap<String, String>,
    /// The same for organizers, who may do all that an arbiter may, and change the configuration.
    pub organizers: BTreeMap<String, String>,
    /// The halls of other daemons that pages without boards show; none: this daemon's own.
    pub halls: ShownHalls,
    /// Parts of the hall and their tables. Alerts are listed by them.
    pub sections: BTreeMap<String, String>,
    /// What the screens of the hall show.
    pub screens: pages::Screens,
}

/// The journal.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Journal {
    /// Its directory; empty: `$STATE_DIRECTORY`, or `./adoubed-state`.
    pub directory: PathBuf,
    /// The most milliseconds until entries are on the disk, 1 to 10,000.
    pub flush_ms: u64,
    /// Records between two checkpoints, which shorten a start, at most 10,000,000; 0: none is
    /// written or read.
    pub checkpoint_records: u64,
}

/// Times that hold for every table.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// Milliseconds, at most 600,000. See [`witness::Settings::settle`].
    pub settle_ms: u64,
    /// Milliseconds, at most 600,000. See [`witness::Settings::release`].
    pub release_ms: u64,
    /// Seconds, at most 600. See [`witness::Settings::check_after`].
    pub check_after_s: u64,
    /// Seconds, at most 600. See [`witness::Settings::repeat`].
    pub repeat_s: u64,
}

/// One table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Table {
    /// Its number in the hall.
    pub number: TableNo,
    /// The line of its board.
    pub port: Option<String>,
    /// The serial number of its board, wherever it is plugged in.
    pub serial: Option<String>,
    /// The language of the line; none, written `auto`: found out.
    #[serde(deserialize_with = "words::driver")]
    pub driver: Option<String>,
    /// The station on a shared line.
    pub station: u16,
    /// The edition of the Laws, if it is another one here.
    #[serde(deserialize_with = "words::other_edition")]
    pub laws: Option<Edition>,
    /// The time control, if it is another one here.
    pub time_control: Option<String>,
    /// As in `[event]`.
    pub supervision: Option<Supervision>,
    /// As in `[event]`.
    pub default_time_s: Option<u64>,
    /// As in `[event]`.
    pub min_draw_move: Option<u32>,
    /// As in `[event]`.
    pub quickplay_finish: Option<bool>,
    /// White.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
    /// A second board, for a visually impaired player (Appendix D).
    pub second_board: Option<SecondBoard>,
    /// A clock on a line of its own.
    pub clock: Option<Clock>,
}

/// A clock that is plugged into the computer and not into a board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Its line.
    pub port: String,
    /// Its language.
    pub driver: String,
}

/// The second board of a game with a visually impaired player.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SecondBoard {
    /// The player who uses it. The opponent uses the first board.
    pub player: Side,
    /// The line of the board.
    pub port: Option<String>,
    /// Its serial number, on any line.
    pub serial: Option<String>,
    /// The language of the line; none, written `auto`: found out.
    #[serde(deserialize_with = "words::driver")]
    pub driver: Option<String>,
    /// The station on a shared line.
    pub station: u16,
}

impl Default for SecondBoard {
    fn default() -> Self {
        Self { player: Side::Black, port: None, serial: None, driver: None, station: 0 }
    }
}

impl Event {
    /// The languages of pages and alerts.
    #[must_use]
    pub fn languages(&self) -> Vec<String> {
        if !self.languages.is_empty() {
            return self.languages.clone();
        }
        let mut languages = vec!["en".to_owned(), "fr".to_owned()];
        if !languages.contains(&self.language) {
            languages.push(self.language.clone());
        }
        languages
    }
}

impl Default for Event {
    fn default() -> Self {
        Self {
            name: String::new(),
            site: String::new(),
            round: String::new(),
            laws: Edition::default(),
            time_control: String::new(),
            language: "en".to_owned(),
            languages: Vec::new(),
            supervision: None,
            default_time_s: None,
            min_draw_move: None,
            time_sheet_min: 30,
            result_after_min: 15,
            quickplay_finish: false,
            start: None,
            pairings: None,
        }
    }
}

impl Default for Mqtt {
    fn default() -> Self {
        Self {
            broker: Broker::default(),
            listen: SocketAddr::from(([127, 0, 0, 1], 1883)),
            url: Urls::default(),
            version: Version::default(),
            username: String::new(),
            password_file: PathBuf::new(),
            ca_file: PathBuf::new(),
            base: "adoubed".to_owned(),
            machine: String::new(),
            spare: false,
            hall: None,
            guests_per_address: 128,
        }
    }
}

impl Default for Web {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8380)),
            listen_tls: None,
            certificate: PathBuf::new(),
            key: PathBuf::new(),
            names: Vec::new(),
            arbiters: BTreeMap::new(),
            organizers: BTreeMap::new(),
            halls: ShownHalls::default(),
            sections: BTreeMap::new(),
            screens: pages::Screens::default(),
        }
    }
}

impl Default for Journal {
    fn default() -> Self {
        Self { directory: PathBuf::new(), flush_ms: 200, checkpoint_records: 60_000 }
    }
}

impl Default for Defaults {
    fn default() -> Self {
        let Watch { settle_ms, release_ms, check_after_s, repeat_s, .. } = Watch::default();
        Self { settle_ms, release_ms, check_after_s, repeat_s }
    }
}

/// Reads and checks a configuration.
///
/// # Errors
/// If the file cannot be read, or a value in it is wrong.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    read(path, &text)
}

/// Checks the text of a configuration from `path`.
///
/// # Errors
/// If a value in it is wrong.
pub fn read(path: &Path, text: &str) -> Result<Config, ConfigError> {
    let language = refusal::language_of(text);
    let (mut config, mut found) = match refusal::parse(path, text) {
        Ok(read) => read,
        Err(found) => return Err(ConfigError::of(found, language)),
    };
    // Keys in the section of an unreadable line may only seem to be missing.
    let unread: Vec<_> = found.iter().map(|it| refusal::section_of(text, it.line())).collect();
    let judged = check::whole(path, text, &config).into_iter();
    found.extend(judged.filter(|it| !unread.contains(&refusal::section_of(text, it.line()))));
    found.sort_by_key(ConfigError::line);
    let pairings = config.event.pairings.as_ref();
    config.event.pairings = pairings.map(|it| path.with_file_name("").join(it));
    let file = config.event.pairings.as_deref();
    let there = file.map_or(Ok(()), |file| check::pairings(path, text, file));
    found.extend(there.and_then(|()| config.read_pairings()).err());
    let written = text.parse().unwrap_or_default();
    config.source = Some(Source { path: path.to_owned(), revision: revision(text), written });
    if found.is_empty() { Ok(config) } else { Err(ConfigError::of(found, language)) }
}

/// The name of this version of a text.
#[must_use]
pub fn revision(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    // Nobody makes texts of the same name on purpose: 64 bits tell versions of a file apart.
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

impl Config {
    /// Reads the file with the pairings, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or a value in it is wrong.
    pub fn read_pairings(&mut self) -> Result<(), ConfigError> {
        if let Some(path) = &self.event.pairings {
            self.rounds = pairings::load(path)
                .map_err(|it| ConfigError::in_pairings(path, it, &self.event.language))?;
        }
        Ok(())
    }

    /// The directory of the journal.
    #[must_use]
    pub fn journal_directory(&self) -> PathBuf {
        if !self.journal.directory.as_os_str().is_empty() {
            return self.journal.directory.clone();
        }
        std::env::var_os("STATE_DIRECTORY")
            .map_or_else(|| PathBuf::from("adoubed-state"), PathBuf::from)
    }

    /// Whether guests may read the tables: as configured, or else only if everything listens on
    /// loopback.
    #[must_use]
    pub fn hall_is_open(&self) -> bool {
        match self.mqtt.hall {
            Some(hall) => hall == Hall::Open,
            None => {
                let doors = [self.mqtt.listen, self.web.listen].into_iter();
                doors.chain(self.web.listen_tls).all(|door| door.ip().is_loopback())
            }
        }
    }

    /// Whether guests can read the tables live, as far as the daemon knows. An external broker has
    /// its own rules.
    #[must_use]
    pub fn guests_may_read_the_hall(&self) -> bool {
        let elsewhere = self.mqtt.broker == Broker::External && self.mqtt.hall.is_none();
        elsewhere || self.hall_is_open()
    }

    /// The tables in the form that works and journal use.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let tables = self.table.iter().map(|table| TableEntry {
            number: table.number,
            port: table.port.clone(),
            serial: table.serial.clone(),
            driver: table.driver.clone(),
            station: table.station,
            watch: self.watch(Some(table)),
        });
        let second = self.table.iter().filter_map(|table| {
            let board = table.second_board.as_ref()?;
            Some(entry::SecondBoard {
                table: table.number,
                port: board.port.clone(),
                serial: board.serial.clone(),
                driver: board.driver.clone(),
                station: board.station,
            })
        });
        let clocks = self.table.iter().filter_map(|table| {
            let Clock { port, driver } = table.clock.clone()?;
            Some(entry::Clock { table: table.number, port, driver })
        });
        Plan {
            tables: tables.collect(),
            second_boards: second.collect(),
            clocks: clocks.collect(),
            watch: self.watch(None),
            round: self.event.round.clone(),
            start: self.start().map(WallTime::as_micros),
            rounds: self.rounds.clone(),
            players: self.named(),
            languages: self.event.languages(),
            machine: self.mqtt.machine.clone(),
            ..Plan::default()
        }
    }

    /// The settings of one table.
    #[must_use]
    pub fn table(&self, number: TableNo) -> Option<&Table> {
        self.table.iter().find(|table| table.number == number)
    }

    /// The span between two rows of the time sheet.
    #[must_use]
    pub fn time_sheet_every(&self) -> Duration {
        Duration::from_secs(self.event.time_sheet_min * 60)
    }

    /// The official start of the round.
    #[must_use]
    pub fn start(&self) -> Option<WallTime> {
        self.event.start.as_deref().and_then(WallTime::parse)
    }

    /// The players that the configuration names at a table.
    #[must_use]
    pub fn players(&self, number: TableNo) -> Players {
        let player = |name: Option<&String>| Player {
            name: name.cloned().unwrap_or_default(),
            ..Player::default()
        };
        let table = self.table(number);
        Players {
            white: player(table.and_then(|table| table.white.as_ref())),
            black: player(table.and_then(|table| table.black.as_ref())),
        }
    }

    fn named(&self) -> BTreeMap<TableNo, Players> {
        let named = self.table.iter().filter(|it| it.white.is_some() || it.black.is_some());
        named.map(|it| (it.number, self.players(it.number))).collect()
    }

    fn watch(&self, table: Option<&Table>) -> Watch {
        let laws = table.and_then(|table| table.laws).unwrap_or(self.event.laws);
        let control = table.and_then(|table| table.time_control.as_ref());
        let second = table.and_then(|table| table.second_board.as_ref());
        let supervision = table.and_then(|it| it.supervision).or(self.event.supervision);
        let min_draw_move = table.and_then(|it| it.min_draw_move).or(self.event.min_draw_move);
        let default_time_s = table.and_then(|it| it.default_time_s).or(self.event.default_time_s);
        let quickplay_finish = table.and_then(|it| it.quickplay_finish);
        Watch {
            laws: laws.year().parse().unwrap_or(Watch::default().laws),
            settle_ms: self.defaults.settle_ms,
            release_ms: self.defaults.release_ms,
            check_after_s: self.defaults.check_after_s,
            time_control: control.unwrap_or(&self.event.time_control).clone(),
            rate: String::new(),
            unsupervised: supervision == Some(Supervision::Inadequate),
            min_draw_move: min_draw_move.unwrap_or(0),
            second_board: second.map_or("", |board| board.player.name()).to_owned(),
            repeat_s: self.defaults.repeat_s,
            default_time_s: default_time_s.unwrap_or(0),
            result_after_s: self.event.result_after_min * 60,
            quickplay_finish: quickplay_finish.unwrap_or(self.event.quickplay_finish),
            regulations: self.laws.kept(laws.year()),
            silent: false,
        }
    }
}
