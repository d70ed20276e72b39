//! The same over HTTP: what there is now, for whoever asks.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use uuid::Uuid;

use super::hall::Hall;
use super::{Shown, shapes, tournament};

impl Shown {
    fn now(&self) -> Arc<Hall> {
        Arc::clone(&self.hall.borrow())
    }
}

/// Every page may read it, as every page may over WebSocket; nobody may keep it.
fn json(told: &impl Serialize) -> Response {
    let anybody = (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let fresh = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([anybody, fresh], axum::Json(told)).into_response()
}

fn found(told: Option<impl Serialize>) -> Response {
    let missing = || (StatusCode::NOT_FOUND, "there is none of that name\n").into_response();
    told.map_or_else(missing, |it| json(&it))
}

pub async fn eboards(State(shown): State<Shown>) -> Response {
    json(&shapes::eboards(&shown.now()))
}

pub async fn tournaments(State(shown): State<Shown>) -> Response {
    json(&tournament::list(&shown.now()))
}

pub async fn tournament(State(shown): State<Shown>, Path(name): Path<String>) -> Response {
    let hall = shown.now();
    found(is_ours(&name, &hall).then(|| tournament::tournament(&hall)))
}

pub async fn round(
    State(shown): State<Shown>,
    Path((name, place)): Path<(String, usize)>,
) -> Response {
    let hall = shown.now();
    found(tournament::round(&hall, place).filter(|_| is_ours(&name, &hall)))
}

pub async fn game(State(shown): State<Shown>, Path(name): Path<String>) -> Response {
    let hall = shown.now();
    found(name.parse().ok().and_then(|name| tournament::game(&hall, name)))
}

fn is_ours(name: &str, hall: &Hall) -> bool {
    name.parse::<Uuid>().is_ok_and(|it| it == tournament::uuid(hall))
}
