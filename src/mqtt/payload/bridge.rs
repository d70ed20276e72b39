//! What the daemon says of itself, and its answers to requests.

use serde::{Deserialize, Serialize};
use witness::Message;
use words::InWords as _;

use super::VERSION;
use crate::languages::{Languages, Text};

/// Whether the daemon is there; also its last will.
#[derive(Debug, Serialize)]
pub struct BridgeState {
    v: u8,
    seq: u64,
    at: String,
    /// `online` or `offline`.
    state: &'static str,
    version: &'static str,
    boot: String,
}

impl BridgeState {
    /// The daemon's state from now on.
    #[must_use]
    pub fn new(online: bool, seq: u64, at: String, boot: &str) -> Self {
        let state = if online { "online" } else { "offline" };
        let version = env!("CARGO_PKG_VERSION");
        Self { v: VERSION, seq, at, state, version, boot: boot.to_owned() }
    }
}

/// The event as the configuration names it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EventInfo {
    /// Name of the event.
    pub name: String,
    /// Where it is held.
    pub site: String,
    /// Which round.
    pub round: String,
    /// Edition of the Laws.
    pub laws: String,
    /// In the notation of the TimeControl tag.
    pub time_control: String,
}

/// What the daemon is and what it has.
#[derive(Debug, Serialize)]
pub struct BridgeInfo {
    /// Payload version.
    pub v: u8,
    /// Rises with every message.
    pub seq: u64,
    /// When it was made.
    pub at: String,
    /// The daemon's version.
    pub version: &'static str,
    /// The event.
    pub event: EventInfo,
    /// The tables there are.
    pub tables: Vec<u32>,
    /// Where the schemas of all payloads are.
    pub schemas: &'static str,
    /// Whether everything that happens is kept on disk.
    pub journal: &'static str,
    /// Seconds since the daemon was started.
    pub uptime_s: u64,
}

/// The answer to a request.
#[derive(Debug, Serialize)]
pub struct Response {
    /// Payload version.
    pub v: u8,
    /// Rises with every message.
    pub seq: u64,
    /// When it was made.
    pub at: String,
    /// As it stood in the request.
    pub transaction: serde_json::Value,
    /// `ok` or `error`.
    pub status: &'static str,
    /// What was asked for.
    pub data: serde_json::Value,
    /// Why not, in English.
    pub error: Option<String>,
    /// The same in every language of the house.
    pub text: Option<Text>,
}

impl Response {
    /// An answer: data, or why there is none.
    #[must_use]
    pub fn new(
        (seq, at): (u64, String),
        languages: &Languages,
        transaction: serde_json::Value,
        answer: Result<serde_json::Value, Message>,
    ) -> Self {
        let (v, status) = (VERSION, if answer.is_ok() { "ok" } else { "error" });
        match answer {
            Ok(data) => Self { v, seq, at, transaction, status, data, error: None, text: None },
            Err(why) => {
                let (data, text) = (serde_json::Value::Null, Some(languages.text(&why)));
                Self { v, seq, at, transaction, status, data, error: Some(why.en()), text }
            }
        }
    }
}
