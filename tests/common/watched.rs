//! Something that others change while a test waits for what it wants to see of it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Watched<T> {
    inner: Mutex<T>,
    changed: Condvar,
}

impl<T> Watched<T> {
    pub fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let outcome = change(&mut self.lock());
        self.changed.notify_all();
        outcome
    }

    pub fn look<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.lock())
    }

    /// The first thing `find` finds, now or after a change, within this time.
    pub fn wait<R>(&self, within: Duration, mut find: impl FnMut(&T) -> Option<R>) -> Option<R> {
        let deadline = Instant::now() + within;
        let mut inner = self.lock();
        loop {
            if let Some(found) = find(&inner) {
                return Some(found);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            let waited = self.changed.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
