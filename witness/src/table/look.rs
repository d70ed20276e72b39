//! The squares have changed: who can explain what stands there?

use crate::table::tolerances::{SURVEY, SURVEY_IN_HAND};
use eboard::Moment;
use shakmaty::{Bitboard, Position};

use super::doubts::Doubt;
use super::{Effect, Event, Facet, Play};
use crate::incident::Kind;
use crate::picture::Picture;
use crate::recogniser::Recogniser;
use crate::score::Gap;
use crate::signal;
use crate::tolerances::{HALF_SIGNAL, IN_THE_AIR};
use crate::tracker::{Lost, Waits};

impl Play {
    /// The picture is another one: who can explain it?
    pub(super) fn look(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.look_for_sheet();
        if self.is_at_rest() {
            return;
        }
        self.look_for_wrong_start(now);
        let picture = self.board.surface.picture_at(now);
        if self.waits_for_whole(now, &picture) {
            self.keep_squares(now, &picture);
            return self.watch_meanwhile(now, &picture);
        }
        self.forget_reports();
        self.look_at(now, picture, out);
    }

    /// This picture is another one.
    pub(super) fn look_at(&mut self, now: Moment, picture: Picture, out: &mut Vec<Effect>) {
        if self.game.score.ending().is_some() {
            self.look_for_another_sign(now);
            self.look_for_set_up(now);
            self.refresh_phase(out);
            return;
        }
        if self.shows_what_was_taken_back() {
            return self.refresh_phase(out);
        }
        if self.is_tried_out() {
            // What is looked at beside a clock that stands is in nobody's score and in no doubt.
            self.look_for_set_up(now);
            return self.refresh_phase(out);
        }
        self.game.kings.signal_at = None;
        self.look_for_turn_given_back(now, out);
        let unwatched = self.still_unwatched(now, &picture);
        let rearranged = self.is_rearranged(now) || self.awaits_promotion();
        let explained = self.is_explained() || rearranged;
        let waits = self.waits(explained, rearranged, unwatched);
        if let Some(tracker) = &mut self.game.reading.tracker {
            let uncertain = picture.is_uncertain();
            let changed = tracker.see(now, &picture, waits);
            let wait = |lost: Lost| if lost.unfinished { SURVEY_IN_HAND } else { SURVEY };
            self.board.survey_at = tracker.lost().map(|lost| now + wait(lost));
            self.note_rearranged(rearranged);
            self.after_tracker(now, changed, out);
            self.look_for_sign(now, &picture);
            if uncertain {
                self.doubt_what_nobody_saw(now, out);
            }
            let followed = Waits { gaps: false, rearranged: false, ..waits };
            self.look_for_resumption(now, Waits { unwatched: None, ..followed }, out);
            self.look_for_position_put_back(now, out);
        }
        self.look_for_first_move(now);
        self.look_for_set_up(now);
        self.refresh_phase(out);
    }

    pub(super) fn go_adrift(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.away.reopened || self.game.irregularities.rearranged {
            self.expect_play_from_here(now);
        }
        let reported = self.shows_reported_illegal();
        let (picture, signed) = (self.board.surface.board().clone(), self.sign_shown().is_some());
        let since = self.board.surface.changed();
        let untold = self.may_be_looked_at();
        self.game.course.disagree(Doubt { picture, since, signed, old_at: None, untold });
        if !reported && !untold {
            self.tell_doubt(now, out);
            self.leave_sign_in_doubt();
        }
    }

    /// When squares and score will have disagreed for too long.
    pub(super) fn adrift_at(&self) -> Option<Moment> {
        if self.game.course.doubt().is_some()
            || self.game.score.ending().is_some()
            || !self.board.device.answering
        {
            return None;
        }
        let tracker = self.game.reading.tracker.as_ref()?;
        let set_up = self.game.reading.set_up.at.is_some() || self.stands_to_be_replayed();
        let waits = self.waits_for_a_piece() || set_up;
        let lost = self.unexplained().filter(|_| !waits)?;
        // Fallen pieces are reported as such, and are being put up. Nobody presses meanwhile.
        if self.game.irregularities.fallen.is_some() && !lost.doubted {
            return Some(lost.from + IN_THE_AIR);
        }
        let counting = self.clocks.state().is_some_and(|state| state.running.is_some());
        let signalling =
            !counting && signal::half(tracker.position().board(), self.board.surface.board());
        let strays = tracker.strays();
        let pressed = self.gone_at_the_press(tracker, lost).filter(|_| lost.unfinished);
        let patience = if self.game.kings.signal_at.is_some() {
            return None;
        } else if strays.any() {
            // A hand that thinks holds a piece. What stands in the centre may be the first king.
            let may_be_signed = !strays.is_disjoint(Bitboard::CENTER);
            if may_be_signed { HALF_SIGNAL } else { self.settings.check_after }
        } else if pressed.is_some() {
            self.settings.check_after
        } else if lost.unfinished && (counting || !self.game.clock.ran) {
            IN_THE_AIR
        } else if signalling || lost.unfinished {
            // Both times stand: nobody is in the middle of a move.
            HALF_SIGNAL
        } else {
            self.settings.check_after
        };
        let fetched = self.game.timing.fetched;
        let since = fetched.into_iter().chain(pressed).fold(lost.since, Moment::max);
        let at = (since + patience).max(self.board.surface.changed() + self.release());
        // What is done after an illegal move that was reported may be the reply to it.
        let replies =
            self.game.reading.standing_illegal.is_some() && !self.shows_reported_illegal();
        let reply = replies.then(|| self.board.surface.changed() + self.settings.check_after);
        Some(self.after_judgement(reply.map_or(at, |reply| at.max(reply))))
    }

    /// Nothing explains the squares, and the clock runs: whether they show such a position.
    pub(super) fn look_for_position_put_back(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let lost =
            self.game.reading.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_some());
        if !lost || self.board.surface.is_blind() || self.clocks.stopped() {
            return;
        }
        let shown =
            |at: &usize| self.game.score.position_before(*at).board() == self.board.surface.board();
        let played_on = self.game.score.breaks().iter().rev().filter(|it| it.gap != Gap::Missing);
        let Some(at) = played_on.map(|it| it.at).find(shown) else { return };
        self.game.score.take_back_before(at);
        self.restart_from(now, at, out);
        self.game.ordered.put_back = true;
        self.note_put_right_at(now);
        self.look(now, out);
    }

    /// The clock is started again: the pieces need not have been put back in every detail.
    pub(super) fn go_on_after_taking_back(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.ordered.taken_back.is_some() {
            self.look(now, out);
        }
        self.look_for_position_put_back(now, out);
    }

    /// The score ends after so many moves now, and the game goes on from there.
    pub(super) fn restart_from(&mut self, now: Moment, plies: usize, out: &mut Vec<Effect>) {
        let (position, blind) = (self.game.score.position().clone(), self.board.surface.is_blind());
        self.game.reading.tracker = Some(Recogniser::new(now, position, blind));
        self.game.hand.clear();
        (self.game.pressing.press, self.game.kings.signal_at, self.game.reading.resumption) =
            (None, None, None);
        self.forget_pass();
        self.game.course.agree();
        self.game.reading.standing_illegal = None;
        self.clocks.change().forget_contradictions();
        (self.game.reading.several_ways, self.game.away.reopened) = (false, false);
        self.close_kind(Kind::PositionToCheck, out);
        self.tell(Event::Revised { from: plies, rev: self.game.score.rev() }, out);
        self.changed_game(out);
        out.push(Effect::Changed(Facet::Board));
    }
}
