//! `adoubed export`: papers made from a journal, by the real program.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::journal::{self, Journal};
use adoubed::virtual_line;
use eboard::Moment;

/// A journal of one game that begins ten minutes before a full hour (UTC) and is played slowly.
fn keep_a_game(directory: &Path) {
    let script =
        rehearsal::parse("+4 e2^ e4v | +300 e7^ e5v | +600 g1^ f3v | +1800 b8^ c6v | +30").unwrap();
    let watch = Watch { time_control: "5400+30".to_owned(), ..Watch::default() };
    let table = TableEntry {
        number: 7,
        port: Some("usb1".into()),
        serial: None,
        driver: Some("dgt".into()),
        station: 0,
        watch: watch.clone(),
    };
    let id = LineId { path: "usb1".into(), names: vec!["usb1".into()] };
    let plan = Plan { tables: vec![table], watch, ..Plan::default() };
    let mut records = vec![
        (Moment::ZERO, Entry::Wall(1_795_269_000_000_000)),
        (Moment::ZERO, Entry::Planned(Box::new(plan))),
        (Moment::ZERO, Entry::Opened(1, id)),
    ];
    records.extend(virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), 1));
    let mut journal = Journal::open(directory, "2026-11-21", Duration::from_millis(50)).unwrap();
    for (at, entry) in records {
        journal.append(at, entry);
    }
    journal.close();
}

fn export(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_adoubed");
    Command::new(program).args(["export", "timesheet"]).args(arguments).output().unwrap()
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
