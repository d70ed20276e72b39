//! Wishes of organizers, carried out on the file.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use serde_json::{Value, json};
use witness::Message;

use super::document::{self, Document};
use super::{Wanted, Wish, pairings};
use crate::config::{self, Config};
use crate::requests::Change;
use crate::say;

/// Changes the file as somebody wishes, and gives the configuration to take up. A file that
/// somebody else has changed is read again, so that the person who asked sees what it says now.
pub fn fulfil(path: &Path, wish: &Wish) -> (Result<Value, Message>, Option<Config>) {
    match change(path, wish) {
        Ok((config, revision)) => {
            tracing::info!("{} has changed {}", wish.by, path.display());
            (Ok(json!({"revision": revision})), Some(config))
        }
        Err(why) => {
            let (Wanted::Changes(_, seen) | Wanted::Pairings(_, seen)) = &wish.wanted else {
                return (Err(why), None);
            };
            let stale = |it: &str| Document::read(path).is_ok_and(|now| now.revision() != it);
            let again = seen.as_deref().is_some_and(stale);
            (Err(why), again.then(|| config::load(path).ok()).flatten())
        }
    }
}

/// The file of the token, beside the configuration.
const TOKEN: &str = "lichess.token";
/// Only the user of the daemon reads it.
const TOKEN_MODE: u32 = 0o600;

/// Writes the token, and gives the change that names its file.
fn kept_token(path: &Path, token: &str) -> Result<Change, Message> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let file = path.with_file_name(TOKEN);
    document::write_as(&file, format!("{token}\n").as_bytes(), TOKEN_MODE)
        .map_err(|error| say::config_unwritten(&file.display().to_string(), &error.to_string()))?;
    Ok(Change::set("lichess.token_file", json!(file.display().to_string())))
}

/// Whether this machine can open an address that it gets. Otherwise the next start would fail, and
/// no page would be there to mend it.
fn can_be_opened(change: &Change) -> Result<(), Message> {
    let Change::Set { key, value, .. } = change else { return Ok(()) };
    let written = value.as_str().unwrap_or_default();
    let Some(address) = written.parse::<SocketAddr>().ok().filter(|_| is_listened_at(key)) else {
        return Ok(());
    };
    match TcpListener::bind(address) {
        // It may be in use by this daemon itself.
        Err(error) if error.kind() != ErrorKind::AddrInUse => {
            Err(say::config_no_address(key, written, &error.to_string()))
        }
        _ => Ok(()),
    }
}

fn is_listened_at(key: &str) -> bool {
    key.rsplit('.').next().is_some_and(|name| name.starts_with("listen"))
}

fn change(path: &Path, wish: &Wish) -> Result<(Config, String), Message> {
    let before = Document::read(path)?;
    let (after, config) = match &wish.wanted {
        Wanted::Changes(_, Some(seen)) | Wanted::Pairings(_, Some(seen))
            if *seen != before.revision() =>
        {
            return Err(say::config_edited());
        }
        Wanted::Pairings(file, _) => {
            let (after, config) = pairings::keep(&before, file)?;
            return Ok((config, after.revision()));
        }
        Wanted::Changes(changes, _) => {
            let changed = before.with(changes)?;
            changes.iter().try_for_each(can_be_opened)?;
            changed
        }
        Wanted::FirstOrganizer(name, hash) => before.with_first_organizer(name, hash)?,
        Wanted::Person(person) => before.with_person(person)?,
        Wanted::Token(token) => before.with(&[kept_token(path, token)?])?,
    };
    after.replace(&before)?;
    Ok((config, after.revision()))
}
