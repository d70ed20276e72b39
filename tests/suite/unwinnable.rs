//! `adoubed unwinnable` from outside: every line of a file is answered or refused by its number.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn asked(questions: &[u8]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_adoubed"));
    program.arg("unwinnable").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().unwrap();
    program.stdin.take().unwrap().write_all(questions).unwrap();
    program.wait_with_output().unwrap()
}

fn verdicts(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn a_line_that_is_refused_is_named_and_the_others_are_answered() {
    let questions = b"# king and rook; then no FEN, no kings, no text; then a bare king\n\
        6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1\n\
        nonsense\n\
        8/8/8/8/8/8/8/8 w - - 0 1\n\
        \xff\xfe\n\
        8/8/8/8/8/4k3/8/4K3 w - - 0 1 white\n";
    let output = asked(questions);
    assert_eq!(verdicts(&output), ["winnable", "unwinnable"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let named = |number: u32| said.contains(&format!("standard input:{number}: "));
    assert!(named(3) && named(4) && named(5) && !named(2) && !named(6), "{said}");
    assert!(said.contains("3 of 5 lines refused"), "{said}");
    assert_eq!(output.status.code(), Some(65));
}

#[test]
fn composed_positions_are_answered_and_all_answered_is_success() {
    // Nine queens beside eight pawns; a knight and a pawn giving check together.
    let questions = b"7k/8/8/8/QQQQQQQQ/8/PPPPPPPP/Q3K3 b - - 0 1 white\n\
        4k3/3P4/5N2/8/8/8/8/4K3 b - - 0 1 white\n";
    let output = asked(questions);
    assert_eq!(verdicts(&output), ["winnable", "winnable"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
