//! On somebody else's broker the feed is the same: retained, told again whenever the broker has
//! forgotten it, with requests and with a last will.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::pages_and_feed_behind_one_port::assert_feed;
use crate::common::{
    Board, Daemon, Feed, House, Mosquitto, Organizer, RUNTIME, adoubed, finish, judges,
};

/// This broker keeps nothing from anybody: arbiters' topics are among them.
const TOPICS: [&str; 12] = [
    "arbiter/ledger/1",
    "arbiter/time_sheet/1",
    "arbiter/unseated",
    "arbiter/watch_list",
    "bridge/info",
    "bridge/state",
    "table/1/board",
    "table/1/clock",
    "table/1/device",
    "table/1/game",
    "table/1/pgn",
    "table/1/position",
];

/// Everything retained, as a client that comes now is told it.
fn assert_retained(feed: &Feed, fen: &str) {
    let expected: BTreeSet<_> = TOPICS.map(|topic| format!("adoubed/v1/{topic}")).into();
    feed.wait("every retained topic", |heard| {
        let there =
            heard.latest.iter().filter(|(_, index)| !heard.messages[**index].payload.is_empty());
        let topics: BTreeSet<_> = there.map(|(topic, _)| topic.clone()).collect();
        topics.is_superset(&expected).then_some(())
    });
    feed.topic("table/1/position", "the position", |it| it["fen"] == fen);
    feed.topic("bridge/state", "online", |it| it["state"] == "online");
}

#[test]
fn an_external_broker_carries_the_same_feed_and_is_told_everything_again() {
    let mut house = House::new();
    let Some(mut mosquitto) = Mosquitto::open("external broker", house.path()) else { return };
    house.set("mqtt", "broker", "external");
    house.set("mqtt", "url", &format!("mqtt://{}", mosquitto.address));
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "26015");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(mosquitto.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    board.play_and_press("e4", 178);
    feed.topic("table/1/position", "e4", |it| it["status"] == "completed");
    assert_retained(&Feed::guest(mosquitto.address), &board.game.fen());

    // The broker ends; the game does not.
    mosquitto.close();
    daemon.logged("no broker at");
    board.play_and_press("e5", 177);
    mosquitto.forget(house.path());
    let feed = Feed::guest(mosquitto.address);
    assert_retained(&feed, &board.game.fen());
    let game =
        feed.topic("table/1/game", "both moves", |it| it["moves"][1]["status"] == "completed");
    assert_eq!(game["moves"][1]["clk_ms"], 177_000);
    for judge in judges("external broker", mosquitto.address, "adoubed/v1/#") {
        judge.wait("every retained topic", |said| {
            // The probe of a new connection may still stand there.
            let kept = said.iter().filter(|it| it.retain && !it.topic.ends_with("/bridge/probe"));
            let topics = kept.map(|it| it.topic.as_str());
            (topics.collect::<BTreeSet<_>>().len() == TOPICS.len()).then_some(())
        });
    }
    assert_requests(&mosquitto, &feed);
    assert_last_will(daemon, &house, &mosquitto, &board);
}

/// Requests come from any client the broker lets in.
fn assert_requests(mosquitto: &Mosquitto, feed: &Feed) {
    let answer = feed.ask("set_result", json!({"table": 1, "result": "1-0"}));
    assert_eq!((&answer["status"], &answer["error"]), (&json!("ok"), &Value::Null));
    feed.topic("table/1/game", "a result", |it| it["result"] == "1-0");
    for version in ["311", "5"] {
        let body = json!({"table": 1, "result": "*", "transaction": version});
        mosquitto.publish(version, "adoubed/v1/request/set_result", &body.to_string());
        let answered = |it: &Value| it["transaction"] == version && it["status"] == "ok";
        feed.topic("response/set_result", version, answered);
    }
    feed.topic("table/1/game", "no result", |it| it["result"] == "*");
}

/// Killed, it is said to be offline by the broker; asked to end, by itself.
fn assert_last_will(daemon: Daemon, house: &House, mosquitto: &Mosquitto, board: &Board) {
    let feed = Feed::guest(mosquitto.address);
    let online = feed.topic("bridge/state", "online", |it| it["state"] == "online");
    daemon.kill();
    let will = feed.topic("bridge/state", "the last will", |it| it["state"] == "offline");
    assert_eq!(will["boot"], online["boot"]);
    let late = Feed::guest(mosquitto.address);
    late.topic("bridge/state", "the last will, retained", |it| it["state"] == "offline");

    let daemon = Daemon::again(house);
    assert_retained(&feed, &board.game.fen());
    assert_eq!(daemon.stop(), Some(0));
    feed.topic("bridge/state", "a farewell", |it| it["state"] == "offline");
}

/// The last will has the time of the connection: nobody is to take it for the end.
#[test]
fn a_daemon_that_is_asked_to_end_takes_leave_of_the_broker() {
    for version in ["3.1.1", "5"] {
        let mut house = House::new();
        let Some(mosquitto) = Mosquitto::open("taking leave", house.path()) else { return };
        house.set("mqtt", "broker", "external");
        house.set("mqtt", "url", &format!("mqtt://{}", mosquitto.address));
        house.set("mqtt", "version", version);
        let daemon = Daemon::start(&house);
        let feed = Feed::guest(mosquitto.address);
        feed.topic("bridge/state", "online", |it| it["state"] == "online");
        assert_eq!(daemon.stop(), Some(0));
        let farewell = feed.topic("bridge/state", "a farewell", |it| it["state"] == "offline");
        // Whatever the broker makes of the end of the connection it has done before it answers.
        let late = Feed::guest(mosquitto.address);
        let last = late.topic("bridge/state", "what stays", |it| it["state"] == "offline");
        assert_eq!(last, farewell, "{version}");
    }
}

#[test]
fn a_broker_that_comes_later_is_found_and_closed_alerts_are_taken_back_there() {
    let mut house = House::new();
    let Some(mut mosquitto) = Mosquitto::open("a broker that comes later", house.path()) else {
        return;
    };
    mosquitto.close();
    house.set("mqtt", "broker", "external");
    house.set("mqtt", "url", &format!("mqtt://{}", mosquitto.address));
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "26015");
    let daemon = Daemon::start(&house);
    daemon.logged("no broker at");
    mosquitto.forget(house.path());
    let feed = Feed::guest(mosquitto.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    board.lift("g1");
    board.put("g3", 'N');
    board.press(178);
    let open = feed.topic("alert/1-1-1", "open", |it| it["state"] == "open");
    assert_eq!(open["kind"], "illegal_move");
    let ruled = feed.ask("rule", json!({"alert": "1-1-1", "ruling": "upheld"}));
    assert_eq!(ruled["status"], "ok");
    let taken_back = |feed: &Feed| {
        feed.wait("the alert taken back", |heard| {
            let alert = heard.latest("adoubed/v1/alert/1-1-1");
            alert.is_none_or(|it| it.payload.is_empty()).then_some(())
        });
    };
    taken_back(&feed);
    // A broker that kept what it should not have: the alert was closed while nobody told it so.
    daemon.kill();
    mosquitto.retain("adoubed/v1/alert/1-1-1", &open.to_string());
    let late = Feed::guest(mosquitto.address);
    late.topic("alert/1-1-1", "the old alert", |it| it["state"] == "open");
    let _daemon = Daemon::again(&house);
    taken_back(&late);
}

#[test]
fn a_delayed_copy_that_is_switched_off_is_taken_from_the_broker() {
    let mut house = House::new();
    let Some(mosquitto) = Mosquitto::open("an old copy", house.path()) else { return };
    house.set("mqtt", "broker", "external");
    house.set("mqtt", "url", &format!("mqtt://{}", mosquitto.address));
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "26015");
    // Also of a table that this hall no longer has, and of another hall.
    let old = ["adoubed/v1/public/info", "adoubed/v1/public/table/9/game"];
    let foreign = "other/v1/public/info";
    old.iter().chain([&foreign]).for_each(|topic| mosquitto.retain(topic, "{\"v\":1}"));
    let _daemon = Daemon::start(&house);
    let feed = Feed::guest(mosquitto.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    feed.wait("the old copy taken back", |heard| {
        let gone = |topic: &&str| heard.latest(topic).is_none_or(|it| it.payload.is_empty());
        old.iter().all(gone).then_some(())
    });
    // Whoever comes now is told nothing of it.
    let late = Feed::guest(mosquitto.address);
    late.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    late.look(|heard| assert!(old.iter().all(|topic| heard.latest(topic).is_none())));
    let judge = judges("an old copy", mosquitto.address, foreign);
    judge.iter().for_each(|it| it.wait("the other hall", |said| (!said.is_empty()).then_some(())));
}

#[test]
fn a_broker_is_reached_over_tls_and_only_the_one_that_is_believed() {
    let mut house = House::new();
    let organizer = Organizer::new(house.path());
    let shown = organizer.issue("broker", 2099);
    let test = "external broker over TLS";
    let Some((mosquitto, door)) = Mosquitto::encrypted(test, house.path(), &shown) else { return };
    house.set("mqtt", "broker", "external").set("mqtt", "url", &format!("mqtts://{door}"));
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "26015");

    let stranger = Organizer::new(house.path()).file();
    house.set("mqtt", "ca_file", &stranger.display().to_string());
    let daemon = Daemon::start(&house);
    let complaint = daemon.logged("no broker at");
    assert!(complaint.contains("invalid peer certificate"), "{complaint}");
    assert!(complaint.contains("; ca_file names whom to believe"), "{complaint}");
    drop(daemon);

    house.set("mqtt", "ca_file", &organizer.file().display().to_string());
    let daemon = Daemon::start(&house);
    daemon.logged("connected to the broker at");
    let feed = Feed::guest(mosquitto.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    for version in [4, 5] {
        RUNTIME.block_on(assert_feed(&daemon, version));
    }
    let answer = feed.ask("set_result", json!({"table": 1, "result": "1-0"}));
    assert_eq!(answer["status"], "ok");
}

/// The certificate that `openssl req -x509` makes is that of an authority, which no server may
/// show.
#[test]
fn a_certificate_made_the_usual_way_is_refused_with_how_to_make_it() {
    let mut house = House::new();
    let made = Organizer::new(house.path()).as_a_server();
    let test = "a certificate made the usual way";
    let Some((_broker, door)) = Mosquitto::encrypted(test, house.path(), &made) else { return };
    house.set("mqtt", "broker", "external").set("mqtt", "url", &format!("mqtts://{door}"));
    house.set("mqtt", "ca_file", &made.0.display().to_string());
    let daemon = Daemon::start(&house);
    let complaint = daemon.logged("no broker at");
    let remedy = "it is that of an authority, as \"openssl req -x509\" makes it; add -addext \
                  basicConstraints=critical,CA:FALSE -addext subjectAltName=IP:127.0.0.1";
    assert!(complaint.contains(remedy), "{complaint}");
}

#[test]
fn a_broker_that_cannot_be_believed_is_refused_before_anything_starts() {
    for (text, refusal) in [
        (
            "url = \"mqtts://b\"\nca_file = \"/nowhere.pem\"",
            ":4: ca_file: /nowhere.pem cannot be read",
        ),
        ("url = \"mqtt://b\"\nca_file = \"/nowhere.pem\"", ":4: ca_file: is for brokers with TLS"),
        ("url = \"https://b\"", ":3: url: write mqtt://host:1883, or mqtts://host:8883"),
    ] {
        let house = House::new();
        fs::write(house.config(), format!("[mqtt]\nbroker = \"external\"\n{text}\n")).unwrap();
        let config = house.config().display().to_string();
        let outcome = finish(&mut adoubed(["run", "--config", &config]));
        assert_eq!(outcome.code, Some(78));
        assert!(outcome.stderr.contains(refusal), "{}\nnot {refusal}", outcome.stderr);
    }
}
