//! What the standard says in detail, byte by byte: reasons given, promises kept, options of
//! version 5. The sections of MQTT 5 are named.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::client::{Client, Door, Login, packet, publish, string};
use crate::common::{ARBITER, DAEMON, House};

const V5: (Door, u8) = (Door::Tcp, 5);

fn daemon(id: &str) -> Login {
    Login::user(DAEMON, id)
}

/// A PUBLISH of version 5 with these properties.
fn message(topic: &str, qos: u8, id: u16, properties: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, topic.as_bytes());
    if qos > 0 {
        body.extend(id.to_be_bytes());
    }
    body.push(u8::try_from(properties.len()).unwrap());
    body.extend(properties);
    body.extend(payload);
    packet(0x30 | qos << 1, &body)
}

/// A SUBSCRIBE of version 5 with these properties and options.
fn subscription(id: u16, properties: &[u8], filter: &str, options: u8) -> Vec<u8> {
    let mut body = id.to_be_bytes().to_vec();
    body.push(u8::try_from(properties.len()).unwrap());
    body.extend(properties);
    string(&mut body, filter.as_bytes());
    body.push(options);
    packet(0x82, &body)
}

/// The reason of the DISCONNECT that comes next, behind which the connection ends.
async fn reason(client: &mut Client) -> u8 {
    loop {
        let packet = client.packet().await.expect("a DISCONNECT");
        if packet[0] == 0xe0 {
            assert!(client.packet().await.is_none(), "the connection ends");
            return packet[2];
        }
    }
}

async fn subscribe(client: &mut Client, packet: &[u8]) -> u8 {
    client.send(packet).await;
    loop {
        let answer = client.packet().await.expect("a SUBACK");
        if answer[0] == 0x90 {
            return *answer.last().unwrap();
        }
    }
}

/// 4.13: before the connection is closed the client is told why.
#[tokio::test]
async fn whoever_breaks_the_rules_is_told_which() {
    let house = House::open().await;
    let too_many = (1..=257).flat_map(|id| publish(5, "t", b"x", 2, false, id)).collect::<Vec<_>>();
    for (bytes, expected) in [
        (vec![0x36, 6, 0, 1, b't', 0, 1, 0], 0x81),    // QoS 3
        (vec![0x80, 7, 0, 1, 0, 0, 1, b't', 0], 0x81), // reserved flags
        (subscription(0, &[], "t", 0), 0x81),          // packet id 0
        (message("t", 1, 0, &[], b"x"), 0x81),
        (vec![0x10, 0], 0x82),                       // a second CONNECT
        (subscription(1, &[0x0b, 0], "t", 0), 0x82), // subscription identifier 0
        (message("t", 0, 0, &[0x11, 0, 0, 0, 1], b""), 0x82), // property of another packet
        (message("", 0, 0, &[], b"x"), 0x82),        // neither topic nor alias
        (message("t/#", 0, 0, &[], b"x"), 0x90),
        (too_many, 0x93),
        (message("t", 0, 0, &[0x23, 0, 33], b"x"), 0x94), // above the maximum
        (message("", 0, 0, &[0x23, 0, 1], b"x"), 0x94),   // never set
        (vec![0x30, 0xff, 0xff, 0xff, 0x7f], 0x95),
    ] {
        let mut client = Client::connect(&house, V5, daemon("breaker")).await;
        client.acknowledges = false;
        client.send(&bytes).await;
        assert_eq!(reason(&mut client).await, expected, "{:x?}", &bytes[..bytes.len().min(20)]);
    }
    house.close().await;
}

/// 3.1.2.10, 3.14.2.1: silence and another connection of the same name are reasons too.
#[tokio::test]
async fn silence_and_a_twin_are_reasons() {
    let house = House::open().await;
    let silent = Login { keep_alive: 1, ..daemon("silent") };
    let mut silent = Client::connect(&house, V5, silent).await;
    assert_eq!(reason(&mut silent).await, 0x8d);
    let mut first = Client::connect(&house, V5, daemon("twin")).await;
    let second = Client::connect(&house, V5, daemon("twin")).await;
    assert_eq!(reason(&mut first).await, 0x8e);
    second.leave().await;
    house.close().await;
}

/// 3.2.2.3: what CONNACK says is so.
#[tokio::test]
async fn packets_up_to_the_declared_size_are_taken_and_no_longer_ones() {
    let house = House::open().await;
    for (login, most) in [(Login::guest("guest"), 16_384), (daemon("daemon"), 1 << 20)] {
        let mut client = Client::connect(&house, V5, login.clone()).await;
        let declared = [&[0x27][..], &u32::to_be_bytes(most)].concat();
        assert!(client.connack.windows(5).any(|it| it == declared), "{:x?}", client.connack);
        let mut fits =
            publish(5, "t", &vec![b'x'; usize::try_from(most).unwrap() - 10], 0, false, 0);
        fits.truncate(usize::try_from(most).unwrap());
        client.send(&fits).await;
        client.ping().await;
        client
            .send(&publish(5, "t", &vec![b'x'; usize::try_from(most).unwrap()], 0, false, 0))
            .await;
        assert_eq!(reason(&mut client).await, 0x95, "{}", login.id);
    }
    house.close().await;
}

/// 3.3.2.3.7: user properties are passed on unaltered, and nothing is added that names anybody.
#[tokio::test]
async fn properties_are_passed_unaltered_and_senders_named_to_the_daemon_only() {
    let house = House::open().await;
    let mut daemon = Client::connect(&house, V5, daemon("daemon")).await;
    let mut other = Client::connect(&house, V5, Login::user(ARBITER, "other")).await;
    let mut guest = Client::connect(&house, V5, Login::guest("guest")).await;
    for client in [&mut daemon, &mut other, &mut guest] {
        client.subscribe("adoubed/v1/#", 1).await;
    }
    let pair = [0x26, 0, 1, b'k', 0, 1, b'v'];
    let properties = [&[1, 1][..], &pair, &pair, &[0x26, 0, 1, b'a', 0, 0]].concat();
    daemon.send(&message("adoubed/v1/table/1/event", 0, 0, &properties, b"x")).await;
    for client in [&mut other, &mut guest] {
        assert_eq!(client.message().await.properties, properties);
    }
    daemon.message().await;
    other.send(&message("adoubed/v1/request/flip", 0, 0, &properties, b"x")).await;
    let properties_sent = daemon.message().await.properties;
    assert!(properties_sent.starts_with(&properties) && properties_sent.len() > properties.len());
    assert_eq!(other.message().await.properties, properties, "nobody else");
    house.close().await;
}

/// 3.1.2.11.3: no more under way than the client takes; 3.1.2.11.4: no packet longer than it takes.
#[tokio::test]
async fn receive_maximum_and_maximum_packet_size_of_the_client_are_kept() {
    let house = House::open().await;
    let mut publisher = Client::connect(&house, V5, daemon("publisher")).await;
    let properties = vec![0x21, 0, 2, 0x27, 0, 0, 0, 100];
    let login = Login { properties, ..daemon("small") };
    let mut small = Client::connect(&house, V5, login).await;
    small.acknowledges = false;
    small.subscribe("t/#", 1).await;
    publisher.publish("t/long", &"x".repeat(100), 1, false).await;
    for number in ["1", "2", "3", "4"] {
        publisher.publish("t/short", number, 1, false).await;
    }
    let (first, second) = (small.message().await, small.message().await);
    assert_eq!((first.payload, second.payload), (b"1".to_vec(), b"2".to_vec()));
    small.send(&[0xc0, 0]).await;
    assert_eq!(small.packet().await.unwrap()[0], 0xd0, "nothing but the answer to a ping");
    let id = second.id.to_be_bytes();
    small.send(&[0x40, 2, id[0], id[1]]).await;
    assert_eq!(small.message().await.payload, b"3");
    house.close().await;
}

/// 3.8.3.1: no local, retain as published, retain handling; 3.8.2.1.2: identifiers.
#[tokio::test]
async fn subscriptions_have_their_options() {
    let house = House::open().await;
    let mut client = Client::connect(&house, V5, daemon("client")).await;
    client.publish("kept", "old", 1, true).await;
    assert_eq!(subscribe(&mut client, &subscription(1, &[], "kept", 0x21)).await, 1);
    assert_eq!(subscribe(&mut client, &subscription(2, &[], "kept", 0x11)).await, 1);
    assert_eq!(subscribe(&mut client, &subscription(3, &[], "mine", 0x05)).await, 1);
    let both = [0x0b, 0xc8, 1];
    assert_eq!(subscribe(&mut client, &subscription(4, &both, "t/+", 0x08)).await, 0);
    assert_eq!(subscribe(&mut client, &subscription(5, &[0x0b, 7], "t/#", 0x01)).await, 1);
    client.publish("mine", "x", 1, false).await;
    client.publish("t/x", "x", 1, true).await;
    let got = client.message().await;
    assert_eq!(got.topic, "t/x", "neither retained messages nor one's own");
    assert!(got.retain && got.qos == 1, "as published, at the highest QoS");
    // The sender stands behind them.
    let mut identifiers = got.properties[..5].to_vec();
    identifiers.sort_unstable();
    assert_eq!(identifiers, [1, 7, 0x0b, 0x0b, 0xc8]);
    house.close().await;
}

/// 3.8.4, 3.11.3: each filter has its own answer.
#[tokio::test]
async fn filters_are_answered_one_by_one() {
    let house = House::open().await;
    for (version, expected) in [(5, [0x9e, 0x8f, 0x8f, 0x97]), (4, [0x80; 4])] {
        let way = (Door::Tcp, version);
        let mut client = Client::connect(&house, way, daemon("asks")).await;
        let deep = "a/".repeat(40);
        let filters = ["$share/g/t", "t/#/x", "t+", deep.as_str()];
        for (filter, code) in filters.into_iter().zip(expected) {
            assert_eq!(client.subscribe(filter, 1).await, code, "{version} {filter}");
        }
        client.ping().await;
        client.leave().await;
    }
    let mut client = Client::connect(&house, V5, daemon("leaves")).await;
    client.subscribe("t", 0).await;
    for expected in [0x00, 0x11] {
        let mut body = vec![0, 9, 0];
        string(&mut body, b"t");
        client.send(&packet(0xa2, &body)).await;
        assert_eq!(*client.packet().await.unwrap().last().unwrap(), expected);
    }
    house.close().await;
}

/// 3.3.2.3.3: what is out of date is not delivered, and what is left of its time is told.
#[tokio::test]
async fn messages_expire() {
    let house = House::open().await;
    let mut publisher = Client::connect(&house, V5, daemon("publisher")).await;
    for (topic, seconds) in [("t/short", 0), ("t/long", 100)] {
        let mut packet = message(topic, 1, 5, &[2, 0, 0, 0, seconds], b"x");
        packet[0] |= 1;
        publisher.send(&packet).await;
        publisher.packet().await.unwrap();
    }
    let mut late = Client::connect(&house, V5, daemon("late")).await;
    late.subscribe("t/#", 0).await;
    let got = late.message().await;
    assert_eq!(got.topic, "t/long");
    assert_eq!(got.properties[..4], [2, 0, 0, 0]);
    assert!((90..100).contains(&got.properties[4]), "{:?}", got.properties);
    house.close().await;
}

/// 3.1.3.2.2: a will may wait for its client to come back.
#[tokio::test]
async fn a_will_waits_as_long_as_was_asked() {
    let house = House::open().await;
    let mut witness = Client::connect(&house, V5, daemon("witness")).await;
    witness.subscribe("will", 1).await;
    let will = Some(("will", "gone", false));
    let login = Login { will, will_delay: Some(1), expiry: Some(60), ..daemon("patient") };
    let back = Login { clean: false, ..login.clone() };
    drop(Client::connect(&house, V5, login.clone()).await);
    let returned = Client::connect(&house, V5, back).await;
    assert!(returned.present);
    returned.leave().await;
    witness.publish("will", "nothing before this", 1, false).await;
    assert_eq!(witness.message().await.payload, b"nothing before this");
    drop(Client::connect(&house, V5, login.clone()).await);
    assert_eq!(witness.message().await.payload, b"gone");
    let anew = Login { clean: true, will: None, will_delay: None, ..login.clone() };
    let long = Login { will_delay: Some(50), ..login };
    drop(Client::connect(&house, V5, long).await);
    Client::connect(&house, V5, anew).await.leave().await;
    assert_eq!(witness.message().await.payload, b"gone", "the session has ended before");
    house.close().await;
}

/// 3.2.2.3.14: version 5 is told the keep-alive that holds; 3.2.2.3.7: and the name it was given.
#[tokio::test]
async fn what_was_agreed_is_said() {
    let house = House::open().await;
    for (asked, announced) in [(0, true), (600, true), (30, false)] {
        let login = Login { keep_alive: asked, ..daemon("long") };
        let client = Client::connect(&house, V5, login).await;
        let found = client.connack.windows(3).any(|it| it == [0x13, 0, 60]);
        assert_eq!(found, announced, "{asked}");
        client.leave().await;
    }
    let nameless = Client::connect(&house, V5, daemon("")).await;
    assert!(nameless.connack.windows(3).any(|it| it == [0x12, 0, 32]));
    nameless.leave().await;
    let outcome = Client::try_connect(&house, (Door::Tcp, 4), &daemon("").kept()).await;
    assert_eq!(outcome.err(), Some(2), "a session needs a name");
    house.close().await;
}
