//! How a board gets its table: what it says of itself goes to the seating, and everybody sits where
//! the seating says. Who may sit where is decided there.

use std::time::Duration;

use eboard::{Identity, Input, Sighting};
use witness::{Present, Said, Seat, Which};

use super::{Act, Line, Machine, Works};

/// How long a recognised board may take to tell its serial number: three times what a DGT board
/// takes until it is asked again.
const INTRODUCTION: Duration = Duration::from_secs(6);

impl Line {
    fn seat(&self) -> Option<(u32, Which)> {
        self.table.map(|table| (table, self.board))
    }

    /// As the seating wants to know it.
    fn present(&self) -> Present {
        let language = match self.machine {
            Machine::Talking(driver, _) => Some(driver.name.to_owned()),
            Machine::Probing(_) => None,
        };
        let said = match &self.identity {
            Some(_) if self.introduced => Said::Numbers(self.numbers.clone()),
            Some(_) => Said::Language,
            None => Said::Nothing,
        };
        Present { names: self.id.names.clone(), language, said }
    }
}

impl Works {
    pub(super) fn identified(&mut self, number: u32, identity: &Identity, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        line.identity = Some(identity.clone());
        match &identity.serial {
            Some(serial) => _ = line.numbers.insert(serial.clone()),
            // A board that had a number and has none is another one: it introduces itself anew.
            None if !line.numbers.is_empty() => {
                line.numbers.clear();
                line.introduced = false;
            }
            None => {}
        }
        out.push(Act::Recognised(number));
        let numbered = matches!(line.machine, Machine::Talking(driver, _) if driver.numbered);
        if identity.serial.is_some() || !numbered {
            return self.introduced(number, out);
        }
        if !line.introduced {
            line.seat_by.get_or_insert(self.now + INTRODUCTION);
            self.reschedule(number);
        }
        self.present(number, out);
    }

    /// A board has said everything it will say of itself, or it has had the time for it.
    pub(super) fn introduced(&mut self, number: u32, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        line.seat_by = None;
        line.introduced = true;
        self.reschedule(number);
        self.present(number, out);
    }

    /// What is known of a line and its board may give it another table.
    pub(super) fn present(&mut self, number: u32, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get(&number) else { return };
        let muted = self.seating.awaits_number(number);
        self.seating.present(number, line.present());
        if muted && !self.seating.awaits_number(number) {
            // What it has shown meanwhile was kept from the table: it shows it anew.
            self.leave(number, out);
        }
        self.seat(out);
    }

    /// Everybody sits where the seating says. Whoever leaves a table leaves it before others sit.
    pub(super) fn seat(&mut self, out: &mut Vec<Act>) {
        let wanted = |number: &u32| self.seating.seat(*number);
        let moved = self.lines.iter().filter(|(number, line)| line.seat() != wanted(number));
        let moved: Vec<_> = moved.map(|(number, _)| *number).collect();
        for number in &moved {
            self.leave(*number, out);
        }
        for number in moved {
            if let Some(seat) = self.seating.seat(number) {
                self.sit(number, seat, out);
            }
        }
        for (number, line) in &mut self.lines {
            let unseated = self.seating.unseated(*number);
            if line.unseated != unseated {
                line.unseated = unseated;
                out.push(Act::Seated(*number));
            }
        }
    }

    /// The table it sat at has no board any more.
    pub(super) fn leave(&mut self, number: u32, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        if line.table.take().is_some() {
            self.with_hall(out, |hall, now, effects| hall.line(now, number, false, effects));
            self.hall.vacate(number);
        }
    }

    fn sit(&mut self, number: u32, (table, board): (u32, Which), out: &mut Vec<Act>) {
        let settings = self.plan.watch_of(table).settings();
        self.hall.open(self.now, table, settings);
        self.rounds.opened(&self.plan, table);
        self.announce(table, out);
        let seat = Seat { line: number, station: self.seating.station((table, board)) };
        self.hall.seat_at(seat, table, board);
        let Some(line) = self.lines.get_mut(&number) else { return };
        (line.table, line.board) = (Some(table), board);
        let identity = line.identity.clone();
        out.push(Act::Seated(number));
        self.with_hall(out, |hall, now, effects| hall.line(now, number, true, effects));
        if let Some(identity) = identity {
            let sighting = Sighting::Identified(identity);
            self.with_hall(out, |hall, now, effects| hall.sight(now, seat, sighting, effects));
            self.converse(number, Input::Survey, out);
        }
    }
}
