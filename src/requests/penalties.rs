//! Requests about penalties and clocks. An alert has at most one penalty; penalties can be
//! withdrawn. Times that an arbiter set on a clock are entered here too.

use eboard::FaceTime;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};
use witness::{Order, PenaltyGiven, PenaltyWithdrawn, TableNo};

use super::asked::{BadRequest, CLOCK_END_MS, alert, short_line, too_long_for_a_clock};
use crate::say;
use crate::side::Side;

/// A penalty: extra time for the opponent of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// The table.
    pub table: TableNo,
    /// The player who is punished.
    pub side: Side,
    /// Seconds for the opponent, less than ten hours; 0: a warning.
    pub seconds: u32,
    /// The id of the alert that it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alert: Option<String>,
    /// The times to which the clock was set with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Times>,
}

/// A penalty is withdrawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// The table.
    pub table: TableNo,
    /// The player who was punished.
    pub side: Side,
    /// Its place on his page of the ledger, from 1.
    pub given: usize,
    /// The reason; it must not be empty, and has at most 200 letters.
    pub reason: String,
}

/// An arbiter has set the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetTime {
    /// The table.
    pub table: TableNo,
    /// White's time in milliseconds, less than ten hours.
    pub white_ms: u32,
    /// Black's time, likewise.
    pub black_ms: u32,
    /// The side whose time runs. It is only recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<Side>,
}

/// Times that were set on a clock. The side whose time runs is only recorded: the clock itself
/// shows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// White's time in milliseconds, less than ten hours.
    pub white_ms: u32,
    /// Black's time, likewise.
    pub black_ms: u32,
    /// The side whose time runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<Side>,
}

impl Times {
    fn read(self) -> Result<ByColor<FaceTime>, BadRequest> {
        if self.white_ms.max(self.black_ms) >= CLOCK_END_MS {
            return Err(too_long_for_a_clock());
        }
        Ok(ByColor { white: self.white_ms, black: self.black_ms }.map(FaceTime::from_ms))
    }
}

pub(super) fn given(body: &Given, by: &str) -> Result<(TableNo, Order), BadRequest> {
    let Given { table, side, seconds, clock, .. } = *body;
    if seconds >= CLOCK_END_MS / 1000 {
        return Err(too_long_for_a_clock());
    }
    let incident = match body.alert.as_deref().map(alert).transpose()? {
        Some((of, _)) if of != table => {
            return Err(BadRequest(say::alert_of_another_table(of, table)));
        }
        named => named.map(|(_, incident)| incident),
    };
    let clock = clock.map(Times::read).transpose()?;
    let (side, by) = (side.into(), by.to_owned());
    Ok((table, Order::PenaltyGiven(PenaltyGiven { side, seconds, by, incident, clock })))
}

pub(super) fn withdrawn(body: &Withdrawn, by: &str) -> Result<(TableNo, Order), BadRequest> {
    let Withdrawn { table, side, given: number, .. } = *body;
    let reason = body.reason.trim().to_owned();
    if reason.is_empty() {
        return Err(BadRequest(say::reason_is_missing()));
    }
    short_line("reason", &reason)?;
    let (side, by) = (Color::from(side), by.to_owned());
    Ok((table, Order::PenaltyWithdrawn(PenaltyWithdrawn { side, number, reason, by })))
}

pub(super) fn set_time(body: &SetTime) -> Result<(TableNo, Order), BadRequest> {
    let SetTime { table, white_ms, black_ms, running } = *body;
    Ok((table, Order::SetTime(Times { white_ms, black_ms, running }.read()?)))
}
