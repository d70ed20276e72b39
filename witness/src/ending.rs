//! How a game ended, and a result that was announced and withdrawn.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::KnownOutcome;

/// How a game ended, as far as board and arbiter tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won, or a draw.
    pub outcome: KnownOutcome,
    /// Why.
    pub reason: EndedBy,
}

/// What said that a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum EndedBy {
    /// Mate on the board.
    Checkmate,
    /// Stalemate on the board.
    Stalemate,
    /// The kings in the centre.
    Signalled,
    /// An arbiter has entered it.
    Arbiter,
}

impl EndedBy {
    /// The stable name for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Signalled => "signalled",
            Self::Arbiter => "arbiter",
        }
    }

    /// Whether people have said so, and not the position.
    #[must_use]
    pub const fn is_told_by_people(self) -> bool {
        matches!(self, Self::Signalled | Self::Arbiter)
    }
}

/// A result that was announced and is none any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Withdrawn {
    /// What was announced.
    pub ending: Ending,
    /// When it was withdrawn.
    pub at: Moment,
}

impl Encode for Ending {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.outcome.encode(to)?;
        self.reason.encode(to)
    }
}

impl<Context> Decode<Context> for Ending {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        Ok(Self { outcome: KnownOutcome::decode(from)?, reason: EndedBy::decode(from)? })
    }
}

bincode::impl_borrow_decode!(Ending);
