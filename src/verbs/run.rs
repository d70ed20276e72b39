//! `adoubed run`: the daemon until it is told to end.

use std::path::{Path, PathBuf};

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::runtime;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::{notify, run};

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

fn load(path: Option<&Path>) -> Result<Config, Failure> {
    match path {
        Some(path) => config::load(path).map_err(|error| Failure::new(exit::CONFIG, error)),
        None => Ok(Config::default()),
    }
}

async fn serve(config: Config, path: Option<&Path>) -> Result<(), Failure> {
    let fail = |error| Failure::new(exit::SOFTWARE, error);
    let mut hang_up = signal(SignalKind::hangup()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    let hall = run::start(config).await?;
    let feed = hall.feed.map_or_else(|| "external broker".to_owned(), |it| format!("mqtt://{it}"));
    tracing::info!("pages http://{} feed {feed}", hall.pages);
    notify::ready(&format!("pages http://{}", hall.pages));
    let outcome = loop {
        tokio::select! {
            _ = hang_up.recv() => match load(path) {
                Ok(config) => hall.reload(config).await,
                Err(failure) => {
                    tracing::warn!("the old configuration stays: {}", failure.message);
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
