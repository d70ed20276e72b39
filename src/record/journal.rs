//! The journal: every entry in order, in append-only files of checksummed records.
//!
//! A record is `length u32 | crc32 u32 | body`, little-endian. The body is
//! `moment u64 | kind u8 | content`.
//!
//! A segment is called `journal-000123-2026-11-20.log`. Segments are ordered by their numbers,
//! whatever the time of day was. The bytes after the last good record are moved to a file beside
//! it, `….torn`. Damage before that stays in place, and the records after it are read.
//!
//! One thread writes and one syncs. A record is in the kernel's hands when [`Journal::settle`]
//! returns, and on the disk after the flush period.

mod progress;
mod reading;
mod record;
#[cfg(test)]
mod tests;
mod writer;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;
use std::time::Duration;

use eboard::Moment;

use crate::entry::Entry;
use progress::Progress;
use reading::bytes_from;
pub use reading::{Content, Gap, Pieces, content, each_from, read_all, read_from};
pub use record::encode;

/// The most entries that wait for the disk: 300 boards at 10 messages a second for more than 20 s.
const QUEUE: usize = 65_536;
/// How long publishing waits for a record to be in the kernel's hands. A slower disk counts as
/// hung, and the games go on without it.
const PATIENCE: Duration = Duration::from_millis(200);
/// The same once it counts as hung: long enough for a disk that was only slow to catch up, and so
/// short that nobody sees it on a screen.
const PATIENCE_BEHIND: Duration = Duration::from_millis(20);
/// The same at the end of the daemon, when nothing else waits.
const LAST_PATIENCE: Duration = Duration::from_secs(10);
/// How many segments are read when the daemon starts.
const RECENT: usize = 2;
/// The first part of a segment's file name; number and date follow.
const PREFIX: &str = "journal-";
/// The last part of the file name.
const SUFFIX: &str = ".log";
/// Digits of a segment's number. Names from before there were numbers have fewer.
const DIGITS: usize = 6;

/// Why the journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The directory cannot be used.
    #[error("failed to use the journal directory {path}: {source}")]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A segment cannot be read.
    #[error("failed to read the journal {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another daemon writes there.
    #[error("failed to lock the journal directory {path}: another adoubed is running there")]
    Busy {
        /// The directory.
        path: PathBuf,
    },
}

/// Whether everything that enters is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Everything is.
    #[default]
    Kept,
    /// The disk does not answer. The last entries may be lost.
    Late,
    /// The disk is full or broken. Nothing is written until that ends.
    Failed,
}

impl State {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Kept, Self::Late, Self::Failed];

    /// The name for machines and pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Late => "late",
            Self::Failed => "failed",
        }
    }
}

pub use crate::entry::Record;

/// The segments that may hold a game of today, the oldest first. A game may go on over midnight.
/// There are none if the directory does not exist yet.
///
/// # Errors
/// If the directory cannot be listed.
pub fn recent(directory: &Path) -> Result<Vec<PathBuf>, JournalError> {
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let mut segments = segments(directory)?;
    Ok(segments.split_off(segments.len().saturating_sub(RECENT)))
}

/// The segments in a directory, the oldest first.
///
/// # Errors
/// If the directory cannot be listed.
pub fn segments(directory: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let fail = |source| JournalError::Directory { path: directory.to_owned(), source };
    let mut segments = Vec::new();
    for file in fs::read_dir(directory).map_err(fail)? {
        let path = file.map_err(fail)?.path();
        if name(&path).starts_with(PREFIX) && name(&path).ends_with(SUFFIX) {
            segments.push(path);
        }
    }
    segments.sort_by_cached_key(|path| (number(path), path.clone()));
    Ok(segments)
}

/// The segment that is being written.
struct Segment<D = File> {
    path: PathBuf,
    file: D,
    length: u64,
}

/// A journal that is being written.
pub struct Journal {
    queue: Option<SyncSender<Job>>,
    /// The number of jobs sent to the writer.
    entered: u64,
    progress: Arc<Progress>,
    /// Waiting for the disk was in vain. It is not waited for again until the writer has caught up.
    behind: bool,
    writer: Option<JoinHandle<()>>,
    day: String,
    _lock: File,
}

/// A callback with the present segment and its length. It runs in the writer's thread and must not
/// wait.
type Mark = Box<dyn FnOnce(&Path, u64) + Send>;

/// A job of the writer thread.
enum Job {
    /// Write this record.
    Keep(Record),
    /// Call this after everything before it was handed to the kernel.
    Mark(Mark),
    /// Begin another segment, of this day.
    Begin(String),
}

impl Journal {
    /// Opens the last segment of a directory if it is of this day, or else begins another one.
    ///
    /// # Errors
    /// If the directory cannot be used, or another daemon writes there.
    pub fn open(directory: &Path, day: &str, flush: Duration) -> Result<Self, JournalError> {
        Self::go_on(directory, day, flush, None)
    }

    /// The same, if a segment was read already and its records are good up to this byte.
    ///
    /// # Errors
    /// If the directory cannot be used, or another daemon writes there.
    pub fn go_on(
        directory: &Path,
        day: &str,
        flush: Duration,
        good: Option<(&Path, u64)>,
    ) -> Result<Self, JournalError> {
        let fail = |source| JournalError::Directory { path: directory.to_owned(), source };
        fs::create_dir_all(directory).map_err(fail)?;
        let lock = lock(directory)?;
        let last = segments(directory)?.pop().filter(|path| number(path) > 0);
        let of_day = last.filter(|path| name(path).ends_with(&ending(day)));
        let file = match of_day {
            Some(path) => mended(path, good)?,
            None => begin(directory, day).map_err(fail)?,
        };
        Self::writing(file, directory, lock, day, flush).map_err(fail)
    }

    fn writing(
        segment: Segment,
        directory: &Path,
        lock: File,
        day: &str,
        flush: Duration,
    ) -> io::Result<Self> {
        let (queue, jobs) = mpsc::sync_channel(QUEUE);
        let progress = Arc::<Progress>::default();
        let (place, written) = (directory.to_owned(), Arc::clone(&progress));
        let of_day = day.to_owned();
        let writer = std::thread::Builder::new().name("journal".to_owned()).spawn(move || {
            writer::keep(&jobs, segment, (&place, of_day), flush, &written);
        })?;
        Ok(Self {
            queue: Some(queue),
            entered: 0,
            progress,
            behind: false,
            writer: Some(writer),
            day: day.to_owned(),
            _lock: lock,
        })
    }

    /// Appends an entry.
    pub fn append(&mut self, at: Moment, entry: Entry) {
        self.tell(Job::Keep((at, entry)));
    }

    /// Calls back soon, in another thread, with the segment and the offset at which everything
    /// added so far ends.
    pub fn mark(&mut self, mark: impl FnOnce(&Path, u64) + Send + 'static) {
        self.tell(Job::Mark(Box::new(mark)));
    }

    /// Waits until everything added is in the kernel's hands, where a kill of this program cannot
    /// reach it. Returns false if the disk does not answer and something may be lost.
    pub fn settle(&mut self) -> bool {
        let patience = if self.behind { PATIENCE_BEHIND } else { PATIENCE };
        let settled = self.progress.reaches(self.entered, patience);
        match (self.behind, settled) {
            (false, false) => tracing::warn!(
                "the disk of the journal does not answer: games go on without waiting"
            ),
            // A disk that was given up has not answered. That was reported already.
            (true, true) if !self.failed() => {
                tracing::info!("the disk of the journal answers again: everything is kept");
            }
            _ => {}
        }
        self.behind = !settled;
        settled
    }

    /// Begins another segment for everything added from now on.
    pub fn begin(&mut self, day: &str) {
        day.clone_into(&mut self.day);
        self.tell(Job::Begin(day.to_owned()));
    }

    /// The day of the segment that is being written.
    #[must_use]
    pub fn day(&self) -> &str {
        &self.day
    }

    /// Whether the disk is full or broken, or was given up. Nothing is written then, and everything
    /// else goes on. If the disk has room again, writing is resumed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.progress.has_failed()
    }

    /// Whether the journal goes on in a segment that lacks what came before, since the last call:
    /// the disk had failed, or the directory was removed.
    #[must_use]
    pub fn take_anew(&self) -> bool {
        self.progress.take_anew()
    }

    /// The state of the journal, as far as it is known.
    #[must_use]
    pub fn state(&self) -> State {
        match (self.failed(), self.behind) {
            (true, _) => State::Failed,
            (false, true) => State::Late,
            (false, false) => State::Kept,
        }
    }

    /// Writes the rest and waits until it is on the disk, but not forever.
    pub fn close(mut self) {
        self.queue = None;
        if self.progress.reaches(self.entered, LAST_PATIENCE)
            && let Some(writer) = self.writer.take()
        {
            let _ = writer.join();
        }
    }

    fn tell(&mut self, job: Job) {
        self.entered += 1;
        let Some(queue) = &self.queue else { return };
        if queue.try_send(job).is_err() {
            tracing::warn!("the journal is no longer written: the disk has not answered for long");
            self.progress.fail();
            (self.queue, self.writer) = (None, None);
        }
    }
}

/// Checks that no other daemon writes in the directory. A start checks this first, so that a second
/// daemon reports it and not its busy ports.
///
/// # Errors
/// If another daemon writes there.
pub fn free(directory: &Path) -> Result<(), JournalError> {
    // Other errors are reported when the journal is opened.
    match lock(directory) {
        Err(busy @ JournalError::Busy { .. }) => Err(busy),
        _ => Ok(()),
    }
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

/// The segment to go on with. The bytes after its last good record are moved to a file beside it.
fn mended(path: PathBuf, known: Option<(&Path, u64)>) -> Result<Segment, JournalError> {
    let fail = |source| JournalError::Read { path: path.clone(), source };
    let length = fs::metadata(&path).map_err(fail)?.len();
    let known = known.filter(|(of, good)| *of == path && *good <= length);
    let known = known.map_or(0, |(_, good)| good);
    let Content { good, torn, .. } = read_from(&path, known)?;
    if torn > 0 {
        let beside = PathBuf::from(format!("{}.torn", path.display()));
        let tail = bytes_from(&path, good).map_err(fail)?;
        let mut aside = OpenOptions::new().create(true).append(true).open(&beside).map_err(fail)?;
        aside.write_all(&tail).and_then(|()| aside.sync_all()).map_err(fail)?;
        tracing::warn!("{torn} damaged bytes were set aside in {}", beside.display());
    }
    let file = OpenOptions::new().append(true).open(&path).map_err(fail)?;
    file.set_len(good).map_err(fail)?;
    Ok(Segment { path, file, length: good })
}

/// A new segment after all others.
fn begin(directory: &Path, day: &str) -> io::Result<Segment> {
    let last = segments(directory).map_err(io::Error::other)?.last().map_or(0, |path| number(path));
    let path = directory.join(format!("{PREFIX}{:0DIGITS$}{}", last + 1, ending(day)));
    let file = OpenOptions::new().create_new(true).append(true).open(&path)?;
    File::open(directory)?.sync_all()?;
    Ok(Segment { path, file, length: 0 })
}

/// Writes records as a segment after all others, and returns its path.
///
/// # Errors
/// If the directory cannot be written. No part of them is left there then.
pub fn place(directory: &Path, day: &str, records: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(directory)?;
    let Segment { path, mut file, .. } = begin(directory, day)?;
    if let Err(error) = file.write_all(records).and_then(|()| file.sync_all()) {
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    Ok(path)
}

/// The day of the newest segment, as given when it was begun.
///
/// # Errors
/// If the directory cannot be read.
pub fn last_day(directory: &Path) -> Result<Option<String>, JournalError> {
    let last = segments(directory)?.pop().filter(|path| number(path) > 0);
    let day = last
        .as_deref()
        .and_then(|path| name(path).strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-'));
    Ok(day.map(|(_, day)| day.replace('-', ".")))
}

fn ending(day: &str) -> String {
    format!("-{}{SUFFIX}", day.replace('.', "-"))
}

/// The number of a segment; 0 if its name has none.
fn number(path: &Path) -> u32 {
    let digits = name(path).strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
    let long = digits.filter(|digits| digits.len() >= DIGITS);
    long.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
