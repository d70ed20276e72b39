//! The language of many boards on one cable. One master asks, one board answers at a time.

mod board;
mod device;
mod discovery;
mod emulator;
mod frame;
mod held;
mod lag;
mod log;

pub use device::BusHost;
pub(crate) use device::GAP;
pub use emulator::VirtualBus;
pub use frame::{Answer, BusDecoder, BusHeard, MAX_BUS_FRAME, Request};
pub use log::{Tag, tags};
