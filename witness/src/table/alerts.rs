//! Where a table raises and closes its incidents.

use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color};

use super::{Effect, Facet, Play};
use crate::evidence::Trace;
use crate::incident::{Advice, Facts, Gravity, Incident, IncidentId, Kind, State};
use crate::laws::editions;
use crate::message::Message;
use crate::orders::Refusal;

/// What a rule of the Laws has to say about a new incident.
pub(super) struct Saying {
    pub kind: Kind,
    pub side: Option<Color>,
    pub text: Message,
    pub facts: Facts,
    pub advice: Vec<Advice>,
}

impl Play {
    pub(super) fn acknowledge(
        &mut self,
        id: IncidentId,
        by: String,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let incident = self.docket.get_mut(id).ok_or(Refusal::NoSuchIncident)?;
        match &incident.state {
            State::Lapsed => return Err(Refusal::Lapsed),
            State::Acknowledged { by: other } if *other != by => return Err(Refusal::Acknowledged),
            State::Open | State::Acknowledged { .. } | State::SetAside => {}
        }
        incident.state = State::Acknowledged { by };
        out.push(Effect::Raised(Box::new(incident.clone())));
        Ok(())
    }

    pub(super) fn close_kind(&mut self, kind: Kind, out: &mut Vec<Effect>) {
        if let Some(id) = self.docket.of_kind(kind) {
            self.close(id, out);
        }
    }

    pub(super) fn close(&mut self, id: IncidentId, out: &mut Vec<Effect>) {
        if let Some(incident) = self.docket.close(id) {
            out.push(Effect::Closed(Box::new(incident), None));
        }
    }

    pub(super) fn raise(&mut self, now: Moment, saying: Saying, out: &mut Vec<Effect>) {
        let gravity = self.settings.gravity(saying.kind);
        self.raise_as(now, saying, gravity, out);
    }

    pub(super) fn raise_as(
        &mut self,
        now: Moment,
        saying: Saying,
        gravity: Gravity,
        out: &mut Vec<Effect>,
    ) -> IncidentId {
        self.raise_about(now, saying, gravity, self.game.score.move_number(), out)
    }

    /// Under another Article than the one its kind usually falls under.
    pub(super) fn raise_under(
        &mut self,
        now: Moment,
        article: &'static str,
        saying: Saying,
        gravity: Gravity,
        out: &mut Vec<Effect>,
    ) {
        let id = self.docket.next_id(self.game.number);
        let incident = self.incident(now, id, saying, gravity);
        self.open(Incident { article: article.into(), ..incident }, out);
    }

    /// About the move of this number.
    pub(super) fn raise_about(
        &mut self,
        now: Moment,
        saying: Saying,
        gravity: Gravity,
        move_number: u32,
        out: &mut Vec<Effect>,
    ) -> IncidentId {
        let id = self.docket.next_id(self.game.number);
        let said = self.penalize(now, id, saying);
        if said.facts.offence.is_some() {
            out.push(Effect::Changed(Facet::Ledger));
        }
        if said.kind == Kind::PositionToCheck {
            self.close_kind(said.kind, out);
        }
        let incident = self.incident(now, id, said, gravity);
        self.open(Incident { move_number, ..incident }, out);
        self.ask_about_offence(id, out);
        id
    }

    /// An incident of this moment, about the move that is on.
    pub(super) fn incident(
        &self,
        now: Moment,
        id: IncidentId,
        said: Saying,
        gravity: Gravity,
    ) -> Incident {
        let Saying { kind, side, text, facts, advice } = said;
        Incident {
            id,
            kind,
            article: editions::article(kind, self.settings.edition).into(),
            edition: editions::source(kind, self.settings.edition),
            side,
            move_number: self.game.score.move_number(),
            gravity,
            state: State::Open,
            revision: 1,
            opened: now,
            text,
            facts,
            evidence: self.game.traces.all(),
            advice,
        }
    }

    pub(super) fn open(&mut self, incident: Incident, out: &mut Vec<Effect>) {
        if self.settings.silent {
            return;
        }
        let aside = self.docket.open(incident.clone());
        out.push(Effect::Raised(Box::new(incident)));
        out.extend(aside.into_iter().map(|it| Effect::Closed(Box::new(it), None)));
    }

    pub(super) fn facts(&self) -> Facts {
        Facts {
            position: self.game.score.position().into(),
            surface: Some(self.board.surface.board().to_string()),
            clocks: self.clocks.state().map(|state| state.times),
            ..Facts::default()
        }
    }

    /// The same about the move after so many moves of the score.
    pub(super) fn facts_at(&self, ply: usize) -> Facts {
        Facts { position: self.game.score.position_at(ply).into(), ..self.facts() }
    }

    /// More is known of what an open incident is about.
    pub(super) fn renew(
        &mut self,
        id: IncidentId,
        saying: Saying,
        move_number: u32,
        out: &mut Vec<Effect>,
    ) {
        let evidence = self.game.traces.all();
        let Some(open) = self.docket.get_mut(id) else { return };
        let Saying { kind: _, side, text, facts, advice } = saying;
        (open.side, open.text, open.facts, open.advice) = (side, text, facts, advice);
        (open.evidence, open.move_number) = (evidence, move_number);
        out.push(Effect::Raised(Box::new(open.clone())));
    }

    /// Where nothing was done, what the clock shows is all the evidence there is.
    pub(super) fn note_shown(&mut self, now: Moment, shown: Option<ByColor<FaceTime>>) {
        if let Some(shown) = shown {
            self.game.traces.add(now, Trace::Face(shown));
        }
    }
}
