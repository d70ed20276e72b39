//! A result that was published and is none: whoever has read it reads that it was withdrawn, on
//! every topic that showed it.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, House};

#[test]
fn a_result_by_the_kings_is_withdrawn_on_every_topic_when_the_clock_goes_on() {
    let mut house = House::new();
    house.set("event", "time_control", "180");
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let (guest, arbiter) = (Feed::guest(daemon.feed()), daemon.arbiter());
    guest.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    guest.topic("table/1/clock", "White's time counts", |it| it["running"] == "white");
    board.play_and_press("e3", 178);
    guest.topic("table/1/position", "1. e3", |it| it["status"] == "completed" && it["ply"] == 1);
    board.play_and_press("e6", 177);
    guest.topic("table/1/position", "1... e6", |it| it["status"] == "completed" && it["ply"] == 2);

    board.show(Face { running: false, ..board.face });
    guest.topic("table/1/position", "both times stand", |it| it["phase"] == "paused");
    carry(&board, ["e1", "e4"], 'K');
    carry(&board, ["e8", "d5"], 'k');
    let ended = |it: &Value| it["result"] == "1-0";
    let position = guest.topic("table/1/position", "White has won", ended);
    assert_eq!((&position["phase"], &position["withdrawn"]), (&json!("ended"), &Value::Null));
    let game = guest.topic("table/1/game", "White has won", ended);
    assert_eq!(game["termination"], "signalled");
    assert!(pgn(&guest, "[Result \"1-0\"]").ends_with(" 1-0"));

    carry(&board, ["d5", "e8"], 'k');
    carry(&board, ["e4", "e1"], 'K');
    board.start_clock();
    assert_withdrawn(&guest, &game);
    let shown = arbiter.wait("an alert", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let mut alerts = alerts.map(|(_, &index)| heard.messages[index].json());
        alerts.find(|it| it["kind"] == "result_mismatch")
    });
    assert!(
        shown["text"]["en"].as_str().unwrap_or_default().contains("1-0 is withdrawn"),
        "{shown}"
    );

    board.play_and_press("Nf3", 170);
    let more = |it: &Value| it["moves"].as_array().is_some_and(|it| it.len() == 3);
    let game = guest.topic("table/1/game", "the game goes on", more);
    assert_eq!((&game["result"], &game["moves"][2]["san"]), (&json!("*"), &json!("Nf3")));
    assert_eq!(arbiter.ask("set_result", json!({"table": 1, "result": "0-1"}))["status"], "ok");
    let game = guest.topic("table/1/game", "the arbiter's result", |it| it["result"] == "0-1");
    assert_eq!(game["withdrawn"], Value::Null);
    assert!(!pgn(&guest, "[Result \"0-1\"]").contains("withdrawn"));
    assert_eq!(daemon.stop(), Some(0));
}

fn carry(board: &Board, [from, to]: [&str; 2], piece: char) {
    board.lift(from);
    board.put(to, piece);
}

fn assert_withdrawn(guest: &Feed, before: &Value) {
    let gone = |it: &Value| it["result"] == "*" && it["withdrawn"] != Value::Null;
    let position = guest.topic("table/1/position", "the result is none", gone);
    assert_eq!((&position["phase"], &position["withdrawn"]), (&json!("in_play"), &json!("1-0")));
    let game = guest.topic("table/1/game", "the result is none", gone);
    let withdrawn = &game["withdrawn"];
    assert_eq!(
        (&withdrawn["result"], &withdrawn["termination"]),
        (&json!("1-0"), &json!("signalled"))
    );
    assert!(game["rev"].as_u64() > before["rev"].as_u64(), "{game}");
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(2));
    let text = pgn(guest, "[Result \"*\"]");
    assert!(text.contains("{the result 1-0 was withdrawn} *"), "{text}");
    let events = guest.all("table/1/event");
    let of = |kind: &str| events.iter().filter(|it| it["type"] == kind).collect::<Vec<_>>();
    assert!(of("revision").iter().any(|it| it["rev"] == game["rev"]), "{events:?}");
    let results: Vec<_> = of("result").iter().map(|it| (&it["result"], &it["withdrawn"])).collect();
    assert_eq!(results, [(&json!("1-0"), &Value::Null), (&json!("*"), &json!("1-0"))]);
}

fn pgn(guest: &Feed, tag: &str) -> String {
    guest.wait(tag, |heard| {
        let text = heard.latest("adoubed/v1/table/1/pgn")?.text();
        text.contains(tag).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}
