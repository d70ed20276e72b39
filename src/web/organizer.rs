//! What only organizers may ask the pages for: every key of the configuration, what a time control
//! means in words, and addresses as QR codes.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use witness::laws::rate::Rate;
use witness::{Settings, TimeControl};

use super::session::{refused, unauthorized};
use super::who::Session;
use super::{Pages, qr};
use crate::config::keys::{self, Fixed, Key};
use crate::languages::Languages;
use crate::say;

/// A time control as the configuration would have it.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    session: Session,
    time_control: String,
}

/// An address that a tablet is to open.
#[derive(Deserialize)]
struct Address {
    #[serde(flatten)]
    session: Session,
    text: String,
}

/// Says what a time control means while somebody writes it. Nothing is changed.
pub async fn time_control(State(pages): State<Pages>, body: Bytes) -> Response {
    let wanted: Option<Wanted> = serde_json::from_slice(&body).ok();
    let Some(wanted) = wanted.filter(|it| pages.is_organizer(&it.session)) else {
        return unauthorized(&say::log_in());
    };
    let written = wanted.time_control.trim();
    let Ok(control) = TimeControl::read(written) else {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, &say::control_unread(written));
    };
    let settings = Settings { control, ..Settings::default() };
    let rate = control.map(|_| match settings.rate_of_play() {
        Rate::Standard => "standard",
        Rate::Rapid => "rapid",
        Rate::Blitz => "blitz",
    });
    let text = control.map(|it| Languages::all().text(&it.words()));
    let answer = json!({"text": text, "rate": rate});
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

/// A key with the value that the file gives it.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    key: &'static Key,
    /// Null: the file has none.
    value: Option<&'a Value>,
}

/// Lists every key of the configuration: what it takes, and what the file says.
pub async fn keys(State(pages): State<Pages>, body: Bytes) -> Response {
    let session: Option<Session> = serde_json::from_slice(&body).ok();
    if !session.is_some_and(|it| pages.is_organizer(&it)) {
        return unauthorized(&say::log_in());
    }
    let config = pages.config();
    let source = config.source.as_ref();
    let whole = source.and_then(|it| serde_json::to_value(&it.written).ok()).unwrap_or_default();
    let of_tables = |it: &&Key| it.of_table().is_some();
    // Who may sign in is listed without the hashes of their passwords elsewhere.
    let value = |key: &Key| keys::at(&whole, &key.key).filter(|_| key.fixed != Some(Fixed::People));
    let keys = Key::all().iter().map(|key| {
        let value = if of_tables(&key) { None } else { value(key) };
        Written { key, value }
    });
    let none = Vec::new();
    let tables = whole.get("table").and_then(Value::as_array).unwrap_or(&none).iter();
    let tables = tables.map(|table| {
        let named = Key::all()
            .iter()
            .filter_map(|key| Some((key.key.as_str(), keys::at(table, key.of_table()?)?)));
        json!({"number": table.get("number"), "values": named.collect::<BTreeMap<_, _>>()})
    });
    let answer = json!({
        "file": source.map(|it| it.path.display().to_string()),
        "revision": source.map(|it| &it.revision),
        "keys": keys.collect::<Vec<_>>(),
        "tables": tables.collect::<Vec<_>>(),
    });
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

/// The longest address that is drawn, in bytes.
const ADDRESS_MAX: usize = 512;

/// Draws an address as a QR code.
pub async fn code(State(pages): State<Pages>, body: Bytes) -> Response {
    let wanted: Option<Address> = serde_json::from_slice(&body).ok();
    let Some(wanted) = wanted.filter(|it| pages.is_organizer(&it.session)) else {
        return unauthorized(&say::log_in());
    };
    let drawn = Some(&wanted.text).filter(|it| it.len() <= ADDRESS_MAX);
    match drawn.and_then(|text| qr::draw(text)) {
        Some(qr::Drawn { size, path }) => Json(json!({"size": size, "path": path})).into_response(),
        None => StatusCode::UNPROCESSABLE_ENTITY.into_response(),
    }
}
