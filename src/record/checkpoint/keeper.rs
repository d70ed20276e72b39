//! Writes checkpoints on a thread of its own. Neither the run loop nor the journal waits for it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::time::Duration;

use eboard::Moment;

use super::{BUILD, Frozen, Header, PREFIX, numbers, path, tail, whole};
use crate::time::Clock;

/// The most checkpoints that wait while one is written. The next one serves as well, so one is
/// enough.
const QUEUE: usize = 1;
/// How many checkpoints are left on the disk. The second one is used if the newest is damaged.
const LEFT: usize = 2;
/// How long the last checkpoint may take when the daemon ends.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// How much longer than the public delay checkpoints are kept. A checkpoint is written some time
/// after its state was taken, and the next one may be a while away.
const LONGER: Duration = Duration::from_secs(120);
/// How many checkpoints are kept over that time, about. The records between two of them are read
/// again quickly.
const SPREAD: u32 = 4;

/// A job: a segment of the journal, its length by then, and the state.
type Job = (PathBuf, u64, Taken);

/// A state that waits to be encoded.
struct Taken {
    state: Frozen,
    /// [`Keeper::is_busy`] counts these.
    _waiting: Arc<()>,
}

/// The handle of the thread.
pub struct Keeper {
    queue: SyncSender<Job>,
    waiting: Arc<()>,
    ended: Receiver<()>,
}

impl Keeper {
    /// Starts the thread. Checkpoints are kept until they are older than `keep_for`, so that the
    /// delayed copy can begin with one.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn start(directory: &Path, keep_for: Duration) -> io::Result<Self> {
        let (queue, jobs) = mpsc::sync_channel(QUEUE);
        let (end, ended) = mpsc::sync_channel(QUEUE);
        let directory = directory.to_owned();
        std::thread::Builder::new().name("checkpoint".to_owned()).spawn(move || {
            keep(&jobs, &directory, keep_for);
            drop(end);
        })?;
        Ok(Self { queue, waiting: Arc::default(), ended })
    }

    /// Whether a state waits to be encoded. A second one would keep another copy of each table that
    /// changes meanwhile.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        Arc::strong_count(&self.waiting) > 1
    }

    /// Returns a callback for [`Journal::mark`](crate::record::journal::Journal::mark). It writes
    /// this state with the journal's place.
    pub fn mark(&self, state: Frozen) -> impl FnOnce(&Path, u64) + Send + 'static {
        let queue = self.queue.clone();
        let taken = Taken { state, _waiting: Arc::clone(&self.waiting) };
        move |segment, offset| match queue.try_send((segment.to_owned(), offset, taken)) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                tracing::debug!("a checkpoint is left out: the disk has not taken the last one yet")
            }
            Err(TrySendError::Disconnected(_)) => tracing::warn!(
                "no checkpoints are written any more: the next start reads the journal"
            ),
        }
    }

    /// Waits for the last job, but not forever.
    pub fn close(self) {
        drop(self.queue);
        let _ = self.ended.recv_timeout(LAST_PATIENCE);
    }
}

fn keep(jobs: &Receiver<Job>, directory: &Path, keep_for: Duration) {
    let mut failed = false;
    let mut shelf = Shelf::new(numbers(directory).unwrap_or_default(), keep_for);
    let clock = Clock::starting_at(Moment::ZERO);
    while let Ok((segment, offset, taken)) = jobs.recv() {
        let state = match taken.state.encode() {
            Ok(state) => state,
            Err(error) => {
                tracing::debug!("no checkpoint can be made now: {error}");
                continue;
            }
        };
        drop(taken);
        let written = write(directory, &segment, offset, &state)
            .and_then(|number| shelf.clear(number, clock.now(), directory));
        match &written {
            Ok(()) => tracing::debug!("a checkpoint of {} bytes is written", state.len()),
            Err(error) if !failed => tracing::warn!("no checkpoint could be written: {error}"),
            Err(error) => tracing::debug!("no checkpoint could be written: {error}"),
        }
        failed = written.is_err();
    }
}

/// Writes a checkpoint in front of a segment.
///
/// # Errors
/// If the directory cannot be written.
pub fn place(directory: &Path, segment: &Path, state: &[u8]) -> io::Result<()> {
    write(directory, segment, 0, state).map(|_| ())
}

/// Writes a checkpoint after the journal is on the disk. A checkpoint must never contain more than
/// the journal does.
fn write(directory: &Path, segment: &Path, offset: u64, state: &[u8]) -> io::Result<u32> {
    File::open(segment)?.sync_data()?;
    let name = segment.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let header = Header {
        build: BUILD.to_owned(),
        segment: name.to_owned(),
        offset,
        tail: tail(segment, offset)?,
    };
    let bytes = whole(&header, state).map_err(io::Error::other)?;
    let mut numbers = numbers(directory)?;
    numbers.sort_unstable();
    let number = numbers.last().map_or(1, |last| last.saturating_add(1));
    let beside = directory.join(format!("{PREFIX}new"));
    let mut file = File::create(&beside)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path(directory, number))?;
    File::open(directory)?.sync_all()?;
    Ok(number)
}

/// The checkpoints on the disk, the oldest first, and when each was made.
struct Shelf {
    there: Vec<(u32, Moment)>,
    keep_for: Duration,
}

impl Shelf {
    /// Starts with the checkpoints that are found. Their age is unknown, so they count as new.
    fn new(mut found: Vec<u32>, keep_for: Duration) -> Self {
        found.sort_unstable();
        let keep_for = if keep_for.is_zero() { keep_for } else { keep_for + LONGER };
        Self { there: found.into_iter().map(|number| (number, Moment::ZERO)).collect(), keep_for }
    }

    /// Adds a checkpoint, and removes those that are no longer needed.
    fn clear(&mut self, number: u32, now: Moment, directory: &Path) -> io::Result<()> {
        self.there.push((number, now));
        while let Some(index) = self.unwanted(now) {
            let (old, _) = self.there.remove(index);
            fs::remove_file(path(directory, old))?;
        }
        Ok(())
    }

    /// A checkpoint that is not needed any more: the next one is old enough to replace it, or its
    /// neighbours are close together.
    fn unwanted(&self, now: Moment) -> Option<usize> {
        let older = self.there.len().saturating_sub(LEFT);
        (0..older).find(|&index| {
            let made = |index: usize| self.there.get(index).map(|(_, made)| *made);
            let next = made(index + 1);
            let before = index.checked_sub(1).and_then(made);
            let outlived = next.is_some_and(|next| now.since(next) >= self.keep_for);
            let close =
                |(before, next): (Moment, Moment)| next.since(before) < self.keep_for / SPREAD;
            outlived || before.zip(next).is_some_and(close)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checkpoints that are left if one is made every minute, by their minute.
    fn left(keep_for: u64, minutes: u64) -> Vec<u64> {
        let place = tempfile::tempdir().unwrap();
        let mut shelf = Shelf::new(Vec::new(), Duration::from_secs(keep_for));
        for minute in 0..minutes {
            let number = u32::try_from(minute).unwrap();
            fs::write(path(place.path(), number), b"").unwrap();
            let now = Moment::ZERO + Duration::from_secs(60 * minute);
            shelf.clear(number, now, place.path()).unwrap();
        }
        let mut there = numbers(place.path()).unwrap();
        there.sort_unstable();
        there.into_iter().map(u64::from).collect()
    }

    #[test]
    fn two_are_left_where_nobody_wants_older_ones() {
        assert_eq!(left(0, 60), [58, 59]);
        assert_eq!(left(0, 1), [0]);
    }

    #[test]
    fn for_a_delay_one_is_left_that_is_as_old_and_a_few_between() {
        for minutes in [40, 41, 42, 43, 44, 45, 60, 61, 62, 63] {
            let left = left(900, minutes);
            let old = left.iter().filter(|minute| (minutes - 1 - *minute) * 60 >= 900);
            assert!((1..=2).contains(&old.count()), "{minutes}: {left:?}");
            assert!(left.len() <= 10, "{minutes}: {left:?}");
        }
    }
}
