//! Whoever comes late to a large hall is told everything retained of every table, over every
//! version of MQTT, at every quality of service.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::common::{Board, Daemon, Feed, House, judges};

const TABLES: u32 = 300;
const TOPICS: [&str; 6] = ["board", "clock", "device", "game", "pgn", "position"];
/// A hall of 300 boards is asked for three things each, ten a second, on a machine with other work.
const SET_UP_WITHIN: Duration = Duration::from_secs(60);

fn expected() -> BTreeSet<String> {
    let of_table = |number: u32| TOPICS.map(|name| format!("adoubed/v1/table/{number}/{name}"));
    let bridge = ["info", "state"].map(|name| format!("adoubed/v1/bridge/{name}"));
    (1..=TABLES).flat_map(of_table).chain(bridge).collect()
}

/// Every topic was told, and nothing else is retained. What changes while the others are sent comes
/// as it is then, and is not called retained.
fn has_everything<'a>(shown: impl Iterator<Item = (&'a str, bool)>) -> bool {
    let expected = expected();
    let shown = shown.filter(|(topic, retain)| *retain || expected.contains(*topic));
    shown.map(|(topic, _)| topic.to_owned()).collect::<BTreeSet<_>>() == expected
}

#[test]
fn a_late_subscriber_gets_every_retained_topic_of_three_hundred_tables() {
    let mut house = House::new();
    for number in 1..=TABLES {
        house.table(number, "driver = \"dgt\"");
    }
    let board = |number: u32| Board::dgt(&house.line(&number.to_string()), &number.to_string());
    let mut boards: Vec<_> = (1..=TABLES).map(board).collect();
    let begun = Instant::now();
    let daemon = Daemon::start(&house);
    let first = Feed::guest(daemon.feed());
    let ready = |number: u32| format!("adoubed/v1/table/{number}/position");
    first.within(SET_UP_WITHIN, "300 games ready", |heard| {
        let is_ready =
            |topic: String| heard.latest(&topic).is_some_and(|it| it.json()["phase"] == "ready");
        (1..=TABLES).map(ready).all(is_ready).then_some(())
    });
    println!("{TABLES} boards set up after {:?}", begun.elapsed());
    for board in &mut boards {
        board.play("e4");
    }
    first.within(SET_UP_WITHIN, "300 moves", |heard| {
        let moved = |topic: String| heard.latest(&topic).is_some_and(|it| it.json()["ply"] == 1);
        (1..=TABLES).map(ready).all(moved).then_some(())
    });

    let begun = Instant::now();
    let late = Feed::guest(daemon.feed());
    late.within(SET_UP_WITHIN, "everything retained", |heard| {
        let shown = heard.messages.iter().map(|it| (it.topic.as_str(), it.retain));
        has_everything(shown).then_some(())
    });
    println!("a late client has everything after {:?}", begun.elapsed());
    let last = format!("adoubed/v1/table/{TABLES}/position");
    let fen = late.look(|heard| heard.latest(&last).unwrap().json()["fen"].clone());
    assert_eq!(fen, boards[0].game.fen());
    for judge in judges("late subscribers", daemon.feed(), "adoubed/v1/#") {
        let topics = judge.within(SET_UP_WITHIN, "everything retained", |shown| {
            let topics = shown.iter().map(|it| (it.topic.as_str(), it.retain));
            has_everything(topics).then_some(shown.len())
        });
        println!("-V {} -q {}: {topics} messages", judge.version, judge.qos);
    }
    println!("the daemon used {:?} of processor time", daemon.processor());
}
