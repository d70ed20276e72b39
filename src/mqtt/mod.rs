//! The one way out: topics, payloads, and the client that publishes them all.

pub mod access;
pub mod client;
pub mod guard;
pub mod payload;
pub mod snapshot;
pub mod topic;
