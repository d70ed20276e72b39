//! The reports of a Chessnut board, both ways. Not the conversation.
//!
//! A report begins with its number, which says what it is, and with how many bytes belong to it;
//! what follows them fills the report up and means nothing. There is no check: USB has its own.

use bincode::{Decode, Encode};
use eboard::{Anomaly, Battery, Piece, Placement, Square};

/// The longest report that anybody has read.
const REPORT_MAX: usize = 65;

/// What an emulated board fills its reports up to: all that one USB packet takes.
const REPORT: usize = 64;

/// The lengths a position is sent with: over Bluetooth and over USB. Only the squares are read.
const POSITION: [u8; 2] = [0x24, 0x3d];

/// Bytes of the 64 squares.
const SQUARES: usize = 32;

/// The men by their half bytes, from 1; 0 is an empty square.
const MEN: [Piece; 12] = [
    Piece::BlackQueen,
    Piece::BlackKing,
    Piece::BlackBishop,
    Piece::BlackPawn,
    Piece::BlackKnight,
    Piece::WhiteRook,
    Piece::WhitePawn,
    Piece::BlackRook,
    Piece::WhiteBishop,
    Piece::WhiteKnight,
    Piece::WhiteQueen,
    Piece::WhiteKing,
];

/// What the host may say. Lights, sound, and whatever reads or deletes stored games are left out on
/// purpose: what has no variant cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `21`: say what stands on the board, all the time.
    RealTime,
    /// `27`: which firmware?
    Version,
    /// `29`: how much power is left?
    Battery,
}

impl Command {
    /// The report on the wire.
    #[must_use]
    pub const fn report(self) -> &'static [u8] {
        match self {
            Self::RealTime => &[0x21, 1, 0],
            Self::Version => &[0x27, 1, 1],
            Self::Battery => &[0x29, 1, 0],
        }
    }
}

/// What the board may say.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Answer {
    /// `01`: what stands on the board.
    Position(Placement),
    /// `2a`: the power left. `None`: it has not been measured yet.
    Battery(Option<Battery>),
    /// `28`: the version of the firmware.
    Version(String),
    /// `37`: positions of stored games follow, or have ended.
    Stored(bool),
    /// `23` and `0f`: an order was taken, a button pressed.
    Beside,
}

impl Answer {
    /// The report on the wire, filled up.
    #[must_use]
    pub fn report(&self) -> Vec<u8> {
        let mut report = match self {
            Self::Position(placement) => position_report(placement),
            Self::Battery(battery) => {
                let battery = battery.unwrap_or(Battery { percent: 0, charging: false });
                vec![0x2a, 2, battery.percent.min(100), u8::from(battery.charging)]
            }
            Self::Version(text) => {
                let text: Vec<u8> =
                    text.bytes().filter(|it| is_of_text(*it)).take(REPORT - 3).collect();
                let length = u8::try_from(text.len() + 1).unwrap_or(u8::MAX);
                [&[0x28, length, 0], text.as_slice()].concat()
            }
            Self::Stored(begin) => vec![0x37, 1, if *begin { 0xbe } else { 0xed }],
            Self::Beside => vec![0x23, 1, 0],
        };
        report.resize(REPORT, 0);
        report
    }
}

/// What one report says.
///
/// # Errors
/// What is wrong with it; the next one is none the worse for it.
pub fn read(report: &[u8]) -> Result<Answer, Anomaly> {
    let &[number, length, ref rest @ ..] = report else { return Err(Anomaly::Truncated) };
    if report.len() > REPORT_MAX {
        return Err(Anomaly::BadLength);
    }
    let said = rest.get(..usize::from(length)).ok_or(Anomaly::Truncated)?;
    match (number, said) {
        (0x01, squares) if POSITION.contains(&length) => position(squares),
        (0x2a, &[level, flag]) => battery(level, flag),
        (0x28, [0, text @ ..]) => version(text),
        (0x37, [0xbe]) => Ok(Answer::Stored(true)),
        (0x37, [0xed]) => Ok(Answer::Stored(false)),
        (0x23, [_]) | (0x0f, [_]) => Ok(Answer::Beside),
        (0x01 | 0x2a | 0x28 | 0x23 | 0x0f, _) => Err(Anomaly::BadLength),
        _ => Err(Anomaly::Unknown),
    }
}

/// The squares in the order of the wire: h8, g8 and so on to a8, then h7.
fn squares() -> impl Iterator<Item = Square> {
    (0..8).rev().flat_map(|rank| (0..8).rev().filter_map(move |file| Square::at(file, rank)))
}

fn position(bytes: &[u8]) -> Result<Answer, Anomaly> {
    let mut placement = Placement::EMPTY;
    let halves = bytes.iter().take(SQUARES).flat_map(|byte| [byte & 0x0f, byte >> 4]);
    for (square, half) in squares().zip(halves) {
        placement[square] = match usize::from(half).checked_sub(1) {
            None => None,
            Some(man) => Some(*MEN.get(man).ok_or(Anomaly::BadValue)?),
        };
    }
    Ok(Answer::Position(placement))
}

fn position_report(placement: &Placement) -> Vec<u8> {
    let code = |man| MEN.iter().zip(1u8..).find(|(it, _)| **it == man).map_or(0, |(_, code)| code);
    let halves: Vec<u8> = squares().map(|it| placement[it].map_or(0, code)).collect();
    let bytes = halves.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4);
    [0x01, POSITION[1]].into_iter().chain(bytes).collect()
}

/// Bluetooth's description has the charger in the highest bit of the level, others in a byte.
fn battery(level: u8, flag: u8) -> Result<Answer, Anomaly> {
    let percent = level & 0x7f;
    if percent > 100 || flag > 1 {
        return Err(Anomaly::BadValue);
    }
    let charging = flag == 1 || level & 0x80 != 0;
    Ok(Answer::Battery((percent > 0).then_some(Battery { percent, charging })))
}

/// The length may count what fills the text up.
fn version(text: &[u8]) -> Result<Answer, Anomaly> {
    let end = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    match std::str::from_utf8(&text[..end]) {
        Ok(text) if !text.is_empty() && text.bytes().all(is_of_text) => {
            Ok(Answer::Version(text.to_owned()))
        }
        _ => Err(Anomaly::BadValue),
    }
}

const fn is_of_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}
