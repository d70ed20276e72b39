//! What all guests together may hold of memory. It knows no guest by name.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits;

/// The memory of all guests together.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    used: AtomicUsize,
}

/// One guest's part of the budget; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Hold {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Budget {
    /// Begins with a part of so many bytes, if they are left.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Option<Hold> {
        let mut hold = Hold { budget: Arc::clone(self), bytes: 0 };
        hold.resize(bytes).map(|()| hold)
    }

    /// Bytes that guests hold.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether little is left: whoever makes no progress is cut sooner.
    pub(crate) fn is_pressed(&self) -> bool {
        self.used() > limits::GUESTS_BYTES / 4 * 3
    }
}

impl Hold {
    /// Holds so many bytes instead; nothing: they are not left, and nothing has changed.
    pub(crate) fn resize(&mut self, bytes: usize) -> Option<()> {
        if bytes <= self.bytes {
            self.budget.used.fetch_sub(self.bytes - bytes, Ordering::Relaxed);
        } else {
            let more = bytes - self.bytes;
            let used = self.budget.used.fetch_add(more, Ordering::Relaxed) + more;
            if used > limits::GUESTS_BYTES {
                self.budget.used.fetch_sub(more, Ordering::Relaxed);
                return None;
            }
        }
        self.bytes = bytes;
        Some(())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_guests_holds_more_than_the_budget() {
        let budget = Arc::new(Budget::default());
        let mut guests = Vec::new();
        while let Some(hold) = budget.hold(limits::CONNECTION_BYTES) {
            guests.push(hold);
        }
        assert!(budget.used() <= limits::GUESTS_BYTES && budget.is_pressed());
        let mut last = guests.pop().unwrap();
        assert_eq!(last.resize(10 * limits::CONNECTION_BYTES), None);
        assert_eq!(budget.used(), (guests.len() + 1) * limits::CONNECTION_BYTES);
        guests.clear();
        assert!(last.resize(10 * limits::CONNECTION_BYTES).and(last.resize(1)).is_some());
        assert_eq!(budget.used(), 1);
        drop(last);
        assert_eq!(budget.used(), 0);
    }
}
