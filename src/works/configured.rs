//! What a change of the configuration means for the tables. The file itself is changed elsewhere:
//! here each board gets its lasting name, and games in play are protected.

use std::collections::{BTreeMap, BTreeSet};

use eboard::{Senses, Station};
use witness::{Message, Seat, TableNo};

use super::unseated::is_under_way;
use super::{Machine, Works};
use crate::config::keys::Key;
use crate::entry;
use crate::requests::{Change, Configure, SeatAt};
use crate::say;

/// Whether a table may lose a board or a clock by this key.
fn moves_a_board(key: &str) -> bool {
    Key::named(key).is_some_and(Key::moves_a_board)
}

/// The key, if after the next start something is elsewhere by it.
fn elsewhere(change: &Change) -> Option<&str> {
    let Change::Set { key, .. } = change else { return None };
    Key::named(key).filter(|it| it.asks).map(|_| key.as_str())
}

impl Works {
    /// The changes with lasting names of boards.
    ///
    /// # Errors
    /// If no board answers on a line, or if a game in play would lose its board.
    pub(super) fn to_configure(&self, asked: &Configure) -> Result<Vec<Change>, Message> {
        let disturbed: BTreeSet<TableNo> = match asked.disturb {
            true => BTreeSet::new(),
            false => asked.changes.iter().flat_map(|it| self.disturbed(it)).collect(),
        };
        if !disturbed.is_empty() {
            let tables: Vec<_> = disturbed.iter().map(TableNo::to_string).collect();
            return Err(say::would_disturb(&tables.join(", ")));
        }
        let moved: Vec<_> = asked.changes.iter().filter_map(elsewhere).collect();
        if !asked.disturb && !moved.is_empty() {
            return Err(say::would_move(&moved.join(", ")));
        }
        let changes: Result<Vec<_>, _> =
            asked.changes.iter().map(|change| self.lasting(change)).collect();
        let mut changes = changes?;
        changes.extend(self.twins_of(&asked.changes));
        Ok(changes)
    }

    /// The tables of boards that have the number of one that is seated. While they were alone they
    /// may have been named by it, and now their lines tell them apart.
    fn twins_of(&self, changes: &[Change]) -> Vec<Change> {
        let seats = changes.iter().filter_map(|change| match change {
            Change::Seat(seat) => Some(seat),
            _ => None,
        });
        let named: BTreeSet<TableNo> = changes.iter().flat_map(Change::tables).collect();
        let twins = seats.filter_map(|seat| self.seat_on(seat.line.as_ref()?, seat.station));
        let twins = twins.flat_map(|at| {
            self.seats_at(|_| true)
                .filter(move |it| *it != at && self.same_number(at, *it))
                .collect::<Vec<_>>()
        });
        let tables = twins.filter_map(|at| Some((self.board(at)?.table?, at)));
        let tables: BTreeMap<TableNo, Seat> =
            tables.filter(|(table, _)| self.is_planned(*table) && !named.contains(table)).collect();
        let again = tables.into_iter().filter_map(|(table, at)| self.named(at, table));
        again.map(Change::Seat).collect()
    }

    fn is_planned(&self, table: TableNo) -> bool {
        self.plan.tables.iter().any(|it| it.number == table)
    }

    fn same_number(&self, one: Seat, other: Seat) -> bool {
        let serial = |at| self.board(at).and_then(|it| it.identity.as_ref()?.serial.as_ref());
        serial(one).is_some() && serial(one) == serial(other)
    }

    /// The tables whose game is in play and may lose its board by a change.
    fn disturbed(&self, change: &Change) -> Vec<TableNo> {
        let tables = match change {
            Change::Seat(seat) => {
                let at = seat.line.as_ref().and_then(|line| self.seat_on(line, seat.station));
                let sits = at.and_then(|at| self.board(at)?.table);
                match sits == Some(seat.table) {
                    true => Vec::new(),
                    false => [Some(seat.table), sits].into_iter().flatten().collect(),
                }
            }
            Change::Unseat { table } => vec![*table],
            Change::Swap { tables } => tables.to_vec(),
            // A new rule holds from the next game on.
            Change::Set { key, table, .. } => {
                table.iter().filter(|_| moves_a_board(key)).copied().collect()
            }
        };
        let in_play = |table: &TableNo| self.hall.table(*table).is_some_and(is_under_way);
        tables.into_iter().filter(in_play).collect()
    }

    fn seat_on(&self, line: &str, station: Option<u16>) -> Option<Seat> {
        let named = self.lines.iter().find(|(_, it)| it.id.names.iter().any(|name| name == line));
        let station = station.map_or(Station::ONLY, Station);
        named.map(|(number, _)| Seat { line: *number, station })
    }

    fn lasting(&self, change: &Change) -> Result<Change, Message> {
        let Change::Seat(seat) = change else { return Ok(change.clone()) };
        let Some(name) = &seat.line else { return Ok(change.clone()) };
        let gone = || say::no_board_answers(name);
        let at = self.seat_on(name, seat.station).ok_or_else(gone)?;
        self.named(at, seat.table).map(Change::Seat).ok_or_else(gone)
    }

    /// A board by its serial number, or else by the most lasting file of its line.
    fn named(&self, at: Seat, table: TableNo) -> Option<SeatAt> {
        let line = self.lines.get(&at.line)?;
        let Machine::Talking(driver, _) = line.machine else { return None };
        let identity = line.boards.get(&at.station)?.identity.as_ref()?;
        if driver.senses == Senses::Nothing {
            return None;
        }
        let serial = identity.serial.clone().filter(|_| !self.apart().is_twin(at));
        let by_line = serial.is_none() || driver.is_bus();
        let station = by_line && serial.is_none() && at.station != Station::ONLY;
        let file = entry::lasting_file(&line.id.path, &line.id.names);
        Some(SeatAt {
            table,
            line: None,
            station: station.then_some(at.station.0),
            serial,
            port: by_line.then(|| file.to_owned()),
            driver: by_line.then(|| driver.name.to_owned()),
        })
    }
}
