//! `adoubed passwd`: the hash of an arbiter's password, for the configuration.

use std::io::Read as _;

use clap::Args;

use super::say;
use crate::exit::{self, Failure};
use crate::mqtt::access;

#[derive(Args)]
pub struct Arguments {
    /// The arbiter's name; the password is read from standard input
    name: String,
}

pub fn passwd(arguments: &Arguments) -> Result<(), Failure> {
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
    say(format_args!("\"{}\" = \"{hash}\"", arguments.name.replace('"', "")));
    Ok(())
}
