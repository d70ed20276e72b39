//! The record: what entered is kept, and lived through again.

pub mod capture;
pub mod checkpoint;
pub mod chronicle;
pub mod journal;
pub mod recording;
