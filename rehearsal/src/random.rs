//! Random legal games, ordinary and Chess960, for when more games are wanted than were ever played.
//! Nobody in them means to win.

use std::collections::BTreeMap;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, KnownOutcome, Move,
    Outcome, Position, Role, Setup, Square, attacks,
};

use crate::{Game, Rng, games};

/// A game of at most this many plies from this position, the same for the same seed. Castling,
/// promotion and en passant are played half of the times they are possible. It ends early with
/// mate, stalemate or too little material, at the third occurrence of a position or after 50 moves
/// each without capture and pawn move; else somebody resigns or a draw is agreed.
#[must_use]
pub fn random_game(seed: u64, plies: usize, start: Chess) -> Game {
    random_game_among(seed, plies, start, |_| true)
}

/// The same of these moves only. It ends where there is none of them left.
#[must_use]
pub fn random_game_among(
    seed: u64,
    plies: usize,
    start: Chess,
    allowed: impl Fn(&Move) -> bool,
) -> Game {
    let mut dice = Rng::new(seed);
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut seen: BTreeMap<u64, u8> = BTreeMap::new();
    let mut drawn = false;
    while moves.len() < plies && !position.is_game_over() && !drawn {
        let legal = position.legal_moves().into_iter().filter(&allowed).collect::<Vec<_>>();
        let Some(played) = choose(&legal, &mut dice) else { break };
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
    named(format!("Random game {seed}"), start, moves, outcome)
}

pub(crate) fn named(event: String, start: Chess, moves: Vec<Move>, outcome: Outcome) -> Game {
    Game {
        white: "White".to_owned(),
        black: "Black".to_owned(),
        event,
        site: "?".to_owned(),
        date: "????.??.??".to_owned(),
        start,
        moves,
        irregular: None,
        outcome,
    }
}

/// A random game in which one move is illegal, nobody claims it, and the game goes on from where it
/// led: a piece, no pawn and no king, is moved as it does not move, capturing or not.
#[must_use]
pub fn irregular_game(seed: u64) -> Game {
    const TRIES: u64 = 20;
    let tries = (0..TRIES).map(|attempt| seed ^ attempt << 40);
    let game = tries.filter_map(with_irregular).next();
    game.unwrap_or_else(|| random_game(seed, 40, Chess::default()))
}

fn with_irregular(seed: u64) -> Option<Game> {
    let mut dice = Rng::new(seed);
    let before = 12 + usize::try_from(dice.below(40)).unwrap_or_default();
    let after = 10 + usize::try_from(dice.below(50)).unwrap_or_default();
    let first = random_game(dice.draw(), before, Chess::default());
    let position = first.positions().last().filter(|it| !it.is_game_over())?;
    let wrong = dice.pick(&wrong_geometry(&position))?;
    let rest = random_game(dice.draw(), after, games::standing(&position, wrong)?);
    let irregular = Some(first.moves.len());
    let moves = first.moves.into_iter().chain([wrong]).chain(rest.moves).collect();
    let event = format!("Irregular game {seed}");
    Some(Game { irregular, ..named(event, first.start, moves, rest.outcome) })
}

/// Moves of pieces to squares where they do not go, that leave a position to go on from. Pieces
/// that move by mistake land beside where they could go.
fn wrong_geometry(position: &Chess) -> Vec<Move> {
    let men = position.us() & !position.our(Role::Pawn) & !position.our(Role::King);
    let own_and_kings = position.us() | position.board().kings();
    let mut wrong = Vec::new();
    for from in men {
        let Some(role) = position.board().role_at(from) else { continue };
        let reach = position.board().attacks_from(from);
        let near: Bitboard = reach.into_iter().flat_map(attacks::king_attacks).collect();
        for to in near & !reach & !own_and_kings {
            let capture = position.board().role_at(to);
            let mv = Move::Normal { role, from, capture, to, promotion: None };
            wrong.extend(games::standing(position, mv).map(|_| mv));
        }
    }
    wrong
}

/// A random game from the usual array in which both kings make for the centre. It is given up or
/// drawn where kings put there for the result look most like moves: by the seed, after a king's
/// move to a centre square, with a king beside the centre that has the move and could go there, or
/// with one there that has just not the move.
#[must_use]
pub fn kings_walk(seed: u64) -> Game {
    const TRIES: u64 = 20;
    let ends = [Halt::InTheCentre, Halt::MayGoThere, Halt::StandsBeside];
    let halt = ends[usize::try_from(seed % 3).unwrap_or_default()];
    let tries = (0..TRIES).map(|attempt| walk(Rng::new(seed ^ attempt << 40), halt));
    let (moves, mut dice) = tries.flatten().next().unwrap_or_else(|| (Vec::new(), Rng::new(seed)));
    let outcome = agreed(&mut dice);
    named(format!("Kings' walk {seed}"), Chess::default(), moves, outcome)
}

/// Where a walk of the kings ends.
#[derive(Clone, Copy)]
enum Halt {
    InTheCentre,
    MayGoThere,
    StandsBeside,
}

/// A walk and its dice, unless it ends otherwise.
fn walk(mut dice: Rng, halt: Halt) -> Option<(Vec<Move>, Rng)> {
    const LEAST: usize = 20;
    const MOST: usize = 160;
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < MOST && !position.is_game_over() {
        let legal = position.legal_moves();
        let nearer: Vec<Move> = legal.iter().copied().filter(comes_nearer).collect();
        let nearer = if dice.below(2) == 0 { dice.pick(&nearer) } else { None };
        let played = nearer.or_else(|| choose(&legal, &mut dice))?;
        position.play_unchecked(played);
        moves.push(played);
        if moves.len() >= LEAST && !position.is_game_over() && halt.is_reached(&position, played) {
            return Some((moves, dice));
        }
    }
    None
}

impl Halt {
    fn is_reached(self, position: &Chess, last: Move) -> bool {
        let beside = |side| position.board().king_of(side).is_some_and(|king| to_centre(king) == 1);
        match self {
            Self::InTheCentre => last.role() == Role::King && to_centre(last.to()) == 0,
            Self::MayGoThere => {
                position.legal_moves().iter().any(|it| comes_nearer(it) && to_centre(it.to()) == 0)
            }
            Self::StandsBeside => beside(!position.turn()),
        }
    }
}

fn comes_nearer(mv: &Move) -> bool {
    let from = mv.from().filter(|_| mv.role() == Role::King && !mv.is_castle());
    from.is_some_and(|from| to_centre(mv.to()) < to_centre(from))
}

/// A king's steps to the nearest centre square.
pub(crate) fn to_centre(square: Square) -> u32 {
    const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];
    CENTRE.into_iter().map(|it| it.distance(square)).min().unwrap_or_default()
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

fn choose(legal: &[Move], dice: &mut Rng) -> Option<Move> {
    let special = |it: &&Move| it.is_castle() || it.is_promotion() || it.is_en_passant();
    let special: Vec<Move> = legal.iter().filter(special).copied().collect();
    let special = if dice.below(2) == 0 { dice.pick(&special) } else { None };
    special.or_else(|| dice.pick(legal))
}

pub(crate) fn agreed(dice: &mut Rng) -> Outcome {
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
    fn kings_walk_to_where_a_sign_looks_like_a_move() {
        for seed in 0..30 {
            let game = kings_walk(seed);
            let last = game.positions().last().unwrap();
            assert_eq!(game.positions().count(), game.moves.len());
            assert!(!last.is_game_over() && matches!(game.outcome, Outcome::Known(_)));
            let king = |side| to_centre(last.board().king_of(side).unwrap());
            match seed % 3 {
                0 => assert_eq!(king(!last.turn()), 0, "{seed}"),
                1 => assert_eq!(king(last.turn()), 1, "{seed}"),
                _ => assert_eq!(king(!last.turn()), 1, "{seed}"),
            }
        }
    }

    #[test]
    fn one_move_of_an_irregular_game_is_illegal_and_the_game_goes_on_from_it() {
        for seed in 0..40 {
            let game = irregular_game(seed);
            let positions: Vec<Chess> = game.positions().collect();
            assert_eq!(positions.len(), game.moves.len(), "{seed}");
            let before = [game.start.clone()].into_iter().chain(positions);
            let illegal = before.zip(&game.moves).position(|(it, mv)| !it.is_legal(*mv)).unwrap();
            assert_eq!(game.irregular, Some(illegal));
            assert!(illegal >= 12 && illegal + 1 < game.moves.len(), "{illegal}");
        }
    }

    #[test]
    fn a_game_of_some_moves_only_holds_no_other() {
        let promotions = |it: &Move| it.promotion().is_none_or(|role| role == Role::Queen);
        let mut promoted = 0;
        for seed in 0..40 {
            let game = random_game_among(seed, 300, Chess::default(), promotions);
            assert!(game.moves.iter().all(promotions));
            promoted += game.moves.iter().filter(|it| it.is_promotion()).count();
        }
        assert!(promoted > 10, "{promoted}");
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
