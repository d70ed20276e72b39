//! The event in the shapes of LiveChess: one tournament, its rounds, and a game for every table.
//! Names and types are those of its clients; an additional key would break some of them.

use std::collections::BTreeSet;

use serde::Serialize;
use shakmaty::{Board as Squares, Color, KnownOutcome};
use uuid::Uuid;
use witness::{EndedBy, TableNo};

use super::hall::{Event, Game, Hall, Move, Standing, Table};
use super::names;
use super::shapes::{self, ClockTimes};
use crate::mqtt::payload::Confidence;
use crate::pairings;
use crate::time::WallTime;

/// The Chess960 number of the initial position.
const USUAL: u16 = 518;
/// The highest table in the list of boards, which has a place for every number up to it.
const TABLE_MAX: TableNo = TableNo::new(9999);
/// The highest round that is listed by its number.
const ROUND_MAX: usize = 99;

/// One line of the list of tournaments.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Summary<'a> {
    uuid: Uuid,
    description: &'a str,
    rounds: usize,
}

/// A tournament.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Tournament<'a> {
    uuid: Uuid,
    name: &'a str,
    description: &'a str,
    location: &'a str,
    /// Unknown to us.
    country: &'static str,
    rounds: usize,
    /// The boards. That of table n is at place n - 1; it is empty if there is no such table.
    eboards: Vec<&'a str>,
}

/// A round.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Round<'a> {
    /// From 1.
    nr: usize,
    /// `2026-11-20`
    date: Option<String>,
    pairings: Vec<Pairing<'a>>,
}

/// A pairing. Its number is that of the table.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Pairing<'a> {
    nr: TableNo,
    uuid: Uuid,
    white: Player<'a>,
    black: Player<'a>,
    live: bool,
    result: Option<&'static str>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Player<'a> {
    fname: Option<&'a str>,
    mname: Option<&'a str>,
    lname: Option<&'a str>,
    title: Option<&'a str>,
    federation: Option<&'a str>,
    /// Unknown to us.
    gender: Option<&'static str>,
    fideid: Option<u32>,
}

/// A game.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    chess960: u16,
    result: Option<&'static str>,
    comment: Option<&'static str>,
    clock: Option<ClockTimes>,
    /// `Nf3`, `Nf3 +10` or `Nf3 5390+10`: seconds on the clock after the move, seconds it took.
    moves: Vec<String>,
}

/// The tournament, which is the event of this hall.
pub fn uuid(hall: &Hall) -> Uuid {
    names::tournament(&hall.event.name, &hall.event.site)
}

/// The name of an event without a name.
fn name(event: &Event) -> &str {
    if event.name.is_empty() { "adoubed" } else { &event.name }
}

/// All tournaments: there is one.
pub fn list(hall: &Hall) -> Vec<Summary<'_>> {
    let rounds = rounds(hall).len();
    vec![Summary { uuid: uuid(hall), description: name(&hall.event), rounds }]
}

/// The tournament.
pub fn tournament(hall: &Hall) -> Tournament<'_> {
    let last = hall.tables.keys().copied().filter(|it| *it <= TABLE_MAX).max().unwrap_or_default();
    let serial = |table: TableNo| hall.serials.get(&table).map_or("", String::as_str);
    Tournament {
        uuid: uuid(hall),
        name: name(&hall.event),
        description: name(&hall.event),
        location: &hall.event.site,
        country: "",
        rounds: rounds(hall).len(),
        eboards: (1..=last.get()).map(TableNo::new).map(serial).collect(),
    }
}

/// The names of the rounds in order. If they are numbers, all rounds up to the highest are listed,
/// but only the current ones have games.
fn rounds(hall: &Hall) -> Vec<String> {
    let played = hall.tables.values().map(|it| it.game.event.round.as_str());
    let names: BTreeSet<_> = played.chain([hall.event.round.as_str()]).collect();
    // Tables without a game have no round yet.
    let named: BTreeSet<_> = names.iter().copied().filter(|it| !it.is_empty()).collect();
    let numbers: Option<BTreeSet<usize>> = named.iter().map(|it| it.parse().ok()).collect();
    let highest = numbers.and_then(|it| it.last().copied());
    match highest.filter(|it| (1..=ROUND_MAX).contains(it)) {
        Some(highest) => (1..=highest).map(|it| it.to_string()).collect(),
        None if named.is_empty() => vec![String::new()],
        None => named.into_iter().map(str::to_owned).collect(),
    }
}

/// The round at this place, from 0.
pub fn round(hall: &Hall, place: usize) -> Option<Round<'_>> {
    let name = rounds(hall).into_iter().nth(place)?;
    let tables = hall.tables.iter().map(|(number, table)| (*number, &**table));
    let tables: Vec<_> = tables.filter(|(_, it)| it.game.event.round == name).collect();
    let date = tables.iter().filter_map(|(_, table)| began(&table.game)).min();
    let pairings = tables.iter().map(|(number, table)| pairing(hall, *number, table));
    Some(Round { nr: place + 1, date: date.map(WallTime::date), pairings: pairings.collect() })
}

fn began(game: &Game) -> Option<WallTime> {
    let first = game.moves.first().map(|it| it.at.as_str());
    game.start_at.as_deref().or(first).and_then(WallTime::parse)
}

fn pairing<'a>(hall: &Hall, nr: TableNo, table: &'a Table) -> Pairing<'a> {
    let game = &table.game;
    Pairing {
        nr,
        uuid: names::game(uuid(hall), &game.event.round, nr),
        white: player(&game.players.white),
        black: player(&game.players.black),
        live: is_live(game),
        result: result(game),
    }
}

/// In `Doe, Jane` the family name comes first. A single name counts as the family name.
fn player(player: &pairings::Player) -> Player<'_> {
    let (family, given) = match player.name.split_once(',') {
        Some((family, given)) => (family.trim(), Some(given.trim())),
        None => (player.name.trim(), None),
    };
    let said = |text: &&str| !text.is_empty();
    Player {
        fname: given.filter(said),
        mname: None,
        lname: Some(family).filter(said),
        title: player.title.as_deref(),
        federation: player.federation.as_deref(),
        gender: None,
        fideid: player.fide_id,
    }
}

fn is_live(game: &Game) -> bool {
    game.result == Standing::Going
}

/// The result in LiveChess's words. They have none for other awards of an arbiter.
fn result(game: &Game) -> Option<&'static str> {
    let Standing::Over(award) = game.result else { return None };
    let played = game.termination != Some(EndedBy::Forfeit);
    Some(match award.known()? {
        KnownOutcome::Decisive { winner: Color::White } if played => "WHITEWIN",
        KnownOutcome::Decisive { winner: Color::Black } if played => "BLACKWIN",
        KnownOutcome::Decisive { winner: Color::White } => "WHITEFORFAIT",
        KnownOutcome::Decisive { winner: Color::Black } => "BLACKFORFAIT",
        KnownOutcome::Draw => "DRAW",
    })
}

/// The game with this id.
pub fn game(hall: &Hall, name: Uuid) -> Option<Score> {
    let tournament = uuid(hall);
    let is_it = |number: TableNo, table: &Table| {
        names::game(tournament, &table.game.event.round, number) == name
    };
    let table = hall.tables.iter().find(|(number, table)| is_it(**number, table))?.1;
    let game = &table.game;
    let before = game.moves.iter().map(|it| it.at.as_str());
    let before = [game.start_at.as_deref().unwrap_or_default()].into_iter().chain(before);
    Some(Score {
        chess960: array(game),
        result: result(game),
        comment: None,
        clock: shapes::clock(&table.clock).filter(|_| is_live(game)),
        moves: game.moves.iter().zip(before).map(|(it, before)| written(it, before)).collect(),
    })
}

/// A move with its times. A move that was inferred has none, and clients recognise it by that. If
/// there was no clock, its time is the one since the move before.
fn written(played: &Move, before: &str) -> String {
    let san = &played.san;
    if played.confidence == Some(Confidence::Inferred) {
        return san.clone();
    }
    let spent =
        played.emt_ms.map_or_else(|| between(before, &played.at), |ms| i64::from(ms) / 1000);
    match played.clk_ms {
        Some(left) => format!("{san} {}+{spent}", left / 1000),
        None => format!("{san} +{spent}"),
    }
}

/// Seconds from one time of day to another.
fn between(earlier: &str, later: &str) -> i64 {
    match [earlier, later].map(WallTime::parse) {
        [Some(earlier), Some(later)] => {
            (later.as_micros() - earlier.as_micros()).max(0) / 1_000_000
        }
        _ => 0,
    }
}

/// The Chess960 number of the first position; that of the initial position if it has none.
fn array(game: &Game) -> u16 {
    let placement = game.start_fen.split(' ').next().unwrap_or_default();
    let Some(squares) = placement.parse::<Squares>().ok().filter(|_| game.chess960) else {
        return USUAL;
    };
    (0..960).find(|it| Squares::chess960(u32::from(*it)) == squares).unwrap_or(USUAL)
}
