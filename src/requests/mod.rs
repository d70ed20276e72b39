//! What arbiters ask for. Requests are decoded before they are recorded, so the record holds
//! requests and not payloads.

mod asked;
mod bodies;
mod configure;
mod grants;
mod misread;
mod penalties;
mod results;

pub use asked::{Asked, BadRequest, Colours, ResultOf, SetPairing, StartRound, alert};
pub use bodies::SeatBoard;
pub use configure::{Change, Configure, SeatAt};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use witness::Message;

use crate::say;
use crate::time::WallTime;

/// The name of an arbiter who gave none, as the record has it.
pub const UNNAMED: &str = "arbiter";

/// A request from an arbiter.
///
/// The record writes it in the words of the contract, as all versions did. A key that a later
/// version adds to a body therefore has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Request {
    /// The name of the arbiter.
    pub by: String,
    /// The keys that every request may have.
    pub common: Common,
    /// The request itself.
    pub asks: Box<Asks>,
}

/// The keys that every request may have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Common {
    /// The sender's own id of the request, of any JSON type. The answer repeats it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub transaction: Value,
    /// The deadline for carrying it out. It is kept as it came, even if it is no time of day.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub expires_at: Value,
    /// A note by the arbiter.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub note: Value,
    /// What the sender decides by several requests at once has one name, and is taken back at once.
    /// It is kept as it came, even if it is no text.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub group: Value,
}

impl Common {
    /// The deadline for carrying it out; none: no deadline.
    ///
    /// # Errors
    /// If `expires_at` is no time of day.
    pub fn expiry(&self) -> Result<Option<WallTime>, Message> {
        if self.expires_at.is_null() {
            return Ok(None);
        }
        let read = self.expires_at.as_str().and_then(WallTime::parse);
        read.map(Some).ok_or_else(say::expires_at_unread)
    }
}

/// A request that could not be decoded. It is recorded as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Misread {
    /// The verb of the topic.
    pub verb: String,
    /// The payload.
    pub body: Value,
    /// The error, for the sender.
    pub why: BadRequest,
}

/// Defines the verbs and the body of each.
macro_rules! verbs {
    ($($verb:literal => $name:ident($body:ty),)*) => {
        /// All verbs. The pages offer these and no others.
        pub const VERBS: [&str; [$($verb),*].len()] = [$($verb),*];

        /// A request without its sender, in the words of the contract.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "a variant is a verb: docs/mqtt.md says what it does")]
        pub enum Asks {
            $($name($body),)*
            /// A request that could not be decoded.
            Misread(Box<Misread>),
        }

        impl Asks {
            fn read(verb: &str, body: &Value) -> Result<Self, BadRequest> {
                match verb {
                    $($verb => self::body(verb, body).map(Self::$name),)*
                    _ => Err(BadRequest(say::no_such_request(verb))),
                }
            }

            /// The verb, as in the topic.
            #[must_use]
            pub fn verb(&self) -> &str {
                match self {
                    $(Self::$name(_) => $verb,)*
                    Self::Misread(it) => &it.verb,
                }
            }

            /// The body without the common keys.
            fn body(&self) -> Value {
                match self {
                    $(Self::$name(it) => serde_json::to_value(it).unwrap_or_default(),)*
                    Self::Misread(it) => it.body.clone(),
                }
            }
        }
    };
}

verbs! {
    "acknowledge" => Acknowledge(bodies::Acknowledge),
    "adjourn" => Adjourn(bodies::Adjourn),
    "claim_check" => ClaimCheck(bodies::ClaimCheck),
    "correct_score" => CorrectScore(bodies::CorrectScore),
    "configure" => Configure(Configure),
    "flip" => Flip(bodies::ToTable),
    "grant_time" => GrantTime(grants::GrantTime),
    "penalty_given" => PenaltyGiven(penalties::Given),
    "penalty_withdrawn" => PenaltyWithdrawn(penalties::Withdrawn),
    "resume" => Resume(bodies::Resume),
    "rule" => Rule(bodies::Rule),
    "score_shown" => ScoreShown(bodies::ScoreShown),
    "sealed_move" => SealedMove(bodies::SealedMove),
    "seat" => Seat(SeatBoard),
    "set_pairing" => SetPairing(bodies::SetPairing),
    "set_position" => SetPosition(bodies::SetPosition),
    "set_result" => SetResult(results::SetResult),
    "set_time" => SetTime(penalties::SetTime),
    "start_round" => StartRound(bodies::StartRound),
    "take_back" => TakeBack(bodies::TakeBack),
    "undo" => Undo(bodies::Undo),
}

impl Request {
    /// Decodes a request from the verb of its topic and its payload.
    #[must_use]
    pub fn read(verb: &str, body: Value, by: &str) -> Self {
        let common = Common::deserialize(&body).unwrap_or_default();
        let asks = Asks::read(verb, &body).unwrap_or_else(|why| {
            Asks::Misread(Box::new(Misread { verb: verb.to_owned(), body, why }))
        });
        Self { by: by.to_owned(), common, asks: Box::new(asks) }
    }

    /// The verb, as in its topic.
    #[must_use]
    pub fn verb(&self) -> &str {
        self.asks.verb()
    }

    /// What is asked for in the words of the contract, without what every request may say.
    #[must_use]
    pub fn asked_for(&self) -> Value {
        self.asks.body()
    }

    /// The body in the words of the contract.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut body = self.asks.body();
        if let (Value::Object(body), Ok(Value::Object(common))) =
            (&mut body, serde_json::to_value(&self.common))
        {
            body.extend(common);
        }
        body
    }
}

/// A request in the form that is recorded.
#[derive(Serialize, Deserialize)]
struct Written {
    verb: String,
    body: Value,
    by: String,
}

impl From<Written> for Request {
    fn from(Written { verb, body, by }: Written) -> Self {
        Self::read(&verb, body, &by)
    }
}

impl From<Request> for Written {
    fn from(request: Request) -> Self {
        Self { verb: request.verb().to_owned(), body: request.body(), by: request.by }
    }
}

/// Whether a key says nothing and may be left out.
fn is_default<T: Default + PartialEq>(it: &T) -> bool {
    *it == T::default()
}

fn body<T: DeserializeOwned>(verb: &str, body: &Value) -> Result<T, BadRequest> {
    if !body.is_object() {
        return Err(BadRequest(say::no_object(verb)));
    }
    serde_path_to_error::deserialize(body).map_err(|error| {
        let why = misread::why(&for_a_person(error.inner()));
        BadRequest(match error.path().to_string().as_str() {
            "." => say::misread(verb, why),
            key => say::misread_key(verb, key, why),
        })
    })
}

/// The error in words for a person: serde's names of number types are replaced.
fn for_a_person(error: &serde_json::Error) -> String {
    let number = "expected a whole number";
    error.to_string().replace("expected u32", number).replace("expected usize", number)
}

#[cfg(test)]
mod tests;
