//! Orders that expire are never carried out late or twice.
//!
//! If an order comes again, the first answer is repeated. So a sender whose connection broke learns
//! the outcome.

use std::collections::VecDeque;
use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use serde_json::Value;
use witness::Message;

use crate::requests::Request;
use crate::say;
use crate::time::{Anchor, WallTime};

/// The most answers that are kept: those of an hour in a large hall.
const KEPT_MAX: usize = 4096;
/// The longest time from asking to expiry. An order that expires sooner than this after answers
/// were forgotten may be one of those.
const ASKED_BEFORE: Duration = Duration::from_secs(60);

/// Orders and their answers, the newest last. It is not carried over into a new record.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Answers {
    kept: VecDeque<Kept>,
    /// The moment before which answers were forgotten; none: none were.
    since: Option<Moment>,
}

#[derive(Clone, Debug, Encode, Decode)]
struct Kept {
    at: Moment,
    by: String,
    verb: String,
    /// As JSON.
    transaction: String,
    /// JSON, or the refusal.
    answer: Result<String, Message>,
}

impl Answers {
    /// No answers, for the beginning of a new record.
    pub fn forgotten(now: Moment) -> Self {
        Self { kept: VecDeque::new(), since: Some(now) }
    }

    /// The first answer to this order, if it came before.
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

    /// Why an order comes too late to be carried out; none: it is in time.
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
