//! What is announced to a table of the games it will have: when their round starts, and with which
//! pieces.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Color, Position};

use super::Play;
use crate::array::{self, Array};
use crate::number::TableNo;
use crate::score::Score;

/// Half moves after which a game belonged to the round, whether or not its result was entered.
/// Pieces that are set up after it are those of the next round.
pub(super) const PLAYED: usize = 20;

/// What is announced of the round at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Round {
    /// Its official start (6.6, 6.7); none: not announced.
    pub start: Option<Moment>,
    /// What its game begins with; none: the usual array, or one of Chess960.
    pub array: Option<Array>,
    /// The same for the round after it.
    pub next_array: Option<Array>,
    /// Whether anybody is to play here in its round.
    pub paired: Paired,
    /// The player who is named at another table of the round too, and that table.
    pub elsewhere: Option<(Color, TableNo)>,
    /// Whether most tables of its round play, or have played.
    pub begun: bool,
    /// The same of the round after it, if the table has a pairing there.
    pub next_begun: bool,
    /// Tables that may have been mistaken for this one, the nearest first: if it has a pairing and
    /// no board, those at which a game without a pairing is played; if it plays without a pairing,
    /// those with a pairing and no board.
    pub counterparts: Vec<TableNo>,
    /// What was said about the round after it.
    pub next: NextRound,
}

/// What was said about a round to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum NextRound {
    /// Nothing.
    #[default]
    Unsaid,
    /// It comes; its official start, if that was said.
    Said(Option<Moment>),
}

/// Whether anybody is to play at a table in its round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum Paired {
    /// There are neither pairings nor names.
    #[default]
    Unknown,
    /// The table has a pairing, or its players are named otherwise.
    Named,
    /// The round has pairings, and none for this table.
    LeftOut,
}

impl Play {
    /// What was announced of the round at this table.
    #[must_use]
    pub fn round(&self) -> &Round {
        &self.round
    }
}

/// Whether nothing was played of this score, and it has a result: a forfeit.
pub(super) fn is_unplayed(score: &Score) -> bool {
    let moves = score.moves_made(Color::White) + score.moves_made(Color::Black);
    score.ending().is_some() && moves == 0 && array::of(score.start().board()).is_some()
}

/// Whether the next game is one of the next round.
pub(super) fn was_played(score: &Score) -> bool {
    score.ending().is_some() || score.plies().len() >= PLAYED
}
