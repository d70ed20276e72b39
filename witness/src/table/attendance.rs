//! The start of the round at a table (6.6, 6.7): whether White's clock runs, and which player has
//! given no sign yet. A board does not see a player who sits there and thinks.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::{Effect, Event, Phase, Play};
use crate::detail::Detail;
use crate::incident::{Facts, Kind};
use crate::laws::attendance;
use crate::score::Ply;
use crate::table::tolerances::{GRACE, SET_BY_HAND_MS, THINKS};

/// What has been seen at a table since its round started.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Attendance {
    /// The start that this is about.
    start: Option<Moment>,
    /// The game of the round has begun.
    begun: bool,
    /// A time has counted in it.
    timed: bool,
    seen: ByColor<bool>,
    reported: Reported,
}

/// What was reported already.
#[derive(Clone, Debug, Default, Encode, Decode)]
struct Reported {
    not_started: bool,
    absent: ByColor<bool>,
}

/// What stands at the table now.
struct View<'a> {
    /// When the round starts or has started.
    start: Option<Moment>,
    /// How late a player may come; zero: nobody asks.
    limit: Duration,
    phase: Phase,
    /// A clock is there to be started for this game, and was not.
    stands: bool,
    /// A time has counted in this game.
    ran: bool,
    plies: &'a [Ply],
}

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// White's clock does not run.
    Start,
    /// This player has given no sign.
    Sign(Color),
}

impl Attendance {
    /// Looks at what has happened. Whether a time has counted in the game of a round that has
    /// started.
    fn follow(&mut self, now: Moment, view: &View<'_>, events: &[Event]) -> bool {
        if self.start != view.start {
            *self = Self { start: view.start, ..Self::default() };
        }
        if self.start.is_none_or(|start| now < start) {
            return false;
        }
        for event in events {
            let side = match event {
                Event::Touched(it) => it.lifted.or(it.put).map(|piece| piece.color),
                Event::Pressed(side) => Some(*side),
                Event::Released { ply, .. } => Some(!ply.after.turn()),
                _ => None,
            };
            if let Some(side) = side {
                *self.seen.get_mut(side) = true;
            }
        }
        self.begun |= view.ran || !view.plies.is_empty();
        self.timed |= view.ran;
        view.ran
    }

    /// Whether time alone changes nothing here before a timer rings.
    pub(super) fn is_settled(&self) -> bool {
        self.start.is_none() || self.begun
    }

    fn due_at(&self, view: &View<'_>) -> Option<Moment> {
        self.awaited(view).into_iter().flatten().map(|(at, _)| at).min()
    }

    /// What is missing by now; each only once.
    fn due(&mut self, now: Moment, view: &View<'_>) -> Vec<Missing> {
        let awaited = self.awaited(view).into_iter().flatten();
        let due = awaited.filter(|(at, _)| *at <= now).map(|(_, missing)| missing);
        due.inspect(|missing| match missing {
            Missing::Start => self.reported.not_started = true,
            Missing::Sign(side) => *self.reported.absent.get_mut(*side) = true,
        })
        .collect()
    }

    /// What is waited for, and until when.
    fn awaited(&self, view: &View<'_>) -> [Option<(Moment, Missing)>; 3] {
        let sign = |side| Some((self.absent_at(view, side)?, Missing::Sign(side)));
        let start = self.not_started_at(view).map(|at| (at, Missing::Start));
        [start, sign(Color::White), sign(Color::Black)]
    }

    /// When White's clock should run at the latest.
    fn not_started_at(&self, view: &View<'_>) -> Option<Moment> {
        let playing = matches!(view.phase, Phase::Ready | Phase::InPlay | Phase::Adrift);
        let waits = playing && view.stands && !self.timed && !self.reported.not_started;
        Some(self.start.filter(|_| waits)? + GRACE)
    }

    /// When this player must have given a sign at the latest.
    fn absent_at(&self, view: &View<'_>, side: Color) -> Option<Moment> {
        let known = *self.seen.get(side) || *self.reported.absent.get(side);
        let playing = matches!(view.phase, Phase::Ready | Phase::InPlay | Phase::Paused);
        let start = self.start.filter(|_| !view.limit.is_zero() && !known && playing)?;
        match (side, view.plies) {
            // Set up once more after the game of the round.
            (Color::White, []) if self.begun && !view.ran => None,
            (Color::White, []) => Some(start + view.limit),
            (Color::Black, [first]) => Some((start + view.limit).max(first.released + THINKS)),
            _ => None,
        }
    }
}

impl Play {
    /// Looks at what the step has brought.
    pub(super) fn note_attendance(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let mut attendance = std::mem::take(&mut self.checks.attendance);
        let on = attendance.follow(now, &self.attendance_view(), &self.step.events);
        self.checks.attendance = attendance;
        if on {
            self.close_kind(Kind::NotStarted, out);
        }
    }

    pub(super) fn attendance_due_at(&self) -> Option<Moment> {
        self.checks.attendance.due_at(&self.attendance_view())
    }

    pub(super) fn attendance_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let mut attendance = std::mem::take(&mut self.checks.attendance);
        let missing = attendance.due(now, &self.attendance_view());
        self.checks.attendance = attendance;
        for missing in missing {
            self.tell_missing(now, missing, out);
        }
    }

    fn attendance_view(&self) -> View<'_> {
        View {
            start: self.round_start(),
            limit: self.settings.default_time,
            phase: self.phase,
            stands: self.waits_for_its_clock(),
            ran: self.game.clock.ran,
            plies: self.game.score.plies(),
        }
    }

    fn tell_missing(&mut self, now: Moment, missing: Missing, out: &mut Vec<Effect>) {
        let since = self.round_start();
        self.note_shown(now, self.clocks.state().map(|state| state.times));
        let facts = Facts { since, ..self.facts() };
        let (kind, side, text, advice) = match missing {
            Missing::Start => {
                let advice = attendance::not_started_advice(self.settings.edition);
                (Kind::NotStarted, None, attendance::not_started(), advice)
            }
            Missing::Sign(side) => {
                let ago = since.map_or(Duration::ZERO, |since| now.since(since));
                let text = attendance::default_time(side, ago);
                (Kind::DefaultTime, Some(side), text, attendance::default_time_advice())
            }
        };
        self.raise(now, Saying { kind, side, text, facts, advice }, out);
    }

    /// Whether the clock was started late, with the lost time taken off: both times together are
    /// less by as much as the round is late. The Laws charge White (6.7.2, 6.7.b). A competition's
    /// rules may share the time between the players. An arbiter has to look at any other share.
    pub(super) fn is_lateness(
        &mut self,
        now: Moment,
        expected: ByColor<FaceTime>,
        seen: ByColor<FaceTime>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let late = self.round_start().map(|start| now.since(start)).filter(|late| *late >= GRACE);
        let Some(late) = late.and_then(|late| u32::try_from(late.as_millis()).ok()) else {
            return false;
        };
        let less = |side| expected.get(side).as_ms().checked_sub(seen.get(side).as_ms());
        let (Some(white), Some(black)) = (less(Color::White), less(Color::Black)) else {
            return false;
        };
        // Set by hand in minutes, and started a little later.
        let near = |one: u32, other: u32| one.abs_diff(other) <= SET_BY_HAND_MS;
        if !near(white.saturating_add(black), late) {
            return false;
        }
        if !near(white, black) && black > SET_BY_HAND_MS {
            let kind = Kind::ClockSetting;
            let text = attendance::shared_unequally(late / 60_000, white / 60_000, black / 60_000);
            let advice = vec![attendance::lost_time(self.settings.edition)];
            let detail = Some(Detail::Lateness);
            let facts = Facts { expected: Some(expected), detail, ..self.facts() };
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    /// A table where nobody has come to a round that starts at 100 s.
    fn waiting() -> View<'static> {
        View {
            start: Some(at(100)),
            limit: Duration::from_secs(900),
            phase: Phase::Ready,
            stands: true,
            ran: false,
            plies: &[],
        }
    }

    #[test]
    fn who_does_not_come_is_reported_once_and_whites_clock_before() {
        let (mut attendance, view) = (Attendance::default(), waiting());
        assert!(!attendance.follow(at(50), &view, &[]));
        assert!(!attendance.follow(at(100), &view, &[]));
        assert_eq!(attendance.due_at(&view), Some(at(160)));
        assert_eq!(attendance.due(at(160), &view), [Missing::Start]);
        assert_eq!(attendance.due_at(&view), Some(at(1000)), "A player may come 900 s late.");
        assert_eq!(attendance.due(at(1000), &view), [Missing::Sign(Color::White)]);
        assert_eq!(attendance.due_at(&view), None, "Black has no move to make before White.");
    }

    #[test]
    fn a_sign_or_another_start_is_the_end_of_waiting() {
        let (mut attendance, view) = (Attendance::default(), waiting());
        attendance.follow(at(200), &view, &[Event::Pressed(Color::White)]);
        assert_eq!(attendance.due(at(2000), &view), [Missing::Start], "White is there.");
        let next = View { start: Some(at(9000)), ..waiting() };
        attendance.follow(at(9000), &next, &[]);
        let missing = [Missing::Start, Missing::Sign(Color::White)];
        assert_eq!(attendance.due(at(9900), &next), missing);
        let nobody_asks = View { limit: Duration::ZERO, phase: Phase::InPlay, ..waiting() };
        assert_eq!(Attendance::default().due_at(&nobody_asks), None);
    }
}
