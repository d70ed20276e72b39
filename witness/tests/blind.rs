//! What a board tells that only senses occupied squares: every line that fits is followed, and
//! where more than one does, somebody is told.

mod common;

use common::{Told, play};
use witness::{Kind, Phase};

/// Without presses, as such boards have no clock.
fn seen(fen: &str, script: &str) -> Told {
    play(&format!("# sensing: occupancy\n# fen: {fen}\n+3 {script}"))
}

fn doubts(told: &Told) -> usize {
    told.table.incidents().filter(|incident| incident.kind == Kind::PositionToCheck).count()
}

/// The knight may take on b5 or on d5, and nothing shows on which: only the pawn that is left goes
/// on later.
const FORK: &str = "4k3/8/8/1p1p4/8/2N5/4P3/4K3 w - - 0 1";

#[test]
fn a_capture_nobody_saw_is_told_by_what_comes_after() {
    for (script, moves) in [
        ("c3^ d5v +4 b5^ b4v +4", "c3d5 b5b4"),
        ("c3^ b5v +4 d5^ d4v +4", "c3b5 d5d4"),
        ("c3^ d5v +4 e8^ d7v +4 d5^ f6v +4", "c3d5 e8d7 d5f6"),
        ("c3^ b5v +4 e8^ d7v +4 b5^ a7v +4", "c3b5 e8d7 b5a7"),
    ] {
        let told = seen(FORK, script);
        assert_eq!((told.moves().as_str(), doubts(&told)), (moves, 0), "{script}");
    }
}

#[test]
fn a_capture_nobody_saw_before_the_result_is_told_with_both_readings() {
    let told = seen(FORK, "c3^ d5v +4 e1^ e4v +0.6 e8^ d5v +5");
    assert_eq!(told.table.score().plies().len(), 1);
    assert_eq!(told.table.score().result(), "1-0");
    let doubt = told.table.incidents().find(|it| it.kind == Kind::PositionToCheck).unwrap();
    assert!(doubt.facts.fen.starts_with("4k3/8/8/1p1p4/8/2N5/4P3/4K3 w"), "{}", doubt.facts.fen);
    let mut lines = doubt.facts.candidates.clone();
    lines.sort();
    assert_eq!(lines, ["Nxb5", "Nxd5"]);
}

#[test]
fn a_captured_piece_that_was_lifted_leaves_no_doubt_before_the_result() {
    let told = seen(FORK, "c3^ +0.6 d5x +0.6 d5v +4 e1^ e4v +0.6 e8^ d5v +5");
    assert_eq!((told.moves().as_str(), doubts(&told)), ("c3d5", 0));
    assert_eq!(told.table.phase(), Phase::Ended);
}

#[test]
fn the_kings_walk_to_the_centre_is_no_move() {
    // Either king stands where its way to the sign is a legal move.
    let fen = "8/8/3k4/8/8/5K2/P7/8 w - - 0 1";
    let told = seen(fen, "a2^ a4v +4 f3^ e4v +0.6 d6^ d5v +5");
    assert_eq!((told.moves().as_str(), told.table.score().result()), ("a2a4", "1-0"));
    assert_eq!(doubts(&told), 0);
    // The king has moved there and stays there for the sign.
    let told = seen(fen, "f3^ e4v +4 d6^ d5v +5");
    assert_eq!((told.moves().as_str(), told.table.score().result()), ("f3e4", "1-0"));
}

#[test]
fn what_is_adjusted_is_no_move() {
    let told = seen(FORK, "c3x +0.5 c3=N +1 e2x +0.5 e2=P +1 e2^ e4v +4 d5^ +0.6 e4x d5v:p +4");
    assert_eq!(told.moves(), "e2e4");
    let told =
        seen(FORK, "c3x +0.5 c3=N +1 e2x +0.5 e2=P +1 e2^ e4v +4 d5^ +0.6 e4x +0.6 e4v:p +4");
    assert_eq!((told.moves().as_str(), doubts(&told)), ("e2e4 d5e4", 0));
}

#[test]
fn an_answer_within_one_scan_is_two_moves() {
    let told = seen(FORK, "e2^ e4v d5^ +0.05 e4x +0.05 e4v:p +4 c3^ +0.6 e4x +0.6 e4v:N +4");
    assert_eq!((told.moves().as_str(), doubts(&told)), ("e2e4 d5e4 c3e4", 0));
}

#[test]
fn a_first_move_that_is_taken_back_is_none() {
    let told = seen(FORK, "e2^ e4v +2 e4^ e2v +25");
    assert_eq!((told.moves().as_str(), told.announced().as_str()), ("", "1 !1"));
}
