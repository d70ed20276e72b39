//! The feed: topics, payloads, and the client that publishes them.

pub mod access;
pub mod client;
pub mod guard;
pub mod payload;
pub mod refused;
pub mod snapshot;
pub mod speaker;
pub mod topic;
