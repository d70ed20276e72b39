//! Who may sign in: the first organizer with the one-time code of this machine, and whomever an
//! organizer names.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use witness::Message;

use super::Pages;
use super::session::{barred, forbidden, named, refused, slowed, unauthorized};
use super::who::Session;
use crate::config::{Account, Role, accounts};
use crate::door::Peer;
use crate::door::visitor::Visitor;
use crate::mqtt::access::{self, SESSION_LASTS};
use crate::say;
use crate::setup::code::Code;
use crate::setup::{Person, Wanted, Wish};

/// The longest name, in characters: it is shown in lists and written into papers.
const NAME_MAX: usize = 64;
/// The shortest password, in characters.
const PASSWORD_MIN: usize = 8;
/// The longest password, in bytes.
const PASSWORD_MAX: usize = 256;

/// The longest token, in bytes.
const TOKEN_MAX: usize = 512;

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
    if !is_name(&name) || !is_password(&password) {
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

/// Somebody's role, as an organizer wants it.
#[derive(Deserialize)]
struct Naming {
    #[serde(flatten)]
    session: Session,
    name: String,
    /// None: whoever has the name may not sign in any more.
    role: Option<Role>,
    #[serde(default)]
    new_password: String,
}

/// Gives somebody a role and a password, or takes them away.
pub async fn person(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let naming = match by_organizer(&pages, (&peer, &headers), &body, |it: &Naming| &it.session) {
        Ok(naming) => naming,
        Err(refusal) => return refusal,
    };
    let Some(role) = naming.role else {
        if !pages.config().web.accounts().contains_key(&naming.name) {
            return refused(StatusCode::CONFLICT, &say::person_unknown(&naming.name));
        }
        let person = Person { name: naming.name, account: None };
        return asked(&pages, &naming.session, Wanted::Person(person)).await;
    };
    if !is_name(&naming.name) || !is_password(&naming.new_password) {
        return refused(StatusCode::BAD_REQUEST, &say::person_unfit(PASSWORD_MIN));
    }
    let _turn = pages.logins.take(peer.address.ip()).await;
    let bytes = naming.new_password.into_bytes();
    let hashed = tokio::task::spawn_blocking(move || access::hashed(&bytes)).await;
    let Some(hash) = hashed.ok().and_then(Result::ok) else {
        return refused(StatusCode::CONFLICT, &say::config_busy());
    };
    let person = Person { name: naming.name, account: Some(Account { hash, role }) };
    asked(&pages, &naming.session, Wanted::Person(person)).await
}

/// The token of Lichess, as an organizer has copied it.
#[derive(Deserialize)]
struct Copied {
    #[serde(flatten)]
    session: Session,
    token: String,
}

/// Keeps the token of Lichess beside the configuration.
pub async fn token(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let copied = by_organizer(&pages, (&peer, &headers), &body, |it: &Copied| &it.session);
    let Copied { session, token } = match copied {
        Ok(copied) => copied,
        Err(refusal) => return refusal,
    };
    let token = token.trim();
    if token.is_empty() || token.len() > TOKEN_MAX || !token.bytes().all(|it| it.is_ascii_graphic())
    {
        return refused(StatusCode::BAD_REQUEST, &say::token_unfit());
    }
    asked(&pages, &session, Wanted::Token(token.to_owned())).await
}

/// What an organizer asks for, on a line that may carry secrets; or the answer to anybody else.
fn by_organizer<T: DeserializeOwned>(
    pages: &Pages,
    (peer, headers): (&Peer, &HeaderMap),
    body: &[u8],
    session: impl Fn(&T) -> &Session,
) -> Result<T, Response> {
    if let Some(why) = barred(pages, peer, headers) {
        return Err(forbidden(&why));
    }
    let asked: Option<T> = serde_json::from_slice(body).ok();
    asked.filter(|it| pages.is_organizer(session(it))).ok_or_else(|| unauthorized(&say::log_in()))
}

/// Has the configuration changed, and answers what came of it.
async fn asked(pages: &Pages, session: &Session, wanted: Wanted) -> Response {
    let (Some(access), Some(wishes)) = (&pages.access, &pages.wishes) else {
        return forbidden(&say::config_not_here());
    };
    match wish(wishes, access.person(&session.username), wanted).await {
        Ok(done) => ([(header::CACHE_CONTROL, "no-store")], Json(done)).into_response(),
        Err(why) => refused(StatusCode::CONFLICT, &why),
    }
}

async fn wish(wishes: &mpsc::Sender<Wish>, by: String, wanted: Wanted) -> Result<Value, Message> {
    let (answer, answered) = oneshot::channel();
    wishes.try_send(Wish { by, wanted, answer }).map_err(|_| say::config_busy())?;
    answered.await.unwrap_or_else(|_| Err(say::config_busy()))
}

fn is_password(password: &str) -> bool {
    password.chars().count() >= PASSWORD_MIN && password.len() <= PASSWORD_MAX
}

/// A name that a list, a log and a paper can show on one line.
fn is_name(name: &str) -> bool {
    let bare = name.trim() == name && !name.is_empty() && name.chars().count() <= NAME_MAX;
    bare && !name.chars().any(char::is_control) && !accounts::is_reserved(name)
}

async fn make(wishes: &mpsc::Sender<Wish>, name: &str, password: &str) -> Result<(), Message> {
    let bytes = password.as_bytes().to_vec();
    let hashed = tokio::task::spawn_blocking(move || access::hashed(&bytes));
    let hash = hashed.await.ok().and_then(Result::ok).ok_or_else(say::config_busy)?;
    wish(wishes, name.to_owned(), Wanted::FirstOrganizer(name.to_owned(), hash)).await.map(|_| ())
}
