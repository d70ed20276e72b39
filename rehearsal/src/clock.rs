//! A model of a real chess clock: what its halves hold and what its face shows. It counts no moves
//! and keeps no score.
//!
//! It behaves like a DGT clock: the increment is given before move 1 too and comes with the press,
//! in the same face as the change of the lever; seconds are rounded up, so 0:00:00 means that
//! nothing is left; a falling flag blocks the clock, in one face with the zero; where a period has
//! passed the sign for it goes out after five minutes.

use std::time::Duration;

use eboard::{ClockFace, Colour, Dial, FaceTime, FlagMark, Moment, Side};

use crate::TimeControl;
use crate::control::{Allotment, Bonus, Next};
use crate::convert::other;

const SECOND_US: u64 = 1_000_000;
/// So long the sign of a period that has passed is shown (DGT 3000, DGT 2500).
const SIGN: Duration = Duration::from_secs(5 * 60);

/// What is wrong with a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ailment {
    /// Nothing.
    #[default]
    None,
    /// It counts so many thousandths of the time that passes.
    Drift(u16),
    /// It runs and counts nothing.
    Sticks,
    /// The same of this player's half alone.
    Dead(Colour),
    /// Both times count.
    RunsBoth,
    /// This player's time counts also while the opponent's does.
    NeverStops(Colour),
}

/// When a clock gives a player his next period, whatever its time control says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adding {
    /// With the press for this move, counted from 1 and from the beginning of the game.
    AtMove(u16),
    /// When a time is used up.
    AtZero,
    /// Not at all.
    Never,
}

/// One chess clock. All times inside are exact microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    white: Half,
    black: Half,
    to_move: Colour,
    counting_since: Option<Moment>,
    /// What is left of the delay of this turn.
    hold_us: u64,
    blocked: bool,
    freezes: bool,
    adds_after_flag: bool,
    white_on_left: bool,
    ailment: Ailment,
    low_battery: bool,
    unmarked: bool,
    plugged: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half {
    left_us: u64,
    flag: FlagMark,
    /// Until when the sign of a period that has passed is shown.
    sign_until: Option<Moment>,
    /// What it held when its turn began.
    turn_us: u64,
    presses: u32,
    period: u8,
    /// Its main time is used up, and so many presses have come in this byo-yomi.
    byo_yomi: Option<u32>,
    /// When its next period comes, if not as the time control says.
    adding: Option<Adding>,
}

impl Half {
    const fn set_to(allotment: Allotment) -> Self {
        let (bonus, bonus_s) = allotment.first_bonus();
        let ahead_s = match bonus {
            Bonus::Increment if allotment.from_move() > 1 => 0,
            Bonus::Increment | Bonus::Bronstein => bonus_s as u64,
            Bonus::Delay | Bonus::Japanese(_) | Bonus::Canadian(_) | Bonus::Hourglass => 0,
        };
        let left_us = (allotment.main_s() as u64 + ahead_s) * SECOND_US;
        Self {
            left_us,
            flag: FlagMark::None,
            sign_until: None,
            turn_us: left_us,
            presses: 0,
            period: 0,
            byo_yomi: None,
            adding: None,
        }
    }
}

impl Half {
    /// What follows the period it is in.
    fn next(&self, allotment: Allotment) -> Option<Next> {
        let next = allotment.next(self.period)?;
        match self.adding {
            None => Some(next),
            Some(Adding::Never) => None,
            Some(Adding::AtZero) => Some(Next { moves: None, ..next }),
            Some(Adding::AtMove(moves)) => Some(Next { moves: Some(moves.into()), ..next }),
        }
    }

    fn begin_period(&mut self, next: Next) {
        let added_us = next.added_s.saturating_mul(1_000_000);
        self.left_us = self.left_us.saturating_add_signed(added_us);
        self.period += 1;
    }

    /// A press in byo-yomi: the period that was begun is whole again, or one press less is to come.
    fn read_on(&mut self, bonus: Bonus, span_us: u64) {
        let Some(presses) = &mut self.byo_yomi else { return };
        *presses += 1;
        match bonus {
            Bonus::Japanese(_) => {
                self.left_us = self.left_us.div_ceil(span_us.max(1)).saturating_mul(span_us);
            }
            Bonus::Canadian(moves) if presses.is_multiple_of(moves.into()) => {
                self.left_us = span_us;
            }
            _ => {}
        }
    }
}

impl Clock {
    /// A clock set to this control and not yet started: White on the left and to move, and it
    /// freezes when the last flag falls.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self {
            control,
            white: Half::set_to(control.of(Colour::White)),
            black: Half::set_to(control.of(Colour::Black)),
            to_move: Colour::White,
            counting_since: None,
            hold_us: 0,
            blocked: false,
            freezes: true,
            adds_after_flag: false,
            white_on_left: true,
            ailment: Ailment::None,
            low_battery: false,
            unmarked: false,
            plugged: true,
        }
    }

    /// From now on something is wrong with it.
    pub fn ail(&mut self, now: Moment, ailment: Ailment) {
        self.settle(now);
        self.ailment = ailment;
    }

    /// From now on it gives this player, or both, the next period at another moment than its time
    /// control says.
    pub fn add_at(&mut self, now: Moment, side: Option<Colour>, adding: Adding) {
        self.settle(now);
        for it in [Colour::White, Colour::Black] {
            if side.is_none_or(|side| side == it) {
                self.half_mut(it).adding = Some(adding);
            }
        }
    }

    /// From now on it shows its low-battery sign, or does so no longer.
    pub fn run_low(&mut self, low: bool) {
        self.low_battery = low;
    }

    /// It is one of those that show no sign for a fallen flag.
    pub fn show_no_flags(&mut self) {
        self.unmarked = true;
    }

    /// Its cable is put in, or pulled out: it goes on all the same.
    pub fn plug(&mut self, plugged: bool) {
        self.plugged = plugged;
    }

    /// The same clock in a mode without freezing: after a flag the players can go on pressing, and
    /// no second flag is shown.
    #[must_use]
    pub const fn running_on(self) -> Self {
        Self { freezes: false, ..self }
    }

    /// It is in that mode from now on.
    pub fn run_on(&mut self) {
        self.freezes = false;
    }

    /// From now on it is one that no rules of equipment allow: it does not block at zero, and a
    /// press adds time to a player whose flag has fallen.
    pub fn add_on(&mut self) {
        (self.freezes, self.adds_after_flag) = (false, true);
    }

    /// It is set to give so many seconds with every move from now on.
    pub fn give(&mut self, now: Moment, seconds: u32) {
        self.settle(now);
        self.control = self.control.giving(seconds);
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
            self.begin_turn(side);
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
        self.to_move = other(side);
        if self.counting_since.is_some() {
            self.complete(side);
            self.counting_since = Some(now);
            self.begin_turn(other(side));
        }
    }

    /// What a press brings to the side that made it.
    fn complete(&mut self, side: Colour) {
        let control = self.control.of(side);
        let adds = self.adds_after_flag;
        let half = self.half_mut(side);
        let (bonus, bonus_s) = control.bonus(half.period);
        let bonus_us = u64::from(bonus_s) * SECOND_US;
        half.presses += 1;
        if half.flag != FlagMark::None && half.left_us == 0 && !adds {
            return;
        }
        half.read_on(bonus, bonus_us);
        half.left_us += match bonus {
            Bonus::Increment if half.presses + 1 >= control.from_move() => bonus_us,
            Bonus::Bronstein => bonus_us.min(half.turn_us.saturating_sub(half.left_us)),
            _ => 0,
        };
        let next = half.next(control).filter(|next| next.moves == Some(half.presses));
        if let Some(next) = next {
            half.begin_period(next);
        }
    }

    fn begin_turn(&mut self, side: Colour) {
        let (bonus, bonus_s) = self.control.of(side).bonus(self.half(side).period);
        let delayed = bonus == Bonus::Delay;
        self.hold_us = if delayed { u64::from(bonus_s) * SECOND_US } else { 0 };
        let half = self.half_mut(side);
        half.turn_us = half.left_us;
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
        let half = self.half_mut(side);
        half.left_us = u64::from(time.as_ms()) * 1000;
        (half.flag, half.sign_until, half.turn_us) = (FlagMark::None, None, half.left_us);
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
            low_battery: self.low_battery,
        }
    }

    /// What a board is told of it: nothing while its cable is out.
    #[must_use]
    pub fn reported(&self, now: Moment) -> Option<ClockFace> {
        self.plugged.then(|| self.face(now))
    }

    /// The next moment after `now` at which the seconds or the signs shown change, if nobody
    /// touches it until then.
    #[must_use]
    pub fn next_change(&self, now: Moment) -> Option<Moment> {
        let then = self.at(now);
        let signs = [then.white.sign_until, then.black.sign_until];
        signs.into_iter().chain([then.next_second()]).flatten().min()
    }

    /// When the seconds shown change next, or a flag falls; up to now everything is counted.
    fn next_second(&self) -> Option<Moment> {
        let since = self.counting_since?;
        let idle = other(self.to_move);
        let counts_too = [Ailment::RunsBoth, Ailment::NeverStops(idle)].contains(&self.ailment);
        let stands = [Ailment::Sticks, Ailment::Dead(self.to_move)].contains(&self.ailment);
        let to_next = |side| {
            let left_us = self.half(side).left_us;
            Some(left_us - left_us.div_ceil(SECOND_US).checked_sub(1)? * SECOND_US)
        };
        let own = to_next(self.to_move).filter(|_| !stands).map(|it| it + self.hold_us);
        let idle = to_next(idle).filter(|_| counts_too);
        let after_us = own.into_iter().chain(idle).min()?;
        let after_us = match self.ailment {
            Ailment::Drift(permille) => after_us * 1000 / u64::from(permille.max(1)) + 1,
            _ => after_us,
        };
        Some(since + Duration::from_micros(after_us))
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

    /// In which period this player is, from 0.
    #[must_use]
    pub fn period(&self, now: Moment, side: Colour) -> u8 {
        self.at(now).half(side).period
    }

    /// What this player has left, to the microsecond.
    #[must_use]
    pub fn left(&self, now: Moment, side: Colour) -> Duration {
        Duration::from_micros(self.at(now).half(side).left_us)
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
        let mut then = self.counted(now);
        for half in [&mut then.white, &mut then.black] {
            if half.sign_until.is_some_and(|until| until <= now) {
                (half.flag, half.sign_until) = (FlagMark::None, None);
            }
        }
        then
    }

    /// What has been counted until now.
    fn counted(&self, now: Moment) -> Self {
        let mut then = *self;
        let Some(since) = self.counting_since else { return then };
        let spent_us = now.as_micros().saturating_sub(since.as_micros());
        then.counting_since = Some(now.max(since));
        let counted_us = match self.ailment {
            Ailment::Drift(permille) => spent_us * u64::from(permille) / 1000,
            Ailment::Sticks => 0,
            Ailment::Dead(side) if side == self.to_move => 0,
            _ => spent_us,
        };
        let held_us = counted_us.min(then.hold_us);
        then.hold_us -= held_us;
        let idle = other(self.to_move);
        if [Ailment::RunsBoth, Ailment::NeverStops(idle)].contains(&self.ailment) {
            let idle = then.half_mut(idle);
            idle.left_us = idle.left_us.saturating_sub(counted_us);
        }
        if self.control.of(self.to_move).bonus(0).0 == Bonus::Hourglass {
            let gained_us = counted_us.min(then.half(self.to_move).left_us);
            then.half_mut(idle).left_us += gained_us;
        }
        then.spend(self.to_move, counted_us - held_us);
        then
    }

    /// Takes time off a side; at zero the next period begins for both, if there is one that begins
    /// so, else the flag falls.
    fn spend(&mut self, side: Colour, mut spent_us: u64) {
        while self.half(side).left_us <= spent_us {
            spent_us -= self.half(side).left_us;
            self.half_mut(side).left_us = 0;
            if self.begin_byo_yomi(side) {
                continue;
            }
            if self.next_at_zero(side).is_none() {
                return self.fall(side);
            }
            for it in [side, other(side)] {
                let Some(next) = self.next_at_zero(it) else { continue };
                let half = self.half_mut(it);
                half.begin_period(next);
                half.turn_us = half.left_us;
            }
            let counted = self.counting_since.map_or(0, Moment::as_micros);
            let passed = Moment::from_micros(counted.saturating_sub(spent_us));
            let half = self.half_mut(side);
            (half.flag, half.sign_until) = (FlagMark::Passed, Some(passed + SIGN));
        }
        self.half_mut(side).left_us -= spent_us;
    }

    /// The period that begins for this player when a time is used up, if one does.
    fn next_at_zero(&self, side: Colour) -> Option<Next> {
        let next = self.half(side).next(self.control.of(side));
        next.filter(|next| next.moves.is_none())
    }

    /// The main time is used up: what comes after it, if it has not come yet.
    fn begin_byo_yomi(&mut self, side: Colour) -> bool {
        let half = self.half(side);
        let Some(seconds) = self.control.of(side).byo_yomi_s().filter(|_| half.byo_yomi.is_none())
        else {
            return false;
        };
        let half = self.half_mut(side);
        half.left_us = u64::from(seconds) * SECOND_US;
        half.byo_yomi = Some(0);
        true
    }

    fn fall(&mut self, side: Colour) {
        let opponent = self.half(other(side));
        // The sign of a period that has passed is not this one.
        let first = !self.blocked && (opponent.left_us > 0 || opponent.flag == FlagMark::None);
        let mark = if self.freezes { FlagMark::Final } else { FlagMark::Passed };
        let half = self.half_mut(side);
        half.left_us = 0;
        if first {
            (half.flag, half.sign_until) = (mark, None);
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
            flag: if self.unmarked { FlagMark::None } else { half.flag },
            per_move: self.control.of(side).bonus(half.period).1 > 0,
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
