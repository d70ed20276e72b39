//! Alerts from the record, for arbiters: those of a table that are closed, and one of them, open or
//! closed, with all that an appeals committee wants to see.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::Position;
use shakmaty::san::SanPlus;

use super::who::for_arbiters;
use super::{Pages, decisions};
use crate::mqtt::payload::{self, AlertGame, Stamp, colour};
use crate::papers::cases::{self, Case};
use crate::record::recording::Recording;
use crate::time::{Anchor, WallTime};
use witness::TableNo;

/// The most closed alerts that are listed of a table, the latest.
const LISTED_MAX: usize = 200;

/// Which alerts are wanted. The session of the arbiter stands beside it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    /// The closed ones of this table.
    table: Option<TableNo>,
    /// All of this one.
    alert: Option<String>,
}

/// Serves alerts to arbiters.
pub async fn list(State(pages): State<Pages>, body: Bytes) -> Response {
    let Some(wanted) = pages.arbiter_wants::<Wanted>(&body) else { return for_arbiters() };
    // One at a time: reading a day uses a core for a while. The semaphore is never closed.
    let _turn = pages.readers.acquire().await;
    let read = tokio::task::spawn_blocking(move || {
        decisions::read(&pages.record).map(|recording| answer(&recording, &wanted))
    });
    match read.await {
        Ok(Ok(Some(found))) => {
            ([(header::CACHE_CONTROL, "no-store")], axum::Json(found)).into_response()
        }
        Ok(Ok(None)) => (StatusCode::NOT_FOUND, "no such alert in the record\n").into_response(),
        Ok(Err(error)) => decisions::failed(&error.to_string()),
        Err(error) => decisions::failed(&error.to_string()),
    }
}

fn answer(recording: &Recording, wanted: &Wanted) -> Option<Value> {
    let cases = cases::of(recording, true);
    if let Some(id) = &wanted.alert {
        // After a record was begun anew an id may come again: the latest is meant.
        return cases.iter().rev().find(|case| case.id() == *id).map(|it| dossier(it, recording));
    }
    let of_table = |case: &&Case| wanted.table == Some(case.table) && case.closed().is_some();
    let mut listed: Vec<_> = cases.iter().rev().filter(of_table).take(LISTED_MAX).collect();
    listed.reverse();
    Some(listed.into_iter().map(short).collect())
}

/// A closed alert in a list.
fn short(case: &Case) -> Value {
    let it = &case.incident;
    json!({
        "id": case.id(), "kind": it.kind.name(), "article": &*it.article,
        "edition": it.edition.year(), "side": it.side.map(colour),
        "move_number": it.move_number, "gravity": it.gravity.name(),
        "opened_at": anchor(case).wall(it.opened).rfc3339(),
        "text": case.languages.text(&it.text), "became": became(case),
    })
}

/// All of an alert: as the feed has told it last, what could legally be played then, what became of
/// it, and which piece of the record it is.
fn dossier(case: &Case, recording: &Recording) -> Value {
    let anchor = anchor(case);
    let it = &case.incident;
    let stamp = Stamp { seq: 0, moment: it.opened, anchor: &anchor, languages: &case.languages };
    let players = case.players.clone().unwrap_or_default();
    let game = AlertGame { players, ..AlertGame::default() };
    let position = &it.facts.position;
    let mut legal: Vec<_> = position.legal_moves().into_iter().collect();
    legal.sort_by_key(|mv| (mv.from(), mv.to()));
    let san = |mv| SanPlus::from_move((**position).clone(), mv).to_string();
    let (from, to) = case.span();
    let (records, sha256) = cases::checksum(recording, from, to);
    json!({
        "alert": payload::alert(stamp, case.table, it, game),
        "round": case.round, "turn": colour(position.turn()),
        "legal": legal.into_iter().map(san).collect::<Vec<_>>(),
        "became": became(case),
        "record": {
            "from": anchor.wall(from).rfc3339(), "to": anchor.wall(to).rfc3339(),
            "records": records, "sha256": sha256,
        },
    })
}

fn became(case: &Case) -> Value {
    let anchor = anchor(case);
    let steps = case.became.iter().map(|(at, became)| {
        json!({
            "at": anchor.wall(*at).rfc3339(), "what": became.name(), "by": became.by(),
            "note": became.note(),
        })
    });
    steps.collect()
}

/// A daemon writes the time of day first of all. A record without it begins in 1970.
fn anchor(case: &Case) -> Anchor {
    let since = Anchor { moment: eboard::Moment::ZERO, wall: WallTime::from_micros(0) };
    case.anchor.unwrap_or(since)
}
