//! The running record: every entry, in order, in append-only files of checksummed records.
//!
//! A record is `length u32 | crc32 u32 | body`, little-endian; the body is `moment u64 | kind u8 |
//! content`. A torn tail is cut at the last good record. One thread writes and one syncs: a record
//! is in the kernel's hands as soon as it is written, on the disk after the period it was told.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::JoinHandle;
use std::time::Duration;

use eboard::Moment;

use crate::entry::Entry;

/// A record longer than this is no record of ours: the longest are plans of some hundred tables.
const RECORD_MAX: usize = 1 << 20;
/// Entries waiting for the disk: 300 boards at 10 messages a second for more than 20 s.
const QUEUE: usize = 65_536;
/// The file name of a segment begins with this and ends with the date and a number.
const PREFIX: &str = "journal-";

/// Why the journal could not be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The directory cannot be used.
    #[error("failed to use the journal directory {path}: {source}")]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A segment cannot be read.
    #[error("failed to read the journal {path}: {source}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another daemon writes here.
    #[error("failed to lock the journal directory {path}: another adoubed is running there")]
    Busy {
        /// Which.
        path: PathBuf,
    },
}

/// An entry and its moment.
pub type Record = (Moment, Entry);

/// The entries of one file, up to the first damage, and how many bytes of it are good.
///
/// # Errors
/// When the file cannot be read; damage is no error.
pub fn read(path: &Path) -> Result<(Vec<Record>, usize), JournalError> {
    let bytes =
        fs::read(path).map_err(|source| JournalError::Read { path: path.to_owned(), source })?;
    let mut records = Vec::new();
    let mut good = 0;
    while let Some((record, length)) = record(&bytes[good..]) {
        records.extend(record);
        good += length;
    }
    Ok((records, good))
}

/// The segments in a directory, oldest first.
///
/// # Errors
/// When the directory cannot be listed.
pub fn segments(directory: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let fail = |source| JournalError::Directory { path: directory.to_owned(), source };
    let mut segments = Vec::new();
    for file in fs::read_dir(directory).map_err(fail)? {
        let path = file.map_err(fail)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(PREFIX) {
            segments.push(path);
        }
    }
    segments.sort();
    Ok(segments)
}

/// What the writer thread has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Everything given so far is on the disk, or will be within the period.
    Good,
    /// The disk is full or broken: nothing more is kept, everything else goes on.
    Failed,
}

/// A journal being written.
pub struct Journal {
    queue: Option<SyncSender<Record>>,
    health: Receiver<Health>,
    writer: Option<JoinHandle<()>>,
    _lock: File,
}

impl Journal {
    /// Opens the segment of this day in a directory of its own, cutting a torn tail.
    ///
    /// # Errors
    /// When the directory cannot be used or another daemon writes there.
    pub fn open(directory: &Path, day: &str, flush: Duration) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Directory { path: directory.to_owned(), source };
        fs::create_dir_all(directory).map_err(fail)?;
        let lock = lock(directory)?;
        let path = directory.join(format!("{PREFIX}{}.log", day.replace('.', "-")));
        let good = if path.exists() { read(&path)?.1 } else { 0 };
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
        file.set_len(good as u64).map_err(fail)?;
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(fail)?;
        let (queue, entries) = mpsc::sync_channel(QUEUE);
        let (tell, health) = mpsc::channel();
        let writer = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || {
                let outcome = keep(&entries, file, flush);
                if let Err(error) = outcome {
                    tracing::warn!("the journal is no longer written: {error}");
                    let _ = tell.send(Health::Failed);
                    // Keep taking entries so that the run loop never waits for a dead disk.
                    while entries.recv().is_ok() {}
                }
            })
            .map_err(fail)?;
        Ok(Self { queue: Some(queue), health, writer: Some(writer), _lock: lock })
    }

    /// Adds an entry.
    pub fn append(&self, at: Moment, entry: Entry) {
        if let Some(queue) = &self.queue {
            let _ = queue.send((at, entry));
        }
    }

    /// Whether the writer has failed since this was last asked.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.health.try_recv() == Ok(Health::Failed)
    }

    /// Writes what is left and waits for it to be on the disk.
    pub fn close(mut self) {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// One record of a buffer: what it says (nothing, if of a kind we do not know) and its length.
fn record(bytes: &[u8]) -> Option<(Option<Record>, usize)> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let sum = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
    if !(9..=RECORD_MAX).contains(&length) {
        return None;
    }
    let body = bytes.get(8..8 + length)?;
    (crc32fast::hash(body) == sum).then(|| (decode(body), 8 + length))
}

fn lock(directory: &Path) -> Result<File, JournalError> {
    let path = directory.join("lock");
    let fail = |source| JournalError::Directory { path: directory.to_owned(), source };
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(JournalError::Busy { path: directory.to_owned() }),
    }
}

/// The writer thread: hands every entry to the kernel at once. It never waits for the disk, or a
/// kill would lose what came in meanwhile and has perhaps been published.
fn keep(entries: &Receiver<Record>, file: File, flush: Duration) -> io::Result<()> {
    let (written, to_sync) = mpsc::sync_channel(1);
    let disk = file.try_clone()?;
    let syncer = std::thread::Builder::new()
        .name("journal-sync".to_owned())
        .spawn(move || sync(&to_sync, &disk, flush))?;
    let mut writer = BufWriter::new(file);
    while let Ok(first) = entries.recv() {
        writer.write_all(&encode(&first))?;
        for record in entries.try_iter() {
            writer.write_all(&encode(&record))?;
        }
        writer.flush()?;
        if let Err(TrySendError::Disconnected(())) = written.try_send(()) {
            break;
        }
    }
    drop(written);
    syncer.join().unwrap_or_else(|_| Err(io::Error::other("the thread for the disk failed")))
}

/// Brings what was written to the disk, a batch per period.
fn sync(written: &Receiver<()>, disk: &File, period: Duration) -> io::Result<()> {
    let clock = crate::time::Clock::starting_at(Moment::ZERO);
    while written.recv().is_ok() {
        let at = clock.now() + period;
        while written.recv_timeout(clock.until(at)).is_ok() {}
        disk.sync_data()?;
    }
    Ok(())
}

const PLANNED: u8 = 1;
const WALL: u8 = 2;
const OPENED: u8 = 3;
const BYTES: u8 = 4;
const CLOSED: u8 = 5;
const REQUEST: u8 = 6;

/// A record as it stands in the file.
#[must_use]
pub fn encode((at, entry): &Record) -> Vec<u8> {
    let mut body = at.as_micros().to_le_bytes().to_vec();
    let line = |body: &mut Vec<u8>, kind: u8, line: u32| {
        body.push(kind);
        body.extend(line.to_le_bytes());
    };
    match entry {
        Entry::Planned(plan) => {
            body.push(PLANNED);
            body.extend(serde_json::to_vec(plan).unwrap_or_default());
        }
        Entry::Wall(micros) => {
            body.push(WALL);
            body.extend(micros.to_le_bytes());
        }
        Entry::Opened(number, id) => {
            line(&mut body, OPENED, *number);
            body.extend(serde_json::to_vec(id).unwrap_or_default());
        }
        Entry::Bytes(number, bytes) => {
            line(&mut body, BYTES, *number);
            body.extend(bytes);
        }
        Entry::Closed(number) => line(&mut body, CLOSED, *number),
        Entry::Request(request) => {
            body.push(REQUEST);
            body.extend(serde_json::to_vec(request).unwrap_or_default());
        }
    }
    let mut record = u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    record.extend(crc32fast::hash(&body).to_le_bytes());
    record.extend(body);
    record
}

fn decode(body: &[u8]) -> Option<Record> {
    let (at, rest) = body.split_at_checked(8)?;
    let at = Moment::from_micros(u64::from_le_bytes(at.try_into().ok()?));
    let (kind, rest) = rest.split_first()?;
    let line = || {
        let (line, rest) = rest.split_at_checked(4)?;
        Some((u32::from_le_bytes(line.try_into().ok()?), rest))
    };
    let entry = match *kind {
        PLANNED => Entry::Planned(serde_json::from_slice(rest).ok()?),
        WALL => Entry::Wall(i64::from_le_bytes(rest.try_into().ok()?)),
        OPENED => {
            let (number, rest) = line()?;
            Entry::Opened(number, serde_json::from_slice(rest).ok()?)
        }
        BYTES => {
            let (number, bytes) = line()?;
            Entry::Bytes(number, bytes.to_vec())
        }
        CLOSED => Entry::Closed(line()?.0),
        REQUEST => Entry::Request(serde_json::from_slice(rest).ok()?),
        _ => return None,
    };
    Some((at, entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{LineId, Plan, Request, Seats, Watch};

    fn records() -> Vec<Record> {
        let at = Moment::from_micros;
        let id = LineId { path: "/dev/ttyUSB0".into(), names: vec!["usb".into()] };
        let plan = Plan { tables: Vec::new(), watch: Watch::default(), seats: Seats::default() };
        let body = serde_json::json!({"alert": "1-1-1"});
        let request = Request { verb: "acknowledge".into(), body, by: "Ann".into() };
        vec![
            (at(0), Entry::Planned(plan)),
            (at(1), Entry::Wall(-5)),
            (at(2), Entry::Opened(7, id)),
            (at(3), Entry::Bytes(7, vec![0x8e, 0, 5, 0x34, 0])),
            (at(4), Entry::Request(request)),
            (at(5), Entry::Closed(7)),
        ]
    }

    #[test]
    fn what_is_written_is_read_back_and_the_next_run_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        for round in 1..=2 {
            let journal =
                Journal::open(directory.path(), "2026.11.20", Duration::from_millis(5)).unwrap();
            for (at, entry) in records() {
                journal.append(at, entry);
            }
            journal.close();
            let segment = segments(directory.path()).unwrap().remove(0);
            let (read, _) = read(&segment).unwrap();
            let expected: Vec<_> = (0..round).flat_map(|_| records()).collect();
            assert_eq!(read, expected);
        }
    }

    #[test]
    fn every_torn_tail_keeps_the_whole_records_before_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal-torn.log");
        let encoded: Vec<_> = records().iter().map(encode).collect();
        let whole = encoded.concat();
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut ends = encoded.iter().scan(0, |end, record| {
                *end += record.len();
                Some(*end)
            });
            let complete = ends.by_ref().take_while(|end| *end <= cut).count();
            let (read, good) = read(&path).unwrap();
            assert_eq!(read, records()[..complete]);
            assert!(good <= cut);
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal-flip.log");
        let record = encode(&records()[3]);
        for bit in 0..record.len() * 8 {
            let mut damaged = record.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged).unwrap();
            assert_eq!(read(&path).unwrap().0, [], "bit {bit}");
        }
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
}
