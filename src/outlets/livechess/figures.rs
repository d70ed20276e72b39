//! What clients do, for `/metrics`.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counted by whoever it concerns.
#[derive(Default)]
pub struct Figures {
    clients: AtomicU64,
    messages: AtomicU64,
    refused: AtomicU64,
    laggards: AtomicU64,
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Clients on WebSocket now.
    pub clients: u64,
    /// Messages told to them so far.
    pub messages: u64,
    /// Calls of theirs that were answered with an error.
    pub refused: u64,
    /// Clients cut because they took nothing.
    pub laggards: u64,
}

impl Figures {
    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            clients: read(&self.clients),
            messages: read(&self.messages),
            refused: read(&self.refused),
            laggards: read(&self.laggards),
        }
    }

    /// One client more.
    pub(super) fn comes(&self) {
        self.clients.fetch_add(1, Ordering::Relaxed);
    }

    /// One client less.
    pub(super) fn goes(&self) {
        self.clients.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn told(&self) {
        self.messages.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn refuses(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn lags(&self) {
        self.laggards.fetch_add(1, Ordering::Relaxed);
    }
}
