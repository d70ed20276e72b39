//! Takes over the record that another machine has kept on the broker.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::mirror::{Head, parts};
use crate::mqtt::topic::{RecordTopic, Slot};
use crate::record::checkpoint::{self, Memory};
use crate::record::journal;
use crate::spare::Left;

/// The most that is kept of what stands on the broker, in bytes: ten times the record of a hall of
/// 300 boards.
const ROOM: usize = 256 << 20;

/// The pieces of records that stand on the broker.
#[derive(Default)]
pub struct Shelf {
    pieces: BTreeMap<RecordTopic, Vec<u8>>,
    size: usize,
}

/// A record that can be gone on with.
#[derive(Debug, PartialEq, Eq)]
pub struct Handover {
    /// The run that has written it.
    pub boot: String,
    /// What it was made of.
    pub head: Head,
    slot: Slot,
    /// The state.
    state: Vec<u8>,
    /// The records after it.
    records: Vec<u8>,
}

/// Why nothing can be taken over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lack {
    /// No machine has kept a record there.
    #[error("no record stands on the broker")]
    Nothing,
    /// It is not whole.
    #[error("the record on the broker is not whole")]
    Torn,
    /// Another build has written it.
    #[error("another build of this program has written it: install the same on both machines")]
    OtherBuild,
}

impl Shelf {
    /// Takes a message; an empty one clears its topic.
    pub fn take(&mut self, topic: RecordTopic, payload: Vec<u8>) {
        let old = self.pieces.remove(&topic).map_or(0, |it| it.len());
        self.size -= old;
        if !payload.is_empty() && self.size + payload.len() <= ROOM {
            self.size += payload.len();
            self.pieces.insert(topic, payload);
        }
    }

    /// What stands there.
    #[must_use]
    pub fn left(&self) -> Left {
        let slot = self.newest().map_or(Slot::B, |it| it.slot);
        Left { topics: self.pieces.keys().copied().collect(), slot }
    }

    /// The highest term of a checkpoint there.
    #[must_use]
    pub fn term(&self) -> u64 {
        self.heads().map(|(_, _, head)| head.term).max().unwrap_or(0)
    }

    /// The newest record that is whole.
    ///
    /// # Errors
    /// If there is none.
    pub fn newest(&self) -> Result<Handover, Lack> {
        let mut heads: Vec<_> = self.heads().collect();
        heads.sort_by_key(|(_, _, head)| (head.term, head.generation));
        let mut lack = Lack::Nothing;
        for (slot, boot, head) in heads.into_iter().rev() {
            if head.build != checkpoint::BUILD {
                lack = Lack::OtherBuild;
                break;
            }
            match self.state(slot, boot, &head) {
                Some(state) => {
                    let (boot, records) = (boot.to_owned(), self.records(boot, head.tail));
                    return Ok(Handover { boot, head, slot, state, records });
                }
                None => lack = Lack::Torn,
            }
        }
        Err(lack)
    }

    fn heads(&self) -> impl Iterator<Item = (Slot, &str, Head)> {
        Slot::ALL.into_iter().filter_map(|slot| {
            let (boot, head) = parts(self.pieces.get(&RecordTopic::Head(slot))?)?;
            Some((slot, boot, serde_json::from_slice(head).ok()?))
        })
    }

    fn state(&self, slot: Slot, boot: &str, head: &Head) -> Option<Vec<u8>> {
        let mut state = Vec::new();
        for number in 0..head.parts {
            state.extend(self.piece(RecordTopic::Part(slot, number), boot)?);
        }
        let whole = crc32fast::hash(&state) == head.crc32 && checkpoint::decode(&state).is_ok();
        whole.then_some(state)
    }

    fn records(&self, boot: &str, from: u32) -> Vec<u8> {
        let blocks = (from..).map_while(|number| self.piece(RecordTopic::Tail(number), boot));
        blocks.flatten().copied().collect()
    }

    fn piece(&self, topic: RecordTopic, boot: &str) -> Option<&[u8]> {
        let (run, content) = parts(self.pieces.get(&topic)?)?;
        (run == boot).then_some(content)
    }
}

impl Handover {
    /// Orders records by their age: the greater, the newer.
    #[must_use]
    pub fn age(&self) -> (u64, u64, usize) {
        (self.head.term, self.head.generation, self.records.len())
    }

    /// Writes it into a directory as a segment of the journal, and a checkpoint in front of it. A
    /// start reads them as its own. `every` is the span between two rows of the time sheet here.
    ///
    /// # Errors
    /// If the state cannot be understood, or the directory not be written. Nothing of it is left
    /// there then.
    pub fn place(&self, directory: &Path, day: &str, every: Duration) -> io::Result<()> {
        let Memory { works, sheet, last_line, closed } =
            checkpoint::decode(&self.state).map_err(io::Error::other)?;
        let sheet = sheet.with_span(every);
        let state =
            checkpoint::freeze(&works, &sheet, last_line, &closed).and_then(|it| it.encode());
        let state = state.map_err(io::Error::other)?;
        let segment = journal::place(directory, day, &self.records)?;
        let placed = checkpoint::place(directory, &segment, &state);
        if placed.is_err() {
            let _ = std::fs::remove_file(&segment);
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use eboard::Moment;
    use witness::{GameNo, IncidentId, LineNo, TableNo};

    use super::*;
    use crate::config::Config;
    use crate::entry::Entry;
    use crate::mqtt::speaker::{Machine, Speaker};
    use crate::spare::mirror::Mirror;

    fn speaker(boot: &str, term: u64) -> Speaker {
        let machine = Some(Machine { name: "first".to_owned(), term });
        Speaker { boot: boot.to_owned(), machine }
    }

    fn encoded(memory: &Memory) -> Vec<u8> {
        let Memory { works, sheet, last_line, closed } = memory;
        checkpoint::freeze(works, sheet, *last_line, closed).unwrap().encode().unwrap()
    }

    /// A memory of several parts.
    fn large() -> Memory {
        let mut memory = Memory::new(Duration::from_secs(1800));
        let alert = IncidentId { game: GameNo::new(1), number: 1 };
        memory.closed = (1..=60_000).map(|table| (TableNo::new(table), alert)).collect();
        memory
    }

    /// The works after a record that was taken over.
    fn placed(handover: &Handover) -> Vec<u8> {
        let place = tempfile::tempdir().unwrap();
        let every = Duration::from_secs(1800);
        handover.place(place.path(), "2026.11.26", every).unwrap();
        let segments = journal::recent(place.path()).unwrap();
        let found = checkpoint::newest(place.path(), &segments, every).expect("a checkpoint");
        let mut memory = found.memory;
        let read = journal::read_from(&found.segment, found.offset).unwrap();
        assert_eq!(read.torn, 0);
        for (at, entry) in read.records {
            memory.enter(at, &entry, &mut Vec::new());
        }
        encoded(&memory)
    }

    fn at(second: u64) -> Moment {
        Moment::ZERO + Duration::from_secs(second)
    }

    /// After each message that reaches the broker the record there is that of some moment, and
    /// never of an earlier one than before.
    #[test]
    fn whenever_the_machine_dies_its_record_is_whole() {
        let mut memory = Memory::new(Duration::from_secs(1800));
        let (mut mirror, mut shelf) =
            (Mirror::new(speaker("x", 1), Left::default()), Shelf::default());
        let mut states = Vec::new();
        let mut newest = 0;
        for step in 0..60 {
            let entry = match step {
                0 => Entry::Planned(Box::new(Config::default().plan())),
                step if step % 3 == 0 => Entry::Wall(1_000_000 * step),
                step => Entry::Bytes(LineNo::new(9), vec![0; 10 * usize::try_from(step).unwrap()]),
            };
            let now = at(u64::try_from(step).unwrap());
            mirror.keep(now, &entry);
            memory.enter(now, &entry, &mut Vec::new());
            states.push(encoded(&memory));
            if step % 17 == 1 {
                mirror.checkpoint(&encoded(&memory));
            }
            for (topic, payload) in mirror.take() {
                shelf.take(topic, payload);
                let Ok(handover) = shelf.newest() else {
                    assert_eq!(newest, 0, "there is no record any more");
                    continue;
                };
                let state = placed(&handover);
                let found = states.iter().rposition(|it| *it == state).expect("of no moment");
                assert!(found >= newest, "step {step}: {found} after {newest}");
                newest = found;
            }
            if step > 1 {
                assert_eq!(newest, states.len() - 1, "step {step} is not there");
            }
        }
        let left = shelf.pieces.keys().filter(|it| matches!(it, RecordTopic::Tail(_))).count();
        assert!(left < 6, "{left} blocks are left over");
    }

    #[test]
    fn what_an_earlier_run_has_left_is_no_part_of_a_record() {
        let memory = Memory::new(Duration::from_secs(1800));
        let mut shelf = Shelf::default();
        let mut run = |boot: &str, term: u64, walls: &[i64]| {
            let left = shelf.left();
            let mut mirror = Mirror::new(speaker(boot, term), left);
            mirror.checkpoint(&encoded(&memory));
            for wall in walls {
                mirror.keep(at(1), &Entry::Wall(*wall));
            }
            for (topic, payload) in mirror.take() {
                shelf.take(topic, payload);
            }
            shelf.newest().unwrap()
        };
        let first = run("first", 1, &[1, 2, 3]);
        let second = run("second", 2, &[]);
        assert_eq!(second.head.term, 2);
        assert!(second.records.is_empty() && !first.records.is_empty());
        assert_eq!(shelf.term(), 2);
        let whose = |it: &Vec<u8>| parts(it).unwrap().0.to_owned();
        assert!(shelf.pieces.values().all(|it| whose(it) == "second"), "something is left over");
    }

    #[test]
    fn a_record_that_cannot_be_gone_on_with_says_why() {
        let mut shelf = Shelf::default();
        assert_eq!(shelf.newest(), Err(Lack::Nothing));
        let mut mirror = Mirror::new(speaker("x", 1), Left::default());
        mirror.checkpoint(&encoded(&large()));
        let messages = mirror.take();
        for (topic, payload) in &messages {
            shelf.take(*topic, payload.clone());
        }
        assert!(shelf.newest().is_ok());
        assert!(messages.len() > 2, "it has one part");
        shelf.take(RecordTopic::Part(Slot::A, 1), b"x\nothers".to_vec());
        assert_eq!(shelf.newest(), Err(Lack::Torn));
        let (_, head) = messages.last().unwrap();
        let other = String::from_utf8(head.clone()).unwrap().replace(checkpoint::BUILD, "0.0.1");
        shelf.take(RecordTopic::Head(Slot::A), other.into_bytes());
        assert_eq!(shelf.newest(), Err(Lack::OtherBuild));
    }
}
