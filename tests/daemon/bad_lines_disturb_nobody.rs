//! Noise, half frames, strangers and cables that come and go: every other table goes on, and the
//! one it happens to as soon as it can.

use serde_json::{Value, json};

use std::time::Instant;

use crate::common::{Board, Daemon, Feed, House, Seed, adoubed, finish, get};

/// Makes a move, presses, and waits until the table has told it.
fn play(feed: &Feed, table: u32, board: &mut Board, san: &str, seconds: u32) {
    board.play_and_press(san, seconds);
    let ply = board.game.plies();
    let shown = |it: &Value| it["ply"] == ply && it["status"] == "completed";
    let position = feed.topic(&format!("table/{table}/position"), san, shown);
    assert_eq!(position["fen"], board.game.fen(), "table {table}");
}

fn assert_moves(feed: &Feed, table: u32, board: &Board) {
    let last = board.game.plies() - 1;
    let whole = |it: &Value| it["moves"][last]["status"] == "completed";
    let game = feed.topic(&format!("table/{table}/game"), "every move", whole);
    let moves = game["moves"].as_array().unwrap().iter();
    let shown: Vec<_> = moves.map(|it| (it["uci"].as_str().unwrap(), &it["status"])).collect();
    let completed = json!("completed");
    let uci = board.game.uci();
    let expected: Vec<_> = uci.iter().map(|uci| (uci.as_str(), &completed)).collect();
    assert_eq!(shown, expected, "table {table}");
}

#[test]
fn noise_half_frames_and_strangers_are_counted_and_change_nothing() {
    let mut seed = Seed::draw("noise");
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").table(2, "driver = \"dgt\"").table(3, "");
    let mut noisy = Board::dgt(&house.line("1"), "1");
    let mut quiet = Board::dgt(&house.line("2"), "2");
    let stranger = Board::stranger(&house.line("3"));
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    for (table, board) in [(1, &mut noisy), (2, &mut quiet)] {
        feed.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
    }
    let game = ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"];
    for (san, seconds) in game.into_iter().zip((1..179).rev()) {
        stranger.bytes(&seed.bytes(700));
        // Random bytes hold a whole report of a square once in millions: the next dump heals it.
        let half: [&[u8]; 5] =
            [&[0x8e], &[0x8e, 0x00, 0x05], &[0x8e, 0, 5, 0x34], &[0x86, 0, 0x43, 0, 0], &[0x8d, 0]];
        noisy.bytes(half[seed.below(half.len())]);
        // No end of a frame: a half one with it would be a whole report of what is not so.
        noisy.bytes(&[0xff]);
        noisy.bytes(&seed.bytes(40));
        play(&feed, 2, &mut quiet, san, seconds);
        noisy.bytes(half[seed.below(half.len())]);
        play(&feed, 1, &mut noisy, san, seconds);
    }
    assert_moves(&feed, 1, &noisy);
    assert_moves(&feed, 2, &quiet);
    feed.topic("table/1/device", "noise", |it| it["noise"].as_u64() >= Some(8));
    assert_eq!(feed.now("table/2/device")["noise"], 0);
    let unknown = feed.now("table/3/device");
    assert_eq!((&unknown["state"], &unknown["driver"]), (&json!("unidentified"), &Value::Null));
    assert_eq!(feed.now("table/3/position")["phase"], "unset");
    // A board in the place of the stranger is known at once.
    stranger.unplug();
    feed.topic("table/3/device", "absent", |it| it["state"] == "absent");
    let _board = Board::chesslink(&house.line("3"));
    feed.topic("table/3/device", "the board", |it| it["driver"] == "chesslink");
}

#[test]
fn a_port_that_vanishes_and_returns_finds_its_table_and_its_game() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").table(2, "driver = \"dgt\"");
    let mut gone = Board::dgt(&house.line("1"), "1");
    let mut other = Board::dgt(&house.line("2"), "2");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    for (table, board) in [(1, &mut gone), (2, &mut other)] {
        feed.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
        play(&feed, table, board, "d4", 178);
    }
    gone.unplug();
    feed.topic("table/1/device", "absent", |it| it["state"] == "absent");
    gone.play_and_press("Nf6", 177);
    play(&feed, 2, &mut other, "d5", 176);
    assert_eq!(feed.now("table/1/position")["ply"], 1);
    gone.plug(&house.line("1"));
    feed.topic("table/1/device", "online", |it| it["state"] == "online");
    let missed = |it: &Value| it["moves"][1]["status"] == "completed";
    let game = feed.topic("table/1/game", "the move made meanwhile", missed);
    assert_eq!(
        (&game["moves"][1]["san"], &game["moves"][1]["clk_ms"]),
        (&json!("Nf6"), &json!(177_000))
    );
    play(&feed, 1, &mut gone, "c4", 175);
    play(&feed, 2, &mut other, "c4", 175);
    // A running clock that says nothing is asked every two seconds: time enough for anybody who
    // looks for lines again to disturb this one.
    let readings = feed.all("table/1/clock").len();
    feed.wait("two readings more", |heard| {
        let of_table = heard.messages.iter().filter(|it| it.topic.ends_with("/1/clock"));
        (of_table.count() >= readings + 2).then_some(())
    });
    let line = house.line("1").display().to_string();
    assert_eq!(daemon.said(&format!("{line} is gone")), 1);
    assert_eq!(daemon.said(&format!("{line} is open")), 2);
    assert_eq!(feed.now("table/1/device")["state"], "online");
    assert_eq!(daemon.said("lines/2 is"), 1);
}

/// What was done while nobody saw it comes in one picture: its order is not known, and nobody may
/// be accused of it.
#[test]
fn a_cable_that_was_out_over_a_press_accuses_nobody() {
    let mut house = House::new();
    house.put("defaults", "check_after_s", "1");
    house.table(1, "driver = \"dgt\"").table(2, "driver = \"dgt\"");
    let mut boards = [1, 2].map(|it| Board::dgt(&house.line(&it.to_string()), &it.to_string()));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let before: [&[&str]; 2] = [&["e4", "d5"], &[]];
    // White's move nobody sees; from where to where Black then moves, in full sight but for
    // the lift.
    let unseen = [("exd5", "d8", "d5", 'q', "Qxd5"), ("e4", "e7", "e5", 'p', "e5")];
    for (table, (board, moves)) in (1..).zip(boards.iter_mut().zip(before)) {
        arbiter.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
        arbiter.topic(&format!("table/{table}/clock"), "begun", |it| it["running"] == "white");
        for san in moves {
            play(&arbiter, table, board, san, 178);
        }
        board.unplug();
        arbiter.topic(&format!("table/{table}/device"), "absent", |it| it["state"] == "absent");
    }
    for (table, (board, (white, from, to, piece, black))) in
        (1..).zip(boards.iter_mut().zip(unseen))
    {
        board.play_and_press(white, 176);
        board.lift(from);
        board.plug(&house.line(&table.to_string()));
        let pressed = |it: &Value| it["white_ms"] == 176_000 && it["running"] == "black";
        arbiter.topic(&format!("table/{table}/clock"), "the press", pressed);
        board.put(to, piece);
        board.game.play(black);
        board.press(175);
        let plies = board.game.plies();
        let found = |it: &Value| it["moves"].as_array().map(Vec::len) == Some(plies);
        arbiter.topic(&format!("table/{table}/game"), "both moves", found);
        play(&arbiter, table, board, "Nc3", 174);
        assert_moves(&arbiter, table, board);
    }
    let alerts: Vec<_> = arbiter.look(|heard| {
        let alerts = heard.messages.iter().filter(|it| it.topic.contains("/alert/"));
        alerts.map(|it| it.json()).filter(|it| it["kind"] == "illegal_move").collect()
    });
    assert_eq!(alerts, [Value::Null; 0]);
}

/// A board that talks nonsense without end once filled 101 MB of journal in ten seconds.
#[test]
fn a_line_that_floods_is_left_out_beyond_its_quota_and_its_game_goes_on() {
    let mut seed = Seed::draw("flood");
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").table(2, "driver = \"dgt\"");
    let mut loud = Board::dgt(&house.line("1"), "1");
    let mut quiet = Board::dgt(&house.line("2"), "2");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    for (table, board) in [(1, &mut loud), (2, &mut quiet)] {
        feed.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
    }
    let begun = Instant::now();
    let game = ["e4", "c5", "Nf3", "d6"];
    for (san, seconds) in game.into_iter().zip((1..179).rev()) {
        // No message of this board begins with a byte below 0x80.
        let nonsense: Vec<_> = seed.bytes(400_000).into_iter().map(|it| it & 0x7f).collect();
        loud.bytes(&nonsense);
        play(&feed, 2, &mut quiet, san, seconds);
        // Its reports come amid the flood, where they may be left out: squares and clock are asked.
        play(&feed, 1, &mut loud, san, seconds);
    }
    assert_moves(&feed, 1, &loud);
    assert_moves(&feed, 2, &quiet);
    let health = {
        daemon.logged("says more than any board can");
        get(daemon.pages, "/healthz").text()
    };
    assert!(health.starts_with("degraded\n") && health.contains("flood: table 1: "), "{health}");
    assert!(!health.contains("table 2"), "{health}");
    let figures = get(daemon.pages, "/metrics").text();
    let shed = figures.lines().find_map(|it| it.strip_prefix("adoubed_lines_shed_bytes_total "));
    let shed: u64 = shed.unwrap_or_else(|| panic!("{figures}")).parse().unwrap();
    assert!(shed > 100_000, "{shed} bytes were left out");
    assert_eq!(daemon.stop(), Some(0));

    let segment = house.segments().remove(0);
    let quota = 12 * 1024 * (begun.elapsed().as_secs() + 21);
    let length = std::fs::metadata(&segment).unwrap().len();
    assert!(length < quota + 200_000, "{length} bytes of journal");
    let outcome = finish(&mut adoubed(["export", "pgn", &segment.display().to_string()]));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let moves = |it: &&str| it.contains("1. e4") && it.contains("1... c5") && it.contains("2. Nf3");
    let games = outcome.stdout.split("[Event ").filter(moves);
    assert_eq!(games.count(), 2, "{}", outcome.stdout);
    let daemon = Daemon::again(&house);
    let feed = Feed::guest(daemon.feed());
    for (table, board) in [(1, &loud), (2, &quiet)] {
        let position = |it: &Value| it["fen"] == board.game.fen();
        feed.topic(&format!("table/{table}/position"), "as before", position);
    }
}
