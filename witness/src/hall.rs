//! Many tables in one machine: which table sits at which line and station, and a fault at one
//! table that leaves all others alone.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use eboard::{Moment, Reason, Sighting, Station};

use crate::agenda::Agenda;
use crate::orders::{Order, Refusal};
use crate::settings::Settings;
use crate::table::{Effect, Table};

/// Where a table sits: a line, by the number the shell has given it, and a station on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat {
    /// The line.
    pub line: u32,
    /// The place on the line.
    pub station: Station,
}

/// An effect and the table that wants it.
pub type HallEffect = (u32, Effect);

/// All tables of one hall.
#[derive(Debug, Default)]
pub struct Hall {
    tables: BTreeMap<u32, Table>,
    seats: BTreeMap<Seat, u32>,
    agenda: Agenda<u32>,
    faulty: Vec<u32>,
}

impl Hall {
    /// Sets a table up; one that exists keeps its game.
    pub fn open(&mut self, number: u32, settings: Settings) {
        self.tables.entry(number).or_insert_with(|| Table::new(settings));
    }

    /// Puts a table at a seat. A board that returns on another line finds its table again.
    pub fn seat(&mut self, seat: Seat, number: u32) {
        self.seats.insert(seat, number);
    }

    /// The table at a seat.
    #[must_use]
    pub fn at(&self, seat: Seat) -> Option<u32> {
        self.seats.get(&seat).copied()
    }

    /// One table.
    #[must_use]
    pub fn table(&self, number: u32) -> Option<&Table> {
        self.tables.get(&number)
    }

    /// All tables by number.
    pub fn tables(&self) -> impl Iterator<Item = (u32, &Table)> {
        self.tables.iter().map(|(number, table)| (*number, table))
    }

    /// Tables whose machine has failed since this was last asked: their state is as it was before.
    pub fn take_faulty(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.faulty)
    }

    /// A device claims to see something at a seat.
    pub fn sight(
        &mut self,
        now: Moment,
        seat: Seat,
        sighting: Sighting,
        out: &mut Vec<HallEffect>,
    ) {
        if let Some(number) = self.at(seat) {
            self.step(number, out, |table, effects| table.sight(now, sighting, effects));
        }
    }

    /// A line was opened or closed.
    pub fn line(&mut self, line: u32, present: bool, out: &mut Vec<HallEffect>) {
        let seats = self.seats.iter().filter(|(seat, _)| seat.line == line);
        let tables: Vec<_> = seats.map(|(_, number)| *number).collect();
        for number in tables {
            self.step(number, out, |table, effects| table.line(present, effects));
        }
    }

    /// Nobody sits at the seats of this line any more.
    pub fn vacate(&mut self, line: u32) {
        self.seats.retain(|seat, _| seat.line != line);
    }

    /// An arbiter's order to a table.
    ///
    /// # Errors
    /// When there is no such table, or it declines.
    pub fn order(
        &mut self,
        now: Moment,
        number: u32,
        order: Order,
        out: &mut Vec<HallEffect>,
    ) -> Result<(), Refusal> {
        let mut answer = Err(Refusal::NoSuchTable);
        self.step(number, out, |table, effects| answer = table.order(now, order, effects));
        answer
    }

    /// The deadline has come.
    pub fn due(&mut self, now: Moment, out: &mut Vec<HallEffect>) {
        while let Some((_, number)) = self.agenda.first().filter(|(at, _)| *at <= now) {
            self.step(number, out, |table, effects| table.due(now, effects));
            if self.agenda.first().is_some_and(|first| first.1 == number && first.0 <= now) {
                debug_assert!(false, "table {number} wants to be woken for what it has done");
                self.agenda.set(number, None);
            }
        }
    }

    /// When the hall next wants [`Hall::due`], and why.
    #[must_use]
    pub fn deadline(&self) -> Option<(Moment, Reason)> {
        let (at, number) = self.agenda.first()?;
        Some((at, self.agenda.reason(number)?))
    }

    fn step(
        &mut self,
        number: u32,
        out: &mut Vec<HallEffect>,
        act: impl FnOnce(&mut Table, &mut Vec<Effect>),
    ) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        let mut effects = Vec::new();
        // Nothing is shared between tables, so a fault can be cut out with the table it hit.
        let outcome = catch_unwind(AssertUnwindSafe(|| act(table, &mut effects)));
        if outcome.is_err() {
            self.faulty.push(number);
        }
        self.agenda.set(number, table.deadline());
        out.extend(effects.into_iter().map(|effect| (number, effect)));
    }
}
