//! Who sits where: told by arbiters and pairing files, known to every game from its first move.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, Game, House, one_table};

/// An array of Chess960; castling is left out because it does not matter here.
const ARRAY: &str = "nbbqrnkr/pppppppp/8/8/8/8/PPPPPPPP/NBBQRNKR w - - 0 1";

fn names(game: &Value) -> [&str; 2] {
    ["white", "black"].map(|side| game["players"][side]["name"].as_str().expect("a name"))
}

fn named(white: &str, black: &str) -> impl Fn(&Value) -> bool {
    move |game: &Value| names(game) == [white, black]
}

fn refusal(arbiter: &Feed, verb: &str, body: Value) -> String {
    let answer = arbiter.ask(verb, body);
    assert_eq!(answer["status"], "error", "{answer}");
    answer["error"].as_str().expect("a reason").to_owned()
}

#[test]
fn an_arbiter_names_players_and_pieces_and_a_killed_daemon_remembers_them() {
    let mut house = House::new();
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    let jane = json!({"name": "Doe, Jane", "title": "WFM", "rating": 2105, "federation": "BEL",
                      "fide_id": 200_000});
    let pairing = json!({"table": 1, "round": 3, "white": jane, "black": "Roe, Max",
                         "start_fen": ARRAY, "chess960": true});
    let answer = arbiter.ask("set_pairing", pairing);
    assert_eq!(answer["data"], json!({"round": "3", "next_game": false}), "{answer}");
    let game = arbiter.topic("table/1/game", "the names", named("Doe, Jane", "Roe, Max"));
    assert_eq!((&game["players"]["white"], &game["event"]["round"]), (&jane, &json!("3")));

    board.set_up(Game::from_fen(ARRAY));
    let array = |it: &Value| it["chess960"] == true && it["start_fen"] == ARRAY;
    arbiter.topic("table/1/game", "the pieces of the pairing", array);
    assert_eq!(arbiter.ask("start_round", json!({}))["data"], json!({"tables": [1]}));
    let started = arbiter.topic("table/1/game", "the start", |it| it["start_at"].is_string());
    board.start_clock();
    board.play_and_press("d4", 178);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    let refused = refusal(
        &arbiter,
        "set_pairing",
        json!({"table": 1, "white": "A", "black": "B",
                                                         "start_fen": ARRAY}),
    );
    assert!(refused.contains("moves have been made"), "{refused}");
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    let game = arbiter.topic("table/1/game", "the game", |it| it["moves"][0]["san"] == "d4");
    assert_eq!(game["players"]["white"], jane);
    assert_eq!((&game["event"]["round"], &game["start_fen"]), (&json!("3"), &json!(ARRAY)));
    // A restart works times of day out anew: only the milliseconds may differ.
    let minute = |it: &Value| it["start_at"].as_str().map(|it| it[..16].to_owned());
    assert_eq!(minute(&game), minute(&started));
    let pgn = arbiter.wait("the PGN", |heard| {
        let pgn = heard.latest("adoubed/v1/table/1/pgn")?.text();
        pgn.contains("d4").then_some(pgn)
    });
    for tag in [
        "[Round \"3.1\"]",
        "[White \"Doe, Jane\"]",
        "[WhiteTitle \"WFM\"]",
        "[WhiteElo \"2105\"]",
        "[WhiteFideId \"200000\"]",
        "[Variant \"Chess960\"]",
    ] {
        assert!(pgn.contains(tag), "{tag} is not in\n{pgn}");
    }
}

#[test]
fn what_is_said_after_a_result_holds_for_the_next_game() {
    let mut house = House::new();
    let (mut board, _daemon, arbiter) = one_table(&mut house, "");
    arbiter.ask("set_pairing", json!({"table": 1, "round": "1", "white": "A", "black": "B"}));
    board.start_clock();
    board.play_and_press("e4", 178);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    arbiter.ask("set_result", json!({"table": 1, "result": "1-0"}));
    let next = json!({"table": 1, "round": "2", "white": "C", "black": "A"});
    let answer = arbiter.ask("set_pairing", next);
    assert_eq!(answer["data"], json!({"round": "2", "next_game": true}), "{answer}");
    arbiter.ask("start_round", json!({"round": "2", "tables": [1]}));
    let over = arbiter.topic("table/1/game", "the result", |it| it["result"] == "1-0");
    assert_eq!((names(&over), &over["event"]["round"]), (["A", "B"], &json!("1")));

    board.set_up(Game::default());
    let game = arbiter.topic("table/1/game", "the next game", named("C", "A"));
    assert_eq!((&game["event"]["round"], &game["result"]), (&json!("2"), &json!("*")));
    assert!(game["start_at"].is_string(), "{game}");
}

#[test]
fn a_pairing_or_start_that_cannot_be_meant_changes_nothing() {
    let mut house = House::new();
    let (_board, _daemon, arbiter) = one_table(&mut house, "");
    let before = arbiter.now("table/1/game");
    let two_kings = "8/8/8/8/8/8/8/KK6 w - - 0 1";
    let pairing = |key: &str, value: Value| {
        let mut body = json!({"table": 1, "white": "A", "black": "B"});
        body[key] = value;
        body
    };
    for (verb, body, reason) in [
        ("set_pairing", pairing("table", json!(7)), "no such table"),
        ("set_pairing", pairing("start_fen", json!("nonsense")), "the FEN cannot be read"),
        ("set_pairing", pairing("start_fen", json!(two_kings)), "no legal position"),
        ("set_pairing", pairing("white", json!({"name": "A", "rating": "strong"})), "write a name"),
        ("set_pairing", pairing("white", json!("A".repeat(101))), "may have 100 letters"),
        ("set_pairing", json!({"table": 1, "white": "A"}), "write white and black"),
        ("start_round", json!({"tables": [1, 7]}), "no such table: 7"),
        ("start_round", json!({"tables": [7]}), "no such table: 7"),
        ("start_round", json!({"tables": [9, 1, 7, 9]}), "no such table: 7, 9"),
        ("start_round", json!({"tables": []}), "names no table"),
        ("start_round", json!({"tables": 1}), "invalid type"),
    ] {
        let refused = refusal(&arbiter, verb, body.clone());
        assert!(refused.contains(reason), "{verb} {body}: {refused:?} does not say {reason:?}");
    }
    let after = arbiter.now("table/1/game");
    assert_eq!((&after["players"], &after["start_at"]), (&before["players"], &Value::Null));
}

/// The tags of one game.
fn tags(round: &str, white: &str, black: &str, more: &str) -> String {
    format!("[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n{more}\n*\n\n")
}

#[test]
fn a_round_begins_with_the_pairing_that_belongs_to_it() {
    let mut house = House::new();
    house.set("event", "pairings", "pairs.pgn").set("event", "round", "1");
    house.set("event", "start", "2126-11-20T14:00:00+01:00");
    let array = format!("[FEN \"{ARRAY}\"]\n[Variant \"Chess960\"]\n");
    let rounds = [tags("1.1", "A", "B", ""), tags("2.1", "C", "A", &array)];
    std::fs::write(house.path().join("pairs.pgn"), rounds.concat()).expect("a file");
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    let game = arbiter.topic("table/1/game", "the first round", named("A", "B"));
    assert_eq!(game["event"]["round"], "1");
    assert_eq!(game["start_at"].as_str().map(|it| &it[..19]), Some("2126-11-20T13:00:00"));
    board.start_clock();
    board.play_and_press("e4", 178);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    arbiter.ask("set_result", json!({"table": 1, "result": "1/2-1/2"}));
    let over = arbiter.topic("table/1/game", "the result", |it| it["result"] == "1/2-1/2");
    assert_eq!(names(&over), ["A", "B"]);

    board.set_up(Game::from_fen(ARRAY));
    let next = arbiter.topic("table/1/game", "the second round", named("C", "A"));
    assert_eq!((&next["event"]["round"], &next["start_fen"]), (&json!("2"), &json!(ARRAY)));
    assert_eq!((&next["chess960"], &next["start_at"]), (&json!(true), &Value::Null));

    // A name was misspelt; then the file is no file of pairings any more.
    let mended = [tags("1.1", "A", "B", ""), tags("2.1", "Carlsson", "A", &array)];
    std::fs::write(house.path().join("pairs.pgn"), mended.concat()).expect("a file");
    arbiter.topic("table/1/game", "the right name", named("Carlsson", "A"));
    std::fs::write(house.path().join("pairs.pgn"), "table;white;black").expect("a file");
    let refused = daemon.logged("the old pairings stay");
    assert!(refused.contains("pairs.pgn:1: pairings: neither PGN"), "{refused}");
    assert_eq!(names(&arbiter.now("table/1/game")), ["Carlsson", "A"]);
    daemon.kill();

    std::fs::write(house.path().join("pairs.pgn"), mended.concat()).expect("a file");
    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    let game = arbiter.topic("table/1/game", "the same round", named("Carlsson", "A"));
    assert_eq!((&game["event"]["round"], &game["start_fen"]), (&json!("2"), &json!(ARRAY)));
}

#[test]
fn moves_times_and_colours_are_set_right_and_stay_so_after_a_kill() {
    let mut house = House::new();
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    arbiter.ask("set_pairing", json!({"table": 1, "white": "A", "black": "B"}));
    board.start_clock();
    for (ply, san) in (1..).zip(["e4", "e5", "Nf3"]) {
        board.play_and_press(san, 170);
        arbiter
            .topic("table/1/position", san, |it| it["ply"] == ply && it["status"] == "completed");
    }
    let reversed = json!({"table": 1, "colours_reversed": true});
    assert_eq!(arbiter.ask("set_pairing", reversed)["status"], "ok");
    arbiter.topic("table/1/game", "who really sits there", named("B", "A"));
    let alert = arbiter.topic("alert/1-1-1", "told", |it| it["kind"] == "colours_reversed");
    assert_eq!((&alert["article"], &alert["gravity"]), (&json!("7.3"), &json!("look")));

    let running = json!({"table": 1, "white_ms": 60_000, "black_ms": 60_000});
    assert!(refusal(&arbiter, "set_time", running.clone()).contains("the clock runs"));
    assert!(
        refusal(&arbiter, "take_back", json!({"table": 1, "plies": 4})).contains("not so many")
    );
    assert!(
        refusal(&arbiter, "take_back", json!({"table": 7, "plies": 1})).contains("no such table")
    );
    let unseen = json!({"table": 1, "plies": 1, "of": 2});
    assert!(refusal(&arbiter, "take_back", unseen).contains("made meanwhile"));
    let hours = json!({"table": 1, "white_ms": 36_000_000, "black_ms": 0});
    assert!(refusal(&arbiter, "set_time", hours).contains("ten hours"));

    board.show(Face { running: false, ..board.face });
    arbiter.topic("table/1/clock", "both stand", |it| it["running"] == Value::Null);
    assert_eq!(arbiter.ask("take_back", json!({"table": 1, "plies": 1}))["status"], "ok");
    assert_eq!(arbiter.ask("set_time", running)["status"], "ok");
    let game = arbiter.topic("table/1/game", "two moves", |it| it["rev"] == 1);
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(2));
    board.lift("f3");
    board.put("g1", 'N');
    arbiter.topic("table/1/board", "agreement", |it| it["agrees"] == true);
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    let game = arbiter.topic("table/1/game", "the same", |it| it["rev"] == 1);
    assert_eq!((names(&game), game["moves"].as_array().map(Vec::len)), (["B", "A"], Some(2)));
    // The times that were said are remembered too: the clock goes on with others.
    let wrong = Face { white_s: 170, black_s: 60, running: true, white_counts: true, ..board.face };
    board.show(wrong);
    arbiter.wait("a clock that is not set as the arbiter said", |heard| {
        heard.messages.iter().find(|it| it.json()["kind"] == "clock_setting").map(|_| ())
    });
}

#[test]
fn an_alert_that_is_open_still_names_who_played_then() {
    let mut house = House::new();
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    arbiter.ask("set_pairing", json!({"table": 1, "round": "1", "white": "A", "black": "B"}));
    board.start_clock();
    board.play_and_press("e4", 178);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    black_errs(&mut board);
    let of = |players: [&'static str; 2], earlier: bool| {
        move |it: &Value| it["earlier_game"] == earlier && names(it) == players
    };
    arbiter.topic("alert/1-1-1", "its game", of(["A", "B"], false));

    // The same game goes on from a position that an arbiter sets.
    let fen = "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(arbiter.ask("set_position", json!({"table": 1, "fen": fen}))["status"], "ok");
    arbiter
        .topic("table/1/game", "the same players", |it| it["game"] == 2 && names(it) == ["A", "B"]);
    assert!(of(["A", "B"], false)(&arbiter.now("alert/1-1-1")), "it is the same game");
    board.set_up(Game::from_fen(fen));
    // It is Black's time again.
    board.press(178);
    board.play_and_press("e5", 178);
    arbiter.topic("table/1/position", "a reply", |it| it["status"] == "completed");

    arbiter.ask("set_result", json!({"table": 1, "result": "1-0"}));
    let next = json!({"table": 1, "round": "2", "white": "C", "black": "D"});
    assert_eq!(arbiter.ask("set_pairing", next)["data"]["next_game"], true);
    board.set_up(Game::default());
    arbiter.topic("table/1/game", "the next round", named("C", "D"));
    arbiter.topic("alert/1-1-1", "an earlier game", of(["A", "B"], true));
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/game", "the next round", named("C", "D"));
    arbiter.topic("alert/1-1-1", "the same after a kill", of(["A", "B"], true));
}

#[test]
fn names_that_the_configuration_changes_after_a_result_are_those_of_the_next_game() {
    let mut house = House::new();
    let (mut board, daemon, arbiter) = one_table(&mut house, "white = \"A\"\nblack = \"B\"");
    board.start_clock();
    board.play_and_press("e4", 178);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    black_errs(&mut board);
    arbiter.topic("alert/1-1-1", "an illegal move", named("A", "B"));
    arbiter.ask("set_result", json!({"table": 1, "result": "1-0"}));
    arbiter.topic("table/1/game", "the result", |it| it["result"] == "1-0");

    let config = fs::read_to_string(house.config()).expect("a configuration");
    let others = config.replace("\"A\"", "\"C\"").replace("\"B\"", "\"D\"");
    fs::write(house.config(), others).expect("a configuration");
    daemon.hang_up();
    daemon.logged("the configuration was read again");
    // An answer comes after what was asked for before it.
    arbiter.ask("set_result", json!({"table": 99, "result": "1-0"}));
    let over = arbiter.now("table/1/game");
    assert_eq!((names(&over), &over["result"]), (["A", "B"], &json!("1-0")));
    board.set_up(Game::default());
    arbiter.topic("table/1/game", "the next game", named("C", "D"));
    let then = |it: &Value| it["earlier_game"] == true && names(it) == ["A", "B"];
    arbiter.topic("alert/1-1-1", "an earlier game", then);
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/game", "the next game", named("C", "D"));
    arbiter.topic("alert/1-1-1", "the same after a kill", then);
}

/// Moves a knight as no knight moves, and presses: what stays open when the game is over.
fn black_errs(board: &mut Board) {
    board.lift("g8");
    board.put("g6", 'n');
    board.press(178);
}
