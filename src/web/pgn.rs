//! `/pgn/…`: the games as PGN files, for broadcasters' programs that poll. They contain what every
//! guest may read, and are served only if the feed is open to all guests.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Pages;
use crate::config::Feed;
use crate::outlets::documents::{Document, Which};

/// The media type of chess sites.
const KIND: &str = "application/x-chess-pgn; charset=utf-8";
/// Pages of other sites may read the games and revalidate them.
const ANYBODY: [(header::HeaderName, &str); 3] = [
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (header::ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match"),
    (header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag"),
];

/// Serves all known games.
pub async fn games(State(pages): State<Pages>, method: Method, headers: HeaderMap) -> Response {
    answer(&pages, Some(Which::All), &method, &headers).await
}

/// Serves the games of the current round.
pub async fn round(State(pages): State<Pages>, method: Method, headers: HeaderMap) -> Response {
    answer(&pages, Some(Which::Round), &method, &headers).await
}

/// Serves the games of one table: `7.pgn`.
pub async fn table(
    State(pages): State<Pages>,
    Path(file): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let number = file.strip_suffix(".pgn").and_then(|number| number.parse().ok());
    answer(&pages, number.map(Which::Table), &method, &headers).await
}

async fn answer(
    pages: &Pages,
    which: Option<Which>,
    method: &Method,
    headers: &HeaderMap,
) -> Response {
    if method == Method::OPTIONS {
        return (StatusCode::NO_CONTENT, ANYBODY).into_response();
    }
    let config = pages.config();
    if config.feed(config.pgn.feed) == Feed::Live && !config.hall_is_open() {
        let text = "the games are for those who log in to the feed: [mqtt] hall is \"users\"\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    let document = match which {
        Some(which) => pages.documents.get(which).await,
        None => None,
    };
    match document {
        Some(document) => (ANYBODY, as_asked(&document, headers)).into_response(),
        None => (StatusCode::NOT_FOUND, ANYBODY, "no such table\n").into_response(),
    }
}

fn as_asked(document: &Document, headers: &HeaderMap) -> Response {
    let asked = |name| headers.get_all(name).iter().filter_map(|it: &HeaderValue| it.to_str().ok());
    let words = |it: &'static str| move |list: &str| list.split(',').any(|word| takes(word, it));
    let compressed = asked(header::ACCEPT_ENCODING).any(words("gzip"));
    let tag = match compressed {
        true => format!("\"{}-gz\"", document.tag),
        false => format!("\"{}\"", document.tag),
    };
    let known = asked(header::IF_NONE_MATCH).flat_map(|list| list.split(','));
    let known = known.map(|it| it.trim().trim_start_matches("W/")).any(|it| it == tag || it == "*");
    let mut answer = match (known, compressed) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, true) => {
            ([(header::CONTENT_ENCODING, "gzip")], document.gzip.clone()).into_response()
        }
        (false, false) => document.plain.clone().into_response(),
    };
    let set = answer.headers_mut();
    set.insert(header::CONTENT_TYPE, HeaderValue::from_static(KIND));
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    set.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        set.insert(header::ETAG, tag);
    }
    answer
}

/// `gzip;q=0` refuses gzip.
fn takes(word: &str, encoding: &str) -> bool {
    let mut parts = word.split(';').map(str::trim);
    let named = parts.next().is_some_and(|it| it.eq_ignore_ascii_case(encoding) || it == "*");
    let weight = parts.find_map(|it| it.strip_prefix("q=")?.trim().parse::<f32>().ok());
    named && weight.is_none_or(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_taken_by_name_and_weight() {
        let taken = ["gzip", "GZIP;q=1.0", " gzip ; q=0.5", "*"];
        assert!(taken.into_iter().all(|word| takes(word, "gzip")));
        let refused = ["br", "gzip;q=0", "x-gzip", "", "*;q=0.0"];
        assert!(!refused.into_iter().any(|word| takes(word, "gzip")));
    }
}
