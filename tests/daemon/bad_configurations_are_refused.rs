//! What cannot be meant, or cannot be had, is refused before anything starts, in words that say
//! what to do; and a daemon that runs keeps what it has.

use std::fs;
use std::net::TcpListener;

use crate::common::{Board, Daemon, Feed, House, Outcome, adoubed, finish};

/// Runs a daemon that cannot start.
fn fails(house: &House) -> Outcome {
    let config = house.config().display().to_string();
    finish(adoubed(["run", "--config", &config]).current_dir(house.path()))
}

#[test]
fn a_configuration_that_cannot_be_meant_is_refused_with_file_line_key_and_remedy() {
    let house = House::new();
    let file = house.config().display().to_string();
    let cases: [(&[u8], &str, &str, &str); 10] = [
        (b"[event]\n\nnmae = \"x\"\n", ":3: nmae: ", "unknown field `nmae`", "write one of name"),
        (b"[evnet]\nname = \"x\"\n", ":1: ", "unknown field `evnet`", "write one of event"),
        (b"[event]\nlaws = \"2020\"\n", ":2: laws: ", "\"2020\" is not known", "write one of"),
        (b"[mqtt]\nlisten = \"here\"\n", ":2: listen: ", "invalid socket address", ""),
        (
            b"[[table]]\nnumber = 1\nport = \"/a\"\n\n[[table]]\nnumber = 2\nport = \"/a\"\n",
            ":7: port: ",
            "belongs to table 1 already",
            "",
        ),
        (
            b"[[table]]\nnumber = 1\nport = \"/a\"\ndriver = \"x\"\n",
            ":4: driver: ",
            "\"x\" is not known",
            "write one of auto",
        ),
        (b"[journal]\nflush_ms = 0\n", ":2: flush_ms: ", "write 1 to 10000", ""),
        (
            b"[journal]\ncheckpoint_records = 10000001\n",
            ":2: checkpoint_records: ",
            "write 0 (never) to 10000000",
            "",
        ),
        (b"[web]\nlisten = = 3\n", ":2: ", "", ""),
        (
            b"[web]\nhalls = \"liege/+\"\n",
            ":2: halls: ",
            "several halls are read from one broker",
            "write broker = \"external\"",
        ),
    ];
    for (text, place, problem, remedy) in cases {
        fs::write(house.config(), text).unwrap();
        let config = &file;
        for verb in [&["run", "--config", config][..], &["check", config]] {
            let outcome = finish(&mut adoubed(verb.iter().copied()));
            let said = &outcome.stderr;
            assert_eq!(outcome.code, Some(78), "{verb:?}: {said}");
            assert!(said.contains(&format!("adoubed: {file}{place}")), "{said} is not at {place}");
            assert!(said.contains(problem) && said.contains(remedy), "{said}");
        }
    }
    fs::write(house.config(), b"[event]\nname = \"\xff\"\n").unwrap();
    let outcome = fails(&house);
    assert_eq!(outcome.code, Some(78), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&file), "{}", outcome.stderr);
    fs::remove_file(house.config()).unwrap();
    let outcome = fails(&house);
    assert_eq!(outcome.code, Some(78), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&format!("failed to read {file}")), "{}", outcome.stderr);
    assert_eq!(finish(&mut adoubed(["dance"])).code, Some(64));
}

#[test]
fn an_address_in_use_is_named_with_what_to_change() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for section in ["mqtt", "web"] {
        let mut house = House::new();
        house.set(section, "listen", &address).write();
        let outcome = fails(&house);
        assert_eq!(outcome.code, Some(69), "{}", outcome.stderr);
        let remedy = format!("set [{section}] listen to another address");
        assert!(outcome.stderr.contains(&address), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(&remedy), "{}", outcome.stderr);
    }
}

#[test]
fn a_journal_that_cannot_be_kept_is_named() {
    let mut house = House::new();
    let file = house.path().join("no directory");
    fs::write(&file, "").unwrap();
    house.set("journal", "directory", &file.display().to_string()).write();
    let outcome = fails(&house);
    assert_eq!(outcome.code, Some(69), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&file.display().to_string()), "{}", outcome.stderr);
}

#[test]
fn a_second_daemon_in_the_same_journal_is_refused_and_the_first_goes_on() {
    let mut house = House::new();
    let (mut board, daemon, feed) = crate::at_a_board(&mut house);
    // The same configuration has the same ports, and they are taken too.
    let [mqtt, web] = [daemon.feed(), daemon.pages].map(|it| it.to_string());
    house.set("mqtt", "listen", &mqtt).set("web", "listen", &web).write();
    let outcome = fails(&house);
    assert_eq!(outcome.code, Some(69), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("another adoubed is running there"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&house.journal().display().to_string()), "{}", outcome.stderr);
    board.play("e4");
    feed.topic("table/1/position", "a move", |it| it["ply"] == 1);
}

#[test]
fn asked_to_read_it_again_a_bad_configuration_changes_nothing_and_a_good_one_all() {
    let mut house = House::new();
    house.set("event", "name", "before").table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let _other = Board::dgt(&house.line("2"), "2");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.play("e4");
    feed.topic("table/1/position", "a move", |it| it["ply"] == 1);

    fs::write(house.config(), "[event]\nname = \"after\"\ncolour = \"red\"\n").unwrap();
    daemon.hang_up();
    let complaint = daemon.logged("the old configuration stays");
    assert!(complaint.contains("adoubed.toml:3: colour: unknown field"), "{complaint}");
    board.play("e5");
    feed.topic("table/1/position", "another move", |it| it["ply"] == 2);
    assert_eq!(feed.now("table/1/game")["event"]["name"], "before");

    house.set("event", "name", "after").table(2, "driver = \"dgt\"").write();
    daemon.hang_up();
    feed.topic("table/1/game", "the new name", |it| it["event"]["name"] == "after");
    feed.topic("bridge/info", "the new name", |it| it["event"]["name"] == "after");
    feed.topic("table/2/position", "the new table", |it| it["phase"] == "ready");
    board.play("Nf3");
    let position = feed.topic("table/1/position", "a third move", |it| it["ply"] == 3);
    assert_eq!(position["fen"], board.game.fen(), "the game was disturbed");
}
