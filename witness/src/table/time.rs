//! Reports about the clock: settings, faults, presses left out, clocks that stand or run for the
//! wrong player. The clock finds and measures; here it meets the score.

use std::time::Duration;

use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::attendance::Attendance;
use super::timing::Timing;
use super::{Effect, Event, Phase, Play};
use crate::clock::Finding;
use crate::detail::Detail;
use crate::incident::{Advice, Facts, Gravity, Kind, State};
use crate::laws::clock::{self, WrongClock};
use crate::laws::penalties::wrong_claim_s;
use crate::laws::promotion::awaits_piece;
use crate::recogniser::Recogniser;
use crate::score::Status;
use crate::table::tolerances::{CONTRADICTS, FORGOTTEN, STANDS};
use crate::topic::{Setting, Topic};

impl Play {
    /// Looks at what the step has brought, and at what has been going on.
    pub(super) fn note_time(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.step.has(|it| matches!(it, Event::NewGame(_))) {
            // History; what is wrong with the clock itself may still be.
            self.close_kind(Kind::MissedPress, out);
            self.close_kind(Kind::ClockAdjusted, out);
        }
        if self.is_out_of_play() {
            return self.forget_time(out);
        }
        self.note_missed(now, out);
        self.note_counted(now);
        self.note_standstill(now, out);
        self.note_wrong_clock(now, out);
        self.note_lost_devices(now, out);
        self.note_short_of_time(now, out);
        self.note_attendance(now, out);
        self.note_unrecorded(now, out);
        self.note_checks(now, out);
    }

    /// The game is adjourned: whatever the clock does now is nobody's business.
    fn forget_time(&mut self, out: &mut Vec<Effect>) {
        let Timing { missed, .. } = std::mem::take(&mut self.game.timing);
        self.game.timing = Timing { missed, ..Timing::default() };
        self.checks.attendance = Attendance::default();
        for kind in [Kind::ClockStopped, Kind::WrongClockRunning, Kind::ClockLost, Kind::BoardLost]
        {
            self.close_kind(kind, out);
        }
        self.leave_unfinished(out);
        self.leave_unmatched(out);
    }

    pub(super) fn standstill_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.timing.stopped.due(now, STANDS).is_some() {
            self.raise_stopped(now, out);
        }
    }

    pub(super) fn wrong_clock_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let watch = &mut self.game.timing.wrong;
        let due = watch.what().and_then(|why| watch.due(now, patience(why)));
        if let Some((why, since)) = due {
            self.raise_wrong_clock(now, since, why, out);
        }
    }

    pub(super) fn period_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if let Some((side, _)) = self.game.timing.period_due.take() {
            self.raise_nothing_added(now, side, out);
        }
    }

    /// The clock has betrayed something.
    pub(super) fn clock_found(&mut self, now: Moment, finding: Finding, out: &mut Vec<Effect>) {
        if let Finding::Period(side) = finding {
            self.game.timing.period_due =
                self.game.timing.period_due.filter(|(due, _)| *due != side);
            self.tell(Event::Period(side), out);
            return;
        }
        if let Finding::Counted { side, period, presses } = finding {
            return self.game.timing.counted.given(now, side, period, presses);
        }
        // A clock that is used for something else accuses nobody.
        if self.game.reading.tracker.is_none() || self.game.score.ending().is_some() {
            return;
        }
        let (kind, side, text, advice, expected) = match finding {
            Finding::Start { expected, seen } if self.is_lateness(now, expected, seen, out) => {
                return;
            }
            Finding::Start { .. } | Finding::Mode { .. } | Finding::Addition { .. } => {
                return self.found_setting(now, finding, out);
            }
            Finding::Adjusted { before, after } => {
                let advice = self.penalty_given(before, after);
                let text = clock::adjusted(before, after);
                (Kind::ClockAdjusted, None, text, advice, Some(before))
            }
            Finding::Fault { fault, shown, ours } => {
                let advice = clock::fault_advice(fault, ours, self.settings.edition);
                (Kind::ClockFault, fault.side(), clock::fault(fault, shown), advice, Some(ours))
            }
            Finding::Period(_) | Finding::Counted { .. } => return,
        };
        let detail = match finding {
            Finding::Fault { fault, .. } => Some(fault.detail()),
            _ => None,
        };
        let facts = Facts { expected, detail, ..self.facts() };
        let saying = Saying { kind, side, text, facts, advice };
        match self.docket.of_kind(kind).filter(|_| kind != Kind::ClockAdjusted) {
            // What is wrong with it is better known with every turn.
            Some(open) if kind == Kind::ClockFault => {
                self.renew(open, saying, self.game.score.move_number(), out);
            }
            Some(_) => {}
            None => self.raise(now, saying, out),
        }
    }

    /// The clock is not set as the time control says.
    fn found_setting(&mut self, now: Moment, finding: Finding, out: &mut Vec<Effect>) {
        let mut advice = Vec::new();
        if let Finding::Mode { expected, seen, before: Some(before) } = finding {
            let setting = |seen| Setting::Mode { expected: expected.extra, seen };
            return self.say_instead(setting(before), setting(seen), out);
        }
        let (side, setting, detail, expected) = match finding {
            Finding::Start { expected, seen } => {
                let control = self.settings.control.map(|it| it.words());
                advice.extend(control.map(|it| clock::wrong_start_advice(it, expected)));
                (None, Setting::Start { expected, seen }, Detail::Start, Some(expected))
            }
            Finding::Mode { expected, seen, .. } => {
                (None, Setting::Mode { expected: expected.extra, seen }, Detail::Mode, None)
            }
            Finding::Addition { side, expected, seen } => {
                (Some(side), Setting::Addition { side, expected, seen }, Detail::Period, None)
            }
            _ => return,
        };
        if let Some(open) = self.docket.of_kind(Kind::ClockSetting) {
            return self.add_to_setting(open, setting, out);
        }
        let text = clock::wrong_setting(setting);
        let facts = Facts { expected, detail: Some(detail), ..self.facts() };
        let gravity = self.settings.gravity(Kind::ClockSetting);
        let saying = Saying { kind: Kind::ClockSetting, side, text, facts, advice };
        self.raise_setting(now, saying, gravity, out);
    }

    /// More is known of how it is set than when that was said; if somebody has ruled on it, that is
    /// the end of it.
    fn say_instead(&mut self, said: Setting, now: Setting, out: &mut Vec<Effect>) {
        let open = self.docket.of_kind(Kind::ClockSetting);
        let Some(incident) = open.and_then(|id| self.docket.get_mut(id)) else { return };
        let all = std::iter::once(&mut incident.text).chain(&mut incident.advice);
        let said = all.filter(|it| it.is_about(Topic::Setting(said)));
        said.for_each(|it| *it = clock::wrong_setting(now));
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// Whether the change is what an open illegal move or a wrong claim gives the opponent.
    fn penalty_given(
        &mut self,
        before: ByColor<FaceTime>,
        after: ByColor<FaceTime>,
    ) -> Vec<Advice> {
        let is_given = |side: Color, seconds: u32, from: ByColor<FaceTime>| {
            // Where only a warning is provided nothing is due.
            let due = FaceTime::from_ms(seconds.checked_mul(1000).filter(|due| *due > 0)?);
            let more = after.get(side).as_ms().checked_sub(from.get(side).as_ms())?;
            // The second that was counting when the clock was stopped is rounded by hand.
            (more.abs_diff(due.as_ms()) <= 1000).then_some((side, due))
        };
        let offences = || {
            self.docket
                .all()
                .filter_map(|it| Some((it.side?, it.facts.penalty_s?, it.facts.clocks)))
        };
        let given = offences().find_map(|(by, seconds, pressed)| {
            // Either to what it shows, or to what it showed before the press, as the alert says;
            // the offender's own time is set back too, or left.
            let back = |it: &ByColor<FaceTime>| after.get(by).as_ms().abs_diff(it.get(by).as_ms());
            let pressed = pressed.filter(|it| back(it) <= 1000 || back(&before) == 0);
            let from = [Some(before), pressed].into_iter().flatten();
            from.filter_map(|from| is_given(by.other(), seconds, from)).next()
        });
        if let Some((side, due)) = given {
            return vec![clock::penalty_given(side, due)];
        }
        let amiss = offences().find_map(|(by, seconds, _)| is_given(by, seconds, before));
        if let Some((side, due)) = amiss {
            return vec![clock::penalty_amiss(side, due)];
        }
        let seconds = wrong_claim_s(&self.settings);
        let given =
            self.game.ordered.wrong_claim.and_then(|by| is_given(by.other(), seconds, before));
        let Some((side, due)) = given else { return Vec::new() };
        self.game.ordered.wrong_claim = None;
        vec![clock::claim_paid(side, due, self.settings.edition)]
    }

    fn raise_nothing_added(&mut self, now: Moment, side: Color, out: &mut Vec<Effect>) {
        let zero = self.clocks.reads_zero(side);
        let Some(expected) = self.clocks.addition(side).filter(|_| zero) else { return };
        let (kind, advice) = (Kind::ClockSetting, Vec::new());
        let text = clock::nothing_added(side, expected);
        let facts = Facts { detail: Some(Detail::Period), ..self.facts() };
        let saying = Saying { kind, side: Some(side), text, facts, advice };
        let gravity = self.settings.gravity_grown(kind, Gravity::Summon);
        self.raise_setting(now, saying, gravity, out);
    }

    /// Article 6.11: both times stand and there is no result.
    fn note_standstill(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let paused = self.phase == Phase::Paused;
        // Whoever was called is wanted until the clock goes on, whatever the squares show.
        let called = self.game.timing.stopped.is_reported();
        let adrift = self.phase == Phase::Adrift && self.stood_at().is_some();
        let stands = (paused || adrift && called)
            && !self.game.score.plies().is_empty()
            && self.clocks.flags().next().is_none()
            && !self.clocks.lost();
        // Whoever was summoned has stopped the clock himself.
        let explained = self.open_in_game().any(|it| {
            it.gravity == Gravity::Summon
                && it.kind != Kind::ClockStopped
                && it.state != State::Lapsed
        }) || self.game.kings.signal_at.is_some();
        self.game.timing.stopped.follow(now, (stands && !explained).then_some(()));
        if !stands {
            self.close_kind(Kind::ClockStopped, out);
        }
    }

    /// The clock goes on: the piece that was fetched is put down now.
    pub(super) fn note_fetched(&mut self, now: Moment) {
        let position = self.game.reading.tracker.as_ref().map(Recogniser::position);
        if position.is_some_and(|it| awaits_piece(it, &self.board.surface.picture())) {
            self.game.timing.fetched = Some(now);
        }
    }

    fn raise_stopped(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let since = self.game.timing.stopped.since();
        let turn = self.game.score.position().turn();
        let shown = self.clocks.state().map(|state| state.times);
        let text = clock::stopped(turn, shown);
        let mut advice = clock::stopped_advice(self.settings.edition);
        if self.waits_for_a_piece() {
            advice.insert(0, clock::piece_wanted(self.settings.edition));
        }
        let facts = Facts { since, ..self.facts() };
        let kind = Kind::ClockStopped;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    /// Article 6.2.2: surface and lever say different things about who has the move.
    fn note_wrong_clock(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let wrong = self.wrong_clock();
        self.game.timing.wrong.follow(now, wrong);
        if wrong.is_none() {
            self.close_kind(Kind::WrongClockRunning, out);
        }
    }

    /// Why the time of the player counts who does not have the move, if it does.
    fn wrong_clock(&self) -> Option<WrongClock> {
        let state = self.clocks.state().filter(|_| !self.clocks.lost())?;
        let counting = state.running?;
        let last = self.game.score.plies().last()?;
        let settled = self.phase == Phase::InPlay && self.agrees() && self.board.device.answering;
        let right =
            self.game.score.position().turn() == counting || self.counts_for_envelope(counting);
        if !settled || right || self.clocks.are_sides_in_doubt() {
            return None;
        }
        // Nobody presses for a move that ended the game.
        if self.awaits_ruling() || self.ended_unannounced().is_some() {
            return None;
        }
        Some(match last.status {
            Status::Released => WrongClock::Forgotten,
            Status::Completed => WrongClock::Contradicts,
        })
    }

    fn raise_wrong_clock(
        &mut self,
        now: Moment,
        since: Moment,
        why: WrongClock,
        out: &mut Vec<Effect>,
    ) {
        let counting = !self.game.score.position().turn();
        let text = clock::wrong_clock(counting, why, now.since(since).as_secs());
        let facts = Facts { since: Some(since), ..self.facts() };
        let (kind, side) = (Kind::WrongClockRunning, Some(counting));
        let mut advice = clock::wrong_clock_advice(why, self.settings.edition);
        if self.clocks.no_press_agreed() {
            advice.insert(0, clock::no_press_yet());
        }
        self.close_kind(kind, out);
        let last = self.game.score.plies().len();
        let last = match why {
            WrongClock::Forgotten => last.saturating_sub(1),
            WrongClock::Contradicts => last,
        };
        let move_number = u32::from(self.game.score.position_at(last).fullmoves());
        let saying = Saying { kind, side, text, facts, advice };
        self.raise_about(now, saying, self.settings.gravity(kind), move_number, out);
    }
}

pub(super) const fn patience(why: WrongClock) -> Duration {
    match why {
        WrongClock::Forgotten => FORGOTTEN,
        WrongClock::Contradicts => CONTRADICTS,
    }
}
