//! The REST of DGT LiveChess: the present state, for any client that asks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use uuid::Uuid;

use super::hall::Hall;
use super::{Shown, shapes, tournament};

/// The things that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Boards,
    Tournaments,
    Tournament,
    Round(usize),
    Game(Uuid),
}

/// The answers about a hall. Each is made once for all clients, and holds until the hall changes.
#[derive(Default)]
pub struct Answers(Mutex<Of>);

/// Holds at most one answer for each board, round and game. Requests for anything else keep none.
#[derive(Default)]
struct Of {
    hall: Arc<Hall>,
    answers: BTreeMap<What, Bytes>,
}

impl Shown {
    fn now(&self) -> Arc<Hall> {
        Arc::clone(&self.hall.borrow())
    }

    /// The answer, if there is anything to answer.
    fn tell<'a, T: Serialize>(
        &self,
        (hall, what): (&'a Arc<Hall>, What),
        look: impl FnOnce(&'a Hall) -> Option<T>,
    ) -> Response {
        let mut kept = self.answers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&kept.hall, hall) {
            *kept = Of { hall: Arc::clone(hall), answers: BTreeMap::new() };
        }
        let known = kept.answers.get(&what).cloned();
        // Plain structs with string keys cannot fail to serialize.
        let make = || Some(Bytes::from(serde_json::to_vec(&look(hall)?).unwrap_or_default()));
        match known.or_else(make) {
            Some(bytes) => {
                kept.answers.insert(what, bytes.clone());
                json(bytes)
            }
            None => missing(),
        }
    }
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "there is none of that name\n").into_response()
}

/// Pages of every site may read it, as they may over WebSocket. No answer may be cached.
fn json(bytes: Bytes) -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_TYPE, "application/json"),
    ];
    (headers, bytes).into_response()
}

pub async fn eboards(State(shown): State<Shown>) -> Response {
    shown.tell((&shown.now(), What::Boards), |hall| Some(shapes::eboards(hall)))
}

pub async fn tournaments(State(shown): State<Shown>) -> Response {
    shown.tell((&shown.now(), What::Tournaments), |hall| Some(tournament::list(hall)))
}

pub async fn tournament(State(shown): State<Shown>, Path(name): Path<String>) -> Response {
    let hall = shown.now();
    if !is_ours(&name, &hall) {
        return missing();
    }
    shown.tell((&hall, What::Tournament), |hall| Some(tournament::tournament(hall)))
}

pub async fn round(
    State(shown): State<Shown>,
    Path((name, place)): Path<(String, usize)>,
) -> Response {
    let hall = shown.now();
    if !is_ours(&name, &hall) {
        return missing();
    }
    shown.tell((&hall, What::Round(place)), |hall| tournament::round(hall, place))
}

pub async fn game(State(shown): State<Shown>, Path(name): Path<String>) -> Response {
    let Ok(name) = name.parse() else { return missing() };
    shown.tell((&shown.now(), What::Game(name)), |hall| tournament::game(hall, name))
}

fn is_ours(name: &str, hall: &Hall) -> bool {
    name.parse::<Uuid>().is_ok_and(|it| it == tournament::uuid(hall))
}
