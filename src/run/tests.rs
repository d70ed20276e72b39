//! What a run records at its start and at the end of a day.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use eboard::Moment;
use serde_json::json;
use witness::{LineNo, TableNo};

use super::Run;
use super::assemble::{recall, resume};
use crate::analyst::Analyst;
use crate::config::{Config, Table};
use crate::entry::{Entry, LineId};
use crate::mqtt::client::Incoming;
use crate::mqtt::snapshot::{Message, Snapshot};
use crate::mqtt::speaker::Speaker;
use crate::record::journal::{self, Journal, Record};
use crate::requests::Request;
use crate::spare::{Left, Own};
use crate::time_sheet::{self, Cause};
use crate::{lines::virtual_line, time};

const PORT: &str = "virtual";
const HALF_HOUR: Duration = Duration::from_secs(1800);
const LONG_AGO: &str = "2000.01.01";
const HOUR: i64 = 3600 * 1_000_000;

fn config() -> Config {
    let driver = Some("dgt".to_owned());
    let table =
        Table { number: TableNo::new(1), port: Some(PORT.to_owned()), driver, ..Table::default() };
    Config { table: vec![table], ..Config::default() }
}

fn begun(directory: &Path, snapshot: &Arc<Snapshot>) -> Run {
    let kept = recall(directory, HALF_HOUR, true).unwrap();
    let journal = Journal::open(directory, LONG_AGO, Duration::from_millis(5)).unwrap();
    let destinations = (Arc::clone(snapshot), Arc::default());
    let speaker = Speaker::alone("boot".to_owned());
    let own = Own { speaker, left: Left::default(), taken: None };
    resume(kept, &config(), (journal, None), destinations, (None, Analyst::deaf()), own)
}

fn opened() -> Entry {
    Entry::Opened(LineNo::new(1), LineId::at(PORT))
}

fn heard(script: &str) -> Vec<Record> {
    let script = rehearsal::parse(script).unwrap();
    virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1))
}

fn play(run: &mut Run, script: &str) {
    let begin = run.works.now();
    run.enter(begin, opened());
    for (at, entry) in heard(script) {
        run.enter(begin + at.since(Moment::ZERO), entry);
    }
    run.works.advance(run.works.now() + Duration::from_secs(9), &mut Vec::new());
}

fn kinds(records: &[Record]) -> Vec<&'static str> {
    let kind = |(_, entry): &Record| match entry {
        Entry::Planned(_) => "planned",
        Entry::Wall(_) => "wall",
        Entry::Opened(..) => "opened",
        Entry::Bytes(..) => "bytes",
        Entry::Shed(..) => "shed",
        Entry::Closed(_) => "closed",
        Entry::Request(_) => "request",
        Entry::Answered(_) => "answered",
        Entry::Delayed(_) => "delayed",
    };
    records.iter().map(kind).collect()
}

#[test]
fn lines_are_closed_where_the_record_stopped_and_not_where_it_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let flush = Duration::from_millis(5);
    let mut journal = Journal::open(directory.path(), LONG_AGO, flush).unwrap();
    let hour_ago = time::wall_now().as_micros() - HOUR;
    let stopped = Moment::from_micros(1_500_000);
    journal.append(Moment::ZERO, Entry::Planned(Box::new(config().plan())));
    journal.append(Moment::ZERO, Entry::Wall(hour_ago));
    journal.append(stopped, opened());
    journal.close();

    let run = begun(directory.path(), &Arc::default());
    run.journal.close();
    let segment = journal::segments(directory.path()).unwrap().remove(0);
    let records = journal::read_all(&segment).unwrap().records.split_off(3);
    assert_eq!(kinds(&records), ["closed", "wall", "planned"]);
    assert_eq!(records[0].0, stopped);
    let passed = records[1].0.since(Moment::ZERO);
    assert!((3600..3660).contains(&passed.as_secs()), "{passed:?}");
}

#[test]
fn a_segment_begun_in_a_pause_between_games_stands_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = begun(directory.path(), &Arc::default());
    play(&mut run, "~ +5");
    assert!(run.is_idle(), "the pieces are set up and nothing has moved");
    assert_eq!(run.works.hall().table(TableNo::new(1)).unwrap().game_number().get(), 1);
    run.note_time_of_day();
    assert_ne!(run.journal.day(), LONG_AGO);
    run.journal.close();

    let segments = journal::segments(directory.path()).unwrap();
    assert_eq!(segments.len(), 2);
    let records = journal::read_all(&segments[1]).unwrap().records;
    assert_eq!(kinds(&records), ["wall", "planned", "closed", "opened"]);
    std::fs::remove_file(&segments[0]).unwrap();
    let works = recall(directory.path(), HALF_HOUR, true).unwrap().memory.works;
    assert!(works.line(LineNo::new(1)).is_some());
    assert_eq!(
        works.seats().games,
        [(TableNo::new(1), 1)].into(),
        "the next game has another number"
    );
}

#[test]
fn no_segment_begins_while_a_game_is_in_play() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = begun(directory.path(), &Arc::default());
    play(&mut run, "+5 e2^ e4v |");
    assert_eq!(run.works.hall().table(TableNo::new(1)).unwrap().score().plies().len(), 1);
    assert!(!run.is_idle());
    run.note_time_of_day();
    assert_eq!(run.journal.day(), LONG_AGO);
}

#[test]
fn an_adjourned_game_keeps_its_segment_over_days_and_restarts() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = begun(directory.path(), &Arc::default());
    play(&mut run, "+5 e2^ e4v | +1 ~");
    let body = json!({"table": 1, "place": "Hall"});
    let request = Request::read("adjourn", body, "Ann");
    run.enter(run.works.now(), Entry::Request(request));
    run.note_time_of_day();
    assert_eq!(run.journal.day(), LONG_AGO);
    run.journal.close();
    let kept = recall(directory.path(), HALF_HOUR, true).unwrap();
    let adjournment =
        kept.memory.works.hall().table(TableNo::new(1)).unwrap().adjournment().unwrap();
    assert_eq!(adjournment.place, "Hall");
    assert_eq!(kept.day(directory.path()).unwrap(), LONG_AGO);
}

#[test]
fn the_time_sheet_is_written_while_it_runs_and_stands_again_after_a_crash() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = begun(directory.path(), &Arc::default());
    play(&mut run, "# time_control: 7200\n+5 e2^ e4v | +3660 e7^ e5v |");
    let rows = run.sheet.of(TableNo::new(1)).to_vec();
    let score = run.works.hall().table(TableNo::new(1)).unwrap().score();
    let replied = score.plies()[1].completed.unwrap();
    // An hour and a minute contain two or three full half hours.
    assert!((2..=3).contains(&rows.len()), "{rows:?}");
    for row in &rows {
        let minute = row.at.unwrap().as_micros() / 60_000_000;
        // A half hour may be full just after the reply, whatever the time of day is now.
        let moves = [1, u32::from(row.moment >= replied)];
        assert_eq!((row.cause, row.moves, minute % 30), (Cause::Hour, moves, 0));
    }
    assert_eq!(run.sheet.take_changed(), [TableNo::new(1)].into());
    run.journal.close();
    let kept = recall(directory.path(), HALF_HOUR, true).unwrap();
    assert_eq!(kept.memory.sheet.of(TableNo::new(1)), rows);
    let segment = journal::segments(directory.path()).unwrap().remove(0);
    assert_eq!(time_sheet::rows(&journal::read_all(&segment).unwrap().records, HALF_HOUR), rows);
}

#[test]
fn a_request_that_is_too_long_is_answered_and_not_kept() {
    let directory = tempfile::tempdir().unwrap();
    let snapshot = Arc::<Snapshot>::default();
    let mut run = begun(directory.path(), &snapshot);
    let body = json!({"transaction": "t", "table": 1, "note": "x".repeat(16 * 1024)});
    run.request(Incoming {
        verb: "flip".to_owned(),
        payload: body.to_string().into_bytes(),
        user: None,
        response_topic: Some("here".to_owned()),
        correlation: None,
    });
    run.publish();
    run.journal.close();
    let mut replies = Vec::new();
    while let Some(message) = snapshot.take() {
        if let Message::Reply(reply) = message {
            replies.push(serde_json::from_slice::<serde_json::Value>(&reply.payload).unwrap());
        }
    }
    let [reply] = &replies[..] else { panic!("{replies:?}") };
    assert_eq!((&reply["status"], &reply["transaction"]), (&json!("error"), &json!("t")));
    let segment = journal::segments(directory.path()).unwrap().remove(0);
    assert!(!kinds(&journal::read_all(&segment).unwrap().records).contains(&"request"));
}

#[test]
fn an_external_broker_leaves_it_to_the_request_to_name_the_arbiter() {
    let directory = tempfile::tempdir().unwrap();
    let run = begun(directory.path(), &Arc::default());
    assert_eq!(run.person(None, &json!({"arbiter": "Claire"})), "Claire");
    assert_eq!(run.person(None, &json!({"arbiter": ""})), "arbiter");
    assert_eq!(run.person(None, &json!(7)), "arbiter");
    run.journal.close();
}

#[test]
fn who_asks_is_one_short_line_in_log_and_record() {
    let directory = tempfile::tempdir().unwrap();
    let run = begun(directory.path(), &Arc::default());
    let person = |name: serde_json::Value| run.person(None, &json!({ "arbiter": name }));
    assert_eq!(person(json!("Zoë Žarko")), "Zoë Žarko");
    assert_eq!(person(json!("Ann\n2026 INFO Bob\r\u{1b}[2J\u{85}")), "Ann2026 INFO Bob[2J");
    assert_eq!(person(json!("x".repeat(1000))), "x".repeat(64));
    assert_eq!(person(json!("é".repeat(65))).chars().count(), 64);
    for nobody in [json!(""), json!("\n\0"), json!(7), json!(null)] {
        assert_eq!(person(nobody), "arbiter");
    }
}
