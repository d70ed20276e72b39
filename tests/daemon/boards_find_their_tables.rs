//! Without a word of configuration every recognised board gets a table, and a board that comes
//! back under another name finds its table and its game again.

use std::collections::BTreeMap;

use std::time::Instant;

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, House, PATIENCE, adoubed, finish};

/// The tables of boards by the file name of their lines, once there are so many.
fn tables(feed: &Feed, count: usize) -> BTreeMap<String, u64> {
    feed.wait(&format!("{count} boards online"), |heard| {
        let devices = heard.latest.iter().filter(|(topic, _)| topic.ends_with("/device"));
        let online = devices.filter_map(|(topic, &index)| {
            let device = heard.messages[index].json();
            let table = topic.split('/').nth(3)?.parse().ok()?;
            let line = device["port"].as_str()?.rsplit('/').next()?.to_owned();
            (device["state"] == "online").then_some((line, table))
        });
        let online: BTreeMap<_, _> = online.collect();
        (online.len() == count).then_some(online)
    })
}

fn of(table: u64, topic: &str) -> String {
    format!("table/{table}/{topic}")
}

#[test]
fn every_recognised_board_gets_a_table_and_keeps_it_wherever_it_is_plugged_in() {
    let mut house = House::new();
    house.any_line().put("defaults", "check_after_s", "1");
    let mut taken = Board::dgt(&house.line("usb-a"), "26015");
    let mut several = Board::dgt(&house.line("usb-b"), "26016");
    let mut silent = Board::chesslink(&house.line("usb-c"));
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    let seats = tables(&feed, 3);
    let [a, b, c] = ["usb-a", "usb-b", "usb-c"].map(|line| seats[line]);
    assert_eq!(
        seats.values().copied().collect::<std::collections::BTreeSet<_>>(),
        (1..=3).collect()
    );
    for (table, driver, serial) in
        [(a, "dgt", json!("26015")), (b, "dgt", json!("26016")), (c, "chesslink", Value::Null)]
    {
        let shown = feed.topic(&of(table, "device"), "who", |it| it["serial"] == serial);
        assert_eq!(shown["driver"], driver);
        feed.topic(&of(table, "position"), "ready", |it| it["phase"] == "ready");
    }
    begin(&feed, (a, &mut taken), (b, &mut several), (c, &mut silent));

    // White's hand has taken the pawn on d5 off and holds its own when the cable goes.
    taken.lift("d5");
    taken.lift("e4");
    feed.topic(&of(a, "board"), "two pieces in the air", |it| {
        it["lifted"].as_array().map(Vec::len) == Some(2)
    });
    for (table, board) in [(a, &taken), (b, &several), (c, &silent)] {
        board.unplug();
        feed.topic(&of(table, "device"), "absent", |it| it["state"] == "absent");
    }
    taken.play("exd5");
    taken.play("Qxd5");
    for san in ["e3", "e5", "d3"] {
        several.play(san);
    }
    silent.play("c5");
    taken.plug(&house.line("usb-x"));
    several.plug(&house.line("usb-y"));
    silent.plug(&house.line("usb-c"));
    assert_inferred(&feed, a, &taken);
    assert_doubt(&feed, &daemon, b, &several);
    assert_same_line(&feed, c, &mut silent);
    assert_eq!(tables(&feed, 3).values().max(), Some(&3), "a board that returned got a table anew");
}

/// A few moves at each table.
fn begin(
    feed: &Feed,
    taken: (u64, &mut Board),
    several: (u64, &mut Board),
    silent: (u64, &mut Board),
) {
    for (ply, san) in (1..).zip(["e4", "d5"]) {
        taken.1.play(san);
        feed.topic(&of(taken.0, "position"), san, |it| it["ply"] == ply);
    }
    silent.1.play("d4");
    feed.topic(&of(silent.0, "position"), "d4", |it| it["ply"] == 1);
    feed.topic(&of(several.0, "board"), "agreement", |it| it["agrees"] == true);
}

/// Two moves that have only one order are found again, and said to be worked out.
fn assert_inferred(feed: &Feed, table: u64, board: &Board) {
    let device = feed.topic(&of(table, "device"), "there again", |it| it["state"] == "online");
    assert_eq!(device["serial"], "26015");
    assert!(device["port"].as_str().unwrap().ends_with("/usb-x"), "{device}");
    let game = feed.topic(&of(table, "game"), "four plies", |it| it["moves"][3]["ply"] == 4);
    let moves = game["moves"].as_array().unwrap();
    let uci: Vec<_> = moves.iter().map(|it| it["uci"].as_str().unwrap().to_owned()).collect();
    assert_eq!(uci, board.game.uci());
    let known: Vec<_> = moves.iter().map(|it| it["confidence"].as_str().unwrap()).collect();
    assert_eq!(known, ["seen", "seen", "inferred", "inferred"]);
    let position = feed.topic(&of(table, "position"), "no doubt", |it| it["phase"] == "in_play");
    assert_eq!(position["fen"], board.game.fen());
}

/// Three moves that have two orders lead to one position: it is shown, the moves are said to be
/// worked out, and the arbiter is told of the doubt, both orders named.
fn assert_doubt(feed: &Feed, daemon: &Daemon, table: u64, board: &Board) {
    let position = feed.topic(&of(table, "position"), "the third move", |it| it["ply"] == 3);
    assert_eq!(position["fen"], board.game.fen());
    let game = feed.topic(&of(table, "game"), "three plies", |it| it["moves"][2]["ply"] == 3);
    for ply in game["moves"].as_array().unwrap() {
        assert_eq!(ply["confidence"], "inferred", "{ply}");
    }
    let arbiter = daemon.arbiter();
    let alert = arbiter.wait("both orders", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        alerts.map(|(_, &index)| heard.messages[index].json()).find(|it| it["table"] == table)
    });
    let candidates: Vec<_> =
        alert["facts"]["candidates"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(candidates.len(), 2, "{alert}");
    for order in ["e3 e5 d3", "d3 e5 e3"] {
        assert!(candidates.contains(&order), "{order}: {alert}");
    }
    // The arbiter says which; the game goes on.
    let answer = arbiter.ask("set_position", json!({"table": table, "fen": board.game.fen()}));
    assert_eq!(answer["status"], "ok");
    feed.topic(&of(table, "board"), "agreement", |it| it["agrees"] == true);
}

/// A board without a number is known by its line.
fn assert_same_line(feed: &Feed, table: u64, board: &mut Board) {
    feed.topic(&of(table, "device"), "there again", |it| it["state"] == "online");
    let missed =
        feed.topic(&of(table, "game"), "the missed move", |it| it["moves"][1]["san"] == "c5");
    assert_eq!(missed["moves"].as_array().map(Vec::len), Some(2));
    board.play("Nf3");
    feed.topic(&of(table, "position"), "a move more", |it| it["ply"] == 3);
}

#[test]
fn a_list_tells_who_is_at_every_line() {
    let house = House::new();
    let _dgt = Board::dgt(&house.line("usb-a"), "47740");
    let _chesslink = Board::chesslink(&house.line("usb-b"));
    let lines = house.lines().display().to_string();
    let outcome = finish(&mut adoubed(["list", "--json", "--directory", &lines]));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let rows: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<_> = rows.iter().map(|row| (&row["access"], &row["driver"])).collect();
    let accessible = json!("accessible");
    assert_eq!(shown, [(&accessible, &json!("dgt")), (&accessible, &json!("chesslink"))]);
}

#[test]
fn a_board_that_sees_no_pieces_is_recognised_and_its_game_is_told() {
    let mut house = House::new();
    house.any_line();
    let mut board = Board::tabutronic(&house.line("usb-s"));
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    let table = tables(&feed, 1)["usb-s"];
    assert_eq!(feed.now(&of(table, "device"))["driver"], "tabutronic");
    feed.topic(&of(table, "position"), "ready", |it| it["phase"] == "ready");
    for (ply, san) in (1..).zip(["e4", "d5", "exd5", "Qxd5"]) {
        if san.ends_with("xd5") {
            board.lift("d5");
            feed.topic(&of(table, "board"), "a lift", |it| it["lifted"][0]["square"] == "d5");
        }
        board.play(san);
        feed.topic(&of(table, "position"), san, |it| it["ply"] == ply);
    }
    let game = feed.topic(&of(table, "game"), "four plies", |it| it["moves"][3]["ply"] == 4);
    let moves = game["moves"].as_array().unwrap().iter();
    let uci: Vec<_> = moves.map(|it| it["uci"].as_str().unwrap()).collect();
    assert_eq!(uci, board.game.uci());
    feed.topic(&of(table, "board"), "the supposed pieces", |it| {
        it["placement"] == board.game.placement().to_string() && it["agrees"] == true
    });
}

/// Table 1 wants the board 26003 on any line, table 2 whoever is on the line `2`.
fn promised() -> House {
    let mut house = House::new();
    house.any_line().numbered(1, "26003").table(2, "");
    house
}

#[test]
fn swapped_plugs_give_no_table_to_a_board_that_it_was_not_promised_to() {
    let house = promised();
    let mut numbered = Board::dgt(&house.line("a"), "26003");
    let mut silent = Board::chesslink(&house.line("2"));
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic(&of(1, "position"), "ready", |it| it["phase"] == "ready");
    feed.topic(&of(2, "position"), "ready", |it| it["phase"] == "ready");
    numbered.play("e4");
    silent.play("d4");
    feed.topic(&of(1, "position"), "e4", |it| it["last"]["san"] == "e4");
    feed.topic(&of(2, "position"), "d4", |it| it["last"]["san"] == "d4");

    for (table, board) in [(1, &numbered), (2, &silent)] {
        board.unplug();
        feed.topic(&of(table, "device"), "absent", |it| it["state"] == "absent");
    }
    silent.plug(&house.line("a"));
    numbered.plug(&house.line("2"));
    feed.topic(&of(1, "device"), "its own board", |it| {
        it["state"] == "online" && it["serial"] == "26003"
    });
    daemon.logged("a chesslink board has no table");
    feed.topic(&of(2, "device"), "no board", |it| it["state"] == "absent");
    numbered.play("e5");
    silent.play("d5");
    feed.topic(&of(1, "position"), "e5", |it| it["last"]["san"] == "e5");

    for board in [&numbered, &silent] {
        board.unplug();
    }
    numbered.plug(&house.line("a"));
    silent.plug(&house.line("2"));
    feed.topic(&of(2, "game"), "the move that nobody could see", |it| {
        it["moves"][1]["san"] == "d5"
    });
    let seen = |table: u64| -> Vec<Value> {
        feed.all(&of(table, "device")).into_iter().map(|it| it["driver"].clone()).collect()
    };
    assert!(!seen(1).contains(&json!("chesslink")), "table 1 never had another board");
    assert!(!seen(2).contains(&json!("dgt")), "nor had table 2");
}

#[test]
fn whichever_is_plugged_first_a_board_without_a_number_takes_no_numbered_table() {
    let mut house = House::new();
    house.any_line().numbered(1, "26003");
    let silent = Board::chesslink(&house.line("a"));
    let daemon = Daemon::start(&house);
    daemon.logged("a chesslink board has no table");
    let numbered = Board::dgt(&house.line("c"), "26003");
    let feed = Feed::guest(daemon.feed());
    let online = |it: &Value| it["state"] == "online" && it["serial"] == "26003";
    feed.topic(&of(1, "device"), "its board", online);
    silent.unplug();
    numbered.unplug();
    feed.topic(&of(1, "device"), "absent", |it| it["state"] == "absent");
    numbered.plug(&house.line("a"));
    feed.topic(&of(1, "device"), "its board", online);
}

#[test]
fn a_reload_moves_boards_to_the_tables_that_are_named_now() {
    let mut house = House::new();
    house.table(1, "").table(2, "");
    let _one = Board::dgt(&house.line("1"), "26001");
    let _three = Board::dgt(&house.line("3"), "26002");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic(&of(1, "device"), "its board", |it| it["serial"] == "26001");

    // Table 1 is named for the other port, table 2 is taken out, table 3 has the first board.
    house.no_tables().table(3, "").write();
    let named = std::fs::read_to_string(house.config()).unwrap();
    let port = |number: &str| house.line(number).display().to_string();
    let named = named.replace("number = 3", "number = 1");
    let third = format!("\n[[table]]\nnumber = 3\nport = \"{}\"\n", port("1"));
    std::fs::write(house.config(), named + &third).unwrap();
    daemon.hang_up();
    feed.topic(&of(1, "device"), "the other board", |it| it["serial"] == "26002");
    feed.topic(&of(3, "device"), "the first board", |it| it["serial"] == "26001");
    feed.wait("table 2 is gone", |heard| {
        let gone = |topic: &str| heard.latest(&of(2, topic)).is_none_or(|it| it.payload.is_empty());
        ["device", "position", "game", "pgn"].into_iter().all(gone).then_some(())
    });
    feed.topic("bridge/info", "two tables", |it| it["tables"] == json!([1, 3]));
}

#[test]
fn a_list_asks_the_daemon_about_the_lines_it_holds() {
    let mut house = House::new();
    house.any_line();
    let _dgt = Board::dgt(&house.line("usb-a"), "47740");
    let _chesslink = Board::chesslink(&house.line("usb-b"));
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    let seats = tables(&feed, 2);
    let known = house.path().join("known.toml");
    let directory = house.lines().display().to_string();
    let pages = daemon.pages;
    let text = format!("[web]\nlisten = \"{pages}\"\n[ports]\ndirectory = \"{directory}\"\n");
    std::fs::write(&known, text).unwrap();
    let known = known.display().to_string();
    let expected = ["usb-a", "usb-b"].map(|line| json!(seats[line]));
    // The daemon counts what is plugged in every few seconds.
    let deadline = Instant::now() + PATIENCE;
    let rows = loop {
        assert!(Instant::now() < deadline, "the daemon does not say it");
        let outcome = finish(&mut adoubed(["list", "--json", "--config", &known]));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let rows = outcome.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let rows: Vec<_> = rows.collect();
        let tables: Vec<_> = rows.iter().map(|row| row["table"].clone()).collect();
        if tables == expected {
            break rows;
        }
    };
    assert_eq!(rows[0]["serial"], "47740");
    let outcome = finish(&mut adoubed(["list", "--config", &known]));
    let entry = format!("[[table]]\nnumber = {}\nserial = \"47740\"\n", expected[0]);
    assert!(outcome.stdout.contains(&entry), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("a daemon is running"), "{}", outcome.stdout);
}
