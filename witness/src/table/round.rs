//! What a table is told of the games it will have: when their round starts, and with which pieces.

use bincode::{Decode, Encode};
use eboard::Moment;

use super::{Effect, Table};
use crate::array::Array;
use crate::score::Score;

/// Moves by both players after which a game was one of the round, whether or not anybody has told
/// its result: pieces that are set up after it are those of the next round.
const PLAYED: usize = 20;

/// What is announced of the round at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Round {
    /// Its official start (6.6, 6.7); none: not told.
    pub start: Option<Moment>,
    /// What its game begins with; none: the usual array, or one of Chess960.
    pub array: Option<Array>,
    /// The same for the round after it.
    pub next_array: Option<Array>,
}

impl Table {
    /// What was announced of the round.
    pub fn announce(&mut self, now: Moment, round: Round, out: &mut Vec<Effect>) {
        let from = out.len();
        self.round = round;
        self.look_for_set_up(now);
        self.note_time(now, from, out);
    }

    /// What was announced of the round at this table.
    #[must_use]
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// When the round at this table officially started, or will start.
    #[must_use]
    pub fn round_start(&self) -> Option<Moment> {
        self.round.start
    }

    /// What the next game is announced to begin with.
    pub(super) fn announced(&self) -> Option<&Array> {
        let round = &self.round;
        if was_played(&self.score) { round.next_array.as_ref() } else { round.array.as_ref() }
    }
}

/// Whether the next game is one of the next round.
pub(super) fn was_played(score: &Score) -> bool {
    score.ending().is_some() || score.plies().len() >= PLAYED
}
