//! Rates of play (Appendices A.1 and B.1): which one a time control makes, and whether the rules
//! for play without adequate supervision hold.

use bincode::{Decode, Encode};
use shakmaty::Color;

use crate::settings::Settings;

/// How fast a game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Rate {
    /// 60 minutes and more for 60 moves.
    #[default]
    Standard,
    /// Less than that.
    Rapid,
    /// Up to 10 minutes.
    Blitz,
}

impl Rate {
    /// The rate of a time control, given as seconds for sixty moves: the same lines in every
    /// edition. In 2014 ten minutes are named for rapid chess (A.1) and for blitz (B.1); its
    /// glossary settles it: ten minutes or less are blitz.
    #[must_use]
    pub const fn of(sixty_moves_s: u32) -> Self {
        match sixty_moves_s {
            ..=600 => Self::Blitz,
            601..3600 => Self::Rapid,
            3600.. => Self::Standard,
        }
    }
}

impl Settings {
    /// The rate of play: as the event says, or as the time control implies; standard when neither
    /// is known. The player with more time decides.
    #[must_use]
    pub fn rate_of_play(&self) -> Rate {
        let times = self.control.filter(|control| !control.is_untimed()).map(|control| {
            Color::ALL.map(|side| control.of(side).sixty_moves_s()).into_iter().max().unwrap_or(0)
        });
        let implied = times.map_or(Rate::Standard, Rate::of);
        self.rate.unwrap_or(implied)
    }

    /// Whether the rules for rapid and blitz games without adequate supervision hold (A.4 and B.3;
    /// A.5 and B.4 in 2023).
    #[must_use]
    pub fn is_unsupervised(&self) -> bool {
        !self.supervised && self.rate_of_play() != Rate::Standard
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_between_the_rates() {
        let rate = Rate::of;
        assert_eq!(rate(90 * 60 + 30 * 60), Rate::Standard);
        assert_eq!(rate(30 * 60 + 30 * 60), Rate::Standard);
        assert_eq!(rate(25 * 60 + 10 * 60), Rate::Rapid);
        assert_eq!(rate(601), Rate::Rapid);
        assert_eq!(rate(10 * 60), Rate::Blitz);
        assert_eq!(rate(3 * 60 + 2 * 60), Rate::Blitz);
    }

    #[test]
    fn a_time_control_tells_the_rate_and_the_event_overrules_it() {
        let control = "180+2".parse().ok();
        let blitz = Settings { control, supervised: false, ..Settings::default() };
        assert_eq!(blitz.rate_of_play(), Rate::Blitz);
        assert!(blitz.is_unsupervised());
        let standard = Settings { rate: Some(Rate::Standard), ..blitz };
        assert!(!standard.is_unsupervised());
        assert_eq!(Settings::default().rate_of_play(), Rate::Standard);
    }
}
