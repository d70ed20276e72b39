//! What the public is told that is not the same as in the hall: less of a board, and of the daemon.

use serde::{Deserialize, Serialize};

use super::{EventInfo, VERSION};
use crate::entry::Delay;

/// Whether a board is there; not which one it is nor where.
#[derive(Debug, Serialize)]
pub struct PublicDevice {
    v: u8,
    seq: u64,
    at: String,
    state: String,
}

/// What the event is and how much later the public is told.
#[derive(Debug, Serialize)]
pub struct PublicInfo {
    v: u8,
    seq: u64,
    at: String,
    event: EventInfo,
    tables: Vec<u32>,
    delay_s: u64,
    delay_moves: u64,
}

#[derive(Deserialize)]
struct Device {
    at: String,
    state: String,
}

#[derive(Deserialize)]
struct Info {
    at: String,
    event: EventInfo,
    tables: Vec<u32>,
}

/// Of what the hall was told of a board.
#[must_use]
pub fn public_device(told: &[u8]) -> Option<PublicDevice> {
    let Device { at, state } = serde_json::from_slice(told).ok()?;
    Some(PublicDevice { v: VERSION, seq: 0, at, state })
}

/// Of what the hall was told of the daemon.
#[must_use]
pub fn public_info(told: &[u8], delay: &Delay) -> Option<PublicInfo> {
    let Info { at, event, tables } = serde_json::from_slice(told).ok()?;
    let Delay { delay_s, delay_moves, .. } = *delay;
    Some(PublicInfo { v: VERSION, seq: 0, at, event, tables, delay_s, delay_moves })
}
