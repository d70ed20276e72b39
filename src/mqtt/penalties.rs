//! Penalties as requests say them: given, once for each alert, and withdrawn; and times that are
//! set on a clock.

use eboard::FaceTime;
use serde::Deserialize;
use shakmaty::{ByColor, Color};
use witness::{Order, PenaltyGiven, PenaltyWithdrawn};

use super::requests::{self, BadRequest, CLOCK_END_MS, SideWord, short_line, too_long_for_a_clock};
use crate::say;

#[derive(Deserialize)]
pub(super) struct GivenBody {
    table: u32,
    side: SideWord,
    seconds: u32,
    alert: Option<String>,
    clock: Option<Times>,
}

#[derive(Deserialize)]
pub(super) struct WithdrawnBody {
    table: u32,
    side: SideWord,
    given: usize,
    reason: String,
}

#[derive(Deserialize)]
pub(super) struct SetTime {
    table: u32,
    white_ms: u32,
    black_ms: u32,
    running: Option<SideWord>,
}

/// What was set on a clock. Whose time runs then is written down as it was said: what the clock
/// does is seen.
#[derive(Clone, Copy, Deserialize)]
struct Times {
    white_ms: u32,
    black_ms: u32,
    #[serde(rename = "running")]
    _running: Option<SideWord>,
}

impl Times {
    fn read(self) -> Result<ByColor<FaceTime>, BadRequest> {
        if self.white_ms.max(self.black_ms) >= CLOCK_END_MS {
            return Err(too_long_for_a_clock());
        }
        Ok(ByColor { white: self.white_ms, black: self.black_ms }.map(FaceTime::from_ms))
    }
}

pub(super) fn given(body: GivenBody, by: &str) -> Result<(u32, Order), BadRequest> {
    let GivenBody { table, side, seconds, alert, clock } = body;
    if seconds >= CLOCK_END_MS / 1000 {
        return Err(too_long_for_a_clock());
    }
    let incident = match alert.map(|id| requests::alert(&id)).transpose()? {
        Some((of, _)) if of != table => {
            return Err(BadRequest(say::alert_of_another_table(of, table)));
        }
        alert => alert.map(|(_, incident)| incident),
    };
    let clock = clock.map(Times::read).transpose()?;
    let (side, by) = (side.into(), by.to_owned());
    Ok((table, Order::PenaltyGiven(PenaltyGiven { side, seconds, by, incident, clock })))
}

pub(super) fn withdrawn(body: WithdrawnBody, by: &str) -> Result<(u32, Order), BadRequest> {
    let WithdrawnBody { table, side, given: number, reason } = body;
    let reason = reason.trim().to_owned();
    if reason.is_empty() {
        return Err(BadRequest(say::reason_is_missing()));
    }
    short_line("reason", &reason)?;
    let (side, by) = (Color::from(side), by.to_owned());
    Ok((table, Order::PenaltyWithdrawn(PenaltyWithdrawn { side, number, reason, by })))
}

pub(super) fn set_time(body: &SetTime) -> Result<(u32, Order), BadRequest> {
    let SetTime { table, white_ms, black_ms, running: _running } = *body;
    Ok((table, Order::SetTime(Times { white_ms, black_ms, _running }.read()?)))
}
