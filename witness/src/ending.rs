//! How a game ended, and a result that was announced and withdrawn.

use std::fmt;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Color, KnownOutcome};

/// The points of a game. The Laws leave open what an arbiter may award (12.9): besides a win and a
/// draw, both players may lose, or one may have half a point and the other none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Award {
    /// One player has won, or the game is a draw.
    Known(KnownOutcome),
    /// Both players have lost.
    BothLost,
    /// This player has half a point, and the opponent has lost.
    Half(Color),
}

impl Award {
    const UNUSUAL: [Self; 3] = [Self::BothLost, Self::Half(Color::White), Self::Half(Color::Black)];

    /// The points as they are written: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0` or `0-1/2`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Known(outcome) => outcome.as_str(),
            Self::BothLost => "0-0",
            Self::Half(Color::White) => "1/2-0",
            Self::Half(Color::Black) => "0-1/2",
        }
    }

    /// Reads points that are written so; none: this is no result.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let known = KnownOutcome::from_ascii(text.as_bytes()).ok().map(Self::Known);
        known.or_else(|| Self::UNUSUAL.into_iter().find(|it| it.as_str() == text))
    }

    /// The points if the players have each other's colours.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Known(KnownOutcome::Decisive { winner }) => {
                Self::Known(KnownOutcome::Decisive { winner: winner.other() })
            }
            Self::Half(side) => Self::Half(side.other()),
            Self::Known(KnownOutcome::Draw) | Self::BothLost => self,
        }
    }

    /// The winner, or a draw; none for any other award.
    #[must_use]
    pub const fn known(self) -> Option<KnownOutcome> {
        match self {
            Self::Known(outcome) => Some(outcome),
            Self::BothLost | Self::Half(_) => None,
        }
    }
}

impl From<KnownOutcome> for Award {
    fn from(outcome: KnownOutcome) -> Self {
        Self::Known(outcome)
    }
}

impl PartialEq<KnownOutcome> for Award {
    fn eq(&self, other: &KnownOutcome) -> bool {
        self.known() == Some(*other)
    }
}

impl fmt::Display for Award {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a game ended, as far as board and arbiter show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Ending {
    /// The points of the game.
    pub outcome: Award,
    /// Why.
    pub reason: EndedBy,
}

/// Results of games that were not played, as arbiters enter them.
const FORFEITS: [(&str, Award); 3] = [
    ("+/-", Award::Known(KnownOutcome::Decisive { winner: Color::White })),
    ("-/+", Award::Known(KnownOutcome::Decisive { winner: Color::Black })),
    ("-/-", Award::BothLost),
];

impl Ending {
    /// Every result that an arbiter can enter.
    pub fn enterable() -> impl Iterator<Item = Self> {
        let wins = [Color::White, Color::Black].map(|winner| KnownOutcome::Decisive { winner });
        let known = wins.into_iter().chain([KnownOutcome::Draw]).map(Award::Known);
        let played = known.chain(Award::UNUSUAL);
        let played = played.map(|outcome| Self { outcome, reason: EndedBy::Arbiter });
        let forfeits = FORFEITS.into_iter();
        played.chain(forfeits.map(|(_, outcome)| Self { outcome, reason: EndedBy::Forfeit }))
    }

    /// Whether the game was played, or else forfeited.
    #[must_use]
    pub fn was_played(self) -> bool {
        self.reason != EndedBy::Forfeit
    }

    /// Reads a result as an arbiter enters it: the points, or `+/-`, `-/+` or `-/-` for a game that
    /// was not played; none: this is no result.
    #[must_use]
    pub fn entered(text: &str) -> Option<Self> {
        let forfeit = FORFEITS.into_iter().find(|(written, _)| *written == text);
        let forfeit = forfeit.map(|(_, outcome)| Self { outcome, reason: EndedBy::Forfeit });
        let played = || {
            let outcome = Award::named(text)?;
            Some(Self { outcome, reason: EndedBy::Arbiter })
        };
        forfeit.or_else(played)
    }

    /// The same if the players have each other's colours.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { outcome: self.outcome.reversed(), reason: self.reason }
    }

    /// The result as an arbiter enters it.
    #[must_use]
    pub fn written(self) -> &'static str {
        let forfeit = FORFEITS.into_iter().filter(|_| self.reason == EndedBy::Forfeit);
        let written = forfeit.into_iter().find(|(_, outcome)| *outcome == self.outcome);
        written.map_or(self.outcome.as_str(), |(written, _)| written)
    }
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
    /// An arbiter has entered that the game was not played, because one player or both were absent.
    Forfeit,
}

impl EndedBy {
    const ALL: [Self; 5] =
        [Self::Checkmate, Self::Stalemate, Self::Signalled, Self::Arbiter, Self::Forfeit];

    /// The one with this stable name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// The stable name for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Signalled => "signalled",
            Self::Arbiter => "arbiter",
            Self::Forfeit => "forfeit",
        }
    }

    /// Whether people have said so, and not the position.
    #[must_use]
    pub const fn is_by_people(self) -> bool {
        matches!(self, Self::Signalled | Self::Arbiter | Self::Forfeit)
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

impl Encode for Award {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.as_str().encode(to)
    }
}

impl<Context> Decode<Context> for Award {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        Self::named(&String::decode(from)?).ok_or(DecodeError::Other("no result of a game"))
    }
}

bincode::impl_borrow_decode!(Award);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_entered_is_read_written_and_kept_as_it_was() {
        let all = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"];
        for text in all {
            let ending = Ending::entered(text).unwrap();
            assert_eq!(ending.written(), text);
            let config = bincode::config::standard();
            let kept = bincode::encode_to_vec(ending, config).unwrap();
            let (back, _): (Ending, _) = bincode::decode_from_slice(&kept, config).unwrap();
            assert_eq!(back, ending, "{text}");
        }
        let both_absent = Ending::entered("-/-").unwrap();
        assert_eq!((both_absent.outcome.as_str(), both_absent.reason.name()), ("0-0", "forfeit"));
        assert_eq!(Ending::entered("1/2-0").unwrap().outcome, Award::Half(Color::White));
        let turned = ["0-1", "1-0", "1/2-1/2", "0-0", "0-1/2", "1/2-0", "-/+", "+/-", "-/-"];
        let reversed = all.map(|text| Ending::entered(text).unwrap().reversed().written());
        assert_eq!(reversed, turned);
        for text in ["*", "", "2-0", "+/+", "1-1", "0:0"] {
            assert_eq!(Ending::entered(text), None, "{text}");
        }
    }
}
