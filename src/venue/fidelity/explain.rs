//! Shows what went wrong in one game, and the gestures around it as a script that can be played. It
//! judges nothing.

use std::fmt::Write as _;
use std::ops::Range;

use eboard::{Moment, Piece, Placement, Senses, Sighting, Square};
use rehearsal::Permille;
use witness::{Award, Effect, Event, Kind};

use super::round::Round;
use super::{Model, verdict};
use crate::works::Act;
use words::InWords as _;

/// How many moves are shown before the wrong one, and after it.
const AROUND: (usize, usize) = (2, 4);

/// Explains one game around a move, counted from 1: the gestures, the sightings, the alerts.
/// Without a move it chooses the first wrong one, the first false accusation or the first doubt.
#[must_use]
pub fn explain(model: &Model, number: u64, around: Option<usize>) -> String {
    let round = Round::play(model, number);
    let game = &round.game;
    let mut text = format!("; {} – {}, {}\n", game.white, game.black, game.event);
    text += &format!("; {}, game {number}\n", model.name);
    for unplug in &round.unplugs {
        let (from, until) = (unplug.at, unplug.at + unplug.lasts);
        text +=
            &format!("; the line was out from {} to {} µs\n", from.as_micros(), until.as_micros());
    }
    text += &alerts(&round.acts);
    let Some(table) = round.table() else { return text };
    let score = verdict::score(table);
    let played = round.expected(table.score().mode());
    let same = score.iter().zip(&played).take_while(|(one, other)| *one == *other).count();
    let next = |line: &[String]| line.iter().skip(same).take(6).cloned().collect::<Vec<_>>();
    let truth = round.truth;
    text += &format!(
        "; phase {:?}, result {} of {}, {} plies of {}\n",
        table.phase(),
        table.score().result(),
        verdict::award(truth).map_or("*", Award::as_str),
        score.len(),
        truth.plies,
    );
    text += &format!(
        "; from ply {} on the score has {:?}, played was {:?}\n",
        same + 1,
        next(&score),
        next(&played),
    );
    let about = around.and_then(|ply| ply.checked_sub(1));
    let about = about.or_else(|| (score == played).then(|| first_alert(&round))?).unwrap_or(same);
    let plies = about.saturating_sub(AROUND.0)..(about + AROUND.1).max(1);
    let unharmed = Model { harmed: Permille(0), unplugged: None, ..model.clone() };
    text += &heard(&round, &Round::play(&unharmed, number), &plies);
    if model.driver.senses == Senses::Occupancy {
        text += "# sensing: occupancy\n";
    }
    text + &round.performance.excerpt(game, model.manner.control, plies)
}

/// The alerts that were raised and closed. For a doubt, its moves too.
fn alerts(acts: &[Act]) -> String {
    let mut text = String::new();
    for act in acts {
        let Act::Table(at, _, effect) = act else { continue };
        let (said, incident) = match effect {
            Effect::Raised(incident) => ("", incident),
            Effect::Closed(incident, _) => ("closed: ", incident),
            _ => continue,
        };
        let what = incident.text.en().replace('\n', " ");
        let _ = writeln!(text, "; {} µs: {said}{what}", at.as_micros());
        if incident.kind == Kind::PositionToCheck && said.is_empty() {
            let lines = &incident.facts.candidates;
            let _ = writeln!(text, ";   after {}, candidates {lines:?}", incident.facts.position);
        }
    }
    text
}

/// The move, counted from 0, of the first false accusation, or else of the first doubt.
fn first_alert(round: &Round) -> Option<usize> {
    let raised = |of: &dyn Fn(&Act) -> bool| {
        let first = round.acts.iter().find(|act| of(act));
        first.and_then(|act| if let Act::Table(at, ..) = act { Some(*at) } else { None })
    };
    let doubts = |act: &Act| {
        let Act::Table(_, _, Effect::Raised(it)) = act else { return false };
        it.kind == Kind::PositionToCheck
    };
    let at = raised(&|act| verdict::accuses(act, round)).or_else(|| raised(&doubts))?;
    Some(round.made().take_while(|made| *made <= at).count())
}

/// The board's reports during these moves, what the line lost of them, and the alerts.
fn heard(round: &Round, unharmed: &Round, plies: &Range<usize>) -> String {
    let made = |ply: Option<usize>| ply.and_then(|it| round.made().nth(it));
    let from = made(plies.start.checked_sub(1)).unwrap_or(Moment::ZERO);
    let until = made(Some(plies.end)).unwrap_or_else(|| round.end());
    let mut known = Placement::EMPTY;
    let sightings =
        round.sightings.iter().filter_map(|(at, it)| Some((*at, seen(it, &mut known)?)));
    let sent = unharmed.sightings.iter().filter(|(_, it)| matches!(it, Sighting::Square { .. }));
    let lost = sent.filter(|sent| !round.sightings.contains(sent));
    let lost = lost.filter_map(|(at, it)| {
        let mut unknown = Placement::EMPTY;
        Some((*at, format!("not heard: {}", seen(it, &mut unknown)?)))
    });
    let announced = round.acts.iter().filter_map(|act| match act {
        Act::Table(at, _, Effect::Event(event)) => Some((*at, said(event)?)),
        _ => None,
    });
    let mut all: Vec<_> = sightings.chain(lost).chain(announced).collect();
    all.retain(|(at, _)| (from..until).contains(at));
    all.sort_by_key(|(at, _)| *at);
    let mut text = String::new();
    for (at, what) in all {
        let _ = writeln!(text, "; {:.3} s: {what}", at.since(Moment::ZERO).as_secs_f64());
    }
    text
}

/// The squares that changed, if they were known before.
fn seen(sighting: &Sighting, known: &mut Placement) -> Option<String> {
    let is = |square: Square, piece: Option<Piece>| match piece {
        Some(piece) => format!("{square} holds {}", piece.letter()),
        None => format!("{square} is empty"),
    };
    match sighting {
        Sighting::Square { square, piece } => {
            known[*square] = *piece;
            Some(is(*square, *piece))
        }
        Sighting::Position(now) => {
            let before = std::mem::replace(known, *now);
            let changed = before.differing(now).map(|square| is(square, now[square]));
            Some(format!("all squares: {}", changed.collect::<Vec<_>>().join(", ")))
        }
        _ => None,
    }
}

fn said(event: &Event) -> Option<String> {
    match event {
        Event::Pressed(side) => Some(format!("{side} pressed")),
        Event::Released { index, ply } => Some(format!("ply {} is {}", index + 1, ply.san)),
        Event::Revised { from, .. } => Some(format!("told anew from ply {} on", from + 1)),
        Event::Phase(phase) => Some(format!("phase {phase:?}")),
        _ => None,
    }
}
