//! Finds messages in a stream that may begin anywhere and may be damaged. It counts numbers; which
//! count a board must send is the business of whoever listens.

use bincode::{Decode, Encode};
use eboard::Anomaly;

use crate::frame::{Lamps, Message, TAG_NUMBERS};

/// Digits of the largest number.
const DIGITS: u8 = 3;

/// Reads a line byte by byte: how the stream is cut makes no difference.
///
/// A frame begins at `:` wherever that stands, so a damaged one cannot take the next with it. It
/// ends at CR. Line feeds inside are skipped: recordings have one after every 64 characters, also
/// within a number, and an acknowledgement may follow one directly. Where a frame has no CR and
/// the next thing follows, it counts only if its last number was surely complete.
#[derive(Debug, Default, Encode, Decode)]
pub struct Decoder {
    state: State,
    /// Complete numbers of the frame. Never more than the longest frame has.
    numbers: Vec<u8>,
    /// The number whose digits are being read, and how many there were.
    number: Option<(u16, u8)>,
    /// The last byte was a digit: the number may go on.
    within: bool,
    found: Vec<Result<Message, Anomaly>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
enum State {
    /// Nothing has begun.
    #[default]
    Between,
    Frame,
    /// The letter of an acknowledgement has come.
    Letter(Lamps),
    /// Bytes are being skipped, and this has been said.
    Adrift,
}

impl Decoder {
    /// Takes bytes in; gives what they completed, in order.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Result<Message, Anomaly>> {
        for &byte in bytes {
            match (self.state, byte) {
                (_, b':') => self.begin(),
                (State::Frame, _) => self.frame(byte),
                (State::Letter(lamps), b'\r' | b'\n') => {
                    self.found.push(Ok(Message::Lit(lamps)));
                    self.state = State::Between;
                }
                (State::Between, b'L') => self.state = State::Letter(Lamps::Mono),
                (State::Between, b'D') => self.state = State::Letter(Lamps::Rgb),
                (_, b'\r') => self.state = State::Between,
                (State::Between, b' ' | b'\n') | (State::Adrift, _) => {}
                (State::Between | State::Letter(_), _) => self.fail(Anomaly::Stray),
            }
        }
        std::mem::take(&mut self.found)
    }

    /// A frame begins; what was before it may be a frame without an end.
    fn begin(&mut self) {
        match self.state {
            State::Frame => self.end_without_cr(),
            State::Letter(_) => self.fail(Anomaly::Stray),
            State::Between | State::Adrift => {}
        }
        self.numbers.clear();
        self.number = None;
        self.within = false;
        self.state = State::Frame;
    }

    fn frame(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' => return self.digit(byte - b'0'),
            b' ' => self.end_number(),
            b'\n' => {}
            b'\r' => self.end(Anomaly::BadLength),
            b'L' | b'D' => {
                self.end_without_cr();
                let lamps = if byte == b'L' { Lamps::Mono } else { Lamps::Rgb };
                self.state = State::Letter(lamps);
            }
            _ => self.fail(Anomaly::BadValue),
        }
        self.within = false;
    }

    fn digit(&mut self, digit: u8) {
        let (value, digits) = self.number.unwrap_or_default();
        let value = value * 10 + u16::from(digit);
        if value > 255 || digits == DIGITS {
            return self.fail(Anomaly::BadValue);
        }
        self.number = Some((value, digits + 1));
        self.within = true;
    }

    fn end_number(&mut self) {
        let Some(number) = self.number.take().and_then(|(value, _)| u8::try_from(value).ok())
        else {
            return;
        };
        if self.numbers.len() == TAG_NUMBERS {
            return self.fail(Anomaly::BadLength);
        }
        self.numbers.push(number);
    }

    fn end_without_cr(&mut self) {
        if self.within {
            return self.fail(Anomaly::Truncated);
        }
        self.end(Anomaly::Truncated);
    }

    /// The frame is over; `wanting` is what to call it if numbers are missing.
    fn end(&mut self, wanting: Anomaly) {
        self.end_number();
        if self.state != State::Frame {
            return;
        }
        self.found.push(Message::from_numbers(&self.numbers).ok_or(wanting));
        self.state = State::Between;
    }

    /// Of bytes that make no sense only the first is counted until CR or until a frame begins.
    fn fail(&mut self, anomaly: Anomaly) {
        self.found.push(Err(anomaly));
        self.state = State::Adrift;
    }
}
