//! How players end a game: stop the clock, show the result with the kings, set up again.

use eboard::{Colour, Piece, Role, Square};
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position};

use super::player::Player;
use super::{Habit, Truth};
use crate::{Act, convert};

impl Player<'_> {
    /// From the last move to the pieces in their starting places.
    pub(super) fn close(&mut self, position: &Chess, truth: Truth) {
        let mate = position.is_checkmate() || position.is_stalemate();
        match truth.flag {
            Some(_) => self.pause(3000, 8000),
            None => {
                self.pause(1000, 4000);
                if !self.has(Habit::ClockLeft) {
                    self.act(Act::StopClock);
                }
            }
        }
        if let (Outcome::Known(outcome), false) = (truth.outcome, mate && truth.flag.is_none()) {
            self.pause(1500, 4000);
            self.show(outcome);
            self.wait(self.manner.shown);
        }
        if self.has(Habit::PostMortem) {
            self.pause(3000, 8000);
            self.analyse(position.clone());
        }
        if self.manner.tidy_up {
            self.pause(6000, 15_000);
            self.set_up();
        }
    }

    /// Kings on light centre squares: White has won; on dark ones: Black; on both kinds: a draw.
    fn show(&mut self, outcome: KnownOutcome) {
        let (first, second) = match outcome {
            KnownOutcome::Decisive { winner: Color::White } => (E4, D5),
            KnownOutcome::Decisive { winner: Color::Black } => (D4, E5),
            KnownOutcome::Draw => {
                let pairs = [(E4, D4), (E4, E5), (D5, D4), (D5, E5)];
                self.dice.pick(&pairs).unwrap_or((E4, E5))
            }
        };
        let (Some(first), Some(second)) = (first, second) else { return };
        let stands = |player: &Self, colour| player.find(Piece::new(colour, Role::King));
        let white_first = stands(self, Colour::White) == Some(first)
            || stands(self, Colour::Black) == Some(second);
        let black_first = stands(self, Colour::White) == Some(second)
            || stands(self, Colour::Black) == Some(first);
        let swap = black_first || (!white_first && self.dice.below(2) == 0);
        let (white, black) = if swap { (second, first) } else { (first, second) };
        if self.has(Habit::BlackKingFirst) {
            self.king_to(Colour::Black, black);
            return self.king_to(Colour::White, white);
        }
        self.king_to(Colour::White, white);
        self.king_to(Colour::Black, black);
    }

    fn king_to(&mut self, colour: Colour, to: Square) {
        let Some(from) = self.find(Piece::new(colour, Role::King)).filter(|&from| from != to)
        else {
            return;
        };
        if self.placement[to].is_some() {
            self.lift(to);
            self.carry();
        }
        self.carry_over(from, to);
        self.pause(400, 1200);
    }

    /// The last position is put back, and then somebody shows what he would have played.
    fn analyse(&mut self, mut position: Chess) {
        let last = convert::placement(position.board());
        let changed: Vec<Square> = self.placement.differing(&last).collect();
        for &square in changed.iter().filter(|&&square| last[square].is_none()) {
            self.lift(square);
            self.pause(300, 900);
        }
        for square in changed {
            if let Some(piece) = last[square] {
                self.put(square, piece);
                self.pause(300, 900);
            }
        }
        for _ in 0..5 + self.dice.below(11) {
            let Some(tried) = self.dice.pick(&position.legal_moves()) else { return };
            self.make_for_show(&position, tried);
            position.play_unchecked(tried);
            self.pause(500, 4000);
        }
    }

    /// Straight, without any habit.
    fn make_for_show(&mut self, before: &Chess, tried: Move) {
        let mut after = before.clone();
        after.play_unchecked(tried);
        let after = convert::placement(after.board());
        let changed: Vec<Square> = self.placement.differing(&after).collect();
        for &square in changed.iter().filter(|&&square| after[square].is_none()) {
            self.lift(square);
            self.carry();
        }
        for square in changed {
            if let Some(piece) = after[square] {
                self.put(square, piece);
                self.carry();
            }
        }
    }

    fn find(&self, piece: Piece) -> Option<Square> {
        Square::all().find(|&square| self.placement[square] == Some(piece))
    }

    /// Puts every man where the game begins: those still on the board first, then from the box.
    fn set_up(&mut self) {
        let start = self.home;
        let wanted: Vec<(Square, Piece)> =
            Square::all().filter_map(|square| Some((square, start[square]?))).collect();
        for &(square, piece) in wanted.iter().rev() {
            if self.placement[square] == Some(piece) {
                continue;
            }
            if self.placement[square].is_some() {
                self.lift(square);
                self.pause(250, 600);
            }
            let loose = Square::all()
                .find(|&from| self.placement[from] == Some(piece) && start[from] != Some(piece));
            match loose {
                Some(from) => self.carry_over(from, square),
                None => self.put(square, piece),
            }
            self.pause(250, 600);
        }
        for square in Square::all().filter(|&square| start[square].is_none()) {
            if self.placement[square].is_some() {
                self.lift(square);
                self.pause(250, 600);
            }
        }
    }
}

const D4: Option<Square> = Square::at(3, 3);
const E4: Option<Square> = Square::at(4, 3);
const D5: Option<Square> = Square::at(3, 4);
const E5: Option<Square> = Square::at(4, 4);
