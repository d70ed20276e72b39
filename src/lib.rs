//! The daemon: ports, journal, broker, pages and systemd around the pure machines.
//!
//! `protocols/*` hears, `witness` understands, and this crate acts. ARCHITECTURE.md has the map.

pub mod analyst;
pub mod answers;
pub mod config;
pub mod delayed;
pub mod descriptors;
pub mod door;
pub mod entry;
pub mod exit;
pub mod health;
pub mod html;
pub mod languages;
pub mod lines;
pub mod mqtt;
pub mod net;
pub mod notify;
pub mod outlets;
pub mod pairings;
pub mod papers;
pub mod pgn;
pub mod plugged;
pub mod publish;
pub mod record;
pub mod requests;
pub mod results;
pub mod run;
pub mod say;
pub mod setup;
pub mod side;
pub mod spare;
pub mod tags;
pub mod tasks;
pub mod time;
pub mod time_sheet;
pub mod tls;
pub mod troubles;
pub mod venue;
pub mod verbs;
pub mod web;
pub mod works;

#[cfg(test)]
#[path = "../tests/common/mutation.rs"]
mod mutation;
