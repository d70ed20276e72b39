//! The visitors at the HTTP doors, and the processor time that serving them takes.
//!
//! Strangers have one share of the processor. Addresses from which an arbiter has signed in have
//! another one, which strangers cannot use up. This machine uses what it needs.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use adoubed_broker::household;
use eboard::Moment;
use tokio::time::{Sleep, sleep};

use super::share::Share;
use crate::mqtt::access::SESSION_LASTS;
use crate::time::{self, Clock};

/// The addresses of arbiters that are remembered: as many as there can be sessions.
const ARBITERS: usize = 64;

/// The connections that are accepted in a tenth of a second; more wait at the door. Connections
/// that are closed at once would otherwise use a whole core.
const COMING: u32 = 500;
const TENTH: Duration = Duration::from_millis(100);

/// Keeps the shares of all doors together.
pub struct Usher {
    clock: Clock,
    rooms: Mutex<Rooms>,
}

#[derive(Default)]
struct Rooms {
    strangers: Share,
    arbiters: Share,
    /// The addresses from which an arbiter has signed in, and until when that counts.
    signed_in: BTreeMap<IpAddr, Moment>,
    /// The current tenth of a second, and the connections accepted in it.
    coming: (u64, u32),
}

impl Default for Usher {
    fn default() -> Self {
        Self { clock: Clock::starting_at(Moment::ZERO), rooms: Mutex::default() }
    }
}

impl Usher {
    /// Receives a connection from an address. None: the address connects too often, and is turned
    /// away.
    pub fn meet(self: &Arc<Self>, from: IpAddr) -> Option<Arc<Visitor>> {
        let here = from.to_canonical().is_loopback();
        let served = here || self.share(from, |share, now| share.connects(now, from));
        let visitor = || Visitor { usher: Arc::clone(self), from, here: AtomicBool::new(here) };
        served.then(|| Arc::new(visitor()))
    }

    /// Waits until the next connection may be accepted.
    pub async fn opens(&self) {
        loop {
            let now = self.clock.now();
            let tenth = now.as_micros() / u64::try_from(TENTH.as_micros()).unwrap_or(1);
            {
                let (of, count) = &mut self.rooms().coming;
                if *of != tenth {
                    (*of, *count) = (tenth, 0);
                }
                if *count < COMING {
                    *count += 1;
                    return;
                }
            }
            sleep(TENTH).await;
        }
    }

    /// Notes that an arbiter has signed in from an address.
    pub fn arbiter_at(&self, from: IpAddr) {
        let now = self.clock.now();
        let mut rooms = self.rooms();
        rooms.signed_in.retain(|_, until| *until > now);
        while rooms.signed_in.len() >= ARBITERS
            && let Some((first, _)) = rooms.signed_in.iter().min_by_key(|(_, until)| **until)
        {
            let first = *first;
            rooms.signed_in.remove(&first);
        }
        rooms.signed_in.insert(household(from), now + SESSION_LASTS);
    }

    /// Asks the share that an address belongs to.
    fn share<T>(&self, from: IpAddr, ask: impl FnOnce(&mut Share, Moment) -> T) -> T {
        let now = self.clock.now();
        let mut rooms = self.rooms();
        let arbiter = rooms.signed_in.get(&household(from)).is_some_and(|until| *until > now);
        ask(if arbiter { &mut rooms.arbiters } else { &mut rooms.strangers }, now)
    }

    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The far end of a connection.
pub struct Visitor {
    usher: Arc<Usher>,
    from: IpAddr,
    /// Whether he is on this machine and has passed on no foreign request so far.
    here: AtomicBool,
}

impl Visitor {
    /// Notes that he passes on a foreign request, and waits until it is its turn. He is a proxy on
    /// this machine, or a browser that sends what a foreign page asks. The wait is here because a
    /// proxy may open a new connection for each request.
    pub async fn asks_for_others(&self) {
        self.here.store(false, Ordering::Relaxed);
        while let Some(wait) = self.wait() {
            sleep(wait).await;
        }
    }

    /// Notes that he has proven to be an arbiter.
    pub fn is_arbiter(&self) {
        self.usher.arbiter_at(self.from);
    }

    /// Wraps work, so that its processor time is charged to him.
    pub fn serves<W: Future>(self: &Arc<Self>, work: W) -> InHisTime<W> {
        InHisTime { visitor: Arc::clone(self), work: Box::pin(work), waits: None }
    }

    fn is_here(&self) -> bool {
        self.here.load(Ordering::Relaxed)
    }

    fn wait(&self) -> Option<Duration> {
        let ask = |share: &mut Share, now| share.wait(now, self.from);
        (!self.is_here()).then(|| self.usher.share(self.from, ask)).flatten()
    }

    /// Charges him with processor time.
    pub fn spent(&self, time: Duration) {
        if !self.is_here() {
            self.usher.share(self.from, |share, now| share.spent(now, self.from, time));
        }
    }
}

/// Work for a visitor. It goes on only when it is his turn.
pub struct InHisTime<W> {
    visitor: Arc<Visitor>,
    work: Pin<Box<W>>,
    waits: Option<Pin<Box<Sleep>>>,
}

impl<W: Future> Future for InHisTime<W> {
    type Output = W::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<W::Output> {
        loop {
            if let Some(waits) = &mut self.waits {
                std::task::ready!(waits.as_mut().poll(cx));
                self.waits = None;
            }
            match self.visitor.wait() {
                Some(wait) => self.waits = Some(Box::pin(sleep(wait))),
                None => break,
            }
        }
        let begun = time::processor_of_this_thread();
        let outcome = self.work.as_mut().poll(cx);
        self.visitor.spent(time::processor_of_this_thread().saturating_sub(begun));
        outcome
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn from(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    /// Works for this long, several times, and yields in between.
    async fn works(each: Duration, times: u32) {
        for _ in 0..times {
            let begun = time::processor_of_this_thread();
            while time::processor_of_this_thread() - begun < each {
                black_box(0);
            }
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn strangers_wait_and_this_machine_and_arbiters_do_not() {
        let usher = Arc::<Usher>::default();
        let (clock, each) = (Clock::starting_at(Moment::ZERO), Duration::from_millis(1));
        // 300 ms of work, with half of a core for him.
        let half = Duration::from_millis(450);
        usher.meet(from(1)).unwrap().serves(works(each, 300)).await;
        assert!(clock.now() >= Moment::ZERO + half, "{:?}", clock.now());
        usher.arbiter_at(from(2));
        let arbiter = usher.meet(from(2)).unwrap();
        assert_eq!(arbiter.wait(), None, "what strangers use is not his");
        let here = usher.meet(IpAddr::from([127, 0, 0, 1])).unwrap();
        here.spent(Duration::from_secs(10));
        assert_eq!(here.wait(), None);
        here.asks_for_others().await;
        here.spent(Duration::from_secs(1));
        assert!(here.wait().is_some(), "a proxy asks for strangers");
        let begun = clock.now();
        usher.meet(IpAddr::from([127, 0, 0, 1])).unwrap().asks_for_others().await;
        assert!(clock.now() > begun + Duration::from_millis(50), "nor on a new connection");
    }

    #[tokio::test]
    async fn whoever_comes_and_goes_is_let_in_at_a_pace() {
        let usher = Arc::<Usher>::default();
        let clock = Clock::starting_at(Moment::ZERO);
        for _ in 0..COMING * 4 {
            usher.opens().await;
        }
        assert!(clock.now() >= Moment::ZERO + TENTH * 2, "{:?}", clock.now());
    }
}
