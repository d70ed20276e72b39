//! What is lawful and looks like something else: kings that come too near before the press, the
//! other player's pieces put straight, an arbiter who puts something right.

use eboard::Square;
use shakmaty::{Chess, Move, Position, Role, attacks};

use super::Habit;
use super::mishap::astray;
use super::player::Player;
use crate::random::to_centre;
use crate::{Act, convert};

impl Player<'_> {
    /// What is done to other pieces before the move.
    pub(super) fn meddle(&mut self, position: &Chess) {
        if self.owed.is_some() {
            return;
        }
        if self.inclined(Habit::PutRight) {
            self.put_right(position);
        }
        let at_rest = self.at_rest(position);
        if !at_rest.is_empty()
            && self.has(Habit::AdjustsTheirs)
            && let Some(square) = self.dice.pick(&at_rest)
        {
            self.touch(square);
        }
    }

    /// A piece of the other player's that cannot be captured is put where it does not go; somebody
    /// stops the clock, and the arbiter puts it back.
    fn put_right(&mut self, position: &Chess) {
        let men = position.them() & !position.board().pawns() & !position.board().kings();
        let at_rest = self.at_rest(position);
        let men = men.into_iter().filter(|it| at_rest.contains(&convert::square(*it)));
        let ways: Vec<_> = men.flat_map(|from| astray(position, from)).collect();
        let Some((from, to)) = self.dice.pick(&ways) else { return };
        self.did(Habit::PutRight);
        self.carry_over(from, to);
        self.pause(800, 2500);
        self.act(Act::StopClock);
        self.pause(4000, 20_000);
        self.carry_over(to, from);
        self.pause(800, 2500);
        self.act(Act::GoOn);
        self.pause(500, 3000);
    }

    /// Puts the king beside the other one; where it then stands. Not before the press for the move
    /// it answers: two kings that have come since the last press are how players show a result.
    pub(super) fn meet(&mut self, position: &Chess, played: Move, from: Square) -> Square {
        if self.clock.to_move() != convert::colour(position.turn()) {
            return from;
        }
        let beside = beside_the_king(position, played);
        if beside.is_empty() || !self.inclined(Habit::KingsMeet) {
            return from;
        }
        let Some(there) = self.dice.pick(&beside) else { return from };
        self.did(Habit::KingsMeet);
        self.carry_over(from, there);
        self.pause(2200, 6000);
        there
    }
}

/// Where the king that moves would stand beside the other one: in the centre, if there is such a
/// square.
fn beside_the_king(position: &Chess, played: Move) -> Vec<Square> {
    let Move::Normal { role: Role::King, from, .. } = played else { return Vec::new() };
    let Some(theirs) = position.board().king_of(!position.turn()) else { return Vec::new() };
    let near = attacks::king_attacks(from) & attacks::king_attacks(theirs);
    let free: Vec<_> = (near & !position.board().occupied()).into_iter().collect();
    let centre: Vec<_> = free.iter().copied().filter(|it| to_centre(*it) == 0).collect();
    let squares = if centre.is_empty() { free } else { centre };
    squares.into_iter().map(convert::square).collect()
}
