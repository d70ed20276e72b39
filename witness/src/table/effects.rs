//! What a table sends to the outside: the views that have changed, what happened, what is wanted.

use std::sync::Arc;

use shakmaty::Color;

use super::{Phase, Question};
use crate::hand::Touched;
use crate::incident::{Incident, Ruling};
use crate::score::{Ply, Score};

/// Which view of a table has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facet {
    /// The physical squares.
    Board,
    /// What a screen draws.
    Position,
    /// The whole score.
    Game,
    /// The clock.
    Clock,
    /// The device.
    Device,
    /// What stands against the players.
    Ledger,
}

/// Something that happened at a table, for whoever listens now. Machines and listeners share what
/// is long.
#[derive(Clone, Debug)]
pub enum Event {
    /// A lift, a put or both on one square.
    Touched(Touched),
    /// This side pressed the clock.
    Pressed(Color),
    /// A move was made.
    Released {
        /// Which, from 0.
        index: usize,
        /// As it stood at that moment.
        ply: Arc<Ply>,
    },
    /// A move was completed.
    Completed {
        /// Which, from 0.
        index: usize,
        /// As it stood at that moment.
        ply: Arc<Ply>,
    },
    /// From this index on the moves are others now.
    Revised {
        /// The first one that changed, from 0.
        from: usize,
        /// The new revision.
        rev: u32,
    },
    /// The next period of the time control began for this side.
    Period(Color),
    /// Another phase.
    Phase(Phase),
    /// There is a result, or no longer one.
    Result,
    /// A new game has begun; this is the score of the one before, if it had any move or
    /// a result.
    NewGame(Option<Arc<Score>>),
}

/// What a table wants done or published.
#[derive(Clone, Debug)]
pub enum Effect {
    /// A view has changed: publish it again.
    Changed(Facet),
    /// An event for those who listen.
    Event(Event),
    /// An incident is new, or another one than before.
    Raised(Box<Incident>),
    /// Whether a side can checkmate, for who has more time than a table.
    Asked(Box<Question>),
    /// The whole board should be asked for: what was reported square by square makes no sense.
    Survey,
    /// The game that begins now is one of the next round.
    NextRound,
    /// An incident is no longer open; the ruling, if a human gave one.
    Closed(Box<Incident>, Option<Ruling>),
}
