//! What a table can be given.

use eboard::Sighting;

use super::Round;
use crate::number::TableNo;
use crate::orders::Order;
use crate::seating::Part;
use crate::settings::Settings;
use crate::unwinnable::Mate;

/// One thing that enters at a table.
#[derive(Clone, Debug)]
pub enum Input {
    /// A device of the table claims to see something.
    Seen(Part, Sighting),
    /// The line of a device was opened or closed.
    Line(Part, bool),
    /// Other settings: at once between games, else from the next game on.
    Configured(Box<Settings>),
    /// What is announced of the round.
    Announced(Box<Round>),
    /// This many games were played here before: so alerts never have the name of an earlier one.
    GamesBefore(u32),
    /// An arbiter's order.
    Ordered(Order),
    /// This clock was pressed without a move while the table of this number waits for a press.
    NeighbourWaits(TableNo),
    /// The neighbour has pressed his own clock.
    NeighbourPressed,
    /// The answer to the question of this number.
    Answered(u32, Mate),
    /// The program failed at this table and has set it back to before the input it failed on; or
    /// has failed once more.
    Failed {
        /// It was not the first time.
        again: bool,
    },
    /// A deadline has come.
    Due,
}
