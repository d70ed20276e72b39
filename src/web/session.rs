//! How an arbiter's page gets its rights on the feed: with a name and a password, or, as long as
//! nobody has been named an arbiter, from this machine itself.

use std::net::SocketAddr;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use super::Pages;

#[derive(Deserialize)]
struct Login {
    name: String,
    password: String,
}

/// A user and password for one page.
pub async fn open(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let login: Option<Login> = serde_json::from_slice(&body).ok();
    let Some(access) = pages.access else {
        return match login {
            // The external broker knows its users; we do not.
            Some(login) => granted(&login.name, &login.password),
            None => refused(StatusCode::UNAUTHORIZED, "log in with your name at the broker"),
        };
    };
    if !access.has_arbiters() {
        return if peer.ip().is_loopback() && names_this_machine(&headers) {
            let (user, password) = access.open_session("arbiter");
            granted(&user, &password)
        } else {
            let why = "no arbiter is named in the configuration: this page works only on the \
                       machine itself (adoubed passwd NAME makes one)";
            refused(StatusCode::FORBIDDEN, why)
        };
    }
    let Some(login) = login else {
        return refused(StatusCode::UNAUTHORIZED, "log in");
    };
    let (name, password) = (login.name.clone(), login.password);
    let checking = std::sync::Arc::clone(&access);
    let known =
        tokio::task::spawn_blocking(move || checking.is_arbiter(&login.name, password.as_bytes()));
    if known.await.unwrap_or(false) {
        let (user, password) = access.open_session(&name);
        granted(&user, &password)
    } else {
        tracing::warn!("a login as {name:?} from {peer} was refused");
        refused(StatusCode::UNAUTHORIZED, "name or password is wrong")
    }
}

/// A page of a foreign site that has made its name point here does not name this machine.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name == "[::1]" || name.starts_with("127.")
}

fn granted(user: &str, password: &str) -> Response {
    Json(json!({"username": user, "password": password})).into_response()
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({"error": why}))).into_response()
}
