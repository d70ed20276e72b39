//! The works: every line's conversation and the hall of tables, moved by entries and by deadlines
//! in order of time. No I/O, no clock: the same entries always give the same acts, so a run, its
//! replay and a restart agree to the byte.

use std::collections::BTreeMap;
use std::time::Duration;

use eboard::{Anomaly, Conversation, Driver, Identity, Input, LineSettings, Moment, Output};
use eboard::{Probe, Probed, Reason, Sighting, Station};
use witness::{
    Agenda, Effect, Hall, HallEffect, Memory, Order, Place, Refusal, Seat, Seating, Settings,
};

use crate::entry::{Entry, LineId, Plan, Request, Seats, Watch};
use crate::mqtt::payload;
use crate::mqtt::requests::{self, Asked};

/// What the works want done.
#[derive(Debug)]
pub enum Act {
    /// Write these bytes to a line.
    Send(u32, Vec<u8>),
    /// Set a line like this.
    Set(u32, LineSettings),
    /// A device was recognised, or more is known of it.
    Recognised(u32),
    /// Something changed at a table, at this moment.
    Table(Moment, u32, Effect),
    /// The answer to a request: data, or why not.
    Answered(Box<Request>, Result<serde_json::Value, String>),
    /// The machine of this table failed: its last input was given up.
    Faulted(u32),
}

/// One line and whoever is found there.
pub struct Line {
    /// By what it is known.
    pub id: LineId,
    /// Bytes that made no sense so far, in frames.
    pub noise: u64,
    /// Who is there, as far as known.
    pub identity: Option<Identity>,
    /// The table, once it has one.
    pub table: Option<u32>,
    machine: Machine,
    /// A board that has not told its serial number by then gets a table without it.
    seat_by: Option<Moment>,
}

/// How long a recognised board may take to tell its serial number.
const INTRODUCTION: Duration = Duration::from_millis(1500);

enum Machine {
    Probing(Probe),
    Talking(Box<dyn Conversation>),
}

/// All lines and all tables.
pub struct Works {
    drivers: Vec<&'static Driver>,
    lines: BTreeMap<u32, Line>,
    agenda: Agenda<u32>,
    hall: Hall,
    seating: Seating,
    plan: Plan,
    now: Moment,
    /// What a conversation and the hall answered last: empty, and kept for its room.
    answers: Vec<Output>,
    effects: Vec<HallEffect>,
}

impl Works {
    /// Works that know these languages and have no line yet.
    #[must_use]
    pub fn new(drivers: Vec<&'static Driver>) -> Self {
        Self {
            drivers,
            lines: BTreeMap::new(),
            agenda: Agenda::default(),
            hall: Hall::default(),
            seating: Seating::default(),
            plan: Plan { tables: Vec::new(), watch: Watch::default(), seats: Seats::default() },
            now: Moment::ZERO,
            answers: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// The tables.
    #[must_use]
    pub fn hall(&self) -> &Hall {
        &self.hall
    }

    /// One line that is open.
    #[must_use]
    pub fn line(&self, number: u32) -> Option<&Line> {
        self.lines.get(&number)
    }

    /// The line at which a table's device is.
    #[must_use]
    pub fn line_of(&self, table: u32) -> Option<&Line> {
        self.lines.values().find(|line| line.table == Some(table))
    }

    /// Lines that are open, by number.
    pub fn lines(&self) -> impl Iterator<Item = (u32, &Line)> {
        self.lines.iter().map(|(number, line)| (*number, line))
    }

    /// Who has sat where, for a plan that a new record begins with.
    #[must_use]
    pub fn seats(&self) -> Seats {
        let Memory { by_serial, by_line } = self.seating.memory();
        let games = self.hall.tables().map(|(number, table)| (number, table.game_number()));
        Seats { by_serial, by_line, games: games.filter(|(_, games)| *games > 0).collect() }
    }

    /// The plan that holds.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The last moment anything happened.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// When the works next want to be moved on.
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        let line = self.agenda.first().map(|(at, _)| at);
        line.into_iter().chain(self.hall.deadline().map(|(at, _)| at)).min()
    }

    /// Something enters. Everything that was due before it happens first, each at its own moment.
    pub fn enter(&mut self, at: Moment, entry: &Entry, out: &mut Vec<Act>) {
        let at = at.max(self.now);
        self.advance(at, out);
        match entry {
            Entry::Planned(plan) => self.planned(plan),
            Entry::Wall(_) => {}
            Entry::Opened(number, id) => self.opened(*number, id, out),
            Entry::Bytes(number, bytes) => self.bytes(*number, bytes, out),
            Entry::Closed(number) => self.closed(*number, out),
            Entry::Request(request) => self.requested(request, out),
        }
        self.report_faults(out);
    }

    /// Time passes: whatever is due until then happens, each at its own moment.
    pub fn advance(&mut self, to: Moment, out: &mut Vec<Act>) {
        while let Some(at) = self.deadline().filter(|at| *at <= to) {
            self.now = self.now.max(at);
            match self.agenda.first().filter(|(line, _)| *line <= at) {
                Some((_, number)) => self.line_due(number, out),
                None => self.with_hall(out, |hall, now, effects| hall.due(now, effects)),
            }
        }
        self.now = self.now.max(to);
    }

    fn planned(&mut self, plan: &Plan) {
        let places = plan.tables.iter().map(|table| Place {
            table: table.number,
            port: table.port.clone(),
            serial: table.serial.clone(),
            station: Station(table.station),
        });
        let places: Vec<_> = places.collect();
        self.seating.replace(places);
        let Seats { by_serial, by_line, games } = plan.seats.clone();
        self.seating.remember(&Memory { by_serial, by_line });
        for (table, games) in games {
            self.hall.count_from(table, games);
        }
        for table in &plan.tables {
            self.hall.open(self.now, table.number, table.watch.settings());
        }
        self.plan = plan.clone();
    }

    fn opened(&mut self, number: u32, id: &LineId, out: &mut Vec<Act>) {
        let fixed = self.fixed_driver(id);
        let machine = match fixed {
            Some(driver) => {
                out.push(Act::Set(number, driver.line));
                Machine::Talking((driver.converse)())
            }
            None => {
                let probe = Probe::new(self.now, self.drivers.clone());
                out.extend(probe.settings().map(|settings| Act::Set(number, settings)));
                Machine::Probing(probe)
            }
        };
        let line =
            Line { id: id.clone(), noise: 0, identity: None, table: None, machine, seat_by: None };
        self.lines.insert(number, line);
        let seats: Vec<_> = self.seating.at_line(&id.names).collect();
        for (station, table) in seats {
            self.sit(number, station, table, out);
        }
        self.converse(number, Input::Opened, out);
    }

    fn fixed_driver(&self, id: &LineId) -> Option<&'static Driver> {
        let named = self
            .plan
            .tables
            .iter()
            .find(|table| table.port.as_ref().is_some_and(|port| id.names.contains(port)))?;
        let name = named.driver.as_deref()?;
        self.drivers.iter().find(|driver| driver.name == name).copied()
    }

    fn closed(&mut self, number: u32, out: &mut Vec<Act>) {
        self.with_hall(out, |hall, now, effects| hall.line(now, number, false, effects));
        self.hall.vacate(number);
        self.lines.remove(&number);
        self.agenda.set(number, None);
    }

    fn bytes(&mut self, number: u32, bytes: &[u8], out: &mut Vec<Act>) {
        match self.lines.get_mut(&number).map(|line| &mut line.machine) {
            Some(Machine::Probing(probe)) => {
                let mut probed = Vec::new();
                probe.heard(self.now, bytes, &mut probed);
                self.probed(number, probed, out);
            }
            Some(Machine::Talking(_)) => self.converse(number, Input::Bytes(bytes), out),
            None => {}
        }
    }

    fn line_due(&mut self, number: u32, out: &mut Vec<Act>) {
        let now = self.now;
        if self.lines.get(&number).is_some_and(|line| line.seat_by.is_some_and(|at| at <= now)) {
            return self.introduce(number, Station::ONLY, out);
        }
        match self.lines.get_mut(&number).map(|line| &mut line.machine) {
            Some(Machine::Probing(probe)) => {
                let mut probed = Vec::new();
                probe.due(self.now, &mut probed);
                self.probed(number, probed, out);
            }
            Some(Machine::Talking(_)) => self.converse(number, Input::Due, out),
            None => self.agenda.set(number, None),
        }
    }

    fn probed(&mut self, number: u32, probed: Vec<Probed>, out: &mut Vec<Act>) {
        for probed in probed {
            match probed {
                Probed::Set(settings) => out.push(Act::Set(number, settings)),
                Probed::Send(bytes) => out.push(Act::Send(number, bytes)),
                Probed::Found { driver, conversation, answers } => {
                    out.push(Act::Set(number, driver.line));
                    if let Some(line) = self.lines.get_mut(&number) {
                        line.machine = Machine::Talking(conversation);
                    }
                    self.answered(number, answers, out);
                    return self.converse(number, Input::Opened, out);
                }
            }
        }
        self.reschedule(number);
    }

    fn converse(&mut self, number: u32, input: Input<'_>, out: &mut Vec<Act>) {
        let mut answers = std::mem::take(&mut self.answers);
        if let Some(Machine::Talking(conversation)) =
            self.lines.get_mut(&number).map(|line| &mut line.machine)
        {
            conversation.handle(self.now, input, &mut answers);
        }
        self.reschedule(number);
        self.answered(number, answers.drain(..), out);
        self.answers = answers;
    }

    fn reschedule(&mut self, number: u32) {
        let deadline = self.lines.get(&number).and_then(|line| {
            let machine = match &line.machine {
                Machine::Probing(probe) => probe.deadline(),
                Machine::Talking(conversation) => conversation.deadline(),
            };
            let seat = line.seat_by.map(|at| (at, Reason("a board has no table yet")));
            machine.into_iter().chain(seat).min_by_key(|(at, _)| *at)
        });
        self.agenda.set(number, deadline);
    }

    fn answered(
        &mut self,
        number: u32,
        answers: impl IntoIterator<Item = Output>,
        out: &mut Vec<Act>,
    ) {
        for answer in answers {
            match answer {
                Output::Send(bytes) => out.push(Act::Send(number, bytes)),
                Output::Noise(anomaly) => self.noise(number, anomaly, out),
                Output::Saw(station, sighting) => {
                    if let Sighting::Identified(identity) = &sighting {
                        self.identified(number, station, identity, out);
                    }
                    let seat = Seat { line: number, station };
                    self.with_hall(out, |hall, now, effects| {
                        hall.sight(now, seat, sighting, effects);
                    });
                }
            }
        }
    }

    fn noise(&mut self, number: u32, _anomaly: Anomaly, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        line.noise += 1;
        // The count is published with the device; once in a while is often enough.
        if line.noise.is_power_of_two() {
            out.push(Act::Recognised(number));
        }
    }

    fn identified(
        &mut self,
        number: u32,
        station: Station,
        identity: &Identity,
        out: &mut Vec<Act>,
    ) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        line.identity = Some(identity.clone());
        out.push(Act::Recognised(number));
        if identity.serial.is_some() {
            self.introduce(number, station, out);
        } else if line.table.is_none() {
            line.seat_by.get_or_insert(self.now + INTRODUCTION);
            self.reschedule(number);
        }
    }

    /// A board gets its table, or another one now that its number is known.
    fn introduce(&mut self, number: u32, station: Station, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        line.seat_by = None;
        let (names, seated) = (line.id.names.clone(), line.table);
        let identity = line.identity.clone();
        let lines = &self.lines;
        let taken =
            |table| lines.iter().any(|(other, line)| *other != number && line.table == Some(table));
        let serial = identity.as_ref().and_then(|identity| identity.serial.as_deref());
        let table = self.seating.recognised(&names, serial, taken);
        self.reschedule(number);
        if let Some(table) = table.filter(|table| Some(*table) != seated) {
            // The table it leaves has no board any more. Places named by a port stay as they are.
            if seated.is_some() && self.seating.at_line(&names).next().is_none() {
                self.with_hall(out, |hall, now, effects| hall.line(now, number, false, effects));
                self.hall.vacate(number);
            }
            self.sit(number, station, table, out);
            if let Some(identity) = identity {
                let seat = Seat { line: number, station };
                let sighting = Sighting::Identified(identity);
                self.with_hall(out, |hall, now, effects| hall.sight(now, seat, sighting, effects));
            }
            self.converse(number, Input::Survey, out);
        }
    }

    fn sit(&mut self, number: u32, station: Station, table: u32, out: &mut Vec<Act>) {
        let settings = self.settings(table);
        self.hall.open(self.now, table, settings);
        self.hall.seat(Seat { line: number, station }, table);
        if let Some(line) = self.lines.get_mut(&number) {
            line.table = Some(table);
        }
        self.with_hall(out, |hall, now, effects| hall.line(now, number, true, effects));
    }

    fn settings(&self, table: u32) -> Settings {
        let named = self.plan.tables.iter().find(|entry| entry.number == table);
        named.map_or(&self.plan.watch, |entry| &entry.watch).settings()
    }

    fn requested(&mut self, request: &Request, out: &mut Vec<Act>) {
        let answer = match requests::read(request) {
            Ok((table, Asked::Order(order))) => {
                let told = matches!(order, Order::PenaltyGiven { .. });
                let answer = self
                    .with_hall(out, |hall, now, effects| hall.order(now, table, order, effects));
                let data = || told.then(|| self.hall.table(table).map(payload::ledger));
                answer.map(|()| data().into()).map_err(|refusal: Refusal| refusal.to_string())
            }
            Ok((table, Asked::Claim(claim, announced))) => match self.hall.table(table) {
                Some(it) => payload::claim(it, claim, announced.as_deref()),
                None => Err(Refusal::NoSuchTable.to_string()),
            },
            Err(refusal) => Err(refusal.to_string()),
        };
        out.push(Act::Answered(Box::new(request.clone()), answer));
    }

    fn with_hall<R>(
        &mut self,
        out: &mut Vec<Act>,
        act: impl FnOnce(&mut Hall, Moment, &mut Vec<HallEffect>) -> R,
    ) -> R {
        let now = self.now;
        let answer = act(&mut self.hall, now, &mut self.effects);
        let effects = std::mem::take(&mut self.effects);
        for (table, effect) in effects {
            match effect {
                Effect::Survey => self.survey(table, out),
                effect => out.push(Act::Table(now, table, effect)),
            }
        }
        answer
    }

    /// A table wants to see its whole board.
    fn survey(&mut self, table: u32, out: &mut Vec<Act>) {
        let line = self.lines.iter().find(|(_, line)| line.table == Some(table));
        if let Some((&number, _)) = line {
            self.converse(number, Input::Survey, out);
        }
    }

    fn report_faults(&mut self, out: &mut Vec<Act>) {
        out.extend(self.hall.take_faulty().into_iter().map(Act::Faulted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::virtual_line;

    const LATER: Duration = Duration::from_secs(2);

    fn open(works: &mut Works, number: u32) {
        let name = format!("usb{number}");
        let id = LineId { path: name.clone(), names: vec![name] };
        works.enter(works.now(), &Entry::Opened(number, id), &mut Vec::new());
    }

    /// What a board says when it is asked everything, without its serial number and that alone.
    fn said(line: u32) -> (Vec<Entry>, Vec<Entry>) {
        let script = rehearsal::parse("+1").unwrap();
        let heard = virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), line);
        let is_number = |entry: &Entry| {
            let numbers = [0x91, 0xa2];
            matches!(entry, Entry::Bytes(_, bytes) if numbers.contains(&bytes[0]))
        };
        heard.into_iter().map(|(_, entry)| entry).partition(|entry| !is_number(entry))
    }

    fn tell(works: &mut Works, entries: &[Entry]) -> Vec<Act> {
        let mut acts = Vec::new();
        for entry in entries {
            works.enter(works.now(), entry, &mut acts);
        }
        acts
    }

    fn serial(works: &Works, line: u32) -> String {
        let identity = works.line(line).and_then(|line| line.identity.clone());
        identity.and_then(|identity| identity.serial).unwrap()
    }

    #[test]
    fn a_board_that_moves_leaves_no_board_at_the_table_it_had() {
        let (everything, number) = said(1);
        assert!(!number.is_empty());
        let mut works = Works::new(vec![&dgt::DRIVER]);
        open(&mut works, 1);
        tell(&mut works, &everything);
        tell(&mut works, &number);
        let serial = serial(&works, 1);

        let mut works = Works::new(vec![&dgt::DRIVER]);
        let seats = Seats { by_serial: [(serial, 5)].into(), ..Seats::default() };
        let plan = Plan { tables: Vec::new(), watch: Watch::default(), seats };
        tell(&mut works, &[Entry::Planned(plan)]);
        open(&mut works, 1);
        tell(&mut works, &everything);
        works.advance(works.now() + LATER, &mut Vec::new());
        assert_eq!(works.line(1).unwrap().table, Some(6), "nobody knows it yet");
        assert!(works.hall().table(6).unwrap().device().present);
        tell(&mut works, &number);
        assert_eq!(works.line(1).unwrap().table, Some(5));
        assert!(!works.hall().table(6).unwrap().device().present);
        assert!(works.hall().table(5).unwrap().device().present);
        works.enter(works.now(), &Entry::Closed(1), &mut Vec::new());
        assert!(!works.hall().table(5).unwrap().device().present);
    }

    #[test]
    fn two_boards_with_one_number_are_two_tables_that_are_known_by_their_lines() {
        let mut works = Works::new(vec![&dgt::DRIVER]);
        for line in [1, 2] {
            open(&mut works, line);
            let (everything, number) = said(line);
            tell(&mut works, &everything);
            tell(&mut works, &number);
        }
        assert_eq!(serial(&works, 1), serial(&works, 2));
        let tables = [1, 2].map(|line| works.line(line).unwrap().table);
        assert_eq!(tables, [Some(1), Some(2)]);
        assert!(works.seats().by_serial.is_empty());
        assert_eq!(works.seats().by_line, [("usb1".to_owned(), 1), ("usb2".to_owned(), 2)].into());
    }

    #[test]
    fn what_was_due_before_an_entry_has_its_own_moment() {
        let script = rehearsal::parse("+2 e2^ e4v |").unwrap();
        let mut records = virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), 1);
        let last = records.last().map(|(at, _)| *at).unwrap();
        let mut works = Works::new(vec![&dgt::DRIVER]);
        open(&mut works, 1);
        // One late entry brings all that was due since the press.
        records.push((last + Duration::from_secs(3600), Entry::Wall(0)));
        let mut acts = Vec::new();
        for (at, entry) in &records {
            works.enter(*at, entry, &mut acts);
        }
        let moments: Vec<_> = acts
            .iter()
            .filter_map(|act| match act {
                Act::Table(at, ..) => Some(*at),
                _ => None,
            })
            .collect();
        assert!(moments.is_sorted());
        assert!(moments.last().is_some_and(|at| *at < last + Duration::from_secs(60)));
    }
}
