//! Crowds, late comers and clients that do not read. The figures asserted are bounds with room
//! for a slow machine; `--nocapture` prints what was measured.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

mod common;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use common::client::{Client, Door, Login, WAYS};
use common::{DAEMON, House, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const TOPICS: usize = 3000;

fn daemon(id: &str) -> Login {
    Login::user(DAEMON, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_subscriber_gets_every_retained_topic() {
    let house = House::open().await;
    let mut publisher = Client::connect(&house, (Door::Tcp, 4), daemon("publisher")).await;
    for number in 0..TOPICS {
        let topic = format!("adoubed/v1/table/{number}/position");
        publisher.publish(&topic, &"p".repeat(250), 1, true).await;
        let alert = format!("adoubed/v1/alert/{number}");
        publisher.publish(&alert, "not for guests", 1, true).await;
    }
    for (way, qos) in WAYS.into_iter().flat_map(|way| [(way, 0), (way, 1)]) {
        let mut late = Client::connect(&house, way, Login::guest("late")).await;
        let begun = Instant::now();
        assert_eq!(late.subscribe("adoubed/v1/#", qos).await, qos);
        let mut topics = BTreeSet::new();
        for _ in 0..TOPICS {
            topics.insert(late.message().await.topic);
        }
        assert_eq!(topics.len(), TOPICS, "{way:?} at QoS {qos}");
        assert!(topics.iter().all(|topic| topic.starts_with("adoubed/v1/table/")));
        println!("{TOPICS} retained topics, {way:?}, QoS {qos}: {:?}", begun.elapsed());
        late.leave().await;
    }
    house.close().await;
}

/// Two subscribers never read, the others must not notice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_delays_nobody() {
    let house = House::open().await;
    let mut deaf = Vec::new();
    for qos in [0, 1] {
        let login = daemon(&format!("deaf {qos}"));
        let mut client = Client::connect(&house, (Door::Tcp, 4), login).await;
        client.subscribe("load/#", qos).await;
        deaf.push(client);
    }
    let mut others = Vec::new();
    for way in [(Door::Tcp, 5), (Door::WebSocket, 4)] {
        let mut other = Client::connect(&house, way, daemon(&format!("{way:?}"))).await;
        other.subscribe("load/#", 1).await;
        others.push(tokio::spawn(listen(other)));
    }
    let mut publisher = Client::connect(&house, (Door::Tcp, 4), daemon("publisher")).await;
    let payload = "x".repeat(1000);
    let mut slowest = Duration::ZERO;
    for _ in 0..MESSAGES {
        let begun = Instant::now();
        publisher.publish("load/x", &payload, 1, false).await;
        slowest = slowest.max(begun.elapsed());
    }
    publisher.publish("load/end", "", 1, false).await;
    let mut longest = Duration::ZERO;
    for other in others {
        longest = longest.max(other.await.unwrap());
    }
    println!("beside two deaf clients: slowest publish {slowest:?}, longest silence {longest:?}");
    assert!(slowest < Duration::from_secs(1), "a publish waited {slowest:?}");
    assert!(longest < Duration::from_secs(1), "a subscriber waited {longest:?}");
    drop(deaf);
    house.close().await;
}

/// More than the 16384 that may wait for one client, and a window: its queue overflows.
const MESSAGES: usize = 17_000;

async fn listen(mut client: Client) -> Duration {
    let mut longest = Duration::ZERO;
    client.message().await;
    for _ in 1..MESSAGES {
        let begun = Instant::now();
        client.message().await;
        longest = longest.max(begun.elapsed());
    }
    assert_eq!(client.message().await.topic, "load/end", "in order and complete");
    longest
}

/// A subscriber that reads but never acknowledges gets one window, and keeps its place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_acknowledges_delays_nobody() {
    let house = House::open().await;
    for way in WAYS {
        let mut mute = Client::connect(&house, way, daemon("mute")).await;
        mute.acknowledges = false;
        mute.subscribe("load", 1).await;
        let mut publisher = Client::connect(&house, way, daemon("publisher")).await;
        let begun = Instant::now();
        for _ in 0..1000 {
            publisher.publish("load", "x", 1, false).await;
        }
        assert!(begun.elapsed() < Duration::from_secs(10));
        let mut first = Vec::new();
        for _ in 0..64 {
            first.push(mute.message().await);
        }
        mute.ping().await;
        for message in &first {
            let id = message.id.to_be_bytes();
            mute.send(&[0x40, 2, id[0], id[1]]).await;
        }
        mute.acknowledges = true;
        for _ in 64..1000 {
            mute.message().await;
        }
        mute.leave().await;
        publisher.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn idle_connections_hold_nobody_up() {
    let house = House::open().await;
    let mut idle = Vec::new();
    let mut upgraded = Vec::new();
    for _ in 0..50 {
        upgraded.push(common::client::websocket(&house).await);
        idle.push(TcpStream::connect(house.tcp).await.unwrap());
        idle.push(TcpStream::connect(house.web).await.unwrap());
        let mut upgrading = TcpStream::connect(house.web).await.unwrap();
        upgrading
            .write_all(b"GET /mqtt HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n")
            .await
            .unwrap();
        idle.push(upgrading);
    }
    for way in WAYS {
        let begun = Instant::now();
        let mut client = Client::connect(&house, way, Login::guest("busy")).await;
        client.subscribe("#", 1).await;
        client.ping().await;
        println!(
            "connect, subscribe, ping beside 200 idle connections, {way:?}: {:?}",
            begun.elapsed()
        );
        assert!(begun.elapsed() < Duration::from_secs(2), "{way:?}");
        client.leave().await;
    }
    let door = house.broker.door();
    until("a hundred owe their CONNECT", async || door.figures().await.clients == 100).await;
    let mut first = idle.swap_remove(0);
    let closed = tokio::time::timeout(common::PATIENCE, first.read_u8()).await;
    assert!(closed.expect("an idle connection is closed").is_err());
    until("all are closed", async || door.figures().await.clients == 0).await;
    house.close().await;
}
