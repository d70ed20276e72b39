//! The wire language of Certabo boards (RFID: every man has a tag) and of their Tabutronic sisters
//! that only sense occupied squares: frames, conversations and emulated boards. Not Bluetooth, not
//! lamps, and no clock: the line has none. The facts it rests on are in the README beside it.

use std::time::Duration;

use eboard::{Driver, LineSettings, Maturity, Senses, Transport, UsbHint};

mod book;
mod decoder;
mod device;
mod emulator;
pub mod frame;
mod identity;
mod presence;
mod settled;

pub use decoder::Decoder;
pub use device::{Family, Stream};
pub use emulator::{Board, Emulated, Men, Reader, SensorBoard, Sensors};
pub use identity::Identities;
pub use presence::Presences;

/// A conversation with a board that reads tags.
pub type Certabo = Stream<Identities>;

/// A conversation with a board that senses occupied squares.
pub type Tabutronic = Stream<Presences>;

/// Both kinds speak at the same speed. Hosts that work set DTR and RTS in all ways, or not at all.
const LINE: LineSettings = LineSettings { baud: 38400, dtr: false, rts: false };

const USB: &[UsbHint] = &[UsbHint {
    vendor: 0x10c4,
    product: 0xea60,
    note: "CP210x bridge of Certabo and Tabutronic boards; a general id, other devices share it",
}];

/// These boards are recognised while others ask, too, as long as the line has their speed.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a frame of tags takes on the line. How often frames come nobody has measured.
const FRAME: Duration = Duration::from_millis(222);

/// The row of facts about boards that read tags: Certabo, Tabutronic Cerno and Cerno Spectrum.
pub static DRIVER: Driver = Driver {
    name: identity::NAME,
    family: "certabo",
    title: "Certabo",
    senses: Senses::Identity,
    clock: false,
    numbered: false,
    learns: true,
    // Three frames in a row must lack the man.
    misses: FRAME.saturating_mul(3),
    transport: Transport::Serial { settings: LINE, hints: USB },
    probed: true,
    maturity: Maturity::Captured,
    patience: PATIENCE,
    pace: Duration::ZERO,
    converse: || Box::new(Certabo::default()),
    restore: eboard::restore::<Certabo>,
    emulate: || Box::new(Board::default()),
};

/// The row of facts about boards that sense occupied squares: Sentio, Sentio Spectrum, Tactum.
pub static TABUTRONIC: Driver = Driver {
    name: presence::NAME,
    family: "certabo",
    title: "Tabutronic Sentio",
    senses: Senses::Occupancy,
    clock: false,
    numbered: false,
    learns: false,
    // Two frames in a row must find the square empty.
    misses: FRAME.saturating_mul(2),
    transport: Transport::Serial { settings: LINE, hints: USB },
    probed: true,
    // Two short lines of other people's tests are known, not whether a board sent them.
    maturity: Maturity::OnPaper,
    patience: PATIENCE,
    pace: Duration::ZERO,
    converse: || Box::new(Tabutronic::default()),
    restore: eboard::restore::<Tabutronic>,
    emulate: || Box::new(SensorBoard::default()),
};
