//! Which line and station sits at which table, whatever is plugged where today. Knows names of
//! lines and serial numbers of boards, never opens one.

use std::collections::{BTreeMap, BTreeSet};

use bincode::{Decode, Encode};
use eboard::Station;

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

/// One place named in the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Place {
    /// The table.
    pub table: u32,
    /// The line it sits at, by any of its names.
    pub port: Option<String>,
    /// The board's own serial number, wherever it is plugged in.
    pub serial: Option<String>,
    /// The place on the line.
    pub station: Station,
    /// Which of the table's boards.
    pub board: Which,
}

/// Which boards and lines have had which table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Memory {
    /// By the board's own serial number.
    pub by_serial: BTreeMap<String, u32>,
    /// By any name of the line.
    pub by_line: BTreeMap<String, u32>,
}

/// Who sits where. A board that is known by its serial number keeps its table on any line; without
/// one the line keeps it; without either place a recognised board gets the next free table.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct Seating {
    places: Vec<Place>,
    by_serial: BTreeMap<String, u32>,
    by_line: BTreeMap<String, u32>,
    /// Numbers that two boards had at once: they tell nobody from anybody.
    ambiguous: BTreeSet<String>,
    last: u32,
}

impl Seating {
    /// The places named in the configuration; with none of them every board gets a table.
    #[must_use]
    pub fn new(places: Vec<Place>) -> Self {
        let last = places.iter().map(|place| place.table).max().unwrap_or(0);
        Self { places, last, ..Self::default() }
    }

    /// Other places from now on; what is known of boards and lines stays.
    pub fn replace(&mut self, places: Vec<Place>) {
        self.last = places.iter().map(|place| place.table).max().unwrap_or(0).max(self.last);
        self.places = places;
    }

    /// Which boards and lines have had which table, to be kept over a restart.
    #[must_use]
    pub fn memory(&self) -> Memory {
        Memory { by_serial: self.by_serial.clone(), by_line: self.by_line.clone() }
    }

    /// Remembers boards and lines of an earlier run; what is known already stays.
    pub fn remember(&mut self, memory: &Memory) {
        for (serial, table) in &memory.by_serial {
            self.by_serial.entry(serial.clone()).or_insert(*table);
        }
        for (line, table) in &memory.by_line {
            self.by_line.entry(line.clone()).or_insert(*table);
        }
        let last = self.by_serial.values().chain(self.by_line.values()).max();
        self.last = self.last.max(last.copied().unwrap_or(0));
    }

    /// Whether every board that is recognised gets a table.
    #[must_use]
    pub fn seats_all(&self) -> bool {
        self.places.is_empty()
    }

    /// The tables that sit at a line by its name, before anybody has spoken.
    pub fn at_line<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = &'a Place> + 'a {
        let named = |place: &&Place| place.port.as_ref().is_some_and(|port| names.contains(port));
        self.places.iter().filter(named)
    }

    /// The table whose second board this is: it sits there only because it is named so, and is not
    /// remembered.
    #[must_use]
    pub fn second_board(&self, names: &[String], serial: Option<&str>) -> Option<u32> {
        let mut places = self.places.iter().filter(|place| place.board == Which::Second);
        let place = places.find(|place| match &place.port {
            Some(port) => names.contains(port),
            None => serial.is_some() && place.serial.as_deref() == serial,
        });
        place.map(|place| place.table)
    }

    /// The table of a board that has been recognised on a line. A serial number that another
    /// present board already gave (`taken`) is nobody's, and is forgotten.
    pub fn recognised(
        &mut self,
        names: &[String],
        serial: Option<&str>,
        taken: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let by_port = self.at_line(names).next().map(|place| place.table);
        let table = by_port
            .or_else(|| self.by_number(serial?).filter(|table| !taken(*table)))
            .or_else(|| self.by_name(names).filter(|table| !taken(*table)))
            .or_else(|| self.next_free())?;
        if let Some(serial) = serial {
            self.numbered(serial, table, taken);
        }
        for name in names {
            self.by_line.insert(name.clone(), table);
        }
        Some(table)
    }

    fn numbered(&mut self, serial: &str, table: u32, taken: impl Fn(u32) -> bool) {
        let other = self.by_number(serial).filter(|known| *known != table);
        if other.is_some_and(taken) {
            self.by_serial.remove(serial);
            self.ambiguous.insert(serial.to_owned());
        } else if !self.ambiguous.contains(serial) {
            self.by_serial.insert(serial.to_owned(), table);
        }
    }

    fn by_number(&self, serial: &str) -> Option<u32> {
        let place = self.places.iter().find(|place| place.serial.as_deref() == Some(serial));
        place.map(|place| place.table).or_else(|| self.by_serial.get(serial).copied())
    }

    fn by_name(&self, names: &[String]) -> Option<u32> {
        names.iter().find_map(|name| self.by_line.get(name).copied())
    }

    fn next_free(&mut self) -> Option<u32> {
        if !self.seats_all() {
            return None;
        }
        self.last += 1;
        Some(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: &str) -> Vec<String> {
        vec![name.to_owned()]
    }

    #[test]
    fn a_board_keeps_its_table_on_another_line() {
        let mut seating = Seating::new(Vec::new());
        let free = |_| false;
        assert_eq!(seating.recognised(&names("usb0"), Some("26015"), free), Some(1));
        assert_eq!(seating.recognised(&names("usb1"), Some("26016"), free), Some(2));
        assert_eq!(seating.recognised(&names("usb7"), Some("26015"), free), Some(1));
    }

    #[test]
    fn a_restart_forgets_nobody_and_gives_no_table_twice() {
        let mut before = Seating::new(Vec::new());
        assert_eq!(before.recognised(&names("usb0"), Some("26015"), |_| false), Some(1));
        assert_eq!(before.recognised(&names("usb1"), Some("26016"), |_| false), Some(2));
        let mut after = Seating::new(Vec::new());
        after.remember(&before.memory());
        assert_eq!(after.recognised(&names("usb9"), Some("4711"), |_| false), Some(3));
        assert_eq!(after.recognised(&names("usb5"), Some("26016"), |_| false), Some(2));
    }

    #[test]
    fn two_boards_with_the_same_number_get_two_tables() {
        let mut seating = Seating::new(Vec::new());
        assert_eq!(seating.recognised(&names("usb0"), Some("1"), |_| false), Some(1));
        assert_eq!(seating.recognised(&names("usb1"), Some("1"), |table| table == 1), Some(2));
    }

    #[test]
    fn a_number_that_two_boards_had_at_once_is_forgotten() {
        for places in [Vec::new(), at_ports()] {
            let mut seating = Seating::new(places);
            assert_eq!(seating.recognised(&names("usb0"), Some("1"), |_| false), Some(1));
            assert_eq!(seating.memory().by_serial.get("1"), Some(&1));
            assert_eq!(seating.recognised(&names("usb1"), Some("1"), |table| table == 1), Some(2));
            // Each tells its number again: neither gets the other's table, nor the number.
            assert_eq!(seating.recognised(&names("usb0"), Some("1"), |table| table == 2), Some(1));
            assert_eq!(seating.recognised(&names("usb1"), Some("1"), |table| table == 1), Some(2));
            assert_eq!(seating.memory().by_serial.get("1"), None);
        }
    }

    fn at_ports() -> Vec<Place> {
        let place = |table: u32| Place {
            table,
            port: Some(format!("usb{}", table - 1)),
            ..Place::default()
        };
        vec![place(1), place(2)]
    }

    #[test]
    fn a_board_without_number_is_known_by_its_line() {
        let mut seating = Seating::new(Vec::new());
        assert_eq!(seating.recognised(&names("usb0"), None, |_| false), Some(1));
        assert_eq!(seating.recognised(&names("usb1"), None, |table| table == 1), Some(2));
        assert_eq!(seating.recognised(&names("usb0"), None, |_| false), Some(1));
    }

    #[test]
    fn the_configuration_names_ports_and_numbers_and_nobody_else_sits() {
        let port = Place { table: 7, port: Some("usb0".into()), ..Place::default() };
        let number = Place { table: 9, serial: Some("26015".into()), ..Place::default() };
        let mut seating = Seating::new(vec![port, number]);
        assert_eq!(
            seating.at_line(&names("usb0")).collect::<Vec<_>>(),
            [&Place { table: 7, port: Some("usb0".into()), ..Place::default() }]
        );
        assert_eq!(seating.recognised(&names("usb5"), Some("26015"), |_| false), Some(9));
        assert_eq!(seating.recognised(&names("usb6"), Some("4711"), |_| false), None);
        assert_eq!(seating.recognised(&names("usb0"), Some("4711"), |_| false), Some(7));
        assert_eq!(seating.recognised(&names("usb3"), Some("4711"), |_| false), Some(7));
    }
}
