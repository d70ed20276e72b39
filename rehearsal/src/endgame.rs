//! Ends of games: kings that walk about the centre side by side, and moves that mate.

use std::collections::BTreeMap;

use shakmaty::{
    Board, CastlingMode, Chess, Color, File, FromSetup, Move, Outcome, Position, Rank, Role, Setup,
    Square,
};

use crate::random::{agreed, named, random_game, to_centre};
use crate::{Game, Rng};

/// Seeds that are tried before it is given up.
const TRIES: u64 = 60;

/// An endgame of kings and a few pawns at the edge. The kings stand in opposition, go side by side
/// and cross the centre, one after the other: together on its squares they never stand. It is given
/// up or drawn while they are there.
#[must_use]
pub fn kings_abreast(seed: u64) -> Game {
    let mut dice = Rng::new(seed);
    let start = (0..TRIES).find_map(|_| kings_and_pawns(&mut dice)).unwrap_or_default();
    let plies = 30 + usize::try_from(dice.below(50)).unwrap_or_default();
    let (mut position, mut moves) = (start.clone(), Vec::new());
    let mut seen: BTreeMap<String, u8> = BTreeMap::new();
    while moves.len() < plies {
        let goes_on = |it: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*it);
            !after.is_game_over() && seen.get(&placed(&after)).copied().unwrap_or_default() < 2
        };
        let among: Vec<Move> = position.legal_moves().into_iter().filter(goes_on).collect();
        let close: Vec<Move> = among.iter().copied().filter(|it| meets(&position, it)).collect();
        let close = if dice.below(4) > 0 { dice.pick(&close) } else { None };
        let Some(played) = close.or_else(|| dice.pick(&among)) else { break };
        position.play_unchecked(played);
        *seen.entry(placed(&position)).or_default() += 1;
        moves.push(played);
    }
    let outcome = agreed(&mut dice);
    named(format!("Kings abreast {seed}"), start, moves, outcome)
}

/// Men and side to move: nothing else tells these positions apart.
fn placed(position: &Chess) -> String {
    format!("{} {:?}", position.board(), position.turn())
}

/// A king's move to the centre or into opposition.
fn meets(position: &Chess, mv: &Move) -> bool {
    let theirs = position.board().king_of(!position.turn());
    let opposed = theirs.is_some_and(|it| it.distance(mv.to()) == 2);
    mv.role() == Role::King && to_centre(mv.to()) <= 1 && (opposed || to_centre(mv.to()) == 0)
}

fn kings_and_pawns(dice: &mut Rng) -> Option<Chess> {
    const FILES: [File; 4] = [File::A, File::B, File::G, File::H];
    let mut board = Board::empty();
    for (side, rank) in [(Color::White, Rank::Second), (Color::Black, Rank::Seventh)] {
        for _ in 0..1 + dice.below(3) {
            board.set_piece_at(Square::from_coords(dice.pick(&FILES)?, rank), side.pawn());
        }
        let near: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|it| (1..=2).contains(&to_centre(*it)) && board.piece_at(*it).is_none())
            .collect();
        board.set_piece_at(dice.pick(&near)?, side.king());
    }
    let turn = dice.pick(&Color::ALL)?;
    let setup = Setup { board, turn, ..Setup::empty() };
    let start = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    (!start.is_game_over()).then_some(start)
}

/// A random game that ends with mate: whoever can mate does.
#[must_use]
pub fn mating_game(seed: u64) -> Option<Game> {
    const PLIES: usize = 120;
    (0..TRIES).find_map(|attempt| {
        let game = random_game(seed ^ attempt << 40, PLIES, Chess::default());
        let before = [game.start.clone()].into_iter().chain(game.positions()).enumerate();
        let (ply, last) = before.skip(10).find_map(|(ply, it)| Some((ply, mates(&it)?)))?;
        let mut moves = game.moves;
        moves.truncate(ply);
        moves.push(last);
        let mut mated = game.start.clone();
        moves.iter().for_each(|it| mated.play_unchecked(*it));
        let outcome: Outcome = mated.outcome();
        Some(named(format!("Mating game {seed}"), game.start, moves, outcome))
    })
}

fn mates(position: &Chess) -> Option<Move> {
    position.legal_moves().into_iter().find(|it| {
        let mut after = position.clone();
        after.play_unchecked(*it);
        after.is_checkmate()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_abreast_stand_in_opposition_and_cross_the_centre() {
        let (mut opposed, mut crossed) = (0, 0);
        for seed in 0..40 {
            let game = kings_abreast(seed);
            assert_eq!(game.positions().count(), game.moves.len(), "{seed}");
            assert!(game.moves.len() >= 10 && game.outcome.is_known(), "{seed}");
            for position in game.positions() {
                let king = |side| position.board().king_of(side).unwrap();
                let (white, black) = (king(Color::White), king(Color::Black));
                opposed += usize::from(white.distance(black) == 2);
                crossed += usize::from(to_centre(white) == 0 || to_centre(black) == 0);
                assert!(to_centre(white) + to_centre(black) > 0);
            }
        }
        assert!(opposed > 400 && crossed > 400, "{opposed} {crossed}");
    }

    #[test]
    fn mating_games_end_with_mate() {
        for seed in 0..10 {
            let game = mating_game(seed).unwrap();
            assert!(game.positions().last().unwrap().is_checkmate(), "{seed}");
        }
    }
}
