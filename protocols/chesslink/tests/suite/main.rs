//! Boards heard and answered as the wire sheet says.

mod common;
mod conversation;
mod emulator;
mod reading;
mod vectors;
