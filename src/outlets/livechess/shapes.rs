//! Boards and clocks as clients of LiveChess read them. Names and types are theirs; a key more
//! would break some of them.

use serde::Serialize;
use shakmaty::Board as Squares;

use super::hall::{Clock, Hall, Table};
use crate::time;

/// A board.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct EBoard<'a> {
    serialnr: &'a str,
    source: Option<&'a str>,
    state: Option<&'static str>,
    battery: Option<String>,
    comment: Option<&'static str>,
    board: Option<String>,
    flipped: bool,
    clock: Option<ClockTimes>,
}

/// The chess clock of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockTimes {
    /// Seconds.
    white: u32,
    /// Seconds.
    black: u32,
    /// Whether that of White runs; none: neither.
    run: Option<bool>,
    /// When they were read, in milliseconds since 1970.
    time: i64,
}

/// A line through which boards are reached.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Line<'a> {
    device: &'a str,
}

/// All boards, those that are heard first.
pub fn eboards(hall: &Hall) -> Vec<EBoard<'_>> {
    let tables = hall.in_order().into_iter();
    let named = tables.filter_map(|(number, table)| Some((hall.serials.get(&number)?, table)));
    named.map(|(serial, table)| eboard(serial, table)).collect()
}

fn eboard<'a>(serialnr: &'a str, table: &'a Table) -> EBoard<'a> {
    let device = &table.device;
    EBoard {
        serialnr,
        source: device.port.as_deref().filter(|_| device.state != "absent"),
        state: state(&device.state),
        battery: device.battery.map(|percent| format!("{percent}%")),
        comment: None,
        board: table.board().as_ref().map(Squares::to_string),
        flipped: device.turned,
        clock: clock(&table.clock),
    }
}

/// All lines that lead to a board.
pub fn sources(hall: &Hall) -> Vec<Line<'_>> {
    let boards = eboards(hall).into_iter();
    let mut devices: Vec<_> = boards.filter_map(|it| it.source).collect();
    devices.sort_unstable();
    devices.dedup();
    devices.into_iter().map(|device| Line { device }).collect()
}

/// The state of a board; one that has not said yet what it is has none.
fn state(ours: &str) -> Option<&'static str> {
    match ours {
        "online" => Some("ACTIVE"),
        "silent" => Some("NOTRESPONDING"),
        "absent" => Some("INACTIVE"),
        _ => None,
    }
}

/// What a clock shows; none: it was never heard. Of one that is heard no more these are the last
/// times, neither of which runs.
pub fn clock(told: &Clock) -> Option<ClockTimes> {
    Some(ClockTimes {
        white: told.white_ms? / 1000,
        black: told.black_ms? / 1000,
        run: told.running.as_ref().map(|side| side == "white"),
        time: told.read_at().unwrap_or_else(now),
    })
}

/// The time of day in milliseconds since 1970, as messages carry it.
pub fn now() -> i64 {
    time::wall_now().as_micros() / 1000
}
