//! The journal of decisions: the alerts, and the requests of arbiters with their times. It follows
//! from the record alone.

use std::collections::BTreeMap;

use eboard::Moment;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use witness::{Effect, Incident, IncidentId, Message, Ruling, State, TableNo};

use crate::answers::{alert_id, colour};
use crate::config::Config;
use crate::languages::Text;
use crate::pairings::{Player, Players};
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::Recording;
use crate::requests::{self, Request};
use crate::time::Anchor;
use crate::works::{Act, Works};
use words::InWords as _;

/// One line of the journal of decisions.
#[derive(Debug, Default, Serialize)]
pub struct Line {
    /// In the form of RFC 3339; null before the record has a time of day.
    pub at: Option<String>,
    /// `raised`, `closed` (by itself), `set_aside` (too many were open at its table) or `request`.
    pub what: &'static str,
    /// The table.
    pub table: Option<TableNo>,
    /// The players at the time, if they are known.
    pub players: Option<Players>,
    /// The alert that was raised or closed.
    pub alert: Option<Value>,
    /// The arbiter.
    pub by: Option<String>,
    /// The verb of the request.
    pub verb: Option<String>,
    /// The request as it came.
    pub request: Option<Value>,
    /// The refusal in English, if there was one.
    pub error: Option<String>,
    /// The refusal in every language of the event.
    pub refusal: Option<Text>,
}

/// The journal of decisions of a recording.
#[must_use]
pub fn of(recording: &Recording) -> Vec<Line> {
    let mut book = Book::default();
    let chronicle = Chronicle::new(Config::default(), !recording.journal).of_a_daemon();
    chronicle.play(recording, |replayed| {
        if let Replayed::Act { works, anchor, act } = replayed {
            book.anchor = anchor.copied();
            book.enter(works, act);
        }
    });
    book.lines
}

/// Comma-separated values under a line of names, with texts in this language. Times of day are UTC.
///
/// # Errors
/// Never: writing into memory does not fail.
pub fn csv(lines: &[Line], language: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "at",
        "table",
        "what",
        "alert",
        "kind",
        "article",
        "edition",
        "gravity",
        "side",
        "move_number",
        "text",
        "by",
        "verb",
        "request",
        "refused",
        "white",
        "black",
    ])?;
    for line in lines {
        let of_alert = |key: &str| word(line.alert.as_ref().and_then(|alert| alert.get(key)));
        let name = |of: fn(&Players) -> &Player| line.players.as_ref().map(|it| &*of(it).name);
        let text = line.alert.as_ref().and_then(|alert| alert.get("text")?.get(language));
        table.write_record([
            line.at.clone().unwrap_or_default(),
            line.table.map(|table| table.to_string()).unwrap_or_default(),
            line.what.to_owned(),
            of_alert("id"),
            of_alert("kind"),
            of_alert("article"),
            of_alert("edition"),
            of_alert("gravity"),
            of_alert("side"),
            of_alert("move_number"),
            word(text),
            line.by.clone().unwrap_or_default(),
            line.verb.clone().unwrap_or_default(),
            line.request.as_ref().map(Value::to_string).unwrap_or_default(),
            line.refusal.as_ref().map_or("", |it| it.in_language(language)).to_owned(),
            name(|it| &it.white).unwrap_or_default().to_owned(),
            name(|it| &it.black).unwrap_or_default().to_owned(),
        ])?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// A text without its quotes, and other values as JSON. No value becomes an empty text.
fn word(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[derive(Default)]
struct Book {
    anchor: Option<Anchor>,
    lines: Vec<Line>,
    /// Alerts whose line `raised` was written, with their revision.
    raised: BTreeMap<(TableNo, IncidentId), u32>,
    /// The alert that the present request closes or opens again, and its players.
    concerned: Option<(Value, Option<Players>)>,
}

impl Book {
    fn enter(&mut self, works: &Works, act: Act) {
        match act {
            Act::Table(at, table, Effect::Raised(incident)) => {
                let alert = in_words(works, table, &incident);
                let players = works.players_then(table, incident.id);
                match self.raised.insert((table, incident.id), incident.revision) {
                    None => {
                        self.write(at, "raised", Some(table), Some(alert));
                        self.played(players);
                    }
                    Some(before) if before < incident.revision => {
                        self.concerned = Some((alert, players));
                    }
                    Some(_) => {}
                }
            }
            Act::Table(at, table, Effect::Closed(incident, ruling)) => {
                let alert = in_words(works, table, &incident);
                let players = works.players_then(table, incident.id);
                if let Some(Ruling::Upheld | Ruling::Dismissed | Ruling::Noted) = ruling {
                    self.concerned = Some((alert, players));
                } else {
                    let aside = incident.state == State::SetAside;
                    let what = if aside { "set_aside" } else { "closed" };
                    self.write(at, what, Some(table), Some(alert));
                    self.played(players);
                }
            }
            Act::Answered(request, answer) => self.requested(works, *request, answer.err()),
            _ => {}
        }
    }

    fn requested(&mut self, works: &Works, request: Request, refusal: Option<Message>) {
        let (alert, then) = self.concerned.take().unzip();
        let (verb, body, by) = (request.verb().to_owned(), request.body(), request.by);
        let about = body.get("alert").and_then(Value::as_str);
        let table = about.and_then(|id| id.split('-').next()?.parse().ok());
        let table = table.or_else(|| TableNo::deserialize(body.get("table")?).ok());
        let named = about.and_then(|id| requests::alert(id).ok());
        let players = match (then, named) {
            (Some(then), _) => then,
            (None, Some((table, incident))) => works.players_then(table, incident),
            (None, None) => table.and_then(|table| works.players(table)),
        };
        self.write(works.now(), "request", table, alert);
        self.played(players);
        if let Some(line) = self.lines.last_mut() {
            (line.by, line.verb, line.request) = (Some(by), Some(verb), Some(body));
            line.refusal = refusal.as_ref().map(|why| works.texts().text(why));
            line.error = refusal.map(|why| why.en());
        }
    }

    /// Adds the players to the last line.
    fn played(&mut self, players: Option<Players>) {
        if let Some(line) = self.lines.last_mut() {
            line.players = players;
        }
    }

    fn write(
        &mut self,
        at: Moment,
        what: &'static str,
        table: Option<TableNo>,
        alert: Option<Value>,
    ) {
        let at = self.anchor.map(|anchor| anchor.wall(at).rfc3339());
        self.lines.push(Line { at, what, table, alert, ..Line::default() });
    }
}

fn in_words(works: &Works, table: TableNo, incident: &Incident) -> Value {
    json!({
        "id": alert_id(table, incident.id), "kind": incident.kind.name(),
        "article": &*incident.article, "edition": incident.edition.year(),
        "side": incident.side.map(colour), "move_number": incident.move_number,
        "gravity": incident.gravity.name(),
        "text": works.texts().text(&incident.text),
    })
}
