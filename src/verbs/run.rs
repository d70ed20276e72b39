//! `adoubed run`: the daemon until it is told to end.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::runtime;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::{notify, run};

/// How often the file with the pairings is checked.
const LOOK: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Arguments {
    /// The configuration; without one every board found becomes a table
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = load(arguments.config.as_deref())?;
    runtime()?.block_on(serve(config, arguments.config.as_deref()))
}

/// Changes when the file with the pairings does. A file that is missing is ignored, because it will
/// return.
fn stamp(config: &Config) -> Option<(SystemTime, u64)> {
    let file = std::fs::metadata(config.event.pairings.as_ref()?).ok()?;
    Some((file.modified().ok()?, file.len()))
}

fn load(path: Option<&Path>) -> Result<Config, Failure> {
    match path {
        Some(path) => config::load(path).map_err(|error| Failure::new(exit::CONFIG, error)),
        None => Ok(Config::default()),
    }
}

async fn serve(mut config: Config, path: Option<&Path>) -> Result<(), Failure> {
    let fail = |error| Failure::new(exit::SOFTWARE, error);
    let mut hang_up = signal(SignalKind::hangup()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    let hall = run::start(config.clone()).await?;
    let feed = hall.feed.map_or_else(|| "external broker".to_owned(), |it| format!("mqtt://{it}"));
    tracing::info!("pages http://{} feed {feed}", hall.pages);
    if let Some(encrypted) = hall.encrypted {
        tracing::info!("pages encrypted at https://{encrypted}");
    }
    notify::ready(&format!("pages http://{}", hall.pages));
    let mut look = tokio::time::interval(LOOK);
    let mut kept = stamp(&config);
    let outcome = loop {
        tokio::select! {
            _ = hang_up.recv() => match load(path) {
                Ok(other) => {
                    config = other;
                    kept = stamp(&config);
                    hall.reload(config.clone()).await;
                    tracing::info!("the configuration was read again");
                }
                Err(failure) => {
                    tracing::warn!("the old configuration stays: {}", failure.message);
                }
            },
            _ = look.tick() => if stamp(&config) != kept {
                kept = stamp(&config);
                match config.read_pairings() {
                    Ok(()) => {
                        tracing::info!("the pairings were read anew");
                        hall.reload(config.clone()).await;
                    }
                    Err(error) => tracing::warn!("the old pairings stay: {error}"),
                }
            },
            _ = terminate.recv() => break Ok(()),
            _ = tokio::signal::ctrl_c() => break Ok(()),
            part = hall.failed() => break Err(super::ended(part)),
        }
    };
    notify::stopping();
    hall.stop().await;
    outcome
}
