//! `adoubed passwd`: the hash of an arbiter's password, for the configuration.

use std::io::Read as _;

use clap::Args;

use super::say;
use crate::config::accounts;
use crate::exit::{self, Failure};
use crate::mqtt::access;
use crate::pairings::{NAME_MAX, is_plain};

#[derive(Args)]
pub struct Arguments {
    /// The arbiter's name; the password is read from standard input
    name: String,
}

pub fn passwd(arguments: &Arguments) -> Result<(), Failure> {
    let name = &arguments.name;
    if name.is_empty() || !is_plain(name) || name.chars().count() > NAME_MAX {
        let text = format!("write a name on one line, of at most {NAME_MAX} letters");
        return Err(Failure::new(exit::USAGE, text));
    }
    if accounts::is_reserved(name) {
        let text = format!("{name} is a name that the daemon uses itself; write another one");
        return Err(Failure::new(exit::USAGE, text));
    }
    let mut password = String::new();
    std::io::stdin()
        .read_to_string(&mut password)
        .map_err(|error| Failure::new(exit::IO, format!("failed to read the password: {error}")))?;
    let password = password.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        return Err(Failure::new(exit::USAGE, "give the password on standard input"));
    }
    let hash =
        access::hashed(password.as_bytes()).map_err(|error| Failure::new(exit::SOFTWARE, error))?;
    say(format_args!("{} = \"{hash}\"", key(name)));
    Ok(())
}

/// The name as a key of the file: always in quotes, with what TOML cannot take in them escaped.
fn key(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_the_daemons_own_is_refused() {
        for name in ["adoubed-daemon", "session:1"] {
            let refused = passwd(&Arguments { name: name.to_owned() }).unwrap_err();
            assert!(refused.message.contains("the daemon uses itself"), "{}", refused.message);
        }
    }

    #[test]
    fn whatever_a_name_is_the_line_can_be_read_and_gives_it_back() {
        for name in ["Claire", "O'Neil", "Ann \"the Bell\" Lee", "a\\b", "Žarko", "a.b", "#1 = x"]
        {
            let line = format!("{} = \"hash\"", key(name));
            let table: toml::Table = line.parse().unwrap();
            assert_eq!(table.get(name).and_then(toml::Value::as_str), Some("hash"), "{line}");
        }
    }
}
