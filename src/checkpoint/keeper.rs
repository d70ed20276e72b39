//! Writes checkpoints, on a thread of its own: neither the run loop nor the journal waits for it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use super::{BUILD, Header, PREFIX, numbers, path, tail, whole};

/// Checkpoints that wait while one is written: the next one is as good as any.
const QUEUE: usize = 1;
/// So many are left: the second one is for when the newest is of no use.
const LEFT: usize = 2;
/// How long the last one may take when the daemon ends.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// What is to be written: a segment of the journal, how much of it is kept, and what.
type Job = (PathBuf, u64, Vec<u8>);

/// The thread, as those see it who want something kept.
pub struct Keeper {
    queue: SyncSender<Job>,
    ended: Receiver<()>,
}

impl Keeper {
    /// Starts it.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn start(directory: &Path) -> io::Result<Self> {
        let (queue, jobs) = mpsc::sync_channel(QUEUE);
        let (end, ended) = mpsc::sync_channel(QUEUE);
        let directory = directory.to_owned();
        std::thread::Builder::new().name("checkpoint".to_owned()).spawn(move || {
            keep(&jobs, &directory);
            drop(end);
        })?;
        Ok(Self { queue, ended })
    }

    /// Whoever is told where the journal has come to by then.
    pub fn mark(&self, state: Vec<u8>) -> impl FnOnce(&Path, u64) + Send + 'static {
        let queue = self.queue.clone();
        move |segment, offset| {
            if queue.try_send((segment.to_owned(), offset, state)).is_err() {
                tracing::debug!(
                    "a checkpoint is left out: the disk has not taken the last one yet"
                );
            }
        }
    }

    /// Waits for what was told, unless the disk does not answer.
    pub fn close(self) {
        drop(self.queue);
        let _ = self.ended.recv_timeout(LAST_PATIENCE);
    }
}

fn keep(jobs: &Receiver<Job>, directory: &Path) {
    let mut failed = false;
    while let Ok((segment, offset, state)) = jobs.recv() {
        let written = write(directory, &segment, offset, &state);
        match &written {
            Ok(()) => tracing::debug!("a checkpoint of {} bytes is written", state.len()),
            Err(error) if !failed => tracing::warn!("no checkpoint could be written: {error}"),
            Err(error) => tracing::debug!("no checkpoint could be written: {error}"),
        }
        failed = written.is_err();
    }
}

/// The journal first: a checkpoint must never know more than the journal has on the disk.
fn write(directory: &Path, segment: &Path, offset: u64, state: &[u8]) -> io::Result<()> {
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
    for old in numbers.iter().rev().skip(LEFT - 1) {
        fs::remove_file(path(directory, *old))?;
    }
    Ok(())
}
