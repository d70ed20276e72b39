//! A hall with a spare machine: where the first one dies, its boards are plugged into the other,
//! which goes on with the score, the alerts and the ledger. Of two machines only one speaks.

use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, House, Mosquitto, adoubed, get};

/// A machine of the hall, without boards yet.
fn machine(name: &str, spare: bool, broker: SocketAddr) -> House {
    let mut house = House::new();
    house.set("mqtt", "broker", "external");
    house.set("mqtt", "url", &format!("mqtt://{broker}"));
    house.set("mqtt", "machine", name);
    house.put("mqtt", "spare", &spare.to_string());
    house.table(1, "driver = \"dgt\"");
    house
}

/// The cable of the board of one machine is plugged into another one.
fn plugged_over(from: &House, to: &House) {
    std::fs::create_dir_all(to.lines()).unwrap();
    symlink(from.line("1"), to.line("1")).unwrap();
}

fn speaks(name: &str) -> impl Fn(&Value) -> bool {
    move |it| it["state"] == "online" && it["machine"] == name
}

/// The open alert about an illegal move.
fn illegal_move(feed: &Feed) -> Value {
    feed.wait("an illegal move", |heard| {
        let alerts = heard.latest.keys().filter(|topic| topic.contains("/alert/"));
        let mut read = alerts.filter_map(|topic| heard.latest(topic).map(|it| it.json()));
        read.find(|it| it["kind"] == "illegal_move")
    })
}

fn sans(game: &Value) -> Vec<&str> {
    let moves = game["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
    moves.iter().filter_map(|it| it["san"].as_str()).collect()
}

#[test]
fn when_a_machine_is_killed_in_mid_game_the_spare_one_goes_on_with_all_it_knew() {
    let directory = tempfile::tempdir().unwrap();
    let Some(broker) = Mosquitto::open("a spare machine", directory.path()) else { return };
    let (first, other) =
        (machine("first", false, broker.address), machine("spare", true, broker.address));
    let mut board = Board::dgt(&first.line("1"), "26015");
    let daemon = Daemon::start(&first);
    let mut spare = Daemon::waiting(&other);
    spare.logged("spare waits: first speaks for this hall");
    let feed = Feed::guest(broker.address);
    feed.topic("bridge/state", "the first machine", speaks("first"));
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    board.play_and_press("e4", 178);
    board.play_and_press("e5", 177);
    // An illegal move, and time that was given for it.
    board.lift("g1");
    board.put("g3", 'N');
    board.press(176);
    let alert = illegal_move(&feed);
    let body = json!({"table": 1, "side": "white", "seconds": 120, "alert": alert["id"]});
    assert_eq!(feed.ask("penalty_given", body)["status"], "ok");
    board.lift("g3");
    board.put("g1", 'N');
    board.show(Face { white_s: 176, black_s: 297, white_counts: true, ..board.face });
    feed.topic("table/1/board", "put right", |it| it["agrees"] == true);
    let before = feed.topic("table/1/game", "two moves", |it| sans(it).len() == 2);

    daemon.kill();
    spare.logged("spare waits: first is gone; plug its boards in here to go on");
    // Hands do not wait for machines: a piece is taken in the meantime.
    board.lift("g1");
    plugged_over(&first, &other);
    spare.logged("spare goes on with the games of first");
    spare.speaks();
    feed.topic("bridge/state", "the spare machine", speaks("spare"));
    let health = get(spare.pages, "/healthz").text();
    assert!(health.contains("\nmachine: spare goes on with the games of first since 20"));
    board.put("f3", 'N');
    board.press(175);
    let after = feed.topic("table/1/game", "the third move", |it| sans(it).len() == 3);
    assert_eq!(sans(&after), ["e4", "e5", "Nf3"]);
    assert_eq!(after["game"], before["game"]);
    assert_eq!(after["moves"][0]["clk_ms"], before["moves"][0]["clk_ms"]);
    assert_eq!(after["moves"][0]["at"], before["moves"][0]["at"]);

    let late = Feed::guest(broker.address);
    let ledger = late.topic("arbiter/ledger/1", "the ledger", |it| it["white"]["given_s"] == 120);
    assert_eq!(ledger["white"]["illegal_moves"], 1);
    let again = illegal_move(&late);
    for key in ["id", "opened_at", "facts"] {
        assert_eq!(again[key], alert[key], "{key}");
    }
    let events = |it: &str| it.ends_with("table/1/event");
    let twice = feed.look(|heard| {
        let all = heard.messages.iter().filter(|it| events(&it.topic));
        all.filter(|it| String::from_utf8_lossy(&it.payload).contains("\"illegal_move\"")).count()
    });
    assert!(twice <= 1, "it was told {twice} times");
    let ruled = late.ask("rule", json!({"alert": alert["id"], "ruling": "upheld"}));
    assert_eq!(ruled["status"], "ok");

    // The first machine comes back, and finds that its hall is looked after.
    let back = Daemon::waiting(&first);
    back.logged("first waits: spare speaks for this hall");
    board.lift("b8");
    board.put("c6", 'n');
    board.press(296);
    feed.topic("table/1/game", "the fourth move", |it| sans(it).len() == 4);
}

#[test]
fn a_machine_that_could_not_be_heard_steps_back() {
    let directory = tempfile::tempdir().unwrap();
    let Some(broker) = Mosquitto::open("a machine steps back", directory.path()) else { return };
    let (first, other) =
        (machine("first", false, broker.address), machine("spare", true, broker.address));
    let mut board = Board::dgt(&first.line("1"), "26015");
    let daemon = Daemon::start(&first);
    let feed = Feed::guest(broker.address);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    board.play_and_press("d4", 178);
    feed.topic("table/1/game", "a move", |it| sans(it).len() == 1);
    let mut spare = Daemon::waiting(&other);
    spare.logged("spare waits: first speaks for this hall");
    let held = Pid::from_raw(i32::try_from(daemon.id()).unwrap());
    kill(held, Signal::SIGSTOP).unwrap();
    plugged_over(&first, &other);
    // The broker itself gives it up after 15 s.
    spare.logged("spare waits whether first comes back");
    spare.logged("spare goes on with the games of first");
    spare.speaks();
    let game = feed.topic("table/1/game", "the same game", |it| sans(it) == ["d4"]);
    assert_eq!(game["result"], "*");
    kill(held, Signal::SIGCONT).unwrap();
    daemon.logged("spare speaks for this hall: first steps back");
    daemon.logged("first waits: spare speaks for this hall");
    board.play_and_press("d5", 177);
    feed.topic("table/1/game", "its next move", |it| sans(it) == ["d4", "d5"]);
    feed.topic("bridge/state", "the spare machine", speaks("spare"));
}

#[test]
fn a_machine_that_is_only_restarted_is_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let Some(broker) = Mosquitto::open("a restart", directory.path()) else { return };
    let (first, other) =
        (machine("first", false, broker.address), machine("spare", true, broker.address));
    plugged_over(&first, &other);
    let mut board = Board::dgt(&first.line("1"), "26015");
    let daemon = Daemon::start(&first);
    let spare = Daemon::waiting(&other);
    spare.logged("spare waits: first speaks for this hall");
    let feed = Feed::guest(broker.address);
    board.start_clock();
    board.play_and_press("c4", 178);
    feed.topic("table/1/game", "a move", |it| sans(it).len() == 1);
    assert_eq!(daemon.stop(), Some(0));
    let _again = Daemon::again(&first);
    feed.topic("bridge/state", "the first machine", speaks("first"));
    board.play_and_press("c5", 177);
    feed.topic("table/1/game", "its next move", |it| sans(it) == ["c4", "c5"]);
    assert_eq!(spare.said("goes on"), 0);
}

/// A broker, the two machines of a hall, and the board of its table.
struct Pair {
    first: House,
    other: House,
    broker: Mosquitto,
    directory: tempfile::TempDir,
}

impl Pair {
    fn new(test: &str, names: [&str; 2]) -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let broker = Mosquitto::open(test, directory.path())?;
        let first = machine(names[0], false, broker.address);
        let other = machine(names[1], true, broker.address);
        Some(Self { first, other, broker, directory })
    }

    /// A game of one move at the first machine.
    fn begun(&self) -> (Board, Daemon, Feed) {
        let mut board = Board::dgt(&self.first.line("1"), "26015");
        let daemon = Daemon::start(&self.first);
        let feed = Feed::guest(self.broker.address);
        feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
        board.start_clock();
        board.play_and_press("e4", 178);
        feed.topic("table/1/game", "a move", |it| sans(it).len() == 1);
        (board, daemon, feed)
    }

    fn goes_on(&self, board: &mut Board, spare: &mut Daemon) {
        spare.speaks();
        board.play_and_press("e5", 177);
        let late = Feed::guest(self.broker.address);
        late.topic("table/1/game", "its next move", |it| sans(it) == ["e4", "e5"]);
    }
}

#[test]
fn a_spare_machine_of_the_same_name_goes_on_too() {
    let Some(pair) = Pair::new("two of one name", ["hall", "hall"]) else { return };
    let (mut board, daemon, _feed) = pair.begun();
    let mut spare = Daemon::waiting(&pair.other);
    spare.logged("hall waits: another machine called hall speaks for this hall");
    daemon.kill();
    spare.logged("hall waits: hall is gone; plug its boards in here to go on");
    plugged_over(&pair.first, &pair.other);
    spare.logged("hall goes on with the games of hall");
    pair.goes_on(&mut board, &mut spare);
}

#[test]
fn a_spare_machine_that_dies_while_it_takes_over_still_can() {
    let Some(pair) = Pair::new("killed in the claim", ["first", "spare"]) else { return };
    let (mut board, daemon, feed) = pair.begun();
    let spare = Daemon::waiting(&pair.other);
    spare.logged("spare waits: first speaks for this hall");
    daemon.kill();
    plugged_over(&pair.first, &pair.other);
    feed.topic("bridge/state", "the claim", speaks("spare"));
    spare.kill();
    let mut again = Daemon::waiting(&pair.other);
    again.logged("spare goes on with the games of first");
    pair.goes_on(&mut board, &mut again);
}

#[test]
fn a_broker_that_forgets_with_the_first_machine_loses_no_game() {
    let Some(mut pair) = Pair::new("a broker forgets", ["first", "spare"]) else { return };
    let (mut board, daemon, _feed) = pair.begun();
    let mut spare = Daemon::waiting(&pair.other);
    spare.logged("spare waits: first speaks for this hall");
    daemon.kill();
    // Otherwise nobody knows that it is gone, and its lease has to end first.
    spare.logged("spare waits whether first comes back");
    pair.broker.forget(pair.directory.path());
    plugged_over(&pair.first, &pair.other);
    spare.logged("spare goes on with the games of first");
    pair.goes_on(&mut board, &mut spare);
}

#[test]
fn other_time_sheets_and_no_checkpoints_lose_no_game() {
    let Some(mut pair) = Pair::new("another configuration", ["first", "spare"]) else { return };
    pair.other.put("journal", "checkpoint_records", "0");
    pair.other.put("event", "time_sheet_min", "7");
    let (mut board, daemon, _feed) = pair.begun();
    let mut spare = Daemon::waiting(&pair.other);
    spare.logged("spare waits: first speaks for this hall");
    daemon.kill();
    plugged_over(&pair.first, &pair.other);
    spare.logged("spare goes on with the games of first");
    pair.goes_on(&mut board, &mut spare);
    spare.kill();
    let mut again = Daemon::waiting(&pair.other);
    again.speaks();
    board.play_and_press("Nf3", 176);
    let late = Feed::guest(pair.broker.address);
    late.topic("table/1/game", "the third move", |it| sans(it) == ["e4", "e5", "Nf3"]);
}

#[test]
fn who_speaks_is_said_again_when_somebody_clears_it() {
    let Some(pair) = Pair::new("a state is cleared", ["first", "spare"]) else { return };
    let (_board, daemon, feed) = pair.begun();
    let spare = Daemon::waiting(&pair.other);
    spare.logged("spare waits: first speaks for this hall");
    plugged_over(&pair.first, &pair.other);
    for garbage in ["", "nonsense", "{\"state\": \"offline\", \"boot\": \"x\", \"term\": 99}"] {
        pair.broker.retain("adoubed/v1/bridge/state", garbage);
        feed.topic("bridge/state", "the first machine", speaks("first"));
        let late = Feed::guest(pair.broker.address);
        late.topic("bridge/state", "what is retained", speaks("first"));
    }
    assert_eq!((daemon.said("steps back"), spare.said("goes on")), (0, 0));
}

#[test]
fn two_that_began_without_a_broker_agree_who_speaks() {
    let Some(mut pair) = Pair::new("two firsts", ["first", "spare"]) else { return };
    pair.other.put("mqtt", "spare", "false");
    pair.broker.close();
    let _board = Board::dgt(&pair.first.line("1"), "26015");
    let (mut one, mut other) = (Daemon::waiting(&pair.first), Daemon::waiting(&pair.other));
    one.speaks();
    other.speaks();
    pair.broker.forget(pair.directory.path());
    let feed = Feed::guest(pair.broker.address);
    let stepped_back = || one.said("steps back") + other.said("steps back");
    let agreed = feed
        .topic("bridge/state", "one of them", |it| it["state"] == "online" && stepped_back() == 1);
    let waits = if agreed["machine"] == "first" { &other } else { &one };
    waits.logged("speaks for this hall");
    assert_eq!(stepped_back(), 1, "each gives way to the other");
}

/// The service manager ends a program that says nothing for half a minute.
#[test]
fn a_machine_that_waits_says_that_it_is_alive() {
    let Some(pair) = Pair::new("a watchdog", ["first", "spare"]) else { return };
    pair.other.write();
    let place = pair.directory.path().join("notify");
    let manager = UnixDatagram::bind(&place).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let config = pair.other.config().display().to_string();
    let mut command = adoubed(["run", "--config", &config]);
    command.env("NOTIFY_SOCKET", &place).env("WATCHDOG_USEC", "30000000");
    let mut spare = command.stderr(Stdio::null()).spawn().unwrap();
    let mut buffer = [0; 1024];
    let mut said = || {
        let length = manager.recv(&mut buffer).expect("it is not alive");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    };
    while !said().contains("it is the spare machine") {}
    for _ in 0..4 {
        while !said().contains("WATCHDOG=1") {}
    }
    spare.kill().unwrap();
    spare.wait().unwrap();
}
