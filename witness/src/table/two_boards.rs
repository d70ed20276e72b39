//! Two boards for one game: what is seen on either of them.

use eboard::{Moment, Sighting};
use shakmaty::Position;

use super::alerts::Saying;
use super::boards::{apply, is_heard};
use super::{Effect, Facet, Play};
use crate::incident::{Facts, Kind};
use crate::laws::boards;
use crate::seating::Which;
use crate::{candidates, signal};

impl Play {
    /// Whether what is seen on the other board makes it the one to follow: its player has the move
    /// and touches a piece there, or has made his move already; or the result is shown there. When
    /// the board that was followed is gone, it is enough that the game goes on here.
    pub(super) fn takes_over(&self, now: Moment, sighting: &Sighting) -> bool {
        let Some(other) = self.boards.other.as_ref().filter(|other| other.surface.known()) else {
            return false;
        };
        let playing = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        let mut seen = other.surface.clone();
        if !playing || self.is_at_rest() || apply(&mut seen, now, sighting).is_empty() {
            return false;
        }
        if signal::sign(seen.board()).is_some() {
            return true;
        }
        let position = self.game.score.position();
        let own = self.owner(self.boards.followed.other()) == Some(position.turn());
        let (before, after) = (other.surface.picture(), seen.picture());
        let moved = || {
            let after = |mv| candidates::after(position, mv);
            let legal = position.legal_moves();
            legal.into_iter().any(|mv| seen.picture().shows(after(mv).board()))
        };
        let gone = !is_heard(&self.board.device);
        let agrees = before.shows(position.board());
        (own || gone) && (agrees || moved()) || gone && after.shows(position.board())
    }

    /// A device claims to see something on this board of the table.
    pub(super) fn sight_at(
        &mut self,
        now: Moment,
        board: Which,
        sighting: Sighting,
        out: &mut Vec<Effect>,
    ) {
        if matches!(sighting, Sighting::Clock(_) | Sighting::ClockLost | Sighting::Lever(_)) {
            if self.has_own_clock() || !self.is_clock_of(board, &sighting) {
                return;
            }
            self.boards.clock = board;
            return self.sight_followed(now, sighting, out);
        }
        if board != self.boards.followed && !self.takes_over(now, &sighting) {
            return self.sight_other(now, &sighting, out);
        }
        if board != self.boards.followed {
            self.follow_other(out);
        }
        self.sight_followed(now, sighting, out);
        self.follow_the_one_that_is_heard(now, out);
    }

    /// The line of this board of the table was opened or closed.
    pub(super) fn line_at(
        &mut self,
        now: Moment,
        board: Which,
        present: bool,
        out: &mut Vec<Effect>,
    ) {
        if board == self.boards.followed {
            self.line(present, out);
        } else {
            let device = &mut self.other_mut().device;
            device.present = present;
            device.answering &= present;
            out.push(Effect::Changed(Facet::Device));
        }
        // The clock is gone with the board that it was read from.
        let was_read_here = board == self.boards.clock && !self.has_own_clock();
        if !present && was_read_here && self.boards.other.is_some() {
            self.clocks.change().lose();
            out.push(Effect::Changed(Facet::Clock));
        }
        self.follow_the_one_that_is_heard(now, out);
    }

    /// The boards differ still. A board that is not heard cannot be the one to follow.
    pub(super) fn tell_differing(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.boards.differs.due(now, self.settings.repeat).is_none() {
            return;
        }
        if !is_heard(&self.board.device) {
            self.follow_other(out);
            self.game.away.reopened = true;
            return self.look(now, out);
        }
        let Some(other) = &self.boards.other else { return };
        let position = self.game.score.position().board();
        let (here, there) = (self.board.surface.picture(), other.surface.picture());
        let squares = here.differing(position) | there.differing(position);
        let followed = self.boards.followed;
        let right = match (here.shows(position), there.shows(position)) {
            (true, false) => self.owner(followed),
            (false, true) => self.owner(followed.other()),
            _ => None,
        };
        let facts = Facts {
            squares: squares.into_iter().collect(),
            surface: Some(other.surface.board().to_string()),
            ..self.facts()
        };
        let (text, advice) = (boards::differ(&facts.squares, right), vec![boards::advice()]);
        let kind = Kind::BoardsDiffer;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    /// A board that is gone is not followed while the other one shows the game.
    pub(super) fn follow_the_one_that_is_heard(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let shows = self.squares_at(self.boards.followed.other()).is_some_and(|(_, shows)| shows);
        let heard = self.boards.other.as_ref().is_some_and(|other| is_heard(&other.device));
        if shows && heard && !is_heard(&self.board.device) {
            self.follow_other(out);
            self.look(now, out);
        }
    }

    pub(super) fn sight_other(&mut self, now: Moment, sighting: &Sighting, out: &mut Vec<Effect>) {
        let began = self.game.score.plies().is_empty();
        let position = self.game.score.position().board().clone();
        let other = self.other_mut();
        let before = other.device.clone();
        other.device.answering = !matches!(sighting, Sighting::Silent);
        match sighting {
            Sighting::Battery(battery) => other.device.battery = Some(*battery),
            Sighting::Identified(identity) => other.device.identity = Some(identity.clone()),
            _ => {}
        }
        let first = !other.surface.known();
        let changed = !apply(&mut other.surface, now, sighting).is_empty();
        // How it lies is found from the set-up, as on any board.
        if began && other.surface.known() && other.surface.turned_board() == position {
            other.surface.turn();
        }
        if other.device != before {
            out.push(Effect::Changed(Facet::Device));
        }
        if changed || first {
            out.push(Effect::Changed(Facet::Board));
        }
        self.follow_the_one_that_is_heard(now, out);
    }
}
