//! Why an order was refused, for the person who gave it: who has done what, and how long ago, where
//! somebody was quicker.

use std::time::Duration;

use eboard::Moment;
use shakmaty::Color;
use witness::{
    Bilingual, Given, IncidentId, NotGiven, Order, PenaltyGiven, Refusal, Ruling, State,
    Withdrawal, both,
};

use super::Works;
use super::latest::Closing;

/// What an order is about.
#[derive(Clone, Copy)]
pub(super) enum About {
    /// This incident.
    Incident(IncidentId),
    /// The penalty of this number on a player's page of the ledger.
    Penalty(Color, usize),
    /// The table.
    Table,
}

impl About {
    pub(super) fn of(order: &Order) -> Self {
        match order {
            Order::Acknowledge { incident, .. }
            | Order::Rule { incident, .. }
            | Order::PenaltyGiven(PenaltyGiven { incident: Some(incident), .. }) => {
                Self::Incident(*incident)
            }
            Order::PenaltyWithdrawn(it) => Self::Penalty(it.side, it.number),
            _ => Self::Table,
        }
    }
}

impl Works {
    /// With all that is known of it.
    pub(super) fn refused(&self, table: u32, about: About, refusal: Refusal) -> Bilingual {
        let more = match (refusal, about) {
            (Refusal::Penalty(NotGiven::Already), About::Incident(incident)) => {
                let table = self.hall.table(table);
                let given = table.and_then(|table| table.penalty_for(incident));
                given.map(|given| self.given_already(given))
            }
            (Refusal::Penalty(NotGiven::WithdrawnAlready), About::Penalty(side, number)) => {
                let given = self.hall.table(table).map(|table| table.penalties_given(side));
                let given = given.and_then(|given| given.get(number.checked_sub(1)?));
                given
                    .and_then(|given| given.withdrawn.as_ref())
                    .map(|it| self.withdrawn_already(it))
            }
            (Refusal::Acknowledged, About::Incident(incident)) => self.on_the_way(table, incident),
            (Refusal::NoSuchIncident, About::Incident(incident))
            | (Refusal::Penalty(NotGiven::Closed), About::Incident(incident)) => {
                self.closings.of(table, incident).map(|closing| self.closed_already(closing))
            }
            _ => None,
        };
        more.unwrap_or_else(|| refusal.text())
    }

    fn on_the_way(&self, table: u32, incident: IncidentId) -> Option<Bilingual> {
        let mut open = self.hall.table(table)?.incidents();
        let State::Acknowledged { by } = &open.find(|it| it.id == incident)?.state else {
            return None;
        };
        let who = person(by);
        Some(both(
            format!("{} is on the way already", who.en),
            format!("{} s’en occupe déjà", who.fr),
        ))
    }

    fn closed_already(&self, closing: &Closing) -> Bilingual {
        let ago = self.ago(closing.at);
        if closing.aside {
            return both(
                format!("this alert was set aside {}: too many are open at its table", ago.en),
                format!(
                    "cette alerte a été mise de côté {} : trop en sont ouvertes à sa table",
                    ago.fr
                ),
            );
        }
        let Some((by, ruling)) = &closing.ruling else {
            return both(
                format!("this alert cleared up by itself {}: nothing was done", ago.en),
                format!("cette alerte s’est close d’elle-même {} : rien n’a été fait", ago.fr),
            );
        };
        let (who, (en, fr)) = (person(by), ruled(*ruling));
        both(
            format!("{} {en} this alert {}: nothing was done", who.en, ago.en),
            format!("{} a {fr} cette alerte {} : rien n’a été fait", who.fr, ago.fr),
        )
    }

    fn given_already(&self, given: &Given) -> Bilingual {
        let (who, ago) = (person(&given.by), self.ago(given.at));
        let seconds = given.seconds;
        both(
            format!("{} gave {seconds} s for this alert {}: it counts once", who.en, ago.en),
            format!(
                "{} a donné {seconds} s pour cette alerte {} : cela compte une fois",
                who.fr, ago.fr
            ),
        )
    }

    fn withdrawn_already(&self, withdrawn: &Withdrawal) -> Bilingual {
        let (who, ago) = (person(&withdrawn.by), self.ago(withdrawn.at));
        both(
            format!("{} withdrew it {}: nothing has changed", who.en, ago.en),
            format!("{} l’a annulée {} : rien n’a changé", who.fr, ago.fr),
        )
    }

    /// How long ago that was.
    pub(super) fn ago(&self, at: Moment) -> Bilingual {
        ago(self.now.since(at))
    }
}

/// Who it was, at the beginning of a sentence: where nobody had to say, there is but a word.
pub(super) fn person(by: &str) -> Bilingual {
    match by {
        "arbiter" => both("An arbiter", "Un arbitre"),
        name => both(name, name),
    }
}

const fn ruled(ruling: Ruling) -> (&'static str, &'static str) {
    match ruling {
        Ruling::Upheld => ("upheld", "confirmé"),
        Ruling::Dismissed => ("dismissed", "rejeté"),
        Ruling::Noted => ("noted", "noté"),
    }
}

fn ago(passed: Duration) -> Bilingual {
    let (count, unit) = match passed.as_secs() {
        seconds @ ..120 => (seconds, "s"),
        seconds @ ..7200 => (seconds / 60, "min"),
        seconds => (seconds / 3600, "h"),
    };
    both(format!("{count} {unit} ago"), format!("il y a {count} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_ago_is_told_in_the_unit_people_would_use() {
        let told = [4, 119, 120, 7199, 7200].map(|it| ago(Duration::from_secs(it)).en);
        assert_eq!(told, ["4 s ago", "119 s ago", "2 min ago", "119 min ago", "2 h ago"]);
        assert_eq!(ago(Duration::from_secs(61)).fr, "il y a 61 s");
    }
}
