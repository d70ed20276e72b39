//! A board named by its port, found out by its language, tells its game on every topic.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, House, Judge, judges};

const RETAINED: [&str; 6] = ["board", "clock", "device", "game", "pgn", "position"];

/// Moves, and what the mover's clock shows after each.
const GAME: [(&str, u32); 9] = [
    ("e4", 178),
    ("e5", 177),
    ("Nf3", 176),
    ("Nc6", 175),
    ("Bb5", 170),
    ("a6", 171),
    ("Bxc6", 165),
    ("dxc6", 160),
    ("O-O", 159),
];

#[test]
fn a_board_at_a_port_is_known_by_its_language_and_tells_its_game_on_every_topic() {
    let mut house = House::new();
    house.set("event", "name", "Open de Liège").set("event", "site", "Liège");
    house.set("event", "round", "3").set("event", "time_control", "180+0");
    house.table(1, "white = \"Doe, Jane\"\nblack = \"Roe, Max\"");
    let mut board = Board::dgt(&house.line("1"), "26015");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    let live = judges("every topic", daemon.feed(), "adoubed/v1/table/1/event");

    assert_recognised(&feed, &house);
    let ready = feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    assert_eq!(ready["fen"], board.game.fen());
    assert_eq!(
        (&ready["ply"], &ready["last"], &ready["status"]),
        (&json!(0), &Value::Null, &Value::Null)
    );

    board.start_clock();
    feed.topic("table/1/clock", "White's time counts", |it| it["running"] == "white");
    for (san, seconds) in GAME {
        play_and_look(&feed, &mut board, san, seconds);
    }
    assert_game(&feed, &board);
    assert_pgn(&feed);
    assert_events(&feed, &board);
    assert_stamps(&feed);
    assert_bridge(&feed);
    assert_judged(&feed, &live, &judges("every topic", daemon.feed(), "adoubed/v1/#"));
    assert_eq!(daemon.stop(), Some(0));
}

fn assert_recognised(feed: &Feed, house: &House) {
    let known = |it: &Value| it["state"] == "online" && it["serial"] == "26015";
    let device = feed.topic("table/1/device", "the board with its number", known);
    assert_eq!(device["driver"], "dgt");
    assert_eq!(device["port"], json!(house.line("1")));
    assert_eq!(device["noise"], 0);
}

/// One move by hand and its press, and what every screen shows of it.
fn play_and_look(feed: &Feed, board: &mut Board, san: &str, seconds: u32) {
    let ply = board.game.plies() + 1;
    let (mover, other) = if ply % 2 == 1 { ("white", "black") } else { ("black", "white") };
    board.play(san);
    let stands = |it: &Value| it["placement"] == board.game.placement().to_string();
    let physical = feed.topic("table/1/board", "the squares", stands);
    assert_eq!(physical["lifted"], json!([]), "{san}");
    board.press(seconds);
    let completed = |it: &Value| it["ply"] == ply && it["status"] == "completed";
    let position = feed.topic("table/1/position", &format!("{ply}. {san}"), completed);
    assert_eq!(position["fen"], board.game.fen());
    assert_eq!(position["last"]["san"], san);
    assert_eq!(position["last"]["uci"], board.game.uci()[ply - 1]);
    assert_eq!(position["turn"], other);
    assert_eq!((&position["phase"], &position["result"]), (&json!("in_play"), &json!("*")));
    let pressed = |it: &Value| it["running"] == other;
    let clock = feed.topic("table/1/clock", "the other side's time counts", pressed);
    assert_eq!(clock[format!("{mover}_ms")], seconds * 1000);
    assert_eq!((&clock["flag"], &clock["source"]), (&Value::Null, &json!("dgt")));
    assert_eq!(clock["period"], json!({"white": 1, "black": 1}));
    feed.topic("table/1/board", "agrees", |it| it["agrees"] == true);
}

fn assert_game(feed: &Feed, board: &Board) {
    let whole = |it: &Value| {
        let moves = it["moves"].as_array();
        moves
            .is_some_and(|it| it.len() == GAME.len() && it[GAME.len() - 1]["status"] == "completed")
    };
    let game = feed.topic("table/1/game", "the whole game", whole);
    assert_eq!(game["players"]["white"]["name"], "Doe, Jane");
    assert_eq!(game["players"]["black"]["name"], "Roe, Max");
    assert_eq!(game["event"]["name"], "Open de Liège");
    assert_eq!(game["start_fen"], board.game.start_fen());
    assert_eq!((&game["result"], &game["termination"]), (&json!("*"), &Value::Null));
    let moves = game["moves"].as_array().unwrap();
    let uci = board.game.uci();
    for (index, (mv, (san, seconds))) in moves.iter().zip(GAME).enumerate() {
        assert_eq!(mv["ply"], index + 1);
        assert_eq!((&mv["san"], &mv["uci"]), (&json!(san), &json!(uci[index])));
        assert_eq!(mv["clk_ms"], seconds * 1000, "{mv}");
        assert_eq!((&mv["status"], &mv["confidence"]), (&json!("completed"), &json!("seen")));
        assert!(mv["emt_ms"].is_u64(), "{mv}");
        assert!(is_time(&mv["at"]), "{mv}");
    }
}

/// Strict PGN: the tags, every move in its order, and `%clk` with what the clock showed.
fn assert_pgn(feed: &Feed) {
    let last = "0:02:39";
    let pgn = feed.wait("the PGN of the whole game", |heard| {
        let pgn = heard.latest("adoubed/v1/table/1/pgn")?.text();
        pgn.contains(last).then_some(pgn)
    });
    for tag in [
        "[Event \"Open de Liège\"]",
        "[Site \"Liège\"]",
        "[Round \"3.1\"]",
        "[White \"Doe, Jane\"]",
        "[Black \"Roe, Max\"]",
        "[Result \"*\"]",
        "[TimeControl \"180+0\"]",
    ] {
        assert!(pgn.contains(tag), "{tag} is missing in\n{pgn}");
    }
    let (_, movetext) = pgn.split_once("\n\n").unwrap();
    let movetext = movetext.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = movetext.as_str();
    for (index, (san, seconds)) in GAME.iter().enumerate() {
        let dots = if index % 2 == 0 { "." } else { "..." };
        let clk = format!("[%clk 0:{:02}:{:02}]", seconds / 60, seconds % 60);
        let expected = format!("{}{dots} {san} {{{clk} [%emt 0:00:", index / 2 + 1);
        let at = rest.find(&expected).unwrap_or_else(|| panic!("{expected} not in\n{movetext}"));
        rest = &rest[at + expected.len()..];
    }
    assert!(rest.ends_with("} *"), "{movetext}");
}

/// Every touch, press, release and completion, in order.
fn assert_events(feed: &Feed, board: &Board) {
    let is_last = |it: &Value| it["type"] == "complete" && it["ply"] == GAME.len();
    feed.wait("the last completion", |heard| {
        heard.messages.iter().find(|it| is_last(&it.json())).map(drop)
    });
    let events = feed.all("table/1/event");
    let of = |kind: &str| events.iter().filter(move |it| it["type"] == kind).collect::<Vec<_>>();
    assert_eq!(of("press").len(), GAME.len());
    let plies = |kind| of(kind).iter().map(|it| it["ply"].as_u64().unwrap()).collect::<Vec<_>>();
    let all: Vec<_> = (1..=GAME.len() as u64).collect();
    assert_eq!((plies("release"), plies("complete")), (all.clone(), all));
    let uci: Vec<_> =
        of("complete").iter().map(|it| it["uci"].as_str().unwrap().to_owned()).collect();
    assert_eq!(uci, board.game.uci());
    let first = events.iter().position(|it| it["type"] == "lift").unwrap();
    let shown = |it: &Value| {
        (it["type"].clone(), it["square"].clone(), it["lifted"].clone(), it["put"].clone())
    };
    assert_eq!(shown(&events[first]), (json!("lift"), json!("e2"), json!("P"), Value::Null));
    assert_eq!(shown(&events[first + 1]), (json!("put"), json!("e4"), Value::Null, json!("P")));
    // Castling is two lifts and two puts; a capture one lift more than puts.
    assert_eq!((of("lift").len(), of("put").len()), (12, 10));
}

/// Every payload is of version 1, tells its time, and its number rises on each topic; the same
/// message may come twice.
fn assert_stamps(feed: &Feed) {
    // What a new subscriber finds retained may come before older messages that are on the way.
    let mut seqs: BTreeMap<(String, bool), u64> = BTreeMap::new();
    feed.look(|heard| {
        for message in heard.messages.iter().filter(|it| !it.topic.ends_with("/pgn")) {
            let payload = message.json();
            assert_eq!(payload["v"], 1, "{}: {payload}", message.topic);
            assert!(is_time(&payload["at"]), "{payload}");
            let seq = payload["seq"].as_u64().unwrap();
            let before = seqs.insert((message.topic.clone(), message.retain), seq);
            assert!(before.is_none_or(|before| before <= seq), "{}: {seq}", message.topic);
        }
    });
}

fn assert_bridge(feed: &Feed) {
    let state = feed.topic("bridge/state", "online", |it| it["state"] == "online");
    assert_eq!(state["version"], env!("CARGO_PKG_VERSION"));
    assert!(state["boot"].as_str().is_some_and(|boot| boot.len() >= 16), "{state}");
    let info = feed.topic("bridge/info", "the table", |it| it["tables"] == json!([1]));
    assert_eq!(info["event"]["name"], "Open de Liège");
    assert_eq!(info["journal"], "kept");
}

/// `mosquitto_sub` sees the same: events live, everything retained when it comes late.
fn assert_judged(feed: &Feed, live: &[Judge], late: &[Judge]) {
    let events = feed.all("table/1/event").len();
    for judge in live {
        let shown =
            judge.wait("every event", |shown| (shown.len() >= events).then(|| shown.clone()));
        assert!(shown.iter().all(|it| !it.retain && it.qos == judge.qos));
    }
    let of_table = RETAINED.map(|name| format!("adoubed/v1/table/1/{name}"));
    let of_bridge = ["info", "state"].map(|name| format!("adoubed/v1/bridge/{name}"));
    let expected: BTreeSet<_> = of_table.into_iter().chain(of_bridge).collect();
    for judge in late {
        let shown = judge.wait("every retained topic", |shown| {
            let retained = shown.iter().filter(|it| it.retain);
            let topics: BTreeSet<_> = retained.map(|it| it.topic.clone()).collect();
            (topics == expected).then(|| shown.clone())
        });
        let game = shown.iter().find(|it| it.topic.ends_with("/game")).unwrap();
        let same = feed.look(|heard| heard.latest(&game.topic).unwrap().payload == game.payload);
        assert!(same, "-V {}: {}", judge.version, String::from_utf8_lossy(&game.payload));
    }
}

/// RFC 3339 with milliseconds.
fn is_time(at: &Value) -> bool {
    let shape =
        |text: &str| text.chars().map(|it| if it.is_ascii_digit() { '0' } else { it }).collect();
    at.as_str().map(shape) == Some("0000-00-00T00:00:00.000Z".to_owned())
}
