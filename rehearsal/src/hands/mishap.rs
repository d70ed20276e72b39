//! What goes wrong at a table now and then. One mishap at most in a game; more kinds of clumsiness
//! have their place here.

use std::time::Duration;

use eboard::{Colour, FaceTime, Square};
use shakmaty::{Bitboard, Chess, Move, Position, Role, attacks};

use super::Manner;
use super::player::Player;
use crate::{Act, Rng, convert};

/// A thing that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mishap {
    /// A piece is moved as it does not move, and the clock pressed. The arbiter puts it right.
    WrongGeometry,
    /// A move leaves or puts the own king in check, and the clock is pressed. The arbiter puts it
    /// right.
    KingLeftInCheck,
    /// A player stops moving until his flag falls: that takes as long as his clock has left.
    FlagFall,
    /// A piece that could move is lifted and put back, then another one is moved.
    TouchedOther,
}

impl Mishap {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::WrongGeometry, Self::KingLeftInCheck, Self::FlagFall, Self::TouchedOther];
}

/// Which mishap is to happen, and from which move on it waits for its occasion.
pub(super) struct Plan {
    pending: Option<Mishap>,
    from_ply: usize,
}

/// The first moves go without mishap: nobody errs in the opening he came with.
const FIRST_PLY: usize = 6;

impl Plan {
    pub(super) fn draw(manner: &Manner, plies: usize, dice: &mut Rng) -> Self {
        let pending = dice.pick(&manner.mishaps);
        let choice = plies.saturating_sub(FIRST_PLY + 1) as u64;
        let from_ply = FIRST_PLY + usize::try_from(dice.below(choice)).unwrap_or_default();
        Self { pending, from_ply }
    }

    /// Lets it happen before this move if this is the occasion, and says so.
    pub(super) fn happen(
        &mut self,
        ply: usize,
        position: &Chess,
        played: Move,
        player: &mut Player<'_>,
    ) -> Option<Mishap> {
        let mishap = self.pending.filter(|_| ply >= self.from_ply)?;
        match mishap {
            Mishap::WrongGeometry => player.blunder(&wrong_geometry(position, played))?,
            Mishap::KingLeftInCheck => player.blunder(&king_in_check(position, played))?,
            Mishap::FlagFall => player.sit_until_the_flag_falls(),
            Mishap::TouchedOther => {
                let other = player.dice.pick(&other_movable(position, played))?;
                player.touch(other);
            }
        }
        self.pending = None;
        Some(mishap)
    }
}

/// Wrong ways for the very piece that moves next (4.3 obliges to move it after an illegal move): to
/// an empty square beside one where it may go.
fn wrong_geometry(position: &Chess, played: Move) -> Vec<(Square, Square)> {
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
fn king_in_check(position: &Chess, played: Move) -> Vec<(Square, Square)> {
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

/// Own pieces that could move but do not move now.
fn other_movable(position: &Chess, played: Move) -> Vec<Square> {
    let legal = position.legal_moves();
    let movable: Bitboard = legal.iter().filter_map(|it| it.from()).collect();
    // In castling the rook moves too.
    let moved: Bitboard = played.from().into_iter().chain([played.to()]).collect();
    (movable & !moved).into_iter().map(convert::square).collect()
}

impl Player<'_> {
    /// One of these illegal moves and a press; after a while the arbiter stops the clock, the
    /// position and the lever are put back, and the clock goes on for the player who erred. Not
    /// with so little time that a flag would fall meanwhile.
    fn blunder(&mut self, among: &[(Square, Square)]) -> Option<()> {
        const UNNOTICED: Duration = Duration::from_secs(8);
        const ENOUGH: Duration = Duration::from_secs(20);
        let side = self.clock.to_move();
        let sides = [Colour::White, Colour::Black];
        if sides.iter().any(|&side| self.clock.left(self.now(), side) < ENOUGH) {
            return None;
        }
        let (from, to) = self.dice.pick(among)?;
        self.carry_over(from, to);
        self.press();
        self.wait(UNNOTICED);
        self.act(Act::StopClock);
        self.pause(1500, 3000);
        self.carry_over(to, from);
        self.pause(800, 1500);
        self.act(Act::Press(convert::other(side)));
        if self.manner.penalty {
            self.pause(3000, 6000);
            self.give_time(convert::other(side));
        }
        self.pause(1500, 3000);
        self.act(Act::GoOn);
        self.think();
        Some(())
    }

    /// Two minutes, or one in rapid and blitz (2023: 7.5.5, A.3.2).
    fn give_time(&mut self, side: Colour) {
        const STANDARD_S: u32 = 3600;
        let control = self.manner.control;
        let rate_s = control.main_s().saturating_add(control.increment_s().saturating_mul(60));
        let gift_ms = if rate_s >= STANDARD_S { 120_000 } else { 60_000 };
        let left_ms = self.clock.left(self.now(), side).as_millis();
        let left_ms = u32::try_from(left_ms).unwrap_or(u32::MAX);
        self.act(Act::Correct(side, FaceTime::from_ms(left_ms.saturating_add(gift_ms))));
    }

    fn sit_until_the_flag_falls(&mut self) {
        let left = self.clock.left(self.now(), self.clock.to_move());
        self.wait(left);
    }
}
