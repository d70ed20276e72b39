//! A recording replayed gives the game that was played, with the clock, the same every time and
//! whatever way its bytes were cut when they were read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use adoubed::record::capture::{self, Event};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position, san::San, uci::UciMove};

use crate::common::{Seed, adoubed, finish, recordings, skipped};

fn replay(file: &Path, arguments: &[&str]) -> String {
    let file = file.display().to_string();
    let outcome = finish(adoubed(["replay", &file]).args(arguments));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{file}");
    outcome.stdout
}

/// The capture with each of its reads cut in several, at the same moment.
fn cut(file: &Path, seed: &mut Seed, target: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let mut rewritten: String =
        text.lines().filter(|it| it.starts_with('#')).map(|it| format!("{it}\n")).collect();
    for event in capture::parse(&text).unwrap().events {
        let Event::Read(at, mut bytes) = event else { continue };
        while bytes.len() > 1 && seed.below(3) > 0 {
            let rest = bytes.split_off(1 + seed.below(bytes.len() - 1));
            rewritten.push_str(&capture::line(&Event::Read(at, bytes)));
            bytes = rest;
        }
        rewritten.push_str(&capture::line(&Event::Read(at, bytes)));
    }
    fs::write(target, rewritten).unwrap();
}

/// The same bytes come out however the bytes go in, every time.
fn assert_steadfast(file: &Path) {
    let mut seed = Seed::draw("cutting");
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("cut.cap");
    for arguments in [&["--pgn"][..], &["--json"], &["--json", "--pgn"]] {
        let whole = replay(file, arguments);
        assert!(!whole.is_empty());
        assert_eq!(replay(file, arguments), whole, "{arguments:?}: the second run differs");
        for _ in 0..3 {
            cut(file, &mut seed, &target);
            assert_eq!(replay(&target, arguments), whole, "{arguments:?}: cut otherwise");
        }
    }
}

/// Moves and what the clock showed after each, from the text of one game.
fn read(pgn: &str) -> Vec<(String, Option<u64>)> {
    let (tags, movetext) = pgn.split_once("\n\n").unwrap();
    assert!(tags.lines().all(|line| line.starts_with('[') && line.ends_with("\"]")), "{tags}");
    let mut moves: Vec<(String, Option<u64>)> = Vec::new();
    let mut position = Chess::default();
    let mut words = movetext.split_whitespace();
    while let Some(word) = words.next() {
        if word.trim_start_matches('{') == "[%clk" {
            let clock = words.next().unwrap().trim_end_matches(['}', ']']);
            let seconds = clock.split(':').fold(0, |sum, it| sum * 60 + it.parse::<u64>().unwrap());
            moves.last_mut().unwrap().1 = Some(seconds);
        } else if let Ok(san) = word.parse::<San>() {
            let mv = san.to_move(&position).unwrap_or_else(|error| panic!("{word}: {error}"));
            moves.push((UciMove::from_move(mv, CastlingMode::Standard).to_string(), None));
            position.play_unchecked(mv);
        }
    }
    moves
}

fn assert_blitz(name: &str, plies: usize) {
    let Some(data) = recordings() else {
        return skipped(name, "no recordings (../shared/data or $ADOUBED_DATA)");
    };
    let file: PathBuf = data.join("captures/dgt").join(format!("{name}.cap"));
    let played = fs::read_to_string(file.with_extension("uci")).unwrap();
    let is_move = |it: &&str| !it.ends_with('.') && *it != "*" && !it.contains('-');
    let played: Vec<_> = played.split_whitespace().filter(is_move).collect();
    assert_eq!(played.len(), plies);
    let pgn = replay(&file, &["--pgn"]);
    assert_eq!(pgn.matches("[Event ").count(), 1, "more than one game\n{pgn}");
    assert!(pgn.contains("[TimeControl \"180+2\"]"), "{pgn}");
    let moves = read(&pgn);
    let uci: Vec<_> = moves.iter().map(|(uci, _)| uci.as_str()).collect();
    assert_eq!(uci, played);
    let clocks: Vec<u64> = moves
        .iter()
        .map(|(uci, clock)| clock.unwrap_or_else(|| panic!("no %clk after {uci}")))
        .collect();
    // The clock gives two seconds before the first move and after each, and nothing else.
    for own in [0, 1] {
        let mut before = 182;
        for clock in clocks.iter().skip(own).step_by(2) {
            assert!(*clock <= before + 2, "{clock} after {before}");
            before = *clock;
        }
        assert!(before < 170, "nobody thought");
    }
    let last: Value =
        serde_json::from_str(replay(&file, &["--json"]).lines().last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["uci"]), (&json!("score"), &json!(played.join(" "))));
    assert_clock_alerts(&file);
    assert_steadfast(&file);
}

/// Nothing about the clock as it was set, and its setting where another one was wanted.
fn assert_clock_alerts(file: &Path) {
    let kinds = |control: &str| -> Vec<String> {
        let text = replay(file, &["--json", "--time-control", control]);
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let incidents = lines.filter(|line| line["type"] == "incident");
        // An alert that is brought up to date is still the same one.
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let heard: BTreeMap<_, _> =
            incidents.map(|line| (text(&line["id"]), text(&line["kind"]))).collect();
        heard.into_values().filter(|kind| kind != "board_turned").collect()
    };
    assert_eq!(kinds("180+2"), [""; 0]);
    assert_eq!(kinds("300+0"), ["clock_setting"]);
}

#[test]
fn the_first_blitz_game_is_found_ply_by_ply() {
    assert_blitz("blitz-1", 57);
}

#[test]
fn the_second_blitz_game_is_found_on_a_board_that_lies_the_other_way_round() {
    assert_blitz("blitz-2", 99);
}

/// What the remarks in the capture say: two moves, a torn frame, Black's flag, kings in the centre.
#[test]
fn a_constructed_capture_gives_what_was_constructed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("protocols/dgt/captures/constructed-first-moves.cap");
    let lines = replay(&file, &["--json"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| lines.iter().filter(|it| it["type"] == kind).collect::<Vec<_>>();
    let completed = of("move").into_iter().filter(|it| it["status"] == "completed");
    let moves: Vec<_> =
        completed.map(|it| json!([it["uci"], it["side"], it["clk_ms"], it["t"]])).collect();
    assert_eq!(
        moves,
        [json!(["e2e4", "white", 183_000, 3.9]), json!(["e7e5", "black", 183_000, 5.4])]
    );
    let incidents = of("incident");
    let flag = incidents.iter().find(|it| it["kind"] == "flag_fall").expect("a flag");
    // Black had 3:03 on the reading before the frame at 9 s: it is believed because the clock says
    // nothing else.
    assert_eq!(
        (&flag["side"], &flag["article"], &flag["t"]),
        (&json!("black"), &json!("6.8"), &json!(10.5))
    );
    assert_eq!(flag["facts"]["between"]["first_at_zero"], 9.0);
    assert_eq!(
        (&flag["state"], &flag["table"], &flag["edition"]),
        (&json!("open"), &json!(1), &json!("2023"))
    );
    let result = of("result");
    assert_eq!((&result[0]["result"], &result[0]["reason"]), (&json!("1-0"), &json!("signalled")));
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["type"], &last["uci"], &last["result"]),
        (&json!("score"), &json!("e2e4 e7e5"), &json!("1-0"))
    );
    assert!(
        lines.windows(2).all(|two| two[0]["t"].as_f64() <= two[1]["t"].as_f64()),
        "not in order of time"
    );
    let pgn = read(&replay(&file, &["--pgn"]));
    assert_eq!(pgn, [("e2e4".to_owned(), Some(183)), ("e7e5".to_owned(), Some(183))]);
    let older = replay(&file, &["--json", "--laws", "2014"]);
    assert!(older.contains("\"edition\":\"2014\""), "{older}");
    assert_steadfast(&file);
}

#[test]
fn what_is_no_recording_is_refused_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("bad.cap");
    fs::write(&file, "# Device: x\n0.1 < 00 01\n0.2 < zz\n").unwrap();
    let name = file.display().to_string();
    let outcome = finish(&mut adoubed(["replay", &name]));
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(65), ""));
    assert!(outcome.stderr.contains(&format!("{name}: line 3: ")), "{}", outcome.stderr);
    let journal = directory.path().join("journal-2026-11-20.log");
    fs::write(&journal, "no journal at all").unwrap();
    let outcome = finish(&mut adoubed(["replay", &journal.display().to_string()]));
    assert_eq!(outcome.code, Some(65), "{}", outcome.stderr);
    let outcome = finish(&mut adoubed(["replay", "/nowhere/at/all.cap"]));
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
}
