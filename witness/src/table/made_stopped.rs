//! Moves that are made while both times stand: they may be of another game, or none, until they are
//! put back or played on.

use eboard::Moment;
use shakmaty::{Board, Position};

use super::{Effect, Play};
use crate::laws::position;
use crate::score::Ply;

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

    /// Another game begins with this. Of the one before, moves that have only put pieces where they
    /// stand at the beginning, while both times stood, were none.
    pub(super) fn forget_setting_up(&mut self, set_up: &Board) {
        let score = &self.game.score;
        let open = self.game.irregularities.made_stopped.filter(|_| score.ending().is_none());
        let Some(first) = open else { return };
        let home =
            |ply: &Ply| set_up.piece_at(ply.mv.to()) == ply.after.board().piece_at(ply.mv.to());
        let made = score.plies().iter().skip(first).rev();
        let put = made.take_while(|ply| home(ply)).count();
        if put > 0 {
            let left = score.plies().len() - put;
            self.game.score.take_back_before(left);
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
