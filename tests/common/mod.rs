//! What tests of the whole program share: a daemon in a house of its own, boards under hands,
//! clients of the feed and judges from elsewhere. It tests nothing itself.

#![allow(dead_code, reason = "each test uses its own part")]

mod board;
mod certificate;
mod daemon;
mod feed;
mod game;
pub mod gate;
mod house;
pub mod http;
mod judge;
mod program;
mod seed;
mod stand_in;
mod watched;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

pub use board::{Board, Face};
pub use certificate::{Organizer, ask_encrypted, believing};
pub use daemon::Daemon;
pub use feed::{Feed, Heard, under};
pub use game::{Game, Gesture, LONG_GAME_TIME, Step, long_game};
pub use house::House;
pub use http::{Reply, get, post, request};
pub use judge::{Judge, Mosquitto, judges};
pub use program::{Outcome, adoubed, alone, ended, finish, here, password_hash};
pub use seed::Seed;
pub use stand_in::{Doing, Posted, StandIn};
pub use watched::Watched;

/// The longest anything may take before a test gives up: what a test waits for comes at once, but
/// for what a broker or a disk takes its time for on a machine that others keep busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Where boards and clients live; tests themselves are plain threads.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(2).thread_name("around").enable_all().build().expect("a runtime")
});

/// Recordings that are not part of this repository, where they are at hand.
pub fn recordings() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let data = std::env::var_os("ADOUBED_DATA").map_or(beside, PathBuf::from);
    data.is_dir().then_some(data)
}

/// Says loudly that something could not be proven here: past the hand that the test runner holds
/// over the words of tests that pass.
pub fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// A DGT board with the pieces set up at table 1, of which `more` is said; and the arbiter.
pub fn one_table(house: &mut House, more: &str) -> (Board, Daemon, Feed) {
    house.table(1, &format!("driver = \"dgt\"\n{more}"));
    let board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "the pieces", |it| it["phase"] == "ready");
    (board, daemon, arbiter)
}
