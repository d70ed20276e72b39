//! Lines, seats and the order of time, without any serial line.

mod growth;
mod plugs;
mod results_of;
mod unmatched;

use std::time::Duration;

use witness::{LineNo, TableNo, Which};

use super::*;
use crate::entry::{Clock, SecondBoard, TableEntry, Watch};
use crate::lines::virtual_line;

/// A board that has not reported its number within this time gets a table without it.
const LATER: Duration = Duration::from_secs(7);

fn open(works: &mut Works, number: u32) {
    let name = format!("usb{number}");
    let id = LineId::at(&name);
    works.enter(works.now(), &Entry::Opened(LineNo::new(number), id), &mut Vec::new());
}

/// A board's answers to all questions: first without its serial number, then the serial number
/// alone.
fn said(line: u32) -> (Vec<Entry>, Vec<Entry>) {
    let script = rehearsal::parse("+1").unwrap();
    let heard = virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(line));
    let is_number = |entry: &Entry| {
        let numbers = [0x91, 0xa2];
        matches!(entry, Entry::Bytes(_, bytes) if numbers.contains(&bytes[0]))
    };
    heard.into_iter().map(|(_, entry)| entry).partition(|entry| !is_number(entry))
}

fn tell(works: &mut Works, entries: &[Entry]) -> Vec<Act> {
    let mut acts = Vec::new();
    for entry in entries {
        works.enter(works.now(), entry, &mut acts);
    }
    acts
}

fn serial(works: &Works, line: u32) -> String {
    let identity =
        works.board(Seat::only(LineNo::new(line))).and_then(|board| board.identity.clone());
    identity.and_then(|identity| identity.serial).unwrap()
}

/// Boards by Bluetooth take twice as long over their squares as those on a cable.
#[test]
fn touches_that_a_board_may_miss_are_known_by_its_language_and_its_line() {
    let (everything, _) = said(1);
    for (name, misses_ms) in [("usb1", 0), ("/dev/rfcomm0", 500)] {
        let mut works = Works::new(vec![&dgt::DRIVER]);
        tell(&mut works, &[Entry::Opened(LineNo::new(1), LineId::at(name))]);
        assert_eq!(works.lines[&LineNo::new(1)].misses(), None, "nobody knows its language yet");
        tell(&mut works, &everything);
        assert_eq!(
            works.lines[&LineNo::new(1)].misses(),
            Some(Duration::from_millis(misses_ms)),
            "{name}"
        );
    }
}

#[test]
fn a_board_that_moves_leaves_no_board_at_the_table_it_had() {
    let (everything, number) = said(1);
    assert!(!number.is_empty());
    let mut works = Works::new(vec![&dgt::DRIVER]);
    open(&mut works, 1);
    tell(&mut works, &everything);
    tell(&mut works, &number);
    let serial = serial(&works, 1);

    let mut works = Works::new(vec![&dgt::DRIVER]);
    let seats = Seats { by_serial: [(serial, TableNo::new(5))].into(), ..Seats::default() };
    let plan = Plan { seats, ..Plan::default() };
    tell(&mut works, &[Entry::Planned(Box::new(plan))]);
    open(&mut works, 1);
    tell(&mut works, &everything);
    works.advance(works.now() + LATER, &mut Vec::new());
    assert_eq!(
        works.board(Seat::only(LineNo::new(1))).unwrap().table,
        Some(TableNo::new(6)),
        "nobody knows it yet"
    );
    assert!(works.hall().table(TableNo::new(6)).unwrap().device().present);
    tell(&mut works, &number);
    assert_eq!(works.board(Seat::only(LineNo::new(1))).unwrap().table, Some(TableNo::new(5)));
    assert!(!works.hall().table(TableNo::new(6)).unwrap().device().present);
    assert!(works.hall().table(TableNo::new(5)).unwrap().device().present);
    works.enter(works.now(), &Entry::Closed(LineNo::new(1)), &mut Vec::new());
    assert!(!works.hall().table(TableNo::new(5)).unwrap().device().present);
}

#[test]
fn two_boards_with_one_number_are_two_tables_that_are_known_by_their_lines() {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    for line in [1, 2] {
        open(&mut works, line);
        let (everything, number) = said(line);
        tell(&mut works, &everything);
        tell(&mut works, &number);
    }
    assert_eq!(serial(&works, 1), serial(&works, 2));
    let tables = [1, 2].map(|line| works.board(Seat::only(LineNo::new(line))).unwrap().table);
    let [one, two] = [1, 2].map(TableNo::new);
    assert_eq!(tables, [Some(one), Some(two)]);
    assert!(works.seats().by_serial.is_empty());
    assert_eq!(works.seats().by_line, [("usb1".to_owned(), one), ("usb2".to_owned(), two)].into());
}

#[test]
fn what_was_due_before_an_entry_has_its_own_moment() {
    let script = rehearsal::parse("+2 e2^ e4v |").unwrap();
    let mut records =
        virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1));
    let last = records.last().map(|(at, _)| *at).unwrap();
    let mut works = Works::new(vec![&dgt::DRIVER]);
    open(&mut works, 1);
    // One late entry handles every deadline since the press.
    records.push((last + Duration::from_secs(3600), Entry::Wall(0)));
    let mut acts = Vec::new();
    for (at, entry) in &records {
        works.enter(*at, entry, &mut acts);
    }
    let moments: Vec<_> = acts
        .iter()
        .filter_map(|act| match act {
            Act::Table(at, ..) => Some(*at),
            _ => None,
        })
        .collect();
    assert!(moments.is_sorted());
    assert!(moments.last().is_some_and(|at| *at < last + Duration::from_secs(60)));
}

#[test]
fn a_second_board_is_known_by_its_number_wherever_it_is_plugged_in() {
    let (everything, number) = said(2);
    let mut works = Works::new(vec![&dgt::DRIVER]);
    open(&mut works, 2);
    tell(&mut works, &everything);
    tell(&mut works, &number);
    let serial = Some(serial(&works, 2));

    let mut works = Works::new(vec![&dgt::DRIVER]);
    let port = Some("usb1".to_owned());
    let watch = Watch { second_board: "black".to_owned(), ..Watch::default() };
    let driver = Some("dgt".to_owned());
    let table =
        TableEntry { number: TableNo::new(7), port, serial: None, driver, station: 0, watch };
    let second = SecondBoard { table: TableNo::new(7), serial, ..SecondBoard::default() };
    let plan = Plan { tables: vec![table], second_boards: vec![second], ..Plan::default() };
    tell(&mut works, &[Entry::Planned(Box::new(plan))]);
    open(&mut works, 2);
    tell(&mut works, &everything);
    tell(&mut works, &number);
    let board = works.board(Seat::only(LineNo::new(2))).unwrap();
    assert_eq!((board.table, board.part), (Some(TableNo::new(7)), Part::Board(Which::Second)));
    let hall = works.hall().table(TableNo::new(7)).unwrap();
    assert!(hall.device_at(Which::Second).unwrap().present);
    assert!(!hall.device().present, "the first one has not come yet");
    assert!(works.seats().by_serial.is_empty(), "its place is named, not remembered");
}

/// The time control before and after a new plan, in a game that has come as far as the script.
/// `named`: the plan names the table; otherwise it was found.
fn planned_anew(named: bool, script: &str) -> [String; 2] {
    let plan = |control: &str| {
        let watch = Watch { time_control: control.to_owned(), ..Watch::default() };
        let table = TableEntry::at(TableNo::new(1), "usb1", "dgt", &watch);
        let tables = if named { vec![table] } else { Vec::new() };
        Entry::Planned(Box::new(Plan { tables, watch, ..Plan::default() }))
    };
    let mut works = Works::new(vec![&dgt::DRIVER]);
    tell(&mut works, &[plan("300+0")]);
    open(&mut works, 1);
    let script = rehearsal::parse(script).unwrap();
    let heard = virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1));
    for (at, entry) in heard {
        works.advance(at, &mut Vec::new());
        works.enter(at, &entry, &mut Vec::new());
    }
    let table = *works.board(Seat::only(LineNo::new(1))).unwrap().table.as_ref().unwrap();
    let before = works.time_control(table);
    tell(&mut works, &[plan("180+2")]);
    let settings = works.hall().table(table).unwrap().settings().control;
    let after = works.time_control(table);
    assert_eq!(settings.map(|it| it.to_string()), Some(after.clone()), "what is judged by");
    [before, after]
}

#[test]
fn a_game_keeps_its_time_control_when_the_plan_is_another_one() {
    for named in [true, false] {
        let played = planned_anew(named, "# time_control: 300\n+40 e2^ e4v | +3");
        assert_eq!(played, ["300+0", "300"], "as it is written, and as it was");
        let unplayed = planned_anew(named, "# time_control: 300\n~ +3");
        assert_eq!(unplayed, ["300+0", "180+2"], "nothing was played");
    }
}

#[test]
fn a_line_that_is_opened_again_is_asked_in_its_own_language_at_once() {
    let mut works = Works::new(vec![&certabo::DRIVER, &dgt::DRIVER]);
    let asked = |works: &mut Works, line: u32| {
        open(works, line);
        let mut acts = Vec::new();
        works.advance(works.now() + Duration::from_millis(300), &mut acts);
        acts.iter().any(
            |act| matches!(act, Act::Send(sent, bytes) if sent.get() == line && !bytes.is_empty()),
        )
    };
    assert!(!asked(&mut works, 1), "an unknown line is only listened to");
    let (everything, number) = said(1);
    tell(&mut works, &everything);
    tell(&mut works, &number);
    assert_eq!(
        works.board(Seat::only(LineNo::new(1))).unwrap().identity.as_ref().unwrap().driver,
        "dgt"
    );
    let seats = works.seats();
    assert_eq!(seats.spoken, [("usb1".to_owned(), "dgt".to_owned())].into());

    // Another run has only what the record remembers.
    let mut works = Works::new(vec![&certabo::DRIVER, &dgt::DRIVER]);
    tell(&mut works, &[Entry::Planned(Box::new(Plan { seats, ..Plan::default() }))]);
    assert!(asked(&mut works, 1));
    assert!(!asked(&mut works, 2));
}

#[test]
fn what_is_answered_is_in_the_languages_of_the_plan() {
    let mut works = Works::new(catalog::languages());
    let plan = |languages: &[&str]| {
        let languages = languages.iter().map(|it| (*it).to_owned()).collect();
        let tables = vec![TableEntry::at(TableNo::new(1), "/dev/a", "dgt", &Watch::default())];
        Entry::Planned(Box::new(Plan { tables, languages, ..Plan::default() }))
    };
    let resumed = |works: &mut Works| {
        let body = serde_json::json!({"table": 1, "kind": "fifty"});
        let request = Request::read("claim_check", body, "Ana");
        let mut out = Vec::new();
        works.enter(Moment::ZERO, &Entry::Request(request), &mut out);
        let mut answers = out.into_iter().filter_map(|act| match act {
            Act::Answered(_, answer) => Some(answer.unwrap_err()),
            _ => None,
        });
        works.texts().text(&answers.next_back().unwrap()).in_language("es").to_owned()
    };
    works.enter(Moment::ZERO, &plan(&["es"]), &mut Vec::new());
    assert_eq!(resumed(&mut works), "no hay ninguna partida en curso en esta mesa");
    works.enter(Moment::ZERO, &plan(&[]), &mut Vec::new());
    assert_eq!(resumed(&mut works), "no game is in play at this table");
}
