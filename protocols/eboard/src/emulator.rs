//! A board of a family made of nothing: the far end of the line, for tests, demos and other
//! software.

use crate::{ClockFace, Moment, Piece, Placement, Reason, Square};

/// What befalls a clock's report on its way from the clock to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// A report that says nothing, as some boards send after an order to the clock.
    Null,
    /// A button was pressed on the clock, which tells so unasked.
    Button,
    /// So many of the next reports are lost.
    Lost(u16),
    /// From now on none gets through, or all do again.
    Silent(bool),
    /// What was reported last is reported once more.
    Again,
}

/// What happens to an emulated board.
#[derive(Clone, Copy, Debug)]
pub enum Stimulus<'a> {
    /// Bytes written by the host.
    Host(&'a [u8]),
    /// A hand changed one square. Squares are the board's own: square 0 is a8 unless it is turned.
    Square {
        /// Which square.
        square: Square,
        /// What stands there now.
        piece: Option<Piece>,
    },
    /// The whole board is as given, without single changes being seen.
    Board(&'a Placement),
    /// The clock shows this from now on; `None`: no clock is connected.
    Clock(Option<ClockFace>),
    /// Something befalls what the clock reports.
    Disturbed(Disturbance),
    /// The deadline given has come.
    Due,
}

/// An emulated board.
pub trait Emulator: Send {
    /// The only way in; bytes for the host are appended to `out`.
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Vec<u8>);

    /// When it next wants [`Stimulus::Due`], and why.
    fn deadline(&self) -> Option<(Moment, Reason)>;

    /// The serial number the board will give, where the language has one.
    fn set_serial(&mut self, serial: &str);
}
