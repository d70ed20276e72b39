//! A game in the hands of two players: moves as people write them, and what hands do to make
//! them. No board and no clock.

use eboard::{Piece, Placement, Square};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::San, uci::UciMove,
};

/// What one hand does to one square.
pub type Gesture = (Square, Option<Piece>);

/// A legal game.
#[derive(Clone)]
pub struct Game {
    start: Chess,
    pub position: Chess,
    moves: Vec<Move>,
}

impl Default for Game {
    fn default() -> Self {
        Self::from(Chess::default())
    }
}

impl From<Chess> for Game {
    fn from(start: Chess) -> Self {
        Self { position: start.clone(), start, moves: Vec::new() }
    }
}

/// A game with captures, checks and castling to the long side (Morphy, Paris 1858).
const LONG: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 \
                    cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#";
/// Seconds on both clocks at the beginning of that game. Each move takes one.
pub const LONG_GAME_TIME: u32 = 180;

/// One thing that a player does.
#[derive(Clone, Copy)]
pub enum Step {
    Hand(Gesture),
    /// A press that leaves so many seconds.
    Press(u32),
}

/// A long game, one touch and one press at a time, and the game as it stands in the end.
pub fn long_game() -> (Vec<Step>, Game) {
    let mut game = Game::default();
    let mut steps = Vec::new();
    for (ply, san) in (0..).zip(LONG.split_whitespace()) {
        steps.extend(game.play(san).into_iter().map(Step::Hand));
        steps.push(Step::Press(LONG_GAME_TIME - 1 - ply / 2));
    }
    (steps, game)
}

impl Game {
    /// The game from a position.
    pub fn from_fen(fen: &str) -> Self {
        let fen: Fen = fen.parse().expect("a FEN");
        let start: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
        Self::from(start)
    }

    /// Makes a move, in standard algebraic notation, and gives what the hands do for it: the
    /// captured piece leaves first, the promoted one comes last, a king castles before his rook.
    pub fn play(&mut self, san: &str) -> Vec<Gesture> {
        let san: San = san.parse().unwrap_or_else(|error| panic!("{san}: {error}"));
        let mv = san.to_move(&self.position).unwrap_or_else(|error| panic!("{san}: {error}"));
        let gestures = gestures(&self.position, mv);
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        gestures
    }

    /// The moves so far in UCI notation.
    pub fn uci(&self) -> Vec<String> {
        let uci = |mv: &Move| UciMove::from_move(*mv, CastlingMode::Standard).to_string();
        self.moves.iter().map(uci).collect()
    }

    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The position as a FEN.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// The FEN the game began with.
    pub fn start_fen(&self) -> String {
        Fen::from_position(&self.start, EnPassantMode::Legal).to_string()
    }

    /// What stands on the squares.
    pub fn placement(&self) -> Placement {
        Placement::from_fen(&self.position.board().to_string()).expect("a board")
    }
}

/// A square by its name.
pub fn square(name: &str) -> Square {
    Square::all().find(|square| square.to_string() == name).expect("the name of a square")
}

fn gestures(position: &Chess, mv: Move) -> Vec<Gesture> {
    let man = |piece: shakmaty::Piece| Piece::from_letter(piece.char());
    let turn = position.turn();
    let mut done = Vec::new();
    match mv {
        Move::Castle { king, rook } => {
            let side = mv.castling_side().expect("castling");
            let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
            done.push((named(king), None));
            done.push((named(king_to), man(turn.king())));
            done.push((named(rook), None));
            done.push((named(rook_to), man(turn.rook())));
        }
        Move::EnPassant { from, to } => {
            let taken = shakmaty::Square::from_coords(to.file(), from.rank());
            done.push((named(from), None));
            done.push((named(to), man(turn.pawn())));
            done.push((named(taken), None));
        }
        Move::Normal { role, from, capture, to, promotion } => {
            if capture.is_some() {
                done.push((named(to), None));
            }
            done.push((named(from), None));
            done.push((named(to), man(promotion.unwrap_or(role).of(turn))));
        }
        Move::Put { .. } => unreachable!("nobody drops pieces in chess"),
    }
    done
}

fn named(square: shakmaty::Square) -> Square {
    Square::at(u8::from(square.file()), u8::from(square.rank())).expect("on the board")
}
