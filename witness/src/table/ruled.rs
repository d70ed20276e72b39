//! An arbiter has ruled on an alert: what follows for the others.

use eboard::Moment;
use shakmaty::Color;

use super::ended::{is_an_end, is_by_the_move, is_drawn_by};
use super::illegal_and_flag::{ILLEGAL, is_fall};
use super::{Effect, Play};
use crate::incident::{Incident, IncidentId, Kind, Ruling};
use crate::laws::late_flag;
use crate::orders::Refusal;
use crate::topic::Topic;

impl Play {
    pub(super) fn rule(
        &mut self,
        now: Moment,
        id: IncidentId,
        (ruling, by): (Ruling, String),
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let hindered = self.is_hindered_by(id);
        let incident = self.docket.close(id).ok_or(Refusal::NoSuchIncident)?;
        let (side, kind) = (incident.side, incident.kind);
        if ruling == Ruling::Upheld {
            self.enter_upheld(&incident);
            self.await_result_of(&incident);
        }
        self.step.ruled = true;
        out.push(Effect::Closed(Box::new(incident), Some(ruling)));
        if self.ledger.rule(now, id, ruling, &by) {
            self.renumber(side, out);
        }
        self.note_ruling(now, (id, kind, hindered), ruling, out);
        self.rule_before_flag(now, (kind, side), ruling, out);
        Ok(())
    }

    /// Somebody has ruled on what may have ended the game, or on how the last move was made.
    pub(super) fn note_ruling(
        &mut self,
        now: Moment,
        (id, kind, hindered): (IncidentId, Kind, bool),
        ruling: Ruling,
        out: &mut Vec<Effect>,
    ) {
        let about = self.game.irregularities.open().find(|it| it.2 == id).map(|it| it.0);
        let last = self.game.score.plies().len().checked_sub(1);
        let of_last = about.is_some() && about == last && is_by_the_move(kind);
        let flag = [Kind::FlagFall, Kind::BothFlags].contains(&kind);
        let stopped =
            kind == Kind::PositionToCheck && self.game.irregularities.made_stopped.is_some();
        let over = of_last || is_drawn_by(kind) || flag || stopped || hindered;
        if ruling == Ruling::Upheld && over {
            self.game.ordered.goes_on_at = Some(self.game.score.plies().len());
        } else if flag {
            // The kings may have shown a result meanwhile.
            self.look(now, out);
        }
        if ruling == Ruling::Dismissed && is_an_end(kind) {
            // The flag that fell since means something after all.
            self.tell_flags_anew(now, out);
        }
        if ruling == Ruling::Dismissed {
            self.say_ended_after_all(out);
        }
    }

    /// Somebody has ruled on an illegal move that came before a flag.
    pub(super) fn rule_before_flag(
        &mut self,
        now: Moment,
        (kind, by): (Kind, Option<Color>),
        ruling: Ruling,
        out: &mut Vec<Effect>,
    ) {
        let Some(by) = by.filter(|_| ILLEGAL.contains(&kind)) else { return };
        let topic = Topic::RuledOnFirst(kind, by);
        let first = |it: &Incident| it.advice.first().is_some_and(|it| it.is_about(topic));
        let first_fall = |it: &&Incident| is_fall(it) && first(it);
        let Some(id) = self.open_in_game().find(first_fall).map(|it| it.id) else { return };
        if let Some(fall) = self.docket.get_mut(id).filter(|_| ruling == Ruling::Upheld) {
            fall.advice = vec![late_flag::irregular_upheld(kind, by, self.settings.edition)];
            return out.push(Effect::Raised(Box::new(fall.clone())));
        }
        self.tell_flags_anew(now, out);
    }

    /// What had made them mean nothing is dismissed.
    pub(super) fn tell_flags_anew(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.close_kind(Kind::FlagFall, out);
        self.close_kind(Kind::BothFlags, out);
        let falls: Vec<_> = self.clocks.flags().copied().collect();
        falls.into_iter().for_each(|fall| self.flag_fell(now, fall, out));
    }
}
