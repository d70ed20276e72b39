//! Mishaps on the board that are no touch: illegal moves and presses, pieces that stand wrongly.

use std::time::Duration;

use eboard::{Colour, FaceTime, Square};
use shakmaty::{Bitboard, Chess, Move, Position, Role, attacks};

use crate::hands::player::Player;
use crate::{Act, convert};

/// Wrong ways for the very piece that moves next (4.3 obliges to move it after an illegal move): to
/// an empty square beside one where it may go.
pub(super) fn wrong_geometry(position: &Chess, played: Move) -> Vec<(Square, Square)> {
    let Move::Normal { role, from, .. } = played else { return Vec::new() };
    if matches!(role, Role::Pawn | Role::King) {
        return Vec::new();
    }
    let reach = position.board().attacks_from(from);
    let near: Bitboard = reach.into_iter().flat_map(attacks::king_attacks).collect();
    let wrong = near & !reach & !position.board().occupied();
    wrong.into_iter().map(|to| (convert::square(from), convert::square(to))).collect()
}

/// Moves of the right geometry to empty squares that are illegal only for the king's sake, with
/// pieces that then move, or need not because they have no legal move.
pub(super) fn king_in_check(position: &Chess, played: Move) -> Vec<(Square, Square)> {
    let legal = position.legal_moves();
    let goes = |from, to| legal.iter().any(|it| it.from() == Some(from) && it.to() == to);
    let free =
        |from| Some(from) == played.from() || !legal.iter().any(|it| it.from() == Some(from));
    let mut wrong = Vec::new();
    let men = position.us() & !position.our(Role::Pawn);
    for from in men.into_iter().filter(|&from| free(from)) {
        let reach = position.board().attacks_from(from) & !position.board().occupied();
        for to in reach.into_iter().filter(|&to| !goes(from, to)) {
            wrong.push((convert::square(from), convert::square(to)));
        }
    }
    wrong
}

impl Player<'_> {
    /// One of these illegal moves and a press; after a while the arbiter stops the clock, the
    /// position and the lever are put back, and the clock goes on for the player who erred. Not
    /// with so little time that a flag would fall meanwhile.
    pub(super) fn blunder(&mut self, among: &[(Square, Square)]) -> Option<()> {
        let (from, to) = self.dice.pick(among)?;
        self.carry_over(from, to);
        self.press_and_be_stopped(|player| player.carry_over(to, from));
        Some(())
    }

    /// The clock is pressed and nothing has been moved.
    pub(super) fn press_for_nothing(&mut self) -> Option<()> {
        self.press_and_be_stopped(|_| {});
        Some(())
    }

    fn press_and_be_stopped(&mut self, put_right: impl FnOnce(&mut Self)) {
        const UNNOTICED: Duration = Duration::from_secs(8);
        let side = self.clock.to_move();
        self.press();
        self.wait(UNNOTICED);
        self.act(Act::StopClock);
        self.pause(1500, 3000);
        put_right(self);
        self.pause(800, 1500);
        self.act(Act::Press(convert::other(side)));
        if self.manner.penalty {
            self.pause(3000, 6000);
            self.give_time(convert::other(side));
        }
        self.pause(1500, 3000);
        self.act(Act::GoOn);
        self.think();
    }

    /// Two minutes, or one in rapid and blitz (2023: 7.5.5, A.3.2).
    fn give_time(&mut self, side: Colour) {
        const STANDARD_S: u32 = 3600;
        let control = self.manner.control.of(Colour::White);
        let rate_s = control.main_s().saturating_add(control.increment_s().saturating_mul(60));
        let gift_ms = if rate_s >= STANDARD_S { 120_000 } else { 60_000 };
        let left_ms = self.clock.left(self.now(), side).as_millis();
        let left_ms = u32::try_from(left_ms).unwrap_or(u32::MAX);
        self.act(Act::Correct(side, FaceTime::from_ms(left_ms.saturating_add(gift_ms))));
    }

    /// Two or three pieces of one colour fall together and lie there for a while.
    pub(super) fn leave_fallen(&mut self, position: &Chess) -> Option<()> {
        let men = self.dice.pick(&[position.us(), position.them()])?;
        let first = self.dice.pick(&men.into_iter().collect::<Vec<_>>())?;
        let near = men & attacks::king_attacks(first);
        let mut fallen: Vec<Square> =
            [first].into_iter().chain(near).take(3).map(convert::square).collect();
        fallen.retain(|&square| self.placement[square].is_some());
        if fallen.len() < 2 || is_part_of_castling(position, first, near) {
            return None;
        }
        let men: Vec<_> = fallen.iter().filter_map(|&at| Some((at, self.placement[at]?))).collect();
        for &(square, _) in &men {
            self.lift(square);
            self.pause(5, 30);
        }
        self.pause(4000, 8000);
        for (square, piece) in men {
            self.put(square, piece);
            self.pause(300, 900);
        }
        Some(())
    }

    /// A piece of the player who does not have the move stands where it cannot have come, until
    /// somebody puts it right.
    pub(super) fn lead_astray(&mut self, position: &Chess) -> Option<()> {
        let men = position.them() & !position.board().pawns() & !position.board().kings();
        let ways: Vec<_> = men.into_iter().flat_map(|from| astray(position, from)).collect();
        let (from, to) = self.dice.pick(&ways)?;
        self.carry_over(from, to);
        self.pause(8000, 14_000);
        self.carry_over(to, from);
        self.pause(500, 1500);
        Some(())
    }
}

/// Near empty squares to which the piece does not go.
pub(in crate::hands) fn astray(position: &Chess, from: shakmaty::Square) -> Vec<(Square, Square)> {
    let board = position.board();
    let free = !board.occupied() & !board.attacks_from(from);
    let wrong = attacks::king_attacks(from) & free;
    wrong.into_iter().map(|to| (convert::square(from), convert::square(to))).collect()
}

/// King and rook side by side may be about to castle.
fn is_part_of_castling(position: &Chess, first: shakmaty::Square, near: Bitboard) -> bool {
    let fallen = near.with(first);
    let board = position.board();
    (fallen & board.kings()).any() && (fallen & board.rooks()).any()
}
