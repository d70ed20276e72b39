//! What a press says of the squares: whose move stood there, and that it stays.

use eboard::Moment;
use shakmaty::{Color, Position};

use super::stands::Reading;
use super::{Late, Tracker};
use crate::picture::Picture;

impl Tracker {
    /// A clock was pressed: what stands there was meant, or what this side put there last if hands
    /// are over the board again. A press that was still owed for an earlier move says nothing about
    /// the next one. True if the tail is another one now.
    pub fn pressed(&mut self, now: Moment, by: Color, owed: bool, picture: &Picture) -> bool {
        if let Some(hearing) = &mut self.hearing {
            hearing.pressed(now, by, picture, &self.puts);
        }
        let moved = self.believe_pressed(by, owed, picture);
        let stands = self.lost.is_some_and(|lost| !lost.unfinished);
        if let Some(hearing) = self.hearing.as_mut().filter(|_| stands) {
            hearing.saw_unexplained();
        }
        self.dispute();
        if stands && self.deaf && self.hearing.is_some() {
            // What was heard until now may prove more than it did; a piece in the hand does not.
            self.gap_at.get_or_insert(now);
        }
        if stands && self.unseen.lasts && self.gap_at.is_some() {
            // Hands that play on at once let no picture rest. What stands at a press does.
            self.gap_at = Some(now);
        }
        moved
    }

    fn believe_pressed(&mut self, by: Color, owed: bool, picture: &Picture) -> bool {
        let before = self.mark();
        if self.standing.is_some_and(|it| self.was_skipped(it)) {
            // A piece on its way may look like two moves: this must rest all the same.
            return false;
        }
        let left = self.pending.filter(|&stand| self.has_moved(stand, by, picture));
        let meant = self.standing.or(left).filter(|&it| !owed || !self.goes_on_from_shown(it));
        let Some(meant) = meant.filter(|&it| self.prefer(it, by)) else {
            return false;
        };
        self.shown = meant;
        (self.settles, self.pending) = (None, None);
        before != self.mark()
    }

    /// A scan has brought in another move of this side after the press: that one was meant. What
    /// still stands there is beyond revision. True if the tail is another one now.
    pub fn came_late(&mut self, press: &Late, picture: &Picture) -> bool {
        let late = self.pending.filter(|&stand| {
            let parent = self.stands[stand].parent;
            let instead = self.shown != 0 && parent == self.stands[self.shown].parent;
            let stand = &self.stands[stand];
            let last = stand.position().turn() == press.by.other() && stand.seen > press.at;
            last && (instead || !press.completed && parent == self.shown)
        });
        if let Some(late) = late {
            self.shown = late;
            (self.settles, self.pending) = (None, None);
        }
        if self.unseen.lasts
            && self.unseen.again.as_ref().is_none_or(|again| press.at < again.reported())
        {
            // The board had not reported yet what stood there.
            return late.is_some();
        }
        self.keep_pressed(press, late.is_some(), picture);
        late.is_some()
    }

    /// Makes the move of this press final.
    pub fn keep_pressed(&mut self, press: &Late, came_late: bool, picture: &Picture) {
        // The opponent may have answered meanwhile.
        let last = [self.shown, self.stands[self.shown].parent];
        if let Some(made) = last.into_iter().find(|&it| self.has_moved(it, press.by, picture)) {
            // A press that was owed for the move before says nothing of one that came after it.
            let before = self.stands[made].seen <= press.at;
            self.stands[made].pressed |= came_late || !press.completed || before;
        }
    }

    /// Whether this picture came by a move of this side whose piece still stands where it was put.
    pub(super) fn has_moved(&self, stand: usize, side: Color, picture: &Picture) -> bool {
        let stand = &self.stands[stand];
        let reading = &stand.readings[0];
        let Some(mv) = reading.line.last() else { return false };
        let to = match mv.castling_side() {
            Some(castling) => castling.king_to(side),
            None => mv.to(),
        };
        let position = stand.position();
        let seen = reading.corrected(picture);
        position.turn() == side.other() && seen.agrees_on(to, position.board())
    }

    /// Of several readings those remain after which this side has just moved, if there are any.
    /// True if what is left may be believed.
    fn prefer(&mut self, stand: usize, by: Color) -> bool {
        let pressed = |reading: &Reading| reading.position.turn() == by.other();
        let is_leaf = self.stands.is_leaf(stand);
        let stand = &mut self.stands[stand];
        if is_leaf && stand.readings.iter().any(pressed) && !stand.readings.iter().all(pressed) {
            stand.readings.retain(pressed);
        }
        stand.is_certain()
    }
}
