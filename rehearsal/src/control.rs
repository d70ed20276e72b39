//! The time control a model clock is set to, written as in a PGN tag. An own understanding of it,
//! so that whoever is to be tested with it does not set his own task.

use std::fmt;
use std::str::FromStr;

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

/// Later periods: after so many moves (0: when the time is used up) so many seconds more.
type Stage = (u16, u32);

/// Up to three periods of main time with one bonus for all. Seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    main_s: u32,
    black_main_s: u32,
    bonus: Bonus,
    bonus_s: u32,
    from_move: u16,
    stages: [Option<Stage>; 2],
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
        Self {
            main_s,
            black_main_s: main_s,
            bonus: Bonus::Increment,
            bonus_s: increment_s,
            from_move: 1,
            stages: [None; 2],
        }
    }

    /// Seconds of White's first main time.
    #[must_use]
    pub const fn main_s(self) -> u32 {
        self.main_s
    }

    /// Seconds of Black's first main time.
    #[must_use]
    pub const fn black_main_s(self) -> u32 {
        self.black_main_s
    }

    /// Seconds added with every press; 0 where something else happens.
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

    /// What a press brings, and how many seconds of it.
    #[must_use]
    pub const fn bonus(self) -> (Bonus, u32) {
        (self.bonus, self.bonus_s)
    }

    /// The first move with the increment.
    #[must_use]
    pub const fn from_move(self) -> u32 {
        self.from_move as u32
    }

    /// What follows the period of this number, from 0: by the press of which move (none: at zero),
    /// and how many seconds.
    #[must_use]
    pub fn next(self, period: u8) -> Option<(Option<u32>, u32)> {
        let (moves, main_s) = (*self.stages.get(usize::from(period))?)?;
        let before = self.stages.iter().take(usize::from(period)).flatten();
        let moves_before: u32 = before.map(|(moves, _)| u32::from(*moves)).sum();
        // Clocks count moves only together with an increment (DGT 3000).
        let counts = moves > 0 && self.increment_s() > 0;
        Some((counts.then(|| moves_before + u32::from(moves)), main_s))
    }
}

impl FromStr for TimeControl {
    type Err = ControlError;

    /// Reads `300`, `300+3`, `300+d3`, `300+b3`, `40/5400+30:1800+30`, `300+3@61|240+3@61`,
    /// `300+5x60`, `300+25/600`, `*60`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let refuse = |wanted| ControlError { text: text.to_owned(), wanted };
        let (white, black) = text.split_once('|').unwrap_or((text, text));
        let (mut white, black) = (side(white).map_err(refuse)?, side(black).map_err(refuse)?);
        white.black_main_s = black.main_s;
        if white != (Self { main_s: white.main_s, ..black }) {
            return Err(refuse("sides that differ in their first main time alone"));
        }
        Ok(white)
    }
}

const WANTED: &str = "seconds and increment such as 5400+30 or 300, at most 35999 s together";

fn side(text: &str) -> Result<TimeControl, &'static str> {
    let parts: Vec<&str> = text.split(':').collect();
    let periods = parts.iter().map(|part| period(part)).collect::<Result<Vec<_>, _>>()?;
    let Some((first, rest)) = periods.split_first() else { return Err(WANTED) };
    let mut control = first.1;
    if rest.len() > control.stages.len() {
        return Err("one to three periods");
    }
    let mut moves = first.0;
    for (stage, (next_moves, next)) in control.stages.iter_mut().zip(rest) {
        if (next.bonus, next.bonus_s, next.from_move)
            != (first.1.bonus, first.1.bonus_s, first.1.from_move)
        {
            return Err("the same increment in all periods");
        }
        *stage = Some((moves, next.main_s));
        moves = *next_moves;
    }
    if moves > 0 {
        return Err("a last period without a number of moves");
    }
    let alone = matches!(first.1.bonus, Bonus::Japanese(_) | Bonus::Canadian(_) | Bonus::Hourglass);
    if alone && !rest.is_empty() {
        return Err("byo-yomi or an hourglass alone");
    }
    let start_s = control.main_s.saturating_add(control.bonus_s);
    if start_s == 0 || start_s > MOST_S { Err(WANTED) } else { Ok(control) }
}

fn period(text: &str) -> Result<(u16, TimeControl), &'static str> {
    if let Some(main) = text.strip_prefix('*') {
        let control = TimeControl::new(seconds(main).ok_or(WANTED)?, 0);
        return Ok((0, TimeControl { bonus: Bonus::Hourglass, ..control }));
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
    let control = TimeControl::new(main_s, bonus_s);
    Ok((moves, TimeControl { bonus: kind, from_move, ..control }))
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
        self.write_side(f, self.main_s)?;
        if self.black_main_s != self.main_s {
            f.write_str("|")?;
            self.write_side(f, self.black_main_s)?;
        }
        Ok(())
    }
}

impl TimeControl {
    fn write_side(&self, f: &mut fmt::Formatter<'_>, main_s: u32) -> fmt::Result {
        let mains = [Some(main_s)].into_iter().chain(self.stages.map(|it| it.map(|(_, s)| s)));
        for (index, main_s) in mains.flatten().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            if let Some(Some((moves @ 1.., _))) = self.stages.get(index) {
                write!(f, "{moves}/")?;
            }
            if self.bonus == Bonus::Hourglass {
                f.write_str("*")?;
            }
            write!(f, "{main_s}")?;
            match (self.bonus, self.bonus_s, self.from_move) {
                (Bonus::Hourglass, ..) | (_, 0, _) => {}
                (Bonus::Increment, bonus, 1) => write!(f, "+{bonus}")?,
                (Bonus::Increment, bonus, from) => write!(f, "+{bonus}@{from}")?,
                (Bonus::Bronstein, bonus, _) => write!(f, "+b{bonus}")?,
                (Bonus::Delay, bonus, _) => write!(f, "+d{bonus}")?,
                (Bonus::Japanese(periods), each, _) => write!(f, "+{periods}x{each}")?,
                (Bonus::Canadian(moves), within, _) => write!(f, "+{moves}/{within}")?,
            }
        }
        Ok(())
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
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn periods_follow_by_count_only_with_an_increment() {
        let next = |text: &str, period| text.parse::<TimeControl>().unwrap().next(period);
        assert_eq!(next("40/5400+30:1800+30", 0), Some((Some(40), 1800)));
        assert_eq!(next("40/6000+30:20/3000+30:900+30", 1), Some((Some(60), 900)));
        assert_eq!(next("40/5400:1800", 0), Some((None, 1800)));
        assert_eq!(next("40/5400+30:1800+30", 1), None);
    }

    #[test]
    fn what_cannot_be_modelled_is_refused_with_what_is_wanted() {
        let wanted = |text: &str| text.parse::<TimeControl>().unwrap_err().wanted();
        assert!(wanted("40/5400+30:1800").contains("same increment"));
        assert!(wanted("40/5400+30").contains("last period without"));
        assert!(wanted("1:2:3:4").contains("three periods"));
        assert!(wanted("40/5400+5x60:1800+5x60").contains("alone"));
        assert!(wanted("*60:60").contains("same increment"));
        assert!(wanted("300+3|240+5").contains("differ in their first main time alone"));
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
