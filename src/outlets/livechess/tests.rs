//! Messages of every kind, compared with those of a real LiveChess and with what clients accept.
//! Also messages and requests that are nearly right.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;
use witness::TableNo;

use super::calls::Feeds;
use super::hall::Hall;
use super::{keep, shapes, tournament};
use crate::config::Feed;
use crate::mqtt::snapshot::Snapshot;
use crate::mqtt::topic::{TableTopic, Topic};
use crate::mutation;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A hall with these messages.
#[derive(Default)]
struct Room(Hall);

impl Room {
    /// The table of the recorded session.
    fn recorded() -> Self {
        let mut room = Self::default();
        let device = json!({"state": "online", "serial": "23946", "port": "COM3", "battery": 84,
                            "turned": false});
        room.publish(1, TableTopic::Device, &device);
        room.publish(1, TableTopic::Board, &json!({"placement": START}));
        room
    }

    fn publish(&mut self, table: u32, topic: TableTopic, payload: &Value) -> &mut Self {
        self.0.take(&Topic::Table(TableNo::new(table), topic), payload.to_string().as_bytes());
        self.0.name_boards();
        self
    }

    fn event(&mut self, name: &str, round: &str) -> &mut Self {
        let info = json!({"event": {"name": name, "site": "Liège", "round": round}});
        self.0.take(&Topic::BridgeInfo, info.to_string().as_bytes());
        self
    }
}

fn call(feeds: &mut Feeds, hall: &Hall, call: &Value) -> Value {
    answer(feeds, hall, &call.to_string())
}

fn answer(feeds: &mut Feeds, hall: &Hall, text: &str) -> Value {
    serde_json::from_str(&feeds.answer(text, hall).text).unwrap()
}

fn news(feeds: &mut Feeds, hall: &Hall) -> Vec<Value> {
    feeds.news(hall).iter().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Real messages, if they are at hand. They are not part of this repository.
fn recording() -> Option<String> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let data = std::env::var_os("ADOUBED_DATA").map_or(beside, PathBuf::from);
    std::fs::read_to_string(data.join("livechess/dgt-for-chess.com-session.jsonl")).ok()
}

#[test]
fn a_recorded_client_hears_what_livechess_told_it() {
    let Some(recording) = recording() else {
        let why = "no recorded session in ADOUBED_DATA";
        let _ = writeln!(std::io::stderr(), "SKIPPED a_recorded_client: {why}");
        return;
    };
    let (mut room, mut feeds, mut said) = (Room::recorded(), Feeds::default(), Vec::new());
    let mut compared = 0;
    for line in recording.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let mut message = line["msg"].clone();
        if line["dir"] == "c2s" {
            assert!(said.is_empty(), "LiveChess had said no more: {said:?}");
            said.push(call(&mut feeds, &room.0, &message));
            said.extend(news(&mut feeds, &room.0));
            continue;
        }
        if said.is_empty() {
            // Hands were over the board.
            let placement = &message["param"]["board"];
            room.publish(1, TableTopic::Board, &json!({"placement": placement}));
            said.extend(news(&mut feeds, &room.0));
        }
        let mut ours = said.remove(0);
        assert!(ours["time"].as_i64() > message["time"].as_i64(), "{ours}");
        (ours["time"], message["time"]) = (Value::Null, Value::Null);
        assert_eq!(ours, message);
        compared += 1;
    }
    assert!(said.is_empty() && compared > 5, "{said:?}");
}

#[test]
fn an_answer_has_the_id_of_its_call_in_its_type() {
    let (room, mut feeds) = (Room::recorded(), Feeds::default());
    for id in [json!(1), json!("1"), json!(1.5), json!(null), json!(u64::MAX)] {
        let answer = call(&mut feeds, &room.0, &json!({"id": id, "call": "eboards"}));
        assert_eq!((&answer["id"], &answer["response"]), (&id, &json!("call")));
        let answer = call(&mut feeds, &room.0, &json!({"id": id, "call": "make coffee"}));
        assert_eq!((&answer["id"], &answer["response"]), (&id, &json!("error")));
        assert_eq!(keys(&answer["param"]), ["message", "stacktrace"]);
    }
    let feed = |id: Value| json!({"feed": "eboardevent", "id": id, "param": {"serialnr": 23946}});
    for id in [json!("7"), json!(7)] {
        let subscribe = json!({"id": 1, "call": "subscribe", "param": feed(id.clone())});
        assert_eq!(call(&mut feeds, &room.0, &subscribe)["response"], "call");
        let answer = news(&mut feeds, &room.0);
        assert_eq!(answer.len(), 1, "one takes the place of the other: {answer:?}");
        assert_eq!(answer[0]["id"], id);
    }
}

#[test]
fn a_feed_begins_when_it_is_asked_for_and_ends_when_it_is_not_wanted() {
    let (mut room, mut feeds) = (Room::recorded(), Feeds::default());
    let param = json!({"feed": "eboardevent", "id": 7, "param": {"serialnr": "23946"}});
    let subscribe = json!({"id": 42, "call": "subscribe", "param": param});
    let answer = call(&mut feeds, &room.0, &subscribe);
    assert_eq!((&answer["id"], &answer["param"]), (&json!(42), &Value::Null));
    let first = news(&mut feeds, &room.0);
    assert_eq!((first.len(), &first[0]["response"]), (1, &json!("feed")));
    assert!(news(&mut feeds, &room.0).is_empty());
    let setup = json!({"fen": format!("{START} w KQkq - 0 1")});
    let setup = json!({"id": 2, "call": "call",
                       "param": {"id": 7, "method": "setup", "param": setup}});
    assert_eq!(call(&mut feeds, &room.0, &setup)["param"], Value::Null);
    let answer = news(&mut feeds, &room.0).remove(0)["param"].clone();
    assert_eq!((&answer["san"], &answer["match"]), (&json!([]), &json!(true)));
    assert_eq!((&answer["board"], &answer["serialnr"]), (&json!(START), &json!("23946")));
    for param in [json!({"id": 8}), json!({"id": 7}), json!({"id": 7})] {
        let answer = call(&mut feeds, &room.0, &json!({"call": "unsubscribe", "param": param}));
        let known = param["id"] == 7 && answer["response"] == "call";
        room.publish(1, TableTopic::Board, &json!({"placement": "8/8/8/8/8/8/8/8"}));
        assert!(!known || news(&mut feeds, &room.0).is_empty());
    }
    let again = call(&mut feeds, &room.0, &json!({"call": "unsubscribe", "param": {"id": 7}}));
    assert_eq!(again["response"], "error");
}

#[test]
fn nonsense_is_answered_with_an_error() {
    let (room, mut feeds) = (Room::recorded(), Feeds::default());
    let deep = "[".repeat(60_000);
    for text in [
        "",
        "ping",
        "null",
        "[]",
        "{}",
        "{\"id\":1}",
        "{\"call\":7}",
        "{\"call\":\"subscribe\"}",
        "{\"call\":\"subscribe\",\"param\":{\"feed\":\"game\"}}",
        r#"{"call":"subscribe","param":{"feed":"eboardevent","param":{"serialnr":"0"}}}"#,
        "{\"call\":\"unsubscribe\",\"param\":3}",
        "{\"call\":\"call\",\"param\":{\"id\":1,\"method\":\"setup\"}}",
        "\u{0}\u{fffd}",
        &deep,
    ] {
        assert_eq!(answer(&mut feeds, &room.0, text)["response"], "error", "{text:.60}");
    }
    assert!(news(&mut feeds, &room.0).is_empty());
}

/// Ids are kept and repeated, so a client must not make us keep long ones.
#[test]
fn an_id_that_is_long_or_no_id_is_refused_and_not_kept() {
    let Room(hall) = Room::recorded();
    let mut feeds = Feeds::default();
    for id in [json!([1]), json!({"a": 1}), json!("x".repeat(65))] {
        let answer = call(&mut feeds, &hall, &json!({"call": "eboards", "id": id}));
        assert_eq!((&answer["response"], &answer["id"]), (&json!("error"), &Value::Null));
        let param = json!({"feed": "eboardevent", "id": id, "param": {"serialnr": "23946"}});
        let wanted = json!({"call": "subscribe", "id": 1, "param": param});
        assert_eq!(call(&mut feeds, &hall, &wanted)["response"], "error");
    }
    assert!(news(&mut feeds, &hall).is_empty());
    let answer = call(&mut feeds, &hall, &json!({"call": "x".repeat(10_000), "id": 1}));
    assert!(answer.to_string().len() < 300, "{answer}");
}

#[test]
fn boards_that_are_heard_come_first_and_every_state_has_its_name() {
    let mut room = Room::default();
    for (table, state) in [(1, "absent"), (2, "silent"), (3, "online"), (4, "unidentified")] {
        room.publish(table, TableTopic::Device, &json!({"state": state, "port": "/dev/ttyUSB0"}));
    }
    let boards = json!(shapes::eboards(&room.0));
    let list = boards.as_array().unwrap().iter();
    let answer: Vec<_> = list.map(|it| (it["serialnr"].as_str().unwrap(), &it["state"])).collect();
    let (active, inactive) = (json!("ACTIVE"), json!("INACTIVE"));
    let (silent, none) = (json!("NOTRESPONDING"), Value::Null);
    assert_eq!(
        answer,
        [("table-3", &active), ("table-1", &inactive), ("table-2", &silent), ("table-4", &none)]
    );
    assert_eq!((&boards[0]["source"], &boards[1]["source"]), (&json!("/dev/ttyUSB0"), &none));
}

/// The keys of the `livechess` command, which refuses any other.
#[test]
fn the_event_is_told_with_the_keys_that_clients_know() {
    let mut room = Room::recorded();
    room.event("Open de Liège", "3");
    let players = json!({"white": {"name": "Doe, Jane", "title": "WFM", "fide_id": 200_000},
                         "black": {"name": "Max"}});
    let moves = json!([
        {"san": "e4", "uci": "e2e4", "clk_ms": 5_395_500, "emt_ms": 5_200, "confidence": "seen",
         "at": "2026-11-20T14:00:05.000Z"},
        {"san": "e5", "uci": "e7e5", "confidence": "seen", "at": "2026-11-20T14:00:36.500Z"},
        {"san": "Nf3", "uci": "g1f3", "clk_ms": 5_000_000, "confidence": "inferred",
         "at": "2026-11-20T14:00:37.000Z"},
    ]);
    let game = json!({"game": 1, "players": players, "event": {"round": "3"}, "moves": moves,
                      "start_fen": format!("{START} w KQkq - 0 1"), "result": "*"});
    room.publish(1, TableTopic::Game, &game);
    let list = json!(tournament::list(&room.0));
    let uuid = list[0]["uuid"].clone();
    assert_eq!(list, json!([{"uuid": uuid, "description": "Open de Liège", "rounds": 3}]));
    let whole = json!(tournament::tournament(&room.0));
    let expected = json!({"uuid": uuid, "name": "Open de Liège", "description": "Open de Liège",
                          "location": "Liège", "country": "", "rounds": 3, "eboards": ["23946"]});
    assert_eq!(whole, expected);
    let empty = json!(tournament::round(&room.0, 0));
    assert_eq!(empty, json!({"nr": 1, "date": null, "pairings": []}));
    assert!(tournament::round(&room.0, 3).is_none());
    let round = json!(tournament::round(&room.0, 2));
    assert_eq!((&round["nr"], &round["date"]), (&json!(3), &json!("2026-11-20")));
    let pairing = &round["pairings"][0];
    assert_eq!(keys(pairing), ["black", "live", "nr", "result", "uuid", "white"]);
    let jane = json!({"fname": "Jane", "mname": null, "lname": "Doe", "title": "WFM",
                      "federation": null, "gender": null, "fideid": 200_000});
    assert_eq!((&pairing["white"], &pairing["live"]), (&jane, &json!(true)));
    assert_eq!((&pairing["black"]["lname"], &pairing["nr"]), (&json!("Max"), &json!(1)));
    let name = serde_json::from_value(pairing["uuid"].clone()).unwrap();
    let game = json!(tournament::game(&room.0, name));
    let expected = json!({"chess960": 518, "result": null, "comment": null, "clock": null,
                          "moves": ["e4 5395+5", "e5 +31", "Nf3"]});
    assert_eq!(game, expected);
}

#[test]
fn results_and_rounds_are_told_in_their_words() {
    let game = |round: &str, result: &str, moves: Value, termination: Option<&str>| {
        let (event, why) = (json!({"round": round}), termination);
        json!({"game": 1, "event": event, "result": result, "moves": moves, "termination": why})
    };
    let some = json!([{"san": "e4", "uci": "e2e4"}]);
    let cases = [
        ("1-0", some.clone(), None, json!("WHITEWIN")),
        ("0-1", some.clone(), Some("arbiter"), json!("BLACKWIN")),
        ("1/2-1/2", some.clone(), None, json!("DRAW")),
        ("1-0", json!([]), Some("forfeit"), json!("WHITEFORFAIT")),
        ("0-1", some.clone(), Some("forfeit"), json!("BLACKFORFAIT")),
        ("1-0", json!([]), Some("arbiter"), json!("WHITEWIN")),
        ("0-0", some.clone(), Some("arbiter"), Value::Null),
        ("*", some, None, Value::Null),
    ];
    let mut room = Room::default();
    for (result, moves, why, answer) in cases {
        room.publish(1, TableTopic::Game, &game("Final", result, moves, why));
        let round = json!(tournament::round(&room.0, 0));
        assert_eq!(round["pairings"][0]["result"], answer, "{result}");
        assert_eq!(round["pairings"][0]["live"], result == "*");
    }
    room.publish(2, TableTopic::Game, &game("Bronze", "*", json!([]), None));
    // In the order of their names.
    for (place, table) in [(0, 2), (1, 1)] {
        let round = json!(tournament::round(&room.0, place));
        assert_eq!(round["pairings"][0]["nr"], table);
    }
    assert!(tournament::round(&room.0, 2).is_none());
}

#[test]
fn a_game_of_chess960_has_its_number() {
    let mut room = Room::default();
    let start = "nbbqrnkr/pppppppp/8/8/8/8/PPPPPPPP/NBBQRNKR w - - 0 1";
    for (chess960, number) in [(false, 518), (true, scharnagl("NBBQRNKR"))] {
        let game = json!({"game": 1, "start_fen": start, "chess960": chess960, "result": "*"});
        room.publish(1, TableTopic::Game, &game);
        let round = json!(tournament::round(&room.0, 0));
        let name = serde_json::from_value(round["pairings"][0]["uuid"].clone()).unwrap();
        assert_eq!(json!(tournament::game(&room.0, name))["chess960"], number);
    }
}

/// Scharnagl's numbers: the bishop on light squares, the one on dark squares, the queen, then the
/// knights on the five squares that are left.
fn scharnagl(rank: &str) -> usize {
    let at = |piece: char| rank.match_indices(piece).map(|(place, _)| place).collect::<Vec<_>>();
    let light = at('B').into_iter().find(|it| it % 2 == 1).unwrap() / 2;
    let dark = at('B').into_iter().find(|it| it % 2 == 0).unwrap() / 2;
    let rest: String = rank.chars().filter(|it| *it != 'B').collect();
    let queen = rest.find('Q').unwrap();
    let rest: String = rest.chars().filter(|it| *it != 'Q').collect();
    let knights: Vec<_> = rest.match_indices('N').map(|(place, _)| place).collect();
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| [first, second]));
    let knights = pairs.into_iter().position(|it| it.as_slice() == knights).unwrap();
    light + 4 * (dark + 4 * (queen + 6 * knights))
}

#[test]
fn a_table_that_is_no_more_has_no_board() {
    let mut room = Room::recorded();
    room.0.take(&Topic::Table(TableNo::new(1), TableTopic::Board), b"");
    room.0.name_boards();
    assert!(shapes::eboards(&room.0).is_empty());
    assert_eq!(room.0.table_of("23946"), None);
}

/// A hall with a game, and the calls of a client that uses everything.
fn hall_and_calls() -> (Room, Vec<Vec<u8>>) {
    let mut room = Room::recorded();
    room.event("Open", "2");
    let moves = json!([{"san": "e4", "uci": "e2e4", "confidence": "seen", "at": ""}]);
    let game = json!({"game": 1, "start_fen": format!("{START} w KQkq - 0 1"), "moves": moves});
    room.publish(1, TableTopic::Game, &game);
    let feed = json!({"feed": "eboardevent", "id": 1, "param": {"serialnr": "23946"}});
    let fen = json!({"fen": format!("{START} w KQkq - 0 1")});
    let set_up = json!({"id": 1, "method": "setup", "param": fen});
    let flip = json!({"id": 1, "method": "flip", "param": {"flip": true}});
    let calls = [
        json!({"id": 1, "call": "eboards"}),
        json!({"id": "2", "call": "sources", "param": null}),
        json!({"id": 3, "call": "subscribe", "param": feed}),
        json!({"id": 4, "call": "call", "param": set_up}),
        json!({"id": 5, "call": "call", "param": flip}),
        json!({"id": 6, "call": "unsubscribe", "param": {"id": 1}}),
    ];
    (room, calls.map(|call| call.to_string().into_bytes()).to_vec())
}

#[test]
fn calls_that_are_nearly_right_are_answered() {
    let (room, corpus) = hall_and_calls();
    let mut feeds = Feeds::default();
    mutation::fuzz("calls of LiveChess", &corpus, |input| {
        let text = String::from_utf8_lossy(input);
        let answer = feeds.answer(&text, &room.0).text;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["response"] == "call" || answer["response"] == "error");
        for news in feeds.news(&room.0) {
            assert!(serde_json::from_str::<Value>(&news).unwrap()["id"] != json!({}));
        }
    });
}

/// The number of bursts. Each comes at another moment while changes are collected.
const BURSTS: u64 = 200;

/// The run loop publishes on its own thread at any time. The last message must arrive, whenever it
/// comes in relation to the collecting of earlier ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_is_told_whenever_it_was_published() {
    let snapshot = Arc::<Snapshot>::default();
    let (looks, mut shown) = watch::channel(Arc::<Hall>::default());
    let kept = tokio::spawn(keep(snapshot.reader(Feed::Live), looks));
    for burst in 0..BURSTS {
        let publisher = Arc::clone(&snapshot);
        let publish = move || {
            for port in [format!("early {burst}"), format!("late {burst}")] {
                // From 0 to 14 ms, in steps that share no divisor with the 10 ms of the keeper.
                thread::sleep(Duration::from_micros(burst * 700 % 14_000));
                let device = json!({"state": "online", "port": port}).to_string();
                publisher.publish(
                    Topic::Table(TableNo::new(1), TableTopic::Device),
                    device.into_bytes(),
                );
            }
        };
        let published = tokio::task::spawn_blocking(publish);
        let last = Some(format!("late {burst}"));
        let answer = |hall: &Arc<Hall>| {
            hall.tables.get(&TableNo::new(1)).is_some_and(|it| it.device.port == last)
        };
        let seen = timeout(Duration::from_secs(30), shown.wait_for(answer)).await;
        assert!(seen.is_ok_and(|it| it.is_ok()), "burst {burst} is not told");
        published.await.unwrap();
    }
    kept.abort();
}
