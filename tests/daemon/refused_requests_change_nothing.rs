//! A request that cannot be carried out is refused in words, is in the record all the same, and
//! changes nothing; of two arbiters who rule at once one is heard.

use adoubed::entry::Entry;
use adoubed::record::journal;
use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, House, one_table};

/// A table at which White has made an illegal move, and its alert.
fn with_an_illegal_move(house: &mut House) -> (Board, Daemon, Feed, String) {
    let (mut board, daemon, arbiter) = one_table(house, "");
    let id = make_an_illegal_move(&mut board, &arbiter);
    (board, daemon, arbiter, id)
}

/// Gives its alert.
pub fn make_an_illegal_move(board: &mut Board, arbiter: &Feed) -> String {
    board.start_clock();
    board.play_and_press("e4", 178);
    arbiter.topic("table/1/position", "a move", |it| it["status"] == "completed");
    board.lift("g8");
    board.put("g6", 'n');
    board.press(176);
    arbiter.wait("the alert", |heard| {
        let mut alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        alerts.find_map(|(_, &index)| {
            let alert = heard.messages[index].json();
            (alert["kind"] == "illegal_move").then(|| alert["id"].as_str().unwrap().to_owned())
        })
    })
}

/// What is retained of a table, but for when and how often it was told.
fn state(daemon: &Daemon, id: &str) -> Vec<Value> {
    let feed = daemon.arbiter();
    let alert = format!("alert/{id}");
    let topics = ["table/1/game", "table/1/position", "arbiter/ledger/1", &alert];
    let shown = topics.map(|topic| {
        let mut it = feed.topic(topic, topic, |_| true);
        let object = it.as_object_mut().unwrap();
        object.retain(|key, _| !["seq", "at"].contains(&key.as_str()));
        it
    });
    shown.into()
}

#[test]
fn what_is_refused_is_in_the_record_and_changes_nothing() {
    let mut house = House::new();
    let (_board, daemon, arbiter, id) = with_an_illegal_move(&mut house);
    let before = state(&daemon, &id);
    let nobody = "no such table";
    let nowhere = "no such alert";
    let requests = [
        ("set_result", json!({"table": 9, "result": "1-0"}), nobody),
        ("set_position", json!({"table": 9, "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}), nobody),
        ("flip", json!({"table": 9}), nobody),
        ("penalty_given", json!({"table": 9, "side": "white", "seconds": 60}), nobody),
        ("claim_check", json!({"table": 9, "kind": "threefold"}), nobody),
        ("set_time", json!({"table": 9, "white_ms": 60_000, "black_ms": 60_000}), nobody),
        ("take_back", json!({"table": 9, "plies": 1}), nobody),
        ("correct_score", json!({"table": 9, "after": 0, "of": 1, "moves": ["e4"]}), nobody),
        (
            "correct_score",
            json!({"table": 1, "after": 0, "of": 1, "replaces": 1, "moves": ["Ke2"]}),
            "move 1 of White is not one legal move",
        ),
        ("adjourn", json!({"table": 9}), nobody),
        ("resume", json!({"table": 9}), nobody),
        ("set_pairing", json!({"table": 9, "white": "Doe", "black": "Roe"}), nobody),
        ("acknowledge", json!({"alert": "9-1-1"}), nobody),
        ("acknowledge", json!({"alert": "1-1-77"}), nowhere),
        ("rule", json!({"alert": "1-7-1", "ruling": "upheld"}), nowhere),
        ("rule", json!({"alert": id, "ruling": "perhaps"}), "unknown variant"),
        ("claim_check", json!({"table": 1, "kind": "fifty", "move": "Ke4"}), "no legal move"),
        ("claim_check", json!({"table": 1, "kind": "fifty", "move": "nonsense"}), "no legal move"),
        (
            "penalty_given",
            json!({"table": 1, "side": "black", "seconds": -60}),
            "expected a whole number",
        ),
        ("set_result", json!({"table": 1, "result": "1-1"}), "no result"),
        ("adjourn", json!({"table": 1, "place": "Hall 2\n1-0"}), "write one line"),
    ];
    for (verb, body, reason) in &requests {
        let answer = arbiter.ask(verb, body.clone());
        assert_eq!(answer["status"], "error", "{verb} {body}");
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{verb} {body}: {error}");
        assert_eq!(answer["text"]["en"], error);
        let french = answer["text"]["fr"].as_str().unwrap_or_default();
        assert!(!french.is_empty() && french != error, "{verb} {body}: {french}");
        assert_eq!(answer["data"], Value::Null, "{answer}");
    }
    assert_eq!(state(&daemon, &id), before);
    daemon.stop();
    let asked = requests_in_the_record(&house);
    let shown: Vec<_> = asked.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(shown, requests.each_ref().map(|it| it.0));
    for ((_, kept), (_, body, _)) in asked.iter().zip(&requests) {
        let whole = body.as_object().unwrap().iter().all(|(key, value)| &kept[key] == value);
        assert!(whole, "{kept} is not {body}");
    }
}

#[test]
fn of_two_arbiters_who_rule_at_once_one_is_heard_and_the_other_told_so() {
    let mut house = House::new();
    let (_board, daemon, one, id) = with_an_illegal_move(&mut house);
    let other = daemon.arbiter();
    other.topic(&format!("alert/{id}"), "the alert", |it| it["state"] == "open");
    for (feed, ruling) in [(&one, "upheld"), (&other, "dismissed")] {
        let rule = json!({"alert": id, "ruling": ruling, "transaction": ruling});
        feed.publish("request/rule", &rule, None);
    }
    let answers = |feed: &Feed| {
        ["upheld", "dismissed"].map(|to| {
            feed.wait(to, |heard| {
                let all = heard.messages.iter().filter(|it| it.topic.ends_with("/response/rule"));
                all.map(|it| it.json()).find(|it| it["transaction"] == to)
            })
        })
    };
    let mut heard = answers(&one);
    assert_eq!(heard, answers(&other), "both are told the same");
    let upheld = heard[0]["status"] == "ok";
    if !upheld {
        heard.reverse();
    }
    let [first, second] = heard;
    let ruling = if upheld { "upheld" } else { "dismissed" };
    assert_eq!(first["data"], json!({"alert": id, "ruling": ruling, "by": "arbiter", "undo": 1}));
    assert_eq!(second["status"], "error", "{second}");
    let shown = second["error"].as_str().unwrap();
    assert!(shown.starts_with(&format!("An arbiter {ruling} this alert ")), "{shown}");
    assert!(shown.contains(" s ago: "), "{shown}");
    let count = u32::from(upheld);
    one.topic("arbiter/ledger/1", "the ruling", |it| {
        it["black"]["illegal_moves"] == count
            && (!upheld || it["black"]["faults"][0]["ruling"] == "upheld")
    });
    daemon.stop();
    let verbs = requests_in_the_record(&house);
    assert_eq!(verbs.iter().filter(|(verb, _)| verb == "rule").count(), 2, "{verbs:?}");
}

fn requests_in_the_record(house: &House) -> Vec<(String, Value)> {
    let segments = house.segments();
    let records = segments.iter().flat_map(|it| journal::read_all(it).unwrap().records);
    let requests = records.filter_map(|(_, entry)| match entry {
        Entry::Request(request) => Some((request.verb().to_owned(), request.body())),
        _ => None,
    });
    requests.collect()
}
