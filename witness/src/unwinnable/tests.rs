//! What `reach` and `pattern` rule out is compared with what really can be played.

use std::collections::BTreeSet;

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, Role, Square,
};

use super::dive::Dive;
use super::packed::Packed;
use super::pattern::mate_conceivable;
use super::reach::Reach;

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn role(&mut self) -> Role {
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        roles[self.below(5) as usize]
    }
}

/// Walls that no king can pass, and kings shut in behind pawns.
const SHUT: [&str; 8] = [
    "8/8/2k5/p1p1p1p1/P1P1P1P1/1K6/8/8 w - - 0 1",
    "2k5/8/1p1p1p1p/1P1P1P1P/8/8/3K4/8 w - - 0 1",
    "1BK5/1p6/1Pp5/k1P5/p1P5/P7/8/8 w - - 0 1",
    "8/8/p7/P1p5/K1p5/pP6/P7/3k2b1 b - - 0 1",
    "1k6/1P6/BP1p4/1P6/8/8/3P2K1/8 b - - 0 1",
    "k7/1b6/8/8/8/1pB5/pP6/K7 w - - 0 1",
    "6bk/4p1pr/3pP1P1/3P4/8/8/2K5/8 w - - 0 1",
    "5k2/p1p1p1p1/P1P1P1P1/p1p1p3/8/8/P1P1P3/4K3 w - - 0 1",
];

/// One of [`SHUT`], with some men taken off and some put on.
fn blocked(numbers: &mut Numbers) -> Option<Chess> {
    let fen = SHUT[numbers.below(SHUT.len() as u32) as usize];
    let mut setup = fen.parse::<shakmaty::fen::Fen>().unwrap().into_setup();
    let kings = setup.board.kings();
    for _ in 0..numbers.below(3) {
        setup.board.discard_piece_at(Square::new(numbers.below(64)));
    }
    for _ in 0..numbers.below(4) {
        let role = if numbers.below(2) == 0 { Role::Bishop } else { numbers.role() };
        let color = Color::from_white(numbers.below(2) == 0);
        setup.board.set_piece_at(Square::new(numbers.below(64)), role.of(color));
    }
    setup.turn = Color::from_white(numbers.below(2) == 0);
    if setup.board.kings() != kings {
        return None;
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// Which man of the first position stands where now.
struct Walk {
    at: Vec<(usize, Square)>,
}

impl Walk {
    fn new(reach: &Reach) -> Self {
        Self { at: reach.men.iter().enumerate().map(|(man, it)| (man, it.home)).collect() }
    }

    fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from().unwrap(), mv.to());
        let taken = match mv {
            Move::EnPassant { .. } => Square::from_coords(to.file(), from.rank()),
            _ => to,
        };
        self.at.retain(|(_, square)| *square != taken);
        for (_, square) in &mut self.at {
            if *square == from {
                *square = to;
            }
        }
    }
}

#[test]
fn nobody_ever_stands_where_he_was_said_not_to_reach() {
    let mut numbers = Numbers(5);
    let (mut games, mut steps) = (0, 0);
    while games < GAMES {
        let Some(start) = blocked(&mut numbers) else { continue };
        games += 1;
        let reach = Reach::of(&start);
        let mut walk = Walk::new(&reach);
        let mut position = start.clone();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[numbers.below(moves.len() as u32) as usize];
            walk.play(mv);
            position.play_unchecked(mv);
            steps += 1;
            for (man, square) in &walk.at {
                let man = &reach.men[*man];
                let last = man.piece.role == Role::King
                    && reach.last.get(man.piece.color).contains(*square)
                    && position.legal_moves().is_empty();
                let there = man.anywhere().contains(*square) || last;
                assert!(there, "{} from {} on {square}: {start:?}", man.piece.char(), man.home);
            }
        }
    }
    assert!(steps > GAMES, "hardly anything was played");
}

/// Whether a mate by `winner` is among so many positions, the nearest first; `None` if there are
/// more.
fn mate_within(start: &Chess, winner: Color, most: usize) -> Option<bool> {
    let key = |position: &Chess| format!("{:?}", Packed::of(position));
    let mut seen = BTreeSet::from([key(start)]);
    let mut layer = vec![start.clone()];
    while let Some(position) = layer.pop() {
        if position.turn() != winner && position.is_checkmate() {
            return Some(true);
        }
        for mv in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(mv);
            if seen.insert(key(&child)) {
                layer.insert(0, child);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

#[test]
fn no_mate_that_can_be_played_was_ruled_out() {
    let mut numbers = Numbers(7);
    let mut ruled_out = 0;
    for _ in 0..GAMES {
        let Some(start) = blocked(&mut numbers) else { continue };
        for winner in Color::ALL {
            if mate_conceivable(&Reach::of(&start), winner) {
                continue;
            }
            ruled_out += 1;
            // At once, without a move of the loser, is not what it speaks of.
            let starts: Vec<Chess> = match start.turn() == winner {
                true => children(&start).filter(|child| !child.is_checkmate()).collect(),
                false => vec![start.clone()],
            };
            for start in starts {
                assert_ne!(mate_within(&start, winner, MOST), Some(true), "{winner}: {start:?}");
                let mut dive = Dive::new(&start, winner, 4 * MOST);
                while !dive.exhausted() {
                    assert_eq!(dive.step(), None, "{winner}: {start:?}");
                }
            }
        }
    }
    assert!(ruled_out > GAMES / 4, "{ruled_out} ruled out");
}

fn children(position: &Chess) -> impl Iterator<Item = Chess> {
    position.legal_moves().into_iter().map(|mv| {
        let mut child = position.clone();
        child.play_unchecked(mv);
        child
    })
}

/// Positions for each test.
const GAMES: u32 = 300;
/// Positions looked at for a mate.
const MOST: usize = 150;

#[test]
fn a_packed_position_is_the_same_when_unpacked() {
    let mut numbers = Numbers(11);
    let mut position = Chess::default();
    for _ in 0..2_000 {
        let again = Packed::of(&position).unpack(CastlingMode::Standard).unwrap();
        assert_eq!(again, position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            position = Chess::default();
            continue;
        }
        position.play_unchecked(moves[numbers.below(moves.len() as u32) as usize]);
    }
}

#[test]
fn a_pawn_that_faces_another_stays_behind_it() {
    let reach = |fen: &str| {
        let setup = fen.parse::<shakmaty::fen::Fen>().unwrap().into_setup();
        Reach::of(&setup.position::<Chess>(CastlingMode::Standard).unwrap())
    };
    let pawn = |reach: &Reach, color: Color| {
        let is = |piece: Piece| piece == Role::Pawn.of(color);
        reach.men.iter().find(|man| is(man.piece)).unwrap().anywhere()
    };
    // The kings cannot leave their corners: each is shut in by a rook's pawn and its neighbour.
    let shut = reach("8/8/p7/8/8/P7/8/k1K5 w - - 0 1");
    assert!(!pawn(&shut, Color::White).is_empty());
    let free = reach("7k/8/p7/8/8/P7/8/K7 w - - 0 1");
    assert!(pawn(&free, Color::White).contains(Square::A8), "the king takes the other pawn");
    assert!(Bitboard::from_file(shakmaty::File::A).is_subset(
        pawn(&free, Color::White)
            | Bitboard::from_rank(shakmaty::Rank::First)
            | Bitboard::from_rank(shakmaty::Rank::Second)
    ));
}
