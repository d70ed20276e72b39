//! What the readings of a clock betray when they are held against the time control, against our own
//! time and against each other. It finds and measures; what the Laws make of it is not known here.
//!
//! A *turn* is the time between two presses, watched without a gap. Inside it only one time may
//! count, as fast as ours; at its end the press brings what the time control says. Whatever might
//! be two presses that nobody saw proves nothing.

mod defects;
mod due;
mod finding;
mod second;
mod stretch;

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, FlagMark, Moment};
use shakmaty::{ByColor, Color};

use super::mode::{Gain, Pressed};
use crate::clock::tolerances::{
    BELIEVED_LATER, GAP, JUMP_MS, SLACK_MS, TICK, TICK_MS, TWICE_PRESSED_MS,
};
use crate::time_control::{Extra, Period, TimeControl};
use defects::Defects;
pub use defects::Fault;
pub use finding::Finding;

const MINUTE_MS: i64 = 60_000;
/// More presses than these do not bring a player more than he uses meanwhile.
const SCRAMBLE: i64 = 12;

/// One reading by colour.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Reading {
    pub at: Moment,
    pub times: ByColor<FaceTime>,
    /// The side that the lever gives the move to.
    pub lever: Color,
    pub running: bool,
    pub flag: bool,
}

impl Reading {
    fn shows_the_same(self, other: Self) -> bool {
        self.times == other.times && self.lever == other.lever && self.running && other.running
    }
}

/// The time since the last press or start.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Turn {
    pub side: Color,
    pub since: Moment,
    pub start: ByColor<FaceTime>,
    /// Watched from its first moment.
    pub whole: bool,
    /// It began with a press that was read at once.
    prompt: bool,
    /// By how much earlier it may have begun, in milliseconds, because reports were lost.
    late: i64,
    /// Reports were lost in it: two presses may have come and gone.
    gap: bool,
    /// It was reported already, or it may hide two presses.
    spoiled: bool,
    /// The clock did not keep time in it.
    faulty: bool,
}

/// Follows the readings of one game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Keeper {
    control: Option<TimeControl>,
    last: Option<Reading>,
    turn: Option<Turn>,
    /// Since when every reading of a running clock was heard.
    watched: Option<Moment>,
    /// The first reading after the clock was stopped.
    stopped: Option<ByColor<FaceTime>>,
    /// When a face last changed.
    changed: Moment,
    /// When the time that counts last lost a second, or began to count.
    ticked: Moment,
    /// The reading before a jump that is not confirmed yet.
    doubtful: Option<Reading>,
    fresh: bool,
    periods: ByColor<u8>,
    presses: ByColor<u32>,
    gain: Gain,
    defects: Defects,
}

impl Keeper {
    /// The time control in force.
    pub fn expect(&mut self, control: Option<TimeControl>) {
        self.control = control;
    }

    pub fn control(&self) -> Option<&TimeControl> {
        self.control.as_ref()
    }

    /// A game begins; `fresh`: with both times as the time control gives them.
    pub fn new_game(&mut self, fresh: bool) {
        let Self { control, last, .. } = *self;
        *self = Self { control, last, fresh, ..Self::default() };
        if let Some(last) = last {
            self.changed = last.at;
            self.open_turn(last, false);
        }
    }

    /// The game goes on, and moves and presses are counted anew.
    pub fn go_on(&mut self) {
        (self.presses, self.fresh) = (ByColor::default(), false);
    }

    /// Moves have been made since the clock was heard, or before it was heard at all. So it is not
    /// known how it was started.
    pub fn was_not_watched(&mut self) {
        self.fresh = false;
    }

    /// Whose half is whose is known only now: of what was read before, this is the last reading.
    pub fn forget(&mut self, last: Option<Reading>) {
        (self.last, self.turn, self.stopped, self.doubtful) = (last, None, None, None);
        self.defects.cut();
        self.watched = None;
        self.changed = last.map_or(self.changed, |last| last.at);
    }

    /// White's half was taken for Black's: each has pressed, and is in the period, that was counted
    /// for the other.
    pub fn exchange_players(&mut self) {
        self.presses.swap();
        self.periods.swap();
    }

    /// Since when every reading of a running clock was heard.
    pub fn watched(&self) -> Option<Moment> {
        self.watched
    }

    /// In which period each side is, from 0.
    pub fn periods(&self) -> &ByColor<u8> {
        &self.periods
    }

    /// Presses seen in this game.
    pub fn presses(&self) -> &ByColor<u32> {
        &self.presses
    }

    /// Presses bring something else from now on.
    pub fn is_set_anew(&mut self) {
        self.gain = Gain::default();
        self.spoil();
    }

    /// A move needed no press.
    pub fn count_press(&mut self, side: Color) {
        *self.presses.get_mut(side) += 1;
    }

    pub fn read(&mut self, now: Reading, out: &mut Vec<Finding>) {
        let Some(before) = self.last.replace(now) else {
            self.changed = now.at;
            return self.open_turn(now, false);
        };
        self.note_change(before, now);
        self.follow(before, now);
        match (before.running, now.running) {
            (false, false) => {}
            (true, false) => {
                let credited = self.close_turn(before, now, out);
                let set = !credited && self.was_set(before, now);
                self.stopped = Some(if set { before.times } else { now.times });
            }
            (false, true) => self.started(before, now, out),
            (true, true) if now.at.since(before.at) > GAP => self.unseen(before, now, out),
            (true, true) if before.lever != now.lever => self.pressed(before, now, out),
            (true, true) => self.counted(before, now, out),
        }
        self.note_used_up(now);
    }

    /// When a time was another one last.
    fn note_change(&mut self, before: Reading, now: Reading) {
        if before.times != now.times || before.lever != now.lever {
            self.changed = now.at;
        }
        // A clock reports what changes. What it reports again so soon has gone and come back.
        let again = before.shows_the_same(now) && now.at.since(before.at) < TICK;
        if (again || now.at.since(self.ticked) > TICK) && !self.shows_every_press() {
            self.watched = self.watched.map(|_| now.at + BELIEVED_LATER);
        }
        if change(before, now, now.lever) != 0 {
            self.ticked = now.at;
        }
    }

    /// Each press adds something that can be seen.
    fn shows_every_press(&self) -> bool {
        let adds = |period: &Period| match period.extra {
            Extra::Increment { seconds, from_move } => seconds > 0 && from_move == 1,
            _ => false,
        };
        let each = |side| self.period(side).is_some_and(adds);
        !self.gain.is_wrong() && Color::ALL.into_iter().all(each)
    }

    /// Whether presses have not brought what the time control says.
    pub fn is_in_another_mode(&self) -> bool {
        self.gain.is_wrong()
    }

    fn open_turn(&mut self, now: Reading, whole: bool) {
        self.doubtful = None;
        self.ticked = now.at;
        let begins = if whole { now.at } else { now.at + BELIEVED_LATER };
        self.watched = self.watched.filter(|_| whole).or(Some(begins)).filter(|_| now.running);
        self.turn = now.running.then_some(Turn {
            side: now.lever,
            since: now.at,
            start: now.times,
            whole,
            prompt: false,
            late: 0,
            gap: false,
            spoiled: false,
            faulty: false,
        });
    }

    /// It is not known what happened in between, but a period that began shows.
    fn unseen(&mut self, before: Reading, now: Reading, out: &mut Vec<Finding>) {
        if !self.any_credited(before, now, true, out) && self.was_set(before, now) {
            let mut expected = before.times;
            if before.lever == now.lever {
                let own = expected.get_mut(now.lever);
                *own = own.less(now.at.since(before.at));
            }
            self.adjusted(expected, now.times, out);
        }
        self.changed = now.at;
        self.open_turn(now, false);
    }

    /// Whether the next period began for somebody.
    fn close_turn(&mut self, before: Reading, now: Reading, out: &mut Vec<Finding>) -> bool {
        let credited = self.any_credited(before, now, false, out);
        self.book(before);
        (self.turn, self.watched) = (None, None);
        credited
    }

    /// Whether a time is another one than what has passed since the reading before, and presses
    /// that nobody heard, can have made of it: the clock was set, lost its power or is another one.
    fn was_set(&self, before: Reading, now: Reading) -> bool {
        let step = passed(before, now);
        let known = self.control.is_some() && self.is_predictable();
        known
            && Color::ALL.into_iter().any(|side| {
                let rose = change(before, now, side);
                let most = presses(step) * self.bonus_ms(side) + SLACK_MS + TICK_MS;
                // Presses may bring anything as long as none has been watched.
                rose > most && self.gain.is_measured() || -rose > step + JUMP_MS
            })
    }

    fn started(&mut self, before: Reading, now: Reading, out: &mut Vec<Finding>) {
        let fresh = std::mem::take(&mut self.fresh);
        let near = |side: Color| change(before, now, side).abs() <= SLACK_MS;
        let [own, other] = [now.lever, now.lever.other()].map(|side| change(before, now, side));
        // A press that nobody heard has brought its increment already.
        let pressed = own == 0 && other != 0;
        let near = pressed || Color::ALL.into_iter().all(near);
        let seen = if near { before.times } else { now.times };
        if fresh && self.presses == ByColor::default() {
            out.extend(self.wrong_start(seen));
        } else if let Some(stopped) = self.stopped.filter(|stopped| differ(*stopped, seen)) {
            self.adjusted(stopped, seen, out);
        }
        self.stopped = None;
        self.open_turn(now, true);
    }

    fn wrong_start(&self, seen: ByColor<FaceTime>) -> Option<Finding> {
        let expected = self.control?.start()?;
        let off = |side: Color| (ms(*seen.get(side)) - ms(*expected.get(side))).abs();
        let wrong = Color::ALL.into_iter().any(|side| off(side) > SLACK_MS);
        wrong.then_some(Finding::Start { expected, seen })
    }

    /// A clock that was not seen to start still shows what it began with on the side that has not
    /// counted yet.
    fn wrong_idle(&self, idle: Color, seen: Reading) -> Option<Finding> {
        let expected = self.control?.start()?;
        let seen = self.turn.map_or(seen.times, |turn| turn.start);
        let off = (ms(*seen.get(idle)) - ms(*expected.get(idle))).abs();
        (off > SLACK_MS).then_some(Finding::Start { expected, seen })
    }

    fn adjusted(
        &mut self,
        before: ByColor<FaceTime>,
        after: ByColor<FaceTime>,
        out: &mut Vec<Finding>,
    ) {
        for side in Color::ALL {
            // The arbiter may have given a period that the clock had not.
            let more = ms(*after.get(side)) - ms(*before.get(side));
            if self.addition(side).is_some_and(|added| (more - ms(added)).abs() <= SLACK_MS) {
                self.next_period(side, out);
            }
        }
        self.defects.put_right();
        out.push(Finding::Adjusted { before, after });
    }

    /// The lever changed between two readings of a running clock: the side that counted pressed.
    fn pressed(&mut self, before: Reading, now: Reading, out: &mut Vec<Finding>) {
        let by = before.lever;
        if let Some(held) = self.doubtful.take() {
            self.confirm(held, now, out);
        }
        if std::mem::take(&mut self.fresh) && *self.presses() == ByColor::default() {
            out.extend(self.wrong_idle(by.other(), before));
        }
        *self.presses.get_mut(by) += 1;
        self.book(before);
        self.note_rise(now);
        let mut credited = self.credited(by, before, now, true, out);
        // A time that reached zero just before gave both of them the next period.
        let both = self.credited(by.other(), before, now, false, out);
        if credited && !both {
            self.note_counted(by, before, now, out);
        }
        credited |= both;
        if !credited {
            self.adds_after_flag(by, now, out);
        }
        // What is used up is not counted down any more, and how a clock goes on at zero is its own.
        let used_up = [before, now].iter().any(|it| *it.times.get(by) == FaceTime::ZERO);
        let shown = |turn: &Turn| turn.whole && !turn.spoiled && !credited && !used_up;
        if let Some(turn) = self.turn.filter(shown) {
            self.learn(turn, before, now, out);
        }
        self.weigh(now, out);
        self.open_turn(now, true);
        if let Some(turn) = &mut self.turn {
            turn.prompt = is_prompt(before, now);
            turn.late = (passed(before, now) - TICK_MS).max(0);
        }
    }

    /// What this press brought, against what it should have.
    fn learn(&mut self, turn: Turn, before: Reading, now: Reading, out: &mut Vec<Finding>) {
        let side = turn.side;
        let Some(period) = self.due(side) else { return };
        let pressed = Pressed {
            number: self.presses.get(side) + 1,
            start: ms(*turn.start.get(side)),
            last: ms(*before.times.get(side)),
            shown: ms(*now.times.get(side)),
            step: passed(before, now),
            waited: since(turn, now),
            at_once: is_prompt(before, now),
            prompt: turn.prompt && is_prompt(before, now),
            late: turn.late,
            gap: turn.gap,
            stretch: self.defects.stretch(),
        };
        let before = self.gain.reported_still();
        if let Some(seen) = self.gain.press(side, &period, &pressed) {
            out.push(Finding::Mode { expected: period, seen, before });
        }
    }

    /// The same side counts as at the reading before.
    fn counted(&mut self, before: Reading, now: Reading, out: &mut Vec<Finding>) {
        let credited = self.any_credited(before, now, false, out);
        let Some(turn) = &mut self.turn else { return };
        turn.gap |= now.at.since(before.at) > TICK;
        let turn = *turn;
        if credited {
            // Elsewhere than at zero only presses bring a period: they were not seen.
            let step = passed(before, now);
            let at_zero = ms(*before.times.get(turn.side)) <= SLACK_MS + step;
            return self.open_turn(now, turn.whole && at_zero);
        }
        if change(before, now, turn.side) > 0 {
            // A press that came and went unseen brings its increment, or its period once more.
            self.watched = Some(now.at + BELIEVED_LATER);
        }
        if turn.spoiled || !self.is_predictable() || now.flag {
            return;
        }
        if let Some(held) = self.doubtful.take() {
            return self.confirm(held, now, out);
        }
        let (own, idle) = (change(before, now, turn.side), change(before, now, turn.side.other()));
        // If the time control is not known, a rise may be a new period.
        let rose = self.control.is_some() && own.max(idle) >= JUMP_MS;
        if rose || idle <= -JUMP_MS || fell(before, now) {
            self.doubtful = Some(before);
        } else if idle > 0 || own > 0 {
            self.watched = Some(now.at + BELIEVED_LATER);
            self.spoil();
        } else {
            self.note_counts(turn, now);
            self.both_run(turn, now, out);
            self.stands_still(turn, now, out);
        }
    }

    fn spoil(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.spoiled = true;
        }
    }

    /// Whether a time of either side rose so.
    fn any_credited(
        &mut self,
        before: Reading,
        now: Reading,
        pressed: bool,
        out: &mut Vec<Finding>,
    ) -> bool {
        let mut credited = false;
        for side in Color::ALL {
            credited |= self.credited(side, before, now, pressed, out);
        }
        credited
    }

    /// Whether this side's time rose by what its next period adds, beside what presses bring: the
    /// one that was seen, and others that may have been missed.
    fn credited(
        &mut self,
        side: Color,
        before: Reading,
        now: Reading,
        pressed: bool,
        out: &mut Vec<Finding>,
    ) -> bool {
        let Some(added) = self.addition(side) else { return false };
        let (rose, step) = (change(before, now, side), now.at.since(before.at));
        let step = whole_ms(step);
        let bonus = self.bonus_ms(side);
        if rose <= JUMP_MS.max(bonus + SLACK_MS) {
            return false;
        }
        let expected = ms(added);
        // Some clocks leave out by how much the increments differ.
        let plain = self.main_time(side).map_or(expected, ms);
        let (least, most) = (expected.min(plain), expected.max(plain));
        let unheard = presses(step).clamp(2, SCRAMBLE) * bonus;
        let fits = (least - step - SLACK_MS..=most + unheard + SLACK_MS).contains(&rose);
        let spent_up = ms(*before.times.get(side)) <= SLACK_MS + step;
        if !fits {
            let presses = (unheard + bonus + SLACK_MS).max(JUMP_MS);
            if rose <= presses || !(spent_up || pressed && self.gain.is_measured()) {
                return false;
            }
            let bonus = if pressed { bonus } else { 0 };
            let seen = as_set((rose - bonus).max(0), step);
            out.push(Finding::Addition { side, expected: added, seen });
        }
        self.next_period(side, out);
        true
    }

    /// This press has brought the next period. Where a time is nearly used up, that may have.
    fn note_counted(&self, side: Color, before: Reading, now: Reading, out: &mut Vec<Finding>) {
        let spent = SLACK_MS + passed(before, now);
        let has_time = |side: Color| ms(*before.times.get(side)) > spent;
        if Color::ALL.into_iter().all(has_time) {
            let period = self.periods.get(side).saturating_sub(1);
            out.push(Finding::Counted { side, period, presses: *self.presses.get(side) });
        }
    }

    fn next_period(&mut self, side: Color, out: &mut Vec<Finding>) {
        *self.periods.get_mut(side) += 1;
        out.push(Finding::Period(side));
    }

    /// How much longer a clock with a delay waits before it counts, as last read.
    pub fn waits(&self) -> Duration {
        let Some((turn, last)) = self.turn.filter(|turn| turn.whole).zip(self.last) else {
            return Duration::ZERO;
        };
        let Some(Extra::Delay(seconds)) = self.period(turn.side).map(|it| it.extra) else {
            return Duration::ZERO;
        };
        let counted = last.times.get(turn.side) != turn.start.get(turn.side);
        let delay = Duration::from_secs(if counted { 0 } else { seconds.into() });
        delay.saturating_sub(last.at.since(turn.since))
    }

    /// What the next period of this side adds.
    pub fn addition(&self, side: Color) -> Option<FaceTime> {
        let next = usize::from(*self.periods.get(side)) + 1;
        self.control.as_ref()?.of(side).addition(next)
    }

    /// The main time of the next period of this side.
    fn main_time(&self, side: Color) -> Option<FaceTime> {
        let next = usize::from(*self.periods.get(side)) + 1;
        let period = self.control.as_ref()?.of(side).get(next)?;
        Some(FaceTime::from_ms(period.main_s.saturating_mul(1000)))
    }

    pub fn period(&self, side: Color) -> Option<&Period> {
        let index = usize::from(*self.periods.get(side));
        self.control.as_ref()?.of(side).get(index)
    }

    /// What a press of this side brings at most: what it should, or what it was seen to bring.
    fn bonus_ms(&self, side: Color) -> i64 {
        self.gain.at_most(self.period(side).map_or(0, bonus_ms))
    }

    /// Whether times only fall while they count.
    fn is_predictable(&self) -> bool {
        let fixed = |side| self.period(side).is_some_and(Period::is_predictable);
        self.control.is_none() || Color::ALL.into_iter().all(fixed)
    }
}

/// Whether the counting time fell much further in this step than it can have.
fn fell(before: Reading, now: Reading) -> bool {
    let step = passed(before, now);
    -change(before, now, now.lever) >= step + JUMP_MS
}

/// Whether a press was read before the time that counts now had lost anything.
fn is_prompt(before: Reading, now: Reading) -> bool {
    change(before, now, now.lever) == 0
}

/// Whether somebody has set these times anew: a second is only the last one to reach us.
fn differ(before: ByColor<FaceTime>, after: ByColor<FaceTime>) -> bool {
    let off = |side: Color| (ms(*after.get(side)) - ms(*before.get(side))).abs();
    Color::ALL.into_iter().any(|side| off(side) > 1000)
}

/// The time that was set, if this is seen one step later. Clocks are set in minutes, and no more
/// than the step and a second of the face is missing.
fn as_set(seen: i64, step: i64) -> FaceTime {
    let minute = (seen + step + TICK_MS) / MINUTE_MS * MINUTE_MS;
    let set = if minute >= seen && step <= whole_ms(GAP) { minute } else { seen };
    FaceTime::from_ms(u32::try_from(set).unwrap_or(u32::MAX))
}

/// How often a player may have pressed in so many milliseconds.
fn presses(step: i64) -> i64 {
    step / TWICE_PRESSED_MS + 1
}

/// What a press brings in this period at most, or for how long the clock waits in each turn.
fn bonus_ms(period: &Period) -> i64 {
    i64::from(period.per_move_s(u32::MAX)) * 1000
}

/// By how much this side's time rose, in milliseconds.
fn change(before: Reading, now: Reading, side: Color) -> i64 {
    ms(*now.times.get(side)) - ms(*before.times.get(side))
}

fn passed(before: Reading, now: Reading) -> i64 {
    whole_ms(now.at.since(before.at))
}

fn since(turn: Turn, now: Reading) -> i64 {
    whole_ms(now.at.since(turn.since))
}

fn whole_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn ms(time: FaceTime) -> i64 {
    i64::from(time.as_ms())
}

/// A reading as the keeper wants it.
pub(super) fn reading(at: Moment, face: &eboard::ClockFace, white: eboard::Side) -> Reading {
    let (left, right) = (face.dial(white), face.dial(white.other()));
    Reading {
        at,
        times: ByColor { white: left.time, black: right.time },
        lever: if face.lever == white { Color::White } else { Color::Black },
        running: face.running,
        flag: left.flag != FlagMark::None || right.flag != FlagMark::None,
    }
}
