//! How long a daemon takes to stand where it stood: killed in a hall of 300 boards after six hours
//! of play, it has to understand its journal again before it says where it is, or what came after
//! the last checkpoint.
//!
//! `cargo bench -p adoubed --bench restart`; `-- --boards N --hours N` another hall, `-- --blitz`
//! one game after another in blitz tempo instead of long ones.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use adoubed::config::Config;
use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::lines::virtual_line;
use adoubed::record::checkpoint::{self, Keeper, Memory};
use adoubed::record::journal::{self, Record};
use common::{Daemon, Home, Rounds, Table, busy, in_earnest, number_after};
use eboard::Moment;
use rehearsal::{Clock, Happening, Manner, Pace, Stage, TimeControl};
use shakmaty::Chess;
use witness::{LineNo, TableNo};

const BOARDS: u64 = 300;
const HOURS: u64 = 6;
/// So many tables differ; the others play what one of them plays.
const DIFFERENT: u64 = 12;
/// Restarts of which the quickest counts.
const ROUNDS: usize = 5;
/// Records after the checkpoint: as many as there can be before the next one.
const AFTER: usize = 60_000;
/// More records than the daemon will take in.
const NEVER: u64 = 10_000_000;
/// From one game to the next.
const PAUSE: Duration = Duration::from_secs(90);

fn main() {
    let (boards, hours) = match in_earnest() {
        true => (number_after("--boards"), number_after("--hours")),
        false => (Some(2), Some(1)),
    };
    let (boards, hours) = (boards.unwrap_or(BOARDS), hours.unwrap_or(HOURS));
    let blitz = std::env::args().any(|argument| argument == "--blitz");
    println!("load of the machine before: {}", busy());
    let manner = if blitz { Manner::default() } else { long_games() };
    let records = records(boards, hours, &manner);
    let mut home = Home::new(&[]);
    let (segment, lengths) = write(&home.journal(), &records);
    let checkpoint = keep(&home.journal(), &segment, &records, &lengths);
    let mut table = Table::new(&[
        "boards",
        "hours",
        "control",
        "from",
        "records read",
        "seconds",
        "slowest/fastest",
        "memory, MiB",
    ]);
    // The checkpoint must stay where it is: none is made while it is measured.
    for (from, read, after) in
        [("checkpoint", AFTER.min(records.len()), NEVER), ("journal", records.len(), 0)]
    {
        home.keep(after);
        let (took, memory);
        (home, took, memory) = restarts(home);
        table.row(vec![
            boards.to_string(),
            hours.to_string(),
            manner.control.to_string(),
            from.to_owned(),
            read.to_string(),
            format!("{:.2}", took.best()),
            format!("{:.2}", took.spread()),
            (memory >> 10).to_string(),
        ]);
    }
    println!("load of the machine after: {}", busy());
    let bytes = std::fs::metadata(&segment).expect("a file").len();
    println!("a journal of {} MiB; {checkpoint}", bytes >> 20);
    table.print("From the start of the program to its addresses, after a kill");
}

/// Makes a checkpoint so long before the end of the record, and tells what that took.
fn keep(directory: &Path, segment: &Path, records: &[Record], lengths: &[u64]) -> String {
    let before = records.len() - AFTER.min(records.len());
    let mut memory = Memory::new(Config::default().time_sheet_every());
    let mut acts = Vec::new();
    for (at, entry) in &records[..before] {
        memory.enter(*at, entry, &mut acts);
    }
    let freeze = || {
        let Memory { works, sheet, last_line, closed } = &memory;
        checkpoint::freeze(works, sheet, *last_line, closed).expect("what can be kept")
    };
    let encode = || freeze().encode().expect("what can be kept");
    let (mut encoding, mut decoding) = (Rounds::default(), Rounds::default());
    let state = encode();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        assert!(encode() == state, "the same, kept again");
        encoding.add(began.elapsed());
        let began = Instant::now();
        drop(checkpoint::decode(&state).expect("what was kept"));
        decoding.add(began.elapsed());
    }
    let keeper = Keeper::start(directory, Duration::ZERO).expect("a thread");
    let offset = lengths[..before].iter().sum();
    keeper.mark(freeze())(segment, offset);
    keeper.close();
    format!(
        "a checkpoint of {} KiB, made in {:.1} ms (slowest {:.1}), read in {:.1} ms",
        state.len() >> 10,
        encoding.best() * 1000.0,
        encoding.best() * encoding.spread() * 1000.0,
        decoding.best() * 1000.0,
    )
}

fn long_games() -> Manner {
    let seconds = Duration::from_secs;
    let control = TimeControl::new(5400, 30);
    Manner { control, think: (seconds(5), seconds(120)), ..Manner::default() }
}

/// Kills and starts it, again and again, and tells the memory of the last.
fn restarts(mut home: Home) -> (Home, Rounds, u64) {
    let (mut took, mut memory) = (Rounds::default(), 0);
    for _ in 0..if in_earnest() { ROUNDS } else { 1 } {
        let began = Instant::now();
        let daemon = Daemon::at(home);
        took.add(began.elapsed());
        memory = daemon.memory();
        home = daemon.kill();
    }
    (home, took, memory)
}

/// What a hall has told a daemon that was killed at the end of it.
fn records(boards: u64, hours: u64, manner: &Manner) -> Vec<Record> {
    let end = Moment::ZERO + Duration::from_secs(hours * 3600);
    let different: Vec<_> = (0..DIFFERENT.min(boards)).map(|it| day(it, end, manner)).collect();
    let watch = Watch { time_control: manner.control.to_string(), ..Watch::default() };
    let port = |number: u32| format!("line {number}");
    let boards = 1..=u32::try_from(boards).expect("fewer boards than that");
    let tables = boards.clone().map(|number| {
        TableEntry::at(TableNo::new(number), &port(number), dgt::DRIVER.name, &watch)
    });
    let plan = Plan { tables: tables.collect(), watch: watch.clone(), ..Plan::default() };
    let mut records = vec![(Moment::ZERO, Entry::Planned(Box::new(plan)))];
    for (number, day) in boards.zip(different.iter().cycle()) {
        let id = LineId::at(&port(number));
        // Tables do not tick together.
        let later = Duration::from_millis(u64::from(number) * 7);
        records.push((Moment::ZERO + later, Entry::Opened(LineNo::new(number), id)));
        records.extend(day.iter().filter_map(|(at, entry)| match entry {
            Entry::Bytes(_, bytes) => {
                Some((*at + later, Entry::Bytes(LineNo::new(number), bytes.clone())))
            }
            _ => None,
        }));
    }
    records.sort_by_key(|(at, _)| *at);
    records
}

/// Game after game at one table.
fn day(table: u64, end: Moment, manner: &Manner) -> Vec<Record> {
    let mut happenings: Vec<(Moment, Happening)> = Vec::new();
    let mut begin = Moment::ZERO + Duration::from_secs(3);
    for game in 0.. {
        let seed = table * 1000 + game;
        let performance =
            rehearsal::perform(&rehearsal::random_game(seed, 160, Chess::default()), manner, seed);
        let mut stage = Stage::of(begin, performance, Clock::new(manner.control), Pace::real());
        while let Some(at) = stage.next().filter(|_| !stage.over()) {
            if at > end {
                return virtual_line::heard(&dgt::DRIVER, happenings, end, LineNo::new(1));
            }
            happenings.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
            begin = at + PAUSE;
        }
    }
    unreachable!("a day ends")
}

/// The segment, and the length of each record in it.
fn write(directory: &Path, records: &[Record]) -> (PathBuf, Vec<u64>) {
    std::fs::create_dir_all(directory).expect("a directory");
    let day = adoubed::time::wall_now().pgn_date().replace('.', "-");
    let path = directory.join(format!("journal-000001-{day}.log"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut lengths = Vec::new();
    for record in records {
        let bytes = journal::encode(record).expect("a short record");
        file.write_all(&bytes).expect("room on the disk");
        lengths.push(bytes.len() as u64);
    }
    file.into_inner().expect("room on the disk").sync_all().expect("a disk");
    (path, lengths)
}
