//! Ways out of the hall besides the feed: games as PGN, for whoever asks and in a folder. They read
//! [`Games`], which the run loop fills with what everybody may know; none of them delays a table.

pub mod documents;
pub mod folder;
pub mod games;
pub mod lichess;
pub mod livechess;
pub mod notify;
mod patience;
pub mod reports;

use std::sync::Arc;

use tokio::sync::watch;

use crate::config::{Config, Feed};
pub use games::{Games, Played};
pub use reports::{Report, Reports};

/// The configuration as it was read last.
pub type Settings = watch::Receiver<Arc<Config>>;

/// What all outlets have in common.
#[derive(Clone, Default)]
pub struct Outlets {
    /// The games as they are now.
    pub games: Arc<Games>,
    /// The games of the delayed copy.
    pub public: Arc<Games>,
    /// How they are.
    pub reports: Arc<Reports>,
    /// What clients of LiveChess do.
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
