//! `[lichess]`: the games of a round reach a broadcast, whatever the server there does meanwhile;
//! what it refuses names the table; and the token is shown to nobody else.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Board, Daemon, Doing, Feed, House, Organizer, Posted, StandIn, http};

const TOKEN: &str = "lip_AbcDefGhiJkl";
const PUSH: &str = "/api/broadcast/round/AbCd1234/push";

/// Two tables of the third round, and a broadcast at this server.
fn hall(house: &mut House, url: &str) -> [Board; 2] {
    house.set("event", "name", "Open").set("event", "round", "3");
    let token = house.path().join("token");
    fs::write(&token, format!("{TOKEN}\n")).unwrap();
    house.set("lichess", "round", "AbCd1234").set("lichess", "url", url);
    house.set("lichess", "token_file", &token.display().to_string());
    house.table(1, "driver = \"dgt\"\nwhite = \"Doe, Jane\"\nblack = \"Roe, Max\"");
    house.table(2, "driver = \"dgt\"\nwhite = \"Poe, Ann\"\nblack = \"Coe, Ida\"");
    ["1", "2"].map(|name| Board::dgt(&house.line(name), name))
}

fn start(house: &House) -> (Daemon, Feed) {
    let daemon = Daemon::start(house);
    let arbiter = daemon.arbiter();
    for table in [1, 2] {
        let topic = format!("table/{table}/position");
        arbiter.topic(&topic, "ready", |it| it["phase"] == "ready" && it["ply"] == 0);
    }
    (daemon, arbiter)
}

fn play(board: &mut Board, feed: &Feed, table: u32, san: &str) {
    board.play(san);
    let position = board.game.fen();
    feed.topic(&format!("table/{table}/position"), san, |it| it["fen"] == position);
}

/// The page, once this stands in it.
fn until_shown(daemon: &Daemon, path: &str, wanted: &str) -> String {
    let within = (wanted, Duration::from_secs(40));
    http::once(daemon.pages, path, within, |reply| reply.text().contains(wanted)).text()
}

fn has(posted: &Posted, both: [&str; 2]) -> bool {
    posted.games().len() == 2 && both.iter().zip(posted.games()).all(|(it, game)| game.contains(it))
}

/// Nobody but the server was told the token.
fn assert_secret(daemon: &Daemon) {
    let pages = ["/healthz", "/metrics", "/config.json"];
    let pages = pages.map(|path| http::get(daemon.pages, path).text());
    let all = [daemon.words(), pages.concat()];
    assert!(!all.iter().any(|text| text.contains(TOKEN)), "{all:?}");
}

#[test]
fn a_round_is_pushed_over_tls_with_every_change() {
    let mut house = House::new();
    let organizer = Organizer::new(house.path());
    let (certificate, key) = organizer.issue("lichess", 2099);
    let lichess = StandIn::encrypted((&certificate, &key));
    let url = format!("https://localhost:{}", lichess.address.port());
    let [mut one, _two] = hall(&mut house, &url);
    house.set("lichess", "ca_file", &organizer.file().display().to_string());
    let (daemon, arbiter) = start(&house);
    let first = lichess.wait("the round", 0, |it| has(it, ["Doe, Jane", "Poe, Ann"]));
    assert_eq!(first.path, PUSH);
    assert_eq!(first.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!(first.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(first.header("user-agent").is_some_and(|it| it.starts_with("adoubed/")));
    play(&mut one, &arbiter, 1, "e4");
    lichess.wait("a move", 1, |it| has(it, ["1. e4", "Poe, Ann"]));
    // A result and nothing else is a change too.
    let answer = arbiter.ask("set_result", json!({"table": 2, "result": "1-0"}));
    assert_eq!(answer["status"], "ok", "{answer}");
    lichess.wait("a result", 2, |it| has(it, ["1. e4", "[Result \"1-0\"]"]));
    let health = until_shown(&daemon, "/healthz", "games taken: 2");
    assert!(health.contains("\nlichess: works since "), "{health}");
    let figures = http::get(daemon.pages, "/metrics").text();
    for line in
        ["adoubed_outlet_up{outlet=\"lichess\"} 1", "adoubed_outlet_status{outlet=\"lichess\"} 200"]
    {
        assert!(figures.contains(&format!("{line}\n")), "{figures}");
    }
    // They are seconds apart.
    let posted = lichess.posted();
    let between = posted.windows(2).map(|two| two[1].at.duration_since(two[0].at));
    assert!(between.into_iter().all(|it| it >= Duration::from_secs(2)), "{posted:#?}");
    assert_secret(&daemon);
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn whatever_the_server_does_the_tables_go_on_and_the_newest_arrives() {
    let mut house = House::new();
    let lichess = StandIn::open();
    let [mut one, mut two] = hall(&mut house, &format!("http://{}", lichess.address));
    let token = format!("{{\"error\":\"No such token {TOKEN}\"}}");
    lichess.plan([
        Doing::Answers(503, "", "<html>away</html>".to_owned()),
        Doing::BreaksOff,
        Doing::Answers(429, "Retry-After: 5\r\n", token),
        Doing::Refuses("Poe, Ann", "Cannot play 1. d4"),
    ]);
    let (daemon, arbiter) = start(&house);
    lichess.wait("the round", 0, |_| true);
    // While nothing arrives the tables do not wait.
    for (san, table) in [("e4", 1), ("d4", 2), ("e5", 1), ("d5", 2), ("Nf3", 1)] {
        let begun = Instant::now();
        play(if table == 1 { &mut one } else { &mut two }, &arbiter, table, san);
        assert!(begun.elapsed() < Duration::from_secs(5), "{san} took {:?}", begun.elapsed());
    }
    let health = until_shown(&daemon, "/healthz", "table 2 is refused: Cannot play 1. d4");
    assert!(
        health.starts_with("degraded\n") && health.contains("lichess: fails since "),
        "{health}"
    );
    assert!(health.contains("games taken: 1; "), "{health}");
    for words in ["503: <html>away</html>", "429: No such token …", "table 2 is refused"] {
        daemon.logged(words);
        assert_eq!(daemon.said(words), 1, "{words}");
    }
    let posted = lichess.posted();
    let waited = posted[3].at.duration_since(posted[2].at);
    assert!(waited >= Duration::from_secs(5), "Retry-After was heeded: {waited:?}");
    // It goes through as soon as the game is another one.
    play(&mut two, &arbiter, 2, "c4");
    until_shown(&daemon, "/healthz", "games taken: 2\n");
    let last = lichess.posted().pop().unwrap();
    assert!(has(&last, ["2. Nf3", "2. c4"]), "{last:#?}");
    assert_secret(&daemon);
}

#[test]
fn a_server_that_never_answers_delays_nobody() {
    let mut house = House::new();
    let lichess = StandIn::open();
    lichess.plan([Doing::IsSilent(Duration::from_secs(60))]);
    let [mut one, _two] = hall(&mut house, &format!("http://{}", lichess.address));
    let (daemon, arbiter) = start(&house);
    lichess.wait("the round", 0, |_| true);
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
        let begun = Instant::now();
        play(&mut one, &arbiter, 1, san);
        assert!(begun.elapsed() < Duration::from_secs(5), "{san} took {:?}", begun.elapsed());
    }
    let begun = Instant::now();
    assert_eq!(daemon.stop(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5), "nobody waits for it at the end either");
}

#[test]
fn another_round_takes_effect_while_the_daemon_runs() {
    let mut house = House::new();
    let lichess = StandIn::open();
    let _boards = hall(&mut house, &format!("http://{}", lichess.address));
    let (daemon, _arbiter) = start(&house);
    lichess.wait("the round", 0, |it| it.path == PUSH);
    house.set("lichess", "round", "ZyXw9876").write();
    daemon.hang_up();
    lichess.wait("the next round", 1, |it| it.path == "/api/broadcast/round/ZyXw9876/push");
    house.set("lichess", "round", "").write();
    daemon.hang_up();
    let begun = Instant::now();
    while http::get(daemon.pages, "/healthz").text().contains("lichess") {
        assert!(begun.elapsed() < Duration::from_secs(20), "it is still told");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What a page of the documentation tells to write, with this in the place of its examples.
fn told_by(page: &str, examples: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
    let text = fs::read_to_string(path).unwrap();
    let block = text.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    examples.iter().fold(block.to_owned(), |block, (example, ours)| {
        assert!(block.contains(example), "{example} is not in {block}");
        block.replace(example, ours)
    })
}

#[test]
fn the_page_about_lichess_does_what_it_says() {
    let mut house = House::new();
    let lichess = StandIn::open();
    let token = house.path().join("lichess.token");
    fs::write(&token, TOKEN).unwrap();
    let _boards = hall(&mut house, "http://127.0.0.1:1");
    house.write();
    let text = fs::read_to_string(house.config()).unwrap();
    let (before, after) = text.split_once("[lichess]").unwrap();
    let after = after.split_once("\n[").unwrap().1;
    let block = told_by(
        "lichess.md",
        &[("/etc/adoubed/lichess.token", &token.display().to_string()), ("Xw2Kq9Pt", "AbCd1234")],
    );
    let url = format!("url = \"http://{}\"\n", lichess.address);
    fs::write(house.config(), format!("{before}{block}{url}[{after}")).unwrap();
    let daemon = Daemon::again(&house);
    let first = lichess.wait("the round", 0, |it| has(it, ["Doe, Jane", "Poe, Ann"]));
    assert_eq!(first.path, PUSH);
    until_shown(&daemon, "/healthz", "games taken: 2");
}
