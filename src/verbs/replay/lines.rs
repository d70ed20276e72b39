//! The lines `replay --json` prints: moves, revisions, incidents, phases, results, scores.

use eboard::Moment;
use serde_json::{Value, json};
use shakmaty::Position as _;
use witness::{Confidence, Effect, Event, Incident, Phase, Score, State, Status, Table};

use crate::mqtt::payload::colour;

/// The line an effect is worth, if any.
pub fn line(now: Moment, number: u32, table: &Table, effect: &Effect) -> Option<Value> {
    let t = seconds(now);
    match effect {
        Effect::Told(Event::Released(index) | Event::Completed(index)) => {
            let ply = table.score().plies().get(*index)?;
            let status = match effect {
                Effect::Told(Event::Completed(_)) => "completed",
                _ => status(ply.status),
            };
            Some(json!({
                "t": t, "type": "move", "table": number, "ply": index + 1, "san": ply.san,
                "uci": ply.uci, "side": colour(!ply.after.turn()), "status": status,
                "confidence": confidence(ply.confidence),
                "clk_ms": ply.clock.map(eboard::FaceTime::as_ms),
            }))
        }
        Effect::Told(Event::Revised { from, rev }) => Some(json!({
            "t": t, "type": "revision", "table": number, "from_ply": from + 1, "rev": rev,
        })),
        Effect::Told(Event::Phase(phase)) => Some(json!({
            "t": t, "type": "phase", "table": number, "phase": phase_name(*phase),
        })),
        Effect::Told(Event::Result) => Some(json!({
            "t": t, "type": "result", "table": number, "result": table.score().result(),
            "reason": table.score().ending().map(|ending| ending.reason),
        })),
        Effect::Raised(it) => Some(incident(t, number, it, state(&it.state))),
        Effect::Closed(it, _) => Some(incident(t, number, it, "closed")),
        Effect::Changed(_)
        | Effect::Told(Event::Touched(_) | Event::Pressed(_) | Event::NewGame(_)) => None,
    }
}

/// The last line of a game.
pub fn score(now: Moment, table: u32, score: &Score) -> Value {
    let moves: Vec<_> = score.plies().iter().map(|ply| ply.uci.as_str()).collect();
    json!({
        "t": seconds(now), "type": "score", "table": table, "uci": moves.join(" "),
        "result": score.result(), "start_fen": score.start_fen(),
    })
}

fn incident(t: Value, table: u32, incident: &Incident, state: &str) -> Value {
    let advice: Vec<_> =
        incident.advice.iter().map(|it| json!({"en": it.en, "fr": it.fr})).collect();
    json!({
        "t": t, "type": "incident", "table": table, "id": format!("{table}-{}", incident.id),
        "kind": incident.kind.name(), "article": incident.article,
        "edition": incident.edition.year(), "side": incident.side.map(colour),
        "move_number": incident.move_number, "gravity": incident.gravity.name(),
        "state": state, "text": {"en": incident.text.en, "fr": incident.text.fr},
        "advice": advice, "evidence": incident.evidence.len(),
        "facts": {
            "fen": incident.facts.fen, "surface": incident.facts.surface,
            "move": incident.facts.mv, "reason": incident.facts.reason,
            "candidates": incident.facts.candidates,
        },
    })
}

/// Seconds with six decimals, exact: printed as a number.
fn seconds(now: Moment) -> Value {
    let micros = now.as_micros();
    #[allow(clippy::cast_precision_loss)] // Exact to the microsecond for 285 years.
    let seconds = micros as f64 / 1e6;
    json!(seconds)
}

const fn status(status: Status) -> &'static str {
    match status {
        Status::Released => "released",
        Status::Completed => "completed",
    }
}

const fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Seen => "seen",
        Confidence::Inferred => "inferred",
    }
}

const fn state(state: &State) -> &'static str {
    match state {
        State::Open => "open",
        State::Acknowledged { .. } => "acknowledged",
    }
}

const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Unset => "unset",
        Phase::Ready => "ready",
        Phase::InPlay => "in_play",
        Phase::Paused => "paused",
        Phase::Adrift => "adrift",
        Phase::Ended => "ended",
    }
}
