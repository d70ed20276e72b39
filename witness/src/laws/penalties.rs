//! What the Laws provide for illegal moves and wrong claims, by edition and rate of play. Data.

use crate::laws::rate::Rate;
use crate::settings::{Edition, Settings};

/// What is provided for one offence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// The opponent gets so many seconds.
    Time(u32),
    /// The game is lost; drawn if the opponent cannot mate by any series of legal moves.
    Loss,
}

/// One edition's penalties.
struct Row {
    edition: Edition,
    /// Seconds to the opponent: standard, rapid, blitz.
    seconds: [u32; 3],
    /// The illegal move that loses the game.
    loses: u32,
    /// The same in rapid and blitz without adequate supervision.
    loses_unsupervised: u32,
}

/// 7.5.5 (2014: 7.5.b) and 9.5.3 (2014: 9.5.b) with A.2, A.3, B.2.
const ROWS: [Row; 3] = [
    Row { edition: Edition::Y2014, seconds: [120, 120, 60], loses: 2, loses_unsupervised: 1 },
    Row { edition: Edition::Y2018, seconds: [120, 120, 60], loses: 2, loses_unsupervised: 2 },
    Row { edition: Edition::Y2023, seconds: [120, 60, 60], loses: 2, loses_unsupervised: 2 },
];

/// What is provided for the illegal move of this number by one player, counted from 1.
#[must_use]
pub fn illegal_move(settings: &Settings, offence: u32) -> Penalty {
    let row = row(settings.edition);
    let loses = if settings.is_unsupervised() { row.loses_unsupervised } else { row.loses };
    if offence >= loses { Penalty::Loss } else { Penalty::Time(time(settings)) }
}

/// Seconds added to the opponent's time after a wrong claim of a draw.
#[must_use]
pub fn wrong_claim_s(settings: &Settings) -> u32 {
    time(settings)
}

fn time(settings: &Settings) -> u32 {
    let [standard, rapid, blitz] = row(settings.edition).seconds;
    match settings.rate_of_play() {
        Rate::Standard => standard,
        Rate::Rapid => rapid,
        Rate::Blitz => blitz,
    }
}

fn row(edition: Edition) -> &'static Row {
    ROWS.iter().find(|row| row.edition == edition).unwrap_or(&ROWS[2])
}

#[cfg(test)]
mod tests {
    use super::*;

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
