//! Who sends a request to the pages. Its body, or its head, holds a session.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Pages;

/// The session of a page.
#[derive(Deserialize)]
pub(super) struct Session {
    pub username: String,
    pub password: String,
}

impl Pages {
    /// Whether the body holds the session of an arbiter. A name and password are not accepted:
    /// their check is slow, and they do not expire.
    pub(super) fn is_arbiter(&self, body: &[u8]) -> bool {
        let Ok(Session { username, password }) = serde_json::from_slice(body) else { return false };
        self.access.as_deref().is_some_and(|access| access.is_session(&username, &password))
    }

    /// What the arbiter wants whose session the body holds; none: it is no arbiter's.
    pub(super) fn arbiter_wants<W: DeserializeOwned + Default>(&self, body: &[u8]) -> Option<W> {
        self.is_arbiter(body).then(|| serde_json::from_slice(body).unwrap_or_default())
    }

    /// Whether this is the session of an organizer. A name and password are not accepted, as their
    /// check is slow.
    pub(super) fn is_organizer(&self, session: &Session) -> bool {
        let Session { username, password } = session;
        self.access.as_deref().is_some_and(|access| {
            access.is_session(username, password) && access.is_organizer(username)
        })
    }
}

/// The answer to everybody else.
pub(super) fn for_arbiters() -> Response {
    (StatusCode::UNAUTHORIZED, "for arbiters\n").into_response()
}
