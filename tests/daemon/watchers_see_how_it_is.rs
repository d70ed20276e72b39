//! Whoever watches over the daemon is told how many boards are heard, what waits for an arbiter,
//! and how it goes with broker and journal; players, who may look there too, are told of no alert.

use std::time::{Duration, Instant};

use crate::at_a_board;
use crate::common::{Daemon, House, PATIENCE, get, request};

/// What a page says, once this stands in it: figures are counted every few seconds.
fn told(daemon: &Daemon, path: &str, wanted: &str) -> String {
    let begun = Instant::now();
    loop {
        let reply = get(daemon.pages, path);
        let text = reply.text();
        if text.lines().any(|line| line == wanted) {
            assert_eq!(reply.status, 200, "{path}");
            return text;
        }
        assert!(begun.elapsed() < PATIENCE, "{path} never says `{wanted}`, but\n{text}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn boards_alerts_broker_and_journal_are_counted_and_alerts_told_to_this_machine_only() {
    let mut house = House::new();
    let (mut board, daemon, _feed) = at_a_board(&mut house);
    let figures = told(&daemon, "/metrics", "adoubed_tables{device=\"online\"} 1");
    for line in [
        "adoubed_tables{device=\"absent\"} 0",
        "adoubed_alerts{gravity=\"summon\",state=\"open\"} 0",
        "adoubed_journal_state{state=\"kept\"} 1",
        "adoubed_journal_state{state=\"failed\"} 0",
        "adoubed_broker_connected 1",
    ] {
        assert!(figures.lines().any(|it| it == line), "{line} is not in\n{figures}");
    }
    let health = told(&daemon, "/healthz", "alerts: none");
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
    told(&daemon, "/healthz", "alerts: 1 summon open");
    told(&daemon, "/metrics", "adoubed_alerts{gravity=\"summon\",state=\"open\"} 1");
    assert_eq!(["/healthz", "/metrics"].map(from_elsewhere), before, "byte for byte");
    assert!(before.iter().all(|text| text.contains("online") && !text.contains("alerts")));
    board.unplug();
    told(&daemon, "/healthz", "tables: 1 absent");
    let gone = daemon.logged("is gone");
    assert!(gone.contains("WARN") && gone.contains("table 1: "), "{gone}");
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
