//! Time that was given counts once for its alert, whoever says so and however often; it is in the
//! ledger with who gave it, is gone when the alert is dismissed, and is withdrawn with a reason.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, House, password_hash, post};
use crate::refused_requests_change_nothing::make_an_illegal_move;

/// A table, two arbiters who have signed in, and the alert of an illegal move by Black.
pub fn two_arbiters(house: &mut House) -> (Board, Daemon, [Feed; 2], String) {
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

pub fn logged_in(daemon: &Daemon, name: &str) -> Feed {
    Feed::open(daemon.feed(), Some((name.to_owned(), name.to_lowercase())))
}

fn given(id: &str) -> Value {
    json!({"table": 1, "side": "black", "seconds": 120, "alert": id})
}

/// Black's page of the ledger, once this much was given.
fn page(feed: &Feed, seconds: u32) -> Value {
    let answered = format!("{seconds} s");
    let ledger = feed.topic("arbiter/ledger/1", &answered, |it| it["black"]["given_s"] == seconds);
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

/// What a card offers is worked out from the facts of its alert alone, as the arbiter's page does
/// it (`web/src/pure/consequences.ts`): both times to the second that a clock is set to, the
/// penalty added to the opponent's, and then the time of the player whose move it is.
fn offered(alert: &Value) -> Value {
    let facts = &alert["facts"];
    let shown = |side: &str| facts["clocks_ms"][side].as_u64().unwrap().div_ceil(1000) * 1000;
    let penalty = facts["penalty_s"].as_u64().unwrap() * 1000;
    let turn = facts["fen"].as_str().unwrap().split(' ').nth(1).unwrap();
    assert_eq!(alert["side"], "black");
    json!({
        "white_ms": shown("white") + penalty,
        "black_ms": shown("black"),
        "running": if turn == "w" { "white" } else { "black" },
    })
}

#[test]
fn what_an_alert_offers_is_what_is_held_against_the_clock_and_told_of_the_decision() {
    let mut house = House::new();
    let (mut board, daemon, [ann, bob], id) = two_arbiters(&mut house);
    let alert = ann.topic(&format!("alert/{id}"), "open", |it| it["state"] == "open");
    let times = offered(&alert);
    // As it was just before the irregularity (7.3): White has pressed with 178 s, and Black, who is
    // to move again, was last heard with 180 s. White gets two minutes.
    assert_eq!(times, json!({"white_ms": 298_000, "black_ms": 180_000, "running": "black"}));

    board.show(Face { running: false, ..board.face });
    ann.topic("table/1/clock", "a clock that stands", |it| it["running"] == Value::Null);
    let mut asked = given(&id);
    asked["clock"] = times.clone();
    let answer = ann.ask("penalty_given", asked.clone());
    assert_eq!(answer["status"], "ok", "{answer}");
    page(&ann, 120);
    let [en, _] = refusal(&bob.ask("penalty_given", asked));
    assert!(en.starts_with("Ann gave 120 s"), "{en}");

    // White's time is as it was given; Black's is not what was written beside it.
    board.lift("g6");
    board.put("g8", 'n');
    board.show(Face { white_s: 298, black_s: 120, white_counts: false, running: true, flag: None });
    let answered = ann.wait("a clock that is not set as it was said", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let mut alerts = alerts.map(|(_, &index)| heard.messages[index].json());
        alerts.find(|it| it["kind"] == "clock_setting")
    });
    let expected = &answered["facts"]["expected_ms"];
    assert_eq!((&expected["white"], &expected["black"]), (&times["white_ms"], &times["black_ms"]));

    let login = json!({"name": "Ann", "password": "ann"}).to_string();
    let session = post(daemon.pages, "/arbiter/session", &login).text();
    let decisions = post(daemon.pages, "/arbiter/decisions", &session).json();
    let decisions = decisions.as_array().unwrap();
    let mut of_ann = decisions.iter().filter(|it| it["verb"] == "penalty_given");
    let line = of_ann.next().expect("the decision");
    assert_eq!((&line["by"], &line["request"]["alert"]), (&json!("Ann"), &json!(id)));
    assert_eq!(line["request"]["clock"], times, "{line}");
    assert_eq!(line["request"]["seconds"], 120);
}
