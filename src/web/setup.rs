//! How the first organizer gets an account: with the one-time code of this machine.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};
use witness::Message;

use super::Pages;
use super::session::{barred, forbidden, named, refused, slowed, unauthorized};
use crate::door::Peer;
use crate::door::visitor::Visitor;
use crate::mqtt::access::{self, SESSION_LASTS};
use crate::say;
use crate::setup::code::Code;
use crate::setup::{Wanted, Wish};

/// The longest name, in characters: it is shown in lists and written into papers.
const NAME_MAX: usize = 64;
/// The shortest password, in characters.
const PASSWORD_MIN: usize = 8;
/// The longest password, in bytes.
const PASSWORD_MAX: usize = 256;

/// The code and the account.
#[derive(Deserialize)]
struct Asked {
    code: String,
    name: String,
    password: String,
}

/// Makes the account of the first organizer, and opens a session for it.
pub async fn first_organizer(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Extension(visitor): Extension<Arc<Visitor>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Some(why) = barred(&pages, &peer, &headers) {
        return forbidden(&why);
    }
    let Ok(Asked { code, name, password }) = serde_json::from_slice(&body) else {
        return refused(StatusCode::BAD_REQUEST, &say::account_unfit(PASSWORD_MIN));
    };
    let fits = is_name(&name)
        && password.chars().count() >= PASSWORD_MIN
        && password.len() <= PASSWORD_MAX;
    if !fits {
        return refused(StatusCode::BAD_REQUEST, &say::account_unfit(PASSWORD_MIN));
    }
    let (Some(access), Some(wishes)) = (pages.access.clone(), pages.wishes.clone()) else {
        return forbidden(&say::config_not_here());
    };
    let who = peer.address.ip();
    // Guesses of one address come one after another, as with passwords.
    let _turn = pages.logins.take(who).await;
    if let Some(wait) = pages.guard().wait(pages.clock.now(), who) {
        return slowed(wait);
    }
    if !pages.config().web.organizers.is_empty() {
        return forbidden(&say::organizer_is_named());
    }
    let file = Code::of(&pages.record);
    if !file.take(&code).unwrap_or(false) {
        pages.guard().failed(pages.clock.now(), who);
        pages.refusals.add(format!("with a wrong setup code from {}", peer.address));
        return unauthorized(&say::setup_code_wrong());
    }
    if let Err(why) = make(&wishes, &name, &password).await {
        // It was of no use to anybody yet.
        let _ = file.put_back(&code);
        return refused(StatusCode::CONFLICT, &why);
    }
    pages.guard().succeeded(who);
    let session = tokio::task::spawn_blocking({
        let access = Arc::clone(&access);
        move || access.log_in(&name, password.as_bytes())
    });
    match session.await.ok().flatten() {
        Some((user, password)) => {
            visitor.is_arbiter();
            named(&access, &user, &password, SESSION_LASTS)
        }
        None => unauthorized(&say::log_in()),
    }
}

/// A name that a list, a log and a paper can show on one line.
fn is_name(name: &str) -> bool {
    let bare = name.trim() == name && !name.is_empty() && name.chars().count() <= NAME_MAX;
    bare && !name.chars().any(char::is_control) && !access::is_reserved(name)
}

async fn make(wishes: &mpsc::Sender<Wish>, name: &str, password: &str) -> Result<(), Message> {
    let bytes = password.as_bytes().to_vec();
    let hashed = tokio::task::spawn_blocking(move || access::hashed(&bytes));
    let hash = hashed.await.ok().and_then(Result::ok).ok_or_else(say::config_busy)?;
    let (answer, answered) = oneshot::channel();
    let wanted = Wanted::FirstOrganizer(name.to_owned(), hash);
    let wish = Wish { by: name.to_owned(), wanted, answer };
    wishes.try_send(wish).map_err(|_| say::config_busy())?;
    answered.await.unwrap_or_else(|_| Err(say::config_busy())).map(|_| ())
}
