//! Frames of the bus in both directions: a kind from 80 on, an address, a check. No conversation.
//!
//! Host to board: `kind, address 13..7, address 6..0, check`. Board to host: `kind, length 13..7,
//! length 6..0, address 13..7, address 6..0, data…, check`; the length counts everything. The check
//! is the lower seven bits of the sum of all bytes before it. Only the first byte has its top bit
//! set. Some kinds stand for one thing on the way out and for another on the way back.

use bincode::{Decode, Encode};
use eboard::{Anomaly, Station};

use crate::clock::{REPORT, Report};
use crate::frame::Version;
use crate::piece::Dump;

/// The longest frame: the whole log, 1f00 bytes, and what is around it.
pub const MAX_BUS_FRAME: usize = 0x1f00 + AROUND;

/// Header, address and check of an answer.
const AROUND: usize = 6;
const HEADER: usize = 3;

/// All boards.
pub(crate) const EVERYBODY: Station = Station(0);

/// What a host may ask of a bus board. A closed list: nothing else can be sent.
///
/// Left out on purpose: 85 (a beginning of a game, written to the EEPROM), 86 (a long log for which
/// there is a dump), 88 (leaves the bus), 89 (restarts boards), 8e (unknown), and every byte of the
/// language of single boards, which would take all boards off the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Request {
    /// 81: what the clock shows.
    Clock,
    /// 82: what stands on all squares.
    Board,
    /// 83: what has happened since this was asked last. Asked again it would be lost.
    Changes,
    /// 84: the answer to the last [`Request::Changes`] once more.
    Repeat,
    /// 87: who is there.
    Ping,
    /// 8a: who is there, and be quiet when everybody is asked next.
    PingAndHush,
    /// 8b: the version of the firmware.
    Version,
}

impl Request {
    /// All there are.
    pub const ALL: [Self; 7] = [
        Self::Clock,
        Self::Board,
        Self::Changes,
        Self::Repeat,
        Self::Ping,
        Self::PingAndHush,
        Self::Version,
    ];

    /// Its first byte.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Clock => 0x81,
            Self::Board => 0x82,
            Self::Changes => 0x83,
            Self::Repeat => 0x84,
            Self::Ping => 0x87,
            Self::PingAndHush => 0x8a,
            Self::Version => 0x8b,
        }
    }

    /// The request as it goes over the wire, to one board or to all.
    #[must_use]
    pub fn to(self, station: Station) -> [u8; 4] {
        let [high, low] = seven_bits(station.0);
        let check = check(&[self.code(), high, low]);
        [self.code(), high, low, check]
    }
}

/// A well-formed answer of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// 83: the whole board.
    Board(Dump),
    /// 84: the clock.
    Clock(Report),
    /// 85 and 8b: pieces of the log. Boards that know 8b are thought to send the two in turn.
    Changes {
        /// It came as 8b.
        even: bool,
        /// The tags.
        log: &'a [u8],
    },
    /// 87: it is there.
    Ping,
    /// 88: the beginning of a game is written. Nobody here asks for it.
    Started,
    /// 89: the version of the firmware; up to 1.2 it says nothing.
    Version(Option<Version>),
}

impl Answer<'_> {
    /// Appends the answer of this board as it goes over the wire. A log is cut at the longest
    /// frame.
    pub fn encode(&self, station: Station, out: &mut Vec<u8>) {
        match *self {
            Self::Board(dump) => put(out, 0x83, station, dump.codes()),
            Self::Clock(report) => put(out, 0x84, station, &report.encode()),
            Self::Changes { even, log } => {
                put(out, if even { 0x8b } else { 0x85 }, station, log);
            }
            Self::Ping => put(out, 0x87, station, &[]),
            Self::Started => put(out, 0x88, station, &[]),
            Self::Version(None) => put(out, 0x89, station, &[]),
            Self::Version(Some(Version { major, minor })) => {
                put(out, 0x89, station, &[major & 0x7f, minor & 0x7f]);
            }
        }
    }
}

fn put(out: &mut Vec<u8>, kind: u8, station: Station, data: &[u8]) {
    let data = data.get(..MAX_BUS_FRAME - AROUND).unwrap_or(data);
    let begin = out.len();
    out.push(kind);
    out.extend(seven_bits(u16::try_from(AROUND + data.len()).unwrap_or_default()));
    out.extend(seven_bits(station.0));
    out.extend(data.iter().map(|byte| byte & 0x7f));
    let check = check(out.get(begin..).unwrap_or_default());
    out.push(check);
}

/// The lower 14 bits of a number, seven in each byte.
fn seven_bits(number: u16) -> [u8; 2] {
    [number >> 7, number].map(|bits| (bits & 0x7f).to_le_bytes()[0])
}

/// The lower seven bits of the sum.
pub(crate) fn check(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f
}

/// What a decoder finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusHeard<'a> {
    /// A well-formed answer and whose it is.
    Answer(Station, Answer<'a>),
    /// Bytes that were none. A run of stray bytes counts once.
    Noise(Anomaly),
}

/// Cuts what boards say into answers. How it is cut into calls makes no difference, and damage
/// never costs more than the frame it hit.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct BusDecoder {
    state: State,
    frame: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
enum State {
    /// The next byte should begin a frame.
    #[default]
    Between,
    /// In a run of bytes that belong to nothing and have been counted.
    Lost,
    /// In a frame whose length is not complete.
    Header,
    /// In a frame of so many bytes.
    Body(usize),
}

impl BusDecoder {
    /// Hands every answer and every anomaly in `bytes` to `heard`, in order.
    pub fn feed(&mut self, bytes: &[u8], mut heard: impl FnMut(BusHeard<'_>)) {
        for &byte in bytes {
            match self.state {
                _ if byte >= 0x80 => {
                    if matches!(self.state, State::Header | State::Body(_)) {
                        heard(BusHeard::Noise(Anomaly::Truncated));
                    }
                    self.frame.clear();
                    self.frame.push(byte);
                    self.state = State::Header;
                }
                State::Between => {
                    heard(BusHeard::Noise(Anomaly::Stray));
                    self.state = State::Lost;
                }
                State::Lost => {}
                State::Header => {
                    self.frame.push(byte);
                    if let [kind, high, low] = *self.frame {
                        let total = usize::from(high) << 7 | usize::from(low);
                        self.state = State::Body(total);
                        if !may_be_as_long(kind, total) {
                            self.state = State::Lost;
                            heard(BusHeard::Noise(Anomaly::BadLength));
                        }
                    }
                }
                State::Body(total) => {
                    self.frame.push(byte);
                    if self.frame.len() >= total {
                        self.state = State::Between;
                        heard(read(&self.frame));
                    }
                }
            }
        }
    }
}

/// Whether an answer of this kind may have this length. Kinds nobody asks for may have any.
const fn may_be_as_long(kind: u8, total: usize) -> bool {
    match kind {
        0x83 => total == AROUND + 64,
        0x84 => total == AROUND + REPORT,
        0x87 | 0x88 => total == AROUND,
        0x89 => total == AROUND || total == AROUND + 2,
        _ => total >= AROUND && total <= MAX_BUS_FRAME,
    }
}

fn read(frame: &[u8]) -> BusHeard<'_> {
    let ([kind, _, _, high, low, data @ .., sum], true) = (frame, frame.len() > HEADER) else {
        return BusHeard::Noise(Anomaly::BadLength);
    };
    let all_but_the_check = frame.get(..frame.len() - 1).unwrap_or_default();
    if *sum != check(all_but_the_check) {
        return BusHeard::Noise(Anomaly::BadCheck);
    }
    let station = Station(u16::from(*high) << 7 | u16::from(*low));
    let answer = match kind {
        0x83 => data.try_into().ok().and_then(Dump::new).map(Answer::Board),
        0x84 => data.try_into().ok().and_then(Report::decode).map(Answer::Clock),
        0x85 | 0x8b => Some(Answer::Changes { even: *kind == 0x8b, log: data }),
        0x87 => Some(Answer::Ping),
        0x88 => Some(Answer::Started),
        0x89 => match *data {
            [major, minor] => Some(Answer::Version(Some(Version { major, minor }))),
            _ => Some(Answer::Version(None)),
        },
        _ => return BusHeard::Noise(Anomaly::Unknown),
    };
    // Nobody has the address that means all.
    let answer = answer.filter(|_| station != EVERYBODY);
    answer.map_or(BusHeard::Noise(Anomaly::BadValue), |answer| BusHeard::Answer(station, answer))
}

#[cfg(test)]
mod tests;
