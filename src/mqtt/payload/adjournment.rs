//! The sheet of an adjourned game, and what is not as on it when play is to be resumed.

use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::{ByColor, Color, EnPassantMode, fen::Fen};
use witness::laws::sealed::{Sealed, Verdict};
use witness::{Adjournment, Table};

use super::{Stamp, colour};
use crate::languages::Languages;

/// What stands on the sheet.
#[derive(Debug, Serialize)]
pub struct Sheet {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    sealed_by: &'static str,
    move_number: u32,
    fen: String,
    white_ms: Option<u32>,
    black_ms: Option<u32>,
    white_used_ms: Option<u32>,
    black_used_ms: Option<u32>,
    draw_offer: Option<&'static str>,
    resumption: String,
    place: String,
}

/// The sheet as it is published with the game.
pub(super) fn sheet_at(stamp: Stamp<'_>, adjournment: &Adjournment) -> Sheet {
    Sheet { at: Some(stamp.wall(adjournment.at)), ..sheet(adjournment) }
}

fn sheet(adjournment: &Adjournment) -> Sheet {
    let time = |times: Option<ByColor<eboard::FaceTime>>, side: Color| {
        times.map(|times| times.get(side).as_ms())
    };
    let (left, used) = (adjournment.left, adjournment.used);
    Sheet {
        at: None,
        sealed_by: colour(adjournment.sealed_by),
        move_number: adjournment.move_number(),
        fen: Fen::from_position(&adjournment.position, EnPassantMode::Legal).to_string(),
        white_ms: time(left, Color::White),
        black_ms: time(left, Color::Black),
        white_used_ms: time(used, Color::White),
        black_used_ms: time(used, Color::Black),
        draw_offer: adjournment.draw_offer.map(colour),
        resumption: adjournment.resumption.clone(),
        place: adjournment.place.clone(),
    }
}

/// An envelope that waits to be opened.
#[derive(Debug, Serialize)]
pub struct Envelope {
    by: &'static str,
    move_number: u32,
}

pub(super) fn envelope(table: &Table) -> Option<Envelope> {
    table.envelope().map(|(by, move_number)| Envelope { by: colour(by), move_number })
}

/// The answer to `sealed_move`.
#[must_use]
pub fn sealed(sealed: &Sealed, languages: &Languages) -> Value {
    let (san, uci, ends) = match &sealed.verdict {
        Verdict::Legal { san, uci, ends } => (Some(san), Some(uci), *ends),
        Verdict::Ambiguous | Verdict::Illegal | Verdict::Unreadable => (None, None, None),
    };
    json!({
        "by": colour(sealed.by), "verdict": sealed.verdict.name(), "san": san, "uci": uci,
        "ends": ends, "text": languages.text(&sealed.text),
    })
}

/// The answer to `adjourn`.
#[must_use]
pub fn adjourned(table: &Table) -> Value {
    json!(table.adjournment().map(sheet))
}

/// The answer to `resume`: what is not as on the sheet.
#[must_use]
pub fn resumed(table: &Table, languages: &Languages) -> Value {
    let found = table.differences();
    let piece = |piece: Option<shakmaty::Piece>| piece.map(|it| it.char().to_string());
    let squares = found.squares.iter().map(|it| {
        json!({
            "square": it.square.to_string(), "expected": piece(it.expected),
            "seen": piece(it.seen),
        })
    });
    let times = found.times.iter().map(|it| {
        json!({
            "side": colour(it.side), "expected_ms": it.expected.as_ms(),
            "seen_ms": it.seen.map(eboard::FaceTime::as_ms),
        })
    });
    json!({
        "agrees": found.is_empty(), "squares": squares.collect::<Vec<_>>(),
        "times": times.collect::<Vec<_>>(), "text": languages.text(&found.text()),
    })
}
