//! The journal of decisions, for arbiters. A page shows and prints it for an appeals committee.

use std::path::Path;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::Pages;
use crate::mqtt::access::HallAccess;
use crate::papers::decisions::{self, Line};
use crate::record::journal::{self, JournalError};
use crate::record::recording::Recording;

/// The session of a page.
#[derive(Deserialize)]
struct Session {
    username: String,
    password: String,
}

/// Serves the journal to arbiters.
pub async fn list(State(pages): State<Pages>, body: Bytes) -> Response {
    let arbiter = pages.access.as_deref().is_some_and(|access| is_arbiter(access, &body));
    if !arbiter {
        return (StatusCode::UNAUTHORIZED, "for arbiters\n").into_response();
    }
    // One at a time: reading a day uses a core for a while. The semaphore is never closed.
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

/// Whether the body holds the session of an arbiter. A name and password are not accepted: their
/// check is slow, and they do not expire.
pub(super) fn is_arbiter(access: &HallAccess, body: &[u8]) -> bool {
    let Ok(Session { username, password }) = serde_json::from_slice(body) else { return false };
    access.is_session(&username, &password)
}

/// Reads the record again, with machines like those of the daemon.
fn read(directory: &Path) -> Result<Vec<Line>, JournalError> {
    let mut entries = Vec::new();
    for segment in journal::recent(directory)? {
        entries.extend(journal::read_all(&segment)?.records);
    }
    Ok(decisions::of(&Recording { entries, journal: true, missing: Vec::new(), orders: None }))
}
