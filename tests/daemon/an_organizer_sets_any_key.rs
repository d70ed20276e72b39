//! Every key of the configuration is listed for organizers, with what the file says, and set over
//! the feed: what leads elsewhere asks first.

use std::fs;

use serde_json::{Value, json};

use crate::an_organizer_names_the_event::session;
use crate::an_organizer_seats_the_hall::{accepted, hall, organizer, refused};
use crate::common::{Daemon, Feed, post};

fn set(key: &str, value: Value) -> Value {
    json!({"change": "set", "key": key, "value": value})
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
