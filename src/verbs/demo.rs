//! `adoubed demo`: a whole venue without hardware. Emulated boards and clocks on pseudo-terminals
//! play real games, and the very same daemon reads them; or the boards of a hall wait to be seated.

mod unseated;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::RangedI64ValueParser;
use eboard::{Emulator, Moment};
use rehearsal::{Game, Manner, Mishap, Pace, Stage, TimeControl};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use witness::TableNo;

use super::{runtime, say};
use crate::config::{self, Config, Table};
use crate::exit::{self, Failure};
use crate::lines::far_end::FarEnd;
use crate::mqtt::topic;
use crate::pairings::{Pairing, Player, Players, Round};
use crate::setup::Wish;
use crate::spare::Own;
use crate::time::Clock;
use crate::venue::tables::VirtualTable;
use crate::{run, venue::games};

/// Time for the daemon to recognise every board before the first move.
const OVERTURE: Duration = Duration::from_secs(8);
/// How long the pieces stand before the next game, because the daemon wants to see them at rest.
const INTERVAL: Duration = Duration::from_secs(5);
/// The most rounds whose beginning waits to be handled. All tables may begin at once.
const BEGINNINGS: usize = 1024;
/// Rounds that are paired at the start, and again whenever a table reaches the last one.
const PAIRED: u32 = 8;
/// The tables of a demonstration, unless the command line says how many.
const TABLES: u32 = 12;
/// The most pseudo-terminals. Some of the system's are left for other programs.
const TABLES_MAX: i64 = 1000;

#[derive(Args)]
pub struct Arguments {
    /// Rehearse a morning: boards that are set up, whose tables are given at the page /setup
    #[arg(long, conflicts_with_all = ["livechess", "delay", "incidents"])]
    setup: bool,
    /// How many tables; default: 12, or 40 boards with --setup
    #[arg(long, value_parser = how_many())]
    tables: Option<u32>,
    /// How many times faster than life, 0.1 to 100
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Play the games of this file instead of famous ones
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Players touch, blunder illegally and lose on time
    #[arg(long)]
    incidents: bool,
    /// Where the pages are; any free address if this one is taken
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8380")]
    web: SocketAddr,
    /// Where the feed is; any free address if this one is taken
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1883")]
    mqtt: SocketAddr,
    /// Serve clients of DGT LiveChess on this machine here, as 127.0.0.1:1982
    #[arg(long, value_name = "ADDRESS")]
    livechess: Option<SocketAddr>,
    /// Tell the public so many seconds later, at /public
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(5..=7200))]
    delay: Option<u64>,
    /// Language of the pages: en or fr
    #[arg(long, default_value = "en", value_parser = super::language)]
    language: String,
}

impl Arguments {
    fn tables(&self) -> u32 {
        self.tables.unwrap_or(TABLES)
    }
}

fn how_many() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(1..=TABLES_MAX)
}

pub fn demo(arguments: &Arguments) -> Result<(), Failure> {
    if !(0.1..=100.0).contains(&arguments.speed) {
        return Err(Failure::new(exit::USAGE, "--speed is 0.1 to 100"));
    }
    if arguments.livechess.is_some_and(|address| !address.ip().is_loopback()) {
        // A client there could read every table, but a demonstration is not open to the network.
        return Err(Failure::new(exit::USAGE, "--livechess is for this machine: 127.0.0.1:1982"));
    }
    let games = match &arguments.pgn {
        Some(path) => games::read(path)?,
        None => rehearsal::famous(),
    };
    let state = std::env::temp_dir().join(format!("adoubed-demo-{}", std::process::id()));
    let outcome = runtime()?.block_on(async {
        match arguments.setup {
            true => unseated::hall(arguments, &games, &state).await,
            false => venue(arguments, games, &state).await,
        }
    });
    // The record of a demonstration is of no use later.
    let _ = std::fs::remove_dir_all(state);
    outcome
}

async fn venue(arguments: &Arguments, games: Vec<Game>, state: &Path) -> Result<(), Failure> {
    let mut tables = Vec::new();
    for number in (1..=arguments.tables()).map(TableNo::new) {
        let end = FarEnd::of(&dgt::DRIVER, None);
        tables.push((number, end.map_err(|error| Failure::new(exit::UNAVAILABLE, error))?));
    }
    let config = config(arguments, &games, &tables, state.to_owned());
    let hall = start(None, |ports| {
        let mut config = config.clone();
        for listen in [&mut config.mqtt.listen, &mut config.web.listen] {
            ports.apply(listen);
        }
        Ok(config)
    });
    let hall = hall.await?;
    introduce(arguments, &hall);
    let clock = Clock::starting_at(Moment::ZERO);
    let (begin, beginnings) = mpsc::channel(BEGINNINGS);
    for (number, end) in tables {
        let board = board(number.get());
        let stages = stages(arguments, games.clone(), number, begin.clone());
        tokio::spawn(VirtualTable::new(end, board, clock).live(stages));
    }
    let mut terminate =
        signal(SignalKind::terminate()).map_err(|error| Failure::new(exit::SOFTWARE, error))?;
    let outcome = tokio::select! {
        () = pair(&hall, config, &games, beginnings) => Ok(()),
        _ = tokio::signal::ctrl_c() => Ok(()),
        _ = terminate.recv() => Ok(()),
        part = hall.failed() => Err(super::ended(part)),
    };
    hall.stop().await;
    outcome
}

/// A board with a number of its own.
fn board(number: u32) -> Box<dyn Emulator> {
    let mut board = (dgt::DRIVER.emulate)();
    board.set_serials(&[&format!("{:05}", 20_000 + number)]);
    board
}

/// Pairs rounds before the tables need them, as an organizer would. A table keeps its players and
/// its result until the pieces are set up.
async fn pair(
    hall: &run::Hall,
    mut config: Config,
    games: &[Game],
    mut beginnings: mpsc::Receiver<u32>,
) {
    let tables: Vec<_> = config.table.iter().map(|table| table.number).collect();
    let mut paired = PAIRED;
    while let Some(round) = beginnings.recv().await {
        if round < paired {
            continue;
        }
        let more = paired + 1..=paired.saturating_add(round);
        config.rounds.extend(more.map(|round| pairings(games, &tables, round)));
        paired = paired.saturating_add(round);
        hall.reload(config.clone()).await;
    }
}

/// The pairings of a round, for tables whose game is known.
fn pairings(games: &[Game], tables: &[TableNo], round: u32) -> Round {
    let count = u32::try_from(tables.len()).unwrap_or(u32::MAX);
    let named = |name: &String| Player { name: name.clone(), ..Player::default() };
    let pairings = tables.iter().filter_map(|table| {
        let game = game(games, *table, round, count)?;
        let players = Players { white: named(&game.white), black: named(&game.black) };
        Some(Pairing { table: *table, players, ..Pairing::default() })
    });
    Round { name: round.to_string(), pairings: pairings.collect() }
}

/// The ports of the daemon.
#[derive(Clone, Copy)]
enum Ports {
    /// Those that were asked for.
    Asked,
    /// Any that are free.
    Free,
}

impl Ports {
    fn apply(self, address: &mut SocketAddr) {
        match self {
            Self::Asked => {}
            Self::Free => address.set_port(0),
        }
    }
}

/// Starts the daemon. If an address is taken, free ones are used.
async fn start(
    wishes: Option<mpsc::Sender<Wish>>,
    config: impl Fn(Ports) -> Result<Config, Failure>,
) -> Result<run::Hall, Failure> {
    match run::start(config(Ports::Asked)?, Own::alone(), wishes.clone()).await {
        Err(failure) if failure.code == exit::UNAVAILABLE => {
            tracing::warn!("{}; using free addresses instead", failure.message);
            run::start(config(Ports::Free)?, Own::alone(), wishes).await
        }
        outcome => outcome,
    }
}

fn config(
    arguments: &Arguments,
    games: &[Game],
    tables: &[(TableNo, FarEnd)],
    state: PathBuf,
) -> Config {
    let table = tables.iter().map(|(number, end)| Table {
        number: *number,
        port: Some(end.path().display().to_string()),
        ..Table::default()
    });
    let numbers: Vec<_> = tables.iter().map(|(number, _)| *number).collect();
    let rounds = (1..=PAIRED).map(|round| pairings(games, &numbers, round));
    // Clocks that run much faster than life look faulty.
    let quiet = ["clock_fault", "clock_setting"].map(|kind| (kind.to_owned(), "note".to_owned()));
    let as_in_life = (arguments.speed - 1.0).abs() < f64::EPSILON;
    let quiet = quiet.into_iter().filter(|_| !as_in_life);
    // In famous games the same players meet at many tables.
    let famous = [("player_twice".to_owned(), "note".to_owned())];
    let gravity = quiet.chain(famous).collect();
    Config {
        laws: config::laws::Laws { gravity, ..config::laws::Laws::default() },
        rounds: rounds.collect(),
        event: config::Event {
            name: "adoubed demo".to_owned(),
            round: "1".to_owned(),
            time_control: control().to_string(),
            language: arguments.language.clone(),
            ..config::Event::default()
        },
        mqtt: config::Mqtt { listen: arguments.mqtt, ..config::Mqtt::default() },
        web: config::Web { listen: arguments.web, ..config::Web::default() },
        livechess: config::LiveChess {
            listen: arguments.livechess.map(|it| it.to_string()).unwrap_or_default(),
            feed: None,
        },
        public: arguments.delay.map(|delay_s| config::Public { delay_s, delay_moves: 0 }),
        journal: config::Journal { directory: state, ..config::Journal::default() },
        table: table.collect(),
        ..Config::default()
    }
}

fn introduce(arguments: &Arguments, hall: &run::Hall) {
    let pages = hall.pages;
    say(format_args!("{} tables, {} times as fast as life", arguments.tables(), arguments.speed));
    say(format_args!("wall of boards   http://{pages}/"));
    say(format_args!("one table        http://{pages}/table/1"));
    if let Some(seconds) = arguments.delay {
        say(format_args!("{seconds:>4} s later     http://{pages}/public"));
    }
    say(format_args!("arbiter          http://{pages}/arbiter"));
    if let Some(feed) = hall.feed {
        let (host, port) = (feed.ip(), feed.port());
        say(format_args!("feed             mqtt://{feed}"));
        let all = topic::everything(&config::Mqtt::default().base);
        say(format_args!("                 mosquitto_sub -h {host} -p {port} -t '{all}' -v"));
    }
    if let Some(address) = arguments.livechess {
        say(format_args!("LiveChess        ws://{address}/api/v1.0"));
    }
    say("rehearse the set-up of a hall with forty boards: the same with --setup");
    say("Ctrl-C ends it");
}

/// The stages of one table, game after game, without end.
fn stages(
    arguments: &Arguments,
    games: Vec<Game>,
    number: TableNo,
    begin: mpsc::Sender<u32>,
) -> impl FnMut(Moment) -> Option<Stage> + use<> {
    let (speed, tables, manner) = (arguments.speed, arguments.tables(), manner(arguments));
    let mut round = 0;
    move |now| {
        let at = now + if round == 0 { OVERTURE } else { INTERVAL };
        round += 1;
        let game = game(&games, number, round, tables)?;
        // If the channel is full, a later round is paired late and has no names for a while.
        let _ = begin.try_send(round);
        let pace = Pace::times(speed);
        let seed = u64::from(number.get()) << 32 | u64::from(round);
        let performance = rehearsal::perform(game, &manner, seed);
        let clock = rehearsal::Clock::new(manner.control);
        Some(Stage::of(at, performance, clock, pace))
    }
}

/// How the players play.
fn manner(arguments: &Arguments) -> Manner {
    let mishaps = if arguments.incidents { Mishap::ALL.to_vec() } else { Vec::new() };
    let manner = Manner { control: control(), mishaps, ..Manner::default() };
    manner.at(Pace::times(arguments.speed))
}

/// The game of a table in a round. The games are dealt in order, from the first table of the first
/// round.
fn game(games: &[Game], table: TableNo, round: u32, tables: u32) -> Option<&Game> {
    let before = (round - 1).checked_mul(tables)?.checked_add(table.get() - 1)?;
    let before = usize::try_from(before).ok()?;
    games.get(before.checked_rem(games.len())?)
}

fn control() -> TimeControl {
    TimeControl::new(300, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_paired_with_the_game_that_is_played_there() {
        let games = rehearsal::famous();
        let tables: Vec<_> = (1..=12).map(TableNo::new).collect();
        for round in [1, 2, 7, 100] {
            let paired = pairings(&games, &tables, round);
            assert_eq!(paired.name, round.to_string());
            for table in &tables {
                let played = game(&games, *table, round, 12).unwrap();
                let players = &paired.at(*table).unwrap().players;
                assert_eq!(players.white.name, played.white, "table {table}, round {round}");
                assert_eq!(players.black.name, played.black, "table {table}, round {round}");
            }
        }
        let [first, second] = [1, 2].map(|round| game(&games, TableNo::new(1), round, 12).unwrap());
        assert_ne!(first.white, second.white, "another game each round");
    }
}
