//! What goes wrong with a chess clock, or is done to it beside pressing, in the words of gesture
//! scripts.

use std::fmt;
use std::str::FromStr;

use eboard::{Colour, Disturbance, Moment};

use crate::{Ailment, Clock};

/// One of these things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// From now on this is wrong with it; [`Ailment::None`]: nothing any more.
    Ails(Ailment),
    /// From now on it shows its low-battery sign.
    LowBattery,
    /// It is one of those that show no sign for a fallen flag.
    Unmarked,
    /// At zero it does not block: the players can go on pressing.
    RunsOn,
    /// Its cable is put in, or pulled out.
    Plugged(bool),
    /// Something befalls what it reports.
    Wire(Disturbance),
}

const WORDS: &str = "clock: and one of sound  drift=1.1  dead  dead=w  both  runs=w  low  \
    unmarked  runs_on  out  in  null  button  lost=2";

impl Trouble {
    /// Does it to this clock.
    pub(crate) fn befall(self, at: Moment, clock: &mut Clock) {
        match self {
            Self::Ails(ailment) => {
                clock.ail(at, ailment);
                if ailment == Ailment::None {
                    clock.run_low(false);
                }
            }
            Self::LowBattery => clock.run_low(true),
            Self::Unmarked => clock.show_no_flags(),
            Self::RunsOn => clock.run_on(),
            Self::Plugged(plugged) => clock.plug(plugged),
            Self::Wire(_) => {}
        }
    }
}

impl FromStr for Trouble {
    /// What would have been right.
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, &'static str> {
        let (word, value) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b)));
        let told = match (word, value) {
            ("sound", None) => Some(Self::Ails(Ailment::None)),
            ("drift", Some(rate)) => permille(rate).map(|it| Self::Ails(Ailment::Drift(it))),
            ("dead", None) => Some(Self::Ails(Ailment::Sticks)),
            ("dead", Some(side)) => colour(side).map(|it| Self::Ails(Ailment::Dead(it))),
            ("both", None) => Some(Self::Ails(Ailment::RunsBoth)),
            ("runs", Some(side)) => colour(side).map(|it| Self::Ails(Ailment::NeverStops(it))),
            ("low", None) => Some(Self::LowBattery),
            ("unmarked", None) => Some(Self::Unmarked),
            ("runs_on", None) => Some(Self::RunsOn),
            ("out", None) => Some(Self::Plugged(false)),
            ("in", None) => Some(Self::Plugged(true)),
            ("null", None) => Some(Self::Wire(Disturbance::Null)),
            ("button", None) => Some(Self::Wire(Disturbance::Button)),
            ("lost", Some(count)) => count.parse().ok().map(|it| Self::Wire(Disturbance::Lost(it))),
            _ => None,
        };
        told.ok_or(WORDS)
    }
}

/// Thousandths of the time that passes, from `1.1`.
fn permille(rate: &str) -> Option<u16> {
    let (whole, decimals) = rate.split_once('.').unwrap_or((rate, "0"));
    let digits = |part: &str| !part.is_empty() && part.chars().all(|it| it.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 3 {
        return None;
    }
    let whole: u16 = whole.parse().ok()?;
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    whole.checked_mul(1000)?.checked_add(decimals)
}

/// `w` or `b`.
pub(crate) fn colour(side: &str) -> Option<Colour> {
    match side {
        "w" => Some(Colour::White),
        "b" => Some(Colour::Black),
        _ => None,
    }
}

pub(crate) const fn letter(side: Colour) -> char {
    match side {
        Colour::White => 'w',
        Colour::Black => 'b',
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ails(Ailment::None) => f.write_str("sound"),
            Self::Ails(Ailment::Drift(permille)) => {
                write!(f, "drift={}.{:03}", permille / 1000, permille % 1000)
            }
            Self::Ails(Ailment::Sticks) => f.write_str("dead"),
            Self::Ails(Ailment::Dead(side)) => write!(f, "dead={}", letter(*side)),
            Self::Ails(Ailment::RunsBoth) => f.write_str("both"),
            Self::Ails(Ailment::NeverStops(side)) => write!(f, "runs={}", letter(*side)),
            Self::LowBattery => f.write_str("low"),
            Self::Unmarked => f.write_str("unmarked"),
            Self::RunsOn => f.write_str("runs_on"),
            Self::Plugged(false) => f.write_str("out"),
            Self::Plugged(true) => f.write_str("in"),
            Self::Wire(Disturbance::Null) => f.write_str("null"),
            Self::Wire(Disturbance::Button) => f.write_str("button"),
            Self::Wire(Disturbance::Lost(count)) => write!(f, "lost={count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again_and_the_rest_is_refused() {
        for word in [
            "sound",
            "drift=1.100",
            "drift=0.900",
            "dead",
            "dead=w",
            "both",
            "runs=b",
            "low",
            "unmarked",
            "runs_on",
            "out",
            "in",
            "null",
            "button",
            "lost=2",
        ] {
            assert_eq!(word.parse::<Trouble>().unwrap().to_string(), word);
        }
        assert_eq!("drift=1.1".parse(), Ok(Trouble::Ails(Ailment::Drift(1100))));
        for word in ["", "drift", "drift=x", "drift=1.2345", "dead=x", "lost", "lost=-1", "low=1"] {
            assert_eq!(word.parse::<Trouble>(), Err(WORDS), "{word}");
        }
    }
}
