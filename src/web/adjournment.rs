//! The adjournment sheets as a page to print, for arbiters. The record is read again to make them.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use witness::TableNo;

use super::who::for_arbiters;
use super::{Pages, decisions};
use crate::{papers::adjournment_sheet, record::journal};

/// Which sheets are wanted, and the session of the arbiter.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    table: Option<TableNo>,
    language: String,
}

/// Serves the sheets to arbiters.
pub async fn sheet(State(pages): State<Pages>, body: Bytes) -> Response {
    let Some(wanted) = pages.arbiter_wants::<Wanted>(&body) else { return for_arbiters() };
    // One at a time: reading a day uses a core for a while. The semaphore is never closed.
    let _turn = pages.readers.acquire().await;
    let config = pages.config();
    let made = tokio::task::spawn_blocking(move || {
        let segments = journal::segments(&pages.record)?;
        let Some(newest) = segments.last() else { return Ok(None) };
        let mut sheets = adjournment_sheet::sheets(&journal::read_all(newest)?.records);
        sheets.retain(|sheet| wanted.table.is_none_or(|table| table == sheet.table));
        let page = || adjournment_sheet::html(&sheets, &config, &wanted.language);
        Ok::<_, journal::JournalError>((!sheets.is_empty()).then(page))
    });
    match made.await {
        Ok(Ok(Some(page))) => {
            let kind = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CACHE_CONTROL, "no-store"),
            ];
            (kind, page).into_response()
        }
        Ok(Ok(None)) => (StatusCode::NOT_FOUND, "no game is adjourned\n").into_response(),
        Ok(Err(error)) => decisions::failed(&error.to_string()),
        Err(error) => decisions::failed(&error.to_string()),
    }
}
