//! Reads a time control. What it means is not decided here.
//!
//! ```text
//! control = periods | periods "|" periods      White's and Black's
//!         | "-"                                 nobody is timed
//! periods = period { ":" period }
//! period  = [ moves "/" ] main [ "+" extra ]    40/5400+30
//!         | "*" main                            hourglass
//! extra   = seconds [ "@" move ]                increment, from that move on
//!         | "d" seconds | "b" seconds           delay, Bronstein
//!         | periods "x" seconds                 byo-yomi, Japanese
//!         | moves "/" seconds                   byo-yomi, Canadian
//! ```
//!
//! The first forms are those of the PGN tag (as is `*60`) and of TRF26; `d`, `b`, `@` and `|` are
//! ours, byo-yomi is written as in the game records of Go.

use std::fmt;
use std::str::FromStr;

use super::{Extra, PERIODS_MAX, Period, Periods, TimeControl};

/// The longest time that can be meant: a hundred hours.
const SECONDS_MAX: u32 = 360_000;
/// The most moves that can be meant.
const MOVES_MAX: u16 = 999;

/// A time control that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlError {
    part: String,
    wanted: &'static str,
}

impl ControlError {
    fn new(part: &str, wanted: &'static str) -> Self {
        Self { part: part.to_owned(), wanted }
    }

    /// The part that cannot be read.
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }

    /// What would have been right.
    #[must_use]
    pub const fn wanted(&self) -> &'static str {
        self.wanted
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no time control; write {}", self.part, self.wanted)
    }
}

impl std::error::Error for ControlError {}

impl FromStr for TimeControl {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Self, ControlError> {
        let text = text.trim();
        if text == "-" {
            return Ok(Self::default());
        }
        control(text).map_err(|error| ControlError::new(text, error.wanted))
    }
}

impl TimeControl {
    /// Reads a text. Nothing and `?` mean that the time control is not known, as in PGN.
    ///
    /// # Errors
    ///
    /// When it is neither that nor a time control.
    pub fn read(text: &str) -> Result<Option<Self>, ControlError> {
        match text {
            "" | "?" => Ok(None),
            _ => text.parse().map(Some),
        }
    }
}

fn control(text: &str) -> Result<TimeControl, ControlError> {
    match text.split_once('|') {
        Some((white, black)) => each(text, periods(white)?, periods(black)?),
        None => Ok(TimeControl::same(periods(text)?)),
    }
}

/// What one player spends the other one gains: an hourglass is one for both.
fn each(text: &str, white: Periods, black: Periods) -> Result<TimeControl, ControlError> {
    let runs_back = |period: &Period| period.extra == Extra::Hourglass;
    if white != black && (white.all().iter().any(runs_back) || black.all().iter().any(runs_back)) {
        return Err(ControlError::new(text, "one hourglass for both players, as *60"));
    }
    Ok(TimeControl { white, black })
}

fn periods(text: &str) -> Result<Periods, ControlError> {
    let all = text.split(':').map(period).collect::<Result<Vec<_>, _>>()?;
    if all.len() > PERIODS_MAX {
        return Err(ControlError::new(text, "five periods at most"));
    }
    let endless = |period: &Period| {
        matches!(period.extra, Extra::Japanese { .. } | Extra::Canadian { .. } | Extra::Hourglass)
    };
    if all.iter().rev().skip(1).any(endless) {
        return Err(ControlError::new(text, "byo-yomi or an hourglass as the last period"));
    }
    Periods::of(&all).ok_or_else(|| ControlError::new(text, "five periods at most"))
}

fn period(text: &str) -> Result<Period, ControlError> {
    const WANTED: &str = "moves/seconds+increment, as 40/5400+30:1800+30 or 300+3";
    const ABOVE_ZERO: &str = "each period in seconds above zero, as 5400 for an hour and a half";
    if let Some(main) = text.strip_prefix('*') {
        let main_s = positive(main).ok_or_else(|| ControlError::new(text, "seconds, as *60"))?;
        return Ok(Period { moves: None, main_s, extra: Extra::Hourglass });
    }
    let (main, extra) = match text.split_once('+') {
        Some((main, extra)) => (main, self::extra(extra)?),
        None => (text, Extra::None),
    };
    let (moves, main) = match main.split_once('/') {
        Some((moves, main)) => {
            let moves = moves_number(moves)
                .ok_or_else(|| ControlError::new(text, "1 to 999 moves before the /"))?;
            (Some(moves), main)
        }
        None => (None, main),
    };
    let main_s = number(main).ok_or_else(|| ControlError::new(text, WANTED))?;
    let period = Period { moves, main_s, extra };
    let nothing = main_s == 0 && (extra == Extra::None || period.per_move_s(1) == 0);
    let byo_yomi = matches!(extra, Extra::Japanese { .. } | Extra::Canadian { .. });
    if nothing && !byo_yomi {
        return Err(ControlError::new(text, ABOVE_ZERO));
    }
    Ok(period)
}

fn extra(text: &str) -> Result<Extra, ControlError> {
    let refuse = |wanted| ControlError::new(text, wanted);
    if let Some(delay) = text.strip_prefix('d') {
        return positive(delay).map(Extra::Delay).ok_or_else(|| refuse("seconds, as +d3"));
    }
    if let Some(most) = text.strip_prefix('b') {
        return positive(most).map(Extra::Bronstein).ok_or_else(|| refuse("seconds, as +b3"));
    }
    if let Some((periods, seconds)) = text.split_once('x') {
        let both = moves_number(periods).zip(positive(seconds));
        let both = both.map(|(periods, seconds)| Extra::Japanese { periods, seconds });
        return both.ok_or_else(|| refuse("periods and seconds, as +5x60"));
    }
    if let Some((moves, seconds)) = text.split_once('/') {
        let both = moves_number(moves).zip(positive(seconds));
        let both = both.map(|(moves, seconds)| Extra::Canadian { moves, seconds });
        return both.ok_or_else(|| refuse("seconds, as +30, or moves and seconds, as +25/600"));
    }
    increment(text).ok_or_else(|| {
        refuse("seconds, as +30, +d3 (delay), +b3 (Bronstein) or +3@61 (from move 61)")
    })
}

fn increment(text: &str) -> Option<Extra> {
    let (seconds, from_move) = match text.split_once('@') {
        Some((seconds, from)) => (positive(seconds)?, moves_number(from)?),
        None => (number(text)?, 1),
    };
    Some(match seconds {
        0 => Extra::None,
        seconds => Extra::Increment { seconds, from_move },
    })
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    digits.then(|| text.parse().ok())?.filter(|number| *number <= SECONDS_MAX)
}

fn positive(text: &str) -> Option<u32> {
    number(text).filter(|number| *number > 0)
}

fn moves_number(text: &str) -> Option<u16> {
    u16::try_from(positive(text)?).ok().filter(|number| *number <= MOVES_MAX)
}
