//! A position, exactly. The library makes none that chess does not know, but there are such: a king
//! left in check, a pawn on the last rank. They are kept as one that it makes, and what was done on
//! the board from there.

use std::num::NonZeroU32;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position,
    PositionError, Role, Setup, Square,
};

use super::Keep;
use crate::laws::illegal;

/// More than so many moves back nothing is looked for.
const BACK_MAX: usize = 8;

/// What makes a position.
#[derive(Clone, PartialEq, Eq, Encode, Decode)]
struct Parts {
    board: Board,
    turn: Color,
    castling_rights: Bitboard,
    chess960: bool,
    ep_square: Option<Square>,
    halfmoves: u32,
    fullmoves: u32,
}

impl Parts {
    fn of(position: &Chess) -> Self {
        let setup = position.to_setup(EnPassantMode::Always);
        Self {
            board: setup.board,
            turn: setup.turn,
            castling_rights: setup.castling_rights,
            chess960: position.castles().mode().is_chess960(),
            ep_square: setup.ep_square,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.get(),
        }
    }

    fn position(&self) -> Option<Chess> {
        let setup = Setup {
            board: self.board.clone(),
            turn: self.turn,
            castling_rights: self.castling_rights,
            ep_square: self.ep_square,
            halfmoves: self.halfmoves,
            fullmoves: NonZeroU32::new(self.fullmoves)?,
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::from_chess960(self.chess960))
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    /// With these pieces, one move earlier. Nothing where no move can have come before.
    fn before(&self, board: Board) -> Option<Self> {
        let moved = u32::from(self.turn.is_white());
        let fullmoves = self.fullmoves.checked_sub(moved).filter(|it| *it > 0)?;
        let halfmoves = self.halfmoves.saturating_sub(1);
        let turn = self.turn.other();
        Some(Self { board, turn, ep_square: None, halfmoves, fullmoves, ..self.clone() })
    }

    /// Places and moves from which this can have come, the simplest first: whatever the library
    /// lets be done, as long as it leads here.
    fn earlier(&self) -> Vec<(Self, Move)> {
        let mover = self.turn.other();
        let mut found = Vec::new();
        let mut from = |board: Board, made: Move| {
            found.extend(self.before(board).map(|before| (before, made)));
        };
        if let Some(skipped) = self.ep_square {
            let (start, to) = match mover {
                Color::White => (skipped.offset(-8), skipped.offset(8)),
                Color::Black => (skipped.offset(8), skipped.offset(-8)),
            };
            if let (Some(start), Some(to)) = (start, to) {
                from(moved(&self.board, to, start, mover.pawn()), act(Role::Pawn, start, to, None));
            }
            return found;
        }
        // A move of a knight or a pawn changes no castling rights, whatever stands there.
        let role = if self.halfmoves == 0 { Role::Pawn } else { Role::Knight };
        let pawns = self.board.pawns() & Bitboard::BACKRANKS;
        let own = self.board.by_color(mover);
        if let Some(pawn) = (pawns & own).first() {
            for other in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let made = act(role, pawn, pawn, Some(Role::Pawn));
                from(moved(&self.board, pawn, pawn, Piece { color: mover, role: other }), made);
            }
            return found;
        }
        let Some(king) = self.board.king_of(mover) else { return found };
        from(self.board.clone(), act(role, king, king, Some(Role::King)));
        if pawns.any() {
            return found;
        }
        for (to, stood) in own.into_iter().filter_map(|it| Some((it, self.board.piece_at(it)?))) {
            for start in !self.board.occupied() {
                if role != Role::Pawn || (to - start).abs() != 16 {
                    let made = act(role, start, to, Some(stood.role));
                    from(moved(&self.board, to, start, stood), made);
                }
            }
        }
        found
    }
}

fn act(role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
    Move::Normal { role, from, capture: None, to, promotion }
}

fn moved(board: &Board, from: Square, to: Square, piece: Piece) -> Board {
    let mut board = board.clone();
    board.discard_piece_at(from);
    board.set_piece_at(to, piece);
    board
}

/// A position the library makes, and what leads from there to these parts.
fn whence(parts: &Parts, back: usize) -> Option<(Parts, Vec<Move>)> {
    if parts.position().is_some_and(|made| Parts::of(&made) == *parts) {
        return Some((parts.clone(), Vec::new()));
    }
    let back = back.checked_sub(1)?;
    let pawns = (parts.board.pawns() & Bitboard::BACKRANKS).any();
    parts.earlier().into_iter().find_map(|(before, made)| {
        // Only pawns on the last rank take more than one move.
        let (start, mut moves) = whence(&before, if pawns { back } else { 0 })?;
        moves.push(made);
        (played(&start, &moves).is_some_and(|it| Parts::of(&it) == *parts))
            .then_some((start, moves))
    })
}

/// Nothing in it that the library could object to: most positions, and to ask it takes long.
fn is_plain(position: &Chess, parts: &Parts) -> bool {
    parts.castling_rights.is_empty()
        && parts.ep_square.is_none()
        && Color::ALL.into_iter().all(|side| parts.board.king_of(side).is_some())
        && !illegal::cannot_arise(position)
}

fn played(start: &Parts, moves: &[Move]) -> Option<Chess> {
    let mut position = start.position()?;
    moves.iter().for_each(|made| position.play_unchecked(*made));
    Some(position)
}

impl Keep for Chess {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        let parts = Parts::of(self);
        if is_plain(self, &parts) {
            parts.encode(to)?;
            return Vec::<Move>::new().keep(to);
        }
        let nowhere = EncodeError::Other("a position that nothing leads to");
        let (start, moves) = whence(&parts, BACK_MAX).ok_or(nowhere)?;
        start.encode(to)?;
        moves.keep(to)
    }

    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError> {
        let start = Parts::decode(from)?;
        let moves = Vec::kept(from)?;
        played(&start, &moves).ok_or(DecodeError::Other("no position"))
    }
}

#[cfg(test)]
mod tests {
    use bincode::config::standard;
    use shakmaty::CastlingSide;

    use super::*;

    struct Kept(Chess);

    impl Encode for Kept {
        fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
            self.0.keep(to)
        }
    }

    impl<Context> Decode<Context> for Kept {
        fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
            Chess::kept(from).map(Self)
        }
    }

    fn again(position: &Chess) -> Chess {
        let bytes = bincode::encode_to_vec(Kept(position.clone()), standard()).unwrap();
        let (Kept(kept), read) = bincode::decode_from_slice(&bytes, standard()).unwrap();
        assert_eq!(read, bytes.len());
        kept
    }

    /// Equality of positions would forget an en passant that nobody can make.
    fn assert_kept(position: &Chess) {
        let kept = again(position);
        assert!(Parts::of(&kept) == Parts::of(position), "{position:?} became {kept:?}");
        assert_eq!(castling(&kept), castling(position));
        assert_eq!(kept.legal_moves(), position.legal_moves());
    }

    /// Who may still castle, with which rook, and what must not stand between.
    fn castling(position: &Chess) -> Vec<(Square, Bitboard)> {
        let castles = position.castles();
        let sides =
            Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|it| (color, it)));
        let rights = sides.filter_map(|(color, side)| {
            castles.rook(color, side).map(|rook| (rook, castles.path(color, side)))
        });
        rights.collect()
    }

    fn from_fen(fen: &str) -> Chess {
        let fen: shakmaty::fen::Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn every_position_of_random_games_is_kept_exactly() {
        for seed in 0..40 {
            let game = rehearsal::random_game(seed, 120, Chess::default());
            game.positions().for_each(|position| assert_kept(&position));
        }
    }

    /// What stands after an illegal move that nobody claimed.
    #[test]
    fn positions_that_chess_does_not_know_are_kept_exactly() {
        let cases: [(&str, &[Move]); 8] = [
            // A king stays in check.
            ("4k3/8/8/8/4r3/8/P7/4K3 w - - 3 7", &[act(Role::Pawn, Square::A2, Square::A3, None)]),
            // The same with a double step.
            ("4k3/8/8/8/4r3/8/P7/4K3 w - - 3 7", &[act(Role::Pawn, Square::A2, Square::A4, None)]),
            // A double step over a piece.
            ("4k3/8/8/8/8/n7/P7/4K3 w - - 3 7", &[act(Role::Pawn, Square::A2, Square::A4, None)]),
            // And with a move that gives check as well, with the right to castle.
            (
                "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 3 7",
                &[act(Role::Rook, Square::A1, Square::A8, None)],
            ),
            // A king beside the other one.
            ("8/8/8/3k4/8/3K4/8/8 w - - 3 7", &[act(Role::King, Square::D3, Square::D4, None)]),
            // A pawn on the last rank, and a move later.
            ("7k/P7/8/8/8/8/8/K7 w - - 3 7", &[act(Role::Pawn, Square::A7, Square::A8, None)]),
            (
                "7k/P7/8/8/8/8/8/K7 w - - 3 7",
                &[
                    act(Role::Pawn, Square::A7, Square::A8, None),
                    act(Role::King, Square::H8, Square::H7, None),
                ],
            ),
            // One of each colour.
            (
                "7k/P7/8/8/8/8/7p/K7 w - - 3 7",
                &[
                    act(Role::Pawn, Square::A7, Square::A8, None),
                    act(Role::Pawn, Square::H2, Square::H1, None),
                ],
            ),
        ];
        for (fen, moves) in cases {
            let mut position = from_fen(fen);
            for made in moves {
                position.play_unchecked(*made);
            }
            assert!(Parts::of(&position).position().is_none(), "{fen} leads to nothing strange");
            assert_kept(&position);
        }
    }
}
