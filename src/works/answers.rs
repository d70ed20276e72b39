//! Orders with an expiry: none is carried out late or twice. Whoever sends one again is answered as
//! he was the first time, and so learns what became of it.

use std::collections::VecDeque;
use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use serde_json::Value;
use witness::Message;

use crate::requests::Request;
use crate::say;
use crate::time::{Anchor, WallTime};

/// Answers that are remembered: an hour of a large hall's arbiters.
const KEPT_MAX: usize = 4096;
/// No order is asked for so long before it expires.
const ASKED_BEFORE: Duration = Duration::from_secs(60);

/// What was asked for and answered, the newest last. A record does not begin with it.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Answers {
    kept: VecDeque<Kept>,
    /// What was asked before is forgotten; none: nothing is.
    since: Option<Moment>,
}

#[derive(Clone, Debug, Encode, Decode)]
struct Kept {
    at: Moment,
    by: String,
    verb: String,
    /// As JSON.
    transaction: String,
    /// As JSON, or why it was refused.
    answer: Result<String, Message>,
}

impl Answers {
    /// With no memory of what was before.
    pub fn forgotten(now: Moment) -> Self {
        Self { kept: VecDeque::new(), since: Some(now) }
    }

    /// How this very order was answered, if it was.
    pub fn of(&self, request: &Request) -> Option<Result<Value, Message>> {
        let transaction = transaction(request)?;
        let is_it = |it: &&Kept| {
            (&it.by, it.verb.as_str(), &it.transaction)
                == (&request.by, request.verb(), &transaction)
        };
        let kept = self.kept.iter().rev().find(is_it)?;
        Some(match &kept.answer {
            Ok(data) => Ok(serde_json::from_str(data).unwrap_or_default()),
            Err(why) => Err(why.clone()),
        })
    }

    pub fn keep(&mut self, at: Moment, request: &Request, answer: &Result<Value, Message>) {
        let Some(transaction) = transaction(request) else { return };
        if self.kept.len() == KEPT_MAX {
            self.since = self.kept.pop_front().map(|it| it.at);
        }
        let answer = answer.as_ref().map(Value::to_string).map_err(Clone::clone);
        let (by, verb) = (request.by.clone(), request.verb().to_owned());
        self.kept.push_back(Kept { at, by, verb, transaction, answer });
    }

    /// Why an order that was to be carried out by then is not any more; none: it is in time.
    pub fn too_late(&self, due: WallTime, now: Moment, anchor: Anchor) -> Option<Message> {
        let late = anchor.wall(now).as_micros() - due.as_micros();
        if late <= 0 {
            return None;
        }
        if self.since.is_some_and(|since| due <= anchor.wall(since + ASKED_BEFORE)) {
            return Some(say::asked_too_long_ago());
        }
        let seconds = late.unsigned_abs().div_ceil(1_000_000);
        Some(say::too_late(seconds))
    }
}

fn transaction(request: &Request) -> Option<String> {
    let transaction = &request.common.transaction;
    (!transaction.is_null()).then(|| transaction.to_string())
}
