//! What a wire language promises the rest of the house, and what it is given.
//!
//! A *device* is one running conversation with whatever sits at the far end of a line. It has two
//! doors only: [`Device::handle`] and [`Device::deadline`]. Bytes and moments go in, sightings and
//! bytes to send come out. Nothing here does I/O, reads a clock or knows a rule of chess.

mod clock;
mod device;
mod driver;
mod emulator;
mod lessons;
mod moment;
mod piece;
mod probe;
mod sighting;
mod square;
mod upkeep;
mod word;

pub use clock::{ClockFace, Dial, FaceTime, FlagMark, Side};
pub use device::{Anomaly, Conversation, Device, Input, Occupied, Outbox, Output, Pieces, Reason};
pub use device::{Restored, Sense, Station, restore};
pub use driver::{Carrier, Driver, HidId, LineSettings, Maturity, Senses, Transport, UsbHint};
pub use emulator::{Change, Disturbance, Emulator, Said, Stimulus};
pub use lessons::{Lessons, Man};
pub use moment::Moment;
pub use piece::{Colour, Piece, Role};
pub use probe::{Probe, Probed, SavedProbe};
pub use sighting::{Battery, Identity, Sighting};
pub use square::{Occupancy, Placement, PlacementError, Square};
pub use upkeep::{Pacer, Presence};
pub use word::Word;
