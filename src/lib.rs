//! The daemon: ports, journal, broker, pages and systemd around the pure machines.
//!
//! `protocols/*` hears, `witness` understands, and this crate acts. ARCHITECTURE.md has the map.

pub mod adjournment_sheet;
pub mod answers;
pub mod capture;
pub mod checkpoint;
pub mod chronicle;
pub mod config;
pub mod decisions;
pub mod delayed;
pub mod descriptors;
pub mod discovery;
pub mod entry;
pub mod exit;
pub mod far_end;
pub mod fidelity;
pub mod games;
pub mod health;
pub mod journal;
pub mod languages;
pub mod laws_page;
pub mod line;
pub mod livechess;
pub mod mqtt;
pub mod notify;
pub mod outlets;
pub mod pairings;
pub mod pgn;
pub mod plugged;
pub mod recording;
pub mod requests;
pub mod results;
pub mod run;
pub mod say;
pub mod tasks;
pub mod time;
pub mod time_sheet;
pub mod tls;
pub mod udev;
pub mod venue;
pub mod verbs;
pub mod virtual_line;
pub mod web;
pub mod works;

#[cfg(test)]
#[path = "../tests/common/mutation.rs"]
mod mutation;
