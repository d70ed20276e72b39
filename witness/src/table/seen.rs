//! What the device of the board that is followed claims to see.

use crate::table::tolerances::SURVEY;
use eboard::{Moment, Sighting};

use super::round::{NextRound, Round};
use super::{Effect, Event, Facet, Play};
use crate::evidence::Trace;
use crate::recogniser::Recogniser;
use crate::surface::Change;

impl Play {
    /// A device claims to see something on the board that is followed.
    pub(super) fn sight_followed(
        &mut self,
        now: Moment,
        sighting: Sighting,
        out: &mut Vec<Effect>,
    ) {
        self.answering(true, out);
        self.note_heard(now);
        match sighting {
            Sighting::Position(placement) => {
                let first = !self.board.surface.known();
                let changes = self.board.surface.whole(now, &placement);
                self.saw_whole(now, first, &changes, out);
            }
            Sighting::Square { square, piece } => {
                self.note_early_change(now, out);
                let change = self.board.surface.square(now, square, piece);
                self.saw_changes(now, change.as_slice(), out);
            }
            Sighting::Clock(face) => self.read_clock(now, face, out),
            Sighting::Lever(side) => self.saw_lever(now, side, out),
            Sighting::ClockLost => self.lose_clock(now, out),
            Sighting::Battery(battery) => self.device_now(out, |it| it.battery = Some(battery)),
            Sighting::Identified(identity) => {
                self.device_now(out, |device| device.identity = Some(identity));
            }
            Sighting::Within(span) => self.board.lag = span,
            Sighting::Misses(shorter) => self.board.surface.may_miss(shorter),
            Sighting::Silent => self.answering(false, out),
            Sighting::Occupancy(occupancy) => {
                let first = !self.board.surface.known();
                let changes = self.board.surface.occupancy(now, occupancy);
                self.saw_whole(now, first, &changes, out);
            }
            Sighting::Presence { square, occupied } => {
                let change = self.board.surface.presence(now, square, occupied);
                self.saw_changes(now, change.as_slice(), out);
            }
        }
    }

    /// The line of the table's device was opened or closed.
    pub(super) fn line(&mut self, present: bool, out: &mut Vec<Effect>) {
        if present {
            self.line_opened();
        } else {
            self.clocks.change().forget_held();
        }
        self.device_now(out, |device| {
            device.present = present;
            device.answering &= present;
        });
    }

    pub(super) fn saw_whole(
        &mut self,
        now: Moment,
        first: bool,
        changes: &[Change],
        out: &mut Vec<Effect>,
    ) {
        let waited = self.game.away.unseen_after.take().is_some();
        if first {
            self.note_first_report(out);
            self.restart_turns();
            if self.array().is_none() {
                // Damaged on its way, perhaps.
                self.board.survey_at = Some(now + SURVEY);
            }
            out.push(Effect::Changed(Facet::Board));
            self.look(now, out);
        } else {
            self.note_correction(now, changes);
            self.saw_changes(now, changes, out);
            if waited && changes.is_empty() {
                self.replay_reports(out);
                self.look(now, out);
            }
        }
        if self.game.reading.tracker.as_ref().is_some_and(Recogniser::agrees) {
            self.game.away.reopened = false;
        }
    }

    pub(super) fn saw_changes(&mut self, now: Moment, changes: &[Change], out: &mut Vec<Effect>) {
        if changes.is_empty() {
            return;
        }
        if self.is_at_rest() {
            out.push(Effect::Changed(Facet::Board));
            return self.look(now, out);
        }
        for &change in changes {
            let touched = self.game.hand.saw(now, change);
            self.game.traces.add(now, Trace::Touched(touched));
            self.tell(Event::Touched(touched), out);
        }
        out.push(Effect::Changed(Facet::Board));
        self.note_after_press();
        self.look(now, out);
    }

    /// The picture has rested.
    pub(super) fn picture_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let picture = self.board.surface.picture_at(now);
        let presses = self.unwatched(now).and_then(|unwatched| unwatched.presses);
        let Some(tracker) = &mut self.game.reading.tracker else { return };
        tracker.count_presses(presses);
        let changed = tracker.due(now, &picture);
        let over = tracker.may_be_over();
        self.after_tracker(now, changed, out);
        self.look_for_held_sign(now, &picture, out);
        if over {
            self.tell_ways(now, out);
        }
    }

    /// Nothing has explained the picture: the board is asked what stands there.
    pub(super) fn survey_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.board.surface.asked(now);
        self.board.survey_at = self.survey_again_at(now);
        out.push(Effect::Survey);
    }

    /// What was announced of the round.
    pub(super) fn announce(&mut self, now: Moment, round: Round) {
        let begins = round.next != NextRound::Unsaid && round.next != self.round.next;
        self.game.ordered.another_round |= begins && self.is_unplayed();
        self.round = round;
        self.look_for_set_up(now);
    }
}
