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
                      connect-src 'self' ws: wss:; worker-src 'self' blob:; \
                      frame-ancestors 'self'; base-uri 'none'";

/// One of the pages.
pub async fn page(name: &'static str) -> Response {
    embedded(name, "no-cache")
}

/// A file a page asks for.
pub async fn file(Path(path): Path<String>) -> Response {
    embedded(&format!("assets/{path}"), "no-cache")
}

fn embedded(name: &str, cache: &'static str) -> Response {
    let Some(file) = Built::get(name) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let kind = file.metadata.mimetype().to_owned();
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    (headers, file.data.into_owned()).into_response()
}
