//! What may be an offence is told to arbiters, with Article, words and evidence, and to nobody
//! else; it stays until a human has ruled, or until it is no longer so.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, Heard, House, password_hash, post};

/// A hall with one board per table, all set up and ready.
fn hall(house: &mut House, tables: u32) -> (Vec<Board>, Daemon) {
    house.put("defaults", "check_after_s", "1");
    for number in 1..=tables {
        let more = if number == 5 { "laws = \"2014\"" } else { "" };
        house.table(number, &format!("driver = \"dgt\"\n{more}"));
    }
    let board = |number: u32| Board::dgt(&house.line(&number.to_string()), &format!("{number}"));
    let boards = (1..=tables).map(board).collect();
    let daemon = Daemon::start(house);
    (boards, daemon)
}

/// The alert of this kind at a table, once it is in this state.
fn alert(feed: &Feed, table: u32, kind: &str, state: &str) -> Value {
    let wanted = |it: &Value| it["table"] == table && it["kind"] == kind && it["state"] == state;
    feed.wait(&format!("{kind} at table {table}, {state}"), |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        alerts.map(|(_, &index)| heard.messages[index].json()).find(wanted)
    })
}

fn topic(alert: &Value) -> String {
    format!("adoubed/v1/alert/{}", alert["id"].as_str().unwrap())
}

/// The alert has been taken back: an empty message.
fn closed(feed: &Feed, alert: &Value) {
    let topic = topic(alert);
    feed.wait(&format!("{topic} empty"), |heard| {
        heard.latest(&topic).is_some_and(|it| it.payload.is_empty()).then_some(())
    });
}

#[test]
fn three_kinds_of_alerts_come_with_article_words_and_evidence_and_to_arbiters_only() {
    let mut house = House::new();
    let (mut boards, daemon) = hall(&mut house, 5);
    let guest = Feed::guest(daemon.feed());
    let arbiter = daemon.arbiter();
    for (number, board) in (1..=5).zip(&mut boards) {
        arbiter.topic(&format!("table/{number}/position"), "ready", |it| it["phase"] == "ready");
        board.start_clock();
    }
    offend(&mut boards, &arbiter);
    assert_illegal(&arbiter);
    assert_own_king_in_check(&arbiter);
    assert_flag(&arbiter);
    assert_to_check(&arbiter, &boards[3]);
    let older = alert(&arbiter, 5, "illegal_move", "open");
    assert_eq!((&older["article"], &older["edition"]), (&json!("7.5.a"), &json!("2014")));

    let late = daemon.arbiter();
    let open = |heard: &Heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let tables = alerts.map(|(_, &index)| heard.messages[index].json()["table"].as_u64());
        tables.flatten().collect::<BTreeSet<_>>()
    };
    late.wait("every open alert", |it| (open(it) == BTreeSet::from([1, 2, 3, 5])).then_some(()));
    guest.topic("table/3/clock", "the fallen flag", |it| it["flag"] == "white");
    let heard: Vec<_> = guest.look(|heard| heard.latest.keys().cloned().collect());
    let private = |topic: &&String| topic.contains("/alert/") || topic.contains("/arbiter/");
    assert_eq!(heard.iter().find(private), None, "guests hear what is for arbiters");
}

/// Something at each table: a knight that moves like none, a check not parried, a flag, a piece
/// knocked over, and the knight again under older Laws.
fn offend(boards: &mut [Board], arbiter: &Feed) {
    for table in [1, 5] {
        let board = &mut boards[table - 1];
        board.lift("g1");
        board.put("g3", 'N');
        board.press(178);
    }
    for (ply, san) in (1..).zip(["e4", "f6", "Qh5"]) {
        boards[1].play_and_press(san, 170);
        arbiter.topic("table/2/position", san, |it| it["ply"] == ply);
    }
    boards[1].lift("a7");
    boards[1].put("a6", 'p');
    boards[1].press(169);
    let face = boards[2].face;
    boards[2].show(Face { white_s: 1, ..face });
    arbiter.topic("table/3/clock", "one second", |it| it["white_ms"] == 1000);
    boards[2].show(Face { white_s: 0, flag: Some(eboard::Side::Left), running: false, ..face });
    for (from, to, piece) in [("a1", "a5", 'R'), ("b8", "b5", 'n')] {
        boards[3].lift(from);
        boards[3].put(to, piece);
    }
}

fn assert_illegal(arbiter: &Feed) {
    let alert = alert(arbiter, 1, "illegal_move", "open");
    assert_eq!((&alert["article"], &alert["edition"]), (&json!("7.5.1"), &json!("2023")));
    assert_eq!((&alert["side"], &alert["move_number"]), (&json!("white"), &json!(1)));
    assert_eq!((&alert["gravity"], &alert["lapses_at"]), (&json!("summon"), &Value::Null));
    assert_eq!(
        (&alert["facts"]["reason"], &alert["facts"]["move"]),
        (&json!("geometry"), &json!("g1g3"))
    );
    assert_words(&alert, "White", "Blancs", &["g1", "g3"]);
    let evidence = alert["evidence"].as_array().unwrap();
    let seen = |it: &Value| {
        let word = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
        (word("what"), word("square"), word("piece"))
    };
    let hands: Vec<_> = evidence.iter().map(seen).filter(|it| it.0 != "clock").collect();
    let word = |what: &str, square: &str, piece: &str| (what.into(), square.into(), piece.into());
    assert_eq!(hands, [word("lift", "g1", "N"), word("put", "g3", "N"), word("press", "", "")]);
    assert!(evidence.iter().all(|it| it["t_ms"].as_i64().is_some_and(|ms| ms <= 0)), "{alert}");
    assert!(evidence.iter().all(|it| it["text"]["en"] != "" && it["text"]["fr"] != ""), "{alert}");
}

fn assert_own_king_in_check(arbiter: &Feed) {
    let alert = alert(arbiter, 2, "illegal_move", "open");
    assert_eq!((&alert["side"], &alert["move_number"]), (&json!("black"), &json!(2)));
    assert_eq!(alert["facts"]["reason"], "own_king_in_check");
    assert_eq!(alert["facts"]["attackers"], json!(["h5"]));
    assert_eq!(alert["facts"]["move"], "a7a6");
    assert_words(&alert, "Black", "Noirs", &["a7", "a6", "h5"]);
}

fn assert_flag(arbiter: &Feed) {
    let alert = alert(arbiter, 3, "flag_fall", "open");
    assert_eq!((&alert["article"], &alert["side"]), (&json!("6.8"), &json!("white")));
    assert_eq!(alert["gravity"], "summon");
    let between = &alert["facts"]["between"];
    let (above, zero) = (between["last_above_zero"].as_str(), between["first_at_zero"].as_str());
    assert!(above.is_some() && above <= zero, "{alert}");
    assert_words(&alert, "White", "Blancs", &[]);
}

/// Raised while nothing explains the squares, gone when they are put right.
fn assert_to_check(arbiter: &Feed, board: &Board) {
    let alert = alert(arbiter, 4, "position_to_check", "open");
    assert_eq!((&alert["article"], &alert["gravity"]), (&json!("7.6"), &json!("look")));
    let squares: BTreeSet<_> =
        alert["facts"]["squares"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(squares, BTreeSet::from(["a1", "a5", "b5", "b8"]));
    assert_words(&alert, "", "", &["a1", "a5", "b5", "b8"]);
    let doubt = arbiter.topic("table/4/position", "doubt", |it| it["phase"] == "adrift");
    let since = doubt["adrift_since"].as_str();
    assert!(since.is_some() && since <= doubt["at"].as_str(), "{doubt}");
    for (from, to, piece) in [("a5", "a1", 'R'), ("b5", "b8", 'n')] {
        board.lift(from);
        board.put(to, piece);
    }
    closed(arbiter, &alert);
    arbiter.topic("table/4/position", "the game again", |it| it["phase"] == "in_play");
}

/// Both languages name the player and the squares, and something can be done.
fn assert_words(alert: &Value, en: &str, fr: &str, squares: &[&str]) {
    for (language, player) in [("en", en), ("fr", fr)] {
        let text = alert["text"][language].as_str().unwrap();
        assert!(text.contains(player), "{text}");
        assert!(squares.iter().all(|square| text.contains(square)), "{text}");
        let advice = alert["advice"].as_array().unwrap();
        assert!(!advice.is_empty() && advice.iter().all(|it| it[language] != ""), "{alert}");
    }
}

#[test]
fn an_alert_is_acknowledged_and_ruled_on_by_request() {
    let mut house = House::new();
    let (mut boards, daemon) = hall(&mut house, 1);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    boards[0].start_clock();
    boards[0].lift("g1");
    boards[0].put("g3", 'N');
    boards[0].press(178);
    let open = alert(&arbiter, 1, "illegal_move", "open");
    let id = open["id"].as_str().unwrap();

    let answer = arbiter.ask("acknowledge", json!({"alert": id}));
    assert_eq!((&answer["status"], &answer["v"]), (&json!("ok"), &json!(1)));
    let acknowledged = alert(&arbiter, 1, "illegal_move", "acknowledged");
    assert_eq!((&acknowledged["id"], &acknowledged["by"]), (&open["id"], &json!("arbiter")));
    assert_eq!(acknowledged["opened_at"], open["opened_at"]);

    let answer = arbiter.ask("acknowledge", json!({"alert": "1-9-9"}));
    assert_eq!(answer["status"], "error");
    assert!(answer["error"].as_str().is_some_and(|it| it.contains("no such alert")), "{answer}");

    // MQTT 5: the answer where it is wanted, with what it is known by.
    let rule = json!({"alert": id, "ruling": "upheld", "note": "two minutes", "transaction": 7});
    let mine = "adoubed/v1/response/mine";
    arbiter.publish("request/rule", &rule, Some((mine, b"\x00\xff rule")));
    let answer = arbiter.wait("the answer", |heard| heard.latest(mine).cloned());
    assert_eq!(answer.correlation.as_deref(), Some(&b"\x00\xff rule"[..]));
    assert_eq!(
        (&answer.json()["status"], &answer.json()["transaction"]),
        (&json!("ok"), &json!(7))
    );
    arbiter.topic("response/rule", "the answer for all", |it| it["transaction"] == 7);
    closed(&arbiter, &open);
    let again = arbiter.ask("rule", json!({"alert": id, "ruling": "dismissed"}));
    assert_eq!(again["status"], "error", "an alert cannot be closed twice");
    let given = json!({"table": 1, "side": "white", "seconds": 120});
    assert_eq!(arbiter.ask("penalty_given", given)["status"], "ok");
    let ledger = arbiter
        .topic("arbiter/ledger/1", "the penalty", |it| it["white"]["given"][0]["seconds"] == 120);
    let fault = &ledger["white"]["faults"][0];
    assert_eq!((&fault["alert"], &fault["ruling"]), (&open["id"], &json!("upheld")));
    assert_eq!(ledger["white"]["next"]["penalty"], "loss");
    assert_eq!(ledger["black"]["illegal_moves"], 0);
    let late = daemon.arbiter();
    // What is retained has come before the answer to anything asked later.
    late.ask("rule", json!({"alert": id, "ruling": "noted"}));
    let left = late.look(|heard| heard.latest.keys().any(|topic| topic.contains("/alert/")));
    assert!(!left, "an alert that was ruled on is still retained");
}

#[test]
fn with_arbiters_named_only_they_log_in_and_are_named_in_what_they_do() {
    let mut house = House::new();
    let password = "c'est moi l'arbitre";
    house.put("web.arbiters", "\"Ann\"", &password_hash("Ann", password));
    let (mut boards, daemon) = hall(&mut house, 1);
    let login = |password: &str| json!({"name": "Ann", "password": password}).to_string();
    assert_eq!(post(daemon.pages, "/arbiter/session", "").status, 401);
    assert_eq!(post(daemon.pages, "/arbiter/session", &login("a guess")).status, 401);
    let granted = post(daemon.pages, "/arbiter/session", &login(password));
    assert_eq!(granted.status, 200, "{}", granted.text());
    let word = |key: &str| granted.json()[key].as_str().unwrap().to_owned();
    let page = Feed::open(daemon.feed(), Some((word("username"), word("password"))));
    let tool = Feed::open(daemon.feed(), Some(("Ann".into(), password.into())));
    for (name, guess) in [("Ann", "a guess"), ("Bob", password), ("adoubed-daemon", "")] {
        let refusal = Feed::refused(daemon.feed(), Some((name.into(), guess.into())));
        assert!(
            refusal.contains("BadUserNamePassword") || refusal.contains("NotAuthorized"),
            "{refusal}"
        );
    }

    page.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    boards[0].start_clock();
    boards[0].lift("g1");
    boards[0].put("g3", 'N');
    boards[0].press(178);
    let open = alert(&tool, 1, "illegal_move", "open");
    assert_eq!(page.ask("acknowledge", json!({"alert": open["id"]}))["status"], "ok");
    assert_eq!(alert(&tool, 1, "illegal_move", "acknowledged")["by"], "Ann");
    assert_eq!(tool.ask("rule", json!({"alert": open["id"], "ruling": "noted"}))["status"], "ok");
    closed(&page, &open);
    assert_decisions(&daemon, &granted.text(), open["id"].as_str().unwrap());
    assert_guessing_is_slow(&daemon, &login);
}

/// From one address, also with the right password as long as it has to wait.
fn assert_guessing_is_slow(daemon: &Daemon, login: &dyn Fn(&str) -> String) {
    for _ in 0..8 {
        let reply = post(daemon.pages, "/arbiter/session", &login("another guess"));
        if reply.status == 429 {
            assert!(reply.json()["wait_s"].as_u64().is_some_and(|wait| wait > 0));
            assert!(reply.head.contains("retry-after"), "{}", reply.head);
            return;
        }
        assert_eq!(reply.status, 401);
    }
    panic!("eight guesses in a row were looked at");
}

/// The journal of decisions tells what was raised and who said what to it, to sessions only.
fn assert_decisions(daemon: &Daemon, session: &str, id: &str) {
    for stranger in ["", "{}", r#"{"username":"Ann","password":"c'est moi l'arbitre"}"#] {
        assert_eq!(post(daemon.pages, "/arbiter/decisions", stranger).status, 401, "{stranger}");
    }
    let reply = post(daemon.pages, "/arbiter/decisions", session);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let lines = reply.json();
    let lines = lines.as_array().unwrap();
    let shown = |line: &Value| {
        let word = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        (word("what"), word("verb"), word("by"))
    };
    let words = |what: &str, verb: &str, by: &str| (what.into(), verb.into(), by.into());
    assert_eq!(
        lines.iter().map(shown).collect::<Vec<_>>(),
        [
            words("raised", "", ""),
            words("request", "acknowledge", "Ann"),
            words("request", "rule", "Ann")
        ]
    );
    assert_eq!((&lines[0]["table"], &lines[0]["alert"]["id"]), (&json!(1), &json!(id)));
    assert_eq!(lines[0]["alert"]["article"], "7.5.1");
    assert_eq!(lines[2]["alert"]["id"], id);
    assert_eq!(lines[2]["request"]["ruling"], "noted");
    assert!(lines.iter().all(|line| line["at"].is_string()), "{lines:?}");
}
