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
    /// Why: a stable word for machines.
    pub reason: &'static str,
}

/// A result that was announced and is none any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Withdrawn {
    /// What was announced.
    pub ending: Ending,
    /// When it was withdrawn.
    pub at: Moment,
}

/// Every reason there is.
const REASONS: [&str; 4] = ["checkmate", "stalemate", "signalled", "arbiter"];

impl Encode for Ending {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.outcome.encode(to)?;
        self.reason.encode(to)
    }
}

impl<Context> Decode<Context> for Ending {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        let (outcome, told) = (KnownOutcome::decode(from)?, String::decode(from)?);
        let reason = REASONS.into_iter().find(|reason| *reason == told);
        let reason = reason.ok_or(DecodeError::Other("no reason for an end"))?;
        Ok(Self { outcome, reason })
    }
}

bincode::impl_borrow_decode!(Ending);
