//! `adoubed check`: a configuration in words.

use std::path::PathBuf;

use clap::Args;

use super::say;
use crate::config;
use crate::exit::{self, Failure};

#[derive(Args)]
pub struct Arguments {
    /// The configuration
    #[arg(default_value = "adoubed.toml")]
    file: PathBuf,
}

pub fn check(arguments: &Arguments) -> Result<(), Failure> {
    let config =
        config::load(&arguments.file).map_err(|error| Failure::new(exit::CONFIG, error))?;
    let event = &config.event;
    let name = if event.name.is_empty() { "an event without a name" } else { &event.name };
    say(format_args!("{} is good: {name}, Laws of {}", arguments.file.display(), event.laws));
    if let Ok(control) = event.time_control.parse::<witness::TimeControl>() {
        let words = control.words();
        say(format_args!("time   {}", if event.language == "fr" { words.fr } else { words.en }));
    }
    match config.mqtt.broker.as_str() {
        "external" => say(format_args!("feed   to the broker at {}", config.mqtt.url)),
        _ => say(format_args!("feed   mqtt://{}", config.mqtt.listen)),
    }
    let tables = if config.hall_is_open() { "everybody" } else { "arbiters" };
    say(format_args!("       topics under {}/v1, tables for {tables}", config.mqtt.base));
    say(format_args!("pages  http://{}", config.web.listen));
    say(format_args!("record {}", config.journal_directory().display()));
    if config.table.is_empty() {
        say("tables every board that is found");
    }
    for table in &config.table {
        let place = match (&table.port, &table.serial) {
            (Some(port), _) => port.clone(),
            (None, Some(serial)) => format!("board {serial}, wherever it is plugged in"),
            (None, None) => String::new(),
        };
        let driver = table.driver.as_deref().unwrap_or("auto");
        say(format_args!("table  {} at {place} ({driver})", table.number));
    }
    for key in config.without_effect() {
        say(format_args!("note   {key} has no effect in this version"));
    }
    Ok(())
}
