//! A game that is over on the board: mate and stalemate (5.1.1, 5.2.1), and what ended it before
//! them (9.6, 5.2.2). Since 2014 a mate ends the game only if the move was in accordance with
//! Articles 4.2 to 4.7: while that is open there is no result.

use eboard::Moment;
use shakmaty::{KnownOutcome, Position};

use super::concluded::{By, Parting};
use super::{Effect, Event, Play};
use crate::ending::{EndedBy, Ending, Withdrawn};
use crate::incident::{Gravity, Incident, IncidentId, Kind, Ruling, State};
use crate::laws::flag::{OnTheBoard, SAME_MOMENT};
use crate::laws::{editions, results};
use crate::settings::Edition;

/// What stands between a mate and a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hindrance {
    incident: IncidentId,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// The game had ended before the move was made.
    Earlier(Kind),
    /// A flag had fallen before.
    Flag,
    /// The move was made while both times stood.
    Stopped,
    /// What the mover must not do.
    Move,
    /// A mate or stalemate was released before, and changed.
    Released,
    /// An illegal move on which nobody has ruled.
    Illegal(Kind),
}

impl Play {
    /// How the game has ended on the board, unless an arbiter has said that it goes on from there.
    pub(super) fn over_on_the_board(&self) -> Option<(Ending, OnTheBoard)> {
        let plies = self.score.plies().len();
        let position = self.score.position();
        if plies == 0 || self.ordered.goes_on_at == Some(plies) || !is_last(&self.score) {
            return None;
        }
        if position.is_checkmate() {
            let outcome = KnownOutcome::Decisive { winner: !position.turn() }.into();
            return Some((Ending { outcome, reason: EndedBy::Checkmate }, OnTheBoard::Checkmate));
        }
        let outcome = KnownOutcome::Draw.into();
        let stalemate = Ending { outcome, reason: EndedBy::Stalemate };
        position.is_stalemate().then_some((stalemate, OnTheBoard::Stalemate))
    }

    /// Whether a mate or stalemate stands there without being a result.
    #[must_use]
    pub fn awaits_ruling(&self) -> bool {
        self.score.ending().is_none() && self.over_on_the_board().is_some()
    }

    /// Articles 5.1.1 and 5.2.1: mate and stalemate end the game at once, or not until somebody has
    /// ruled on how the move was made.
    pub(super) fn review_end(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.tracker.is_none() || self.adjourned.is_some() || self.is_apart {
            return;
        }
        let Some((ending, how)) = self.over_on_the_board() else { return };
        let hindrance = self.hindrance(ending);
        match (self.score.ending(), hindrance) {
            (None, None) => {
                let beside = self.parting(By::Board);
                self.complete(now, !self.score.position().turn(), out);
                self.ended_after_flag(how, self.score.plies().len() - 1, out);
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

    /// The pieces are set up for the next game: nobody has anything to say against the mate. Who
    /// has won after an illegal move nobody but an arbiter can say. Tells whether there is a result
    /// by it.
    pub(super) fn end_unclaimed(&mut self, now: Moment, out: &mut Vec<Effect>) -> bool {
        let over = self.over_on_the_board().filter(|_| self.awaits_ruling());
        let over = over.filter(|(ending, _)| self.unruled_illegal(ending.outcome).is_none());
        let Some((ending, _)) = over else { return false };
        self.ordered.unclaimed = true;
        self.complete(now, !self.score.position().turn(), out);
        self.end(now, ending, out);
        true
    }

    fn hindrance(&self, ending: Ending) -> Option<Hindrance> {
        let last = self.score.plies().len().checked_sub(1).filter(|_| !self.ordered.unclaimed)?;
        let open =
            |id: IncidentId| self.docket.all().find(|it| it.id == id && it.state != State::Lapsed);
        let told = || self.irregularities.open();
        let earlier = told().find(|(ply, kind, _)| {
            // A draw is a draw, whichever came first.
            *ply < last && is_drawn_by(*kind) && ending.outcome != KnownOutcome::Draw
        });
        if let Some((_, kind, id)) = earlier.filter(|it| open(it.2).is_some()) {
            return Some(Hindrance { incident: id, why: Why::Earlier(kind) });
        }
        let made = self.made_at(last)?;
        if let Some(incident) = self.flag_before(made) {
            return Some(Hindrance { incident, why: Why::Flag });
        }
        if let Some(incident) = self.irregularities.released_ends().find(|id| open(*id).is_some()) {
            return Some(Hindrance { incident, why: Why::Released });
        }
        if let Some((incident, kind)) = self.unruled_illegal(ending.outcome) {
            return Some(Hindrance { incident, why: Why::Illegal(kind) });
        }
        if let Some(incident) = self.doubted_as_stopped() {
            return Some(Hindrance { incident, why: Why::Stopped });
        }
        self.against_the_move(last).map(|incident| Hindrance { incident, why: Why::Move })
    }

    /// Whether this keeps a mate or stalemate from being the result.
    pub(super) fn is_hindered_by(&self, id: IncidentId) -> bool {
        let over = self.over_on_the_board().filter(|_| self.awaits_ruling());
        let hindrance = over.and_then(|(ending, _)| self.hindrance(ending));
        hindrance.is_some_and(|it| it.incident == id)
    }

    /// What is open, since 2014, about how this move was made, by whoever made it.
    pub(super) fn against_the_move(&self, ply: usize) -> Option<IncidentId> {
        let side = self.score.position_at(ply).turn();
        let by_the_move = |id: IncidentId| {
            let it = self.docket.all().find(|it| it.id == id && it.state != State::Lapsed);
            it.is_some_and(|it| it.gravity > Gravity::Note && it.side == Some(side))
        };
        let told = self.irregularities.open();
        let mut found = told.filter(|(at, kind, _)| *at == ply && is_by_the_move(*kind));
        let (.., id) = found.find(|it| by_the_move(it.2))?;
        (self.settings.edition != Edition::Y2005).then_some(id)
    }

    /// A fall that is to be ruled on and was seen before that moment: what comes after it on the
    /// board ends nothing by itself (6.8, 6.9).
    pub(super) fn flag_before(&self, made: Moment) -> Option<IncidentId> {
        let fell = |it: &&Incident| {
            let flag = [Kind::FlagFall, Kind::BothFlags].contains(&it.kind);
            flag && it.gravity > Gravity::Note && it.state != State::Lapsed
        };
        let seen =
            |it: &&Incident| it.facts.between.is_some_and(|(_, seen)| seen + SAME_MOMENT < made);
        self.open_in_game().filter(fell).find(seen).map(|it| it.id)
    }

    /// The question whether the last move is of the game, while both times still stand.
    fn doubted_as_stopped(&self) -> Option<IncidentId> {
        self.irregularities.made_stopped.filter(|_| self.clocks.stopped())?;
        self.docket.of_kind(Kind::PositionToCheck)
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
        let told = |incident: &Incident| incident.advice.contains(&advice);
        let told = self.docket.all().any(|incident| incident.id == it.incident && told(incident));
        if it.why == Why::Flag && !told {
            self.ended_after_flag(how, self.score.plies().len() - 1, out);
        }
        let Some(incident) = self.docket.get_mut(it.incident) else { return };
        if !incident.advice.contains(&advice) {
            incident.advice.push(advice);
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// A mate that was announced is no result yet: it has come to light how it was made.
    fn take_result_back(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        self.step.parting = Parting::Ends;
        self.score.withdraw(Withdrawn { ending, at: now }, self.score.rev());
        let (from, rev) = (self.score.plies().len(), self.score.rev());
        self.tell(Event::Revised { from, rev }, out);
        self.tell(Event::Result, out);
        self.changed_game(out);
        self.refresh_phase(out);
    }

    /// Somebody has ruled on what may have ended the game, or on how the last move was made.
    pub(super) fn note_ruling(
        &mut self,
        now: Moment,
        (id, kind, hindered): (IncidentId, Kind, bool),
        ruling: Ruling,
        out: &mut Vec<Effect>,
    ) {
        let about = self.irregularities.open().find(|it| it.2 == id).map(|it| it.0);
        let last = self.score.plies().len().checked_sub(1);
        let of_last = about.is_some() && about == last && is_by_the_move(kind);
        let flag = [Kind::FlagFall, Kind::BothFlags].contains(&kind);
        let stopped = kind == Kind::PositionToCheck && self.irregularities.made_stopped.is_some();
        let over = of_last || is_drawn_by(kind) || flag || stopped || hindered;
        if ruling == Ruling::Upheld && over {
            self.ordered.goes_on_at = Some(self.score.plies().len());
        } else if flag {
            // The kings may have shown a result meanwhile.
            self.look(now, out);
        }
        if ruling == Ruling::Dismissed && is_an_end(kind) {
            // The flag that fell since means something after all.
            self.tell_flags_anew(now, out);
        }
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
        let last = ply + 1 == self.score.plies().len();
        if first && last && self.settings.edition != Edition::Y2005 {
            self.complete(now, !self.score.position().turn(), out);
        }
        self.ended_after_flag(how, ply, out);
    }

    /// The first thing that has ended the game without anybody having announced it: after which
    /// move, and what.
    pub(super) fn ended_unannounced(&self) -> Option<(usize, Kind)> {
        let ends = self.irregularities.open().filter(|it| is_an_end(it.1) && self.is_open(it.2));
        ends.map(|(ply, kind, _)| (ply, kind)).min_by_key(|it| it.0)
    }
}

/// What a player must not do with the very move that mates (4.3, 4.4, 4.7): all that his opponent
/// claims before he touches a piece himself.
fn is_by_the_move(kind: Kind) -> bool {
    editions::window(kind) == editions::Window::Touch
}

fn is_last(score: &crate::score::Score) -> bool {
    score.breaks().iter().all(|it| it.at < score.plies().len())
}

/// Articles 9.6.1 and 9.6.2.
fn is_drawn_by(kind: Kind) -> bool {
    matches!(kind, Kind::Fivefold | Kind::SeventyFive)
}

pub(super) fn is_an_end(kind: Kind) -> bool {
    is_drawn_by(kind) || kind == Kind::DeadPosition
}
