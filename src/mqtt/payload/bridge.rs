//! The daemon's state and its answers to requests.

use serde::{Deserialize, Serialize};
use witness::{Message, TableNo};
use words::InWords as _;

use super::VERSION;
use crate::languages::{Languages, Text};
use crate::mqtt::speaker::Speaker;

/// Whether the daemon is running. It is also the last will.
#[derive(Debug, Serialize)]
pub struct BridgeState {
    v: u8,
    seq: u64,
    at: String,
    /// `online` or `offline`.
    state: &'static str,
    version: &'static str,
    boot: String,
    /// The machine that speaks, where the hall may have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
    /// Rises each time a machine begins to speak.
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<u64>,
}

impl BridgeState {
    /// The payload that announces a state.
    #[must_use]
    pub fn new(online: bool, seq: u64, at: String, speaker: &Speaker) -> Self {
        let state = if online { "online" } else { "offline" };
        let (version, boot) = (env!("CARGO_PKG_VERSION"), speaker.boot.clone());
        let (machine, term) = speaker.machine.as_ref().map(|it| (it.name.clone(), it.term)).unzip();
        Self { v: VERSION, seq, at, state, version, boot, machine, term }
    }
}

/// The event in the words of the configuration.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EventInfo {
    /// Name of the event.
    pub name: String,
    /// Where it is held.
    pub site: String,
    /// The round.
    pub round: String,
    /// Edition of the Laws.
    pub laws: String,
    /// In the notation of the TimeControl tag.
    pub time_control: String,
}

/// The daemon, its event and its tables.
#[derive(Debug, Serialize)]
pub struct BridgeInfo {
    /// Payload version.
    pub v: u8,
    /// Rises with every message.
    pub seq: u64,
    /// The time of day of the message.
    pub at: String,
    /// The daemon's version.
    pub version: &'static str,
    /// The event.
    pub event: EventInfo,
    /// The tables.
    pub tables: Vec<TableNo>,
    /// The place of the schemas of all payloads.
    pub schemas: &'static str,
    /// The state of the journal.
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
    /// The time of day of the message.
    pub at: String,
    /// The transaction of the request.
    pub transaction: serde_json::Value,
    /// `ok` or `error`.
    pub status: &'static str,
    /// The answer.
    pub data: serde_json::Value,
    /// The reason of a refusal, in English.
    pub error: Option<String>,
    /// The same in every language of the event.
    pub text: Option<Text>,
}

impl Response {
    /// An answer to a request, or a refusal.
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
