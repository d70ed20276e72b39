//! Random games that are led to where the Laws have something to say: a position that comes again,
//! moves without end, men set up wrongly, a board on which nobody can win any more.

use std::collections::BTreeMap;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, KnownOutcome, Move,
    Outcome, Piece, Position, Role, Setup, Square,
};

use crate::random::{named, random_game};
use crate::{Game, Rng};

/// Seeds that are tried before it is given up.
const TRIES: u64 = 60;

/// A random game in which one position comes again and again, `times` in all at least: two pieces
/// go out and back. Two more moves are made then.
#[must_use]
pub fn repeated_game(seed: u64, times: usize) -> Option<Game> {
    (0..TRIES).find_map(|attempt| repeated(Rng::new(seed ^ attempt << 40), times))
}

fn repeated(mut dice: Rng, times: usize) -> Option<Game> {
    let plies = 10 + usize::try_from(dice.below(30)).ok()?;
    let mut game = random_game(dice.draw(), plies, Chess::default());
    let position = game.positions().last().filter(|it| !it.is_game_over())?;
    let (out, back) = there_and_back(&position, &mut dice)?;
    let mut between = position;
    between.play_unchecked(out);
    let (reply, return_) = there_and_back(&between, &mut dice)?;
    let round = [out, reply, back, return_];
    game.moves.extend(round.into_iter().cycle().take(4 * (times - 1) + 2));
    game.outcome = Outcome::Known(KnownOutcome::Draw);
    let legal = game.positions().count() == game.moves.len();
    legal.then(|| Game { event: format!("Repeated game, {times} times"), ..game })
}

/// A move of a piece that loses no right, and the way back.
fn there_and_back(position: &Chess, dice: &mut Rng) -> Option<(Move, Move)> {
    let light = |it: &Move| matches!(it.role(), Role::Knight | Role::Bishop | Role::Queen);
    let quiet: Vec<Move> =
        position.legal_moves().into_iter().filter(|it| light(it) && !it.is_capture()).collect();
    let out = dice.pick(&quiet)?;
    let back = Move::Normal {
        role: out.role(),
        from: out.to(),
        capture: None,
        to: out.from()?,
        promotion: None,
    };
    Some((out, back))
}

/// A random game of which the last `half_moves` are without capture and pawn move, and no position
/// comes a third time.
#[must_use]
pub fn quiet_game(seed: u64, half_moves: u32) -> Option<Game> {
    (0..TRIES).find_map(|attempt| quiet(Rng::new(seed ^ attempt << 40), half_moves))
}

fn quiet(mut dice: Rng, half_moves: u32) -> Option<Game> {
    let plies = 16 + usize::try_from(dice.below(30)).ok()?;
    let game = random_game(dice.draw(), plies, Chess::default());
    let mut position = game.positions().last().filter(|it| !it.is_game_over())?;
    let mut moves = game.moves;
    let mut seen: BTreeMap<String, u8> = BTreeMap::new();
    while position.halfmoves() < half_moves {
        let goes_on = |it: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*it);
            let known = seen.get(&key(&after)).copied().unwrap_or_default();
            !it.is_zeroing() && !after.is_game_over() && known < 2
        };
        let among: Vec<Move> = position.legal_moves().into_iter().filter(goes_on).collect();
        let played = dice.pick(&among)?;
        position.play_unchecked(played);
        *seen.entry(key(&position)).or_default() += 1;
        moves.push(played);
    }
    let outcome = Outcome::Known(KnownOutcome::Draw);
    Some(named(format!("Quiet game, {half_moves} half-moves"), game.start, moves, outcome))
}

/// What makes two positions the same (9.2.3).
fn key(position: &Chess) -> String {
    let setup = position.to_setup(EnPassantMode::Legal);
    format!("{} {:?} {:?} {:?}", setup.board, setup.turn, setup.castling_rights, setup.ep_square)
}

/// A random game from a set-up in which two men of one player stand on each other's squares.
/// Castling is possible with those that stand rightly.
#[must_use]
pub fn misplaced_game(seed: u64, plies: usize) -> Option<Game> {
    let mut dice = Rng::new(seed);
    let side = if dice.below(2) == 0 { Color::White } else { Color::Black };
    let mut board = Board::new();
    let rank: Vec<Square> = Bitboard::from_rank(side.backrank()).into_iter().collect();
    let (one, other) = (dice.pick(&rank)?, dice.pick(&rank)?);
    let (first, second) = (board.piece_at(one)?, board.piece_at(other)?);
    board.set_piece_at(one, second);
    board.set_piece_at(other, first);
    let start = Board::new();
    let right = |square: Square| board.piece_at(square) == start.piece_at(square);
    let castles = |rook: &Square| {
        let king = start.color_at(*rook).and_then(|side| start.king_of(side));
        right(*rook) && king.is_some_and(right)
    };
    let castling_rights = start.rooks().into_iter().filter(castles).collect();
    let mixed = first.role != second.role;
    let setup = Setup { board, castling_rights, ..Setup::initial() };
    let position = Chess::from_setup(setup, CastlingMode::Standard).ok().filter(|_| mixed)?;
    Some(random_game(dice.draw(), plies, position))
}

/// The end of a game: a king hunts the last man with which anybody could win, and takes it.
#[must_use]
pub fn dying_game(seed: u64) -> Option<Game> {
    (0..TRIES).find_map(|attempt| dying(Rng::new(seed ^ attempt << 40)))
}

fn dying(mut dice: Rng) -> Option<Game> {
    const PLIES_MAX: usize = 30;
    let squares: Vec<Square> = Square::ALL.to_vec();
    let man = dice.pick(&[Role::Pawn, Role::Rook, Role::Queen])?;
    let mut board = Board::empty();
    for piece in
        [Color::White.king(), Color::Black.king(), Piece { color: Color::Black, role: man }]
    {
        board.set_piece_at(dice.pick(&squares)?, piece);
    }
    let setup = Setup { board, ..Setup::empty() };
    let start = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let (mut position, mut moves) = (start.clone(), Vec::new());
    while moves.len() < PLIES_MAX && !position.is_game_over() {
        let legal = position.legal_moves();
        let captures: Vec<Move> = legal.iter().filter(|it| it.is_capture()).copied().collect();
        let played = dice.pick(&captures).or_else(|| dice.pick(&legal))?;
        position.play_unchecked(played);
        moves.push(played);
    }
    let outcome = Outcome::Known(KnownOutcome::Draw);
    position
        .is_insufficient_material()
        .then(|| named("Dying game".to_owned(), start, moves, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_again_as_often_as_asked() {
        for seed in 0..20 {
            let game = repeated_game(seed, 5).unwrap();
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            let all = [game.start.clone()].into_iter().chain(game.positions());
            all.for_each(|position| *seen.entry(key(&position)).or_default() += 1);
            assert!(seen.values().any(|times| *times >= 4), "{seed}: {:?}", seen.values().max());
        }
    }

    #[test]
    fn quiet_games_end_where_they_should_and_repeat_nothing_a_third_time() {
        for seed in 0..6 {
            let game = quiet_game(seed, 100).unwrap();
            assert_eq!(game.positions().last().unwrap().halfmoves(), 100);
        }
    }

    #[test]
    fn dying_games_end_with_bare_kings_and_wrong_arrays_are_of_one_side() {
        for seed in 0..20 {
            let last = dying_game(seed).unwrap().positions().last().unwrap();
            assert_eq!(last.board().occupied().count(), 2, "{seed}");
            let Some(game) = misplaced_game(seed, 40) else { continue };
            let wrong = Color::ALL.into_iter().filter(|&side| {
                game.start.board().by_color(side).into_iter().any(|square| {
                    game.start.board().piece_at(square) != Board::new().piece_at(square)
                })
            });
            assert_eq!(wrong.count(), 1, "{seed}");
        }
    }
}
