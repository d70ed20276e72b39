//! What a table cannot find out at once is looked at beside it: other tables go on meanwhile, and
//! the answer is in the record.

use adoubed::entry::Entry;
use adoubed::record::journal;
use serde_json::json;

use crate::common::{Board, Daemon, Feed, Game, House};

/// Nobody can mate, and it takes more than a moment to see that.
const FEN: &str = "1k6/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1";

fn dead(feed: &Feed) {
    feed.wait("the dead position", |heard| {
        let mut alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/1-"));
        alerts
            .find(|(_, index)| heard.messages[**index].json()["kind"] == "dead_position")
            .map(drop)
    });
}

#[test]
fn a_dead_position_is_found_while_another_table_plays_and_is_not_forgotten() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"").table(2, "driver = \"dgt\"");
    let mut hard = Board::dgt(&house.line("1"), "1");
    let mut other = Board::dgt(&house.line("2"), "2");
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "the first game", |it| it["phase"] == "ready");
    arbiter.topic("table/2/position", "the other game", |it| it["phase"] == "ready");
    hard.set_up(Game::from_fen(FEN));
    let placement = hard.game.placement().to_string();
    arbiter.topic("table/1/board", "the squares", |it| it["placement"] == placement);
    assert_eq!(arbiter.ask("set_position", json!({"table": 1, "fen": FEN}))["status"], "ok");
    hard.play("Kb7");
    arbiter.topic("table/1/position", "the move", |it| it["ply"] == 1);
    for (ply, san) in (1..).zip(["e4", "e5", "Nf3", "Nc6"]) {
        other.play(san);
        arbiter.topic("table/2/position", san, |it| it["ply"] == ply);
    }
    dead(&arbiter);
    daemon.kill();

    let records =
        house.segments().into_iter().flat_map(|it| journal::read_all(&it).unwrap().records);
    let answers = records.filter(|(_, entry)| matches!(entry, Entry::Answered(_)));
    assert_eq!(answers.count(), 2, "one for each side");
    let daemon = Daemon::again(&house);
    dead(&daemon.arbiter());
}
