//! Every key of the configuration is listed for organizers, with what the file says, and set over
//! the feed: what leads elsewhere or takes the board from a game asks first.

use std::fs;

use serde_json::{Value, json};

use crate::an_organizer_names_the_event::session;
use crate::an_organizer_seats_the_hall::{accepted, hall, organizer, refused};
use crate::common::{Board, Daemon, Feed, post};

fn set(key: &str, value: Value) -> Value {
    json!({"change": "set", "key": key, "value": value})
}

fn at(table: usize, key: &str, value: Value) -> Value {
    json!({"change": "set", "key": key, "value": value, "table": table})
}

fn ask(feed: &Feed, changes: &[Value], disturb: bool) -> Value {
    feed.ask("configure", json!({"changes": changes, "disturb": disturb}))
}

fn listed(daemon: &Daemon, session: &Value) -> Value {
    let reply = post(daemon.pages, "/setup/keys", &session.to_string());
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn key<'a>(listed: &'a Value, name: &str) -> &'a Value {
    let keys = listed["keys"].as_array().expect("keys");
    keys.iter().find(|it| it["key"] == name).unwrap_or_else(|| panic!("{name} is not listed"))
}

#[test]
fn organizers_see_every_key_with_its_value_and_nobody_sees_a_password() {
    let mut house = hall();
    house.numbered(7, "26003");
    let daemon = Daemon::start(&house);
    let olga = session(&daemon, "Olga");
    let all = listed(&daemon, &olga);
    assert!(all["keys"].as_array().is_some_and(|it| it.len() > 95), "{all}");
    assert_eq!(all["tables"][0]["values"]["table.serial"], "26003", "{all}");
    let flush = key(&all, "journal.flush_ms");
    assert_eq!((&flush["default"], &flush["value"]), (&json!(200), &Value::Null));
    assert_eq!(flush["holds"], "next_start");
    assert_eq!(key(&all, "web.organizers")["fixed"], "people");
    assert!(!all.to_string().contains("argon2"), "a hash is no setting");
    let feed = organizer(&daemon);
    accepted(&ask(&feed, &[set("mqtt.guests_per_address", json!(400))], false));
    let all = listed(&daemon, &olga);
    assert_eq!(key(&all, "mqtt.guests_per_address")["value"], 400);
    for stranger in [json!({}), session(&daemon, "Ann")] {
        assert_eq!(post(daemon.pages, "/setup/keys", &stranger.to_string()).status, 401);
    }
}

#[test]
fn one_table_gets_rules_a_second_board_and_a_clock_and_a_game_is_not_disturbed_unasked() {
    let mut house = hall();
    house.numbered(1, "26003");
    let mut board = Board::dgt(&house.line("usb-a"), "26003");
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    let rules = [
        at(1, "table.time_control", json!("180+2")),
        at(1, "table.laws", json!("2018")),
        at(1, "table.supervision", json!("inadequate")),
    ];
    accepted(&ask(&feed, &rules, false));
    let game =
        feed.topic("table/1/game", "its own rules", |it| it["event"]["time_control"] == "180+2");
    assert_eq!(game["event"]["laws"], "2018", "the edition by which the table is judged");
    feed.topic("setup/event", "it has rules of its own", |it| it["own"] == json!([1]));

    board.start_clock();
    board.play("e4");
    feed.topic("setup/boards", "a game in play", |it| it["tables"][0]["in_play"] == true);
    // Another rule waits for the next game, and disturbs nobody.
    accepted(&ask(&feed, &[at(1, "table.laws", json!("2014"))], false));
    board.play("e5");
    let game =
        feed.topic("table/1/game", "it goes on", |it| it["moves"].as_array().unwrap().len() == 2);
    assert_eq!(game["event"]["laws"], "2018", "what it has begun with");

    let second = [
        at(1, "table.second_board.player", json!("white")),
        at(1, "table.second_board.serial", json!("26016")),
    ];
    refused(&ask(&feed, &second, false), "a game is in play at table 1");
    assert!(!fs::read_to_string(house.config()).unwrap().contains("26016"));
    accepted(&ask(&feed, &second, true));
    assert!(fs::read_to_string(house.config()).unwrap().contains("serial = \"26016\""));
}

#[test]
fn what_leads_elsewhere_is_confirmed_and_no_address_shuts_everybody_out() {
    let house = hall();
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    let before = fs::read_to_string(house.config()).unwrap();
    let there = [set("web.listen_tls", json!("127.0.0.1:0"))];
    refused(&ask(&feed, &there, false), "web.listen_tls");
    // An address of the documentation is nobody's.
    let nowhere = [set("web.listen_tls", json!("192.0.2.7:8443"))];
    refused(&ask(&feed, &nowhere, true), "no address that this machine can open");
    refused(&ask(&feed, &[set("mqtt.broker", json!("external"))], true), "mqtt.broker");
    refused(&ask(&feed, &[set("web.colour", json!(1))], false), "web.colour");
    refused(&ask(&feed, &[set("table.laws", json!("2018"))], false), "table.laws");
    assert_eq!(fs::read_to_string(house.config()).unwrap(), before);
    let answer = ask(&feed, &there, true);
    accepted(&answer);
    assert_eq!(answer["data"]["restart"], json!(["web.listen_tls"]));
    let text = fs::read_to_string(house.config()).unwrap();
    assert!(text.contains("listen_tls = \"127.0.0.1:0\""), "{text}");
}
