//! One damaged bit in the middle of a journal costs one record, and whoever reads the journal says
//! that it is not whole.

use adoubed::entry::Entry;
use eboard::Placement;

use crate::common::{Board, Daemon, Feed, House, Outcome, adoubed, finish, get};

fn run(arguments: &[&str]) -> Outcome {
    finish(&mut adoubed(arguments.iter().copied()))
}

/// What a hand does is told square by square; several may be read at once.
fn is_update(entry: &Entry) -> bool {
    matches!(entry, Entry::Bytes(_, bytes) if bytes.starts_with(&[0x8e, 0, 5]))
}

/// Each square is heard before the next, so that a record holds one of them and the damage costs no
/// more. Where it costs two, the order of the moves is not always known, and told as inferred.
fn four_moves(board: &mut Board, feed: &Feed) {
    let mut squares = Placement::starting();
    let gestures = ["e4", "e5", "Nf3", "Nc6"].map(|san| board.game.play(san));
    for gesture in gestures.into_iter().flatten() {
        board.gestures(vec![gesture]);
        squares[gesture.0] = gesture.1;
        let placement = squares.to_string();
        feed.topic("table/1/board", &placement, |it| it["placement"] == *placement);
    }
    feed.topic("table/1/position", "Nc6", |it| it["ply"] == 4);
}

#[test]
fn a_flipped_bit_is_told_by_every_tool_and_by_the_daemon() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").put("journal", "checkpoint_records", "0");
    let mut board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    four_moves(&mut board, &feed);
    assert_eq!(daemon.stop(), Some(0));
    let path = house.segments().remove(0);
    let journal = path.display().to_string();
    assert_eq!(run(&["verify", &journal]).code, Some(0));
    let whole = run(&["export", "pgn", &journal]);
    assert_eq!(whole.code, Some(0), "{whole:?}");

    let records = adoubed::record::journal::read_all(&path).unwrap().records;
    let mut bytes = std::fs::read(&path).unwrap();
    let updates = records.iter().enumerate().filter(|(_, (_, entry))| is_update(entry));
    let updates: Vec<_> = updates.map(|(index, _)| index).collect();
    let before: usize = records
        .iter()
        .take(updates[updates.len() / 2])
        .map(|record| adoubed::record::journal::encode(record).unwrap().len())
        .sum();
    bytes[before + 9] ^= 4;
    std::fs::write(&path, &bytes).unwrap();

    let verified = run(&["verify", &house.journal().display().to_string()]);
    assert_eq!(verified.code, Some(65), "{verified:?}");
    let place = format!("bytes {before} to ");
    assert!(
        verified.stdout.contains("DAMAGED") && verified.stdout.contains(&place),
        "{verified:?}"
    );
    for tool in [&["export", "pgn"][..], &["export", "log"], &["replay", "--pgn"], &["explain"]] {
        let output = run(&[tool, &[&*journal]].concat());
        assert_eq!(output.code, Some(65), "{tool:?}: {output:?}");
        assert!(
            output.stderr.contains("is not whole") && output.stderr.contains(&place),
            "{output:?}"
        );
    }

    let salvaged = house.path().join("journal-salvaged.log").display().to_string();
    let output = run(&["salvage", &journal, "-o", &salvaged]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.stdout.contains(&format!("{} records", records.len() - 1)), "{output:?}");
    assert!(output.stdout.contains("lost: ") && output.stdout.contains(&place), "{output:?}");
    assert_eq!(run(&["verify", &salvaged]).code, Some(0));
    assert_eq!(run(&["salvage", &journal, "-o", &salvaged]).code, Some(74), "never over another");
    let named = house.path().join("whole.log").display().to_string();
    assert_eq!(run(&["salvage", &journal, "-o", &named]).code, Some(64));

    let daemon = Daemon::again(&house);
    let feed = Feed::guest(daemon.feed());
    daemon.logged("everything else of it is read");
    let position = |it: &serde_json::Value| it["fen"] == board.game.fen();
    feed.topic("table/1/position", "the game goes on", position);
    let health = get(daemon.pages, "/healthz").text();
    assert!(health.starts_with("degraded\n"), "{health}");
    assert!(health.contains("record: damaged places: 1 (adoubed verify says where)"), "{health}");
    let after = adoubed::record::journal::read_all(&path).unwrap();
    assert!(after.records.len() > records.len(), "it goes on behind the damage");
    assert_eq!((after.gaps.len(), after.torn), (1, 0));
}
