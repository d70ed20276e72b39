//! Mishaps of Article 4: what is lifted, put back and then not played.

use eboard::Square;
use shakmaty::{Bitboard, Chess, Move, Position, Role};

use super::Mishap;
use crate::hands::player::Player;
use crate::{Act, convert};

impl Player<'_> {
    pub(super) fn touch_wrongly(
        &mut self,
        mishap: Mishap,
        position: &Chess,
        played: Move,
    ) -> Option<()> {
        let touched = match mishap {
            Mishap::TouchedOther => vec![self.dice.pick(&other_movable(position, played))?],
            Mishap::Adjusted => vec![convert::square(played.from()?)],
            Mishap::TouchedTheirs => {
                let captures = self.captures_left_out(position, played);
                vec![self.dice.pick(&captures)?.1]
            }
            Mishap::TouchedBoth => {
                let captures = self.captures_left_out(position, played);
                let (own, theirs) = self.dice.pick(&captures)?;
                if self.dice.below(2) == 0 { vec![own, theirs] } else { vec![theirs, own] }
            }
            Mishap::NotCastled => {
                let castlings: Vec<_> = castlings(position).collect();
                let (king, rook) = self.dice.pick(&castlings)?;
                vec![king, rook]
            }
            Mishap::KingNotMoved => self.king_and_rook(position, played)?,
            Mishap::TouchedOutOfTurn => {
                let resting = self.at_rest(position);
                vec![self.dice.pick(&resting)?]
            }
            _ => return None,
        };
        self.touch_together(&touched);
        Some(())
    }

    /// Lifts them one after the other, and puts them back.
    fn touch_together(&mut self, squares: &[Square]) {
        let men: Vec<_> =
            squares.iter().filter_map(|&at| Some((at, self.placement[at]?))).collect();
        for &(square, _) in &men {
            self.lift(square);
            // Closer together they may have fallen, or been lifted in any order.
            self.pause(550, 900);
        }
        for &(square, piece) in men.iter().rev() {
            self.put(square, piece);
            self.pause(300, 900);
        }
    }

    /// From where and what could be captured and is not, and was not moved just now: its owner may
    /// be straightening it.
    fn captures_left_out(&self, position: &Chess, played: Move) -> Vec<(Square, Square)> {
        let legal = position.legal_moves();
        let captures = legal.iter().filter(|it| it.is_capture() && !it.is_en_passant());
        let left_out = captures.filter(|it| !played.is_capture() || it.to() != played.to());
        let squares = left_out.filter_map(|it| Some((it.from()?, it.to())));
        let squares = squares.map(|(own, theirs)| (convert::square(own), convert::square(theirs)));
        squares.filter(|(_, theirs)| Some(*theirs) != self.put_just_now()).collect()
    }

    /// Pieces of the player who does not have the move that cannot be captured and were not moved
    /// just now.
    pub(in crate::hands) fn at_rest(&self, position: &Chess) -> Vec<Square> {
        let legal = position.legal_moves();
        let captured: Bitboard = legal.iter().map(|it| it.to()).collect();
        let passed = if legal.iter().any(|it| it.is_en_passant()) {
            position.board().pawns()
        } else {
            Bitboard::EMPTY
        };
        let resting = position.them() & !captured & !passed;
        let squares = resting.into_iter().map(convert::square);
        squares.filter(|square| Some(*square) != self.put_just_now()).collect()
    }

    /// A king that can move and a rook with which it cannot castle; the king does not move now.
    fn king_and_rook(&mut self, position: &Chess, played: Move) -> Option<Vec<Square>> {
        let king = position.board().king_of(position.turn())?;
        let moves = position.legal_moves();
        let movable = moves.iter().any(|it| it.from() == Some(king) && !it.is_castle());
        if !movable || played.role() == Role::King {
            return None;
        }
        let castling: Vec<Square> = castlings(position).map(|(_, rook)| rook).collect();
        let rooks: Vec<Square> =
            position.our(Role::Rook).into_iter().map(convert::square).collect();
        let rooks: Vec<Square> = rooks.into_iter().filter(|it| !castling.contains(it)).collect();
        Some(vec![convert::square(king), self.dice.pick(&rooks)?])
    }

    /// Where a piece was put last.
    fn put_just_now(&self) -> Option<Square> {
        self.acts.iter().rev().find_map(|&(_, act)| match act {
            Act::Put(square, _) => Some(square),
            _ => None,
        })
    }
}

/// King and rook of each legal castling.
fn castlings(position: &Chess) -> impl Iterator<Item = (Square, Square)> {
    position.legal_moves().into_iter().filter_map(|it| match it {
        Move::Castle { king, rook } => Some((convert::square(king), convert::square(rook))),
        _ => None,
    })
}

/// Own pieces that could move but do not move now. A king before a rook is another matter (4.4).
fn other_movable(position: &Chess, played: Move) -> Vec<Square> {
    let legal = position.legal_moves();
    let movable: Bitboard = legal.iter().filter_map(|it| it.from()).collect();
    // In castling the rook moves too.
    let moved: Bitboard = played.from().into_iter().chain([played.to()]).collect();
    let special =
        if played.role() == Role::Rook { position.board().kings() } else { Bitboard::EMPTY };
    (movable & !moved & !special).into_iter().map(convert::square).collect()
}
