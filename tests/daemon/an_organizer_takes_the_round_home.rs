//! After the round: its results, its games and the record as one archive, without any secret.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tar::Archive;

use crate::an_organizer_names_the_event::session;
use crate::an_organizer_seats_the_hall::{hall, organizer};
use crate::common::{Board, Daemon, Feed, House, Reply, adoubed, finish, post};

fn ask(daemon: &Daemon, what: &str, session: &Value, more: &Value) -> Reply {
    let mut body = session.clone();
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    post(daemon.pages, what, &body.to_string())
}

/// The body of an answer that comes in pieces.
fn joined(mut pieces: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = pieces.windows(2).position(|it| it == b"\r\n") {
        let length = std::str::from_utf8(&pieces[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        whole.extend(&pieces[end + 2..][..length]);
        pieces = &pieces[end + 4 + length..];
    }
    whole
}

/// A board at table 1, before the third round begins.
fn ready() -> (House, Board, Daemon, Feed) {
    let mut house = hall();
    house.numbered(1, "26003").set("event", "round", "3");
    let board = Board::dgt(&house.line("usb-a"), "26003");
    let daemon = Daemon::start(&house);
    let feed = organizer(&daemon);
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    (house, board, daemon, feed)
}

fn e4_is_played(board: &mut Board, feed: &Feed) {
    board.start_clock();
    board.play("e4");
    let fen = board.game.fen();
    feed.topic("table/1/position", "e4", |it| it["fen"] == fen);
}

#[test]
fn results_games_record_and_captures_come_as_one_archive() {
    let (house, mut board, daemon, feed) = ready();
    e4_is_played(&mut board, &feed);
    feed.ask("set_result", json!({"table": 1, "result": "1-0"}));
    feed.topic("table/1/game", "the result", |it| it["result"] == "1-0");
    fs::write(house.journal().join("board.cap"), "# a recording\n").unwrap();

    let language = json!({"language": "fr"});
    for nobody in [json!({}), session(&daemon, "Ann")] {
        assert_eq!(ask(&daemon, "/setup/archive", &nobody, &language).status, 401);
    }
    let olga = session(&daemon, "Olga");
    let files = archive(&daemon, &olga, &language);
    let files: BTreeMap<_, _> = files
        .into_iter()
        .map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned()))
        .collect();
    let names: Vec<_> = files.keys().cloned().collect();
    for name in ["captures/board.cap", "games.pgn", "round-3/results.csv", "round-3/results.html"] {
        assert!(files.contains_key(name), "{name}: {names:?}");
    }
    assert!(names.iter().any(|it| it.starts_with("record/journal-")), "{names:?}");
    assert!(files["games.pgn"].contains("1. e4") && files["games.pgn"].contains("1-0"));
    assert!(files.values().all(|it| !it.contains("$argon2")), "a secret");
}

/// The files of an archive.
fn archive(daemon: &Daemon, who: &Value, wanted: &Value) -> BTreeMap<String, Vec<u8>> {
    let answer = ask(daemon, "/setup/archive", who, wanted);
    assert_eq!(answer.status, 200);
    let chunked = answer.head.contains("transfer-encoding: chunked");
    let bytes = if chunked { joined(&answer.body) } else { answer.body };
    let mut archive = Archive::new(GzDecoder::new(&*bytes));
    let mut files = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        files.insert(name, content);
    }
    files
}

#[test]
fn an_archive_without_names_names_nobody_and_replays_to_the_same_game() {
    let (house, mut board, daemon, feed) = ready();
    feed.ask("set_pairing", json!({"table": 1, "white": "Doe, Jane", "black": "Roe, Max"}));
    e4_is_played(&mut board, &feed);
    feed.ask("set_result", json!({"table": 1, "result": "1-0", "note": "Jane was ill"}));
    feed.topic("table/1/game", "the result", |it| it["result"] == "1-0");

    let olga = session(&daemon, "Olga");
    let whole = archive(&daemon, &olga, &json!({"language": "fr"}));
    let is_named = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        ["Jane", "Roe", "Olga"].into_iter().filter(|it| text.contains(it)).count()
    };
    assert_eq!(
        whole.iter().filter(|(name, it)| name.starts_with("record/") && is_named(it) == 3).count(),
        1
    );
    let without = archive(&daemon, &olga, &json!({"language": "fr", "names": false}));
    assert_eq!(
        without.keys().filter(|it| it.starts_with("record/journal-")).count(),
        without.len()
    );
    let (name, journal) = without.first_key_value().unwrap();
    assert_eq!(is_named(journal), 0, "somebody is named");
    let file = house.path().join(name.replace("record/", ""));
    fs::write(&file, journal).unwrap();
    let outcome = finish(&mut adoubed(["replay", file.to_str().unwrap(), "--pgn"]));
    let pgn = outcome.stdout;
    assert!(pgn.contains("1. e4") && pgn.contains("[Result \"1-0\"]"), "{pgn}");
    assert!(pgn.contains("[White \"Person "), "{pgn}");
}

#[test]
fn a_way_out_is_tried_and_says_in_words_whether_it_works() {
    let mut house = hall();
    let folder = house.path().join("live");
    house.set("pgn", "directory", &folder.display().to_string());
    let daemon = Daemon::start(&house);
    let olga = session(&daemon, "Olga");
    let attempt = |outlet: &str| ask(&daemon, "/setup/try", &olga, &json!({"outlet": outlet}));
    assert_eq!(attempt("").json(), json!({"outlets": ["pgn_folder"]}));
    let heard = attempt("pgn_folder").json();
    assert_eq!(heard["works"], true, "{heard}");
    assert!(heard["text"]["fr"].as_str().unwrap().contains(folder.to_str().unwrap()), "{heard}");
    assert_eq!(attempt("lichess").json()["works"], false);
    let ann = session(&daemon, "Ann");
    assert_eq!(ask(&daemon, "/setup/try", &ann, &json!({"outlet": ""})).status, 401);
    let code = ask(&daemon, "/setup/qr", &olga, &json!({"text": "http://10.0.0.1:8380/"})).json();
    // Version 2 has 25 modules, and the quiet zone 4 on each side.
    assert_eq!(code["size"], 33, "{code}");
    assert!(code["path"].as_str().unwrap().starts_with('M'));
    assert_eq!(ask(&daemon, "/setup/qr", &ann, &json!({"text": "x"})).status, 401);
}
