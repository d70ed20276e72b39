//! The answers to requests, as JSON. Every answer follows from the table that was asked. The names
//! here are part of the contract, as in `mqtt/payload`.

use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::{ByColor, Color, EnPassantMode, Position, fen::Fen};
use witness::laws::claims::{Answer, Claim};
use witness::laws::editions;
use witness::laws::sealed::{Sealed, Verdict};
use witness::{Account, Adjournment, EndedBy, IncidentId, Kind, Ruling, Table, TableNo};

use crate::languages::Languages;

/// `white` or `black`.
#[must_use]
pub const fn colour(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The public id of an incident, `table-game-number`. [`crate::requests::alert`] parses it.
#[must_use]
pub fn alert_id(table: TableNo, incident: IncidentId) -> String {
    format!("{table}-{incident}")
}

/// The adjournment sheet.
#[derive(Debug, Serialize)]
pub struct Sheet {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
    pub(crate) sealed_by: &'static str,
    pub(crate) move_number: u32,
    pub(crate) fen: String,
    pub(crate) white_ms: Option<u32>,
    pub(crate) black_ms: Option<u32>,
    pub(crate) white_used_ms: Option<u32>,
    pub(crate) black_used_ms: Option<u32>,
    pub(crate) draw_offer: Option<&'static str>,
    pub(crate) resumption: String,
    pub(crate) place: String,
}

/// The answer to a request about penalties, for one player.
#[derive(Debug, Serialize)]
pub(crate) struct Sums {
    pub(crate) illegal_moves: u32,
    pub(crate) penalties: u32,
    pub(crate) given_s: u32,
}

/// The penalties of both players.
#[derive(Debug, Serialize)]
struct Accounts {
    white: Sums,
    black: Sums,
}

/// How often each player was shown the arbiter's score, and how often the Laws allow it.
#[derive(Debug, Serialize)]
pub(crate) struct ScoresShown {
    white: u32,
    black: u32,
    of: Option<u32>,
}

/// The answer to a claim of a draw.
#[must_use]
pub fn claim(table: &Table, answer: &Answer, languages: &Languages) -> Value {
    let touched: Vec<_> = table.touched().iter().map(ToString::to_string).collect();
    let kind = match answer.claim {
        Claim::Threefold => Kind::ThreefoldPossible,
        Claim::Fifty => Kind::FiftyPossible,
    };
    let edition = table.settings().edition;
    json!({
        "kind": match answer.claim { Claim::Threefold => "threefold", Claim::Fifty => "fifty" },
        "article": editions::article(kind, edition), "edition": edition.year(),
        "right": answer.right, "by": colour(answer.by), "move": answer.mv,
        "occurrences": occurrences(table, answer),
        "half_moves": answer.quiet, "touched": touched, "penalty_s": answer.penalty_s,
        "text": languages.text(&answer.text),
    })
}

/// The answer to a ruling. All arbiters can read it.
#[must_use]
pub fn ruled(table: TableNo, incident: IncidentId, ruling: Ruling, by: &str) -> Value {
    let ruling = match ruling {
        Ruling::Upheld => "upheld",
        Ruling::Dismissed => "dismissed",
        Ruling::Noted => "noted",
    };
    json!({"alert": alert_id(table, incident), "ruling": ruling, "by": by})
}

/// The numbers of the moves after which the position occurred.
fn occurrences(table: &Table, answer: &Answer) -> Vec<Value> {
    let repeated = answer.occurrences.iter().map(|&ply| {
        let index = usize::try_from(ply).unwrap_or(usize::MAX);
        let before = table.score().position_at(index.saturating_sub(1));
        let number = (ply > 0).then(|| before.fullmoves().get());
        let side = (ply > 0).then(|| colour(before.turn()));
        json!({"ply": ply, "move_number": number, "side": side})
    });
    repeated.collect()
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
        "ends": ends.map(EndedBy::name), "text": languages.text(&sealed.text),
    })
}

/// The answer to `adjourn`.
#[must_use]
pub fn adjourned(table: &Table) -> Value {
    json!(table.adjournment().map(sheet))
}

/// The answer to `resume`: what differs from the sheet.
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

/// The answer to `score_shown`.
#[must_use]
pub fn scores_shown(table: &Table) -> serde_json::Value {
    json!(shown(table))
}

pub(crate) fn shown(table: &Table) -> ScoresShown {
    let (shown, of) = table.scores_shown();
    ScoresShown { white: shown.white, black: shown.black, of }
}

/// The penalties of a game, as in the answer to a request about penalties.
#[must_use]
pub fn accounts(table: &Table) -> serde_json::Value {
    let [white, black] = [Color::White, Color::Black].map(|side| sums(table.account(side)));
    // Cannot fail: this is a plain struct with string keys.
    serde_json::to_value(Accounts { white, black }).unwrap_or_default()
}

pub(crate) fn sheet(adjournment: &Adjournment) -> Sheet {
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

pub(crate) fn sums(Account { illegal_moves, penalties, given_s }: Account) -> Sums {
    Sums { illegal_moves, penalties, given_s }
}
