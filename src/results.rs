//! The results of a round for others: for the report of the pairings, the pairing program and the
//! notice board. This module makes texts and touches no file.

mod crosstable;
mod into_report;
mod lists;
mod page;
mod points;

use std::collections::BTreeMap;

use witness::{Ending, Message, TableNo};

use crate::pairings::trf::Report;
use crate::pairings::{self, Pairing, Player, Players, Problem, Round};
use crate::say;

pub use into_report::{Filled, fill};
pub use lists::{crosstable_csv, csv, swiss_manager, vega};
pub use page::html;

/// The letters of a name that fit into a report.
const NAME_LETTERS: usize = 33;

/// The result of a game at a table, and what is needed to place it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The table.
    pub table: TableNo,
    /// The name of its round.
    pub round: String,
    /// Who played.
    pub players: Players,
    /// How the game ended; none: it has no result yet.
    pub ending: Option<Ending>,
    /// How many half moves were seen.
    pub plies: usize,
}

/// One game in a list of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The table.
    pub table: TableNo,
    /// The starting numbers of White and Black, where there is a report.
    pub numbers: [Option<u32>; 2],
    /// Who played.
    pub players: Players,
    /// How the game ended; none: there is no result.
    pub ending: Option<Ending>,
}

/// What an arbiter should know about results that were written. Numbers are those of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The players are not paired with each other in this round. The result was left out.
    NotPaired(TableNo),
    /// One player is at both of these tables in the round.
    OnePlayer(TableNo, TableNo, String),
    /// Both tables have a result for one pairing. That of the second was left out.
    Twice(TableNo, TableNo),
    /// The players had each other's colours. Points went to the players as they played; the
    /// colours stay those of the report.
    Reversed(TableNo),
    /// The report had another result: the table, the result before, the result now.
    Changed(TableNo, &'static str, &'static str),
    /// There is a result, and no move was seen.
    NoMoves(TableNo),
    /// Vega has no code for this result.
    NoForm(TableNo, &'static str),
    /// The format names players by starting numbers, and the players at this table have none.
    NoNumbers(TableNo),
}

impl Remark {
    /// The remark as a sentence.
    #[must_use]
    pub fn text(&self) -> Message {
        match self {
            Self::NotPaired(table) => say::remark_not_paired(*table),
            Self::OnePlayer(first, second, name) => say::remark_one_player(*first, *second, name),
            Self::Twice(first, second) => say::remark_twice(*first, *second),
            Self::Reversed(table) => say::remark_reversed(*table),
            Self::Changed(table, was, is) => say::remark_changed(*table, was, is),
            Self::NoMoves(table) => say::remark_no_moves(*table),
            Self::NoForm(table, result) => say::remark_no_form(*table, result),
            Self::NoNumbers(table) => say::remark_no_numbers(*table),
        }
    }
}

/// Where the pairings of an event stand.
pub enum Source {
    /// The bytes of a report (TRF).
    Report(Vec<u8>),
    /// Rounds of a PGN file, or none at all.
    Rounds(Vec<Round>),
}

impl Source {
    /// Reads a file of pairings.
    ///
    /// # Errors
    /// If the file cannot be understood. The problem names the place.
    pub fn of(bytes: Vec<u8>) -> Result<Self, Problem> {
        let text = pairings::text(bytes.clone());
        let rounds = pairings::read(&text)?;
        let report = pairings::lines(&text).any(|(_, line)| line.starts_with("001 "));
        Ok(if report { Self::Report(bytes) } else { Self::Rounds(rounds) })
    }
}

/// The table and the result of each pairing, by its index.
type Assigned = BTreeMap<usize, (TableNo, Ending)>;

/// A round's results, and the crosstable up to it.
pub struct RoundResults {
    /// The round, as it is called.
    pub round: String,
    /// Its games, by table.
    pub rows: Vec<Row>,
    /// What needs a look.
    pub remarks: Vec<Remark>,
    /// All rounds up to this one.
    report: Report,
    system: points::PointSystem,
    rounds: usize,
}

/// The rounds that have games in the pairings or at the tables, in their order.
#[must_use]
pub fn rounds(source: &Source, outcomes: &[Outcome]) -> Vec<String> {
    let paired = match source {
        Source::Report(bytes) => pairings::read(&pairings::text(bytes.clone())).unwrap_or_default(),
        Source::Rounds(rounds) => return names(rounds, outcomes),
    };
    names(&paired, &[])
}

fn names(rounds: &[Round], outcomes: &[Outcome]) -> Vec<String> {
    let mut names: Vec<String> = rounds.iter().map(|it| it.name.clone()).collect();
    for outcome in outcomes {
        if !names.contains(&outcome.round) {
            names.push(outcome.round.clone());
        }
    }
    names.sort_by_key(|name| (name.parse::<u32>().unwrap_or(u32::MAX), name.clone()));
    names
}

/// One outcome for each table of a round: the last one with a result, or else the last one. A game
/// that was begun anew has no outcome of its own.
#[must_use]
pub fn of_round(outcomes: &[Outcome], round: &str) -> Vec<Outcome> {
    let mut chosen: BTreeMap<TableNo, &Outcome> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|it| it.round == round) {
        let before = chosen.get(&outcome.table);
        let keeps = before.is_some_and(|it| it.ending.is_some()) && outcome.ending.is_none();
        if !keeps {
            chosen.insert(outcome.table, outcome);
        }
    }
    chosen.into_values().cloned().collect()
}

/// Whether two entries mean one person in a report. A report keeps names, so a result belongs to
/// the pairing with these names, whatever the ratings are.
fn is_entered_as(one: &Player, other: &Player) -> bool {
    let short = |it: &Player| it.name.chars().take(NAME_LETTERS).collect::<String>();
    match (one.fide_id, other.fide_id) {
        (Some(one), Some(other)) => one == other,
        _ => !one.name.is_empty() && short(one).trim() == short(other).trim(),
    }
}

/// The pairing of an outcome, by its index, and whether the colours are reversed. Without names the
/// table decides.
fn pairing_of(pairings: &[Pairing], outcome: &Outcome) -> Option<(usize, bool)> {
    let played = &outcome.players;
    if played.white.name.is_empty() && played.black.name.is_empty() {
        return pairings.iter().position(|it| it.table == outcome.table).map(|at| (at, false));
    }
    let fits = |it: &Pairing, reversed: bool| {
        let players = if reversed { it.players.clone().reversed() } else { it.players.clone() };
        is_entered_as(&players.white, &played.white) && is_entered_as(&players.black, &played.black)
    };
    // If two pairings fit, the one at the same table is meant.
    let of_table =
        |reversed| pairings.iter().position(|it| it.table == outcome.table && fits(it, reversed));
    let anywhere = |reversed| pairings.iter().position(|it| fits(it, reversed));
    let found = |reversed| of_table(reversed).or_else(|| anywhere(reversed));
    found(false).map(|at| (at, false)).or_else(|| found(true).map(|at| (at, true)))
}

/// The table and the result of each pairing, by its index, and remarks on the outcomes.
fn assigned(pairings: &[Pairing], outcomes: &[Outcome]) -> (Assigned, Vec<Remark>) {
    let mut results = Assigned::new();
    let mut remarks = at_two_tables(outcomes);
    for outcome in outcomes {
        let Some(ending) = outcome.ending else { continue };
        let Some((at, reversed)) = pairing_of(pairings, outcome) else {
            remarks.push(Remark::NotPaired(outcome.table));
            continue;
        };
        if let Some((first, _)) = results.get(&at) {
            remarks.push(Remark::Twice(*first, outcome.table));
            continue;
        }
        if reversed {
            remarks.push(Remark::Reversed(outcome.table));
        }
        if outcome.plies == 0 && ending.was_played() {
            remarks.push(Remark::NoMoves(outcome.table));
        }
        let ending = if reversed { ending.reversed() } else { ending };
        results.insert(at, (outcome.table, ending));
    }
    (results, remarks)
}

/// Players who are at two tables of a round. Tables without a move and without a result do not
/// count.
fn at_two_tables(outcomes: &[Outcome]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut seen: Vec<(TableNo, &Player)> = Vec::new();
    for outcome in outcomes.iter().filter(|it| it.plies > 0 || it.ending.is_some()) {
        for player in [&outcome.players.white, &outcome.players.black] {
            let elsewhere = seen.iter().find(|(_, it)| is_entered_as(it, player));
            match elsewhere.filter(|(table, _)| *table != outcome.table) {
                Some((table, _)) => {
                    remarks.push(Remark::OnePlayer(*table, outcome.table, player.name.clone()));
                }
                None => seen.push((outcome.table, player)),
            }
        }
    }
    remarks
}

/// Puts a round together from the pairings and from what was played.
///
/// # Errors
/// If the report has no such round, or cannot be read.
pub fn tell(source: &Source, outcomes: &[Outcome], round: &str) -> Result<RoundResults, Problem> {
    match source {
        Source::Report(bytes) => {
            let filled = fill(bytes, round, &of_round(outcomes, round))?;
            let text = pairings::text(filled.bytes);
            let index = into_report::index(round)?;
            let report = Report::read(&text)?;
            let system = points::PointSystem::read(&text);
            let tables = filled.tables;
            let rows = lists::of_report(&report, index, &tables)?;
            let (round, remarks) = (round.to_owned(), filled.remarks);
            Ok(RoundResults { round, rows, remarks, report, system, rounds: index + 1 })
        }
        Source::Rounds(rounds) => Ok(told_by_rounds(rounds, outcomes, round)),
    }
}

fn told_by_rounds(rounds: &[Round], outcomes: &[Outcome], round: &str) -> RoundResults {
    let mut names = names(rounds, outcomes);
    let last = names.iter().position(|it| it == round).map_or(0, |at| at + 1);
    names.truncate(last);
    let mut all = Vec::new();
    let mut remarks = Vec::new();
    for name in &names {
        let paired = rounds.iter().find(|it| it.name == *name);
        let paired = paired.map_or(&[][..], |it| &it.pairings);
        let (rows, of_this) = lists::of_pairings(paired, &of_round(outcomes, name));
        all.push(rows);
        remarks = of_this;
    }
    let report = crosstable::report_of(&all);
    let rows = all.pop().unwrap_or_default();
    let (rounds, system) = (names.len(), points::PointSystem::default());
    RoundResults { round: round.to_owned(), rows, remarks, report, system, rounds }
}

#[cfg(test)]
mod tests;
