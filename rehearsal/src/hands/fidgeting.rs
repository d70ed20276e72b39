//! What hands do besides the move: adjusting, knocking over, trying a square and leaving it again.
//! When they are through, the move itself is still to be made or has been made.

use eboard::{Piece, Square};
use shakmaty::{Chess, Move, Position};

use super::Habit;
use super::player::Player;
use super::taking::beside;
use crate::{Act, convert};

impl Player<'_> {
    /// Two to five own pieces, one by one (j'adoube).
    pub(super) fn adjust_round(&mut self, position: &Chess) {
        let mut own: Vec<Square> = position.us().into_iter().map(convert::square).collect();
        for _ in 0..2 + self.dice.below(4) {
            let Some(square) = self.dice.pick(&own) else { return };
            own.retain(|&it| it != square);
            let Some(piece) = self.placement[square] else { continue };
            self.lift(square);
            self.pause(200, 600);
            self.put(square, piece);
            self.pause(200, 700);
        }
    }

    /// One or two pieces beside the squares of this move, none that belongs to it.
    pub(super) fn bystanders(&mut self, position: &Chess, played: Move) -> Vec<Square> {
        let involved = involved(position, played);
        let mut near: Vec<Square> = involved.iter().flat_map(|&square| beside(square)).collect();
        near.retain(|square| self.placement[*square].is_some() && !involved.contains(square));
        let first = self.dice.pick(&near);
        let beside_it: Vec<Square> = first
            .into_iter()
            .flat_map(beside)
            .filter(|&square| self.placement[square].is_some() && !involved.contains(&square))
            .collect();
        let second = if self.dice.below(2) == 0 { self.dice.pick(&beside_it) } else { None };
        first.into_iter().chain(second).collect()
    }

    /// They fall at once; one may roll to the next square. Then they are put up again.
    pub(super) fn knock_over(&mut self, fallen: &[Square]) {
        let men: Vec<_> =
            fallen.iter().filter_map(|&square| Some((square, self.placement[square]?))).collect();
        let Some(&(first, piece)) = men.first() else { return };
        self.did(Habit::KnocksOver);
        for &(square, _) in &men {
            self.lift(square);
            self.together();
        }
        let rolled = if self.dice.below(3) == 0 { self.empty_near(first) } else { None };
        if let Some(onto) = rolled.filter(|onto| !fallen.contains(onto)) {
            self.pause(50, 200);
            self.put(onto, piece);
            self.pause(700, 2500);
            self.lift(onto);
        }
        for &(square, piece) in &men {
            self.pause(300, 1500);
            self.put(square, piece);
        }
    }

    /// The piece put last stands on the edge of its square.
    pub(super) fn flicker(&mut self) {
        let Some((square, piece)) = self.put_last() else { return };
        if !self.has(Habit::Flickers) {
            return;
        }
        for _ in 0..1 + self.dice.below(3) {
            self.pause(50, 400);
            self.lift(square);
            self.pause(40, 250);
            self.put(square, piece);
        }
    }

    /// The piece put last is put straight, after the press.
    pub(super) fn straighten(&mut self) {
        let Some((square, piece)) = self.put_last() else { return };
        if self.has(Habit::Straightens) {
            self.pause(150, 500);
            self.lift(square);
            self.pause(150, 400);
            self.put(square, piece);
            self.pause(100, 300);
        }
    }

    /// The piece put last, if it still stands there.
    fn put_last(&self) -> Option<(Square, Piece)> {
        let last = self.acts.iter().rev().find_map(|&(_, act)| match act {
            Act::Put(square, piece) => Some((square, piece)),
            _ => None,
        });
        last.filter(|&(square, piece)| self.placement[square] == Some(piece))
    }

    /// Tries another square for a moment, or makes another move and takes it back. Where the piece
    /// then stands, ready to be moved.
    pub(super) fn reconsider(&mut self, position: &Chess, played: Move, from: Square) -> Square {
        let planted = self.forced == Some(Habit::TakesBack);
        let takes_back = self.inclined(Habit::TakesBack);
        if !takes_back && !self.inclined(Habit::SecondThoughts) {
            return from;
        }
        let any = takes_back && !planted && self.dice.below(4) == 0;
        let Some(other) = self.another(position, played, any) else { return from };
        if planted && other.is_capture() {
            // What is captured and put back is a matter of 4.3 too.
            return from;
        }
        self.did(if takes_back { Habit::TakesBack } else { Habit::SecondThoughts });
        let (start, tried) = squares(other, from);
        let Some(piece) = self.placement[start] else { return from };
        let taken = self.placement[tried];
        if taken.is_some() {
            self.lift(tried);
            self.carry();
        }
        self.carry_over(start, tried);
        if takes_back {
            self.pause(1500, 4000)
        } else {
            self.pause(150, 700)
        }
        let onwards = matches!(played, Move::Normal { promotion: None, to, .. }
            if start == from && taken.is_none() && convert::square(to) != tried);
        if onwards && self.dice.below(2) == 0 {
            return tried;
        }
        self.lift(tried);
        if let Some(taken) = taken {
            self.carry();
            self.put(tried, taken);
        }
        self.carry();
        self.put(start, piece);
        self.pause(100, 600);
        from
    }

    /// A legal move to another square that does not end the game, with the same piece or with any.
    fn another(&mut self, position: &Chess, played: Move, any: bool) -> Option<Move> {
        let plain = |it: &Move| matches!(it, Move::Normal { promotion: None, .. });
        let others: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|it| plain(it) && it.to() != played.to())
            .filter(|it| any || it.from() == played.from())
            .collect();
        let other = self.dice.pick(&others)?;
        let mut after = position.clone();
        after.play_unchecked(other);
        (!after.is_checkmate() && !after.is_stalemate()).then_some(other)
    }

    /// Puts the piece on a square where it may not go; where it then stands.
    pub(super) fn misplace(&mut self, position: &Chess, played: Move, from: Square) -> Square {
        let Move::Normal { to, promotion: None, .. } = played else { return from };
        if !self.inclined(Habit::Misplaces) {
            return from;
        }
        let legal = position.legal_moves();
        let goes = |square: Square| {
            legal.iter().any(|it| {
                it.from() == played.from() && convert::square(it.to()) == square
                    || it.is_castle() && it.from() == played.from()
            })
        };
        let wrong: Vec<Square> = beside(convert::square(to))
            .filter(|&square| square != from && self.placement[square].is_none() && !goes(square))
            .collect();
        let Some(wrong) = self.dice.pick(&wrong) else { return from };
        self.did(Habit::Misplaces);
        self.carry_over(from, wrong);
        self.pause(300, 1500);
        wrong
    }
}

/// From where to where a plain move goes.
fn squares(plain: Move, from: Square) -> (Square, Square) {
    (plain.from().map_or(from, convert::square), convert::square(plain.to()))
}

/// All squares on which this move changes something.
fn involved(position: &Chess, played: Move) -> Vec<Square> {
    let mut involved: Vec<Square> =
        played.from().into_iter().chain([played.to()]).map(convert::square).collect();
    if let Some(side) = played.castling_side() {
        let color = position.turn();
        involved.extend([side.king_to(color), side.rook_to(color)].map(convert::square));
    }
    if played.is_en_passant()
        && let [from, to, ..] = involved[..]
    {
        involved.extend(Square::at(to.file(), from.rank()));
    }
    involved
}
