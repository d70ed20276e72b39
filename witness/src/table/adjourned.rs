//! A game is adjourned, and resumed.

use eboard::{ClockFace, Moment};
use shakmaty::{Chess, Position};

use super::adjournment::{Adjourned, Resumed};
use super::envelope::Envelope;
use super::game::SetUp;
use super::phase::Course;
use super::{Effect, Facet, Phase, Play};
use crate::adjournment::{Absent, Adjournment, Sealing};
use crate::clock::Clocks;
use crate::evidence::Trace;
use crate::incident::Kind;
use crate::orders::Refusal;
use crate::recogniser::Recogniser;

impl Play {
    pub(super) fn adjourn(
        &mut self,
        now: Moment,
        sealing: Sealing,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let turn = self.game.score.position().turn();
        match self.phase {
            _ if self.game.course.is_adjourned() => return Err(Refusal::Adjourned),
            Phase::InPlay | Phase::Paused => {}
            Phase::Adrift => return Err(Refusal::Disagrees),
            Phase::Unset | Phase::Ready | Phase::Ended => return Err(Refusal::NotInPlay),
        }
        if sealing.sealed_by.is_some_and(|by| by != turn) {
            return Err(Refusal::HasNotTheMove);
        }
        self.judge(now, out);
        self.clocks.change().forget_held();
        let Sealing { draw_offer, resumption, place, .. } = sealing;
        let position = self.game.score.position().clone();
        self.leave_play(now, &position, out);
        let (left, used) = (None, None);
        let sheet = Adjournment {
            at: now,
            sealed_by: turn,
            draw_offer,
            resumption,
            place,
            position,
            left,
            used,
        };
        self.game.course = Course::Adjourned(Box::new(Adjourned { sheet, clocks: None }));
        self.game.pause.resumed = None;
        self.note_adjourned_clock();
        self.changed_game(out);
        Ok(())
    }

    /// The moves so far can no longer change, and whatever was being waited for is given up.
    pub(super) fn leave_play(&mut self, now: Moment, position: &Chess, out: &mut Vec<Effect>) {
        self.game.score.fix(self.game.score.plies().len());
        self.game.reading.tracker =
            Some(Recogniser::new(now, position.clone(), self.board.surface.is_blind()));
        (self.game.pressing.press, self.game.reading.resumption) = (None, None);
        self.game.reading.set_up = SetUp::default();
        (self.board.survey_at, self.game.kings.signal_at) = (None, None);
        for kind in [Kind::Displaced, Kind::ResumptionDiffers] {
            self.close_kind(kind, out);
        }
    }

    /// The sealed move is being made on the board next.
    pub(super) fn resume_play(
        &mut self,
        now: Moment,
        absent: Option<Absent>,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let Adjourned { sheet, clocks } =
            self.game.course.take_up().ok_or(Refusal::NotAdjourned)?;
        let heard = sheet.left.is_some();
        let never_stopped = clocks.is_none() && !self.clocks.lost();
        let before = self.game.score.plies().len();
        self.game.pause.resumed = Some(Resumed { sheet, set_up: !heard, before, absent });
        self.game.hand.clear();
        self.game.traces.clear();
        self.restart_turns();
        if let Some(before) = clocks {
            self.take_up_clock(now, before, out);
        }
        if let Some(state) = self.clocks.state() {
            self.game.traces.add(now, Trace::Face(state.times));
        }
        self.game.away.reopened = false;
        self.changed_game(out);
        self.look(now, out);
        if never_stopped && self.clocks.state().is_some_and(|state| state.running.is_some()) {
            // A time counts: play goes on from here.
            self.play_resumed(now, out);
        }
        Ok(())
    }

    /// What was read meanwhile was of other games: the clock goes on from what it showed when it
    /// was stopped, and what it shows now was set.
    pub(super) fn take_up_clock(&mut self, now: Moment, before: Clocks, out: &mut Vec<Effect>) {
        let meanwhile = std::mem::replace(&mut self.clocks, before);
        self.board.unwatched = true;
        if let Some(face) = meanwhile.face() {
            self.saw_clock(now, face, out);
        }
        if meanwhile.lost() {
            self.clocks.change().lose();
        }
    }

    /// A reading while the game is adjourned. Until the clock is stopped it is that of the player
    /// who seals his move.
    pub(super) fn saw_adjourned_clock(
        &mut self,
        now: Moment,
        face: ClockFace,
        out: &mut Vec<Effect>,
    ) {
        let sealing =
            self.game.course.adjourned().is_some_and(|adjourned| adjourned.clocks.is_none());
        if sealing {
            self.saw_clock(now, face, out);
            self.note_adjourned_clock();
            out.push(Effect::Changed(Facet::Game));
        } else {
            self.clocks.change().read(now, face, &mut Vec::new());
            out.push(Effect::Changed(Facet::Clock));
        }
    }

    pub(super) fn note_adjourned_clock(&mut self) {
        let left = self.clocks.state().map(|state| state.times);
        let used = self.times_used();
        let counts =
            !self.clocks.lost() && self.clocks.state().is_some_and(|state| state.running.is_some());
        let Some(Adjourned { sheet, clocks }) = self.game.course.adjourned_mut() else { return };
        (sheet.left, sheet.used) = (left, used);
        if !counts {
            *clocks = Some(self.clocks.clone());
        }
    }

    /// A time counts again (I.9): whatever stands there belongs to the game, and the sealed move is
    /// completed.
    pub(super) fn play_resumed(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(Resumed { sheet, set_up, before, absent }) = self.game.pause.resumed.take() else {
            return;
        };
        self.game.pause.envelope = Some(Envelope::new(sheet.sealed_by, before, now, absent));
        if !set_up {
            self.restart_turns();
            self.look(now, out);
        }
    }
}
