//! What clients may rely on. One program, so that it is linked once; what weighs or times the
//! broker has a program of its own beside it.

mod access;
#[path = "../common/mod.rs"]
mod common;
mod lifecycle;
mod real_clients;
mod semantics;
mod standard;
