//! Who has decided what at which table a moment ago. Only the arbiter who has decided it takes it
//! back: a tablet that does so is told nothing of what another one is doing at the table.

use std::collections::BTreeMap;

use bincode::{Decode, Encode};
use serde_json::{Value, json};
use witness::{Act, Message, NotUndone, Order, Refusal, TableNo};

use super::refused::person;
use super::{Act as Done, Works};
use crate::answers::alert_id;
use crate::requests::Request;
use crate::say;

/// Decisions that can be taken back, or could a moment ago, by table.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Decided(BTreeMap<TableNo, Vec<Decision>>);

/// One decision.
#[derive(Clone, Debug, Encode, Decode)]
struct Decision {
    /// Its number at the table.
    act: u32,
    by: String,
    verb: String,
    /// The request in the words of the contract, as JSON.
    body: String,
    /// What it was decided together with, by the name that the sender has given it.
    group: Option<String>,
}

/// A decision that can be taken back.
#[derive(Debug)]
pub struct Undoable<'a> {
    /// Its number and its time.
    pub act: Act,
    /// The arbiter.
    pub by: &'a str,
    /// What he asked for.
    pub verb: &'a str,
    /// The request in the words of the contract.
    pub body: Value,
    /// What it was decided together with.
    pub group: Option<&'a str>,
}

impl Works {
    /// What can be taken back at a table, the newest last.
    pub fn undoable(&self, table: TableNo) -> impl Iterator<Item = Undoable<'_>> {
        let decided = self.decided.0.get(&table).into_iter().flatten();
        let acts = self.hall.table(table).into_iter().flat_map(|it| it.undoable());
        let acts: Vec<_> = acts.collect();
        decided.filter_map(move |it| {
            let act = *acts.iter().find(|act| act.number == it.act)?;
            let body = serde_json::from_str(&it.body).unwrap_or_default();
            let group = it.group.as_deref();
            Some(Undoable { act, by: &it.by, verb: &it.verb, body, group })
        })
    }

    /// Notes that this request was carried out, and says under which number it can be taken back.
    pub(super) fn note_decided(
        &mut self,
        (table, acts): (TableNo, u32),
        request: &Request,
    ) -> Option<u32> {
        let act = self.hall.table(table)?.acts();
        let lately: Vec<_> = self.undoable(table).map(|it| it.act.number).collect();
        let decided = self.decided.0.entry(table).or_default();
        decided.retain(|it| lately.contains(&it.act));
        if act == acts {
            return None;
        }
        let (by, verb) = (request.by.clone(), request.verb().to_owned());
        let group = request.common.group.as_str().map(str::to_owned);
        decided.push(Decision { act, by, verb, body: request.asked_for().to_string(), group });
        Some(act)
    }

    /// Takes back what this arbiter has decided.
    pub(super) fn undo(
        &mut self,
        (table, act): (TableNo, u32),
        by: &str,
        out: &mut Vec<Done>,
    ) -> Result<Value, Message> {
        let decided = self.decided.0.get(&table).into_iter().flatten();
        let decided = decided.rev().find(|it| it.act == act);
        match decided {
            Some(it) if it.by != by => return Err(say::undo_is_for(person(&it.by))),
            Some(_) => {}
            None => return Err(Refusal::Undo(NotUndone::NoSuchAct).text()),
        }
        let alert = self.hall.table(table).and_then(|it| it.ruled_by(act));
        self.order(table, Order::Undo { act, by: by.to_owned() }, out)?;
        if let Some(incident) = alert {
            self.closings.reopened(table, incident);
        }
        let alert = alert.map(|incident| alert_id(table, incident));
        Ok(json!({"table": table, "act": act, "alert": alert}))
    }
}
