//! Who is cut for making no progress, and who is not.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicU64;

use mqtt_protocol_core::mqtt::IntoPayload;
use mqtt_protocol_core::mqtt::packet::{Qos, RetainHandling};
use tokio::io::{DuplexStream, duplex};
use tokio::task::JoinHandle;

use super::*;
use crate::access::Access;
use crate::codec::Version;
use crate::hub::Hub;
use crate::message::Message;
use crate::outbox::Outbox;
use crate::subscriptions::Options;

/// Guests may read everything. Counts how often that is asked.
#[derive(Default)]
struct Open(AtomicU64);

impl Access for Open {
    fn authenticate(&self, _: IpAddr, _: Option<&str>, _: Option<&[u8]>) -> Option<Principal> {
        Some(Principal::Guest)
    }

    fn may_publish(&self, _: &Principal, _: &str) -> bool {
        false
    }

    fn may_subscribe(&self, _: &Principal, _: &str) -> bool {
        true
    }

    fn may_read(&self, _: &Principal, _: &str) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        true
    }

    fn is_host(&self, _: &Principal) -> bool {
        false
    }
}

/// A guest who has subscribed to everything, and its end of a line that holds so many bytes.
struct Guest {
    hub: Arc<Hub>,
    line: DuplexStream,
    served: JoinHandle<End>,
}

fn guest(qos: Qos, width: usize) -> Guest {
    guest_of(Arc::new(Hub::new(Arc::new(Open::default()))), qos, width)
}

/// What was published before is what its filter is owed.
fn guest_of(hub: Arc<Hub>, qos: Qos, width: usize) -> Guest {
    let since = hub.log().newest();
    let mut session = Session::new("guest".into(), None, false);
    let (no_local, retain_as_published) = (false, false);
    let options = Options { qos, no_local, retain_as_published, identifier: None, since };
    session.subscribe("#", options, RetainHandling::SendRetained).unwrap();
    session.hold = hub.budget.hold(limits::CONNECTION_BYTES);
    let exchange = Exchange {
        hub: Arc::clone(&hub),
        who: Principal::Guest,
        version: Version::V5,
        session,
        outbox: Outbox::new(Version::V5, None, false),
        window: 4,
        expiry: 0,
        aliases: BTreeMap::new(),
        acknowledged: Instant::now(),
    };
    let (ours, line) = duplex(width);
    let bounds = (limits::STRANGER_PACKET_BYTES, Duration::from_secs(3600));
    let mut connection = Connection::new(ours, exchange, bounds, (Vec::new(), None));
    let served = tokio::spawn(async move {
        let (_tell, mut leave) = watch::channel(None);
        connection.run(&mut leave).await
    });
    Guest { hub, line, served }
}

fn publish(hub: &Hub, number: u64, bytes: usize) {
    let message = Message {
        topic: number.to_string().into(),
        payload: vec![b'x'; bytes].as_slice().into_payload(),
        properties: Vec::new(),
        qos: Qos::AtLeastOnce,
        retain: true,
        expires: None,
        origin: "daemon".into(),
        sender: None,
        of_host: true,
    };
    hub.publish(message).unwrap();
}

impl Guest {
    fn publish(&self, number: u64, bytes: usize) {
        publish(&self.hub, number, bytes);
    }

    /// Reads so many bytes now and then. Gives how the connection ended, and after how long.
    async fn reads(mut self, bytes: usize, every: Duration) -> (End, Duration) {
        let begun = Instant::now();
        let mut space = vec![0; bytes];
        loop {
            tokio::time::sleep(every).await;
            if self.served.is_finished() || begun.elapsed() > 20 * limits::PATIENCE {
                self.served.abort();
                return (self.served.await.unwrap_or(End::Gone), begun.elapsed());
            }
            let _ = self.line.read(&mut space).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_reads_nothing_is_cut() {
    let guest = guest(Qos::AtMostOnce, 1024);
    guest.publish(1, 100_000);
    let begun = Instant::now();
    let Guest { served, line, hub } = guest;
    assert_eq!(served.await.unwrap(), End::Said(Reason::QuotaExceeded));
    assert!((limits::PATIENCE..2 * limits::PATIENCE).contains(&begun.elapsed()));
    assert_eq!(hub.counts.laggards.load(Ordering::Relaxed), 1);
    assert_eq!(hub.budget.used(), 0, "and holds nothing");
    drop(line);
}

#[tokio::test(start_paused = true)]
async fn whoever_reads_a_byte_now_and_then_is_cut_too() {
    let guest = guest(Qos::AtMostOnce, 1024);
    for number in 0..1000 {
        guest.publish(number, 3000);
    }
    let (end, after) = guest.reads(1000, Duration::from_secs(5)).await;
    assert_eq!(end, End::Said(Reason::QuotaExceeded));
    assert!(after < 2 * limits::PATIENCE, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_radio_link_is_not_cut() {
    let guest = guest(Qos::AtMostOnce, 1024);
    for number in 0..1000 {
        guest.publish(number, 3000);
    }
    let (end, _) = guest.reads(1024, Duration::from_secs(1)).await;
    assert_eq!(end, End::Gone, "it was still served when the test ended");
}

#[tokio::test(start_paused = true)]
async fn whoever_acknowledges_nothing_is_cut() {
    let guest = guest(Qos::AtLeastOnce, 1 << 20);
    let begun = Instant::now();
    tokio::time::sleep(limits::PATIENCE * 3).await;
    for number in 0..10 {
        guest.publish(number, 100);
    }
    let Guest { served, line, .. } = guest;
    assert_eq!(served.await.unwrap(), End::Said(Reason::QuotaExceeded));
    let after = begun.elapsed();
    assert!((limits::PATIENCE * 4..limits::PATIENCE * 5).contains(&after), "{after:?}");
    drop(line);
}

#[tokio::test(start_paused = true)]
async fn whoever_acknowledges_nothing_costs_nothing_until_he_is_cut() {
    let access = Arc::new(Open::default());
    let hub = Arc::new(Hub::new(Arc::clone(&access) as Arc<dyn Access>));
    for number in 0..100 {
        publish(&hub, number, 100);
    }
    let guest = guest_of(hub, Qos::AtLeastOnce, 1 << 20);
    for number in 0..1000 {
        tokio::task::yield_now().await;
        if number % 10 == 0 {
            guest.publish(1000 + number, 100);
        }
    }
    let asked = access.0.load(Ordering::Relaxed);
    assert!((5..20).contains(&asked), "four are sent, the fifth waits: {asked}");
    let begun = Instant::now();
    assert_eq!(guest.served.await.unwrap(), End::Said(Reason::QuotaExceeded));
    assert!(begun.elapsed() < 2 * limits::PATIENCE);
    let asked = access.0.load(Ordering::Relaxed);
    assert!(asked < 20, "nor has the time changed that: {asked}");
    drop(guest.line);
}

#[tokio::test(start_paused = true)]
async fn whoever_acknowledges_now_and_then_is_not_cut() {
    let mut guest = guest(Qos::AtLeastOnce, 1 << 20);
    for number in 0..100 {
        guest.publish(number, 100);
    }
    // Four at a time, and the fifth only when one of them was acknowledged.
    for id in 1..=10 {
        tokio::time::sleep(limits::PATIENCE - Duration::from_secs(1)).await;
        assert!(!guest.served.is_finished(), "it has acknowledged {} of them", id - 1);
        guest.line.write_all(&[0x40, 2, 0, id]).await.unwrap();
    }
    assert_eq!(guest.served.await.unwrap(), End::Said(Reason::QuotaExceeded), "it has ended that");
    drop(guest.line);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_sits_there_may_sit_there() {
    let guest = guest(Qos::AtLeastOnce, 1024);
    tokio::time::sleep(limits::PATIENCE * 10).await;
    assert!(!guest.served.is_finished(), "it is up to date");
}

#[tokio::test(start_paused = true)]
async fn patience_is_short_while_little_memory_is_left() {
    let guest = guest(Qos::AtMostOnce, 1024);
    let others = guest.hub.budget.hold(limits::GUESTS_BYTES - limits::CONNECTION_BYTES * 10);
    assert!(others.is_some());
    guest.publish(1, 100_000);
    let begun = Instant::now();
    let Guest { served, line, .. } = guest;
    assert_eq!(served.await.unwrap(), End::Said(Reason::QuotaExceeded));
    assert!(begun.elapsed() < limits::PATIENCE);
    drop(line);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_packets_is_taken_at_a_walk() {
    let mut guest = guest(Qos::AtMostOnce, 1 << 16);
    guest.line.write_all(&[0xc0, 0].repeat(1000)).await.unwrap();
    let mut answers = vec![0; 2 * 200];
    let begun = Instant::now();
    guest.line.read_exact(&mut answers).await.unwrap();
    assert_eq!(answers, [0xd0, 0].repeat(200));
    let least = (200 - limits::GUEST_PACKETS_AT_ONCE) / limits::GUEST_PACKETS_PER_SECOND;
    assert!(begun.elapsed() >= Duration::from_secs(least.into()) - Duration::from_millis(200));
    assert!(begun.elapsed() <= Duration::from_secs(u64::from(least) + 1));
    let mut rest = Vec::new();
    let _ = guest.line.read_to_end(&mut rest).await;
    assert_eq!(guest.served.await.unwrap(), End::Said(Reason::MessageRateTooHigh));
    assert!((limits::PATIENCE..2 * limits::PATIENCE).contains(&begun.elapsed()));
}

#[tokio::test(start_paused = true)]
async fn whoever_spoke_while_nobody_had_time_to_listen_was_not_silent() {
    // Which of the two is seen first, the time or the packet, is left to chance.
    for _ in 0..32 {
        let mut guest = guest(Qos::AtMostOnce, 1024);
        tokio::task::yield_now().await;
        guest.line.write_all(&[0xc0, 0]).await.unwrap();
        tokio::time::advance(Duration::from_secs(2 * 3600)).await;
        let mut answer = [0; 2];
        guest.line.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer, [0xd0, 0]);
    }
}
