//! How one table is to be watched: times to wait and the rules in force.

use std::time::Duration;

use bincode::{Decode, Encode};
use shakmaty::Color;

use crate::laws::rate::Rate;
use crate::laws::regulations::Regulations;
use crate::time_control::TimeControl;

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
    /// What the players are allotted; none: not told, so nothing about it can be wrong.
    pub control: Option<TimeControl>,
    /// Standard, rapid or blitz; none: as the time control tells.
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
    /// A player who has given no sign for so long after the start of the round is told (6.7); none
    /// if zero.
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

impl Settings {
    /// How long a picture that merely lacks pieces may mean that a hand is thinking in the air.
    pub(crate) const IN_THE_AIR: Duration = Duration::from_secs(60);
    /// How long both kings must stand in the centre before they are a result, where the last of
    /// them has come after both times stood.
    pub(crate) const SIGNAL: Duration = Duration::from_secs(2);
    /// The same where nothing but the kings says that the game is over: a time counts, or there is
    /// no clock. The makers tell the players to wait 5 s.
    pub(crate) const SIGNAL_BY_THEMSELVES: Duration = Duration::from_secs(4);
    /// The second king comes within this time: then a first one that could have made a move came
    /// for the sign too.
    pub(crate) const BOTH_KINGS: Duration = Duration::from_secs(3);
    /// How long a piece is in the air on its way, at most as a rule.
    pub(crate) const CARRY: Duration = Duration::from_secs(5);
    /// How long a king's move to the centre is held back while the clock stands: the other king may
    /// follow.
    pub(crate) const TRIP: Duration = Duration::from_secs(5);
    /// A position to check that nobody has looked at for this long calls somebody.
    pub(crate) const OLD_DOUBT: Duration = Duration::from_secs(60);
    /// How long one king alone in the centre may wait for the other before it is a disagreement.
    pub(crate) const HALF_SIGNAL: Duration = Duration::from_secs(15);
    /// How long the pieces must stand set up again before a new game is begun.
    pub(crate) const SET_UP: Duration = Duration::from_secs(3);
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            edition: Edition::default(),
            settle: Duration::from_millis(400),
            release: Duration::from_millis(1000),
            check_after: Duration::from_secs(4),
            control: None,
            rate: None,
            supervised: true,
            second_board: None,
            repeat: Duration::from_secs(30),
            min_draw_move: 0,
            default_time: Duration::ZERO,
            result_after: Duration::from_secs(900),
            quickplay_finish: false,
            regulations: Regulations::default(),
            silent: false,
        }
    }
}
