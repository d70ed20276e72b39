//! The wire language of Chessnut boards on USB HID: reports, conversation and an emulated board.
//! Not Bluetooth, not lights or sounds; the link of a board has no clock, and the clock of the same
//! maker has a link of its own. The facts it rests on are
//! in the README beside it.

use std::time::Duration;

use eboard::{Driver, HidId, Maturity, Senses, Transport};

mod clock;
mod device;
mod emulator;
pub mod frame;

pub use clock::{Clock, DRIVER as CLOCK, Lever};
pub use device::Chessnut;
pub use emulator::Board;

const NAME: &str = "chessnut";

/// One model. The low byte of its product id differs from unit to unit.
const fn model(product: u16, note: &'static str) -> HidId {
    // The other interface is not the board's.
    HidId { vendor: 0x2d80, product, mask: 0xff00, usage_page: Some(0xff00), note }
}

/// The row of facts about the family.
pub static DRIVER: Driver = Driver {
    name: NAME,
    family: "chessnut",
    title: "Chessnut Air, Air+, Pro and Go",
    senses: Senses::Identity,
    clock: false,
    numbered: false,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Hid {
        ids: &[
            model(0x8000, "Chessnut Air (EasyLinkSDK; seen as 8001 and 8002)"),
            model(0x8100, "Chessnut Pro (EasyLinkSDK)"),
            model(0x8200, "Chessnut Air+ (EasyLinkSDK)"),
            model(0x8500, "Chessnut Go (EasyLinkSDK)"),
        ],
    },
    probed: true,
    maturity: Maturity::OnPaper,
    patience: Duration::from_secs(2),
    pace: device::PACE,
    converse: || Box::new(Chessnut::default()),
    restore: eboard::restore::<Chessnut>,
    emulate: || Box::new(Board::default()),
};
