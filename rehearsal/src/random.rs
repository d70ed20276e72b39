//! Random legal games, ordinary and Chess960, for when more games are wanted than were ever played.
//! Nobody in them means to win.

use std::collections::BTreeMap;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, KnownOutcome, Move, Outcome,
    Position, Setup,
};

use crate::{Game, Rng};

/// A game of at most this many plies from this position, the same for the same seed. Castling,
/// promotion and en passant are played half of the times they are possible. It ends early with
/// mate, stalemate or too little material, at the third occurrence of a position or after 50 moves
/// each without capture and pawn move; else somebody resigns or a draw is agreed.
#[must_use]
pub fn random_game(seed: u64, plies: usize, start: Chess) -> Game {
    let mut dice = Rng::new(seed);
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut seen: BTreeMap<u64, u8> = BTreeMap::new();
    let mut drawn = false;
    while moves.len() < plies && !position.is_game_over() && !drawn {
        let Some(played) = choose(&position, &mut dice) else { break };
        position.play_unchecked(played);
        moves.push(played);
        let Zobrist64(hash) = position.zobrist_hash(EnPassantMode::Legal);
        let times = seen.entry(hash).or_default();
        *times += 1;
        drawn = *times == 3 || position.halfmoves() >= 100;
    }
    let outcome = match position.outcome() {
        Outcome::Unknown if drawn => Outcome::Known(KnownOutcome::Draw),
        Outcome::Unknown => agreed(&mut dice),
        over => over,
    };
    Game {
        white: "White".to_owned(),
        black: "Black".to_owned(),
        event: format!("Random game {seed}"),
        site: "?".to_owned(),
        date: "????.??.??".to_owned(),
        start,
        moves,
        outcome,
    }
}

/// The Chess960 array of this number (0 to 959; 518 is the usual one), White to move.
#[must_use]
pub fn chess960(number: u32) -> Option<Chess> {
    if number >= 960 {
        return None;
    }
    let board = Board::chess960(number);
    let setup = Setup { castling_rights: board.rooks(), board, ..Setup::initial() };
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}

fn choose(position: &Chess, dice: &mut Rng) -> Option<Move> {
    let legal = position.legal_moves();
    let special = |it: &&Move| it.is_castle() || it.is_promotion() || it.is_en_passant();
    let special: Vec<Move> = legal.iter().filter(special).copied().collect();
    let special = if dice.below(2) == 0 { dice.pick(&special) } else { None };
    special.or_else(|| dice.pick(&legal))
}

fn agreed(dice: &mut Rng) -> Outcome {
    Outcome::Known(match dice.below(3) {
        0 => KnownOutcome::Draw,
        1 => KnownOutcome::Decisive { winner: Color::White },
        _ => KnownOutcome::Decisive { winner: Color::Black },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_games_are_legal_differ_by_seed_and_hold_all_kinds_of_moves() {
        let (mut castled, mut promoted, mut passed, mut over) = (0, 0, 0, 0);
        for seed in 0..60 {
            let game = random_game(seed, 300, Chess::default());
            assert_eq!(game.positions().count(), game.moves.len());
            assert_eq!(random_game(seed, 300, Chess::default()).moves, game.moves);
            assert_ne!(random_game(seed + 1000, 300, Chess::default()).moves, game.moves);
            let last = game.positions().last().unwrap();
            if last.is_game_over() {
                over += 1;
                assert_eq!(game.outcome, last.outcome());
            }
            assert!(matches!(game.outcome, Outcome::Known(_)));
            castled += game.moves.iter().filter(|it| it.is_castle()).count();
            promoted += game.moves.iter().filter(|it| it.is_promotion()).count();
            passed += game.moves.iter().filter(|it| it.is_en_passant()).count();
        }
        assert!(castled > 20 && promoted > 20 && passed > 5, "{castled} {promoted} {passed}");
        assert!(over > 3, "{over}");
    }

    #[test]
    fn all_960_arrays_can_be_played_and_no_more() {
        assert_eq!(chess960(960), None);
        assert_eq!(chess960(518).unwrap().board(), Chess::default().board());
        let mut first_moves = 0;
        for number in 0..960 {
            let start = chess960(number).unwrap();
            assert_eq!(start.castles().castling_rights(), start.board().rooks(), "{number}");
            first_moves += start.legal_moves().iter().filter(|it| it.is_castle()).count();
        }
        // King and rook side by side on their squares' ends: castling on move one.
        assert!(first_moves > 90, "{first_moves}");
    }
}
