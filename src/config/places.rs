//! The configured places of boards. A line has one board unless it is a bus, and a board has one
//! table.

use eboard::Driver;
use witness::{Message, TableNo};

use super::say;

/// A configured place.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub table: TableNo,
    pub port: Option<&'a str>,
    pub serial: Option<&'a str>,
    pub driver: Option<&'a str>,
    pub station: u16,
}

impl Place<'_> {
    pub fn is_named(&self) -> bool {
        self.port.is_some() || self.serial.is_some()
    }

    /// Whether it is the line of a clock.
    fn is_clock(&self) -> bool {
        self.driver.is_some_and(|name| catalog::CLOCKS.iter().any(|it| it.name == name))
    }

    /// Whether its line may have several boards. Boards on a bus must be configured.
    fn is_on_a_bus(&self) -> bool {
        self.driver.and_then(catalog::find).is_some_and(Driver::is_bus)
    }

    /// Whether a bus can tell two places apart, by stations or by serial numbers.
    fn is_apart_from(&self, other: &Self) -> bool {
        let apart = |one: Option<&str>, other: Option<&str>| one.is_some() && other.is_some();
        let station = |it: &Self| Some(it.station).filter(|station| *station > 0);
        match (station(self), station(other)) {
            (Some(one), Some(other)) => one != other,
            _ => apart(self.serial, other.serial) && self.serial != other.serial,
        }
    }

    /// Claims this place.
    ///
    /// # Errors
    /// If a board there would have two tables.
    pub fn claim(self, taken: &mut Vec<Self>) -> Result<(), (&'static str, Message)> {
        for other in &*taken {
            let table = other.table;
            if let Some(port) = self.port.filter(|port| other.port == Some(port)) {
                if self.is_clock() && other.is_clock() {
                    return Err(("port", say::conf_clock_taken(port, table)));
                }
                let (one, two) = (self.is_on_a_bus(), other.is_on_a_bus());
                if !(one && two) {
                    return Err(("port", say::conf_port_taken(port, table)));
                }
                if !self.is_apart_from(other) {
                    let taken = say::conf_station_taken(self.station.into(), port, table);
                    return Err(("station", taken));
                }
            }
            let elsewhere = self.port.is_some() && other.port.is_some() && self.port != other.port;
            if let Some(serial) = self.serial.filter(|it| other.serial == Some(it) && !elsewhere) {
                return Err(("serial", say::conf_serial_taken(serial, table)));
            }
        }
        taken.push(self);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::read;

    /// Two tables, each with these keys.
    fn two_tables(one: &str, other: &str) -> String {
        format!("[[table]]\nnumber = 1\n{one}\n[[table]]\nnumber = 2\n{other}\n")
    }

    #[test]
    fn a_line_has_one_board_and_a_board_one_table() {
        let bus = |more: &str| format!("port = \"/a\"\ndriver = \"dgtbus\"\n{more}");
        for (one, other, expected) in [
            (
                "port = \"/a\"\nserial = \"1\"",
                "port = \"/a\"\nserial = \"2\"",
                "adoubed.toml:7: port: /a belongs to table 1 already, and one board is on a line; \
                 write another port, or serial alone",
            ),
            (
                "port = \"/a\"\nstation = 1",
                "port = \"/a\"\nstation = 2",
                "adoubed.toml:7: port: /a belongs to table 1 already",
            ),
            (
                &bus("station = 7"),
                &bus("station = 7"),
                "adoubed.toml:10: station: 7 on /a is at table 1 already; write the station",
            ),
            (
                &bus("station = 7"),
                &bus(""),
                "adoubed.toml:6: station: 0 on /a is at table 1 already; write the station",
            ),
            (
                "serial = \"1\"",
                "port = \"/b\"\nserial = \"1\"",
                "adoubed.toml:7: serial: 1 belongs to table 1 already; write another one (two",
            ),
        ] {
            let refusal = read(Path::new("adoubed.toml"), &two_tables(one, other));
            let refusal = refusal.unwrap_err().to_string();
            assert!(refusal.starts_with(expected), "{refusal}\nnot\n{expected}");
        }
        // Clocks have no station and no number.
        let clock = |board: &str| {
            format!("port = \"{board}\"\nclock = {{ port = \"/c\", driver = \"chessnutclock\" }}")
        };
        let refusal = read(Path::new("adoubed.toml"), &two_tables(&clock("/a"), &clock("/b")));
        let expected = "adoubed.toml:8: clock: port: the clock on /c belongs to table 1 already, \
                        and one clock counts for one table; write the port of another clock";
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.starts_with(expected), "{refusal}");
        let of_a_bus = "port = \"/c\"\ndriver = \"dgtbus\"\nstation = 7";
        for (one, other) in [(of_a_bus.to_owned(), clock("/b")), (clock("/b"), of_a_bus.to_owned())]
        {
            let refusal = read(Path::new("adoubed.toml"), &two_tables(&one, &other));
            let refusal = refusal.unwrap_err().to_string();
            let expected = "/c belongs to table 1 already, and one board is on a line";
            assert!(refusal.contains(expected), "{refusal}");
        }
        for (one, other) in [
            (&*bus("station = 7"), &*bus("station = 8")),
            (&bus("serial = \"7\""), &bus("serial = \"8\"")),
            ("port = \"/a\"\nserial = \"1\"", "port = \"/b\"\nserial = \"1\""),
        ] {
            let text = two_tables(one, other);
            assert!(read(Path::new("adoubed.toml"), &text).is_ok(), "{text}");
        }
    }
}
