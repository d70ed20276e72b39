//! Checkpoints: now and then, all that the machines know is written beside the journal. A start
//! then reads only the records after it.
//!
//! A checkpoint may be lost or useless; the journal may not. If anything is wrong with a
//! checkpoint, the last two segments of the journal are read.
//!
//! A file is called `checkpoint-000012.bin`, and the newest has the highest number. It contains
//! `MAGIC`, a `Header`, the state, and the CRC-32 of all that, little-endian.

use witness::LineNo;

mod keeper;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bincode::enc::write::Writer;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode, config};
use eboard::Moment;
use witness::{Effect, IncidentId, TableNo};

use crate::entry::Entry;
use crate::time_sheet::Sheet;
use crate::works::kept::{self, Saved};
use crate::works::{Act, Works};
pub use keeper::{Keeper, place};

const MAGIC: &[u8] = b"adoubed checkpoint\n";
/// The sources of this build. Only the same build can decode the state.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("ADOUBED_SOURCES"));
/// The first part of the file name; the number follows.
const PREFIX: &str = "checkpoint-";
/// The last part of the file name.
const SUFFIX: &str = ".bin";
/// How many bytes of the journal before a checkpoint are compared with those at its writing.
const TAIL: u64 = 1 << 16;
/// The most memory that is allocated for a state: five times that of a hall of a thousand tables.
const MEMORY_MAX: usize = 1 << 30;
/// The first allocation for a state. A hall of 300 tables fits, so it is not moved while it grows.
const ROOM: usize = 4 << 20;
/// The longest step by which the works advance while they are restored.
const STRIDE: Duration = Duration::from_secs(60);
/// The most closed alerts that are remembered: those of a round in a hall of a thousand tables.
const CLOSED_MAX: usize = 4096;

/// The place of a checkpoint in the record.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct Header {
    /// The build that wrote it.
    build: String,
    /// The file name of the journal's segment.
    segment: String,
    /// The offset in the segment. The checkpoint contains everything before it.
    offset: u64,
    /// The CRC-32 of the bytes before the offset, at most [`TAIL`] of them.
    tail: u32,
}

/// Everything that a daemon knows from its journal.
pub struct Memory {
    /// Lines and tables.
    pub works: Works,
    /// The time sheet.
    pub sheet: Sheet,
    /// The highest number of a line so far.
    pub last_line: LineNo,
    /// The closed alerts. The broker may still retain them.
    pub closed: Vec<(TableNo, IncidentId)>,
}

impl Memory {
    /// The memory at the beginning of a record.
    #[must_use]
    pub fn new(every: Duration) -> Self {
        let works = Works::new(catalog::languages());
        Self { works, sheet: Sheet::new(every), last_line: LineNo::default(), closed: Vec::new() }
    }

    /// Takes up the next entry of the journal.
    pub fn enter(&mut self, at: Moment, entry: &Entry, acts: &mut Vec<Act>) {
        while self.works.now() + STRIDE < at {
            let stride = self.works.now() + STRIDE;
            self.sheet.advance(&mut self.works, stride, acts);
            self.hear(acts);
        }
        self.sheet.enter(&mut self.works, at, entry, acts);
        if let Entry::Opened(number, _) = entry {
            self.last_line = self.last_line.max(*number);
        }
        self.hear(acts);
    }

    fn hear(&mut self, acts: &mut Vec<Act>) {
        for act in acts.drain(..) {
            if let Act::Table(_, table, Effect::Closed(incident, _)) = act {
                Self::close(&mut self.closed, table, incident.id);
            }
        }
    }

    /// Notes that an alert was closed.
    pub fn close(closed: &mut Vec<(TableNo, IncidentId)>, table: TableNo, alert: IncidentId) {
        closed.push((table, alert));
        let old = closed.len().saturating_sub(CLOSED_MAX);
        closed.drain(..old);
    }
}

/// The state as it stood. The run loop takes it, and another thread encodes it.
pub struct Frozen {
    works: kept::Frozen,
    /// What follows the works, encoded.
    rest: Vec<u8>,
}

/// The state as it stands now.
///
/// # Errors
/// If a value cannot be encoded.
pub fn freeze(
    works: &Works,
    sheet: &Sheet,
    last_line: LineNo,
    closed: &[(TableNo, IncidentId)],
) -> Result<Frozen, EncodeError> {
    let rest = bincode::encode_to_vec((sheet, last_line, closed), config::standard())?;
    Ok(Frozen { works: works.freeze()?, rest })
}

impl Frozen {
    /// Encodes the state.
    ///
    /// # Errors
    /// If a value cannot be encoded.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Bytes(Vec::with_capacity(ROOM));
        bincode::encode_into_writer(&self.works, &mut bytes, config::standard())?;
        bytes.0.extend_from_slice(&self.rest);
        Ok(bytes.0)
    }
}

/// The buffer of an encoder. Most writes are one byte long.
struct Bytes(Vec<u8>);

impl Writer for &mut Bytes {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        match bytes {
            [byte] => self.0.push(*byte),
            bytes => self.0.extend_from_slice(bytes),
        }
        Ok(())
    }
}

/// Decodes a state.
///
/// # Errors
/// If the bytes are no state of this build.
pub fn decode(bytes: &[u8]) -> Result<Memory, DecodeError> {
    type Kept = (Saved, Sheet, LineNo, Vec<(TableNo, IncidentId)>);
    let config = config::standard().with_limit::<MEMORY_MAX>();
    let ((works, mut sheet, last_line, closed), read) =
        bincode::decode_from_slice::<Kept, _>(bytes, config)?;
    if read != bytes.len() {
        return Err(DecodeError::Other("more than it should be"));
    }
    let works = works.works(catalog::languages())?;
    let played = works.hall().tables().filter(|(_, table)| table.game_number().get() > 0);
    sheet.tell_again(played.map(|(number, _)| number));
    Ok(Memory { works, sheet, last_line, closed })
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("it is damaged")]
    Damaged,
    #[error("another build of this program has written it")]
    OtherBuild,
    #[error("it cannot be understood: {0}")]
    Strange(#[from] DecodeError),
    #[error("the journal is not read from as early as {0}")]
    OtherSegment(String),
    #[error("{0} is shorter than it was, or has changed")]
    OtherJournal(String),
    #[error("time sheets are to be written more or less often than then")]
    OtherSheet,
}

/// A checkpoint that a start goes on from.
pub struct Found {
    /// The state.
    pub memory: Memory,
    /// The segment of the journal.
    pub segment: PathBuf,
    /// The offset at which the journal goes on.
    pub offset: u64,
}

/// The newest checkpoint that fits these segments of the journal. The reason why a newer one is
/// useless is logged.
#[must_use]
pub fn newest(directory: &Path, segments: &[PathBuf], every: Duration) -> Option<Found> {
    from_the_newest(directory).find_map(|path| match read(&path, segments, every) {
        Ok(found) => Some(found),
        Err(why) => {
            tracing::warn!("the checkpoint {} is not used: {why}", path.display());
            None
        }
    })
}

/// The newest checkpoint of these segments that is old enough.
#[must_use]
pub fn newest_of_before(
    directory: &Path,
    segments: &[PathBuf],
    every: Duration,
    old_enough: impl Fn(&Memory) -> bool,
) -> Option<Found> {
    let found = from_the_newest(directory).filter_map(|path| read(&path, segments, every).ok());
    found.into_iter().find(|found| old_enough(&found.memory))
}

fn from_the_newest(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let mut numbers = numbers(directory).unwrap_or_default();
    numbers.sort_unstable();
    numbers.into_iter().rev().map(move |number| path(directory, number))
}

fn read(path: &Path, segments: &[PathBuf], every: Duration) -> Result<Found, Unusable> {
    let bytes = fs::read(path)?;
    let (header, state) = parts(&bytes)?;
    let named = |path: &&PathBuf| path.file_name().is_some_and(|it| *it == *header.segment);
    let Some(segment) = segments.iter().find(named) else {
        return Err(Unusable::OtherSegment(header.segment));
    };
    if tail(segment, header.offset).ok() != Some(header.tail) {
        return Err(Unusable::OtherJournal(header.segment));
    }
    let memory = decode(state)?;
    if memory.sheet.every() != every {
        return Err(Unusable::OtherSheet);
    }
    Ok(Found { memory, segment: segment.clone(), offset: header.offset })
}

/// The header and the state of a checkpoint.
fn parts(bytes: &[u8]) -> Result<(Header, &[u8]), Unusable> {
    let (content, sum) = bytes.split_last_chunk::<4>().ok_or(Unusable::Damaged)?;
    let content = content.strip_prefix(MAGIC).ok_or(Unusable::Damaged)?;
    if crc32fast::hash(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*sum) {
        return Err(Unusable::Damaged);
    }
    let config = config::standard().with_limit::<MEMORY_MAX>();
    // The name of the build comes first, because another build may have written anything after it.
    let (build, _) = bincode::decode_from_slice::<String, _>(content, config)?;
    if build != BUILD {
        return Err(Unusable::OtherBuild);
    }
    let (header, read) = bincode::decode_from_slice::<Header, _>(content, config)?;
    Ok((header, &content[read..]))
}

fn whole(header: &Header, state: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(bincode::encode_to_vec(header, config::standard())?);
    bytes.extend(state);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// The CRC-32 of the bytes before an offset.
///
/// # Errors
/// If the file is shorter.
fn tail(path: &Path, offset: u64) -> io::Result<u32> {
    let mut file = File::open(path)?;
    let length = offset.min(TAIL);
    file.seek(SeekFrom::Start(offset - length))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(crc32fast::hash(&bytes)),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The numbers of the checkpoints in a directory.
pub(crate) fn numbers(directory: &Path) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        let digits = name.to_str().and_then(|it| it.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        numbers.extend(digits.and_then(|digits| digits.parse::<u32>().ok()));
    }
    Ok(numbers)
}

fn path(directory: &Path, number: u32) -> PathBuf {
    directory.join(format!("{PREFIX}{number:06}{SUFFIX}"))
}
