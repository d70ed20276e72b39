//! A clock that is there, and that nobody has started for this game. Beside it players look at an
//! opening, show each other a mate, or play and have forgotten it: only the clock can tell, or many
//! moves. Until then nothing on the board is a result or calls anybody, and what is not recorded
//! does not stay hidden.

use eboard::Moment;
use shakmaty::{ByColor, Position};

use super::alerts::Saying;
use super::game::Clock;
use super::round::PLAYED;
use super::{Effect, Play};
use crate::array;
use crate::clock::tolerances::TRIED;
use crate::incident::Kind;
use crate::laws::attendance;

/// So many moves from the set-up, beside a clock that shows what the players are allotted, are
/// rather a game than an opening that somebody shows: three by each.
const UNRECORDED: usize = 6;

impl Play {
    /// Whether what is followed may be an opening that is looked at. What an arbiter has set up is
    /// a game, and so are ten moves by each.
    pub(super) fn may_be_looked_at(&self) -> bool {
        self.waits_for_its_clock() && self.is_short_from_set_up()
    }

    /// Whether the clock was started only after the last move, and not pressed since. Nobody starts
    /// it over a mate to play on.
    pub(super) fn is_older_than_its_clock(&self) -> bool {
        let last = self.game.score.plies().len().checked_sub(1);
        let made = last.and_then(|last| self.made_at(last));
        let started = self.game.clock.started.filter(|_| self.game.clock.ran);
        let before = made.zip(started).is_some_and(|(made, started)| made < started);
        before && self.has_no_press() && self.is_short_from_set_up()
    }

    fn is_short_from_set_up(&self) -> bool {
        let score = &self.game.score;
        score.plies().len() < PLAYED
            && !self.game.irregularities.ordered
            && !self.is_out_of_play()
            && array::of(score.start().board()).is_some()
    }

    fn has_no_press(&self) -> bool {
        *self.clocks.presses() == ByColor::default()
    }

    /// Both times stand. An arbiter who tries a clock starts it for a moment, and nobody moves or
    /// presses meanwhile: that begins no game.
    pub(super) fn forget_trial(&mut self, now: Moment) {
        let soon = self.game.clock.started.is_some_and(|at| now <= at + TRIED);
        let moved = self.game.clock.started.is_some_and(|at| self.board.surface.changed() > at);
        let goes_on = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        let tried = soon && !moved && self.has_no_press() && self.clocks.flags().next().is_none();
        if tried && goes_on && self.is_short_from_set_up() {
            self.game.clock = Clock::default();
            self.game.score.has_not_begun();
        }
    }

    /// Whether the game has its result and its clock counts all the same: what is moved next from
    /// the set-up may be looked at while nobody minds the clock.
    pub(super) fn runs_on_after_the_result(&self, now: Moment) -> bool {
        let over = self.game.score.ending().is_some() && self.game.clock.ran;
        over && self.clocks.counts() && !self.is_left_for_another() && !self.needs_no_rest(now)
    }

    /// Reports that moves are made beside a clock that stands, and that none of them is recorded.
    /// What is shown beside old times is an analysis: only the pages say so.
    pub(super) fn note_unrecorded(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let moves = self.moves_beside_the_clock();
        let reported = self.game.clock.unrecorded;
        if reported && moves.is_none() {
            self.game.clock.unrecorded = false;
            self.close_kind(Kind::NotStarted, out);
        }
        let control = self.next_settings.as_ref().unwrap_or(&self.settings).control;
        let many = moves.is_some_and(|moves| moves >= UNRECORDED);
        let open = || self.docket.of_kind(Kind::NotStarted).is_some();
        if reported || !many || !self.clocks.shows_a_start(control) || open() {
            return;
        }
        self.game.clock.unrecorded = true;
        let (kind, text) = (Kind::NotStarted, attendance::unrecorded());
        let (facts, advice) = (self.facts(), attendance::unrecorded_advice());
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }
}
