//! The one way out: topics, payloads, requests, and the client that publishes them all.

pub mod access;
pub mod client;
mod grants;
pub mod guard;
pub mod link;
mod misread;
pub mod payload;
mod penalties;
pub mod requests;
mod results;
pub mod snapshot;
pub mod topic;
