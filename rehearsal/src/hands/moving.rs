//! How hands make a legal move: in which order pieces are lifted, slid, replaced and put.

use std::time::Duration;

use eboard::{Piece, Role, Square};
use shakmaty::{Chess, Move, Position};

use super::player::Player;
use crate::{convert, path};

impl Player<'_> {
    /// Makes this move, which is legal in this position, up to but without the press.
    pub(super) fn play(&mut self, position: &Chess, played: Move) {
        let Some(from) = played.from().map(convert::square) else { return };
        if self.dice.chance(self.manner.adjusts) {
            self.touch(from);
        }
        match played {
            Move::Normal { capture, to, promotion, .. } => {
                let to = convert::square(to);
                match promotion.map(convert::role) {
                    Some(role) => self.promote(from, to, capture.is_some(), role),
                    None => self.transfer(from, to, capture.is_some()),
                }
            }
            Move::EnPassant { to, .. } => self.en_passant(from, convert::square(to)),
            Move::Castle { king, rook } => {
                let Some(side) = played.castling_side() else { return };
                let color = position.turn();
                let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
                self.castle(
                    (convert::square(king), convert::square(king_to)),
                    (convert::square(rook), convert::square(rook_to)),
                );
            }
            Move::Put { .. } => {}
        }
    }

    /// Lifts a piece and puts it back where it stood.
    pub(super) fn touch(&mut self, square: Square) {
        self.carry_over(square, square);
        self.pause(300, 900);
    }

    fn transfer(&mut self, from: Square, to: Square, captures: bool) {
        let takes_first = captures && self.dice.below(3) == 0;
        if takes_first {
            self.lift(to);
            self.carry();
        }
        let line = path::straight(from, to).filter(|line| self.slides_along(from, line));
        if let Some(line) = line {
            return self.slide(from, &line);
        }
        let takes_between = captures && !takes_first && self.dice.below(2) == 0;
        if !takes_between {
            return self.carry_over(from, to);
        }
        let Some(piece) = self.placement[from] else { return };
        self.lift(from);
        self.carry();
        self.lift(to);
        self.carry();
        self.put(to, piece);
    }

    fn slides_along(&mut self, from: Square, line: &[Square]) -> bool {
        let role = self.placement[from].map(Piece::role);
        let sliding = matches!(role, Some(Role::Bishop | Role::Rook | Role::Queen));
        sliding && line.len() > 1 && self.dice.chance(self.manner.slides)
    }

    /// A piece on each square for a moment: it appears where it goes as it leaves where it was.
    fn slide(&mut self, from: Square, line: &[Square]) {
        const ON_A_SQUARE: (Duration, Duration) =
            (Duration::from_millis(100), Duration::from_millis(200));
        let Some(piece) = self.placement[from] else { return };
        let mut standing = from;
        for &square in line {
            if standing != from {
                let span = self.dice.between(ON_A_SQUARE);
                self.wait(span);
            }
            self.lift(standing);
            self.put(square, piece);
            standing = square;
        }
    }

    fn promote(&mut self, from: Square, to: Square, captures: bool, role: Role) {
        let Some(pawn) = self.placement[from] else { return };
        let promoted = Piece::new(pawn.colour(), role);
        if self.dice.below(3) > 0 {
            self.transfer(from, to, captures);
            self.carry();
            self.lift(to);
        } else {
            self.lift(from);
            if captures {
                self.carry();
                self.lift(to);
            }
        }
        self.carry();
        self.put(to, promoted);
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        let Some(captured) = Square::at(to.file(), from.rank()) else { return };
        if self.dice.below(2) == 0 {
            self.lift(captured);
            self.carry();
            self.carry_over(from, to);
        } else {
            self.carry_over(from, to);
            self.carry();
            self.lift(captured);
        }
    }

    /// King first, then rook (4.4.2); where the two are in each other's way the king waits in the
    /// hand (Chess960).
    fn castle(&mut self, king: (Square, Square), rook: (Square, Square)) {
        let (Some(held), stays) = (self.placement[king.0], king.0 == king.1) else { return };
        if king.1 == rook.0 {
            self.lift(king.0);
            self.carry();
            self.carry_over(rook.0, rook.1);
            self.carry();
            return self.put(king.1, held);
        }
        if !stays {
            self.carry_over(king.0, king.1);
            self.pause(200, 600);
        }
        if rook.0 != rook.1 {
            self.carry_over(rook.0, rook.1);
        }
    }
}
