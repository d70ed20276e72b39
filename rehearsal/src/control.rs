//! The time control a model clock is set to, written as in a PGN tag. An own understanding of it,
//! so that whoever is to be tested with it does not set his own task.

use std::fmt;
use std::str::FromStr;

use eboard::Colour;

/// What a press brings beside the change of sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// So much is added with every press (0: nothing), and once before the first move.
    #[default]
    Increment,
    /// What was used comes back, so much at most, which is shown before the first move.
    Bronstein,
    /// So long nothing counts at the beginning of a turn.
    Delay,
    /// After the main time there are so many periods of so long: a press within the first that is
    /// left brings back what was used of it.
    Japanese(u16),
    /// After the main time so many presses are to come within so long, again and again.
    Canadian(u16),
    /// What one player spends the other gains.
    Hourglass,
}

/// A later period: it comes after so many moves (0: when the time is used up), with so many seconds
/// and such a bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stage {
    moves: u16,
    main_s: u32,
    bonus: (Bonus, u32),
}

/// What comes after a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// By the press of which move it begins; none: at zero.
    pub moves: Option<u32>,
    /// What is added: its main time, and what its increment is more than the one before, as the
    /// move to come already has the old one. Seconds.
    pub added_s: i64,
}

/// What each player is allotted: mostly the same, but not in an Armageddon game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    white: Allotment,
    black: Allotment,
}

/// What one player is allotted: up to five periods of main time, each with its bonus. Seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Allotment {
    main_s: u32,
    bonus: Bonus,
    bonus_s: u32,
    from_move: u16,
    stages: [Option<Stage>; 4],
    /// The last period comes again and again, each time after so many moves.
    again: Option<u16>,
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
    /// The same seconds of main time and of increment per move for both.
    #[must_use]
    pub const fn new(main_s: u32, increment_s: u32) -> Self {
        let each = Allotment::new(main_s, increment_s);
        Self { white: each, black: each }
    }

    /// The same with so many seconds for every move, in all periods.
    pub(crate) fn giving(self, seconds: u32) -> Self {
        let giving = |it: Allotment| {
            let bonus = (Bonus::Increment, seconds);
            let stages = it.stages.map(|stage| stage.map(|stage| Stage { bonus, ..stage }));
            Allotment { bonus: bonus.0, bonus_s: seconds, from_move: 1, stages, ..it }
        };
        Self { white: giving(self.white), black: giving(self.black) }
    }

    /// What this player is allotted.
    #[must_use]
    pub const fn of(self, side: Colour) -> Allotment {
        match side {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }
}

impl Allotment {
    const fn new(main_s: u32, increment_s: u32) -> Self {
        Self {
            main_s,
            bonus: Bonus::Increment,
            bonus_s: increment_s,
            from_move: 1,
            stages: [None; 4],
            again: None,
        }
    }

    /// Seconds of the first main time.
    #[must_use]
    pub const fn main_s(self) -> u32 {
        self.main_s
    }

    /// Seconds added with every press of the first period; 0 where something else happens.
    #[must_use]
    pub const fn increment_s(self) -> u32 {
        match self.bonus {
            Bonus::Increment => self.bonus_s,
            _ => 0,
        }
    }

    /// Seconds that follow the main time of a byo-yomi.
    #[must_use]
    pub const fn byo_yomi_s(self) -> Option<u32> {
        match self.bonus {
            Bonus::Japanese(periods) => Some(self.bonus_s.saturating_mul(periods as u32)),
            Bonus::Canadian(_) => Some(self.bonus_s),
            _ => None,
        }
    }

    /// What a press brings in the period of this number, from 0, and how many seconds of it.
    #[must_use]
    pub fn bonus(self, period: u8) -> (Bonus, u32) {
        let later = self.stages.iter().take(period.into()).flatten();
        later.last().map_or(self.first_bonus(), |stage| stage.bonus)
    }

    /// The same in the first one.
    pub(crate) const fn first_bonus(self) -> (Bonus, u32) {
        (self.bonus, self.bonus_s)
    }

    /// The first move with the increment.
    #[must_use]
    pub const fn from_move(self) -> u32 {
        self.from_move as u32
    }

    /// What follows the period of this number, from 0.
    #[must_use]
    pub fn next(self, period: u8) -> Option<Next> {
        let stages = || self.stages.iter().flatten();
        let last = stages().last().map_or(self.main_s, |stage| stage.main_s);
        let again =
            self.again.map(|moves| Stage { moves, main_s: last, bonus: self.bonus(period) });
        let comes = |index: usize| stages().nth(index).copied().or(again);
        let Stage { moves, main_s, bonus } = comes(period.into())?;
        let before = (0..usize::from(period)).filter_map(comes);
        let moves_before: u32 = before.map(|stage| u32::from(stage.moves)).sum();
        let ahead_s = |(bonus, seconds): (Bonus, u32)| match bonus {
            Bonus::Increment | Bonus::Bronstein => i64::from(seconds),
            _ => 0,
        };
        let old = self.bonus(period);
        // Clocks count moves only together with an increment (DGT 3000).
        let counts = moves > 0 && old.0 == Bonus::Increment && old.1 > 0;
        Some(Next {
            moves: counts.then(|| moves_before + u32::from(moves)),
            added_s: i64::from(main_s) + ahead_s(bonus) - ahead_s(old),
        })
    }
}

impl FromStr for TimeControl {
    type Err = ControlError;

    /// Reads `300`, `300+3`, `300+d3`, `300+b3`, `40/5400+30:1800+30`, `40/9000`,
    /// `300+3@61|240+3@61`, `300+5x60`, `300+25/600`, `*60`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let refuse = |wanted| ControlError { text: text.to_owned(), wanted };
        let (white, black) = text.split_once('|').unwrap_or((text, text));
        let (white, black) = (side(white).map_err(refuse)?, side(black).map_err(refuse)?);
        if (white.bonus == Bonus::Hourglass || black.bonus == Bonus::Hourglass) && white != black {
            return Err(refuse("one hourglass for both players"));
        }
        Ok(Self { white, black })
    }
}

const WANTED: &str = "seconds and increment such as 5400+30 or 300, at most 35999 s together";

fn side(text: &str) -> Result<Allotment, &'static str> {
    let parts: Vec<&str> = text.split(':').collect();
    let periods = parts.iter().map(|part| period(part)).collect::<Result<Vec<_>, _>>()?;
    let Some((first, rest)) = periods.split_first() else { return Err(WANTED) };
    let mut control = first.1;
    if rest.len() > control.stages.len() {
        return Err("one to five periods");
    }
    let mut moves = first.0;
    for (stage, (next_moves, next)) in control.stages.iter_mut().zip(rest) {
        if [next.from_move, control.from_move] != [1, 1] {
            return Err("an increment from a later move in a game of one period");
        }
        if alone(next.bonus) || alone(control.bonus) {
            return Err("byo-yomi or an hourglass alone");
        }
        let bonus = (next.bonus, next.bonus_s);
        *stage = Some(Stage { moves, main_s: next.main_s, bonus });
        moves = *next_moves;
    }
    if moves > 0 && alone(control.bonus) {
        return Err("byo-yomi or an hourglass alone");
    }
    control.again = Some(moves).filter(|moves| *moves > 0);
    let start_s = control.main_s.saturating_add(control.bonus_s);
    if start_s == 0 || start_s > MOST_S { Err(WANTED) } else { Ok(control) }
}

/// What no other period can follow or come before.
const fn alone(bonus: Bonus) -> bool {
    matches!(bonus, Bonus::Japanese(_) | Bonus::Canadian(_) | Bonus::Hourglass)
}

fn period(text: &str) -> Result<(u16, Allotment), &'static str> {
    if let Some(main) = text.strip_prefix('*') {
        let control = Allotment::new(seconds(main).ok_or(WANTED)?, 0);
        return Ok((0, Allotment { bonus: Bonus::Hourglass, ..control }));
    }
    let (main, bonus) = text.split_once('+').unwrap_or((text, "0"));
    let (moves, main) = match main.split_once('/') {
        Some((moves, main)) => (moves.parse().map_err(|_| WANTED)?, main),
        None => (0, main),
    };
    let (bonus, from) = bonus.split_once('@').unwrap_or((bonus, "1"));
    let (kind, bonus) = kind(bonus).ok_or(WANTED)?;
    let (main_s, bonus_s) = (seconds(main).ok_or(WANTED)?, seconds(bonus).ok_or(WANTED)?);
    let from_move = from.parse().map_err(|_| WANTED)?;
    let control = Allotment::new(main_s, bonus_s);
    Ok((moves, Allotment { bonus: kind, from_move, ..control }))
}

/// What the letters of a bonus mean, and the seconds in it.
fn kind(bonus: &str) -> Option<(Bonus, &str)> {
    if let Some((periods, seconds)) = bonus.split_once('x') {
        return Some((Bonus::Japanese(count(periods)?), seconds));
    }
    if let Some((moves, seconds)) = bonus.split_once('/') {
        return Some((Bonus::Canadian(count(moves)?), seconds));
    }
    Some(match bonus.split_at_checked(1) {
        Some(("d", delay)) => (Bonus::Delay, delay),
        Some(("b", most)) => (Bonus::Bronstein, most),
        _ => (Bonus::Increment, bonus),
    })
}

fn count(text: &str) -> Option<u16> {
    text.parse().ok().filter(|count| *count > 0)
}

fn seconds(text: &str) -> Option<u32> {
    let digits = text.chars().all(|letter| letter.is_ascii_digit());
    digits.then(|| text.parse().ok())?.filter(|seconds| *seconds <= MOST_S)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.white.fmt(f)?;
        if self.black != self.white {
            write!(f, "|{}", self.black)?;
        }
        Ok(())
    }
}

impl fmt::Display for Allotment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = Some((self.main_s, self.bonus(0)));
        let later = self.stages.map(|stage| stage.map(|it| (it.main_s, it.bonus)));
        for (index, (main_s, bonus)) in [first].into_iter().chain(later).flatten().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            let stage = self.stages.get(index).copied().flatten();
            if let Some(moves @ 1..) = stage.map(|stage| stage.moves).or(self.again) {
                write!(f, "{moves}/")?;
            }
            if self.bonus == Bonus::Hourglass {
                f.write_str("*")?;
            }
            write!(f, "{main_s}")?;
            self.write_bonus(f, bonus)?;
        }
        Ok(())
    }
}

impl Allotment {
    fn write_bonus(&self, f: &mut fmt::Formatter<'_>, bonus: (Bonus, u32)) -> fmt::Result {
        match (bonus.0, bonus.1, self.from_move) {
            (Bonus::Hourglass, ..) | (_, 0, _) => Ok(()),
            (Bonus::Increment, bonus, 1) => write!(f, "+{bonus}"),
            (Bonus::Increment, bonus, from) => write!(f, "+{bonus}@{from}"),
            (Bonus::Bronstein, bonus, _) => write!(f, "+b{bonus}"),
            (Bonus::Delay, bonus, _) => write!(f, "+d{bonus}"),
            (Bonus::Japanese(periods), each, _) => write!(f, "+{periods}x{each}"),
            (Bonus::Canadian(moves), within, _) => write!(f, "+{moves}/{within}"),
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
    }

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "300+3",
            "300",
            "0+5",
            "300+d3",
            "300+b3",
            "40/5400+30:1800+30",
            "7200:3600",
            "40/6000+30:20/3000+30:900+30",
            "300+3@61|240+3@61",
            "300+5x60",
            "0+5x60",
            "300+25/600",
            "*60",
            "40/5400+30:1800+10",
            "40/7200:20/3600:900+30",
            "40/9000",
            "40/5400+30:20/3000+10",
            "300+3|240",
            "300|240+d2",
            "40/5400+30:1800+30|3600+30",
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn periods_follow_by_count_only_with_an_increment() {
        let next = |text: &str, period| {
            text.parse::<TimeControl>().unwrap().of(Colour::White).next(period)
        };
        let at = |moves, added_s| Some(Next { moves, added_s });
        assert_eq!(next("40/5400+30:1800+30", 0), at(Some(40), 1800));
        assert_eq!(next("40/6000+30:20/3000+30:900+30", 1), at(Some(60), 900));
        assert_eq!(next("40/5400:1800", 0), at(None, 1800));
        assert_eq!(next("40/5400+30:1800+10", 0), at(Some(40), 1780));
        assert_eq!(next("40/7200:20/3600:900+30", 1), at(None, 930));
        assert_eq!(next("40/5400+30:1800+30", 1), None);
        assert_eq!(next("40/9000", 7), at(None, 9000));
        assert_eq!(next("40/5400+30:20/3000+10", 1), at(Some(60), 3000));
        assert_eq!(next("40/5400+30:20/3000+10", 2), at(Some(80), 3000));
    }

    #[test]
    fn what_cannot_be_modelled_is_refused_with_what_is_wanted() {
        let wanted = |text: &str| text.parse::<TimeControl>().unwrap_err().wanted();
        assert!(wanted("40/5400+30@41:1800").contains("of one period"));
        assert!(wanted("1:2:3:4:5:6").contains("five periods"));
        assert!(wanted("40/5400+5x60:1800+5x60").contains("alone"));
        assert!(wanted("*60:60").contains("alone"));
        assert!(wanted("*60|*30").contains("one hourglass"));
        assert!(wanted("300|*60").contains("one hourglass"));
        for text in [
            "",
            "+",
            "0",
            "-3",
            "3x",
            "300+",
            "300++3",
            "36000",
            "99999999999",
            "*",
            "300+0x60",
            "300+5x",
            "300+/60",
        ] {
            assert!(wanted(text).starts_with("seconds and increment"), "{text}");
        }
    }
}
