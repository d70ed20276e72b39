//! Why an order was refused, for the arbiter who gave it. If another arbiter was quicker, it says
//! who, what he did, and how long ago.

use crate::requests::UNNAMED;
use crate::say;
use std::time::Duration;

use eboard::Moment;
use shakmaty::Color;
use witness::{
    Given, IncidentId, Message, NotGiven, Order, PenaltyGiven, Refusal, Ruling, State, TableNo,
    Withdrawal,
};

use super::Works;
use super::latest::Closing;

/// The subject of an order.
#[derive(Clone, Copy)]
pub(super) enum About {
    /// This incident.
    Incident(IncidentId),
    /// A penalty, by player and number on the ledger.
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
    /// The reason of a refusal, with all that is known of the earlier act.
    pub(super) fn refused(&self, table: TableNo, about: About, refusal: Refusal) -> Message {
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

    fn on_the_way(&self, table: TableNo, incident: IncidentId) -> Option<Message> {
        let mut open = self.hall.table(table)?.incidents();
        let State::Acknowledged { by } = &open.find(|it| it.id == incident)?.state else {
            return None;
        };
        Some(say::on_the_way_already(person(by)))
    }

    fn closed_already(&self, closing: &Closing) -> Message {
        let ago = self.ago(closing.at);
        if closing.aside {
            return say::set_aside_already(ago);
        }
        let Some((by, ruling)) = &closing.ruling else {
            return say::cleared_up_already(ago);
        };
        let who = person(by);
        match ruling {
            Ruling::Upheld => say::upheld_already(who, ago),
            Ruling::Dismissed => say::dismissed_already(who, ago),
            Ruling::Noted => say::noted_already(who, ago),
        }
    }

    fn given_already(&self, given: &Given) -> Message {
        let (who, ago) = (person(&given.by), self.ago(given.at));
        let seconds = given.seconds;
        say::gave_already(who, seconds, ago)
    }

    fn withdrawn_already(&self, withdrawn: &Withdrawal) -> Message {
        let (who, ago) = (person(&withdrawn.by), self.ago(withdrawn.at));
        say::withdrew_already(who, ago)
    }

    /// How long ago a moment was.
    pub(super) fn ago(&self, at: Moment) -> Message {
        ago(self.now.since(at))
    }
}

/// The name of an arbiter at the beginning of a sentence. Without a name it is a general word.
pub(super) fn person(by: &str) -> Message {
    if by == UNNAMED { say::an_arbiter() } else { say::by_name(by) }
}

fn ago(passed: Duration) -> Message {
    match passed.as_secs() {
        seconds @ ..120 => say::ago_seconds(seconds),
        seconds @ ..7200 => say::ago_minutes(seconds / 60),
        seconds => say::ago_hours(seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use words::InWords as _;

    use super::*;

    #[test]
    fn how_long_ago_is_told_in_the_unit_people_would_use() {
        let spans = [4, 119, 120, 7199, 7200].map(|it| ago(Duration::from_secs(it)).en());
        assert_eq!(spans, ["4 s ago", "119 s ago", "2 min ago", "119 min ago", "2 h ago"]);
        assert_eq!(ago(Duration::from_secs(61)).fr(), "il y a 61 s");
    }
}
