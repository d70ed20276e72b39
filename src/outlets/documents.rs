//! Games as files over HTTP: put together at most once a second, however many ask, and compressed
//! once for all of them.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use eboard::Moment;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::{Games, Played};
use crate::time::Clock;

/// A document is not made anew before.
const REST: Duration = Duration::from_secs(1);

/// Which games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// All that are known.
    All,
    /// Those of the round that is played now.
    Round,
    /// Those of one table.
    Table(u32),
}

/// One PGN file as it was when somebody asked.
#[derive(Clone, Debug)]
pub struct Document {
    /// Names its content: other bytes, another tag.
    pub tag: String,
    /// As it is.
    pub plain: Bytes,
    /// Compressed with gzip.
    pub gzip: Bytes,
}

impl Document {
    fn of(games: &[Arc<Played>]) -> Self {
        let text = joined(games);
        let digest = Sha256::digest(text.as_bytes());
        let tag = digest[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        // Writing into memory does not fail.
        let gzip = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        Self { tag, plain: text.into(), gzip: gzip.unwrap_or_default().into() }
    }
}

/// Games as one PGN file, an empty line between two.
#[must_use]
pub fn joined(games: &[Arc<Played>]) -> String {
    let texts: Vec<_> = games.iter().map(|it| it.text.as_str()).collect();
    texts.join("\n")
}

/// What was put together last.
struct Made {
    document: Arc<Document>,
    version: u64,
    at: Moment,
}

/// The documents of a hall.
pub struct Documents {
    games: Arc<Games>,
    clock: Clock,
    made: Mutex<BTreeMap<Which, Made>>,
}

impl Documents {
    /// Of these games.
    #[must_use]
    pub fn new(games: Arc<Games>) -> Self {
        Self { games, clock: Clock::starting_at(Moment::ZERO), made: Mutex::default() }
    }

    /// A document; none: there is no such table.
    #[must_use]
    pub fn get(&self, which: Which) -> Option<Arc<Document>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let version = self.games.version();
        if let Some(it) = made.get(&which)
            && (it.version == version || self.clock.now().since(it.at) < REST)
        {
            return Some(Arc::clone(&it.document));
        }
        let games = match which {
            Which::All => self.games.all(),
            Which::Round => self.games.of_round(),
            Which::Table(table) => {
                let mut games = self.games.all();
                games.retain(|game| game.table == table);
                if games.is_empty() {
                    made.remove(&which);
                    return None;
                }
                games
            }
        };
        let document = Arc::new(Document::of(&games));
        let it = Made { document: Arc::clone(&document), version, at: self.clock.now() };
        made.insert(which, it);
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    fn game(table: u32, text: &str) -> Played {
        Played { table, number: 1, text: text.to_owned(), ..Played::default() }
    }

    #[test]
    fn a_document_is_made_once_for_all_who_ask_and_its_tag_is_its_content() {
        let games = Arc::<Games>::default();
        games.put(game(1, "[White \"A\"]\n\n*\n"));
        games.put(game(2, "[White \"B\"]\n\n*\n"));
        let documents = Documents::new(Arc::clone(&games));
        let first = documents.get(Which::All).unwrap();
        assert_eq!(first.plain, "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n*\n");
        let mut text = String::new();
        GzDecoder::new(&first.gzip[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text.as_bytes(), first.plain);
        assert!(Arc::ptr_eq(&first, &documents.get(Which::All).unwrap()));
        let other = documents.get(Which::Table(2)).unwrap();
        assert_ne!(other.tag, first.tag);
        assert!(documents.get(Which::Table(3)).is_none());
        // Within the second nothing is made anew.
        games.put(game(1, "[White \"C\"]\n\n*\n"));
        assert!(Arc::ptr_eq(&first, &documents.get(Which::All).unwrap()));
    }
}
