//! The time control a model clock is set to. Not the organiser's: periods are not modelled here.

use std::fmt;
use std::str::FromStr;

/// One period of main time with a Fischer increment from move 1 (0: sudden death). Seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    main_s: u32,
    increment_s: u32,
}

/// A time control this clock cannot be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlError {
    text: String,
    wanted: &'static str,
}

/// The longest time a half can be set to, in seconds: 9:59:59, what the frames of a clock carry.
const MOST_S: u32 = 9 * 3600 + 59 * 60 + 59;

impl TimeControl {
    /// Seconds of main time and of increment per move.
    #[must_use]
    pub const fn new(main_s: u32, increment_s: u32) -> Self {
        Self { main_s, increment_s }
    }

    /// Seconds of main time.
    #[must_use]
    pub const fn main_s(self) -> u32 {
        self.main_s
    }

    /// Seconds added with every press, and once before the first move.
    #[must_use]
    pub const fn increment_s(self) -> u32 {
        self.increment_s
    }
}

impl FromStr for TimeControl {
    type Err = ControlError;

    /// Reads `300` or `300+3`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let refuse = |wanted| ControlError { text: text.to_owned(), wanted };
        if text.contains(['/', ':']) {
            return Err(refuse("one period such as 5400+30: periods are not modelled"));
        }
        if text.contains(['d', 'b']) {
            return Err(refuse("an increment such as 300+3: delays are not modelled"));
        }
        let wanted = "seconds and increment such as 5400+30 or 300, at most 35999 s together";
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        let main_s = seconds(main).ok_or_else(|| refuse(wanted))?;
        let increment_s = seconds(increment).ok_or_else(|| refuse(wanted))?;
        let start_s = main_s.saturating_add(increment_s);
        if start_s == 0 || start_s > MOST_S {
            return Err(refuse(wanted));
        }
        Ok(Self { main_s, increment_s })
    }
}

fn seconds(text: &str) -> Option<u32> {
    text.chars().all(|letter| letter.is_ascii_digit()).then(|| text.parse().ok())?
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.increment_s {
            0 => write!(f, "{}", self.main_s),
            increment => write!(f, "{}+{increment}", self.main_s),
        }
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "set the clock to `{}`: wanted {}", self.text, self.wanted)
    }
}

impl ControlError {
    /// What would have been right.
    #[must_use]
    pub const fn wanted(&self) -> &'static str {
        self.wanted
    }
}

impl std::error::Error for ControlError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_period_is_read_with_and_without_increment() {
        assert_eq!("300+3".parse(), Ok(TimeControl::new(300, 3)));
        assert_eq!("5400+30".parse(), Ok(TimeControl::new(5400, 30)));
        assert_eq!("300".parse(), Ok(TimeControl::new(300, 0)));
        for text in ["300+3", "300", "0+5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_cannot_be_modelled_is_refused_with_what_is_wanted() {
        let wanted = |text: &str| text.parse::<TimeControl>().unwrap_err().wanted();
        assert!(wanted("40/5400+30:1800+30").contains("periods are not modelled"));
        assert!(wanted("300+d3").contains("delays are not modelled"));
        assert!(wanted("300+b3").contains("delays are not modelled"));
        for text in ["", "+", "0", "-3", "3x", "300+", "300++3", "36000", "99999999999"] {
            assert!(wanted(text).starts_with("seconds and increment"), "{text}");
        }
    }
}
