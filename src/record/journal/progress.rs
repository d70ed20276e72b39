//! How far the writer has come: whoever tells what a record led to waits for it here.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many jobs the writer has handed to the kernel, and whether it can.
#[derive(Default)]
pub(super) struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Jobs that are done, or were passed over by a writer that cannot write.
    done: u64,
    /// Nothing is written: nobody need wait.
    failed: bool,
    /// The record goes on in a segment that does not know what came before.
    anew: bool,
}

impl Progress {
    /// So many more are done.
    pub(super) fn add(&self, jobs: u64) {
        self.change(|state| state.done = state.done.saturating_add(jobs));
    }

    /// Nothing more is written: nobody need wait any longer.
    pub(super) fn fail(&self) {
        self.change(|state| state.failed = true);
    }

    /// It is written again, in a new segment.
    pub(super) fn begin_anew(&self) {
        self.change(|state| (state.failed, state.anew) = (false, true));
    }

    pub(super) fn has_failed(&self) -> bool {
        self.lock().failed
    }

    /// Whether a new segment was begun since this was last asked.
    pub(super) fn take_anew(&self) -> bool {
        std::mem::take(&mut self.lock().anew)
    }

    /// Whether so many are done, or none will be, at the latest after this long.
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
