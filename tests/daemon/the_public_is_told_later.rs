//! `[public]`: whoever is not in the hall is told later, and never sooner: not by the feed, nor by
//! the games as PGN, nor by clients of LiveChess, nor by the pages, and not after a kill either.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::http::{self, Reply};
use crate::common::{Board, Daemon, Feed, Heard, House, PATIENCE, request};

/// Seconds; long enough for a machine that is busy with other tests.
const DELAY: u64 = 12;
const MOVES: [&str; 6] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];

/// One table with players, in a hall that is for users, and a delay.
fn hall(house: &mut House) -> Board {
    house.put("public", "delay_s", &DELAY.to_string());
    house.set("mqtt", "hall", "users");
    house.set("livechess", "listen", "127.0.0.1:0");
    house.table(1, "driver = \"dgt\"\nwhite = \"Doe, Jane\"");
    Board::dgt(&house.line("1"), "1")
}

/// When each number of half moves was first heard of on a topic.
fn first_heard(feed: &Feed, topic: &str) -> Vec<Instant> {
    let topic = format!("adoubed/v1/{topic}");
    feed.look(|heard| {
        let mut first = Vec::new();
        for message in heard.messages.iter().filter(|it| it.topic == topic) {
            let plies = message.json()["ply"].as_u64().unwrap_or(0);
            while (first.len() as u64) <= plies {
                first.push(message.came);
            }
        }
        first
    })
}

fn plies(heard: &Heard, topic: &str) -> u64 {
    heard.latest(&format!("adoubed/v1/{topic}")).map_or(0, |it| it.json()["ply"].as_u64().unwrap())
}

/// The daemon has asked the board what stands there now, and has heard its clock again.
fn surveyed(feed: &Feed, board: &Board) {
    let remembered = feed.topic("table/1/clock", "a reading", |_| true)["sampled_at"].clone();
    feed.topic("table/1/device", "the board", |it| it["state"] == "online");
    let shown = [board.face.white_s * 1000, board.face.black_s * 1000];
    feed.topic("table/1/clock", "a new reading", |it| {
        it["sampled_at"] != remembered && json!([it["white_ms"], it["black_ms"]]) == json!(shown)
    });
    let placement = board.placement().to_string();
    feed.topic("table/1/board", "the squares", |it| it["placement"] == placement);
}

fn asked(daemon: &Daemon, path: &str) -> Reply {
    http::get(daemon.pages, path)
}

/// Whoever asks from this machine is told this, soon.
fn health(daemon: &Daemon, wanted: &str) {
    let within = (wanted, PATIENCE);
    http::once(daemon.pages, "/healthz", within, |reply| reply.text().contains(wanted));
}

#[test]
fn guests_see_each_move_when_its_delay_has_passed_and_nothing_else_at_all() {
    let mut house = House::new();
    let mut board = hall(&mut house);
    let daemon = Daemon::start(&house);
    let (guest, arbiter) = (Feed::guest(daemon.feed()), daemon.arbiter());
    // At once, so that nobody takes it for a fault.
    let shown = guest.topic("public/table/1/position", "the pieces", |it| it["ply"] == 0);
    assert_eq!(shown["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let game = guest.topic("public/table/1/game", "the players", |_| true);
    assert_eq!(game["players"]["white"]["name"], "Doe, Jane");
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    let mut made = Vec::new();
    for (san, left) in MOVES.iter().zip(170..) {
        made.push(Instant::now());
        board.play_and_press(san, left);
        let fen = board.game.fen();
        arbiter.topic("table/1/position", san, |it| it["fen"] == fen);
    }
    let pgn = asked(&daemon, "/pgn/round.pgn");
    assert_eq!((pgn.status, pgn.text().contains("1. e4")), (200, false), "{}", pgn.text());
    let early = asked(&daemon, "/pgn/table/1.pgn").head;
    guest.wait("all moves", |heard| {
        (plies(heard, "public/table/1/position") == MOVES.len() as u64).then_some(())
    });
    let heard = first_heard(&guest, "public/table/1/position");
    for (made, heard) in made.iter().zip(&heard[1..]) {
        let passed = heard.duration_since(*made);
        assert!(passed >= Duration::from_secs(DELAY), "told after {passed:?}");
    }
    // The very same, but for its number and time.
    let same = |topic: &str| {
        let (mut then, mut now) = (
            guest.topic(&format!("public/table/1/{topic}"), "told", |_| true),
            arbiter.now(&format!("table/1/{topic}")),
        );
        for it in [&mut then, &mut now] {
            (it["seq"], it["at"]) = (Value::Null, Value::Null);
        }
        assert_eq!(then, now, "{topic}");
    };
    let completed = |it: &Value| it["moves"][5]["status"] == "completed";
    guest.topic("public/table/1/game", "the last press", completed);
    ["position", "game"].into_iter().for_each(same);
    assert_eq!(guest.now("public/table/1/device").as_object().unwrap().len(), 4);
    let begun = Instant::now();
    while !asked(&daemon, "/pgn/round.pgn").text().contains("3. Bb5") {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_ne!(asked(&daemon, "/pgn/table/1.pgn").head, early, "another tag");
    let info = guest.now("public/info");
    assert_eq!((&info["delay_s"], &info["tables"]), (&json!(DELAY), &json!([1])));
    guest.look(|heard| {
        let topics: Vec<_> = heard.latest.keys().collect();
        let allowed = |it: &&&String| !it.contains("/bridge/") && !it.contains("/public/");
        assert_eq!(topics.iter().find(allowed), None);
    });
}

#[test]
fn a_kill_makes_nothing_public_sooner_and_loses_nothing() {
    let mut house = House::new();
    let mut board = hall(&mut house);
    let mut daemon = Daemon::start(&house);
    let mut arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    let mut made = Vec::new();
    let mut seen = vec![None; MOVES.len() + 1];
    let mut guest = Feed::guest(daemon.feed());
    let note = |guest: &Feed, seen: &mut Vec<Option<Instant>>| {
        for (plies, at) in first_heard(guest, "public/table/1/position").into_iter().enumerate() {
            seen[plies].get_or_insert(at);
        }
    };
    for (index, (san, left)) in MOVES.iter().zip(170..).enumerate() {
        made.push(Instant::now());
        board.play_and_press(san, left);
        let fen = board.game.fen();
        arbiter
            .topic("table/1/position", san, |it| it["fen"] == fen && it["status"] == "completed");
        if index % 2 == 1 {
            note(&guest, &mut seen);
            daemon.kill();
            daemon = Daemon::again(&house);
            (arbiter, guest) = (daemon.arbiter(), Feed::guest(daemon.feed()));
            surveyed(&arbiter, &board);
        }
    }
    guest.within(3 * PATIENCE, "all moves", |heard| {
        (plies(heard, "public/table/1/position") == MOVES.len() as u64).then_some(())
    });
    note(&guest, &mut seen);
    for (made, seen) in made.iter().zip(&seen[1..]) {
        let passed = seen.unwrap().duration_since(*made);
        assert!(passed >= Duration::from_secs(DELAY), "told after {passed:?}");
    }
    let game = guest.topic("public/table/1/game", "all moves", |it| it["moves"][5].is_object());
    let published = game["moves"].as_array().unwrap().iter().map(|it| it["uci"].as_str().unwrap());
    assert_eq!(published.collect::<Vec<_>>(), board.game.uci());
}

#[test]
fn pages_of_the_copy_are_there_with_it_and_guests_learn_nothing_of_the_present() {
    let mut house = House::new();
    let board = hall(&mut house);
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    for path in ["/public", "/public/table/1", "/public/embed/1"] {
        let page = asked(&daemon, path);
        assert!(page.status == 200 && page.text().contains("<html"), "{path}");
    }
    health(&daemon, "tables: 1 online");
    health(&daemon, "public: works since ");
    let elsewhere = |path: &str| request(daemon.pages, "hall.example:8380", "GET", path, "").text();
    let before = ["/healthz", "/metrics"].map(elsewhere);
    board.unplug();
    arbiter.topic("table/1/device", "gone", |it| it["state"] == "absent");
    health(&daemon, "tables: 1 absent");
    assert_eq!(["/healthz", "/metrics"].map(elsewhere), before, "byte for byte");
    assert!(before.iter().all(|text| !text.contains("tables")), "{before:?}");
}

#[test]
fn without_a_delay_there_are_no_pages_of_it() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    for path in ["/public", "/public/table/1"] {
        let page = asked(&daemon, path);
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text().contains("[public]"), "{}", page.text());
    }
}

#[test]
fn guests_who_may_not_read_the_hall_are_led_to_the_copy() {
    let mut house = House::new();
    let _board = hall(&mut house);
    let daemon = Daemon::start(&house);
    for (path, there) in [
        ("/", "/public"),
        ("/kiosk", "/public"),
        ("/?tables=1-4", "/public?tables=1-4"),
        ("/table/1", "/public/table/1"),
        ("/embed/1?flip", "/public/embed/1?flip"),
    ] {
        let page = asked(&daemon, path);
        let led = page.head.lines().find_map(|line| line.strip_prefix("location: "));
        assert_eq!((page.status, led), (307, Some(there)), "{path}");
    }
    assert_eq!(asked(&daemon, "/arbiter").status, 200);
}
