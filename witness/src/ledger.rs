//! The illegal moves each player has completed in a game, and the penalties given for them. Kinds
//! are mixed; two faults in one move count once (7.5.5).

use std::time::Duration;

use eboard::Moment;
use shakmaty::{ByColor, Color};

use crate::incident::{IncidentId, Kind};
use crate::settings::Edition;

/// What is told within this time is about the same move: nobody completes two so quickly.
const ONE_MOVE: Duration = Duration::from_secs(3);

/// One illegal move, as it was told. A ruling that it was none takes it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fault {
    side: Color,
    at: Moment,
    incident: IncidentId,
}

/// What stands against one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Illegal moves completed.
    pub illegal_moves: u32,
    /// Penalties given by an arbiter.
    pub penalties: u32,
    /// Seconds given to the opponent.
    pub given_s: u32,
}

/// The accounts of one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    faults: Vec<Fault>,
    given: ByColor<(u32, u32)>,
}

impl Ledger {
    /// Whether this kind is an illegal move in this edition. A press without a move is one since
    /// 2018 (7.5.3).
    pub fn counts(kind: Kind, edition: Edition) -> bool {
        match kind {
            Kind::IllegalMove | Kind::PawnNotPromoted => true,
            Kind::PressedWithoutMove => edition != Edition::Y2014,
            _ => false,
        }
    }

    /// Enters an illegal move; gives its number for this player.
    pub fn enter(&mut self, side: Color, at: Moment, incident: IncidentId) -> u32 {
        self.faults.push(Fault { side, at, incident });
        self.illegal_moves(side)
    }

    /// A human has ruled that it was none.
    pub fn dismiss(&mut self, incident: IncidentId) {
        self.faults.retain(|fault| fault.incident != incident);
    }

    /// An arbiter has given the opponent of this player time, or none but a warning.
    pub fn give(&mut self, side: Color, seconds: u32) {
        let (penalties, given) = self.given.get_mut(side);
        *penalties += 1;
        *given = given.saturating_add(seconds);
    }

    pub fn account(&self, side: Color) -> Account {
        let (penalties, given_s) = *self.given.get(side);
        Account { illegal_moves: self.illegal_moves(side), penalties, given_s }
    }

    fn illegal_moves(&self, side: Color) -> u32 {
        let own = self.faults.iter().filter(|fault| fault.side == side).map(|fault| fault.at);
        let mut moves: Vec<Moment> = Vec::new();
        for at in own {
            if moves.last().is_none_or(|last| at.since(*last) > ONE_MOVE) {
                moves.push(at);
            }
        }
        u32::try_from(moves.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> IncidentId {
        IncidentId { game: 1, number }
    }

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn kinds_are_mixed_and_two_faults_in_one_move_count_once() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.enter(Color::White, at(4), id(1)), 1);
        assert_eq!(ledger.enter(Color::White, at(4), id(2)), 1);
        assert_eq!(ledger.enter(Color::Black, at(5), id(3)), 1);
        assert_eq!(ledger.enter(Color::White, at(8), id(4)), 2);
    }

    #[test]
    fn what_was_dismissed_does_not_count() {
        let mut ledger = Ledger::default();
        ledger.enter(Color::White, at(4), id(1));
        ledger.dismiss(id(1));
        assert_eq!(ledger.enter(Color::White, at(8), id(2)), 1);
        ledger.give(Color::White, 120);
        let account = Account { illegal_moves: 1, penalties: 1, given_s: 120 };
        assert_eq!(ledger.account(Color::White), account);
        assert_eq!(ledger.account(Color::Black), Account::default());
    }
}
