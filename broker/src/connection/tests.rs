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
use crate::seats::{Seat, Seats};
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
    guest_from(hub, qos, width, None)
}

fn guest_from(hub: Arc<Hub>, qos: Qos, width: usize, origin: Option<Origin>) -> Guest {
    let since = hub.log().newest();
    let mut session = Session::new("guest".into(), None, false);
    let (no_local, retain_as_published) = (false, false);
    let options = Options { qos, no_local, retain_as_published, identifier: None, since };
    session.subscribe("#", options, RetainHandling::SendRetained).unwrap();
    let from = origin.unwrap_or((IpAddr::from([10, 0, 0, 1]), 0));
    session.hold = hub.budget.hold(from, limits::CONNECTION_BYTES);
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
    let mut connection = Connection::new(ours, exchange, bounds, (Vec::new(), origin));
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
    let others = limits::GUESTS_BYTES - limits::MODEST_BYTES - limits::CONNECTION_BYTES * 10;
    let others = guest.hub.budget.hold((IpAddr::from([10, 0, 0, 2]), 0), others);
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

const TOPICS: u64 = 200;
const BYTES: usize = 100;

/// How long it is counted what guests are sent.
const WINDOW: Duration = Duration::from_millis(400);

/// SUBSCRIBE to everything at QoS 0, in version 5.
const SUBSCRIBE: [u8; 9] = [0x82, 7, 0, 1, 0, 0, 1, b'#', 0];

/// A hub that retains some topics and gives turns, and who counts what is read of them.
fn hall() -> (Arc<Hub>, Arc<Open>) {
    let access = Arc::new(Open::default());
    let hub = Arc::new(Hub::new(Arc::clone(&access) as Arc<dyn Access>));
    (0..TOPICS).for_each(|number| publish(&hub, number, BYTES));
    let gives = Arc::clone(&hub);
    tokio::spawn(async move { gives.share.serve().await });
    (hub, access)
}

/// A guest who subscribes in a loop, and reads all that comes.
fn asks_without_end(hub: &Arc<Hub>, seat: &Seat) -> JoinHandle<End> {
    let guest = guest_from(Arc::clone(hub), Qos::AtMostOnce, 1 << 16, seat.origin());
    let (mut reader, mut writer) = tokio::io::split(guest.line);
    tokio::spawn(async move { tokio::io::copy(&mut reader, &mut tokio::io::sink()).await });
    tokio::spawn(async move { while writer.write_all(&SUBSCRIBE).await.is_ok() {} });
    guest.served
}

/// If each guest could fill his buffer in each tenth of a second, as it was once, these would be
/// sent more than twice as much.
#[tokio::test(start_paused = true)]
async fn guests_who_subscribe_in_a_loop_have_a_share_and_a_screen_has_the_hall() {
    const GUESTS: u16 = 1000;
    let (hub, access) = hall();
    let seats = Seats::new(2500, 2500);
    for addresses in [10, 200] {
        let address = |number: u16| IpAddr::from([10, 0, 0, u8::try_from(number).unwrap()]);
        let taken = (0..GUESTS).map(|it| seats.take(address(it % addresses)).unwrap());
        let taken: Vec<_> = taken.collect();
        let asking: Vec<_> = taken.iter().map(|seat| asks_without_end(&hub, seat)).collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let before = access.0.load(Ordering::Relaxed);
        tokio::time::sleep(WINDOW).await;
        let sent = u32::try_from(access.0.load(Ordering::Relaxed) - before).unwrap();
        let used = (limits::TIME_OF_LOOK + limits::TIME_OF_MESSAGE) * sent;
        let share = WINDOW / limits::GUESTS_PART;
        let what = format!("{addresses} addresses: {sent} messages, {used:?} of {share:?}");
        assert!(used <= share && used >= share / 4, "{what}");

        let seat = seats.take(IpAddr::from([10, 0, 1, 1])).unwrap();
        let came = Instant::now();
        let mut screen = guest_from(Arc::clone(&hub), Qos::AtMostOnce, 1 << 16, seat.origin());
        let mut all = vec![0; usize::try_from(TOPICS).unwrap() * BYTES];
        screen.line.read_exact(&mut all).await.unwrap();
        let after = came.elapsed();
        assert!(after < Duration::from_millis(500), "{what}; a screen has it after {after:?}");
        asking.iter().chain([&screen.served]).for_each(JoinHandle::abort);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_packet_in_pieces_is_read_at_a_walk_too() {
    let (hub, _) = hall();
    let seats = Seats::new(2500, 128);
    let address = IpAddr::from([10, 0, 0, 1]);
    let taken: Vec<_> = (0..100).map(|_| seats.take(address).unwrap()).collect();
    let read = Arc::new(AtomicU64::new(0));
    for seat in &taken {
        // The line holds a byte: each is read for itself.
        let guest = guest_from(Arc::clone(&hub), Qos::AtMostOnce, 1, seat.origin());
        let (_, mut writer) = tokio::io::split(guest.line);
        let read = Arc::clone(&read);
        tokio::spawn(async move {
            // A PUBLISH of 16 KiB that never ends.
            for byte in [0x30, 0xf0, 0x7f].into_iter().chain(std::iter::repeat(0)) {
                if writer.write_all(&[byte]).await.is_err() {
                    break;
                }
                read.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = read.load(Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let reads = u32::try_from(read.load(Ordering::Relaxed) - before).unwrap();
    let share = Duration::from_secs(1) / limits::GUESTS_PART;
    assert!(limits::TIME_OF_READING * reads <= share * 11 / 10, "{reads} reads");
    assert!(reads > 1000, "{reads} reads");
}

#[tokio::test(start_paused = true)]
async fn only_what_was_sent_may_be_acknowledged_without_being_counted() {
    let guest = guest(Qos::AtLeastOnce, 4);
    guest.publish(1, 10);
    let (mut reader, mut writer) = tokio::io::split(guest.line);
    tokio::spawn(async move { tokio::io::copy(&mut reader, &mut tokio::io::sink()).await });
    // One message is under way, and is never acknowledged; what is, was never sent.
    let mut count = 0;
    let floods = async {
        while writer.write_all(&[0x40, 2, 0x10, 0]).await.is_ok() {
            count += 1;
        }
    };
    let lasts = Duration::from_secs(3);
    tokio::time::timeout(lasts, floods).await.unwrap_err();
    let most = limits::GUEST_PACKETS_AT_ONCE + 3 * limits::GUEST_PACKETS_PER_SECOND;
    assert!((most..most + 5).contains(&count), "{count}");
}
