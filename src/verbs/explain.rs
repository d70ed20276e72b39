//! `adoubed explain`: what an alert rests on, for a human without a tablet.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use eboard::Moment;
use shakmaty::{Color, File, Rank, Square, fen::Fen};
use witness::{Bilingual, Effect, Incident, IncidentId, Ruling, State};

use super::say;
use crate::chronicle::{Chronicle, Told};
use crate::config::Config;
use crate::exit::{self, Failure};
use crate::mqtt::payload::alert_id;
use crate::recording::{self, Recording, Wanted};
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
    #[arg(long, default_value = "en", value_parser = ["en", "fr"])]
    language: String,
    #[command(flatten)]
    wanted: Wanted,
}

pub fn explain(arguments: &Arguments) -> Result<(), Failure> {
    let mut found = 0;
    let recordings = recording::read_all(&arguments.files, &arguments.wanted)?;
    for recording in &recordings {
        for case in cases(recording).iter().filter(|case| arguments.asks_for(case)) {
            say(case.told(&arguments.words()));
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

    fn words(&self) -> Words {
        if self.language == "fr" { FR } else { EN }
    }
}

/// An alert as it was told last, and what became of it.
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

/// Every alert of a recording, in the order they were raised.
fn cases(recording: &Recording) -> Vec<Case> {
    let mut cases = Cases::default();
    Chronicle::new(Config::default(), !recording.journal).play(recording, |told| {
        let Told::Act { anchor, act, .. } = told else { return };
        match act {
            Act::Table(at, table, Effect::Raised(incident)) => {
                cases.raised(at, table, *incident, anchor);
            }
            Act::Table(at, table, Effect::Closed(incident, ruling)) => {
                cases.closed(at, table, *incident, ruling);
            }
            Act::Answered(request, Ok(_)) if request.verb == "rule" => {
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
    /// The ruling that was just told: the request's answer says whose it is.
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

/// What is said around the texts of an alert.
struct Words {
    table: &'static str,
    laws: &'static str,
    moved: &'static str,
    sides: [&'static str; 2],
    gravities: [&'static str; 3],
    seen: &'static str,
    before: &'static str,
    obliged: &'static str,
    candidates: &'static str,
    provided: &'static str,
    became: &'static str,
    acknowledged: &'static str,
    lapsed: &'static str,
    closed: &'static str,
    set_aside: &'static str,
    rulings: [&'static str; 3],
    open: &'static str,
    colon: &'static str,
    text: fn(&Bilingual) -> &str,
}

const EN: Words = Words {
    table: "Table",
    laws: "Article {article} of the Laws of {year}",
    moved: "move",
    sides: ["White", "Black"],
    gravities: ["note", "look", "summon"],
    seen: "What was seen (seconds before and after the alert)",
    before: "The position it rests on",
    obliged: "The moves that the Laws oblige to",
    candidates: "What would explain it, the likeliest first",
    provided: "What the Laws provide",
    became: "What became of it",
    acknowledged: "seen by",
    lapsed: "can no longer be acted on by the player",
    closed: "cleared up by itself",
    set_aside: "set aside, for too many are open at the table",
    rulings: ["upheld", "dismissed", "noted"],
    open: "nobody has ruled",
    colon: ": ",
    text: |it| &it.en,
};
const FR: Words = Words {
    table: "Table",
    laws: "article {article} des Règles de {year}",
    moved: "coup",
    sides: ["Blancs", "Noirs"],
    gravities: ["note", "à voir", "intervenir"],
    seen: "Ce qui a été vu (secondes avant et après l\u{2019}alerte)",
    before: "La position de départ",
    obliged: "Les coups que les Règles imposent",
    candidates: "Ce qui l\u{2019}expliquerait, le plus vraisemblable d\u{2019}abord",
    provided: "Ce que prévoient les Règles",
    became: "La suite",
    acknowledged: "vue par",
    lapsed: "le joueur ne peut plus la faire valoir",
    closed: "levée d\u{2019}elle-même",
    set_aside: "mise de côté, trop d\u{2019}alertes étant ouvertes à la table",
    rulings: ["confirmée", "rejetée", "notée"],
    open: "personne n\u{2019}a tranché",
    colon: "\u{a0}: ",
    text: |it| &it.fr,
};

impl Case {
    fn id(&self) -> String {
        alert_id(self.table, self.incident.id)
    }

    fn told(&self, words: &Words) -> String {
        let mut lines = self.head(words);
        lines.extend(self.seen(words));
        lines.extend(self.position(words));
        lines.extend(self.provided(words));
        lines.extend(self.became(words));
        lines.push(String::new());
        lines.join("\n")
    }

    fn head(&self, words: &Words) -> Vec<String> {
        let it = &self.incident;
        let laws = words.laws.replace("{article}", &it.article);
        let laws = laws.replace("{year}", it.edition.year());
        let side = it.side.map(|side| words.sides[usize::from(side == Color::Black)]);
        let moved = format!("{} {}", words.moved, it.move_number);
        let about = [Some(self.clock(it.opened)), Some(moved), side.map(str::to_owned)];
        let about: Vec<_> = about.into_iter().flatten().collect();
        vec![
            format!("{} {} · {} · {}", words.table, self.table, self.id(), it.kind.name()),
            format!("{laws} · {}", words.gravities[it.gravity as usize]),
            about.join(" · "),
            String::new(),
            format!("  {}", (words.text)(&it.text)),
        ]
    }

    fn seen(&self, words: &Words) -> Vec<String> {
        let opened = self.incident.opened;
        let parts =
            self.incident.evidence.iter().flat_map(|evidence| {
                evidence.trace.parts().map(|trace| (evidence.at, trace.text()))
            });
        let seen = parts.map(|(at, text)| {
            let (before, after) = (opened.since(at), at.since(opened));
            let (sign, span) = if before.is_zero() { ('+', after) } else { ('-', before) };
            format!("  {:>8}  {}", format!("{sign}{:.2}", span.as_secs_f64()), (words.text)(&text))
        });
        titled(words.seen, seen.collect())
    }

    fn position(&self, words: &Words) -> Vec<String> {
        let facts = &self.incident.facts;
        let mut lines = facts.fen.parse::<Fen>().map_or_else(|_| Vec::new(), |it| diagram(&it));
        if !facts.fen.is_empty() {
            lines.push(format!("  {}", facts.fen));
        }
        let mut lines = titled(words.before, lines);
        for (title, moves) in
            [(words.obliged, &facts.obliged), (words.candidates, &facts.candidates)]
        {
            lines.extend(titled(title, moves.iter().map(|it| format!("  {it}")).collect()));
        }
        lines
    }

    fn provided(&self, words: &Words) -> Vec<String> {
        let advice = self.incident.advice.iter();
        titled(words.provided, advice.map(|it| format!("  - {}", (words.text)(it))).collect())
    }

    fn became(&self, words: &Words) -> Vec<String> {
        let told = self.became.iter().map(|(at, became)| {
            let what = match became {
                Became::Acknowledged(by) => format!("{} {by}", words.acknowledged),
                Became::Lapsed => words.lapsed.to_owned(),
                Became::Closed => words.closed.to_owned(),
                Became::SetAside => words.set_aside.to_owned(),
                Became::Ruled(ruling, by) => {
                    format!("{}{}{by}", words.ruling(*ruling), words.colon)
                }
            };
            format!("  {}  {what}", self.clock(*at))
        });
        let mut told: Vec<_> = told.collect();
        let settled = |it: &Became| matches!(it, Became::Closed | Became::Ruled(..));
        if !self.became.iter().any(|(_, it)| settled(it)) {
            told.push(format!("  {}", words.open));
        }
        titled(words.became, told)
    }

    /// The time of day, or seconds of the record where it has told none.
    fn clock(&self, at: Moment) -> String {
        self.anchor.as_ref().map_or_else(
            || format!("{:.2} s", at.since(Moment::ZERO).as_secs_f64()),
            |anchor| anchor.wall(at).rfc3339(),
        )
    }
}

impl Words {
    const fn ruling(&self, ruling: Ruling) -> &'static str {
        match ruling {
            Ruling::Upheld => self.rulings[0],
            Ruling::Dismissed => self.rulings[1],
            Ruling::Noted => self.rulings[2],
        }
    }
}

/// A heading with what stands under it; nothing where that is nothing.
fn titled(title: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    [String::new(), title.to_owned()].into_iter().chain(lines).collect()
}

/// A board in letters of the FEN, White's first rank at the bottom.
fn diagram(fen: &Fen) -> Vec<String> {
    let board = &fen.as_setup().board;
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
