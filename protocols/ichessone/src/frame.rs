//! The messages of an iChessOne line, both ways, and how they are found in a stream. Not the
//! conversation.
//!
//! The host speaks short ASCII words without an end mark. The board answers with `=`, a letter and
//! what belongs to it. There is no check and no length; what keeps the stream together is that no
//! byte of a position can be a `=`.

use bincode::{Decode, Encode};
use eboard::{Anomaly, Battery, Piece, Placement, Square};

/// The first byte of everything a board says.
const MARK: u8 = b'=';

/// A position: mark, letter and 64 half bytes.
const POSITION: usize = 34;

/// A battery: mark, letter, charging, percent.
const BATTERY: usize = 4;

/// The longest hardware version that is read; the sources give no limit.
const VERSION_MAX: usize = 32;

/// What the host may say. Lamps and sounds are left out on purpose: what has no variant cannot be
/// sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `RP`: what stands on the board?
    Position,
    /// `CPIRQ`: tell every change.
    OnChange,
    /// `RH`: which hardware?
    Hardware,
    /// `RB`: how much power is left?
    Battery,
}

impl Command {
    /// The bytes on the wire.
    #[must_use]
    pub const fn word(self) -> &'static [u8] {
        match self {
            Self::Position => b"RP",
            Self::OnChange => b"CPIRQ",
            Self::Hardware => b"RH",
            Self::Battery => b"RB",
        }
    }
}

/// What the board may say.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Answer {
    /// `=p`: what stands on the board, the first half byte on square 0. Sent unasked, too.
    Position(Placement),
    /// `=b`: the power left.
    Battery(Battery),
    /// `=h`: the hardware version, up to 32 printable characters.
    Hardware(String),
}

impl Answer {
    /// The bytes on the wire. Of a version only what can be sent.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Position(placement) => {
                let halves: Vec<u8> = Square::all().map(|it| code(placement[it])).collect();
                let bytes = halves.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]);
                [MARK, b'p'].into_iter().chain(bytes).collect()
            }
            Self::Battery(battery) => {
                vec![MARK, b'b', u8::from(battery.charging), battery.percent.min(100)]
            }
            Self::Hardware(version) => {
                let sent = version.bytes().filter(|it| is_of_version(*it)).take(VERSION_MAX);
                [MARK, b'h'].into_iter().chain(sent).collect()
            }
        }
    }
}

/// Reads what a board says, byte by byte: how the stream is cut makes no difference.
///
/// A message that fails gives up its first byte only, and what came after is searched again.
#[derive(Debug, Default, Encode, Decode)]
pub struct Reader {
    /// What has come of a message; never longer than the longest.
    held: Vec<u8>,
    /// Bytes are being skipped, and this has been said.
    adrift: bool,
}

/// Whether the beginning of a message can be one.
enum Held {
    /// So far yes; more must come.
    More,
    /// It is one, this long.
    Whole(Answer, usize),
    /// No message begins like this.
    Wrong(Anomaly),
}

impl Reader {
    /// Takes bytes in; gives what they completed, in order.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Result<Answer, Anomaly>> {
        let mut found = Vec::new();
        for &byte in bytes {
            self.held.push(byte);
            self.search(&mut found);
        }
        found
    }

    fn search(&mut self, found: &mut Vec<Result<Answer, Anomaly>>) {
        while !self.held.is_empty() {
            match judge(&self.held) {
                Held::More => return,
                Held::Whole(answer, length) => {
                    self.held.drain(..length.min(self.held.len()));
                    self.adrift = false;
                    found.push(Ok(answer));
                }
                Held::Wrong(anomaly) => {
                    // Of bytes that make no sense only the first is counted until something does.
                    if !self.adrift {
                        found.push(Err(anomaly));
                    }
                    self.adrift = true;
                    self.held.remove(0);
                }
            }
        }
    }
}

/// Judges bytes of which all but the last were judged before.
fn judge(held: &[u8]) -> Held {
    match *held {
        [MARK] => Held::More,
        [MARK, b'p', ref squares @ ..] => position(squares),
        [MARK, b'b', ref rest @ ..] => battery(rest),
        [MARK, b'h', ref version @ ..] => hardware(version),
        [MARK, MARK] => Held::Wrong(Anomaly::Truncated),
        [MARK, ..] => Held::Wrong(Anomaly::Unknown),
        _ => Held::Wrong(Anomaly::Stray),
    }
}

fn position(squares: &[u8]) -> Held {
    let mut placement = Placement::EMPTY;
    let halves = squares.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    for (square, half) in Square::all().zip(halves) {
        placement[square] = match man(half) {
            Some(man) => man,
            None if squares.last() == Some(&MARK) => return Held::Wrong(Anomaly::Truncated),
            None => return Held::Wrong(Anomaly::BadValue),
        };
    }
    match squares.len() + 2 {
        POSITION => Held::Whole(Answer::Position(placement), POSITION),
        _ => Held::More,
    }
}

fn battery(rest: &[u8]) -> Held {
    match *rest {
        [] | [0 | 1] => Held::More,
        [MARK, ..] => Held::Wrong(Anomaly::Truncated),
        [charging @ (0 | 1), percent @ 0..=100] => {
            let battery = Battery { percent, charging: charging == 1 };
            Held::Whole(Answer::Battery(battery), BATTERY)
        }
        _ => Held::Wrong(Anomaly::BadValue),
    }
}

/// Nothing marks the end of a version: it ends where another message begins, or with a byte that
/// cannot be of one, or when it is as long as one may be.
fn hardware(version: &[u8]) -> Held {
    let text = |of: &[u8]| of.iter().copied().map(char::from).collect::<String>();
    match version.split_last() {
        None => Held::More,
        Some((last, before)) if !is_of_version(*last) => match before {
            [] => Held::Wrong(Anomaly::Truncated),
            // An end mark, if there is one after all, is no noise.
            _ if last.is_ascii_control() => {
                Held::Whole(Answer::Hardware(text(before)), version.len() + 2)
            }
            _ => Held::Whole(Answer::Hardware(text(before)), before.len() + 2),
        },
        Some(_) if version.len() == VERSION_MAX => {
            Held::Whole(Answer::Hardware(text(version)), version.len() + 2)
        }
        Some(_) => Held::More,
    }
}

const fn is_of_version(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != MARK
}

/// The man of a half byte, or an empty square; `None`: no board says so. 0 is an empty square, and
/// the men follow in the order of [`Piece::ALL`].
fn man(half: u8) -> Option<Option<Piece>> {
    match usize::from(half).checked_sub(1) {
        None => Some(None),
        Some(index) => Piece::ALL.get(index).copied().map(Some),
    }
}

fn code(man: Option<Piece>) -> u8 {
    man.map_or(0, |man| man as u8 + 1)
}
