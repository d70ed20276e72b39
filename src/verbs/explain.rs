//! `adoubed explain`: what an alert rests on, for a human without a tablet.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use eboard::Moment;
use shakmaty::{Board, Color, File, Position, Rank, Square};
use witness::{Effect, Gravity, Incident, IncidentId, Ruling, State};
use words::Language;

use super::say;
use crate::answers::alert_id;
use crate::config::Config;
use crate::exit::{self, Failure};
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::{self, Recording, Wanted};
use crate::requests::Asks;
use crate::say;
use crate::time::Anchor;
use crate::works::Act;

#[derive(Args)]
pub struct Arguments {
    /// Journals, the oldest first; captures (.cap) and gesture scripts (.gestures) too
    #[arg(required = true, value_name = "JOURNAL")]
    files: Vec<PathBuf>,
    /// This table alone
    #[arg(long, value_name = "NUMBER")]
    table: Option<u32>,
    /// This alert alone, as 3-1-2
    #[arg(long, value_name = "ID")]
    incident: Option<String>,
    /// Language of the texts
    #[arg(long, default_value = "en", value_parser = super::language)]
    language: String,
    #[command(flatten)]
    wanted: Wanted,
}

pub fn explain(arguments: &Arguments) -> Result<(), Failure> {
    let mut found = 0;
    let recordings = recording::read_all(&arguments.files, &arguments.wanted)?;
    for recording in &recordings {
        for case in cases(recording).iter().filter(|case| arguments.asks_for(case)) {
            say(case.told(arguments.language()));
            found += 1;
        }
    }
    match &arguments.incident {
        Some(id) if found == 0 => {
            Err(Failure::new(exit::DATA, format!("no alert {id} in this record")))
        }
        _ => recording::refuse_gaps(&recordings),
    }
}

impl Arguments {
    fn asks_for(&self, case: &Case) -> bool {
        self.table.is_none_or(|table| table == case.table)
            && self.incident.as_ref().is_none_or(|id| *id == case.id())
    }

    fn language(&self) -> Language {
        Language::of(&self.language).unwrap_or(Language::ENGLISH)
    }
}

/// An alert in its last form, and how it was closed.
struct Case {
    table: u32,
    incident: Incident,
    anchor: Option<Anchor>,
    became: Vec<(Moment, Became)>,
}

enum Became {
    Acknowledged(String),
    Lapsed,
    Closed,
    SetAside,
    Ruled(Ruling, String),
}

/// All alerts of a recording, in the order in which they were raised.
fn cases(recording: &Recording) -> Vec<Case> {
    let mut cases = Cases::default();
    Chronicle::new(Config::default(), !recording.journal).play(recording, |told| {
        let Replayed::Act { anchor, act, .. } = told else { return };
        match act {
            Act::Table(at, table, Effect::Raised(incident)) => {
                cases.raised(at, table, *incident, anchor);
            }
            Act::Table(at, table, Effect::Closed(incident, ruling)) => {
                cases.closed(at, table, *incident, ruling);
            }
            Act::Answered(request, Ok(_)) if matches!(*request.asks, Asks::Rule(_)) => {
                cases.ruled_by(&request.by);
            }
            _ => {}
        }
    });
    cases.all
}

#[derive(Default)]
struct Cases {
    all: Vec<Case>,
    known: BTreeMap<(u32, IncidentId), usize>,
    /// The alert that was just ruled on. The answer to the request has the arbiter's name.
    ruled: Option<usize>,
}

impl Cases {
    fn raised(&mut self, at: Moment, table: u32, incident: Incident, anchor: Option<&Anchor>) {
        let became = match &incident.state {
            State::Open => None,
            State::Acknowledged { by } => Some(Became::Acknowledged(by.clone())),
            State::Lapsed => Some(Became::Lapsed),
            State::SetAside => Some(Became::SetAside),
        };
        let index = *self.known.entry((table, incident.id)).or_insert(self.all.len());
        if index == self.all.len() {
            let became = Vec::new();
            self.all.push(Case { table, incident, anchor: anchor.copied(), became });
        } else if let Some(case) = self.all.get_mut(index) {
            case.incident = incident;
        }
        if let (Some(case), Some(became)) = (self.all.get_mut(index), became) {
            case.became.push((at, became));
        }
    }

    fn closed(&mut self, at: Moment, table: u32, incident: Incident, ruling: Option<Ruling>) {
        let Some(index) = self.known.get(&(table, incident.id)).copied() else { return };
        let Some(case) = self.all.get_mut(index) else { return };
        let alone = || match incident.state {
            State::SetAside => Became::SetAside,
            _ => Became::Closed,
        };
        let became = ruling.map_or_else(alone, |it| Became::Ruled(it, String::new()));
        case.became.push((at, became));
        self.ruled = ruling.map(|_| index);
    }

    fn ruled_by(&mut self, who: &str) {
        let case = self.ruled.take().and_then(|index| self.all.get_mut(index));
        if let Some((_, Became::Ruled(_, by))) = case.and_then(|case| case.became.last_mut()) {
            who.clone_into(by);
        }
    }
}

impl Case {
    fn id(&self) -> String {
        alert_id(self.table, self.incident.id)
    }

    fn told(&self, language: Language) -> String {
        let mut lines = self.head(language);
        lines.extend(self.seen(language));
        lines.extend(self.position(language));
        lines.extend(self.provided(language));
        lines.extend(self.became(language));
        lines.push(String::new());
        lines.join("\n")
    }

    fn head(&self, language: Language) -> Vec<String> {
        let it = &self.incident;
        let laws = language.say(&say::explain_laws(&it.article, it.edition.year()));
        let side = it.side.map(|side| match side {
            Color::White => language.say(&say::column_white()),
            Color::Black => language.say(&say::column_black()),
        });
        let gravity = language.say(&match it.gravity {
            Gravity::Note => say::gravity_note(),
            Gravity::Look => say::gravity_look(),
            Gravity::Summon => say::gravity_summon(),
        });
        let moved = language.say(&say::explain_move(it.move_number));
        let table = language.say(&say::paper_table(self.table));
        let about = [Some(self.clock(it.opened)), Some(moved), side];
        let about: Vec<_> = about.into_iter().flatten().collect();
        vec![
            format!("{table} · {} · {}", self.id(), it.kind.name()),
            format!("{laws} · {gravity}"),
            about.join(" · "),
            String::new(),
            format!("  {}", language.say(&it.text)),
        ]
    }

    fn seen(&self, language: Language) -> Vec<String> {
        let opened = self.incident.opened;
        let parts =
            self.incident.evidence.iter().flat_map(|evidence| {
                evidence.trace.parts().map(|trace| (evidence.at, trace.text()))
            });
        let seen = parts.map(|(at, text)| {
            let (before, after) = (opened.since(at), at.since(opened));
            let (sign, span) = if before.is_zero() { ('+', after) } else { ('-', before) };
            format!("  {:>8}  {}", format!("{sign}{:.2}", span.as_secs_f64()), language.say(&text))
        });
        titled(&language.say(&say::explain_seen()), seen.collect())
    }

    fn position(&self, language: Language) -> Vec<String> {
        let facts = &self.incident.facts;
        let mut lines = diagram(facts.position.board());
        lines.push(format!("  {}", facts.position));
        let mut lines = titled(&language.say(&say::explain_before()), lines);
        for (title, moves) in [
            (say::explain_obliged(), &facts.obliged),
            (say::explain_candidates(), &facts.candidates),
        ] {
            lines.extend(titled(
                &language.say(&title),
                moves.iter().map(|it| format!("  {}", language.san(it))).collect(),
            ));
        }
        lines
    }

    fn provided(&self, language: Language) -> Vec<String> {
        let advice = self.incident.advice.iter();
        titled(
            &language.say(&say::explain_provided()),
            advice.map(|it| format!("  - {}", language.say(it))).collect(),
        )
    }

    fn became(&self, language: Language) -> Vec<String> {
        let told = self.became.iter().map(|(at, became)| {
            let what = language.say(&match became {
                Became::Acknowledged(by) => say::became_acknowledged(by),
                Became::Lapsed => say::became_lapsed(),
                Became::Closed => say::became_closed(),
                Became::SetAside => say::became_set_aside(),
                Became::Ruled(Ruling::Upheld, by) => say::became_upheld(by),
                Became::Ruled(Ruling::Dismissed, by) => say::became_dismissed(by),
                Became::Ruled(Ruling::Noted, by) => say::became_noted(by),
            });
            format!("  {}  {what}", self.clock(*at))
        });
        let mut told: Vec<_> = told.collect();
        let settled = |it: &Became| matches!(it, Became::Closed | Became::Ruled(..));
        if !self.became.iter().any(|(_, it)| settled(it)) {
            told.push(format!("  {}", language.say(&say::nobody_has_ruled())));
        }
        titled(&language.say(&say::explain_became()), told)
    }

    /// The time of day, or seconds of the record if it has none.
    fn clock(&self, at: Moment) -> String {
        self.anchor.as_ref().map_or_else(
            || format!("{:.2} s", at.since(Moment::ZERO).as_secs_f64()),
            |anchor| anchor.wall(at).rfc3339(),
        )
    }
}

/// A heading and its lines; nothing if there are no lines.
fn titled(title: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    [String::new(), title.to_owned()].into_iter().chain(lines).collect()
}

/// A board in letters of the FEN, White's first rank at the bottom.
fn diagram(board: &Board) -> Vec<String> {
    let rank = |rank: Rank| {
        let squares = File::ALL.map(|file| {
            let piece = board.piece_at(Square::from_coords(file, rank));
            piece.map_or('.', shakmaty::Piece::char).to_string()
        });
        format!("  {rank} {}", squares.join(" "))
    };
    let mut lines: Vec<_> = Rank::ALL.into_iter().rev().map(rank).collect();
    lines.push("    a b c d e f g h".to_owned());
    lines
}
