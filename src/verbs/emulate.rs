//! `adoubed emulate`: a virtual board on a pseudo-terminal or a socket, for any software that
//! speaks its language.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use eboard::{Change, Moment, Placement, Said, Station};
use rehearsal::{Manner, Pace, Script, Stage, TimeControl, Unplug};
use tokio::signal::unix::{Signal, SignalKind, signal};

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
    /// What its clock is set to, as in PGN: 5400+30 is 90 minutes with 30 seconds a move. Games are
    /// played with it; without games it stands there, set. Games alone are played with 300+3
    #[arg(long, value_name = "CONTROL", conflicts_with = "script")]
    time_control: Option<TimeControl>,
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
        // From here on no signal ends the program before the link is removed.
        let mut signals = signals().map_err(|error| Failure::new(exit::SOFTWARE, error))?;
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
            let set = arguments.time_control.map(rehearsal::Clock::new);
            if let Some(face) = set.and_then(|it| it.reported(Moment::ZERO)) {
                let face = Change::Clock(Some(face)).at(*station);
                board.handle(clock.now(), face, &mut Said::default());
            }
            // The games are dealt to the boards in turn.
            let mut games = games.iter().skip(nth).step_by(serials.len());
            let mut script = script.into_iter();
            let stages = move |now: Moment| {
                if let Some(script) = script.next() {
                    return Some(script.stage(now + OVERTURE, Pace::real()));
                }
                let played = Manner::default();
                let control = arguments.time_control.unwrap_or(played.control);
                let manner = Manner { control, ..played };
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
            () = ended(&mut signals) => Ok(()),
        }
    })
}

/// The signals to end.
fn signals() -> io::Result<[Signal; 3]> {
    let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
    Ok([signal(interrupt)?, signal(terminate)?, signal(SignalKind::hangup())?])
}

/// Waits for one of them.
async fn ended([interrupt, terminate, hang_up]: &mut [Signal; 3]) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
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
