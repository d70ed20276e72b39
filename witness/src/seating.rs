//! Which line and station sits at which table, whatever is plugged where today. Knows names of
//! lines and serial numbers of boards, never opens one.
//!
//! The seats follow from the boards that are present now, from the places that the configuration
//! names, and from what was learned before; the order of plugging does not matter. A place is a
//! promise: a board that does not fulfil it never gets the table, because its moves would be
//! published under other players' names. Whoever sits keeps his seat while he fulfils the promise.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bincode::{Decode, Encode};
use eboard::Station;

use crate::hall::Seat;
use crate::number::{LineNo, TableNo};

mod given;

pub use given::NotSeated;

/// Which of the boards of a table: a game with a visually impaired player may have two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum Which {
    /// The only one, or the first that is named.
    #[default]
    First,
    /// The other one.
    Second,
}

impl Which {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// One device of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum Part {
    /// A board.
    Board(Which),
    /// A clock on a line of its own.
    Clock,
}

impl Part {
    /// The only board of a table, or the first that is named.
    pub const BOARD: Self = Self::Board(Which::First);
}

impl Default for Part {
    fn default() -> Self {
        Self::BOARD
    }
}

/// One place named in the configuration: a table, and all that its device must fulfil.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Place {
    /// The table.
    pub table: TableNo,
    /// The line it sits at, by any of its names.
    pub port: Option<String>,
    /// The board's own serial number, wherever it is plugged in.
    pub serial: Option<String>,
    /// The language it speaks, if it is not to be found out.
    pub language: Option<String>,
    /// The place on the line: on a bus, [`Station::ONLY`] is any.
    pub station: Station,
    /// Which of the table's devices.
    pub part: Part,
}

impl Place {
    fn seat(&self) -> (TableNo, Part) {
        (self.table, self.part)
    }

    fn is_at(&self, present: &Present) -> bool {
        let here = self.station == Station::ONLY || self.station == present.station;
        here && self.port.as_ref().is_some_and(|port| present.names.contains(port))
    }

    fn speaks(&self, present: &Present) -> bool {
        if present.language.is_some() && present.clock != (self.part == Part::Clock) {
            return false;
        }
        let (Some(wanted), Some(spoken)) = (&self.language, &present.language) else { return true };
        wanted == spoken
    }
}

/// How far a board has introduced itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum Said {
    /// Nobody has spoken on the line yet.
    #[default]
    Nothing,
    /// Its language is known, its serial number is still awaited.
    Language,
    /// Everything it will say: the serial numbers it gives itself (a DGT board may have a short and
    /// a long one), or none.
    Numbers(BTreeSet<String>),
}

/// A place on a line that is open, and what is known of the board there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Present {
    /// Everything the line is known by.
    pub names: Vec<String>,
    /// Those of its names by which a board without a number is known again, the best first.
    pub known_by: Vec<String>,
    /// What stands on it looks like the game of another table than the one it would get: if it has
    /// no number, somebody has to say which table it is.
    pub doubtful: bool,
    /// A clock: it sits where a place for a clock is named, and never as a board.
    pub clock: bool,
    /// The place on the line.
    pub station: Station,
    /// The name of the language that is spoken on it, once it is known.
    pub language: Option<String>,
    /// How far the board has introduced itself.
    pub said: Said,
}

impl Present {
    fn numbers(&self) -> impl Iterator<Item = &String> + Clone {
        let numbers = match &self.said {
            Said::Numbers(numbers) => Some(numbers),
            Said::Nothing | Said::Language => None,
        };
        numbers.into_iter().flatten()
    }

    fn must_be_asked(&self) -> bool {
        self.doubtful && self.numbers().next().is_none()
    }

    /// What a board without a number is known by: its line, and on a bus its place there.
    fn places(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let Station(station) = self.station;
        self.known_by.iter().map(move |name| match self.station {
            Station::ONLY => Cow::Borrowed(name.as_str()),
            _ => Cow::Owned(format!("{name}#{station}")),
        })
    }

    fn has_number(&self, wanted: &str) -> bool {
        self.numbers().any(|number| number == wanted)
    }
}

/// Why a board that is present sits nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unseated {
    /// It has not introduced itself yet.
    Awaited,
    /// Somebody has to say which table it is: it has no number, and its line alone is not enough.
    Asked,
    /// The configuration names no place that it fulfils.
    NoPlace,
    /// The table that its serial number or its port stands for has a board already, on this line.
    Taken {
        /// The table.
        table: TableNo,
        /// Where the board is that sits there.
        there: Seat,
    },
    /// The table that is named for its port or for its number wants something else as well.
    Promised {
        /// The table.
        table: TableNo,
    },
}

/// Which boards and lines have had which table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Memory {
    /// By the board's own serial number.
    pub by_serial: BTreeMap<String, TableNo>,
    /// The tables that somebody has named for boards without a number, as in `by_line`.
    pub by_word: BTreeMap<String, TableNo>,
    /// Boards that have no serial number, by the lasting names of their line, on a bus with their
    /// station.
    pub by_line: BTreeMap<String, TableNo>,
    /// The language of the board at a table that is known by its line.
    pub languages: BTreeMap<TableNo, String>,
}

impl Memory {
    fn tables(&self) -> impl Iterator<Item = TableNo> {
        let Self { by_serial, by_word, by_line, languages } = self;
        let named = by_serial.values().chain(by_word.values()).chain(by_line.values());
        // A line that was theirs may be another's by now.
        named.chain(languages.keys()).copied()
    }
}

/// Who sits where.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct Seating {
    places: Vec<Place>,
    /// Tables with a game in play that are named no more: their boards stay until it is over.
    staying: BTreeSet<TableNo>,
    memory: Memory,
    /// Numbers that two boards had at once. They distinguish nothing.
    ambiguous: BTreeSet<String>,
    last: TableNo,
    present: BTreeMap<Seat, Present>,
    seats: BTreeMap<Seat, (TableNo, Part)>,
}

impl Seating {
    /// Other places from now on; what is known of boards and lines stays. Without any place every
    /// board that is recognised gets a table. A table that `is_in_play` keeps its board even if it
    /// is named no more.
    pub fn replace(&mut self, places: Vec<Place>, is_in_play: impl Fn(TableNo) -> bool) {
        self.last = places.iter().map(|place| place.table).max().unwrap_or_default().max(self.last);
        self.places = places;
        let tables = self.seats.values().map(|(table, _)| *table).chain(self.staying.clone());
        self.staying = tables.filter(|it| !self.names(*it) && is_in_play(*it)).collect();
        self.assign();
    }

    /// Which boards and lines have had which table, to be kept over a restart.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Remembers boards and lines of an earlier run; what is known already stays.
    pub fn remember(&mut self, memory: &Memory) {
        let known = &mut self.memory;
        for (serial, table) in &memory.by_serial {
            known.by_serial.entry(serial.clone()).or_insert(*table);
        }
        for (line, table) in &memory.by_line {
            known.by_line.entry(line.clone()).or_insert(*table);
        }
        for (line, table) in &memory.by_word {
            known.by_word.entry(line.clone()).or_insert(*table);
        }
        for (table, language) in &memory.languages {
            known.languages.entry(*table).or_insert_with(|| language.clone());
        }
        // Records of earlier versions name the line of a board with a number, too.
        let numbered: BTreeSet<_> = known.by_serial.values().copied().collect();
        known.by_line.retain(|_, table| !numbered.contains(table));
        let last = self.memory.tables().max();
        self.last = self.last.max(last.unwrap_or_default());
    }

    /// Whether there is a reason to keep this table: it is named in the configuration, somebody
    /// sits at it, its game goes on, or every board gets a table and one may come back to it.
    #[must_use]
    pub fn keeps(&self, table: TableNo) -> bool {
        self.names(table)
            || self.staying.contains(&table)
            || self.seats.values().any(|seat| seat.0 == table)
            || self.seats_all() && self.memory.tables().any(|known| known == table)
    }

    fn names(&self, table: TableNo) -> bool {
        self.places.iter().any(|place| place.table == table)
    }

    fn seats_all(&self) -> bool {
        self.places.is_empty()
    }

    /// A line was opened, or more is known of a board on it.
    pub fn present(&mut self, line: LineNo, present: Present) {
        let at = Seat { line, station: present.station };
        if self.present.get(&at) == Some(&present) {
            return;
        }
        if let Some(before) = self.present.insert(at, present.clone())
            && before.numbers().any(|number| !present.has_number(number))
        {
            // Another board stands there now.
            self.seats.remove(&at);
        }
        self.assign();
    }

    /// Whether what is seen there is to be kept from its table: only the serial number that is
    /// awaited says which table that is.
    #[must_use]
    pub fn awaits_number(&self, at: Seat) -> bool {
        let said = self.present.get(&at).map(|present| &present.said);
        said == Some(&Said::Language) && self.places.iter().any(|place| place.serial.is_some())
    }

    /// A line is gone, and every board on it.
    pub fn gone(&mut self, line: LineNo) {
        self.present.retain(|at, _| at.line != line);
        self.assign();
    }

    /// A board is gone from its line, where others may be.
    pub fn left(&mut self, at: Seat) {
        self.present.remove(&at);
        self.assign();
    }

    /// The table that the device there sits at, and which of its devices it is.
    #[must_use]
    pub fn seat(&self, at: Seat) -> Option<(TableNo, Part)> {
        self.seats.get(&at).copied()
    }

    /// Why the board there sits nowhere; none: it sits, or it is not there.
    #[must_use]
    pub fn unseated(&self, at: Seat) -> Option<Unseated> {
        let present = self.present.get(&at).filter(|_| !self.seats.contains_key(&at))?;
        let taken = |table, part| {
            let there = self.seats.iter().find(|(_, seat)| **seat == (table, part));
            there.map(|(there, _)| Unseated::Taken { table, there: *there })
        };
        Some(match self.claim(present) {
            Claim::Awaited => Unseated::Awaited,
            Claim::Asked => Unseated::Asked,
            Claim::Promised(table) => Unseated::Promised { table },
            Claim::Place(place) => taken(place.table, place.part).unwrap_or(Unseated::NoPlace),
            Claim::Once(table) => taken(table, Part::BOARD).unwrap_or(Unseated::NoPlace),
            Claim::Nothing | Claim::Any => Unseated::NoPlace,
        })
    }

    /// The places that are named and have no board.
    pub fn vacant(&self) -> impl Iterator<Item = &Place> {
        let seated: BTreeSet<_> = self.seats.values().copied().collect();
        self.places.iter().filter(move |place| !seated.contains(&place.seat()))
    }

    /// Seats everybody anew: first those whom a place is promised to, then those who had a table
    /// before. Who sits there already goes before others with the same claim.
    fn assign(&mut self) {
        self.doubt_numbers();
        let before = std::mem::take(&mut self.seats);
        let mut claims: Vec<_> = Vec::new();
        for (at, present) in &self.present {
            let sat = before.get(at).copied();
            let claimed = match self.claim(present) {
                Claim::Place(place) => Some((Right::Promised, place.seat())),
                Claim::Once(table) => Some((Right::Known, (table, Part::BOARD))),
                Claim::Any => sat.map(|seat| (Right::Known, seat)),
                Claim::Nothing => sat
                    .filter(|(table, _)| self.staying.contains(table))
                    .map(|seat| (Right::Known, seat)),
                Claim::Awaited | Claim::Asked | Claim::Promised(_) => None,
            };
            claims.extend(claimed.map(|(right, seat)| (right, sat != Some(seat), *at, seat)));
        }
        claims.sort();
        for (.., at, seat) in claims {
            if !self.seats.values().any(|held| *held == seat) {
                self.seats.insert(at, seat);
            }
        }
        if self.seats_all() {
            self.seat_the_others();
        }
        self.learn();
    }

    /// A serial number that two present boards have does not distinguish them.
    fn doubt_numbers(&mut self) {
        let mut numbers = BTreeSet::new();
        for number in self.present.values().flat_map(Present::numbers) {
            if !numbers.insert(number) && self.ambiguous.insert(number.clone()) {
                self.memory.by_serial.remove(number);
            }
        }
    }

    /// Every board that has introduced itself and sits nowhere gets a table of its own.
    fn seat_the_others(&mut self) {
        let settled = |present: &Present| match &present.said {
            _ if present.clock => false,
            Said::Numbers(numbers) => !numbers.is_empty() || !present.doubtful,
            Said::Nothing | Said::Language => false,
        };
        let others: Vec<_> = self
            .present
            .iter()
            .filter(|(at, present)| !self.seats.contains_key(at) && settled(present))
            .map(|(at, _)| *at)
            .collect();
        for at in others {
            self.last = self.last.next();
            self.seats.insert(at, (self.last, Part::BOARD));
        }
    }

    /// What was seen now is known later. The number of a board is the better name; its line is the
    /// name of a board without one.
    fn learn(&mut self) {
        for (at, (table, part)) in &self.seats {
            let Some(present) = self.present.get(at).filter(|_| *part == Part::BOARD) else {
                continue;
            };
            if !matches!(present.said, Said::Numbers(_)) {
                continue;
            }
            let mut numbers = present.numbers().filter(|it| !self.ambiguous.contains(*it));
            // Where another board sits there now, what was said of this table's no longer holds.
            let places: BTreeSet<_> = present.places().collect();
            self.memory.by_word.retain(|it, known| known != table || places.contains(it.as_str()));
            if let Some(first) = numbers.next() {
                self.memory.by_line.retain(|_, known| known != table);
                for number in std::iter::once(first).chain(numbers) {
                    self.memory.by_serial.insert(number.clone(), *table);
                }
                continue;
            }
            for place in places {
                self.memory.by_line.insert(place.into_owned(), *table);
            }
            if let Some(language) = &present.language {
                self.memory.languages.insert(*table, language.clone());
            }
        }
    }

    fn claim(&self, present: &Present) -> Claim<'_> {
        if self.seats_all() {
            return self.known_before(present);
        }
        match &present.said {
            // The table of the port shows that a line is there, though nobody speaks yet.
            Said::Nothing | Said::Language => {
                let fulfils = |it: &&Place| it.serial.is_none() && it.speaks(present);
                let mut at_port = self.places.iter().filter(|place| place.is_at(present));
                at_port.find(fulfils).map_or(Claim::Awaited, Claim::Place)
            }
            Said::Numbers(_) => self.promised(present),
        }
    }

    /// The place that is promised to this board, its number before its port.
    fn promised(&self, present: &Present) -> Claim<'_> {
        let fulfils = |place: &&Place| {
            place.speaks(present) && (place.port.is_none() || place.is_at(present))
        };
        let has = |place: &&Place| place.serial.as_ref().is_some_and(|it| present.has_number(it));
        let mut of_number = self.places.iter().filter(has);
        if let Some(first) = of_number.clone().next() {
            return of_number.find(fulfils).map_or(Claim::Promised(first.table), Claim::Place);
        }
        // On a bus a place that names a number says nothing of the other boards of the line.
        let on_a_bus = present.station != Station::ONLY;
        let names_another =
            |it: &Place| on_a_bus && it.station == Station::ONLY && it.serial.is_some();
        let at_port = self.places.iter().filter(|place| place.is_at(present));
        let mut of_port = at_port.filter(|place| !names_another(place));
        if let Some(first) = of_port.clone().next() {
            let place = of_port.find(|place| place.serial.is_none() && place.speaks(present));
            return place.map_or(Claim::Promised(first.table), Claim::Place);
        }
        let known = self.remembered(present).filter(|table| self.may_return(present, *table));
        known.map_or(Claim::Nothing, |table| once(present, table))
    }

    /// Whether a board that had this table goes on there though its place names another port: that
    /// place names no number, and this very board has fulfilled it.
    fn may_return(&self, present: &Present, table: TableNo) -> bool {
        let mut places = self.places.iter();
        let place = places.find(|place| place.seat() == (table, Part::BOARD));
        match place {
            Some(place) => {
                let said = || self.word(present) == Some(table);
                (present.numbers().next().is_some() || said())
                    && place.serial.is_none()
                    && place.speaks(present)
            }
            None => self.staying.contains(&table),
        }
    }

    /// Where no place is named: the table this board had before.
    fn known_before(&self, present: &Present) -> Claim<'_> {
        match present.said {
            Said::Numbers(_) => match self.remembered(present) {
                Some(table) => once(present, table),
                None if present.must_be_asked() => Claim::Asked,
                None if present.clock => Claim::Nothing,
                None => Claim::Any,
            },
            Said::Nothing | Said::Language => Claim::Awaited,
        }
    }

    /// The table that somebody has named for this board.
    fn word(&self, present: &Present) -> Option<TableNo> {
        let word = |place: Cow<'_, str>| self.memory.by_word.get(&*place).copied();
        present.places().find_map(word)
    }

    /// The table this board had before: by its number, or by its line and language if it has none
    /// of its own.
    fn remembered(&self, present: &Present) -> Option<TableNo> {
        if present.clock {
            return None;
        }
        let mut numbers = present.numbers().filter(|it| !self.ambiguous.contains(*it)).peekable();
        if numbers.peek().is_some() {
            return numbers.find_map(|number| self.memory.by_serial.get(number).copied());
        }
        let by_line = |place: Cow<'_, str>| self.memory.by_line.get(&*place).copied();
        let known = self.word(present).or_else(|| present.places().find_map(by_line));
        known.filter(|table| {
            let language = self.memory.languages.get(table);
            language.is_none_or(|it| Some(it) == present.language.as_ref())
        })
    }
}

/// It had this table before, if nothing speaks against it.
fn once(present: &Present, table: TableNo) -> Claim<'static> {
    if present.must_be_asked() { Claim::Asked } else { Claim::Once(table) }
}

/// What a board that is present may ask for.
enum Claim<'a> {
    /// Nothing before it has introduced itself.
    Awaited,
    /// Nothing before somebody has said which table it is.
    Asked,
    /// This place is promised to it.
    Place(&'a Place),
    /// It had this table before.
    Once(TableNo),
    /// Any table.
    Any,
    /// A table is named for it that wants something else as well.
    Promised(TableNo),
    /// Nothing that the configuration names.
    Nothing,
}

/// By what right a seat is claimed, the better one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Right {
    Promised,
    Known,
}

#[cfg(test)]
mod tests;
