//! The row of facts about a family of boards that speaks one wire language.

use std::fmt;
use std::time::Duration;

use crate::device::Restored;
use crate::{Conversation, Emulator};

/// What is known of a family without talking to it.
#[derive(Clone, Copy)]
pub struct Driver {
    /// Short name, as in the configuration: `dgt`.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What its boards sense.
    pub senses: Senses,
    /// Whether chess clocks can be read through it.
    pub clock: bool,
    /// Whether its boards tell a serial number of their own.
    pub numbered: bool,
    /// How its line is set.
    pub line: LineSettings,
    /// USB ids it has been seen behind. Hints for udev and for the order of probing, no proof.
    pub usb: &'static [UsbHint],
    /// How much of it rests on real recordings.
    pub maturity: Maturity,
    /// How long a probe waits for an answer before it goes on to the next language.
    pub patience: Duration,
    /// Begins a conversation.
    pub converse: fn() -> Box<dyn Conversation>,
    /// Goes on with one that was saved: [`crate::restore`] of the same device.
    pub restore: fn(&[u8]) -> Restored,
    /// Makes a board of this family out of nothing.
    pub emulate: fn() -> Box<dyn Emulator>,
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for Driver {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What the boards of a family sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Senses {
    /// Which piece stands where.
    Identity,
    /// Only that something stands there.
    Occupancy,
}

/// How a serial line is to be set; always 8 data bits, no parity, 1 stop bit, no flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSettings {
    /// Bits per second.
    pub baud: u32,
    /// Level of DTR after opening.
    pub dtr: bool,
    /// Level of RTS after opening.
    pub rts: bool,
}

/// A USB id a family has been seen behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsbHint {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// What it was, and who saw it.
    pub note: &'static str,
}

/// How much of a driver rests on real recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maturity {
    /// From documents and other people's code only.
    OnPaper,
    /// Real bytes of real boards are decoded in the tests.
    Captured,
}
