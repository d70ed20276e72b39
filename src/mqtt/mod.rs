//! The feed: topics, payloads, and the client that publishes them.

pub mod access;
pub mod client;
pub mod guard;
pub mod payload;
pub mod snapshot;
pub mod topic;
