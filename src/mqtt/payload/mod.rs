//! What is published, as JSON. Names here are the contract with every reader: they may grow, they
//! do not change. `docs/schema/v1` describes them; `tests/schema.rs` holds both together.

mod adjournment;
mod alert;
mod bridge;
mod event;
mod ledger;
mod public;
mod table;
mod time_sheet;
mod unseated;
mod watch_list;

pub use adjournment::Envelope;
pub use alert::{Alert, AlertGame, EvidencePayload, alert, alert_state, evidence};
pub use bridge::{BridgeInfo, BridgeState, EventInfo, Response};
pub use event::{TableEvent, event};
pub use ledger::{Ledger, ledger};
pub use public::{PublicDevice, PublicInfo, public_device, public_info};
pub use table::{
    Board, ClockPayload, Device, Game, Position, board, clock, device, device_state, game, position,
};
pub(crate) use table::{confidence, phase, status};
pub use time_sheet::{TimeSheet, time_sheet};
pub use unseated::{UnseatedList, unseated};
pub use watch_list::{WatchList, watch_list};

pub use crate::answers::{alert_id, colour};

use eboard::Moment;
use serde::Serialize;

use crate::languages::Languages;
use crate::time::Anchor;

/// The version of every payload.
pub const VERSION: u8 = 1;

/// The `seq` of the daemon's leave, which is also its last will and so written beforehand.
pub const SEQ_OF_LEAVE: u64 = 0;

/// What every payload of a table begins with.
#[derive(Clone, Copy, Debug)]
pub struct Stamp<'a> {
    /// Rises with every message of the table, also over restarts.
    pub seq: u64,
    /// When it was made.
    pub moment: Moment,
    /// Which time of day that was.
    pub anchor: &'a Anchor,
    /// The languages of texts.
    pub languages: &'a Languages,
}

impl Stamp<'_> {
    fn at(&self) -> String {
        self.wall(self.moment)
    }

    fn wall(&self, moment: Moment) -> String {
        self.anchor.wall(moment).rfc3339()
    }
}

/// A payload as it goes out.
#[must_use]
pub fn json(payload: &impl Serialize) -> Vec<u8> {
    // The payloads are plain structs with string keys: there is nothing in them that can fail.
    serde_json::to_vec(payload).unwrap_or_default()
}

/// A payload without the fields every one begins with: `v`, `seq`, `at`. What is no JSON is whole.
#[must_use]
pub fn without_stamp(payload: &[u8]) -> &[u8] {
    let begins = payload.starts_with(br#"{"v":"#);
    let mut commas = payload.iter().enumerate().filter(|(_, byte)| **byte == b',');
    let third = commas.nth(2).map(|(index, _)| index).filter(|_| begins);
    third.and_then(|index| payload.get(index..)).unwrap_or(payload)
}

/// The same payload with another `seq`. A payload that is not JSON stays as it is.
#[must_use]
pub fn with_seq(payload: &[u8], seq: u64) -> Vec<u8> {
    let begins = br#"{"v":1,"seq":"#;
    let Some(rest) = payload.strip_prefix(begins) else { return payload.to_vec() };
    let rest = rest.iter().position(|byte| *byte == b',').and_then(|at| rest.get(at..));
    [begins, seq.to_string().as_bytes(), rest.unwrap_or_default()].concat()
}
