//! `adoubed check`: a configuration in words.

mod example;
mod outlets;

use std::path::PathBuf;

use clap::Args;
use shakmaty::Color;
use witness::{Extra, TimeControl};

use super::{doubts, say};
use crate::config::Broker;
use crate::config::{self, Config, ShownHall, Web};
use crate::exit::{self, Failure};
use crate::pairings::Round;
use words::InWords as _;

#[derive(Args)]
pub struct Arguments {
    /// The configuration
    #[arg(default_value = "adoubed.toml")]
    file: PathBuf,
    /// The same, as `run` wants it
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    config: Option<PathBuf>,
    /// Check nothing: print a configuration with every key, its meaning and its range
    #[arg(long, conflicts_with_all = ["file", "config"])]
    print_example: bool,
}

pub fn check(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.print_example {
        say(example::EXAMPLE.trim_end());
        return Ok(());
    }
    let file = arguments.config.as_ref().unwrap_or(&arguments.file);
    let config = config::load(file).map_err(|error| Failure::new(exit::CONFIG, error))?;
    let event = &config.event;
    let name = if event.name.is_empty() { "an event without a name" } else { &event.name };
    say(format_args!("{} is good: {name}, Laws of {}", file.display(), event.laws.year()));
    for line in times(&config) {
        say(line);
    }
    for line in config.laws.words() {
        say(format_args!("own    {line}"));
    }
    match config.mqtt.broker {
        Broker::External => say(format_args!("feed   to the broker at {}", config.mqtt.url)),
        Broker::Embedded => say(format_args!("feed   mqtt://{}", config.mqtt.listen)),
    }
    let tables = if config.hall_is_open() { "everybody" } else { "arbiters" };
    say(format_args!("       topics under {}/v1, tables for {tables}", config.mqtt.base));
    say(format_args!("pages  http://{}", config.web.listen));
    shown_halls(&config).into_iter().for_each(say);
    say_encrypted(&config.web);
    say(arbiters(&config.web));
    outlets::lines(&config).into_iter().for_each(say);
    say(format_args!("record {}", config.journal_directory().display()));
    if config.table.is_empty() {
        say("tables every board that is found");
    }
    for table in &config.table {
        let place = place(table.port.as_deref(), table.serial.as_deref(), table.station);
        let driver = table.driver.as_deref().unwrap_or("auto");
        say(format_args!("table  {} at {place} ({driver})", table.number));
        if let Some(board) = &table.second_board {
            let place = self::place(board.port.as_deref(), board.serial.as_deref(), board.station);
            let driver = board.driver.as_deref().unwrap_or("auto");
            say(format_args!("       {}'s own board at {place} ({driver})", board.player.name()));
        }
        if let Some(clock) = &table.clock {
            say(format_args!("       its clock at {} ({})", clock.port, clock.driver));
        }
    }
    for line in rounds(&config) {
        say(line);
    }
    doubts::lines(&config).into_iter().for_each(say);
    Ok(())
}

/// The halls that the pages show, if they are others or more than this one.
fn shown_halls(config: &Config) -> Vec<String> {
    let several = config.web.halls.are_several();
    let line = |hall: &ShownHall| match (several, hall.is_open()) {
        (_, true) => {
            format!("       every hall at {}, named by the last part of its base", hall.base)
        }
        (true, false) => {
            let ShownHall { base, name, .. } = hall;
            format!("       hall {name} at {base}: its tables are {name}-1, {name}-2, …")
        }
        (false, false) => format!("       the hall at {}", hall.base),
    };
    config.web.halls.0.iter().map(line).collect()
}

/// The arbiters who can sign in.
fn arbiters(web: &Web) -> String {
    let names: Vec<_> = web.accounts().into_keys().collect();
    if names.is_empty() {
        return "       /arbiter on this machine only: [web.arbiters] names nobody".to_owned();
    }
    let organizers: Vec<_> = web.organizers.keys().map(String::as_str).collect();
    let setup = match organizers.is_empty() {
        true => String::new(),
        false => format!("; /setup for {}", organizers.join(", ")),
    };
    format!("       /arbiter for {}{setup}", names.join(", "))
}

/// The rounds of the pairings, and whether the current one is among them.
fn rounds(config: &Config) -> Vec<String> {
    let games = |it: &Round| match it.pairings.len() {
        1 => format!("round  {}: 1 game", it.name),
        games => format!("round  {}: {games} games", it.name),
    };
    let mut lines: Vec<_> = config.rounds.iter().map(games).collect();
    let on = &config.event.round;
    if let Some(file) = config.event.pairings.as_ref().filter(|_| !on.is_empty())
        && !config.rounds.iter().any(|it| it.name == *on)
    {
        lines.push(format!("WARNING {} has no round {on}", file.display()));
    }
    lines
}

/// The time controls, with a warning where minutes may have been meant.
fn times(config: &Config) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |head: String, control: &str| {
        let Ok(control) = control.parse::<TimeControl>() else {
            lines.push(format!(
                "{head}not told: of the clocks little can be said, and of a flag not what follows"
            ));
            return;
        };
        lines.push(format!("{head}{}", control.words().en()));
        if is_short(&control) {
            lines.push(format!(
                "WARNING \"{control}\" counts in seconds; 90 minutes and 30 seconds a move are \
                 \"5400+30\""
            ));
        }
    };
    say("time   ".to_owned(), &config.event.time_control);
    for table in &config.table {
        if let Some(control) = &table.time_control {
            say(format!("time   at table {}: ", table.number), control);
        }
    }
    lines
}

/// Whether a player has less than three minutes to begin with: minutes may have been meant.
fn is_short(control: &TimeControl) -> bool {
    Color::ALL.into_iter().any(|side| {
        let first = control.of(side).all().first();
        first.is_some_and(|it| it.main_s < 180 && it.extra != Extra::Hourglass)
    })
}

/// The place of a board. On a bus its serial number or its station tells it apart.
fn place(port: Option<&str>, serial: Option<&str>, station: u16) -> String {
    match (port, serial) {
        (Some(port), Some(serial)) => format!("{port}, board {serial}"),
        (Some(port), None) if station > 0 => format!("{port}, station {station}"),
        (Some(port), None) => port.to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairings::Pairing;

    fn lines(event: &str, table: &str) -> Vec<String> {
        let text = format!("[event]\n{event}\n[[table]]\nnumber = 4\nport = \"/a\"\n{table}\n");
        let mut config: Config = toml::from_str(&text).unwrap();
        // Pages and alerts are French then, but this program's words are not.
        config.event.language = "fr".to_owned();
        times(&config)
    }

    #[test]
    fn time_controls_are_said_for_the_event_and_for_tables_of_their_own() {
        assert_eq!(
            lines("time_control = \"5400+30\"", "time_control = \"300+3\""),
            [
                "time   90 minutes with 30 seconds added for each move",
                "time   at table 4: 5 minutes with 3 seconds added for each move",
            ]
        );
        assert!(lines("", "")[0].starts_with("time   not told"));
    }

    #[test]
    fn a_round_that_the_pairings_do_not_have_is_a_warning() {
        let mut config = Config::default();
        config.event.pairings = Some("open.pgn".into());
        config.rounds = vec![Round { name: "3".to_owned(), pairings: vec![Pairing::default()] }];
        for (on, warns) in [("", false), ("3", false), ("4", true)] {
            config.event.round = on.to_owned();
            let said = rounds(&config);
            assert_eq!(said[0], "round  3: 1 game");
            let warning = said.get(1).map(String::as_str);
            assert_eq!(warning, warns.then_some("WARNING open.pgn has no round 4"), "{on}");
        }
    }

    #[test]
    fn a_place_says_which_board_of_a_bus_is_meant() {
        assert_eq!(place(Some("/a"), Some("01026"), 0), "/a, board 01026");
        assert_eq!(place(Some("/a"), None, 1026), "/a, station 1026");
        assert_eq!(place(Some("/a"), None, 0), "/a");
        assert_eq!(place(None, Some("7"), 0), "board 7, wherever it is plugged in");
    }

    #[test]
    fn minutes_written_for_seconds_are_a_warning() {
        for control in ["90+30", "3+2", "5", "15+10"] {
            let said = lines(&format!("time_control = \"{control}\""), "");
            assert!(said[1].starts_with("WARNING"), "{control}: {said:?}");
        }
        for control in ["180+2", "300", "*60", "-", "7200:900"] {
            assert_eq!(lines(&format!("time_control = \"{control}\""), "").len(), 1, "{control}");
        }
    }
}
