//! The pairings of an organizer: a file is read and shown, and what he has made of it is kept.
//!
//! Bodies are larger here than elsewhere. So the session comes in the head of a request, and
//! nothing of the body is read before it was checked.

use std::time::Duration;

use axum::Json;
use axum::body::{self, Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use witness::Message;

use super::Pages;
use super::session::{refused, unauthorized};
use super::who::Session;
use crate::pairings::{self, Round, Source};
use crate::say;
use crate::setup::pairings::File;
use crate::setup::{Wanted, Wish};

/// The longest upload: a PGN of some thousand games with their moves. One at a time is held.
const UPLOAD_MB: usize = 8;
/// How long an upload may take. Behind it others wait.
const UPLOAD_LASTS: Duration = Duration::from_secs(20);

/// What an organizer has made of the pairings.
#[derive(Deserialize)]
struct Made {
    rounds: Vec<Round>,
    round: Option<String>,
    revision: Option<String>,
}

/// Reads a file and says what is in it, or what is wrong and in which line. Nothing is kept.
pub async fn read(State(pages): State<Pages>, request: Request) -> Response {
    with_upload(pages, request, async |_, _, _, bytes| match parsed(bytes).await {
        Ok((source, rounds)) => uncached(&json!({"form": source.name(), "rounds": rounds})),
        Err(refusal) => *refusal,
    })
    .await
}

/// The pairings that are in force.
pub async fn now(State(pages): State<Pages>, body: Bytes) -> Response {
    let session: Option<Session> = serde_json::from_slice(&body).ok();
    if session.is_none_or(|it| !pages.is_organizer(&it)) {
        return unauthorized(&say::log_in());
    }
    let config = pages.config();
    uncached(&json!({"rounds": config.rounds, "round": config.event.round}))
}

/// Keeps pairings that were put together on the page.
pub async fn keep(State(pages): State<Pages>, request: Request) -> Response {
    with_upload(pages, request, async |pages, by, _, bytes| {
        let Made { rounds, round, revision } = match serde_json::from_slice(&bytes) {
            Ok(made) => made,
            Err(error) => {
                let why = say::pairings_unfit(&error.to_string());
                return refused(StatusCode::UNPROCESSABLE_ENTITY, &why);
            }
        };
        if let Err(why) = pairings::judge(&rounds) {
            return refused(StatusCode::UNPROCESSABLE_ENTITY, &why);
        }
        let bytes = pairings::write(&rounds).into_bytes();
        kept(&pages, by, File { kind: Source::Pgn, bytes, round }, revision).await
    })
    .await
}

/// Keeps a report of a pairing program byte for byte: results are filled into it later.
pub async fn report(State(pages): State<Pages>, request: Request) -> Response {
    with_upload(pages, request, async |pages, by, headers, bytes| {
        let revision = headers.get(header::IF_MATCH).and_then(|it| it.to_str().ok());
        let revision = revision.map(|it| it.trim_matches('"').to_owned());
        match parsed(bytes.clone()).await {
            Ok((kind @ Source::Report, _)) => {
                kept(&pages, by, File { kind, bytes, round: None }, revision).await
            }
            Ok(_) => refused(StatusCode::UNPROCESSABLE_ENTITY, &say::no_report()),
            Err(refusal) => *refusal,
        }
    })
    .await
}

/// Checks the session in the head of a request, and then reads its body.
async fn with_upload(
    pages: Pages,
    request: Request,
    act: impl AsyncFnOnce(Pages, String, HeaderMap, Vec<u8>) -> Response,
) -> Response {
    let (parts, body) = request.into_parts();
    let session = session_of(&parts.headers).filter(|it| pages.is_organizer(it));
    let Some(Session { username, .. }) = session else { return unauthorized(&say::log_in()) };
    let by = pages.access.as_deref().map(|it| it.person(&username)).unwrap_or_default();
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    let length: Option<usize> = length.and_then(|it| it.parse().ok());
    if length.is_some_and(|length| length > UPLOAD_MB << 20) {
        return refused(StatusCode::PAYLOAD_TOO_LARGE, &say::upload_too_long(UPLOAD_MB));
    }
    // The semaphore is never closed.
    let uploads = std::sync::Arc::clone(&pages.uploads);
    let _turn = uploads.acquire().await;
    match received(body).await {
        Some(bytes) => act(pages, by, parts.headers, bytes).await,
        None => refused(StatusCode::PAYLOAD_TOO_LARGE, &say::upload_too_long(UPLOAD_MB)),
    }
}

async fn received(body: Body) -> Option<Vec<u8>> {
    let whole = body::to_bytes(body, UPLOAD_MB << 20);
    let bytes = tokio::time::timeout(UPLOAD_LASTS, whole).await.ok()?.ok()?;
    Some(bytes.into())
}

/// `Authorization: Session NAME PASSWORD`, which no page of another site can send.
fn session_of(headers: &HeaderMap) -> Option<Session> {
    let words = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (username, password) = words.strip_prefix("Session ")?.split_once(' ')?;
    Some(Session { username: username.to_owned(), password: password.to_owned() })
}

async fn kept(pages: &Pages, by: String, file: File, revision: Option<String>) -> Response {
    let refuse = |why: &Message| refused(StatusCode::CONFLICT, why);
    let Some(wishes) = &pages.wishes else { return refuse(&say::config_not_here()) };
    let (answer, answered) = oneshot::channel();
    let wish = Wish { by, wanted: Wanted::Pairings(file, revision), answer };
    if wishes.try_send(wish).is_err() {
        return refuse(&say::config_busy());
    }
    match answered.await.unwrap_or_else(|_| Err(say::config_busy())) {
        Ok(value) => uncached(&value),
        Err(why) => refuse(&why),
    }
}

/// What a file is, and its rounds; or the answer to a file that cannot be meant, with the line and
/// what to write. A long one takes a while, and nobody else waits for it.
async fn parsed(bytes: Vec<u8>) -> Result<(Source, Vec<Round>), Box<Response>> {
    let read = tokio::task::spawn_blocking(move || pairings::of(bytes)).await;
    let busy = |_| refused(StatusCode::SERVICE_UNAVAILABLE, &say::config_busy());
    read.map_err(busy)?.map_err(|problem| {
        let why = say::problem_at(problem.line, problem.key, problem.what);
        Box::new(refused(StatusCode::UNPROCESSABLE_ENTITY, &why))
    })
}

fn uncached(value: &Value) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(value)).into_response()
}
