//! What the ledger says beside an illegal move: its number, and what the Laws provide (7.5.5).

use eboard::Moment;
use shakmaty::{Color, Position};

use super::alerts::Saying;
use super::questions::About;
use super::{Effect, Facet, Play};
use crate::evidence::Trace;
use crate::incident::{Advice, Incident, IncidentId, Kind};
use crate::laws::claims::{self, Answer, BadClaim, Claim};
use crate::laws::flag::Consequence;
use crate::laws::penalties::{self, Penalty};
use crate::ledger::{Account, Fault, Given, Ledger};
use crate::message::Span;
use crate::say;
use crate::topic::Topic;
use crate::unwinnable::Verdict;

impl Play {
    /// Enters an illegal move, and adds what follows from its number.
    pub(super) fn penalize(&mut self, now: Moment, id: IncidentId, mut saying: Saying) -> Saying {
        let counts = Ledger::counts(saying.kind, self.settings.edition);
        let Some(side) = saying.side.filter(|_| counts) else { return saying };
        let fault = self.fault((id, saying.kind), side, now, self.game.score.move_number());
        let (drawn, offence) = (fault.drawn, self.ledger.enter(fault));
        let penalty = penalties::illegal_move(&self.settings, offence);
        saying.facts.offence = Some(offence);
        saying.facts.penalty_s = seconds(penalty);
        saying.facts.consequence = consequence(penalty, drawn);
        let provided = provided(side, offence, penalty, drawn);
        saying.advice.push(provided.about(Topic::Penalty));
        saying
    }

    /// What only a human can say to have been an illegal move is one now.
    pub(super) fn enter_upheld(&mut self, incident: &Incident) {
        let counts = Ledger::counts_if_upheld(incident.kind, self.settings.edition);
        let Some(side) = incident.side.filter(|_| counts) else { return };
        let which = (incident.id, incident.kind);
        let fault = self.fault(which, side, incident.opened, incident.move_number);
        self.ledger.enter(fault);
    }

    /// An illegal move by this side, before anybody has said anything of it.
    fn fault(
        &self,
        (incident, kind): (IncidentId, Kind),
        side: Color,
        at: Moment,
        move_number: u32,
    ) -> Fault {
        let drawn = self.verdict(self.game.score.position(), side.other()) == Verdict::Unwinnable;
        Fault { side, at, incident, kind, move_number, drawn, ruling: None, stands: false }
    }

    /// Where it is not known at once whether the opponent can checkmate, somebody else is asked.
    pub(super) fn ask_about_offence(&mut self, id: IncidentId, out: &mut Vec<Effect>) {
        let side = self.docket.get_mut(id).filter(|it| it.facts.offence.is_some());
        let Some(side) = side.and_then(|it| it.side) else { return };
        let position = self.game.score.position().clone();
        if self.verdict(&position, side.other()) == Verdict::Undetermined {
            self.ask(&position, side.other(), About::Offence(id), out);
        }
    }

    /// An illegal move counts no more, or counts again: what is open about the others of this
    /// player says their numbers now, and what follows from them.
    pub(super) fn renumber(&mut self, side: Option<Color>, out: &mut Vec<Effect>) {
        out.push(Effect::Changed(Facet::Ledger));
        for (number, fault) in side.map(|side| self.ledger.faults(side)).unwrap_or_default() {
            let Some(incident) = self.docket.get_mut(fault.incident) else { continue };
            if incident.facts.offence == Some(number) {
                continue;
            }
            let penalty = penalties::illegal_move(&self.settings, number);
            incident.facts.offence = Some(number);
            incident.facts.penalty_s = seconds(penalty);
            incident.facts.consequence = consequence(penalty, fault.drawn);
            let provided = provided(fault.side, number, penalty, fault.drawn);
            incident.advise_anew(Topic::Penalty, provided);
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// What was given for this incident and counts.
    #[must_use]
    pub fn penalty_for(&self, incident: IncidentId) -> Option<&Given> {
        self.ledger.given_for(incident)
    }

    /// What stands against a player in this game.
    #[must_use]
    pub fn account(&self, side: Color) -> Account {
        self.ledger.account(side)
    }

    /// This player's illegal moves in this game, with their numbers and what is provided for each.
    #[must_use]
    pub fn faults(&self, side: Color) -> Vec<(u32, Penalty, Fault)> {
        let faults = self.ledger.faults(side).into_iter();
        let provided = |number| penalties::illegal_move(&self.settings, number);
        faults.map(|(number, fault)| (number, provided(number), fault)).collect()
    }

    /// The penalties that were given to this player in this game.
    #[must_use]
    pub fn penalties_given(&self, side: Color) -> &[Given] {
        self.ledger.given(side)
    }

    /// What the Laws provide for this player's next illegal move.
    #[must_use]
    pub fn next_penalty(&self, side: Color) -> Penalty {
        penalties::illegal_move(&self.settings, self.account(side).illegal_moves + 1)
    }

    /// Whether a claim of a draw is right, on the position on the board or after an announced move.
    ///
    /// # Errors
    /// When the move is not legal, the game is over, or none has begun.
    pub fn claim(&self, claim: Claim, announced: Option<&str>) -> Result<Answer, BadClaim> {
        let mut answer = claims::check(&self.game.score, &self.settings, claim, announced)?;
        if self.game.course.is_adrift() || self.docket.of_kind(Kind::PositionToCheck).is_some() {
            answer.text = claims::doubted(answer.text);
        }
        Ok(answer)
    }

    /// Pieces that the player having the move has lifted since the last move was made: with the
    /// first of them he has lost the right to claim (9.4).
    #[must_use]
    pub fn touched(&self) -> Vec<shakmaty::Square> {
        let position = self.game.score.position();
        let acts = self.game.irregularities.acts_since(self.game.score.plies().len());
        let own = acts.iter().filter_map(|act| match act.trace {
            Trace::Touched(touched) => {
                touched.lifted.filter(|it| it.color == position.turn()).map(|_| touched.square)
            }
            _ => None,
        });
        own.collect()
    }
}

pub(super) const fn seconds(penalty: Penalty) -> Option<u32> {
    match penalty {
        Penalty::Time(seconds) => Some(seconds),
        Penalty::Loss => None,
    }
}

/// How the game ends by it, if it does; `drawn`: the opponent cannot mate.
pub(super) fn consequence(penalty: Penalty, drawn: bool) -> Option<Consequence> {
    match penalty {
        Penalty::Time(_) => None,
        Penalty::Loss if drawn => Some(Consequence::Draw),
        Penalty::Loss => Some(Consequence::Loss),
    }
}

pub(super) fn provided(side: Color, offence: u32, penalty: Penalty, drawn: bool) -> Advice {
    match penalty {
        Penalty::Time(0) => say::offence_warning(offence, side),
        Penalty::Time(seconds) => {
            say::offence_time(offence, side, side.other(), Span(seconds.into()))
        }
        Penalty::Loss if drawn => say::offence_drawn(offence, side),
        Penalty::Loss => say::offence_lost(offence, side),
    }
}
