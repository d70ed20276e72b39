//! Players who are short of time, for arbiters only.

use serde::Serialize;
use witness::{ShortOfTime, TableNo};

use super::{Stamp, VERSION, colour};

/// A player who is short of time.
#[derive(Debug, Serialize)]
struct Short {
    table: TableNo,
    side: &'static str,
    left_ms: u32,
    moves_to_make: Option<u32>,
    per_move_ms: u32,
    counting: bool,
    flag_due_at: Option<String>,
    need_not_write: bool,
    two_minutes: bool,
}

/// The players who are short of time, the most urgent first.
#[derive(Debug, Serialize)]
pub struct WatchList {
    v: u8,
    seq: u64,
    at: String,
    players: Vec<Short>,
}

/// The payload of the list.
#[must_use]
pub fn watch_list(stamp: Stamp<'_>, list: &[ShortOfTime]) -> WatchList {
    let players = list.iter().map(|it| Short {
        table: it.table,
        side: colour(it.side),
        left_ms: it.left.as_ms(),
        moves_to_make: it.moves_to_make,
        per_move_ms: it.per_move.as_ms(),
        counting: it.counting,
        flag_due_at: it.flag_due.map(|due| stamp.wall(due)),
        need_not_write: it.need_not_write,
        two_minutes: it.two_minutes,
    });
    WatchList { v: VERSION, seq: stamp.seq, at: stamp.at(), players: players.collect() }
}
