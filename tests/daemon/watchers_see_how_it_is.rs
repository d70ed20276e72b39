//! Whoever watches over the daemon is told how many boards are heard, what waits for an arbiter,
//! and how it goes with broker and journal; players, who may look there too, are told of no alert.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::at_a_board;
use crate::common::http::{get_with, once};
use crate::common::{Daemon, Doing, House, PATIENCE, StandIn, get, one_table, post, request};

/// What a page says, once this stands in it: figures are counted every few seconds.
fn until_shown(daemon: &Daemon, path: &str, wanted: &str) -> String {
    let reply = once(daemon.pages, path, (wanted, PATIENCE), |reply| {
        reply.text().lines().any(|line| line == wanted)
    });
    assert_eq!(reply.status, 200, "{path}");
    reply.text()
}

#[test]
fn boards_alerts_broker_and_journal_are_counted_and_alerts_told_to_this_machine_only() {
    let mut house = House::new();
    let (mut board, daemon, _feed) = at_a_board(&mut house);
    let figures = until_shown(&daemon, "/metrics", "adoubed_tables{device=\"online\"} 1");
    for line in [
        "adoubed_tables{device=\"absent\"} 0",
        "adoubed_alerts{gravity=\"summon\",state=\"open\"} 0",
        "adoubed_journal_state{state=\"kept\"} 1",
        "adoubed_journal_state{state=\"failed\"} 0",
        "adoubed_broker_connected 1",
    ] {
        assert!(figures.lines().any(|it| it == line), "{line} is not in\n{figures}");
    }
    let health = until_shown(&daemon, "/healthz", "alerts: none");
    assert_eq!(health, "ok\ntables: 1 online\nalerts: none\nbroker: connected\njournal: kept\n");
    let from_elsewhere = |path: &str| {
        let elsewhere = request(daemon.pages, "hall.example:8380", "GET", path, "");
        assert_eq!(elsewhere.status, 200, "{path}");
        elsewhere.text()
    };
    let before = ["/healthz", "/metrics"].map(from_elsewhere);
    board.start_clock();
    board.lift("g1");
    board.put("g3", 'N');
    board.press(178);
    until_shown(&daemon, "/healthz", "alerts: 1 summon open");
    until_shown(&daemon, "/metrics", "adoubed_alerts{gravity=\"summon\",state=\"open\"} 1");
    assert_eq!(["/healthz", "/metrics"].map(from_elsewhere), before, "byte for byte");
    assert!(before.iter().all(|text| text.contains("online") && !text.contains("alerts")));
    board.unplug();
    until_shown(&daemon, "/healthz", "tables: 1 absent");
    let gone = daemon.logged("is gone");
    assert!(gone.contains("WARN") && gone.contains("table 1: "), "{gone}");
}

/// Everything that is told without a login, but for the time of day: status, head and body.
fn public(daemon: &Daemon, livechess: SocketAddr) -> Vec<String> {
    let of = |door: SocketAddr, path: &str, more: &[&str]| {
        let reply = get_with(door, "GET", path, &[&["X-Forwarded-For: 10.0.0.7"], more].concat());
        let head: Vec<_> = reply.head.lines().filter(|it| !it.starts_with("date:")).collect();
        let body = reply.body.escape_ascii().to_string();
        // The clock is read now and then: when that was is a time of day too.
        let body = body.split("\\\"time\\\":").map(|it| it.trim_start_matches(char::is_numeric));
        let body = body.collect::<Vec<_>>().join("time");
        (format!("{path} {head:?} {body}"), reply)
    };
    let pages = ["/healthz", "/metrics", "/config.json", "/", "/plugged.json", "/arbiter"];
    let documents = ["/pgn/games.pgn", "/pgn/round.pgn", "/pgn/table/1.pgn", "/pgn/table/2.pgn"];
    let mut heard: Vec<_> = pages.iter().map(|path| of(daemon.pages, path, &[]).0).collect();
    for path in documents {
        heard.push(of(daemon.pages, path, &[]).0);
        heard.push(of(daemon.pages, path, &["Accept-Encoding: gzip"]).0);
    }
    let rest = |path: &str| of(livechess, &format!("/api/v1.0/{path}"), &[]);
    let (list, tournaments) = rest("tournaments");
    let tournament = tournaments.json()[0]["uuid"].as_str().unwrap().to_owned();
    let (round, pairings) = rest(&format!("round/{tournament}/0"));
    let game = pairings.json()["pairings"][0]["uuid"].as_str().unwrap().to_owned();
    heard.extend([list, round, rest("eboards").0, rest(&format!("game/{game}")).0]);
    heard.push(rest(&format!("tournament/{tournament}")).0);
    heard
}

fn same(before: &[String], now: &[String], what: &str) {
    for (before, now) in before.iter().zip(now) {
        assert_eq!(before, now, "{what} can be seen");
    }
}

#[test]
fn what_arbiters_do_with_an_alert_changes_nothing_that_is_told_without_a_login() {
    let mut house = House::new();
    house.set("livechess", "listen", "127.0.0.1:0").set("event", "round", "1");
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    let said = daemon.logged("LiveChess clients at ws://");
    let livechess = said.split_once("ws://").and_then(|(_, it)| it.split('/').next()).unwrap();
    let livechess: SocketAddr = livechess.parse().unwrap();
    board.start_clock();
    board.lift("g1");
    board.put("g3", 'N');
    board.press(178);
    let alert = arbiter.topic("alert/1-1-1", "open", |it| it["state"] == "open");
    until_shown(&daemon, "/healthz", "alerts: 1 summon open");
    // Hands have come to rest, and what strangers share for a second is of now.
    let mut before = public(&daemon, livechess);
    let begun = Instant::now();
    loop {
        std::thread::sleep(Duration::from_millis(1500));
        let again = public(&daemon, livechess);
        if again == before {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "it never rests");
        before = again;
    }
    for (verb, body) in [
        ("acknowledge", json!({"alert": alert["id"]})),
        (
            "penalty_given",
            json!({"table": 1, "side": "white", "seconds": 120, "alert": alert["id"]}),
        ),
        ("rule", json!({"alert": alert["id"], "ruling": "upheld"})),
    ] {
        let answer = arbiter.ask(verb, body);
        assert_eq!(answer["status"], "ok", "{verb}: {answer}");
        same(&before, &public(&daemon, livechess), verb);
    }
    until_shown(&daemon, "/healthz", "alerts: none");
    same(&before, &public(&daemon, livechess), "the count of alerts");
}

#[test]
fn what_is_plugged_in_is_told_to_this_machine_only() {
    let mut house = House::new();
    let (_board, daemon, _feed) = at_a_board(&mut house);
    let asked = |host: &str| request(daemon.pages, host, "GET", "/plugged.json", "");
    let here = ["localhost", "127.0.0.1:8380", "[::1]:8380"];
    for host in here {
        let reply = asked(host);
        assert_eq!(reply.status, 200, "{host}");
        assert!(reply.json().is_array(), "{}", reply.text());
    }
    for host in [
        "hall.example",
        "localhost.hall.example",
        "localhost\r\nX-Forwarded-For: 10.0.0.7",
        "localhost\r\nX-Real-IP: 10.0.0.7",
        "localhost\r\nVia: 1.1 hall",
    ] {
        assert_eq!(asked(host).status, 404, "{host:?}");
    }
}

#[test]
fn arbiters_see_of_every_outlet_whether_it_works_and_why_not() {
    let mut house = House::new();
    let (folder, taken) = (house.path().join("live"), TcpListener::bind("127.0.0.1:0").unwrap());
    fs::write(&folder, "no folder").unwrap();
    fs::write(house.path().join("token"), "secret\n").unwrap();
    let service = StandIn::open();
    let refusal = || Doing::Answers(401, "", "{\"error\":\"No such token\"}".into());
    service.plan((0..100).map(|_| refusal()));
    let server = format!("http://{}", service.address);
    house.set("pgn", "directory", &folder.display().to_string());
    house.set("livechess", "listen", &taken.local_addr().unwrap().to_string());
    house.set("lichess", "url", &server).set("lichess", "round", "AbCd1234");
    house.set("lichess", "token_file", &house.path().join("token").display().to_string());
    house.set("notify", "url", &format!("{server}/hall"));
    house.put("public", "delay_s", "5");
    let (_board, daemon, _arbiter) = one_table(&mut house, "white = \"A\"\nblack = \"B\"");
    let listed = |daemon: &Daemon| {
        let session = post(daemon.pages, "/arbiter/session", "{}").text();
        post(daemon.pages, "/arbiter/outlets", &session).json()
    };
    let begun = Instant::now();
    let last = |all: &Value, name: &str| {
        let mut all = all.as_array().unwrap().iter();
        let it = all.find(|it| it["name"] == name).cloned().unwrap_or_default();
        (it["works"].as_bool(), it["last"].as_str().unwrap_or_default().to_owned())
    };
    let address = taken.local_addr().unwrap().to_string();
    let failing = [("livechess", &*address), ("lichess", "401"), ("pgn_folder", "live")];
    let shown = loop {
        let all = listed(&daemon);
        let fails = |(name, why): &(&str, &str)| {
            let (works, last) = last(&all, name);
            works == Some(false) && last.contains(why)
        };
        if failing.iter().all(fails) {
            break all;
        }
        assert!(begun.elapsed() < PATIENCE, "{all:#}");
        std::thread::sleep(Duration::from_millis(100));
    };
    for name in ["notify", "public"] {
        assert_eq!(last(&shown, name).0, Some(true), "{shown:#}");
    }
    assert_eq!(shown.as_array().unwrap().len(), 5, "{shown:#}");
    assert_eq!(post(daemon.pages, "/arbiter/outlets", "{}").status, 401);
    // The pages for machines say the same.
    let (health, figures) = (get(daemon.pages, "/healthz").text(), get(daemon.pages, "/metrics"));
    let figures = figures.text();
    for it in shown.as_array().unwrap() {
        let (name, works) = (it["name"].as_str().unwrap(), it["works"] == true);
        let word = if works { "works" } else { "fails" };
        let since = it["since"].as_str().unwrap();
        assert!(health.contains(&format!("{name}: {word} since {since}: ")), "{it}\n{health}");
        let up = format!("adoubed_outlet_up{{outlet=\"{name}\"}} {}", u8::from(works));
        assert!(figures.contains(&up), "{up}\n{figures}");
    }
    assert!(figures.contains("adoubed_outlet_status{outlet=\"lichess\"} 401"), "{figures}");
    assert!(health.starts_with("degraded"), "{health}");
    // What stood in the way is gone.
    drop(taken);
    fs::remove_file(&folder).unwrap();
    while ["livechess", "pgn_folder"].iter().any(|it| last(&listed(&daemon), it).0 != Some(true)) {
        assert!(begun.elapsed() < PATIENCE * 2, "{:#}", listed(&daemon));
        std::thread::sleep(Duration::from_millis(100));
    }
}
