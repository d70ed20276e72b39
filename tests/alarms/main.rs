//! Who is called for nothing, and who is not called: clumsy but lawful hands, and offences planted
//! among them. `ADOUBED_GAMES=2000 cargo test --release --test alarms -- --nocapture` measures;
//! without it a few games of each are a test. `ADOUBED_OFFENCE` and `ADOUBED_ROW` choose by name.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and measures")]

mod clocks;
mod confused;
mod forty;
mod lawful;
mod offence;
mod planted;
mod rarer;
mod room;
mod timed;

/// How many games are to be looked at, if somebody measures.
fn games() -> Option<u64> {
    std::env::var("ADOUBED_GAMES").ok().and_then(|it| it.parse().ok())
}
