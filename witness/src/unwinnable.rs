//! Articles 5.2.2, 6.9 and 7.5.5: whether a side can checkmate by any possible series of legal
//! moves.
//!
//! The opponent helps: it is not asked who wins, only whether a mate exists. An answer is proved
//! or not given: [`Verdict::Winnable`] carries the moves, [`Verdict::Unwinnable`] means that every
//! series was ruled out, and what neither was done for within the effort is
//! [`Verdict::Undetermined`]. The move counters (9.3, 9.6) play no part.
//!
//! How: material first; then a `dive` down the moves that seem to lead to a mate; when that does
//! not help, `reach` and `pattern` rule out positions by where each piece can ever get to, and
//! what is left is looked at to the end.
//!
//! Of a position that only an illegal move leads to, as with a pawn on the last rank, nothing is
//! said.
//!
//! Effort is counted in nodes: a position made is one, an analysis of reach eight. A thousand
//! nodes take half a millisecond as a rule and a few at worst; a question takes at most its effort
//! and one position's moves more.

mod dive;
mod guide;
mod packed;
mod pattern;
mod reach;
mod search;
#[cfg(test)]
mod tests;

use bincode::{Decode, Encode};
use shakmaty::{Chess, Color, Move};

use search::{Found, Search};

/// How much may be done for an answer: positions made, the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effort(pub u64);

impl Effort {
    /// What a table can afford between two sightings: milliseconds at worst.
    pub const QUICK: Self = Self(2_000);
    /// Enough for all but composed positions. Seconds at worst, and some 100 MB of memory.
    pub const FULL: Self = Self(1_000_000);
}

/// Whether a side can checkmate by any series of legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can: these moves, both sides', end in mate. None if it is mate already.
    Winnable(Vec<Move>),
    /// It cannot.
    Unwinnable,
    /// Not decided within the effort.
    Undetermined,
}

/// Whether a side can checkmate, without the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Mate {
    /// It can.
    Possible,
    /// It cannot.
    Impossible,
    /// Not decided within the effort.
    Undetermined,
}

impl Verdict {
    /// The same without the moves.
    #[must_use]
    pub const fn mate(&self) -> Mate {
        match self {
            Self::Winnable(_) => Mate::Possible,
            Self::Unwinnable => Mate::Impossible,
            Self::Undetermined => Mate::Undetermined,
        }
    }
}

/// A question under way, for those who cannot wait: [`Analysis::advance`] as long as there is
/// time.
#[derive(Clone, Debug)]
pub struct Analysis {
    search: Search,
}

impl Analysis {
    /// Asks whether `winner` can checkmate from this position. Nothing is done yet but what takes
    /// no time.
    pub fn new(position: &Chess, winner: Color) -> Self {
        Self { search: Search::new(position, winner) }
    }

    /// Does at most about `effort` more; a position's moves are finished once begun (at most a
    /// few hundred nodes more).
    pub fn advance(&mut self, effort: Effort) -> Verdict {
        self.search.advance(self.search.spent.saturating_add(effort.0));
        self.verdict()
    }

    /// What is known so far.
    pub fn verdict(&self) -> Verdict {
        match &self.search.found {
            Found::Mate(line) => Verdict::Winnable(line.clone()),
            Found::NoMate => Verdict::Unwinnable,
            Found::Nothing | Found::Stuck => Verdict::Undetermined,
        }
    }

    /// Positions made so far.
    pub fn spent(&self) -> u64 {
        self.search.spent
    }
}

/// Whether `winner` can checkmate from this position by any series of legal moves (6.9, 7.5.5).
pub fn analyse(position: &Chess, winner: Color, effort: Effort) -> Verdict {
    Analysis::new(position, winner).advance(effort)
}
