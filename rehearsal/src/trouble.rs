//! What goes wrong with a chess clock, or is done to it beside pressing, in the words of gesture
//! scripts.

use std::fmt;
use std::str::FromStr;

use eboard::{Colour, Disturbance, Moment};

use crate::{Adding, Ailment, Clock};

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
    /// Nor does it block, and a press adds time also after a fall.
    AddsOn,
    /// It is set to give so many seconds with every move from now on.
    Gives(u32),
    /// Its cable is put in, or pulled out.
    Plugged(bool),
    /// From now on this player's next period is added then, or both players' are.
    Adds(Option<Colour>, Adding),
    /// Something befalls what it reports.
    Wire(Disturbance),
}

const WORDS: &str = "clock: and one of sound  drift=1.1  dead  dead=w  both  runs=w  low  \
    unmarked  runs_on  adds_on  gives=5  out  in  adds=zero  adds=41  adds=w:never  null  button  \
    lost=2  silent  heard  again";

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
            Self::AddsOn => clock.add_on(),
            Self::Gives(seconds) => clock.give(at, seconds),
            Self::Plugged(plugged) => clock.plug(plugged),
            Self::Adds(side, adding) => clock.add_at(at, side, adding),
            Self::Wire(_) => {}
        }
    }
}

impl FromStr for Trouble {
    /// What would have been right.
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, &'static str> {
        let (word, value) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b)));
        let trouble = match (word, value) {
            ("sound", None) => Some(Self::Ails(Ailment::None)),
            ("drift", Some(rate)) => permille(rate).map(|it| Self::Ails(Ailment::Drift(it))),
            ("dead", None) => Some(Self::Ails(Ailment::Sticks)),
            ("dead", Some(side)) => colour(side).map(|it| Self::Ails(Ailment::Dead(it))),
            ("both", None) => Some(Self::Ails(Ailment::RunsBoth)),
            ("runs", Some(side)) => colour(side).map(|it| Self::Ails(Ailment::NeverStops(it))),
            ("low", None) => Some(Self::LowBattery),
            ("unmarked", None) => Some(Self::Unmarked),
            ("runs_on", None) => Some(Self::RunsOn),
            ("adds_on", None) => Some(Self::AddsOn),
            ("gives", Some(seconds)) => seconds.parse().ok().map(Self::Gives),
            ("out", None) => Some(Self::Plugged(false)),
            ("in", None) => Some(Self::Plugged(true)),
            ("adds", Some(when)) => adds(when),
            ("silent", None) => Some(Self::Wire(Disturbance::Silent(true))),
            ("heard", None) => Some(Self::Wire(Disturbance::Silent(false))),
            ("again", None) => Some(Self::Wire(Disturbance::Again)),
            ("null", None) => Some(Self::Wire(Disturbance::Null)),
            ("button", None) => Some(Self::Wire(Disturbance::Button)),
            ("lost", Some(count)) => count.parse().ok().map(|it| Self::Wire(Disturbance::Lost(it))),
            _ => None,
        };
        trouble.ok_or(WORDS)
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

/// `zero`, `never` or the number of a move, for both players or after `w:` or `b:` for one.
fn adds(when: &str) -> Option<Trouble> {
    let (side, when) = match when.split_once(':') {
        Some((side, when)) => (Some(colour(side)?), when),
        None => (None, when),
    };
    let adding = match when {
        "zero" => Adding::AtZero,
        "never" => Adding::Never,
        moves => Adding::AtMove(moves.parse().ok().filter(|moves| *moves > 0)?),
    };
    Some(Trouble::Adds(side, adding))
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
            Self::AddsOn => f.write_str("adds_on"),
            Self::Gives(seconds) => write!(f, "gives={seconds}"),
            Self::Plugged(false) => f.write_str("out"),
            Self::Plugged(true) => f.write_str("in"),
            Self::Wire(Disturbance::Null) => f.write_str("null"),
            Self::Wire(Disturbance::Button) => f.write_str("button"),
            Self::Adds(side, adding) => {
                let side = side.map(letter).map(|it| format!("{it}:")).unwrap_or_default();
                match adding {
                    Adding::AtZero => write!(f, "adds={side}zero"),
                    Adding::Never => write!(f, "adds={side}never"),
                    Adding::AtMove(moves) => write!(f, "adds={side}{moves}"),
                }
            }
            Self::Wire(Disturbance::Lost(count)) => write!(f, "lost={count}"),
            Self::Wire(Disturbance::Silent(true)) => f.write_str("silent"),
            Self::Wire(Disturbance::Silent(false)) => f.write_str("heard"),
            Self::Wire(Disturbance::Again) => f.write_str("again"),
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
            "adds_on",
            "gives=5",
            "out",
            "in",
            "null",
            "button",
            "lost=2",
            "silent",
            "heard",
            "again",
            "adds=zero",
            "adds=41",
            "adds=w:40",
            "adds=b:never",
        ] {
            assert_eq!(word.parse::<Trouble>().unwrap().to_string(), word);
        }
        assert_eq!("drift=1.1".parse(), Ok(Trouble::Ails(Ailment::Drift(1100))));
        for word in [
            "",
            "drift",
            "drift=x",
            "drift=1.2345",
            "dead=x",
            "lost",
            "lost=-1",
            "low=1",
            "adds=0",
            "adds=x:41",
        ] {
            assert_eq!(word.parse::<Trouble>(), Err(WORDS), "{word}");
        }
    }
}
