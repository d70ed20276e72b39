//! What a claim of a draw is answered with.

use serde_json::{Value, json};
use shakmaty::Position;
use witness::laws::claims::{Answer, Claim};
use witness::laws::editions;
use witness::{IncidentId, Kind, Ruling, Table};

use super::{alert_id, colour};
use crate::languages::Languages;

/// Whether a claim at this table is right.
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

/// What a ruling is answered with: every arbiter reads it.
#[must_use]
pub fn ruled(table: u32, incident: IncidentId, ruling: Ruling, by: &str) -> Value {
    let ruling = match ruling {
        Ruling::Upheld => "upheld",
        Ruling::Dismissed => "dismissed",
        Ruling::Noted => "noted",
    };
    json!({"alert": alert_id(table, incident), "ruling": ruling, "by": by})
}

/// The numbers of the moves after which the position stood there.
fn occurrences(table: &Table, answer: &Answer) -> Vec<Value> {
    let told = answer.occurrences.iter().map(|&ply| {
        let index = usize::try_from(ply).unwrap_or(usize::MAX);
        let before = table.score().position_at(index.saturating_sub(1));
        let number = (ply > 0).then(|| before.fullmoves().get());
        let side = (ply > 0).then(|| colour(before.turn()));
        json!({"ply": ply, "move_number": number, "side": side})
    });
    told.collect()
}
