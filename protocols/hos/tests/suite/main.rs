//! Boards heard and answered as the wire sheet says.

mod conversation;
#[path = "../../../eboard/tests/line/mod.rs"]
mod line;
mod vectors;
