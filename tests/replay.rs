//! What `adoubed replay` prints, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// The result of replaying a gesture script.
fn replayed(script: &str) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let path: PathBuf = directory.path().join("test.gestures");
    std::fs::write(&path, script).unwrap();
    let program = env!("CARGO_BIN_EXE_adoubed");
    Command::new(program).args(["replay", "--json"]).arg(&path).output().unwrap()
}

fn lines(script: &str) -> Vec<Value> {
    let output = replayed(script);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

#[test]
fn every_move_is_released_and_then_completed_the_mate_too() {
    let lines = lines("+3 f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v +3");
    let moves: Vec<_> = of_type(&lines, "move")
        .iter()
        .map(|line| {
            format!("{} {}", line["uci"].as_str().unwrap(), line["status"].as_str().unwrap())
        })
        .collect();
    let expected: Vec<_> = ["f2f3", "e7e5", "g2g4", "d8h4"]
        .iter()
        .flat_map(|uci| [format!("{uci} released"), format!("{uci} completed")])
        .collect();
    assert_eq!(moves, expected);
    let result = of_type(&lines, "result")[0];
    assert_eq!((&result["result"], &result["reason"]), (&"0-1".into(), &"checkmate".into()));
}

#[test]
fn what_was_due_in_a_silence_has_the_moment_it_was_due_at() {
    // Nothing is said for minutes after a knight's move that is released after a second.
    let lines = lines("+3 g1^ f3v +300 | +1");
    let released = of_type(&lines, "move")[0]["t"].as_f64().unwrap();
    let completed = of_type(&lines, "move")[1]["t"].as_f64().unwrap();
    assert!(completed - released > 290.0, "{released} and {completed}");
    let times: Vec<_> = lines.iter().map(|line| line["t"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn an_incident_brings_its_evidence_and_is_open_or_closed() {
    let lines = lines("+3 e2^ e4v | e7^ e5v | f1^ f6v | +5");
    let incidents = of_type(&lines, "incident");
    assert!(!incidents.is_empty());
    for incident in incidents {
        let state = incident["state"].as_str().unwrap();
        assert!(["open", "lapsed", "closed"].contains(&state), "{incident}");
        let seen = incident["evidence"].as_array().unwrap();
        let lift = seen.iter().find(|it| it["what"] == "lift").unwrap();
        assert_eq!((&lift["square"], &lift["piece"]), (&"f1".into(), &"B".into()));
        assert!(lift["at"].as_f64().unwrap() <= incident["t"].as_f64().unwrap());
    }
}

#[test]
fn a_script_with_an_impossible_position_ends_with_the_reason() {
    let output = replayed("# fen: 4k3/4Q3/8/8/8/8/4P3/4K3 w - - 0 1\n+3 e2^ e4v |");
    assert_eq!(output.status.code(), Some(65), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("test.gestures"), "{said}");
    assert!(said.contains("position"), "{said}");
}
