//! What MQTT promises, checked at both doors and in both versions: the safety net under the
//! library. Access rules have their own file.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

use crate::common::client::{Client, Login, WAYS};
use crate::common::{DAEMON, House, until};

const END: &str = "end";

fn topics(messages: &[crate::common::client::Message]) -> Vec<&str> {
    let mut topics: Vec<&str> = messages.iter().map(|message| message.topic.as_str()).collect();
    topics.sort_unstable();
    topics
}

fn daemon(id: &str) -> Login {
    Login::user(DAEMON, id)
}

#[tokio::test]
async fn wildcards_find_retained_messages() {
    let house = House::open().await;
    for way in WAYS {
        let mut daemon_client = Client::connect(&house, way, daemon("publisher")).await;
        let all = ["a", "a/b", "a/b/c", "a/d", "x/b/c", "état/1"];
        for topic in all {
            daemon_client.publish(topic, topic, 1, true).await;
        }
        for (filter, expected) in [
            ("#", &all[..]),
            ("a/#", &["a", "a/b", "a/b/c", "a/d"]),
            ("a/+", &["a/b", "a/d"]),
            ("+/b/c", &["a/b/c", "x/b/c"]),
            ("a/b", &["a/b"]),
            ("état/+", &["état/1"]),
            ("a/+/+", &["a/b/c"]),
        ] {
            for qos in 0..=2 {
                let mut late = Client::connect(&house, way, daemon("late")).await;
                assert_eq!(late.subscribe(END, qos).await, qos);
                assert_eq!(late.subscribe(filter, qos).await, qos);
                daemon_client.publish(END, "", 2, false).await;
                let messages = late.messages_before(END).await;
                assert_eq!(topics(&messages), expected, "{way:?} {filter} at QoS {qos}");
                assert!(messages.iter().all(|message| message.retain));
                assert!(messages.iter().all(|message| message.payload == message.topic.as_bytes()));
                assert!(messages.iter().all(|message| message.qos == qos.min(1)));
                late.leave().await;
            }
        }
        for topic in all {
            daemon_client.publish(topic, "", 1, true).await;
        }
        daemon_client.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn subscribing_again_sends_the_retained_message_again() {
    let house = House::open().await;
    for way in WAYS {
        let mut client = Client::connect(&house, way, daemon("again")).await;
        client.publish("kept", "1", 1, true).await;
        for _ in 0..3 {
            client.subscribe("kept", 1).await;
            let message = client.message().await;
            assert_eq!((message.payload, message.retain), (b"1".to_vec(), true), "{way:?}");
        }
        client.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn a_live_message_is_not_marked_retained() {
    let house = House::open().await;
    for way in WAYS {
        let mut client = Client::connect(&house, way, daemon("live")).await;
        client.subscribe("live/#", 2).await;
        for qos in 0..=2 {
            client.publish("live/x", "now", qos, true).await;
            let message = client.message().await;
            assert_eq!((message.retain, message.qos), (false, qos), "{way:?}");
        }
        client.publish("live/x", "", 1, true).await;
        client.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn an_empty_message_clears_only_when_retained() {
    let house = House::open().await;
    for way in WAYS {
        let mut client = Client::connect(&house, way, daemon("eraser")).await;
        client.publish("kept", "1", 1, true).await;
        client.publish("kept", "", 1, false).await;
        client.subscribe("kept", 1).await;
        assert_eq!(client.message().await.payload, b"1", "{way:?}");
        client.unsubscribe("kept").await;
        client.publish("kept", "", 1, true).await;
        client.subscribe("kept", 1).await;
        client.publish("kept", "end", 1, false).await;
        assert_eq!(client.message().await.payload, b"end", "{way:?}");
        client.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn a_resumed_session_has_its_queue_and_its_subscriptions() {
    let house = House::open().await;
    for way in WAYS {
        let login = daemon("sleeper").kept();
        let mut sleeper = Client::connect(&house, way, login.clone()).await;
        assert!(!sleeper.present);
        sleeper.subscribe("queue/#", 1).await;
        drop(sleeper);
        let mut awake = Client::connect(&house, way, daemon("awake")).await;
        until_clients(&house, 1).await;
        for number in ["1", "2", "3"] {
            awake.publish("queue/x", number, 1, false).await;
        }
        let mut sleeper = Client::connect(&house, way, login).await;
        assert!(sleeper.present, "{way:?}");
        for number in ["1", "2", "3"] {
            assert_eq!(sleeper.message().await.payload, number.as_bytes(), "{way:?}");
        }
        awake.publish("queue/x", "4", 1, true).await;
        assert_eq!(sleeper.message().await.payload, b"4", "{way:?}");
        sleeper.subscribe("queue/#", 1).await;
        assert!(sleeper.message().await.retain, "{way:?}");
        awake.publish("queue/x", "", 1, true).await;
        sleeper.leave().await;
        awake.leave().await;
        until_clients(&house, 0).await;
        Client::connect(&house, way, daemon("sleeper")).await.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn what_was_not_acknowledged_comes_again() {
    let house = House::open().await;
    for way in WAYS {
        let login = daemon("forgetful").kept();
        let mut forgetful = Client::connect(&house, way, login.clone()).await;
        forgetful.subscribe("again", 1).await;
        forgetful.acknowledges = false;
        let mut awake = Client::connect(&house, way, daemon("awake")).await;
        awake.publish("again", "once", 1, false).await;
        let first = forgetful.message().await;
        drop(forgetful);
        until_clients(&house, 1).await;
        let mut forgetful = Client::connect(&house, way, login).await;
        let second = forgetful.message().await;
        assert_eq!((second.id, second.payload), (first.id, first.payload), "{way:?}");
        forgetful.leave().await;
        awake.leave().await;
        Client::connect(&house, way, daemon("forgetful")).await.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn a_clean_session_ends_with_its_connection() {
    let house = House::open().await;
    for way in WAYS {
        Client::connect(&house, way, daemon("clean").kept()).await.leave().await;
        assert!(Client::connect(&house, way, daemon("clean").kept()).await.present, "{way:?}");
        until_clients(&house, 0).await;
        Client::connect(&house, way, daemon("clean")).await.leave().await;
        until_clients(&house, 0).await;
        assert!(!Client::connect(&house, way, daemon("clean").kept()).await.present, "{way:?}");
        until_clients(&house, 0).await;
        Client::connect(&house, way, daemon("clean")).await.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn a_will_is_published_when_the_connection_breaks_and_only_then() {
    let house = House::open().await;
    for way in WAYS {
        let mut witness = Client::connect(&house, way, daemon("witness")).await;
        witness.subscribe("will", 1).await;
        let with_will = Login { will: Some(("will", "offline", true)), ..daemon("bridge") };

        drop(Client::connect(&house, way, with_will.clone()).await);
        assert_eq!(witness.message().await.payload, b"offline", "broken {way:?}");

        Client::connect(&house, way, with_will.clone()).await.leave().await;
        until_clients(&house, 1).await;
        witness.publish("will", "nothing before this", 1, false).await;
        assert_eq!(witness.message().await.payload, b"nothing before this", "left {way:?}");

        let silent = Login { keep_alive: 1, ..with_will.clone() };
        let mut silent = Client::connect(&house, way, silent).await;
        let begun = tokio::time::Instant::now();
        assert_eq!(witness.message().await.payload, b"offline", "silent {way:?}");
        assert!(begun.elapsed().as_millis() >= 1000, "before the keep-alive ran out");
        assert!(silent.message_or_end().await.is_none());

        let mut first = Client::connect(&house, way, with_will.clone()).await;
        let second = Client::connect(&house, way, with_will).await;
        assert_eq!(witness.message().await.payload, b"offline", "taken over {way:?}");
        assert!(first.message_or_end().await.is_none());
        second.leave().await;
        witness.publish("will", "", 1, true).await;
        witness.leave().await;
        until_clients(&house, 0).await;
    }
    house.close().await;
}

#[tokio::test]
async fn the_latest_connection_of_a_client_id_stays() {
    let house = House::open().await;
    for way in WAYS {
        let mut first = Client::connect(&house, way, daemon("twin")).await;
        first.subscribe("twin", 1).await;
        let mut second = Client::connect(&house, way, daemon("twin")).await;
        assert!(first.message_or_end().await.is_none(), "{way:?}");
        second.subscribe("twin", 1).await;
        second.publish("twin", "still here", 1, false).await;
        assert_eq!(second.message().await.payload, b"still here", "{way:?}");
        second.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn odd_client_ids_are_served_or_refused_in_words() {
    let house = House::open().await;
    for way in WAYS {
        for id in ["", "a b", "état", "+", "#", "$SYS", "x+y#z", "a/b", "..", &"n".repeat(256)] {
            let mut client = Client::connect(&house, way, daemon(id)).await;
            client.ping().await;
            client.leave().await;
        }
        let refusal = if way.1 == 5 { 0x85 } else { 2 };
        let outcome = Client::try_connect(&house, way, &daemon(&"n".repeat(257))).await;
        assert_eq!(outcome.err(), Some(refusal), "{way:?} longer than anybody needs");
    }
    house.close().await;
}

#[tokio::test]
async fn a_topic_may_begin_with_any_letter() {
    let house = House::open().await;
    for way in WAYS {
        let mut client = Client::connect(&house, way, daemon("letters")).await;
        client.subscribe("#", 1).await;
        for topic in ["état/1", "棋/1", "🙂", " ", "/", "//"] {
            client.publish(topic, "x", 1, false).await;
            assert_eq!(client.message().await.topic, topic, "{way:?}");
        }
        client.leave().await;
    }
    house.close().await;
}

#[tokio::test]
async fn exactly_once_is_exactly_once() {
    let house = House::open().await;
    for way in WAYS {
        let mut client = Client::connect(&house, way, daemon("once")).await;
        client.subscribe("once", 2).await;
        let packet = crate::common::client::publish(way.1, "once", b"x", 2, false, 77);
        client.send(&packet).await;
        let mut again = packet.clone();
        again[0] |= 8;
        client.send(&again).await;
        let (mut received, mut completed, mut delivered) = (0, 0, 0);
        while received < 2 {
            match client.packet().await.unwrap()[0] {
                0x50 => received += 1,
                0x34 => delivered += 1,
                other => panic!("{other:x}"),
            }
        }
        client.send(&[0x62, 2, 0, 77]).await;
        client.send(&[0x62, 2, 0, 77]).await;
        while completed < 2 || delivered < 1 {
            match client.packet().await.unwrap()[0] {
                0x70 => completed += 1,
                0x34 => delivered += 1,
                other => panic!("{other:x}"),
            }
        }
        assert_eq!(delivered, 1, "{way:?}");
        client.publish("once", "end", 0, false).await;
        assert_eq!(client.message().await.payload, b"end", "{way:?}");
    }
    house.close().await;
}

async fn until_clients(house: &House, count: usize) {
    let door = house.broker.door();
    until("the others have left", async || door.figures().await.clients == count).await;
}
