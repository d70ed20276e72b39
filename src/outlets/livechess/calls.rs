//! The calls of a client and their answers. An answer repeats the id of its call with its type,
//! because clients compare ids strictly.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use witness::TableNo;

use super::feed::{Event, Feed};
use super::hall::{Hall, Table};
use super::shapes;

/// The most boards that one client follows: all of a large hall, some twice.
pub const FEEDS_MAX: usize = 512;
/// The longest id, in bytes. Ids are kept with their feeds; those of clients are numbers.
const ID_BYTES: usize = 64;
/// The error for another id.
const NO_ID: &str = "an id is a number, or a text of 64 bytes at most";
/// How much of a call an error repeats, in bytes.
const SAID_BACK: usize = 64;

/// A message of a client.
#[derive(Debug, Deserialize)]
struct Call {
    call: String,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    param: Value,
}

/// A message to a client.
#[derive(Debug, Serialize)]
struct Message<'a, P: Serialize> {
    response: &'static str,
    id: &'a Value,
    param: P,
    /// Milliseconds since 1970.
    time: i64,
}

#[derive(Debug, Serialize)]
struct Fault<'a> {
    message: &'a str,
    /// Clients expect this key.
    stacktrace: &'static str,
}

/// The boards that one client follows, by the client's ids.
#[derive(Debug, Default)]
pub struct Feeds(BTreeMap<String, Followed>);

#[derive(Debug)]
struct Followed {
    id: Value,
    table: TableNo,
    feed: Feed,
    /// The table as it was shown last.
    seen: Option<Arc<Table>>,
}

/// An answer to a call.
pub struct Answer {
    /// The text of the message.
    pub text: String,
    /// Whether the call was refused.
    pub refused: bool,
}

/// The text of a message.
fn message(response: &'static str, id: &Value, param: impl Serialize) -> String {
    let message = Message { response, id, param, time: shapes::now() };
    // Cannot fail: these are plain structs with string keys.
    serde_json::to_string(&message).unwrap_or_default()
}

/// An id as a key. Clients take `1` and `"1"` for the same id.
fn key(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::String(text) => text.len() <= ID_BYTES,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn brief(text: &str) -> String {
    text.chars().take(SAID_BACK).collect()
}

impl Feeds {
    /// Answers a call. A message that is no call gets an error.
    pub fn answer(&mut self, text: &str, hall: &Hall) -> Answer {
        let call = match serde_json::from_str::<Call>(text) {
            Ok(call) => call,
            Err(error) => return refusal(&Value::Null, &format!("no call: {error}")),
        };
        if !is_id(&call.id) {
            return refusal(&Value::Null, NO_ID);
        }
        let done = match call.call.to_ascii_lowercase().as_str() {
            "eboards" => return accepted(&call.id, shapes::eboards(hall)),
            "sources" => return accepted(&call.id, shapes::sources(hall)),
            "subscribe" => self.subscribe(&call.param, hall),
            "unsubscribe" => self.unsubscribe(&call.param),
            "call" => self.method(&call.param, hall),
            other => Err(format!("unknown call: {}", brief(other))),
        };
        match done {
            Ok(()) => accepted(&call.id, Value::Null),
            Err(why) => refusal(&call.id, &why),
        }
    }

    /// The messages about everything that is new to the client.
    pub fn news(&mut self, hall: &Hall) -> Vec<String> {
        let news = self.0.values_mut().filter_map(|followed| {
            let event = followed.news(hall)?;
            Some(message("feed", &followed.id, event))
        });
        news.collect()
    }

    fn subscribe(&mut self, param: &Value, hall: &Hall) -> Result<(), String> {
        let feed = param["feed"].as_str().unwrap_or_default();
        if !feed.eq_ignore_ascii_case("eboardevent") {
            return Err(format!("unknown feed: {}", brief(feed)));
        }
        let first = || hall.in_order().first().and_then(|(table, _)| hall.serials.get(table));
        let serial = match &param["param"]["serialnr"] {
            // Some clients name no board and mean the only one.
            Value::Null => first().ok_or("there is no eboard")?.clone(),
            named => key(named),
        };
        let table =
            hall.table_of(&serial).ok_or_else(|| format!("unknown eboard: {}", brief(&serial)))?;
        let id = param["id"].clone();
        if !is_id(&id) {
            return Err(NO_ID.to_owned());
        }
        if self.0.len() >= FEEDS_MAX && !self.0.contains_key(&key(&id)) {
            return Err(format!("more than {FEEDS_MAX} feeds"));
        }
        let followed = Followed { id: id.clone(), table, feed: Feed::new(serial), seen: None };
        self.0.insert(key(&id), followed);
        Ok(())
    }

    fn unsubscribe(&mut self, param: &Value) -> Result<(), String> {
        let id = if param.is_object() { &param["id"] } else { param };
        let gone = self.0.remove(&key(id));
        gone.map(|_| ()).ok_or_else(|| format!("unknown feed: {id}"))
    }

    fn method(&mut self, param: &Value, hall: &Hall) -> Result<(), String> {
        let id = &param["id"];
        let followed = self.0.get_mut(&key(id)).ok_or_else(|| format!("unknown feed: {id}"))?;
        let given = &param["param"];
        // The next message contains everything again.
        followed.seen = None;
        match param["method"].as_str().unwrap_or_default() {
            "setup" => {
                let fen = given["fen"].as_str().ok_or("setup without a fen")?;
                let table = hall.tables.get(&followed.table).ok_or("the eboard is gone")?;
                followed.feed.set_up(fen, table)
            }
            "flip" => {
                let flip = given["flip"].as_bool().ok_or("flip without true or false")?;
                followed.feed.flip(flip);
                Ok(())
            }
            other => Err(format!("unknown method: {other}")),
        }
    }
}

impl Followed {
    fn news(&mut self, hall: &Hall) -> Option<Event> {
        let table = hall.tables.get(&self.table)?;
        // Tables are values, so the same one has nothing new.
        if self.seen.as_ref().is_some_and(|it| Arc::ptr_eq(it, table)) {
            return None;
        }
        self.seen = Some(Arc::clone(table));
        self.feed.news(table)
    }
}

fn accepted(id: &Value, param: impl Serialize) -> Answer {
    Answer { text: message("call", id, param), refused: false }
}

fn refusal(id: &Value, why: &str) -> Answer {
    let fault = Fault { message: why, stacktrace: "" };
    Answer { text: message("error", id, fault), refused: true }
}
