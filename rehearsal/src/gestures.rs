//! Gesture scripts: what hands do at one table, in a notation an arbiter can read. It is no record
//! of a game: nothing here asks whether a move is legal, only whether a hand can do it.

mod blocking;
mod header;
mod token;

use std::fmt;

use eboard::{Colour, Moment, Placement};

use crate::{Clock, Cue, Happening, Pace, Stage, TimeControl, Unplug};
pub(crate) use blocking::{BEFORE_A_PRESS, BETWEEN_GESTURES};
use blocking::{Blocked, Blocking};
pub use header::{Edition, Header, Played, Rate, Sensing, Supervision};
pub use token::{Absent, Gesture};

/// A script that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    header: Header,
    /// Each with whether it is done at the second board.
    gestures: Vec<(bool, Gesture)>,
    cues: Vec<Cue>,
    second: Vec<Cue>,
    orders: Vec<(Moment, Gesture)>,
    unplugs: Vec<Unplug>,
    end: Moment,
}

/// What stands before a gesture at the second board.
const SECOND: &str = "2:";

/// Where a script cannot be read, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The line, counted from 1.
    pub line: usize,
    /// The token or the header line.
    pub token: String,
    /// What would have been right there.
    pub wanted: String,
}

/// Reads a script.
///
/// # Errors
/// At the first token that is none, or that no hand could do: lifting from an empty square, putting
/// down what nobody holds, sliding through a piece.
pub fn parse(text: &str) -> Result<Script, ScriptError> {
    let mut header = Header::default();
    let mut gestures = Vec::new();
    let mut blocking: Option<Blocking> = None;
    for (line, written) in (1..).zip(text.lines()) {
        let written = written.split(';').next().unwrap_or_default().trim();
        let refuse = |token: &str, wanted| ScriptError { line, token: token.to_owned(), wanted };
        if let Some(comment) = written.strip_prefix('#') {
            let fresh = blocking.is_none();
            header.read(comment, fresh).map_err(|wanted| refuse(written, wanted))?;
            continue;
        }
        for token in written.split_whitespace() {
            let (second, gesture) = at_a_board(token).map_err(|wanted| refuse(token, wanted))?;
            if second {
                header.second_board.get_or_insert(Colour::Black);
            }
            let blocking = blocking.get_or_insert_with(|| Blocking::of(&header));
            blocking.add(second, gesture).map_err(|wanted| refuse(token, wanted))?;
            gestures.push((second, gesture));
        }
    }
    let Blocked { cues, second, orders, unplugs, end } =
        blocking.unwrap_or_else(|| Blocking::of(&header)).finish();
    Ok(Script { header, gestures, cues, second, orders, unplugs, end })
}

/// A gesture, and whether it is done at the second board.
fn at_a_board(token: &str) -> Result<(bool, Gesture), String> {
    let Some(second) = token.strip_prefix(SECOND) else { return Ok((false, token.parse()?)) };
    let gesture: Gesture = second.parse()?;
    if !gesture.is_on_board() {
        return Err("a gesture on a square after 2:, such as 2:e2^".to_owned());
    }
    Ok((true, gesture))
}

impl Script {
    /// What the header lines say, or their defaults.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// What an arbiter asks for, and when: [`Gesture::Adjourn`] and [`Gesture::Resume`].
    #[must_use]
    pub fn orders(&self) -> &[(Moment, Gesture)] {
        &self.orders
    }

    /// What stands on the board before the first gesture.
    #[must_use]
    pub const fn placement(&self) -> Placement {
        self.header.placement()
    }

    /// Whose clock is started: the side to move of the FEN.
    #[must_use]
    pub const fn turn(&self) -> Colour {
        self.header.turn()
    }

    /// The clock before the first gesture: stopped; or unplugged, if nothing says what it is set
    /// to.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let setting = self.header.clock_setting();
        let mut clock = Clock::new(setting.unwrap_or(TimeControl::new(5400, 30)));
        clock.plug(setting.is_some());
        clock.giving_move_to(self.header.turn())
    }

    /// When the board's cable is out.
    #[must_use]
    pub fn unplugs(&self) -> &[Unplug] {
        &self.unplugs
    }

    /// The same as acts in order of time, for a [`Stage`] of one's own.
    #[must_use]
    pub fn cues(&self) -> Vec<Cue> {
        self.cues.clone()
    }

    /// When the script is over: the hands rest for 2 s after the last gesture, or for as long as a
    /// trailing `+N` says.
    #[must_use]
    pub const fn end(&self) -> Moment {
        self.end
    }

    /// A table on which this script is performed from `begin` on.
    #[must_use]
    pub fn stage(&self, begin: Moment, pace: Pace) -> Stage {
        Stage::new(begin, self.placement(), self.cues(), self.clock(), pace).resting_until(self.end)
    }

    /// The physical truth over time, from moment zero to [`Script::end`]: first the board and the
    /// face of the stopped clock, then every change of a square and of the face.
    #[must_use]
    pub fn play(&self) -> Vec<(Moment, Happening)> {
        let mut happened = Vec::new();
        self.stage(Moment::ZERO, Pace::real())
            .play_until(self.end, &mut |at, what| happened.push((at, what)));
        happened
    }

    /// The same at the second board, if there is one: it has no clock.
    #[must_use]
    pub fn play_second(&self) -> Vec<(Moment, Happening)> {
        let mut happened = Vec::new();
        if self.header.second_board.is_none() {
            return happened;
        }
        let mut tell = |at, what| {
            if !matches!(what, Happening::Clock(_)) {
                happened.push((at, what));
            }
        };
        let (cues, clock) = (self.second.clone(), self.clock());
        Stage::new(Moment::ZERO, self.placement(), cues, clock, Pace::real())
            .play_until(self.end, &mut tell);
        happened
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header.fmt(f)?;
        let mut begun = false;
        for (second, gesture) in &self.gestures {
            let prefix = if *second { SECOND } else { "" };
            write!(f, "{}{prefix}{gesture}", if begun { " " } else { "" })?;
            begun = !matches!(gesture, Gesture::Press(_));
            if !begun {
                writeln!(f)?;
            }
        }
        if begun { writeln!(f) } else { Ok(()) }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read line {}, `{}`: wanted {}", self.line, self.token, self.wanted)
    }
}

impl std::error::Error for ScriptError {}

#[cfg(test)]
mod tests;
