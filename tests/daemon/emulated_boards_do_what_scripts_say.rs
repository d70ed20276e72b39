//! `adoubed emulate --script`: the words of a gesture script trouble an emulated clock just as they
//! do in a scenario. Whoever writes driver software can try it on a clock that jumps, loses reports
//! and runs low.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common::{Daemon, House, PATIENCE, adoubed, ended, finish};

/// White's time jumps while it counts; then reports get lost, and the battery is low.
const SCRIPT: &str = "# time_control: 5400+30\n\
     e2^ e4v +0.5 | e7^ e5v +0.5 | +1 set:w=3000 +2.5 clock:lost=2 clock:low g1^ f3v +0.5 | +30\n";

/// A board of its own, ended by its own number.
struct Emulated(Child);

impl Drop for Emulated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_a_script_does_to_the_clock_is_told_by_the_daemon() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"\ntime_control = \"5400+30\"");
    let script = house.path().join("troubled.gestures");
    fs::write(&script, SCRIPT).expect("a script");
    let line = house.line("1");
    let arguments = ["emulate", "dgt", "--script"];
    let mut command = adoubed(arguments);
    command.arg(&script).arg("--link").arg(&line).stdout(Stdio::null());
    let _emulated = Emulated(command.spawn().expect("an emulated board"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let alert = |kind: &'static str| {
        arbiter.wait(kind, |heard| {
            let alerts = heard.messages.iter().filter(|it| it.topic.contains("/alert/"));
            let mut shown = alerts.filter(|it| !it.text().is_empty()).map(|it| it.json());
            shown.find(|alert| alert["kind"] == kind)
        })
    };
    let fault = alert("clock_fault");
    assert_eq!((&fault["side"], &fault["article"]), (&"white".into(), &"6.10.1".into()));
    assert_eq!(alert("low_battery")["article"], "C.02");
    let game = arbiter.topic("table/1/game", "three moves", |it| it["moves"][2]["san"] == "Nf3");
    assert_eq!(game["rev"], 0);
}

/// Nobody plays on: the clock stands, and is not said to be faulty.
#[test]
fn when_a_script_is_over_the_clock_stands() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let script = house.path().join("short.gestures");
    fs::write(&script, "e2^ e4v +0.5 | e7^ e5v +0.5 | +1\n").expect("a script");
    let mut command = adoubed(["emulate", "dgt", "--script"]);
    command.arg(&script).arg("--link").arg(house.line("1")).stdout(Stdio::null());
    let _emulated = Emulated(command.spawn().expect("an emulated board"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/game", "two moves", |it| it["moves"][1]["status"] == "completed");
    arbiter.topic("table/1/clock", "it stands", |it| it["running"].is_null());
}

/// The cable of a serial board, and of one on HID, is pulled in the middle of a game and put in
/// again. Ended by a signal, neither leaves a link behind that points nowhere.
#[test]
fn a_cable_is_pulled_when_a_script_says_so() {
    let script = "e2^ e4v +1 | line:out +2 line:in +2 e7^ e5v +1 | g1^ f3v +1 | +30\n";
    for (driver, signal) in [("dgt", "TERM"), ("chessnut", "INT"), ("ichessone", "HUP")] {
        let mut house = House::new();
        house.table(1, &format!("driver = \"{driver}\""));
        let file = house.path().join("pulled.gestures");
        fs::write(&file, script).expect("a script");
        let line = house.line("1");
        let mut command = adoubed(["emulate", driver, "--script"]);
        command.arg(&file).arg("--link").arg(&line).stdout(Stdio::piped());
        let mut emulated = Emulated(command.spawn().expect("an emulated board"));
        let said = emulated.0.stdout.take().expect("it says where it is");
        BufReader::new(said).read_line(&mut String::new()).expect("a line");
        let daemon = Daemon::start(&house);
        let arbiter = daemon.arbiter();
        arbiter.topic("table/1/device", "the board", |it| it["state"] == "online");
        arbiter.topic("table/1/device", "it is pulled out", |it| it["state"] == "absent");
        arbiter.topic("table/1/device", "it is put in again", |it| it["state"] == "online");
        arbiter.topic("table/1/game", "three moves", |it| it["moves"][2]["san"] == "Nf3");
        let id = emulated.0.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status().expect("kill");
        assert!(sent.success());
        assert_eq!(ended(&mut emulated.0, PATIENCE), Some(Some(0)), "{driver}: {signal}");
        assert!(line.symlink_metadata().is_err(), "{driver}: its link is left behind");
    }
}

/// `adoubed emulate dgtbus --serial 101,102`: two boards on one cable, and hands at each. Who lists
/// the boards of the machine takes none off the bus: its line is named, and asked nothing else.
#[test]
fn several_boards_on_one_cable_do_what_a_script_says() {
    let mut house = House::new();
    let line = house.line("cable");
    house.at(1, &line, "driver = \"dgtbus\"\nstation = 101").numbered(2, "00102").any_line();
    house.write();
    let script = house.path().join("knight.gestures");
    fs::write(&script, "+5 e2^ e4v +1 | e7^ e5v +1 | g1^ f3v +1 | +30\n").expect("a script");
    let mut command = adoubed(["emulate", "dgtbus", "--serial", "101,102", "--script"]);
    command.arg(&script).arg("--link").arg(&line).stdout(Stdio::piped());
    let mut emulated = Emulated(command.spawn().expect("emulated boards"));
    let said = emulated.0.stdout.take().expect("it says where it is");
    BufReader::new(said).read_line(&mut String::new()).expect("a line");
    let config = house.config().display().to_string();
    let listed = finish(&mut adoubed(["list", "--json", "--config", &config]));
    assert!(listed.stdout.contains("cable"), "{}", listed.stdout);
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    for table in [1, 2] {
        let game = format!("table/{table}/game");
        arbiter.topic(&game, "three moves", |it| it["moves"][2]["san"] == "Nf3");
    }
}

/// Set and not started, a clock shows what the command line says.
#[test]
fn the_clock_of_an_emulated_board_is_set_as_the_command_line_says() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    let mut command = adoubed(["emulate", "dgt", "--time-control", "5400+30", "--link"]);
    command.arg(house.line("1")).stdout(Stdio::null());
    let _emulated = Emulated(command.spawn().expect("an emulated board"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    let clock = arbiter.topic("table/1/clock", "it is set", |it| it["white_ms"] == 5_430_000);
    assert_eq!((&clock["black_ms"], &clock["running"]), (&5_430_000.into(), &Value::Null));
    let wrong = finish(&mut adoubed(["emulate", "dgt", "--time-control", "90m"]));
    assert_eq!(wrong.code, Some(64), "{wrong:?}");
    assert!(wrong.stderr.contains("seconds and increment such as 5400+30"), "{wrong:?}");
}

/// A killed program leaves its link behind, which the next one replaces. What is no link stays.
#[test]
fn a_link_that_was_left_behind_is_replaced_and_a_file_is_not() {
    let house = House::new();
    let line = house.line("1");
    let begin = || {
        let mut command = adoubed(["emulate", "dgt", "--link"]);
        let mut child = command.arg(&line).stdout(Stdio::piped()).spawn().expect("a board");
        let said = child.stdout.take().expect("it says where it is");
        let mut path = String::new();
        BufReader::new(said).read_line(&mut path).expect("a line");
        (Emulated(child), path.trim().to_owned())
    };
    let (killed, _) = begin();
    drop(killed);
    assert!(line.is_symlink(), "nobody could take it away");
    let (mut second, path) = begin();
    assert_eq!(fs::read_link(&line).unwrap().display().to_string(), path);
    let (third, path) = begin();
    let id = second.0.id().to_string();
    assert!(Command::new("kill").arg(&id).status().expect("kill").success());
    assert_eq!(ended(&mut second.0, PATIENCE), Some(Some(0)));
    assert_eq!(fs::read_link(&line).unwrap().display().to_string(), path, "it is another's");
    drop(third);

    let file = house.path().join("games.pgn");
    fs::write(&file, "1. e4 *").unwrap();
    let mut command = adoubed(["emulate", "dgt", "--link"]);
    let refused = finish(command.arg(&file));
    assert_eq!(refused.code, Some(69), "{refused:?}");
    assert!(refused.stderr.contains("games.pgn is there already"), "{refused:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "1. e4 *");
}
