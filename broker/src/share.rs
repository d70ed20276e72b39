//! The time of all guests together. They have a share of a core for something, however many they
//! are and from however many addresses they come. It reads no clock of the processor: what a clock
//! shows would grow with the load of the machine, and the guests would pay for it.
//!
//! A guest takes a turn, does a bounded piece of work, and is charged with it. While there is time
//! for all, he has his turn at once. Otherwise guests wait, and the next turn goes to the address
//! that was served least: whoever asks for little comes before all who ask for much. Within an
//! address it goes to the guest who has waited longest.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use crate::limits;
use crate::time;

/// Who shares turns: the guests of an address. On this machine, where a proxy may speak for many,
/// each guest by his number.
pub(crate) type Origin = (IpAddr, u64);

/// A share of a core, and who waits for it.
#[derive(Debug)]
pub(crate) struct Share {
    line: Mutex<Line>,
    somebody: Notify,
}

/// Whether it is a guest's turn.
#[derive(Debug)]
pub(crate) enum Turn {
    /// He has not asked for one. Whatever comes from him may be read, once.
    Idle,
    /// It is, and a usual one is paid for.
    His,
    /// It is when this says so.
    Waits(oneshot::Receiver<()>),
}

impl Turn {
    pub(crate) fn is_his(&self) -> bool {
        matches!(self, Self::His)
    }

    pub(crate) fn waits(&self) -> bool {
        matches!(self, Self::Waits(_))
    }

    /// Waits until it is his turn; for ever if he does not wait for it.
    pub(crate) async fn comes(&mut self) {
        match self {
            Self::Idle | Self::His => std::future::pending().await,
            // Gone without a word: the broker is, too.
            Self::Waits(turn) => drop(turn.await),
        }
        *self = Self::His;
    }

    /// What is paid for it.
    fn paid(&self) -> Duration {
        if self.is_his() { limits::TIME_OF_A_TURN } else { Duration::ZERO }
    }
}

impl Share {
    /// Every so-manieth part of a core: 4 is a quarter.
    pub(crate) fn new(part: u32, now: Instant) -> Self {
        Self { line: Mutex::new(Line::new(part, now)), somebody: Notify::new() }
    }

    /// A guest asks for a turn, unless he has asked already.
    pub(crate) fn ask(&self, from: Origin, turn: &mut Turn) {
        if matches!(turn, Turn::Idle) {
            *turn = self.line().ask(from, time::now());
            if turn.waits() {
                self.somebody.notify_one();
            }
        }
    }

    /// A guest has used so much in his turn.
    pub(crate) fn end(&self, from: Origin, turn: &mut Turn, used: Duration) {
        self.line().used(from, used, turn.paid());
        *turn = Turn::Idle;
    }

    /// Something was done for a guest that could not wait for his turn.
    pub(crate) fn used(&self, from: Origin, used: Duration) {
        self.line().used(from, used, Duration::ZERO);
    }

    /// The same, and nobody else is to have less for it: his next turn comes the later.
    pub(crate) fn stands_back(&self, from: Origin, used: Duration) {
        self.line().charge(from, used);
    }

    /// Gives turns to those who wait, for ever.
    pub(crate) async fn serve(&self) {
        loop {
            let next = self.line().give(time::now());
            match next {
                Some(next) => tokio::time::sleep_until(next).await,
                None => self.somebody.notified().await,
            }
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Line {
    part: u32,
    /// What may be used now, less what was used beyond it.
    left: Duration,
    owed: Duration,
    filled: Instant,
    /// How far the one was served who had the last turn that others waited for.
    level: Duration,
    origins: BTreeMap<Origin, Account>,
    /// Of these, whose guests wait, the least served first.
    waiting: BTreeSet<(Duration, Origin)>,
}

/// What the guests of an address were given.
#[derive(Debug)]
struct Account {
    served: Duration,
    waiting: VecDeque<oneshot::Sender<()>>,
}

impl Line {
    fn new(part: u32, now: Instant) -> Self {
        Self {
            part,
            left: limits::SHARE_PERIOD / part,
            owed: Duration::ZERO,
            filled: now,
            level: Duration::ZERO,
            origins: BTreeMap::new(),
            waiting: BTreeSet::new(),
        }
    }

    /// A guest asks for a turn.
    fn ask(&mut self, from: Origin, now: Instant) -> Turn {
        self.fill(now);
        if self.waiting.is_empty() && self.owed.is_zero() && !self.left.is_zero() {
            self.used(from, limits::TIME_OF_A_TURN, Duration::ZERO);
            return Turn::His;
        }
        let (turn, waits) = oneshot::channel();
        let account = self.account(from);
        account.waiting.push_back(turn);
        let served = account.served;
        self.waiting.insert((served, from));
        Turn::Waits(waits)
    }

    /// Gives as many turns as there is time for. Gives when there is time for more, if more wait.
    fn give(&mut self, now: Instant) -> Option<Instant> {
        self.fill(now);
        while self.owed.is_zero()
            && !self.left.is_zero()
            && let Some((served, from)) = self.waiting.first().copied()
        {
            self.level = self.level.max(served);
            let account = self.account(from);
            let turn = account.waiting.pop_front();
            if account.waiting.is_empty() {
                self.waiting.remove(&(served, from));
            }
            // Who has left meanwhile has no use for it.
            if turn.is_some_and(|turn| turn.send(()).is_ok()) {
                self.used(from, limits::TIME_OF_A_TURN, Duration::ZERO);
            }
        }
        let soon = self.owed * self.part + limits::SHARE_PAUSE;
        (!self.waiting.is_empty()).then(|| now + soon)
    }

    /// So much was used, of which a part was charged before.
    fn used(&mut self, from: Origin, used: Duration, paid: Duration) {
        self.charge(from, used.saturating_sub(paid));
        self.return_to(from, paid.saturating_sub(used));
        let due = self.owed + used;
        let have = self.left + paid;
        self.owed = due.saturating_sub(have);
        self.left = have.saturating_sub(due).min(self.at_once());
    }

    fn charge(&mut self, from: Origin, time: Duration) {
        let served = self.account(from).served;
        self.serve(from, served + time);
    }

    fn return_to(&mut self, from: Origin, time: Duration) {
        let served = self.account(from).served;
        self.serve(from, served.saturating_sub(time));
    }

    fn serve(&mut self, from: Origin, served: Duration) {
        let account = self.account(from);
        let before = std::mem::replace(&mut account.served, served);
        if self.waiting.remove(&(before, from)) {
            self.waiting.insert((served, from));
        }
    }

    /// Whoever was away is before the others by what he has saved, and that has a bound.
    fn account(&mut self, from: Origin) -> &mut Account {
        let least = self.level.saturating_sub(limits::SHARE_SAVED);
        if !self.origins.contains_key(&from) && self.origins.len() >= limits::ORIGINS {
            self.forget(least);
        }
        let begun = || Account { served: least, waiting: VecDeque::new() };
        let account = self.origins.entry(from).or_insert_with(begun);
        if account.waiting.is_empty() {
            account.served = account.served.max(least);
        }
        account
    }

    /// Forgets those of whom nothing is to be remembered, and if that is not enough, all who do not
    /// wait: this is done once for a thousand that come.
    fn forget(&mut self, least: Duration) {
        self.origins.retain(|_, it| !it.waiting.is_empty() || it.served > least);
        if self.origins.len() > limits::ORIGINS / 4 * 3 {
            self.origins.retain(|_, it| !it.waiting.is_empty());
        }
    }

    /// What may be used at once: what was not used for a while.
    fn at_once(&self) -> Duration {
        limits::SHARE_PERIOD / self.part
    }

    /// Adds what has become due since.
    fn fill(&mut self, now: Instant) {
        let gained = now.saturating_duration_since(self.filled) / self.part;
        self.filled = self.filled.max(now);
        let paid = gained.min(self.owed);
        self.owed -= paid;
        self.left = (self.left + gained - paid).min(self.at_once());
        if self.left == self.at_once() && self.waiting.is_empty() {
            // There was time for all: nobody has to stand back.
            self.origins.clear();
            self.level = Duration::ZERO;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(number: u16) -> Origin {
        let [a, b] = number.to_be_bytes();
        (IpAddr::from([10, 0, a, b]), 0)
    }

    /// Guests who ask again as soon as their turn is over.
    struct Crowd {
        line: Line,
        now: Instant,
        /// From where each comes, what a turn of his takes, and what he was given.
        guests: Vec<(Origin, Duration, Duration)>,
        turns: Vec<Turn>,
    }

    impl Crowd {
        fn of(guests: u16, addresses: u16, each: Duration) -> Self {
            let now = Instant::now();
            let mut crowd =
                Self { line: Line::new(PART, now), now, guests: Vec::new(), turns: Vec::new() };
            (0..guests).for_each(|number| crowd.comes(from(number % addresses), each));
            crowd
        }

        fn comes(&mut self, from: Origin, each: Duration) {
            self.guests.push((from, each, Duration::ZERO));
            let turn = self.line.ask(from, self.now);
            self.turns.push(turn);
        }

        /// Lets time pass, in which all use what they are given. Gives what they have used.
        fn goes_on(&mut self, lasts: Duration) -> Duration {
            let (end, before) = (self.now + lasts, self.used());
            while self.now < end {
                self.line.give(self.now);
                for ((from, each, used), turn) in self.guests.iter_mut().zip(&mut self.turns) {
                    if let Turn::Waits(comes) = turn
                        && comes.try_recv().is_ok()
                    {
                        *turn = Turn::His;
                    }
                    if turn.is_his() {
                        *used += *each;
                        self.line.used(*from, *each, turn.paid());
                        *turn = self.line.ask(*from, self.now);
                    }
                }
                self.now += limits::SHARE_PAUSE;
            }
            self.used() - before
        }

        fn used(&self) -> Duration {
            self.guests.iter().map(|(_, _, used)| *used).sum()
        }
    }

    const PART: u32 = limits::GUESTS_PART;
    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn no_number_of_guests_or_addresses_is_given_more_than_the_share() {
        for (guests, addresses) in [(1, 1), (2300, 1), (2300, 160), (2300, 2300)] {
            for each in [10, 50, 300].map(Duration::from_micros) {
                let mut crowd = Crowd::of(guests, addresses, each);
                crowd.goes_on(SECOND);
                let used = crowd.goes_on(4 * SECOND);
                let share = 4 * SECOND / PART;
                let what = format!("{guests} from {addresses}, {each:?}: {used:?} of {share:?}");
                assert!(used <= share * 21 / 20, "{what}");
                assert!(guests == 1 || used >= share * 9 / 10, "{what}");
            }
        }
    }

    #[test]
    fn each_address_is_given_the_same_and_each_guest_of_it() {
        let each = Duration::from_micros(100);
        // 400 guests at one address, and one at each of ten others.
        let mut crowd = Crowd::of(400, 1, each);
        (1..=10).for_each(|number| crowd.comes(from(number), each));
        let used = crowd.goes_on(8 * SECOND);
        let part = used / 11;
        for (from, _, given) in &crowd.guests[400..] {
            assert!(*given >= part * 9 / 10 && *given <= part * 11 / 10, "{from:?}: {given:?}");
        }
        let given = crowd.guests[..400].iter().map(|(_, _, given)| *given);
        let (least, most) = (given.clone().min().unwrap(), given.max().unwrap());
        assert!(most - least <= 2 * each, "{least:?} to {most:?}");
    }

    #[test]
    fn whoever_comes_among_thousands_has_the_whole_hall_soon() {
        let mut crowd = Crowd::of(2300, 160, Duration::from_micros(50));
        crowd.goes_on(20 * SECOND);
        // All tables of 300 boards, in turns of what an outbox holds.
        let (whole, each) = (Duration::from_millis(5), Duration::from_micros(60));
        crowd.comes(from(1000), each);
        crowd.goes_on(2 * SECOND);
        let (_, _, given) = crowd.guests.last().unwrap();
        assert!(*given >= whole, "{given:?}");
    }

    #[test]
    fn whoever_is_there_has_his_turns_while_thousands_come() {
        let each = Duration::from_micros(20);
        let mut crowd = Crowd::of(40, 20, Duration::from_micros(150));
        crowd.comes(from(1000), each);
        crowd.goes_on(10 * SECOND);
        // From addresses that were not there before, or were away.
        (0..2300).for_each(|it| crowd.comes(from(2000 + it % 160), Duration::from_micros(150)));
        let part = SECOND / 4 / PART / 200;
        for quarter in 0..8 {
            let (_, _, before) = crowd.guests[40];
            crowd.goes_on(SECOND / 4);
            let (_, _, given) = crowd.guests[40];
            assert!(given - before >= part / 4, "{quarter}: {:?} of {part:?}", given - before);
        }
    }

    #[test]
    fn nobody_gains_by_leaving_and_coming_again() {
        let each = Duration::from_micros(100);
        let mut crowd = Crowd::of(100, 100, each);
        for _ in 0..200 {
            crowd.goes_on(SECOND / 50);
            // The last one begins anew.
            let (from, ..) = crowd.guests[99];
            crowd.turns[99] = crowd.line.ask(from, crowd.now);
        }
        let part = crowd.used() / 100;
        let (_, _, given) = crowd.guests[99];
        assert!(given <= part * 11 / 10, "{given:?} of {part:?}");
    }

    #[test]
    fn a_limited_number_of_addresses_is_remembered_and_none_when_there_was_time_for_all() {
        let mut line = Line::new(PART, Instant::now());
        for number in 0..10_000 {
            line.used(from(number), Duration::from_millis(1), Duration::ZERO);
        }
        assert!(line.origins.len() <= limits::ORIGINS);
        line.fill(Instant::now() + 60 * SECOND);
        assert_eq!(line.origins.len(), 0);
    }

    #[test]
    fn whoever_has_left_is_given_nothing() {
        let mut crowd = Crowd::of(100, 10, Duration::from_micros(100));
        crowd.goes_on(SECOND);
        crowd.turns.truncate(1);
        crowd.guests.truncate(1);
        let used = crowd.goes_on(SECOND);
        let at_each_look = SECOND / 10;
        assert!(used >= at_each_look * 9 / 10, "whoever is there waits for nobody: {used:?}");
        assert!(crowd.line.waiting.len() <= 1);
    }
}
