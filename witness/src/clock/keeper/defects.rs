//! What is wrong with the clock itself (6.10.1), and what it would show had it kept time.

use crate::clock::tolerances::{
    BELIEVED_LATER, BOTH_MS, DRIFT_MS, DRIFT_SPAN_MS, FALLEN, STUCK_MS,
};

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color};

use super::stretch::{Stretch, is_plain};
use super::{
    Finding, GAP, JUMP_MS, Keeper, Reading, SLACK_MS, Turn, bonus_ms, change, ms, passed, presses,
    since, whole_ms,
};
use crate::clock::mode::longest_delay_ms;
use crate::detail::Detail;
use crate::time_control::{Extra, Period};

/// At the end of what a frame can carry a clock counts without showing it.
const LONGEST: FaceTime = FaceTime::from_hms(9, 59, 59);

/// What is wrong with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Fault {
    /// Both times count at once, whoever has the move.
    BothRun,
    /// This player's time counts also while he does not have the move.
    NeverStops(Color),
    /// The clock runs by its own account, and this player's time stands still in his turn.
    StandsStill(Color),
    /// So do both.
    BothStand,
    /// A time jumped without a press.
    Jumped(Color),
    /// It counts faster than time passes.
    Fast,
    /// It counts slower.
    Slow,
    /// A press has added to this player's time after it was used up.
    AddsAfterFlag(Color),
}

impl Fault {
    /// The stable word for machines.
    #[must_use]
    pub const fn detail(self) -> Detail {
        match self {
            Self::BothRun => Detail::BothRun,
            Self::NeverStops(_) => Detail::NeverStops,
            Self::StandsStill(_) => Detail::StandsStill,
            Self::BothStand => Detail::BothStand,
            Self::Jumped(_) => Detail::Jumped,
            Self::Fast => Detail::Fast,
            Self::Slow => Detail::Slow,
            Self::AddsAfterFlag(_) => Detail::AddsAfterFlag,
        }
    }

    /// Whose time it is about, if not both players'.
    #[must_use]
    pub const fn side(self) -> Option<Color> {
        match self {
            Self::NeverStops(side)
            | Self::StandsStill(side)
            | Self::Jumped(side)
            | Self::AddsAfterFlag(side) => Some(side),
            Self::BothRun | Self::BothStand | Self::Fast | Self::Slow => None,
        }
    }
}

/// What has been wrong with the clock so far.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Defects {
    /// Whose time has counted while he did not have the move.
    runs_on: ByColor<bool>,
    /// Whose time has stood still in his turn.
    stands: ByColor<bool>,
    /// For how much of his own turns each time has not counted since it last did, in milliseconds.
    stood: ByColor<i64>,
    /// What each side lost by it, in milliseconds; what it gained is negative.
    lost: ByColor<i64>,
    /// What was surely counted beyond our own time in the stretches before this one, and over how
    /// much of it, in milliseconds.
    drift: (i64, i64),
    stretch: Option<Stretch>,
    drift_reported: bool,
    /// It was seen not to wait: a time counted from the first moment of a turn, or a press has left
    /// a player with more than his turn began with.
    waits_not: bool,
    /// Since when each time has read zero.
    used_up: ByColor<Option<Moment>>,
    added_after_flag: bool,
}

impl Defects {
    /// What comes from now on is another stretch.
    pub fn cut(&mut self) {
        let (off, passed) = self.stretch.take().map_or((0, 0), |stretch| stretch.surely());
        self.drift = (self.drift.0 + off, self.drift.1 + passed);
    }

    /// Since when this stretch has lasted, and what was counted in it beyond our own time until
    /// the last press.
    pub fn stretch(&self) -> Option<(Moment, i64)> {
        self.stretch.map(|stretch| (stretch.since, stretch.settled().0))
    }

    /// Somebody has set the times anew.
    pub fn put_right(&mut self) {
        self.lost = ByColor::default();
    }
}

impl Keeper {
    /// A jump is one when the next reading has it too.
    pub(super) fn confirm(&mut self, held: Reading, now: Reading, out: &mut Vec<Finding>) {
        let spent = passed(held, now);
        let off =
            |side: Color| change(held, now, side) + if side == held.lever { spent } else { 0 };
        let far = |off: i64| off.abs() >= JUMP_MS - SLACK_MS;
        // The other one may only have got his increment.
        let farthest = Color::ALL.into_iter().max_by_key(|side| off(*side).abs());
        let Some(side) = farthest.filter(|side| far(off(*side))) else { return };
        // What presses between them have brought is no jump, also of those that nobody saw.
        let fewest = i64::from(held.lever == now.lever);
        let [own, idle] =
            [held.lever, held.lever.other()].map(|side| (off(side), self.bonus_ms(side)));
        let measured = self.gain.is_measured();
        let explains = |others: i64| {
            let by = others + 1 - fewest;
            // As long as no press has been watched it may bring anything, but the same to both.
            let any = if measured { 0 } else { own.0 / by };
            !far(own.0 - by * own.1.max(any)) && !far(idle.0 - others * idle.1.max(any))
        };
        if (fewest..=presses(spent / 2)).any(explains) {
            self.watched = Some(now.at + BELIEVED_LATER);
            return self.spoil();
        }
        self.fault(Fault::Jumped(side), now, out);
    }

    pub(super) fn both_run(&mut self, turn: Turn, now: Reading, out: &mut Vec<Finding>) {
        let (own, idle) = (lost(turn, now, turn.side), lost(turn, now, turn.side.other()));
        let passed = since(turn, now);
        let twice = own + idle > passed + passed / 2 + SLACK_MS;
        if own < BOTH_MS || idle < BOTH_MS || !twice || own > passed + passed / 4 + SLACK_MS {
            return;
        }
        let runs_on = &mut self.defects.runs_on;
        *runs_on.get_mut(turn.side.other()) = true;
        let both = *runs_on.get(turn.side);
        let fault = if both { Fault::BothRun } else { Fault::NeverStops(turn.side.other()) };
        self.fault(fault, now, out);
    }

    pub(super) fn stands_still(&mut self, turn: Turn, now: Reading, out: &mut Vec<Finding>) {
        let side = turn.side;
        let still = whole_ms(now.at.since(self.changed));
        let still = (still - self.waits_ms(side)).max(0);
        let before = if lost(turn, now, side) == 0 { *self.defects.stood.get(side) } else { 0 };
        let time = *now.times.get(side);
        if still + before < STUCK_MS || time == FaceTime::ZERO || time >= LONGEST {
            return;
        }
        *self.defects.stands.get_mut(side) = true;
        let both = *self.defects.stands.get(side.other());
        self.fault(if both { Fault::BothStand } else { Fault::StandsStill(side) }, now, out);
    }

    /// How long a clock may wait in each turn: one that is set to a delay instead of an increment,
    /// or of nothing, is set wrongly, and sound.
    fn waits_ms(&self, side: Color) -> i64 {
        let period = self.period(side);
        let should = period.map_or(0, bonus_ms);
        let may = match period.map(|it| it.extra) {
            Some(Extra::Delay(_)) => should,
            _ if self.defects.waits_not => 0,
            Some(Extra::Increment { .. } | Extra::Bronstein(_)) => should,
            _ => self.turn.map_or(0, |turn| longest_delay_ms(ms(*turn.start.get(side)))),
        };
        self.gain.waits_at_most(may)
    }

    /// The side whose turn it is has lost a second.
    pub(super) fn note_counts(&mut self, turn: Turn, now: Reading) {
        let at_once = turn.whole && since(turn, now) <= SLACK_MS;
        self.defects.waits_not |= at_once && lost(turn, now, turn.side) > 0;
    }

    /// A turn is over: only an increment leaves more than it began with.
    pub(super) fn note_rise(&mut self, now: Reading) {
        let rose = |turn: Turn| turn.whole && !turn.spoiled && lost(turn, now, turn.side) < 0;
        self.defects.waits_not |= self.turn.is_some_and(rose);
    }

    /// Which times are used up, and since when.
    pub(super) fn note_used_up(&mut self, now: Reading) {
        for side in Color::ALL {
            let used_up = self.defects.used_up.get_mut(side);
            *used_up = match *now.times.get(side) {
                FaceTime::ZERO => used_up.or(Some(now.at)),
                _ => None,
            };
        }
    }

    /// A press has added to a time that was used up, with no period to come. Said once: what a
    /// clock does then it does with every press.
    pub(super) fn adds_after_flag(&mut self, by: Color, now: Reading, out: &mut Vec<Finding>) {
        // A report that was late may show a zero that was none when the clock was pressed.
        let fallen = self.defects.used_up.get(by).is_some_and(|at| now.at.since(at) > FALLEN);
        let last =
            self.period(by).is_some_and(Period::is_predictable) && self.addition(by).is_none();
        let added = *now.times.get(by) > FaceTime::ZERO;
        if fallen && last && added && !std::mem::replace(&mut self.defects.added_after_flag, true) {
            let mut ours = now.times;
            *ours.get_mut(by) = FaceTime::ZERO;
            let fault = Fault::AddsAfterFlag(by);
            out.push(Finding::Fault { fault, shown: now.times, ours });
        }
    }

    fn delay_ms(&self, side: Color) -> i64 {
        match self.period(side).map(|period| period.extra) {
            Some(Extra::Delay(seconds)) => i64::from(seconds) * 1000,
            _ => 0,
        }
    }

    fn fault(&mut self, fault: Fault, now: Reading, out: &mut Vec<Finding>) {
        let Some(turn) = &mut self.turn else { return };
        (turn.faulty, turn.spoiled) = (true, true);
        let turn = *turn;
        let fair = |side: Color| *self.defects.lost.get(side) + self.wronged(turn, now, side);
        let ours =
            given(now.times, ByColor { white: fair(Color::White), black: fair(Color::Black) });
        out.push(Finding::Fault { fault, shown: now.times, ours });
    }

    /// What this side would have left, had the clock kept time; none as far as it has.
    pub fn fair(&self, side: Color) -> Option<FaceTime> {
        let now = self.last?;
        let turn = self.turn.filter(|turn| turn.faulty);
        let drift = if self.defects.drift_reported { self.drift().0 / 2 } else { 0 };
        let lost = *self.defects.lost.get(side) + turn.map_or(0, |it| self.wronged(it, now, side));
        let back = ByColor { white: lost + drift, black: lost + drift };
        (lost + drift != 0).then(|| *given(now.times, back).get(side))
    }

    /// What a side has lost in this turn beyond what passed in it for him.
    fn wronged(&self, turn: Turn, now: Reading, side: Color) -> i64 {
        let own = side == turn.side;
        let due = if own { (since(turn, now) - self.delay_ms(side)).max(0) } else { 0 };
        lost(turn, now, side) - due
    }

    /// The turn is over; `last` is the last reading in it.
    pub(super) fn book(&mut self, last: Reading) {
        let Some(turn) = self.turn else { return };
        let stood = (since(turn, last) - self.waits_ms(turn.side)).max(0);
        if lost(turn, last, turn.side) == 0 {
            *self.defects.stood.get_mut(turn.side) += stood;
        } else if !turn.faulty {
            *self.defects.stood.get_mut(turn.side) = 0;
            *self.defects.stands.get_mut(turn.side) = false;
        }
        if turn.faulty {
            for side in Color::ALL {
                let wronged = self.wronged(turn, last, side);
                *self.defects.lost.get_mut(side) += wronged;
            }
        }
    }

    /// Takes this reading to the stretch, or ends it. Only a clock that waits for nothing can be
    /// compared, and one whose presses bring what they should.
    pub(super) fn follow(&mut self, before: Reading, now: Reading) {
        let seen = before.running && now.running && now.at.since(before.at) <= GAP;
        let due = if before.lever == now.lever { Some(0) } else { self.given(before.lever) };
        let faulty = self.turn.is_some_and(|turn| turn.faulty);
        let fits = |due: &i64| seen && !faulty && is_plain(before, now, *due);
        if self.gain.is_wrong() {
            // What presses bring is not what was reckoned with.
            self.defects.stretch = None;
        } else if let Some(due) = due.filter(fits) {
            let stretch = self.defects.stretch.get_or_insert_with(|| Stretch::from(before));
            stretch.follow(before, now, due);
        } else {
            self.defects.cut();
        }
    }

    /// What a press of this side should bring, in milliseconds, on a clock that waits for nothing.
    fn given(&self, side: Color) -> Option<i64> {
        match self.period(side)?.extra {
            Extra::None => Some(0),
            Extra::Increment { seconds, from_move: 1 } => Some(i64::from(seconds) * 1000),
            _ => None,
        }
    }

    /// What was counted beyond our own time, and over how much of it.
    fn drift(&self) -> (i64, i64) {
        let (off, span) = self.defects.drift;
        let (more, passed) = self.defects.stretch.map_or((0, 0), |stretch| stretch.settled());
        (off + more, span + passed)
    }

    /// After a press. A clock that is worlds away is none that anybody plays with.
    pub(super) fn weigh(&mut self, now: Reading, out: &mut Vec<Finding>) {
        // What a press brings is not known then.
        if self.gain.is_doubted() || self.defects.drift_reported {
            return;
        }
        let (off, span) = self.drift();
        let sure = self.defects.stretch.map_or(0, |stretch| stretch.surely().0);
        let sure = self.defects.drift.0 + sure;
        let believable = off.abs() < span / 3;
        let wrong = sure.abs() > DRIFT_MS.max(span / 50);
        if span < DRIFT_SPAN_MS || !wrong || !believable {
            return;
        }
        self.defects.drift_reported = true;
        // Each side gets back what it lost: half of the whole, as both have played.
        let ours = given(now.times, ByColor { white: off / 2, black: off / 2 });
        let fault = if off > 0 { Fault::Fast } else { Fault::Slow };
        out.push(Finding::Fault { fault, shown: now.times, ours });
    }
}

/// What a side has lost since the turn began.
pub(super) fn lost(turn: Turn, now: Reading, side: Color) -> i64 {
    ms(*turn.start.get(side)) - ms(*now.times.get(side))
}

/// These times, with so many milliseconds given back.
fn given(times: ByColor<FaceTime>, back: ByColor<i64>) -> ByColor<FaceTime> {
    let fair = |side: Color| {
        let ms = (ms(*times.get(side)) + back.get(side)).max(0);
        FaceTime::from_ms(u32::try_from(ms).unwrap_or(u32::MAX))
    };
    ByColor { white: fair(Color::White), black: fair(Color::Black) }
}
