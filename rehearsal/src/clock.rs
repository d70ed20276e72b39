//! A model of a real chess clock: what its halves hold and what its face shows. It counts no moves
//! and keeps no score.
//!
//! It behaves like a DGT clock: the increment is given before move 1 too and comes with the press,
//! in the same face as the change of the lever; seconds are rounded up, so 0:00:00 means that
//! nothing is left; a falling flag blocks the clock, in one face with the zero.

use eboard::{ClockFace, Colour, Dial, FaceTime, FlagMark, Moment, Side};

use crate::TimeControl;
use crate::convert::other;

const SECOND_US: u64 = 1_000_000;

/// One chess clock. All times inside are exact microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    white: Half,
    black: Half,
    to_move: Colour,
    counting_since: Option<Moment>,
    blocked: bool,
    freezes: bool,
    white_on_left: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half {
    left_us: u64,
    flag: FlagMark,
}

impl Clock {
    /// A clock set to this control and not yet started: White on the left and to move, and it
    /// freezes when a flag falls.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        let start_s = control.main_s() as u64 + control.increment_s() as u64;
        let half = Half { left_us: start_s * SECOND_US, flag: FlagMark::None };
        Self {
            control,
            white: half,
            black: half,
            to_move: Colour::White,
            counting_since: None,
            blocked: false,
            freezes: true,
            white_on_left: true,
        }
    }

    /// The same clock in a mode without freezing: after a flag the players can go on pressing, and
    /// no second flag is shown.
    #[must_use]
    pub const fn running_on(self) -> Self {
        Self { freezes: false, ..self }
    }

    /// The same clock seen from its other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { white_on_left: !self.white_on_left, ..self }
    }

    /// The same clock with the lever giving this player the move.
    #[must_use]
    pub const fn giving_move_to(self, side: Colour) -> Self {
        Self { to_move: side, ..self }
    }

    /// Starts it with this player's time counting.
    pub fn start(&mut self, now: Moment, side: Colour) {
        self.settle(now);
        if !self.blocked {
            self.to_move = side;
            self.counting_since = Some(now);
        }
    }

    /// The player whose time counts presses.
    pub fn press(&mut self, now: Moment) {
        self.press_side(now, self.to_move);
    }

    /// This player's lever goes down. Nothing happens if it was down already or the clock is
    /// blocked; on a stopped clock the lever moves, but nothing is added and nothing counts.
    pub fn press_side(&mut self, now: Moment, side: Colour) {
        self.settle(now);
        if self.blocked || side != self.to_move {
            return;
        }
        if self.counting_since.is_some() {
            let increment_us = u64::from(self.control.increment_s()) * SECOND_US;
            let half = self.half_mut(side);
            if half.flag == FlagMark::None {
                half.left_us += increment_us;
            }
            self.counting_since = Some(now);
        }
        self.to_move = other(side);
    }

    /// Both halves are stopped.
    pub fn stop(&mut self, now: Moment) {
        self.settle(now);
        self.counting_since = None;
    }

    /// It counts again, for the side that the lever gives the move to.
    pub fn go_on(&mut self, now: Moment) {
        self.settle(now);
        if !self.blocked && self.counting_since.is_none() {
            self.counting_since = Some(now);
        }
    }

    /// This player's time is used up now, whatever was left. On a blocked clock the time goes
    /// without a sign: the sign stays with who was first.
    pub fn flag(&mut self, now: Moment, side: Colour) {
        self.settle(now);
        self.fall(side);
    }

    /// The arbiter sets this player's time; a flag shown there is gone and blocks no longer.
    pub fn correct(&mut self, now: Moment, side: Colour, time: FaceTime) {
        self.settle(now);
        if self.half(side).flag == FlagMark::Final {
            self.blocked = false;
        }
        *self.half_mut(side) =
            Half { left_us: u64::from(time.as_ms()) * 1000, flag: FlagMark::None };
    }

    /// What it shows. Times are whole seconds, rounded up.
    #[must_use]
    pub fn face(&self, now: Moment) -> ClockFace {
        let then = self.at(now);
        let (left, right) = match self.white_on_left {
            true => (then.dial(Colour::White), then.dial(Colour::Black)),
            false => (then.dial(Colour::Black), then.dial(Colour::White)),
        };
        ClockFace {
            left,
            right,
            running: then.counting_since.is_some(),
            lever: then.side_of(then.to_move),
            low_battery: false,
        }
    }

    /// The next moment after `now` at which the seconds shown change or a flag falls, if nobody
    /// touches it until then.
    #[must_use]
    pub fn next_change(&self, now: Moment) -> Option<Moment> {
        let then = self.at(now);
        let since = then.counting_since?;
        let left_us = then.half(then.to_move).left_us;
        let shown_s = left_us.div_ceil(SECOND_US);
        let after_us = left_us - shown_s.checked_sub(1)? * SECOND_US;
        Some(since + std::time::Duration::from_micros(after_us))
    }

    /// Whose move it is by the lever, whether or not a time counts.
    #[must_use]
    pub const fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Whether a time counts at this moment.
    #[must_use]
    pub fn is_running(&self, now: Moment) -> bool {
        self.at(now).counting_since.is_some()
    }

    /// What this player has left, to the microsecond.
    #[must_use]
    pub fn left(&self, now: Moment, side: Colour) -> std::time::Duration {
        std::time::Duration::from_micros(self.at(now).half(side).left_us)
    }

    /// Where this player sits, seen from the front.
    #[must_use]
    pub fn side_of(&self, side: Colour) -> Side {
        if (side == Colour::White) == self.white_on_left { Side::Left } else { Side::Right }
    }

    fn settle(&mut self, now: Moment) {
        *self = self.at(now);
    }

    fn at(&self, now: Moment) -> Self {
        let mut then = *self;
        let Some(since) = self.counting_since else { return then };
        let spent_us = now.as_micros().saturating_sub(since.as_micros());
        then.counting_since = Some(now.max(since));
        let half = then.half_mut(self.to_move);
        half.left_us = half.left_us.saturating_sub(spent_us);
        if half.left_us == 0 {
            then.fall(self.to_move);
        }
        then
    }

    fn fall(&mut self, side: Colour) {
        let first = self.half(other(side)).flag == FlagMark::None && !self.blocked;
        let mark = if self.freezes { FlagMark::Final } else { FlagMark::Passed };
        let half = self.half_mut(side);
        half.left_us = 0;
        if first {
            half.flag = mark;
        }
        if self.freezes {
            self.blocked = true;
            self.counting_since = None;
        }
    }

    fn dial(&self, side: Colour) -> Dial {
        let half = self.half(side);
        let shown_ms = half.left_us.div_ceil(SECOND_US).saturating_mul(1000);
        Dial {
            time: FaceTime::from_ms(u32::try_from(shown_ms).unwrap_or(u32::MAX)),
            flag: half.flag,
            per_move: self.control.increment_s() > 0,
        }
    }

    const fn half(&self, side: Colour) -> Half {
        match side {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    const fn half_mut(&mut self, side: Colour) -> &mut Half {
        match side {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        }
    }
}

#[cfg(test)]
mod tests;
