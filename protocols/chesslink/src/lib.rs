//! The wire language of Millennium ChessLink boards (Exclusive, Supreme, King Performance, eONE):
//! frames, conversation and an emulated board. Not Bluetooth, not lamps, and no clock: the link has
//! none. The facts it rests on are in the README beside it.

use std::time::Duration;

use eboard::{Driver, LineSettings, Maturity, Senses, Transport, UsbHint};

mod decoder;
mod device;
mod emulator;
pub mod frame;
mod setup;

pub use decoder::Decoder;
pub use device::ChessLink;
pub use emulator::Board;

const NAME: &str = "chesslink";

/// The row of facts about the family.
pub static DRIVER: Driver = Driver {
    name: NAME,
    family: "chesslink",
    title: "Millennium ChessLink",
    senses: Senses::Identity,
    clock: false,
    numbered: false,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Serial {
        settings: LineSettings { baud: 38400, dtr: false, rts: false },
        hints: &[UsbHint {
            vendor: 0x0403,
            product: 0x6001,
            note: "FTDI bridge of the ChessLink module; a general id, other devices share it",
        }],
    },
    probed: true,
    // One real exchange is known, and it carries no position.
    maturity: Maturity::OnPaper,
    patience: Duration::from_secs(2),
    pace: device::PACE,
    converse: || Box::new(ChessLink::default()),
    restore: eboard::restore::<ChessLink>,
    emulate: || Box::new(Board::default()),
};
