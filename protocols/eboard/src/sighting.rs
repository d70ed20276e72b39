//! What a device claims to see. A claim, not yet a belief: settling it is the witness's work.

use std::time::Duration;

use bincode::{Decode, Encode};

use crate::{ClockFace, Occupancy, Piece, Placement, Side, Square, Word};

/// One claim of a device about a station. Squares are the board's own, not yet turned.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Sighting {
    /// The whole board with its pieces.
    Position(Placement),
    /// The whole board, occupied or not.
    Occupancy(Occupancy),
    /// One square now carries this piece, or nothing.
    Square {
        /// Which square.
        square: Square,
        /// What stands there now.
        piece: Option<Piece>,
    },
    /// One square is now occupied or not.
    Presence {
        /// Which square.
        square: Square,
        /// Whether anything stands there now.
        occupied: bool,
    },
    /// The whole face of the clock.
    Clock(ClockFace),
    /// No clock is connected any more; earlier readings are all there is.
    ClockLost,
    /// The half that the lever gives the move to, from a clock that tells no times. Whether one
    /// counts is not known.
    Lever(Side),
    /// How much power is left.
    Battery(Battery),
    /// Who is there. Comes again, fuller, as more becomes known.
    Identified(Identity),
    /// What the board reports from now on may have happened up to this time earlier: it is polled
    /// now and then, and reports in order what it has noted since. Before the first of these a
    /// board reports at once.
    Within(Duration),
    /// A touch that lasts less than this the board may not report at all
    /// ([`Driver::misses`](crate::Driver::misses)).
    Misses(Duration),
    /// The board does not answer although its line is open.
    Silent,
}

impl Sighting {
    /// Whether it says what stands on squares.
    #[must_use]
    pub const fn is_of_squares(&self) -> bool {
        matches!(
            self,
            Self::Position(_) | Self::Occupancy(_) | Self::Square { .. } | Self::Presence { .. }
        )
    }
}

/// Power left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Battery {
    /// 0 to 100.
    pub percent: u8,
    /// Being charged.
    pub charging: bool,
}

/// What a device told of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Identity {
    /// The driver that recognised it.
    pub driver: Word,
    /// The make or model, if it says.
    pub model: Option<String>,
    /// The board's own serial number, if it has one: the same wherever it is plugged in.
    pub serial: Option<String>,
    /// Firmware version as the device gives it.
    pub firmware: Option<String>,
}
