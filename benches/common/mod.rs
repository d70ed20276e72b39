//! What the benchmarks share: recordings, halls, figures and tables. Measures nothing itself.

#![allow(dead_code, unused_imports, reason = "each benchmark uses its own part")]

mod daemon;
mod feed;
mod figures;
mod hall;
mod player;
mod recordings;
mod table;

pub use daemon::{Daemon, Home, memory, processor};
pub use feed::{Bare, listen};
pub use figures::{Rounds, Spread, ratio};
pub use hall::{Hall, Round, Touch};
pub use recordings::{Recording, recordings};
pub use table::Table;

/// What `cargo bench` says to a benchmark. Without it a single short round proves that it runs.
#[must_use]
pub fn in_earnest() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The number after this argument.
#[must_use]
pub fn number_after(name: &str) -> Option<u64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)?.parse().ok()
}

/// How busy the machine is, as it says itself: runnable tasks over 1, 5 and 15 minutes.
#[must_use]
pub fn busy() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}
