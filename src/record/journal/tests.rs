//! Records are read as they were written, whatever happens to the file.

mod power_cuts;

use witness::LineNo;

use std::io::Read;
use std::os::fd::OwnedFd;

use super::*;
use crate::entry::{Delay, LineId, Plan};
use crate::requests::Request;

fn records() -> Vec<Record> {
    let at = Moment::from_micros;
    let id = LineId { names: vec!["usb".into()], ..LineId::at("/dev/ttyUSB0") };
    let plan = Plan::default();
    let body = serde_json::json!({"alert": "1-1-1"});
    let request = Request::read("acknowledge", body, "Ann");
    vec![
        (at(0), Entry::Planned(Box::new(plan))),
        (at(1), Entry::Wall(-5)),
        (at(2), Entry::Opened(LineNo::new(7), id)),
        (at(3), Entry::Bytes(LineNo::new(7), vec![0x8e, 0, 5, 0x34, 0])),
        (at(4), Entry::Request(request)),
        (at(5), Entry::Shed(LineNo::new(7), 2_000_000)),
        (at(5), Entry::Closed(LineNo::new(7))),
        (at(5), Entry::Delayed(Delay { counted: 5, due: 905, delay_s: 900, delay_moves: 2 })),
    ]
}

#[test]
fn what_is_written_is_read_back_and_the_next_run_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    for round in 1..=2 {
        let mut journal =
            Journal::open(directory.path(), "2026.11.20", Duration::from_millis(5)).unwrap();
        for (at, entry) in records() {
            journal.append(at, entry);
        }
        journal.close();
        let segment = segments(directory.path()).unwrap().remove(0);
        let read = read_all(&segment).unwrap().records;
        let expected: Vec<_> = (0..round).flat_map(|_| records()).collect();
        assert_eq!(read, expected);
    }
}

/// If the program is killed, records in the kernel's hands survive.
/// A busy machine may let the writer wait for longer than publishing waits for it.
fn settled(journal: &mut Journal) {
    let begun = std::time::Instant::now();
    while !journal.settle() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never settles");
    }
}

#[test]
fn what_has_settled_can_be_read_while_the_journal_is_open() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal =
        Journal::open(directory.path(), "2026.11.20", Duration::from_hours(1)).unwrap();
    for round in 1..=200 {
        for (at, entry) in records() {
            journal.append(at, entry);
        }
        settled(&mut journal);
        let segment = segments(directory.path()).unwrap().remove(0);
        assert_eq!(read_all(&segment).unwrap().records.len(), round * records().len());
    }
    journal.begin("2026.11.21");
    settled(&mut journal);
    assert_eq!(names(directory.path()).len(), 2);
}

fn a_pipe(writer: io::PipeWriter) -> Segment {
    Segment { path: PathBuf::new(), file: OwnedFd::from(writer).into(), length: 0 }
}

/// A pipe that is not read takes 64 KiB and then blocks, like a disk that hangs.
#[test]
fn a_disk_that_does_not_answer_is_waited_for_once() {
    let directory = tempfile::tempdir().unwrap();
    let (mut reader, writer) = io::pipe().unwrap();
    let (segment, lock) = (a_pipe(writer), lock(directory.path()).unwrap());
    let flush = Duration::from_hours(1);
    let mut journal =
        Journal::writing(segment, directory.path(), lock, "2026.11.20", flush).unwrap();
    journal.append(Moment::ZERO, Entry::Bytes(LineNo::new(1), vec![7; 1 << 20]));
    assert!(!journal.settle());
    assert!(journal.behind);
    assert!(!journal.settle());
    let length =
        encode(&(Moment::ZERO, Entry::Bytes(LineNo::new(1), vec![7; 1 << 20]))).unwrap().len();
    reader.read_exact(&mut vec![0; length]).unwrap();
    assert!(journal.progress.reaches(1, Duration::from_secs(60)));
    assert!(journal.settle());
    assert!(!journal.behind);
}

#[test]
fn a_disk_that_never_answers_again_is_given_up() {
    let directory = tempfile::tempdir().unwrap();
    let (reader, writer) = io::pipe().unwrap();
    let (segment, lock) = (a_pipe(writer), lock(directory.path()).unwrap());
    let flush = Duration::from_hours(1);
    let mut journal =
        Journal::writing(segment, directory.path(), lock, "2026.11.20", flush).unwrap();
    for _ in 0..QUEUE + 2 * 65_536 {
        journal.append(Moment::ZERO, Entry::Closed(LineNo::new(1)));
    }
    assert!(journal.failed());
    journal.close();
    drop(reader);
}

#[test]
fn a_file_that_is_read_in_small_pieces_has_the_same_content() {
    let encoded: Vec<_> = records().iter().filter_map(encode).collect();
    let whole = encoded.concat().repeat(3);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x41;
        for bytes in [&whole[..at], &damaged] {
            let mut records = Vec::new();
            let content = reading::by_pieces(&mut &*bytes, 5, 16, |it| records.push(it)).unwrap();
            let expected = super::content(bytes, 5);
            assert_eq!(Content { records, ..content }, expected, "byte {at}");
        }
    }
}

#[test]
fn what_another_thread_reads_comes_whole_and_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal-long.log");
    let record = |micros| (Moment::from_micros(micros), Entry::Bytes(LineNo::new(1), vec![7]));
    let written: Vec<_> = (0..40_000).map(record).collect();
    let encoded: Vec<_> = written.iter().filter_map(encode).collect();
    fs::write(&path, encoded.concat()).unwrap();
    let skipped: usize = encoded[..3].iter().map(Vec::len).sum();
    let mut records = Vec::new();
    let content = each_from(&path, skipped as u64, |record| records.push(record)).unwrap();
    assert_eq!(records, written[3..]);
    assert_eq!(content.good, fs::metadata(&path).unwrap().len());
}

#[test]
fn every_torn_tail_keeps_the_whole_records_before_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal-torn.log");
    let encoded: Vec<_> = records().iter().filter_map(encode).collect();
    let whole = encoded.concat();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut ends = encoded.iter().scan(0, |end, record| {
            *end += record.len();
            Some(*end)
        });
        let complete = ends.by_ref().take_while(|end| *end <= cut).count();
        let content = read_all(&path).unwrap();
        assert_eq!(content.records, records()[..complete]);
        assert_eq!(content.good + content.torn, cut as u64);
        assert_eq!(content.missing(), [""; 0], "an unfinished record is no damage");
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal-flip.log");
    let record = encode(&records()[3]).unwrap();
    for bit in 0..record.len() * 8 {
        let mut damaged = record.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &damaged).unwrap();
        let content = read_all(&path).unwrap();
        assert_eq!(content.records, [], "bit {bit}");
        assert!(content.torn > 0);
    }
}

/// Whichever bit of a journal flips, one record is lost, its place is named, and all others are
/// read.
#[test]
fn a_flipped_bit_costs_one_record() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal-flip.log");
    let encoded: Vec<_> = records().iter().filter_map(encode).collect();
    let whole = encoded.concat();
    let mut begins = 0;
    for (index, record) in encoded.iter().enumerate() {
        for bit in 0..record.len() * 8 {
            let mut damaged = whole.clone();
            damaged[begins + bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged).unwrap();
            let content = read_all(&path).unwrap();
            let mut others = records();
            others.remove(index);
            assert_eq!(content.records, others, "bit {bit} of record {index}");
            let (from, to) = (begins as u64, (begins + record.len()) as u64);
            let gaps: Vec<_> = content.gaps.iter().map(|gap| (gap.from, gap.to)).collect();
            match index + 1 == encoded.len() {
                true => assert_eq!((content.good, content.torn), (from, to - from)),
                false => assert_eq!(gaps, [(from, to)], "bit {bit} of record {index}"),
            }
        }
        begins += record.len();
    }
}

/// The bytes of a board stand in the journal unchanged, and may look like records.
#[test]
fn a_record_inside_a_damaged_one_is_not_believed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal-forged.log");
    let at = |ms: u64| Moment::from_micros(ms * 1000);
    let forged = encode(&(at(2), Entry::Closed(LineNo::new(7)))).unwrap();
    let said = encode(&(at(1), Entry::Bytes(LineNo::new(1), forged))).unwrap();
    let after = (at(3), Entry::Closed(LineNo::new(1)));
    let mut bytes = [said, encode(&after).unwrap()].concat();
    bytes[14] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(read_all(&path).unwrap().records, [after]);
}

/// Somebody who tidies up deletes the directory.
#[test]
fn a_record_that_is_taken_away_begins_anew() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("journal");
    let mut journal = Journal::open(&directory, "2026.11.20", Duration::from_millis(1)).unwrap();
    journal.append(Moment::ZERO, Entry::Closed(LineNo::new(1)));
    settled(&mut journal);
    fs::remove_dir_all(&directory).unwrap();
    let begun = std::time::Instant::now();
    while !journal.take_anew() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody has noticed");
        journal.append(Moment::ZERO, Entry::Closed(LineNo::new(2)));
        journal.settle();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!journal.failed());
    assert!(!journal.take_anew(), "said once");
    // The directory is deleted again, and then the day changes.
    fs::remove_dir_all(&directory).unwrap();
    journal.begin("2026.11.21");
    while !journal.take_anew() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody has noticed");
        std::thread::sleep(Duration::from_millis(1));
    }
    journal.append(Moment::ZERO, Entry::Closed(LineNo::new(3)));
    settled(&mut journal);
    assert_eq!(journal.state(), State::Kept);
    journal.close();
    let segments = segments(&directory).unwrap();
    assert!(segments.last().unwrap().to_str().unwrap().ends_with("-2026-11-21.log"));
    let last = read_all(segments.last().unwrap()).unwrap().records;
    assert_eq!(last.last(), Some(&(Moment::ZERO, Entry::Closed(LineNo::new(3)))));
    assert!(!directory.join("room").exists());
}

#[test]
fn a_second_daemon_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let flush = Duration::from_millis(5);
    let first = Journal::open(directory.path(), "2026.11.20", flush).unwrap();
    let second = Journal::open(directory.path(), "2026.11.20", flush);
    assert!(matches!(second, Err(JournalError::Busy { .. })));
    first.close();
    assert!(Journal::open(directory.path(), "2026.11.20", flush).is_ok());
}

fn keep(directory: &Path, day: &str, records: &[Record]) {
    let mut journal = Journal::open(directory, day, Duration::from_millis(5)).unwrap();
    for (at, entry) in records {
        journal.append(*at, entry.clone());
    }
    journal.close();
}

fn names(directory: &Path) -> Vec<String> {
    segments(directory).unwrap().iter().map(|path| name(path).to_owned()).collect()
}

#[test]
fn segments_follow_each_other_whatever_the_date_is() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("journal-2026-11-19.log"), b"").unwrap();
    for day in ["2026.11.20", "1970.01.01", "1970.01.01", "2026.11.21"] {
        keep(directory.path(), day, &records());
    }
    let expected = [
        "journal-2026-11-19.log",
        "journal-000001-2026-11-20.log",
        "journal-000002-1970-01-01.log",
        "journal-000003-2026-11-21.log",
    ];
    assert_eq!(names(directory.path()), expected);
    let twice = read_all(&segments(directory.path()).unwrap()[2]).unwrap().records;
    assert_eq!(twice, [records(), records()].concat());
}

#[test]
fn a_segment_begun_while_running_holds_what_came_after() {
    let directory = tempfile::tempdir().unwrap();
    let flush = Duration::from_millis(5);
    let mut journal = Journal::open(directory.path(), "2026.11.20", flush).unwrap();
    let (before, after) = (&records()[..2], &records()[2..]);
    before.iter().for_each(|(at, entry)| journal.append(*at, entry.clone()));
    journal.begin("2026.11.21");
    assert_eq!(journal.day(), "2026.11.21");
    after.iter().for_each(|(at, entry)| journal.append(*at, entry.clone()));
    assert!(!journal.failed());
    journal.close();
    let segments = segments(directory.path()).unwrap();
    let read: Vec<_> = segments.iter().map(|path| read_all(path).unwrap().records).collect();
    assert_eq!(read, [before, after]);
    let expected = ["journal-000001-2026-11-20.log", "journal-000002-2026-11-21.log"];
    assert_eq!(names(directory.path()), expected);
}

#[test]
fn what_is_damaged_is_set_aside_and_never_lost() {
    let directory = tempfile::tempdir().unwrap();
    keep(directory.path(), "2026.11.20", &records());
    let path = segments(directory.path()).unwrap().remove(0);
    for tail in [&b"torn"[..], b"again"] {
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(tail).unwrap();
        assert_eq!(read_all(&path).unwrap().torn, tail.len() as u64);
        keep(directory.path(), "2026.11.20", &[]);
        assert_eq!(read_all(&path).unwrap().torn, 0);
    }
    let torn = fs::read(format!("{}.torn", path.display())).unwrap();
    assert_eq!(torn, b"tornagain");
    assert_eq!(read_all(&path).unwrap().records, records());
    assert_eq!(names(directory.path()).len(), 1, "what was set aside is no segment");
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let long = (Moment::ZERO, Entry::Bytes(LineNo::new(1), vec![0; 1 << 22]));
    let all = [&[long], &records()[..]].concat();
    keep(directory.path(), "2026.11.20", &all);
    let path = segments(directory.path()).unwrap().remove(0);
    let content = read_all(&path).unwrap();
    assert_eq!((content.records, content.torn), (records(), 0));
}
