//! What a table makes of a reading of its clock.

use eboard::{ClockFace, FaceTime, Moment};
use shakmaty::{ByColor, Color};

use super::{Effect, Facet, Play};
use crate::clock::ClockEvent;
use crate::clock::tolerances::GAP;
use crate::evidence::Trace;

impl Play {
    /// A reading, of a game that goes on or of one that is adjourned.
    pub(super) fn read_clock(&mut self, now: Moment, face: ClockFace, out: &mut Vec<Effect>) {
        match self.game.course.is_adjourned() {
            true => self.saw_adjourned_clock(now, face, out),
            false => self.saw_clock(now, face, out),
        }
    }

    pub(super) fn saw_clock(&mut self, now: Moment, face: ClockFace, out: &mut Vec<Effect>) {
        for (at, face) in self.clocks.believed(now, face) {
            self.believe_clock(now, at, face, out);
        }
    }

    /// The clock has been silent for longer than a running one ever is.
    pub(super) fn clock_quiet(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let quiet = self.clocks.change().quiet(now);
        if let Some((at, face)) = quiet {
            self.believe_clock(now, at, face, out);
        }
    }

    fn believe_clock(&mut self, now: Moment, at: Moment, face: ClockFace, out: &mut Vec<Effect>) {
        let mut events = Vec::new();
        let before = self.clocks.state().map(|state| state.times);
        let unwatched = std::mem::take(&mut self.board.unwatched);
        let replayed = self.may_be_replayed();
        let last = self.clocks.face();
        let (tried_out, waited) = (self.is_tried_out(), self.waits_for_its_clock());
        let found = face.running && (last.is_none() || self.clocks.lost());
        let silent = unwatched || self.clocks.lost() || !self.clocks.heard_since(at, GAP);
        let reckoned = self.reckoned(now);
        self.expect_of_clock();
        self.clocks.change().read(at, face, &mut events);
        out.push(Effect::Changed(Facet::Clock));
        self.step.goes_on = events.is_empty() && !silent && face.running && at == now;
        if let Some(state) = self.clocks.state()
            && !events.is_empty()
        {
            self.game.traces.add(now, Trace::Face(state.times));
        }
        // What was played while nobody watched is there before the press that completed it.
        self.note_read(now, out);
        let ordered = self.game.ordered.times_now(events.contains(&ClockEvent::Started));
        if found {
            self.begin_with_the_clock(now, out);
        }
        let runs_on = self.game.clock.runs_on;
        for event in events {
            match event {
                // It has counted on for the game before.
                ClockEvent::Flag(_) if runs_on => {}
                ClockEvent::Found(finding) if runs_on && !finding.is_of_setting() => {}
                ClockEvent::Started => self.face_started(now, out),
                ClockEvent::Stopped => self.face_stopped(now, unwatched),
                ClockEvent::Pressed(by) => self.face_pressed(now, (by, unwatched), before, out),
                ClockEvent::Flag(fall) => self.flag_fell(now, fall, out),
                ClockEvent::Found(finding)
                    if (ordered.is_some() || reckoned.is_some()) && finding.is_of_setting() => {}
                ClockEvent::Found(finding) => self.clock_found(now, finding, out),
            }
        }
        if let Some(last) = last.filter(|_| silent) {
            self.complete_in_silence(now, last, face, out);
        }
        if face.running {
            // Also where nobody saw it start, or it was never stopped.
            self.play_resumed(now, out);
        }
        if let Some(expected) = ordered {
            self.hold_against(now, expected, self.clocks.state().map(|it| it.times), out);
        }
        if let Some(expected) = reckoned {
            self.hold_returned(now, expected, out);
        }
        let counts = face.running && !self.game.clock.runs_on;
        if counts && !self.game.clock.ran {
            self.hold_plugged_in(now, out);
            self.begin_turns(waited);
        }
        self.game.clock.ran |= counts;
        self.note_running_clock(now);
        self.look_for_set_up_since(now, replayed);
        if tried_out && !self.is_tried_out() && !self.agrees() {
            self.look(now, out);
        }
        self.refresh_phase(out);
    }

    /// A side has pressed, `unwatched` or not. The clock showed `before` until then.
    fn face_pressed(
        &mut self,
        now: Moment,
        (by, unwatched): (Color, bool),
        before: Option<ByColor<FaceTime>>,
        out: &mut Vec<Effect>,
    ) {
        self.note_press_for_glimpse(now);
        if unwatched {
            self.press_unwatched();
            return self.pressed_unwatched(now, by, out);
        }
        self.pressed(now, by, before, out);
    }

    /// Both times stand, since the last reading or since some moment when nobody watched.
    fn face_stopped(&mut self, now: Moment, unwatched: bool) {
        self.game.clock.stopped = (!unwatched).then_some(now);
        self.game.traces.add(now, Trace::Stopped);
        if !unwatched {
            self.forget_trial(now);
        }
        self.game.clock.runs_on = false;
    }

    /// A time has begun to count.
    fn face_started(&mut self, now: Moment, out: &mut Vec<Effect>) {
        (self.game.clock.started, self.game.clock.stopped) = (Some(now), None);
        self.game.clock.runs_on = false;
        self.note_fetched(now);
        self.begin_with_the_clock(now, out);
        self.note_wrong_start(now, out);
        self.clock_started(now, out);
        self.play_resumed(now, out);
        self.go_on_after_taking_back(now, out);
    }
}
