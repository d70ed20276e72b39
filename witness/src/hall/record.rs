//! One table with a way back: a copy of it, and its input since then. After a fault the table
//! stands as before the input that it failed on.

use std::sync::Arc;

use bincode::Decode;
use bincode::de::Decoder;
use bincode::error::DecodeError;
use eboard::{ClockFace, Moment, Piece, Sighting, Square};

use crate::orders::Refusal;
use crate::seating::Part;
use crate::table::{Effect, Input, Table};

/// Steps kept before the copy is made anew: a copy of a long game costs about as much as this many
/// steps, and most of them are seconds of a clock. They take 20 KiB.
const STEPS_MAX: usize = 512;

/// A table, what it was, and what has come since.
#[derive(Debug)]
pub(super) struct Record {
    /// Shared with a [`super::FrozenHall`], if there is one.
    table: Arc<Table>,
    copy: Table,
    since: Vec<(Moment, Kept)>,
    faults: u32,
    #[cfg(test)]
    fail_next: bool,
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
            table: Arc::new(table),
            since: Vec::new(),
            faults: 0,
            #[cfg(test)]
            fail_next: false,
        }
    }

    /// The table has had at least this many games.
    pub fn count_from(&mut self, games: u32) {
        if self.table.game_number().get() < games {
            let table = Arc::make_mut(&mut self.table);
            let _ = table.handle(Moment::ZERO, Input::GamesBefore(games), &mut Vec::new());
            self.copy = table.clone();
            self.since.clear();
        }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table as it stands now, and how often it has failed.
    pub fn freeze(&self) -> (Arc<Table>, u32) {
        (Arc::clone(&self.table), self.faults)
    }

    /// Gives the table an input. May panic: then [`Record::restore`] must follow.
    pub fn step(
        &mut self,
        now: Moment,
        input: Input,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        #[cfg(test)]
        assert!(!std::mem::take(&mut self.fail_next), "a fault made for a test");
        let table = Arc::make_mut(&mut self.table);
        if self.since.len() == STEPS_MAX {
            self.copy = table.clone();
            self.since.clear();
        }
        let kept = Kept::from(&input);
        let answer = table.handle(now, input, out);
        // Only input that the table has survived is given again.
        self.since.push((now, kept));
        answer
    }

    /// Sets the table back to before the step that failed, and has it say so.
    pub fn restore(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let mut table = self.copy.clone();
        let mut silent = Vec::new();
        for (at, input) in &self.since {
            let _ = table.handle(*at, input.again(), &mut silent);
        }
        self.faults += 1;
        let _ = table.handle(now, Input::Failed { again: self.faults > 1 }, out);
        self.table = Arc::new(table.clone());
        self.copy = table;
        self.since.clear();
    }

    #[cfg(test)]
    pub fn fail_next(&mut self) {
        self.fail_next = true;
    }
}

/// An input to be given again. Nearly all are of the first kinds, which take little room.
#[derive(Debug)]
enum Kept {
    Clock(Part, ClockFace),
    Square(Part, Square, Option<Piece>),
    Due,
    Other(Box<Input>),
}

impl From<&Input> for Kept {
    fn from(input: &Input) -> Self {
        match input {
            Input::Seen(part, Sighting::Clock(face)) => Self::Clock(*part, *face),
            Input::Seen(part, Sighting::Square { square, piece }) => {
                Self::Square(*part, *square, *piece)
            }
            Input::Due => Self::Due,
            other => Self::Other(Box::new(other.clone())),
        }
    }
}

impl Kept {
    fn again(&self) -> Input {
        match self {
            Self::Clock(part, face) => Input::Seen(*part, Sighting::Clock(*face)),
            Self::Square(part, square, piece) => {
                Input::Seen(*part, Sighting::Square { square: *square, piece: *piece })
            }
            Self::Due => Input::Due,
            Self::Other(input) => Input::clone(input),
        }
    }
}
