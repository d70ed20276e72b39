//! The games as PGN, over HTTP and in a folder: right at every moment, over a restart, and when the
//! pieces are set up again.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use serde_json::{Value, json};

use crate::common::http::{self, Reply};
use crate::common::{Board, Daemon, Feed, Game, House};

/// What a reader of PGN that we have not written makes of a file: result, and moves, of each game.
#[derive(Debug, Default, PartialEq, Eq)]
struct Read {
    white: String,
    round: String,
    result: String,
    moves: Vec<String>,
}

struct Collector;

impl Visitor for Collector {
    type Tags = Read;
    type Movetext = Read;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(Read::default())
    }

    fn tag(&mut self, read: &mut Read, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => read.white = value,
            b"Round" => read.round = value,
            b"Result" => read.result = value,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, read: Read) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(read)
    }

    fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
        read.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, read: Read) -> Read {
        read
    }
}

fn games(text: &[u8]) -> Vec<Read> {
    let mut reader = Reader::new(text);
    std::iter::from_fn(|| reader.read_game(&mut Collector).expect("PGN")).collect()
}

fn game(white: &str, round: &str, result: &str, moves: &[&str]) -> Read {
    let [white, round, result] = [white, round, result].map(str::to_owned);
    Read { white, round, result, moves: moves.iter().map(|it| (*it).to_owned()).collect() }
}

/// Two tables of the third round, and a folder for their games.
fn hall(house: &mut House) -> (Board, Board, PathBuf) {
    let folder = house.path().parent().expect("a place").join("live");
    house.set("event", "name", "Open").set("event", "round", "3");
    house.set("pgn", "directory", &folder.display().to_string());
    house.table(1, "driver = \"dgt\"\nwhite = \"Doe, Jane\"\nblack = \"Roe, Max\"");
    house.table(2, "driver = \"dgt\"\nwhite = \"Poe, Ann\"");
    let [one, two] = ["1", "2"].map(|name| Board::dgt(&house.line(name), name));
    (one, two, folder)
}

fn play(board: &mut Board, feed: &Feed, table: u32, san: &str) {
    board.play(san);
    let position = board.game.fen();
    feed.topic(&format!("table/{table}/position"), san, |it| it["fen"] == position);
}

fn ready(feed: &Feed, table: u32) {
    let topic = format!("table/{table}/position");
    feed.topic(&topic, "ready", |it| it["phase"] == "ready" && it["ply"] == 0);
}

/// What is served, once it is as wanted: a document rests for a second.
fn served(daemon: &Daemon, path: &str, wanted: &[Read]) -> Reply {
    let within = ("the games that are wanted", Duration::from_secs(20));
    http::once(daemon.pages, path, within, |reply| {
        assert_eq!(reply.status, 200, "{}", reply.text());
        games(&reply.body) == wanted
    })
}

/// The same of a file.
fn written(path: &Path, wanted: &[Read]) {
    let begun = Instant::now();
    while games(&fs::read(path).unwrap_or_default()) != wanted {
        let text = fs::read_to_string(path).unwrap_or_default();
        assert!(begun.elapsed() < Duration::from_secs(20), "{}: {text}", path.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_game_that_is_over_stays_when_the_pieces_are_set_up_again() {
    let mut house = House::new();
    let (mut one, mut two, folder) = hall(&mut house);
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    [1, 2].into_iter().for_each(|table| ready(&arbiter, table));
    ["e4", "e5"].into_iter().for_each(|san| play(&mut one, &arbiter, 1, san));
    play(&mut two, &arbiter, 2, "d4");
    let second = || game("Poe, Ann", "3.2", "*", &["d4"]);
    let both = [game("Doe, Jane", "3.1", "*", &["e4", "e5"]), second()];
    served(&daemon, "/pgn/round.pgn", &both);
    served(&daemon, "/pgn/table/2.pgn", &both[1..]);
    written(&folder.join("games.pgn"), &both);

    let answer = arbiter.ask("set_result", json!({"table": 1, "result": "1-0"}));
    assert_eq!(answer["status"], "ok", "{answer}");
    let both = [game("Doe, Jane", "3.1", "1-0", &["e4", "e5"]), second()];
    served(&daemon, "/pgn/round.pgn", &both);
    one.set_up(Game::default());
    ready(&arbiter, 1);
    served(&daemon, "/pgn/round.pgn", &both);

    // Whoever is killed knows it afterwards.
    daemon.kill();
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    ready(&arbiter, 1);
    served(&daemon, "/pgn/round.pgn", &both);
    written(&folder.join("round-3/game-1.pgn"), &both[..1]);
    let health = http::get(daemon.pages, "/healthz").text();
    assert!(health.contains("pgn_folder: works since "), "{health}");
    let figures = http::get(daemon.pages, "/metrics").text();
    assert!(figures.contains("adoubed_outlet_up{outlet=\"pgn_folder\"} 1\n"), "{figures}");
    let index = fs::read(folder.join("round-3/index.json")).unwrap();
    let index: Value = serde_json::from_slice(&index).unwrap();
    let heard = |index: &Value, at: usize| {
        let pairing = &index["pairings"][at];
        (pairing["white"]["lname"].clone(), pairing["result"].clone(), pairing["live"].clone())
    };
    assert_eq!(heard(&index, 0), (json!("Doe"), json!("1-0"), json!(false)));
    assert_eq!(heard(&index, 1), (json!("Poe"), json!("*"), json!(true)));
}

#[test]
fn a_file_is_sent_only_when_it_has_changed_and_compressed_to_whoever_takes_it() {
    let mut house = House::new();
    let (mut one, _two, _) = hall(&mut house);
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    [1, 2].into_iter().for_each(|table| ready(&arbiter, table));
    play(&mut one, &arbiter, 1, "e4");
    let wanted = [game("Doe, Jane", "3.1", "*", &["e4"])];
    let reply = served(&daemon, "/pgn/table/1.pgn", &wanted);
    let line = |reply: &Reply, name: &str| {
        let mut lines = reply.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(it, _)| *it == name).map(|(_, value)| value.to_owned())
    };
    let kind = line(&reply, "content-type").unwrap();
    assert_eq!(kind, "application/x-chess-pgn; charset=utf-8");
    assert_eq!(line(&reply, "access-control-allow-origin").as_deref(), Some("*"));
    let known = format!("If-None-Match: {}", line(&reply, "etag").unwrap());
    let asked = |method: &str, path: &str, lines: &[&str]| {
        http::get_with(daemon.pages, method, path, lines)
    };
    let unchanged = asked("GET", "/pgn/table/1.pgn", &[&known]);
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
    let small = asked("GET", "/pgn/table/1.pgn", &["Accept-Encoding: gzip, deflate"]);
    assert_eq!(line(&small, "content-encoding").as_deref(), Some("gzip"));
    assert_eq!(small.body[..2], [0x1f, 0x8b]);
    assert_eq!(asked("OPTIONS", "/pgn/games.pgn", &["Origin: http://elsewhere"]).status, 204);
    for path in ["/pgn/table/9.pgn", "/pgn/table/x.pgn", "/pgn/table/1", "/pgn/"] {
        assert_eq!(asked("GET", path, &[]).status, 404, "{path}");
    }
    play(&mut one, &arbiter, 1, "e5");
    served(&daemon, "/pgn/table/1.pgn", &[game("Doe, Jane", "3.1", "*", &["e4", "e5"])]);
    assert_eq!(asked("GET", "/pgn/table/1.pgn", &[&known]).status, 200);
}

#[test]
fn where_the_feed_is_for_users_the_games_are_not_for_everybody() {
    let mut house = House::new();
    house.table(1, "driver = \"dgt\"");
    house.set("mqtt", "hall", "users");
    let _board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let reply = http::get(daemon.pages, "/pgn/games.pgn");
    assert_eq!(reply.status, 403);
    assert!(reply.text().contains("[mqtt] hall"), "{}", reply.text());
}
