//! Carries out what arbiters ask for. A request is carried out whole, or refused without any
//! change.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use witness::laws::claims::Claim;
use witness::{Effect, Facet, Message, Order, Refusal, Table, TableNo};

use super::latest::{self, Done};
use super::refused::{About, person};
use super::rounds::Stage;
use super::{Act, Works};
use crate::answers;
use crate::languages::Languages;
use crate::requests::{Asked, Asks, BadRequest, Colours, Request, SetPairing, StartRound};
use crate::say;

/// Within this time after one arbiter's act, another arbiter may not have seen it yet.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Requests that are not carried out twice within [`AT_ONCE`] for different arbiters. Each would
/// undo or repeat what the other one has just done.
const ONCE: [&str; 11] = [
    "correct_score",
    "flip",
    "grant_time",
    "penalty_given",
    "score_shown",
    "set_pairing",
    "set_position",
    "set_result",
    "set_time",
    "start_round",
    "take_back",
];

type Answer = Result<Value, Message>;

impl Works {
    pub(super) fn requested(&mut self, request: &Request, out: &mut Vec<Act>) {
        let due = request.common.expiry();
        let expires = !matches!(due, Ok(None));
        if let Some(answer) = self.orders.of(request).filter(|_| expires) {
            return out.push(Act::AnsweredAgain(Box::new(request.clone()), answer));
        }
        let late = |due| self.orders.too_late(due, self.now, self.wall?);
        let answer = match due.map(|due| due.and_then(late)) {
            Err(why) | Ok(Some(why)) => Err(why),
            Ok(None) => request
                .asked()
                .map_err(|BadRequest(why)| why)
                .and_then(|asked| self.carry_out(request, asked, out)),
        };
        if expires && !matches!(*request.asks, Asks::Configure(_)) {
            self.orders.keep(self.now, request, &answer);
        }
        if answer.is_ok() && matches!(*request.asks, Asks::Configure(_)) {
            // It is answered when the file is written.
            return;
        }
        out.push(Act::Answered(Box::new(request.clone()), answer));
    }

    fn carry_out(&mut self, request: &Request, asked: Asked, out: &mut Vec<Act>) -> Answer {
        let tables = self.tables_of(&asked)?;
        for table in tables.iter().filter(|_| !asked.counts_once()) {
            self.not_at_once(request, *table)?;
        }
        let undoable = self.may_be_undone(&asked);
        let answer = match asked {
            Asked::Undo(table, act) => self.undo((table, act), &request.by, out),
            Asked::Order(table, order) => self.order(table, order, out),
            Asked::ResultOf(table, asked) => self.set_result_of(table, asked, &request.by, out),
            Asked::Claim(table, claim, announced) => {
                self.claim(table, claim, announced.as_deref(), out)
            }
            Asked::Sealed(table, written) => self.sealed(table, &written),
            Asked::Pairing(asked) => self.pair(*asked, out),
            Asked::Start(asked) => self.start_round(&asked, &tables, out),
            Asked::Seat(asked) => self.give_table(&asked, out),
            Asked::Configure(asked) => {
                let changes = self.to_configure(&asked)?;
                out.push(Act::Configure(Box::new(request.clone()), changes));
                Ok(Value::Null)
            }
        }?;
        let act = undoable.and_then(|before| self.note_decided(before, request));
        for table in tables {
            let done = Done { at: self.now, by: request.by.clone(), what: latest::did(request) };
            self.lately.insert((request.verb().to_owned(), table), done);
        }
        Ok(match act {
            Some(act) => with_undo(answer, act),
            None => answer,
        })
    }

    /// The table whose acts this may add to, and how many there are. What is said of a game that
    /// the table had before, or will have, is not taken back: another result is entered.
    fn may_be_undone(&self, asked: &Asked) -> Option<(TableNo, u32)> {
        let (table, game) = match asked {
            Asked::Order(table, order) if !matches!(order, Order::Undo { .. }) => (*table, None),
            Asked::ResultOf(table, asked) => (*table, asked.game),
            _ => return None,
        };
        let it = self.hall.table(table)?;
        let current = game.is_none_or(|game| game == it.game_number());
        current.then(|| (table, it.acts()))
    }

    /// The tables of a request; all of them if it names none.
    fn tables_of(&self, asked: &Asked) -> Result<Vec<TableNo>, Message> {
        let named = match asked {
            Asked::Order(table, _)
            | Asked::Undo(table, _)
            | Asked::ResultOf(table, ..)
            | Asked::Claim(table, ..)
            | Asked::Sealed(table, _) => vec![*table],
            Asked::Pairing(asked) => vec![asked.table],
            Asked::Seat(asked) => asked.table.into_iter().collect(),
            Asked::Configure(_) => Vec::new(),
            Asked::Start(StartRound { tables: Some(tables), .. }) => tables.clone(),
            Asked::Start(_) => self.hall.tables().map(|(number, _)| number).collect(),
        };
        let unknown: BTreeSet<TableNo> =
            named.iter().copied().filter(|table| self.hall.table(*table).is_none()).collect();
        match asked {
            _ if unknown.is_empty() => Ok(named),
            Asked::Start(_) => Err(started_nowhere(&unknown)),
            _ => Err(Refusal::NoSuchTable.text()),
        }
    }

    fn not_at_once(&self, request: &Request, table: TableNo) -> Result<(), Message> {
        let last = self.lately.get(&(request.verb().to_owned(), table));
        let Some(done) = last.filter(|_| ONCE.contains(&request.verb())) else {
            return Ok(());
        };
        if done.by == request.by || self.now.since(done.at) > AT_ONCE {
            return Ok(());
        }
        let (who, did, ago) = (person(&done.by), done.what.clone(), self.ago(done.at));
        Err(say::done_just_now(who, did, table, ago))
    }

    pub(super) fn order(&mut self, table: TableNo, order: Order, out: &mut Vec<Act>) -> Answer {
        let data: Option<fn(&Table, &Languages) -> Value> = match order {
            Order::PenaltyGiven(_) | Order::PenaltyWithdrawn(_) => {
                Some(|table, _| answers::accounts(table))
            }
            Order::ScoreShown(_) => Some(|table, _| answers::scores_shown(table)),
            Order::Adjourn(_) => Some(|table, _| answers::adjourned(table)),
            Order::ResumePlay(_) => Some(answers::resumed),
            _ => None,
        };
        let about = About::of(&order);
        let ruled = match &order {
            Order::Rule { incident, ruling, by } => Some((*incident, *ruling, by.clone())),
            _ => None,
        };
        let answer =
            self.with_hall(out, |hall, now, effects| hall.order(now, table, order, effects));
        answer.map_err(|refusal| self.refused(table, about, refusal))?;
        if let Some((incident, ruling, by)) = ruled {
            self.closings.ruled(table, incident, &by, ruling);
            return Ok(answers::ruled(table, incident, ruling, &by));
        }
        let table = self.hall.table(table);
        Ok(data.zip(table).map(|(data, table)| data(table, &self.languages)).into())
    }

    /// Answers a claim. The penalty of a wrong claim is expected on the clock when it runs again.
    fn claim(
        &mut self,
        table: TableNo,
        claim: Claim,
        announced: Option<&str>,
        out: &mut Vec<Act>,
    ) -> Answer {
        let it = self.hall.table(table).ok_or_else(|| Refusal::NoSuchTable.text())?;
        let answer = it.claim(claim, announced).map_err(|error| error.text())?;
        let data = answers::claim(it, &answer, &self.languages);
        if !answer.right {
            self.order(table, Order::WrongClaim(answer.by), out)?;
        }
        Ok(data)
    }

    fn sealed(&self, table: TableNo, written: &str) -> Answer {
        let it = self.hall.table(table).ok_or_else(|| Refusal::NoSuchTable.text())?;
        let sealed = it.sealed_move(written).map_err(Refusal::text)?;
        Ok(answers::sealed(&sealed, &self.languages))
    }

    fn stage(&self, table: TableNo) -> Stage {
        self.hall.table(table).map_or(Stage::Before, Stage::of)
    }

    fn pair(&mut self, asked: SetPairing, out: &mut Vec<Act>) -> Answer {
        let SetPairing { table, round, pairing, colours } = asked;
        let stage = self.stage(table);
        let starts = pairing.as_ref().is_some_and(|it| it.start_fen.is_some());
        if stage == Stage::During && starts {
            return Err(say::has_start_position());
        }
        let now = self.round(table).to_owned();
        if stage == Stage::During && round.as_ref().is_some_and(|round| *round != now) {
            return Err(say::is_of_round(&now));
        }
        let reversed = colours == Colours::Reversed;
        if colours != Colours::Unchanged {
            self.order(table, Order::ColoursReversed(reversed), out)?;
        }
        let game = self.rounds.to_come(&self.plan, table, stage);
        game.round = round.unwrap_or_else(|| game.round.clone());
        game.said = pairing.or_else(|| game.said.take());
        if colours != Colours::Unchanged {
            game.reversed = reversed;
        }
        let answer = json!({"round": game.round, "next_game": stage.is_over()});
        self.round_changed(table, out);
        // A player who is named here now may be named at another table too.
        self.announce_all(out);
        Ok(answer)
    }

    fn start_round(
        &mut self,
        asked: &StartRound,
        tables: &[TableNo],
        out: &mut Vec<Act>,
    ) -> Answer {
        let round = asked.round.as_deref();
        let named = |name: &str| self.plan.rounds.iter().any(|it| it.name == name);
        if let Some(name) = round.filter(|name| !self.plan.rounds.is_empty() && !named(name)) {
            return Err(say::no_pairings(name));
        }
        if asked.tables.is_some() {
            let playing = |table: &&TableNo| {
                self.stage(**table) == Stage::During
                    && round.is_some_and(|round| round != self.round(**table))
            };
            if let Some(table) = tables.iter().find(playing) {
                let round = self.round(*table);
                return Err(say::still_plays(*table, round));
            }
        }
        let now = self.now;
        for table in tables {
            let stage = self.stage(*table);
            self.rounds.start(&self.plan, *table, stage, round, now);
            self.round_changed(*table, out);
        }
        Ok(json!({"tables": tables}))
    }

    fn round_changed(&mut self, table: TableNo, out: &mut Vec<Act>) {
        out.push(Act::Table(self.now, table, Effect::Changed(Facet::Game)));
        self.announce(table, out);
    }
}

/// The answer with the number under which what was done can be taken back.
fn with_undo(answer: Value, act: u32) -> Value {
    match answer {
        Value::Object(mut data) => {
            data.insert("undo".to_owned(), act.into());
            Value::Object(data)
        }
        _ => json!({"undo": act}),
    }
}

/// An arbiter who lists tables has probably mistyped one. So nothing starts if one of them is
/// unknown.
fn started_nowhere(unknown: &BTreeSet<TableNo>) -> Message {
    let tables = unknown.iter().map(TableNo::to_string).collect::<Vec<_>>().join(", ");
    match unknown.len() {
        1 => say::started_nowhere_one(&tables),
        _ => say::started_nowhere(&tables),
    }
}

#[cfg(test)]
mod tests {
    use eboard::Moment;

    use crate::entry::Start;
    use words::InWords as _;

    use super::*;
    use crate::entry::{Entry, Plan, TableEntry, Watch};

    fn ask(works: &mut Works, by: &str, verb: &str, body: Value) -> Result<Value, Message> {
        let request = Request::read(verb, body, by);
        let mut acts = Vec::new();
        works.enter(works.now(), &Entry::Request(request), &mut acts);
        acts.into_iter()
            .find_map(|act| match act {
                Act::Answered(_, answer) => Some(answer),
                _ => None,
            })
            .unwrap()
    }

    fn works() -> Works {
        let table = |number| TableEntry {
            number,
            port: None,
            serial: Some(number.to_string()),
            driver: None,
            station: 0,
            watch: Watch::default(),
        };
        let plan = Plan {
            tables: vec![table(TableNo::new(1)), table(TableNo::new(2))],
            ..Plan::default()
        };
        let mut works = Works::new(Vec::new());
        works.enter(Moment::ZERO, &Entry::Planned(Box::new(plan)), &mut Vec::new());
        works
    }

    #[test]
    fn two_arbiters_do_not_change_the_same_at_once() {
        let mut works = works();
        let pair = |names: [&str; 2]| json!({"table": 1, "white": names[0], "black": names[1]});
        assert!(ask(&mut works, "Ann", "set_pairing", pair(["A", "B"])).is_ok());
        works.advance(works.now() + Duration::from_secs(4), &mut Vec::new());
        let refused = ask(&mut works, "Bob", "set_pairing", pair(["C", "D"])).unwrap_err();
        assert_eq!(refused.en(), "Ann set the players at table 1 4 s ago: look, and ask again");
        assert_eq!(works.players(TableNo::new(1)).unwrap().white.name, "A");
        let other = json!({"table": 2, "white": "C", "black": "D"});
        assert!(ask(&mut works, "Bob", "set_pairing", other).is_ok(), "another table");
        assert!(ask(&mut works, "Ann", "set_pairing", pair(["A", "E"])).is_ok(), "her own");
        works.advance(works.now() + AT_ONCE + Duration::from_secs(1), &mut Vec::new());
        assert!(ask(&mut works, "Bob", "set_pairing", pair(["C", "D"])).is_ok(), "later");
        let result = |it: &str| json!({"table": 1, "result": it});
        assert!(ask(&mut works, "Ann", "set_result", result("1-0")).is_ok());
        let refused = ask(&mut works, "Bob", "set_result", result("0-1")).unwrap_err();
        assert!(
            refused.en().starts_with("Ann set the result 1-0 at table 1 0 s ago"),
            "{refused:?}"
        );
        assert!(ask(&mut works, "Ann", "start_round", json!({"round": "1"})).is_ok());
        let refused = ask(&mut works, "Bob", "start_round", json!({"tables": [2]})).unwrap_err();
        assert!(refused.en().starts_with("Ann started the round at table 2 "), "{refused:?}");
    }

    /// Enters the daemon's own time of day.
    fn at(works: &mut Works, micros: i64) {
        works.enter(works.now(), &Entry::Wall(micros), &mut Vec::new());
    }

    fn entered(works: &mut Works, request: Value) -> Act {
        let mut acts = Vec::new();
        let request = Request::read("start_round", request, "Ann");
        works.enter(works.now(), &Entry::Request(request), &mut acts);
        acts.pop().unwrap()
    }

    #[test]
    fn an_order_is_not_carried_out_after_its_time_nor_twice() {
        let mut works = works();
        at(&mut works, 1_000_000_000);
        let order =
            |id: &str, until: &str| json!({"transaction": id, "round": "1", "expires_at": until});
        let in_time = order("a", "1970-01-01T00:16:46.000Z");
        let Act::Answered(_, first) = entered(&mut works, in_time.clone()) else { panic!() };
        assert!(first.is_ok());
        works.advance(works.now() + Duration::from_secs(5), &mut Vec::new());
        let late = order("b", "1970-01-01T00:16:44.000Z");
        let Act::Answered(_, refused) = entered(&mut works, late.clone()) else { panic!() };
        let refused = refused.unwrap_err();
        assert!(refused.en().starts_with("too late, not done: it came 1 s after"), "{refused:?}");
        // Both orders come again after their time. Each gets its first answer, and nothing is done.
        works.advance(works.now() + Duration::from_secs(60), &mut Vec::new());
        let again = entered(&mut works, in_time.clone());
        let Act::AnsweredAgain(_, answer) = again else { panic!("{again:?}") };
        assert_eq!(answer, first);
        let again = entered(&mut works, late);
        let Act::AnsweredAgain(_, answer) = again else { panic!("{again:?}") };
        assert_eq!(answer, Err(refused));
        // Without an expiry an order is always carried out, whatever its transaction is.
        let bare = json!({"transaction": "a", "round": "1"});
        for _ in 0..2 {
            assert!(matches!(entered(&mut works, bare.clone()), Act::Answered(_, Ok(_))));
        }
        let strange = order("c", "tomorrow");
        let Act::Answered(_, refused) = entered(&mut works, strange) else { panic!() };
        assert!(refused.unwrap_err().en().starts_with("expires_at: "));
    }

    #[test]
    fn what_was_asked_before_a_record_begins_is_not_said_to_be_undone() {
        let mut works = works();
        at(&mut works, 1_000_000_000);
        let order = json!({"transaction": 1, "round": "1", "expires_at": "1970-01-01T00:16:44Z"});
        assert!(matches!(entered(&mut works, order.clone()), Act::Answered(_, Ok(_))));
        let (standings, plan) = (works.standings(), works.plan().clone());
        let plan = Plan { standings, ..plan };
        works.enter(works.now(), &Entry::Planned(Box::new(plan)), &mut Vec::new());
        works.advance(works.now() + Duration::from_secs(10), &mut Vec::new());
        let Act::Answered(_, answer) = entered(&mut works, order) else { panic!() };
        assert!(answer.unwrap_err().en().starts_with("asked too long ago to tell"));
    }

    #[test]
    fn a_forfeit_that_is_known_before_its_round_is_not_given_to_the_next_one() {
        let mut works = works();
        let result = json!({"table": 1, "result": "1-0"});
        let start = |works: &mut Works, body| {
            works.advance(works.now() + Duration::from_secs(60), &mut Vec::new());
            ask(works, "Ann", "start_round", body).unwrap();
            let standing = works.rounds.standing(TableNo::new(1)).unwrap();
            (standing.next.is_some(), standing.now.start != Start::Planned)
        };
        assert!(ask(&mut works, "Ann", "set_result", result).is_ok());
        assert_eq!(start(&mut works, json!({})), (false, true), "its own round");
        assert_eq!(start(&mut works, json!({})), (true, true), "the next one");
        // A named round means that round.
        let pair = json!({"table": 2, "round": "2", "white": "A", "black": "B"});
        assert!(ask(&mut works, "Ann", "set_pairing", pair).is_ok());
        let result = json!({"table": 2, "result": "0-1"});
        assert!(ask(&mut works, "Ann", "set_result", result).is_ok());
        for (round, another) in [("2", false), ("2", false), ("3", true)] {
            start(&mut works, json!({"round": round}));
            let next = works.rounds.standing(TableNo::new(2)).unwrap().next.is_some();
            assert_eq!(next, another, "round {round}");
        }
    }

    #[test]
    fn nothing_can_be_claimed_where_no_game_is_on() {
        let mut works = works();
        let claim = json!({"table": 1, "kind": "threefold"});
        let refused = ask(&mut works, "Ann", "claim_check", claim.clone()).unwrap_err();
        assert_eq!(refused, Refusal::NotInPlay.text());
        // Nothing can be claimed on pieces that an arbiter has set up either, unless he says how
        // long they have stood.
        let position = |halfmoves: u32| {
            let fen = format!("4k3/8/8/8/8/8/3R4/4K3 w - - {halfmoves} 90");
            json!({"table": 1, "fen": fen})
        };
        assert!(ask(&mut works, "Ann", "set_position", position(0)).is_ok());
        assert_eq!(ask(&mut works, "Ann", "claim_check", claim), Err(refused));
        assert!(ask(&mut works, "Ann", "set_position", position(100)).is_ok());
        let claim = json!({"table": 1, "kind": "fifty"});
        let answer = ask(&mut works, "Ann", "claim_check", claim).unwrap();
        assert_eq!(answer["right"], true, "{answer}");
    }

    #[test]
    fn a_round_starts_nowhere_if_a_table_is_unknown_and_all_unknown_ones_are_named() {
        let mut works = works();
        for (tables, en, fr) in [
            (vec![1, 7], "no such table: 7; ", "cette table n’existe pas\u{a0}: 7\u{a0}; "),
            (vec![9, 2, 7, 9], "no such table: 7, 9; ", "ces tables n’existent pas\u{a0}: 7, 9"),
        ] {
            let refused = ask(&mut works, "Ann", "start_round", json!({"tables": tables}));
            let answer = refused.unwrap_err();
            assert!(answer.en().starts_with(en) && answer.fr().starts_with(fr), "{answer:?}");
        }
        for table in [1, 2] {
            assert_eq!(works.hall().table(TableNo::new(table)).unwrap().round_start(), None);
        }
        let started = ask(&mut works, "Bob", "start_round", json!({"tables": [2]}));
        assert_eq!(started, Ok(json!({"tables": [2]})), "nobody has done the same just before");
    }

    #[test]
    fn what_is_known_of_a_round_is_the_same_after_a_new_record_begins() {
        let mut works = works();
        let pair = json!({"table": 1, "round": "2", "white": "A", "black": "B"});
        assert!(ask(&mut works, "Ann", "set_pairing", pair).is_ok());
        works.advance(Moment::ZERO + Duration::from_secs(90), &mut Vec::new());
        assert!(ask(&mut works, "Ann", "start_round", json!({})).is_ok());
        let plan = Plan { standings: works.standings(), ..works.plan().clone() };
        let mut again = Works::new(Vec::new());
        again.enter(works.now(), &Entry::Planned(Box::new(plan)), &mut Vec::new());
        for it in [&works, &again] {
            assert_eq!(
                (it.round(TableNo::new(1)), it.players(TableNo::new(1))),
                ("2", works.players(TableNo::new(1)))
            );
            let start = it.hall().table(TableNo::new(1)).unwrap().round_start();
            assert_eq!(start, Some(Moment::from_micros(90_000_000)));
        }
    }
}
