//! What an arbiter may tell a table, and how a table declines.

use std::fmt;

use shakmaty::{CastlingMode, Chess, Color};

use crate::incident::{IncidentId, Ruling};
use crate::score::Ending;

/// An arbiter's order to one table. Who gave it and when is the journal's matter.
#[derive(Clone, Debug)]
pub enum Order {
    /// Somebody is on the way to this incident.
    Acknowledge {
        /// Which.
        incident: IncidentId,
        /// Who.
        by: String,
    },
    /// A human's answer closes this incident.
    Rule {
        /// Which.
        incident: IncidentId,
        /// The answer.
        ruling: Ruling,
    },
    /// This is the true position now.
    SetPosition {
        /// The position, with the side to move.
        position: Box<Chess>,
        /// Whether castling follows Chess960.
        mode: CastlingMode,
    },
    /// This is the result; none: the game goes on.
    SetResult(Option<Ending>),
    /// This player was penalized: his opponent got so many seconds.
    PenaltyGiven {
        /// Who was penalized.
        side: Color,
        /// What the opponent got.
        seconds: u32,
    },
    /// The board lies the other way round.
    Flip,
}

/// Why an order was not carried out; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No such incident is open at this table.
    NoSuchIncident,
    /// No such table.
    NoSuchTable,
    /// The program failed on it.
    Fault,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchIncident => "no such alert is open: it may be closed already",
            Self::NoSuchTable => "no such table",
            Self::Fault => "the program failed on this order: nothing has changed",
        })
    }
}

impl std::error::Error for Refusal {}
