//! How hands castle, in ordinary chess and in Chess960. Whether the rules allow it has been asked
//! before.

use eboard::{Piece, Square};

use super::Habit;
use super::player::Player;

/// Where the two men of a castling stand and where they go; one of them may stay.
#[derive(Clone, Copy)]
pub(super) struct Castling {
    pub(super) king: (Square, Square),
    pub(super) rook: (Square, Square),
}

impl Castling {
    fn moves_both(&self) -> bool {
        self.king.0 != self.king.1 && self.rook.0 != self.rook.1
    }
}

impl Player<'_> {
    pub(super) fn castle(&mut self, castling: Castling) {
        let Castling { king, rook } = castling;
        let (Some(held), Some(other)) = (self.placement[king.0], self.placement[rook.0]) else {
            return;
        };
        if self.has(Habit::KingBeside) {
            return self.king_in_hand(castling, held);
        }
        if castling.moves_both() {
            if self.has(Habit::BothAtOnce) {
                return self.castle_at_once([(king, held), (rook, other)]);
            }
            if self.has(Habit::RookFirst) {
                return self.rook_first(castling, other);
            }
        }
        self.king_first(castling, held);
    }

    /// King first, then rook (4.4.2); where the two are in each other's way the king waits in the
    /// hand (Chess960).
    fn king_first(&mut self, castling: Castling, held: Piece) {
        let Castling { king, rook } = castling;
        if king.1 == rook.0 {
            return self.king_in_hand(castling, held);
        }
        if king.0 != king.1 {
            self.bring(king.0, king.1);
            if castling.moves_both() && self.has(Habit::RookLate) {
                self.pause(2000, 6000);
            } else {
                self.pause(200, 600);
            }
        }
        if rook.0 != rook.1 {
            self.carry_over(rook.0, rook.1);
        }
    }

    fn king_in_hand(&mut self, Castling { king, rook }: Castling, held: Piece) {
        self.lift(king.0);
        self.carry();
        if rook.0 != rook.1 {
            self.carry_over(rook.0, rook.1);
            self.carry();
        }
        self.put(king.1, held);
    }

    fn rook_first(&mut self, Castling { king, rook }: Castling, held: Piece) {
        if rook.1 != king.0 {
            self.carry_over(rook.0, rook.1);
            self.pause(200, 600);
            return self.carry_over(king.0, king.1);
        }
        let Some(other) = self.placement[king.0] else { return };
        self.lift(rook.0);
        self.carry();
        self.lift(king.0);
        self.carry();
        self.put(rook.1, held);
        self.carry();
        self.put(king.1, other);
    }

    /// One in each hand: lifted and put within a tenth of a second, either one first.
    fn castle_at_once(&mut self, mut men: [((Square, Square), Piece); 2]) {
        if self.dice.below(2) == 0 {
            men.reverse();
        }
        let [first, second] = men;
        self.lift(first.0.0);
        self.together();
        self.lift(second.0.0);
        self.carry();
        if self.dice.below(2) == 0 {
            men.reverse();
        }
        let [first, second] = men;
        self.put(first.0.1, first.1);
        self.together();
        self.put(second.0.1, second.1);
    }

    /// Two acts that belong together: in the same moment or nearly so.
    pub(super) fn together(&mut self) {
        if self.dice.below(3) > 0 {
            self.pause(10, 100);
        }
    }
}
