//! The chess clock of one table: whose half is whose, presses, and fallen flags. What the Laws
//! make of it is not decided here.

mod begun;
mod count;
mod held;
mod keeper;
mod lever;
mod mode;
mod second;
mod shown;
mod sides;
pub(crate) mod tolerances;

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, FlagMark, Moment, Side};
use keeper::Keeper;
use shakmaty::{ByColor, Color};
use sides::Sides;

use crate::clock::tolerances::{EARLY, FASTEST, HELD_UP, PASSING, SECOND, TRIED, WRONGED};
use crate::time_control::{Extra, TimeControl};

pub(crate) use count::{Presses, Sample};
pub(crate) use held::Lever;
pub use keeper::{Fault, Finding};
pub use mode::Manner;
pub use shown::Clocks;
pub(crate) use sides::Owed;

/// The clock as last read, by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// What each player has left.
    pub times: ByColor<FaceTime>,
    /// Whose time is counting; none when the clock is stopped.
    pub running: Option<Color>,
    /// Whose flag fell first.
    pub flag: Option<Color>,
    /// The sign the clock shows for it.
    pub mark: FlagMark,
    /// When the time that counts will be used up, if nobody presses.
    pub flag_due: Option<Moment>,
    /// In which period of the time control each player is, from 1.
    pub periods: ByColor<u8>,
    /// The clock shows its low-battery sign.
    pub low_battery: bool,
    /// When it was read; of a second that was read again, when it was read first.
    pub sampled: Moment,
}

/// A flag that fell, as an interval: no clock reports the instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FlagFall {
    /// Whose time ran out.
    pub side: Color,
    /// The last reading above zero.
    pub last_above_zero: Option<Moment>,
    /// The first reading at zero, or with the clock's flag sign.
    pub seen: Moment,
    /// The sign the clock itself shows.
    pub mark: FlagMark,
    /// What the opponent had left.
    pub opponent: FaceTime,
    /// The period that ended with it, from 0.
    pub period: u8,
    /// The clock does not keep time. By our own clock this player would have had this time left.
    pub ours: Option<FaceTime>,
}

/// What a reading shows that was not so before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockEvent {
    /// A time began to count from a standstill.
    Started,
    /// Both times stand.
    Stopped,
    /// This side pressed: the other side's time counts now.
    Pressed(Color),
    /// A time ran out.
    Flag(FlagFall),
    /// The readings do not agree with the time control, with our own time or with each other.
    Found(Finding),
}

/// The last reading of a time above zero.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Above {
    at: Moment,
    time: FaceTime,
    /// The reading before it, or the last one of those that were not held up.
    before: Moment,
}

impl Above {
    fn followed(last: Option<Self>, at: Moment, time: FaceTime) -> Self {
        Self { at, time, before: last.map_or(at, |last| last.heard(at, time)) }
    }

    /// When this time was last read, now that another one is. Readings that come faster than a
    /// clock counts were held up on their way, and say nothing of when they were true.
    fn heard(self, at: Moment, time: FaceTime) -> Moment {
        let counted = Duration::from_millis(self.time.as_ms().saturating_sub(time.as_ms()).into());
        if counted > at.since(self.at) + HELD_UP { self.before } else { self.at }
    }
}

/// What was read when both times stood, and whether one has counted.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
struct Standstill {
    /// What was read last meanwhile.
    shown: Option<ClockFace>,
    /// What was read last before it, in this game.
    ran: Option<ClockFace>,
    /// A time has counted, in this game or in one before, and was not only tried out.
    counted: bool,
    /// When it began to count that counts now.
    started: Option<Moment>,
    /// When the lever was moved last meanwhile.
    tipped: Option<Moment>,
}

/// All that was read of the clock of one table.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct Readings {
    face: Option<(Moment, ClockFace)>,
    /// When the second that counts now was read first.
    second: Moment,
    still: Standstill,
    /// A reading that the one before it rules out, until the next one.
    held: Option<(Moment, ClockFace)>,
    /// What two readings in a row have said of the lever.
    steady: Option<Lever>,
    /// Which half has the move by the lever of a clock that reports no times.
    lever: Option<Side>,
    sides: Sides,
    above_zero: ByColor<Option<Above>>,
    flags: Vec<FlagFall>,
    lost: bool,
    /// With the last reading the time that counts had just lost a second.
    ticked: bool,
    /// Since when each time has read zero.
    zero: ByColor<Option<Moment>>,
    /// Moves completed by the score, and whether any was made.
    moves: ByColor<u32>,
    begun: bool,
    keeper: Keeper,
}

/// What follows a period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterPeriod {
    /// The time control is not known.
    Unknown,
    /// It is the last one.
    Nothing,
    /// Another period.
    Another,
}

impl Readings {
    /// What the clock shows, by colour; none before a clock was read and its sides are known.
    fn state(&self) -> Option<ClockState> {
        let (read_at, face) = self.face?;
        let waits = self.keeper.waits();
        // Read again, it is no younger: only what waits has not begun to pass.
        let sampled = if waits > Duration::ZERO { read_at } else { self.second };
        let white = self.white_half()?;
        let read = ByColor { white: face.dial(white).time, black: face.dial(white.other()).time };
        let times = ByColor {
            white: self.not_falsely_zero(sampled, Color::White, read.white),
            black: self.not_falsely_zero(sampled, Color::Black, read.black),
        };
        let running = face.running.then(|| self.color_of(face.lever)).flatten();
        let counting = running.map(|side| *times.get(side)).filter(|time| *time > FaceTime::ZERO);
        let passing = |fall: &&FlagFall| read.get(fall.side) != times.get(fall.side);
        let down = self.flags().find(|fall| !passing(fall));
        Some(ClockState {
            times,
            running,
            flag: down.map(|fall| fall.side),
            mark: down.map_or(FlagMark::None, |fall| fall.mark),
            flag_due: counting.map(|it| sampled + waits + Duration::from_millis(it.as_ms().into())),
            periods: self.keeper.periods().map(|period| period.saturating_add(1)),
            low_battery: face.low_battery,
            sampled,
        })
    }

    /// Between two periods a clock may read zero for a moment. A player who has made his moves has
    /// the next period's time then, and its first second has not passed.
    fn not_falsely_zero(&self, sampled: Moment, side: Color, time: FaceTime) -> FaceTime {
        let passing = self.zero.get(side).is_some_and(|since| sampled.since(since) < PASSING);
        if time > FaceTime::ZERO || !passing || !self.has_made_his_moves(side, self.period(side)) {
            return time;
        }
        self.keeper.addition(side).unwrap_or(time)
    }

    /// Whether the last reading of this side was zero, whatever it is taken for.
    pub(crate) fn reads_zero(&self, side: Color) -> bool {
        self.zero.get(side).is_some()
    }

    /// Whether the moves of this period, from 0, are completed by the score.
    pub(crate) fn has_made_his_moves(&self, side: Color, period: u8) -> bool {
        self.moves_required(side, period).is_none_or(|required| required <= *self.moves.get(side))
    }

    /// Moves this side must have completed by the end of this period.
    pub(crate) fn moves_required(&self, side: Color, period: u8) -> Option<u32> {
        self.keeper.control()?.of(side).required(usize::from(period))
    }

    /// In which period this side is, from 0.
    pub(crate) fn period(&self, side: Color) -> u8 {
        *self.keeper.periods().get(side)
    }

    /// What follows this period of this side.
    pub(crate) fn after_period(&self, side: Color, period: u8) -> AfterPeriod {
        let periods = self.keeper.control().map(|control| control.of(side));
        match periods.filter(|periods| !periods.all().is_empty()) {
            None => AfterPeriod::Unknown,
            Some(periods) if periods.is_last(usize::from(period)) => AfterPeriod::Nothing,
            Some(_) => AfterPeriod::Another,
        }
    }

    /// Whether this side's period is one of byo-yomi.
    pub(crate) fn is_byo_yomi(&self, side: Color) -> bool {
        let periods = self.keeper.control().map(|control| control.of(side));
        let period = periods.and_then(|periods| periods.get(usize::from(self.period(side))));
        period.is_some_and(|it| matches!(it.extra, Extra::Japanese { .. } | Extra::Canadian { .. }))
    }

    /// What the next period of this side adds.
    pub(crate) fn addition(&self, side: Color) -> Option<FaceTime> {
        self.keeper.addition(side)
    }

    /// Since when every reading of a running clock was heard.
    pub(crate) fn watched(&self) -> Option<Moment> {
        self.keeper.watched()
    }

    /// Whether it was read later than so long before this moment.
    pub(crate) fn heard_since(&self, moment: Moment, before: Duration) -> bool {
        self.face.is_some_and(|(read, _)| read + before > moment)
    }

    /// Presses seen in this game.
    pub(crate) fn presses(&self) -> &ByColor<u32> {
        self.keeper.presses()
    }

    /// It was set anew by order: what presses brought before says nothing of those to come.
    pub(crate) fn is_set_anew(&mut self) {
        self.keeper.is_set_anew();
    }

    /// A move of this side needed no press: none is missing.
    pub(crate) fn count_press(&mut self, side: Color) {
        self.keeper.count_press(side);
    }

    /// Whether this is what is expected already.
    fn expects(&self, control: Option<&TimeControl>, moves: ByColor<u32>, begun: bool) -> bool {
        (self.moves, self.begun) == (moves, begun) && self.keeper.control() == control
    }

    /// The time control in force, the moves completed by the score, and whether any was made.
    pub(crate) fn expect(
        &mut self,
        control: Option<TimeControl>,
        moves: ByColor<u32>,
        begun: bool,
    ) {
        (self.moves, self.begun) = (moves, begun);
        self.keeper.expect(control);
    }

    /// What was read last.
    pub(crate) fn face(&self) -> Option<ClockFace> {
        self.face.map(|(_, face)| face)
    }

    /// Whether a time counts, by a clock that is there.
    pub(crate) fn counts(&self) -> bool {
        !self.lost && self.face.is_some_and(|(_, face)| face.running)
    }

    /// Whether times are standing still although a clock is there.
    #[must_use]
    pub fn stopped(&self) -> bool {
        !self.lost && self.face.is_some_and(|(_, face)| !face.running)
    }

    /// The flags that are down, the first one first: where the next period has begun since, the
    /// clock may still show its sign, but nothing has run out any more.
    pub fn flags(&self) -> impl Iterator<Item = &FlagFall> {
        self.flags.iter().filter(|fall| self.period(fall.side) <= fall.period)
    }

    /// The clock is no longer connected; the last reading stays, its age shows.
    #[must_use]
    pub fn lost(&self) -> bool {
        self.lost
    }

    /// Whether only the half has counted since the clock stood that does not count now: the start
    /// and a press were not heard.
    pub(crate) fn was_pressed_unheard(&self) -> bool {
        let Some((now, then)) = self.face().zip(self.still.shown) else { return false };
        let (other, stood) =
            (now.lever.other(), now.dial(now.lever).time == then.dial(now.lever).time);
        let (is, was) = (now.dial(other).time, then.dial(other).time);
        // A time rises by a press, but in an hourglass also while the other one counts.
        let adds = |side| {
            let period = self.keeper.period(side);
            period.is_some_and(|it| matches!(it.extra, Extra::Increment { .. }))
        };
        now.running && stood && (is < was || is > was && adds(Color::White))
    }

    /// Whether the lever was moved later than that while the clock stood.
    pub(crate) fn was_tipped_since(&self, moment: Moment) -> bool {
        self.still.tipped.is_some_and(|tipped| tipped > moment)
    }

    /// Whether the lever has gone over since the clock stood: before it was started, or with a
    /// press that was not heard.
    pub(crate) fn has_gone_over(&self) -> bool {
        let readings = self.face().zip(self.still.shown);
        readings.is_some_and(|(now, then)| now.running && now.lever != then.lever)
    }

    /// Whose half is whose is known otherwise: what was read before says nothing more.
    fn read_anew(&mut self, white: Side) {
        let last = self.face.filter(|_| !self.lost);
        self.keeper.forget(last.map(|(at, face)| keeper::reading(at, &face, white)));
    }

    pub(crate) fn lose(&mut self) {
        self.lost = true;
        self.lever = None;
        self.forget_held();
    }

    /// A new game: flags and memory of zero are history. `fresh`: from the beginning, with both
    /// times as they are allotted.
    pub(crate) fn new_game(&mut self, fresh: bool) {
        self.flags.clear();
        self.still.ran = None;
        self.above_zero = ByColor::default();
        self.zero = ByColor::default();
        self.keeper.new_game(fresh);
    }

    /// The same game goes on in another score: only presses are counted anew, as moves are.
    pub(crate) fn go_on(&mut self) {
        self.keeper.go_on();
    }

    pub(crate) fn read(&mut self, now: Moment, face: ClockFace, out: &mut Vec<ClockEvent>) {
        if (self.lost || self.face.is_none()) && self.begun {
            self.keeper.was_not_watched();
        }
        let before = self.face.replace((now, face));
        let again = face.running && before.is_some_and(|(_, before)| before == face);
        if self.lost || !again || now.since(self.second) >= SECOND {
            self.second = now;
        }
        if !face.running {
            let tipped = before.is_some_and(|(_, it)| !it.running && it.lever != face.lever);
            self.still.tipped = tipped.then_some(now).or(self.still.tipped);
            self.still.shown = Some(face);
            self.still.ran =
                before.map(|(_, before)| before).filter(|it| it.running).or(self.still.ran);
        }
        let watched = before.filter(|_| !self.lost).map(|(_, before)| before);
        self.lost = false;
        self.note_counting(now, watched, face);
        self.ticked = before.is_some_and(|(_, before)| is_tick(before, face));
        if let Some((_, before)) = before {
            self.read_lever(before, face, out);
            self.note_steady(before, face);
        }
        let periods = *self.keeper.periods();
        if let Some(white) = self.white_half() {
            let mut findings = Vec::new();
            self.keeper.read(keeper::reading(now, &face, white), &mut findings);
            out.extend(findings.into_iter().map(ClockEvent::Found));
        }
        for side in Color::ALL {
            self.read_flag(now, side, before, face, *periods.get(side), out);
        }
        // A sign is on the side that was first.
        self.flags.sort_by_key(|fall| (fall.seen, fall.mark == FlagMark::None));
    }

    /// A clock is in use when it has counted for longer than somebody tries it out, or is pressed.
    fn note_counting(&mut self, now: Moment, before: Option<ClockFace>, face: ClockFace) {
        if !face.running {
            self.still.started = None;
            return;
        }
        let started = *self.still.started.get_or_insert(now);
        let pressed = before.is_none_or(|it| it.running && it.lever != face.lever);
        self.still.counted |= pressed || now.since(started) >= TRIED;
    }

    fn read_lever(&self, before: ClockFace, face: ClockFace, out: &mut Vec<ClockEvent>) {
        match (before.running, face.running) {
            (false, true) => out.push(ClockEvent::Started),
            (true, false) => out.push(ClockEvent::Stopped),
            _ => {}
        }
        // A lever moved while both times stand is nobody's press.
        if before.lever != face.lever
            && before.running
            && face.running
            && let Some(color) = self.color_of(before.lever)
        {
            out.push(ClockEvent::Pressed(color));
        }
    }

    /// Zero counts only for a side whose time was counting, or counts now: a stopped clock that is
    /// being set passes through zero without meaning anything.
    fn read_flag(
        &mut self,
        now: Moment,
        side: Color,
        before: Option<(Moment, ClockFace)>,
        face: ClockFace,
        period: u8,
        out: &mut Vec<ClockEvent>,
    ) {
        let Some(half) = self.side_of(side) else { return };
        let dial = face.dial(half);
        let above_zero = *self.above_zero.get(side);
        if dial.time > FaceTime::ZERO {
            *self.above_zero.get_mut(side) = Some(Above::followed(above_zero, now, dial.time));
            *self.zero.get_mut(side) = None;
            if dial.flag == FlagMark::None {
                // A new period, or time added: the next fall is another one.
                self.flags.retain(|fall| fall.side != side);
            }
        } else {
            self.zero.get_mut(side).get_or_insert(now);
        }
        let Some((read, before)) = before.filter(|(_, before)| before.running) else { return };
        let was = before.dial(half);
        // A clock blocked at zero may have had its lever moved since.
        let counted = before.lever == half || face.lever == half;
        let reachable = was.time.less(now.since(read) + EARLY) == FaceTime::ZERO;
        // A clock that begins the next period at zero may never show the zero.
        let over_zero = period < *self.keeper.periods().get(side) && face.lever == before.lever;
        let at_zero = dial.time == FaceTime::ZERO || over_zero;
        let ran_out = counted && reachable && was.time > FaceTime::ZERO && at_zero;
        let blocked = dial.flag == FlagMark::Final && was.flag != FlagMark::Final;
        let marked = blocked || (dial.flag != FlagMark::None && was.flag == FlagMark::None);
        let known = |fall: &FlagFall| fall.side == side && fall.period == period;
        if !(ran_out || marked) || self.flags.iter().any(known) {
            return;
        }
        // The sign of an earlier period may still be shown.
        self.flags.retain(|fall| fall.side != side);
        let fall = FlagFall {
            side,
            last_above_zero: above_zero.map(|it| it.heard(now, FaceTime::ZERO)),
            seen: now,
            mark: dial.flag,
            opponent: face.dial(half.other()).time,
            period,
            ours: self.keeper.fair(side).filter(|left| *left > WRONGED),
        };
        self.flags.push(fall);
        out.push(ClockEvent::Flag(fall));
    }
}

/// Whether the same time counts at both readings, and shows another second.
fn is_tick(before: ClockFace, now: ClockFace) -> bool {
    let counts = |face: ClockFace| face.dial(face.lever).time;
    let same = before.running && now.running && before.lever == now.lever;
    same && counts(now) < counts(before)
}

#[cfg(test)]
mod tests {
    use eboard::Dial;

    use super::*;

    fn face(left: u32, right: u32, running: bool, lever: Side) -> ClockFace {
        let dial = |seconds| Dial { time: FaceTime::from_ms(seconds * 1000), ..Dial::default() };
        ClockFace { left: dial(left), right: dial(right), running, lever, low_battery: false }
    }

    fn read(clocks: &mut Readings, second: u64, face: ClockFace) -> Vec<ClockEvent> {
        let mut out = Vec::new();
        clocks.read(Moment::from_micros(second * 1_000_000), face, &mut out);
        out
    }

    #[test]
    fn the_side_whose_time_counted_is_the_one_who_pressed() {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        assert_eq!(read(&mut clocks, 1, face(60, 60, false, Side::Left)), []);
        let started = read(&mut clocks, 2, face(60, 60, true, Side::Left));
        assert_eq!(started, [ClockEvent::Started]);
        let pressed = read(&mut clocks, 3, face(62, 60, true, Side::Right));
        assert_eq!(pressed, [ClockEvent::Pressed(Color::White)]);
        assert_eq!(clocks.state().map(|it| it.running), Some(Some(Color::Black)));
    }

    #[test]
    fn a_second_that_is_read_again_is_no_younger() {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        let at = |ms: u64| Moment::from_micros(ms * 1000);
        let mut reads = |ms: u64, left: u32| {
            clocks.read(at(ms), face(left, 60, true, Side::Left), &mut Vec::new());
            clocks.state().map(|it| (it.sampled, it.flag_due))
        };
        assert_eq!(reads(1000, 20), Some((at(1000), Some(at(21_000)))));
        assert_eq!(reads(1700, 20), Some((at(1000), Some(at(21_000)))));
        assert_eq!(reads(2000, 19), Some((at(2000), Some(at(21_000)))));
        // One that stands still is as young as its last reading.
        assert_eq!(reads(4000, 19), Some((at(4000), Some(at(23_000)))));
    }

    #[test]
    fn a_flag_falls_once_and_only_on_the_side_that_counted() {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        read(&mut clocks, 1, face(1, 16, true, Side::Left));
        let fallen = read(&mut clocks, 2, face(0, 16, false, Side::Left));
        let [ClockEvent::Stopped, ClockEvent::Flag(fall)] = fallen[..] else {
            panic!("{fallen:?}");
        };
        assert_eq!(fall.side, Color::White);
        assert_eq!(fall.last_above_zero, Some(Moment::from_micros(1_000_000)));
        assert_eq!(fall.seen, Moment::from_micros(2_000_000));
        assert_eq!(read(&mut clocks, 3, face(0, 16, false, Side::Left)), []);
    }

    #[test]
    fn readings_that_were_held_up_do_not_narrow_the_interval() {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        read(&mut clocks, 1, face(10, 16, true, Side::Left));
        read(&mut clocks, 2, face(9, 16, true, Side::Left));
        // Nobody listened for a quarter of a minute: all that was said meanwhile is heard at once.
        for left in (1..=8).rev() {
            read(&mut clocks, 17, face(left, 16, true, Side::Left));
        }
        let fallen = read(&mut clocks, 17, face(0, 16, true, Side::Left));
        let [ClockEvent::Flag(fall)] = fallen[..] else { panic!("{fallen:?}") };
        assert_eq!(fall.last_above_zero, Some(Moment::from_micros(2_000_000)));
        assert_eq!(fall.seen, Moment::from_micros(17_000_000));
    }

    #[test]
    fn a_flag_may_fall_again_in_the_next_period() {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        read(&mut clocks, 1, face(1, 16, true, Side::Left));
        assert_eq!(read(&mut clocks, 2, face(0, 16, true, Side::Left)).len(), 1);
        assert_eq!(clocks.state().and_then(|it| it.flag), Some(Color::White));
        read(&mut clocks, 3, face(1800, 1816, true, Side::Left));
        assert_eq!(clocks.state().and_then(|it| it.flag), None);
        read(&mut clocks, 1802, face(1, 1816, true, Side::Left));
        let again = read(&mut clocks, 1803, face(0, 1816, true, Side::Left));
        assert!(matches!(again[..], [ClockEvent::Flag(_)]), "{again:?}");
    }

    #[test]
    fn a_stopped_clock_that_is_being_set_has_no_flag() {
        let mut clocks = Readings::default();
        clocks.suppose(false);
        read(&mut clocks, 1, face(60, 60, false, Side::Left));
        assert_eq!(read(&mut clocks, 2, face(0, 60, false, Side::Left)), []);
        assert_eq!(read(&mut clocks, 3, face(0, 0, false, Side::Right)), []);
    }
}
