//! Who may sit where: so many connections in all and from each address, and who gives way when all
//! seats are taken. It knows no protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::share::Origin;

/// A number of seats.
///
/// When all are taken, whoever comes from another address than the one that has most of them is
/// given the oldest of that address's seats: nobody from one address keeps another out.
#[derive(Clone, Debug)]
pub struct Seats {
    room: Arc<Mutex<Room>>,
}

#[derive(Debug)]
struct Room {
    all: usize,
    per_address: usize,
    last: u64,
    taken: BTreeMap<u64, (IpAddr, watch::Sender<bool>)>,
    addresses: BTreeMap<IpAddr, BTreeSet<u64>>,
    refused: u64,
}

/// One seat, free again when it is dropped.
#[derive(Debug)]
pub struct Seat {
    room: Arc<Mutex<Room>>,
    number: u64,
    given_away: watch::Receiver<bool>,
}

impl Seats {
    /// So many seats, and so many of them for one address at most. This machine may take them all:
    /// from there come proxies that speak for many.
    #[must_use]
    pub fn new(all: usize, per_address: usize) -> Self {
        let room = Room {
            all,
            per_address,
            last: 0,
            taken: BTreeMap::new(),
            addresses: BTreeMap::new(),
            refused: 0,
        };
        Self { room: Arc::new(Mutex::new(room)) }
    }

    /// Takes a seat, if there is one for somebody from there.
    #[must_use]
    pub fn take(&self, from: IpAddr) -> Option<Seat> {
        let mut room = lock(&self.room);
        let address = household(from);
        let own = room.addresses.get(&address).map_or(0, BTreeSet::len);
        if (own >= room.per_address && !is_here(address)) || !room.make_room(address, own) {
            room.refused += 1;
            return None;
        }
        room.last += 1;
        let number = room.last;
        let (give_away, given_away) = watch::channel(false);
        room.taken.insert(number, (address, give_away));
        room.addresses.entry(address).or_default().insert(number);
        Some(Seat { room: Arc::clone(&self.room), number, given_away })
    }

    /// Seats that are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        lock(&self.room).taken.len()
    }

    /// How often there was no seat.
    #[must_use]
    pub fn refused(&self) -> u64 {
        lock(&self.room).refused
    }
}

impl Room {
    /// Whether there is a seat now for one more from an address that has `own` already.
    fn make_room(&mut self, address: IpAddr, own: usize) -> bool {
        if self.taken.len() < self.all {
            return true;
        }
        let most = self.addresses.iter().max_by_key(|(_, seats)| seats.len());
        let Some((greedy, seats)) = most else { return false };
        if *greedy == address || seats.len() <= own + 1 {
            return false;
        }
        let Some(oldest) = seats.first().copied() else { return false };
        if let Some(give_away) = self.free(oldest) {
            give_away.send_replace(true);
        }
        true
    }

    fn free(&mut self, number: u64) -> Option<watch::Sender<bool>> {
        let (address, give_away) = self.taken.remove(&number)?;
        if let Some(seats) = self.addresses.get_mut(&address) {
            seats.remove(&number);
            if seats.is_empty() {
                self.addresses.remove(&address);
            }
        }
        Some(give_away)
    }
}

impl Seat {
    /// Waits until the seat is given to somebody else; for ever if it is not.
    pub async fn given_away(&self) {
        let mut given_away = self.given_away.clone();
        if given_away.wait_for(|gone| *gone).await.is_err() {
            std::future::pending().await
        }
    }

    /// With whom he shares his time who sits there: with all who come from his address. On this
    /// machine each guest counts as one who came alone, because proxies speak for many.
    pub(crate) fn origin(&self) -> Option<Origin> {
        let address = lock(&self.room).taken.get(&self.number)?.0;
        Some((address, if is_here(address) { self.number } else { 0 }))
    }

    /// Gives it back before its time.
    pub fn release(&self) {
        drop(lock(&self.room).free(self.number));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.release();
    }
}

fn is_here(address: IpAddr) -> bool {
    [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)].contains(&address)
}

/// Whoever shares an address: a household has one of version 4, and 2⁶⁴ of version 6.
#[must_use]
pub fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

fn lock(room: &Mutex<Room>) -> MutexGuard<'_, Room> {
    room.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn an_address_has_its_share_and_no_more() {
        let seats = Seats::new(10, 3);
        let taken: Vec<_> = (0..5).map(|_| seats.take(from(1))).collect();
        assert_eq!(taken.iter().flatten().count(), 3);
        assert!(seats.take(from(2)).is_some());
        assert_eq!((seats.taken(), seats.refused()), (3, 2), "the last one left at once");
        drop(taken);
        assert_eq!(seats.taken(), 0);
        assert!(seats.take(from(1)).is_some());
    }

    #[test]
    fn this_machine_may_take_all_there_are() {
        let seats = Seats::new(10, 3);
        let here = IpAddr::from([127, 0, 0, 1]);
        let taken: Vec<_> = (0..12).map(|_| seats.take(here)).collect();
        assert_eq!(taken.iter().flatten().count(), 10);
    }

    #[tokio::test]
    async fn when_all_are_taken_the_greediest_gives_way() {
        let seats = Seats::new(4, 4);
        let first: Vec<_> = (0..3).map(|_| seats.take(from(1)).unwrap()).collect();
        let _second = seats.take(from(2)).unwrap();
        let third = seats.take(from(3));
        assert!(third.is_some(), "it takes one of the three");
        first[0].given_away().await;
        assert!(seats.take(from(1)).is_none(), "it may not push anybody out");
        assert!(seats.take(from(4)).is_some_and(|seat| {
            drop(seat);
            true
        }));
        assert_eq!(seats.taken(), 3);
    }

    #[test]
    fn among_equals_nobody_gives_way() {
        let seats = Seats::new(2, 2);
        let _taken = (seats.take(from(1)), seats.take(from(2)));
        assert!(seats.take(from(3)).is_none());
        assert!(seats.take(from(1)).is_none());
    }

    #[test]
    fn a_household_is_one_address() {
        let seats = Seats::new(10, 1);
        let one: IpAddr = "2001:db8:1:2::1".parse().unwrap();
        let same: IpAddr = "2001:db8:1:2:3::9".parse().unwrap();
        let other: IpAddr = "2001:db8:1:3::1".parse().unwrap();
        let _one = seats.take(one).unwrap();
        assert!(seats.take(same).is_none() && seats.take(other).is_some());
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        let _four = seats.take(mapped).unwrap();
        assert!(seats.take(from(1)).is_none());
    }
}
