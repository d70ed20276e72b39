//! Payloads that differ between the public copy and the hall. The public learns less about boards
//! and about the daemon.

use serde::{Deserialize, Serialize};
use witness::TableNo;

use super::{Connection, EventInfo, VERSION};
use crate::entry::Delay;

/// Whether a board is connected. It does not say which board, or on which port.
#[derive(Debug, Serialize)]
pub struct PublicDevice {
    v: u8,
    seq: u64,
    at: String,
    state: Connection,
}

/// The event, and the delay of the public copy.
#[derive(Debug, Serialize)]
pub struct PublicInfo {
    v: u8,
    seq: u64,
    at: String,
    event: EventInfo,
    tables: Vec<TableNo>,
    delay_s: u64,
    delay_moves: u64,
}

#[derive(Deserialize)]
struct Device {
    at: String,
    state: Connection,
}

#[derive(Deserialize)]
struct Info {
    at: String,
    event: EventInfo,
    tables: Vec<TableNo>,
}

/// The public part of a board's payload in the hall.
#[must_use]
pub fn public_device(payload: &[u8]) -> Option<PublicDevice> {
    let Device { at, state } = serde_json::from_slice(payload).ok()?;
    Some(PublicDevice { v: VERSION, seq: 0, at, state })
}

/// The public part of the daemon's payload in the hall.
#[must_use]
pub fn public_info(payload: &[u8], delay: &Delay) -> Option<PublicInfo> {
    let Info { at, event, tables } = serde_json::from_slice(payload).ok()?;
    let Delay { delay_s, delay_moves, .. } = *delay;
    Some(PublicInfo { v: VERSION, seq: 0, at, event, tables, delay_s, delay_moves })
}
