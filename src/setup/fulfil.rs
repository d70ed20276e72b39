//! Wishes of organizers, carried out on the file.

use std::path::Path;

use serde_json::{Value, json};
use witness::Message;

use super::document::{self, Document};
use super::{Wanted, Wish, pairings};
use crate::config::{self, Config};
use crate::requests::{Change, Key};
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
    Ok(Change::Set { key: Key::LichessTokenFile, value: json!(file.display().to_string()) })
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
        Wanted::Changes(changes, _) => before.with(changes)?,
        Wanted::FirstOrganizer(name, hash) => before.with_first_organizer(name, hash)?,
        Wanted::Person(person) => before.with_person(person)?,
        Wanted::Token(token) => before.with(&[kept_token(path, token)?])?,
    };
    after.replace(&before)?;
    Ok((config, after.revision()))
}
