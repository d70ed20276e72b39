//! Turns at something slow: so many at once, and one for each address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedMutexGuard, Semaphore, SemaphorePermit};

/// Whose turn it is. An address has one turn at a time, so a hundred that wait there keep another
/// address waiting for one.
#[derive(Debug)]
pub struct Turns {
    at_once: Semaphore,
    addresses: Mutex<BTreeMap<IpAddr, Arc<tokio::sync::Mutex<()>>>>,
}

/// A turn, over when it is dropped.
#[derive(Debug)]
pub struct Turn<'a> {
    turns: &'a Turns,
    address: IpAddr,
    own: Option<OwnedMutexGuard<()>>,
    _shared: Option<SemaphorePermit<'a>>,
}

impl Turns {
    /// So many at once.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self { at_once: Semaphore::new(at_once), addresses: Mutex::default() }
    }

    /// Waits for a turn.
    pub async fn take(&self, address: IpAddr) -> Turn<'_> {
        let address = crate::seats::household(address);
        let own = Arc::clone(self.addresses().entry(address).or_default());
        let own = Some(own.lock_owned().await);
        // The semaphore is never closed.
        let shared = self.at_once.acquire().await.ok();
        Turn { turns: self, address, own, _shared: shared }
    }

    fn addresses(&self) -> MutexGuard<'_, BTreeMap<IpAddr, Arc<tokio::sync::Mutex<()>>>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut addresses = self.turns.addresses();
        self.own = None;
        // Nobody waits: only the map knows of it.
        if addresses.get(&self.address).is_some_and(|own| Arc::strong_count(own) == 1) {
            addresses.remove(&self.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn from(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[tokio::test]
    async fn an_address_has_one_turn_at_a_time() {
        let turns = Turns::new(2);
        let first = turns.take(from(1)).await;
        assert!(turns.take(from(1)).now_or_never().is_none(), "it has one");
        let other = turns.take(from(2)).now_or_never();
        assert!(other.is_some(), "another address does not wait for it");
        assert!(turns.take(from(3)).now_or_never().is_none(), "two at once");
        drop(first);
        assert!(turns.take(from(3)).now_or_never().is_some());
        drop(other);
        assert_eq!(turns.addresses().len(), 0, "nobody is remembered");
    }
}
