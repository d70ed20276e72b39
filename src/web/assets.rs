//! The built pages, embedded in the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "web/dist/"]
struct Built;

/// Only our own files, never framed, never sniffed; the feed is on the same host.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      connect-src 'self' ws: wss:; worker-src 'self' blob:; base-uri 'none'; \
                      frame-ancestors ";
const OUR_PAGES: &str = "'self'";
const ANY_PAGE: &str = "*";

/// One of the pages.
pub async fn page(name: &'static str) -> Response {
    embedded(name, OUR_PAGES)
}

/// The board for other people's pages and overlays: it shows what every guest may read.
pub async fn embedded_elsewhere() -> Response {
    embedded("embed.html", ANY_PAGE)
}

/// A file a page asks for.
pub async fn file(Path(path): Path<String>) -> Response {
    embedded(&format!("assets/{path}"), OUR_PAGES)
}

/// What starts the arbiter's page where the server is out of reach: it must lie above that page.
pub async fn service_worker() -> Response {
    embedded("service-worker.js", OUR_PAGES)
}

/// A page made for this answer.
pub fn html(text: String) -> Response {
    (headers("text/html; charset=utf-8".to_owned(), OUR_PAGES), text).into_response()
}

fn embedded(name: &str, frames: &str) -> Response {
    let Some(file) = Built::get(name) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let kind = file.metadata.mimetype().to_owned();
    (headers(kind, frames), file.data.into_owned()).into_response()
}

fn headers(kind: String, frames: &str) -> [(header::HeaderName, String); 4] {
    [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::CONTENT_SECURITY_POLICY, format!("{POLICY}{frames}")),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ]
}
