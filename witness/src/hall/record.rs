//! One table with a way back: a copy of it, and what it was told since. After a fault the table
//! stands as before the input that it failed on.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::{Moment, Sighting};

use crate::orders::{Order, Refusal};
use crate::seating::Part;
use crate::settings::Settings;
use crate::table::{Effect, Round, Table};

/// Steps kept before the copy is made anew: a copy costs about as much as this many steps.
const STEPS_MAX: usize = 256;

/// One thing a table is told.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Sight(Part, Sighting),
    Line(Part, bool),
    Settings(Box<Settings>),
    Announced(Box<Round>),
    Order(Order),
    /// This clock was pressed without a move while that table waits for a press.
    Neighbour(u32),
    /// And that one was pressed.
    Acquitted,
    /// What somebody has found out about a question of this number.
    Answer(u32, Option<bool>),
    Due,
}

/// A table, what it was, and what has come since.
#[derive(Debug)]
pub(super) struct Record {
    table: Table,
    copy: Table,
    since: Vec<(Moment, Step)>,
    faults: u32,
    #[cfg(test)]
    fail_next: bool,
}

impl Encode for Record {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.table.encode(to)?;
        self.faults.encode(to)
    }
}

/// What was kept is a copy to go back to, as any other.
impl<Context> Decode<Context> for Record {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        let table = Table::decode(from)?;
        Ok(Self { faults: u32::decode(from)?, ..Self::new(table) })
    }
}

impl Record {
    pub fn new(table: Table) -> Self {
        Self {
            copy: table.clone(),
            table,
            since: Vec::new(),
            faults: 0,
            #[cfg(test)]
            fail_next: false,
        }
    }

    /// The table has had at least this many games.
    pub fn count_from(&mut self, games: u32) {
        if self.table.game_number() < games {
            self.table.count_from(games);
            self.copy = self.table.clone();
            self.since.clear();
        }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Tells the table something. May panic: then [`Record::restore`] must follow.
    pub fn step(&mut self, now: Moment, step: Step, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        #[cfg(test)]
        assert!(!std::mem::take(&mut self.fail_next), "a fault made for a test");
        if self.since.len() == STEPS_MAX {
            self.copy = self.table.clone();
            self.since.clear();
        }
        let answer = tell(&mut self.table, now, step.clone(), out);
        // Only what the table has survived is told again.
        self.since.push((now, step));
        answer
    }

    /// Sets the table back to before the step that failed, and has it say so.
    pub fn restore(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let mut table = self.copy.clone();
        let mut silent = Vec::new();
        for (at, step) in &self.since {
            let _ = tell(&mut table, *at, step.clone(), &mut silent);
        }
        self.faults += 1;
        table.faulted(now, self.faults > 1, out);
        self.table = table.clone();
        self.copy = table;
        self.since.clear();
    }

    #[cfg(test)]
    pub fn fail_next(&mut self) {
        self.fail_next = true;
    }
}

fn tell(table: &mut Table, now: Moment, step: Step, out: &mut Vec<Effect>) -> Result<(), Refusal> {
    match step {
        Step::Sight(Part::Board(board), sighting) => table.sight_at(now, board, sighting, out),
        Step::Sight(Part::Clock, sighting) => table.sight_clock(now, sighting, out),
        Step::Line(part, present) => {
            let from = out.len();
            match part {
                Part::Board(board) => table.line_at(now, board, present, out),
                Part::Clock => table.clock_line(now, present, out),
            }
            table.note_time(now, from, out);
        }
        Step::Settings(settings) => table.configure(*settings),
        Step::Announced(round) => table.announce(now, *round, out),
        Step::Order(order) => return table.order(now, order, out),
        Step::Neighbour(other) => table.suspect_neighbour(now, other),
        Step::Acquitted => table.acquit_neighbour(),
        Step::Answer(question, winnable) => table.answer(now, question, winnable, out),
        Step::Due => table.due(now, out),
    }
    Ok(())
}
