//! Requests are read as they are meant, or refused in words.

use serde_json::json;

use witness::{GameNo, IncidentId, Order, TableNo};
use words::InWords as _;

use super::*;

fn request(verb: &str, body: serde_json::Value) -> Result<(TableNo, Order), BadRequest> {
    let asked = Request::read(verb, body, "Ann").asked()?;
    let Asked::Order(table, order) = asked else { panic!("{asked:?}") };
    Ok((table, order))
}

#[test]
fn requests_become_orders() {
    let (table, order) = request("acknowledge", json!({"alert": "3-1-2"})).unwrap();
    let incident = IncidentId { game: GameNo::new(1), number: 2 };
    assert_eq!(table, TableNo::new(3));
    let Order::Acknowledge { incident: it, by } = order else { panic!("{order:?}") };
    assert_eq!((it, by.as_str()), (incident, "Ann"));
    let (table, order) = request("set_result", json!({"table": 4, "result": "1/2-1/2"})).unwrap();
    assert_eq!(table, TableNo::new(4));
    let Order::SetResult(Some(ending)) = order else { panic!("{order:?}") };
    assert_eq!(ending.outcome, shakmaty::KnownOutcome::Draw);
    let (_, order) = request("set_result", json!({"table": 4, "result": "-/+"})).unwrap();
    let Order::SetResult(Some(ending)) = order else { panic!("{order:?}") };
    assert_eq!((ending.outcome.as_str(), ending.reason), ("0-1", witness::EndedBy::Forfeit));
}

#[test]
fn every_verb_that_is_offered_is_known() {
    for verb in VERBS {
        let body = json!(7);
        let refusal = Request::read(verb, body, "Ann").asked().unwrap_err();
        assert_ne!(refusal, BadRequest(say::no_such_request(verb)));
    }
}

#[test]
fn a_refusal_names_the_key_and_no_type_of_the_program() {
    let body = json!({"table": 4, "side": "white", "seconds": "two"});
    let BadRequest(why) = request("penalty_given", body).unwrap_err();
    assert!(why.en().contains("seconds: invalid type"), "{why:?}");
    assert!(why.en().ends_with("expected a whole number"), "{why:?}");
    let wanted = "seconds : un nombre entier était attendu, et non le texte two";
    assert!(why.fr().replace('\u{a0}', " ").ends_with(wanted), "{why:?}");
    for body in [json!(null), json!([]), json!("flip")] {
        let BadRequest(why) = request("flip", body).unwrap_err();
        assert!(why.en().contains("no JSON object") && why.fr().contains("objet JSON"), "{why:?}");
    }
}

#[test]
fn what_is_no_request_is_refused_in_words() {
    for (verb, body) in [
        ("dance", json!({})),
        ("acknowledge", json!({"alert": "3-1"})),
        ("acknowledge", json!(7)),
        ("rule", json!({"alert": "1-1-1", "ruling": "maybe"})),
        ("set_result", json!({"table": 4, "result": "2-0"})),
        ("set_pairing", json!({"table": 4, "white": "A", "black": "B\n1. e4 1-0"})),
        ("penalty_given", json!({"table": 4, "side": "white", "seconds": 36_000})),
        ("penalty_given", json!({"table": 4, "side": "white", "seconds": 120, "alert": "5-1-1"})),
        ("penalty_withdrawn", json!({"table": 4, "side": "white", "given": 1, "reason": "  "})),
        ("adjourn", json!({"table": 4, "sealed_by": "red"})),
        ("adjourn", json!({"table": 4, "place": "x".repeat(201)})),
        ("resume", json!({})),
        ("correct_score", json!({"table": 4, "after": 2, "of": 4, "moves": ["x".repeat(201)]})),
        ("correct_score", json!({"table": 4, "after": 2, "of": 4, "moves": vec!["e4"; 401]})),
        ("set_position", json!({"table": 4, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"})),
    ] {
        let BadRequest(why) = request(verb, body).unwrap_err();
        assert!(!why.en().is_empty() && !why.fr().is_empty() && why.en() != why.fr(), "{why:?}");
        let english = ["expected", "invalid", "missing", "unknown"];
        assert!(!english.iter().any(|word| why.fr().contains(word)), "{why:?}");
        assert!(!why.fr().contains("est une autre"), "no detail: {why:?}");
    }
}

#[test]
fn what_every_request_may_say_is_kept_beside_what_it_asks_for() {
    let body = json!({"table": 4, "transaction": {"n": 1}, "expires_at": "2026-11-20T14:00:00Z",
                      "note": "he asked", "group": "w8Qm", "unknown": true});
    let request = Request::read("flip", body.clone(), "Ann");
    assert!(request.common.expiry().unwrap().is_some());
    let mut known = body;
    known.as_object_mut().unwrap().remove("unknown");
    assert_eq!((request.verb(), request.body()), ("flip", known));
    let written = serde_json::to_string(&request).unwrap();
    assert_eq!(serde_json::from_str::<Request>(&written).unwrap(), request);
}
