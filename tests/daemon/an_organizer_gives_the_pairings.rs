//! A file with pairings is read, mended and kept by the pages. What cannot be meant is refused with
//! its line, and what was there stays.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::an_organizer_names_the_event::session;
use crate::an_organizer_seats_the_hall::{hall, organizer};
use crate::common::http::exchange;
use crate::common::{Daemon, PATIENCE, Reply};

/// Sends a body with the session ahead of it.
fn upload(daemon: &Daemon, path: &str, session: &Value, body: &str, more: &str) -> Reply {
    let mut stream = TcpStream::connect(daemon.pages).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let word = |key: &str| session[key].as_str().unwrap_or("nobody").to_owned();
    let (user, password) = (word("username"), word("password"));
    let host = format!("{}\r\nAuthorization: Session {user} {password}{more}", daemon.pages);
    exchange(&mut stream, &host, "POST", path, body).unwrap()
}

fn game(place: &str, white: &str, black: &str) -> String {
    format!("[Round \"{place}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n*\n\n")
}

fn pairing(table: u32, name: &str) -> Value {
    let (white, black) = (json!({"name": name}), json!({"name": "B"}));
    json!({"table": table, "white": white, "black": black})
}

fn report() -> String {
    let line = |number: u32, name: &str, rounds: &str| {
        format!("{:<91}{rounds}", format!("001 {number:>4} m    {name:<33} 2000 BEL          77"))
    };
    let players = [line(1, "Adams, Ann", "   2 w  "), line(2, "Brown, Ben", "   1 b  ")];
    format!("012 Open\r\n{}\r\nXXR 5\r\n", players.join("\r\n"))
}

#[test]
fn a_file_is_shown_mended_and_kept_and_a_wrong_one_changes_nothing() {
    let house = hall();
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    let olga = session(&daemon, "Olga");
    let file = game("3.1", "Doe, Jane", "Roe, Max") + &game("3.2", &"ü".repeat(200), "כהן, דוד");
    let read = upload(&daemon, "/setup/pairings/read", &olga, &file, "");
    assert_eq!(read.status, 200, "{}", read.text());
    let mut rounds = read.json()["rounds"].clone();
    assert_eq!(read.json()["form"], "pgn");
    let long = rounds[0]["pairings"][1]["white"]["name"].as_str().unwrap();
    assert_eq!(long.chars().count(), 100, "what is kept of a name");
    assert_eq!(rounds[0]["pairings"][1]["black"]["name"], "כהן, דוד");
    assert!(!house.path().join("pairings.pgn").exists(), "nothing is kept by looking");

    rounds[0]["pairings"][1]["white"] = json!({"name": "Lang, Ü."});
    let made = json!({"rounds": rounds, "round": "3", "revision": null}).to_string();
    let kept = upload(&daemon, "/setup/pairings", &olga, &made, "");
    assert_eq!(kept.status, 200, "{}", kept.text());
    let heard = feed.topic("setup/event", "the round", |it| it["rounds"] == json!(["3"]));
    assert_eq!(
        (&heard["event"]["pairings"], &heard["event"]["round"]),
        (&json!("pairings.pgn"), &json!("3"))
    );
    let before = fs::read_to_string(house.path().join("pairings.pgn")).unwrap();
    assert!(before.contains("Lang, Ü.") && before.contains("כהן, דוד"), "{before}");

    let twice = game("3.7", "A", "B") + &game("3.7", "C", "D");
    let wrong_report = "012 Open\n001      m    Nobody\n";
    for (body, line, word) in
        [(twice.as_str(), 8, "[Round \"3.1\"]"), (wrong_report, 2, "001"), ("a,b\n", 1, "PGN")]
    {
        let read = upload(&daemon, "/setup/pairings/read", &olga, body, "");
        assert_eq!(read.status, 422, "{body}");
        let text = &read.json()["text"];
        for language in ["en", "fr", "es"] {
            let why = text[language].as_str().unwrap_or_default();
            assert!(why.contains(&line.to_string()) && why.contains(word), "{body}: {text}");
        }
    }
    let unfit = |what: Value| json!({"rounds": what, "round": null, "revision": null}).to_string();
    for (rounds, word) in [
        (json!([{"name": "3", "pairings": [pairing(1, "A"), pairing(1, "C")]}]), "table 1"),
        (json!([{"name": "3", "pairings": [pairing(2, &"x".repeat(200))]}]), "100"),
        (json!([{"name": "3", "pairings": [pairing(2, "A\nB")]}]), "line breaks"),
        (json!([{"name": "3", "pairings": [{"table": 1}]}]), "white"),
    ] {
        let kept = upload(&daemon, "/setup/pairings", &olga, &unfit(rounds.clone()), "");
        assert_eq!(kept.status, 422, "{rounds}");
        assert!(kept.text().contains(word), "{word}: {}", kept.text());
    }
    let stale = json!({"rounds": rounds, "round": "3", "revision": "0"}).to_string();
    assert_eq!(upload(&daemon, "/setup/pairings", &olga, &stale, "").status, 409);
    assert_eq!(fs::read_to_string(house.path().join("pairings.pgn")).unwrap(), before);
}

#[test]
fn a_report_is_kept_byte_for_byte_and_only_by_organizers() {
    let house = hall();
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    let olga = session(&daemon, "Olga");
    let revision = feed.topic("setup/event", "the event", |it| it["revision"].is_string());
    let revision = revision["revision"].as_str().unwrap().to_owned();
    let seen = format!("\r\nIf-Match: \"{revision}\"");
    for nobody in [json!({}), session(&daemon, "Ann")] {
        for path in ["/setup/pairings", "/setup/pairings/read", "/setup/pairings/report"] {
            assert_eq!(upload(&daemon, path, &nobody, &report(), &seen).status, 401, "{path}");
        }
    }
    let kept = upload(&daemon, "/setup/pairings/report", &olga, &report(), &seen);
    assert_eq!(kept.status, 200, "{}", kept.text());
    assert_eq!(fs::read_to_string(house.path().join("pairings.trf")).unwrap(), report());
    feed.topic("setup/event", "the report", |it| it["event"]["pairings"] == "pairings.trf");
    assert_eq!(upload(&daemon, "/setup/pairings/report", &olga, &report(), &seen).status, 409);
    let pgn = game("3.1", "A", "B");
    assert_eq!(upload(&daemon, "/setup/pairings/report", &olga, &pgn, "").status, 422);
}

#[test]
fn five_megabytes_are_read_and_more_than_the_limit_is_refused_before_it_has_come() {
    let house = hall();
    let daemon = Daemon::start(&house);
    let olga = session(&daemon, "Olga");
    let moves = "1. e4 e5 2. Nf3 Nc6 ".repeat(270);
    let games: String = (1..=1000)
        .map(|table| game(&format!("3.{table}"), "A", "B").replace("*\n", &format!("{moves}*\n")))
        .collect();
    assert!(games.len() > 5 << 20, "{}", games.len());
    let before = daemon.memory();
    let read = upload(&daemon, "/setup/pairings/read", &olga, &games, "");
    assert_eq!(read.status, 200, "{}", read.text());
    assert_eq!(read.json()["rounds"][0]["pairings"].as_array().map(Vec::len), Some(1000));
    let grown = daemon.memory().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes for one upload");

    // Only the head is sent: whoever says that more will come is refused for it.
    let mut stream = TcpStream::connect(daemon.pages).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let word = |key: &str| olga[key].as_str().unwrap().to_owned();
    let head = format!(
        "POST /setup/pairings/read HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Authorization: Session {} {}\r\nContent-Length: {}\r\n\r\n",
        daemon.pages,
        word("username"),
        word("password"),
        9 << 20
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = [0; 12];
    std::io::Read::read_exact(&mut stream, &mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}
