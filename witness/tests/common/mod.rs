//! Plays a gesture script at one table and tells what the table made of it.

#![allow(dead_code, clippy::unwrap_used)] // Each test uses its own part, and may fail.

use eboard::{Moment, Sighting};
use rehearsal::Happening;
use shakmaty::{CastlingMode, fen::Fen};
use witness::{Effect, Event, Incident, Order, Phase, Settings, Table};

/// What a table made of a script.
pub struct Told {
    pub table: Table,
    pub effects: Vec<(Moment, Effect)>,
}

impl Told {
    /// The moves in UCI notation.
    pub fn moves(&self) -> String {
        let moves: Vec<_> = self.table.score().plies().iter().map(|ply| ply.uci.as_str()).collect();
        moves.join(" ")
    }

    /// The moves as they were announced at first, with every revision marked `!ply`.
    pub fn announced(&self) -> String {
        let mut words = Vec::new();
        for (_, effect) in &self.effects {
            match effect {
                Effect::Told(Event::Released { index, .. }) => words.push((index + 1).to_string()),
                Effect::Told(Event::Revised { from, .. }) => words.push(format!("!{}", from + 1)),
                _ => {}
            }
        }
        words.join(" ")
    }

    /// Every incident when it was raised.
    pub fn raised(&self) -> Vec<&Incident> {
        let raised = self.effects.iter().filter_map(|(_, effect)| match effect {
            Effect::Raised(incident) => Some(&**incident),
            _ => None,
        });
        raised.collect()
    }

    /// The kinds of all incidents in the order in which they were raised, but for those about how a
    /// move was made (Article 4): these have scenarios of their own.
    pub fn kinds(&self) -> Vec<&'static str> {
        let manners =
            |it: &&&Incident| it.article.starts_with('4') || it.kind == witness::Kind::TwoHands;
        let raised = self.raised();
        raised.iter().filter(|it| !manners(it)).map(|incident| incident.kind.name()).collect()
    }

    /// When a phase began, in milliseconds.
    pub fn began(&self, wanted: Phase) -> Option<u64> {
        self.effects.iter().find_map(|(at, effect)| match effect {
            Effect::Told(Event::Phase(phase)) if *phase == wanted => Some(at.as_micros() / 1000),
            _ => None,
        })
    }
}

/// Plays a script from the first gesture to two seconds after the last.
pub fn play(script: &str) -> Told {
    play_with(script, Settings::default())
}

/// The same with other settings.
pub fn play_with(script: &str, settings: Settings) -> Told {
    let script = rehearsal::parse(script).unwrap_or_else(|error| panic!("{error}"));
    let mut told = Told { table: Table::new(settings), effects: Vec::new() };
    let mut out = Vec::new();
    told.table.line(true, &mut out);
    for (at, happening) in script.play() {
        wake(&mut told, at);
        let sighting = match happening {
            Happening::Board(placement) => Sighting::Position(placement),
            Happening::Square { square, piece } => Sighting::Square { square, piece },
            Happening::Clock(face) => Sighting::Clock(face),
        };
        let begins = matches!(sighting, Sighting::Position(_));
        told.table.sight(at, sighting, &mut out);
        if let Some(fen) = script.header().fen.as_ref().filter(|_| begins) {
            told.table.order(at, set_position(fen), &mut out).unwrap();
        }
        told.effects.extend(out.drain(..).map(|effect| (at, effect)));
    }
    wake(&mut told, script.end());
    told
}

/// A game that does not begin at the beginning needs an arbiter's word.
fn set_position(fen: &str) -> Order {
    let mode = CastlingMode::Standard;
    let position = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
    Order::SetPosition { position: Box::new(position), mode }
}

fn wake(told: &mut Told, until: Moment) {
    let mut out = Vec::new();
    while let Some((at, _)) = told.table.deadline().filter(|(at, _)| *at <= until) {
        told.table.due(at, &mut out);
        told.effects.extend(out.drain(..).map(|effect| (at, effect)));
    }
}
