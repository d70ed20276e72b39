//! The languages of DGT e-Boards, on a line of their own (USB or serial) and many on one cable (the
//! bus), and virtual boards of both kinds.
//!
//! Not the I2C jack of the clocks, not the Bluetooth Low Energy models. `README.md` beside this
//! crate is the wire sheet: every fact used here with its source and how sure it is.

mod agenda;
mod bus;
mod clock;
mod command;
mod device;
mod emulator;
mod frame;
mod identity;
mod piece;
mod squares;
mod vigil;

use std::time::Duration;

use eboard::{Driver, LineSettings, Maturity, Senses, Transport, UsbHint};

pub use bus::{
    Answer, BusDecoder, BusHeard, BusHost, MAX_BUS_FRAME, Request, Tag, VirtualBus, tags,
};
pub use clock::Report;
pub use command::{Command, Order, Orders};
pub use device::Host;
pub use emulator::VirtualBoard;
pub use frame::{Decoder, Frame, Heard, MAX_FRAME, Version};
pub use piece::{Content, Dump, ResultPiece};

const LINE: LineSettings = LineSettings { baud: 9600, dtr: false, rts: false };

/// The row of facts about this family.
pub static DRIVER: Driver = Driver {
    name: "dgt",
    family: "dgt",
    title: "DGT e-Board (USB, serial)",
    senses: Senses::Identity,
    clock: true,
    numbered: true,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Serial {
        settings: LINE,
        hints: &[
            UsbHint {
                vendor: 0x0403,
                product: 0x6001,
                note: "FTDI FT232 in older USB boards (picochess issue 44); also in much else",
            },
            UsbHint {
                vendor: 0x045b,
                product: 0x8111,
                note: "Renesas stock CDC id, Smart and USB-C boards (fnogatz/dgtchess issue 14)",
            },
            UsbHint {
                vendor: 0x04d8,
                product: 0x000a,
                note: "Microchip stock CDC id, one user's board of 2015 (picochess issue 150)",
            },
        ],
    },
    probed: true,
    maturity: Maturity::Captured,
    patience: Duration::from_secs(2),
    pace: agenda::GAP_ANSWERED,
    converse: || Box::new(Host::new()),
    restore: eboard::restore::<Host>,
    emulate: || Box::new(VirtualBoard::new()),
};

/// The row of facts about many boards on one cable. Their line is never asked in the dark: an order
/// to a single board would take all of them off the bus.
pub static BUS: Driver = Driver {
    name: "dgtbus",
    family: "dgt",
    title: "DGT e-Boards on a bus",
    senses: Senses::Identity,
    clock: true,
    numbered: true,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Serial { settings: LINE, hints: &[] },
    probed: false,
    // No recording of a bus of such boards is known, only of another maker's use of its frames.
    maturity: Maturity::OnPaper,
    patience: Duration::from_secs(3),
    pace: bus::GAP,
    converse: || Box::new(BusHost::default()),
    restore: eboard::restore::<BusHost>,
    emulate: || Box::new(VirtualBus::default()),
};
