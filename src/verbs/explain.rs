//! `adoubed explain`: what an alert rests on, for a human without a tablet.

use std::path::PathBuf;

use clap::Args;
use eboard::Moment;
use shakmaty::{Board, Color, File, Position, Rank, Square};
use witness::{Gravity, Ruling, TableNo};
use words::Language;

use super::say;
use crate::exit::{self, Failure};
use crate::papers::cases::{self, Became, Case};
use crate::record::recording::{self, Recording, Wanted};
use crate::say;

#[derive(Args)]
pub struct Arguments {
    /// Journals, the oldest first; captures (.cap) and gesture scripts (.gestures) too
    #[arg(required = true, value_name = "JOURNAL")]
    files: Vec<PathBuf>,
    /// This table alone
    #[arg(long, value_name = "NUMBER")]
    table: Option<TableNo>,
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
        let cases = cases::of(recording, false);
        for case in cases.iter().filter(|case| arguments.asks_for(case)) {
            say(Report { case, recording, language: arguments.language() }.lines());
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

/// An alert of a recording, in words.
struct Report<'a> {
    case: &'a Case,
    recording: &'a Recording,
    language: Language,
}

impl Report<'_> {
    fn lines(&self) -> String {
        let language = self.language;
        let mut lines = self.head(language);
        lines.extend(self.seen(language));
        lines.extend(self.position(language));
        lines.extend(self.provided(language));
        lines.extend(self.became(language));
        lines.push(self.record(language));
        lines.push(String::new());
        lines.join("\n")
    }

    /// Which piece of the record this is.
    fn record(&self, language: Language) -> String {
        let (from, to) = self.case.span();
        let (records, sum) = cases::checksum(self.recording, from, to);
        let (from, to) = (self.clock(from), self.clock(to));
        format!("\n{}", language.say(&say::explain_record(records, &from, &to, &sum)))
    }

    fn head(&self, language: Language) -> Vec<String> {
        let it = &self.case.incident;
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
        let table = language.say(&say::paper_table(self.case.table));
        let about = [Some(self.clock(it.opened)), Some(moved), side];
        let about: Vec<_> = about.into_iter().flatten().collect();
        vec![
            format!("{table} · {} · {}", self.case.id(), it.kind.name()),
            format!("{laws} · {gravity}"),
            about.join(" · "),
            String::new(),
            format!("  {}", language.say(&it.text)),
        ]
    }

    fn seen(&self, language: Language) -> Vec<String> {
        let opened = self.case.incident.opened;
        let parts =
            self.case.incident.evidence.iter().flat_map(|evidence| {
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
        let facts = &self.case.incident.facts;
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
        let advice = self.case.incident.advice.iter();
        titled(
            &language.say(&say::explain_provided()),
            advice.map(|it| format!("  - {}", language.say(it))).collect(),
        )
    }

    fn became(&self, language: Language) -> Vec<String> {
        let became = self.case.became.iter().map(|(at, became)| {
            let what = language.say(&match became {
                Became::Acknowledged(by) => say::became_acknowledged(by),
                Became::Lapsed => say::became_lapsed(),
                Became::Closed => say::became_closed(),
                Became::SetAside => say::became_set_aside(),
                Became::Ruled { ruling: Ruling::Upheld, by, .. } => say::became_upheld(by),
                Became::Ruled { ruling: Ruling::Dismissed, by, .. } => say::became_dismissed(by),
                Became::Ruled { ruling: Ruling::Noted, by, .. } => say::became_noted(by),
                Became::Reopened(by) => say::became_open_again(by),
            });
            format!("  {}  {what}", self.clock(*at))
        });
        let mut became: Vec<_> = became.collect();
        let settled = |it: &Became| matches!(it, Became::Closed | Became::Ruled { .. });
        let reopened = |it: &Became| matches!(it, Became::Reopened(_));
        let since = self.case.became.iter().rev().take_while(|(_, it)| !reopened(it));
        if !since.into_iter().any(|(_, it)| settled(it)) {
            became.push(format!("  {}", language.say(&say::nobody_has_ruled())));
        }
        titled(&language.say(&say::explain_became()), became)
    }

    /// The time of day, or seconds of the record if it has none.
    fn clock(&self, at: Moment) -> String {
        self.case.anchor.as_ref().map_or_else(
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
