//! The state of each outlet, for arbiters anywhere: whether it works, since when, and the result of
//! its last attempt. `/healthz` shows that result to this machine only.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Pages;
use super::session::unauthorized;
use super::who::{Session, for_arbiters};
use crate::languages::Languages;
use crate::outlets::trial;
use crate::say;

/// A way out that is to be tried.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    session: Session,
    outlet: String,
}

#[derive(Serialize)]
struct Outlet {
    name: &'static str,
    works: bool,
    since: String,
    last: String,
}

/// Serves the state of every configured outlet to arbiters.
pub async fn list(State(pages): State<Pages>, body: Bytes) -> Response {
    if !pages.is_arbiter(&body) {
        return for_arbiters();
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

/// Tries a way out for an organizer, and says in words whether it works. Without a name it lists
/// those that are configured.
pub async fn attempt(State(pages): State<Pages>, body: Bytes) -> Response {
    let wanted: Option<Wanted> = serde_json::from_slice(&body).ok();
    let Some(Wanted { outlet, .. }) = wanted.filter(|it| pages.is_organizer(&it.session)) else {
        return unauthorized(&say::log_in());
    };
    let config = pages.config();
    if outlet.is_empty() {
        return axum::Json(json!({"outlets": trial::configured(&config)})).into_response();
    }
    // One at a time: each may ask a server of other people. The semaphore is never closed.
    let _turn = pages.uploads.acquire().await;
    let tried = trial::attempt(&config, &outlet).await;
    let works = tried.is_ok();
    let (Ok(answer) | Err(answer)) = tried;
    let answer = json!({"works": works, "text": Languages::all().text(&answer)});
    ([(header::CACHE_CONTROL, "no-store")], axum::Json(answer)).into_response()
}
