//! How far the writer has come: whoever tells what a record led to waits for it here.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many jobs the writer has handed to the kernel.
#[derive(Default)]
pub(super) struct Progress {
    done: Mutex<u64>,
    changed: Condvar,
}

impl Progress {
    /// So many more are done.
    pub(super) fn add(&self, jobs: u64) {
        let mut done = self.lock();
        *done = done.saturating_add(jobs);
        self.changed.notify_all();
    }

    /// Nothing more is written: nobody need wait any longer.
    pub(super) fn give_up(&self) {
        self.add(u64::MAX);
    }

    pub(super) fn is_given_up(&self) -> bool {
        *self.lock() == u64::MAX
    }

    /// Whether so many are done, at the latest after this long.
    pub(super) fn reaches(&self, jobs: u64, patience: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), patience, |done| *done < jobs);
        *waited.unwrap_or_else(PoisonError::into_inner).0 >= jobs
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
