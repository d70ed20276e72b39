//! Who did something last, and what. If two arbiters do the same, the second one is answered with
//! the name of the first, what he did, and how long ago.

use std::collections::{BTreeMap, VecDeque};

use bincode::{Decode, Encode};
use eboard::Moment;
use witness::{IncidentId, Message, Ruling, TableNo};

use crate::requests::{Asks, Request};
use crate::say;

/// The most closed incidents that are remembered: those of a round in a hall of a thousand tables.
const CLOSED_MAX: usize = 4096;

/// The last act of an arbiter, by verb and table. It is not carried over into a new record.
pub(super) type Lately = BTreeMap<(String, TableNo), Done>;

/// An act of an arbiter.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Done {
    pub at: Moment,
    pub by: String,
    /// The act in words that follow his name.
    pub what: Message,
}

/// How incidents were closed, the newest last. It is not carried over into a new record.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Closings(VecDeque<Closing>);

/// How an incident was closed.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Closing {
    table: TableNo,
    incident: IncidentId,
    pub at: Moment,
    /// Whether it was dropped because too many were open at its table.
    pub aside: bool,
    /// The arbiter and his ruling; none: it cleared up by itself, or was dropped.
    pub ruling: Option<(String, Ruling)>,
}

impl Closings {
    pub fn closed(&mut self, at: Moment, table: TableNo, incident: IncidentId, aside: bool) {
        if self.0.len() == CLOSED_MAX {
            self.0.pop_front();
        }
        self.0.push_back(Closing { table, incident, at, aside, ruling: None });
    }

    /// Notes an incident that a ruling closed.
    pub fn ruled(&mut self, table: TableNo, incident: IncidentId, by: &str, ruling: Ruling) {
        let found = self.0.iter_mut().rev().find(|it| (it.table, it.incident) == (table, incident));
        found.into_iter().for_each(|it| it.ruling = Some((by.to_owned(), ruling)));
    }

    /// The ruling on an incident was taken back: it is open again.
    pub fn reopened(&mut self, table: TableNo, incident: IncidentId) {
        self.0.retain(|it| (it.table, it.incident) != (table, incident));
    }

    pub fn of(&self, table: TableNo, incident: IncidentId) -> Option<&Closing> {
        self.0.iter().rev().find(|it| (it.table, it.incident) == (table, incident))
    }
}

/// The act of a request, in words that follow a name.
pub(super) fn did(request: &Request) -> Message {
    match &*request.asks {
        Asks::CorrectScore(_) => say::did_correct_score(),
        Asks::Flip(_) => say::did_flip(),
        Asks::GrantTime(_) => say::did_grant_time(),
        Asks::PenaltyGiven(it) => say::did_give(it.seconds),
        Asks::ScoreShown(_) => say::did_show_score(),
        Asks::SetPairing(_) => say::did_set_players(),
        Asks::SetPosition(_) => say::did_set_position(),
        Asks::SetResult(it) => match it.ending() {
            Ok(None) => say::did_let_go_on(),
            Ok(Some(_)) | Err(_) => say::did_set_result(&it.result),
        },
        Asks::SetTime(it) => say::did_set_clock(&face(it.white_ms), &face(it.black_ms)),
        Asks::StartRound(_) => say::did_start_round(),
        Asks::TakeBack(it) => say::did_take_back(it.plies),
        _ => say::did_the_same(),
    }
}

/// A time as a chess clock shows it.
fn face(ms: u32) -> String {
    let seconds = ms.div_ceil(1000);
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use witness::GameNo;
    use words::InWords as _;

    use super::*;

    #[test]
    fn what_was_done_is_told_with_what_it_came_to() {
        for (verb, body, en, fr) in [
            (
                "set_result",
                json!({"table": 1, "result": "0-1"}),
                "set the result 0-1",
                "le résultat 0-1",
            ),
            ("set_result", json!({"table": 1, "result": "*"}), "let the game go on", "continuer"),
            (
                "set_time",
                json!({"table": 1, "white_ms": 877_000, "black_ms": 3_600_500}),
                "set the clock to 0:14:37 and 1:00:01",
                "à 0:14:37 et 1:00:01",
            ),
            (
                "take_back",
                json!({"table": 1, "plies": 3}),
                "took 3 half moves back",
                "3 demi-coups",
            ),
        ] {
            let request = Request::read(verb, body, "Ann");
            let done = did(&request);
            assert_eq!(done.en(), en);
            assert!(done.fr().ends_with(fr), "{done:?}");
        }
    }

    #[test]
    fn of_closed_alerts_the_last_ones_are_remembered() {
        let id = |number| IncidentId { game: GameNo::new(1), number };
        let mut closings = Closings::default();
        closings.closed(Moment::ZERO, TableNo::new(1), id(0), false);
        closings.ruled(TableNo::new(1), id(0), "Ann", Ruling::Upheld);
        assert_eq!(
            closings.of(TableNo::new(1), id(0)).unwrap().ruling,
            Some(("Ann".to_owned(), Ruling::Upheld))
        );
        assert!(closings.of(TableNo::new(2), id(0)).is_none());
        for number in 1..=4096 {
            closings.closed(Moment::ZERO, TableNo::new(1), id(number), true);
        }
        assert!(closings.of(TableNo::new(1), id(0)).is_none());
        let last = closings.of(TableNo::new(1), id(4096)).unwrap();
        assert!(last.ruling.is_none() && last.aside);
    }
}
