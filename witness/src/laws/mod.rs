//! The Laws of Chess as far as board and clock can witness them, one file per group of Articles.
//! They explain and name; they accuse nobody and decide nothing.

pub mod editions;
pub mod flag;
pub mod illegal;
pub mod position;
pub(crate) mod words;
