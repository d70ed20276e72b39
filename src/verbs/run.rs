//! `adoubed run`: the daemon until it is told to end.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

use tokio::sync::mpsc;
use witness::Message;

use super::runtime;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::setup::code::Code;
use crate::setup::document::Document;
use crate::setup::{WISHES, Wanted, Wish};
use crate::{notify, run, say};

/// How often the file with the pairings is checked.
const LOOK: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Arguments {
    /// The configuration; default: adoubed.toml in the state directory, and without one every board
    /// found becomes a table
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
    runtime()?.block_on(serve(config, &path, named))
}

/// The file that an organizer makes from the setup page where nobody wrote one.
fn default_path() -> PathBuf {
    Config::default().journal_directory().join("adoubed.toml")
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
        true => config::load(path),
        false => config::read(path, ""),
    };
    read.map_err(|error| Failure::new(exit::CONFIG, error))
}

/// Changes the file, and gives the configuration to take up. A file that somebody else has changed
/// is read again, so that the person who asked sees what it says now.
fn carry_out(path: &Path, wish: &Wish) -> (Result<Value, Message>, Option<Config>) {
    match change(path, wish) {
        Ok((config, revision)) => {
            tracing::info!("{} has changed {}", wish.by, path.display());
            (Ok(json!({"revision": revision})), Some(config))
        }
        Err(why) => {
            let Wanted::Changes(_, seen) = &wish.wanted else { return (Err(why), None) };
            let stale = |it: &str| Document::read(path).is_ok_and(|now| now.revision() != it);
            let again = seen.as_deref().is_some_and(stale);
            (Err(why), again.then(|| config::load(path).ok()).flatten())
        }
    }
}

fn change(path: &Path, wish: &Wish) -> Result<(Config, String), Message> {
    let before = Document::read(path)?;
    let (after, config) = match &wish.wanted {
        Wanted::Changes(_, Some(seen)) if *seen != before.revision() => {
            return Err(say::config_edited());
        }
        Wanted::Changes(changes, _) => before.with(changes)?,
        Wanted::FirstOrganizer(name, hash) => before.with_first_organizer(name, hash)?,
    };
    after.replace(&before)?;
    Ok((config, after.revision()))
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

async fn serve(mut config: Config, path: &Path, named: bool) -> Result<(), Failure> {
    let fail = |error| Failure::new(exit::SOFTWARE, error);
    let mut hang_up = signal(SignalKind::hangup()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    let (wishes, mut wished) = mpsc::channel(WISHES);
    let hall = run::start(config.clone(), Some(wishes)).await?;
    let feed = hall.feed.map_or_else(|| "external broker".to_owned(), |it| format!("mqtt://{it}"));
    tracing::info!("pages http://{} feed {feed}", hall.pages);
    if let Some(encrypted) = hall.encrypted {
        tracing::info!("pages encrypted at https://{encrypted}");
    }
    tell_code(&config, hall.pages);
    notify::ready(&format!("pages http://{}", hall.pages));
    let mut look = tokio::time::interval(LOOK);
    let mut kept = stamp(&config);
    let outcome = loop {
        tokio::select! {
            _ = hang_up.recv() => match load(path, named) {
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
            Some(wish) = wished.recv() => {
                // Some disks take their time, and the journal waits for none of them.
                let (answer, other) = tokio::task::block_in_place(|| carry_out(path, &wish));
                if let Some(other) = other {
                    config = other;
                    kept = stamp(&config);
                    hall.reload(config.clone()).await;
                }
                let _ = wish.answer.send(answer);
            }
            _ = terminate.recv() => break Ok(()),
            _ = tokio::signal::ctrl_c() => break Ok(()),
            part = hall.failed() => break Err(super::ended(part)),
        }
    };
    notify::stopping();
    hall.stop().await;
    outcome
}
