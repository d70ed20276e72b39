//! The works: all conversations with boards and the hall of tables.
//!
//! Entries and deadlines move them, in order of time. They do no I/O and read no clock. The same
//! entries always give the same acts, so a run, its replay and a restart agree to the byte.

mod answers;
pub mod apart;
mod configured;
pub mod former;
pub mod kept;
mod latest;
mod lifts;
mod lines;
mod refused;
mod requested;
mod results_of;
pub mod rounds;
mod seats;
mod undo;
pub mod unmatched;
pub mod unseated;

use std::collections::{BTreeMap, BTreeSet};

use bincode::{Decode, Encode};
use eboard::{
    Conversation, Driver, Identity, Lessons, LineSettings, Moment, Output, Probe, Square, Station,
};
use witness::{
    Agenda, Edition, Effect, Ending, Event, GameNo, Hall, HallEffect, IncidentId, LineNo, Memory,
    Message, Part, Place, Score, Seat, Seating, State, TableNo, Unseated,
};

use crate::entry::{Answer, Delay, Entry, LineId, Plan, Seats, Standing};
use crate::languages::Languages;
use crate::pairings::Players;
use crate::pgn::Body;
use crate::requests::{Change, Request};
use crate::time::{Anchor, WallTime};
use answers::Answers;
use former::{FormerGame, FormerGames};
use latest::{Closings, Lately};
use lifts::Lifts;
use rounds::{Rounds, Stage};
use undo::Decided;
pub use undo::Undoable;
use unseated::Shown;

/// What the works want done.
#[derive(Debug)]
pub enum Act {
    /// Write these bytes to a line.
    Send(LineNo, Vec<u8>),
    /// Change the settings of a line.
    Set(LineNo, LineSettings),
    /// A board was recognised, or reported more about itself.
    Recognised(Seat),
    /// Something changed at a table, at this moment.
    Table(Moment, TableNo, Effect),
    /// The answer to a request: data, or why not.
    Answered(Box<Request>, Result<serde_json::Value, Message>),
    /// The answer to an order that came again. It repeats the first answer; nothing was done now.
    AnsweredAgain(Box<Request>, Result<serde_json::Value, Message>),
    /// The machine of this table failed. Its last input was dropped.
    Faulted(TableNo),
    /// This table was removed from the configuration. These incidents of it were still open.
    Removed(TableNo, Vec<IncidentId>),
    /// A board got a table or lost it, or the reason why it has none changed.
    Seated(Seat),
    /// The result of a game that the table had before: table, number of the game, result.
    Ended(TableNo, GameNo, Option<Ending>),
    /// The squares of a board without a table changed.
    Shown,
    /// The white king was lifted from this square of a board, at a table or not.
    KingLifted(Seat, Square),
    /// Make these changes of the configuration, and answer the request when they are made.
    Configure(Box<Request>, Vec<Change>),
}

/// One open line and the boards on it. Only a bus has several.
pub struct Line {
    /// The names of the line.
    pub id: LineId,
    /// Frames so far that could not be decoded.
    pub noise: u64,
    machine: Machine,
    boards: BTreeMap<Station, Board>,
}

/// What is known of one board on a line. Until a device answers, a line has one board without any
/// facts.
#[derive(Clone, Default, Encode, Decode)]
pub struct Board {
    /// The board's own account of itself, if it gave one.
    pub identity: Option<Identity>,
    /// The table, if the board has one.
    pub table: Option<TableNo>,
    /// Which of the table's devices it is.
    pub part: Part,
    /// When the board gets a table even without its serial number, or without having shown its
    /// squares.
    seat_by: Option<Moment>,
    /// Whether the board has reported all that it reports about itself.
    introduced: bool,
    /// The serial numbers that it has reported.
    numbers: BTreeSet<String>,
    /// The squares of a board that has no table.
    shown: Option<Shown>,
    /// Whose game the squares look like.
    looks: Looks,
}

/// Whose game the squares of a board look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
enum Looks {
    /// Not examined yet, or the squares are not known.
    #[default]
    Unknown,
    /// That of its own table, or a new one.
    Own,
    /// More like that of another table.
    Another,
}

impl Line {
    /// The boards on the line, by station.
    pub fn boards(&self) -> impl Iterator<Item = (Station, &Board)> {
        self.boards.iter().map(|(station, board)| (*station, board))
    }

    /// The tables of the boards on the line.
    pub fn tables(&self) -> impl Iterator<Item = TableNo> {
        self.boards.values().filter_map(|board| board.table)
    }
}

enum Machine {
    Probing(Probe),
    Talking(&'static Driver, Box<dyn Conversation>),
}

/// All lines and all tables.
pub struct Works {
    drivers: Vec<&'static Driver>,
    lines: BTreeMap<LineNo, Line>,
    /// Why boards have no table, as reported last.
    unseated: BTreeMap<Seat, Unseated>,
    agenda: Agenda<LineNo>,
    lifts: Lifts,
    hall: Hall,
    seating: Seating,
    rounds: Rounds,
    former: FormerGames,
    lately: Lately,
    closings: Closings,
    decided: Decided,
    orders: Answers,
    wall: Option<Anchor>,
    delay: Option<(Moment, Delay)>,
    plan: Plan,
    /// The languages in which texts are published.
    languages: Languages,
    /// The driver that last spoke on a line, by each name of the line.
    spoken: BTreeMap<String, String>,
    /// What ended conversations have learned about devices.
    lessons: Lessons,
    now: Moment,
    /// A buffer for the outputs of conversations and of the hall. It is empty between steps and
    /// keeps its allocation.
    answers: Vec<Output>,
    effects: Vec<HallEffect>,
}

impl Works {
    /// Works without lines, with these drivers.
    #[must_use]
    pub fn new(drivers: Vec<&'static Driver>) -> Self {
        Self {
            drivers,
            lines: BTreeMap::new(),
            unseated: BTreeMap::new(),
            agenda: Agenda::default(),
            lifts: Lifts::default(),
            hall: Hall::default(),
            seating: Seating::default(),
            rounds: Rounds::default(),
            former: FormerGames::default(),
            lately: Lately::default(),
            closings: Closings::default(),
            decided: Decided::default(),
            orders: Answers::default(),
            wall: None,
            delay: None,
            plan: Plan::default(),
            languages: Languages::default(),
            spoken: BTreeMap::new(),
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

    /// A line that is open.
    #[must_use]
    pub fn line(&self, number: LineNo) -> Option<&Line> {
        self.lines.get(&number)
    }

    /// The line of this device of a table.
    #[must_use]
    pub fn line_of(&self, table: TableNo, part: Part) -> Option<&Line> {
        let there = |it: &Board| it.table == Some(table) && it.part == part;
        self.lines.values().find(|line| line.boards.values().any(there))
    }

    /// A board on an open line.
    #[must_use]
    pub fn board(&self, at: Seat) -> Option<&Board> {
        self.lines.get(&at.line)?.boards.get(&at.station)
    }

    /// The place of a board, written for people.
    #[must_use]
    pub fn path_of(&self, at: Seat) -> String {
        let path = self.line(at.line).map_or("", |line| &line.id.path);
        match at.station {
            Station::ONLY => path.to_owned(),
            Station(station) => format!("{path}, station {station}"),
        }
    }

    /// The open lines, by number.
    pub fn lines(&self) -> impl Iterator<Item = (LineNo, &Line)> {
        self.lines.iter().map(|(number, line)| (*number, line))
    }

    /// Why a board has no table; none: it has one, or it is not examined yet.
    #[must_use]
    pub fn unseated(&self, at: Seat) -> Option<Unseated> {
        self.seating.unseated(at)
    }

    /// The configured places that have no board.
    pub fn vacant(&self) -> impl Iterator<Item = &Place> {
        self.seating.vacant()
    }

    /// Which boards and lines have had which tables. The plan of a new record begins with it.
    #[must_use]
    pub fn seats(&self) -> Seats {
        let Memory { by_serial, by_word, by_line, languages } = self.seating.memory().clone();
        let games = self.hall.tables().map(|(number, table)| (number, table.game_number().get()));
        let games = games.filter(|(_, games)| *games > 0).collect();
        Seats { by_serial, by_word, by_line, languages, games, spoken: self.spoken.clone() }
    }

    /// Where each table stands in the rounds. The plan of a new record begins with it.
    #[must_use]
    pub fn standings(&self) -> BTreeMap<TableNo, Standing> {
        self.rounds.standings()
    }

    /// The round of the game at a table.
    #[must_use]
    pub fn round(&self, table: TableNo) -> &str {
        self.rounds.standing(table).map_or(self.plan.round(), |standing| &standing.now.round)
    }

    /// The players at a table, if pairings or an arbiter name them.
    #[must_use]
    pub fn players(&self, table: TableNo) -> Option<Players> {
        self.rounds.players(&self.plan, table)
    }

    /// The players when this incident was raised, if pairings or an arbiter named them.
    #[must_use]
    pub fn players_then(&self, table: TableNo, incident: IncidentId) -> Option<Players> {
        match self.is_of_earlier_game(table, incident) {
            true => self.rounds.former_players(table, incident.game),
            false => self.players(table),
        }
    }

    /// Whether this incident belongs to an earlier game of its table.
    #[must_use]
    pub fn is_of_earlier_game(&self, table: TableNo, incident: IncidentId) -> bool {
        self.hall.table(table).is_some_and(|table| table.is_of_earlier_game(incident))
    }

    /// The time control of the game at a table, as text. A new plan changes it from the next game
    /// on.
    #[must_use]
    pub fn time_control(&self, table: TableNo) -> String {
        let planned = &self.plan.watch_of(table).time_control;
        let played = self.hall.table(table).map(|table| table.settings().control);
        match played {
            Some(played) if played != planned.parse().ok() => {
                played.map_or_else(String::new, |it| it.to_string())
            }
            _ => planned.clone(),
        }
    }

    /// The edition by which the game at a table is judged. A new plan changes it from the next game
    /// on.
    #[must_use]
    pub fn edition(&self, table: TableNo) -> Edition {
        let played = self.hall.table(table).map(|table| table.settings().edition);
        played.unwrap_or_else(|| self.plan.watch_of(table).settings().edition)
    }

    /// The earlier games of a table that are still kept, the latest last.
    pub fn former(&self, table: TableNo) -> impl Iterator<Item = &FormerGame> {
        self.former.of(table)
    }

    /// The languages that texts are published in.
    #[must_use]
    pub const fn texts(&self) -> &Languages {
        &self.languages
    }

    /// The current plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The rule of the public delay and the moment it began; none: no rule was ever recorded.
    #[must_use]
    pub fn delay(&self) -> Option<(Moment, Delay)> {
        self.delay
    }

    /// The moment of the last entry or deadline.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// The next deadline.
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        let line = self.agenda.first().map(|(at, _)| at);
        line.into_iter().chain(self.hall.deadline()).min()
    }

    /// Handles an entry. Deadlines before it are handled first, each at its own moment.
    pub fn enter(&mut self, at: Moment, entry: &Entry, out: &mut Vec<Act>) {
        let at = at.max(self.now);
        self.advance(at, out);
        match entry {
            Entry::Planned(plan) => self.planned(plan, out),
            Entry::Wall(micros) => self.anchored(*micros, out),
            Entry::Opened(number, id) => self.opened(*number, id, out),
            Entry::Bytes(number, bytes) => self.bytes(*number, bytes, out),
            // The bytes that were left out may have been about squares, so the boards are asked for
            // all of them.
            Entry::Shed(number, _) => self.survey_line(*number, out),
            Entry::Closed(number) => self.closed(*number, out),
            Entry::Request(request) => self.requested(request, out),
            Entry::Answered(answer) => self.told_answer(*answer, out),
            // No table depends on the rule. It is remembered for the public copy.
            Entry::Delayed(delay) => self.delay = Some((self.now, *delay)),
        }
        self.report_faults(out);
    }

    /// Handles all deadlines up to a moment, each at its own moment.
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
        let Seats { by_serial, by_word, by_line, languages, games, spoken } = plan.seats.clone();
        for (line, language) in spoken {
            self.spoken.entry(line).or_insert(language);
        }
        self.seating.remember(&Memory { by_serial, by_word, by_line, languages });
        let hall = &self.hall;
        let is_in_play = |table| hall.table(table).is_some_and(|it| it.is_in_play());
        self.seating.replace(plan.places().collect(), is_in_play);
        for (table, games) in games {
            self.hall.count_from(table, games);
        }
        self.rounds.remember(&plan.standings);
        let hall = &self.hall;
        let stage = |table| hall.table(table).map_or(Stage::Before, Stage::of);
        self.rounds.planned(&self.plan, plan, stage);
        self.plan = plan.clone();
        self.languages = Languages::with(&plan.languages);
        self.lately = Lately::default();
        if plan.begins_a_record() {
            self.closings = Closings::default();
            self.decided = Decided::default();
            self.orders = Answers::forgotten(self.now);
        }
        for table in &plan.tables {
            self.hall.open(self.now, table.number, table.watch.settings());
            self.rounds.opened(plan, table.number);
        }
        self.speak_as_planned(out);
        self.seat(out);
        let found: Vec<_> = self.hall.tables().map(|(number, _)| number).collect();
        for number in found.into_iter().filter(|it| plan.tables.iter().all(|own| own.number != *it))
        {
            match self.seating.keeps(number) {
                // Tables that are not in the plan use the settings of the event.
                true => self.hall.open(self.now, number, plan.watch.settings()),
                false => {
                    let table = self.hall.table(number).into_iter();
                    let open = table.flat_map(|it| it.incidents()).map(|it| it.id).collect();
                    self.hall.close(number);
                    self.former.forget(number);
                    out.push(Act::Removed(number, open));
                }
            }
        }
        self.announce_all(out);
    }

    /// Gives a line the driver that the new plan names for it.
    fn speak_as_planned(&mut self, out: &mut Vec<Act>) {
        let other = |line: &Line| {
            let driver = self.fixed_driver(&line.id)?;
            let speaks = matches!(line.machine, Machine::Talking(spoken, _) if spoken == driver);
            (!speaks).then(|| line.id.clone())
        };
        let lines = self.lines.iter().filter_map(|(number, line)| Some((*number, other(line)?)));
        for (number, id) in lines.collect::<Vec<_>>() {
            self.closed(number, out);
            self.opened(number, &id, out);
        }
    }

    fn anchored(&mut self, micros: i64, out: &mut Vec<Act>) {
        self.rounds.anchored(self.now, micros);
        self.wall = Some(Anchor { moment: self.now, wall: WallTime::from_micros(micros) });
        self.announce_all(out);
    }

    fn announce_all(&mut self, out: &mut Vec<Act>) {
        let tables: Vec<_> = self.hall.tables().map(|(number, _)| number).collect();
        for table in tables {
            self.announce(table, out);
        }
    }

    /// Gives a table what is known about its round.
    fn announce(&mut self, table: TableNo, out: &mut Vec<Act>) {
        let round = self.announcement(table);
        self.with_hall(out, |hall, now, effects| hall.announce(now, table, round, effects));
    }

    fn told_answer(&mut self, answer: Answer, out: &mut Vec<Act>) {
        let answered = (answer.question, answer.mate());
        self.with_hall(out, |hall, now, effects| hall.answer(now, answer.table, answered, effects));
    }

    fn with_hall<R>(
        &mut self,
        out: &mut Vec<Act>,
        act: impl FnOnce(&mut Hall, Moment, &mut Vec<HallEffect>) -> R,
    ) -> R {
        let now = self.now;
        let answer = act(&mut self.hall, now, &mut self.effects);
        let mut effects = std::mem::take(&mut self.effects);
        let mut matters = Vec::new();
        for (table, effect) in effects.drain(..) {
            if self.may_unmatch(table, &effect) {
                matters.push(table);
            }
            match effect {
                Effect::Survey => self.survey(table, out),
                Effect::NextRound => self.next_round(table),
                effect => {
                    if let Effect::Closed(incident, _) = &effect {
                        let aside = incident.state == State::SetAside;
                        self.closings.closed(now, table, incident.id, aside);
                    }
                    let begins = match &effect {
                        Effect::Event(Event::NewGame(before)) => Some(before.clone()),
                        _ => None,
                    };
                    out.push(Act::Table(now, table, effect));
                    if let Some(before) = begins {
                        self.new_game(table, before.as_deref(), out);
                    }
                }
            }
        }
        self.effects = effects;
        matters.sort_unstable();
        matters.dedup();
        for table in matters {
            self.look_for_unmatched(table, out);
        }
        answer
    }

    fn next_round(&mut self, table: TableNo) {
        let before = self.hall.table(table).and_then(|it| it.game_before()).unwrap_or_default();
        self.rounds.next_round(&self.plan, table, before);
    }

    fn new_game(&mut self, table: TableNo, score: Option<&Score>, out: &mut Vec<Act>) {
        if let Some(before) = self.hall.table(table).and_then(|it| it.game_before()) {
            self.rounds.new_game(&self.plan, table, before);
            if let Some(score) = score {
                self.keep_game(table, before, score);
            }
        }
        self.announce(table, out);
    }

    fn keep_game(&mut self, table: TableNo, number: GameNo, score: &Score) {
        let began = score.began().zip(self.wall).map(|(at, anchor)| anchor.wall(at));
        let game = FormerGame {
            number,
            round: self.rounds.former_round(table, number).unwrap_or_default().to_owned(),
            players: self.rounds.former_players(table, number),
            time_control: self.time_control(table),
            began,
            body: Body::strict(score),
        };
        self.former.add(table, game);
    }

    fn report_faults(&mut self, out: &mut Vec<Act>) {
        out.extend(self.hall.take_faulty().into_iter().map(Act::Faulted));
    }
}

#[cfg(test)]
mod tests;
