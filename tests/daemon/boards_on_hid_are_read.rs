//! Boards on HID, at the far end of sockets that keep reports: recognised, seated, followed, pulled
//! out and put back; recorded and replayed to the same game. What is no board is left alone.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use adoubed::entry::Entry;
use adoubed::lines::line::seqpacket::Listener;
use adoubed::record::capture::{self, Capture, Event};
use adoubed::record::journal;
use eboard::Carrier;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, House, PATIENCE, RUNTIME, adoubed, finish};

const GAME: [&str; 8] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O", "Nxe4"];

fn of(table: u32, topic: &str) -> String {
    format!("table/{table}/{topic}")
}

/// Makes a move, presses if there is a clock, and waits until the table has told it.
fn play(feed: &Feed, table: u32, board: &mut Board, san: &str, seconds: Option<u32>) {
    match seconds {
        Some(seconds) => board.play_and_press(san, seconds),
        None => board.play(san),
    }
    let ply = board.game.plies();
    let position = feed.topic(&of(table, "position"), san, |it| it["ply"] == ply);
    assert_eq!(position["fen"], board.game.fen(), "table {table}");
}

fn uci(game: &Value) -> Vec<String> {
    let moves = game["moves"].as_array().expect("moves").iter();
    moves.map(|it| it["uci"].as_str().expect("a move").to_owned()).collect()
}

/// Leaves among the lines what is no board, and nobody's business. What it gives is to be kept.
fn rubbish(lines: &Path) -> UnixListener {
    fs::write(lines.join("notes.txt"), "not a line").expect("a file");
    // As a raw device that no driver names would be called.
    fs::write(lines.join("hidraw9"), "somebody's keyboard").expect("a file");
    // A socket at which nobody listens any more, as a program leaves it that was killed.
    let _runtime = RUNTIME.enter();
    let left = Listener::bind(&lines.join("left")).expect("a socket");
    fs::hard_link(lines.join("left"), lines.join("gone")).expect("a second name");
    drop(left);
    UnixListener::bind(lines.join("stream")).expect("a socket of another kind")
}

#[test]
fn boards_on_hid_are_seated_followed_and_found_again() {
    let mut house = House::new();
    house.table(1, "").table(2, "").any_line();
    let rubbish = rubbish(&house.lines());
    let mut silent = Board::chessnut(&house.line("1"));
    let mut timed = Board::hos(&house.line("2"));
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    for (table, driver) in [(1, "chessnut"), (2, "hos")] {
        let device = feed.topic(&of(table, "device"), "known", |it| it["driver"] == driver);
        assert_eq!((&device["state"], &device["serial"]), (&json!("online"), &Value::Null));
        feed.topic(&of(table, "position"), "ready", |it| it["phase"] == "ready");
    }
    timed.start_clock();
    for (san, seconds) in GAME.iter().take(4).zip((1..179).rev()) {
        play(&feed, 1, &mut silent, san, None);
        play(&feed, 2, &mut timed, san, Some(seconds));
    }
    // Whoever pulls the cable plays on.
    for (table, board) in [(1, &mut silent), (2, &mut timed)] {
        board.unplug();
        feed.topic(&of(table, "device"), "absent", |it| it["state"] == "absent");
        board.play(GAME[4]);
        board.plug(&house.line(&table.to_string()));
        feed.topic(&of(table, "device"), "online", |it| it["state"] == "online");
        feed.topic(&of(table, "position"), "the move meanwhile", |it| it["ply"] == 5);
    }
    timed.press(174);
    for (san, seconds) in GAME.iter().skip(5).zip((1..174).rev()) {
        play(&feed, 1, &mut silent, san, None);
        play(&feed, 2, &mut timed, san, Some(seconds));
    }
    for (table, board) in [(1, &silent), (2, &timed)] {
        let game = feed.topic(&of(table, "game"), "every move", |it| it["moves"][7]["ply"] == 8);
        assert_eq!(uci(&game), board.game.uci(), "table {table}");
        assert_eq!(feed.now(&of(table, "device"))["noise"], 0, "table {table}");
    }
    feed.topic(&of(2, "game"), "its clock", |it| it["moves"][7]["clk_ms"] == 171_000);
    assert_eq!(feed.now(&of(3, "device")), Value::Null, "a table for what is no board");
    let heard = daemon.logged("hidraw9");
    assert!(heard.contains("is a HID device that no driver names"), "{heard}");
    drop(rubbish);
    assert_eq!(daemon.stop(), Some(0));
    assert_journal(&house, &[&silent, &timed]);
}

/// The journal holds each report as one, and by it the same games are found again.
fn assert_journal(house: &House, boards: &[&Board]) {
    let mut reports = 0;
    let segments = house.segments();
    let records = segments.iter().flat_map(|file| journal::read_all(file).unwrap().records);
    for (_, entry) in records {
        match entry {
            Entry::Opened(_, id) => assert_eq!(id.carrier, Carrier::Socket, "{id:?}"),
            Entry::Bytes(_, report) => {
                assert!([32, 64].contains(&report.len()), "{report:02x?}");
                reports += 1;
            }
            _ => {}
        }
    }
    assert!(reports > 50, "{reports} reports");
    let files: Vec<_> = segments.iter().map(|it| it.display().to_string()).collect();
    let arguments = ["replay", "--json"].into_iter().chain(files.iter().map(String::as_str));
    let outcome = finish(&mut adoubed(arguments));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    for (table, board) in (1..).zip(boards) {
        assert_eq!(score(&outcome.stdout, table), board.game.uci().join(" "));
    }
}

/// The moves of the last game at a table, as a replay tells them.
fn score(stdout: &str, table: u32) -> String {
    let lines = stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut scores = lines.filter(|line| line["type"] == "score" && line["table"] == table);
    let score = scores.next_back().unwrap_or_else(|| panic!("no score in {stdout}"));
    score["uci"].as_str().expect("moves").to_owned()
}

/// A capture that is still being written, but for a line that may be half there.
fn read_so_far(file: &Path) -> Capture {
    let text = fs::read_to_string(file).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    capture::parse(whole).unwrap()
}

#[test]
fn a_board_on_hid_is_recorded_and_replays_to_its_game() {
    for (driver, asked) in [("chessnut", &["--driver", "chessnut"][..]), ("hos", &[])] {
        let house = House::new();
        let line = house.line("1");
        let mut board = match driver {
            "chessnut" => Board::chessnut(&line),
            _ => Board::hos(&line),
        };
        let file = house.path().join("board.cap");
        let mut command = adoubed(["record", &line.display().to_string(), "-o"]);
        let mut recorder =
            command.arg(&file).args(asked).stdout(Stdio::null()).spawn().expect("it records");
        let reads = || read_so_far(&file);
        let more = |reports: usize| {
            let (before, deadline) = (reads().events.len(), Instant::now() + PATIENCE);
            while reads().events.len() < before + reports {
                assert!(Instant::now() < deadline, "{driver} is not recorded");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        // The pieces must have stood for a while to be a game that begins.
        more(20);
        for san in GAME {
            board.play(san);
            more(5);
        }
        let id = Pid::from_raw(recorder.id().try_into().expect("an id"));
        kill(id, Signal::SIGINT).expect("it is there");
        assert_eq!(recorder.wait().expect("it ends").code(), Some(0));
        let capture = reads();
        assert_eq!(capture.header.carrier(), Ok(Carrier::Socket));
        let lengths = capture.events.iter().filter_map(|event| match event {
            Event::Read(_, report) => Some(report.len()),
            Event::Written(..) => None,
        });
        assert!(lengths.into_iter().all(|it| it == if driver == "hos" { 32 } else { 64 }));
        let written = capture.events.iter().any(|it| matches!(it, Event::Written(..)));
        assert_eq!(written, driver == "chessnut", "nothing is ever written to the other");
        let name = file.display().to_string();
        let outcome = finish(&mut adoubed(["replay", "--json", &name]));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        assert_eq!(score(&outcome.stdout, 1), board.game.uci().join(" "), "{driver}");
        // By its USB ids it is known as well, and under those of another it is not.
        let text = fs::read_to_string(&file).unwrap();
        for (carrier, known) in [("hid 2d80:8001", driver == "chessnut"), ("hid 046d:c31c", false)]
        {
            let other = house.path().join("other.cap");
            fs::write(&other, text.replace("Carrier: socket", &format!("Carrier: {carrier}")))
                .unwrap();
            let outcome = finish(&mut adoubed(["replay", "--json", &other.display().to_string()]));
            assert_eq!(outcome.stdout.contains("\"uci\":\"e2e4"), known, "{driver} on {carrier}");
        }
    }
}

#[test]
fn a_hid_device_that_no_driver_names_is_refused_in_words() {
    let house = House::new();
    let _rubbish = rubbish(&house.lines());
    let file = house.path().join("keys.cap");
    let line = house.line("hidraw9").display().to_string();
    let outcome = finish(adoubed(["record", &line, "-o"]).arg(&file));
    assert_eq!(outcome.code, Some(66), "{outcome:?}");
    assert!(outcome.stderr.contains("is a HID device that no driver names"), "{outcome:?}");
    assert!(outcome.stderr.contains("adoubed list shows it"), "{outcome:?}");
    let recorded = fs::read_to_string(&file).unwrap_or_default();
    assert!(!recorded.contains(" < "), "nothing was read: {recorded}");
    let strange = house.path().join("strange.cap");
    fs::write(&strange, "# Carrier: usb\n0.1 < 00\n").unwrap();
    let outcome = finish(&mut adoubed(["replay", &strange.display().to_string()]));
    assert_eq!(outcome.code, Some(65), "{outcome:?}");
    assert!(outcome.stderr.contains("Carrier: usb is not known"), "{outcome:?}");
}
