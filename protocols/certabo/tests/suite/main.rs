//! Boards of both kinds, heard and answered as the wire sheet says.

mod common;
mod conversation;
mod learning;
mod reading;
mod recordings;
