//! What all guests together may hold of memory. It knows no guest by name, but where he comes from.
//!
//! The last of it is for addresses that hold less than an equal part. When they use it, an address
//! that holds more gives way: whoever fills the memory shuts out nobody who needs little.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::{GUESTS_BYTES, MODEST_BYTES};
use crate::share::Origin;

/// What all may hold whatever their address holds.
const FREE_BYTES: usize = GUESTS_BYTES - MODEST_BYTES;

/// The memory of all guests together.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    used: AtomicUsize,
    /// Of this, what the guests of each address hold.
    origins: Mutex<BTreeMap<Origin, usize>>,
}

/// One guest's part of the budget; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Hold {
    budget: Arc<Budget>,
    from: Origin,
    bytes: usize,
}

impl Budget {
    /// Begins with a part of so many bytes, if they are left.
    pub(crate) fn hold(self: &Arc<Self>, from: Origin, bytes: usize) -> Option<Hold> {
        let mut hold = Hold { budget: Arc::clone(self), from, bytes: 0 };
        hold.resize(bytes).map(|()| hold)
    }

    /// Bytes that guests hold.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether little is left: whoever makes no progress is cut sooner.
    pub(crate) fn is_pressed(&self) -> bool {
        self.used() > FREE_BYTES / 4 * 3
    }

    /// Whether the room of the modest is being used.
    fn is_short(&self) -> bool {
        self.used() > FREE_BYTES
    }

    fn origins(&self) -> MutexGuard<'_, BTreeMap<Origin, usize>> {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hold {
    /// Holds so many bytes instead; nothing: they are not left, and nothing has changed.
    pub(crate) fn resize(&mut self, bytes: usize) -> Option<()> {
        if bytes == self.bytes {
            return Some(());
        }
        let mut origins = self.budget.origins();
        let others = origins.get(&self.from).map_or(0, |held| held - self.bytes);
        let used = self.budget.used() - self.bytes + bytes;
        let all = origins.len() + usize::from(!origins.contains_key(&self.from));
        let room = if others + bytes <= FREE_BYTES / all { GUESTS_BYTES } else { FREE_BYTES };
        if bytes > self.bytes && used > room {
            return None;
        }
        match others + bytes {
            0 => drop(origins.remove(&self.from)),
            held => drop(origins.insert(self.from, held)),
        }
        self.budget.used.store(used, Ordering::Relaxed);
        self.bytes = bytes;
        Some(())
    }

    /// Gives back what it holds if others need it, and its address holds more than an equal part.
    /// Gives whether it did.
    pub(crate) fn gives_way(&mut self) -> bool {
        if !self.budget.is_short() || !self.is_greedy() {
            return false;
        }
        self.resize(0).is_some()
    }

    fn is_greedy(&self) -> bool {
        let origins = self.budget.origins();
        let part = FREE_BYTES / origins.len().max(1);
        self.bytes > 0 && origins.get(&self.from).is_some_and(|held| *held > part)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // There is always room for less.
        let _ = self.resize(0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::limits::CONNECTION_BYTES;

    fn from(number: u8) -> Origin {
        (IpAddr::from([10, 0, 0, number]), 0)
    }

    /// As many guests as the budget has room for, from so many addresses by turns.
    fn fill(budget: &Arc<Budget>, addresses: u8) -> Vec<Hold> {
        let mut guests = Vec::new();
        let turns = (0..addresses).cycle();
        guests.extend(turns.map_while(|it| budget.hold(from(it), CONNECTION_BYTES)));
        guests
    }

    #[test]
    fn no_number_of_guests_holds_more_than_the_budget() {
        for addresses in [1, 40, 200] {
            let budget = Arc::new(Budget::default());
            let mut guests = fill(&budget, addresses);
            assert!(budget.used() <= GUESTS_BYTES && budget.is_pressed());
            let mut last = guests.pop().unwrap();
            assert_eq!(last.resize(GUESTS_BYTES), None);
            assert_eq!(budget.used(), (guests.len() + 1) * CONNECTION_BYTES);
            guests.clear();
            assert!(last.resize(10 * CONNECTION_BYTES).and(last.resize(1)).is_some());
            assert_eq!(budget.used(), 1);
            drop(last);
            assert_eq!((budget.used(), budget.origins().len()), (0, 0));
        }
    }

    #[test]
    fn whoever_needs_little_has_room_however_many_fill_it() {
        for addresses in [1, 40, 200] {
            let budget = Arc::new(Budget::default());
            let mut greedy = fill(&budget, addresses);
            let mut modest = Vec::new();
            for number in 201..=255 {
                for _ in 0..4 {
                    let guest = budget.hold(from(number), CONNECTION_BYTES);
                    modest.push(guest.unwrap_or_else(|| panic!("{number} is shut out")));
                    assert!(budget.used() <= GUESTS_BYTES);
                    greedy.retain_mut(|it| !it.gives_way());
                }
            }
            assert!(modest.iter_mut().all(|it| !it.gives_way()), "they stay");
            assert!(!budget.is_short() && greedy.len() > 2000, "nor do more leave than have to");
            let more = budget.hold(from(0), 100 * CONNECTION_BYTES);
            assert!(more.is_none(), "nor is that of use to who holds much");
        }
    }
}
