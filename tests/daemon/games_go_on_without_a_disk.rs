//! A full disk under the journal ends the record, says so, and ends nothing else.

use crate::common::{Board, Daemon, Feed, Heard, House, alone, finish, skipped};

/// Room for the beginning of a record and some moves.
const ROOM: &str = "12k";

/// A command that ends up in a daemon whose journal is a disk of its own, and a small one.
fn on_a_small_disk(house: &House) -> std::process::Command {
    let script = format!("mount -t tmpfs -o size={ROOM} small \"$0\" && exec \"$@\"");
    let mut command = alone("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", &script]).arg(house.journal());
    command
}

#[test]
fn games_go_on_when_the_disk_of_the_journal_is_full_and_it_is_said() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").write();
    let possible = finish(on_a_small_disk(&house).arg("true"));
    if possible.code != Some(0) {
        return skipped("full disk", &format!("no disk may be mounted here: {}", possible.stderr));
    }
    let mut board = Board::dgt(&house.line("1"), "1");
    let config = house.config().display().to_string();
    let program = env!("CARGO_BIN_EXE_adoubed");
    let command = &mut on_a_small_disk(&house);
    let daemon = Daemon::by(command.args([program, "run", "--config", &config]));
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    feed.topic("bridge/info", "a record", |it| it["journal"] == "kept");
    let warning = "the journal is no longer written";
    let mut touches = 0;
    while daemon.said(warning) == 0 {
        board.lift("a2");
        board.put("a2", 'P');
        touches += 2;
        // Hands wait, however slow the machine is.
        feed.wait("the touches", |it| (events(it) >= touches).then_some(()));
        assert!(touches < 10_000, "a disk of {ROOM} takes everything");
    }
    let words = daemon.logged(warning);
    assert!(words.contains("WARN") && words.contains("No space left"), "{words}");
    println!("the disk was full after {touches} touches");
    feed.topic("bridge/info", "no record any more", |it| it["journal"] == "failed");
    board.start_clock();
    for (ply, san) in (1..).zip(["e4", "e5", "Nf3"]) {
        board.play_and_press(san, 170);
        let told = |it: &serde_json::Value| it["ply"] == ply && it["status"] == "completed";
        feed.topic("table/1/position", san, told);
    }
    let arbiter = daemon.arbiter();
    let result = serde_json::json!({"table": 1, "result": "1-0"});
    assert_eq!(arbiter.ask("set_result", result)["status"], "ok");
    feed.topic("table/1/game", "a result", |it| it["result"] == "1-0");
    assert_eq!(daemon.stop(), Some(0));
}

/// How many events at tables a client has heard of.
fn events(heard: &Heard) -> usize {
    heard.messages.iter().filter(|it| it.topic.ends_with("/event")).count()
}
