//! `adoubed demo --setup`: an organizer without any hardware makes his account with the code that
//! is printed, gives boards their tables by lifting kings with a key, and lets them play.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::an_organizer_seats_the_hall::{accepted, boards, seat};
use crate::common::{Feed, PATIENCE, adoubed, post};

/// The program, and whoever types into it.
struct Rehearsal {
    child: Child,
    keys: ChildStdin,
    pages: SocketAddr,
    feed: SocketAddr,
    code: String,
}

impl Rehearsal {
    fn begin() -> Self {
        let addresses = ["--web", "127.0.0.1:0", "--mqtt", "127.0.0.1:0"];
        let mut command = adoubed(["demo", "--setup", "--tables", "3"]);
        command.args(addresses).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("a rehearsal");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut after = |head: &str| {
            let found = lines.by_ref().map_while(Result::ok).find(|it| it.starts_with(head));
            found.unwrap_or_else(|| panic!("never said: {head}"))
        };
        let line = after("set up the hall");
        let (pages, code) = line.split_once("/setup   code ").expect("an address and a code");
        let pages = pages.rsplit('/').next().unwrap().parse().unwrap();
        let feed = after("feed").rsplit('/').next().unwrap().parse().unwrap();
        std::thread::spawn(move || lines.count());
        let keys = child.stdin.take().expect("a pipe");
        Self { child, keys, pages, feed, code: code.to_owned() }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.keys, "{line}").expect("it reads");
    }

    /// The board whose king is seen lifted after this was typed.
    fn lifts(&mut self, feed: &Feed, line: &str) -> Value {
        let lifts = || feed.all("setup/lift");
        let heard = lifts().len();
        self.types(line);
        let begun = Instant::now();
        loop {
            if let Some(lift) = lifts().into_iter().nth(heard) {
                return lift;
            }
            assert!(begun.elapsed() < PATIENCE, "no king is lifted by {line:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Rehearsal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn boards_are_seated_by_a_key_and_play_when_they_are_told_to() {
    let mut rehearsal = Rehearsal::begin();
    let body = json!({"code": rehearsal.code, "name": "Olga", "password": "a long password"});
    assert_eq!(post(rehearsal.pages, "/setup/account", &body.to_string()).status, 200);
    let feed = Feed::open(rehearsal.feed, Some(("Olga".into(), "a long password".into())));
    boards(&feed, 3);
    (1..=3).for_each(|table| {
        feed.topic(&format!("table/{table}/position"), "ready", |it| it["phase"] == "ready");
    });
    let first = rehearsal.lifts(&feed, "");
    let third = rehearsal.lifts(&feed, "3");
    assert!(first["line"].as_str().unwrap().ends_with("board-001"), "{first}");
    assert!(third["line"].as_str().unwrap().ends_with("board-003"), "{third}");
    for (table, lift) in [(8, &first), (7, &third)] {
        accepted(&feed.ask("configure", json!({"changes": [seat(table, lift)]})));
    }
    feed.topic("table/7/device", "the third board", |it| it["serial"] == "20003");
    rehearsal.types("clocks 900+10");
    feed.topic("table/7/clock", "it is set", |it| {
        it["white_ms"] == 910_000 || it["white_ms"] == 900_000
    });
    rehearsal.types("play");
    for table in [7, 8] {
        let played = |it: &Value| it["moves"].as_array().is_some_and(|all| all.len() > 1);
        feed.topic(&format!("table/{table}/game"), "a game", played);
    }

    let place: PathBuf =
        std::env::temp_dir().join(format!("adoubed-demo-{}", rehearsal.child.id()));
    assert!(place.join("adoubed.toml").exists());
    let number = rehearsal.child.id().to_string();
    let ended = std::process::Command::new("kill").arg(&number).status().unwrap();
    assert!(ended.success());
    assert!(rehearsal.child.wait().unwrap().success());
    assert!(!place.exists(), "everything is thrown away");
}
