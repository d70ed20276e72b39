//! The time sheet of a table's game, for arbiters only.

use eboard::FaceTime;
use serde::Serialize;
use witness::{GameNo, Table, TableNo};

use super::{Stamp, VERSION, colour};
use crate::time_sheet::Row;

#[derive(Debug, Serialize)]
struct RowPayload {
    at: String,
    cause: &'static str,
    white_ms: Option<u32>,
    black_ms: Option<u32>,
    white_moves: u32,
    black_moves: u32,
    white_period: u8,
    black_period: u8,
    turn: &'static str,
}

/// The sheet of one game.
#[derive(Debug, Serialize)]
pub struct TimeSheet {
    v: u8,
    seq: u64,
    at: String,
    table: TableNo,
    game: GameNo,
    rows: Vec<RowPayload>,
}

/// The payload of a table's time sheet.
#[must_use]
pub fn time_sheet(stamp: Stamp<'_>, number: TableNo, table: &Table, rows: &[Row]) -> TimeSheet {
    let ms = |time: Option<FaceTime>| time.map(FaceTime::as_ms);
    let rows = rows.iter().map(|row| RowPayload {
        at: stamp.wall(row.moment),
        cause: row.cause.name(),
        white_ms: ms(row.times[0]),
        black_ms: ms(row.times[1]),
        white_moves: row.moves[0],
        black_moves: row.moves[1],
        white_period: row.periods[0],
        black_period: row.periods[1],
        turn: colour(row.turn),
    });
    TimeSheet {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        table: number,
        game: table.game_number(),
        rows: rows.collect(),
    }
}
