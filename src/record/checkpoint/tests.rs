//! A checkpoint restores the state, or it is not used: if it is damaged, of another build, or ahead
//! of its journal.

use std::fs::OpenOptions;

use eboard::Moment;
use witness::LineNo;

use super::*;
use crate::entry::{Entry, LineId};
use crate::lines::virtual_line;
use crate::record::journal::{self, Journal, Record};

const HALF_HOUR: Duration = Duration::from_secs(1800);
const DAY: &str = "2026.11.20";

/// Some moves on a board, and a piece that is touched and put back.
fn game() -> Vec<Record> {
    let script = "+5 e2^ e4v | e7^ e5v | g1^ +2 g1v b1^ c3v | g8^ f6v | +3 f1^ f6v | +9";
    let script = rehearsal::parse(script).unwrap();
    let id = LineId::at("virtual");
    let head = [Entry::Planned(Box::default()), Entry::Wall(5), Entry::Opened(LineNo::new(7), id)];
    let head = head.into_iter().map(|entry| (Moment::ZERO, entry));
    let heard = virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(7));
    head.chain(heard).collect()
}

fn memory(records: &[Record]) -> Memory {
    let mut memory = Memory::new(HALF_HOUR);
    for (at, entry) in records {
        memory.enter(*at, entry, &mut Vec::new());
    }
    memory
}

fn taken(memory: &Memory) -> Frozen {
    freeze(&memory.works, &memory.sheet, memory.last_line, &memory.closed).unwrap()
}

fn state(memory: &Memory) -> Vec<u8> {
    taken(memory).encode().unwrap()
}

/// A journal of a game, and a checkpoint after this many of its records.
fn kept(directory: &Path, records: &[Record], after: usize) {
    let keeper = Keeper::start(directory, Duration::ZERO).unwrap();
    let mut journal = Journal::open(directory, DAY, Duration::from_millis(5)).unwrap();
    for (index, (at, entry)) in records.iter().enumerate() {
        if index == after {
            journal.mark(keeper.mark(taken(&memory(&records[..after]))));
        }
        journal.append(*at, entry.clone());
    }
    journal.close();
    keeper.close();
}

fn found(directory: &Path) -> Option<Found> {
    newest(directory, &journal::recent(directory).unwrap(), HALF_HOUR)
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut numbers = numbers(directory).unwrap();
    numbers.sort_unstable();
    numbers.into_iter().map(|number| path(directory, number)).collect()
}

#[test]
fn a_checkpoint_and_the_records_after_it_are_the_whole_journal() {
    let records = game();
    let whole = state(&memory(&records));
    for after in [1, 3, records.len() / 2, records.len() - 1] {
        let directory = tempfile::tempdir().unwrap();
        kept(directory.path(), &records, after);
        let mut found = found(directory.path()).unwrap();
        let rest = journal::read_from(&found.segment, found.offset).unwrap().records;
        assert_eq!(rest, records[after..]);
        for (at, entry) in &rest {
            found.memory.enter(*at, entry, &mut Vec::new());
        }
        assert!(state(&found.memory) == whole, "after {after} records");
        assert_eq!(found.memory.last_line, LineNo::new(7));
    }
}

#[test]
fn it_stands_where_the_segment_that_is_written_had_come_to() {
    let (directory, records) = (tempfile::tempdir().unwrap(), game());
    let keeper = Keeper::start(directory.path(), Duration::ZERO).unwrap();
    let mut journal = Journal::open(directory.path(), DAY, Duration::from_millis(5)).unwrap();
    journal.append(records[0].0, records[0].1.clone());
    journal.begin("2026.11.21");
    journal.append(records[1].0, records[1].1.clone());
    journal.mark(keeper.mark(taken(&memory(&records[..2]))));
    journal.append(records[2].0, records[2].1.clone());
    journal.close();
    keeper.close();
    let found = found(directory.path()).unwrap();
    assert_eq!(found.segment, journal::segments(directory.path()).unwrap()[1]);
    let rest = journal::read_from(&found.segment, found.offset).unwrap().records;
    assert_eq!(rest, records[2..3]);
}

#[test]
fn the_two_newest_are_left_and_the_newest_that_can_be_used_is() {
    let (directory, records) = (tempfile::tempdir().unwrap(), game());
    for after in [3, 5, 7] {
        kept(directory.path(), &records, after);
    }
    let files = files(directory.path());
    let names: Vec<_> = files.iter().map(|it| it.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["checkpoint-000002.bin", "checkpoint-000003.bin"]);
    let newest = found(directory.path()).unwrap();
    fs::write(&files[1], b"something else").unwrap();
    let older = found(directory.path()).unwrap();
    assert!(older.offset < newest.offset);
    assert!(state(&older.memory) == state(&memory(&records[..5])));
}

#[test]
fn one_that_knows_more_than_its_journal_is_not_used() {
    let (directory, records) = (tempfile::tempdir().unwrap(), game());
    kept(directory.path(), &records, records.len() / 2);
    let Found { segment, offset, .. } = found(directory.path()).unwrap();
    let length = fs::metadata(&segment).unwrap().len();
    let cut = OpenOptions::new().write(true).open(&segment).unwrap();
    cut.set_len(offset - 1).unwrap();
    assert!(found(directory.path()).is_none());
    // The file is as long as before, but its end is different.
    cut.set_len(length).unwrap();
    assert!(found(directory.path()).is_none());
    fs::remove_file(&segment).unwrap();
    assert!(found(directory.path()).is_none());
}

#[test]
fn one_of_another_build_or_for_other_time_sheets_is_not_used() {
    let (directory, records) = (tempfile::tempdir().unwrap(), game());
    kept(directory.path(), &records, 5);
    let segments = journal::recent(directory.path()).unwrap();
    assert!(newest(directory.path(), &segments, HALF_HOUR * 2).is_none());
    assert!(newest(directory.path(), &segments, HALF_HOUR).is_some());
    let file = &files(directory.path())[0];
    let (bytes, build) = (fs::read(file).unwrap(), BUILD.as_bytes());
    let at = bytes.windows(build.len()).position(|it| it == build).unwrap();
    let mut other = bytes[..bytes.len() - 4].to_vec();
    other[at] ^= 1;
    other.extend(crc32fast::hash(&other).to_le_bytes());
    fs::write(file, other).unwrap();
    assert!(matches!(read(file, &segments, HALF_HOUR), Err(Unusable::OtherBuild)));
}

#[test]
fn wherever_it_is_damaged_it_is_not_used() {
    let (directory, records) = (tempfile::tempdir().unwrap(), game());
    kept(directory.path(), &records, records.len() / 2);
    let bytes = fs::read(&files(directory.path())[0]).unwrap();
    assert!(parts(&bytes).is_ok());
    for at in 0..bytes.len() {
        assert!(matches!(parts(&bytes[..at]), Err(Unusable::Damaged)), "cut at {at}");
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(matches!(parts(&bytes), Err(Unusable::Damaged)), "changed at {at}");
    }
}

/// Damage that the checksum misses must neither end the program nor exhaust the memory.
#[test]
fn any_other_bytes_are_read_without_harm() {
    let records = game();
    let state = state(&memory(&records[..records.len() / 2]));
    proptest::proptest!(|(damage in proptest::collection::vec((0..state.len(), 0u8..), 1..6),
                         cut in 0..state.len() * 2)| {
        let mut bytes = state.clone();
        for (at, byte) in damage {
            bytes[at] = byte;
        }
        bytes.truncate(cut);
        // It gives an error or another hall. A false length must not be believed.
        let _ = decode(&bytes);
    });
    for at in 0..state.len() {
        assert!(decode(&state[..at]).is_err(), "cut at {at} it is still a hall");
        for byte in [0, 0x7f, 250, 251, 252, 253, 254, 255] {
            let mut bytes = state.clone();
            bytes[at] = byte;
            let _ = decode(&bytes);
        }
    }
}

#[test]
fn a_state_that_waits_makes_the_keeper_busy_until_it_is_given_up() {
    let place = tempfile::tempdir().unwrap();
    let keeper = Keeper::start(place.path(), Duration::ZERO).unwrap();
    let records = game();
    let given_up = keeper.mark(taken(&memory(&records)));
    assert!(keeper.is_busy());
    drop(given_up);
    assert!(!keeper.is_busy());
}
