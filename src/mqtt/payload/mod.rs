//! The payloads, as JSON. Their names are a contract with all readers: new ones may come, none
//! changes. `docs/schema/v1` describes them, and `tests/schema.rs` keeps both together.

mod adjournment;
mod alert;
mod bridge;
mod event;
mod game;
mod ledger;
mod public;
mod setup;
mod setup_event;
mod table;
mod time_sheet;
mod unseated;
mod watch_list;
mod words;

pub use adjournment::Envelope;
pub use alert::{Alert, AlertGame, EvidencePayload, alert, evidence};
pub use bridge::{BridgeInfo, BridgeState, EventInfo, Response};
pub use event::{TableEvent, event};
pub use game::{Game, Moves, game, game_of};
pub use ledger::{Ledger, ledger};
pub use public::{PublicDevice, PublicInfo, public_device, public_info};
pub use setup::{SetupBoards, SetupLift, setup_boards, setup_lift};
pub use setup_event::{SetupEvent, setup_event};
pub use table::{Board, ClockPayload, Device, Position, board, clock, device, position};
pub(crate) use table::{grade, phase, status};
pub use time_sheet::{TimeSheet, time_sheet};
pub use unseated::{UnseatedList, unseated};
pub use watch_list::{WatchList, watch_list};
pub use words::{AlertState, Confidence, Connection, Gravity};

pub use crate::answers::{alert_id, colour};

use eboard::Moment;
use serde::Serialize;

use crate::languages::Languages;
use crate::time::Anchor;

/// The version of every payload.
pub const VERSION: u8 = 1;

/// Bytes for a payload: most views of a table have fewer.
const ROOM: usize = 384;

/// The `seq` of the message that the daemon leaves. It is also in the last will, which is written
/// beforehand.
pub const SEQ_OF_LEAVE: u64 = 0;
/// The same of the message by which a machine begins to speak, before its record has begun.
pub const SEQ_OF_CLAIM: u64 = 0;

/// The first fields of every payload of a table.
#[derive(Clone, Copy, Debug)]
pub struct Stamp<'a> {
    /// Rises with every message of the table, over restarts too.
    pub seq: u64,
    /// The moment of the message.
    pub moment: Moment,
    /// The time of day of a moment.
    pub anchor: &'a Anchor,
    /// The languages of texts.
    pub languages: &'a Languages,
}

impl Stamp<'_> {
    /// The time of day, in RFC 3339.
    #[must_use]
    pub fn at(&self) -> String {
        self.wall(self.moment)
    }

    fn wall(&self, moment: Moment) -> String {
        self.anchor.wall(moment).rfc3339()
    }
}

/// The payload as bytes.
#[must_use]
pub fn json(payload: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM);
    write(&mut bytes, payload);
    bytes
}

/// Writes the payload behind what is there.
fn write(bytes: &mut Vec<u8>, payload: &impl Serialize) {
    // Cannot fail: payloads are plain structs with string keys.
    let _ = serde_json::to_writer(bytes, payload);
}

/// A payload without its first fields `v`, `seq` and `at`. A payload that is not JSON stays as it
/// is.
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
