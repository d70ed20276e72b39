//! How fast bytes become frames, sightings, moves and messages, in process and on one core: those
//! of recordings, of boards that can be asked for their squares, and of a clock that counts while
//! nobody moves. Each row does all that the row above it does, so a ratio of two rows is what the
//! step costs.
//!
//! `cargo bench -p adoubed --bench replay` measures time, the best of several rounds; with
//! `-- --callgrind` it counts instructions under valgrind instead, which no neighbour disturbs.
//! `-- --hash` prints a hash of every message, by which two builds can be compared. `cargo test`
//! holds the instructions against what they may be ([`counts`]).

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

#[path = "../common/mod.rs"]
mod common;
mod counts;
mod depth;
mod samples;

use std::hint::black_box;
use std::time::Instant;

use common::{Rounds, Table, in_earnest, number_after, ratio};
use counts::collected;
use depth::{Depth, hash};
use samples::{Kind, Sample};

/// Rounds of which the best counts.
const ROUNDS: usize = 9;
/// Messages of a round, about.
const MESSAGES: u64 = 190_000;
/// The same under valgrind.
const MESSAGES_COUNTED: u64 = 25_000;
/// Messages a second that are aimed at: ten times the best of a peer in Java, on one thread.
const GOAL: f64 = 4.0e6;

fn main() {
    let argument = |name: &str| std::env::args().any(|argument| argument == name);
    let depth = Depth::ALL.into_iter().find(|depth| argument(depth.name()));
    let only = Kind::ALL.into_iter().find(|kind| argument(kind.name()));
    if !in_earnest() && depth.is_none() && only.is_none() {
        return counts::hold();
    }
    for kind in only.map_or(Kind::ALL.to_vec(), |only| vec![only]) {
        let samples = kind.samples(argument(counts::HELD));
        if let Some(depth) = depth {
            let times = number_after(depth.name()).unwrap_or(1);
            black_box(counts::counted_part(depth, &samples, times));
            println!("{}", messages(&samples, times));
        } else if argument("--callgrind") {
            count(kind, &samples);
        } else if argument("--hash") {
            println!("{}: {:016x}", kind.name(), hash(&samples));
        } else {
            measure(kind, &samples);
        }
    }
}

/// By the clock: every round measures every depth, so that a noisy minute hits them all.
fn measure(kind: Kind, samples: &[Sample]) {
    let (rounds, times) = (ROUNDS, times_for(samples, MESSAGES));
    let mut took = Depth::ALL.map(|_| Rounds::default());
    for _ in 0..rounds {
        for (depth, took) in Depth::ALL.into_iter().zip(&mut took) {
            let began = Instant::now();
            black_box(counts::counted_part(depth, samples, times));
            took.add(began.elapsed());
        }
    }
    let all = number(messages(samples, times));
    let mut table = Table::new(&[
        "bytes become",
        "million messages/s",
        "ns each",
        "by the row above",
        "by the goal",
        "slowest/fastest round",
    ]);
    let mut above = None;
    for (depth, took) in Depth::ALL.into_iter().zip(&took) {
        let rate = all / took.best();
        table.row(vec![
            depth.name().to_owned(),
            format!("{:.2}", rate / 1e6),
            format!("{:.0}", 1e9 / rate),
            above.map_or_else(String::new, |above| ratio(rate, above)),
            ratio(rate, GOAL),
            format!("{:.2}", took.spread()),
        ]);
        above = Some(rate);
    }
    table.print(&title(kind, samples, &format!("best of {rounds} rounds of {times} times")));
}

/// By instructions.
fn count(kind: Kind, samples: &[Sample]) {
    let times = times_for(samples, MESSAGES_COUNTED).to_string();
    let mut table = Table::new(&[
        "bytes become",
        "instructions/message",
        "by the row above",
        "publishing alone",
    ]);
    let (mut above, mut unpublished) = (None, None);
    for depth in Depth::ALL {
        let each = collected(&[depth.name(), &times, kind.name()]).expect("valgrind counts");
        table.row(vec![
            depth.name().to_owned(),
            format!("{each:.0}"),
            above.map_or_else(String::new, |above| ratio(each, above)),
            unpublished.map_or_else(String::new, |moves: f64| format!("{:.0}", each - moves)),
        ]);
        above = Some(each);
        if depth == Depth::Moves {
            unpublished = above;
        }
    }
    table.print(&title(kind, samples, "instructions under callgrind"));
}

fn title(kind: Kind, samples: &[Sample], how: &str) -> String {
    let names: Vec<_> = samples.iter().map(|sample| &*sample.name).collect();
    let (names, messages) = (names.join(", "), messages(samples, 1));
    format!("Replay of {} ({names}), {messages} messages; {how}", kind.name())
}

/// How often these are played for about so many messages.
fn times_for(samples: &[Sample], wanted: u64) -> u64 {
    (wanted / messages(samples, 1)).max(1)
}

fn messages(samples: &[Sample], times: u64) -> u64 {
    samples.iter().map(|sample| sample.messages).sum::<u64>() * times
}

#[allow(clippy::cast_precision_loss, reason = "some millions")]
fn number(count: u64) -> f64 {
    count as f64
}
