//! What a board costs: processor time and resident memory of the daemon with 256 boards in blitz
//! tempo, beside an idle daemon without boards that is watched during the same seconds.
//!
//! `cargo bench -p adoubed --bench load`; `-- --boards N` another hall, `-- --seconds N` a round.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Daemon, Hall, Table, busy, in_earnest, number_after, ratio};

const BOARDS: u64 = 256;
/// Rounds of which the cheapest counts, and the seconds of each.
const ROUNDS: usize = 3;
const SECONDS: u64 = 20;
/// Boards are found and set up after this, and in the middle of their games after it once more.
const SETTLING: Duration = Duration::from_secs(12);
const COLUMNS: [&str; 7] = [
    "daemon",
    "% of a core",
    "dearest/cheapest round",
    "% per board",
    "memory, MiB",
    "KiB per board",
    "messages/s heard",
];

fn main() {
    let (boards, seconds) = match in_earnest() {
        true => (number_after("--boards"), number_after("--seconds")),
        false => (Some(4), Some(1)),
    };
    let boards = u32::try_from(boards.unwrap_or(BOARDS)).expect("fewer boards than that");
    let round = Duration::from_secs(seconds.unwrap_or(SECONDS));
    println!("load of the machine before: {}", busy());
    let idle = Daemon::start(&[]);
    let hall = Hall::open(boards, |_| {});
    let daemon = Daemon::start(&hall.lines());
    let game = hall.live();
    thread::sleep(SETTLING);
    game.begin();
    thread::sleep(SETTLING);

    let mut table = Table::new(&COLUMNS);
    let heard = Arc::new(AtomicU64::new(0));
    let [idly, alone] = watch([&idle, &daemon], round, &heard);
    idly.row("no boards", None, &mut table);
    alone.row(&format!("{boards} boards"), Some((boards, &idly)), &mut table);

    let counted = Arc::clone(&heard);
    common::listen(daemon.feed, &daemon.arbiter(), &["adoubed/v1/#"], move |_, _, _| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let [idly, listened] = watch([&idle, &daemon], round, &heard);
    listened.row(&format!("{boards} boards, one hears all"), Some((boards, &idly)), &mut table);
    println!("load of the machine after: {}", busy());
    table.print("What boards cost");
}

/// What one daemon took over several rounds.
#[derive(Default)]
struct Cost {
    /// Of each round: processor time by time passed.
    shares: Vec<f64>,
    /// In KiB, at the end.
    memory: f64,
    /// Messages a second, over all rounds.
    heard: f64,
}

fn watch(daemons: [&Daemon; 2], round: Duration, heard: &AtomicU64) -> [Cost; 2] {
    let mut costs = [Cost::default(), Cost::default()];
    let (began, heard_before) = (Instant::now(), heard.load(Ordering::Relaxed));
    for _ in 0..ROUNDS {
        let before = daemons.map(|daemon| (Instant::now(), daemon.processor()));
        thread::sleep(round);
        for ((cost, daemon), (at, used)) in costs.iter_mut().zip(daemons).zip(before) {
            let used = (daemon.processor() - used).as_secs_f64();
            cost.shares.push(used / at.elapsed().as_secs_f64());
        }
    }
    let heard = heard.load(Ordering::Relaxed) - heard_before;
    for (cost, daemon) in costs.iter_mut().zip(daemons) {
        cost.memory = float(daemon.memory());
        cost.heard = float(heard) / began.elapsed().as_secs_f64();
    }
    costs
}

impl Cost {
    fn cheapest(&self) -> f64 {
        self.shares.iter().copied().fold(f64::INFINITY, f64::min) * 100.0
    }

    fn dearest(&self) -> f64 {
        self.shares.iter().copied().fold(0.0, f64::max) * 100.0
    }

    /// With so many boards, and what a daemon without any took in the same rounds.
    fn row(&self, name: &str, boards: Option<(u32, &Self)>, table: &mut Table) {
        let each = |figure: fn(&Self) -> f64| {
            boards.map(|(boards, idle)| (figure(self) - figure(idle)) / f64::from(boards))
        };
        let (share, memory) = (each(Self::cheapest), each(|cost| cost.memory));
        let written = |figure: Option<f64>, digits: usize| {
            figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
        };
        table.row(vec![
            name.to_owned(),
            format!("{:.2}", self.cheapest()),
            boards.map_or_else(String::new, |_| ratio(self.dearest(), self.cheapest())),
            written(share, 3),
            format!("{:.1}", self.memory / 1024.0),
            written(memory, 0),
            boards.map_or_else(String::new, |_| format!("{:.0}", self.heard)),
        ]);
    }
}

fn float(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
