//! Boards and clocks in the shapes of LiveChess. Names and types are those of its clients; an
//! additional key would break some of them.

use serde::Serialize;
use shakmaty::Board as Squares;

use super::hall::{Clock, Hall, Table};
use crate::mqtt::payload::Connection;
use crate::side::Side;
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
    /// Whether White's time runs; none: neither runs.
    run: Option<bool>,
    /// When the clock was read, in milliseconds since 1970.
    time: i64,
}

/// A serial line with boards.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Line<'a> {
    device: &'a str,
}

/// All boards; those that are connected come first.
pub fn eboards(hall: &Hall) -> Vec<EBoard<'_>> {
    let tables = hall.in_order().into_iter();
    let named = tables.filter_map(|(number, table)| Some((hall.serials.get(&number)?, table)));
    named.map(|(serial, table)| eboard(serial, table)).collect()
}

fn eboard<'a>(serialnr: &'a str, table: &'a Table) -> EBoard<'a> {
    let device = &table.device;
    EBoard {
        serialnr,
        source: device.port.as_deref().filter(|_| device.state != Some(Connection::Absent)),
        state: device.state.and_then(state),
        battery: device.battery.map(|percent| format!("{percent}%")),
        comment: None,
        board: table.board().as_ref().map(Squares::to_string),
        flipped: device.turned,
        clock: clock(&table.clock),
    }
}

/// All lines with a board.
pub fn sources(hall: &Hall) -> Vec<Line<'_>> {
    let boards = eboards(hall).into_iter();
    let mut devices: Vec<_> = boards.filter_map(|it| it.source).collect();
    devices.sort_unstable();
    devices.dedup();
    devices.into_iter().map(|device| Line { device }).collect()
}

/// LiveChess's word for a state; none: the board has not reported what it is.
const fn state(ours: Connection) -> Option<&'static str> {
    match ours {
        Connection::Online => Some("ACTIVE"),
        Connection::Silent => Some("NOTRESPONDING"),
        Connection::Absent => Some("INACTIVE"),
        Connection::Unidentified => None,
    }
}

/// The times of a clock; none: it was never heard. If a clock is not heard any longer, its last
/// times are shown and neither runs.
pub fn clock(reported: &Clock) -> Option<ClockTimes> {
    Some(ClockTimes {
        white: reported.white_ms? / 1000,
        black: reported.black_ms? / 1000,
        run: reported.running.map(|side| side == Side::White),
        time: reported.read_at().unwrap_or_else(now),
    })
}

/// The time of day in milliseconds since 1970, as messages carry it.
pub fn now() -> i64 {
    time::wall_now().as_micros() / 1000
}
