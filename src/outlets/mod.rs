//! Ways out of the hall besides the feed: games as PGN over HTTP and in a folder, LiveChess,
//! Lichess, summons. They read [`Games`], which the run loop fills with what guests may know. None
//! of them delays a table.

pub mod documents;
pub mod folder;
pub mod games;
pub mod lichess;
pub mod livechess;
pub mod notify;
mod patience;
pub mod reports;
pub mod trial;

use std::sync::Arc;

use tokio::sync::watch;

use crate::config::{Config, Feed};
pub use games::{Games, Played};
pub use reports::{Report, Reports};

/// The configuration as read last.
pub type Settings = watch::Receiver<Arc<Config>>;

/// What all outlets share.
#[derive(Clone, Default)]
pub struct Outlets {
    /// The games of the hall.
    pub games: Arc<Games>,
    /// The games of the delayed copy.
    pub public: Arc<Games>,
    /// The state of each outlet.
    pub reports: Arc<Reports>,
    /// The counts of LiveChess.
    pub livechess: Arc<livechess::Figures>,
}

impl Outlets {
    /// The games that an outlet of this feed shows.
    #[must_use]
    pub fn games(&self, feed: Feed) -> &Arc<Games> {
        match feed {
            Feed::Live => &self.games,
            Feed::Public => &self.public,
        }
    }
}
