//! The game that a table has, and the one after it, as the journal keeps them.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::pairings::Pairing;

/// When a round starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// As the plan says, if this is the plan's round.
    #[default]
    Planned,
    /// An arbiter has started it: microseconds of the record.
    At(u64),
    /// A game after the one that was planned: nobody knows.
    Unknown,
}

/// A game that a table has or will have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Appointment {
    /// Of this round.
    pub round: String,
    /// Who plays and with which pieces, where an arbiter has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Pairing>,
    /// When it starts.
    #[serde(default)]
    pub start: Start,
    /// The players sit with the opponent's colours (7.3).
    #[serde(default)]
    pub reversed: bool,
}

impl Appointment {
    /// A game of this round.
    #[must_use]
    pub fn of(round: &str) -> Self {
        Self { round: round.to_owned(), ..Self::default() }
    }

    /// Another round is meant now: what was said of an earlier one does not hold for it.
    pub fn move_to(&mut self, round: &str) {
        if self.round != round {
            *self = Self::of(round);
        }
    }
}

/// The game a table has, and the one after it where that was said already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Standing {
    /// The game it has, or had last.
    pub now: Appointment,
    /// The game after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Appointment>,
}
