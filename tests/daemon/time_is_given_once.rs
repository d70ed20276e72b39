//! Time that was given counts once for its alert, whoever says so and however often; it is in the
//! ledger with who gave it, is gone when the alert is dismissed, and is withdrawn with a reason.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, House, password_hash};
use crate::refused_requests_change_nothing::make_an_illegal_move;

/// A table, two arbiters who have signed in, and the alert of an illegal move by Black.
fn two_arbiters(house: &mut House) -> (Board, Daemon, [Feed; 2], String) {
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    house.put("web.arbiters", "Bob", &password_hash("Bob", "bob"));
    house.table(1, "driver = \"dgt\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(house);
    let arbiters = ["Ann", "Bob"].map(|name| logged_in(&daemon, name));
    arbiters[0].topic("table/1/position", "the pieces", |it| it["phase"] == "ready");
    let id = make_an_illegal_move(&mut board, &arbiters[0]);
    (board, daemon, arbiters, id)
}

fn logged_in(daemon: &Daemon, name: &str) -> Feed {
    Feed::open(daemon.feed(), Some((name.to_owned(), name.to_lowercase())))
}

fn given(id: &str) -> Value {
    json!({"table": 1, "side": "black", "seconds": 120, "alert": id})
}

/// Black's page of the ledger, once this much was given.
fn page(feed: &Feed, seconds: u32) -> Value {
    let told = format!("{seconds} s");
    let ledger = feed.topic("arbiter/ledger/1", &told, |it| it["black"]["given_s"] == seconds);
    ledger["black"].clone()
}

fn refusal(answer: &Value) -> [String; 2] {
    assert_eq!(answer["status"], "error", "{answer}");
    ["en", "fr"].map(|of| answer["text"][of].as_str().unwrap().replace('\u{a0}', " "))
}

#[test]
fn two_tablets_and_a_restart_count_it_once_and_the_second_is_told_who_gave_it() {
    let mut house = House::new();
    let (_board, daemon, [ann, bob], id) = two_arbiters(&mut house);
    let answer = ann.ask("penalty_given", given(&id));
    assert_eq!(answer["status"], "ok", "{answer}");
    assert_eq!(answer["data"]["black"]["given_s"], 120);
    let [en, fr] = refusal(&bob.ask("penalty_given", given(&id)));
    assert!(en.starts_with("Ann gave 120 s for this alert ") && en.contains(" s ago"), "{en}");
    assert!(fr.starts_with("Ann a donné 120 s pour cette alerte il y a "), "{fr}");
    refusal(&ann.ask("penalty_given", given(&id)));
    for feed in [&ann, &bob] {
        let entries = page(feed, 120)["given"].clone();
        assert_eq!(entries.as_array().map(Vec::len), Some(1), "{entries}");
        let entry = &entries[0];
        assert_eq!((&entry["by"], &entry["alert"]), (&json!("Ann"), &json!(id)));
        assert_eq!((&entry["seconds"], &entry["withdrawn"]), (&json!(120), &Value::Null));
    }
    daemon.kill();
    let again = Daemon::again(&house);
    let bob = logged_in(&again, "Bob");
    page(&bob, 120);
    let [en, _] = refusal(&bob.ask("penalty_given", given(&id)));
    assert!(en.starts_with("Ann gave 120 s"), "{en}");
    // Without an alert it means what it always meant.
    let bare = json!({"table": 1, "side": "black", "seconds": 60});
    assert_eq!(bob.ask("penalty_given", bare.clone())["status"], "ok");
    assert_eq!(bob.ask("penalty_given", bare)["status"], "ok");
    page(&bob, 240);
}

#[test]
fn it_is_gone_with_a_dismissal_and_withdrawn_with_a_reason_that_stays() {
    let mut house = House::new();
    let (_board, _daemon, [ann, bob], id) = two_arbiters(&mut house);
    ann.ask("penalty_given", given(&id));
    let withdrawal =
        |reason: &str| json!({"table": 1, "side": "black", "given": 1, "reason": reason});
    let [en, _] = refusal(&bob.ask("penalty_withdrawn", withdrawal(" ")));
    assert!(en.contains("write the reason"), "{en}");
    let answer = bob.ask("penalty_withdrawn", withdrawal("the clock was never set"));
    assert_eq!(answer["status"], "ok", "{answer}");
    let entry = page(&ann, 0)["given"][0].clone();
    assert_eq!((&entry["by"], &entry["seconds"]), (&json!("Ann"), &json!(120)));
    assert_eq!(entry["withdrawn"]["by"], "Bob");
    assert_eq!(entry["withdrawn"]["reason"], "the clock was never set");
    let [en, _] = refusal(&ann.ask("penalty_withdrawn", withdrawal("once more")));
    assert!(en.starts_with("Bob withdrew it "), "{en}");
    let other = json!({"table": 1, "side": "black", "given": 7, "reason": "no such"});
    let [en, _] = refusal(&ann.ask("penalty_withdrawn", other));
    assert!(en.contains("no penalty of this number"), "{en}");

    assert_eq!(ann.ask("penalty_given", given(&id))["status"], "ok", "given after all");
    page(&ann, 120);
    let dismissed = json!({"alert": id, "ruling": "dismissed"});
    assert_eq!(bob.ask("rule", dismissed)["status"], "ok");
    let page = page(&ann, 0);
    assert_eq!((&page["penalties"], &page["illegal_moves"]), (&json!(0), &json!(0)));
    let entry = &page["given"][1];
    assert_eq!(
        (&entry["withdrawn"]["by"], &entry["withdrawn"]["reason"]),
        (&json!("Bob"), &Value::Null)
    );
    refusal(&ann.ask("penalty_given", given(&id)));
}

/// The times and the penalty are one order: neither is written down alone.
#[test]
fn what_cannot_be_set_on_a_clock_that_runs_is_not_given_either() {
    let mut house = House::new();
    let (mut board, _daemon, [arbiter, _], id) = two_arbiters(&mut house);
    let mut asked = given(&id);
    asked["clock"] = json!({"white_ms": 298_000, "black_ms": 296_000, "running": "black"});
    let [en, _] = refusal(&arbiter.ask("penalty_given", asked.clone()));
    assert!(en.contains("the clock runs"), "{en}");
    page(&arbiter, 0);
    board.show(Face { running: false, ..board.face });
    arbiter.topic("table/1/clock", "a clock that stands", |it| it["running"] == Value::Null);
    let answer = arbiter.ask("penalty_given", asked);
    assert_eq!(answer["status"], "ok", "{answer}");
    page(&arbiter, 120);
    let strange = json!({"table": 1, "white_ms": 1, "black_ms": 1, "running": "both"});
    let [en, _] = refusal(&arbiter.ask("set_time", strange));
    assert!(en.contains("unknown variant `both`"), "{en}");
}
