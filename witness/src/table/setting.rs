//! What is wrong with the setting of a clock, and the beginning of a game that stands by now.

use eboard::Moment;
use shakmaty::Color;

use super::alerts::Saying;
use super::{Effect, Play};
use crate::detail::Detail;
use crate::incident::{Gravity, Incident, IncidentId, Kind, State};
use crate::laws::{clock, editions};
use crate::topic::{Setting, Topic};

impl Play {
    /// Something else of how it is set is wrong as well.
    pub(super) fn add_to_setting(
        &mut self,
        open: IncidentId,
        setting: Setting,
        out: &mut Vec<Effect>,
    ) {
        let topic = Topic::Setting(setting);
        let Some(incident) = self.docket.get_mut(open) else { return };
        if !incident.text.is_about(topic) && !incident.advises(topic) {
            incident.advice.insert(0, clock::wrong_setting(setting));
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// With what the Laws provide; where it stands already it has lapsed.
    pub(super) fn raise_setting(
        &mut self,
        now: Moment,
        mut saying: Saying,
        gravity: Gravity,
        out: &mut Vec<Effect>,
    ) {
        let (edition, stands) = (self.settings.edition, self.beginning_stands());
        if !stands {
            saying.advice.push(clock::setting_advice(edition));
        }
        if self.settings.is_unsupervised() {
            saying.advice.push(clock::setting_stands(stands, edition));
        }
        self.raise_as(now, saying, gravity, out);
        self.let_beginning_stand(out);
    }

    /// In rapid and blitz without adequate supervision, once ten moves have been completed by each,
    /// nobody can claim a wrong set-up or a board that lies wrongly, or have the clock set anew.
    /// What the arbiter himself has said of its times is no matter of its setting.
    pub(super) fn beginning_stands(&self) -> bool {
        let fewest = Color::ALL.into_iter().map(|side| self.game.score.moves_completed(side)).min();
        let stands = editions::standing_moves(self.settings.edition);
        self.settings.is_unsupervised() && fewest.is_some_and(|fewest| fewest >= stands)
    }

    pub(super) fn let_beginning_stand(&mut self, out: &mut Vec<Effect>) {
        if !self.beginning_stands() {
            return;
        }
        let stands = |incident: &&Incident| match incident.kind {
            Kind::WrongStart | Kind::BoardTurned => true,
            Kind::ClockSetting => incident.facts.detail != Some(Detail::NotAsOrdered),
            _ => false,
        };
        let open = self.docket.all().filter(|it| it.state != State::Lapsed).filter(stands);
        let open: Vec<_> = open.map(|incident| incident.id).collect();
        for id in open {
            if let Some(incident) = self.docket.get_mut(id) {
                incident.state = State::Lapsed;
                out.push(Effect::Raised(Box::new(incident.clone())));
            }
        }
    }
}
