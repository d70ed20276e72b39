//! What all guests together may hold of memory and use of time. It knows no guest by name.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::Instant;

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

/// The time of all guests together. As long as they stay below their share nobody waits. Above it
/// there is an allowance for each and every period, which shrinks to an equal part of the share for
/// each address, and of that for each guest there: all together keep to the share, and whoever
/// needs less than his part does not notice what others ask for. What a guest leaves of it is his
/// for a while: a round begins at all tables at once, and a screen of all of them needs more then
/// than it does on average.
#[derive(Debug)]
pub(crate) struct Throttle {
    /// Microseconds used in this period.
    used: AtomicU64,
    /// Microseconds for each guest in a period.
    allowance: AtomicU64,
    /// For all guests in a period.
    share: Duration,
    /// The least for an address, however many there are.
    least: Duration,
}

/// Among whom a guest shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    /// Addresses from which guests have come.
    pub addresses: u32,
    /// Guests from his address.
    pub own: u32,
}

impl Crowd {
    /// Who shares with nobody.
    pub(crate) const ALONE: Self = Self { addresses: 1, own: 1 };
}

/// What one guest may still use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// When his period began.
    since: Instant,
    left: Duration,
}

impl Throttle {
    /// All guests may use this much of a period, and each address at least so much.
    pub(crate) fn new(share: Duration, least: Duration) -> Self {
        let allowance = AtomicU64::new(micros(limits::THROTTLE_PERIOD));
        Self { used: AtomicU64::new(0), allowance, share, least }
    }

    /// A guest begins, with the allowance of one period: coming again saves up nothing.
    pub(crate) fn begin(&self, crowd: Crowd, now: Instant) -> Usage {
        Usage { since: now, left: self.allowance_in(crowd) }
    }

    /// A guest has used this. Gives when he may go on, if he has used up his allowance.
    pub(crate) fn used(
        &self,
        usage: &mut Usage,
        crowd: Crowd,
        now: Instant,
        time: Duration,
    ) -> Option<Instant> {
        self.used.fetch_add(micros(time), Ordering::Relaxed);
        let allowance = self.allowance_in(crowd);
        let passed = now.saturating_duration_since(usage.since);
        let periods = micros(passed) / micros(limits::THROTTLE_PERIOD);
        let periods = u32::try_from(periods).unwrap_or(u32::MAX);
        usage.since += limits::THROTTLE_PERIOD * periods;
        usage.left += allowance * periods.min(limits::PERIODS_SAVED);
        // Saved while there was time for all, it would last the longer when there is not.
        usage.left = usage.left.min(allowance * limits::PERIODS_SAVED).saturating_sub(time);
        usage.left.is_zero().then_some(usage.since + limits::THROTTLE_PERIOD)
    }

    /// What the guests of such a crowd may use in a period: an equal part is enough for all.
    fn allowance_in(&self, crowd: Crowd) -> Duration {
        let of_address = self.least.max(self.share / crowd.addresses.max(1));
        self.allowance().max(of_address / crowd.own.max(1))
    }

    fn allowance(&self) -> Duration {
        Duration::from_micros(self.allowance.load(Ordering::Relaxed))
    }

    /// A period is over.
    pub(crate) fn next_period(&self) {
        let used = Duration::from_micros(self.used.swap(0, Ordering::Relaxed));
        let allowance = micros(self.allowance());
        let allowance = if used > self.share {
            (allowance / 2).max(1)
        } else {
            (allowance + allowance / 4 + 1).min(micros(limits::THROTTLE_PERIOD))
        };
        self.allowance.store(allowance, Ordering::Relaxed);
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
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

    /// So many addresses that each has the least only.
    const CROWD: Crowd = Crowd { addresses: 80, own: 1 };

    fn throttle() -> Throttle {
        Throttle::new(limits::PUBLISHED_SHARE, limits::PUBLISHED_LEAST)
    }

    #[test]
    fn whoever_asks_for_little_does_not_wait_for_those_who_ask_for_much() {
        let (throttle, begun) = (throttle(), Instant::now());
        let (mut modest, mut greedy) = (throttle.begin(CROWD, begun), throttle.begin(CROWD, begun));
        let (little, much) = (Duration::from_micros(10), limits::PUBLISHED_SHARE / 2);
        assert_eq!(throttle.used(&mut greedy, CROWD, begun, much), None, "nobody else is there");
        for number in 0..20 {
            let now = begun + limits::THROTTLE_PERIOD * number;
            throttle.used(&mut greedy, CROWD, now, 3 * much);
            throttle.next_period();
        }
        let now = begun + limits::THROTTLE_PERIOD * 30;
        let next = now + limits::THROTTLE_PERIOD;
        assert_eq!(throttle.used(&mut greedy, CROWD, now, much), Some(next));
        assert_eq!(throttle.used(&mut modest, CROWD, now, little), None);
        // From next to nothing to a whole period.
        for _ in 0..80 {
            throttle.next_period();
        }
        assert_eq!(
            throttle.used(&mut greedy, CROWD, next, much),
            None,
            "there is time for all again"
        );
    }

    #[test]
    fn a_round_that_begins_is_shown_at_once_by_whoever_asked_for_little_before() {
        let (throttle, begun) = (throttle(), Instant::now());
        let (mut screen, mut greedy) = (throttle.begin(CROWD, begun), throttle.begin(CROWD, begun));
        let least = limits::PUBLISHED_LEAST;
        let mut now = begun;
        for _ in 0..20 {
            now += limits::THROTTLE_PERIOD;
            assert_eq!(throttle.used(&mut screen, CROWD, now, least / 2), None);
            throttle.used(&mut greedy, CROWD, now, limits::PUBLISHED_SHARE * 2);
            throttle.next_period();
        }
        now += limits::THROTTLE_PERIOD;
        let next = Some(now + limits::THROTTLE_PERIOD);
        assert_eq!(throttle.used(&mut greedy, CROWD, now, least), next, "he has left nothing");
        assert_eq!(throttle.used(&mut screen, CROWD, now, least * 4), None);
        assert_eq!(
            throttle.used(&mut throttle.begin(CROWD, now), CROWD, now, least),
            next,
            "nor who comes again"
        );
        let much = least * limits::PERIODS_SAVED;
        assert_eq!(throttle.used(&mut screen, CROWD, now, much), next, "nobody saves for longer");
    }

    /// Lets so many guests from so many addresses use all they are given for 100 periods. Gives
    /// what all used in a period in the end, and what a guest alone at his address was given.
    fn take_all(guests: u32, addresses: u32) -> (Duration, Duration) {
        let (throttle, begun) = (throttle(), Instant::now());
        let own = guests / addresses;
        let crowd = |own| Crowd { addresses: addresses + 1, own };
        let begin = |own| (own, throttle.begin(crowd(own), begun), Duration::ZERO);
        let mut all: Vec<_> = (0..guests).map(|_| begin(own)).chain([begin(1)]).collect();
        let (each, mut sum) = (Duration::from_micros(20), Duration::ZERO);
        for period in 0..100 {
            let now = begun + limits::THROTTLE_PERIOD * period;
            for (own, usage, used) in &mut all {
                let most = Duration::from_millis(if *own == 1 { 50 } else { 2 });
                let mut taken = Duration::ZERO;
                let mut waits = throttle.used(usage, crowd(*own), now, Duration::ZERO);
                while waits.is_none() && taken < most {
                    waits = throttle.used(usage, crowd(*own), now, each);
                    taken += each;
                }
                if period >= 50 {
                    (*used, sum) = (*used + taken, sum + taken);
                }
            }
            throttle.next_period();
        }
        (sum / 50, all.pop().unwrap().2 / 50)
    }

    #[test]
    fn no_number_of_guests_takes_more_than_the_share_and_each_address_has_its_part() {
        for (guests, addresses) in [(2500, 40), (2500, 1), (128, 1), (400, 4), (500, 50)] {
            let (used, alone) = take_all(guests, addresses);
            assert!(used <= limits::PUBLISHED_SHARE * 2, "{guests}, {addresses}: {used:?}");
            let part = limits::PUBLISHED_SHARE / (addresses + 1);
            assert!(alone >= part * 3 / 4, "{guests}, {addresses}: {alone:?} of {part:?}");
        }
    }
}
