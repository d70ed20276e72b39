//! Records that are not public yet, encoded as in the journal. 300 boards record some 330 entries
//! of 35 bytes a second, 40 MB in an hour.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eboard::Moment;

use super::Schedule;
use crate::config::{Config, Public};
use crate::entry::{Delay, Entry};
use crate::record::journal::{self, Record};

/// The most that waits: three times what 300 boards record in the longest delay, two hours. Only
/// broken lines send that much.
const BYTES_MAX: usize = 256 << 20;
/// Bytes of records that are decoded at once.
const CHUNK: usize = 64 << 10;

/// A part of the backlog.
pub enum Chunk {
    /// Records, encoded as in the journal.
    Records(Vec<u8>),
    /// The whole state at this moment. It stands for records that were too many to be kept.
    Anew(Moment, Vec<u8>),
    /// Another configuration.
    Config(Box<Config>),
}

/// Everything that waits to become public, oldest first.
#[derive(Default)]
pub struct Backlog {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    chunks: VecDeque<Chunk>,
    bytes: usize,
    reached: Moment,
    /// Records were left out, and no whole state has been added since.
    lost: bool,
}

impl Backlog {
    /// Adds a record. It is left out, and so are all later ones, once there is no room.
    pub fn push(&self, record: &Record) {
        let Some(bytes) = journal::encode(record) else { return };
        let mut inner = self.lock();
        if inner.lost || inner.bytes + bytes.len() > BYTES_MAX {
            inner.lost = true;
            return;
        }
        inner.bytes += bytes.len();
        match inner.chunks.back_mut() {
            Some(Chunk::Records(chunk)) if chunk.len() < CHUNK => chunk.extend(bytes),
            _ => inner.chunks.push_back(Chunk::Records(bytes)),
        }
    }

    /// Adds a configuration, which holds for the records after it.
    pub fn configure(&self, config: Config) {
        self.lock().chunks.push_back(Chunk::Config(Box::new(config)));
    }

    /// Notes that no record from before this moment will be added any more.
    pub fn reaches(&self, at: Moment) {
        self.lock().reached = at;
    }

    /// The moment up to which all records have been added. Ask for it before taking chunks: a
    /// record may be added in between.
    #[must_use]
    pub fn reached(&self) -> Moment {
        self.lock().reached
    }

    /// Whether records were left out and there is room for a whole state again.
    #[must_use]
    pub fn wants_all(&self) -> bool {
        let inner = self.lock();
        inner.lost && inner.bytes < BYTES_MAX / 2
    }

    /// Whether records were left out, and no whole state has been added since.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.lock().lost
    }

    /// Adds the whole state at this moment, after records were left out.
    pub fn all(&self, at: Moment, state: Vec<u8>) {
        let mut inner = self.lock();
        inner.bytes += state.len();
        inner.lost = false;
        inner.chunks.push_back(Chunk::Anew(at, state));
    }

    /// Takes the oldest part.
    #[must_use]
    pub fn take(&self) -> Option<Chunk> {
        let mut inner = self.lock();
        let chunk = inner.chunks.pop_front();
        inner.bytes -= match &chunk {
            Some(Chunk::Records(bytes) | Chunk::Anew(_, bytes)) => bytes.len(),
            Some(Chunk::Config(_)) | None => 0,
        };
        chunk
    }

    /// The bytes that wait.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The run loop's side of the backlog.
pub struct Intake {
    backlog: std::sync::Arc<Backlog>,
    schedule: Schedule,
    rule: Public,
}

impl Intake {
    /// For a run that begins with this schedule.
    #[must_use]
    pub const fn new(backlog: std::sync::Arc<Backlog>, schedule: Schedule, rule: Public) -> Self {
        Self { backlog, schedule, rule }
    }

    /// The backlog that this side fills.
    #[must_use]
    pub fn backlog(&self) -> &Backlog {
        &self.backlog
    }

    /// The rule and the time counted so far, to be recorded again. A start after a crash goes on
    /// from this record alone.
    #[must_use]
    pub fn again(&self, at: Moment) -> Entry {
        Entry::Delayed(self.schedule.change(at, &self.rule))
    }

    /// Adds an entry that was recorded.
    pub fn recorded(&mut self, at: Moment, entry: &Entry) {
        if let Entry::Delayed(delay) = entry {
            self.schedule = Schedule::new(at, *delay);
        }
        self.backlog.push(&(at, entry.clone()));
    }

    /// Takes another configuration. Gives the entry to be recorded if the delay has changed.
    #[must_use]
    pub fn configure(&mut self, at: Moment, config: &Config) -> Option<Entry> {
        let rule = config.public.unwrap_or(self.rule);
        let before = std::mem::replace(&mut self.rule, rule);
        self.backlog.configure(config.clone());
        if rule == before {
            return None;
        }
        let delay = self.schedule.change(at, &rule);
        tell(&before, &rule, self.longest(at, &delay));
        Some(Entry::Delayed(delay))
    }

    /// How long it takes until everything that was recorded before is public.
    fn longest(&self, at: Moment, delay: &Delay) -> Duration {
        Duration::from_micros(delay.due).saturating_sub(self.schedule.counted(at))
    }
}

/// Logs what a changed delay does to the public copy.
fn tell(before: &Public, rule: &Public, left: Duration) {
    let (from, to, left) = (before.delay_s, rule.delay_s, left.as_secs());
    if to < from {
        tracing::warn!(
            "the public delay is {to} s instead of {from} s for what happens from now on; what has \
             happened keeps {from} s, and nothing overtakes it: the new delay is seen in {left} s"
        );
    } else if to > from {
        tracing::info!(
            "the public delay is {to} s instead of {from} s for what happens from now: in {left} \
             s the public copy stands still for {} s",
            to - from
        );
    }
    if rule.delay_moves != before.delay_moves {
        tracing::warn!(
            "the public copy holds back {} half moves instead of {}",
            rule.delay_moves,
            before.delay_moves
        );
    }
}

#[cfg(test)]
mod tests {
    use witness::LineNo;

    use super::*;

    fn record(second: u64, bytes: usize) -> Record {
        (Moment::ZERO + Duration::from_secs(second), Entry::Bytes(LineNo::new(1), vec![7; bytes]))
    }

    fn records(backlog: &Backlog) -> Vec<Record> {
        let taken = std::iter::from_fn(|| backlog.take());
        let read = taken.flat_map(|chunk| match chunk {
            Chunk::Records(bytes) => journal::content(&bytes, 0).records,
            Chunk::Anew(..) | Chunk::Config(_) => Vec::new(),
        });
        read.collect()
    }

    #[test]
    fn what_was_recorded_comes_out_as_it_was_and_in_order() {
        let backlog = Backlog::default();
        let records_before: Vec<_> = (0..10_000).map(|second| record(second, 12)).collect();
        records_before.iter().for_each(|record| backlog.push(record));
        assert!(backlog.bytes() > 10_000 * 12);
        assert_eq!(records(&backlog), records_before);
        assert_eq!(backlog.bytes(), 0);
    }

    #[test]
    fn too_much_is_left_out_until_everything_is_kept_anew() {
        let backlog = Backlog::default();
        (0..260).for_each(|second| backlog.push(&record(second, 1 << 20)));
        assert!(backlog.has_lost() && backlog.bytes() <= BYTES_MAX && !backlog.wants_all());
        while backlog.bytes() > BYTES_MAX / 3 {
            assert!(backlog.take().is_some());
        }
        // A gap in what a board has said would be another game.
        let held = backlog.bytes();
        backlog.push(&record(300, 1));
        assert!(backlog.bytes() == held && backlog.wants_all());
        backlog.all(Moment::ZERO + Duration::from_secs(301), vec![1, 2, 3]);
        backlog.push(&record(302, 1));
        assert!(!backlog.has_lost());
        let last: Vec<_> = std::iter::from_fn(|| backlog.take()).collect();
        let [.., Chunk::Anew(_, state), Chunk::Records(bytes)] = &last[..] else { panic!() };
        assert_eq!(state, &[1, 2, 3]);
        assert_eq!(journal::content(bytes, 0).records, [record(302, 1)]);
    }
}
