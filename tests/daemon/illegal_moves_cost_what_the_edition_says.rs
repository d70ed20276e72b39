//! What an illegal move costs by edition and rate of play, the first time and the second, and what
//! the clock then shows: as an arbiter hears it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, House, one_table};

/// The newest open alert of this kind at this table, once it is as wanted.
fn alert(arbiter: &Feed, table: u32, kind: &str, good: impl Fn(&Value) -> bool) -> Value {
    arbiter.wait(&format!("{kind} at table {table}"), |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let alerts = alerts.map(|(_, &index)| heard.messages[index].json());
        let mut of_kind = alerts.filter(|it| it["table"] == table && it["kind"] == kind);
        of_kind.find(|it| good(it))
    })
}

fn advises(alert: &Value, words: &str) -> bool {
    let advice = alert["advice"].as_array().expect("advice");
    advice.iter().any(|it| it["en"].as_str().is_some_and(|it| it.contains(words)))
}

/// White's knight goes where no knight can, and he presses.
fn jump(board: &mut Board, [from, to]: [&str; 2], seconds: u32) {
    board.lift(from);
    board.put(to, 'N');
    board.press(seconds);
}

/// The position is reinstated with both clocks stopped, and the game goes on with these times.
fn reinstate(board: &mut Board, [from, to]: [&str; 2], (white_s, black_s): (u32, u32)) {
    board.show(Face { running: false, ..board.face });
    board.lift(to);
    board.put(from, 'N');
    board.show(Face { white_s, black_s, white_counts: true, ..board.face });
    board.start_clock();
}

#[test]
fn each_edition_has_its_price_and_the_second_illegal_move_loses() {
    let mut house = House::new();
    let games = [
        (1, "laws = \"2023\"\ntime_control = \"5400\"", 5400, Some(120)),
        (2, "laws = \"2018\"\ntime_control = \"180\"", 180, Some(60)),
        (3, "laws = \"2023\"\ntime_control = \"900\"", 900, Some(60)),
        (4, "laws = \"2014\"\ntime_control = \"900\"\nsupervision = \"inadequate\"", 900, None),
    ];
    let mut boards = Vec::new();
    for (table, more, seconds, _) in games {
        house.table(table, &format!("driver = \"dgt\"\n{more}"));
        let mut board = Board::dgt(&house.line(&table.to_string()), &table.to_string());
        board.show(Face { white_s: seconds, black_s: seconds, ..board.face });
        boards.push(board);
    }
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    for (board, (table, _, seconds, price)) in boards.iter_mut().zip(games) {
        offend_first(board, &arbiter, table, (seconds, price));
    }
    // What is told sooner is about the same move: nobody completes two so quickly.
    std::thread::sleep(Duration::from_millis(3200));
    for (board, (table, _, seconds, price)) in boards.iter_mut().zip(games) {
        if price.is_some() {
            jump(board, ["b1", "b4"], seconds);
            offended_again(&arbiter, table);
        }
    }
}

/// White makes an illegal move; where it does not lose, it is put right and Black gets his time.
fn offend_first(
    board: &mut Board,
    arbiter: &Feed,
    table: u32,
    (seconds, price): (u32, Option<u32>),
) {
    arbiter.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
    board.start_clock();
    jump(board, ["g1", "g4"], seconds);
    let first = alert(arbiter, table, "illegal_move", |it| it["facts"]["offence"] == 1);
    assert_eq!(first["facts"]["penalty_s"], json!(price), "{first}");
    let said = match price {
        Some(120) => "Black gets 2 minutes",
        Some(_) => "Black gets 1 minute",
        None => "the game is lost",
    };
    assert!(advises(&first, said), "{first}");
    if let Some(price) = price {
        reinstate(board, ["g1", "g4"], (seconds, seconds + price));
        arbiter.topic(&format!("table/{table}/clock"), "White's time", |it| {
            it["running"] == "white" && it["white_ms"] == seconds * 1000
        });
        let given = alert(arbiter, table, "clock_adjusted", |_| true);
        assert!(advises(&given, "the penalty that was due"), "{given}");
    }
}

/// The second illegal move loses; the arbiter upholds it and enters the result.
fn offended_again(arbiter: &Feed, table: u32) {
    let second = alert(arbiter, table, "illegal_move", |it| it["facts"]["offence"] == 2);
    assert_eq!(second["facts"]["penalty_s"], Value::Null);
    assert!(advises(&second, "Illegal move no. 2 of White: the game is lost."), "{second}");
    let ruling = json!({"alert": second["id"], "ruling": "upheld"});
    assert_eq!(arbiter.ask("rule", ruling)["status"], "ok");
    let lost = json!({"table": table, "result": "0-1"});
    assert_eq!(arbiter.ask("set_result", lost)["status"], "ok");
    let ledger = arbiter.topic(&format!("arbiter/ledger/{table}"), "both", |it| {
        it["white"]["faults"][1]["ruling"] == "upheld"
    });
    assert_eq!(ledger["white"]["illegal_moves"], 2, "{ledger}");
    let position = format!("table/{table}/position");
    arbiter.topic(&position, "the result", |it| it["result"] == "0-1");
}

#[test]
fn the_clock_is_held_against_the_times_that_an_arbiter_has_ordered() {
    let mut house = House::new();
    house.set("event", "time_control", "180");
    let (mut board, _daemon, arbiter) = one_table(&mut house, "");
    board.start_clock();
    board.play_and_press("e4", 180);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    let order = json!({"table": 1, "white_ms": 180_000, "black_ms": 240_000});
    let refused = arbiter.ask("set_time", order.clone());
    assert_eq!(refused["status"], "error", "{refused}");
    assert!(refused["error"].as_str().is_some_and(|it| it.contains("the clock runs")), "{refused}");

    let stopped = |arbiter: &Feed| {
        arbiter.topic("table/1/position", "both clocks stopped", |it| it["phase"] == "paused")
    };
    let goes_on = |board: &mut Board, black_s: u32| {
        board.show(Face { black_s, ..board.face });
        board.start_clock();
        arbiter.topic("table/1/clock", "the time", |it| {
            it["running"] == "black" && it["black_ms"] == black_s * 1000
        });
    };
    board.show(Face { running: false, ..board.face });
    stopped(&arbiter);
    assert_eq!(arbiter.ask("set_time", order.clone())["status"], "ok");
    goes_on(&mut board, 200);
    let wrong = alert(&arbiter, 1, "clock_setting", |_| true);
    assert_eq!(wrong["facts"]["reason"], "not_as_ordered");
    assert_eq!(wrong["facts"]["expected_ms"], json!({"white": 180_000, "black": 240_000}));
    let ruling = json!({"alert": wrong["id"], "ruling": "upheld"});
    assert_eq!(arbiter.ask("rule", ruling)["status"], "ok");

    board.show(Face { running: false, ..board.face });
    stopped(&arbiter);
    assert_eq!(arbiter.ask("set_time", order)["status"], "ok");
    goes_on(&mut board, 240);
    board.play_and_press("e5", 240);
    arbiter.topic("table/1/position", "the game goes on", |it| it["ply"] == 2);
    let settings: Vec<_> = arbiter.look(|heard| {
        let alerts = heard.messages.iter().filter(|it| it.topic.contains("/alert/"));
        let shown = alerts.filter(|it| !it.text().is_empty()).map(|it| it.json());
        shown.filter(|it| it["kind"] == "clock_setting" && it["id"] != wrong["id"]).collect()
    });
    assert_eq!(settings, [Value::Null; 0], "as it was ordered");
}

#[test]
fn who_may_ask_for_what_in_the_last_two_minutes_is_told_to_arbiters() {
    let mut house = House::new();
    house.set("event", "time_control", "900").put("event", "quickplay_finish", "true");
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    board.show(Face { white_s: 900, black_s: 900, ..board.face });
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "the pieces", |it| it["phase"] == "ready");
    board.start_clock();
    board.play_and_press("e4", 890);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    board.show(Face { black_s: 119, ..board.face });
    let shown = alert(&arbiter, 1, "two_minutes", |_| true);
    assert_eq!((&shown["article"], &shown["side"]), (&json!("III.4"), &json!("black")), "{shown}");
    assert_eq!(shown["gravity"], "note");
}
