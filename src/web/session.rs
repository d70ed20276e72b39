//! How an arbiter's page gets its rights on the feed: by name and password. While no arbiter is
//! configured, pages on this machine get them without.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::json;
use witness::Message;

use super::Pages;
use crate::door::visitor::Visitor;
use crate::door::{FromHere, Peer, is_own_page};
use crate::languages::Languages;
use crate::mqtt::access::{HallAccess, SESSION_LASTS};
use crate::say;
use crate::time;
use words::InWords as _;

/// The longest name, in bytes. A longer one would only fill the log.
const NAME_BYTES: usize = 256;

/// The credentials of a page.
#[derive(Deserialize)]
#[serde(untagged)]
enum Shown {
    /// The arbiter's own.
    Login { name: String, password: String },
    /// Those of its session, from before it was loaded again.
    Session { username: String, password: String },
}

/// Opens a session for a page.
pub async fn open(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Extension(visitor): Extension<Arc<Visitor>>,
    FromHere(here): FromHere,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Some(why) = barred(&pages, &peer, &headers) {
        return forbidden(&why);
    }
    let shown: Option<Shown> = serde_json::from_slice(&body).ok();
    let Some(access) = pages.access.clone() else {
        return match shown {
            // An external broker checks its users itself.
            Some(Shown::Login { name, password }) => granted(&name, &password, None),
            _ => unauthorized(&say::log_in_at_broker()),
        };
    };
    if !access.has_accounts() {
        return match here.then(|| access.open_session_here()).flatten() {
            Some((user, password)) => granted(&user, &password, None),
            None => forbidden(&say::no_arbiter_named()),
        };
    }
    let (name, password) = match shown {
        Some(Shown::Login { name, password }) => (name, password),
        Some(Shown::Session { username, password }) => {
            return match access.session_left(&username, &password) {
                Some(left) => {
                    visitor.is_arbiter();
                    named(&access, &username, &password, left)
                }
                None => unauthorized(&say::session_ended()),
            };
        }
        None => return unauthorized(&say::log_in()),
    };
    log_in(&pages, access, (&peer, &visitor), (name, password)).await
}

/// Logs in with an arbiter's name and password. The checks of one address come one after another.
async fn log_in(
    pages: &Pages,
    access: Arc<HallAccess>,
    (peer, visitor): (&Peer, &Visitor),
    (name, password): (String, String),
) -> Response {
    if name.len() > NAME_BYTES {
        return unauthorized(&say::wrong_password());
    }
    let who = peer.address.ip();
    if let Some(wait) = pages.guard().wait(pages.clock.now(), who) {
        return slowed(wait);
    }
    // Each check takes 19 MiB and a core for a while.
    let _turn = pages.logins.take(who).await;
    // Earlier checks of this address may have failed meanwhile.
    if let Some(wait) = pages.guard().wait(pages.clock.now(), who) {
        return slowed(wait);
    }
    let (checking, as_whom) = (access.clone(), name.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let begun = time::processor_of_this_thread();
        let session = checking.log_in(&as_whom, password.as_bytes());
        (session, time::processor_of_this_thread().saturating_sub(begun))
    });
    let (session, took) = checked.await.unwrap_or_default();
    visitor.spent(took);
    if let Some((user, password)) = session {
        pages.guard().succeeded(who);
        visitor.is_arbiter();
        named(&access, &user, &password, SESSION_LASTS)
    } else {
        pages.guard().failed(pages.clock.now(), who);
        pages.refusals.add(format!("as {name:?} from {}", peer.address));
        unauthorized(&say::wrong_password())
    }
}

/// Closes a session, when the arbiter signs out.
pub async fn close(State(pages): State<Pages>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let shown = serde_json::from_slice(&body).ok().filter(|_| is_own_page(&headers));
    let closed = match (shown, pages.access.as_deref()) {
        (Some(Shown::Session { username, password }), Some(access)) => {
            access.close_session(&username, &password)
        }
        _ => false,
    };
    if closed { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED }
}

fn granted(user: &str, password: &str, more: Option<((String, bool), Duration)>) -> Response {
    let (arbiter, left) = more.unzip();
    let lasts = left.unwrap_or(SESSION_LASTS).as_secs();
    let (arbiter, organizer) = arbiter.unzip();
    let organizer = organizer.unwrap_or(false);
    let body = json!({
        "username": user,
        "password": password,
        "lasts_s": lasts,
        "arbiter": arbiter,
        "organizer": organizer,
    });
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The session with its owner's name. Such a page may keep it until it ends.
pub(super) fn named(access: &HallAccess, user: &str, password: &str, left: Duration) -> Response {
    let who = (access.person(user), access.is_organizer(user));
    granted(user, password, Some((who, left)))
}

/// Too many wrong passwords came from there. The next one is checked after `wait_s`.
pub(super) fn slowed(wait: Duration) -> Response {
    let seconds = wait.as_secs() + 1;
    let why = format!("too many wrong passwords: wait {seconds} s");
    let retry = [(header::RETRY_AFTER, seconds.to_string())];
    let body = Json(json!({"error": why, "wait_s": seconds}));
    (StatusCode::TOO_MANY_REQUESTS, retry, body).into_response()
}

/// Why nobody may send a secret from there, if nobody may.
pub(super) fn barred(pages: &Pages, peer: &Peer, headers: &HeaderMap) -> Option<Message> {
    if !is_own_page(headers) {
        return Some(say::page_of_another_site());
    }
    pages.must_encrypt(peer).then(say::over_https_only)
}

/// The refusal that no name and password can change.
pub(super) fn forbidden(why: &Message) -> Response {
    refused(StatusCode::FORBIDDEN, why)
}

/// The refusal that a name and password can change.
pub(super) fn unauthorized(why: &Message) -> Response {
    refused(StatusCode::UNAUTHORIZED, why)
}

/// A refusal. The page shows it in the reader's language.
pub(super) fn refused(status: StatusCode, why: &Message) -> Response {
    let text = Languages::all().text(why);
    (status, Json(json!({"error": why.en(), "text": text}))).into_response()
}
