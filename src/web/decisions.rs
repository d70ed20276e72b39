//! The journal of decisions: what was raised, who said what to it and when, made by reading the
//! record again. For arbiters: a page shows and prints it for an appeals committee.

use std::path::Path;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use eboard::Moment;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use witness::{Effect, Incident, Ruling};

use super::Pages;
use crate::entry::{Entry, Request};
use crate::journal::{self, JournalError};
use crate::mqtt::access::HallAccess;
use crate::mqtt::payload::colour;
use crate::time::{Anchor, WallTime};
use crate::works::{Act, Works};

/// Segments of the record that are read: as many as a restart reads.
const SEGMENTS: usize = 2;
/// How far the works are moved on at once: what they do in between must be kept somewhere.
const STRIDE: Duration = Duration::from_secs(60);

/// One line of the journal of decisions.
#[derive(Debug, Serialize)]
pub struct Line {
    /// RFC 3339; null before the record told any time of day.
    at: Option<String>,
    /// `raised`, `closed` (by itself) or `request`.
    what: &'static str,
    table: Option<u32>,
    alert: Option<Value>,
    by: Option<String>,
    verb: Option<String>,
    request: Option<Value>,
    error: Option<String>,
}

/// What a page was given for the feed.
#[derive(Deserialize)]
struct Session {
    username: String,
    password: String,
}

/// The journal, for who proves to be an arbiter.
pub async fn list(State(pages): State<Pages>, body: Bytes) -> Response {
    let arbiter = pages.access.as_deref().is_some_and(|access| is_arbiter(access, &body));
    if !arbiter {
        return (StatusCode::UNAUTHORIZED, "for arbiters\n").into_response();
    }
    // One at a time: reading a day again takes a core for a while. It is never closed.
    let _turn = pages.readers.acquire().await;
    let read = tokio::task::spawn_blocking(move || read(&pages.record)).await;
    let json = match read {
        Ok(Ok(lines)) => serde_json::to_string(&lines).unwrap_or_default(),
        Ok(Err(error)) => return failed(&error.to_string()),
        Err(error) => return failed(&error.to_string()),
    };
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], json)
        .into_response()
}

pub(super) fn failed(why: &str) -> Response {
    tracing::warn!("failed to read the record again: {why}");
    (StatusCode::INTERNAL_SERVER_ERROR, "the record cannot be read\n").into_response()
}

/// Only a session will do: its password costs nothing to check, and it ends.
pub(super) fn is_arbiter(access: &HallAccess, body: &[u8]) -> bool {
    let Ok(Session { username, password }) = serde_json::from_slice(body) else { return false };
    access.is_session(&username, &password)
}

/// Reads the record again, the machines being what they are in the daemon.
fn read(directory: &Path) -> Result<Vec<Line>, JournalError> {
    let mut works = Works::new(catalog::DRIVERS.to_vec());
    let mut book = Book::default();
    let segments = journal::segments(directory)?;
    for segment in segments.iter().rev().take(SEGMENTS).rev() {
        for (at, entry) in journal::read_all(segment)?.records {
            let mut acts = Vec::new();
            while works.now() + STRIDE < at {
                works.advance(works.now() + STRIDE, &mut acts);
                book.enter(works.now(), &mut acts);
            }
            if let Entry::Wall(micros) = entry {
                book.anchor = Some(Anchor { moment: at, wall: WallTime::from_micros(micros) });
            }
            works.enter(at, &entry, &mut acts);
            book.enter(at, &mut acts);
        }
    }
    Ok(book.lines)
}

#[derive(Default)]
struct Book {
    anchor: Option<Anchor>,
    lines: Vec<Line>,
    /// The alerts that have been written down as raised.
    raised: std::collections::BTreeSet<String>,
    /// The alert a request is about to close.
    closed: Option<(Moment, u32, Value)>,
}

impl Book {
    fn enter(&mut self, now: Moment, acts: &mut Vec<Act>) {
        for act in acts.drain(..) {
            match act {
                Act::Table(at, table, Effect::Raised(incident)) => {
                    let alert = told(table, &incident);
                    if self.raised.insert(format!("{table}-{}", incident.id)) {
                        self.write(at, "raised", Some(table), Some(alert));
                    }
                }
                Act::Table(at, table, Effect::Closed(incident, ruling)) => {
                    let alert = told(table, &incident);
                    match ruling {
                        Some(Ruling::Upheld | Ruling::Dismissed | Ruling::Noted) => {
                            self.closed = Some((at, table, alert));
                        }
                        None => self.write(at, "closed", Some(table), Some(alert)),
                    }
                }
                Act::Answered(request, answer) => self.requested(now, *request, answer.err()),
                _ => {}
            }
        }
    }

    fn requested(&mut self, now: Moment, request: Request, error: Option<String>) {
        let closed = self.closed.take();
        let Request { verb, body, by } = request;
        let about = body.get("alert").and_then(Value::as_str);
        let table = about.and_then(|id| id.split('-').next()?.parse().ok());
        let table = table.or_else(|| body.get("table")?.as_u64()?.try_into().ok());
        self.write(now, "request", table, closed.map(|(_, _, alert)| alert));
        if let Some(line) = self.lines.last_mut() {
            (line.by, line.verb, line.request, line.error) =
                (Some(by), Some(verb), Some(body), error);
        }
    }

    fn write(&mut self, at: Moment, what: &'static str, table: Option<u32>, alert: Option<Value>) {
        let at = self.anchor.map(|anchor| anchor.wall(at).rfc3339());
        let line =
            Line { at, what, table, alert, by: None, verb: None, request: None, error: None };
        self.lines.push(line);
    }
}

fn told(table: u32, incident: &Incident) -> Value {
    json!({
        "id": format!("{table}-{}", incident.id), "kind": incident.kind.name(),
        "article": incident.article, "edition": incident.edition.year(),
        "side": incident.side.map(colour), "move_number": incident.move_number,
        "gravity": incident.gravity.name(),
        "text": {"en": incident.text.en, "fr": incident.text.fr},
    })
}
