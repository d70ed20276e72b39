//! Requests of arbiters: from verb and payload to an order for one table, or a plain refusal.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, fen::Fen};
use witness::laws::claims::Claim;
use witness::{Ending, IncidentId, Order, Ruling};

use crate::entry::Request;

/// The verbs that are answered: the pages offer what is named here and nothing else.
pub const VERBS: [&str; 7] =
    ["acknowledge", "claim_check", "flip", "penalty_given", "rule", "set_position", "set_result"];

/// What a request asks for.
#[derive(Debug)]
pub enum Asked {
    /// To change something.
    Order(Order),
    /// Whether a claim of a draw is right, on the position or after this move. Changes nothing.
    Claim(Claim, Option<String>),
}

/// Why a request was not understood.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    /// No such verb.
    #[error("no such request: {0}")]
    Verb(String),
    /// The payload is not of the verb's form.
    #[error("{0}")]
    Body(String),
}

#[derive(Deserialize)]
struct Acknowledge {
    alert: String,
}

#[derive(Deserialize)]
struct Rule {
    alert: String,
    ruling: RulingWord,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RulingWord {
    Upheld,
    Dismissed,
    Noted,
}

#[derive(Deserialize)]
struct SetPosition {
    table: u32,
    fen: String,
    #[serde(default)]
    chess960: bool,
}

#[derive(Deserialize)]
struct SetResult {
    table: u32,
    result: String,
}

#[derive(Deserialize)]
struct ClaimCheck {
    table: u32,
    kind: ClaimWord,
    #[serde(rename = "move")]
    mv: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ClaimWord {
    Threefold,
    Fifty,
}

#[derive(Deserialize)]
struct PenaltyGiven {
    table: u32,
    side: SideWord,
    seconds: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum SideWord {
    White,
    Black,
}

#[derive(Deserialize)]
struct Flip {
    table: u32,
}

/// The table and what a request asks of it.
///
/// # Errors
/// With a sentence for the person who asked.
pub fn read(request: &Request) -> Result<(u32, Asked), BadRequest> {
    if request.verb == "claim_check" {
        let ClaimCheck { table, kind, mv } = body(request)?;
        let claim = match kind {
            ClaimWord::Threefold => Claim::Threefold,
            ClaimWord::Fifty => Claim::Fifty,
        };
        return Ok((table, Asked::Claim(claim, mv)));
    }
    order(request).map(|(table, order)| (table, Asked::Order(order)))
}

fn order(request: &Request) -> Result<(u32, Order), BadRequest> {
    if !VERBS.contains(&request.verb.as_str()) {
        return Err(BadRequest::Verb(request.verb.clone()));
    }
    match request.verb.as_str() {
        "acknowledge" => {
            let body: Acknowledge = body(request)?;
            let (table, incident) = alert(&body.alert)?;
            Ok((table, Order::Acknowledge { incident, by: request.by.clone() }))
        }
        "rule" => {
            let body: Rule = body(request)?;
            let (table, incident) = alert(&body.alert)?;
            let ruling = match body.ruling {
                RulingWord::Upheld => Ruling::Upheld,
                RulingWord::Dismissed => Ruling::Dismissed,
                RulingWord::Noted => Ruling::Noted,
            };
            Ok((table, Order::Rule { incident, ruling }))
        }
        "set_position" => set_position(&body(request)?),
        "set_result" => set_result(&body(request)?),
        "flip" => body(request).map(|Flip { table }| (table, Order::Flip)),
        "penalty_given" => {
            let PenaltyGiven { table, side, seconds } = body(request)?;
            let side = match side {
                SideWord::White => Color::White,
                SideWord::Black => Color::Black,
            };
            Ok((table, Order::PenaltyGiven { side, seconds }))
        }
        verb => Err(BadRequest::Verb(verb.to_owned())),
    }
}

/// An alert's id, `table-game-number`, taken apart.
///
/// # Errors
/// When it is no alert's id.
pub fn alert(id: &str) -> Result<(u32, IncidentId), BadRequest> {
    let mut numbers = id.split('-').map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    let (table, game, number) = (next(), next(), next());
    match (table, game, number, numbers.next()) {
        (Some(table), Some(game), Some(number), None) => Ok((table, IncidentId { game, number })),
        _ => Err(BadRequest::Body(format!("no such alert: {id}"))),
    }
}

fn set_position(body: &SetPosition) -> Result<(u32, Order), BadRequest> {
    let mode = if body.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let fen: Fen = body
        .fen
        .parse()
        .map_err(|error| BadRequest::Body(format!("the FEN cannot be read: {error}")))?;
    let position: Chess = fen
        .into_position(mode)
        .map_err(|error| BadRequest::Body(format!("no legal position: {error}")))?;
    Ok((body.table, Order::SetPosition { position: Box::new(position), mode }))
}

fn set_result(body: &SetResult) -> Result<(u32, Order), BadRequest> {
    let outcome = match body.result.as_str() {
        "*" => None,
        "1-0" | "0-1" | "1/2-1/2" => KnownOutcome::from_ascii(body.result.as_bytes()).ok(),
        other => {
            let wanted = "1-0, 0-1, 1/2-1/2 or *";
            return Err(BadRequest::Body(format!("no result: {other}; write {wanted}")));
        }
    };
    let ending = outcome.map(|outcome| Ending { outcome, reason: "arbiter" });
    Ok((body.table, Order::SetResult(ending)))
}

fn body<T: DeserializeOwned>(request: &Request) -> Result<T, BadRequest> {
    T::deserialize(&request.body)
        .map_err(|error| BadRequest::Body(format!("{}: {error}", request.verb)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(verb: &str, body: serde_json::Value) -> Result<(u32, Order), BadRequest> {
        order(&Request { verb: verb.to_owned(), body, by: "Ann".to_owned() })
    }

    #[test]
    fn requests_become_orders() {
        let (table, order) = request("acknowledge", json!({"alert": "3-1-2"})).unwrap();
        let incident = IncidentId { game: 1, number: 2 };
        assert_eq!(table, 3);
        let Order::Acknowledge { incident: it, by } = order else { panic!("{order:?}") };
        assert_eq!((it, by.as_str()), (incident, "Ann"));
        let (table, order) =
            request("set_result", json!({"table": 4, "result": "1/2-1/2"})).unwrap();
        assert_eq!(table, 4);
        let Order::SetResult(Some(ending)) = order else { panic!("{order:?}") };
        assert_eq!(ending.outcome, KnownOutcome::Draw);
    }

    #[test]
    fn every_verb_that_is_offered_is_known() {
        for verb in VERBS {
            let body = json!(7);
            let refusal =
                read(&Request { verb: verb.to_owned(), body, by: "Ann".to_owned() }).unwrap_err();
            assert!(matches!(refusal, BadRequest::Body(_)), "{verb}: {refusal:?}");
        }
    }

    #[test]
    fn what_is_no_request_is_refused_in_words() {
        for (verb, body) in [
            ("dance", json!({})),
            ("acknowledge", json!({"alert": "3-1"})),
            ("acknowledge", json!(7)),
            ("rule", json!({"alert": "1-1-1", "ruling": "maybe"})),
            ("set_result", json!({"table": 4, "result": "2-0"})),
            ("set_position", json!({"table": 4, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"})),
        ] {
            let refusal = request(verb, body).unwrap_err().to_string();
            assert!(!refusal.is_empty(), "{verb}");
        }
    }
}
