//! How often a server of other people is tried again, and how often we complain about it.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use eboard::Moment;

/// After this time without a fault, every kind of fault is news again.
const FORGIVEN: Duration = Duration::from_secs(600);
/// Kinds of faults that are remembered. Further ones are not logged, so that a server which words
/// each answer anew fills neither memory nor log.
const KINDS_MAX: usize = 64;

/// Waits longer after each failure.
#[derive(Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Notes a success: the next failure waits the shortest time again.
    pub fn succeeds(&mut self) {
        self.failures = 0;
    }

    /// Notes a failure and returns the wait. It doubles each time up to the longest, with a random
    /// part, so that daemons that failed together do not return together.
    pub fn fails(&mut self, first: Duration, longest: Duration) -> Duration {
        let doubled = first.saturating_mul(1 << self.failures.min(16));
        self.failures = self.failures.saturating_add(1);
        about(doubled.min(longest))
    }
}

/// A random time between 0.8 and 1.2 times the given one.
#[must_use]
pub fn about(time: Duration) -> Duration {
    #[expect(clippy::cast_precision_loss, reason = "chance needs no more digits")]
    let chance = (RandomState::new().hash_one(0) >> 11) as f64 / (1_u64 << 53) as f64;
    time.mul_f64(0.8 + 0.4 * chance)
}

/// The kinds of faults that the log has named already.
#[derive(Debug, Default)]
pub struct Complaints {
    made: BTreeSet<String>,
    last: Moment,
}

impl Complaints {
    /// Whether a fault of this kind is worth a line in the log.
    pub fn is_news(&mut self, now: Moment, kind: &str) -> bool {
        if now.since(self.last) > FORGIVEN {
            self.made.clear();
        }
        self.last = now;
        self.made.len() < KINDS_MAX && self.made.insert(kind.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_longest_and_begin_anew() {
        let mut backoff = Backoff::default();
        let seconds = Duration::from_secs;
        for expected in [2, 4, 8, 16, 30, 30, 30] {
            let wait = backoff.fails(seconds(2), seconds(30));
            let (least, most) = (seconds(expected).mul_f64(0.8), seconds(expected).mul_f64(1.2));
            assert!((least..=most).contains(&wait), "{wait:?} for {expected} s");
        }
        backoff.succeeds();
        assert!(backoff.fails(seconds(2), seconds(30)) < seconds(3));
    }

    #[test]
    fn two_who_wait_wait_differently() {
        let waits: BTreeSet<_> = (0..10).map(|_| about(Duration::from_secs(60))).collect();
        assert!(waits.len() > 5, "{waits:?}");
    }

    #[test]
    fn each_kind_is_complained_of_once_until_all_was_well_for_long() {
        let mut complaints = Complaints::default();
        let at = |seconds| Moment::ZERO + Duration::from_secs(seconds);
        assert!(complaints.is_news(at(1), "500") && complaints.is_news(at(2), "401"));
        assert!(!complaints.is_news(at(400), "500"));
        assert!(!complaints.is_news(at(900), "500"), "it is still at fault");
        assert!(complaints.is_news(at(1600), "500"));
        let many = (0..200).filter(|it| complaints.is_news(at(1601), &it.to_string()));
        assert_eq!(many.count(), KINDS_MAX - 1);
    }
}
