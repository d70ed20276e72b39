//! Everything that happens at a table, for the present subscribers.

use serde::Serialize;
use witness::{Event, Ply, Table};

use super::table::{phase, square, status};
use super::{Confidence, Stamp, VERSION, colour};

/// One event.
#[derive(Debug, Default, Serialize)]
pub struct TableEvent<'a> {
    v: u8,
    seq: u64,
    at: String,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lifted: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    put: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Confidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clk_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    /// The published result that was withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<&'static str>,
}

/// The payload of an event.
#[must_use]
pub fn event<'a>(stamp: Stamp<'_>, table: &Table, event: &'a Event) -> TableEvent<'a> {
    let start = TableEvent { v: VERSION, seq: stamp.seq, at: stamp.at(), ..TableEvent::default() };
    match event {
        Event::Touched(touched) => TableEvent {
            r#type: match (touched.lifted, touched.put) {
                (Some(_), None) => "lift",
                (None, _) => "put",
                (Some(_), Some(_)) => "replace",
            },
            square: Some(square(touched.square)),
            lifted: touched.lifted.map(shakmaty::Piece::char),
            put: touched.put.map(shakmaty::Piece::char),
            ..start
        },
        Event::Pressed(side) => TableEvent { r#type: "press", side: Some(colour(*side)), ..start },
        Event::Released { index, ply } => {
            with_ply(*index, ply, TableEvent { r#type: "release", ..start })
        }
        Event::Completed { index, ply } => {
            with_ply(*index, ply, TableEvent { r#type: "complete", ..start })
        }
        Event::Period(side) => TableEvent { r#type: "period", side: Some(colour(*side)), ..start },
        Event::Revised { from, rev } => {
            TableEvent { r#type: "revision", ply: Some(from + 1), rev: Some(*rev), ..start }
        }
        Event::Phase(new) => TableEvent { r#type: "phase", phase: Some(phase(*new)), ..start },
        Event::Result => {
            let withdrawn = table.score().withdrawn().map(|it| it.ending.outcome.as_str());
            let result = Some(table.score().result());
            TableEvent { r#type: "result", result, withdrawn, ..start }
        }
        Event::NewGame(_) => TableEvent { r#type: "new_game", ..start },
    }
}

fn with_ply<'a>(index: usize, ply: &'a Ply, start: TableEvent<'a>) -> TableEvent<'a> {
    TableEvent {
        ply: Some(index + 1),
        side: Some(colour(!shakmaty::Position::turn(&ply.after))),
        san: Some(&ply.san),
        uci: Some(&ply.uci),
        status: Some(status(ply.status)),
        confidence: Some(ply.confidence.into()),
        clk_ms: ply.clock.map(eboard::FaceTime::as_ms),
        ..start
    }
}
