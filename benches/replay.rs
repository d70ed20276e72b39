//! How fast recordings become frames, sightings, moves and messages, in process and on one core.
//! Each row does all that the row above it does, so a ratio of two rows is what the step costs.
//!
//! `cargo bench -p adoubed --bench replay` measures time, the best of several rounds; with
//! `-- --callgrind` it counts instructions under valgrind instead, which no neighbour disturbs.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use adoubed::config::Config;
use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::mqtt::snapshot::Snapshot;
use adoubed::publish::Publisher;
use adoubed::time::{Anchor, WallTime};
use adoubed::works::{Act, Works};
use common::{Recording, Rounds, Table, in_earnest, number_after, ratio, recordings};
use dgt::Decoder;
use eboard::{Input, Moment};
use futures_util::FutureExt as _;

/// Rounds of which the best counts.
const ROUNDS: usize = 9;
/// How often all recordings are played in a round.
const TIMES: u64 = 150;
/// The same under valgrind, where the same is done again twice as often.
const TIMES_COUNTED: u64 = 20;
/// Entries a daemon that is behind takes in one round.
const ROUND: usize = 512;
/// Messages a second that are aimed at: ten times the best of a peer in Java, on one thread.
const GOAL: f64 = 4.0e6;

/// How far the bytes go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Cut into frames.
    Frames,
    /// A whole conversation: sightings, and what is to be sent.
    Sightings,
    /// Through the works: moves, incidents, results. What `replay` does before it prints.
    Moves,
    /// And every message made that is to go out, as by a daemon behind with its work: together
    /// for as many entries as it takes in a round.
    Rounds,
    /// The same as by a daemon that keeps up: for each entry by itself.
    Messages,
}

impl Depth {
    const ALL: [Self; 5] =
        [Self::Frames, Self::Sightings, Self::Moves, Self::Rounds, Self::Messages];

    const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Sightings => "sightings",
            Self::Moves => "moves",
            Self::Rounds => "messages-by-round",
            Self::Messages => "messages",
        }
    }

    fn play(self, piece: &Piece) -> u64 {
        match self {
            Self::Frames => frames(piece),
            Self::Sightings => sightings(piece),
            Self::Moves => moves(piece),
            Self::Rounds => messages(piece, ROUND),
            Self::Messages => messages(piece, 1),
        }
    }
}

/// A recording made ready, so that only the work itself is measured.
struct Piece {
    recording: Recording,
    entries: Vec<(Moment, Entry)>,
}

fn main() {
    let pieces: Vec<_> = recordings().into_iter().map(Piece::new).collect();
    let argument = |name: &str| std::env::args().any(|argument| argument == name);
    if let Some(depth) = Depth::ALL.into_iter().find(|depth| argument(depth.name())) {
        let times = number_after(depth.name()).unwrap_or(1);
        black_box(repeat(depth, &pieces, times));
    } else if argument("--callgrind") {
        count(&pieces);
    } else {
        measure(&pieces);
    }
}

fn repeat(depth: Depth, pieces: &[Piece], times: u64) -> u64 {
    (0..times).flat_map(|_| pieces).map(|piece| depth.play(black_box(piece))).sum()
}

/// By the clock: every round measures every depth, so that a noisy minute hits them all.
fn measure(pieces: &[Piece]) {
    let (rounds, times) = if in_earnest() { (ROUNDS, TIMES) } else { (1, 1) };
    let mut took = Depth::ALL.map(|_| Rounds::default());
    for _ in 0..rounds {
        for (depth, took) in Depth::ALL.into_iter().zip(&mut took) {
            let began = Instant::now();
            black_box(repeat(depth, pieces, times));
            took.add(began.elapsed());
        }
    }
    let all = total(pieces, times);
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
    table.print(&title(pieces, &format!("best of {rounds} rounds of {times} times")));
}

/// By instructions: what is counted twice as often costs twice as much, but for the start-up.
fn count(pieces: &[Piece]) {
    let mut table = Table::new(&[
        "bytes become",
        "instructions/message",
        "by the row above",
        "publishing alone",
    ]);
    let (mut above, mut unpublished) = (None, None);
    for depth in Depth::ALL {
        let (once, twice) = (collected(depth, TIMES_COUNTED), collected(depth, 2 * TIMES_COUNTED));
        let each = (twice - once) / total(pieces, TIMES_COUNTED);
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
    table.print(&title(pieces, "instructions under callgrind, start-up taken off"));
}

/// Instructions of this program playing everything so many times.
fn collected(depth: Depth, times: u64) -> f64 {
    let itself = std::env::current_exe().expect("a program knows where it lies");
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(itself)
        .args([depth.name(), &times.to_string()])
        .output()
        .expect("valgrind is installed");
    let words = String::from_utf8_lossy(&valgrind.stderr);
    let counted = words.lines().find_map(|line| line.split_once("Collected : "));
    let counted = counted.and_then(|(_, count)| count.trim().parse().ok());
    counted.unwrap_or_else(|| panic!("callgrind counted nothing:\n{words}"))
}

fn title(pieces: &[Piece], how: &str) -> String {
    let names: Vec<_> = pieces
        .iter()
        .map(|piece| format!("{} ({} messages)", piece.recording.name, piece.recording.messages))
        .collect();
    format!("Replay of {}; {how}", names.join(", "))
}

#[allow(clippy::cast_precision_loss, reason = "some millions")]
fn total(pieces: &[Piece], times: u64) -> f64 {
    (pieces.iter().map(|piece| piece.recording.messages).sum::<u64>() * times) as f64
}

impl Piece {
    fn new(recording: Recording) -> Self {
        let watch = Watch::default();
        let port = "recording".to_owned();
        let table = TableEntry::at(1, &port, dgt::DRIVER.name, &watch);
        let id = LineId::at(&port);
        let plan = Plan { tables: vec![table], watch, ..Plan::default() };
        let mut entries = vec![
            (Moment::ZERO, Entry::Planned(Box::new(plan))),
            (Moment::ZERO, Entry::Opened(1, id)),
        ];
        let reads = recording.reads.iter();
        entries.extend(reads.map(|(at, bytes)| (*at, Entry::Bytes(1, bytes.clone()))));
        Self { recording, entries }
    }
}

fn frames(piece: &Piece) -> u64 {
    let mut decoder = Decoder::default();
    let mut heard = 0;
    for (_, bytes) in &piece.recording.reads {
        decoder.feed(bytes, |frame| {
            black_box(frame);
            heard += 1;
        });
    }
    heard
}

fn sightings(piece: &Piece) -> u64 {
    let mut host = (dgt::DRIVER.converse)();
    let mut answers = Vec::new();
    let mut heard = 0;
    host.handle(Moment::ZERO, Input::Opened, &mut answers);
    for (at, bytes) in &piece.recording.reads {
        while let Some((due, _)) = host.deadline().filter(|(due, _)| due <= at) {
            host.handle(due, Input::Due, &mut answers);
        }
        host.handle(*at, Input::Bytes(bytes), &mut answers);
        heard += black_box(&answers).len() as u64;
        answers.clear();
    }
    heard
}

fn moves(piece: &Piece) -> u64 {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let mut acts = Vec::new();
    let mut done = 0;
    for (at, entry) in &piece.entries {
        works.enter(*at, entry, &mut acts);
        done += black_box(&acts).len() as u64;
        acts.clear();
    }
    done
}

fn messages(piece: &Piece, round: usize) -> u64 {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let snapshot = Arc::new(Snapshot::default());
    let anchor = Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(0) };
    let rooms = (Arc::clone(&snapshot), Arc::default());
    let mut publisher = Publisher::new(rooms, Config::default(), anchor, String::new());
    let mut acts = Vec::new();
    let mut bytes = 0;
    for entries in piece.entries.chunks(round) {
        for (at, entry) in entries {
            works.enter(*at, entry, &mut acts);
            for act in acts.drain(..) {
                match act {
                    Act::Table(at, table, effect) => publisher.effect(&works, at, table, effect),
                    Act::Recognised(line) => publisher.recognised(&works, line),
                    _ => {}
                }
            }
        }
        publisher.draw(&works);
        publisher.release();
        while let Some(message) = snapshot.next().now_or_never() {
            bytes += size(&message);
        }
    }
    bytes
}

fn size(message: &adoubed::mqtt::snapshot::Message) -> u64 {
    use adoubed::mqtt::snapshot::Message;
    match black_box(message) {
        Message::Ours(_, payload) => payload.len() as u64,
        Message::Reply(reply) => reply.payload.len() as u64,
    }
}
