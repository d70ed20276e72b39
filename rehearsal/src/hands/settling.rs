//! What players do before the clock is started. Nobody has the move yet.

use eboard::Square;
use shakmaty::{Chess, Color, Position};

use super::Habit;
use super::player::Player;
use crate::convert;

/// Two men that stand on each other's squares.
type Exchanged = (Square, Square);

impl Player<'_> {
    /// Sets up the pieces, sometimes two of them the wrong way round: where they stand.
    pub(super) fn lay_out(&mut self, start: &Chess) -> Option<Exchanged> {
        if *start != Chess::default() || !self.inclined(Habit::SettlesDown) {
            return None;
        }
        let wrong = self.two_unlike(start)?;
        self.did(Habit::SettlesDown);
        let (one, other) = wrong;
        let men = (self.placement[one], self.placement[other]);
        (self.placement[other], self.placement[one]) = men;
        Some(wrong)
    }

    /// Puts right what stands wrongly; then either player puts pieces of his straight, takes his
    /// time with one, or exchanges two and finds that they stood well.
    pub(super) fn settle_down(&mut self, start: &Chess, wrong: Option<Exchanged>) {
        if let Some(wrong) = wrong {
            self.pause(1000, 20_000);
            self.exchange(wrong);
        }
        for color in Color::ALL {
            if !self.has(Habit::SettlesDown) {
                continue;
            }
            let men: Vec<Square> =
                start.board().by_color(color).into_iter().map(convert::square).collect();
            match self.dice.below(3) {
                0 if *start == Chess::default() => self.exchange_and_back(start),
                1 => self.hold(&men),
                _ => self.put_straight(&men),
            }
            self.pause(500, 60_000);
        }
    }

    fn put_straight(&mut self, men: &[Square]) {
        for _ in 0..1 + self.dice.below(4) {
            if let Some(square) = self.dice.pick(men) {
                self.touch(square);
            }
        }
    }

    fn hold(&mut self, men: &[Square]) {
        let held = self.dice.pick(men).and_then(|it| Some((it, self.placement[it]?)));
        if let Some((square, piece)) = held {
            self.lift(square);
            self.pause(1000, 6000);
            self.put(square, piece);
        }
    }

    fn exchange_and_back(&mut self, start: &Chess) {
        if let Some(two) = self.two_unlike(start) {
            self.exchange(two);
            self.pause(1000, 20_000);
            self.exchange(two);
        }
    }

    /// Both are in the hands at once.
    fn exchange(&mut self, (one, other): Exchanged) {
        let men = (self.placement[one], self.placement[other]);
        let (Some(first), Some(second)) = men else { return };
        self.lift(one);
        self.pause(100, 700);
        self.lift(other);
        self.pause(300, 1200);
        self.put(other, first);
        self.pause(100, 700);
        self.put(one, second);
    }

    /// Two neighbours of one player on his first rank.
    fn two_unlike(&mut self, start: &Chess) -> Option<Exchanged> {
        let color = if self.dice.below(2) == 0 { Color::White } else { Color::Black };
        let men = start.board().by_color(color) & !start.board().pawns();
        let men: Vec<Square> = men.into_iter().map(convert::square).collect();
        let pairs: Vec<Exchanged> = men.windows(2).map(|it| (it[0], it[1])).collect();
        self.dice.pick(&pairs)
    }
}
