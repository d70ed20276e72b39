//! The present game of a table and its next one, in the form that the journal keeps.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::pairings::Pairing;

/// The start of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The time of the plan, if the round is the plan's round.
    #[default]
    Planned,
    /// The moment at which an arbiter started it, in microseconds of the record.
    At(u64),
    /// Unknown, because this game comes after the planned one.
    Unknown,
}

/// The present or the next game of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Appointment {
    /// The round.
    pub round: String,
    /// The players and their colours, if an arbiter named them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Pairing>,
    /// The start of the game.
    #[serde(default)]
    pub start: Start,
    /// Whether the players sit with the opponent's colours (7.3).
    #[serde(default)]
    pub reversed: bool,
}

impl Appointment {
    /// A game of this round.
    #[must_use]
    pub fn of(round: &str) -> Self {
        Self { round: round.to_owned(), ..Self::default() }
    }

    /// Moves the game to another round. What was said about the earlier round no longer holds.
    pub fn move_to(&mut self, round: &str) {
        if self.round != round {
            *self = Self::of(round);
        }
    }
}

/// The present game of a table, and its next one if that was named already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
pub struct Standing {
    /// The present game, or the last one.
    pub now: Appointment,
    /// The next game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Appointment>,
}
