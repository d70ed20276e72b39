//! What earlier runs recorded: the state that the public may know when this run begins, and the
//! records after that state, read one segment after another.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use eboard::Moment;

use super::Schedule;
use crate::entry::Delay;
use crate::entry::Entry;
use crate::record::checkpoint::{self, Memory};
use crate::record::journal::{Pieces, Record};

/// The journal and its checkpoints as they were when this run began.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The directory.
    pub directory: PathBuf,
    /// The segments that are read, oldest first.
    pub segments: Vec<PathBuf>,
    /// Where the last of them ended.
    pub end: u64,
    /// The interval of time sheets. A checkpoint is read for the interval it was written with.
    pub every: Duration,
}

/// The records that are still to be read.
#[derive(Default)]
pub struct History {
    segments: VecDeque<(PathBuf, u64, u64)>,
    open: Option<Pieces>,
}

impl History {
    /// Reads the newest checkpoint that the public may know when `now` has been counted, and the
    /// records after it. Without such a checkpoint it begins at the first record. None: nothing
    /// was recorded before.
    #[must_use]
    pub fn recall(place: &Place, now: Duration) -> Option<(Memory, Self)> {
        place.segments.first()?;
        let old_enough = |memory: &Memory| {
            let (at, last) = (memory.works.delay(), memory.works.now());
            at.is_some_and(|(from, delay)| Schedule::new(from, delay).due(last) <= now)
        };
        let Place { directory, segments, every, .. } = place;
        let found = checkpoint::newest_of_before(directory, segments, *every, old_enough);
        Some(match found {
            Some(found) => (found.memory, Self::after(place, &found.segment, found.offset)),
            None => (Memory::new(*every), Self::all(place)),
        })
    }

    /// All records that are there.
    #[must_use]
    pub fn all(place: &Place) -> Self {
        place.segments.first().map_or_else(Self::default, |first| Self::after(place, first, 0))
    }

    fn after(place: &Place, first: &Path, offset: u64) -> Self {
        let last = place.segments.last();
        let wanted = place.segments.iter().skip_while(|segment| *segment != first);
        let segments = wanted.map(|segment| {
            let from = if segment == first { offset } else { 0 };
            let to = if Some(segment) == last { place.end } else { u64::MAX };
            (segment.clone(), from, to)
        });
        Self { segments: segments.collect(), open: None }
    }

    /// Reads the next records; empty at the end. A segment that cannot be read is logged and
    /// skipped.
    pub fn records(&mut self) -> Vec<Record> {
        loop {
            if let Some(open) = &mut self.open {
                match open.records() {
                    Ok(Some(records)) => return records,
                    Ok(None) => self.open = None,
                    Err(error) => {
                        tracing::warn!("the public copy cannot read the journal: {error}");
                        self.open = None;
                    }
                }
            }
            let Some((path, from, to)) = self.segments.pop_front() else { return Vec::new() };
            match Pieces::open(&path, from, to) {
                Ok(pieces) => self.open = Some(pieces),
                Err(error) => {
                    tracing::warn!("the public copy cannot read {}: {error}", path.display());
                }
            }
        }
    }

    /// The first recorded rule, with its moment; none: no rule was recorded.
    #[must_use]
    pub fn first_rule(place: &Place) -> Option<(Moment, Delay)> {
        let mut history = Self::all(place);
        loop {
            let records = history.records();
            if records.is_empty() {
                return None;
            }
            let rule = records.into_iter().find_map(|(at, entry)| match entry {
                Entry::Delayed(delay) => Some((at, delay)),
                _ => None,
            });
            if rule.is_some() {
                return rule;
            }
        }
    }
}
