//! A decision is taken back by who has made it, at once: the alert is open again under its name, on
//! every tablet and after a restart; what comes too late, or from somebody else, is refused in
//! words. The record has the decision and its undoing.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Daemon, House, adoubed, finish, post};
use crate::time_is_given_once::{logged_in, two_arbiters};

fn english(refusal: &Value) -> String {
    assert_eq!(refusal["status"], "error", "{refusal}");
    refusal["text"]["en"].as_str().unwrap().to_owned()
}

fn undo(act: &Value) -> Value {
    json!({"table": 1, "act": act})
}

#[test]
fn a_ruling_is_taken_back_by_its_arbiter_after_a_restart_too() {
    let mut house = House::new();
    let (_board, daemon, [ann, bob], id) = two_arbiters(&mut house);
    let before = ann.topic(&format!("alert/{id}"), "open", |it| it["state"] == "open");
    assert_eq!(before["revision"], 1);
    let ruled = ann.ask("rule", json!({"alert": id, "ruling": "dismissed"}));
    let act = ruled["data"]["undo"].clone();
    let ledger = bob.topic("arbiter/ledger/1", "the offer", |it| it["undo"][0]["act"] == act);
    let offer = &ledger["undo"][0];
    assert_eq!((&offer["by"], &offer["verb"]), (&json!("Ann"), &json!("rule")));
    assert_eq!(offer["body"], json!({"alert": id, "ruling": "dismissed"}));
    assert_eq!(ledger["black"]["illegal_moves"], 0);
    let why = english(&bob.ask("undo", undo(&act)));
    assert!(why.contains("Ann has decided this"), "{why}");

    daemon.kill();
    let again = Daemon::again(&house);
    let ann = logged_in(&again, "Ann");
    ann.topic("arbiter/ledger/1", "the offer", |it| it["undo"][0]["act"] == act);
    let undone = ann.ask("undo", undo(&act));
    assert_eq!(undone["status"], "ok", "{undone}");
    assert_eq!(undone["data"]["alert"], json!(id));
    let open = ann.topic(&format!("alert/{id}"), "open again", |it| it["revision"] == 2);
    assert_eq!((&open["state"], &open["text"]), (&json!("open"), &before["text"]));
    let ledger = ann.topic("arbiter/ledger/1", "the fault", |it| it["black"]["illegal_moves"] == 1);
    assert_eq!(ledger["undo"], json!([]));
    let why = english(&ann.ask("undo", undo(&act)));
    assert!(why.contains("may have been undone already"), "{why}");
    assert_eq!(ann.ask("rule", json!({"alert": id, "ruling": "upheld"}))["status"], "ok");

    let login = json!({"name": "Ann", "password": "ann"}).to_string();
    let session = post(again.pages, "/arbiter/session", &login).json();
    let decisions = post(again.pages, "/arbiter/decisions", &session.to_string()).json();
    let decisions = decisions.as_array().unwrap();
    let shown = |it: &&Value| it["what"] == "request" && it["error"].is_null();
    let shown: Vec<_> = decisions.iter().filter(shown).map(|it| it["verb"].clone()).collect();
    assert_eq!(shown, ["rule", "undo", "rule"]);
    let undoing = decisions.iter().find(|it| it["verb"] == "undo" && it["error"].is_null());
    assert_eq!(undoing.unwrap()["alert"]["id"], json!(id), "which ruling it was");

    let mut asked = session;
    asked["alert"] = json!(id);
    let dossier = post(again.pages, "/arbiter/alerts", &asked.to_string()).json();
    let became = dossier["became"].as_array().unwrap().iter();
    let became: Vec<_> = became.map(|it| (it["what"].clone(), it["by"].clone())).collect();
    let whats = ["dismissed", "reopened", "upheld"].map(|it| (json!(it), json!("Ann")));
    assert_eq!(became, whats);
    assert_eq!(dossier["alert"]["evidence"], before["evidence"]);
    assert_eq!(dossier["turn"], "black");
    // Black has not moved after 1. e4: sixteen moves by pawns, four by knights.
    assert_eq!(dossier["legal"].as_array().map(Vec::len), Some(20));
    let segments: Vec<_> = house.segments();
    let files = segments.iter().map(|it| it.to_str().unwrap());
    let printed = finish(&mut adoubed(["explain", "--incident", &id].into_iter().chain(files)));
    let sum = dossier["record"]["sha256"].as_str().unwrap();
    assert!(printed.stdout.contains(sum), "{sum} is not in {}", printed.stdout);
}

#[test]
fn strangers_get_no_alert_from_the_record() {
    let mut house = House::new();
    let (_board, daemon, [ann, _], id) = two_arbiters(&mut house);
    assert_eq!(ann.ask("rule", json!({"alert": id, "ruling": "noted"}))["status"], "ok");
    for body in [json!({"alert": id}), json!({"alert": id, "username": "Ann", "password": "ann"})] {
        let answer = post(daemon.pages, "/arbiter/alerts", &body.to_string());
        assert_eq!(answer.status, 401, "{}", answer.text());
        assert!(!answer.text().contains("knight"), "{}", answer.text());
    }
}

#[test]
fn a_result_and_times_and_what_was_given_are_taken_back_and_nothing_later() {
    let mut house = House::new();
    let (_board, _daemon, [ann, bob], id) = two_arbiters(&mut house);
    let given = json!({"table": 1, "side": "black", "seconds": 120, "alert": id, "group": "w8"});
    let given = ann.ask("penalty_given", given);
    let result = ann.ask("set_result", json!({"table": 1, "result": "1-0"}));
    let acts = [&given, &result].map(|it| it["data"]["undo"].clone());
    // Her other tablet knows by it what came of one tap.
    let ledger = bob.topic("arbiter/ledger/1", "both", |it| it["undo"][1]["act"] == acts[1]);
    let groups = [&ledger["undo"][0], &ledger["undo"][1]].map(|it| it["group"].clone());
    assert_eq!(groups, [json!("w8"), Value::Null]);
    let why = english(&ann.ask("undo", undo(&acts[0])));
    assert!(why.contains("something else was decided"), "{why}");
    bob.topic("table/1/game", "the result", |it| it["result"] == "1-0");
    assert_eq!(ann.ask("undo", undo(&acts[1]))["status"], "ok");
    bob.topic("table/1/game", "no result", |it| it["result"] == "*");
    assert_eq!(ann.ask("undo", undo(&acts[0]))["status"], "ok");
    let ledger = bob.topic("arbiter/ledger/1", "nothing", |it| it["black"]["given_s"] == 0);
    assert_eq!(ledger["black"]["given"][0]["withdrawn"]["undone"], true);

    let ruled = ann.ask("rule", json!({"alert": id, "ruling": "noted"}));
    let act = ruled["data"]["undo"].clone();
    bob.topic("arbiter/ledger/1", "the offer", |it| it["undo"][0]["act"] == act);
    // By the daemon's own clock: the offer is gone when its time is over.
    let late = Duration::from_secs(30);
    bob.within(late, "the end of the offer", |heard| {
        let ledger = heard.latest("adoubed/v1/arbiter/ledger/1")?.json();
        (ledger["undo"] == json!([])).then_some(())
    });
    let why = english(&ann.ask("undo", undo(&act)));
    assert!(why.contains("can be undone") || why.contains("too late"), "{why}");
}
