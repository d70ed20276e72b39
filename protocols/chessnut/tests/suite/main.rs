//! Boards heard and answered as the wire sheet says.

mod clock;
mod conversation;
#[path = "../../../eboard/tests/line/mod.rs"]
mod line;
mod vectors;
