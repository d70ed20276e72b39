//! The wire language of iChessOne boards on a serial line: frames, conversation and an emulated
//! board. Not Bluetooth, not lamps or sounds, and no clock: the link has none. The facts it rests
//! on are in the README beside it.

use std::time::Duration;

use eboard::{Driver, LineSettings, Maturity, Senses, Transport};

mod device;
mod emulator;
pub mod frame;

pub use device::IChessOne;
pub use emulator::Board;

const NAME: &str = "ichessone";

/// The row of facts about the family.
pub static DRIVER: Driver = Driver {
    name: NAME,
    family: "ichessone",
    title: "iChessOne",
    senses: Senses::Identity,
    clock: false,
    numbered: false,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Serial {
        settings: LineSettings { baud: 115_200, dtr: true, rts: true },
        // Nobody has published the ids of its adapter.
        hints: &[],
    },
    probed: true,
    maturity: Maturity::OnPaper,
    patience: Duration::from_secs(2),
    pace: device::PACE,
    converse: || Box::new(IChessOne::default()),
    restore: eboard::restore::<IChessOne>,
    emulate: || Box::new(Board::default()),
};
