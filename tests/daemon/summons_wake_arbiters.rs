//! `[notify]`: summons, once each and without names, reach a service that wakes tablets; looks and
//! notes do not; and nobody but this machine can see that there was one.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::common::http::once;
use crate::common::{Board, Daemon, Doing, Feed, House, StandIn, one_table, request};

fn notify(house: &mut House, service: &StandIn) {
    house.set("notify", "url", &format!("http://{}/hall-of-liege", service.address));
    house.set("notify", "pages", "https://hall.local:8443");
}

/// A summons: an illegal move is completed.
fn offend(board: &mut Board, san: [&str; 2]) {
    board.start_clock();
    board.lift(san[0]);
    board.put(san[1], 'N');
    board.press(178);
}

fn id(arbiter: &Feed) -> String {
    let alert = arbiter.wait("an alert", |heard| {
        let mut alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        alerts.next().map(|(_, &index)| heard.messages[index].json())
    });
    alert["id"].as_str().unwrap().to_owned()
}

fn health(daemon: &Daemon, wanted: &str) {
    let within = (wanted, Duration::from_secs(20));
    once(daemon.pages, "/healthz", within, |reply| reply.text().contains(wanted));
}

#[test]
fn a_summons_is_posted_once_without_names_in_the_language_of_the_event() {
    let mut house = House::new();
    let service = StandIn::open();
    notify(&mut house, &service);
    house.set("event", "language", "fr");
    // The first is lost on the way.
    service.plan([Doing::Answers(503, "", "away".into())]);
    let more = "white = \"Doe, Jane\"\nblack = \"Roe, Max\"";
    let (mut board, daemon, arbiter) = one_table(&mut house, more);
    health(&daemon, "notify: works since ");
    let from_elsewhere =
        |path: &str| request(daemon.pages, "hall.example:8380", "GET", path, "").text();
    let before = ["/healthz", "/metrics"].map(from_elsewhere);
    offend(&mut board, ["g1", "g3"]);
    let alert = id(&arbiter);
    health(&daemon, "503: away");
    assert_eq!(["/healthz", "/metrics"].map(from_elsewhere), before, "byte for byte");
    let posted = service.wait("the summons", 1, |_| true);
    assert_eq!(posted.path, "/hall-of-liege");
    assert_eq!(posted.header("title"), Some("Table 1 (7.5.1)"));
    assert_eq!(posted.header("priority"), Some("high"));
    let click = format!("https://hall.local:8443/arbiter#/alert/{alert}");
    assert_eq!(posted.header("click"), Some(click.as_str()));
    let french = arbiter.look(|heard| {
        let alert = heard.latest(&format!("adoubed/v1/alert/{alert}")).unwrap();
        alert.json()["text"]["fr"].as_str().unwrap().to_owned()
    });
    assert_eq!(posted.body, french);
    assert!(!posted.body.contains("Doe") && !posted.head.contains("Doe"));
    health(&daemon, "200: the summons to table 1 was taken");
    // Ruled on, and the daemon started again: nothing more to say.
    let begun = service.posted().len();
    daemon.kill();
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    assert_eq!(id(&arbiter), alert);
    let answer = arbiter.ask("rule", json!({"alert": alert, "ruling": "dismissed"}));
    assert_eq!(answer["status"], "ok", "{answer}");
    // One that was raised a moment ago may come again then, under the same name.
    let again = service.posted().split_off(begun);
    let name = |it: &crate::common::Posted| it.header("x-sequence-id").map(str::to_owned);
    assert!(again.len() <= 1 && again.iter().all(|it| name(it) == name(&posted)), "{again:?}");
}

#[test]
fn looks_and_notes_wake_nobody() {
    let mut house = House::new();
    let service = StandIn::open();
    notify(&mut house, &service);
    house.put("defaults", "check_after_s", "1");
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    // Pieces that somebody has knocked over are to be looked at.
    board.start_clock();
    for (from, to, piece) in [("a1", "a5", 'R'), ("b8", "b5", 'n')] {
        board.lift(from);
        board.put(to, piece);
    }
    arbiter.wait("a look", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        alerts.map(|(_, &it)| heard.messages[it].json()).find(|it| it["gravity"] == "look")
    });
    // Whoever is woken for the next thing was not woken for this one.
    for (from, to, piece) in [("a5", "a1", 'R'), ("b5", "b8", 'n')] {
        board.lift(from);
        board.put(to, piece);
    }
    arbiter.topic("table/1/board", "all put up", |it| it["agrees"] == true);
    offend(&mut board, ["g1", "g3"]);
    let posted = service.wait("a summons", 0, |_| true);
    assert_eq!(posted.header("title"), Some("Table 1 (7.5.1)"), "{posted:?}");
    health(&daemon, "200: the summons to table 1 was taken");
}

#[test]
fn the_page_about_notifications_does_what_it_says() {
    let mut house = House::new();
    let service = StandIn::open();
    let token = house.path().join("ntfy.token");
    fs::write(&token, "tk_secret").unwrap();
    house.table(1, "driver = \"dgt\"\nwhite = \"Doe, Jane\"\nblack = \"Roe, Max\"");
    let mut board = Board::dgt(&house.line("1"), "1");
    house.write();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/notifications.md");
    let page = fs::read_to_string(path).unwrap();
    let block = page.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    let url = format!("http://{}/", service.address);
    let block = block.replace("https://ntfy.sh/", &url);
    let block = block.replace("/etc/adoubed/ntfy.token", &token.display().to_string());
    let text = fs::read_to_string(house.config()).unwrap();
    fs::write(house.config(), format!("{block}{text}")).unwrap();
    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    offend(&mut board, ["g1", "g3"]);
    let posted = service.wait("a summons", 0, |_| true);
    assert_eq!(posted.header("authorization"), Some("Bearer tk_secret"));
    assert!(posted.body.ends_with("\nDoe, Jane – Roe, Max"), "{posted:?}");
    assert!(posted.header("click").is_some_and(|it| it.starts_with("https://")), "{posted:?}");
    assert!(!daemon.words().contains("tk_secret"));
}
