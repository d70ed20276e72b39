//! A full disk under the journal ends the record, says so, and ends nothing else. When it has room
//! again the record goes on by itself, and nothing of the games is lost.

use crate::common::{Board, Daemon, Feed, Heard, House, PATIENCE, alone, finish, skipped};

/// Room for the beginning of a record and some moves, beside what fills the rest of the disk.
const DISK: &str = "400k";
const FILLED: &str = "388k";

/// A command that ends up in a daemon whose journal is a disk of its own, and a small one.
fn on_a_small_disk(house: &House) -> std::process::Command {
    let script = format!(
        "mount -t tmpfs -o size={DISK} small \"$0\" && \
         head -c {FILLED} /dev/zero >\"$0/filler\" && exec \"$@\""
    );
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
        assert!(touches < 10_000, "a disk of {DISK} takes everything");
    }
    let words = daemon.logged(warning);
    assert!(words.contains("WARN") && words.contains("No space left"), "{words}");
    println!("the disk was full after {touches} touches");
    feed.topic("bridge/info", "no record any more", |it| it["journal"] == "failed");
    board.start_clock();
    for (ply, san) in (1..).zip(["e4", "e5", "Nf3"]) {
        board.play_and_press(san, 170);
        let shown = |it: &serde_json::Value| it["ply"] == ply && it["status"] == "completed";
        feed.topic("table/1/position", san, shown);
    }
    let arbiter = daemon.arbiter();
    let result = serde_json::json!({"table": 1, "result": "1-0"});
    assert_eq!(arbiter.ask("set_result", result)["status"], "ok");
    feed.topic("table/1/game", "a result", |it| it["result"] == "1-0");

    // Somebody makes room: the daemon's disk is seen through its own eyes.
    let disk = format!("/proc/{}/root{}", daemon.id(), house.journal().display());
    std::fs::remove_file(format!("{disk}/filler")).unwrap();
    feed.topic("bridge/info", "a record again", |it| it["journal"] == "kept");
    daemon.logged("the journal is written again");
    let checkpoints = || std::fs::read_dir(&disk).unwrap().flatten();
    let is_checkpoint = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".bin");
    let begun = std::time::Instant::now();
    while !checkpoints().any(|file| is_checkpoint(&file.file_name())) {
        assert!(begun.elapsed() < PATIENCE, "what was not recorded is kept nowhere");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(daemon.stop(), Some(0));
}

/// How many events at tables a client has heard of.
fn events(heard: &Heard) -> usize {
    heard.messages.iter().filter(|it| it.topic.ends_with("/event")).count()
}
