//! Boards without a number are known by their lines. Where what stands on them looks like another
//! table's game nobody guesses: an arbiter is asked, and the games go on where they were.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, House};

/// Two boards in play on lines that tell nothing of them, and their tables.
fn two_games(house: &mut House) -> ([Board; 2], Daemon, Feed, [u64; 2]) {
    house.any_line().put("defaults", "check_after_s", "1");
    let mut boards = ["usb-a", "usb-b"].map(|line| Board::chesslink(&house.line(line)));
    let daemon = Daemon::start(house);
    let arbiter = daemon.arbiter();
    let tables = ["usb-a", "usb-b"].map(|line| {
        arbiter.wait("its table", |heard| {
            let mut devices = heard.latest.iter().filter(|(topic, _)| topic.ends_with("/device"));
            devices.find_map(|(topic, &index)| {
                let here = heard.messages[index].json()["port"].as_str()?.ends_with(line);
                topic.split('/').nth(3)?.parse().ok().filter(|_| here)
            })
        })
    });
    for table in tables {
        arbiter.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
    }
    for (board, (table, moves)) in
        boards.iter_mut().zip(tables.into_iter().zip([["e4", "e5"], ["d4", "Nf6"]]))
    {
        moves.into_iter().for_each(|san| play(board, &arbiter, table, san));
    }
    (boards, daemon, arbiter, tables)
}

fn play(board: &mut Board, feed: &Feed, table: u64, san: &str) {
    board.play(san);
    let position = board.game.fen();
    feed.topic(&format!("table/{table}/position"), san, |it| it["fen"] == position);
}

fn pull(board: &Board, feed: &Feed, table: u64) {
    board.unplug();
    feed.topic(&format!("table/{table}/device"), "absent", |it| it["state"] == "absent");
}

/// What is asked of the board on this line.
fn asked(feed: &Feed, line: &str) -> Value {
    let is_it = |it: &Value| it["line"].as_str().is_some_and(|it| it.ends_with(line));
    let shown = feed.topic("arbiter/unseated", "which table it is", |it| {
        it["boards"].as_array().is_some_and(|boards| boards.iter().any(is_it))
    });
    shown["boards"].as_array().unwrap().iter().find(|it| is_it(it)).unwrap().clone()
}

fn nobody_is_asked_for(feed: &Feed) {
    feed.topic("arbiter/unseated", "nobody", |it| it["boards"] == json!([]));
}

#[test]
fn two_boards_without_a_number_that_change_ports_are_asked_for_and_both_games_go_on() {
    let mut house = House::new();
    let ([mut one, mut other], daemon, arbiter, [a, b]) = two_games(&mut house);
    pull(&one, &arbiter, a);
    pull(&other, &arbiter, b);
    one.plug(&house.line("usb-b"));
    other.plug(&house.line("usb-a"));

    for (line, board, table) in [("usb-b", &one, a), ("usb-a", &other, b)] {
        let asked = asked(&arbiter, line);
        assert_eq!(asked["tables"][0], json!({"table": table, "in_play": true, "agrees": true}));
        assert_eq!(asked["placement"], board.placement().to_string());
    }
    let line = |name: &str| house.line(name).display().to_string();
    let seat =
        |name: &str, table: u64| arbiter.ask("seat", json!({"line": line(name), "table": table}));
    let refused = |answer: Value, reason: &str| {
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{answer}");
    };
    refused(seat("usb-c", a), "no board answers on");
    refused(seat("usb-b", 9), "no such table");
    assert_eq!(seat("usb-b", a)["data"], json!({"table": a}));
    refused(seat("usb-a", a), "has a board, on");
    assert_eq!(seat("usb-a", b)["status"], "ok");
    // Another tablet answers a second later.
    refused(seat("usb-b", b), "it is the board of table");
    assert_eq!(seat("usb-b", a)["status"], "ok", "the same again");
    nobody_is_asked_for(&arbiter);
    play(&mut one, &arbiter, a, "Nf3");
    play(&mut other, &arbiter, b, "c4");

    // What was answered holds for these lines, also after a restart.
    daemon.kill();
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    play(&mut one, &arbiter, a, "Nc6");
    play(&mut other, &arbiter, b, "e6");
    nobody_is_asked_for(&arbiter);
}

/// The innocent twin: both were out, both come back where they were.
#[test]
fn two_boards_without_a_number_that_come_back_to_their_ports_are_not_asked_for() {
    let mut house = House::new();
    let ([mut one, mut other], _daemon, arbiter, [a, b]) = two_games(&mut house);
    pull(&one, &arbiter, a);
    pull(&other, &arbiter, b);
    // One game goes on meanwhile.
    one.play("Nf3");
    one.plug(&house.line("usb-a"));
    other.plug(&house.line("usb-b"));
    play(&mut one, &arbiter, a, "Nc6");
    play(&mut other, &arbiter, b, "c4");
    let shown = arbiter.all("arbiter/unseated");
    assert!(shown.iter().all(|it| it["boards"] == json!([])), "{shown:?}");
}

#[test]
fn a_board_without_a_number_on_a_strange_line_may_be_that_of_a_game_that_waits() {
    let mut house = House::new();
    let ([mut one, _other], _daemon, arbiter, [a, _]) = two_games(&mut house);
    // A new board with a new game is nobody's that waits.
    pull(&one, &arbiter, a);
    let _new = Board::chesslink(&house.line("usb-new"));
    arbiter.topic("table/3/device", "a table of its own", |it| it["state"] == "online");
    one.plug(&house.line("usb-c"));
    let shown = asked(&arbiter, "usb-c");
    assert_eq!(shown["tables"][0], json!({"table": a, "in_play": true, "agrees": true}));
    assert_eq!(shown["new_table"], true);
    let line = house.line("usb-c").display().to_string();
    let answer = arbiter.ask("seat", json!({"line": line, "table": a}));
    assert_eq!(answer["status"], "ok", "{answer}");
    play(&mut one, &arbiter, a, "Nf3");
}

#[test]
fn a_board_whose_port_broke_gets_its_table_by_a_word_and_not_that_of_another() {
    let mut house = House::new();
    house.any_line().table(1, "").table(2, "");
    let mut one = Board::chesslink(&house.line("1"));
    let _other = Board::chesslink(&house.line("2"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    for table in [1, 2] {
        arbiter.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
    }
    play(&mut one, &arbiter, 1, "e4");
    pull(&one, &arbiter, 1);
    one.plug(&house.line("3"));
    let shown = asked(&arbiter, "/3");
    assert_eq!(shown["tables"], json!([{"table": 1, "in_play": true, "agrees": true}]));
    assert_eq!(shown["new_table"], false);
    let line = house.line("3").display().to_string();
    let ask = |table: Option<u32>| arbiter.ask("seat", json!({"line": line, "table": table}));
    let error = |answer: Value| answer["error"].as_str().unwrap_or_default().to_owned();
    assert!(error(ask(Some(2))).contains("table 2 has a board, on"));
    assert!(error(ask(None)).contains("every table is named"));
    assert_eq!(ask(Some(1))["status"], "ok");
    play(&mut one, &arbiter, 1, "e5");

    // The port that is configured is better than a word: whoever is plugged in there has the table.
    pull(&one, &arbiter, 1);
    one.plug(&house.line("1"));
    play(&mut one, &arbiter, 1, "Nf3");
}
