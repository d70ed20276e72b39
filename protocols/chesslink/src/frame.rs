//! The messages of a ChessLink line, both ways, and their letters. Not the finding of messages in a
//! stream (see [`crate::Decoder`]) and not the conversation.
//!
//! A message is printable ASCII: a letter (capitals from the host, small letters from the board),
//! its contents, and two capital hexadecimal digits that are the XOR of all characters before them.
//! Bit 7 of every byte is set so that its eight bits hold an odd number of ones.

use std::fmt;

use bincode::{Decode, Encode};
use eboard::{Anomaly, Piece, Placement, Square};

/// What the host may say. The reset and the lamp patterns are left out on purpose: what has no
/// variant cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `S`: what stands on the board?
    Board,
    /// `V`: which firmware?
    Version,
    /// `I00`: which board? Boards whose version begins below 02 are not asked.
    Name,
    /// `R`: what does a register hold?
    Read {
        /// Which register.
        address: u8,
    },
    /// `W`: change a register. It lives in memory that wears out.
    Write {
        /// Which register.
        address: u8,
        /// What it is to hold.
        value: u8,
    },
    /// `X`: all lamps out.
    LightsOut,
}

impl Command {
    /// The bytes on the wire.
    #[must_use]
    pub fn encode(self) -> Vec<u8> {
        sealed(&match self {
            Self::Board => "S".to_owned(),
            Self::Version => "V".to_owned(),
            Self::Name => "I00".to_owned(),
            Self::Read { address } => format!("R{address:02X}"),
            Self::Write { address, value } => format!("W{address:02X}{value:02X}"),
            Self::LightsOut => "X".to_owned(),
        })
    }
}

/// What a board hears: also what only other hosts send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Something this house sends too.
    Command(Command),
    /// `L`: patterns for the 81 lamps.
    Lights,
    /// `T`: begin again.
    Reset,
}

/// The firmware's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Version {
    /// The part before the point.
    pub high: u8,
    /// The part after it.
    pub low: u8,
}

impl fmt::Display for Version {
    /// Digits as the board sends them: `0103` reads 1.03.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}.{:02X}", self.high, self.low)
    }
}

/// What the board may say.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Answer {
    /// `s`: what stands on the board, the first letter on square 0. Sent unasked, too.
    Board(Placement),
    /// `v`: the firmware.
    Version(Version),
    /// `i`: the name, up to 94 printable characters.
    Name(String),
    /// `r`: what a register holds.
    Register {
        /// Which register.
        address: u8,
        /// What it holds.
        value: u8,
    },
    /// `w`: a register was changed.
    Written {
        /// Which register.
        address: u8,
        /// What it holds now.
        value: u8,
    },
    /// `x`: the lamps are out.
    LightsOut,
    /// `l`: the lamps' patterns were taken.
    Lights,
}

impl Answer {
    /// The bytes on the wire. Of a name only what can be sent: 94 printable characters.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        sealed(&match self {
            Self::Board(placement) => Square::all().fold("s".to_owned(), |text, square| {
                text + placement[square].map_or('.', Piece::letter).encode_utf8(&mut [0; 4])
            }),
            Self::Version(Version { high, low }) => format!("v{high:02X}{low:02X}"),
            Self::Name(name) => {
                let printable = name.chars().filter(|it| matches!(it, ' '..='~'));
                format!("i00{}\n", printable.take(NAME_MAX - 6).collect::<String>())
            }
            Self::Register { address, value } => format!("r{address:02X}{value:02X}"),
            Self::Written { address, value } => format!("w{address:02X}{value:02X}"),
            Self::LightsOut => "x".to_owned(),
            Self::Lights => "l".to_owned(),
        })
    }
}

/// The longest `i` message, letter and check included.
const NAME_MAX: usize = 100;

/// One direction of the line: how long its messages are and what may stand in them.
pub trait Language: Sized {
    /// Whether messages with wrong parity but everything else right may be believed after a while.
    const FORGIVES_PARITY: bool;

    /// Judges the last character of `text`, all others having been judged before. Bit 7 is clear.
    fn follow(text: &[u8]) -> Follow;

    /// Reads a message whose every character was accepted and whose check (taken off) is right.
    ///
    /// # Errors
    /// When what it says cannot be.
    fn read(body: &[u8]) -> Result<Self, Anomaly>;
}

/// Whether the beginning of a message can be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// So far yes; more must come.
    More,
    /// Yes, and it is complete.
    End,
    /// No message begins like this.
    Wrong,
}

impl Language for Answer {
    const FORGIVES_PARITY: bool = true;

    fn follow(text: &[u8]) -> Follow {
        match text.first() {
            Some(b's') => fixed(67, text, is_board_letter),
            Some(b'v' | b'r' | b'w') => fixed(7, text, is_hex),
            Some(b'x' | b'l') => fixed(3, text, is_hex),
            Some(b'i') => follow_name(text),
            _ => Follow::Wrong,
        }
    }

    fn read(body: &[u8]) -> Result<Self, Anomaly> {
        match *body {
            [b's', ref letters @ ..] => read_board(letters).map(Self::Board),
            [b'v', a, b, c, d] => {
                Ok(Self::Version(Version { high: read_hex(a, b), low: read_hex(c, d) }))
            }
            [b'r', a, b, c, d] => {
                Ok(Self::Register { address: read_hex(a, b), value: read_hex(c, d) })
            }
            [b'w', a, b, c, d] => {
                Ok(Self::Written { address: read_hex(a, b), value: read_hex(c, d) })
            }
            [b'i', _, _, ref name @ .., b'\n'] => {
                Ok(Self::Name(name.iter().copied().map(char::from).collect()))
            }
            [b'x'] => Ok(Self::LightsOut),
            [b'l'] => Ok(Self::Lights),
            _ => Err(Anomaly::Unknown),
        }
    }
}

impl Language for Request {
    const FORGIVES_PARITY: bool = false;

    fn follow(text: &[u8]) -> Follow {
        match text.first() {
            Some(b'S' | b'V' | b'X' | b'T') => fixed(3, text, is_hex),
            Some(b'R' | b'I') => fixed(5, text, is_hex),
            Some(b'W') => fixed(7, text, is_hex),
            Some(b'L') => fixed(167, text, is_hex),
            _ => Follow::Wrong,
        }
    }

    fn read(body: &[u8]) -> Result<Self, Anomaly> {
        Ok(Self::Command(match *body {
            [b'S'] => Command::Board,
            [b'V'] => Command::Version,
            [b'X'] => Command::LightsOut,
            [b'I', b'0', b'0'] => Command::Name,
            [b'R', a, b] => Command::Read { address: read_hex(a, b) },
            [b'W', a, b, c, d] => Command::Write { address: read_hex(a, b), value: read_hex(c, d) },
            [b'T'] => return Ok(Self::Reset),
            [b'L', ..] => return Ok(Self::Lights),
            _ => return Err(Anomaly::Unknown),
        }))
    }
}

/// Whether a byte has an odd number of ones, as every byte on this line should.
#[must_use]
pub fn is_odd(byte: u8) -> bool {
    byte.count_ones() % 2 == 1
}

/// The check of a message: the XOR of its characters, as two capital hexadecimal digits.
#[must_use]
pub fn check_of(body: &[u8]) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let sum = body.iter().fold(0, |sum, letter| sum ^ letter);
    [DIGITS[usize::from(sum >> 4)], DIGITS[usize::from(sum & 0xf)]]
}

fn sealed(body: &str) -> Vec<u8> {
    body.bytes().chain(check_of(body.as_bytes())).map(with_parity).collect()
}

fn with_parity(letter: u8) -> u8 {
    if is_odd(letter) { letter } else { letter | 0x80 }
}

/// A message of `length` characters whose contents are `legal` and whose last two are the check.
fn fixed(length: usize, text: &[u8], legal: fn(u8) -> bool) -> Follow {
    let fits = match text {
        [_, .., last] if text.len() + 2 > length => is_hex(*last),
        [_, .., last] => legal(*last),
        _ => true,
    };
    match fits {
        false => Follow::Wrong,
        true if text.len() == length => Follow::End,
        true => Follow::More,
    }
}

/// `i`, two digits, text up to a line feed, the check.
fn follow_name(text: &[u8]) -> Follow {
    let (Some(&last), feed) = (text.last(), text.iter().position(|&it| it == b'\n')) else {
        return Follow::More;
    };
    let fits = match (text.len(), feed) {
        (1, _) => true,
        (2 | 3, _) => is_hex(last),
        (length, None) => length <= NAME_MAX - 3 && matches!(last, b' '..=b'~'),
        (length, Some(feed)) => length == feed + 1 || is_hex(last),
    };
    match (fits, feed) {
        (false, _) => Follow::Wrong,
        (true, Some(feed)) if text.len() == feed + 3 => Follow::End,
        (true, _) => Follow::More,
    }
}

fn is_hex(letter: u8) -> bool {
    matches!(letter, b'0'..=b'9' | b'A'..=b'F')
}

/// `?` and `o` are said to occur: they belong to a message, though its board is not believed.
fn is_board_letter(letter: u8) -> bool {
    b".KQRNBPkqrnbp?oO".contains(&letter)
}

fn read_hex(high: u8, low: u8) -> u8 {
    let digit = |letter: u8| match letter {
        b'A'..=b'F' => letter - b'A' + 10,
        _ => letter & 0xf,
    };
    digit(high) << 4 | digit(low)
}

fn read_board(letters: &[u8]) -> Result<Placement, Anomaly> {
    let mut placement = Placement::EMPTY;
    for (square, &letter) in Square::all().zip(letters) {
        placement[square] = match letter {
            b'.' => None,
            _ => Some(Piece::from_letter(char::from(letter)).ok_or(Anomaly::BadValue)?),
        };
    }
    Ok(placement)
}
