//! How hands make a legal move: in which order pieces are lifted, slid, replaced and put.

use std::time::Duration;

use eboard::{Piece, Role, Square};
use shakmaty::{Chess, Move, Position};

use super::Habit;
use super::castling::Castling;
use super::player::{Distraction, Forgotten, Player};
use crate::{convert, path};

impl Player<'_> {
    /// Makes this move, which is legal in this position, up to but without the press.
    pub(super) fn play(&mut self, position: &Chess, played: Move) {
        let Some(from) = played.from().map(convert::square) else { return };
        self.meddle(position);
        if self.has(Habit::AdjustsRound) {
            self.adjust_round(position);
        }
        // Whoever touches the king first and the rook then may castle (4.4.1).
        let rook_first = self.forced == Some(Habit::RookFirst);
        if self.dice.chance(self.manner.adjusts) && !rook_first {
            self.touch(from);
        }
        let knocks = self.inclined(Habit::KnocksOver);
        let in_hand = knocks && self.dice.below(3) == 0;
        let near = if in_hand { self.bystanders(position, played) } else { Vec::new() };
        self.distraction = Distraction { thinks: self.inclined(Habit::LongHold), knocks: near };
        let mut stands = self.reconsider(position, played, from);
        if stands == from {
            stands = self.misplace(position, played, from);
        }
        if stands == from {
            stands = self.meet(position, played, from);
        }
        self.make(position, played, stands);
        self.distraction = Distraction::default();
        self.flicker();
        if knocks && !in_hand {
            let near = self.bystanders(position, played);
            self.pause(50, 400);
            self.knock_over(&near);
        }
    }

    /// Lifts a piece and puts it back where it stood.
    pub(super) fn touch(&mut self, square: Square) {
        self.carry_over(square, square);
        self.pause(300, 900);
    }

    /// The move itself, with the piece that stands on `from` by now.
    fn make(&mut self, position: &Chess, played: Move, from: Square) {
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
                self.castle(Castling {
                    king: (convert::square(king), convert::square(king_to)),
                    rook: (convert::square(rook), convert::square(rook_to)),
                });
            }
            Move::Put { .. } => {}
        }
    }

    fn transfer(&mut self, from: Square, to: Square, captures: bool) {
        if captures && self.fumbles_capture(from, to) {
            return;
        }
        let takes_first = captures && self.dice.below(3) == 0;
        if takes_first {
            self.lift(to);
            self.carry();
        }
        let open = !captures || takes_first || !self.manner.lifts_captured;
        let line = path::straight(from, to).filter(|line| self.slides_along(from, line));
        if let Some(line) = line.filter(|_| open) {
            return self.slide(from, &line);
        }
        if open && self.drags(from, to) {
            return;
        }
        let lifts = self.manner.lifts_captured;
        let takes_between = captures && !takes_first && (self.dice.below(2) == 0 || lifts);
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
        sliding && line.len() > 1 && self.dice.chance(self.manner.slides) && self.free(line)
    }

    /// Whether nothing stands in the way.
    fn free(&self, line: &[Square]) -> bool {
        line.iter().rev().skip(1).all(|&passed| self.placement[passed].is_none())
    }

    /// A piece on each square for a moment: it appears where it goes as it leaves where it was.
    fn slide(&mut self, from: Square, line: &[Square]) {
        const ON_A_SQUARE: (Duration, Duration) =
            (Duration::from_millis(100), Duration::from_millis(200));
        self.slide_with(from, line, |player| player.dice.between(ON_A_SQUARE));
    }

    /// A slide that hesitates, of any piece that goes straight; whether there was one.
    fn drags(&mut self, from: Square, to: Square) -> bool {
        let Some(line) = path::straight(from, to) else { return false };
        if line.len() < 2 || !self.free(&line) || !self.has(Habit::Drags) {
            return false;
        }
        let ms = Duration::from_millis;
        self.slide_with(from, &line, |player| {
            let rests = player.dice.below(3) == 0;
            player.dice.between(if rests { (ms(100), ms(350)) } else { (ms(15), ms(90)) })
        });
        true
    }

    fn slide_with(
        &mut self,
        from: Square,
        line: &[Square],
        mut rest: impl FnMut(&mut Self) -> Duration,
    ) {
        let Some(piece) = self.placement[from] else { return };
        let mut standing = from;
        for &square in line {
            if standing != from {
                let span = rest(self);
                self.wait(span);
            }
            self.lift(standing);
            self.put(square, piece);
            standing = square;
        }
    }

    /// Dragged or carried.
    pub(super) fn bring(&mut self, from: Square, to: Square) {
        if !self.drags(from, to) {
            self.carry_over(from, to);
        }
    }

    fn promote(&mut self, from: Square, to: Square, captures: bool, role: Role) {
        let Some(pawn) = self.placement[from] else { return };
        let promoted = Piece::new(pawn.colour(), role);
        if self.has(Habit::PieceFirst) {
            return self.piece_first((from, to), captures, promoted);
        }
        if role == Role::Queen && self.has(Habit::PawnLeft) {
            self.transfer(from, to, captures);
            self.forgotten = Some(Forgotten::Promoted(to, promoted));
            return;
        }
        if role == Role::Queen && self.has(Habit::RookUpsideDown) {
            return self.rook_upside_down((from, to), captures, promoted);
        }
        let late = self.has(Habit::QueenLate);
        if self.dice.below(3) > 0 {
            self.transfer(from, to, captures);
            if late && self.dice.below(2) == 0 {
                self.pause(5000, 30_000);
                self.lift(to);
                self.carry();
                return self.put(to, promoted);
            }
            self.carry();
            self.lift(to);
        } else {
            self.lift(from);
            if captures {
                self.carry();
                self.lift(to);
            }
        }
        if late {
            self.pause(5000, 30_000);
        }
        self.carry();
        self.put(to, promoted);
    }

    fn rook_upside_down(&mut self, (from, to): (Square, Square), captures: bool, promoted: Piece) {
        self.transfer(from, to, captures);
        self.carry();
        self.lift(to);
        self.carry();
        self.put(to, Piece::new(promoted.colour(), Role::Rook));
        self.pause(1500, 5000);
        self.lift(to);
        self.carry();
        self.put(to, promoted);
    }

    fn piece_first(&mut self, (from, to): (Square, Square), captures: bool, promoted: Piece) {
        if captures && self.dice.below(2) == 0 {
            self.lift(to);
            self.carry();
        }
        self.put(to, promoted);
        self.carry();
        self.lift(from);
    }
}
