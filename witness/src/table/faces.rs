//! What a table makes of a reading of its clock.

use eboard::{ClockFace, Moment};

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

    /// The clock has not said otherwise for as long as a running one is never quiet.
    pub(super) fn clock_quiet(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if let Some((at, face)) = self.clocks.quiet(now) {
            self.believe_clock(now, at, face, out);
        }
    }

    fn believe_clock(&mut self, now: Moment, at: Moment, face: ClockFace, out: &mut Vec<Effect>) {
        let mut events = Vec::new();
        let before = self.clocks.state().map(|state| state.times);
        let unwatched = std::mem::take(&mut self.board.unwatched);
        let replayed = self.may_be_replayed();
        let last = self.clocks.face();
        let silent = unwatched || self.clocks.lost() || !self.clocks.heard_since(at, GAP);
        let reckoned = self.reckoned(now);
        self.expect_of_clock();
        self.clocks.read(at, face, &mut events);
        out.push(Effect::Changed(Facet::Clock));
        if let Some(state) = self.clocks.state()
            && !events.is_empty()
        {
            self.game.traces.add(now, Trace::Face(state.times));
        }
        // What was played while nobody watched is there before the press that completed it.
        self.note_read(now, out);
        let ordered = self.game.ordered.times_now(events.contains(&ClockEvent::Started));
        for event in events {
            match event {
                ClockEvent::Started => {
                    self.game.clock.stopped = None;
                    self.note_fetched(now);
                    if self.starts_glimpsed(now) {
                        self.begin(now, out);
                    }
                    self.note_wrong_start(now, out);
                    self.clock_started(now, out);
                    self.play_resumed(now, out);
                    self.go_on_after_taking_back(now, out);
                }
                ClockEvent::Stopped => {
                    self.game.clock.stopped = (!unwatched).then_some(now);
                    self.game.traces.add(now, Trace::Stopped);
                }
                ClockEvent::Pressed(by) if unwatched => {
                    self.press_unwatched();
                    self.pressed_unwatched(now, by, out);
                }
                ClockEvent::Pressed(by) => self.pressed(now, by, before, out),
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
        if face.running && !self.game.clock.ran {
            self.hold_plugged_in(now, out);
            self.begin_turns();
        }
        self.game.clock.ran |= face.running;
        self.note_running_clock(now);
        self.look_for_set_up_since(now, replayed);
        self.refresh_phase(out);
    }
}
