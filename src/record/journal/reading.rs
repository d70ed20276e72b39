//! Reads a segment: every whole record, and the gaps between them. One damaged bit costs one
//! record, not all that follow.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use eboard::Moment;

use super::record::{moment, record};
use super::{JournalError, Record};

/// The most time between two records. A pause between two runs is [cut](crate::run) to a month.
const LATER_MAX: Duration = Duration::from_secs(40 * 24 * 3600);

/// The content of a file.
#[derive(Debug, Default, PartialEq)]
pub struct Content {
    /// Every readable entry.
    pub records: Vec<Record>,
    /// The offset after the last readable record.
    pub good: u64,
    /// The damage before that offset.
    pub gaps: Vec<Gap>,
    /// The number of bytes after that offset.
    pub torn: u64,
    /// Whether those bytes begin an unfinished record. The program was killed while it wrote, or is
    /// still writing.
    pub unfinished: bool,
}

/// Bytes between two records that are no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The offset of the first damaged byte.
    pub from: u64,
    /// The offset after the last damaged byte.
    pub to: u64,
    /// The moment of the record before; none at the beginning of the file.
    pub after: Option<Moment>,
    /// The moment of the record after.
    pub before: Moment,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = self.after.map_or(0.0, |at| at.since(Moment::ZERO).as_secs_f64());
        let before = self.before.since(Moment::ZERO).as_secs_f64();
        let Self { from, to, .. } = self;
        write!(f, "bytes {from} to {to} are damaged, between {after:.3} s and {before:.3} s")
    }
}

impl Content {
    /// The damage, for people; empty if there is none. An unfinished record at the end is no
    /// damage.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let torn = format!("its last {} bytes are damaged", self.torn);
        let torn = Some(torn).filter(|_| self.torn > 0 && !self.unfinished);
        self.gaps.iter().map(Gap::to_string).chain(torn).collect()
    }
}

/// Reads a file.
///
/// # Errors
/// If the file cannot be read. Damage is no error.
pub fn read_all(path: &Path) -> Result<Content, JournalError> {
    read_from(path, 0)
}

/// Reads a file from an offset at which a record begins.
///
/// # Errors
/// If the file cannot be read. Damage is no error.
pub fn read_from(path: &Path, from: u64) -> Result<Content, JournalError> {
    let bytes = bytes_from(path, from)
        .map_err(|source| JournalError::Read { path: path.to_owned(), source })?;
    Ok(content(&bytes, from))
}

/// Reads a file from an offset at which a record begins, and hands over its entries in order. They
/// are read and decoded in another thread meanwhile. The content that is returned has no entries.
///
/// # Errors
/// If the file cannot be read. Damage is no error.
pub fn each_from(
    path: &Path,
    from: u64,
    mut take: impl FnMut(Record),
) -> Result<Content, JournalError> {
    let (batches, ready) = mpsc::sync_channel::<Vec<Record>>(BATCHES);
    let content = thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(from))?;
            let mut batch = Vec::with_capacity(BATCH);
            let content = by_pieces(&mut file, from, PIECE, |record| {
                batch.push(record);
                if batch.len() == BATCH {
                    // Whoever takes them waits until the last one.
                    let _ = batches.send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                }
            });
            let _ = batches.send(batch);
            content
        });
        ready.into_iter().flatten().for_each(&mut take);
        reader.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault))
    });
    content.map_err(|source| JournalError::Read { path: path.to_owned(), source })
}

/// Reads a file that stands at an offset piece by piece. Only where it is damaged does the rest of
/// it have to fit in memory, because the next record may be anywhere.
pub(super) fn by_pieces(
    file: &mut impl Read,
    from: u64,
    piece: u64,
    mut take: impl FnMut(Record),
) -> io::Result<Content> {
    let (mut scan, mut bytes, mut piece) = (Scan::from(from), Vec::new(), piece);
    loop {
        let read = file.by_ref().take(piece).read_to_end(&mut bytes)?;
        let done = scan.read(&bytes, read == 0, &mut take);
        if read == 0 {
            return Ok(scan.end(bytes.get(done..).unwrap_or_default()));
        }
        // Damage, or a record that is longer than a piece.
        if done == 0 {
            piece = piece.saturating_mul(2);
        }
        bytes.drain(..done);
    }
}

/// Reads a segment piece by piece, so that a whole day need not fit in memory.
pub struct Pieces {
    file: io::Take<File>,
    bytes: Vec<u8>,
    at: u64,
}

/// The bytes that are read at once.
const PIECE: u64 = 1 << 20;
/// How many entries another thread hands over at once, and how often it does so before it waits.
const BATCH: usize = 1024;
const BATCHES: usize = 16;

impl Pieces {
    /// Opens a segment, to read from one offset to another. A record must begin at the first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path, from: u64, to: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(from))?;
        Ok(Self { file: file.take(to.saturating_sub(from)), bytes: Vec::new(), at: from })
    }

    /// The next records; none at the end. Damage is skipped.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn records(&mut self) -> io::Result<Option<Vec<Record>>> {
        loop {
            let read = (&mut self.file).take(PIECE).read_to_end(&mut self.bytes)?;
            // A record whose end was not read yet must not be searched for other records.
            let whole = if read == 0 { self.bytes.len() } else { whole_records(&self.bytes) };
            let here = self.bytes.get(..whole).unwrap_or_default();
            let Content { records, good, .. } = content(here, self.at);
            let done = usize::try_from(good - self.at).unwrap_or(0);
            self.bytes.drain(..done);
            self.at = good;
            if !records.is_empty() || read == 0 {
                return Ok(Some(records).filter(|it| !it.is_empty()));
            }
        }
    }
}

/// The length of the records that end within these bytes; all bytes if one is damaged.
fn whole_records(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(length) = bytes.get(at..at + 4).and_then(|it| it.try_into().ok()) {
        let length = u32::from_le_bytes(length) as usize;
        if !super::record::LENGTHS.contains(&length) {
            return bytes.len();
        }
        if at + 8 + length > bytes.len() {
            return at;
        }
        at += 8 + length;
    }
    at
}

/// The bytes of a file from an offset.
pub(super) fn bytes_from(path: &Path, from: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The content of bytes that begin at this offset of a file.
#[must_use]
pub fn content(bytes: &[u8], from: u64) -> Content {
    let (mut scan, mut records) = (Scan::from(from), Vec::new());
    let done = scan.read(bytes, true, &mut |record| records.push(record));
    Content { records, ..scan.end(bytes.get(done..).unwrap_or_default()) }
}

/// What was read of a file so far.
struct Scan {
    gaps: Vec<Gap>,
    /// The offset after the last record.
    good: u64,
    /// The moment of the last record.
    last: Option<Moment>,
}

impl Scan {
    const fn from(offset: u64) -> Self {
        Self { gaps: Vec::new(), good: offset, last: None }
    }

    /// Reads on. Damage is passed over only if these are all bytes that are left. Returns how many
    /// bytes were read.
    fn read(&mut self, bytes: &[u8], all: bool, take: &mut impl FnMut(Record)) -> usize {
        let (mut at, from) = (0, self.good);
        while at < bytes.len() {
            if let Some((decoded, length, moment)) = whole(bytes, at) {
                decoded.into_iter().for_each(&mut *take);
                self.last = Some(moment);
                at += length;
                continue;
            }
            let found = all.then(|| found_again(bytes, at, self.last)).flatten();
            let Some((begins, before)) = found else { break };
            let (gap, to) = (from + at as u64, from + begins as u64);
            self.gaps.push(Gap { from: gap, to, after: self.last, before });
            at = begins;
        }
        self.good = from + at as u64;
        at
    }

    /// The content without the entries, with these bytes at its end that are no record.
    fn end(self, tail: &[u8]) -> Content {
        let Self { gaps, good, .. } = self;
        let (torn, unfinished) = (tail.len() as u64, is_unfinished(tail));
        Content { records: Vec::new(), good, gaps, torn, unfinished }
    }
}

/// The whole record at an offset: its entry, length and moment.
fn whole(bytes: &[u8], at: usize) -> Option<(Option<Record>, usize, Moment)> {
    let bytes = bytes.get(at..)?;
    let (decoded, length) = record(bytes)?;
    Some((decoded, length, moment(bytes)?))
}

/// The next whole record after a damaged one, and its moment. The damaged record's own end is tried
/// first; then every byte at which a record may follow the last one.
fn found_again(bytes: &[u8], at: usize, last: Option<Moment>) -> Option<(usize, Moment)> {
    let follows = |begins: usize| {
        let moment = bytes.get(begins..).and_then(moment)?;
        let in_time = last.is_none_or(|last| moment >= last && moment < last + LATER_MAX);
        (in_time && whole(bytes, begins).is_some()).then_some((begins, moment))
    };
    // Its own end comes first. A record found elsewhere may be the content of another record,
    // because a board may send any bytes.
    let length = bytes.get(at..at + 4).and_then(|it| it.try_into().ok()).map(u32::from_le_bytes);
    let end = length.and_then(|length| at.checked_add(8 + length as usize));
    end.and_then(follows).or_else(|| (at + 1..bytes.len()).find_map(follows))
}

/// Whether these bytes begin a record that goes on after the end.
fn is_unfinished(tail: &[u8]) -> bool {
    let length = tail.get(..4).and_then(|it| it.try_into().ok()).map(u32::from_le_bytes);
    match length {
        None => !tail.is_empty(),
        Some(length) => {
            super::record::LENGTHS.contains(&(length as usize)) && tail.len() < 8 + length as usize
        }
    }
}
