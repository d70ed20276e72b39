//! The reports of a House of Staunton board and of its clock. Not the conversation: the board says
//! them without being asked, and nothing is ever said to it.
//!
//! A report has neither number nor check (USB has its own). One that begins with a byte that no
//! position has is of the clock, every other one is a whole position.

use eboard::{Anomaly, ClockFace, Colour, Dial, FaceTime, Piece, Placement, Role, Side, Square};

/// Bytes of a report: two squares each, or the clock's and what fills them up.
const REPORT: usize = 32;

/// How a report of the clock begins.
const CLOCK: [u8; 2] = [0xff, 0xca];

/// What of a byte of the clock is a number.
const NUMBER: u8 = 0x3f;

/// The clock's last byte: it runs, and for the right half.
const RUNNING: u8 = 0x80;
const RIGHT: u8 = 0x40;

/// The men by their half bytes, from 1, White's first; 0 is an empty square.
const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Knight, Role::Bishop, Role::Pawn];

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What stands on the board.
    Position(Placement),
    /// What the clock shows; `None`: it shows no time on either side.
    Clock(Option<ClockFace>),
}

impl Answer {
    /// The report on the wire. Of a clock only what can be said of it.
    #[must_use]
    pub fn report(&self) -> Vec<u8> {
        let mut report = match self {
            Self::Position(placement) => {
                let halves: Vec<u8> = squares().map(|it| code(placement[it])).collect();
                halves.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4).collect()
            }
            Self::Clock(face) => {
                let Some(face) = face else { return filled(CLOCK.to_vec()) };
                let mut report = CLOCK.to_vec();
                report.extend([face.left, face.right].into_iter().flat_map(digits));
                let last = report.len() - 1;
                report[last] |= if face.running { RUNNING } else { 0 };
                report[last] |= if face.lever == Side::Right { RIGHT } else { 0 };
                report
            }
        };
        report.truncate(REPORT);
        filled(report)
    }
}

/// What one report says.
///
/// # Errors
/// What is wrong with it; the next one is none the worse for it.
pub fn read(report: &[u8]) -> Result<Answer, Anomaly> {
    if report.len() != REPORT {
        return Err(Anomaly::BadLength);
    }
    match *report {
        [0xff, 0xca, lh, lm, ls, rh, rm, rs, ..] => clock([lh, lm, ls], [rh, rm, rs]),
        [0xff, ..] => Err(Anomaly::Unknown),
        _ => position(report),
    }
}

/// Whether such a position can come up in chess, as far as counting tells.
#[must_use]
pub fn is_plausible(placement: &Placement) -> bool {
    let count = |colour, role| {
        let man = Some(Piece::new(colour, role));
        Square::all().filter(|square| placement[*square] == man).count()
    };
    let end = |square: &Square| matches!(square.rank(), 0 | 7);
    let pawn = |square: Square| placement[square].is_some_and(|it| it.role() == Role::Pawn);
    let side = |colour| {
        let men: usize = ROLES.iter().map(|role| count(colour, *role)).sum();
        count(colour, Role::King) == 1 && count(colour, Role::Pawn) <= 8 && men <= 16
    };
    side(Colour::White) && side(Colour::Black) && !Square::all().filter(end).any(pawn)
}

/// The squares in the order of the wire: a1, b1 and so on to h1, then a2.
fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|rank| (0..8).filter_map(move |file| Square::at(file, rank)))
}

fn position(bytes: &[u8]) -> Result<Answer, Anomaly> {
    let mut placement = Placement::EMPTY;
    let halves = bytes.iter().flat_map(|byte| [byte & 0x0f, byte >> 4]);
    for (square, half) in squares().zip(halves) {
        placement[square] = man(half).ok_or(Anomaly::BadValue)?;
    }
    Ok(Answer::Position(placement))
}

/// The man of a half byte, or an empty square; `None`: no board says so.
fn man(half: u8) -> Option<Option<Piece>> {
    let Some(index) = usize::from(half).checked_sub(1) else { return Some(None) };
    let colour = if index < ROLES.len() { Colour::White } else { Colour::Black };
    let role = if index < 2 * ROLES.len() { ROLES.get(index % ROLES.len()) } else { None };
    role.map(|role| Some(Piece::new(colour, *role)))
}

fn code(piece: Option<Piece>) -> u8 {
    (0..=12).find(|half| man(*half) == Some(piece)).unwrap_or_default()
}

fn clock(left: [u8; 3], right: [u8; 3]) -> Result<Answer, Anomaly> {
    let dial = |bytes: [u8; 3]| {
        let [hours, minutes, seconds] = bytes.map(|byte| u32::from(byte & NUMBER));
        let time = FaceTime::from_hms(hours, minutes, seconds);
        (minutes < 60 && seconds < 60).then_some(Dial { time, ..Dial::default() })
    };
    let (shown, last) = (dial(left).zip(dial(right)), right[2]);
    let (left, right) = shown.ok_or(Anomaly::BadValue)?;
    let lever = if last & RIGHT == 0 { Side::Left } else { Side::Right };
    let face = ClockFace { left, right, running: last & RUNNING != 0, lever, low_battery: false };
    let set = [left, right].iter().any(|dial| dial.time > FaceTime::ZERO);
    Ok(Answer::Clock(set.then_some(face)))
}

/// Hours, minutes and seconds of a dial, as far as they can be written.
fn digits(dial: Dial) -> [u8; 3] {
    let seconds = dial.time.as_ms().div_ceil(1000);
    let number = |number: u32| u8::try_from(number).map_or(NUMBER, |it| it.min(NUMBER));
    [number(seconds / 3600), number(seconds / 60 % 60), number(seconds % 60)]
}

fn filled(mut report: Vec<u8>) -> Vec<u8> {
    report.resize(REPORT, 0);
    report
}
