//! How fast bytes become frames, sightings, moves and messages, in process and on one core: those
//! of recordings, of boards that can be asked for their squares, and of a clock that counts while
//! nobody moves. Each row does all that the row above it does, so a ratio of two rows is what the
//! step costs.
//!
//! `cargo bench -p adoubed --bench replay` measures time, the best of several rounds; with
//! `-- --callgrind` it counts instructions under valgrind instead, which no neighbour disturbs.
//! `-- --hash` prints a hash of every message, by which two builds can be compared.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::hash::{DefaultHasher, Hasher as _};
use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adoubed::config::Config;
use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::lines::virtual_line;
use adoubed::mqtt::snapshot::{Message, Snapshot};
use adoubed::mqtt::speaker::Speaker;
use adoubed::publish::Publisher;
use adoubed::time::{Anchor, WallTime};
use adoubed::works::{Act, Works};
use common::{Rounds, Table, in_earnest, number_after, ratio, recordings};
use dgt::Decoder;
use eboard::{Input, Moment};
use futures_util::FutureExt as _;
use rehearsal::{Clock, Manner, Pace, Stage, TimeControl};
use shakmaty::Chess;
use witness::{LineNo, TableNo};

/// Rounds of which the best counts.
const ROUNDS: usize = 9;
/// Messages of a round, about.
const MESSAGES: u64 = 190_000;
/// The same under valgrind, where the same is done again twice as often.
const MESSAGES_COUNTED: u64 = 25_000;
/// Simulated games of clumsy hands.
const GAMES: u64 = 12;
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

/// Whose bytes are played.
#[derive(Clone, Copy)]
enum Kind {
    /// Boards that were recorded. Nobody answers what they are asked.
    Recordings,
    /// Boards that are asked for their squares, under clumsy hands.
    Answering,
    /// A clock that counts while nobody moves.
    Seconds,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Recordings, Self::Answering, Self::Seconds];

    const fn name(self) -> &'static str {
        match self {
            Self::Recordings => "recordings",
            Self::Answering => "answering",
            Self::Seconds => "seconds",
        }
    }

    fn pieces(self) -> Vec<Piece> {
        let seconds = Duration::from_secs;
        match self {
            Self::Recordings => {
                let recordings = recordings().into_iter();
                recordings.map(|it| Piece::new(it.name, it.reads, &Watch::default())).collect()
            }
            Self::Answering => (1..=GAMES)
                .map(|seed| played(&format!("game {seed}"), &Manner::clumsy(), (seed, 160)))
                .collect(),
            Self::Seconds => {
                let control = TimeControl::new(7200, 0);
                let think = (seconds(3500), seconds(3500));
                vec![played("two hours", &Manner { control, think, ..Manner::default() }, (1, 2))]
            }
        }
    }
}

/// What the board reports of one game that is played on it.
fn played(name: &str, manner: &Manner, (seed, plies): (u64, usize)) -> Piece {
    let game = rehearsal::random_game(seed, plies, Chess::default());
    let performance = rehearsal::perform(&game, manner, seed);
    let begin = Moment::ZERO + Duration::from_secs(3);
    let mut stage = Stage::of(begin, performance, Clock::new(manner.control), Pace::real());
    let (mut happenings, mut end) = (Vec::new(), begin);
    while let Some(at) = stage.next().filter(|_| !stage.over()) {
        happenings.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at + Duration::from_secs(1);
    }
    let heard = virtual_line::heard(&dgt::DRIVER, happenings, end, LineNo::new(1));
    let reads = heard.into_iter().filter_map(|(at, entry)| match entry {
        Entry::Bytes(_, bytes) => Some((at, bytes)),
        _ => None,
    });
    let watch = Watch { time_control: manner.control.to_string(), ..Watch::default() };
    Piece::new(name.to_owned(), reads.collect(), &watch)
}

/// Bytes made ready, so that only the work itself is measured.
struct Piece {
    name: String,
    reads: Vec<(Moment, Vec<u8>)>,
    /// The frames in them.
    messages: u64,
    entries: Vec<(Moment, Entry)>,
}

fn main() {
    let argument = |name: &str| std::env::args().any(|argument| argument == name);
    let depth = Depth::ALL.into_iter().find(|depth| argument(depth.name()));
    let only = Kind::ALL.into_iter().find(|kind| argument(kind.name()));
    for kind in only.map_or(Kind::ALL.to_vec(), |only| vec![only]) {
        let pieces = kind.pieces();
        if let Some(depth) = depth {
            let times = number_after(depth.name()).unwrap_or(1);
            black_box(repeat(depth, &pieces, times));
        } else if argument("--callgrind") {
            count(kind, &pieces);
        } else if argument("--hash") {
            println!("{}: {:016x}", kind.name(), hash(&pieces));
        } else {
            measure(kind, &pieces);
        }
    }
}

fn repeat(depth: Depth, pieces: &[Piece], times: u64) -> u64 {
    (0..times).flat_map(|_| pieces).map(|piece| depth.play(black_box(piece))).sum()
}

/// By the clock: every round measures every depth, so that a noisy minute hits them all.
fn measure(kind: Kind, pieces: &[Piece]) {
    let (rounds, times) = if in_earnest() { (ROUNDS, times_for(pieces, MESSAGES)) } else { (1, 1) };
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
    table.print(&title(kind, pieces, &format!("best of {rounds} rounds of {times} times")));
}

/// By instructions: what is counted twice as often costs twice as much, but for the start-up.
fn count(kind: Kind, pieces: &[Piece]) {
    let times = times_for(pieces, MESSAGES_COUNTED);
    let mut table = Table::new(&[
        "bytes become",
        "instructions/message",
        "by the row above",
        "publishing alone",
    ]);
    let (mut above, mut unpublished) = (None, None);
    for depth in Depth::ALL {
        let (once, twice) = (collected(kind, depth, times), collected(kind, depth, 2 * times));
        let each = (twice - once) / total(pieces, times);
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
    table.print(&title(kind, pieces, "instructions under callgrind, start-up taken off"));
}

/// Instructions of this program playing everything so many times.
fn collected(kind: Kind, depth: Depth, times: u64) -> f64 {
    let itself = std::env::current_exe().expect("a program knows where it lies");
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(itself)
        .args([depth.name(), &times.to_string(), kind.name()])
        .output()
        .expect("valgrind is installed");
    let words = String::from_utf8_lossy(&valgrind.stderr);
    let counted = words.lines().find_map(|line| line.split_once("Collected : "));
    let counted = counted.and_then(|(_, count)| count.trim().parse().ok());
    counted.unwrap_or_else(|| panic!("callgrind counted nothing:\n{words}"))
}

fn title(kind: Kind, pieces: &[Piece], how: &str) -> String {
    let names: Vec<_> = pieces.iter().map(|piece| &*piece.name).collect();
    let messages = pieces.iter().map(|piece| piece.messages).sum::<u64>();
    format!("Replay of {} ({}), {messages} messages; {how}", kind.name(), names.join(", "))
}

/// How often these are played for about so many messages.
fn times_for(pieces: &[Piece], messages: u64) -> u64 {
    (messages / pieces.iter().map(|piece| piece.messages).sum::<u64>()).max(1)
}

#[allow(clippy::cast_precision_loss, reason = "some millions")]
fn total(pieces: &[Piece], times: u64) -> f64 {
    (pieces.iter().map(|piece| piece.messages).sum::<u64>() * times) as f64
}

impl Piece {
    fn new(name: String, reads: Vec<(Moment, Vec<u8>)>, watch: &Watch) -> Self {
        let port = "recording".to_owned();
        let table = TableEntry::at(TableNo::new(1), &port, dgt::DRIVER.name, watch);
        let id = LineId::at(&port);
        let plan = Plan { tables: vec![table], watch: watch.clone(), ..Plan::default() };
        let mut entries = vec![
            (Moment::ZERO, Entry::Planned(Box::new(plan))),
            (Moment::ZERO, Entry::Opened(LineNo::new(1), id)),
        ];
        let read = reads.iter();
        entries.extend(read.map(|(at, bytes)| (*at, Entry::Bytes(LineNo::new(1), bytes.clone()))));
        let mut decoder = Decoder::default();
        let mut messages = 0;
        reads.iter().for_each(|(_, bytes)| decoder.feed(bytes, |_| messages += 1));
        Self { name, reads, messages, entries }
    }
}

fn frames(piece: &Piece) -> u64 {
    let mut decoder = Decoder::default();
    let mut heard = 0;
    for (_, bytes) in &piece.reads {
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
    for (at, bytes) in &piece.reads {
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
    let mut bytes = 0;
    publish(piece, round, |message| bytes += payload(black_box(message)).len() as u64);
    bytes
}

fn hash(pieces: &[Piece]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for piece in pieces {
        publish(piece, 1, |message| {
            if let Message::Ours(topic, _) = message {
                hasher.write(topic.to_string().as_bytes());
            }
            hasher.write(payload(message));
        });
    }
    hasher.finish()
}

/// Plays a piece, and publishes after as many entries.
fn publish(piece: &Piece, round: usize, mut take: impl FnMut(&Message)) {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let snapshot = Arc::new(Snapshot::default());
    let anchor = Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(0) };
    let rooms = (Arc::clone(&snapshot), Arc::default());
    let mut publisher = Publisher::new(rooms, Config::default(), anchor, Speaker::default());
    let mut acts = Vec::new();
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
            take(&message);
        }
    }
}

fn payload(message: &Message) -> &[u8] {
    match message {
        Message::Ours(_, payload) => payload,
        Message::Reply(reply) => &reply.payload,
    }
}
