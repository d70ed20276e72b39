//! Pieces that are moved about while both times of a game stand: it is replayed for a claim (9.2,
//! 9.3), or what was irregular is put right (7.5). None of that is a move, and pieces that are set
//! up are no new game before the clock is set for one, or started.

use eboard::Moment;

use super::{Effect, Facet, Play};
use crate::array::Array;
use crate::recogniser::Recogniser;
use crate::tolerances::SET_UP;

impl Play {
    /// Whether both times of a game stand in which moves were made, and nothing on the board has
    /// ended it.
    pub(super) fn may_be_replayed(&self) -> bool {
        let played = self.is_in_play() && !self.game.score.plies().is_empty();
        let ended = || self.awaits_ruling() || self.ended_unannounced().is_some();
        let control = || self.next_settings.unwrap_or(self.settings).control;
        let stands = self.game.clock.ran && self.clocks.stopped();
        stands && played && !ended() && !self.clocks.shows_a_start(control())
    }

    /// The pieces are set up, for this game or for another one.
    pub(super) fn stands_to_be_replayed(&self) -> bool {
        self.may_be_replayed() && self.array().is_some()
    }

    /// The clock is no longer connected.
    pub(super) fn lose_clock(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if !self.clocks.lost() {
            let replayed = self.may_be_replayed();
            self.clocks.change().lose();
            self.look_for_set_up_since(now, replayed);
            self.expect_set_up(now);
            out.push(Effect::Changed(Facet::Clock));
        }
    }

    /// A clock that is set, started or gone may be that of another game.
    pub(super) fn look_for_set_up_since(&mut self, now: Moment, replayed: bool) {
        if replayed != self.may_be_replayed() {
            self.look_for_set_up(now);
        }
    }

    /// Whether what changes now is done while both times stand, before the eyes of the board, and
    /// so can hide no moves that it has not seen.
    pub(super) fn is_rearranged(&self, now: Moment) -> bool {
        let stood = self.stood_at().is_some_and(|at| now > at + self.after_stopping());
        let watched = !self.game.away.reopened
            && !self.board.surface.is_blind()
            && !self.board.surface.never_confirms(now);
        self.game.irregularities.rearranged || watched && stood && self.is_in_play()
    }

    /// The board shows something else than the score since it was rearranged.
    pub(super) fn note_rearranged(&mut self, rearranged: bool) {
        let lost = self.game.reading.tracker.as_ref().and_then(Recogniser::lost);
        let stood = self.stood_at().map(|at| at + self.after_stopping());
        let since = |it: Moment| stood.is_some_and(|stood| it > stood);
        self.game.irregularities.rearranged |=
            rearranged && lost.is_some_and(|it| !it.unfinished && since(it.from));
    }

    /// What hands did meanwhile is nobody's turn.
    pub(super) fn end_rearranging(&mut self) {
        self.game.ordered.put_back |= std::mem::take(&mut self.game.irregularities.rearranged);
    }

    /// When a game begins with what stands there, either way round. A game can come back to the
    /// starting position by itself: then it goes on. Where a clock counts for the game already, the
    /// pieces need not rest.
    pub(super) fn expect_set_up(&mut self, now: Moment) {
        let set_up = self.array().is_some();
        let explained = self.game.score.ending().is_none()
            && self.game.reading.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_none());
        self.game.reading.set_up.at = match (set_up, self.game.reading.tracker.is_some()) {
            _ if self.may_be_replayed() => None,
            (false, _) => self.glimpse_proven_at(),
            _ if self.needs_no_rest(now) => Some(now),
            (true, false) => Some(now + self.settle()),
            (true, true) if explained && !self.is_set_up_otherwise() => None,
            (true, true) => Some(now.max(self.board.surface.changed() + SET_UP)),
        };
    }

    /// Whether another array stands there than this game would begin with, which nothing was
    /// played of.
    fn is_set_up_otherwise(&self) -> bool {
        let other =
            |(array, turned): (Array, bool)| turned || array.position != *self.game.score.start();
        self.is_tried_out() && self.array().is_some_and(other)
    }
}
