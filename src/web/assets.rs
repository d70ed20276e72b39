//! The built pages, embedded in the program.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "web/dist/"]
struct Built;

/// Only our own files, no frames, no guessing of types. The feed is on the same host.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      connect-src 'self' ws: wss:; worker-src 'self' blob:; base-uri 'none'; \
                      frame-ancestors ";
const OUR_PAGES: &str = "'self'";
const ANY_PAGE: &str = "*";

/// Serves one of the pages.
pub async fn page(name: &'static str, asked: HeaderMap) -> Response {
    embedded(name, OUR_PAGES, &asked)
}

/// Serves the board that other sites may embed. It shows what every guest may read.
pub async fn embedded_elsewhere(asked: HeaderMap) -> Response {
    embedded("embed.html", ANY_PAGE, &asked)
}

/// Serves a file of the pages.
pub async fn file(Path(path): Path<String>, asked: HeaderMap) -> Response {
    embedded(&format!("assets/{path}"), OUR_PAGES, &asked)
}

/// Serves the service worker, which starts the arbiter's page if the server is out of reach. It
/// must lie above that page.
pub async fn service_worker(asked: HeaderMap) -> Response {
    embedded("service-worker.js", OUR_PAGES, &asked)
}

/// A response with a page that was made for it.
pub fn html(text: String) -> Response {
    (headers("text/html; charset=utf-8".to_owned(), OUR_PAGES), text).into_response()
}

fn embedded(name: &str, frames: &str, asked: &HeaderMap) -> Response {
    let Some(file) = Built::get(name) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let hash: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let headers = (headers(file.metadata.mimetype().to_owned(), frames), [(header::ETAG, tag)]);
    if is_known(asked, &hash) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let bytes = match file.data {
        // The bytes are in the program, so they are not copied.
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    (headers, bytes).into_response()
}

/// Whether the client has this content already.
fn is_known(asked: &HeaderMap, hash: &str) -> bool {
    let lists = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(','));
    tags.any(|tag| tag.trim().trim_start_matches("W/").trim_matches('"') == hash)
}

fn headers(kind: String, frames: &str) -> [(header::HeaderName, String); 4] {
    [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::CONTENT_SECURITY_POLICY, format!("{POLICY}{frames}")),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ]
}
