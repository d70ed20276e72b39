//! What becomes of the score: moves are released, completed and revised, and the game ends.

use std::sync::Arc;

use eboard::Moment;
use shakmaty::{Color, Position};

use super::parting::Parting;
use super::phase::KingsAfter;
use super::{Effect, Event, Facet, Play};
use crate::ending::Ending;
use crate::incident::Kind;
use crate::recogniser::Recogniser;
use crate::score::{Adopted, Confidence, Ply, Status};

impl Play {
    /// The tracker has looked at a picture: bring the score after it.
    pub(super) fn after_tracker(&mut self, now: Moment, changed: bool, out: &mut Vec<Effect>) {
        if self.game.reading.tracker.as_ref().is_some_and(Recogniser::has_caught_up) {
            self.forget_presses();
        }
        if changed {
            self.adopt(now, out);
        }
        if self.game.reading.tracker.as_ref().is_some_and(Recogniser::agrees) {
            self.game.hand.empty();
            if let Some(tracker) = &self.game.reading.tracker {
                self.board.surface.suppose(tracker.position().board());
            }
            self.agreed(out);
        }
    }

    pub(super) fn adopt(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(tracker) = &self.game.reading.tracker else { return };
        let tail = tracker.tail();
        let tail: Vec<_> =
            tail.iter().map(|step| (step.mv, step.confidence, &*step.position)).collect();
        let (doubted, open) = (self.doubted_from(), self.docket.of_kind(Kind::PositionToCheck));
        let adopted = self.game.score.adopt(now, &tail);
        let anew = adopted.revised_from.filter(|&from| doubted.is_some_and(|it| from < it));
        self.tell_adopted(now, adopted, out);
        if let Some(from) = anew {
            self.doubt_from(from, open, out);
        }
        if let Some(tracker) = &mut self.game.reading.tracker {
            let fixed = tracker.fix_old();
            self.game.score.fix(fixed);
        }
    }

    pub(super) fn tell_adopted(&mut self, now: Moment, adopted: Adopted, out: &mut Vec<Effect>) {
        if let Some(from) = adopted.revised_from {
            self.tell(Event::Revised { from, rev: self.game.score.rev() }, out);
        }
        self.note_running_clock(now);
        let plies = self.game.score.plies().len();
        for index in plies - adopted.new..plies {
            self.tell_released(index, out);
            self.doubt_if_stopped(now, index, out);
        }
        for index in adopted.completed {
            self.note_overtaken_unheard(now, index);
            self.tell_completed(index, out);
        }
        self.complete_unheard(now, plies - adopted.new, out);
        self.changed_game(out);
        // The squares are published with whether they agree with the score.
        out.push(Effect::Changed(Facet::Board));
        self.tell_ways(now, out);
    }

    /// Completes the moves of a press. True if any move was not completed before.
    pub(super) fn complete(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) -> bool {
        let face = self.time_now(now, by);
        let newly = self.game.score.complete_through(now, by, face);
        for index in &newly {
            self.tell_completed(*index, out);
        }
        if !newly.is_empty() {
            self.changed_game(out);
        }
        !newly.is_empty()
    }

    /// Even a move that is completed by the one that came with it was released first.
    pub(super) fn tell_released(&mut self, index: usize, out: &mut Vec<Effect>) {
        self.released(index).into_iter().for_each(|event| self.tell(event, out));
    }

    pub(super) fn released(&self, index: usize) -> Option<Event> {
        let ply = self.game.score.plies().get(index)?;
        let ply = Ply { status: Status::Released, completed: None, ..ply.clone() };
        Some(Event::Released { index, ply: Arc::new(ply) })
    }

    pub(super) fn tell_completed(&mut self, index: usize, out: &mut Vec<Effect>) {
        self.completed(index).into_iter().for_each(|event| self.tell(event, out));
    }

    pub(super) fn completed(&self, index: usize) -> Option<Event> {
        let ply = self.game.score.plies().get(index)?.clone();
        Some(Event::Completed { index, ply: Arc::new(ply) })
    }

    pub(super) fn end(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        let adrift = self.game.course.is_adrift();
        self.game.end(ending, KingsAfter::before(self.sign_shown().is_some()));
        self.step.parting = Parting::Ends;
        self.end_after_kings();
        self.tell_ways(now, out);
        // A doubt about the score does not go away because the game is over.
        if !adrift && !self.game.reading.several_ways {
            self.close_kind(Kind::PositionToCheck, out);
        }
        (self.game.pressing.press, self.game.kings.signal_at) = (None, None);
        self.game.pause.resumed = None;
        self.tell(Event::Result, out);
        self.changed_game(out);
        if self.is_unplayed() && self.array().is_some() {
            self.expect_another_game();
        }
    }

    pub(super) fn changed_game(&self, out: &mut Vec<Effect>) {
        out.push(Effect::Changed(Facet::Position));
        out.push(Effect::Changed(Facet::Game));
    }

    /// Squares and score agree again: what was only in doubt is so no longer.
    pub(super) fn agreed(&mut self, out: &mut Vec<Effect>) {
        self.note_put_right(self.board.surface.changed(), out);
        self.note_put_back();
        if self.game.course.agree().is_some_and(|doubt| doubt.signed) {
            self.leave_kings_open(out);
        }
        self.expect_no_other_play();
        (self.game.away.outage, self.game.away.reopened) = (None, false);
        self.end_rearranging();
        if self.game.reading.several_ways {
            self.close_ways(out);
        }
        if !self.game.course.is_broken() && !self.game.reading.several_ways {
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    /// The last reading of the mover's own clock stands beside a move that is not completed.
    pub(super) fn note_running_clock(&mut self, now: Moment) {
        let Some(last) = self.game.score.plies().len().checked_sub(1) else { return };
        let ply = &self.game.score.plies()[last];
        if ply.status == Status::Released
            && let Some(face) = self.time_now(now, !ply.after.turn())
        {
            self.game.score.note_clock(last, face);
        }
    }

    /// The player has moved again, and his last move counts as completed: what his clock showed
    /// then is only known if it was heard.
    pub(super) fn note_overtaken_unheard(&mut self, now: Moment, index: usize) {
        let Some(ply) = self.game.score.plies().get(index) else { return };
        let overtaken = ply.completed == Some(now);
        if overtaken && self.time_now(now, !ply.after.turn()).is_none() {
            self.game.score.forget_clock(index);
        }
    }

    /// Completes moves whose presses nobody heard, from this one on: they were inferred, or made
    /// while the line was out. A move that was answered has been pressed for. So has the last one,
    /// if the opponent's time counts.
    pub(super) fn complete_unheard(&mut self, now: Moment, from: usize, out: &mut Vec<Effect>) {
        let plies = self.game.score.plies();
        let is_inferred = |ply: &Ply| ply.confidence == Confidence::Inferred;
        let away = self.game.away.reopened && from < plies.len();
        let made = match away {
            true => plies.len().checked_sub(1),
            false => plies.iter().rposition(is_inferred),
        };
        let Some(last) = made.filter(|last| *last >= from) else { return };
        let seen = plies.iter().take(from).rev().find(|ply| !is_inferred(ply));
        let seen =
            seen.map(|ply| ply.completed.unwrap_or(ply.released)).or(self.game.score.began());
        let heard = self.clocks.watched().is_some_and(|since| seen.is_some_and(|it| since <= it));
        let Some(clock) = self.clocks.state().filter(|_| !heard) else { return };
        let by = !plies[last].after.turn();
        let pressed = last + 1 < plies.len() || clock.running == Some(by.other());
        let stands = pressed && last + 1 == plies.len();
        let shown = self.time_now(now, by).filter(|_| stands);
        for index in self.game.score.complete_first(now, last + usize::from(pressed)) {
            self.game.score.forget_clock(index);
            if let Some(face) = shown.filter(|_| index == last) {
                self.game.score.note_clock(index, face);
            }
            self.tell_completed(index, out);
        }
    }

    /// What stood illegally on the squares does so no longer: somebody has intervened.
    pub(super) fn note_put_right(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((mv, _)) = self.game.reading.standing_illegal.take() else { return };
        self.game.pressing.presses.put_right = Some(now);
        let last = self.game.score.plies().last().map(|ply| ply.mv);
        let promoted = last.filter(|it| it.is_promotion());
        if promoted.is_some_and(|it| (it.from(), it.to()) == (Some(mv.from), mv.to)) {
            // 7.5.2: the new piece takes the pawn's place, and that was pressed for.
            *self.game.pressing.presses.counted.get_mut(mv.piece.color) =
                self.game.score.plies().len();
            self.complete(now, mv.piece.color, out);
        }
    }
}
