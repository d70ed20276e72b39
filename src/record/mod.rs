//! The record: entries are written down and played again.

pub mod capture;
pub mod checkpoint;
pub mod chronicle;
pub mod journal;
pub mod nameless;
pub mod recording;
