//! What clients may rely on. One program, so that it is linked once; what weighs or times the
//! broker has a program of its own beside it.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

mod access;
#[path = "../common/mod.rs"]
mod common;
mod lifecycle;
mod real_clients;
mod semantics;
mod standard;
