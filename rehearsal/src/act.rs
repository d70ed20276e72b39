//! What one hand does at a table, player or arbiter. Not what a board or clock tells of it.

use std::time::Duration;

use eboard::{Colour, FaceTime, Moment, Piece, Placement, Square};

use crate::{Clock, Trouble};

/// One act. Squares are seen from White's side: square 0 is a8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Whatever stands on this square leaves it.
    Lift(Square),
    /// This piece now stands on this square, instead of what stood there.
    Put(Square, Piece),
    /// This player's lever goes down.
    Press(Colour),
    /// The lever of the player whose clock runs goes down.
    PressRunning,
    /// The clock is started with this player's time counting.
    StartClock(Colour),
    /// Both clocks are stopped.
    StopClock,
    /// The clock goes on with the side the lever gives the move to.
    GoOn,
    /// This player's clock reaches zero now, however much it had.
    Flag(Colour),
    /// The arbiter sets this player's clock.
    Correct(Colour, FaceTime),
    /// Something befalls the clock.
    Trouble(Trouble),
}

/// An act and when it is done, counted from the beginning of the performance.
pub type Cue = (Duration, Act);

impl Act {
    /// Does it, to these pieces and this clock.
    pub(crate) fn apply(self, at: Moment, placement: &mut Placement, clock: &mut Clock) {
        match self {
            Self::Lift(square) => placement[square] = None,
            Self::Put(square, piece) => placement[square] = Some(piece),
            Self::Press(side) => clock.press_side(at, side),
            Self::PressRunning => clock.press(at),
            Self::StartClock(side) => clock.start(at, side),
            Self::StopClock => clock.stop(at),
            Self::GoOn => clock.go_on(at),
            Self::Flag(side) => clock.flag(at, side),
            Self::Correct(side, time) => clock.correct(at, side, time),
            Self::Trouble(trouble) => trouble.befall(at, clock),
        }
    }
}
