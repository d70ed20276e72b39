//! How much of the processor HTTP visitors may use. All of them together have a share of one core,
//! and each address may use what the others leave of it. It reads no clock.
//!
//! Time is cut into short periods, and each address has an allowance for each period. After a
//! period that exceeded the share the allowance is halved, down to an equal part for each address.
//! Otherwise it grows by a quarter, up to a whole period.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use adoubed_broker::household;
use eboard::Moment;

/// The length of a period. It is so short that a visitor does not notice waiting for the next one.
const PERIOD: Duration = Duration::from_millis(100);
/// The time that all visitors together use in a period, on average: as much as the broker's guests.
const SHARE: Duration = Duration::from_millis(30);
/// When this much of a period is used, all visitors wait for the next one.
const MOST: Duration = Duration::from_millis(50);
/// The cost of a connection besides its requests: two system calls and a task.
const CONNECTION: Duration = Duration::from_micros(60);
/// The periods whose allowance an address may save, because a browser asks for a page and its
/// assets at once.
const SAVED: u32 = 10;
/// The longest single wait, in periods. The debt is looked at again after it, because there may be
/// time for everybody by then.
const WAIT: u32 = 10;
/// The addresses that are remembered: as many as the doors have seats. Beyond them the address that
/// was away longest is forgotten, and begins anew when it comes back.
const ADDRESSES: usize = 1024;

/// The processor time of all addresses.
#[derive(Debug)]
pub struct Share {
    /// The current period, counted from 0.
    period: u32,
    /// The time used in it.
    used: Duration,
    /// The time that one address may use in each period.
    allowance: Duration,
    addresses: BTreeMap<IpAddr, Account>,
}

/// The time of one address.
#[derive(Clone, Copy, Debug)]
struct Account {
    /// The last period whose allowance it has received.
    period: u32,
    left: Duration,
    /// The time it used beyond what it had.
    owed: Duration,
}

impl Default for Share {
    fn default() -> Self {
        Self { period: 0, used: Duration::ZERO, allowance: PERIOD, addresses: BTreeMap::new() }
    }
}

impl Share {
    /// How long an address has to wait; none: it is its turn.
    pub fn wait(&mut self, now: Moment, from: IpAddr) -> Option<Duration> {
        self.go_on(now);
        let account = self.account(from);
        let periods = if !account.left.is_zero() {
            u32::from(self.used >= MOST)
        } else {
            let owed = account.owed.as_micros() / self.allowance.as_micros().max(1);
            u32::try_from(owed).unwrap_or(WAIT).saturating_add(1).min(WAIT)
        };
        let next = Moment::ZERO + PERIOD * self.period.saturating_add(periods);
        (periods > 0).then(|| next.since(now))
    }

    /// Charges an address with time that was used for it.
    pub fn spent(&mut self, now: Moment, from: IpAddr, time: Duration) {
        self.go_on(now);
        self.used += time;
        let mut account = self.account(from);
        account.owed += time.saturating_sub(account.left);
        account.left = account.left.saturating_sub(time);
        self.addresses.insert(household(from), account);
    }

    /// Notes a connection from an address. Returns whether to serve it: not while the address owes
    /// too much. Turning a connection away is not charged, because no share can hold back its cost
    /// and others would have less for it.
    pub fn connects(&mut self, now: Moment, from: IpAddr) -> bool {
        self.go_on(now);
        let served = self.account(from).owed <= self.allowance * WAIT;
        if served {
            self.spent(now, from, CONNECTION);
        }
        served
    }

    fn account(&mut self, from: IpAddr) -> Account {
        let address = household(from);
        let (period, allowance) = (self.period, self.allowance);
        let begun = Account { period, left: allowance, owed: Duration::ZERO };
        if !self.addresses.contains_key(&address) && self.addresses.len() >= ADDRESSES {
            let accounts = self.addresses.iter();
            let oldest = accounts.min_by_key(|(_, it)| it.period).map(|(address, _)| *address);
            oldest.and_then(|it| self.addresses.remove(&it));
        }
        let account = self.addresses.entry(address).or_insert(begun);
        let gained = allowance * (period - account.period).min(SAVED);
        let paid = gained.min(account.owed);
        account.period = period;
        account.owed -= paid;
        // What was saved is cut to the present allowance: savings from a quiet time would last
        // too long in a busy one.
        account.left = (account.left + gained - paid).min(allowance * SAVED);
        *account
    }

    /// The number of addresses that came lately.
    fn present(&self) -> u32 {
        let lately = self.period.saturating_sub(SAVED);
        let present = self.addresses.values().filter(|it| it.period >= lately).count();
        u32::try_from(present).unwrap_or(u32::MAX)
    }

    /// Ends the periods that are over.
    fn go_on(&mut self, now: Moment) {
        let period = now.as_micros() / u64::try_from(PERIOD.as_micros()).unwrap_or(u64::MAX);
        let period = u32::try_from(period).unwrap_or(u32::MAX);
        while self.period < period {
            self.allowance = if self.used > SHARE {
                // Equal parts for all fit into the share, so no allowance goes below that.
                (self.allowance / 2).max(SHARE / self.present().max(1))
            } else {
                (self.allowance + self.allowance / 4).min(PERIOD)
            };
            self.used = Duration::ZERO;
            self.period += 1;
            if self.allowance == PERIOD {
                self.period = period;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(number: u16) -> IpAddr {
        let [a, b] = number.to_be_bytes();
        IpAddr::from([10, 0, a, b])
    }

    fn at(millis: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(millis)
    }

    /// Lets several addresses send requests without end, each with the same work. Returns the time
    /// that all used within each period.
    fn hammer(share: &mut Share, addresses: u16, each: Duration, periods: u32) -> Vec<Duration> {
        let cores = 2;
        let mut used = Vec::new();
        for period in 0..periods {
            let begun = Moment::ZERO + PERIOD * period;
            let (mut sum, mut idle) = (Duration::ZERO, 0);
            let mut next = 0;
            while idle < addresses && sum < PERIOD * cores {
                let now = begun + sum / cores;
                match share.wait(now, from(next)) {
                    None => {
                        share.spent(now, from(next), each);
                        (sum, idle) = (sum + each, 0);
                    }
                    Some(wait) => {
                        assert!(now + wait >= begun + PERIOD && wait <= PERIOD * WAIT);
                        idle += 1;
                    }
                }
                next = (next + 1) % addresses;
            }
            used.push(sum);
        }
        used
    }

    #[test]
    fn no_number_of_addresses_takes_more_than_the_share() {
        for (addresses, micros) in [(1, 30), (1, 9000), (8, 500), (500, 30), (500, 2000)] {
            let mut share = Share::default();
            let each = Duration::from_micros(micros);
            let used = hammer(&mut share, addresses, each, 300);
            assert!(used.iter().all(|it| *it <= MOST + each), "{addresses}, {each:?}: {used:?}");
            let later = &used[100..];
            let average = later.iter().sum::<Duration>() / 200;
            assert!(average <= SHARE * 4 / 3, "{addresses}, {each:?}: {average:?}");
            assert!(average >= SHARE / 5, "{addresses}, {each:?}: {average:?}");
        }
    }

    #[test]
    fn whoever_asks_for_little_waits_for_nobody_who_asks_for_much() {
        let mut share = Share::default();
        hammer(&mut share, 64, Duration::from_micros(200), 100);
        let (mut waited, mut now) = (0, at(10_000));
        for _ in 0..100 {
            waited += u32::from(share.wait(now, from(1000)).is_some());
            share.spent(now, from(1000), Duration::from_micros(100));
            for number in 0..64 {
                if share.wait(now, from(number)).is_none() {
                    share.spent(now, from(number), Duration::from_micros(500));
                }
            }
            now = now + PERIOD;
        }
        assert!(waited < 10, "{waited} of 100 requests had to wait");
    }

    #[test]
    fn whoever_does_not_ask_for_more_than_his_part_of_the_share_waits_a_period_at_most() {
        let mut share = Share::default();
        let part = SHARE / 9;
        for period in 0..300 {
            let mut now = Moment::ZERO + PERIOD * period;
            // Eight visitors use half a period with each request, and one uses only his part.
            for number in 0..8 {
                if share.wait(now, from(number)).is_none() {
                    share.spent(now, from(number), MOST);
                    now = now + MOST / 2;
                }
            }
            share.spent(Moment::ZERO + PERIOD * period, from(9), part * 3 / 4);
            let wait = share.wait(Moment::ZERO + PERIOD * period, from(9));
            assert!(period < 20 || wait.is_none_or(|it| it <= PERIOD), "{period}: {wait:?}");
        }
    }

    #[test]
    fn what_was_used_without_being_there_is_paid_for() {
        let mut share = Share::default();
        hammer(&mut share, 100, Duration::from_micros(500), 100);
        let now = at(10_000);
        assert_eq!(share.wait(now, from(500)), None);
        share.spent(now, from(500), Duration::from_millis(20));
        let wait = share.wait(now, from(500)).unwrap();
        assert!(wait >= PERIOD * 5, "20 ms are many allowances: {wait:?}");
        // The others have gone, so there is time for an address that owes as well.
        assert_eq!(share.wait(now + Duration::from_secs(5), from(500)), None);
    }

    #[test]
    fn nobody_gains_by_coming_again_or_by_many_connections() {
        let mut share = Share::default();
        let mut served = 0;
        for number in 0..100_000 {
            served += u32::from(share.connects(at(number / 1000), from(1)));
        }
        let most = PERIOD.as_micros() / CONNECTION.as_micros() * u128::from(WAIT + 2);
        assert!(u128::from(served) <= most, "{served}");
        assert!(share.connects(at(100), from(2)), "another address is served");
    }

    #[test]
    fn whoever_is_turned_away_takes_nothing_from_others() {
        let mut share = Share::default();
        let mut served = 0;
        for millis in 0..20_000 {
            let now = at(millis);
            // A thousand connections a second, each with a request.
            if share.connects(now, from(1)) && share.wait(now, from(1)).is_none() {
                share.spent(now, from(1), Duration::from_millis(20));
            }
            if millis >= 10_000 && millis % 250 == 0 {
                served += u32::from(share.connects(now, from(2)));
                share.spent(now, from(2), Duration::from_millis(1));
                let wait = share.wait(now, from(2)).unwrap_or_default();
                assert!(wait <= PERIOD, "{wait:?}");
            }
        }
        assert_eq!(served, 40);
    }

    #[test]
    fn a_limited_number_of_addresses_is_remembered() {
        let mut share = Share::default();
        for number in 0..3000 {
            share.spent(at(u64::from(number)), from(number), Duration::from_micros(1));
        }
        assert_eq!(share.addresses.len(), ADDRESSES);
        let one: IpAddr = "2001:db8:1:2::1".parse().unwrap();
        let same: IpAddr = "2001:db8:1:2:3::9".parse().unwrap();
        share.spent(at(3000), one, Duration::from_secs(1));
        assert!(share.wait(at(3000), same).is_some(), "a household of version 6 is one");
    }
}
