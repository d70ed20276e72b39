//! The state of each outlet, for arbiters anywhere: whether it works, since when, and the result of
//! its last attempt. `/healthz` shows that result to this machine only.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::{Pages, decisions};

#[derive(Serialize)]
struct Outlet {
    name: &'static str,
    works: bool,
    since: String,
    last: String,
}

/// Serves the state of every configured outlet to arbiters.
pub async fn list(State(pages): State<Pages>, body: Bytes) -> Response {
    let access = pages.access.as_deref();
    if !access.is_some_and(|access| decisions::is_arbiter(access, &body)) {
        return (StatusCode::UNAUTHORIZED, "for arbiters\n").into_response();
    }
    let all = pages.reports.all(true).into_iter();
    let all = all.map(|(name, it)| Outlet {
        name,
        works: it.works,
        since: it.since.rfc3339(),
        last: it.last,
    });
    let all: Vec<_> = all.collect();
    ([(header::CACHE_CONTROL, "no-store")], axum::Json(all)).into_response()
}
