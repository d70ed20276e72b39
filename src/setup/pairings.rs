//! The file with the pairings, given to the daemon by an organizer. It lies beside the
//! configuration, and the one that was there before is kept under another name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use witness::Message;

use super::document::{self, Document};
use crate::config::Config;
use crate::pairings::Source;
use crate::requests::Change;
use crate::say;

/// A file with pairings that was read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its kind.
    pub kind: Source,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The round that is on; none: as it is.
    pub round: Option<String>,
}

/// The name that a file gets. The results are filled into a report later, byte for byte.
const fn name(kind: Source) -> &'static str {
    match kind {
        Source::Pgn => "pairings.pgn",
        Source::Report => "pairings.trf",
    }
}

/// What stood where a file was written.
struct Before {
    path: PathBuf,
    bytes: Option<Vec<u8>>,
}

impl Before {
    /// Keeps what was there under another name.
    fn kept(path: PathBuf) -> io::Result<Self> {
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            read => Some(read?),
        };
        if let Some(bytes) = &bytes {
            let mut name = path.file_name().unwrap_or_default().to_owned();
            name.push(".before");
            document::write(&path.with_file_name(name), bytes)?;
        }
        Ok(Self { path, bytes })
    }

    fn put_back(self) {
        let _ = match self.bytes {
            Some(bytes) => document::write(&self.path, &bytes),
            None => fs::remove_file(&self.path),
        };
    }
}

/// Writes the file, and the configuration that names it: both, or none.
///
/// # Errors
/// If one of them cannot be written, or if a start would refuse the configuration.
pub fn keep(before: &Document, file: &File) -> Result<(Document, Config), Message> {
    let name = name(file.kind);
    let path = before.path().with_file_name(name);
    let unwritten = |path: &Path, error: &io::Error| {
        say::config_unwritten(&path.display().to_string(), &error.to_string())
    };
    let there = Before::kept(path.clone()).map_err(|error| unwritten(&path, &error))?;
    let done = document::write(&path, &file.bytes)
        .map_err(|error| unwritten(&path, &error))
        .and_then(|()| named(before, name, file.round.as_deref()));
    if done.is_err() {
        there.put_back();
    }
    done
}

fn named(
    before: &Document,
    name: &str,
    round: Option<&str>,
) -> Result<(Document, Config), Message> {
    let round = round.map(|round| Change::set("round", Value::from(round)));
    let changes: Vec<_> =
        [Change::set("pairings", Value::from(name))].into_iter().chain(round).collect();
    let (after, config) = before.with(&changes)?;
    after.replace(before)?;
    Ok((after, config))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(round: &str, white: &str) -> Vec<u8> {
        format!("[Round \"{round}.1\"]\n[White \"{white}\"]\n[Black \"B\"]\n\n*\n").into_bytes()
    }

    #[test]
    fn both_files_are_written_or_none_and_the_one_before_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("adoubed.toml");
        fs::write(&path, "# ours\n[event]\nname = \"Open\"\n").unwrap();
        let file = |bytes: Vec<u8>| File { kind: Source::Pgn, bytes, round: Some("3".to_owned()) };
        let read = |name: &str| fs::read(directory.path().join(name)).ok();

        let (one, config) = keep(&Document::read(&path).unwrap(), &file(game("3", "Ann"))).unwrap();
        assert_eq!((config.rounds.len(), config.event.round.as_str()), (1, "3"));
        assert_eq!(read("pairings.pgn"), Some(game("3", "Ann")));
        assert_eq!(read("pairings.pgn.before"), None);
        let (_, config) = keep(&one, &file(game("3", "Cy"))).unwrap();
        assert_eq!(config.rounds[0].pairings[0].players.white.name, "Cy");
        assert_eq!(read("pairings.pgn.before"), Some(game("3", "Ann")));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# ours\n") && text.contains("pairings = \"pairings.pgn\""));

        // Somebody else has saved the configuration meanwhile: the pairings stay too.
        let stale = Document::read(&path).unwrap();
        fs::write(&path, text.replace("Open", "Closed")).unwrap();
        assert!(keep(&stale, &file(game("3", "Eve"))).is_err());
        assert_eq!(read("pairings.pgn"), Some(game("3", "Cy")));
        let now = Document::read(&path).unwrap();
        assert!(keep(&now, &file(b"no pairings".to_vec())).is_err());
        assert_eq!(read("pairings.pgn"), Some(game("3", "Cy")));
    }
}
