//! A virtual hall: emulated tables, their games, and how often their scores are right.

pub mod fidelity;
pub mod games;
pub mod tables;
