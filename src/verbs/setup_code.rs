//! `adoubed setup-code`: the one-time code for the first organizer's account.

use std::path::{Path, PathBuf};

use clap::Args;

use super::say;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::setup::code::Code;

/// Where the service keeps its state.
const SERVICE: &str = "/var/lib/adoubed";

#[derive(Args)]
pub struct Arguments {
    /// The configuration of the daemon, which says where its state is
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The state directory; default: $STATE_DIRECTORY, that of the service, or ./adoubed-state
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "config")]
    directory: Option<PathBuf>,
    /// Make another code; the one that was is of no use any more
    #[arg(long)]
    renew: bool,
}

pub fn setup_code(arguments: &Arguments) -> Result<(), Failure> {
    let directory = directory(arguments)?;
    let code = Code::of(&directory);
    let code = if arguments.renew { code.renewed() } else { code.shown() };
    say(code.map_err(|error| Failure::file(&directory, &error))?);
    Ok(())
}

fn directory(arguments: &Arguments) -> Result<PathBuf, Failure> {
    if let Some(path) = &arguments.config {
        let config = config::load(path).map_err(|error| Failure::new(exit::CONFIG, error))?;
        return Ok(config.journal_directory());
    }
    let service = || {
        let alone = std::env::var_os("STATE_DIRECTORY").is_none();
        Some(Path::new(SERVICE)).filter(|it| alone && it.is_dir()).map(Path::to_owned)
    };
    let named = arguments.directory.clone().or_else(service);
    Ok(named.unwrap_or_else(|| Config::default().journal_directory()))
}
