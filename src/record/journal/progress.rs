//! How far the writer has come. Publishing waits here until the records behind a message are
//! written.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of jobs that the writer has handed to the kernel, and whether it can.
#[derive(Default)]
pub(super) struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Jobs that are done. A writer that cannot write passes over them, and they count too.
    done: u64,
    /// Whether the writer cannot write. Then nothing waits for it.
    failed: bool,
    /// Whether the journal goes on in a segment that lacks what came before.
    anew: bool,
}

impl Progress {
    /// Counts further jobs.
    pub(super) fn add(&self, jobs: u64) {
        self.change(|state| state.done = state.done.saturating_add(jobs));
    }

    /// Notes that nothing can be written, and ends all waiting.
    pub(super) fn fail(&self) {
        self.change(|state| state.failed = true);
    }

    /// Notes that a new segment is being written.
    pub(super) fn begin_anew(&self) {
        self.change(|state| (state.failed, state.anew) = (false, true));
    }

    pub(super) fn has_failed(&self) -> bool {
        self.lock().failed
    }

    /// Whether a new segment was begun since the last call.
    pub(super) fn take_anew(&self) -> bool {
        std::mem::take(&mut self.lock().anew)
    }

    /// Waits until this many jobs are done or the writer fails, at most this long. Returns whether
    /// it did.
    pub(super) fn reaches(&self, jobs: u64, patience: Duration) -> bool {
        let waits = |state: &mut State| state.done < jobs && !state.failed;
        let waited = self.changed.wait_timeout_while(self.lock(), patience, waits);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.done >= jobs || state.failed
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
