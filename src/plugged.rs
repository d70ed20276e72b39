//! What is plugged in, board by board, with advice for the organizer.
//!
//! The daemon lists the lines that it holds, and `adoubed list` the others. This module opens
//! nothing and decides nothing.

use eboard::{Driver, Identity, Senses, Station};
use serde::{Deserialize, Serialize};
use witness::{Message, Part, Seat, TableNo, Unseated, Which};

use crate::entry::{self, LineId};
use crate::say;
use crate::works::Works;
use words::InWords as _;

/// Whether a line can be opened, and if not, why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// It can.
    #[default]
    #[serde(rename = "accessible")]
    Accessible,
    /// This user may not open it.
    #[serde(rename = "permission denied")]
    Denied,
    /// Another program holds it.
    #[serde(rename = "in use")]
    InUse,
    /// It was pulled out.
    #[serde(rename = "gone")]
    Gone,
    /// It is a device that is no board.
    #[serde(rename = "no board")]
    NoBoard,
    /// The system reports another error.
    #[serde(rename = "broken")]
    Broken,
}

impl Access {
    /// The words for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accessible => "accessible",
            Self::Denied => "permission denied",
            Self::InUse => "in use",
            Self::Gone => "gone",
            Self::NoBoard => "no board",
            Self::Broken => "broken",
        }
    }
}

/// One board, or a line on which no device has answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plugged {
    /// The device file.
    pub path: String,
    /// All names of the line.
    pub names: Vec<String>,
    /// Vendor and product id of its adapter.
    pub usb: Option<String>,
    /// The adapter's product name.
    pub product: Option<String>,
    /// Whether the line can be opened.
    pub access: Access,
    /// The remedy, for a person.
    pub remedy: Option<String>,
    /// The driver whose device answered.
    pub driver: Option<String>,
    /// The station on a bus.
    pub station: Option<u16>,
    /// The board's serial number.
    pub serial: Option<String>,
    /// The board's firmware.
    pub firmware: Option<String>,
    /// The table, if a daemon runs.
    pub table: Option<TableNo>,
    /// Whether it is the second board of that table.
    pub second: bool,
}

impl Plugged {
    /// A line of which only the names are known.
    #[must_use]
    pub fn on(id: &LineId) -> Self {
        let (path, names) = (id.path.clone(), id.names.clone());
        Self { path, names, ..Self::default() }
    }

    /// The line, with the board that answered on it.
    #[must_use]
    pub fn with(self, station: Station, identity: &Identity) -> Self {
        Self {
            driver: Some(identity.driver.to_string()),
            station: (station != Station::ONLY).then_some(station.0),
            serial: identity.serial.clone(),
            firmware: identity.firmware.clone(),
            ..self
        }
    }

    /// The part of a configuration that keeps this board at a table: by its serial number, or else
    /// by the most lasting file of its line.
    #[must_use]
    pub fn table_entry(&self, number: TableNo) -> Option<String> {
        let driver = catalog::find(self.driver.as_ref()?)?;
        if driver.senses == Senses::Nothing {
            return None;
        }
        let mut entry = format!("[[table]]\nnumber = {number}\n");
        if let Some(serial) = &self.serial {
            entry.push_str(&format!("serial = {}\n", quoted(serial)));
        }
        if self.serial.is_none() || driver.is_bus() {
            entry.push_str(&format!(
                "port = {}\n",
                quoted(entry::lasting_file(&self.path, &self.names))
            ));
            entry.push_str(&format!("driver = {}\n", quoted(driver.name)));
        }
        Some(entry)
    }
}

/// Every board on the lines that the daemon holds, and every line without an answer.
#[must_use]
pub fn here(works: &Works) -> Vec<Plugged> {
    let mut rows = Vec::new();
    for (number, line) in works.lines() {
        for (station, board) in line.boards() {
            let row = Plugged::on(&line.id);
            let row = match &board.identity {
                Some(identity) => row.with(station, identity),
                None => Plugged { remedy: Some(silent(&line.id)), ..row },
            };
            let at = Seat { line: number, station };
            let unseated = works.unseated(at).and_then(|why| why_unseated(works, why));
            rows.push(Plugged {
                table: board.table,
                second: board.part == Part::Board(Which::Second),
                remedy: unseated.map(|why| why.en()).or(row.remedy),
                ..row
            });
        }
    }
    rows
}

/// Why a board has no table and what to do about it; none: not decided yet.
#[must_use]
pub fn why_unseated(works: &Works, why: Unseated) -> Option<Message> {
    Some(match why {
        Unseated::Taken { table, there } => {
            let path = works.path_of(there);
            say::place_taken(table, &path)
        }
        Unseated::Promised { table } => say::configured_otherwise(table),
        Unseated::NoPlace => say::no_table_names_it(),
        Unseated::Asked => say::waits_to_be_named(),
        Unseated::Awaited => return None,
    })
}

/// What to do about a line on which no device answers.
#[must_use]
pub fn silent(id: &LineId) -> String {
    let named = |named: fn(&Driver) -> bool| {
        let languages = catalog::languages().into_iter();
        let here = languages.filter(|it| named(it) && it.speaks_over(id.carrier));
        let here: Vec<_> = here.map(|it| format!("driver = \"{}\"", it.name)).collect();
        (!here.is_empty()).then(|| here.join(" or "))
    };
    let mut remedy =
        "nobody answers: switch the board on, look at both ends of its cable".to_owned();
    if let Some(named) = named(Driver::is_bus) {
        remedy.push_str(&format!(
            "; boards in a chain on one bus answer only where the configuration says so ({named})"
        ));
    }
    if let Some(named) = named(|it| it.senses == Senses::Nothing) {
        let row = Plugged::on(id);
        let path = entry::lasting_file(&row.path, &row.names);
        remedy.push_str(&format!(
            "; a clock is heard only where its table names it (clock = {{ port = \"{path}\", \
             {named} }})"
        ));
    }
    remedy
}

/// The text as a TOML value.
fn quoted(text: &str) -> toml::Value {
    toml::Value::String(text.to_owned())
}

#[cfg(test)]
mod tests {
    use eboard::Carrier;

    use super::*;
    use crate::config::Config;

    fn board(driver: &'static str, serial: Option<&str>) -> Plugged {
        let names = ["/dev/ttyUSB0", "usb-socket:1", "/dev/serial/by-path/pci-1", "/dev/adoubed/a"];
        let names = names.map(str::to_owned).to_vec();
        let id = LineId { names, ..LineId::at("/dev/ttyUSB0") };
        let (driver, serial) = (driver.into(), serial.map(str::to_owned));
        let identity = Identity { driver, serial, ..Identity::default() };
        Plugged::on(&id).with(Station::ONLY, &identity)
    }

    #[test]
    fn what_is_offered_is_a_configuration_that_holds_the_board() {
        let rows = [board("dgt", Some("26003")), board("certabo", None)];
        let entries = rows
            .iter()
            .zip(1..)
            .map(|(row, number)| row.table_entry(TableNo::new(number)).unwrap());
        let config: Config = toml::from_str(&entries.collect::<String>()).unwrap();
        let [dgt, certabo] = &config.table[..] else { panic!("{:?}", config.table) };
        assert_eq!((dgt.number.get(), dgt.serial.as_deref(), &dgt.port), (1, Some("26003"), &None));
        assert_eq!(certabo.port.as_deref(), Some("/dev/adoubed/a"));
        assert_eq!(certabo.driver.as_deref(), Some("certabo"));
    }

    #[test]
    fn a_silent_line_is_told_which_languages_have_to_be_named() {
        let serial = silent(&LineId::at("/dev/ttyUSB0"));
        assert!(serial.contains("so (driver = \"dgtbus\")"), "{serial}");
        assert!(!serial.contains("clock"), "that one is on HID: {serial}");
        let hid = |vendor, product| {
            silent(&LineId::at("/dev/hidraw0").over(Carrier::Hid { vendor, product }))
        };
        assert!(!hid(1, 2).contains("driver"), "no bus is on HID");
        let entry = "(clock = { port = \"/dev/hidraw0\", driver = \"chessnutclock\" })";
        let clock = hid(0x2d80, 0x0001);
        assert!(clock.ends_with(entry), "{clock}");
    }

    #[test]
    fn nothing_is_offered_for_a_line_on_which_nobody_answers() {
        assert_eq!(Plugged::on(&LineId::at("/dev/ttyUSB0")).table_entry(TableNo::new(1)), None);
    }
}
