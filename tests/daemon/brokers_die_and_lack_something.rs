//! Of several brokers the next one takes over when one dies. What a broker does not speak or keep
//! is found out, and said where it matters.

use std::net::SocketAddr;

use serde_json::json;

use super::pages_and_feed_behind_one_port::assert_feed;
use crate::common::gate::{self, Lacks};
use crate::common::{Board, Daemon, Feed, House, Mosquitto, RUNTIME, get};

fn house(urls: &[SocketAddr]) -> (House, Board) {
    let mut house = House::new();
    let urls: Vec<_> = urls.iter().map(|it| format!("\"mqtt://{it}\"")).collect();
    house.set("mqtt", "broker", "external");
    house.put("mqtt", "url", &format!("[{}]", urls.join(", ")));
    house.table(1, "driver = \"dgt\"");
    let board = Board::dgt(&house.line("1"), "26015");
    (house, board)
}

#[test]
fn when_a_broker_dies_the_next_is_told_everything_and_pages_follow() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let test = "a broker that dies";
    let Some(mut first) = Mosquitto::open(test, here.path()) else { return };
    let Some(second) = Mosquitto::open(test, there.path()) else { return };
    let (house, mut board) = house(&[first.address, second.address]);
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(first.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");

    first.close();
    let feed = Feed::guest(second.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    // The pages' own door leads to the same broker now.
    RUNTIME.block_on(assert_feed(&daemon, 5));
    board.start_clock();
    board.play_and_press("e4", 178);
    board.play_and_press("e5", 177);
    let both = |it: &serde_json::Value| it["moves"][1]["status"] == "completed";
    feed.topic("table/1/game", "both moves", both);
    let answer = feed.ask("set_result", json!({"table": 1, "result": "1-0"}));
    assert_eq!(answer["status"], "ok");
    feed.topic("table/1/game", "a result", |it| it["result"] == "1-0");
}

#[test]
fn a_broker_of_the_older_version_is_spoken_to_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let Some(mosquitto) = Mosquitto::open("MQTT 3.1.1 only", directory.path()) else { return };
    let (house, mut board) = house(&[gate::open(mosquitto.address, Lacks::Five)]);
    let daemon = Daemon::start(&house);
    daemon.logged("with MQTT 3.1.1");
    let feed = Feed::guest(mosquitto.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    board.play_and_press("e4", 178);
    feed.topic("table/1/position", "e4", |it| it["status"] == "completed");
    // Without a response topic of MQTT 5 the answer comes where the contract says.
    let body = json!({"table": 1, "result": "1-0", "transaction": "7"}).to_string();
    mosquitto.publish("311", "adoubed/v1/request/set_result", &body);
    let answered = |it: &serde_json::Value| it["transaction"] == "7" && it["status"] == "ok";
    feed.topic("response/set_result", "an answer", answered);
    daemon.kill();
    feed.topic("bridge/state", "the last will", |it| it["state"] == "offline");
}

#[test]
fn a_broker_that_keeps_nothing_for_late_screens_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let Some(mosquitto) = Mosquitto::open("nothing retained", directory.path()) else { return };
    let (house, _board) = house(&[gate::open(mosquitto.address, Lacks::Retained)]);
    let daemon = Daemon::start(&house);
    daemon.logged("sends no retained messages to filters with wildcards");
    let health = get(daemon.pages, "/healthz").text();
    assert!(health.starts_with("degraded\n"), "{health}");
    assert!(health.contains("broker: connected, but keeps nothing for screens that come late"));
}

#[test]
fn a_good_broker_is_asked_and_nothing_of_the_question_stays() {
    let directory = tempfile::tempdir().unwrap();
    let Some(mosquitto) = Mosquitto::open("a good broker", directory.path()) else { return };
    let feed = Feed::guest(mosquitto.address);
    let (house, _board) = house(&[mosquitto.address]);
    let daemon = Daemon::start(&house);
    let probe = "adoubed/v1/bridge/probe";
    feed.wait("the probe, and its end", |heard| {
        let of_probe = heard.messages.iter().filter(|it| it.topic == probe);
        (of_probe.map(|it| it.payload.is_empty()).collect::<Vec<_>>() == [false, true])
            .then_some(())
    });
    assert_eq!(daemon.said("sends no retained messages"), 0);
    let late = Feed::guest(mosquitto.address);
    late.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    late.look(|heard| assert!(heard.latest(probe).is_none_or(|it| it.payload.is_empty())));
}
