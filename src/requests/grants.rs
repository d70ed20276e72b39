//! Reads the time that an arbiter grants during a game (Guidelines III.4 and III.5).

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use witness::{Grant, Order, PerMove, TableNo};

use super::asked::{BadRequest, CLOCK_END_MS, too_long_for_a_clock};
use crate::say;

/// Time that an arbiter grants: for each move, at once, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrantTime {
    /// The table.
    pub table: TableNo,
    /// Seconds added with each move, 1 to 60. Only one of this and `delay` can be granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<u32>,
    /// Seconds that each move has before the time runs, 1 to 60.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<u32>,
    /// Seconds for White at once, less than ten hours.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub white_s: u32,
    /// Seconds for Black at once, less than ten hours.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub black_s: u32,
}

/// The most seconds per move that can be granted. No clock adds more than a minute.
const PER_MOVE_MAX_S: u32 = 60;

/// Reads a grant.
pub(super) fn read(body: &GrantTime) -> Result<(TableNo, Order), BadRequest> {
    let GrantTime { table, increment, delay, white_s, black_s } = *body;
    if white_s.max(black_s) >= CLOCK_END_MS / 1000 {
        return Err(too_long_for_a_clock());
    }
    let per_move = match (increment.filter(|it| *it > 0), delay.filter(|it| *it > 0)) {
        (Some(seconds), None) => Some(PerMove::Increment(seconds)),
        (None, Some(seconds)) => Some(PerMove::Delay(seconds)),
        (None, None) if white_s + black_s > 0 => None,
        _ => return Err(nothing_granted()),
    };
    if increment.max(delay).is_some_and(|it| it > PER_MOVE_MAX_S) {
        return Err(nothing_granted());
    }
    let added = ByColor { white: white_s, black: black_s };
    Ok((table, Order::Grant(Grant { per_move, added })))
}

fn nothing_granted() -> BadRequest {
    BadRequest(say::nothing_granted())
}
