//! Encodes and decodes one record. It knows no file.

use eboard::Moment;
use witness::LineNo;

use super::Record;
use crate::entry::Entry;

/// The longest record. The longest real ones are plans of some hundred tables with the pairings of
/// all rounds.
const RECORD_MAX: usize = 1 << 22;
/// The possible lengths of a record's body: moment, kind and content.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 9..=RECORD_MAX;

/// The first record of a buffer and its length. Its entry is none if this version does not know the
/// kind.
pub(super) fn record(bytes: &[u8]) -> Option<(Option<Record>, usize)> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let sum = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
    if !LENGTHS.contains(&length) {
        return None;
    }
    let body = bytes.get(8..8 + length)?;
    (crc32fast::hash(body) == sum).then(|| (decode(body), 8 + length))
}

/// The moment of the record at the beginning of these bytes, if there may be one. The test is cheap
/// and does not look at the checksum.
pub(super) fn moment(bytes: &[u8]) -> Option<Moment> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let kind = *bytes.get(16)?;
    let fits = LENGTHS.contains(&length) && bytes.len() >= 8 + length;
    let moment = u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
    (fits && kind > 0 && kind < KIND_MAX).then(|| Moment::from_micros(moment))
}

/// A bound above the kinds of all versions. Later versions may write kinds that this one skips.
const KIND_MAX: u8 = 32;

const PLANNED: u8 = 1;
const WALL: u8 = 2;
const OPENED: u8 = 3;
const BYTES: u8 = 4;
const CLOSED: u8 = 5;
const REQUEST: u8 = 6;
const ANSWERED: u8 = 7;
const SHED: u8 = 8;
const DELAYED: u8 = 9;

/// A record as bytes; none if it is too long to be read again.
#[must_use]
pub fn encode((at, entry): &Record) -> Option<Vec<u8>> {
    let mut body = at.as_micros().to_le_bytes().to_vec();
    let line = |body: &mut Vec<u8>, kind: u8, line: LineNo| {
        body.push(kind);
        body.extend(line.get().to_le_bytes());
    };
    match entry {
        Entry::Planned(plan) => {
            body.push(PLANNED);
            body.extend(serde_json::to_vec(plan).unwrap_or_default());
        }
        Entry::Wall(micros) => {
            body.push(WALL);
            body.extend(micros.to_le_bytes());
        }
        Entry::Opened(number, id) => {
            line(&mut body, OPENED, *number);
            body.extend(serde_json::to_vec(id).unwrap_or_default());
        }
        Entry::Bytes(number, bytes) => {
            line(&mut body, BYTES, *number);
            body.extend(bytes);
        }
        Entry::Shed(number, bytes) => {
            line(&mut body, SHED, *number);
            body.extend(bytes.to_le_bytes());
        }
        Entry::Closed(number) => line(&mut body, CLOSED, *number),
        Entry::Request(request) => {
            body.push(REQUEST);
            body.extend(serde_json::to_vec(request).unwrap_or_default());
        }
        Entry::Answered(answer) => {
            body.push(ANSWERED);
            body.extend(serde_json::to_vec(answer).unwrap_or_default());
        }
        Entry::Delayed(delay) => {
            body.push(DELAYED);
            body.extend(serde_json::to_vec(delay).unwrap_or_default());
        }
    }
    if body.len() > RECORD_MAX {
        return None;
    }
    let mut record = u32::try_from(body.len()).ok()?.to_le_bytes().to_vec();
    record.extend(crc32fast::hash(&body).to_le_bytes());
    record.extend(body);
    Some(record)
}

fn decode(body: &[u8]) -> Option<Record> {
    let (at, rest) = body.split_at_checked(8)?;
    let at = Moment::from_micros(u64::from_le_bytes(at.try_into().ok()?));
    let (kind, rest) = rest.split_first()?;
    let line = || {
        let (line, rest) = rest.split_at_checked(4)?;
        Some((LineNo::new(u32::from_le_bytes(line.try_into().ok()?)), rest))
    };
    let entry = match *kind {
        PLANNED => Entry::Planned(serde_json::from_slice(rest).ok()?),
        WALL => Entry::Wall(i64::from_le_bytes(rest.try_into().ok()?)),
        OPENED => {
            let (number, rest) = line()?;
            Entry::Opened(number, serde_json::from_slice(rest).ok()?)
        }
        BYTES => {
            let (number, bytes) = line()?;
            Entry::Bytes(number, bytes.to_vec())
        }
        SHED => {
            let (number, bytes) = line()?;
            Entry::Shed(number, u64::from_le_bytes(bytes.try_into().ok()?))
        }
        CLOSED => Entry::Closed(line()?.0),
        REQUEST => Entry::Request(serde_json::from_slice(rest).ok()?),
        ANSWERED => Entry::Answered(serde_json::from_slice(rest).ok()?),
        DELAYED => Entry::Delayed(serde_json::from_slice(rest).ok()?),
        _ => return None,
    };
    Some((at, entry))
}
