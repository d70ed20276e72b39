//! The wire language of House of Staunton and Zmartfun sensor boards on USB HID, with their clock:
//! reports, conversation and an emulated board. Not Bluetooth, and neither lights nor orders to the
//! clock. The facts it rests on are in the README beside it.

use std::time::Duration;

use eboard::{Driver, HidId, Maturity, Senses, Transport};

mod device;
mod emulator;
pub mod frame;

pub use device::HouseOfStaunton;
pub use emulator::Board;

const NAME: &str = "hos";

/// The row of facts about the family.
pub static DRIVER: Driver = Driver {
    name: NAME,
    family: "hos",
    title: "House of Staunton, Zmartfun",
    senses: Senses::Identity,
    clock: true,
    numbered: false,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Hid {
        ids: &[HidId {
            vendor: 0x0925,
            // Not published.
            product: 0,
            mask: 0,
            usage_page: None,
            note: "House of Staunton, Zmartfun (BearChess); many small devices have the same id",
        }],
    },
    probed: true,
    maturity: Maturity::OnPaper,
    patience: Duration::from_secs(2),
    pace: Duration::ZERO,
    converse: || Box::new(HouseOfStaunton::default()),
    restore: eboard::restore::<HouseOfStaunton>,
    emulate: || Box::new(Board::default()),
};
