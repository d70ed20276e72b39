//! What a chess clock shows, seen from the front: left and right, not White and Black.

use std::fmt::{self, Write as _};
use std::time::Duration;

use bincode::{Decode, Encode};

/// A time as a chess clock shows it. Not a moment and not the time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct FaceTime(u32);

impl FaceTime {
    /// Nothing left.
    pub const ZERO: Self = Self(0);

    /// A time in milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u32) -> Self {
        Self(ms)
    }

    /// Hours, minutes and seconds.
    #[must_use]
    pub const fn from_hms(hours: u32, minutes: u32, seconds: u32) -> Self {
        Self(((hours * 60 + minutes) * 60 + seconds) * 1000)
    }

    /// Milliseconds.
    #[must_use]
    pub const fn as_ms(self) -> u32 {
        self.0
    }

    /// What is left after `span`; zero if it would be less.
    #[must_use]
    pub fn less(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(u32::try_from(span.as_millis()).unwrap_or(u32::MAX)))
    }
}

impl fmt::Display for FaceTime {
    /// `h:mm:ss`, seconds rounded up as clocks do: 0:00:00 means that nothing is left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_ceil(1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let digits = [hours, minutes / 10, minutes % 10, seconds / 10, seconds % 10];
        // Every move of every score has two of these, and formatters of numbers are slow.
        match digits.map(|it| char::from_digit(it, 10)) {
            [Some(hours), Some(a), Some(b), Some(c), Some(d)] => {
                [hours, ':', a, b, ':', c, d].into_iter().try_for_each(|it| f.write_char(it))
            }
            _ => write!(f, "{hours}:{minutes:02}:{seconds:02}"),
        }
    }
}

/// A side of the clock, seen from the front (where the players sit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum Side {
    /// The left half.
    Left,
    /// The right half.
    Right,
}

impl Side {
    /// The other half.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// The sign a clock shows when a time has run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub enum FlagMark {
    /// No sign.
    #[default]
    None,
    /// The flag is shown, the clock may still run: perhaps only a period has passed.
    Passed,
    /// The flag is shown and the clock is blocked at zero.
    Final,
}

/// One half of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Dial {
    /// The time shown.
    pub time: FaceTime,
    /// The flag sign shown.
    pub flag: FlagMark,
    /// The sign for a time per move (Fischer, Bronstein) is lit.
    pub per_move: bool,
}

/// One reading of a whole clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct ClockFace {
    /// The left half, seen from the front.
    pub left: Dial,
    /// The right half.
    pub right: Dial,
    /// A time is counting (not stopped with the start/stop button).
    pub running: bool,
    /// The half that the lever gives the move to: the one that counts when `running`.
    pub lever: Side,
    /// The clock shows its low-battery sign.
    pub low_battery: bool,
}

impl ClockFace {
    /// One half.
    #[must_use]
    pub const fn dial(&self, side: Side) -> Dial {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_rounds_up_so_that_zero_means_zero() {
        assert_eq!(FaceTime::from_ms(1).to_string(), "0:00:01");
        assert_eq!(FaceTime::ZERO.to_string(), "0:00:00");
        assert_eq!(FaceTime::from_hms(1, 29, 5).to_string(), "1:29:05");
        assert_eq!(FaceTime::from_ms(500).less(Duration::from_secs(1)), FaceTime::ZERO);
    }
}
