//! The clients people use, against both of the broker's versions: rumqttc as the daemon does, and
//! Mosquitto's tools when they are installed.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail, and tell")]

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use crate::common::client::{Client, Door, Login};
use crate::common::{ARBITER, DAEMON, House, PATIENCE};
use tokio::process::Command;
use tokio::time::timeout;

const TABLES: usize = 200;

async fn publisher(house: &House) -> Client {
    let mut daemon = Client::connect(house, (Door::Tcp, 4), Login::user(DAEMON, "daemon")).await;
    for table in 0..TABLES {
        daemon.publish(&format!("adoubed/v1/table/{table}/position"), "{}", 1, true).await;
    }
    for alert in 0..TABLES {
        daemon.publish(&format!("adoubed/v1/alert/{alert}"), "{}", 1, true).await;
    }
    daemon.publish("adoubed/v1/bridge/state", "online", 1, true).await;
    daemon
}

#[tokio::test]
async fn rumqttc_in_3_1_1_sees_what_a_guest_may_see() {
    use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
    let house = House::open().await;
    let mut daemon = publisher(&house).await;
    let options = MqttOptions::new("guest", house.tcp.ip().to_string(), house.tcp.port());
    let (client, mut events) = AsyncClient::new(options, 10);
    client.subscribe("adoubed/v1/#", QoS::AtLeastOnce).await.unwrap();
    let mut topics = BTreeSet::new();
    while topics.len() < TABLES + 1 {
        let event = timeout(PATIENCE, events.poll()).await.unwrap().unwrap();
        if let Event::Incoming(Packet::Publish(publish)) = event {
            assert!(publish.retain);
            topics.insert(publish.topic);
        }
    }
    assert!(topics.iter().all(|topic| !topic.contains("alert")));
    client.publish("adoubed/v1/table/1/board", QoS::AtLeastOnce, true, "forged").await.unwrap();
    loop {
        let event = timeout(PATIENCE, events.poll()).await.unwrap().unwrap();
        if matches!(event, Event::Incoming(Packet::PubAck(_))) {
            break;
        }
    }
    daemon.publish("adoubed/v1/alert/new", "{}", 1, false).await;
    daemon.publish("adoubed/v1/bridge/info", "{}", 1, false).await;
    loop {
        let event = timeout(PATIENCE, events.poll()).await.unwrap().unwrap();
        if let Event::Incoming(Packet::Publish(publish)) = event {
            assert_eq!(publish.topic, "adoubed/v1/bridge/info");
            break;
        }
    }
    house.close().await;
}

/// A poll that is dropped half way loses its connection: each client polls in a task of its own.
fn polled(mut events: rumqttc::v5::EventLoop) -> tokio::sync::mpsc::Receiver<Polled> {
    let (tell, answers) = tokio::sync::mpsc::channel(64);
    tokio::spawn(async move { while tell.send(events.poll().await).await.is_ok() {} });
    answers
}

type Polled = Result<rumqttc::v5::Event, rumqttc::v5::ConnectionError>;

#[tokio::test]
async fn rumqttc_in_5_asks_and_is_answered() {
    use rumqttc::v5::mqttbytes::QoS;
    use rumqttc::v5::mqttbytes::v5::{Packet, PublishProperties};
    use rumqttc::v5::{AsyncClient, Event, MqttOptions};
    let house = House::open().await;
    let connect = |user: (&str, &str)| {
        let mut options = MqttOptions::new(user.0, house.tcp.ip().to_string(), house.tcp.port());
        options.set_credentials(user.0, user.1);
        AsyncClient::new(options, 10)
    };
    let (daemon, daemon_events) = connect(DAEMON);
    let (arbiter, arbiter_events) = connect(ARBITER);
    let (mut daemon_events, mut arbiter_events) = (polled(daemon_events), polled(arbiter_events));
    daemon.subscribe("adoubed/v1/request/+", QoS::AtLeastOnce).await.unwrap();
    arbiter.subscribe("adoubed/v1/response/tablet", QoS::AtLeastOnce).await.unwrap();
    let asked = PublishProperties {
        response_topic: Some("adoubed/v1/response/tablet".into()),
        correlation_data: Some("7".into()),
        user_properties: vec![("note".into(), "mine".into())],
        ..PublishProperties::default()
    };
    let mut subscribed = 0;
    let answer = async {
        loop {
            tokio::select! {
                Some(event) = daemon_events.recv() => match event.unwrap() {
                    Event::Incoming(Packet::Publish(request)) => {
                        let properties = request.properties.unwrap();
                        let sender = (adoubed_broker::SENDER_PROPERTY.into(), ARBITER.0.into());
                        assert!(properties.user_properties.contains(&sender));
                        let note = ("note".into(), "mine".into());
                        assert!(properties.user_properties.contains(&note));
                        let answered = PublishProperties {
                            correlation_data: properties.correlation_data,
                            ..PublishProperties::default()
                        };
                        let topic = properties.response_topic.unwrap();
                        let sent = daemon.publish_with_properties(
                            topic, QoS::AtLeastOnce, false, "ok", answered,
                        );
                        sent.await.unwrap();
                    }
                    Event::Incoming(Packet::SubAck(_)) => subscribed += 1,
                    _ => {}
                },
                Some(event) = arbiter_events.recv() => match event.unwrap() {
                    Event::Incoming(Packet::Publish(answer)) => break answer,
                    Event::Incoming(Packet::SubAck(_)) => subscribed += 1,
                    _ => {}
                },
            }
            if subscribed == 2 {
                subscribed = 0;
                let topic = "adoubed/v1/request/rule";
                let sent = arbiter.publish_with_properties(
                    topic,
                    QoS::AtLeastOnce,
                    false,
                    "{}",
                    asked.clone(),
                );
                sent.await.unwrap();
            }
        }
    };
    let answer = timeout(PATIENCE, answer).await.expect("an answer");
    assert_eq!(answer.payload, "ok");
    assert_eq!(answer.properties.unwrap().correlation_data, Some("7".into()));
    house.close().await;
}

async fn mosquitto(house: &House, tool: &str, arguments: &[&str]) -> Option<(bool, String)> {
    let mut command = Command::new(tool);
    command.args(["-h", &house.tcp.ip().to_string(), "-p", &house.tcp.port().to_string()]);
    let child = command.args(arguments).stdout(Stdio::piped()).kill_on_drop(true).spawn();
    match child {
        Ok(child) => {
            let output =
                timeout(PATIENCE, child.wait_with_output()).await.expect("it ends").unwrap();
            Some((output.status.success(), String::from_utf8(output.stdout).unwrap()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("SKIPPED, NOT TESTED: {tool} is not installed (Debian: mosquitto-clients)");
            None
        }
        Err(error) => panic!("{tool}: {error}"),
    }
}

#[tokio::test]
async fn mosquitto_sub_as_a_guest_gets_every_table_and_no_alert() {
    let house = House::open().await;
    let _daemon = publisher(&house).await;
    for (version, qos) in [("mqttv311", "0"), ("mqttv311", "1"), ("5", "0"), ("5", "2")] {
        for filter in ["adoubed/v1/#", "#"] {
            let count = (TABLES + 1).to_string();
            let arguments =
                ["-V", version, "-q", qos, "-t", filter, "-F", "%t", "-C", &count, "-W", "15"];
            let Some((ok, printed)) = mosquitto(&house, "mosquitto_sub", &arguments).await else {
                return house.close().await;
            };
            assert!(ok, "{version} {filter} at QoS {qos}");
            let topics: BTreeSet<&str> = printed.lines().collect();
            assert_eq!(topics.len(), TABLES + 1, "{version} {filter} at QoS {qos}");
            assert!(topics.iter().all(|topic| !topic.contains("alert")));
        }
    }
    house.close().await;
}

#[tokio::test]
async fn mosquitto_sub_waits_in_vain_for_an_alert() {
    let house = House::open().await;
    let _daemon = publisher(&house).await;
    for version in ["mqttv311", "5"] {
        let arguments = ["-V", version, "-t", "adoubed/v1/alert/#", "-F", "%t", "-W", "1"];
        let Some((_, printed)) = mosquitto(&house, "mosquitto_sub", &arguments).await else {
            return house.close().await;
        };
        assert_eq!(printed, "", "{version}");
    }
    house.close().await;
}

#[tokio::test]
async fn mosquitto_pub_reaches_the_daemon_with_the_whistle_only() {
    let house = House::open().await;
    let mut daemon = Client::connect(&house, (Door::Tcp, 5), Login::user(DAEMON, "daemon")).await;
    daemon.subscribe("adoubed/v1/request/#", 1).await;
    for version in ["mqttv311", "5"] {
        for qos in ["0", "1", "2"] {
            let message = ["-V", version, "-q", qos, "-t", "adoubed/v1/request/flip", "-m", "x"];
            let forged = [&message[..], &["-i", "guest"]].concat();
            let known = ["-u", ARBITER.0, "-P", ARBITER.1, "-m", "arbiter"];
            let known = [&message[..6], &known].concat();
            if mosquitto(&house, "mosquitto_pub", &forged).await.is_none() {
                return house.close().await;
            }
            assert!(mosquitto(&house, "mosquitto_pub", &known).await.unwrap().0);
            assert_eq!(daemon.message().await.payload, b"arbiter", "{version} at QoS {qos}");
            let wrong = [&message[..], &["-u", ARBITER.0, "-P", "wrong"]].concat();
            assert!(!mosquitto(&house, "mosquitto_pub", &wrong).await.unwrap().0);
        }
    }
    house.close().await;
}

/// The daemon's own way: publish much at once, be cut off, come back, publish again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rumqttc_publishes_a_snapshot_without_loss() {
    use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
    let house = House::open().await;
    let mut options = MqttOptions::new("bridge", house.tcp.ip().to_string(), house.tcp.port());
    options.set_credentials(DAEMON.0, DAEMON.1).set_keep_alive(Duration::from_secs(5));
    let (client, mut events) = AsyncClient::new(options, 100);
    let polling = tokio::spawn(async move {
        let mut acknowledged = 0;
        while acknowledged < 2000 {
            let event = timeout(PATIENCE, events.poll()).await.unwrap().unwrap();
            acknowledged += usize::from(matches!(event, Event::Incoming(Packet::PubAck(_))));
        }
    });
    for number in 0..2000 {
        let topic = format!("adoubed/v1/table/{number}/game");
        client.publish(topic, QoS::AtLeastOnce, true, "g".repeat(2000)).await.unwrap();
    }
    polling.await.unwrap();
    assert_eq!(house.broker.door().figures().await.retained, 2000);
    house.close().await;
}

/// A judge in another language, in 3.1.1 and 5: retained messages, every quality both ways, a will,
/// and with 5 a request and its answer. Said loudly where its library is not installed.
async fn judged(program: &str, script: &str, there: &[&str], versions: [&str; 2], url: bool) {
    let judges = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges");
    let known = Command::new(program).args(there).current_dir(judges).output().await;
    if !known.is_ok_and(|output| output.status.success()) {
        return eprintln!("SKIPPED, NOT TESTED: {script}: its library is not installed");
    }
    let house = House::open().await;
    for version in versions {
        let address = match url {
            true => vec![format!("mqtt://{}", house.tcp)],
            false => vec![house.tcp.ip().to_string(), house.tcp.port().to_string()],
        };
        let mut command = Command::new(program);
        command.arg(format!("{judges}/{script}")).args(address);
        command.args([version, DAEMON.0, DAEMON.1]).kill_on_drop(true);
        let output = timeout(3 * PATIENCE, command.output()).await.expect("it ends").unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let fault = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && stdout == "judged\n",
            "version {version}: {stdout}{fault}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn paho_mqtt_judges() {
    let program = std::env::var("ADOUBED_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let there = ["-c", "import paho.mqtt.properties"];
    judged(&program, "paho_judge.py", &there, ["311", "5"], false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mqtt_js_judges() {
    let there = "import('node:module').then(it => it.createRequire(process.cwd() + \
                 '/../../../web/package.json')('mqtt'))";
    judged("node", "mqttjs.mjs", &["-e", there], ["4", "5"], true).await;
}
