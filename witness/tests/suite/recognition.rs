//! Every way a hand makes a legal move becomes that move, and nothing else does.

use crate::common::{Record, play, play_answered, play_through};
use eboard::{Placement, Sighting};
use shakmaty::{Color, Square};
use witness::laws::rate::Rate;
use witness::{Confidence, Gap, Kind, Phase, Settings, Status};

#[track_caller]
fn becomes(script: &str, moves: &str) -> Record {
    let record = play(script);
    assert_eq!(record.moves(), moves, "announced {}", record.announced());
    assert_eq!(record.kinds(), Vec::<&str>::new());
    record
}

#[test]
fn a_quiet_move_is_released_and_then_completed() {
    let record = becomes("e2^ e4v | e7^ e5v", "e2e4 e7e5");
    let plies = record.table.score().plies();
    assert_eq!(plies[0].status, Status::Completed);
    assert_eq!(plies[1].status, Status::Released);
    assert_eq!(plies[0].confidence, Confidence::Seen);
    assert_eq!(plies[0].clock.map(|face| face.to_string()).as_deref(), Some("1:30:58"));
}

#[test]
fn captures_in_any_order() {
    let opening = "e2^ e4v | d7^ d5v |";
    // The captured piece first, the capturing piece first, both in the hand, replaced directly.
    for capture in ["d5^ e4^ d5v:P", "e4^ d5^ d5v:P", "e4^ d5v", "d5x e4^ d5v"] {
        becomes(&format!("{opening} {capture} |"), "e2e4 d7d5 e4d5");
    }
}

#[test]
fn a_slide_through_legal_squares_is_one_move() {
    let record = becomes("# fen: 4k3/4p3/8/8/8/8/8/R3R1K1 w - - 0 1\n e1>e6 e6^ e7v |", "e1e7");
    assert_eq!(record.table.score().plies().len(), 1);
    // Resting half a second on the way shows Re3 for a moment; the press never sees it.
    becomes("# fen: 4k3/4p3/8/8/8/8/8/R3R1K1 w - - 0 1\n e1^ e3v +0.6 e3^ e7v |", "e1e7");
}

#[test]
fn castling_by_king_by_rook_or_both_at_once() {
    let fen = "# fen: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n";
    for (castling, uci) in [
        ("e1^ g1v h1^ f1v |", "e1g1"),
        ("h1^ f1v +2 e1^ g1v |", "e1g1"),
        ("e1^ h1^ g1v:K f1v:R |", "e1g1"),
        ("e1^ c1v a1^ d1v |", "e1c1"),
        ("e1^ c1v +3 a1^ d1v |", "e1c1"),
    ] {
        becomes(&format!("{fen} {castling}"), uci);
    }
}

#[test]
fn en_passant_with_the_pawn_taken_before_or_after() {
    let fen = "# fen: 4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1\n d7^ d5v |";
    becomes(&format!("{fen} e5^ d6v d5x |"), "d7d5 e5d6");
    becomes(&format!("{fen} d5x e5^ d6v |"), "d7d5 e5d6");
    becomes(&format!("{fen} e5^ d6v +3 d5x |"), "d7d5 e5d6");
}

#[test]
fn promotion_with_pawn_or_piece_first_and_a_late_queen() {
    let fen = "# fen: 6k1/P6p/8/8/8/8/8/4K3 w - - 0 1\n";
    becomes(&format!("{fen} a7^ a8v a8x a8=Q |"), "a7a8q");
    becomes(&format!("{fen} a7^ a8=Q |"), "a7a8q");
    becomes(&format!("{fen} a8=N a7x |"), "a7a8n");
    becomes(&format!("{fen} a7^ +30 a8=R |"), "a7a8r");
}

#[test]
fn a_reply_before_the_press() {
    let record = becomes("e2^ e4v e7^ e5v |w +0.5 |b", "e2e4 e7e5");
    let completed = record.table.score().plies().iter().all(|ply| ply.status == Status::Completed);
    assert!(completed);
    // Even when the first move was one that could have gone on.
    becomes("e2^ e3v +0 e7^ e5v |w", "e2e3 e7e5");
}

#[test]
fn a_move_taken_back_before_the_press_was_none() {
    let record = becomes("g1^ f3v +2 f3^ g1v +2 e2^ e4v |", "e2e4");
    assert!(record.table.score().rev() > 0);
}

#[test]
fn a_piece_put_straight_is_no_move() {
    becomes("e1^ e1v +1 d1^ d1v +1 e2^ e4v | ", "e2e4");
}

#[test]
fn two_moves_seen_at_once_are_inferred() {
    // Lifts and puts of both sides before the board has shown any whole position.
    let record = becomes("e2^ e7^ e5v:p e4v:P +2", "e2e4 e7e5");
    let inferred = record.table.score().plies().iter().map(|ply| ply.confidence);
    assert!(inferred.into_iter().all(|confidence| confidence == Confidence::Inferred));
}

#[test]
fn what_several_orders_explain_is_shown_as_doubt() {
    // 1. e3 e5 2. d3 or 1. d3 e5 2. e3: nobody can know, but the position is the same.
    let record = play("e2^ d2^ e7^ e5v:p e3v:P d3v:P +8 g8^ f6v +2");
    assert_eq!(record.kinds(), ["position_to_check"]);
    assert_eq!(record.table.incidents().count(), 1, "no later move can tell either");
    assert_eq!(record.table.phase(), Phase::InPlay);
    assert_eq!(record.table.score().plies().len(), 4);
    let incident = record.raised()[0];
    assert_eq!(incident.facts.candidates, ["d3 e5 e3", "e3 e5 d3"]);
    let inferred = record.table.score().plies()[..3].iter();
    assert!(inferred.into_iter().all(|ply| ply.confidence == Confidence::Inferred));
}

#[test]
fn the_kings_in_the_centre_end_the_game_and_are_no_moves() {
    let record = becomes("e2^ e4v | e7^ e5v | ~ e1^ d4v +0.5 e8^ e5v +3", "e2e4 e7e5");
    assert_eq!(record.table.score().result(), "0-1");
    assert_eq!(record.table.phase(), Phase::Ended);
    // From next to the centre the first trip is a legal move, and still none.
    let record = becomes(
        "# fen: 8/8/3k4/8/8/3K4/7P/8 w - - 0 1\n h2^ h3v | ~ d6^ d5v +1 d3^ e4v +3",
        "h2h3",
    );
    assert_eq!(record.table.score().result(), "1-0");
}

#[test]
fn after_the_result_nothing_is_recorded_until_the_pieces_are_set_up() {
    let mate = "f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v |";
    let record = becomes(&format!("{mate} +1 a2^ a4v +1 h7^ h5v +5"), "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(record.table.score().result(), "0-1");
    let again = "f3^ f2v e5^ e7v g4^ g2v h4^ d8v +4";
    let record = play(&format!("{mate} ~ +1 {again} d2^ d4v +3"));
    assert_eq!(
        (record.moves().as_str(), record.table.phase()),
        ("", Phase::Ready),
        "nothing counts"
    );
    let record = play(&format!("{mate} ~ +1 {again} ! +3 d2^ d4v"));
    assert_eq!(record.moves(), "d2d4");
    assert_eq!(record.table.game_number().get(), 2);
}

#[test]
fn a_game_that_returns_to_the_starting_position_goes_on() {
    let record = becomes(
        "g1^ f3v | g8^ f6v | f3^ g1v | f6^ g8v | +10 e2^ e4v |",
        "g1f3 g8f6 f3g1 f6g8 e2e4",
    );
    assert_eq!(record.table.game_number().get(), 1);
}

#[test]
fn a_stalemate_on_the_way_to_mate_is_none() {
    let record =
        becomes("# fen: 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\n g1^ g6v +0.5 g6^ +0.3 g7v | +2", "g1g7");
    assert_eq!(record.table.score().result(), "1-0");
}

#[test]
fn an_illegal_move_that_stands_breaks_the_score_and_the_game_goes_on() {
    let record =
        play("e2^ e4v | e7^ e5v | g1^ g3v | +5 b8^ c6v | +1 d2^ d4v | +1 e5^ d4x d4v | +2");
    assert_eq!(record.moves(), "e2e4 e7e5 b8c6 d2d4 e5d4");
    let [broken] = record.table.score().breaks() else { panic!("one break") };
    assert_eq!((broken.at, record.table.phase()), (2, Phase::InPlay));
    let (from, to) = (shakmaty::Square::G1, shakmaty::Square::G3);
    assert_eq!(broken.gap, Gap::Illegal { from, to });
    assert_eq!(record.kinds()[0], "illegal_move");
    assert!(record.table.agrees());
}

#[test]
fn an_illegal_reply_to_an_illegal_move_breaks_the_score_once_more() {
    let illegal = "e2^ e4v | e7^ e5v | g1^ g4v | +3 b8^ b4v |";
    let answered = |script: &str| play_answered(script, Settings::default());
    let record = answered(&format!("{illegal} +3 d2^ d4v | +2 d7^ d5v | +2"));
    assert_eq!(record.moves(), "e2e4 e7e5 d2d4 d7d5");
    let score = record.table.score();
    let breaks: Vec<_> = score.breaks().iter().map(|it| (it.at, it.gap)).collect();
    let of = |from, to| (2, Gap::Illegal { from, to });
    assert_eq!(breaks, [of(Square::G1, Square::G4), of(Square::B8, Square::B4)]);
    // Either was a move: the next one is White's third.
    assert_eq!(
        witness::GamePosition::from(score.position_at(2)).to_string(),
        "r1bqkbnr/pppp1ppp/8/4p3/1n2P1N1/8/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    );
    assert_eq!(Color::ALL.map(|side| score.moves_completed(side)), [3, 3]);
    // Put right, the second one was none.
    let record = answered(&format!("{illegal} +2 b4^ b8v +1 b8^ c6v |w +1 |b +2 d2^ d4v | +3"));
    assert_eq!(record.moves(), "e2e4 e7e5 b8c6 d2d4");
    let score = record.table.score();
    let breaks: Vec<_> = score.breaks().iter().map(|it| (it.at, it.gap)).collect();
    assert_eq!(breaks, [of(Square::G1, Square::G4)]);
    assert!(record.table.agrees());
}

#[test]
fn a_turn_passed_by_a_press_breaks_the_score_when_the_opponent_plays_on() {
    let passed = "e2^ e4v | e7^ e5v | +3 | +3 g8^ f6v |";
    let record = play(&format!("{passed} +3 g1^ f3v | f6^ e4x e4v | +2"));
    assert_eq!(record.moves(), "e2e4 e7e5 g8f6 g1f3 f6e4");
    assert!(record.kinds().iter().all(|kind| *kind == "pressed_without_move"));
    let score = record.table.score();
    let breaks: Vec<_> = score.breaks().iter().map(|it| (it.at, it.gap)).collect();
    assert_eq!(breaks, [(2, Gap::Passed)]);
    // Black's reply is that of the same move; nobody has moved in White's turn.
    assert_eq!(
        witness::GamePosition::from(score.position_at(2)).to_string(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
    );
    assert_eq!(Color::ALL.map(|side| score.moves_completed(side)), [2, 3]);
    // Black sees it, takes his move back and gives White the clock.
    let record = play(&format!("{passed} +3 f6^ g8v +2 b1^ c3v | g8^ f6v | +2"));
    assert_eq!(record.moves(), "e2e4 e7e5 b1c3 g8f6");
    assert!(record.table.score().breaks().is_empty() && record.table.agrees());
    assert!(record.kinds().iter().all(|kind| *kind == "pressed_without_move"));
}

#[test]
fn whoever_moves_out_of_turn_and_is_answered_without_a_press_has_passed_nothing() {
    // White makes the move he owes while Black's time counts.
    let record = play("e2^ e4v | e7^ e5v | +3 | +3 g8^ f6v +3 g1^ f3v +1 | d2^ d4v | +2");
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 g8f6 d2d4");
    assert!(record.table.score().breaks().is_empty());
}

#[test]
fn a_press_without_a_move_in_check_loses_no_move_and_accuses_nobody_else() {
    let script = "# fen: 4k3/8/8/8/7q/8/8/R3K2R w KQ - 0 1\n +2 | +3 e8^ e7v | +3 a1^ a7v | +6";
    let record = play(script);
    assert!(!record.kinds().contains(&"illegal_move"), "{:?}", record.kinds());
}

#[test]
fn an_illegal_move_that_is_put_right_breaks_nothing() {
    let record = play("e2^ e4v | e7^ e5v | g1^ g3v | +3 ~ g3^ g1v +2 ! g1^ f3v |w b8^ c6v | +1");
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 b8c6");
    assert!(record.table.score().breaks().is_empty());
}

#[test]
fn a_pawn_taken_before_any_scan_may_have_gone_one_step_or_two() {
    // Black's pawn is off the board before it was seen anywhere: c6 and taken, or c5 and taken en
    // passant. Both lead to the same position.
    let record =
        play("# fen: 4k3/2p5/8/1P6/8/8/8/4K3 b - - 0 1\n c7^ +0.9 b5^ +0.4 c6v:P +2 e8^ e7v +2");
    assert_eq!(record.kinds(), ["position_to_check"]);
    assert_eq!(record.raised()[0].facts.candidates, ["c6 bxc6", "c5 bxc6"]);
}

#[test]
fn a_captured_pawn_parked_where_it_might_have_gone_is_no_move() {
    // The bishop waits on b5 while the pawn d3 is put aside on d2: Bb5, d2 and Bxd3 fit as well
    // until the pawn is taken off.
    let record = play(
        "# fen: 1r2k2r/pbppnppp/1bn5/4Pq2/Q1B1N3/B1Pp1N2/P4PPP/R3R1K1 w k - 0 16
         c4^ +0.57 b5v +0.46 d3^ +0.12 d2v +0.3 b5^ +0.44 d3v +0.98 d2x +0.23 |
         +2.7 f5^ +0.4 h5v +0.3 | +1.4 e4^ +0.14 f6v +0.44 | +3",
    );
    assert_eq!(record.moves(), "c4d3 f5h5 e4f6");
    assert!(record.table.agrees());
}

#[test]
fn a_captured_piece_is_parked_beside_after_a_reply_a_tempo() {
    becomes(
        "# fen: 2b2b1r/r1k1p2B/p1p5/1p3ppP/4P1P1/PP1K3N/2PP3n/RNB4R b - - 8 24
         f8^ +0 g7v +0.13 g7^ +0 h6v +0.2 b1^ +0.5 c3v +0.26 | +0.44 h7^ +0.1 | +0.1 g6v +0.26
         h8^ +0.5 h7v +2.4 g6x +0.17 | +5.9 g5x +0.5 h3^ +0.3 g5v +0.23 | +3",
        "f8h6 b1c3 h8h7 h3g5",
    );
}

#[test]
fn a_piece_that_is_captured_by_a_slide_is_no_reply() {
    // On its way to the knight, which nobody takes off first, the queen passes a mating square.
    becomes(
        "# fen: r7/1rq1n3/3k4/p1p2Ppp/1nPp3P/3PQP2/1Kb3Pb/1RN2B1R w - - 5 37
         e3^ +0 e4v +0.14 e4^ +0 e5v +0.14 e5^ +0 e6v +0.17 e7=Q +0.03 e6^ +0.5 |
         +2.7 d6^ +0.4 c6v +0.5 | +3",
        "e3e7 d6c6",
    );
}

#[test]
fn nobody_replies_to_mate() {
    // On its way to the pawn that was taken off first the queen passes a square where she mates.
    becomes(
        "# fen: 1b2B2n/r7/p1pk1rp1/2qp2Qp/p2P2RP/1b2B3/2P3P1/1BK4N w - - 2 28
         d5x +0.16 g5^ +0 f5v +0.12 f5^ +0 e5v +0.16 e5^ +0 d5v +0.28 | +3",
        "g5d5",
    );
}

#[test]
fn a_move_that_is_answered_is_not_another_one() {
    // The pawn the queen is going to take leaves the board in the scan that shows the reply: Qxb5
    // at once and the rook's move after it would be fewer moves.
    let record = play(
        "# fen: 2r5/p6p/4p3/Qp1P1p1p/1Pp1kP1P/B1P5/4b3/RN4K1 w - - 0 1
         a5^ +0.2 a6v +3.5 c8^ +0.3 b5x +0 c6v +0.6 a6^ +0.3 b5v +3",
    );
    assert_eq!(record.moves(), "a5a6 c8c6 a6b5");
}

#[test]
fn a_captured_piece_may_stand_aside_for_some_time() {
    let record = play(
        "# fen: rn2kb1r/p2pn1pp/bp3p2/4p3/PP3PPP/2q1P2B/R1Q2K1R/1NB3N1 b kq - 1 17
         c3^ +0 d2v +0.04 d2^ +0 e1v +0.49 e1^ +0.29 | +0.29 e2v +0.31 f2^ +0.31 e1v +2.2 e2x
         +0.19 | +3",
    );
    assert_eq!(record.moves(), "c3e1 f2e1");
    assert_eq!(record.kinds(), Vec::<&str>::new());
}

#[test]
fn a_pawn_put_aside_looks_like_one_that_is_taken_en_passant() {
    let record = play(
        "# fen: 4k3/4p3/8/5P2/8/8/8/4K3 b - - 0 1
         e7^ e6v +3 e6^ +0.3 e5v +0.5 f5^ +0.15 e6v +0.4 e5x +3",
    );
    assert_eq!(record.moves(), "e7e6 f5e6");
    assert_eq!(record.kinds(), ["position_to_check"]);
    assert_eq!(record.raised().last().unwrap().facts.candidates, ["e6 fxe6", "e5 fxe6"]);
}

#[test]
fn a_mate_after_an_illegal_move_that_stands_needs_no_press() {
    let script = "f2^ f3v | e7^ e5v | g2^ g4v | a7^ a6v | +1 a1^ a3v | +3 d8^ h4v +4 ~";
    let unsupervised =
        Settings { rate: Some(Rate::Blitz), supervised: false, ..Settings::default() };
    for (settings, result) in [(unsupervised, "0-1"), (Settings::default(), "*")] {
        let record = crate::common::play_answered(script, settings);
        assert_eq!(record.moves(), "f2f3 e7e5 g2g4 a7a6 d8h4");
        assert_eq!(record.table.score().breaks().len(), 1);
        assert_eq!(record.table.score().result(), result);
    }
}

#[test]
fn a_reply_begun_while_an_illegal_move_is_judged_lets_it_stand_too() {
    let record = play(
        "# fen: rnb1q1nr/pp2pkb1/2p2Npp/2Pp2N1/8/P5P1/1P1PPP1P/R1BQKB1R b - - 2 9
         c8^ +0.9 g5x +0.4 g5v +0.8 | +0.84 a3^ +0.6 a4v | +3 e8^ d8v | +3",
    );
    assert_eq!(record.moves(), "a3a4 e8d8");
    assert_eq!(record.table.score().breaks().len(), 1);
}

#[test]
fn what_was_pressed_for_is_completed_although_the_reply_came_before_the_scan() {
    // The bishop is moved back for two seconds after the next move of the same player.
    becomes(
        "# fen: rq1kn1br/ppp2p2/1n1p2p1/b3p2p/2P1PP2/P5NP/1P1PB1PR/RQ1KN1B1 w - - 0 10
         g3^ +0.36 h1v +0.27 | +1.2 b6^ +0.23 d7v +0.47 | +4.9 e2^ +0.4 f3v +0.26 d7^ +0.09 |
         +0.09 b6v +0.24 | +0.46 g2^ +0.59 g4v +0.31 f3^ +0.2 e2v +2 e2^ +1.09 f3v +0.46 | +3",
        "g3h1 b6d7 e2f3 d7b6 g2g4",
    );
}

#[test]
fn a_slide_that_goes_on_during_the_reply_is_one_move() {
    becomes(
        "# fen: b1r5/1rnn1k2/3b3R/p1p2p1P/2p1P2P/P1K4B/2P2Q1N/6R1 b - - 7 44
         c8^ +0 d8v +0.17 d8^ +0 e8v +0.13 e8^ +0 f8v +0.19 | +2.2 f2^ +0.15 g3v +0.22 |
         +5 f7^ +0.24 e7v +0.25 e7^ +0.68 f1=R +0.01 g1x +0.03 e8v +0.21 e1=R +0.01 f1x +0.37 |
         +0.2 |
         +1.7 a5^ +0.27 a4v +0.42 | +1",
        "c8f8 f2g3 f7e8 g1e1 a5a4",
    );
}

/// A board that tells all its squares, and so many changes at a time. From the starting position.
fn in_pictures(script: &str, changes: &[usize]) -> Record {
    let (mut changes, mut changed, mut standing) = (changes.iter(), 0, Placement::starting());
    let mut wanted = changes.next();
    play_through(script, Settings::default(), |sighting| {
        let Sighting::Square { square, piece } = sighting else { return vec![sighting] };
        standing[square] = piece;
        changed += 1;
        if wanted != Some(&changed) {
            return Vec::new();
        }
        (wanted, changed) = (changes.next(), 0);
        vec![Sighting::Position(standing)]
    })
}

const FIRST_MOVES: &str = "e2^ e4v | e7^ e5v | +3 g1^ +0.1 d8^ +0.2 f6v:q +0 f3v:N";

#[test]
fn a_move_that_rested_and_was_answered_is_not_another_one_that_was_seen() {
    // The queen passed f6 while the knight came down; she goes back there for another move, and the
    // picture is the same as if she had stayed.
    let script = format!("{FIRST_MOVES} +0.2 f6^ +0 g5v +3 b1^ +0.5 g5^ +0 f6v:q +0 c3v:N +4");
    let record = in_pictures(&script, &[1, 1, 1, 1, 1, 1, 2, 2, 1, 3]);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 d8g5 b1c3 g5f6");
}

#[test]
fn a_move_that_rested_is_another_one_before_anybody_answers() {
    let script = format!("{FIRST_MOVES} +0.2 f6^ +0 g5v +3 g5^ +0 f6v +0.6 b1^ +0.5 c3v +4");
    let record = in_pictures(&script, &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1]);
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3 d8f6 b1c3");
}

const FALLING: &str = "# fen: 6k1/3q2pp/p2bp3/3p1r2/1p1Pp3/3bQ1PP/PP1B1rB1/1NR3RK w - - 0 26";

#[test]
fn pieces_that_fell_and_look_like_moves_are_put_up_again() {
    // The black rook lies on f1 as if it had captured the bishop there.
    let record = play(&format!(
        "{FALLING}
         c1^ +0.2 f2^ +0 g2^ +0.2 e1v:R +0.2 f1v:r +2.1 f1^ +0.3 f2v:r +1.2 g2v
         +1.5 h7^ +0.25 h6v +3"
    ));
    assert_eq!(record.moves(), "c1e1 h7h6");
    assert_eq!(record.table.incidents().filter(|it| it.kind == Kind::PositionToCheck).count(), 0);
}

#[test]
fn moves_that_look_like_falling_pieces_stay() {
    let record = play(&format!(
        "{FALLING}
         c1^ +0 f2^ +0 g2x +0.2 e1v:R +0.2 f1v:r +2.1 f1^ +0.3 f2v:r +1.2 e3^ +0.25 f3v
         +3"
    ));
    assert_eq!(record.moves(), "g2f1 f2f1 c1e1 f1f2 e3f3");
}

const AFTER_ANOTHER_SQUARE: &str =
    "# fen: rk3r2/pbp4p/np1p4/4p1pP/1PN1Pq2/BP1P1P2/P4nK1/R2R3B w - - 2 30
     d1^ +0.29 d2v +2.85 d2^ +0.6 e1v +0.23 f4^ +0.27 d2v";

#[test]
fn a_rook_in_the_hand_has_not_been_captured_where_it_stood_before() {
    let record =
        play(&format!("{AFTER_ANOTHER_SQUARE} +4 e1^ +0.57 d1v +0.6 d1x +0.44 f2^ +0.48 d1v +4"));
    assert_eq!(record.moves(), "d1e1 f4d2 e1d1 f2d1");
}

#[test]
fn a_captured_rook_that_stood_aside_is_no_rook_in_the_hand() {
    let record = play(&format!("{AFTER_ANOTHER_SQUARE} +2 e1x +3 g2^ +0.5 g1v +4"));
    assert_eq!(record.moves(), "d1d2 f4d2 g2g1");
}

#[test]
fn a_pawn_that_stood_for_long_is_taken_en_passant_and_was_not_put_aside() {
    // Its twin is the pawn put aside above: there the other pawn is taken up at once.
    let record = play(
        "# fen: 4k3/4p3/8/5P2/8/8/8/4K3 b - - 0 1
         e7^ e6v +3 e6^ +0.3 e5v +6 f5^ +0.15 e6v +0.4 e5x +3",
    );
    assert_eq!(record.moves(), "e7e5 f5e6");
    assert!(!record.kinds().contains(&"position_to_check"), "{:?}", record.kinds());
}

#[test]
fn moves_that_end_on_one_square_come_in_the_order_in_which_it_was_heard() {
    // The captured knight is dragged over b6, and the reply begun meanwhile.
    let record = play(
        "# fen: 1Bbk4/1p1pb2r/2p2p1P/p3pp2/N1PP2n1/2K5/P1QRP2R/5B2 w - - 0 29
         a4^ +0.5 c5v +2.8 c5^ +0 b6v +0.2 b6x +0.4 e7^ +0.14 h2^ +0 c5v:b +0.6 f2v:R
         +5 d7^ +0.25 d5v +3",
    );
    assert_eq!(record.moves(), "a4c5 e7c5 h2f2 d7d5");
    assert!(!record.kinds().contains(&"position_to_check"), "{:?}", record.kinds());
}
