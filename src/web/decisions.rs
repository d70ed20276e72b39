//! The journal of decisions, for arbiters. A page shows and prints it for an appeals committee.

use std::path::Path;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Pages;
use super::who::for_arbiters;
use crate::papers::decisions;
use crate::record::journal::{self, JournalError};
use crate::record::recording::Recording;

/// Serves the journal to arbiters.
pub async fn list(State(pages): State<Pages>, body: Bytes) -> Response {
    if !pages.is_arbiter(&body) {
        return for_arbiters();
    }
    // One at a time: reading a day uses a core for a while. The semaphore is never closed.
    let _turn = pages.readers.acquire().await;
    let read =
        tokio::task::spawn_blocking(move || read(&pages.record).map(|it| decisions::of(&it)));
    let read = read.await;
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

/// Reads the record of the last two days again.
pub(super) fn read(directory: &Path) -> Result<Recording, JournalError> {
    let mut entries = Vec::new();
    for segment in journal::recent(directory)? {
        entries.extend(journal::read_all(&segment)?.records);
    }
    Ok(Recording { entries, journal: true, missing: Vec::new(), orders: None })
}
