//! `adoubed.toml`: what an organizer may say, checked whole before anything starts. Every refusal
//! names file, line, key and remedy.

mod check;
pub mod pages;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::entry::{Plan, Seats, TableEntry, Watch};

pub use check::ConfigError;

/// The whole configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The event.
    pub event: Event,
    /// Where the feed goes.
    pub mqtt: Mqtt,
    /// Where the pages are.
    pub web: Web,
    /// Where everything is kept.
    pub journal: Journal,
    /// Times to wait, for every table.
    pub defaults: Defaults,
    /// Where boards are looked for.
    pub ports: Ports,
    /// Clients written for DGT LiveChess.
    pub livechess: LiveChess,
    /// The delayed copy of the feed.
    pub public: Public,
    /// The tables; none: every recognised board gets one.
    pub table: Vec<Table>,
}

/// The event.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Where it is held.
    pub site: String,
    /// Which round.
    pub round: String,
    /// Edition of the Laws: `2014`, `2018` or `2023`.
    pub laws: String,
    /// In the notation of the TimeControl tag.
    pub time_control: String,
    /// Of the pages and the alerts: `en` or `fr`.
    pub language: String,
    /// `adequate` or `inadequate`, for rapid and blitz.
    pub supervision: Option<String>,
    /// Seconds after the start at which an absent player loses.
    pub default_time_s: Option<u64>,
    /// The first move at which a draw may be agreed.
    pub min_draw_move: Option<u32>,
    /// When the round begins.
    pub start: Option<String>,
    /// The file with the pairings.
    pub pairings: Option<PathBuf>,
}

/// Clients written for DGT LiveChess.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiveChess {
    /// Where they connect.
    pub listen: String,
}

/// The delayed copy of the feed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Public {
    /// Seconds.
    pub delay_s: Option<u64>,
}

/// Where boards are looked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ports {
    /// A directory in which every entry is a line; empty: the USB serial lines of this machine.
    pub directory: PathBuf,
}

/// Where the feed goes.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mqtt {
    /// `embedded` or `external`.
    pub broker: String,
    /// Where the embedded broker listens.
    pub listen: SocketAddr,
    /// The external broker: `mqtt://host:port`.
    pub url: String,
    /// Our name there.
    pub username: String,
    /// The file with our password there.
    pub password_file: PathBuf,
    /// Certificates to trust.
    pub ca_file: PathBuf,
    /// The topic everything is under.
    pub base: String,
    /// `open`: everybody may read the tables; `users`: only who has a password.
    pub hall: Option<String>,
}

/// Where the pages are.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Web {
    /// Where they listen.
    pub listen: SocketAddr,
    /// Arbiters and the argon2 hashes of their passwords, as `adoubed passwd` writes them.
    pub arbiters: BTreeMap<String, String>,
    /// Parts of the hall and their tables: alerts are listed by them.
    pub sections: BTreeMap<String, String>,
    /// What the screens of the hall show.
    pub screens: pages::Screens,
}

/// Where everything is kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Journal {
    /// Empty: `$STATE_DIRECTORY`, or `./adoubed-state`.
    pub directory: PathBuf,
    /// Milliseconds until everything is on the disk.
    pub flush_ms: u64,
}

/// Times to wait.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// See [`witness::Settings::settle`].
    pub settle_ms: u64,
    /// See [`witness::Settings::release`].
    pub release_ms: u64,
    /// See [`witness::Settings::check_after`].
    pub check_after_s: u64,
}

/// One table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Table {
    /// Its number in the hall.
    pub number: u32,
    /// The line it sits at.
    pub port: Option<String>,
    /// The serial number of its board, wherever it is plugged in.
    pub serial: Option<String>,
    /// The language of its line; `auto`: found out.
    pub driver: Option<String>,
    /// The place on a shared line.
    pub station: u16,
    /// Its own edition of the Laws.
    pub laws: Option<String>,
    /// Its own time control.
    pub time_control: Option<String>,
    /// The players.
    pub white: Option<String>,
    /// The players.
    pub black: Option<String>,
}

/// A player as screens show him.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Player {
    /// `Doe, Jane`.
    pub name: String,
    /// `GM`, …
    pub title: Option<String>,
    /// Rating.
    pub rating: Option<u16>,
    /// Three letters.
    pub federation: Option<String>,
}

/// Both players of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Players {
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

impl Default for Event {
    fn default() -> Self {
        Self {
            name: String::new(),
            site: String::new(),
            round: String::new(),
            laws: "2023".to_owned(),
            time_control: String::new(),
            language: "en".to_owned(),
            supervision: None,
            default_time_s: None,
            min_draw_move: None,
            start: None,
            pairings: None,
        }
    }
}

impl Default for Mqtt {
    fn default() -> Self {
        Self {
            broker: "embedded".to_owned(),
            listen: SocketAddr::from(([127, 0, 0, 1], 1883)),
            url: String::new(),
            username: String::new(),
            password_file: PathBuf::new(),
            ca_file: PathBuf::new(),
            base: "adoubed".to_owned(),
            hall: None,
        }
    }
}

impl Default for Web {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8380)),
            arbiters: BTreeMap::new(),
            sections: BTreeMap::new(),
            screens: pages::Screens::default(),
        }
    }
}

impl Default for Journal {
    fn default() -> Self {
        Self { directory: PathBuf::new(), flush_ms: 200 }
    }
}

impl Default for Defaults {
    fn default() -> Self {
        let Watch { settle_ms, release_ms, check_after_s, .. } = Watch::default();
        Self { settle_ms, release_ms, check_after_s }
    }
}

/// Reads and checks a configuration.
///
/// # Errors
/// When the file cannot be read or anything in it cannot be meant.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    read(path, &text)
}

/// Checks a configuration that has been read from `path`.
///
/// # Errors
/// When anything in it cannot be meant.
pub fn read(path: &Path, text: &str) -> Result<Config, ConfigError> {
    let config: Config = toml::from_str(text).map_err(|error| check::syntax(path, text, &error))?;
    check::whole(path, text, &config)?;
    Ok(config)
}

impl Config {
    /// Where everything is kept.
    #[must_use]
    pub fn journal_directory(&self) -> PathBuf {
        if !self.journal.directory.as_os_str().is_empty() {
            return self.journal.directory.clone();
        }
        std::env::var_os("STATE_DIRECTORY")
            .map_or_else(|| PathBuf::from("adoubed-state"), PathBuf::from)
    }

    /// Whether everybody may read the tables: as said, or else only on loopback.
    #[must_use]
    pub fn hall_is_open(&self) -> bool {
        match self.mqtt.hall.as_deref() {
            Some(hall) => hall == "open",
            None => self.mqtt.listen.ip().is_loopback() && self.web.listen.ip().is_loopback(),
        }
    }

    /// The tables as the works and the journal want them.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let tables = self.table.iter().map(|table| TableEntry {
            number: table.number,
            port: table.port.clone(),
            serial: table.serial.clone(),
            driver: table.driver.clone().filter(|name| name != "auto"),
            station: table.station,
            watch: self.watch(Some(table)),
        });
        Plan { tables: tables.collect(), watch: self.watch(None), seats: Seats::default() }
    }

    /// What the configuration says of one table.
    #[must_use]
    pub fn table(&self, number: u32) -> Option<&Table> {
        self.table.iter().find(|table| table.number == number)
    }

    /// Keys that are set, and right, but that this version does not act on yet.
    #[must_use]
    pub fn without_effect(&self) -> Vec<&'static str> {
        let event = &self.event;
        let set = [
            ("event.default_time_s", event.default_time_s.is_some_and(|it| it > 0)),
            ("event.start", event.start.is_some()),
            ("event.pairings", event.pairings.is_some()),
            ("mqtt.ca_file", !self.mqtt.ca_file.as_os_str().is_empty()),
            ("livechess.listen", !self.livechess.listen.is_empty()),
            ("public.delay_s", self.public.delay_s.is_some()),
        ];
        set.into_iter().filter(|(_, set)| *set).map(|(key, _)| key).collect()
    }

    /// The players at a table.
    #[must_use]
    pub fn players(&self, number: u32) -> Players {
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

    /// The time control at a table.
    #[must_use]
    pub fn time_control(&self, number: u32) -> &str {
        let own = self.table(number).and_then(|table| table.time_control.as_deref());
        own.unwrap_or(&self.event.time_control)
    }

    fn watch(&self, table: Option<&Table>) -> Watch {
        let laws = table.and_then(|table| table.laws.as_ref()).unwrap_or(&self.event.laws);
        let control = table.and_then(|table| table.time_control.as_ref());
        Watch {
            laws: laws.parse().unwrap_or(Watch::default().laws),
            settle_ms: self.defaults.settle_ms,
            release_ms: self.defaults.release_ms,
            check_after_s: self.defaults.check_after_s,
            time_control: control.unwrap_or(&self.event.time_control).clone(),
            rate: String::new(),
            unsupervised: self.event.supervision.as_deref() == Some("inadequate"),
            min_draw_move: self.event.min_draw_move.unwrap_or(0),
        }
    }
}
