//! Two boards for one game (Appendix D): each move is made on the mover's board, the first one
//! White's, and repeated on the other.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::Doors as _;
use crate::common::play;
use eboard::{Moment, Sighting};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Piece, Position, Rank, Role, Square};
use witness::{Effect, Kind, Phase, Which};
use words::InWords as _;

/// Both move on their own boards and repeat what the other one has made a little later.
const OPENING: &str = "+3 e2^ e4v | +5 2:e2^ 2:e4v +8 2:e7^ 2:e5v | +6 e7^ e5v +9 g1^ f3v | \
                       +4 2:g1^ 2:f3v +9 2:b8^ 2:c6v | +3 b8^ c6v";
const MOVES: &str = "e2e4 e7e5 g1f3 b8c6";

#[test]
fn a_game_on_two_boards_is_one_game() {
    let record =
        play(&format!("{OPENING} +4 f1^ b5v | +9 2:f1^ 2:b5v +5 2:a7^ 2:a6v | +5 a7^ a6v"));
    assert_eq!(record.moves(), format!("{MOVES} f1b5 a7a6"));
    assert_eq!(record.raised().len(), 0, "{:?}", record.raised());
    let completed = record.table.score().plies().iter().filter(|ply| ply.completed.is_some());
    assert_eq!(completed.count(), 6);
    // Announced once each, when it was made on the mover's own board.
    assert_eq!(record.announced(), "1 2 3 4 5 6");
}

#[test]
fn whose_board_is_whose_may_be_the_other_way_round() {
    let record =
        play("# second_board: white\n +3 2:e2^ 2:e4v | +5 e2^ e4v +8 e7^ e5v | +6 2:e7^ 2:e5v");
    assert_eq!((record.moves().as_str(), record.raised().len()), ("e2e4 e7e5", 0));
}

#[test]
fn a_move_on_the_own_board_is_made_before_it_is_repeated() {
    let record = play("+3 e2^ e4v | +5 2:e2^ 2:e4v +8 2:e7^ 2:e5v | +20");
    assert_eq!(record.moves(), "e2e4 e7e5");
    assert!(record.table.score().plies()[1].completed.is_some());
    let (_, whites) = record.table.squares_at(Which::First).unwrap();
    let (_, blacks) = record.table.squares_at(Which::Second).unwrap();
    assert_eq!((whites, blacks), (false, true));
    assert_eq!(record.raised().len(), 0, "20 s are no delay");
}

#[test]
fn a_wrong_repetition_is_reported_when_it_stands_too_long_and_taken_back_when_it_is_put_right() {
    let wrong = "+3 e2^ e4v | +5 2:d2^ 2:d4v +29";
    let record = play(&format!("{wrong} +4"));
    assert_eq!(record.kinds(), ["boards_differ"]);
    let alert = record.raised()[0];
    assert_eq!(
        alert.text.en(),
        "The two boards differ on d2, e2, d4, e4: White’s agrees with the score, Black’s does not."
    );
    assert_eq!(
        alert.text.fr(),
        "Les deux échiquiers diffèrent sur d2, e2, d4, e4\u{a0}: celui des Blancs est conforme à \
         la partie enregistrée, pas celui des Noirs."
    );
    assert_eq!(&*alert.article, "D.2.9");
    let record = play(&format!("{wrong} +4 2:d4^ 2:d2v 2:e2^ 2:e4v +9 2:e7^ 2:e5v | +5 e7^ e5v"));
    assert_eq!((record.moves().as_str(), record.kinds()), ("e2e4 e7e5", vec!["boards_differ"]));
    assert_eq!(record.table.incidents().count(), 0);
}

#[test]
fn a_repetition_that_never_comes_is_reported_and_the_game_goes_on() {
    let record = play("# second_board: black\n +3 e2^ e4v | +40 e7^ e5v |b +3 g1^ f3v | +3");
    assert_eq!(record.moves(), "e2e4 e7e5 g1f3");
    assert_eq!(record.kinds(), ["boards_differ"]);
}

#[test]
fn touched_is_what_is_touched_on_the_own_board() {
    // Black lifts the queen's knight out of its hole and then plays the pawn.
    let record = play("+3 e2^ e4v | +5 2:e2^ 2:e4v +5 2:b8^ +1 2:b8v +2 2:e7^ 2:e5v | +5 e7^ e5v");
    let touched = record.raised().into_iter().find(|it| it.kind == Kind::TouchedNotMoved).unwrap();
    assert_eq!((touched.side, touched.facts.squares.len()), (Some(Color::Black), 1));
    // The same while White's move is repeated on White's opponent's board is nobody's touch.
    let record = play("+3 e2^ e4v | +5 2:d2^ +1 2:d2v 2:e2^ 2:e4v +5 2:e7^ 2:e5v | +5 e7^ e5v");
    assert_eq!(record.raised().len(), 0, "{:?}", record.raised());
}

#[test]
fn an_illegal_move_is_judged_on_the_board_of_the_player_who_made_it() {
    let record = play("+3 e2^ e4v | +5 2:e2^ 2:e4v +5 2:g8^ 2:g6v | +5");
    assert_eq!(record.kinds(), ["illegal_move"]);
    assert_eq!(record.raised()[0].side, Some(Color::Black));
}

#[test]
fn a_result_is_seen_on_either_board() {
    let record = play(&format!("{OPENING} ~ +2 2:e4x 2:e5x 2:e1^ 2:e4v 2:e8^ 2:d5v +4"));
    assert_eq!((record.moves().as_str(), record.table.score().result()), (MOVES, "1-0"));
    let record = play(&format!("{OPENING} ~ +2 e4x e5x e1^ d4v e8^ e5v +4"));
    assert_eq!((record.moves().as_str(), record.table.score().result()), (MOVES, "0-1"));
}

#[test]
fn either_board_may_be_unplugged_and_the_game_goes_on_with_the_other() {
    for gone in [Which::First, Which::Second] {
        let mut record = play(OPENING);
        let mut out = Vec::new();
        let second = |s: u64| Moment::from_micros(s * 1_000_000);
        record.table.line_at(second(100), gone, false, &mut out);
        let at = |it: &str| eboard::Square::all().find(|square| square.to_string() == it).unwrap();
        for (time, from, to, piece) in [
            (110, "f1", "b5", eboard::Piece::WhiteBishop),
            (120, "a7", "a6", eboard::Piece::BlackPawn),
            (130, "b5", "a4", eboard::Piece::WhiteBishop),
        ] {
            let lift = Sighting::Square { square: at(from), piece: None };
            let put = Sighting::Square { square: at(to), piece: Some(piece) };
            record.table.sight_at(second(time), gone.other(), lift, &mut out);
            record.table.sight_at(second(time + 1), gone.other(), put, &mut out);
            while let Some((due, _)) =
                record.table.deadline().filter(|(it, _)| *it < second(time + 9))
            {
                record.table.due(due, &mut out);
            }
        }
        assert_eq!(record.moves(), format!("{MOVES} f1b5 a7a6 b5a4"), "{gone:?}");
        assert_eq!(record.table.phase(), Phase::InPlay);
        let raised = out.iter().filter_map(|effect| match effect {
            Effect::Raised(it) => Some((it.kind.name(), it.text.en())),
            _ => None,
        });
        let whose = if gone == Which::First { "White" } else { "Black" };
        let text = format!("{whose}’s board is not heard any more: the other one is read.");
        // The clock has said nothing since: what is told of it is not asked here.
        let raised: Vec<_> = raised.filter(|it| it.0 == "board_lost").collect();
        assert_eq!(raised, [("board_lost", text.clone())], "{gone:?}");
    }
}

/// Numbers that are the same every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// What hands do to make this move on one board.
fn gestures(board: &str, mv: Move) -> String {
    let (from, to) = (mv.from().unwrap(), mv.to());
    match mv {
        Move::Castle { king, rook } => {
            let side = if rook > king { ["g", "f"] } else { ["c", "d"] };
            let rank = king.rank();
            format!(
                "{board}{king}^ {board}{}{rank}v {board}{rook}^ {board}{}{rank}v",
                side[0], side[1]
            )
        }
        Move::EnPassant { .. } => {
            let taken = Square::from_coords(to.file(), from.rank());
            format!("{board}{from}^ {board}{to}v {board}{taken}x")
        }
        Move::Normal { capture, promotion, .. } => {
            let taken = capture.map_or(String::new(), |_| format!("{board}{to}x "));
            match promotion {
                Some(role) => {
                    let color = if to.rank() == Rank::Eighth { Color::White } else { Color::Black };
                    let letter = Piece { color, role }.char();
                    format!("{taken}{board}{from}x {board}{to}={letter}")
                }
                None => format!("{taken}{board}{from}^ {board}{to}v"),
            }
        }
        Move::Put { .. } => unreachable!("no such move in chess"),
    }
}

/// A game of random moves, each repeated after 1 to 20 s; then its moves.
fn on_two_boards(seed: u64, plies: usize) -> (String, String, Chess) {
    let mut draw = Draw(seed);
    let (mut position, mut script, mut moves) = (Chess::default(), String::new(), Vec::new());
    for _ in 0..plies {
        let legal = position.legal_moves();
        let next = |it: &&Move| !(*it).role().eq(&Role::King) || it.is_castle();
        let among: Vec<Move> = legal.iter().filter(next).copied().collect();
        let among = if among.is_empty() { legal.to_vec() } else { among };
        let Some(&mv) = among.get(draw.below(among.len().max(1) as u64) as usize) else { break };
        let (own, other) = if position.turn() == Color::White { ("", "2:") } else { ("2:", "") };
        let (thinks, lags) = (1 + draw.below(30), 1 + draw.below(20));
        let (made, repeated) = (gestures(own, mv), gestures(other, mv));
        // Some repeat at once, some only when the clock has been pressed.
        script += &match draw.below(3) {
            0 => format!("+{thinks} {made} +1 {repeated} |\n"),
            _ => format!("+{thinks} {made} | +{lags} {repeated}\n"),
        };
        moves.push(UciMove::from_standard(mv).to_string());
        position.play_unchecked(mv);
    }
    (script, moves.join(" "), position)
}

#[test]
fn games_on_two_boards_are_followed_and_no_lag_is_reported() {
    for seed in 0..24 {
        let (script, moves, _) = on_two_boards(seed, 70);
        let record = play(&format!("# second_board: black\n{script} +3"));
        assert_eq!(record.moves(), moves, "seed {seed}");
        // Positions are the games' own; what is told of hands or boards would be wrong.
        let games = ["threefold_possible", "fifty_possible", "fivefold", "dead_position"];
        let raised = record.raised().into_iter().filter(|it| !games.contains(&it.kind.name()));
        let raised: Vec<_> = raised.map(|it| (it.kind.name(), it.text.en())).collect();
        assert_eq!(raised, [], "seed {seed}\n{script}");
    }
}

#[test]
fn a_wrong_repetition_in_any_game_is_reported() {
    for seed in 100..112 {
        // Black has moved; then his king is swept off his own board.
        let (script, moves, position) = on_two_boards(seed, 40);
        let king = position.board().king_of(Color::Black).unwrap();
        let record = play(&format!("# second_board: black\n{script}\n+3 2:{king}x +40"));
        assert_eq!(record.moves(), moves, "seed {seed}");
        assert!(record.kinds().contains(&"boards_differ"), "seed {seed}: {:?}", record.kinds());
    }
}
