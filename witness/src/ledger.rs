//! The illegal moves each player has completed in a game, and the penalties given for them. Kinds
//! are mixed; two faults in one move count once (7.5.5), and one in which nobody intervened in time
//! where nobody supervises does not count.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{ByColor, Color};

use crate::incident::{IncidentId, Kind, Ruling};
use crate::laws::tolerances::ONE_MOVE;
use crate::settings::Edition;

/// One illegal move, as it was reported. A ruling that it was none takes it out. If it stands, a
/// ruling that upholds it brings it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Fault {
    /// Who made it.
    pub side: Color,
    /// When it was reported.
    pub at: Moment,
    /// The incident about it.
    pub incident: IncidentId,
    /// Its kind.
    pub kind: Kind,
    /// The number of the move.
    pub move_number: u32,
    /// The opponent could not checkmate by any series of legal moves.
    pub drawn: bool,
    /// What a human has said of it.
    pub ruling: Option<Ruling>,
    /// It stands: the opponent has made his next move, and nobody had intervened (A.4.2, A.5.2).
    pub stands: bool,
}

impl Fault {
    fn counts(&self) -> bool {
        !self.stands || self.ruling == Some(Ruling::Upheld)
    }
}

/// A penalty that an arbiter gave. It is never taken out of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Given {
    /// When it was entered.
    pub at: Moment,
    /// Seconds to the opponent; 0 is a warning.
    pub seconds: u32,
    /// Who entered it.
    pub by: String,
    /// The incident it was given for; none: nobody said.
    pub incident: Option<IncidentId>,
    /// It does not count any more.
    pub withdrawn: Option<Withdrawal>,
}

/// Why a penalty that was given does not count.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Withdrawal {
    /// Since when.
    pub at: Moment,
    /// Who withdrew it.
    pub by: String,
    /// Why.
    pub reason: Reason,
}

/// Why somebody has withdrawn a penalty.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Reason {
    /// In his words.
    Said(String),
    /// He has dismissed the incident it was given for.
    Dismissed,
    /// He had given it by mistake, and took that back at once.
    Undone,
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

/// A penalty that counts no more cannot be withdrawn once more.
pub(crate) struct AlreadyWithdrawn;

/// The accounts of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Ledger {
    faults: Vec<Fault>,
    given: ByColor<Vec<Given>>,
}

impl Ledger {
    /// Whether this kind is an illegal move in this edition. A press without a move is one since
    /// 2018 (7.5.3).
    pub fn counts(kind: Kind, edition: Edition) -> bool {
        match kind {
            Kind::IllegalMove | Kind::PawnNotPromoted => true,
            Kind::PressedWithoutMove => edition >= Edition::Y2018,
            _ => false,
        }
    }

    /// Whether this kind counts only if a human upholds it. Of two hands for one move (7.5.4) the
    /// board sees only a likelihood.
    pub fn counts_if_upheld(kind: Kind, edition: Edition) -> bool {
        kind == Kind::TwoHands && edition >= Edition::Y2018
    }

    /// Enters an illegal move; gives its number for this player.
    pub fn enter(&mut self, fault: Fault) -> u32 {
        let place = self.faults.partition_point(|it| it.at <= fault.at);
        self.faults.insert(place, fault);
        self.illegal_moves(fault.side)
    }

    /// A human has ruled. What was no offence is taken out, and a penalty for it counts no more.
    /// True if anything has changed.
    pub fn rule(&mut self, now: Moment, incident: IncidentId, ruling: Ruling, by: &str) -> bool {
        let found = self.faults.iter_mut().find(|fault| fault.incident == incident);
        let entered = found.map(|fault| fault.ruling = Some(ruling)).is_some();
        self.faults.retain(|fault| fault.ruling != Some(Ruling::Dismissed));
        let given = self.given.iter_mut().flatten();
        let mut given = given.filter(|it| it.incident == Some(incident) && it.withdrawn.is_none());
        let given = given.next().filter(|_| ruling == Ruling::Dismissed);
        let dismissed = Withdrawal { at: now, by: by.to_owned(), reason: Reason::Dismissed };
        let taken = given.map(|it| it.withdrawn = Some(dismissed)).is_some();
        entered || taken
    }

    /// A ruling is taken back: what stood here of this incident before it stands here again.
    pub fn put_back(&mut self, before: &Self, incident: IncidentId) {
        let of_it = |it: &&Fault| it.incident == incident;
        let stands = self.faults.iter().any(|it| of_it(&it) && it.stands);
        self.faults.retain(|it| it.incident != incident);
        for fault in before.faults.iter().filter(of_it) {
            self.enter(Fault { stands: stands || fault.stands, ..*fault });
        }
        let given = self.given.iter_mut().zip(before.given.iter());
        let given = given.flat_map(|(now, then)| now.iter_mut().zip(then));
        for (now, then) in given.filter(|(_, then)| then.incident == Some(incident)) {
            now.withdrawn.clone_from(&then.withdrawn);
        }
    }

    /// Whether this incident is an illegal move that stands here.
    pub fn has(&self, incident: IncidentId) -> bool {
        self.faults.iter().any(|fault| fault.incident == incident)
    }

    /// Nobody has intervened in time. True if it had counted.
    pub fn let_stand(&mut self, incident: IncidentId) -> bool {
        let found = self.faults.iter_mut().find(|fault| fault.incident == incident);
        found.is_some_and(|fault| !std::mem::replace(&mut fault.stands, true))
    }

    /// The opponent of whoever made this illegal move cannot checkmate.
    pub fn draw(&mut self, incident: IncidentId) {
        let found = self.faults.iter_mut().find(|fault| fault.incident == incident);
        found.into_iter().for_each(|fault| fault.drawn = true);
    }

    /// An arbiter has given the opponent of this player time, or none but a warning.
    pub fn give(&mut self, side: Color, given: Given) {
        self.given.get_mut(side).push(given);
    }

    /// What was given does not count; none: there is no penalty of this number, counted from 1.
    pub fn withdraw(
        &mut self,
        side: Color,
        number: usize,
        withdrawal: Withdrawal,
    ) -> Option<Result<(), AlreadyWithdrawn>> {
        let given = self.given.get_mut(side).get_mut(number.checked_sub(1)?)?;
        if given.withdrawn.is_some() {
            return Some(Err(AlreadyWithdrawn));
        }
        given.withdrawn = Some(withdrawal);
        Some(Ok(()))
    }

    pub fn given(&self, side: Color) -> &[Given] {
        self.given.get(side)
    }

    /// What was given for this incident and counts.
    pub fn given_for(&self, incident: IncidentId) -> Option<&Given> {
        let mut given = self.given.iter().flatten();
        given.find(|it| it.incident == Some(incident) && it.withdrawn.is_none())
    }

    pub fn account(&self, side: Color) -> Account {
        let given = self.given(side).iter().filter(|it| it.withdrawn.is_none());
        given.fold(
            Account { illegal_moves: self.illegal_moves(side), ..Account::default() },
            |sum, given| Account {
                penalties: sum.penalties.saturating_add(1),
                given_s: sum.given_s.saturating_add(given.seconds),
                ..sum
            },
        )
    }

    /// This player's illegal moves with their numbers.
    pub fn faults(&self, side: Color) -> Vec<(u32, Fault)> {
        let mut numbered: Vec<(u32, Fault)> = Vec::new();
        let counts = |fault: &&Fault| fault.side == side && fault.counts();
        for &fault in self.faults.iter().filter(counts) {
            let number = match numbered.last() {
                Some((number, last)) if fault.at.since(last.at) <= ONE_MOVE => *number,
                Some((number, _)) => number + 1,
                None => 1,
            };
            numbered.push((number, fault));
        }
        numbered
    }

    fn illegal_moves(&self, side: Color) -> u32 {
        self.faults(side).last().map_or(0, |(number, _)| *number)
    }
}

#[cfg(test)]
mod tests {
    use crate::number::GameNo;

    use super::*;

    fn id(number: u32) -> IncidentId {
        IncidentId { game: GameNo::new(1), number }
    }

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    fn fault(side: Color, seconds: u64, number: u32) -> Fault {
        Fault {
            side,
            at: at(seconds),
            incident: id(number),
            kind: Kind::IllegalMove,
            move_number: 7,
            drawn: false,
            ruling: None,
            stands: false,
        }
    }

    fn given(seconds: u64, incident: Option<IncidentId>) -> Given {
        let by = "Ann".to_owned();
        Given { at: at(seconds), seconds: 120, by, incident, withdrawn: None }
    }

    #[test]
    fn what_was_given_for_a_dismissed_alert_counts_no_more_and_stays_in_the_ledger() {
        let mut ledger = Ledger::default();
        ledger.enter(fault(Color::White, 4, 1));
        ledger.give(Color::White, given(5, Some(id(1))));
        ledger.give(Color::White, given(6, None));
        assert!(ledger.given_for(id(1)).is_some());
        assert!(ledger.rule(at(9), id(1), Ruling::Dismissed, "Bob"));
        assert_eq!(ledger.given_for(id(1)), None);
        let account = Account { illegal_moves: 0, penalties: 1, given_s: 120 };
        assert_eq!(ledger.account(Color::White), account);
        let withdrawn = ledger.given(Color::White)[0].withdrawn.clone().unwrap();
        assert_eq!((withdrawn.by.as_str(), withdrawn.reason), ("Bob", Reason::Dismissed));
        assert_eq!(ledger.given(Color::White)[1].withdrawn, None, "nobody said for what");
    }

    #[test]
    fn what_was_given_is_withdrawn_once_and_with_a_reason() {
        let mut ledger = Ledger::default();
        ledger.give(Color::White, given(5, Some(id(1))));
        let reason = || {
            let (by, reason) = ("Bob".to_owned(), Reason::Said("the wrong player".to_owned()));
            Withdrawal { at: at(9), by, reason }
        };
        assert!(ledger.withdraw(Color::White, 0, reason()).is_none());
        assert!(ledger.withdraw(Color::White, 2, reason()).is_none());
        assert!(ledger.withdraw(Color::Black, 1, reason()).is_none());
        assert!(matches!(ledger.withdraw(Color::White, 1, reason()), Some(Ok(()))));
        assert!(matches!(ledger.withdraw(Color::White, 1, reason()), Some(Err(_))));
        assert_eq!(ledger.account(Color::White), Account::default());
        assert_eq!(ledger.given_for(id(1)), None, "it may be given again");
    }

    #[test]
    fn kinds_are_mixed_and_two_faults_in_one_move_count_once() {
        let mut ledger = Ledger::default();
        let not_promoted = Fault { kind: Kind::PawnNotPromoted, ..fault(Color::White, 4, 2) };
        assert_eq!(ledger.enter(fault(Color::White, 4, 1)), 1);
        assert_eq!(ledger.enter(not_promoted), 1);
        assert_eq!(ledger.enter(fault(Color::Black, 5, 3)), 1);
        assert_eq!(ledger.enter(fault(Color::White, 8, 4)), 2);
        let numbers: Vec<_> = ledger.faults(Color::White).iter().map(|(it, _)| *it).collect();
        assert_eq!(numbers, [1, 1, 2]);
    }

    #[test]
    fn what_stands_counts_only_if_a_human_upholds_it() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.enter(fault(Color::White, 4, 1)), 1);
        assert!(ledger.let_stand(id(1)));
        assert!(!ledger.let_stand(id(1)), "it stands already");
        assert!(!ledger.let_stand(id(7)));
        assert_eq!(ledger.account(Color::White).illegal_moves, 0);
        assert_eq!(ledger.enter(fault(Color::White, 8, 2)), 1);
        assert!(ledger.rule(at(9), id(1), Ruling::Noted, "Ann"));
        assert_eq!(ledger.account(Color::White).illegal_moves, 1);
        assert!(ledger.rule(at(9), id(1), Ruling::Upheld, "Ann"));
        let numbers: Vec<_> = ledger.faults(Color::White).iter().map(|it| it.1.incident).collect();
        assert_eq!(numbers, [id(1), id(2)]);
    }

    #[test]
    fn what_was_dismissed_does_not_count() {
        let mut ledger = Ledger::default();
        ledger.enter(fault(Color::White, 4, 1));
        assert!(ledger.rule(at(9), id(1), Ruling::Dismissed, "Ann"));
        assert!(!ledger.rule(at(9), id(1), Ruling::Upheld, "Ann"), "it is not there any more");
        assert_eq!(ledger.enter(fault(Color::White, 8, 2)), 1);
        assert!(ledger.rule(at(9), id(2), Ruling::Upheld, "Ann"));
        assert_eq!(ledger.faults(Color::White)[0].1.ruling, Some(Ruling::Upheld));
        ledger.give(Color::White, given(9, None));
        let account = Account { illegal_moves: 1, penalties: 1, given_s: 120 };
        assert_eq!(ledger.account(Color::White), account);
        assert_eq!(ledger.account(Color::Black), Account::default());
    }
}
