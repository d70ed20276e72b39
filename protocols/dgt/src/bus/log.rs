//! The tags of a board's log. What they mean for a game is not known here.
//!
//! Old boards write no delays and no first byte from 01 to 3f, so that one reading serves both.

use std::time::Duration;

use eboard::{FaceTime, Placement, Side, Square};

use crate::clock::two_digits;
use crate::piece::Content;

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// 00, 6b, 6e, 7f: nothing, an end, a download.
    Nothing,
    /// 01–3f: so long after the entry before comes the next one. Only newer boards say so.
    After(Duration),
    /// 40–5f: a square has changed.
    Field {
        /// Which one.
        square: Square,
        /// What it holds now.
        content: Content,
        /// It came within about a quarter of a second after the change before. On newer boards
        /// this bit may mean something else.
        rapid: bool,
    },
    /// 60–79: the time of the side whose clock was stopped by a press.
    Time(Side, FaceTime),
    /// 6a: power has come back, and every piece is written down once more.
    PowerUp,
    /// 6c: 16 pieces on the first rows, as for a game with another beginning.
    FourRows,
    /// 6d: no piece is on the board.
    Empty,
    /// 6f, 7a: the beginning of a game, with the connector at White's left, or right.
    Beginning {
        /// It is at his right.
        turned: bool,
    },
    /// 7b: somebody has a game begin, and every piece is written down once more.
    Start,
    /// Anything else. How long it is, nobody knows: what follows it cannot be read.
    Unknown(u8),
}

impl Tag {
    /// Appends the entry as a board writes it. Delays are written in sixteenths of a second, and
    /// end at 127 hours; an unknown tag is its byte alone.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Nothing => out.push(0x7f),
            Self::After(delay) => out.extend(delay_bytes(delay)),
            Self::Field { square, content, rapid } => {
                out.extend([0x40 | u8::from(rapid) << 4 | content.code(), square.index()]);
            }
            Self::Time(side, time) => {
                let [hours, minutes, seconds] = crate::clock::time_bytes(time);
                let first = if side == Side::Left { 0x70 } else { 0x60 };
                out.extend([first | hours, minutes, seconds]);
            }
            Self::PowerUp => out.push(0x6a),
            Self::FourRows => out.push(0x6c),
            Self::Empty => out.push(0x6d),
            Self::Beginning { turned: false } => out.push(0x6f),
            Self::Beginning { turned: true } => out.push(0x7a),
            Self::Start => out.push(0x7b),
            Self::Unknown(tag) => out.push(tag),
        }
    }

    /// The position this entry says is on the board, if it does.
    #[must_use]
    pub fn position(&self) -> Option<Placement> {
        match self {
            Self::Empty => Some(Placement::EMPTY),
            Self::Beginning { turned: false } => Some(Placement::starting()),
            Self::Beginning { turned: true } => Some(Placement::starting().turned()),
            _ => None,
        }
    }
}

/// The entries of a piece of log, up to one that cannot be read: that is [`Tag::Unknown`] and the
/// last.
pub fn tags(log: &[u8]) -> impl Iterator<Item = Tag> {
    let mut rest = Some(log);
    std::iter::from_fn(move || {
        let log = rest.take()?;
        let (&first, after) = log.split_first()?;
        match entry(first, after) {
            Some((tag, more)) => {
                rest = Some(more);
                Some(tag)
            }
            None => Some(Tag::Unknown(first)),
        }
    })
}

fn entry(first: u8, after: &[u8]) -> Option<(Tag, &[u8])> {
    Some(match (first, after) {
        (0x00 | 0x6b | 0x6e | 0x7f, _) => (Tag::Nothing, after),
        (0x01..=0x0f, _) => (Tag::After(delay(first, [0; 3])), after),
        (0x10..=0x1f, [seconds, more @ ..]) => (Tag::After(delay(first, [*seconds, 0, 0])), more),
        (0x20..=0x2f, [seconds, minutes, more @ ..]) => {
            (Tag::After(delay(first, [*seconds, *minutes, 0])), more)
        }
        (0x30..=0x3f, [seconds, minutes, hours, more @ ..]) => {
            (Tag::After(delay(first, [*seconds, *minutes, *hours])), more)
        }
        (0x40..=0x5f, [square, more @ ..]) => {
            let (square, content) = (Square::new(*square)?, Content::from_code(first & 0x0f)?);
            (Tag::Field { square, content, rapid: first & 0x10 != 0 }, more)
        }
        (0x60..=0x69 | 0x70..=0x79, [minutes, seconds, more @ ..]) => {
            let side = if first < 0x70 { Side::Right } else { Side::Left };
            let [minutes, seconds] = [two_digits(*minutes)?, two_digits(*seconds)?];
            let time = FaceTime::from_hms(u32::from(first & 0x0f), minutes, seconds);
            (Tag::Time(side, time), more)
        }
        (0x6a, _) => (Tag::PowerUp, after),
        (0x6c, _) => (Tag::FourRows, after),
        (0x6d, _) => (Tag::Empty, after),
        (0x6f, _) => (Tag::Beginning { turned: false }, after),
        (0x7a, _) => (Tag::Beginning { turned: true }, after),
        (0x7b, _) => (Tag::Start, after),
        _ => return None,
    })
}

fn delay(first: u8, [seconds, minutes, hours]: [u8; 3]) -> Duration {
    let whole = (u64::from(hours) * 60 + u64::from(minutes)) * 60 + u64::from(seconds);
    Duration::from_secs(whole) + Duration::from_secs(1) * u32::from(first & 0x0f) / 16
}

fn delay_bytes(delay: Duration) -> Vec<u8> {
    let part = u8::try_from(delay.subsec_nanos() / 62_500_000).unwrap_or(0x0f);
    let byte = |number: u64| u8::try_from(number).unwrap_or(0x7f);
    let whole = delay.as_secs();
    let [seconds, minutes, hours] = [whole % 60, whole / 60 % 60, whole / 3600].map(byte);
    match (hours, minutes, seconds) {
        (0, 0, 0) => vec![part],
        (0, 0, _) => vec![0x10 | part, seconds],
        (0, _, _) => vec![0x20 | part, seconds, minutes],
        _ => vec![0x30 | part, seconds, minutes, hours.min(0x7f)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(log: &[u8]) -> Vec<Tag> {
        tags(log).collect()
    }

    fn field(square: u8, code: u8, rapid: bool) -> Tag {
        let content = Content::from_code(code).unwrap();
        Tag::Field { square: Square::new(square).unwrap(), content, rapid }
    }

    fn after(ms: u64) -> Tag {
        Tag::After(Duration::from_micros(ms * 1000 / 16))
    }

    /// The logs of the recorded answers: every byte belongs to an entry, and seconds are no digits.
    #[test]
    fn recorded_logs_with_delays_read_whole() {
        let seconds = |whole: u64, part: u64| after((whole * 16 + part) * 1000);
        assert_eq!(all(&[0x11, 0x02, 0x41, 0x29]), [seconds(2, 1), field(0x29, 1, false)]);
        assert_eq!(all(&[0x18, 0x0c, 0x40, 0x30]), [seconds(12, 8), field(0x30, 0, false)]);
        let log = [0x16, 0x3a, 0x40, 0x28, 0x18, 0x01, 0x41, 0x30];
        let expected =
            [seconds(58, 6), field(0x28, 0, false), seconds(1, 8), field(0x30, 1, false)];
        assert_eq!(all(&log), expected);
        let log = [0x2d, 0x2c, 0x0d, 0x40, 0x30, 0x1a, 0x01, 0x41, 0x30, 0x11, 0x09, 0x7c, 0x03];
        let expected = [
            seconds(13 * 60 + 44, 13),
            field(0x30, 0, false),
            seconds(1, 10),
            field(0x30, 1, false),
            seconds(9, 1),
            Tag::Unknown(0x7c),
        ];
        assert_eq!(all(&log), expected);
    }

    #[test]
    fn classic_logs_read_as_the_header_has_them() {
        let time = FaceTime::from_hms(1, 29, 58);
        let log = [
            0x7f, 0x7f, 0x7f, 0x6a, 0x41, 0x34, 0x54, 0x00, 0x61, 0x29, 0x58, 0x71, 0x29, 0x58,
            0x6f, 0x7a, 0x6d, 0x6c, 0x7b, 0x6e, 0x6b,
        ];
        let expected = [
            Tag::Nothing,
            Tag::Nothing,
            Tag::Nothing,
            Tag::PowerUp,
            field(0x34, 1, false),
            field(0x00, 4, true),
            Tag::Time(Side::Right, time),
            Tag::Time(Side::Left, time),
            Tag::Beginning { turned: false },
            Tag::Beginning { turned: true },
            Tag::Empty,
            Tag::FourRows,
            Tag::Start,
            Tag::Nothing,
            Tag::Nothing,
        ];
        assert_eq!(all(&log), expected);
    }

    #[test]
    fn what_cannot_be_read_is_the_last_entry() {
        for log in
            [&[0x7d, 0x41, 0x34][..], &[0x41], &[0x41, 0x40], &[0x61, 0x29], &[0x61, 0x5a, 0]]
        {
            assert_eq!(all(log), [Tag::Unknown(log[0])], "{log:02x?}");
        }
    }

    #[test]
    fn entries_read_back_as_they_were_written() {
        let times =
            [Side::Left, Side::Right].map(|it| Tag::Time(it, FaceTime::from_hms(9, 59, 59)));
        let delays = [1, 15, 16, 16 * 59 + 3, 16 * 60, 16 * 3599, 16 * 3600 + 5, 16 * 3600 * 100];
        let delays = delays.map(|sixteenths| after(sixteenths * 1000));
        let fields = (0..64).map(|square| field(square, square % 16, square % 2 == 0));
        for tag in fields.chain(times).chain(delays) {
            let mut bytes = Vec::new();
            tag.encode(&mut bytes);
            assert_eq!(all(&bytes), [tag], "{bytes:02x?}");
        }
    }
}
