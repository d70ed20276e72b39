//! What the outlet knows of the hall: the newest message of every table that guests may read.
//! Tables are shared values, so a changed table has another address.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Board as Squares, CastlingMode, Chess, EnPassantMode, Position as _};

use witness::{Award, EndedBy, GameNo, TableNo};

use super::names;
use crate::mqtt::payload::{Confidence, Connection};
use crate::mqtt::topic::{TableTopic, Topic};
use crate::pairings::{self, Players};
use crate::side::Side;
use crate::time::WallTime;

/// All tables.
#[derive(Clone, Debug, Default)]
pub struct Hall {
    /// The event.
    pub event: Arc<Event>,
    /// The tables, by number.
    pub tables: BTreeMap<TableNo, Arc<Table>>,
    /// The names of the boards for clients, by table: the serial number, or a name of ours.
    pub serials: BTreeMap<TableNo, String>,
}

/// The event, and at a table its round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Event {
    pub name: String,
    pub site: String,
    pub round: String,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub device: Arc<Device>,
    /// The squares of the board, if the board senses pieces.
    pub squares: Option<Squares>,
    pub game: Arc<Game>,
    pub clock: Arc<Clock>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Device {
    /// None: it has not reported anything yet.
    pub state: Option<Connection>,
    pub serial: Option<String>,
    pub port: Option<String>,
    pub battery: Option<u8>,
    pub turned: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Clock {
    pub white_ms: Option<u32>,
    pub black_ms: Option<u32>,
    pub running: Option<Side>,
    pub sampled_at: Option<String>,
}

/// A move of the score.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Move {
    pub san: String,
    pub uci: String,
    pub clk_ms: Option<u32>,
    pub emt_ms: Option<u32>,
    pub confidence: Option<Confidence>,
    pub at: String,
}

/// Where the score goes on, but not by a legal move.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Break {
    pub before_ply: usize,
    pub fen: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Game {
    pub game: GameNo,
    pub players: Players,
    pub event: Event,
    pub start_at: Option<String>,
    pub start_fen: String,
    pub chess960: bool,
    pub moves: Vec<Move>,
    pub breaks: Vec<Break>,
    #[serde(deserialize_with = "standing")]
    pub result: Standing,
    #[serde(deserialize_with = "ended_by")]
    pub termination: Option<EndedBy>,
    /// The position before the first move, and after each.
    #[serde(skip)]
    pub stands: Vec<Zobrist64>,
    /// The last position.
    #[serde(skip)]
    pub last: Option<Chess>,
}

/// How a game stands, as far as its payload says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nothing was published, or something that is no result.
    #[default]
    Unknown,
    /// It has no result yet.
    Going,
    /// It is over.
    Over(Award),
}

fn standing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Standing, D::Error> {
    let written = Cow::<str>::deserialize(deserializer)?;
    let over = Award::named(&written).map(Standing::Over);
    let going = || if written == "*" { Standing::Going } else { Standing::Unknown };
    Ok(over.unwrap_or_else(going))
}

fn ended_by<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<EndedBy>, D::Error> {
    let name = Option::<Cow<str>>::deserialize(deserializer)?;
    Ok(name.and_then(|name| EndedBy::named(&name)))
}

#[derive(Deserialize)]
struct Info {
    event: Event,
}

#[derive(Deserialize)]
struct Board {
    placement: Option<String>,
}

/// The key of a position for clients: pieces, turn and rights, without the number of moves.
#[must_use]
pub fn hash(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

impl Hall {
    /// Takes a published message. An empty one clears its topic.
    pub fn take(&mut self, topic: &Topic, payload: &[u8]) {
        match topic {
            Topic::BridgeInfo => {
                if let Some(Info { event }) = read(payload) {
                    self.event = Arc::new(event);
                }
            }
            // The daemon clears all topics of a table together.
            Topic::Table(number, _) if payload.is_empty() => {
                self.tables.remove(number);
            }
            Topic::Table(number, topic) => {
                Arc::make_mut(self.tables.entry(*number).or_default()).take(*topic, payload);
            }
            _ => {}
        }
    }

    /// Names the boards anew, after their serial numbers may have changed.
    pub fn name_boards(&mut self) {
        let rows = self.tables.iter().map(|(number, it)| (*number, it.device.serial.as_deref()));
        self.serials = names::serials(rows);
    }

    /// The table whose board has this name.
    #[must_use]
    pub fn table_of(&self, serial: &str) -> Option<TableNo> {
        let named = self.serials.iter().find(|(_, it)| *it == serial).map(|(number, _)| *number);
        named.or_else(|| names::table(serial).filter(|it| self.tables.contains_key(it)))
    }

    /// The tables. Those with a connected board come first, because a client that follows only one
    /// board takes the first.
    #[must_use]
    pub fn in_order(&self) -> Vec<(TableNo, &Table)> {
        let tables = self.tables.iter().map(|(number, table)| (*number, &**table));
        let mut tables: Vec<_> = tables.collect();
        tables.sort_by_key(|(number, table)| {
            (table.device.state != Some(Connection::Online), *number)
        });
        tables
    }
}

impl Table {
    fn take(&mut self, topic: TableTopic, payload: &[u8]) {
        match topic {
            TableTopic::Device => put(&mut self.device, payload),
            TableTopic::Clock => put(&mut self.clock, payload),
            TableTopic::Board => {
                let payload = read::<Board>(payload).and_then(|it| it.placement);
                self.squares = payload.and_then(|it| it.parse().ok());
            }
            TableTopic::Game => {
                if let Some(game) = read::<Game>(payload) {
                    self.game = Arc::new(game.replayed());
                }
            }
            TableTopic::Position | TableTopic::Pgn | TableTopic::Event => {}
        }
    }

    /// The squares on the board; those of the game if the board senses occupied squares only.
    #[must_use]
    pub fn board(&self) -> Option<Squares> {
        let known = self.squares.as_ref();
        known.or_else(|| Some(self.game.last.as_ref()?.board())).cloned()
    }
}

impl Game {
    /// The game with the positions of its moves.
    fn replayed(mut self) -> Self {
        let mode = CastlingMode::from_chess960(self.chess960);
        let Ok(mut position) = pairings::position(&self.start_fen, mode) else { return self };
        self.stands.push(hash(&position));
        for (index, played) in self.moves.iter().enumerate() {
            let breaks = self.breaks.iter().filter(|it| it.before_ply == index + 1);
            for broken in breaks {
                let Ok(other) = pairings::position(&broken.fen, mode) else { return self };
                position = other;
            }
            let uci = played.uci.parse::<UciMove>();
            let Some(legal) = uci.ok().and_then(|it| it.to_move(&position).ok()) else {
                return self;
            };
            position.play_unchecked(legal);
            self.stands.push(hash(&position));
        }
        self.last = Some(position);
        self
    }
}

impl Clock {
    /// When the clock was read, in milliseconds since 1970.
    #[must_use]
    pub fn read_at(&self) -> Option<i64> {
        let at = self.sampled_at.as_deref().and_then(WallTime::parse)?;
        Some(at.as_micros() / 1000)
    }
}

/// Parses a client's FEN.
///
/// # Errors
/// In words, if no game can have the position.
pub fn position(fen: &str) -> Result<Chess, String> {
    let setup = fen.parse::<Fen>().map_err(|error| error.to_string())?.into_setup();
    let mode = CastlingMode::detect(&setup);
    pairings::position(fen, mode).map_err(|error| error.to_string())
}

fn read<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    let read = serde_json::from_slice(payload);
    // The messages are our own, so tests keep writer and reader together.
    read.inspect_err(|error| tracing::debug!("a message cannot be read: {error}")).ok()
}

fn put<T: DeserializeOwned>(known: &mut Arc<T>, payload: &[u8]) {
    if let Some(value) = read(payload) {
        *known = Arc::new(value);
    }
}
