//! A game that is over on the board: mate and stalemate (5.1.1, 5.2.1), and what ended it before
//! them (9.6, 5.2.2). Since 2014 a mate ends the game only if the move was in accordance with
//! Articles 4.2 to 4.7: while that is open there is no result.

use eboard::Moment;
use shakmaty::Position;

use super::ended::Hindrance;
use super::parting::{By, Parting};
use super::{Effect, Event, Play};
use crate::ending::{Ending, Withdrawn};
use crate::incident::{Incident, Kind};
use crate::laws::flag::OnTheBoard;
use crate::laws::results;
use crate::picture;
use crate::score::Status;
use crate::settings::Edition;
use crate::tolerances::CARRY;
use crate::topic::{Hindrance as Why, Topic};

impl Play {
    /// Articles 5.1.1 and 5.2.1: mate and stalemate end the game at once, or not until somebody has
    /// ruled on how the move was made.
    pub(super) fn review_end(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.reading.tracker.is_none() || self.game.course.is_adjourned() || self.is_apart {
            return;
        }
        let Some((ending, how)) = self.over_on_the_board() else { return };
        let hindrance = self.hindrance(ending);
        match (self.game.score.ending(), hindrance) {
            (None, None) if self.mate_rests_until().is_some_and(|until| until > now) => {
                self.game.irregularities.mate_at = self.mate_rests_until();
            }
            (None, None) => {
                let beside = self.parting(By::Board);
                self.complete(now, !self.game.score.position().turn(), out);
                self.ended_after_flag(how, self.game.score.plies().len() - 1, out);
                self.end(now, ending, out);
                self.step.parting = beside;
                self.refresh_phase(out);
            }
            (None, Some(hindrance)) => self.tell_hindrance(hindrance, how, out),
            (Some(announced), Some(hindrance)) if announced == ending => {
                self.take_result_back(now, announced, out);
                self.tell_hindrance(hindrance, how, out);
            }
            (Some(_), _) => {}
        }
    }

    /// Until when a mate must rest before it is a result. A piece that only passes a square is not
    /// released there (4.7). A press, a stopped clock, a flag and hands at other pieces prove more
    /// than rest. A piece that has left again may come to rest elsewhere. If the board sees no
    /// pieces, a mate must always rest.
    fn mate_rests_until(&self) -> Option<Moment> {
        let plies = self.game.score.plies();
        let seen = plies.last().filter(|_| !self.board.surface.is_blind());
        let last = seen.filter(|it| it.status == Status::Released)?;
        let stopped = self.game.clock.ran && self.clocks.stopped();
        if stopped || self.clocks.flags().any(|it| it.seen >= last.released) {
            return None;
        }
        let before = self.game.score.position_at(plies.len() - 1);
        let changed = picture::differing(before.board(), last.after.board());
        let differing = self.board.surface.picture().differing(last.after.board());
        match (differing & changed).is_empty() {
            false => Some(last.released + CARRY),
            true if differing.is_empty() => Some(last.released + self.settings.release),
            true => None,
        }
    }

    /// The pieces are set up for the next game, so nobody objects to the mate. After an illegal
    /// move only an arbiter can say who has won. True if there is a result now.
    pub(super) fn end_unclaimed(&mut self, now: Moment, out: &mut Vec<Effect>) -> bool {
        let over = self.over_on_the_board().filter(|_| self.awaits_ruling());
        let over = over.filter(|(ending, _)| self.unruled_illegal(ending.outcome).is_none());
        let Some((ending, _)) = over else { return false };
        self.game.ordered.unclaimed = true;
        self.complete(now, !self.game.score.position().turn(), out);
        self.end(now, ending, out);
        true
    }

    fn tell_hindrance(&mut self, it: Hindrance, how: OnTheBoard, out: &mut Vec<Effect>) {
        let advice = match it.why {
            Why::Earlier(kind) => results::ended_before(how, kind, self.settings.edition),
            Why::Flag => results::after_flag(how),
            Why::Stopped => results::while_stopped(how),
            Why::Move => results::awaits_ruling(how, self.settings.edition),
            Why::Released => results::after_released_end(how),
            Why::Illegal(kind) => results::after_illegal(how, kind, self.settings.edition),
        };
        let topic = Topic::NoResultYet(it.why, how);
        let known = |open: &Incident| open.id == it.incident && open.advises(topic);
        let known = self.docket.all().any(known);
        if it.why == Why::Flag && !known {
            self.ended_after_flag(how, self.game.score.plies().len() - 1, out);
        }
        let Some(incident) = self.docket.get_mut(it.incident) else { return };
        if incident.advise(topic, advice) {
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// A mate that was announced is no result yet: it has come to light how it was made.
    fn take_result_back(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        self.step.parting = Parting::Ends;
        self.game.withdraw(Withdrawn { ending, at: now }, self.game.score.rev());
        let (from, rev) = (self.game.score.plies().len(), self.game.score.rev());
        self.tell(Event::Revised { from, rev }, out);
        self.tell(Event::Result, out);
        self.changed_game(out);
        self.refresh_phase(out);
    }

    /// 6.2.1.1: a move that ends the game is completed as it is made, pressed or not.
    pub(super) fn note_end_without_press(
        &mut self,
        now: Moment,
        (ply, kind): (usize, Kind),
        out: &mut Vec<Effect>,
    ) {
        let how = match kind {
            Kind::Fivefold => OnTheBoard::Fivefold,
            Kind::SeventyFive => OnTheBoard::SeventyFive,
            Kind::DeadPosition => OnTheBoard::Dead,
            _ => return,
        };
        // What is played on after that ends nothing.
        let first = self.ended_unannounced().is_none_or(|(first, _)| first == ply);
        let last = ply + 1 == self.game.score.plies().len();
        if first && last && self.settings.edition != Edition::Y2005 {
            self.complete(now, !self.game.score.position().turn(), out);
        }
        self.ended_after_flag(how, ply, out);
    }
}
