//! What a change of the configuration means for the tables. The file itself is changed elsewhere:
//! here each board gets its lasting name, and games in play are protected.

use std::collections::BTreeSet;

use eboard::{Senses, Station};
use witness::{Message, Seat};

use super::unseated::is_under_way;
use super::{Machine, Works};
use crate::entry;
use crate::requests::{Change, Configure, SeatAt};
use crate::say;

impl Works {
    /// The changes with lasting names of boards.
    ///
    /// # Errors
    /// If no board answers on a line, or if a game in play would lose its board.
    pub(super) fn to_configure(&self, asked: &Configure) -> Result<Vec<Change>, Message> {
        let disturbed: BTreeSet<u32> = match asked.disturb {
            true => BTreeSet::new(),
            false => asked.changes.iter().flat_map(|it| self.disturbed(it)).collect(),
        };
        if !disturbed.is_empty() {
            let tables: Vec<_> = disturbed.iter().map(u32::to_string).collect();
            return Err(say::would_disturb(&tables.join(", ")));
        }
        asked.changes.iter().map(|change| self.lasting(change)).collect()
    }

    /// The tables whose game is in play and may lose its board by a change.
    fn disturbed(&self, change: &Change) -> Vec<u32> {
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
            // A new value holds from the next game on.
            Change::Set { .. } => Vec::new(),
        };
        let in_play = |table: &u32| self.hall.table(*table).is_some_and(is_under_way);
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
    fn named(&self, at: Seat, table: u32) -> Option<SeatAt> {
        let line = self.lines.get(&at.line)?;
        let Machine::Talking(driver, _) = line.machine else { return None };
        let identity = line.boards.get(&at.station)?.identity.as_ref()?;
        if driver.senses == Senses::Nothing {
            return None;
        }
        let serial = identity.serial.clone().filter(|_| !self.is_twin(at));
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

    /// Whether another board that is present has the same serial number.
    #[must_use]
    pub fn is_twin(&self, at: Seat) -> bool {
        let serial = |at| self.board(at).and_then(|it| it.identity.as_ref()?.serial.as_ref());
        let Some(own) = serial(at) else { return false };
        self.seats_at(|_| true).any(|other| other != at && serial(other) == Some(own))
    }
}
