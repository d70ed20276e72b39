//! The answer to a question of mate.

use eboard::Moment;
use shakmaty::Chess;

use super::questions::{About, KNOWN_MAX};
use super::{Effect, Facet, Play};
use crate::clock::FlagFall;
use crate::incident::IncidentId;
use crate::laws::flag::{self, Consequence, Count, Fall};
use crate::laws::penalties::{self, Penalty};
use crate::topic::Topic;
use crate::unwinnable::{Mate, Verdict};

impl Play {
    /// A question is answered. An undetermined one is closed and changes nothing.
    pub(super) fn answer(&mut self, now: Moment, number: u32, mate: Mate, out: &mut Vec<Effect>) {
        let questions = &mut self.questions;
        let Some(index) = questions.open.iter().position(|(it, _)| it.number == number) else {
            return;
        };
        let (question, about) = questions.open.remove(index);
        if mate == Mate::Undetermined {
            return;
        }
        if questions.known.len() == KNOWN_MAX {
            questions.known.remove(0);
        }
        questions.known.push((question.position.clone(), question.winner, mate));
        match about {
            About::Dead(index) => self.judge_dead(now, index, &question.position, out),
            About::Flag { incident, fall, count } => {
                self.revise_flag(incident, &fall, count, mate, out);
            }
            About::Offence(incident) if mate == Mate::Impossible => {
                self.revise_offence(incident, out)
            }
            About::Offence(_) => {}
        }
    }

    pub(super) fn judge_dead(
        &mut self,
        now: Moment,
        index: usize,
        position: &Chess,
        out: &mut Vec<Effect>,
    ) {
        let stands = self.game.score.plies().get(index).is_some_and(|ply| ply.after == *position);
        if stands && self.game.score.ending().is_none() {
            self.note_dead(now, index, out);
        }
    }

    pub(super) fn revise_flag(
        &mut self,
        id: IncidentId,
        fall: &FlagFall,
        count: Count,
        mate: Mate,
        out: &mut Vec<Effect>,
    ) {
        let around = self.around(fall);
        let Some(incident) = self.docket.get_mut(id) else { return };
        let (mate, decided) = match mate {
            Mate::Possible => (Verdict::Winnable(Vec::new()), Consequence::Loss),
            Mate::Impossible => (Verdict::Unwinnable, Consequence::Draw),
            Mate::Undetermined => return,
        };
        let undetermined =
            fall.ours.is_some() || incident.facts.consequence == Some(Consequence::Undetermined);
        let consequence = undetermined.then_some(decided);
        let whole = Fall { fall, count, consequence, mate: &mate, earlier: None, around };
        incident.facts.consequence = whole.follows();
        incident.advice = flag::advice(&whole);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// The opponent cannot checkmate: where the game was said to be lost it is drawn.
    pub(super) fn revise_offence(&mut self, id: IncidentId, out: &mut Vec<Effect>) {
        self.ledger.draw(id);
        out.push(Effect::Changed(Facet::Ledger));
        let Some(incident) = self.docket.get_mut(id) else { return };
        let (Some(side), Some(offence)) = (incident.side, incident.facts.offence) else { return };
        let penalty = penalties::illegal_move(&self.settings, offence);
        if penalty == Penalty::Loss {
            incident.facts.consequence = super::penalties::consequence(penalty, true);
            let provided = super::penalties::provided(side, offence, penalty, true);
            incident.advise_anew(Topic::Penalty, provided);
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }
}
