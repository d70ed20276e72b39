//! The record on the broker, for another machine of the hall: the newest checkpoint, and the
//! records after it. Whoever reads it goes on as after a restart.
//!
//! All of it is retained. A checkpoint is cut into parts, its head comes last, and the one before
//! stays until the next is whole. Every message begins with a line that names the run, so that
//! nobody takes what an earlier run has left for a part of it.

use eboard::Moment;
use serde::{Deserialize, Serialize};

use crate::entry::{Entry, Record};
use crate::mqtt::speaker::Speaker;
use crate::mqtt::topic::{RecordTopic, Slot};
use crate::record::checkpoint::BUILD;
use crate::record::journal;
use crate::spare::Left;

/// The longest part of a checkpoint, in bytes. Brokers take messages of 128 KiB and more, and queue
/// a thousand of them.
const PART: usize = 64 << 10;
/// The length at which another block of records is begun, in bytes. A block is sent again whenever
/// it grows, so it is short.
const BLOCK: usize = 4 << 10;
/// The records after which a checkpoint is due: some seconds of a hall of 300 boards.
const RECORDS: usize = 20_000;
/// The same after one that failed.
const AGAIN: usize = 200;

/// What a checkpoint on the broker is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The machine that has written it.
    pub machine: String,
    /// Its term.
    pub term: u64,
    /// The build of the program. Only the same can go on with it.
    pub build: String,
    /// Rises with every checkpoint of a run.
    pub generation: u64,
    /// The number of parts.
    pub parts: u32,
    /// The CRC-32 of all of them.
    pub crc32: u32,
    /// The first block of records after it.
    pub tail: u32,
}

/// Writes the record to the broker.
pub struct Mirror {
    speaker: Speaker,
    /// The generation of the newest checkpoint; 0: there is none yet.
    generation: u64,
    slot: Slot,
    /// The checkpoint in each slot: its parts, and the first block after it.
    slots: [(u32, u32); 2],
    /// The block that is being filled.
    tail: u32,
    block: Vec<u8>,
    grown: bool,
    /// The records until the next checkpoint is due.
    due: usize,
    /// What an earlier run has left.
    left: Vec<RecordTopic>,
    /// The first block that still stands there.
    first: u32,
    messages: Vec<(RecordTopic, Vec<u8>)>,
}

impl Mirror {
    /// The record of this run. What an earlier one has left is cleared, once there is a checkpoint
    /// in the other slot.
    #[must_use]
    pub fn new(speaker: Speaker, Left { topics: left, slot }: Left) -> Self {
        Self {
            speaker,
            generation: 0,
            slot,
            slots: [(0, 0); 2],
            tail: 0,
            block: Vec::new(),
            grown: false,
            due: 0,
            left,
            first: 0,
            messages: Vec::new(),
        }
    }

    /// Whether a checkpoint should come.
    #[must_use]
    pub const fn wants_checkpoint(&self) -> bool {
        self.due == 0
    }

    /// There can be none now.
    pub const fn put_off(&mut self) {
        self.due = AGAIN;
    }

    /// Takes the next entry.
    pub fn keep(&mut self, at: Moment, entry: &Entry) {
        self.due = self.due.saturating_sub(1);
        // What comes before the first checkpoint is in it.
        if self.generation == 0 {
            return;
        }
        let record: Record = (at, entry.clone());
        let Some(bytes) = journal::encode(&record) else { return };
        self.grown = true;
        self.block.extend(bytes);
        if self.block.len() >= BLOCK {
            self.end_block();
        }
    }

    /// Takes the state after everything so far.
    pub fn checkpoint(&mut self, state: &[u8]) {
        self.end_block();
        let before = self.slot;
        self.slot = before.other();
        self.generation += 1;
        self.due = RECORDS;
        let mut parts = 0;
        for part in state.chunks(PART) {
            self.say(RecordTopic::Part(self.slot, parts), part);
            parts += 1;
        }
        let (old, _) = self.slots[self.slot as usize];
        self.slots[self.slot as usize] = (parts, self.tail);
        let head = Head {
            machine: self.speaker.name().to_owned(),
            term: self.speaker.term(),
            build: BUILD.to_owned(),
            generation: self.generation,
            parts,
            crc32: crc32fast::hash(state),
            tail: self.tail,
        };
        self.say(RecordTopic::Head(self.slot), &serde_json::to_vec(&head).unwrap_or_default());
        let slot = self.slot;
        self.clear((parts..old).map(|number| RecordTopic::Part(slot, number)));
        // The checkpoint before may still be needed, with what came after it.
        let (_, needed) = self.slots[before as usize];
        self.clear((self.first..needed).map(RecordTopic::Tail));
        self.first = self.first.max(needed);
        let said = |topic: &RecordTopic| self.messages.iter().any(|(it, _)| it == topic);
        let left: Vec<_> = std::mem::take(&mut self.left);
        let left: Vec<_> = left.into_iter().filter(|topic| !said(topic)).collect();
        self.clear(left.into_iter());
    }

    /// The messages since the last call, in order. An empty one clears its topic.
    pub fn take(&mut self) -> Vec<(RecordTopic, Vec<u8>)> {
        self.say_block();
        std::mem::take(&mut self.messages)
    }

    fn end_block(&mut self) {
        self.say_block();
        if !self.block.is_empty() {
            self.block.clear();
            self.tail += 1;
        }
    }

    fn say_block(&mut self) {
        if std::mem::take(&mut self.grown) {
            let block = std::mem::take(&mut self.block);
            self.say(RecordTopic::Tail(self.tail), &block);
            self.block = block;
        }
    }

    fn say(&mut self, topic: RecordTopic, content: &[u8]) {
        let mut payload = Vec::with_capacity(self.speaker.boot.len() + 1 + content.len());
        payload.extend(self.speaker.boot.as_bytes());
        payload.push(b'\n');
        payload.extend(content);
        self.messages.push((topic, payload));
    }

    fn clear(&mut self, topics: impl Iterator<Item = RecordTopic>) {
        self.messages.extend(topics.map(|topic| (topic, Vec::new())));
    }
}

/// The run and the content of a message.
#[must_use]
pub fn parts(payload: &[u8]) -> Option<(&str, &[u8])> {
    let line = payload.iter().position(|byte| *byte == b'\n')?;
    let (boot, content) = payload.split_at(line);
    Some((std::str::from_utf8(boot).ok()?, content.get(1..)?))
}
