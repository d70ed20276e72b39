//! What hands do with a captured piece. The capturing one is moved as any other.

use eboard::{Piece, Square};

use super::Habit;
use super::player::{Forgotten, Player};

impl Player<'_> {
    /// A capture that is not done straight; whether it was done.
    pub(super) fn fumbles_capture(&mut self, from: Square, to: Square) -> bool {
        let Some(taken) = self.placement[to] else { return false };
        if self.inclined(Habit::TakenParked)
            && let Some(aside) = self.empty_near(to)
        {
            self.did(Habit::TakenParked);
            self.park(from, to, (aside, taken));
            return true;
        }
        if self.inclined(Habit::TakenDraggedOff) {
            let way = self.way_off(to);
            if !way.is_empty() {
                self.did(Habit::TakenDraggedOff);
                self.drag_off(from, to, taken, &way);
                return true;
            }
        }
        if self.has(Habit::TakenDroppedBack) {
            self.drop_back(from, to, taken);
            return true;
        }
        false
    }

    /// A pawn taken en passant.
    pub(super) fn en_passant(&mut self, from: Square, to: Square) {
        let Some(captured) = Square::at(to.file(), from.rank()) else { return };
        if self.has(Habit::PawnForgotten) {
            self.carry_over(from, to);
            self.forgotten = Some(Forgotten::Taken(captured));
            return;
        }
        if self.has(Habit::PawnLate) {
            self.carry_over(from, to);
            self.pause(2000, 8000);
            return self.lift(captured);
        }
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

    /// What was forgotten is done at last, if there is anything.
    pub(super) fn remember(&mut self) {
        let Some(forgotten) = self.forgotten.take() else { return };
        self.pause(1500, 5000);
        match forgotten {
            Forgotten::Taken(captured) => self.lift(captured),
            Forgotten::Promoted(square, piece) => {
                self.lift(square);
                self.carry();
                self.put(square, piece);
            }
        }
        if let Some(made) = self.made.last_mut() {
            *made = self.acts.last().map_or(*made, |&(at, _)| at);
        }
    }

    fn park(&mut self, from: Square, to: Square, (aside, taken): (Square, Piece)) {
        self.lift(to);
        self.carry();
        self.put(aside, taken);
        self.pause(150, 600);
        self.carry_over(from, to);
        self.pause(300, 2500);
        self.lift(aside);
    }

    /// Pulled off over some squares, before or after the other piece stands there.
    fn drag_off(&mut self, from: Square, to: Square, taken: Piece, way: &[Square]) {
        let after = self.dice.below(2) == 0;
        if after {
            self.carry_over(from, to);
            self.pause(50, 300);
        } else {
            self.lift(to);
        }
        for &square in way {
            self.put(square, taken);
            self.pause(80, 250);
            self.lift(square);
        }
        if !after {
            self.carry();
            self.carry_over(from, to);
        }
    }

    fn drop_back(&mut self, from: Square, to: Square, taken: Piece) {
        self.lift(to);
        self.carry();
        if self.dice.below(3) == 0 {
            self.put(to, taken);
            self.pause(300, 1200);
            self.lift(to);
            self.carry();
            return self.carry_over(from, to);
        }
        self.carry_over(from, to);
        self.pause(200, 1500);
        let onto = if self.dice.below(4) == 0 { Some(from) } else { self.empty_near(to) };
        let onto = onto.unwrap_or(from);
        self.put(onto, taken);
        self.pause(500, 2000);
        self.lift(onto);
    }

    /// An empty square beside this one.
    pub(super) fn empty_near(&mut self, square: Square) -> Option<Square> {
        let empty: Vec<Square> =
            beside(square).filter(|&near| self.placement[near].is_none()).collect();
        self.dice.pick(&empty)
    }

    /// One to three empty squares in a line away from this one.
    fn way_off(&mut self, square: Square) -> Vec<Square> {
        let Some(first) = self.empty_near(square) else { return Vec::new() };
        let step = |from: u8, to: u8| i16::from(to) - i16::from(from);
        let files = step(square.file(), first.file());
        let ranks = step(square.rank(), first.rank());
        let most = 1 + self.dice.below(3) as i16;
        (1..=most)
            .map_while(|count| shifted(square, files * count, ranks * count))
            .take_while(|&passed| self.placement[passed].is_none())
            .collect()
    }
}

/// The squares around this one.
pub(super) fn beside(square: Square) -> impl Iterator<Item = Square> {
    (-1..=1)
        .flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)))
        .filter(|&step| step != (0, 0))
        .filter_map(move |(files, ranks)| shifted(square, files, ranks))
}

fn shifted(square: Square, files: i16, ranks: i16) -> Option<Square> {
    let file = u8::try_from(i16::from(square.file()) + files).ok()?;
    let rank = u8::try_from(i16::from(square.rank()) + ranks).ok()?;
    Square::at(file, rank)
}
