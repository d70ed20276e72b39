//! One token of the gesture notation, read and written. Whether a hand can do it is not asked here.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use eboard::{Colour, FaceTime, Piece, Square};

use crate::Trouble;
use crate::trouble::{colour, letter};

/// One gesture. Squares are seen from White's side: square 0 is a8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// `e2^`: the piece there is lifted.
    Lift(Square),
    /// `e4v`: the piece lifted last of those in the air is put there.
    Put(Square),
    /// `e4v:N`: that piece in the air is put there.
    PutPiece(Square, Piece),
    /// `d8=Q`: a new piece is put there, not from the air.
    New(Square, Piece),
    /// `e4x`: the piece there is taken off the board for good.
    Remove(Square),
    /// `a1>a8`: the piece on the first square is slid to the second.
    Slide(Square, Square),
    /// `|`: the player whose clock runs presses; `|w`, `|b`: that lever goes down.
    Press(Option<Colour>),
    /// `~`: both clocks are stopped.
    Stop,
    /// `!`: the clock goes on with the same side.
    GoOn,
    /// `+2.5`: that much time passes.
    Wait(Duration),
    /// `flag:w`: that player's clock reaches zero now.
    Flag(Colour),
    /// `set:w=270`: that player's time is set to so many seconds; on a running clock it jumps.
    Set(Colour, FaceTime),
    /// `clock:dead`: this befalls the clock.
    Clock(Trouble),
    /// `line:out`, `line:in`: the board's cable is pulled out, or put in again.
    Line(bool),
    /// `start_round`: an arbiter says that the round starts.
    StartRound,
    /// `adjourn`: an arbiter adjourns the game.
    Adjourn,
    /// `resume`: an arbiter has play resumed; `resume:white`, `resume:black`, `resume:both`,
    /// `resume:nobody`: and says who is absent.
    Resume(Option<Absent>),
    /// `grant:w=5`: an arbiter grants White's request, so many seconds with every move, and two
    /// minutes to the opponent.
    Grant(Colour, u32),
    /// `colours:reversed`, `colours:right`: an arbiter says whose colours the players have.
    Colours(bool),
    /// `result:1-0`, `result:+/-`, …: an arbiter enters the result.
    Result(&'static str),
}

/// Who has not come when play is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Both players are there.
    Nobody,
    /// This one is not.
    One(Colour),
    /// Neither is.
    Both,
}

impl Absent {
    const ALL: [Self; 4] =
        [Self::Nobody, Self::One(Colour::White), Self::One(Colour::Black), Self::Both];

    /// As it is written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::One(Colour::White) => "white",
            Self::One(Colour::Black) => "black",
            Self::Both => "both",
        }
    }
}

impl Gesture {
    /// Whether it is done to the squares of a board.
    #[must_use]
    pub const fn is_on_board(self) -> bool {
        matches!(
            self,
            Self::Lift(_)
                | Self::Put(_)
                | Self::PutPiece(..)
                | Self::New(..)
                | Self::Remove(_)
                | Self::Slide(..)
        )
    }
}

const TOKENS: &str = "one of e2^  e4v  e4v:N  d8=Q  e4x  a1>a8  (2:e2^ … on the second board)  \
    |  |w  |b  ~  !  +2.5  flag:w  flag:b  set:w=270  clock:dead  line:out  line:in  start_round  \
    adjourn  resume  resume:white  grant:w=5  colours:reversed  colours:right  result:1-0";
const SQUARE: &str = "a square: a letter a to h and a digit 1 to 8";
const PIECE: &str = "a piece as in a FEN: P N B R Q K for White, p n b r q k for Black";
const SECONDS: &str = "seconds with at most six decimals, such as +2.5, at most a day";
const RESULT: &str = "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+ or -/-";
/// What an arbiter may enter as a result.
const RESULTS: [&str; 9] = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"];
const GRANT: &str = "a side and seconds, as grant:w=5";
const ABSENT: &str = "who is absent: white, black, both or nobody";
const SIDE: &str = "w or b";
const SETTING: &str = "a side and seconds, at most 9:59:59, as set:w=270";

impl FromStr for Gesture {
    /// What would have been right.
    type Err = String;

    fn from_str(token: &str) -> Result<Self, String> {
        match token {
            "|" => return Ok(Self::Press(None)),
            "~" => return Ok(Self::Stop),
            "!" => return Ok(Self::GoOn),
            "start_round" => return Ok(Self::StartRound),
            "adjourn" => return Ok(Self::Adjourn),
            "resume" => return Ok(Self::Resume(None)),
            "colours:reversed" => return Ok(Self::Colours(true)),
            "colours:right" => return Ok(Self::Colours(false)),
            "line:out" => return Ok(Self::Line(false)),
            "line:in" => return Ok(Self::Line(true)),
            _ => {}
        }
        let read = if let Some(side) = token.strip_prefix('|') {
            colour(side).map(|side| Self::Press(Some(side))).ok_or(SIDE)
        } else if let Some(side) = token.strip_prefix("flag:") {
            colour(side).map(Self::Flag).ok_or(SIDE)
        } else if let Some(value) = token.strip_prefix("grant:") {
            granted(value).ok_or(GRANT)
        } else if let Some(who) = token.strip_prefix("resume:") {
            let absent = Absent::ALL.into_iter().find(|it| it.word() == who);
            absent.map(|it| Self::Resume(Some(it))).ok_or(ABSENT)
        } else if let Some(value) = token.strip_prefix("result:") {
            RESULTS.into_iter().find(|it| *it == value).map(Self::Result).ok_or(RESULT)
        } else if let Some(word) = token.strip_prefix("clock:") {
            word.parse().map(Self::Clock)
        } else if let Some(value) = token.strip_prefix("set:") {
            setting(value).ok_or(SETTING)
        } else if let Some(wait) = token.strip_prefix('+') {
            seconds(wait).map(Self::Wait).ok_or(SECONDS)
        } else {
            on_a_square(token)
        };
        read.map_err(str::to_owned)
    }
}

fn on_a_square(token: &str) -> Result<Gesture, &'static str> {
    let (named, rest) = token.split_at_checked(2).ok_or(TOKENS)?;
    let at = || square(named).ok_or(SQUARE);
    match rest.split_at_checked(1) {
        Some(("^", "")) => Ok(Gesture::Lift(at()?)),
        Some(("v", "")) => Ok(Gesture::Put(at()?)),
        Some(("v", value)) => {
            let letter = value.strip_prefix(':').ok_or(TOKENS)?;
            Ok(Gesture::PutPiece(at()?, piece(letter)?))
        }
        Some(("=", letter)) => Ok(Gesture::New(at()?, piece(letter)?)),
        Some(("x", "")) => Ok(Gesture::Remove(at()?)),
        Some((">", to)) => Ok(Gesture::Slide(at()?, square(to).ok_or(SQUARE)?)),
        _ => Err(TOKENS),
    }
}

pub(super) fn square(name: &str) -> Option<Square> {
    Square::all().find(|square| square.to_string() == name)
}

fn piece(letter: &str) -> Result<Piece, &'static str> {
    let mut letters = letter.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err(PIECE),
    }
}

fn setting(value: &str) -> Option<Gesture> {
    let (side, time) = value.split_once('=')?;
    let ms = u32::try_from(seconds(time)?.as_millis()).ok()?;
    let time = FaceTime::from_ms(ms);
    (time <= FaceTime::from_hms(9, 59, 59)).then_some(Gesture::Set(colour(side)?, time))
}

fn granted(value: &str) -> Option<Gesture> {
    let (side, seconds) = value.split_once('=')?;
    Some(Gesture::Grant(colour(side)?, seconds.parse().ok()?))
}

fn seconds(text: &str) -> Option<Duration> {
    const DAY_US: u64 = 86_400 * 1_000_000;
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 6 {
        return None;
    }
    let micros: u64 = format!("{decimals:0<6}").parse().ok()?;
    let micros = whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micros)?;
    (micros <= DAY_US).then(|| Duration::from_micros(micros))
}

impl fmt::Display for Gesture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lift(square) => write!(f, "{square}^"),
            Self::Put(square) => write!(f, "{square}v"),
            Self::PutPiece(square, piece) => write!(f, "{square}v:{}", piece.letter()),
            Self::New(square, piece) => write!(f, "{square}={}", piece.letter()),
            Self::Remove(square) => write!(f, "{square}x"),
            Self::Slide(from, to) => write!(f, "{from}>{to}"),
            Self::Press(None) => f.write_str("|"),
            Self::Press(Some(side)) => write!(f, "|{}", letter(*side)),
            Self::Stop => f.write_str("~"),
            Self::GoOn => f.write_str("!"),
            Self::Wait(span) => {
                f.write_str("+")?;
                write_seconds(f, *span)
            }
            Self::Flag(side) => write!(f, "flag:{}", letter(*side)),
            Self::StartRound => f.write_str("start_round"),
            Self::Adjourn => f.write_str("adjourn"),
            Self::Grant(side, seconds) => write!(f, "grant:{}={seconds}", letter(*side)),
            Self::Resume(None) => f.write_str("resume"),
            Self::Resume(Some(absent)) => write!(f, "resume:{}", absent.word()),
            Self::Colours(true) => f.write_str("colours:reversed"),
            Self::Colours(false) => f.write_str("colours:right"),
            Self::Result(outcome) => write!(f, "result:{outcome}"),
            Self::Set(side, time) => {
                write!(f, "set:{}=", letter(*side))?;
                write_seconds(f, Duration::from_millis(time.as_ms().into()))
            }
            Self::Clock(trouble) => write!(f, "clock:{trouble}"),
            Self::Line(plugged) => f.write_str(if *plugged { "line:in" } else { "line:out" }),
        }
    }
}

fn write_seconds(f: &mut fmt::Formatter<'_>, span: Duration) -> fmt::Result {
    let decimals = format!("{:06}", span.subsec_micros());
    match decimals.trim_end_matches('0') {
        "" => write!(f, "{}", span.as_secs()),
        decimals => write!(f, "{}.{decimals}", span.as_secs()),
    }
}
