//! Moves that are made while both times stand: they may be of another game, or none, until they are
//! put back or played on.

use eboard::Moment;

use super::{Effect, Play};
use crate::laws::position;

impl Play {
    /// A move was made while both times stood: it may be of another game, or none.
    pub(super) fn doubt_if_stopped(&mut self, now: Moment, index: usize, out: &mut Vec<Effect>) {
        let stands = self.clocks.stopped() && !self.is_from_envelope(index);
        let Some(noted) = self.game.timing.standstill().filter(|_| stands) else { return };
        // It is not noted as long as an alert explains it.
        let since = self.game.clock.stopped.unwrap_or(noted);
        let Some(ply) = self.game.score.plies().get(index) else { return };
        let made = self.board.surface.picture().stirred(ply.mv.to());
        let last = since + self.after_stopping();
        if self.game.reading.several_ways
            || made <= last
            || self.promotes_since_before(ply.mv, last)
        {
            return;
        }
        let facts = self.facts_at(index);
        self.raise_doubt(now, position::made_while_stopped(), facts, out);
        (self.game.reading.several_ways, self.game.irregularities.made_stopped) =
            (true, Some(index));
    }

    /// Moves from this one on were taken back or changed. What was tried out while both times stood
    /// is nobody's turn, and in doubt no longer.
    pub(super) fn review_made_stopped(&mut self, now: Moment, from: usize, out: &mut Vec<Effect>) {
        if self.game.irregularities.made_stopped.is_none_or(|first| first < from) {
            return;
        }
        self.game.ordered.put_back = true;
        let stands = self.game.score.plies().len() > from && self.clocks.stopped();
        self.game.irregularities.made_stopped = stands.then_some(from);
        if !stands && self.agrees() {
            self.tell_ways(now, out);
        }
    }

    /// This move was completed. Players who go on from a move that was made while both times stood
    /// have played it.
    pub(super) fn go_on_from_stopped(&mut self, now: Moment, index: usize, out: &mut Vec<Effect>) {
        /// The move itself, the reply, and the next one.
        const GONE_ON: usize = 2;
        let on = |first: &mut usize| index >= *first + GONE_ON;
        let counts = self.clock_counts();
        if counts && self.game.irregularities.made_stopped.take_if(on).is_some() && self.agrees() {
            self.tell_ways(now, out);
        }
    }
}
