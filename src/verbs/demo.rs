//! `adoubed demo`: a whole venue without hardware. Emulated boards and clocks on pseudo-terminals
//! play real games, and the very same daemon reads them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedI64ValueParser;
use eboard::Moment;
use rehearsal::{Game, Manner, Mishap, Pace, Stage, TimeControl};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::{runtime, say};
use crate::config::{self, Config, Table};
use crate::exit::{self, Failure};
use crate::mqtt::topic;
use crate::pty::Pty;
use crate::time::Clock;
use crate::venue::VirtualTable;
use crate::{games, run};

/// Time for the daemon to find out who is at each line before the first move.
const OVERTURE: Duration = Duration::from_secs(8);
/// The pieces stand set up this long before the next game: the daemon wants to see them rest.
const INTERVAL: Duration = Duration::from_secs(5);
/// Pairings that wait to be announced: all tables may begin at once.
const PAIRINGS: usize = 1024;
/// Pseudo-terminals of one system, less some for everybody else.
const TABLES_MAX: i64 = 1000;

#[derive(Args)]
pub struct Arguments {
    /// How many tables
    #[arg(long, default_value_t = 12, value_parser = how_many())]
    tables: u32,
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
    /// Language of the pages: en or fr
    #[arg(long, default_value = "en", value_parser = ["en", "fr"])]
    language: String,
}

fn how_many() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(1..=TABLES_MAX)
}

pub fn demo(arguments: &Arguments) -> Result<(), Failure> {
    if !(0.1..=100.0).contains(&arguments.speed) {
        return Err(Failure::new(exit::USAGE, "--speed is 0.1 to 100"));
    }
    let games = match &arguments.pgn {
        Some(path) => games::read(path)?,
        None => rehearsal::famous(),
    };
    runtime()?.block_on(venue(arguments, games))
}

async fn venue(arguments: &Arguments, games: Vec<Game>) -> Result<(), Failure> {
    let state = std::env::temp_dir().join(format!("adoubed-demo-{}", std::process::id()));
    let mut tables = Vec::new();
    for number in 1..=arguments.tables {
        let pty = Pty::open(None).map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;
        tables.push((number, pty));
    }
    let config = config(arguments, &games, &tables, state.clone());
    let hall = start(config.clone()).await?;
    introduce(arguments, &hall);
    let clock = Clock::starting_at(Moment::ZERO);
    let (pair, pairings) = mpsc::channel(PAIRINGS);
    for (number, pty) in tables {
        let mut board = (dgt::DRIVER.emulate)();
        board.set_serial(&format!("{:05}", 20_000 + number));
        let stages = stages(arguments, games.clone(), number, pair.clone());
        tokio::spawn(VirtualTable::new(pty, board, clock).live(stages));
    }
    let mut terminate =
        signal(SignalKind::terminate()).map_err(|error| Failure::new(exit::SOFTWARE, error))?;
    let outcome = tokio::select! {
        () = announce(&hall, config, pairings) => Ok(()),
        _ = tokio::signal::ctrl_c() => Ok(()),
        _ = terminate.recv() => Ok(()),
        part = hall.failed() => Err(super::ended(part)),
    };
    hall.stop().await;
    // The record of a demonstration is of no use to anybody afterwards.
    let _ = std::fs::remove_dir_all(state);
    outcome
}

/// Who plays at a table from now on.
struct Pairing {
    table: u32,
    white: String,
    black: String,
}

/// New players sit down: the daemon is told as an organizer would tell it.
async fn announce(hall: &run::Hall, mut config: Config, mut pairings: mpsc::Receiver<Pairing>) {
    while let Some(pairing) = pairings.recv().await {
        if let Some(table) = config.table.iter_mut().find(|table| table.number == pairing.table) {
            table.white = Some(pairing.white);
            table.black = Some(pairing.black);
        }
        hall.reload(config.clone()).await;
    }
}

/// A taken address is no reason to show nothing: the next free one will do.
async fn start(config: Config) -> Result<run::Hall, Failure> {
    match run::start(config.clone()).await {
        Err(failure) if failure.code == exit::UNAVAILABLE => {
            tracing::warn!("{}; using free addresses instead", failure.message);
            let mut free = config;
            free.mqtt.listen.set_port(0);
            free.web.listen.set_port(0);
            run::start(free).await
        }
        outcome => outcome,
    }
}

fn config(arguments: &Arguments, games: &[Game], tables: &[(u32, Pty)], state: PathBuf) -> Config {
    let table = tables.iter().map(|(number, pty)| {
        let game = game(games, *number, 0);
        Table {
            number: *number,
            port: Some(pty.path().display().to_string()),
            white: game.map(|game| game.white.clone()),
            black: game.map(|game| game.black.clone()),
            ..Table::default()
        }
    });
    Config {
        event: config::Event {
            name: "adoubed demo".to_owned(),
            round: "1".to_owned(),
            time_control: control().to_string(),
            language: arguments.language.clone(),
            ..config::Event::default()
        },
        mqtt: config::Mqtt { listen: arguments.mqtt, ..config::Mqtt::default() },
        web: config::Web { listen: arguments.web, ..config::Web::default() },
        journal: config::Journal { directory: state, ..config::Journal::default() },
        table: table.collect(),
        ..Config::default()
    }
}

fn introduce(arguments: &Arguments, hall: &run::Hall) {
    let pages = hall.pages;
    say(format_args!("{} tables, {} times as fast as life", arguments.tables, arguments.speed));
    say(format_args!("wall of boards   http://{pages}/"));
    say(format_args!("one table        http://{pages}/table/1"));
    say(format_args!("arbiter          http://{pages}/arbiter"));
    if let Some(feed) = hall.feed {
        let (host, port) = (feed.ip(), feed.port());
        say(format_args!("feed             mqtt://{feed}"));
        let all = topic::everything(&config::Mqtt::default().base);
        say(format_args!("                 mosquitto_sub -h {host} -p {port} -t '{all}' -v"));
    }
    say("Ctrl-C ends it");
}

/// One game after the other, for ever.
fn stages(
    arguments: &Arguments,
    games: Vec<Game>,
    number: u32,
    pair: mpsc::Sender<Pairing>,
) -> impl FnMut(Moment) -> Option<Stage> + use<> {
    let (speed, tables, incidents) = (arguments.speed, arguments.tables, arguments.incidents);
    let mut round = 0;
    move |now| {
        let game = game(&games, number, round * tables)?;
        let begin = now + if round == 0 { OVERTURE } else { INTERVAL };
        round += 1;
        let (white, black) = (game.white.clone(), game.black.clone());
        // At worst the names of the game before stay on the wall.
        let _ = pair.try_send(Pairing { table: number, white, black });
        let mishaps = if incidents { Mishap::ALL.to_vec() } else { Vec::new() };
        let pace = Pace::times(speed);
        let manner = Manner { control: control(), mishaps, ..Manner::default() }.at(pace);
        let seed = u64::from(number) << 32 | u64::from(round);
        let performance = rehearsal::perform(game, &manner, seed);
        let clock = rehearsal::Clock::new(manner.control);
        Some(Stage::of(begin, performance, clock, pace))
    }
}

fn game(games: &[Game], number: u32, offset: u32) -> Option<&Game> {
    let index = usize::try_from(number - 1 + offset).ok()?;
    games.get(index.checked_rem(games.len())?)
}

fn control() -> TimeControl {
    TimeControl::new(300, 3)
}
