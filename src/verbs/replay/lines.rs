//! The lines of `replay --json`: moves, revisions, incidents, phases, results, scores.

use eboard::Moment;
use serde_json::{Value, json};
use shakmaty::Position as _;
use witness::laws::flag::Consequence;
use witness::{Between, Detail, Effect, Event, Incident, Score, State, Table, TableNo};

use crate::languages::Languages;
use crate::mqtt::payload::{self, Confidence, colour};

/// The line of an effect, if it has one.
pub fn line(at: Moment, number: TableNo, table: &Table, effect: &Effect) -> Option<Value> {
    let t = seconds(at);
    match effect {
        Effect::Event(Event::Released { index, ply } | Event::Completed { index, ply }) => {
            Some(json!({
                "t": t, "type": "move", "table": number, "ply": index + 1, "san": ply.san,
                "uci": ply.uci, "side": colour(!ply.after.turn()),
                "status": payload::status(ply.status),
                "confidence": Confidence::from(ply.confidence),
                "clk_ms": ply.clock.map(eboard::FaceTime::as_ms),
            }))
        }
        Effect::Event(Event::Revised { from, rev }) => Some(json!({
            "t": t, "type": "revision", "table": number, "from_ply": from + 1, "rev": rev,
        })),
        Effect::Event(Event::Phase(phase)) => Some(json!({
            "t": t, "type": "phase", "table": number, "phase": payload::phase(*phase),
        })),
        Effect::Event(Event::Result) => Some(json!({
            "t": t, "type": "result", "table": number, "result": table.score().result(),
            "reason": table.score().ending().map(|ending| ending.reason.name()),
            "withdrawn": table.score().withdrawn().map(|it| it.ending.outcome.as_str()),
        })),
        // The alert stays open when an arbiter is on the way.
        Effect::Raised(it) if it.state == State::Lapsed => Some(incident(t, number, it, "lapsed")),
        Effect::Raised(it) => Some(incident(t, number, it, "open")),
        Effect::Closed(it, _) if it.state == State::SetAside => {
            Some(incident(t, number, it, "set_aside"))
        }
        Effect::Closed(it, _) => Some(incident(t, number, it, "closed")),
        Effect::Changed(_)
        | Effect::Survey
        | Effect::NextRound
        | Effect::Asked(_)
        | Effect::Event(
            Event::Touched(_) | Event::Pressed(_) | Event::Period(_) | Event::NewGame(_),
        ) => None,
    }
}

/// The last line of a game.
pub fn score(now: Moment, table: TableNo, score: &Score) -> Value {
    let moves: Vec<_> = score.plies().iter().map(|ply| ply.uci.as_str()).collect();
    json!({
        "t": seconds(now), "type": "score", "table": table, "uci": moves.join(" "),
        "result": score.result(), "start_fen": score.start_fen(),
    })
}

fn incident(t: Value, table: TableNo, incident: &Incident, state: &str) -> Value {
    let texts = Languages::default();
    let advice: Vec<_> = incident.advice.iter().map(|it| texts.text(it)).collect();
    let squares: Vec<_> = incident.facts.squares.iter().map(ToString::to_string).collect();
    json!({
        "t": t, "type": "incident", "table": table, "id": payload::alert_id(table, incident.id),
        "kind": incident.kind.name(), "article": &*incident.article,
        "edition": incident.edition.year(), "side": incident.side.map(colour),
        "move_number": incident.move_number, "gravity": incident.gravity.name(),
        "state": state, "text": texts.text(&incident.text),
        "advice": advice, "evidence": payload::evidence(incident, &texts, seconds),
        "facts": {
            "fen": incident.facts.position.to_string(), "surface": incident.facts.surface,
            "move": incident.facts.mv.map(|(from, to)| format!("{from}{to}")),
            "reason": incident.facts.detail.map(Detail::name),
            "candidates": incident.facts.candidates, "obliged": incident.facts.obliged,
            "squares": squares,
            "moves_completed": incident.facts.moves_completed,
            "moves_required": incident.facts.moves_required,
            "flag_grade": incident.facts.grade.map(payload::grade),
            "consequence": incident.facts.consequence.map(Consequence::name),
            "between": incident.facts.between.map(between),
            "falls": incident.facts.falls.map(|falls| json!({
                "white": between(falls.white), "black": between(falls.black),
            })),
        },
    })
}

fn between((above, zero): Between) -> Value {
    json!({"last_above_zero": above.map(seconds), "first_at_zero": seconds(zero)})
}

/// Seconds as an exact number with six decimals.
fn seconds(now: Moment) -> Value {
    let micros = now.as_micros();
    #[allow(clippy::cast_precision_loss)] // Exact to the microsecond for 285 years.
    let seconds = micros as f64 / 1e6;
    json!(seconds)
}
