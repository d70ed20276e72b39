//! A clock that has a line of its own, beside the board. As long as it is there it is the clock of
//! the game, and what a board reports of another clock is ignored. If it reports only the side of
//! its lever, then presses are known and nothing else: no time, no flag, and not whether a time
//! counts.

use eboard::{Moment, Side, Sighting};
use shakmaty::Position;

use super::{DeviceState, Effect, Facet, Play};
use crate::score::Status;

impl Play {
    /// The clock claims to see something.
    pub(super) fn sight_clock(&mut self, now: Moment, sighting: Sighting, out: &mut Vec<Effect>) {
        self.own_clock_now(out, |clock| clock.answering = true);
        match sighting {
            Sighting::Clock(face) => self.read_clock(now, face, out),
            Sighting::Lever(side) => self.saw_lever(now, side, out),
            Sighting::ClockLost => self.lose_clock(now, out),
            Sighting::Silent => {
                self.own_clock_now(out, |clock| clock.answering = false);
                self.lose_clock(now, out);
            }
            Sighting::Battery(battery) => {
                self.own_clock_now(out, |clock| clock.battery = Some(battery));
            }
            Sighting::Identified(identity) => {
                self.own_clock_now(out, |clock| clock.identity = Some(identity));
            }
            // A clock has no squares.
            Sighting::Position(_)
            | Sighting::Occupancy(_)
            | Sighting::Square { .. }
            | Sighting::Presence { .. }
            | Sighting::Within(_)
            | Sighting::Misses(_) => {}
        }
    }

    /// The line of the clock was opened or closed.
    pub(super) fn clock_line(&mut self, now: Moment, present: bool, out: &mut Vec<Effect>) {
        self.own_clock_now(out, |clock| {
            clock.present = present;
            clock.answering &= present;
        });
        if !present {
            self.lose_clock(now, out);
        }
    }

    fn own_clock_now(&mut self, out: &mut Vec<Effect>, change: impl FnOnce(&mut DeviceState)) {
        let clock = self.boards.own_clock.get_or_insert_default();
        let before = clock.clone();
        change(clock);
        if *clock != before {
            out.push(Effect::Changed(Facet::Device));
        }
    }

    /// The lever of a clock that reports no times gives the move to this half. Before anything was
    /// completed, that settles whose half it is.
    pub(super) fn saw_lever(&mut self, now: Moment, side: Side, out: &mut Vec<Effect>) {
        let unwatched = std::mem::take(&mut self.board.unwatched);
        let Some(had) = self.clocks.change().lever_at(side) else { return };
        let playing = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        if !playing || self.game.course.is_adjourned() {
            return;
        }
        // What was played while nobody watched is there before the press that completed it.
        self.note_read(now, out);
        let plies = self.game.score.plies();
        let (first, stands) = (plies.is_empty(), self.agrees());
        if plies.iter().all(|ply| ply.status != Status::Completed) {
            let turn = self.game.score.position().turn();
            // The first move may be on the squares and not yet in the score.
            let given = if first && !stands { turn.other() } else { turn };
            self.clocks.change().lever_is_with(given, first && stands);
        }
        if first && stands {
            // Black has started White's time (6.6), or somebody has tried the clock.
            return;
        }
        match self.clocks.color_of(had) {
            Some(by) if unwatched => {
                self.press_unwatched();
                self.pressed_unwatched(now, by, out);
            }
            Some(by) => self.pressed(now, by, None, out),
            None => {}
        }
        self.refresh_phase(out);
    }
}
