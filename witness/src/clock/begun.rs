//! Whether a clock is that of a game that begins: by what it shows, or by how long it has counted.

use eboard::{ClockFace, FaceTime, Moment, Side};
use shakmaty::ByColor;

use super::{EARLY, Readings};
use crate::time_control::TimeControl;

/// A time that was about to lose its second when the clock was stopped, in milliseconds.
const TICK: u32 = 1000;

impl Readings {
    /// Whether it shows what both players are allotted, or the same time twice where that is not
    /// known.
    pub(crate) fn shows_a_start(&self, control: Option<TimeControl>) -> bool {
        let Some(times) = self.state().map(|state| state.times) else { return false };
        match control.and_then(|control| control.start()) {
            Some(start) => times == start,
            None => times.white == times.black,
        }
    }

    /// Whether it was set while it stood, to what both players are allotted or to the same time
    /// twice, and counts since. Nobody has pressed it since.
    pub(crate) fn is_started_anew(&self, control: Option<TimeControl>) -> bool {
        let readings = self.face().filter(|face| face.running && !self.lost).zip(self.still.shown);
        let Some((now, set)) = readings else { return false };
        let time = |face: ClockFace, side| face.dial(side).time;
        let (counts, waits) = (time(set, now.lever), time(set, now.lever.other()));
        let start = control.and_then(|control| control.start());
        // White may have moved before the clock was started: then the time of Black counts first.
        let either = |start: ByColor<FaceTime>| {
            [(start.white, start.black), (start.black, start.white)].contains(&(counts, waits))
        };
        let allotted = start.is_some_and(either);
        let alike = counts == waits && counts != FaceTime::ZERO;
        (allotted || alike) && time(now, now.lever.other()) == waits && self.was_set(set)
    }

    /// Whether a time has counted, in this game or in one before, for longer than somebody tries it
    /// out: the clock is in use.
    pub(crate) fn has_ever_counted(&self) -> bool {
        self.still.counted
    }

    /// Whether it has stood in this game since a time had counted.
    pub(crate) fn has_stopped(&self) -> bool {
        self.still.ran.is_some()
    }

    /// Whether both times were changed while it stood. A penalty changes one of them.
    pub(crate) fn was_set_on_both_sides(&self) -> bool {
        let Some((ran, shown)) = self.still.ran.zip(self.still.shown) else { return false };
        let changed = |half| ran.dial(half).time.as_ms().abs_diff(shown.dial(half).time.as_ms());
        [Side::Left, Side::Right].into_iter().all(|half| changed(half) > TICK)
    }

    /// Whether what it shows while it stands is not what was left on it.
    fn was_set(&self, set: ClockFace) -> bool {
        let Some(ran) = self.still.ran else { return true };
        let (counted, waited) = (ran.lever, ran.lever.other());
        set.dial(counted).time > ran.dial(counted).time
            || set.dial(waited).time != ran.dial(waited).time
    }

    /// Whether the time of the player who begins has counted since the pieces were set up, from
    /// what both players are allotted.
    pub(crate) fn has_just_begun(
        &self,
        set_up: Moment,
        now: Moment,
        control: Option<TimeControl>,
    ) -> bool {
        let start = control.and_then(|control| control.start());
        let face = self.face().filter(|face| face.running);
        let Some((face, start)) = face.zip(start) else { return false };
        // Whole seconds, and what is late on its way.
        let counted = now.since(set_up) + EARLY;
        let (counts, waits) = (face.dial(face.lever).time, face.dial(face.lever.other()).time);
        !self.lost
            && waits == start.black
            && counts <= start.white
            && start.white.less(counted) <= counts
    }
}
