//! A record that version 0.1.0 wrote when requests were recorded as they came, every verb among
//! them, and what that version made of it.

use std::path::Path;

use adoubed::entry::Entry;
use adoubed::record::recording::{self, Wanted};
use adoubed::requests::VERBS;
use adoubed::{papers::decisions, record::journal};
use serde_json::Value;

fn old(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/old").join(name)
}

/// A key that says nothing may be left out.
fn without_nothing(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            keys.retain(|_, it| !it.is_null());
            keys.values_mut().for_each(without_nothing);
        }
        Value::Array(all) => all.iter_mut().for_each(without_nothing),
        _ => {}
    }
}

#[test]
fn an_old_record_says_what_it_said() {
    let segment = old("journal-000001-2026-11-20.log");
    let read = recording::read_all(&[segment], &Wanted::default()).unwrap();
    let expected = std::fs::read_to_string(old("decisions.jsonl")).unwrap();
    let lines = |text: &str| -> Vec<Value> {
        let read = text.lines().map(|line| serde_json::from_str(line).unwrap());
        read.map(|mut line| {
            without_nothing(&mut line);
            line
        })
        .collect()
    };
    let replayed: Vec<_> =
        decisions::of(&read[0]).iter().map(|it| serde_json::to_string(it).unwrap()).collect();
    let (replayed, expected) = (lines(&replayed.join("\n")), lines(&expected));
    for (replayed, expected) in replayed.iter().zip(&expected) {
        assert_eq!(replayed, expected);
    }
    assert_eq!(replayed.len(), expected.len());
    let asked = |verb: &str| expected.iter().any(|line| line["verb"] == *verb);
    // The record is older than these.
    let later = ["configure", "correct_score", "undo"];
    let then = VERBS.iter().filter(|verb| !later.contains(verb));
    assert!(then.into_iter().all(|verb| asked(verb)), "each verb stands in it");
}

#[test]
fn what_is_read_from_it_is_written_and_read_again_unchanged() {
    let content = journal::read_all(&old("journal-000001-2026-11-20.log")).unwrap();
    assert!(content.missing().is_empty());
    let requests = content.records.iter().filter(|(_, it)| matches!(it, Entry::Request(_)));
    assert_eq!(requests.count(), 30, "even what could not be understood");
    let again: Vec<u8> =
        content.records.iter().flat_map(|record| journal::encode(record).unwrap()).collect();
    assert_eq!(journal::content(&again, 0).records, content.records);
}
