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

/// The whole game on a board that sees no pieces, told without a doubt.
fn game_on_a_blind_board(script: &str) -> String {
    let lines = lines(&format!("# sensing: occupancy\n{script}"));
    assert!(of_type(&lines, "incident").is_empty(), "{lines:?}");
    assert!(of_type(&lines, "phase").iter().all(|line| line["phase"] != "adrift"), "{lines:?}");
    of_type(&lines, "score").last().unwrap()["uci"].as_str().unwrap().to_owned()
}

#[test]
fn a_board_that_sees_no_pieces_tells_captures_in_both_orders_and_castling() {
    let scandinavian = "+3 e2^ e4v | d7^ d5v |";
    let with_own_piece_first = "e4^ +0.6 d5x +0.6 d5v |";
    let with_the_other_first = "d8^ +0.6 d5x +0.6 d5v |";
    for white in [with_own_piece_first, "d5x +0.6 e4^ +0.6 d5v |"] {
        for black in [with_the_other_first, "d5x +0.6 d8^ +0.6 d5v |"] {
            let script = format!(
                "{scandinavian} {white} {black} g1^ f3v | c8^ g4v | f1^ e2v | b8^ c6v |
                 e1^ g1v h1^ f1v | e8^ c8v a8^ d8v | +3"
            );
            let game = game_on_a_blind_board(&script);
            let expected = "e2e4 d7d5 e4d5 d8d5 g1f3 c8g4 f1e2 b8c6 e1g1 e8c8";
            assert_eq!(game, expected, "{script}");
        }
    }
}

#[test]
fn a_board_that_sees_no_pieces_tells_en_passant_and_promotion() {
    let en_passant = "# fen: 4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1\n+3 d7^ d5v |";
    for capture in ["e5^ d6v d5x |", "d5x e5^ d6v |", "e5^ d5x d6v |"] {
        let game = game_on_a_blind_board(&format!("{en_passant} {capture} e8^ d7v | +3"));
        assert_eq!(game, "d7d5 e5d6 e8d7", "{capture}");
    }
    let seventh = "# fen: 1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1\n+3";
    for (promotion, expected) in [
        ("a7x a8=Q |", "a7a8q e8d7"),
        ("a7^ a8v a8x a8=Q |", "a7a8q e8d7"),
        ("b8x a7x b8=Q |", "a7b8q e8e7"),
    ] {
        let king = &expected[expected.len() - 2..];
        let game = game_on_a_blind_board(&format!("{seventh} {promotion} e8^ {king}v | +3"));
        assert_eq!(game, expected, "{promotion}");
    }
}

/// What a pawn became is not seen: a queen is written until a move tells of another piece.
#[test]
fn a_board_that_sees_no_pieces_tells_underpromotion_by_the_next_move_of_the_piece() {
    let script = "# sensing: occupancy\n# fen: 4k3/P7/8/8/8/8/7P/4K3 w - - 0 1\n\
                  +3 a7x a8=N | e8^ d7v | a8^ b6v | +3";
    let lines = lines(script);
    assert!(of_type(&lines, "incident").is_empty(), "{lines:?}");
    assert_eq!(of_type(&lines, "move")[0]["uci"], "a7a8q");
    assert_eq!(of_type(&lines, "score").last().unwrap()["uci"], "a7a8n e8d7 a8b6");
}

#[test]
fn tables_of_one_script_are_played_at_once_and_each_by_its_own_headers() {
    let lines =
        lines("+3 e2^ e4v |\n# table: 2\n# fen: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n+4 e1^ f1v |");
    let moves: Vec<_> = of_type(&lines, "move")
        .iter()
        .map(|it| format!("{} {} {}", it["table"], it["uci"], it["status"]))
        .collect();
    let expected = [
        "1 \"e2e4\" \"released\"",
        "2 \"e1f1\" \"released\"",
        "1 \"e2e4\" \"completed\"",
        "2 \"e1f1\" \"completed\"",
    ];
    assert_eq!(moves, expected);
    for (script, problem) in [
        ("e2^ e4v |\n# table: 1\ne2^ e4v |", "line 2, `# table: 1`: wanted another table"),
        ("e2^ e4v |\n# table: two\n", "line 2, `# table: two`: wanted another table"),
        ("e2^ e4v |\n# table: 2\n\ne5^", "line 4, `e5^`"),
        ("e2^ e4v |\n# table: 2\nline:out +1 line:in", "line:out can be played at table 1 only"),
    ] {
        let output = replayed(script);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(problem), "{said}");
        assert_eq!(output.status.code(), Some(65), "{said}");
    }
}

#[test]
fn a_time_control_may_be_left_untold_and_a_wrong_one_is_refused_with_what_is_right() {
    let with = |control: &str| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.gestures");
        std::fs::write(&path, "# clock: 180+2\n+3 e2^ e4v | e7^ e5v | +2").unwrap();
        let program = env!("CARGO_BIN_EXE_adoubed");
        let arguments = ["replay", "--json", "--time-control", control];
        Command::new(program).args(arguments).arg(&path).output().unwrap()
    };
    for (control, alerts) in [("?", 0), ("", 0), ("180+2", 0), ("300", 1)] {
        let output = with(control);
        assert!(output.status.success(), "{control}: {output:?}");
        let settings = String::from_utf8(output.stdout).unwrap().matches("clock_setting").count();
        assert_eq!(settings.min(1), alerts, "{control}");
    }
    let refused = with("300+3d");
    assert_eq!(refused.status.code(), Some(64));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("+d3 (delay)"));
}

/// How long the moves took by our own clock, to the second, as PGN has it.
fn taken(script: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let path: PathBuf = directory.path().join("test.gestures");
    std::fs::write(&path, script).unwrap();
    let program = env!("CARGO_BIN_EXE_adoubed");
    let output = Command::new(program).args(["replay", "--pgn"]).arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().replace('\n', " ");
    let times = text.split("[%emt ").skip(1);
    times.map(|rest| rest.split(']').next().unwrap().to_owned()).collect()
}

/// While the clock is away nothing tells when a move was completed but the next one of the same
/// player, a whole turn later.
#[test]
fn moves_take_as_long_as_they_did_while_the_clock_is_away() {
    let script = "# time_control: 900+10\n+4 e2^ e4v | +3 e7^ e5v | +3 clock:out g1^ f3v | \
                  +3 b8^ c6v | +30 f1^ b5v | +30 a7^ a6v | +30 b5^ a4v | +3 clock:in \
                  +3 g8^ f6v | +5";
    let taken = taken(script);
    let seconds: Vec<u32> = taken.iter().map(|it| it[it.len() - 2..].parse().unwrap()).collect();
    // What the hands took: the pause, a second or two for the move and the press.
    let hands = [4, 3, 3, 3, 30, 30, 30, 6];
    assert_eq!(seconds.len(), hands.len(), "{taken:?}");
    for (reported, hands) in seconds.iter().zip(hands) {
        assert!((hands..=hands + 3).contains(reported), "{taken:?}");
    }
}

/// A reply that stands there just before the press does not shorten the move.
#[test]
fn a_reply_a_tempo_leaves_the_move_before_its_press() {
    let slow = taken("+4 e2^ e4v | +10 e7^ e5v +1 | +5 g1^ f3v | +5");
    let tempo = taken("+4 e2^ e4v | +10 e7^ e5v g1^ f3v +0.2 |b +5 |w +5");
    assert_eq!(slow[..2], tempo[..2], "{slow:?} {tempo:?}");
}
