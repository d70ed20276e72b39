//! `adoubed export`: papers made from a journal, by the real program.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::lines::virtual_line;
use adoubed::record::journal::{self, Journal};
use adoubed::requests::Request;
use eboard::Moment;
use serde_json::json;
use witness::{LineNo, TableNo};

/// One table and its line.
fn table_seven() -> (LineId, Plan) {
    let watch = Watch { time_control: "5400+30".to_owned(), ..Watch::default() };
    let table = TableEntry::at(TableNo::new(7), "usb1", "dgt", &watch);
    let id = LineId::at("usb1");
    (id, Plan { tables: vec![table], watch, ..Plan::default() })
}

/// A journal of one game that begins ten minutes before a full hour (UTC) and is played slowly.
fn keep_a_game(directory: &Path) {
    keep(directory, "+4 e2^ e4v | +300 e7^ e5v | +600 g1^ f3v | +1800 b8^ c6v | +30");
}

/// A journal of these gestures at table 7, from the same hour on.
fn keep(directory: &Path, gestures: &str) {
    let script = rehearsal::parse(gestures).unwrap();
    let (id, plan) = table_seven();
    let mut records = vec![
        (Moment::ZERO, Entry::Wall(1_795_269_000_000_000)),
        (Moment::ZERO, Entry::Planned(Box::new(plan))),
        (Moment::ZERO, Entry::Opened(LineNo::new(1), id)),
    ];
    records.extend(virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1)));
    let mut journal = Journal::open(directory, "2026-11-21", Duration::from_millis(50)).unwrap();
    for (at, entry) in records {
        journal.append(at, entry);
    }
    journal.close();
}

fn export(arguments: &[&str]) -> Output {
    adoubed(&[&["export", "timesheet"], arguments].concat())
}

fn adoubed(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adoubed")).args(arguments).output().unwrap()
}

/// What is printed to standard output.
fn printed(arguments: &[&str]) -> String {
    let output = adoubed(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_time_sheet_has_a_line_for_every_half_hour() {
    let directory = tempfile::tempdir().unwrap();
    keep_a_game(directory.path());
    let journal = journal::segments(directory.path()).unwrap().pop().unwrap();
    let journal = journal.to_str().unwrap();
    let output = export(&[journal]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    // At 14:00 Black had answered 305 s after White, and White thinks; at 14:30 White has moved.
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with("2026-11-21T14:00:00.000Z,7,1,hour,"), "{text}");
    assert!(lines[1].ends_with(",1,1,1,1,white"), "{text}");
    assert!(lines[2].starts_with("2026-11-21T14:30:00.000Z,7,1,hour,"), "{text}");
    assert!(lines[2].ends_with(",2,1,1,1,black"), "{text}");
    assert_eq!(export(&[journal, "--every", "10"]).stdout.split(|it| *it == b'\n').count(), 6);
    let page = directory.path().join("sheet.html");
    let output =
        export(&[journal, "--format", "html", "--language", "fr", "-o", page.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    assert!(std::fs::read_to_string(page).unwrap().contains("Feuille des temps"));
}

/// The kings say that the game is drawn, and it goes on.
#[test]
fn a_time_sheet_has_no_line_for_a_result_that_was_withdrawn() {
    let drawn = "+3 g1^ f3v | g8^ f6v | +3 ~ +1 e1^ e4v e8^ e5v +10";
    let rows = |gestures: &str| {
        let directory = tempfile::tempdir().unwrap();
        keep(directory.path(), gestures);
        let journal = journal::segments(directory.path()).unwrap().pop().unwrap();
        let text = String::from_utf8(export(&[journal.to_str().unwrap()]).stdout).unwrap();
        text.lines().filter(|line| line.contains(",result,")).count()
    };
    assert_eq!(rows(drawn), 1);
    assert_eq!(rows(&format!("{drawn} e5^ e8v e4^ e1v +1 ! +3 b1^ c3v | +5")), 0);
}

#[test]
fn without_a_journal_it_says_where_it_looked() {
    let directory = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_adoubed");
    let output = Command::new(program)
        .args(["export", "timesheet"])
        .env("STATE_DIRECTORY", directory.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(66), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no journal in it"), "{said}");
}

fn ask(at: Moment, verb: &str, body: serde_json::Value) -> (Moment, Entry) {
    (at, Entry::Request(Request::read(verb, body, "Claire")))
}

/// A knight goes where none can go, an arbiter rules, and the players of the next game are named
/// while the last one still stands there. In two segments, cut in the middle of the game.
fn keep_an_offence(directory: &Path) -> Vec<String> {
    let script =
        rehearsal::parse("+4 e2^ e4v | e7^ e5v | g1^ g3v | +20 ~ g3^ f3v ! +3 | +4 b8^ c6v | +30");
    let script = script.unwrap();
    let (id, plan) = table_seven();
    let players = json!({"table": 7, "white": {"name": "Ann"}, "black": {"name": "Bob"}});
    let mut records = vec![
        (Moment::ZERO, Entry::Wall(1_795_269_000_000_000)),
        (Moment::ZERO, Entry::Planned(Box::new(plan))),
        (Moment::ZERO, Entry::Opened(LineNo::new(1), id)),
        ask(Moment::ZERO, "set_pairing", players),
    ];
    records.extend(virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1)));
    let offence = records.iter().rposition(|(at, _)| *at < Moment::from_micros(20_000_000));
    let ruling = json!({"alert": "7-1-1", "ruling": "upheld", "note": "two, \"minutes\""});
    let at = Moment::from_micros(20_000_000);
    records.insert(offence.unwrap() + 1, ask(at, "rule", ruling));
    let end = script.end();
    records.push(ask(end, "set_result", json!({"table": 7, "result": "1-0"})));
    let next = json!({"table": 7, "white": {"name": "Eve"}, "black": {"name": "Dan"}});
    records.push(ask(end, "set_pairing", next));
    let (first, second) = records.split_at(30);
    let mut journal = Journal::open(directory, "2026-11-21", Duration::from_millis(50)).unwrap();
    first.iter().for_each(|(at, entry)| journal.append(*at, entry.clone()));
    // Not opened anew: a child of another test may hold its lock until it runs its own program.
    journal.begin("2026-11-22");
    second.iter().for_each(|(at, entry)| journal.append(*at, entry.clone()));
    journal.close();
    let segments = journal::segments(directory).unwrap();
    segments.iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn games_are_written_with_those_who_played_them_and_go_on_from_segment_to_segment() {
    let directory = tempfile::tempdir().unwrap();
    let segments = keep_an_offence(directory.path());
    let config = directory.path().join("adoubed.toml");
    std::fs::write(&config, "[event]\nname = \"Open\"\nround = \"3\"\n").unwrap();
    let config = config.to_str().unwrap();
    let [first, second] = &segments[..] else { panic!("{segments:?}") };
    let text = printed(&["export", "pgn", first, second, "--config", config]);
    for tag in [
        "[Event \"Open\"]",
        "[Date \"2026.11.21\"]",
        "[White \"Ann\"]",
        "[Black \"Bob\"]",
        "[Result \"1-0\"]",
        "[TimeControl \"5400+30\"]",
    ] {
        assert!(text.contains(tag), "{tag} is not in {text}");
    }
    assert_eq!(text.matches("[Event ").count(), 1, "{text}");
    for mv in ["1. e4", "e5", "2. Nf3", "Nc6"] {
        assert!(text.contains(mv), "{mv} is not in {text}");
    }
    assert_eq!(printed(&["export", "pgn", first, second, "--table", "8"]).trim(), "");
    assert!(printed(&["replay", "--pgn", first, second]).contains("[White \"Ann\"]"));
}

#[test]
fn the_log_has_every_alert_and_what_arbiters_did() {
    let directory = tempfile::tempdir().unwrap();
    let segments = keep_an_offence(directory.path());
    let arguments = [&["export", "log", "--language", "fr"], &refs(&segments)[..]].concat();
    let text = printed(&arguments);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let column = |name: &str| head.iter().position(|it| it == name).unwrap();
    let lines: Vec<_> = reader.records().map(Result::unwrap).collect();
    let of = |what: &str, key: &str, value: &str| {
        let is = |line: &&csv::StringRecord| {
            line[column("what")] == *what && line[column(key)] == *value
        };
        lines.iter().find(is).unwrap_or_else(|| panic!("no {value} in {text}"))
    };
    let raised = of("raised", "kind", "illegal_move");
    assert_eq!(&raised[column("alert")], "7-1-1");
    assert_eq!((&raised[column("article")], &raised[column("side")]), ("7.5.1", "white"));
    assert_eq!((&raised[column("white")], &raised[column("black")]), ("Ann", "Bob"));
    let ruled = of("request", "verb", "rule");
    assert_eq!((&ruled[column("by")], &ruled[column("kind")]), ("Claire", "illegal_move"));
    let request: serde_json::Value = serde_json::from_str(&ruled[column("request")]).unwrap();
    assert_eq!(request["note"], "two, \"minutes\"");
    assert_eq!(ruled[column("text")], raised[column("text")]);
}

#[test]
fn an_alert_is_explained_with_what_was_seen_and_what_became_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let segments = keep_an_offence(directory.path());
    let of = |more: &[&'static str]| [&["explain"], &refs(&segments)[..], more].concat();
    let text = printed(&of(&["--incident", "7-1-1"]));
    for part in [
        "7-1-1 · illegal_move",
        "Article 7.5.1 of the Laws of 2023",
        "White knight lifted from g1",
        "White knight put on g3",
        "White pressed the clock",
        "1 R N B Q K B N R",
        "upheld: Claire",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let french = printed(&of(&["--language", "fr", "--table", "7"]));
    assert!(french.contains("article 7.5.1 des Règles de 2023"), "{french}");
    assert!(french.contains("confirmée\u{a0}: Claire"), "{french}");
    // The moves too: a knight is a cavalier.
    assert!(french.contains("  Cf3") && !french.contains("  Nf3"), "{french}");
    let none = adoubed(&of(&["--incident", "7-1-9"]));
    assert_eq!(none.status.code(), Some(65), "{none:?}");
}

fn refs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
