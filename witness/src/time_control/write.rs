//! Writes a time control as it is read.

use std::fmt;

use super::{Extra, Period, Periods, TimeControl};

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_untimed() {
            return f.write_str("-");
        }
        self.white.fmt(f)?;
        if self.black != self.white {
            write!(f, "|{}", self.black)?;
        }
        Ok(())
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.all().iter().enumerate() {
            write!(f, "{}{period}", if index > 0 { ":" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.extra == Extra::Hourglass {
            return write!(f, "*{}", self.main_s);
        }
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.main_s)?;
        match self.extra {
            Extra::None | Extra::Hourglass => Ok(()),
            Extra::Increment { seconds, from_move: 1 } => write!(f, "+{seconds}"),
            Extra::Increment { seconds, from_move } => write!(f, "+{seconds}@{from_move}"),
            Extra::Delay(seconds) => write!(f, "+d{seconds}"),
            Extra::Bronstein(seconds) => write!(f, "+b{seconds}"),
            Extra::Japanese { periods, seconds } => write!(f, "+{periods}x{seconds}"),
            Extra::Canadian { moves, seconds } => write!(f, "+{moves}/{seconds}"),
        }
    }
}
