//! How often a clock may have been pressed while nobody watched it: every press moves the lever,
//! and brings what the time control says. Evidence, never proof: a clock can be set meanwhile.

use bincode::{Decode, Encode};
use eboard::{ClockFace, Moment};
use shakmaty::{ByColor, Color};

use super::{FASTEST, Readings};
use crate::clock::tolerances::{READING_LATE_MS, TICK_MS};
use crate::time_control::Extra;

/// Presses beyond the fewest, where readings contradict each other: any number.
const ANY: usize = 20;

/// One reading.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(crate) struct Sample {
    at: Moment,
    pub face: ClockFace,
    /// The time that counts had just lost a second.
    ticked: bool,
}

impl Sample {
    /// By how much both times together may be shorter than they are shown: seconds are rounded up.
    fn hidden_ms(self) -> i64 {
        READING_LATE_MS + if self.ticked { TICK_MS } else { 2 * TICK_MS }
    }
}

/// Presses between two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Presses {
    /// Whose time counted at the first one.
    pub turn: Color,
    /// The fewest and the most. Players take turns: of the numbers between every second is meant.
    pub least: usize,
    pub most: usize,
    /// Moves that had been made without a press at the first reading.
    pub owed: usize,
}

impl Presses {
    /// How many moves have been completed from a position with this side to move: the first presses
    /// belong to those that were made before. One more may have been made.
    pub fn moves(self, turn: Color) -> impl Iterator<Item = usize> {
        let odd = usize::from(self.turn != turn);
        let owed = if self.owed % 2 == odd { self.owed } else { odd };
        let counts = (self.least..=self.most).step_by(2);
        counts.map(move |count| count.saturating_sub(owed))
    }

    /// Whether so many moves may have been made, from a position with this side to move.
    pub fn allow(self, moves: usize, turn: Color) -> bool {
        self.moves(turn).any(|completed| completed == moves || completed + 1 == moves)
    }

    /// Whether the readings show how many there were, or at most which of two numbers.
    pub fn are_known(self) -> bool {
        self.most < self.least + ANY
    }

    /// The same for what has been made from one move earlier on.
    pub fn one_move_earlier(self) -> Self {
        Self { owed: self.owed.saturating_sub(1), ..self }
    }
}

impl Readings {
    /// What was read last.
    pub(crate) fn sample(&self) -> Option<Sample> {
        let (at, face) = self.face.filter(|_| !self.lost)?;
        Some(Sample { at, face, ticked: self.ticked })
    }

    /// How often the clock was pressed since an earlier reading, when `owed` moves had been made
    /// without a press; none where that cannot be known.
    pub(crate) fn presses_since(&self, before: Sample, owed: usize) -> Option<Presses> {
        let now = self.sample().filter(|now| now.at > before.at)?;
        let turn = self.color_of(before.face.lever).filter(|_| before.face.running)?;
        let adds = self.increments()?;
        let elapsed = now.at.since(before.at);
        let most = usize::try_from(elapsed.as_millis() / FASTEST.as_millis()).ok()? + 1;
        let odd = usize::from(before.face.lever != now.face.lever);
        let elapsed = i64::try_from(elapsed.as_millis()).ok()?;
        // A clock that stands may have been stopped at any time since.
        let least = if now.face.running { elapsed } else { 0 };
        let counted = least - now.hidden_ms()..=elapsed + before.hidden_ms();
        let rose = Color::ALL.map(|side| self.ms(&now.face, side) - self.ms(&before.face, side));
        let fits = |count: &usize| {
            let brought = Color::ALL.map(|side| {
                let own = if side == turn { count.div_ceil(2) } else { count / 2 };
                adds.get(side) * i64::try_from(own).unwrap_or(i64::MAX)
            });
            let used = brought[0] + brought[1] - rose[0] - rose[1];
            let mut each = rose.iter().zip(brought);
            each.all(|(rose, brought)| *rose <= brought + TICK_MS) && counted.contains(&used)
        };
        let mut fitting = (odd..=most).step_by(2).filter(fits);
        // A reading was damaged, or the clock was set.
        let Some(least) = fitting.next() else {
            return Some(Presses { turn, least: odd, most: odd + ANY, owed });
        };
        Some(Presses { turn, least, most: fitting.last().unwrap_or(least), owed })
    }

    /// What each press of each side brings, where every press brings something.
    fn increments(&self) -> Option<ByColor<i64>> {
        if self.keeper.is_in_another_mode() {
            return None;
        }
        let adds = |side: Color| match self.keeper.period(side)?.extra {
            Extra::Increment { seconds, from_move: 0 | 1 } if seconds > 0 => {
                Some(i64::from(seconds) * 1000)
            }
            _ => None,
        };
        Some(ByColor { white: adds(Color::White)?, black: adds(Color::Black)? })
    }

    fn ms(&self, face: &ClockFace, side: Color) -> i64 {
        self.side_of(side).map_or(0, |half| i64::from(face.dial(half).time.as_ms()))
    }
}

#[cfg(test)]
mod tests {
    use eboard::{Dial, FaceTime, Side};

    use super::*;

    fn clocks() -> Readings {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        clocks.expect("180+2".parse().ok(), ByColor::default(), false);
        clocks
    }

    fn face(white: u32, black: u32, lever: Side) -> ClockFace {
        let dial = |seconds| Dial { time: FaceTime::from_ms(seconds * 1000), ..Dial::default() };
        ClockFace {
            left: dial(white),
            right: dial(black),
            running: true,
            lever,
            low_battery: false,
        }
    }

    fn presses(after_ms: u64, was: ClockFace, is: ClockFace) -> Option<Presses> {
        let mut clocks = clocks();
        let at = |ms: u64| Moment::from_micros(ms * 1000);
        clocks.read(at(1000), was, &mut Vec::new());
        let before = clocks.sample()?;
        clocks.read(at(1000 + after_ms), is, &mut Vec::new());
        clocks.presses_since(before, 0)
    }

    #[test]
    fn increments_and_the_lever_tell_how_often_a_clock_was_pressed() {
        let before = face(96, 112, Side::Left);
        let three = presses(11_904, before, face(94, 109, Side::Right));
        assert_eq!(three, Some(Presses { turn: Color::White, least: 3, most: 3, owed: 0 }));
        let none = presses(5_000, before, face(91, 112, Side::Left));
        assert_eq!(none, Some(Presses { turn: Color::White, least: 0, most: 0, owed: 0 }));
    }

    /// White's 150.0 s become 148.2 and 150.2 by his press, Black's 161.6 become 161.1 and 163.1,
    /// and White's 149.05 when both are read, 0.2 s late.
    #[test]
    fn seconds_are_rounded_up() {
        let mut clocks = clocks();
        let at = |ms: u64| Moment::from_micros(ms * 1000);
        clocks.read(at(1000), face(151, 162, Side::Left), &mut Vec::new());
        clocks.read(at(2000), face(150, 162, Side::Left), &mut Vec::new());
        let before = clocks.sample().unwrap();
        clocks.read(at(5650), face(150, 164, Side::Left), &mut Vec::new());
        let presses = clocks.presses_since(before, 0).unwrap();
        assert_eq!((presses.least, presses.most), (2, 2));
    }

    #[test]
    fn a_clock_that_was_set_meanwhile_tells_nothing() {
        let set = presses(5_000, face(96, 112, Side::Left), face(300, 300, Side::Left));
        assert_eq!(set.map(Presses::are_known), Some(false));
    }

    #[test]
    fn a_press_may_be_owed_for_the_move_before() {
        let presses = Presses { turn: Color::White, least: 3, most: 3, owed: 0 };
        assert!(presses.moves(Color::White).eq([3]));
        assert!(presses.moves(Color::Black).eq([2]));
        let two_owed = Presses { owed: 2, ..presses };
        assert!(two_owed.moves(Color::White).eq([1]));
        let unclear = Presses { most: 5, ..presses };
        assert!(unclear.moves(Color::White).eq([3, 5]));
    }
}
