//! Every kind in every edition: a scenario that raises it, and an innocent twin, which is no empty
//! script but one with the gestures that could confuse. Where an edition has no such rule, its
//! table says so ([`editions::provides`]).

use witness::laws::editions;
use witness::{Edition, Kind};

use super::scenario::{Scenario, scenarios};

/// A twin holds at least this part of the gestures of a scenario that raises the kind, in the same
/// order: one of so many.
const LIKENESS: usize = 2;

/// What hands and clocks do in it. How long they wait between is no likeness.
fn gestures(scenario: &Scenario) -> Vec<&str> {
    let lines = scenario.text.lines().filter(|line| !line.starts_with(['#', ';']));
    let lines = lines.filter_map(|line| line.split(';').next());
    lines.flat_map(str::split_whitespace).filter(|it| !it.starts_with('+')).collect()
}

/// How many of these gestures stand among the others in the same order.
fn common(these: &[&str], others: &[&str]) -> usize {
    let mut most = vec![0; others.len() + 1];
    for this in these {
        let mut row = vec![0];
        for (at, other) in others.iter().enumerate() {
            let longest = if this == other { most[at] + 1 } else { most[at + 1].max(row[at]) };
            row.push(longest);
        }
        most = row;
    }
    most.pop().unwrap_or_default()
}

fn resembles(twin: &Scenario, raising: &Scenario) -> bool {
    let wanted = gestures(raising);
    common(&wanted, &gestures(twin)) * LIKENESS >= wanted.len().max(1)
}

/// What this cell lacks.
fn missing(all: &[Scenario], kind: Kind, edition: Edition) -> Option<&'static str> {
    let holding: Vec<_> = all.iter().filter(|it| it.editions().contains(&edition)).collect();
    let raises = |it: &&Scenario| it.expected().iter().any(|it| it.kind == kind.name());
    let raising: Vec<_> = holding.iter().copied().filter(raises).collect();
    if raising.is_empty() {
        return Some("no scenario raises it");
    }
    let silent = |it: &&Scenario| it.silent().iter().any(|it| it == kind.name());
    let twins: Vec<_> = holding.into_iter().filter(silent).collect();
    if twins.is_empty() {
        return Some("no scenario keeps it silent");
    }
    let alike = twins.iter().any(|twin| raising.iter().any(|it| resembles(twin, it)));
    (!alike).then_some("no twin resembles a scenario that raises it")
}

/// All cells, and what they lack.
fn lacking(all: &[Scenario]) -> Vec<String> {
    let cells = Kind::ALL.into_iter().flat_map(|kind| Edition::ALL.map(|it| (kind, it)));
    let provided = cells.filter(|(kind, edition)| editions::provides(*kind, *edition));
    let lacking = provided.filter_map(|(kind, edition)| {
        let what = missing(all, kind, edition)?;
        Some(format!("{} in {}: {what}", kind.name(), edition.year()))
    });
    lacking.collect()
}

#[test]
fn every_kind_has_a_scenario_and_an_innocent_twin_in_every_edition() {
    let lacking = lacking(&scenarios());
    assert!(lacking.is_empty(), "{} cells:\n{}", lacking.len(), lacking.join("\n"));
}

#[test]
fn a_cell_whose_twin_is_gone_or_another_script_is_named() {
    let mut all = scenarios();
    all.retain(|it| !it.silent().iter().any(|kind| kind == "two_minutes"));
    let gone = "two_minutes in 2014: no scenario keeps it silent";
    assert!(lacking(&all).iter().any(|it| it == gone));
    let text = "; silent two_minutes\n+3 e2^ e4v |".to_owned();
    all.push(Scenario { name: "two_minutes-other".to_owned(), path: "".into(), text });
    let unlike = "two_minutes in 2014: no twin resembles a scenario that raises it";
    assert!(lacking(&all).iter().any(|it| it == unlike), "{:?}", lacking(&all));
}
