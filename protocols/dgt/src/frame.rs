//! Frames from board to host: a header of three bytes, then data below 80. No conversation here.
//!
//! `80|kind, length bits 13..7, length bits 6..0, data…`; the length counts the header. There is no
//! checksum: only the top bit marks where a frame begins, so any byte from 80 on begins a new one.

use bincode::{Decode, Encode};
use eboard::{Anomaly, Battery, Square};

use crate::clock::{REPORT, Report};
use crate::piece::{Content, Dump};

/// The longest frame that is kept, header included. The introduction text is the longest there is
/// and stays below 260 by what is known; a log is longer, but passed over without being kept.
pub const MAX_FRAME: usize = 512;

/// The longest log: 1f00 bytes of store and the header.
const LONGEST_LOG: usize = 0x1f03;

const HEADER: usize = 3;

/// A well-formed frame from a board. Texts are borrowed from the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// 86: the whole board.
    Board(Dump),
    /// 8d: the clock.
    Clock(Report),
    /// 8e: one square changed.
    Field {
        /// Which square.
        square: Square,
        /// What it holds now.
        content: Content,
    },
    /// 8f: the stored log, passed over.
    Log {
        /// Its length on the wire, header included.
        length: u16,
    },
    /// 90: the address on a bus, 14 bits.
    BusAddress(u16),
    /// 91: the serial number, five digits; old boards add a version after a blank.
    Serial(&'a str),
    /// 92: the text the board introduces itself with.
    Trademark(&'a str),
    /// 93: the version of the firmware.
    Version(Version),
    /// 96: the version of the hardware.
    HardwareVersion(Version),
    /// a0: the battery. The times beside it are not read.
    Battery(Battery),
    /// a2: the long serial number, ten digits (a Revelation puts its firmware version in front).
    LongSerial(&'a str),
}

/// A version as two plain numbers. People write the second one as `.7` and as `.07` alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Version {
    /// The first number, 0 to 127.
    pub major: u8,
    /// The second number, 0 to 127.
    pub minor: u8,
}

impl Frame<'_> {
    /// Whether it comes only when it was asked for.
    #[must_use]
    pub const fn is_answer(&self) -> bool {
        !matches!(self, Self::Field { .. } | Self::Clock(_) | Self::Log { .. })
    }

    /// Appends the frame as it goes over the wire. Texts are cut at the longest frame, and bytes
    /// that cannot stand in one become `?`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Board(dump) => put(out, 0x86, dump.codes()),
            Self::Clock(report) => put(out, 0x8d, &report.encode()),
            Self::Field { square, content } => put(out, 0x8e, &[square.index(), content.code()]),
            Self::Log { length } => {
                let data = usize::from(length).clamp(HEADER, LONGEST_LOG) - HEADER;
                put(out, 0x8f, &vec![0x7f; data]);
            }
            Self::BusAddress(address) => put(out, 0x90, &seven_bits(usize::from(address))),
            Self::Serial(text) => put_text(out, 0x91, text),
            Self::Trademark(text) => put_text(out, 0x92, text),
            Self::Version(version) => put(out, 0x93, &version.bytes()),
            Self::HardwareVersion(version) => put(out, 0x96, &version.bytes()),
            Self::Battery(battery) => {
                let state = if battery.charging { 0x01 } else { 0x02 };
                put(out, 0xa0, &[battery.percent & 0x7f, 0x7f, 0x7f, 0, 0, 0, 0, 0, state]);
            }
            Self::LongSerial(text) => put_text(out, 0xa2, text),
        }
    }
}

impl Version {
    const fn bytes(self) -> [u8; 2] {
        [self.major & 0x7f, self.minor & 0x7f]
    }
}

fn put(out: &mut Vec<u8>, id: u8, data: &[u8]) {
    out.push(id);
    out.extend(seven_bits(HEADER + data.len()));
    out.extend_from_slice(data);
}

fn put_text(out: &mut Vec<u8>, id: u8, text: &str) {
    let data: Vec<u8> = text
        .chars()
        .take(MAX_FRAME - HEADER)
        .map(|letter| if letter.is_ascii() { letter as u8 } else { b'?' })
        .collect();
    put(out, id, &data);
}

/// The lower 14 bits of a number, seven in each byte.
fn seven_bits(number: usize) -> [u8; 2] {
    let seven = |bits| u8::try_from(bits & 0x7f).unwrap_or_default();
    [seven(number >> 7), seven(number)]
}

/// What a decoder finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    /// A well-formed frame.
    Frame(Frame<'a>),
    /// Bytes that were none. A run of stray bytes counts once.
    Noise(Anomaly),
}

/// Cuts a stream of bytes into frames. How the stream is cut into calls makes no difference, and
/// damage never costs more than the frame it hit.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Decoder {
    state: State,
    buffer: [u8; MAX_FRAME],
    filled: usize,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
enum State {
    /// The next byte should begin a frame.
    Between,
    /// In a run of bytes that belong to nothing and have been counted.
    Lost,
    /// The length is not complete.
    Header,
    /// A frame of `total` bytes is being filled.
    Body { total: usize },
    /// A log of `length` bytes is being passed over.
    Log { length: u16, left: usize },
}

impl Default for Decoder {
    fn default() -> Self {
        Self { state: State::Between, buffer: [0; MAX_FRAME], filled: 0 }
    }
}

impl Decoder {
    /// Whether a log is being passed over: at 9600 baud this takes up to eight seconds.
    #[must_use]
    pub const fn in_log(&self) -> bool {
        matches!(self.state, State::Log { .. })
    }

    /// Hands every frame and every anomaly in `bytes` to `heard`, in order.
    pub fn feed(&mut self, mut bytes: &[u8], mut heard: impl FnMut(Heard<'_>)) {
        while let Some((&first, rest)) = bytes.split_first() {
            bytes = match self.state {
                _ if first >= 0x80 => {
                    if self.is_inside() {
                        heard(Heard::Noise(Anomaly::Truncated));
                    }
                    // As a rule a read has whole frames.
                    if let Some((frame, rest)) = whole(bytes) {
                        self.state = State::Between;
                        heard(frame);
                        rest
                    } else {
                        self.begin(first);
                        rest
                    }
                }
                State::Between => {
                    heard(Heard::Noise(Anomaly::Stray));
                    self.state = State::Lost;
                    rest
                }
                State::Lost => data_run(bytes, usize::MAX).1,
                State::Header => {
                    self.store(&[first]);
                    if self.filled == HEADER {
                        self.end_header(&mut heard);
                    }
                    rest
                }
                State::Body { total } => {
                    let (data, rest) = data_run(bytes, total - self.filled);
                    self.store(data);
                    if self.filled == total {
                        self.state = State::Between;
                        heard(self.complete(total));
                    }
                    rest
                }
                State::Log { length, left } => {
                    let (data, rest) = data_run(bytes, left);
                    self.pass_over(length, left - data.len(), &mut heard);
                    rest
                }
            };
        }
    }

    const fn is_inside(&self) -> bool {
        !matches!(self.state, State::Between | State::Lost)
    }

    fn begin(&mut self, id: u8) {
        self.filled = 0;
        self.store(&[id]);
        self.state = State::Header;
    }

    fn store(&mut self, bytes: &[u8]) {
        let free = self.buffer.get_mut(self.filled..).unwrap_or_default();
        for (slot, byte) in free.iter_mut().zip(bytes) {
            *slot = *byte;
        }
        self.filled += bytes.len();
    }

    fn end_header(&mut self, heard: &mut impl FnMut(Heard<'_>)) {
        let [id, high, low, ..] = self.buffer;
        let length = u16::from(high) << 7 | u16::from(low);
        let total = usize::from(length);
        if !may_be_as_long(id, total) {
            self.state = State::Lost;
            heard(Heard::Noise(Anomaly::BadLength));
        } else if id == 0x8f {
            self.pass_over(length, total - HEADER, heard);
        } else if total == HEADER {
            self.state = State::Between;
            heard(self.complete(total));
        } else {
            self.state = State::Body { total };
        }
    }

    fn pass_over(&mut self, length: u16, left: usize, heard: &mut impl FnMut(Heard<'_>)) {
        if left > 0 {
            self.state = State::Log { length, left };
        } else {
            self.state = State::Between;
            heard(Heard::Frame(Frame::Log { length }));
        }
    }

    fn complete(&self, total: usize) -> Heard<'_> {
        let id = self.buffer[0];
        let data = self.buffer.get(HEADER..total).unwrap_or_default();
        read(id, data).map_or_else(Heard::Noise, Heard::Frame)
    }
}

/// The frame that these bytes begin with, if all of it is there, and what follows it.
fn whole(bytes: &[u8]) -> Option<(Heard<'_>, &[u8])> {
    let (&[id, high, low], rest) = bytes.split_first_chunk()?;
    let total = usize::from(high) << 7 | usize::from(low);
    let framed = high | low < 0x80 && id != 0x8f && may_be_as_long(id, total);
    let (data, rest) = rest.split_at_checked(total.checked_sub(HEADER).filter(|_| framed)?)?;
    let ends = data.iter().all(|&byte| byte < 0x80);
    ends.then(|| (read(id, data).map_or_else(Heard::Noise, Heard::Frame), rest))
}

/// The bytes below 80 at the beginning of `bytes`, `most` at the most, and what follows them.
fn data_run(bytes: &[u8], most: usize) -> (&[u8], &[u8]) {
    let run = bytes.iter().take(most).take_while(|&&byte| byte < 0x80).count();
    bytes.split_at_checked(run).unwrap_or((bytes, &[]))
}

/// Whether a frame of this kind may have this length. Where documents differ, all are allowed.
const fn may_be_as_long(id: u8, total: usize) -> bool {
    match id {
        0x86 => total == HEADER + 64,
        0x8d => total == HEADER + REPORT,
        0x8e | 0x90 | 0x93 | 0x96 => total == HEADER + 2,
        0x8f => total >= HEADER && total <= LONGEST_LOG,
        0x91 => total >= HEADER + 5 && total <= HEADER + 12,
        0xa0 => total == HEADER + 9,
        0xa2 => total >= HEADER + 10 && total <= HEADER + 12,
        _ => total >= HEADER && total <= MAX_FRAME,
    }
}

fn read(id: u8, data: &[u8]) -> Result<Frame<'_>, Anomaly> {
    let frame = match id {
        0x86 => data.try_into().ok().and_then(Dump::new).map(Frame::Board),
        0x8d => data.try_into().ok().and_then(Report::decode).map(Frame::Clock),
        0x8e => read_field(data),
        0x90 => pair(data).map(|[high, low]| Frame::BusAddress(high << 7 | low)),
        0x91 => printable(data).map(Frame::Serial),
        0x92 => std::str::from_utf8(data).ok().map(Frame::Trademark),
        0x93 => read_version(data).map(Frame::Version),
        0x96 => read_version(data).map(Frame::HardwareVersion),
        0xa0 => read_battery(data),
        0xa2 => printable(data).map(Frame::LongSerial),
        _ => return Err(Anomaly::Unknown),
    };
    frame.ok_or(Anomaly::BadValue)
}

fn read_field(data: &[u8]) -> Option<Frame<'_>> {
    match *data {
        [square, code] => {
            Some(Frame::Field { square: Square::new(square)?, content: Content::from_code(code)? })
        }
        _ => None,
    }
}

fn pair(data: &[u8]) -> Option<[u16; 2]> {
    match *data {
        [high, low] => Some([high.into(), low.into()]),
        _ => None,
    }
}

fn read_version(data: &[u8]) -> Option<Version> {
    match *data {
        [major, minor] => Some(Version { major, minor }),
        _ => None,
    }
}

fn read_battery(data: &[u8]) -> Option<Frame<'_>> {
    match *data {
        [percent @ 0..=100, .., state] => {
            Some(Frame::Battery(Battery { percent, charging: state & 0x01 != 0 }))
        }
        _ => None,
    }
}

/// The data as text when all of it can be printed.
fn printable(data: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(data).ok()?;
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')).then_some(text)
}

#[cfg(test)]
mod tests;
