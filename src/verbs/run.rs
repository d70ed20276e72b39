//! `adoubed run`: the daemon until it is told to end.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};

use tokio::sync::mpsc;

use super::{doubts, runtime};
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::setup::WISHES;
use crate::setup::code::Code;
use crate::spare::Own;
use crate::{notify, run};

/// How often the file with the pairings is checked.
const LOOK: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Arguments {
    /// The configuration; default: adoubed.toml in $CONFIGURATION_DIRECTORY or in the state
    /// directory, and without one every board found becomes a table
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path = match &arguments.config {
        Some(path) => path.clone(),
        None => default_path(),
    };
    let named = arguments.config.is_some();
    let config = load(&path, named)?;
    // Whoever starts it without `adoubed check` reads them here.
    for doubt in doubts::lines(&config) {
        if let Some(doubt) = doubt.strip_prefix("WARNING ") {
            tracing::warn!("{}: {doubt}", path.display());
        }
    }
    runtime()?.block_on(serve(config, &path, named))
}

/// The file of a daemon that is given none, which an organizer may make from the setup page: that
/// of the service where there is one or can be one, or else beside the record. One that was made
/// there before stays in force.
fn default_path() -> PathBuf {
    let named = |directory: PathBuf| directory.join("adoubed.toml");
    let beside = named(Config::default().journal_directory());
    let of_service = std::env::var_os("CONFIGURATION_DIRECTORY").map(PathBuf::from);
    of_service
        .filter(|it| named(it.clone()).exists() || !beside.exists() && is_writable(it))
        .map_or(beside, named)
}

fn is_writable(directory: &Path) -> bool {
    nix::unistd::access(directory, nix::unistd::AccessFlags::W_OK).is_ok()
}

/// Changes when the file with the pairings does. A file that is missing is ignored, because it will
/// return.
fn stamp(config: &Config) -> Option<(SystemTime, u64)> {
    let file = std::fs::metadata(config.event.pairings.as_ref()?).ok()?;
    Some((file.modified().ok()?, file.len()))
}

/// Reads the configuration. Only a file that the command line names must be there.
fn load(path: &Path, named: bool) -> Result<Config, Failure> {
    let read = match named || path.exists() {
        true => config::load_for_boards(path),
        false => config::read(path, ""),
    };
    read.map_err(|error| Failure::new(exit::CONFIG, error))
}

/// Tells whoever reads the log how the first organizer gets in.
fn tell_code(config: &Config, pages: SocketAddr) {
    let code = Code::of(&config.journal_directory());
    if !config.web.organizers.is_empty() {
        // It was for the first one.
        let _ = code.forget();
    } else if config.mqtt.broker == config::Broker::Embedded {
        match code.shown() {
            Ok(code) => tracing::info!("to set up this hall: http://{pages}/setup, code {code}"),
            Err(error) => tracing::warn!("there is no code for /setup: {error}"),
        }
    }
}

/// How a run ended.
enum End {
    /// It was told to, or a part of it failed.
    Whole(Result<(), Failure>),
    /// This machine speaks for the hall now.
    SteppedBack(String),
}

/// Signals from whoever runs the daemon.
struct Signals {
    hang_up: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(|error| Failure::new(exit::SOFTWARE, error));
        let (hang_up, terminate) = (SignalKind::hangup(), SignalKind::terminate());
        Ok(Self { hang_up: listen(hang_up)?, terminate: listen(terminate)? })
    }
}

/// Waits until the daemon is told to end.
async fn told_to_end(terminate: &mut Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

async fn serve(mut config: Config, path: &Path, named: bool) -> Result<(), Failure> {
    let mut signals = Signals::new()?;
    loop {
        let own = tokio::select! {
            own = run::turn(&config, notify::ready) => own?,
            () = told_to_end(&mut signals.terminate) => return Ok(()),
        };
        match speak(&mut config, own, (path, named), &mut signals).await? {
            End::Whole(outcome) => return outcome,
            End::SteppedBack(other) => {
                tracing::warn!("{other} speaks for this hall: {} steps back", config.mqtt.machine);
            }
        }
    }
}

/// The daemon while it speaks for its hall.
async fn speak(
    config: &mut Config,
    own: Own,
    (path, named): (&Path, bool),
    Signals { hang_up, terminate }: &mut Signals,
) -> Result<End, Failure> {
    let (wishes, mut wished) = mpsc::channel(WISHES);
    let hall = run::start(config.clone(), own, Some(wishes)).await?;
    let feed = hall.feed.map_or_else(|| "external broker".to_owned(), |it| format!("mqtt://{it}"));
    tracing::info!("pages http://{} feed {feed}", hall.pages);
    if let Some(encrypted) = hall.encrypted {
        tracing::info!("pages encrypted at https://{encrypted}");
    }
    tell_code(config, hall.pages);
    notify::ready(&format!("pages http://{}", hall.pages));
    let mut look = tokio::time::interval(LOOK);
    let mut kept = stamp(config);
    let outcome = loop {
        tokio::select! {
            _ = hang_up.recv() => match load(path, named) {
                Ok(other) => {
                    *config = other;
                    kept = stamp(config);
                    hall.reload(config.clone()).await;
                    tracing::info!("the configuration was read again");
                }
                Err(failure) => {
                    tracing::warn!("the old configuration stays: {}", failure.message);
                }
            },
            _ = look.tick() => if stamp(config) != kept {
                kept = stamp(config);
                match config.read_pairings() {
                    Ok(()) => {
                        tracing::info!("the pairings were read anew");
                        hall.reload(config.clone()).await;
                    }
                    Err(error) => tracing::warn!("the old pairings stay: {error}"),
                }
            },
            Some(wish) = wished.recv() => if let Some(other) = hall.grant(path, wish).await {
                kept = stamp(&other);
                *config = other;
            },
            () = told_to_end(terminate) => break Ok(()),
            part = hall.failed() => break Err(super::ended(part)),
            other = hall.superseded() => {
                hall.step_back().await;
                return Ok(End::SteppedBack(other));
            }
        }
    };
    notify::stopping();
    hall.stop().await;
    Ok(End::Whole(outcome))
}
