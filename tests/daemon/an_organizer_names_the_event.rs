//! The event is named over the feed: what is set holds at once, and a game in play keeps the rules
//! and the time control that it has begun with.

use std::fs;

use serde_json::{Value, json};

use crate::an_organizer_seats_the_hall::{accepted, hall, organizer, refused};
use crate::common::{Board, Daemon, Feed, Reply, post};

fn set(key: &str, value: Value) -> Value {
    json!({"change": "set", "key": key, "value": value})
}

/// The words of a session, as a page sends them along.
pub fn session(daemon: &Daemon, name: &str) -> Value {
    let login = json!({"name": name, "password": name.to_lowercase()}).to_string();
    let opened = post(daemon.pages, "/arbiter/session", &login).json();
    json!({"username": opened["username"], "password": opened["password"]})
}

fn ask(daemon: &Daemon, session: &Value, control: &str) -> Reply {
    let mut body = session.clone();
    body["time_control"] = json!(control);
    post(daemon.pages, "/setup/time_control", &body.to_string())
}

#[test]
fn what_is_set_holds_without_a_restart_and_for_the_next_game_of_a_table_in_play() {
    let mut house = hall();
    house.numbered(1, "26003");
    let mut board = Board::dgt(&house.line("usb-a"), "26003");
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    let changes = [
        set("name", json!("Open de Liège")),
        set("languages", json!(["en", "fr", "es"])),
        set("language", json!("es")),
        set("laws", json!("2018")),
        set("time_control", json!("5400+30")),
        set("default_time_s", json!(1800)),
        set("supervision", json!("inadequate")),
        set("min_draw_move", json!(30)),
        set("quickplay_finish", json!(true)),
        set("result_after_min", json!(5)),
        set("start", json!("2030-11-20T14:00:00+01:00")),
    ];
    accepted(&feed.ask("configure", json!({"changes": changes})));
    let heard = feed.topic("setup/event", "the event", |it| it["event"]["laws"] == "2018");
    let event = &heard["event"];
    let facts = ["language", "supervision", "default_time_s", "min_draw_move", "result_after_min"];
    let facts = facts.map(|key| event[key].clone());
    assert_eq!(json!(facts), json!(["es", "inadequate", 1800, 30, 5]), "{heard}");
    assert_eq!(event["quickplay_finish"], true);
    let words = &heard["time_control"];
    assert_eq!(words["en"], "90 minutes with 30 seconds added for each move");
    assert!(words["es"].is_string(), "in the language that is new too: {words}");
    let game = feed.topic("table/1/game", "the time control of the event", |it| {
        it["event"]["time_control"] == "5400+30"
    });
    assert_eq!(game["event"]["laws"], "2018");

    // Now somebody plays.
    board.start_clock();
    board.play("e4");
    let fen = board.game.fen();
    feed.topic("table/1/position", "e4", |it| it["fen"] == fen);
    let seated =
        feed.topic("setup/boards", "a game in play", |it| it["tables"][0]["in_play"] == true);
    let body = json!({"changes": [set("time_control", json!("900+10")), set("name", json!("B"))],
                      "revision": seated["revision"]});
    accepted(&feed.ask("configure", body));
    feed.topic("setup/event", "the new one", |it| it["event"]["time_control"] == "900+10");
    let game = feed.topic("table/1/game", "the new name", |it| it["event"]["name"] == "B");
    assert_eq!(game["event"]["time_control"], "5400+30", "it goes on as it began");
    refused(
        &feed.ask("configure", json!({"changes": [set("languages", json!(["xx"]))]})),
        "languages",
    );
    let text = fs::read_to_string(house.config()).unwrap();
    assert!(text.contains("languages = [\"en\", \"fr\", \"es\"]"), "{text}");
}

#[test]
fn a_time_control_is_read_back_in_words_to_organizers_only() {
    let house = hall();
    let daemon = Daemon::start(&house);
    let olga = session(&daemon, "Olga");
    let heard = ask(&daemon, &olga, " 40/5400+30:1800+30 ");
    assert_eq!(heard.status, 200, "{}", heard.text());
    let heard = heard.json();
    assert_eq!(heard["rate"], "standard");
    assert_eq!(
        heard["text"]["en"],
        "90 minutes for 40 moves with 30 seconds added for each move, then 30 minutes with 30 \
         seconds added for each move"
    );
    let words = ["en", "fr", "es"].map(|it| heard["text"][it].as_str().unwrap_or_default());
    assert!(words.iter().all(|it| it.contains("40")), "{heard}");
    // Who writes minutes where seconds are counted is shown what he has said.
    assert_eq!(ask(&daemon, &olga, "90+30").json()["rate"], "rapid");
    assert_eq!(ask(&daemon, &olga, "?").json(), json!({"text": null, "rate": null}));
    let wrong = ask(&daemon, &olga, "90m");
    assert_eq!(wrong.status, 422);
    let why = wrong.json();
    for language in ["en", "fr", "es"] {
        assert!(why["text"][language].as_str().unwrap_or_default().contains("90m"), "{why}");
    }
    for stranger in [json!({}), session(&daemon, "Ann")] {
        assert_eq!(ask(&daemon, &stranger, "300").status, 401);
    }
    let guest = Feed::guest(daemon.feed());
    organizer(&daemon).topic("setup/event", "the event", |it| it["event"].is_object());
    assert!(!guest.look(|it| it.latest.keys().any(|topic| topic.contains("/setup/"))));
}
