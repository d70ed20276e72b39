//! A position from before an illegal move, or a turn that was passed, that is put back after it was
//! played on (7.5.1): the game goes on from there, and what was played since is no part of it.

use eboard::Moment;
use shakmaty::Position;

use super::{Effect, Play};
use crate::score::Gap;

impl Play {
    /// Nothing explains the squares, and the clock runs: whether they show such a position.
    pub(super) fn look_for_position_put_back(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let lost = self.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_some());
        if !lost || self.surface.is_blind() || self.clocks.stopped() {
            return;
        }
        let shown = |at: &usize| self.score.position_before(*at).board() == self.surface.board();
        let played_on = self.score.breaks().iter().rev().filter(|it| it.gap != Gap::Missing);
        let Some(at) = played_on.map(|it| it.at).find(shown) else { return };
        self.score.take_back_before(at);
        self.restart_from(now, at, out);
        self.ordered.put_back = true;
        self.note_put_right_at(now);
        self.look(now, out);
    }
}
