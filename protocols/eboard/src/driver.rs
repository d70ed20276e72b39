//! The row of facts about a family of boards that speaks one wire language.

use std::fmt;
use std::time::Duration;

use bincode::{Decode, Encode};

use crate::device::Restored;
use crate::{Conversation, Emulator};

/// What is known of a family without talking to it.
#[derive(Clone, Copy)]
pub struct Driver {
    /// Short name, as in the configuration: `dgt`.
    pub name: &'static str,
    /// The folder with its wire sheet: its own name, or that of the family it belongs to.
    pub family: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What its boards sense.
    pub senses: Senses,
    /// Whether chess clocks can be read through it.
    pub clock: bool,
    /// Whether its boards tell a serial number of their own.
    pub numbered: bool,
    /// Whether it must see a starting position stand for a while before it knows any man.
    pub learns: bool,
    /// A touch that lasts less than this may not be reported at all. A quarter of a second, one
    /// scan, needs no mention: zero.
    pub misses: Duration,
    /// By what its boards are reached.
    pub transport: Transport,
    /// Whether a line on which nobody knows the language may be asked in it. Where not, the
    /// language has to be named: its questions would harm others, or others' questions its boards.
    pub probed: bool,
    /// How much of it rests on real recordings.
    pub maturity: Maturity,
    /// How long a probe waits for an answer before it goes on to the next language.
    pub patience: Duration,
    /// The least time between two messages to the board; zero: nothing is ever sent, or no limit is
    /// known.
    pub pace: Duration,
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

impl Driver {
    /// How its line is set; `None`: it is no serial line.
    #[must_use]
    pub const fn settings(&self) -> Option<LineSettings> {
        match self.transport {
            Transport::Serial { settings, .. } => Some(settings),
            Transport::Hid { .. } => None,
        }
    }

    /// USB ids its adapter has been seen with: hints, no proof.
    #[must_use]
    pub const fn hints(&self) -> &'static [UsbHint] {
        match self.transport {
            Transport::Serial { hints, .. } => hints,
            Transport::Hid { .. } => &[],
        }
    }

    /// The HID devices it speaks with, and no others.
    #[must_use]
    pub const fn hid(&self) -> &'static [HidId] {
        match self.transport {
            Transport::Serial { .. } => &[],
            Transport::Hid { ids } => ids,
        }
    }

    /// Whether its line is a bus with a board at each of its stations. A bus is never searched: the
    /// question in another language would take boards off it.
    #[must_use]
    pub const fn is_bus(&self) -> bool {
        !self.probed && !matches!(self.senses, Senses::Nothing)
    }

    /// What carries the bytes of an emulated board.
    #[must_use]
    pub const fn emulated_over(&self) -> Carrier {
        match self.transport {
            Transport::Serial { .. } => Carrier::Serial,
            Transport::Hid { .. } => Carrier::Socket,
        }
    }

    /// Whether its boards may be on such a line.
    #[must_use]
    pub fn speaks_over(&self, carrier: Carrier) -> bool {
        match carrier {
            Carrier::Serial => self.settings().is_some(),
            Carrier::Hid { vendor, product } => {
                self.hid().iter().any(|id| id.names(vendor, product))
            }
            Carrier::Socket => !self.hid().is_empty(),
        }
    }
}

/// By what a family's boards are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A serial line: bytes may be cut anywhere.
    Serial {
        /// How it is set.
        settings: LineSettings,
        /// What its adapter has been seen as. Hints for udev, no proof.
        hints: &'static [UsbHint],
    },
    /// USB HID: reports keep their boundaries, each [`crate::Input::Bytes`] is one, and each
    /// [`crate::Output::Send`]. The first byte is the number of the report; on the way to a device
    /// that numbers none it is 0, and its own reports have no number in front.
    Hid {
        /// The devices that are opened, and no others.
        ids: &'static [HidId],
    },
}

/// What carries the bytes of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum Carrier {
    /// A serial line, or what looks like one.
    #[default]
    Serial,
    /// A HID device with these USB ids.
    Hid {
        /// Vendor id.
        vendor: u16,
        /// Product id.
        product: u16,
    },
    /// A local socket that keeps reports: an emulated HID device of any family.
    Socket,
}

/// HID devices that speak a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HidId {
    /// Vendor id.
    pub vendor: u16,
    /// Product id, where the mask has ones.
    pub product: u16,
    /// Which bits of the product id must be so.
    pub mask: u16,
    /// The usage page its report descriptor must begin with. Where none is known, it must be one
    /// that makers have for their own: then it is nobody's keyboard and nobody's security key.
    pub usage_page: Option<u16>,
    /// What it is, and who saw it.
    pub note: &'static str,
}

impl HidId {
    /// Whether a device with these ids is meant.
    #[must_use]
    pub const fn names(&self, vendor: u16, product: u16) -> bool {
        vendor == self.vendor && product & self.mask == self.product & self.mask
    }
}

/// What the boards of a family sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Senses {
    /// Which piece stands where.
    Identity,
    /// Only that something stands there.
    Occupancy,
    /// No square: it is a clock on a line of its own.
    Nothing,
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
