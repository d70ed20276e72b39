//! An arbiter's requests change a game, with rights, and with an answer to each.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, Game, House, one_table};

/// White can capture in passing and promote, Black can castle.
const FEN: &str = "r3k3/7P/8/5pP1/8/8/8/4K3 w q f6 0 30";

#[test]
fn a_position_set_by_the_arbiter_is_played_on_with_every_kind_of_move() {
    let mut house = House::new();
    let (mut board, _daemon, arbiter) = one_table(&mut house, "");

    board.set_up(Game::from_fen(FEN));
    let placement = board.game.placement().to_string();
    arbiter.topic("table/1/board", "the squares", |it| it["placement"] == placement);
    let answer = arbiter.ask("set_position", json!({"table": 1, "fen": FEN}));
    assert_eq!((&answer["status"], &answer["error"]), (&json!("ok"), &Value::Null));
    arbiter.topic("table/1/game", "the position", |it| it["start_fen"] == FEN);
    arbiter.topic("table/1/board", "agreement", |it| it["agrees"] == true);

    board.start_clock();
    let moves =
        [("gxf6", 100, false), ("O-O-O", 101, false), ("h8=Q", 99, false), ("Kc7", 98, false)];
    for (index, (san, seconds, check)) in moves.into_iter().enumerate() {
        board.play_and_press(san, seconds);
        let made = |it: &Value| it["ply"] == index + 1 && it["status"] == "completed";
        let position = arbiter.topic("table/1/position", san, made);
        assert_eq!(position["fen"], board.game.fen(), "{san}");
        assert_eq!(position["check"], check, "{san}");
    }
    let game = arbiter.topic("table/1/game", "all", |it| it["moves"][3]["status"] == "completed");
    assert_eq!(game["moves"][2]["uci"], "h7h8q");
    let pgn = arbiter.wait("the PGN", |heard| {
        let pgn = heard.latest("adoubed/v1/table/1/pgn")?.text();
        pgn.contains("Kc7").then_some(pgn)
    });
    assert!(pgn.contains("[SetUp \"1\"]") && pgn.contains(&format!("[FEN \"{FEN}\"]")), "{pgn}");
    assert!(pgn.contains("30. gxf6") && pgn.contains("31. h8=Q"), "{pgn}");
    assert_result(&arbiter);
}

fn assert_result(arbiter: &Feed) {
    let draw = json!({"table": 1, "result": "1/2-1/2"});
    assert_eq!(arbiter.ask("set_result", draw)["status"], "ok");
    let ended = arbiter.topic("table/1/game", "a result", |it| it["result"] == "1/2-1/2");
    assert_eq!(ended["termination"], "arbiter");
    arbiter.topic("table/1/position", "the end", |it| it["phase"] == "ended");
    assert_eq!(arbiter.ask("set_result", json!({"table": 1, "result": "*"}))["status"], "ok");
    arbiter.topic("table/1/position", "the game again", |it| it["result"] == "*");
}

#[test]
fn a_claim_of_a_draw_is_checked_with_the_move_that_is_announced() {
    let mut house = House::new();
    let (mut board, _daemon, arbiter) = one_table(&mut house, "");
    board.start_clock();
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"];
    for (index, san) in moves.into_iter().enumerate() {
        board.play_and_press(san, 100);
        arbiter.topic("table/1/position", san, |it| it["ply"] == index + 1);
    }
    let asked = |kind: &str, mv: Option<&str>| {
        arbiter.ask("claim_check", json!({"table": 1, "kind": kind, "move": mv}))
    };
    let right = asked("threefold", Some("Ng8"));
    assert_eq!((&right["status"], &right["data"]["right"]), (&json!("ok"), &json!(true)));
    let plies: Vec<_> = right["data"]["occurrences"].as_array().expect("plies").iter().collect();
    assert_eq!(plies.iter().map(|it| &it["ply"]).collect::<Vec<_>>(), [0, 4, 8], "{right}");
    assert_eq!(right["data"]["penalty_s"], 120);
    for (kind, mv) in [("threefold", Some("Nd5")), ("threefold", None), ("fifty", None)] {
        let wrong = asked(kind, mv);
        assert_eq!((&wrong["status"], &wrong["data"]["right"]), (&json!("ok"), &json!(false)));
    }
    let refused = asked("threefold", Some("Nf3"));
    assert_eq!(refused["status"], "error");
    assert!(refused["error"].as_str().is_some_and(|it| it.contains("Nf3")), "{refused}");
    let given = json!({"table": 1, "side": "white", "seconds": 120});
    let ledger = arbiter.ask("penalty_given", given);
    assert_eq!(ledger["data"]["white"], json!({"illegal_moves":0,"penalties":1,"given_s":120}));
}

/// A.3.2 and B.3.2 of 2018: five times in a game, in rapid and blitz under supervision.
#[test]
fn requests_to_see_the_score_are_counted_for_each_player() {
    let mut house = House::new();
    house.set("event", "time_control", "300").set("event", "supervision", "adequate");
    house.table(2, "driver = \"dgt\"\nlaws = \"2014\"");
    let mut other = Board::dgt(&house.line("2"), "2");
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    let asked = |table: u32, side: &str| {
        arbiter.ask("score_shown", json!({"table": table, "side": side}))["data"].clone()
    };
    for board in [&mut board, &mut other] {
        board.start_clock();
        board.play_and_press("e4", 299);
    }
    for table in [1, 2] {
        arbiter.topic(&format!("table/{table}/position"), "1.e4", |it| it["ply"] == 1);
    }
    for count in 1..=6 {
        assert_eq!(asked(1, "black"), json!({"white": 0, "black": count, "of": 5}));
    }
    assert_eq!(asked(1, "white"), json!({"white": 1, "black": 6, "of": 5}));
    assert_eq!(asked(2, "white"), json!({"white": 1, "black": 0, "of": null}), "no such rule");
    let all = json!({"white": 1, "black": 6, "of": 5});
    arbiter.topic("arbiter/ledger/1", "every arbiter's count", |it| it["score_shown"] == all);
    let nobody = arbiter.ask("score_shown", json!({"table": 1, "side": "both"}));
    assert_eq!(nobody["status"], "error", "{nobody}");
    daemon.kill();
    let again = Daemon::again(&house);
    again.arbiter().topic("arbiter/ledger/1", "after a kill", |it| it["score_shown"] == all);
}

#[test]
fn a_board_that_lies_the_other_way_round_is_turned_on_request() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    board.set_up(Game::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let as_it_lies = board.game.placement().to_string();
    arbiter.topic("table/1/board", "as it lies", |it| it["placement"] == as_it_lies);
    assert_eq!(arbiter.ask("flip", json!({"table": 1}))["status"], "ok");
    let turned = board.game.placement().turned().to_string();
    arbiter.topic("table/1/board", "the other way round", |it| it["placement"] == turned);
    arbiter.topic("table/1/device", "turned", |it| it["turned"] == true);
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let two_kings = "8/8/8/8/8/8/8/KK6 w - - 0 1";
    for (verb, body, reason) in [
        ("dance", json!({}), "no such request: dance"),
        ("set_position", json!({"table": 1, "fen": two_kings}), "no legal position"),
        ("set_position", json!({"table": 1, "fen": "nonsense"}), "the FEN cannot be read"),
        ("set_position", json!({"fen": FEN}), "missing field `table`"),
        ("set_result", json!({"table": 1, "result": "2-0"}), "no result: 2-0"),
        ("set_result", json!({"table": 77, "result": "1-0"}), "no such table"),
        ("flip", json!({"table": "one"}), "invalid type"),
        ("claim_check", json!({"table": 77, "kind": "fifty"}), "no such table"),
        ("claim_check", json!({"table": 1, "kind": "boredom"}), "unknown variant `boredom`"),
        ("penalty_given", json!({"table": 1, "side": "red", "seconds": 1}), "unknown variant"),
        ("acknowledge", json!({"alert": "1-1-1"}), "no such alert"),
        ("rule", json!({"alert": "seven", "ruling": "upheld"}), "no such alert"),
        ("rule", json!({"alert": "1-1-1", "ruling": "maybe"}), "unknown variant `maybe`"),
    ] {
        let answer = arbiter.ask(verb, body.clone());
        assert_eq!(answer["status"], "error", "{verb} {body}");
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{verb} {body}: {error:?} does not say {reason:?}");
    }
    // Not even JSON: an answer all the same.
    arbiter.publish("request/rule", &Value::Null, None);
    arbiter.topic("response/rule", "an answer without transaction", |it| {
        it["status"] == "error" && it["transaction"] == Value::Null
    });
}

#[test]
fn nobody_without_rights_may_ask() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let guest = Feed::guest(daemon.feed());
    let arbiter = daemon.arbiter();
    guest.topic("table/1/position", "a game", |it| it["phase"] == "ready");
    let lost = json!({"table": 1, "result": "0-1", "transaction": "guest"});
    guest.publish("request/set_result", &lost, None);
    assert_eq!(arbiter.ask("set_result", json!({"table": 1, "result": "1-0"}))["status"], "ok");
    guest.topic("table/1/game", "the arbiter's result", |it| it["result"] == "1-0");
    let answers = arbiter.all("response/set_result");
    assert!(answers.iter().all(|it| it["transaction"] != "guest"), "{answers:?}");
    let games = guest.all("table/1/game");
    assert!(games.iter().all(|it| it["result"] != "0-1"), "{games:?}");
    // What guests publish under topics they may read changes nothing for others either.
    guest.publish("table/1/position", &json!({"fen": "fraud"}), None);
    assert_eq!(arbiter.ask("flip", json!({"table": 1}))["status"], "ok");
    let positions = arbiter.all("table/1/position");
    assert!(positions.iter().all(|it| it["fen"] != "fraud"), "{positions:?}");
}

#[test]
fn in_a_closed_hall_guests_hear_nothing_of_the_tables() {
    let mut house = House::new();
    house.set("mqtt", "hall", "users").table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let guest = Feed::guest(daemon.feed());
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.play("e4");
    arbiter.topic("table/1/position", "a move", |it| it["ply"] == 1);
    let late = Feed::guest(daemon.feed());
    for guest in [guest, late] {
        guest.topic("bridge/info", "the table", |it| it["tables"] == json!([1]));
        guest.wait("the daemon's state", |heard| {
            heard.latest.get("adoubed/v1/bridge/state").copied()
        });
        let topics: Vec<_> = guest.look(|heard| heard.latest.keys().cloned().collect());
        assert_eq!(topics, ["adoubed/v1/bridge/info", "adoubed/v1/bridge/state"]);
    }
}
