//! Another second of the time that counts, at which nothing is to be found.

use eboard::FaceTime;
use shakmaty::Color;

use super::defects::lost;
use super::{Keeper, Reading, Turn, change};
use crate::clock::tolerances::{BOTH_MS, GAP, JUMP_MS, TICK};

impl Keeper {
    /// Takes a reading at which the same time has counted as at the one before, and which betrays
    /// nothing. Whether it is one; if not, nothing has changed.
    pub fn pass(&mut self, now: Reading) -> bool {
        let Some((before, turn)) = self.last.zip(self.turn) else { return false };
        let [own, idle] = [turn.side, turn.side.other()].map(|side| change(before, now, side));
        let counted = own < 0 && -own < JUMP_MS && idle == 0 && now.at.since(before.at) < GAP;
        let left = Color::ALL.into_iter().all(|side| *now.times.get(side) > FaceTime::ZERO);
        let running = before.running && now.running;
        let same = running && now.lever == turn.side && before.lever == turn.side;
        let marked = before.flag || now.flag;
        let passes = counted && left && same && !marked && self.doubtful.is_none();
        if !passes || !turn.is_as_it_should(now) {
            return false;
        }
        self.last = Some(now);
        self.note_change(before, now);
        self.follow(before, now);
        if let Some(turn) = &mut self.turn {
            turn.gap |= now.at.since(before.at) > TICK;
        }
        if !turn.spoiled && self.is_predictable() {
            self.note_counts(turn, now);
        }
        self.note_used_up(now);
        true
    }
}

impl Turn {
    /// Whether by this reading only his time has counted whose turn it is.
    fn is_as_it_should(self, now: Reading) -> bool {
        lost(self, now, self.side) > 0 && lost(self, now, self.side.other()) < BOTH_MS
    }
}
