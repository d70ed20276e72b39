//! What cannot be meant in a configuration, each with its line and what to do about it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Config, pages};

/// The longest a table may wait for anything: beyond it an arbiter would never hear of it.
const WAIT_MAX_S: u64 = 600;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there or not ours to read.
    #[error("failed to read {}: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something in it cannot be meant.
    #[error("{}:{line}: {key}: {problem}", path.display())]
    Refused {
        /// Which file.
        path: PathBuf,
        /// Which line, counted from 1.
        line: usize,
        /// Which key.
        key: String,
        /// What is wrong and what to write instead.
        problem: String,
    },
}

/// An error of the TOML reader with its line and, as far as it can be told, its key.
pub(super) fn syntax(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let at = error.span().map_or(0, |span| span.start);
    let line = text.get(..at).unwrap_or(text).lines().count().max(1);
    let line = if text.get(..at).is_some_and(|it| it.ends_with('\n')) { line + 1 } else { line };
    let key = text.lines().nth(line - 1).and_then(|line| line.split('=').next());
    let key = key.unwrap_or_default().trim().to_owned();
    ConfigError::Refused { path: path.to_owned(), line, key, problem: error.message().to_owned() }
}

/// Whether the values can be meant.
pub(super) fn whole(path: &Path, text: &str, config: &Config) -> Result<(), ConfigError> {
    let refuse = |key: &str, nth: Option<usize>, problem: String| ConfigError::Refused {
        path: path.to_owned(),
        line: line_of(text, key, nth),
        key: key.to_owned(),
        problem,
    };
    one_of("laws", &config.event.laws, &["2014", "2018", "2023"])
        .and_then(|()| one_of("language", &config.event.language, &["en", "fr"]))
        .and_then(|()| one_of("broker", &config.mqtt.broker, &["embedded", "external"]))
        .and_then(|()| match &config.mqtt.hall {
            Some(hall) => one_of("hall", hall, &["open", "users"]),
            None => Ok(()),
        })
        .and_then(|()| match &config.event.supervision {
            Some(told) => one_of("supervision", told, &["adequate", "inadequate"]),
            None => Ok(()),
        })
        .and_then(|()| time_control(&config.event.time_control))
        .and_then(|()| base(&config.mqtt.base))
        .and_then(|()| external(config))
        .and_then(|()| waits(config))
        .map_err(|(key, problem)| refuse(key, None, problem))?;
    pages::whole(&config.web).map_err(|(key, problem)| refuse(&key, None, problem))?;
    tables(config).map_err(|(key, nth, problem)| refuse(key, Some(nth), problem))
}

type Problem = (&'static str, String);

fn one_of(key: &'static str, value: &str, allowed: &[&str]) -> Result<(), Problem> {
    if allowed.contains(&value) {
        return Ok(());
    }
    Err((key, format!("\"{value}\" is not known; write one of {}", allowed.join(", "))))
}

/// Nothing and `?` mean that it is not told.
fn time_control(text: &str) -> Result<(), Problem> {
    if ["", "?"].contains(&text) {
        return Ok(());
    }
    match text.parse::<witness::TimeControl>() {
        Ok(_) => Ok(()),
        Err(error) => Err(("time_control", error.to_string())),
    }
}

fn base(base: &str) -> Result<(), Problem> {
    let bad = base.is_empty()
        || base.starts_with(['/', '$'])
        || base.ends_with('/')
        || base.contains(['+', '#', '\0']);
    if bad {
        let problem = "write a topic without + # at the beginning of all others, like adoubed";
        return Err(("base", problem.to_owned()));
    }
    Ok(())
}

fn external(config: &Config) -> Result<(), Problem> {
    let mqtt = &config.mqtt;
    if mqtt.broker != "external" {
        return Ok(());
    }
    if mqtt.url.starts_with("mqtts://") {
        let problem = "TLS to a broker is not built in yet; write mqtt://host:1883 and keep the \
                       link on a trusted network, or bridge from a broker beside the daemon";
        return Err(("url", problem.to_owned()));
    }
    match crate::mqtt::client::address(&mqtt.url) {
        Some(_) => Ok(()),
        None => Err(("url", "write mqtt://host:1883".to_owned())),
    }
}

fn waits(config: &Config) -> Result<(), Problem> {
    let defaults = &config.defaults;
    let in_seconds = [
        ("settle_ms", defaults.settle_ms / 1000),
        ("release_ms", defaults.release_ms / 1000),
        ("check_after_s", defaults.check_after_s),
    ];
    for (key, seconds) in in_seconds {
        if seconds > WAIT_MAX_S {
            return Err((key, format!("more than {WAIT_MAX_S} s; write less")));
        }
    }
    if config.journal.flush_ms == 0 || config.journal.flush_ms > 10_000 {
        return Err(("flush_ms", "write 1 to 10000".to_owned()));
    }
    Ok(())
}

fn tables(config: &Config) -> Result<(), (&'static str, usize, String)> {
    let mut numbers = BTreeMap::new();
    let mut seats = BTreeMap::new();
    for (nth, table) in config.table.iter().enumerate() {
        let fail = |key, problem: String| Err((key, nth, problem));
        if table.number == 0 {
            return fail("number", "every table needs a number from 1".to_owned());
        }
        if let Some(first) = numbers.insert(table.number, nth) {
            return fail("number", format!("table {} is the {}. too", table.number, first + 1));
        }
        let seat = match (&table.port, &table.serial) {
            (Some(port), _) => format!("port {port}, station {}", table.station),
            (None, Some(serial)) => format!("board {serial}"),
            (None, None) => {
                return fail("number", "write where its board is: port or serial".to_owned());
            }
        };
        if let Some(other) = seats.insert(seat.clone(), table.number) {
            let key = if table.port.is_some() { "port" } else { "serial" };
            return fail(key, format!("{seat} belongs to table {other} already"));
        }
        if let Some(name) = table.driver.as_deref().filter(|name| *name != "auto")
            && catalog::find(name).is_none()
        {
            let known: Vec<_> = catalog::DRIVERS.iter().map(|driver| driver.name).collect();
            let problem = format!("\"{name}\" is not known; write auto, {}", known.join(", "));
            return fail("driver", problem);
        }
        if let Some(laws) = &table.laws {
            one_of("laws", laws, &["2014", "2018", "2023"])
                .map_err(|(key, problem)| (key, nth, problem))?;
        }
        if let Some(control) = &table.time_control {
            time_control(control).map_err(|(key, problem)| (key, nth, problem))?;
        }
    }
    Ok(())
}

/// The line on which a key stands: in the nth table, from 0, or outside of all tables; failing that
/// the head of that table.
fn line_of(text: &str, key: &str, nth: Option<usize>) -> usize {
    let is_key = |line: &str| line.trim_start().split('=').next().map(str::trim) == Some(key);
    let (mut tables, mut inside, mut header) = (0, None, 1);
    for (index, line) in text.lines().enumerate() {
        if line.trim() == "[[table]]" {
            inside = Some(tables);
            tables += 1;
            if inside == nth {
                header = index + 1;
            }
        } else if line.starts_with('[') {
            inside = None;
        }
        if is_key(line) && inside == nth {
            return index + 1;
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn refused(text: &str) -> String {
        read(Path::new("adoubed.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn every_refusal_names_line_key_and_remedy() {
        let cases = [
            ("[event]\nname = \"x\"\ncolour = 1\n", "adoubed.toml:3: colour: unknown field"),
            ("[event]\nlaws = \"2020\"\n", "adoubed.toml:2: laws: \"2020\" is not known; write"),
            ("[mqtt]\n\nlisten = \"here\"\n", "adoubed.toml:3: listen: invalid socket address"),
            ("[mqtt]\nbase = \"a/#\"\n", "adoubed.toml:2: base: write a topic"),
            ("[mqtt]\nbroker = \"external\"\nurl = \"x\"\n", "adoubed.toml:3: url: write mqtt"),
            ("[[table]]\nnumber = 1\n", "adoubed.toml:2: number: write where its board is"),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\n[[table]]\nnumber = 2\nport = \"/a\"\n",
                "adoubed.toml:6: port: port /a, station 0 belongs to table 1 already",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\ndriver = \"dtg\"\n",
                "adoubed.toml:4: driver: \"dtg\" is not known; write auto, ",
            ),
            (
                "[event]\ntime_control = \"90m\"\n",
                "adoubed.toml:2: time_control: \"90m\" is no time control; write moves/seconds",
            ),
            (
                "[event]\ntime_control = \"300\"\n[[table]]\nnumber = 1\nport = \"/a\"\n\
                 time_control = \"300+\"\n",
                "adoubed.toml:6: time_control: \"300+\" is no time control; write seconds, as +30",
            ),
            ("[defaults]\ncheck_after_s = 9999\n", "adoubed.toml:2: check_after_s: more than"),
        ];
        for (text, expected) in cases {
            let refusal = refused(text);
            assert!(refusal.starts_with(expected), "{refusal}\nnot\n{expected}");
        }
    }

    #[test]
    fn nothing_said_is_a_good_configuration() {
        let config = read(Path::new("adoubed.toml"), "").unwrap();
        assert!(config.plan().tables.is_empty());
        assert!(config.hall_is_open());
    }
}
