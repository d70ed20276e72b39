//! The list of all wire languages, and nothing else: what a family knows is in its own crate.

use eboard::Driver;

/// Every driver of a board, in the order in which they may ask an unknown line.
///
/// Those come first whose question is short, harmless to other boards and answered at once, and
/// whose line speed is the one listened at before anything is asked: a ChessLink board talks by
/// itself as delivered, a DGT board waits to be asked and has one-byte orders that do something, an
/// iChessOne board is asked in two letters that change nothing in any other board, a Certabo or
/// Tabutronic board always talks, is known from listening alone, and is asked nothing. Those on HID
/// are never asked on the same line as these, and only devices are that they name. A bus of DGT
/// boards is asked only where it is configured.
pub static DRIVERS: &[&Driver] = &[
    &chesslink::DRIVER,
    &dgt::DRIVER,
    &ichessone::DRIVER,
    &certabo::DRIVER,
    &certabo::TABUTRONIC,
    &chessnut::DRIVER,
    &hos::DRIVER,
    &dgt::BUS,
];

/// Every language of a clock that has a line of its own.
pub static CLOCKS: &[&Driver] = &[&chessnut::CLOCK];

/// Every language of a board or a clock.
#[must_use]
pub fn languages() -> Vec<&'static Driver> {
    DRIVERS.iter().chain(CLOCKS).copied().collect()
}

/// The driver of this name, as in the configuration.
#[must_use]
pub fn find(name: &str) -> Option<&'static Driver> {
    DRIVERS.iter().chain(CLOCKS).find(|driver| driver.name == name).copied()
}
