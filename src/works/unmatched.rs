//! Which rounds are under way, and which of their tables may have been mixed up: tables with a
//! pairing but no board, and tables that play without a pairing.

use std::collections::BTreeSet;

use witness::{Effect, Event, Facet, Incident, Kind, Table, TableNo, Which};

use super::rounds::{Stage, are_same};
use super::{Act, Works};
use crate::pairings::Players;

/// The most tables that are proposed. An arbiter reads three names at a glance, and players who
/// take a wrong seat sit near their own.
const OFFERED: usize = 3;
/// Half moves after which a game counts as played. With fewer, somebody may only have tried a
/// piece.
const BEGUN: usize = 2;

/// Two players of a round, and the table where they may sit.
#[derive(Debug)]
pub struct Sitting {
    /// The table.
    pub table: TableNo,
    /// The round.
    pub round: String,
    /// White and Black.
    pub players: Players,
}

impl Works {
    /// Whether an effect can change which tables lack a board or a pairing. Only the first moves of
    /// a game can.
    pub(super) fn may_unmatch(&self, table: TableNo, effect: &Effect) -> bool {
        match effect {
            Effect::Changed(Facet::Device) | Effect::Event(Event::NewGame(_)) => true,
            Effect::Event(Event::Released { .. }) => {
                self.hall.table(table).is_some_and(|it| it.score().plies().len() <= BEGUN)
            }
            Effect::Event(Event::Result) => true,
            _ => false,
        }
    }

    /// Looks at a table after a board came or went, or a move was made. Its round may be under way
    /// now, and tables without a board or a pairing may be reported or cleared.
    pub(super) fn look_for_unmatched(&mut self, table: TableNo, out: &mut Vec<Act>) {
        let round = self.round(table).to_owned();
        // Without rounds, a game has no pairing to miss.
        if round.is_empty() {
            return;
        }
        if !self.rounds.is_under_way(&round) {
            if !self.is_begun(&round) {
                return;
            }
            self.rounds.begin(&round);
            return self.announce_all(out);
        }
        let numbers: Vec<_> = self.hall.tables().map(|(number, _)| number).collect();
        for number in numbers {
            if self.is_unmatched(number) {
                self.announce(number, out);
            }
        }
    }

    /// Whether at least half of the paired tables of a round play or have played. Games that were
    /// not played do not count.
    fn is_begun(&self, round: &str) -> bool {
        let (mut playing, mut paired) = (0, 0);
        for (number, table) in self.hall.tables() {
            let of_round = self.round(number) == round;
            let stage = Stage::of(table);
            let forfeit = of_round && stage == Stage::Forfeit;
            if forfeit || self.rounds.paired_in(&self.plan, number, round).is_none() {
                continue;
            }
            paired += 1;
            playing += usize::from(of_round && matches!(stage, Stage::During | Stage::Over));
        }
        playing > 0 && playing * 2 >= paired
    }

    /// What the witness must know about the round of a table.
    pub(super) fn announcement(&self, table: TableNo) -> witness::Round {
        let mut round = self.rounds.announcement(&self.plan, table);
        if (round.begun || round.next_begun) && self.is_unmatched(table) {
            if self.is_played_elsewhere(table, &self.awaited_round(table)) {
                (round.begun, round.next_begun) = (false, false);
            } else {
                round.counterparts = self.counterparts(table);
            }
        }
        round
    }

    /// Whether a table has a pairing in a round under way but no board, or plays in it without a
    /// pairing.
    fn is_unmatched(&self, table: TableNo) -> bool {
        let lacks_board = self.lacks_board(table, &self.awaited_round(table));
        lacks_board || self.lacks_pairing(table, self.round(table))
    }

    /// The round of the game that a table has or waits for.
    fn awaited_round(&self, table: TableNo) -> String {
        let over = self.hall.table(table).is_some_and(|it| Stage::of(it).is_over());
        match over {
            true => self.rounds.next_round_of(&self.plan, table),
            false => self.round(table).to_owned(),
        }
    }

    /// The players of the game that an incident is about, also if it has not begun.
    #[must_use]
    pub fn concerned(&self, table: TableNo, incident: &Incident) -> Option<Players> {
        match incident.kind {
            Kind::NoBoard => {
                let round = self.awaited_round(table);
                self.rounds.paired_in(&self.plan, table, &round).cloned()
            }
            _ => self.players_then(table, incident.id),
        }
    }

    /// Players and tables that may belong together, for an incident about a missing board or a
    /// missing pairing.
    #[must_use]
    pub fn may_sit(&self, table: TableNo, incident: &Incident) -> Vec<Sitting> {
        let round = self.awaited_round(table);
        let sitting = |at: TableNo, of: TableNo| {
            let players = self.rounds.paired_in(&self.plan, of, &round)?.clone();
            Some(Sitting { table: at, round: round.clone(), players })
        };
        let others = incident.facts.tables.iter().copied();
        match incident.kind {
            Kind::NoBoard => others.filter_map(|other| sitting(other, table)).collect(),
            Kind::NoPairing => others.filter_map(|other| sitting(table, other)).collect(),
            _ => Vec::new(),
        }
    }

    fn lacks_board(&self, table: TableNo, round: &str) -> bool {
        let untouched = self.hall.table(table).is_none_or(|it| {
            let stage = Stage::of(it);
            let before = stage == Stage::Before || stage.is_over() && self.round(table) != round;
            before && !is_heard(it)
        });
        untouched && self.rounds.paired_in(&self.plan, table, round).is_some()
    }

    fn lacks_pairing(&self, table: TableNo, round: &str) -> bool {
        let plays = self.hall.table(table).is_some_and(|it| {
            it.is_in_play() && it.score().plies().len() >= BEGUN && self.round(table) == round
        });
        plays && self.rounds.paired_in(&self.plan, table, round).is_none()
    }

    /// Whether an arbiter has named these players at another table too, and a board is heard or a
    /// move was made there.
    fn is_played_elsewhere(&self, table: TableNo, round: &str) -> bool {
        let Some(own) = self.rounds.paired_in(&self.plan, table, round) else { return false };
        let plays = |it: &Table| Stage::of(it) != Stage::Before || is_heard(it);
        let mut others = self.rounds.named_by_arbiters(round).filter(|(it, _)| *it != table);
        others.any(|(it, players)| are_same(players, own) && self.hall.table(it).is_some_and(plays))
    }

    fn counterparts(&self, table: TableNo) -> Vec<TableNo> {
        let round = self.awaited_round(table);
        let in_hall = self.hall.tables().map(|(number, _)| number);
        let paired = self.rounds.paired_tables(&self.plan, &round);
        let all: BTreeSet<_> = in_hall.chain(paired).filter(|it| *it != table).collect();
        let fits = |it: &TableNo| match self.lacks_pairing(table, &round) {
            true => self.lacks_board(*it, &round) && !self.is_played_elsewhere(*it, &round),
            false => self.lacks_pairing(*it, &round),
        };
        let mut found: Vec<_> = all.into_iter().filter(fits).collect();
        found.sort_by_key(|it| it.get().abs_diff(table.get()));
        found.truncate(OFFERED);
        found
    }
}

/// Whether a board of the table is heard.
fn is_heard(table: &Table) -> bool {
    let devices = [Which::First, Which::Second].into_iter().filter_map(|it| table.device_at(it));
    devices.into_iter().any(|it| it.present && it.answering)
}
