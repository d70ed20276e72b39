//! Counts of what clients do, for `/metrics`.

use std::sync::atomic::{AtomicU64, Ordering};

/// The counters. Each is counted where the event happens.
#[derive(Default)]
pub struct Figures {
    clients: AtomicU64,
    messages: AtomicU64,
    refused: AtomicU64,
    laggards: AtomicU64,
}

/// The present counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Clients connected by WebSocket.
    pub clients: u64,
    /// Messages sent to them.
    pub messages: u64,
    /// Calls that were answered with an error.
    pub refused: u64,
    /// Clients that were cut off because they read nothing.
    pub laggards: u64,
}

impl Figures {
    /// The present counts.
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

    /// Counts a client that connects.
    pub(super) fn comes(&self) {
        self.clients.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a client that leaves.
    pub(super) fn goes(&self) {
        self.clients.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn sent(&self) {
        self.messages.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn refuses(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn lags(&self) {
        self.laggards.fetch_add(1, Ordering::Relaxed);
    }
}
