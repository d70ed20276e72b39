//! A start goes on from a checkpoint and tells the same as from the journal alone; of a checkpoint
//! that is not what it should be it says so, and reads the journal.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Board, Daemon, Feed, House, PATIENCE, get};

const USED: &str = "went on from a checkpoint";
const NOT_USED: &str = "is not used: ";

/// What stays the same when the same record is told again.
fn heard(daemon: &Daemon) -> Vec<Value> {
    let feed = Feed::guest(daemon.feed());
    ["game", "position", "clock"]
        .map(|topic| {
            let mut heard = feed.topic(&format!("table/1/{topic}"), "what is remembered", |_| true);
            let fields = heard.as_object_mut().unwrap();
            for time in ["seq", "at", "sampled_at", "flag_due_at"] {
                fields.remove(time);
            }
            for mv in heard["moves"].as_array_mut().into_iter().flatten() {
                mv.as_object_mut().unwrap().remove("at");
            }
            heard
        })
        .into()
}

fn figure(daemon: &Daemon, name: &str) -> u64 {
    let text = get(daemon.pages, "/metrics").text();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("adoubed_{name} ")));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

/// Some moves, a touched piece that was put back, and checkpoints on the way; then SIGKILL. The
/// board is gone, so that nothing but the record can tell of it.
fn killed_in_mid_game(house: &mut House) {
    house.put("journal", "checkpoint_records", "5");
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    board.start_clock();
    for (ply, (san, left)) in (1..).zip([("e4", 178), ("e5", 177), ("Nf3", 170), ("Nc6", 169)]) {
        board.play_and_press(san, left);
        let pressed = |it: &Value| it["ply"] == ply && it["status"] == "completed";
        feed.topic("table/1/position", san, pressed);
    }
    board.lift("f1");
    feed.topic("table/1/board", "a bishop in the hand", |it| it["lifted"] != Value::Array(vec![]));
    board.unplug();
    feed.topic("table/1/device", "no board", |it| it["state"] == "absent");
    // A checkpoint is written beside everything else, on a busy machine after all of this.
    let deadline = Instant::now() + PATIENCE;
    while house.checkpoints().is_empty() {
        assert!(Instant::now() < deadline, "no checkpoint is written");
        std::thread::sleep(Duration::from_millis(20));
    }
    daemon.kill();
    assert!(house.checkpoints().len() <= 3, "{:?}", house.checkpoints());
}

/// Starts one that makes no checkpoint, and kills it: the record has nothing new of the game.
fn started(house: &House) -> (Vec<Value>, Daemon) {
    let daemon = Daemon::again(house);
    (heard(&daemon), daemon)
}

fn from_the_journal_alone(house: &mut House) -> Vec<Value> {
    house.put("journal", "checkpoint_records", "0");
    let daemon = Daemon::start(house);
    let heard = heard(&daemon);
    assert_eq!((daemon.said(USED), figure(&daemon, "start_checkpoint")), (0, 0));
    daemon.kill();
    house.put("journal", "checkpoint_records", "1000").write();
    heard
}

/// The whole record, copied: every start writes to its own.
fn copy(house: &House, beside: &Path) {
    fs::create_dir_all(beside).unwrap();
    for path in house.segments().into_iter().chain(house.checkpoints()) {
        fs::copy(&path, beside.join(path.file_name().unwrap())).unwrap();
    }
}

fn put_back(house: &House, beside: &Path) {
    for path in house.segments().into_iter().chain(house.checkpoints()) {
        fs::remove_file(path).unwrap();
    }
    for file in fs::read_dir(beside).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), house.journal().join(file.file_name())).unwrap();
    }
}

#[test]
fn what_was_kept_and_what_came_after_it_is_the_whole_record() {
    let mut house = House::new();
    killed_in_mid_game(&mut house);
    let beside = house.path().join("beside");
    copy(&house, &beside);
    let whole = from_the_journal_alone(&mut house);
    assert_eq!(whole[0]["moves"].as_array().map(Vec::len), Some(4));

    put_back(&house, &beside);
    let (heard, daemon) = started(&house);
    assert_eq!(heard, whole);
    assert_eq!((daemon.said(USED), daemon.said(NOT_USED)), (1, 0));
    assert_eq!(figure(&daemon, "start_checkpoint"), 1);
    let read = figure(&daemon, "start_records");
    assert!(read < 20, "{read} records were read again");
    assert_eq!(get(daemon.pages, "/healthz").status, 200);
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn whoever_ends_in_order_leaves_next_to_nothing_to_read() {
    let mut house = House::new();
    let (mut board, daemon, feed) = crate::at_a_board(&mut house);
    board.start_clock();
    board.play_and_press("e4", 178);
    feed.topic("table/1/position", "a move", |it| it["status"] == "completed");
    assert_eq!(house.checkpoints().len(), 0, "they are far apart");
    assert_eq!(daemon.stop(), Some(0));
    assert_eq!(house.checkpoints().len(), 1);

    let daemon = Daemon::again(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/game", "the move", |it| it["moves"][0]["clk_ms"] == 178_000);
    assert_eq!((figure(&daemon, "start_checkpoint"), figure(&daemon, "start_records")), (1, 0));
    board.play_and_press("e5", 177);
    feed.topic("table/1/position", "it goes on", |it| it["ply"] == 2);
    daemon.kill();
}

fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&content).to_le_bytes();
    content.extend(sum);
    content
}

/// The same with a digit of the build's name changed.
fn of_another_build(bytes: &[u8]) -> Vec<u8> {
    let version = concat!(env!("CARGO_PKG_VERSION"), " ").as_bytes();
    let at = bytes.windows(version.len()).position(|it| it == version).unwrap() + version.len();
    let mut content = bytes[..bytes.len() - 4].to_vec();
    content[at] = if content[at] == b'0' { b'1' } else { b'0' };
    sealed(content)
}

#[test]
fn a_checkpoint_that_is_not_what_it_should_be_is_left_alone() {
    let mut house = House::new();
    killed_in_mid_game(&mut house);
    let beside = house.path().join("beside");
    copy(&house, &beside);
    let whole = from_the_journal_alone(&mut house);
    let flipped = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        bytes
    };
    let halved = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    type Spoiling<'a> = (&'a dyn Fn(&[u8]) -> Vec<u8>, &'a str);
    let spoilings: [Spoiling<'_>; 4] = [
        (&flipped, "it is damaged"),
        (&halved, "it is damaged"),
        (&|_: &[u8]| Vec::new(), "it is damaged"),
        (&of_another_build, "another build of this program has written it"),
    ];
    for (spoiled, why) in spoilings {
        put_back(&house, &beside);
        let files = house.checkpoints();
        for file in &files {
            fs::write(file, spoiled(&fs::read(file).unwrap())).unwrap();
        }
        let (heard, daemon) = started(&house);
        assert_eq!(heard, whole, "{why}");
        assert_eq!((daemon.said(USED), daemon.said(why)), (0, files.len()), "{}", daemon.words());
        assert_eq!(figure(&daemon, "start_checkpoint"), 0);
        daemon.kill();
    }
}

/// The disk has kept the checkpoint, and not all of the journal that it stands on.
#[test]
fn a_checkpoint_ahead_of_its_journal_is_left_alone() {
    let mut house = House::new();
    killed_in_mid_game(&mut house);
    let journal = house.segments().pop().unwrap();
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() / 3]).unwrap();
    let beside = house.path().join("beside");
    copy(&house, &beside);
    let whole = from_the_journal_alone(&mut house);

    put_back(&house, &beside);
    let files = house.checkpoints().len();
    let (heard, daemon) = started(&house);
    assert_eq!(heard, whole);
    assert_eq!((daemon.said(USED), daemon.said("is shorter than it was")), (0, files));
    // What comes next is kept again, and the two that are of no use give way to it.
    assert_eq!(daemon.stop(), Some(0));
    let (_, daemon) = started(&house);
    assert_eq!((daemon.said(USED), daemon.said(NOT_USED)), (1, 0));
    daemon.kill();
}
