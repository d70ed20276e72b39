//! `adoubed emulate`: a virtual board on a pseudo-terminal or a socket, for any software that
//! speaks its language.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use eboard::{Change, Moment, Placement, Said, Station};
use rehearsal::{Manner, Pace, Script, Stage, Unplug};
use tokio::signal::unix::{SignalKind, signal};

use super::{runtime, say};
use crate::exit::{self, Failure};
use crate::lines::far_end::FarEnd;
use crate::time::Clock;
use crate::venue::games;
use crate::venue::tables::VirtualTable;

/// Time for other software to open the line before the first move.
const OVERTURE: Duration = Duration::from_secs(5);

#[derive(Args)]
pub struct Arguments {
    #[arg(help = format!("The language: {}", languages()))]
    driver: String,
    /// Play the games of this file, one after the other
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Do what this gesture script says, also to the clock
    #[arg(long, value_name = "FILE", conflicts_with = "pgn")]
    script: Option<PathBuf>,
    /// Where other programs find it
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,
    /// The serial number the board gives; on a bus the numbers of all boards on it, as 1,2,3
    #[arg(long, value_name = "NUMBER", default_value = "26015", value_delimiter = ',')]
    serial: Vec<String>,
}

pub fn emulate(arguments: &Arguments) -> Result<(), Failure> {
    let driver = catalog::find(&arguments.driver).ok_or_else(|| {
        let text = format!("no such driver: {}; there are {}", arguments.driver, languages());
        Failure::new(exit::USAGE, text)
    })?;
    let games = match &arguments.pgn {
        Some(path) => games::read(path)?,
        None => Vec::new(),
    };
    let script = arguments.script.as_deref().map(script).transpose()?;
    runtime()?.block_on(async {
        let clock = Clock::starting_at(Moment::ZERO);
        let end = FarEnd::of(driver, arguments.link.as_deref())
            .map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;
        say(end.path().display());
        let mut board = (driver.emulate)();
        let serials: Vec<&str> = arguments.serial.iter().map(String::as_str).collect();
        board.set_serials(&serials);
        let stations = board.stations();
        if stations.len() != serials.len() {
            let text = format!("{} boards of {} have a place", stations.len(), serials.len());
            return Err(Failure::new(exit::USAGE, text));
        }
        let start = Placement::starting();
        let (script, games) = (script.as_ref(), games.as_slice());
        let place = |(nth, station): (usize, &Station)| {
            let start = Change::Board(&start).at(*station);
            board.handle(clock.now(), start, &mut Said::default());
            // The games are dealt to the boards in turn.
            let mut games = games.iter().skip(nth).step_by(serials.len());
            let mut script = script.into_iter();
            let stages = move |now: Moment| {
                if let Some(script) = script.next() {
                    return Some(script.stage(now + OVERTURE, Pace::real()));
                }
                let manner = Manner::default();
                let seed = now.as_micros() + nth as u64;
                let performance = rehearsal::perform(games.next()?, &manner, seed);
                let clock = rehearsal::Clock::new(manner.control);
                Some(Stage::of(now + OVERTURE, performance, clock, Pace::real()))
            };
            (*station, stages)
        };
        let places = stations.iter().enumerate().map(place).collect();
        let begin = clock.now() + OVERTURE;
        let pulls = script.map(Script::unplugs).unwrap_or_default().iter();
        let pulls = pulls.map(|it| Unplug { at: begin + it.at.since(Moment::ZERO), ..*it });
        let table = VirtualTable::new(end, board, clock)
            .pulled((driver, arguments.link.clone()), pulls.collect::<Vec<_>>());
        // However the program ends, the link is removed.
        tokio::select! {
            outcome = table.live_at(places) => {
                outcome.map_err(|error| Failure::new(exit::IO, error))
            }
            () = ended() => Ok(()),
        }
    })
}

/// Waits for a signal to end.
async fn ended() {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [interrupt, terminate, hang_up] = kinds.map(|kind| async move {
        match signal(kind) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    });
    tokio::select! { _ = interrupt => {}, _ = terminate => {}, _ = hang_up => {} }
}

fn languages() -> String {
    let names: Vec<_> = catalog::languages().iter().map(|driver| driver.name).collect();
    names.join(", ")
}

fn script(path: &Path) -> Result<Script, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    rehearsal::parse(&text)
        .map_err(|error| Failure::new(exit::DATA, format!("{}: {error}", path.display())))
}
