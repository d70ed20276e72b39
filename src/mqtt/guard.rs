//! Who sent wrong passwords lately, and how long he must wait. It reads no clock.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use adoubed_broker::household;
use eboard::Moment;

/// How many wrong passwords cost nothing, because people mistype.
const FREE: u32 = 5;
/// The longest wait.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Wrong passwords are forgotten if no other one comes for this long.
const FORGOTTEN: Duration = Duration::from_secs(15 * 60);
/// The most entries. A sender with more addresses than this must wait at each of them.
const REMEMBERED: usize = 1000;

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: Moment,
}

/// Wrong passwords, by the network of a household. With IPv6 every household has countless
/// addresses.
#[derive(Default)]
pub struct Guard {
    failures: BTreeMap<IpAddr, Failures>,
}

impl Guard {
    /// How long this address must wait; none: it may try.
    #[must_use]
    pub fn wait(&self, now: Moment, who: IpAddr) -> Option<Duration> {
        let Failures { count, last } = *self.failures.get(&household(who))?;
        let over = count.checked_sub(FREE)?;
        let wait = WAIT_MAX.min(Duration::from_secs(1 << over.min(10)));
        wait.checked_sub(now.since(last)).filter(|left| !left.is_zero())
    }

    /// Counts a wrong password.
    pub fn failed(&mut self, now: Moment, who: IpAddr) {
        let who = household(who);
        self.failures.retain(|_, it| now.since(it.last) < FORGOTTEN);
        if self.failures.len() >= REMEMBERED
            && !self.failures.contains_key(&who)
            && let Some(oldest) = self.oldest()
        {
            self.failures.remove(&oldest);
        }
        let failures = self.failures.entry(who).or_insert(Failures { count: 0, last: now });
        failures.count += 1;
        failures.last = now;
    }

    /// Forgets wrong passwords after the right one.
    pub fn succeeded(&mut self, who: IpAddr) {
        self.failures.remove(&household(who));
    }

    fn oldest(&self) -> Option<IpAddr> {
        let oldest = self.failures.iter().min_by_key(|(_, failures)| failures.last);
        oldest.map(|(who, _)| *who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn at(seconds: u64) -> Moment {
        Moment::ZERO + Duration::from_secs(seconds)
    }

    #[test]
    fn a_few_mistakes_are_free_and_then_each_costs_more() {
        let mut guard = Guard::default();
        for _ in 0..4 {
            guard.failed(at(0), from(1));
        }
        assert_eq!(guard.wait(at(0), from(1)), None);
        let mut waits = Vec::new();
        for _ in 0..9 {
            guard.failed(at(0), from(1));
            waits.push(guard.wait(at(0), from(1)).unwrap().as_secs());
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(guard.wait(at(59), from(1)), Some(Duration::from_secs(1)));
        assert_eq!(guard.wait(at(60), from(1)), None);
        assert_eq!(guard.wait(at(0), from(2)), None);
    }

    #[test]
    fn the_right_password_and_time_make_it_forgotten() {
        let mut guard = Guard::default();
        for _ in 0..9 {
            guard.failed(at(0), from(1));
            guard.failed(at(0), from(2));
        }
        guard.succeeded(from(1));
        assert_eq!(guard.wait(at(0), from(1)), None);
        guard.failed(at(2000), from(2));
        assert_eq!(guard.wait(at(2000), from(2)), None, "that was long ago");
    }

    #[test]
    fn it_remembers_a_limited_number() {
        let mut guard = Guard::default();
        for peer in 0..2 * REMEMBERED as u64 {
            let [_, .., a, b] = peer.to_be_bytes();
            guard.failed(at(peer / 10), IpAddr::from([10, 0, a, b]));
        }
        assert_eq!(guard.failures.len(), REMEMBERED);
    }

    #[test]
    fn a_household_of_version_6_has_one_account() {
        let mut guard = Guard::default();
        let from = |net: u16, host: u16| IpAddr::from([0x2001, 0xdb8, 0, net, 0, 0, 0, host]);
        for host in 0..6 {
            guard.failed(at(0), from(1, host));
        }
        assert!(guard.wait(at(0), from(1, 99)).is_some());
        assert_eq!(guard.wait(at(0), from(2, 99)), None);
    }
}
