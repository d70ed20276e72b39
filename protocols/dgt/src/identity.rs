//! Who is at the far end, as far as it has told. Nothing is taken from the USB ids of the cable.

use bincode::{Decode, Encode};
use eboard::Identity;

use crate::frame::{Frame, Version};

/// So many well-formed frames in a row, and it is such a board whatever they say.
const STREAK: u8 = 3;

/// No introduction is kept longer than this, in characters.
const LONGEST_MODEL: usize = 80;

/// What has been heard about the board.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Acquaintance {
    streak: u8,
    /// Noise came before the latest frames in a row.
    after_noise: bool,
    recognised: bool,
    /// Something was learnt since the identity was last put together.
    changed: bool,
    announced: Option<Identity>,
    firmware: Option<Version>,
    model: Option<String>,
    serial: Option<String>,
    long_serial: Option<String>,
    /// A serial number that contradicts the one known and has been heard once.
    rival: Option<String>,
}

/// Whether an answer still fits the board that was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// It does, or says nothing about it.
    Same,
    /// It does not; without a checksum that may be damage. To be asked again.
    Doubtful,
    /// Twice the same other number: another board has been plugged into this line.
    Other,
}

impl Acquaintance {
    pub(crate) const fn is_recognised(&self) -> bool {
        self.recognised
    }

    pub(crate) const fn knows_firmware(&self) -> bool {
        self.firmware.is_some()
    }

    pub(crate) const fn knows_number(&self) -> bool {
        self.serial.is_some()
    }

    /// Learns from a frame.
    pub(crate) fn frame(&mut self, frame: &Frame<'_>) -> Match {
        self.streak = self.streak.saturating_add(1);
        let certain = match frame {
            Frame::Board(_) => true,
            // Five bytes of which 26 bits are given: among noise they come about by chance, so
            // another frame has to stand beside them.
            Frame::Version(_) => !self.after_noise || self.streak > 1,
            _ => false,
        };
        if !self.recognised && (certain || self.streak >= STREAK) {
            self.recognised = true;
            self.changed = true;
        }
        match *frame {
            Frame::Version(version) => self.changed |= learn(&mut self.firmware, version),
            Frame::Trademark(text) => {
                if let Some(model) = first_line(text) {
                    self.changed |= learn(&mut self.model, model);
                }
            }
            Frame::LongSerial(text) => {
                self.changed |= learn(&mut self.long_serial, text.trim().to_owned());
            }
            Frame::Serial(text) => return self.serial(text),
            _ => {}
        }
        Match::Same
    }

    /// Something was heard that was no frame.
    pub(crate) const fn noise(&mut self) {
        (self.streak, self.after_noise) = (0, true);
    }

    /// The identity, if it is another one than was announced last.
    pub(crate) fn news(&mut self) -> Option<Identity> {
        if !(self.changed && self.recognised) {
            return None;
        }
        self.changed = false;
        let identity = self.identity();
        learn(&mut self.announced, identity.clone()).then_some(identity)
    }

    fn identity(&self) -> Identity {
        Identity {
            driver: crate::DRIVER.name.into(),
            model: self.model.clone(),
            serial: self.best_serial(),
            firmware: self.firmware.map(|it| format!("{}.{}", it.major, it.minor)),
        }
    }

    fn serial(&mut self, text: &str) -> Match {
        let Some(word) = text.split_whitespace().next() else { return Match::Same };
        let rival = self.rival.take();
        match &self.serial {
            Some(known) if known == word => Match::Same,
            Some(_) if rival.as_deref() == Some(word) => {
                *self = Self { recognised: self.recognised, ..Self::default() };
                Match::Other
            }
            Some(_) => {
                self.rival = Some(word.to_owned());
                Match::Doubtful
            }
            None => {
                self.serial = Some(word.to_owned());
                self.changed = true;
                Match::Same
            }
        }
    }

    /// The long number where it says more than five digits can, else the short one.
    ///
    /// Boards without a long number of their own answer `0000000001` and the like, many the same;
    /// a Revelation puts its firmware version in front, so that its number would change with it.
    fn best_serial(&self) -> Option<String> {
        let says_more = |long: &&String| {
            long.bytes().all(|byte| byte.is_ascii_digit()) && !long.starts_with("00000")
        };
        self.long_serial.as_ref().filter(says_more).or(self.serial.as_ref()).cloned()
    }
}

/// Stores what is new and answers whether it was.
fn learn<T: PartialEq>(slot: &mut Option<T>, value: T) -> bool {
    let new = slot.as_ref() != Some(&value);
    *slot = Some(value);
    new
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().filter(|letter| !letter.is_control()).take(LONGEST_MODEL).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: Frame<'_> = Frame::Version(Version { major: 3, minor: 1 });

    fn serial_after(frames: &[Frame<'_>]) -> Option<String> {
        let mut who = Acquaintance::default();
        for frame in frames {
            who.frame(frame);
        }
        who.best_serial()
    }

    #[test]
    fn a_version_among_noise_is_no_board_until_another_frame_follows() {
        let mut who = Acquaintance::default();
        who.noise();
        who.frame(&VERSION);
        assert!(!who.is_recognised());
        who.noise();
        who.frame(&VERSION);
        assert!(!who.is_recognised(), "noise came between the two");
        who.frame(&VERSION);
        assert!(who.is_recognised());
        let mut who = Acquaintance::default();
        who.frame(&VERSION);
        assert!(who.is_recognised(), "an answer in silence");
    }

    #[test]
    fn the_long_number_counts_where_it_says_more() {
        let short = Frame::Serial("47740");
        for (long, expected) in
            [("3000147740", "3000147740"), ("0000000001", "47740"), ("3.250010001", "47740")]
        {
            let long = Frame::LongSerial(long);
            assert_eq!(serial_after(&[long, short]).as_deref(), Some(expected));
            assert_eq!(serial_after(&[short, long]).as_deref(), Some(expected));
        }
        assert_eq!(serial_after(&[Frame::LongSerial("0000000001")]), None);
        assert_eq!(serial_after(&[Frame::Serial("00137 1.0")]).as_deref(), Some("00137"));
    }

    #[test]
    fn three_frames_in_a_row_are_enough_and_noise_begins_anew() {
        let mut who = Acquaintance::default();
        let address = Frame::BusAddress(1);
        who.frame(&address);
        who.frame(&address);
        who.noise();
        who.frame(&address);
        who.frame(&address);
        assert_eq!(who.news(), None);
        who.frame(&address);
        assert_eq!(who.news().unwrap(), Identity { driver: "dgt".into(), ..Identity::default() });
        assert_eq!(who.news(), None, "said once");
        who.frame(&VERSION);
        assert_eq!(who.news().unwrap().firmware.as_deref(), Some("3.1"));
        who.frame(&VERSION);
        assert_eq!(who.news(), None, "nothing new");
    }

    #[test]
    fn another_number_is_believed_the_second_time() {
        let mut who = Acquaintance::default();
        who.frame(&VERSION);
        assert_eq!(who.frame(&Frame::Serial("00001")), Match::Same);
        assert_eq!(who.frame(&Frame::Serial("00002")), Match::Doubtful);
        assert_eq!(who.frame(&Frame::Serial("00001")), Match::Same);
        assert_eq!(who.frame(&Frame::Serial("00002")), Match::Doubtful);
        assert_eq!(who.frame(&Frame::Serial("00002")), Match::Other);
        assert!(!who.knows_firmware(), "the old board's answers are forgotten");
    }

    #[test]
    fn an_introduction_is_one_line_of_it() {
        assert_eq!(first_line("\r\n  A board\r\nand more"), Some("A board".to_owned()));
        assert_eq!(first_line(" \n\r\n"), None);
        assert_eq!(first_line(&"x".repeat(300)).map(|it| it.len()), Some(LONGEST_MODEL));
    }
}
