//! Who gets what: guests, arbiters and the daemon at both doors and in both versions, with
//! filters that reach further than their rights. The rules are those of a hall.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

use std::sync::atomic::Ordering;

use crate::common::client::{Client, Door, Login, WAYS};
use crate::common::{ARBITER, DAEMON, House, until};
use adoubed_broker::SENDER_PROPERTY;

const OPEN: [&str; 4] = [
    "adoubed/v1/bridge/state",
    "adoubed/v1/public/1/position",
    "adoubed/v1/table/1/board",
    "adoubed/v1/table/2/board",
];
const SHUT: [&str; 4] =
    ["adoubed/v1/alert/7", "adoubed/v1/request/rule", "adoubed/v1/response/rule", "elsewhere/x"];
const END: &str = "adoubed/v1/table/end";

fn daemon() -> Login {
    Login::user(DAEMON, "daemon")
}

fn arbiter() -> Login {
    Login::user(ARBITER, "tablet")
}

fn sorted(messages: &[crate::common::client::Message]) -> Vec<&str> {
    let mut topics: Vec<_> = messages.iter().map(|message| message.topic.as_str()).collect();
    topics.sort_unstable();
    topics
}

async fn publish_all(daemon: &mut Client, retain: bool) {
    for topic in SHUT.iter().chain(&OPEN).chain(&SHUT) {
        daemon.publish(topic, "x", 1, retain).await;
    }
    daemon.publish(END, "", 2, false).await;
}

#[tokio::test]
async fn a_guest_gets_all_it_may_read_and_nothing_else() {
    let house = House::open().await;
    let mut daemon = Client::connect(&house, (Door::Tcp, 4), daemon()).await;
    for filter in ["#", "adoubed/#", "adoubed/v1/#", "+/v1/+/#"] {
        for (way, qos) in WAYS.into_iter().flat_map(|way| (0..=2).map(move |qos| (way, qos))) {
            publish_all(&mut daemon, true).await;
            let mut guest = Client::connect(&house, way, Login::guest("guest")).await;
            assert_eq!(guest.subscribe(filter, qos).await, qos, "{way:?} {filter}");
            daemon.publish(END, "", 2, false).await;
            let retained = guest.messages_before(END).await;
            assert_eq!(sorted(&retained), OPEN, "retained {way:?} {filter} at QoS {qos}");
            publish_all(&mut daemon, false).await;
            let live = guest.messages_before(END).await;
            assert_eq!(sorted(&live), OPEN, "live {way:?} {filter} at QoS {qos}");
            guest.leave().await;
        }
    }
    assert!(house.broker.door().figures().await.withheld > 0);
    house.close().await;
}

/// Far more withheld messages than may be under way at a time: each must free its place.
#[tokio::test]
async fn withheld_messages_do_not_block_what_follows() {
    let house = House::open().await;
    for way in WAYS {
        for (sent, qos) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
            let mut daemon = Client::connect(&house, (Door::Tcp, 5), daemon()).await;
            let mut guest = Client::connect(&house, way, Login::guest("patient")).await;
            guest.subscribe("#", qos).await;
            for number in 0..300 {
                daemon.publish("adoubed/v1/alert/1", "x", sent, false).await;
                if number % 100 == 0 {
                    daemon.publish("adoubed/v1/table/1/event", "y", sent, false).await;
                }
            }
            daemon.publish(END, "", 2, false).await;
            assert_eq!(guest.messages_before(END).await.len(), 3, "{way:?} {qos}");
            guest.ping().await;
            guest.leave().await;
            daemon.leave().await;
        }
    }
    house.close().await;
}

#[tokio::test]
async fn a_guests_kept_session_stays_blind_too() {
    let house = House::open().await;
    for way in WAYS {
        let login = Login::guest("logger").kept();
        let mut guest = Client::connect(&house, way, login.clone()).await;
        guest.subscribe("adoubed/v1/#", 1).await;
        drop(guest);
        let mut daemon = Client::connect(&house, way, daemon()).await;
        until_clients(&house, 1).await;
        publish_all(&mut daemon, false).await;
        let mut guest = Client::connect(&house, way, login).await;
        assert!(guest.present);
        let messages = guest.messages_before(END).await;
        assert_eq!(sorted(&messages), OPEN, "{way:?}");
        guest.leave().await;
        daemon.leave().await;
        until_clients(&house, 0).await;
        Client::connect(&house, way, Login::guest("logger")).await.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn guests_cannot_keep_any_number_of_sessions() {
    let house = House::open().await;
    for way in WAYS {
        let kept = |number| Login::guest(&format!("hoarder {number}")).kept();
        for number in 0..20 {
            Client::connect(&house, way, kept(number)).await.leave().await;
        }
        until_clients(&house, 0).await;
        let mut present = 0;
        for number in 0..20 {
            let client = Client::connect(&house, way, kept(number)).await;
            present += usize::from(client.present);
            client.leave().await;
        }
        assert_eq!(present, 16, "{way:?}");
        until_clients(&house, 0).await;
        for number in 0..20 {
            let login = Login { clean: true, expiry: None, ..kept(number) };
            Client::connect(&house, way, login).await.leave().await;
        }
        until_clients(&house, 0).await;
    }
    house.close().await;
}

#[tokio::test]
async fn a_guest_publishes_nothing() {
    let house = House::open().await;
    for way in WAYS {
        let mut witness = Client::connect(&house, way, daemon()).await;
        witness.subscribe("#", 2).await;
        let will = Some((SHUT[0], "forged", true));
        let mut guest =
            Client::connect(&house, way, Login { will, ..Login::guest("forger") }).await;
        let refused = if way.1 == 5 { 0x87 } else { 0 };
        for topic in OPEN.iter().chain(&SHUT).chain(&[END]) {
            for retain in [false, true] {
                assert_eq!(guest.publish(topic, "forged", 0, retain).await, 0);
                assert_eq!(guest.publish(topic, "forged", 1, retain).await, refused);
                assert_eq!(guest.publish(topic, "forged", 2, retain).await, refused, "{way:?}");
            }
        }
        drop(guest);
        until_clients(&house, 1).await;
        witness.publish(END, "", 2, false).await;
        let messages = witness.messages_before(END).await;
        assert!(messages.is_empty(), "{way:?} {messages:?}");
        witness.leave().await;
        until_clients(&house, 0).await;
    }
    assert_eq!(house.broker.door().figures().await.retained, 0);
    house.close().await;
}

#[tokio::test]
async fn a_filter_without_hope_is_refused() {
    let house = House::open().await;
    for way in WAYS {
        let mut guest = Client::connect(&house, way, Login::guest("curious")).await;
        let refused = if way.1 == 5 { 0x87 } else { 0x80 };
        for filter in ["adoubed/v1/alert/#", "adoubed/v1/request/+", "elsewhere/#", "$SYS/#"] {
            assert_eq!(guest.subscribe(filter, 1).await, refused, "{way:?} {filter}");
        }
        guest.ping().await;
        guest.leave().await;
        let mut arbiter = Client::connect(&house, way, arbiter()).await;
        let shared = "$share/arbiters/adoubed/v1/alert/#";
        let refused = if way.1 == 5 { 0x9e } else { 0x80 };
        assert_eq!(arbiter.subscribe(shared, 1).await, refused, "{way:?} {shared}");
        arbiter.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn an_arbiter_reads_everything_and_publishes_requests_only() {
    let house = House::open().await;
    for way in WAYS {
        let mut daemon = Client::connect(&house, way, daemon()).await;
        daemon.subscribe("adoubed/v1/request/#", 1).await;
        let mut arbiter = Client::connect(&house, way, arbiter()).await;
        arbiter.subscribe("#", 1).await;
        publish_all(&mut daemon, false).await;
        let messages = arbiter.messages_before(END).await;
        assert_eq!(messages.len(), 2 * SHUT.len() + OPEN.len(), "{way:?}");
        daemon.message().await;
        daemon.message().await;

        let refused = if way.1 == 5 { 0x87 } else { 0 };
        assert_eq!(arbiter.publish("adoubed/v1/table/1/board", "x", 1, true).await, refused);
        assert_eq!(arbiter.publish("adoubed/v1/alert/1", "", 1, true).await, refused);
        assert_eq!(arbiter.publish("adoubed/v1/request/rule", "upheld", 1, false).await, 0);
        assert_eq!(daemon.message().await.payload, b"upheld", "{way:?}");
        arbiter.leave().await;
        daemon.leave().await;
        until_clients(&house, 0).await;
    }
    assert_eq!(house.broker.door().figures().await.retained, 0);
    house.close().await;
}

#[tokio::test]
async fn a_request_names_its_sender_and_cannot_lie_about_it() {
    let house = House::open().await;
    let mut daemon = Client::connect(&house, (Door::Tcp, 5), daemon()).await;
    daemon.subscribe("adoubed/v1/request/#", 1).await;
    for way in WAYS {
        let mut arbiter = Client::connect(&house, way, arbiter()).await;
        arbiter.publish("adoubed/v1/request/rule", "x", 1, false).await;
        let properties = daemon.message().await.properties;
        assert!(holds(&properties, &pair(SENDER_PROPERTY, ARBITER.0)), "{way:?}");
        arbiter.leave().await;
    }
    let mut liar = Client::connect(&house, (Door::Tcp, 5), arbiter()).await;
    let lie = pair(SENDER_PROPERTY, DAEMON.0);
    let mut body = vec![0, 22];
    body.extend(b"adoubed/v1/request/lie");
    body.push(u8::try_from(lie.len()).unwrap());
    body.extend(&lie);
    liar.send(&crate::common::client::packet(0x30, &body)).await;
    let properties = daemon.message().await.properties;
    assert!(holds(&properties, &pair(SENDER_PROPERTY, ARBITER.0)));
    assert!(!holds(&properties, &lie));
    house.close().await;
}

fn pair(key: &str, value: &str) -> Vec<u8> {
    let string = |text: &str| {
        [&u16::try_from(text.len()).unwrap().to_be_bytes()[..], text.as_bytes()].concat()
    };
    [vec![0x26], string(key), string(value)].concat()
}

fn holds(properties: &[u8], wanted: &[u8]) -> bool {
    properties.windows(wanted.len()).any(|window| window == wanted)
}

#[tokio::test]
async fn wrong_names_and_passwords_are_refused() {
    let house = House::open().await;
    for way in WAYS {
        let refusal = if way.1 == 5 { 0x86 } else { 4 };
        for user in [("daemon", "wrong"), ("daemon", ""), ("nobody", "whistle"), ("", "")] {
            let outcome = Client::try_connect(&house, way, &Login::user(user, "x")).await;
            assert_eq!(outcome.err(), Some(refusal), "{way:?} {user:?}");
        }
    }
    let refused = house.broker.door().figures().await.refused;
    assert_eq!(refused, 4 * u64::try_from(WAYS.len()).unwrap());
    house.close().await;
}

#[tokio::test]
async fn nobody_takes_the_place_of_another_user() {
    let house = House::open().await;
    for way in WAYS {
        let mut daemon = Client::connect(&house, way, daemon()).await;
        let refusal = if way.1 == 5 { 0x85 } else { 2 };
        for login in [Login::guest("daemon"), Login::user(ARBITER, "daemon")] {
            for login in [login.clone(), login.kept()] {
                let outcome = Client::try_connect(&house, way, &login).await;
                assert_eq!(outcome.err(), Some(refusal), "{way:?}");
            }
        }
        daemon.ping().await;
        let squatter = Client::connect(&house, way, Login::guest("tablet")).await;
        Client::connect(&house, way, arbiter()).await.leave().await;
        drop(squatter);
        daemon.leave().await;
        until_clients(&house, 0).await;
    }
    house.close().await;
}

#[tokio::test]
async fn closing_the_hall_stops_the_tables_at_once() {
    let house = House::open().await;
    for way in WAYS {
        house.hall.open.store(true, Ordering::Relaxed);
        let mut daemon = Client::connect(&house, way, daemon()).await;
        let mut guest = Client::connect(&house, way, Login::guest("guest")).await;
        guest.subscribe("adoubed/v1/#", 1).await;
        daemon.publish(OPEN[2], "open", 1, false).await;
        assert_eq!(guest.message().await.payload, b"open");
        house.hall.open.store(false, Ordering::Relaxed);
        daemon.publish(OPEN[2], "closed", 1, false).await;
        daemon.publish(OPEN[0], "bridge", 1, false).await;
        assert_eq!(guest.message().await.payload, b"bridge", "{way:?}");
        guest.leave().await;
        daemon.leave().await;
    }
    house.close().await;
}

async fn until_clients(house: &House, count: usize) {
    let door = house.broker.door();
    until("the others have left", async || door.figures().await.clients == count).await;
}

/// Whatever a user who is not the host retains, the host's next alert is taken and delivered.
#[tokio::test]
async fn nobody_fills_the_room_of_the_host() {
    const QUOTA_EXCEEDED: u8 = 0x97;
    let house = House::open().await;
    let mut tablet = Client::connect(&house, (Door::Tcp, 5), arbiter()).await;
    let mut taken = 0;
    while tablet.publish(&format!("adoubed/v1/request/{taken}"), "x", 1, true).await == 0 {
        taken += 1;
        assert!(taken < 20_000, "as much as he likes");
    }
    assert_eq!(tablet.publish("adoubed/v1/request/more", "x", 1, true).await, QUOTA_EXCEEDED);
    assert_eq!(
        tablet.publish("adoubed/v1/request/0", "", 1, true).await,
        0,
        "he may clear his own"
    );
    let mut daemon = Client::connect(&house, (Door::Tcp, 5), daemon()).await;
    for number in 0..20_000 {
        let topic = format!("adoubed/v1/alert/{number}");
        assert_eq!(daemon.publish(&topic, "open", 1, true).await, 0, "{topic}");
    }
    let mut other = Client::connect(&house, (Door::Tcp, 5), Login::user(ARBITER, "other")).await;
    other.subscribe("adoubed/v1/alert/19999", 1).await;
    assert_eq!(other.message().await.payload, b"open");
    house.close().await;
}
