//! Articles 5.2.2 and 6.9: who can still mate. What is expected of the positions here follows from
//! the Laws, the reason stands beside it.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "reads questions from a file")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, Role, Setup,
    Square,
};
use witness::unwinnable::{Analysis, Effort, Mate, Verdict, analyse};

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    setup
        .position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap()
}

/// The verdict, its proof played over.
fn verdict(position: &Chess, winner: Color, effort: Effort) -> Option<bool> {
    match analyse(position, winner, effort) {
        Verdict::Winnable(line) => {
            let mut at = position.clone();
            for mv in line {
                at = at.play(mv).unwrap();
            }
            assert!(at.is_checkmate() && at.turn() != winner, "not a mate by {winner}: {at:?}");
            Some(true)
        }
        Verdict::Unwinnable => Some(false),
        Verdict::Undetermined => None,
    }
}

/// Each position with whether White and whether Black can mate.
fn expect(positions: &[(&str, bool, bool)]) {
    for (fen, white, black) in positions {
        let position = position(fen);
        for (winner, can) in [(Color::White, *white), (Color::Black, *black)] {
            assert_eq!(verdict(&position, winner, Effort(300_000)), Some(can), "{winner}: {fen}");
        }
    }
}

#[test]
fn material_that_cannot_mate() {
    expect(&[
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", false, false),
        ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", false, false),
        ("8/8/4kb2/8/8/4KB2/8/8 w - - 0 1", true, true),
        // Both bishops on light squares.
        ("8/8/4k1b1/8/8/4KB2/8/8 w - - 0 1", false, false),
        ("2b1k1b1/8/8/8/8/4KB2/8/8 w - - 0 1", false, false),
        // Two knights mate a king who helps, and one mates a king shut in by his own piece.
        ("8/8/4k3/8/8/4KNN1/8/8 w - - 0 1", true, false),
        ("8/8/4kn2/8/8/4KN2/8/8 w - - 0 1", true, true),
        ("8/8/4kr2/8/8/4KN2/8/8 w - - 0 1", true, true),
        ("kb6/8/4K3/8/4N3/8/8/8 w - - 0 1", true, true),
        // A queen beside her king attacks the knight's square.
        ("8/8/4kq2/8/8/4KN2/8/8 w - - 0 1", false, true),
        ("8/8/4kr2/8/8/4KB2/8/8 w - - 0 1", false, true),
        ("8/8/4kq2/8/8/4KB2/8/8 w - - 0 1", false, true),
        ("8/8/8/8/4n3/8/4K3/kB6 w - - 0 1", true, true),
    ]);
}

#[test]
fn pawns_promote_or_stand_in_their_kings_way() {
    expect(&[
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", true, false),
        ("8/4p3/4k3/8/8/4K3/8/6N1 w - - 0 1", true, true),
        ("8/4p3/4k3/8/8/4K3/8/6B1 w - - 0 1", true, true),
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", true, true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, true),
    ]);
}

#[test]
fn walls_of_pawns_that_no_king_can_pass() {
    expect(&[
        // Each pawn guards the two squares beside the pawn that blocks it.
        ("8/8/2k5/p1p1p1p1/P1P1P1P1/1K6/8/8 w - - 0 1", false, false),
        // Without the pawns on g the kings go round.
        ("8/8/2k5/p1p1p3/P1P1P3/1K6/8/8 w - - 0 1", true, true),
        // A bishop that sees no pawn changes nothing; one that sees them does.
        ("8/8/2k5/p1p1p1p1/P1P1P1P1/1K6/8/2B5 w - - 0 1", true, true),
        ("8/8/2k5/p1p1p1p1/P1P1P1P1/1K6/8/3B4 w - - 0 1", false, false),
    ]);
}

#[test]
fn only_an_en_passant_capture_opens_the_wall() {
    expect(&[
        ("8/3k4/5p2/p1p1pPp1/P1P1P1P1/4K3/8/8 w - - 0 1", false, false),
        ("8/3k4/5p2/p1p1pPp1/P1P1P1P1/4K3/8/8 w - g6 0 1", true, true),
    ]);
}

#[test]
fn forced_moves_leave_no_choice() {
    expect(&[
        // The only move takes the last pawn.
        ("7k/7P/5K2/8/8/8/8/8 b - - 0 1", false, false),
        // The only move takes the queen.
        ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", false, false),
        // Stalemate: the game is over, whatever stands there.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false),
        // It is mate already, by White.
        ("7k/6Q1/6K1/8/8/8/7r/8 b - - 0 1", true, false),
    ]);
    assert_eq!(
        analyse(&position("7k/6Q1/6K1/8/8/8/7r/8 b - - 0 1"), Color::White, Effort(0)),
        Verdict::Winnable(Vec::new())
    );
}

#[test]
fn a_dead_position_is_one_that_neither_can_win() {
    let mates =
        |fen: &str| Color::ALL.map(|winner| analyse(&position(fen), winner, Effort::QUICK).mate());
    assert_eq!(mates("8/8/2k5/p1p1p1p1/P1P1P1P1/1K6/8/8 w - - 0 1"), [Mate::Impossible; 2]);
    assert!(mates("8/8/4kq2/8/8/4KN2/8/8 w - - 0 1").contains(&Mate::Possible));
    assert!(mates("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1").contains(&Mate::Possible));
}

#[test]
fn a_question_can_be_put_aside_and_taken_up_again() {
    let position = position("8/4p3/4k3/8/8/4K3/8/6N1 w - - 0 1");
    let at_once = analyse(&position, Color::White, Effort(50_000));
    let mut in_steps = Analysis::new(&position, Color::White);
    assert_eq!(in_steps.verdict(), Verdict::Undetermined);
    while in_steps.verdict() == Verdict::Undetermined && in_steps.spent() < 50_000 {
        let before = in_steps.spent();
        in_steps.advance(Effort(10));
        // No position has more than 218 moves; the analysis of reach is counted for each.
        assert!(in_steps.spent() - before < 10 + 218 * 10);
    }
    assert_eq!(in_steps.verdict(), at_once);
}

/// Looks at everything in order, until mate or until nothing is left; `None` when it is too much.
fn by_force(start: &Chess, winner: Color, most: usize) -> Option<bool> {
    let key = |at: &Chess| Fen::from_position(at, EnPassantMode::Legal).to_string();
    let bare = |at: &Chess| key(at).split(' ').take(4).collect::<Vec<_>>().join(" ");
    let mut seen = BTreeSet::from([bare(start)]);
    let mut layer = vec![start.clone()];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for at in layer {
            if at.is_checkmate() && at.turn() != winner {
                return Some(true);
            }
            for mv in at.legal_moves() {
                let child = at.clone().play(mv).unwrap();
                if seen.insert(bare(&child)) {
                    next.push(child);
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        layer = next;
    }
    Some(false)
}

/// A wall of pawns with perhaps a gap, kings and a few pieces: positions of which many can be
/// looked at to the end.
fn walled() -> impl Strategy<Value = Chess> {
    let pieces = prop::collection::vec((0u32..64, 0usize..5, any::<bool>()), 0..2);
    (any::<u8>(), 0u32..64, 0u32..64, pieces, any::<bool>()).prop_filter_map(
        "not a legal position",
        |(files, white, black, pieces, turn)| {
            let mut setup = Setup::empty();
            setup.turn = Color::from_white(turn);
            for (square, role, color) in pieces {
                let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
                let piece = roles[role].of(Color::from_white(color));
                setup.board.set_piece_at(Square::new(square), piece);
            }
            for file in Bitboard(u64::from(files | 0x54)) {
                let (fourth, fifth) = (file.offset(24).unwrap(), file.offset(32).unwrap());
                setup.board.set_piece_at(fourth, Role::Pawn.of(Color::White));
                setup.board.set_piece_at(fifth, Role::Pawn.of(Color::Black));
            }
            setup.board.set_piece_at(Square::new(white), Role::King.of(Color::White));
            setup.board.set_piece_at(Square::new(black), Role::King.of(Color::Black));
            setup.position(CastlingMode::Standard).ok()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40, failure_persistence: None, ..Default::default()
    })]

    #[test]
    fn it_agrees_with_looking_at_everything(position in walled()) {
        for winner in Color::ALL {
            let forced = by_force(&position, winner, 3_000);
            if let (Some(known), Some(said)) = (forced, verdict(&position, winner, Effort(4_000))) {
                prop_assert_eq!(known, said, "{}: {:?}", winner, position);
            }
        }
    }
}

/// Questions whose answers are published, where they are at hand.
#[test]
fn it_is_never_wrong_about_published_positions() {
    let data = std::env::var_os("ADOUBED_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    );
    let path = data.join("unwinnable/test-vector.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("SKIPPED: no published positions at {}", path.display());
        return;
    };
    let (mut asked, mut decided) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (answers, fen) = line.split_at(3);
        let position = position(fen);
        for (winner, answer) in Color::ALL.into_iter().zip(answers.chars()) {
            let said = verdict(&position, winner, Effort(1_000));
            assert!(said.is_none_or(|said| said == (answer != '-')), "{winner}: {line}");
            asked += 1;
            decided += u32::from(said.is_some());
        }
    }
    println!("{decided} of {asked} decided with 1000 nodes");
    assert!(decided * 10 >= asked * DECIDED_OF_TEN, "only {decided} of {asked}");
}

/// Of ten published questions at least so many are decided with very little effort.
const DECIDED_OF_TEN: u32 = 7;
