//! The works: every line's conversation and the hall of tables, moved by entries and by deadlines
//! in order of time. No I/O, no clock: the same entries always give the same acts, so a run, its
//! replay and a restart agree to the byte.

pub mod kept;
mod requested;
pub mod rounds;

use std::collections::BTreeMap;
use std::time::Duration;

use eboard::{
    Anomaly, Conversation, Driver, Identity, Input, Lessons, LineSettings, Moment, Output,
};
use eboard::{Probe, Probed, Reason, Sighting, Station};
use witness::{
    Agenda, Bilingual, Effect, Event, Hall, HallEffect, IncidentId, Memory, Place, Seat, Seating,
    Table, Which,
};

use crate::entry::{Answer, Entry, LineId, Plan, Request, Seats};
use crate::pairings::Players;
use requested::Lately;
use rounds::{Rounds, Stage, Standing};

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
    Answered(Box<Request>, Result<serde_json::Value, Bilingual>),
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
    /// Which of the table's boards is there.
    pub board: Which,
    machine: Machine,
    /// A board that has not told its serial number by then gets a table without it.
    seat_by: Option<Moment>,
}

/// How long a recognised board may take to tell its serial number.
const INTRODUCTION: Duration = Duration::from_millis(1500);

enum Machine {
    Probing(Probe),
    Talking(&'static Driver, Box<dyn Conversation>),
}

/// All lines and all tables.
pub struct Works {
    drivers: Vec<&'static Driver>,
    lines: BTreeMap<u32, Line>,
    agenda: Agenda<u32>,
    hall: Hall,
    seating: Seating,
    rounds: Rounds,
    lately: Lately,
    plan: Plan,
    /// What conversations that are over have learned.
    lessons: Lessons,
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
            rounds: Rounds::default(),
            lately: Lately::default(),
            plan: Plan::default(),
            lessons: Lessons::default(),
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

    /// The line at which this board of a table is.
    #[must_use]
    pub fn line_of(&self, table: u32, board: Which) -> Option<&Line> {
        self.lines.values().find(|line| line.table == Some(table) && line.board == board)
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

    /// Where each table has come to, for a plan that a new record begins with.
    #[must_use]
    pub fn standings(&self) -> BTreeMap<u32, Standing> {
        self.rounds.standings()
    }

    /// The round of the game at a table.
    #[must_use]
    pub fn round(&self, table: u32) -> &str {
        self.rounds.standing(table).map_or(self.plan.round(), |standing| &standing.now.round)
    }

    /// Who plays at a table, where pairings or an arbiter say so.
    #[must_use]
    pub fn players(&self, table: u32) -> Option<Players> {
        self.rounds.players(&self.plan, table)
    }

    /// Who played when this incident was raised, where pairings or an arbiter say so.
    #[must_use]
    pub fn players_then(&self, table: u32, incident: IncidentId) -> Option<Players> {
        match self.is_of_earlier_game(table, incident) {
            true => self.rounds.former_players(table, incident.game),
            false => self.players(table),
        }
    }

    /// Whether this incident is of another game than the one at the table now.
    #[must_use]
    pub fn is_of_earlier_game(&self, table: u32, incident: IncidentId) -> bool {
        self.hall.table(table).is_some_and(|table| table.is_of_earlier_game(incident))
    }

    /// What is played at a table, as it is written: another plan holds from the next game on.
    #[must_use]
    pub fn time_control(&self, table: u32) -> String {
        let planned = &self.plan.watch_of(table).time_control;
        let played = self.hall.table(table).map(|table| table.settings().control);
        match played {
            Some(played) if played != planned.parse().ok() => {
                played.map_or_else(String::new, |it| it.to_string())
            }
            _ => planned.clone(),
        }
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
            Entry::Planned(plan) => self.planned(plan, out),
            Entry::Wall(micros) => self.anchored(*micros, out),
            Entry::Opened(number, id) => self.opened(*number, id, out),
            Entry::Bytes(number, bytes) => self.bytes(*number, bytes, out),
            Entry::Closed(number) => self.closed(*number, out),
            Entry::Request(request) => self.requested(request, out),
            Entry::Answered(answer) => self.told_answer(*answer, out),
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

    fn planned(&mut self, plan: &Plan, out: &mut Vec<Act>) {
        let places = plan.tables.iter().map(|table| Place {
            table: table.number,
            port: table.port.clone(),
            serial: table.serial.clone(),
            station: Station(table.station),
            board: Which::First,
        });
        let second = plan.second_boards.iter().map(|board| Place {
            table: board.table,
            port: board.port.clone(),
            serial: board.serial.clone(),
            station: Station(board.station),
            board: Which::Second,
        });
        self.seating.replace(places.chain(second).collect());
        let Seats { by_serial, by_line, games } = plan.seats.clone();
        self.seating.remember(&Memory { by_serial, by_line });
        for (table, games) in games {
            self.hall.count_from(table, games);
        }
        self.rounds.remember(&plan.standings);
        let hall = &self.hall;
        let stage = |table| hall.table(table).map_or(Stage::Before, Stage::of);
        self.rounds.planned(&self.plan, plan, stage);
        self.plan = plan.clone();
        self.lately = Lately::default();
        for table in &plan.tables {
            self.hall.open(self.now, table.number, table.watch.settings());
            self.rounds.opened(plan, table.number);
        }
        // Tables that were found, and are in no plan, play what the event says.
        let found: Vec<_> = self.hall.tables().map(|(number, _)| number).collect();
        for number in found.into_iter().filter(|it| plan.tables.iter().all(|own| own.number != *it))
        {
            self.hall.open(self.now, number, plan.watch.settings());
        }
        self.announce_all(out);
    }

    fn anchored(&mut self, micros: i64, out: &mut Vec<Act>) {
        self.rounds.anchored(self.now, micros);
        self.announce_all(out);
    }

    fn announce_all(&mut self, out: &mut Vec<Act>) {
        let tables: Vec<_> = self.hall.tables().map(|(number, _)| number).collect();
        for table in tables {
            self.announce(table, out);
        }
    }

    /// A table is told of its round what is known now.
    fn announce(&mut self, table: u32, out: &mut Vec<Act>) {
        let round = self.rounds.announcement(&self.plan, table);
        self.with_hall(out, |hall, now, effects| hall.announce(now, table, round, effects));
    }

    fn opened(&mut self, number: u32, id: &LineId, out: &mut Vec<Act>) {
        let fixed = self.fixed_driver(id);
        let machine = match fixed {
            Some(driver) => {
                out.push(Act::Set(number, driver.line));
                let mut conversation = (driver.converse)();
                conversation.recall(&self.lessons);
                Machine::Talking(driver, conversation)
            }
            None => {
                let probe = Probe::new(self.now, self.drivers.clone());
                out.extend(probe.settings().map(|settings| Act::Set(number, settings)));
                Machine::Probing(probe)
            }
        };
        let line = Line {
            id: id.clone(),
            noise: 0,
            identity: None,
            table: None,
            board: Which::First,
            machine,
            seat_by: None,
        };
        self.lines.insert(number, line);
        let seats = self.seating.at_line(&id.names);
        let seats: Vec<_> = seats.map(|it| (it.station, (it.table, it.board))).collect();
        for (station, place) in seats {
            self.sit(number, station, place, out);
        }
        self.converse(number, Input::Opened, out);
    }

    fn fixed_driver(&self, id: &LineId) -> Option<&'static Driver> {
        let first = self.plan.tables.iter().map(|it| (&it.port, &it.driver));
        let second = self.plan.second_boards.iter().map(|it| (&it.port, &it.driver));
        let here = |port: &Option<String>| port.as_ref().is_some_and(|it| id.names.contains(it));
        let (_, named) = first.chain(second).find(|(port, _)| here(port))?;
        let name = named.as_deref()?;
        self.drivers.iter().find(|driver| driver.name == name).copied()
    }

    fn closed(&mut self, number: u32, out: &mut Vec<Act>) {
        self.with_hall(out, |hall, now, effects| hall.line(now, number, false, effects));
        self.hall.vacate(number);
        let line = self.lines.remove(&number);
        if let Some(Machine::Talking(_, conversation)) = line.map(|line| line.machine) {
            conversation.teach(&mut self.lessons);
        }
        self.agenda.set(number, None);
    }

    fn bytes(&mut self, number: u32, bytes: &[u8], out: &mut Vec<Act>) {
        match self.lines.get_mut(&number).map(|line| &mut line.machine) {
            Some(Machine::Probing(probe)) => {
                let mut probed = Vec::new();
                probe.heard(self.now, bytes, &mut probed);
                self.probed(number, probed, out);
            }
            Some(Machine::Talking(..)) => self.converse(number, Input::Bytes(bytes), out),
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
            Some(Machine::Talking(..)) => self.converse(number, Input::Due, out),
            None => self.agenda.set(number, None),
        }
    }

    fn probed(&mut self, number: u32, probed: Vec<Probed>, out: &mut Vec<Act>) {
        for probed in probed {
            match probed {
                Probed::Set(settings) => out.push(Act::Set(number, settings)),
                Probed::Send(bytes) => out.push(Act::Send(number, bytes)),
                Probed::Found { driver, mut conversation, answers } => {
                    conversation.recall(&self.lessons);
                    out.push(Act::Set(number, driver.line));
                    if let Some(line) = self.lines.get_mut(&number) {
                        line.machine = Machine::Talking(driver, conversation);
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
        if let Some(Machine::Talking(_, conversation)) =
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
                Machine::Talking(_, conversation) => conversation.deadline(),
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
        let (names, seated) = (line.id.names.clone(), line.table.map(|it| (it, line.board)));
        let identity = line.identity.clone();
        let lines = &self.lines;
        let taken = |table| {
            let there = |line: &Line| line.table == Some(table) && line.board == Which::First;
            lines.iter().any(|(other, line)| *other != number && there(line))
        };
        let serial = identity.as_ref().and_then(|identity| identity.serial.as_deref());
        let place = match self.seating.second_board(&names, serial) {
            Some(table) => Some((table, Which::Second)),
            None => {
                let table = self.seating.recognised(&names, serial, taken);
                table.map(|table| (table, Which::First))
            }
        };
        self.reschedule(number);
        if let Some(place) = place.filter(|place| Some(*place) != seated) {
            // The table it leaves has no board any more. Places named by a port stay as they are.
            if seated.is_some() && self.seating.at_line(&names).next().is_none() {
                self.with_hall(out, |hall, now, effects| hall.line(now, number, false, effects));
                self.hall.vacate(number);
            }
            self.sit(number, station, place, out);
            if let Some(identity) = identity {
                let seat = Seat { line: number, station };
                let sighting = Sighting::Identified(identity);
                self.with_hall(out, |hall, now, effects| hall.sight(now, seat, sighting, effects));
            }
            self.converse(number, Input::Survey, out);
        }
    }

    fn sit(
        &mut self,
        number: u32,
        station: Station,
        (table, board): (u32, Which),
        out: &mut Vec<Act>,
    ) {
        let settings = self.plan.watch_of(table).settings();
        self.hall.open(self.now, table, settings);
        self.rounds.opened(&self.plan, table);
        self.announce(table, out);
        self.hall.seat_at(Seat { line: number, station }, table, board);
        if let Some(line) = self.lines.get_mut(&number) {
            (line.table, line.board) = (Some(table), board);
        }
        self.with_hall(out, |hall, now, effects| hall.line(now, number, true, effects));
    }

    fn told_answer(&mut self, answer: Answer, out: &mut Vec<Act>) {
        let told = (answer.question, answer.winnable);
        self.with_hall(out, |hall, now, effects| hall.answer(now, answer.table, told, effects));
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
                Effect::NextRound => self.next_round(table),
                effect => {
                    let begins = matches!(effect, Effect::Told(Event::NewGame(_)));
                    out.push(Act::Table(now, table, effect));
                    if begins {
                        self.new_game(table, out);
                    }
                }
            }
        }
        answer
    }

    fn next_round(&mut self, table: u32) {
        let before = self.hall.table(table).and_then(Table::game_before).unwrap_or_default();
        self.rounds.next_round(&self.plan, table, before);
    }

    fn new_game(&mut self, table: u32, out: &mut Vec<Act>) {
        if let Some(before) = self.hall.table(table).and_then(Table::game_before) {
            self.rounds.new_game(&self.plan, table, before);
        }
        self.announce(table, out);
    }

    /// A table wants to see its whole board.
    fn survey(&mut self, table: u32, out: &mut Vec<Act>) {
        let lines = self.lines.iter().filter(|(_, line)| line.table == Some(table));
        let lines: Vec<_> = lines.map(|(number, _)| *number).collect();
        for number in lines {
            self.converse(number, Input::Survey, out);
        }
    }

    fn report_faults(&mut self, out: &mut Vec<Act>) {
        out.extend(self.hall.take_faulty().into_iter().map(Act::Faulted));
    }
}

#[cfg(test)]
mod tests;
