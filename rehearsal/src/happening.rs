//! What a board and its clock can be told: the physical truth, before any wire language.

use eboard::{Change, ClockFace, Disturbance, Piece, Placement, Square};

/// One change of the physical truth at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The whole board is as given.
    Board(Placement),
    /// One square changed. Squares are seen from White's side: square 0 is a8.
    Square {
        /// Which square.
        square: Square,
        /// What stands there now.
        piece: Option<Piece>,
    },
    /// The clock shows this from now on.
    Clock(ClockFace),
    /// No clock is connected any more.
    NoClock,
    /// Something befalls what the clock reports.
    Disturbed(Disturbance),
}

impl Happening {
    /// Whether it is about the squares, and not about the clock or the line.
    pub(crate) const fn is_of_squares(&self) -> bool {
        matches!(self, Self::Board(_) | Self::Square { .. })
    }

    /// The same as an emulated board takes it.
    #[must_use]
    pub const fn change(&self) -> Change<'_> {
        match self {
            Self::Board(placement) => Change::Board(placement),
            Self::Square { square, piece } => Change::Square { square: *square, piece: *piece },
            Self::Clock(face) => Change::Clock(Some(*face)),
            Self::NoClock => Change::Clock(None),
            Self::Disturbed(disturbance) => Change::Disturbed(*disturbance),
        }
    }
}
