//! How one table is to be watched: times to wait and the rules in force.

use std::time::Duration;

use bincode::{Decode, Encode};
use shakmaty::Color;

use crate::laws::rate::Rate;
use crate::laws::regulations::Regulations;
use crate::time_control::TimeControl;
use crate::tolerances::{CHECK_AFTER, RELEASE, REPEAT, RESULT_AFTER, SETTLE};

/// Which edition of the FIDE Laws of Chess is in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Edition {
    /// In force from 1 July 2005; known for Articles 1 to 5 only.
    Y2005,
    /// In force from 1 July 2014.
    Y2014,
    /// In force from 1 January 2018.
    Y2018,
    /// In force from 1 January 2023.
    #[default]
    Y2023,
}

impl Edition {
    /// All of them, the oldest first.
    pub const ALL: [Self; 4] = [Self::Y2005, Self::Y2014, Self::Y2018, Self::Y2023];

    /// The year, as people write it.
    #[must_use]
    pub const fn year(self) -> &'static str {
        match self {
            Self::Y2005 => "2005",
            Self::Y2014 => "2014",
            Self::Y2018 => "2018",
            Self::Y2023 => "2023",
        }
    }

    /// The edition of a year.
    #[must_use]
    pub fn named(year: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|edition| edition.year() == year)
    }
}

/// How one table is to be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Settings {
    /// The Laws in force.
    pub edition: Edition,
    /// A picture that may still be the passage to something longer is believed after this long.
    pub settle: Duration,
    /// A legal move that has rested this long was made; pictures that two moves explain wait too.
    pub release: Duration,
    /// A picture nothing explains is a position to check after this long.
    pub check_after: Duration,
    /// What the players are allotted; none: not known, so nothing about it can be wrong.
    pub control: Option<TimeControl>,
    /// Standard, rapid or blitz; none: as the time control implies.
    pub rate: Option<Rate>,
    /// Whether rapid and blitz are supervised adequately.
    pub supervised: bool,
    /// Whose the second board is, where the game has two (Appendix D).
    pub second_board: Option<Color>,
    /// How long the two boards may differ: a move is announced, repeated in words, found by touch
    /// and made; with an assistant that seldom takes half as long.
    pub repeat: Duration,
    /// The number of the first move at which a draw may be agreed (9.1.1).
    pub min_draw_move: u32,
    /// After how long from the start of the round a player who has given no sign is reported (6.7);
    /// never if zero.
    pub default_time: Duration,
    /// How long a game may lie there without a result before it is reported; zero: it never is.
    pub result_after: Duration,
    /// Whether the event has announced Guideline III (G in 2014): requests in the last two minutes.
    pub quickplay_finish: bool,
    /// What the event regulates otherwise than the edition.
    pub regulations: Regulations,
    /// No incident is ever opened. Only trials want that: what everybody may read is the same with
    /// incidents and without any.
    pub silent: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            edition: Edition::default(),
            settle: SETTLE,
            release: RELEASE,
            check_after: CHECK_AFTER,
            control: None,
            rate: None,
            supervised: true,
            second_board: None,
            repeat: REPEAT,
            min_draw_move: 0,
            default_time: Duration::ZERO,
            result_after: RESULT_AFTER,
            quickplay_finish: false,
            regulations: Regulations::default(),
            silent: false,
        }
    }
}
