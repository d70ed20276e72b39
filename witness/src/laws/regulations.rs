//! What an event may regulate differently from the tables of an edition: the gravity of a kind of
//! incident, and what illegal moves cost. Data, not decisions.

use bincode::{Decode, Encode};

use super::editions;
use super::penalties::Penalty;
use super::rate::Rate;
use crate::incident::{Gravity, Kind};
use crate::settings::Settings;

/// What is provided for one player's illegal moves in order: time for some, then the game is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Steps {
    seconds: [u32; Self::TIMED_MAX],
    timed: usize,
}

impl Steps {
    /// So many illegal moves may cost time before one loses the game.
    pub const TIMED_MAX: usize = 4;

    /// Seconds to the opponent for each of the first illegal moves; the one after them loses.
    /// Nothing if they are more than [`Self::TIMED_MAX`].
    #[must_use]
    pub fn of(timed: &[u32]) -> Option<Self> {
        let mut seconds = [0; Self::TIMED_MAX];
        seconds.get_mut(..timed.len())?.copy_from_slice(timed);
        Some(Self { seconds, timed: timed.len() })
    }

    /// One that costs time.
    pub(super) const fn once(seconds: u32) -> Self {
        Self { seconds: [seconds, 0, 0, 0], timed: 1 }
    }

    /// The first one loses.
    pub(super) const fn at_once() -> Self {
        Self { seconds: [0; Self::TIMED_MAX], timed: 0 }
    }

    /// The penalty for the illegal move of this number, counted from 1.
    #[must_use]
    pub fn penalty(&self, number: u32) -> Penalty {
        let index = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
        let timed = self.seconds.iter().take(self.timed);
        timed.copied().nth(index).map_or(Penalty::Loss, Penalty::Time)
    }
}

/// The penalties of one edition, or of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Scale {
    /// Standard chess.
    pub standard: Steps,
    /// Rapid chess, adequately supervised.
    pub rapid: Steps,
    /// Blitz, adequately supervised.
    pub blitz: Steps,
    /// Rapid chess without adequate supervision.
    pub rapid_unsupervised: Steps,
    /// Blitz without adequate supervision.
    pub blitz_unsupervised: Steps,
    /// Seconds to the opponent after a wrong claim of a draw: standard, rapid, blitz.
    pub wrong_claim_s: [u32; 3],
}

impl Scale {
    pub(super) fn steps(&self, settings: &Settings) -> &Steps {
        match (settings.rate_of_play(), settings.is_unsupervised()) {
            (Rate::Standard, _) => &self.standard,
            (Rate::Rapid, false) => &self.rapid,
            (Rate::Rapid, true) => &self.rapid_unsupervised,
            (Rate::Blitz, false) => &self.blitz,
            (Rate::Blitz, true) => &self.blitz_unsupervised,
        }
    }

    pub(super) fn wrong_claim_s(&self, rate: Rate) -> u32 {
        let [standard, rapid, blitz] = self.wrong_claim_s;
        match rate {
            Rate::Standard => standard,
            Rate::Rapid => rapid,
            Rate::Blitz => blitz,
        }
    }
}

/// An event's own regulations; what they do not say is as the edition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Regulations {
    gravity: [Option<Gravity>; Kind::COUNT],
    /// In place of all those of the edition in force.
    penalties: Option<Scale>,
}

impl Default for Regulations {
    fn default() -> Self {
        Self { gravity: [None; Kind::COUNT], penalties: None }
    }
}

impl Regulations {
    /// Sets the gravity of this kind.
    #[must_use]
    pub fn telling(mut self, kind: Kind, gravity: Gravity) -> Self {
        if let Some(own) = self.gravity.get_mut(kind as usize) {
            *own = Some(gravity);
        }
        self
    }

    /// These are the penalties.
    #[must_use]
    pub fn penalizing(self, scale: Scale) -> Self {
        Self { penalties: Some(scale), ..self }
    }

    fn own(&self, kind: Kind) -> Option<Gravity> {
        self.gravity.get(kind as usize).copied().flatten()
    }
}

impl Settings {
    /// The gravity of this kind of incident.
    #[must_use]
    pub fn gravity(&self, kind: Kind) -> Gravity {
        self.regulations.own(kind).unwrap_or_else(|| editions::gravity(kind))
    }

    /// The same where the Laws leave it less certain.
    pub(crate) fn gravity_in_doubt(&self, kind: Kind, doubtful: Gravity) -> Gravity {
        self.gravity(kind).min(doubtful)
    }

    /// The same where it has become worse: a regulation holds all the same.
    pub(crate) fn gravity_grown(&self, kind: Kind, grown: Gravity) -> Gravity {
        self.regulations.own(kind).unwrap_or(grown)
    }

    /// The penalties in force.
    #[must_use]
    pub fn penalties(&self) -> Scale {
        self.regulations.penalties.unwrap_or_else(|| super::penalties::scale(self.edition))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regulation_takes_the_place_of_the_table_and_nothing_grows_beyond_it() {
        let regulations = Regulations::default().telling(Kind::PositionToCheck, Gravity::Note);
        let settings = Settings { regulations, ..Settings::default() };
        assert_eq!(settings.gravity(Kind::PositionToCheck), Gravity::Note);
        assert_eq!(settings.gravity_grown(Kind::PositionToCheck, Gravity::Summon), Gravity::Note);
        assert_eq!(settings.gravity(Kind::IllegalMove), Gravity::Summon);
        assert_eq!(settings.gravity_in_doubt(Kind::IllegalMove, Gravity::Look), Gravity::Look);
        assert_eq!(settings.gravity_grown(Kind::ClockSetting, Gravity::Summon), Gravity::Summon);
    }

    #[test]
    fn time_for_the_first_ones_and_then_the_game() {
        let steps = Steps::of(&[60, 120]).unwrap();
        let penalties: Vec<_> = (1..=4).map(|number| steps.penalty(number)).collect();
        use Penalty::{Loss, Time};
        assert_eq!(penalties, [Time(60), Time(120), Loss, Loss]);
        assert_eq!(Steps::of(&[]).map(|it| it.penalty(1)), Some(Loss));
        assert_eq!(Steps::of(&[1; 5]), None);
    }
}
