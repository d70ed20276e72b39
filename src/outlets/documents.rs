//! Games as files over HTTP. A document is made and compressed at most once a second, for all
//! clients together.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use eboard::Moment;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use witness::TableNo;

use super::{Games, Played};
use crate::time::Clock;

/// The least time between two versions of a document.
const REST: Duration = Duration::from_secs(1);

/// A choice of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// All known games.
    All,
    /// The games of the current round.
    Round,
    /// The games of one table.
    Table(TableNo),
}

/// One PGN file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The entity tag. Other bytes have another tag.
    pub tag: String,
    /// Not compressed.
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

/// The last version of a document.
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
    /// One document is made at a time. Other requests wait, and find it made.
    turn: tokio::sync::Mutex<()>,
}

impl Documents {
    /// Of these games.
    #[must_use]
    pub fn new(games: Arc<Games>) -> Self {
        let clock = Clock::starting_at(Moment::ZERO);
        Self { games, clock, made: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }

    /// A document; none: there is no such table.
    pub async fn get(&self, which: Which) -> Option<Arc<Document>> {
        if let Ok(known) = self.known(which) {
            return known;
        }
        let _turn = self.turn.lock().await;
        if let Ok(known) = self.known(which) {
            return known;
        }
        let (version, at, games) = (self.games.version(), self.clock.now(), self.games_of(which));
        // All games of a large hall are some megabytes, which take a while to compress.
        let document = tokio::task::spawn_blocking(move || Arc::new(Document::of(&games)));
        let document = document.await.ok()?;
        self.made().insert(which, Made { document: Arc::clone(&document), version, at });
        Some(document)
    }

    /// The document if it is new enough, or none if nothing is known of its table.
    fn known(&self, which: Which) -> Result<Option<Arc<Document>>, Unmade> {
        let mut made = self.made();
        if let Which::Table(table) = which
            && !self.games.has(table)
        {
            made.remove(&which);
            return Ok(None);
        }
        let version = self.games.version();
        let good = made
            .get(&which)
            .filter(|it| it.version == version || self.clock.now().since(it.at) < REST);
        good.map(|it| Some(Arc::clone(&it.document))).ok_or(Unmade)
    }

    fn games_of(&self, which: Which) -> Vec<Arc<Played>> {
        match which {
            Which::All => self.games.all(),
            Which::Round => self.games.of_round(),
            Which::Table(table) => self.games.of_table(table),
        }
    }

    fn made(&self) -> MutexGuard<'_, BTreeMap<Which, Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The document has to be made.
struct Unmade;

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;
    use witness::GameNo;

    use super::*;

    fn game(table: u32, text: &str) -> Played {
        Played {
            table: TableNo::new(table),
            number: GameNo::new(1),
            text: text.to_owned(),
            ..Played::default()
        }
    }

    #[tokio::test]
    async fn a_document_is_made_once_for_all_who_ask_and_its_tag_is_its_content() {
        let games = Arc::<Games>::default();
        games.put(game(1, "[White \"A\"]\n\n*\n"));
        games.put(game(2, "[White \"B\"]\n\n*\n"));
        let documents = Documents::new(Arc::clone(&games));
        let first = documents.get(Which::All).await.unwrap();
        assert_eq!(first.plain, "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n*\n");
        let mut text = String::new();
        GzDecoder::new(&first.gzip[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text.as_bytes(), first.plain);
        assert!(Arc::ptr_eq(&first, &documents.get(Which::All).await.unwrap()));
        let other = documents.get(Which::Table(TableNo::new(2))).await.unwrap();
        assert_ne!(other.tag, first.tag);
        assert!(documents.get(Which::Table(TableNo::new(3))).await.is_none());
        // Within the second the document stays the same.
        games.put(game(1, "[White \"C\"]\n\n*\n"));
        assert!(Arc::ptr_eq(&first, &documents.get(Which::All).await.unwrap()));
    }
}
