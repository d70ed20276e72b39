//! A hall without a hall: emulated tables, the games that are played there, and how often the score
//! of such a game is right.

pub mod fidelity;
pub mod games;
pub mod tables;
