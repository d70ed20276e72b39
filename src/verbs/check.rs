//! `adoubed check`: a configuration in words.

use std::path::PathBuf;

use clap::Args;

use super::say;
use crate::config::{self, Web};
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
    for line in config.laws.words() {
        say(format_args!("own    {line}"));
    }
    match config.mqtt.broker.as_str() {
        "external" => say(format_args!("feed   to the broker at {}", config.mqtt.url)),
        _ => say(format_args!("feed   mqtt://{}", config.mqtt.listen)),
    }
    let tables = if config.hall_is_open() { "everybody" } else { "arbiters" };
    say(format_args!("       topics under {}/v1, tables for {tables}", config.mqtt.base));
    say(format_args!("pages  http://{}", config.web.listen));
    say_encrypted(&config.web);
    say(format_args!("record {}", config.journal_directory().display()));
    if config.table.is_empty() {
        say("tables every board that is found");
    }
    for table in &config.table {
        let place = place(table.port.as_deref(), table.serial.as_deref());
        let driver = table.driver.as_deref().unwrap_or("auto");
        say(format_args!("table  {} at {place} ({driver})", table.number));
        if let Some(board) = &table.second_board {
            let place = self::place(board.port.as_deref(), board.serial.as_deref());
            let driver = board.driver.as_deref().unwrap_or("auto");
            say(format_args!("       {}'s own board at {place} ({driver})", board.player));
        }
    }
    for round in &config.rounds {
        say(format_args!("round  {}: {} games", round.name, round.pairings.len()));
    }
    for key in config.without_effect() {
        say(format_args!("note   {key} has no effect in this version"));
    }
    Ok(())
}

fn place(port: Option<&str>, serial: Option<&str>) -> String {
    match (port, serial) {
        (Some(port), _) => port.to_owned(),
        (None, Some(serial)) => format!("board {serial}, wherever it is plugged in"),
        (None, None) => String::new(),
    }
}

fn say_encrypted(web: &Web) {
    let Some(address) = web.listen_tls else { return };
    let shown = match web.certificate.as_os_str().is_empty() {
        true => "with a certificate of our own; tablets learn at /trust to trust it".to_owned(),
        false => format!("with {}", web.certificate.display()),
    };
    say(format_args!("       https://{address} {shown}"));
    say("       from elsewhere arbiters log in there only");
}
