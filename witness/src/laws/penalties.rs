//! What the Laws provide for illegal moves and wrong claims, by edition and rate of play. Data.

use super::regulations::{Scale, Steps};
use crate::settings::{Edition, Settings};

/// What is provided for one offence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// The opponent gets so many seconds.
    Time(u32),
    /// The game is lost; drawn if the opponent cannot mate by any series of legal moves.
    Loss,
}

/// 7.5.5 (2014: 7.5.b) and 9.5.3 (2014: 9.5.b) with A.2, A.3, A.4, B.2.
const ROWS: [(Edition, Scale); 3] = [
    (
        Edition::Y2014,
        Scale {
            standard: Steps::once(120),
            rapid: Steps::once(120),
            blitz: Steps::once(60),
            rapid_unsupervised: Steps::at_once(),
            blitz_unsupervised: Steps::at_once(),
            wrong_claim_s: [120, 120, 60],
        },
    ),
    (
        Edition::Y2018,
        Scale {
            standard: Steps::once(120),
            rapid: Steps::once(120),
            blitz: Steps::once(60),
            rapid_unsupervised: Steps::once(120),
            blitz_unsupervised: Steps::once(60),
            wrong_claim_s: [120, 120, 60],
        },
    ),
    (
        Edition::Y2023,
        Scale {
            standard: Steps::once(120),
            rapid: Steps::once(60),
            blitz: Steps::once(60),
            rapid_unsupervised: Steps::once(60),
            blitz_unsupervised: Steps::once(60),
            wrong_claim_s: [120, 60, 60],
        },
    ),
];

/// The penalties of an edition. 2005 has those of 2014, because only its Articles 1 to 5 are known.
#[must_use]
pub fn scale(edition: Edition) -> Scale {
    let edition = edition.max(Edition::Y2014);
    ROWS.iter().find(|(it, _)| *it == edition).map_or(ROWS[2].1, |(_, scale)| *scale)
}

/// What is provided for the illegal move of this number by one player, counted from 1.
#[must_use]
pub fn illegal_move(settings: &Settings, offence: u32) -> Penalty {
    settings.penalties().steps(settings).penalty(offence)
}

/// Seconds added to the opponent's time after a wrong claim of a draw.
#[must_use]
pub fn wrong_claim_s(settings: &Settings) -> u32 {
    settings.penalties().wrong_claim_s(settings.rate_of_play())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::rate::Rate;

    #[test]
    fn first_and_second_offences_by_edition_and_rate() {
        use Edition::{Y2014, Y2018, Y2023};
        use Penalty::{Loss, Time};
        use Rate::{Blitz, Rapid, Standard};
        let cases = [
            (Y2014, Standard, true, Time(120)),
            (Y2014, Rapid, true, Time(120)),
            (Y2014, Blitz, true, Time(60)),
            (Y2014, Rapid, false, Loss),
            (Y2014, Blitz, false, Loss),
            (Y2018, Standard, true, Time(120)),
            (Y2018, Rapid, true, Time(120)),
            (Y2018, Blitz, true, Time(60)),
            (Y2018, Blitz, false, Time(60)),
            (Y2023, Standard, true, Time(120)),
            (Y2023, Rapid, true, Time(60)),
            (Y2023, Blitz, false, Time(60)),
        ];
        for (edition, rate, supervised, first) in cases {
            let settings =
                Settings { edition, rate: Some(rate), supervised, ..Settings::default() };
            assert_eq!(illegal_move(&settings, 1), first, "{edition:?} {rate:?}");
            assert_eq!(illegal_move(&settings, 2), Loss, "{edition:?} {rate:?}");
        }
    }
}
