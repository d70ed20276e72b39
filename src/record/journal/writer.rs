//! Writes the journal on a thread of its own: every entry to the kernel at once and to the disk
//! after a period, segment after segment.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TrySendError};
use std::time::Duration;

use eboard::Moment;

use super::progress::Progress;
use super::{Job, Mark, Record, Segment, begin, encode};

/// How often a failed disk is tried again.
const RETRY: Duration = Duration::from_secs(5);
/// A disk with less room than this still counts as full. It is some seconds of a hall of 300
/// boards.
const TRIAL: usize = 1 << 16;

/// What a segment is written to: a file, or in tests a disk that loses power.
pub(super) trait Disk: Write + Sized {
    /// A second handle, for the thread that syncs.
    fn again(&self) -> io::Result<Self>;

    /// Brings everything written so far to the disk.
    ///
    /// # Errors
    /// Also if the file can no longer be found under this path.
    fn sync(&self, path: &Path) -> io::Result<()>;
}

impl Disk for File {
    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.sync_data()?;
        let (named, open) = (fs::metadata(path), self.metadata()?);
        if !named.is_ok_and(|named| (named.dev(), named.ino()) == (open.dev(), open.ino())) {
            let text = format!("{} was deleted or replaced", path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(())
    }
}

/// The writer thread. If the disk fails or the file is removed, another segment is begun as soon as
/// possible. Entries in between are lost.
pub(super) fn keep(
    jobs: &Receiver<Job>,
    first: Segment,
    (directory, day): (&Path, String),
    flush: Duration,
    progress: &Progress,
) {
    let (mut segment, mut day) = (first, day);
    loop {
        let mut begins = None;
        let kept = keep_segment(jobs, segment, flush, progress, &mut begins);
        if kept.is_ok() && begins.is_none() {
            return;
        }
        let owed = u64::from(begins.is_some());
        day = begins.unwrap_or(day);
        let next = kept.and_then(|()| begin(directory, &day));
        progress.add(owed);
        segment = match next {
            Ok(next) => next,
            Err(error) => {
                tracing::warn!("the journal is no longer written: {error}");
                progress.fail();
                let Some(anew) = begin_anew(jobs, directory, &mut day, progress) else { return };
                anew
            }
        };
    }
}

/// Tries to begin another segment until it succeeds. Entries are passed over meanwhile, because the
/// run loop must never wait for a dead disk. None if the journal was closed.
fn begin_anew(
    jobs: &Receiver<Job>,
    directory: &Path,
    day: &mut String,
    progress: &Progress,
) -> Option<Segment> {
    let clock = crate::time::Clock::starting_at(Moment::ZERO);
    let mut next = clock.now();
    loop {
        match jobs.recv_timeout(clock.until(next)) {
            Ok(job) => {
                if let Job::Begin(other) = job {
                    *day = other;
                }
                progress.add(1);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => next = clock.now() + RETRY,
        }
        match fs::create_dir_all(directory).and_then(|()| try_out(directory)) {
            Ok(()) => match begin(directory, day) {
                Ok(segment) => {
                    let path = segment.path.display();
                    tracing::warn!("the journal is written again, in {path}");
                    progress.begin_anew();
                    return Some(segment);
                }
                Err(error) => tracing::debug!("no segment can be begun: {error}"),
            },
            Err(error) => tracing::debug!("the disk of the journal is not yet well: {error}"),
        }
    }
}

/// Checks for room. A new file needs none, but its content does.
fn try_out(directory: &Path) -> io::Result<()> {
    let path = directory.join("room");
    let written = File::create(&path)
        .and_then(|mut file| file.write_all(&[0; TRIAL]).and_then(|()| file.sync_all()));
    fs::remove_file(&path)?;
    written
}

/// Hands every entry to the kernel at once, until the journal is closed or a segment of another day
/// `begins`. It never waits for the disk: a kill would lose entries that arrived meanwhile and were
/// perhaps published.
pub(super) fn keep_segment<D: Disk + Send + 'static>(
    jobs: &Receiver<Job>,
    segment: Segment<D>,
    flush: Duration,
    progress: &Progress,
    begins: &mut Option<String>,
) -> io::Result<()> {
    let (written, to_sync) = mpsc::sync_channel(1);
    let Segment { path, file, mut length } = segment;
    let (place, disk) = (path.clone(), file.again()?);
    let syncer = std::thread::Builder::new()
        .name("journal-sync".to_owned())
        .spawn(move || sync(&to_sync, (&place, &disk), flush))?;
    let mut writer = BufWriter::new(file);
    while begins.is_none()
        && let Ok(first) = jobs.recv()
    {
        let mut batch = Batch::default();
        let kept = batch.keep(first, jobs, &mut writer, length);
        // Lost entries count as done too, or publishing would wait for them. A new segment counts
        // when it has begun.
        *begins = batch.begins;
        progress.add(batch.jobs - u64::from(begins.is_some()));
        length = kept?;
        batch.marks.into_iter().for_each(|(length, mark)| mark(&path, length));
        if let Err(TrySendError::Disconnected(())) = written.try_send(()) {
            break;
        }
    }
    drop(written);
    let synced = syncer.join();
    synced.unwrap_or_else(|_| Err(io::Error::other("the thread for the disk failed")))
}

/// Jobs that are done together.
#[derive(Default)]
struct Batch {
    jobs: u64,
    marks: Vec<(u64, Mark)>,
    /// The day of the segment to begin after them.
    begins: Option<String>,
}

impl Batch {
    /// Does this job and all that wait behind it. Returns the length of the segment.
    fn keep(
        &mut self,
        first: Job,
        jobs: &Receiver<Job>,
        writer: &mut impl Write,
        mut length: u64,
    ) -> io::Result<u64> {
        let mut job = Some(first);
        while let Some(it) = job {
            self.jobs += 1;
            match it {
                Job::Keep(record) => length += write(writer, &record)?,
                Job::Mark(mark) => self.marks.push((length, mark)),
                Job::Begin(day) => self.begins = Some(day),
            }
            job = if self.begins.is_none() { jobs.try_recv().ok() } else { None };
        }
        writer.flush()?;
        Ok(length)
    }
}

/// Writes a record and returns its number of bytes.
fn write(writer: &mut impl Write, record: &Record) -> io::Result<u64> {
    let Some(bytes) = encode(record) else {
        tracing::error!("a record was too long to be kept");
        return Ok(0);
    };
    writer.write_all(&bytes)?;
    Ok(bytes.len() as u64)
}

/// Syncs what was written, once per period.
fn sync(
    written: &Receiver<()>,
    (path, disk): (&Path, &impl Disk),
    period: Duration,
) -> io::Result<()> {
    let clock = crate::time::Clock::starting_at(Moment::ZERO);
    while written.recv().is_ok() {
        let at = clock.now() + period;
        while written.recv_timeout(clock.until(at)).is_ok() {}
        disk.sync(path)?;
    }
    Ok(())
}
