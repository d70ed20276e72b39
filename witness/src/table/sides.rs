//! Whose half of the clock is whose, held against the score: a press belongs to whoever has a move
//! to press for.

use eboard::Moment;
use shakmaty::{Color, Position};

use super::counted::Counted;
use super::missed_press::Missed;
use super::{Effect, Facet, Play};
use crate::clock::Owed;
use crate::incident::{Incident, Kind};
use crate::score::Status;
use crate::table::tolerances::REPORTED;

impl Play {
    /// Whether this press, taken for this player, shows that White's half is Black's.
    pub(super) fn shows_exchanged_sides(&mut self, now: Moment, by: Color) -> bool {
        let playing = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        let owed = self.owed_at(now, by);
        if owed == Owed::Unknown && self.was_put_right() {
            // Only presses in a row contradict then.
            self.clocks.change().forget_contradictions();
        }
        playing && self.clocks.change().weigh_press(owed)
    }

    /// Who has a move to press for. A press that is reported late belongs to a move that counts as
    /// completed already, or was replied to at once: the reply or the next press came before it.
    /// Where an illegal move was put right, the clock may have been left to the other player.
    fn owed_at(&self, now: Moment, by: Color) -> Owed {
        let own = self.game.score.plies().iter().rev().find(|ply| ply.after.turn() == by.other());
        let late = own.is_some_and(|ply| {
            let pressed = self.pressed_at(by).is_some_and(|at| at >= ply.released);
            // One of two moves has its press still to come, whichever had the one before.
            let is_owed_another = self.game.pressing.presses.missing > 0;
            (!pressed || is_owed_another) && now <= ply.released + REPORTED
        });
        let straight = !self.was_put_right();
        match (self.is_owed(by), self.is_owed(by.other())) {
            (true, false) => Owed::ByHim,
            (false, true) if !late => Owed::ByOpponent,
            (true, true) if !late && straight => Owed::ByBoth,
            (false, false) if self.agrees() && straight => Owed::ByNobody,
            _ => Owed::Unknown,
        }
    }

    /// Whether this side has made a move and not pressed for it.
    pub(super) fn is_owed(&self, by: Color) -> bool {
        let own = self.game.score.plies().iter().rev().find(|ply| ply.after.turn() == by.other());
        own.is_some_and(|ply| ply.status == Status::Released)
    }

    /// White's half was taken for Black's. What was said by the clock until now was said of the
    /// wrong player, as far as nobody had shown otherwise.
    pub(super) fn exchange_sides(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let settled = self.clocks.are_sides_settled();
        self.clocks.change().exchange_sides();
        out.push(Effect::Changed(Facet::Clock));
        let presses = &mut self.game.pressing.presses;
        presses.last.swap();
        presses.counted.swap();
        (presses.missing, presses.empty) = (0, None);
        self.forget_pass();
        (self.game.timing.missed, self.game.timing.counted) =
            (Missed::default(), Counted::default());
        if settled {
            return;
        }
        for index in 0..self.game.score.plies().len() {
            self.game.score.forget_clock(index);
        }
        self.changed_game(out);
        let by_the_clock = |it: &&Incident| {
            let kinds = [Kind::PressedWithoutMove, Kind::WrongClockRunning, Kind::MissedPress];
            kinds.contains(&it.kind) && !self.ledger.has(it.id)
        };
        let wrong: Vec<_> = self.open_in_game().filter(by_the_clock).map(|it| it.id).collect();
        wrong.into_iter().for_each(|id| self.close(id, out));
        if self.open_in_game().any(|it| matches!(it.kind, Kind::FlagFall | Kind::BothFlags)) {
            self.tell_flags_anew(now, out);
        }
    }
}
