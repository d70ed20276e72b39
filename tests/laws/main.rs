//! Every row of the Laws with a scenario and its innocent twin, played as `adoubed replay` plays
//! them. What a script expects stands in its remarks:
//!
//! | remark | means |
//! |---|---|
//! | `; expect KIND SIDE MOVE GRAVITY ARTICLE` | it is raised (the Article is that of 2023) |
//! | `; lapsed …`, `; corrected …` | and then lapses, or is closed without a ruling |
//! | `; open …` | and is open in the end, as grave as it was |
//! | `; silent KIND` | it is not raised |
//! | `; once KIND` | one alert of this kind is raised, however often it is told anew |
//! | `; says KIND WORDS` | its text or advice holds these words |
//! | `; never KIND WORDS` | no text or advice of it holds them |
//! | `; score MOVES` | these are the moves of the score in the end |
//! | `; result RESULT` | and this its result, `*` for none |
//! | `; withdrawn RESULT` | it was announced, and is no result any more |
//! | `; games NUMBER` | so many games were played, the last one among them |
//! | `; text 2014 4.3.a, 4.5; 2018 4.3.1` | where the texts say so, see [`texts`] |
//!
//! Nothing else than notes may be raised beside. A script without `# laws:` holds in every edition.
//! [`matrix`] asks of every kind in every edition for a scenario and an innocent twin.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod boards;
mod matrix;
mod scenario;
mod texts;

use std::collections::BTreeSet;
use std::process::Command;

use adoubed::record::recording::Wanted;
use adoubed::verbs::replay;
use rayon::prelude::*;
use serde_json::Value;
use witness::Edition;
use witness::laws::editions;

use scenario::{Expected, Scenario, kind, scenarios};

/// Every line about an incident, a result, or with the score, in order.
fn lines(scenario: &Scenario, edition: Edition) -> Vec<Value> {
    let lines = replay::json_lines(scenario.path.clone(), &Wanted::under(edition));
    let lines = lines.unwrap_or_else(|why| panic!("{}: {}", scenario.name, why.message));
    let lines = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let wanted = ["incident", "result", "score"];
    lines.filter(|line| wanted.iter().any(|it| line["type"] == *it)).collect()
}

fn word<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or("-")
}

/// French texts in which a mark could come to stand at the beginning of a line.
fn badly_spaced(line: &Value) -> Vec<String> {
    let french = |it: &Value| it["fr"].as_str().unwrap_or_default().to_owned();
    let parts = |key: &str| line[key].as_array().cloned().unwrap_or_default();
    let advice = parts("advice").iter().map(french).collect::<Vec<_>>();
    let evidence = parts("evidence").iter().map(|it| french(&it["text"])).collect::<Vec<_>>();
    let all = [vec![french(&line["text"])], advice, evidence].concat();
    let bad =
        |text: &String| [" :", " ;", " !", " ?", " »", "« "].iter().any(|it| text.contains(it));
    all.into_iter().filter(bad).collect()
}

/// Numbers in the texts that this edition does not have: up to that of 2014 they count by letters
/// from the third place on, the later ones by figures.
fn foreign_numbers(line: &Value, edition: Edition) -> Vec<String> {
    let parts = |it: &Value| [word(it, "en").to_owned(), word(it, "fr").to_owned()];
    let advice = line["advice"].as_array().cloned().unwrap_or_default();
    let texts = [&line["text"]].into_iter().chain(&advice).flat_map(parts);
    let foreign = |text: &String| {
        let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '.');
        words.map(|word| word.trim_matches('.')).any(|word| match word.split('.').nth(2) {
            None => false,
            Some(third) => {
                third.starts_with(|it: char| it.is_ascii_digit()) == (edition < Edition::Y2018)
            }
        })
    };
    texts.filter(foreign).collect()
}

/// Words and moves that are missing.
fn unsaid(scenario: &Scenario, incidents: &[Value], score: Option<&Value>) -> Vec<String> {
    let says = |line: &Value, said: &str| {
        let advice = line["advice"].as_array().cloned().unwrap_or_default();
        // A script is typed with straight apostrophes.
        let straight = |it: &Value| word(it, "en").replace('’', "'");
        [&line["text"]].into_iter().chain(&advice).any(|it| straight(it).contains(said))
    };
    let said = |(kind, said): &(String, String)| {
        incidents.iter().any(|line| line["kind"] == **kind && says(line, said))
    };
    let missing = scenario.words("says").into_iter().filter(|it| !said(it));
    let mut problems: Vec<_> =
        missing.map(|(kind, said)| format!("{kind} does not say: {said}")).collect();
    let amiss = scenario.words("never").into_iter().filter(said);
    problems.extend(amiss.map(|(kind, said)| format!("{kind} says: {said}")));
    let uci = score.map_or("-", |line| word(line, "uci"));
    let other = scenario.score().filter(|wanted| wanted != uci);
    problems.extend(other.map(|wanted| format!("score {uci} instead of {wanted}")));
    problems
}

/// The Article in this edition that a scenario names by its number of 2023.
fn article_of(wanted: &Expected, edition: Edition) -> Option<&'static str> {
    let kind = kind(&wanted.kind);
    match editions::other_article(kind, Edition::Y2023) == Some(wanted.article.as_str()) {
        true => editions::other_article(kind, edition),
        false => Some(editions::article(kind, edition)),
    }
}

/// Results that are not as they should be.
fn otherwise_ended(scenario: &Scenario, results: &[Value], score: Option<&Value>) -> Vec<String> {
    let result = score.map_or("-", |line| word(line, "result"));
    let other = scenario.result("result").filter(|wanted| wanted != result);
    let other = other.map(|wanted| format!("result {result} instead of {wanted}"));
    let results: Vec<_> = results.iter().map(|line| word(line, "result")).collect();
    let gone = |wanted: &String| !results.windows(2).any(|it| it == [wanted.as_str(), "*"]);
    let stands = scenario.result("withdrawn").filter(gone);
    let stands = stands.map(|wanted| format!("{wanted} was not withdrawn: {results:?}"));
    other.into_iter().chain(stands).collect()
}

/// What offends in one scenario under one edition.
fn offences(scenario: &Scenario, edition: Edition) -> Vec<String> {
    let (lines, others): (Vec<_>, Vec<_>) =
        lines(scenario, edition).into_iter().partition(|line| line["type"] == "incident");
    let (scores, results): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|line| line["type"] == "score");
    let mut problems = unsaid(scenario, &lines, scores.last());
    let other = scenario.games().filter(|wanted| *wanted != scores.len());
    problems.extend(other.map(|wanted| format!("{} games instead of {wanted}", scores.len())));
    problems.extend(otherwise_ended(scenario, &results, scores.last()));
    let (expected, silent) = (scenario.expected(), scenario.silent());
    for once in scenario.once() {
        let of_kind = lines.iter().filter(|it| it["kind"] == *once);
        let alerts: BTreeSet<_> = of_kind.map(|it| word(it, "id")).collect();
        if alerts.len() != 1 {
            problems.push(format!("{once}: {} alerts", alerts.len()));
        }
    }
    let known = |it: &&Expected| editions::provides(kind(&it.kind), edition);
    for wanted in expected.iter().filter(known) {
        let of_kind: Vec<_> = lines.iter().filter(|it| it["kind"] == *wanted.kind).collect();
        let Some(first) = of_kind.first() else {
            problems.push(format!("{} is not raised", wanted.kind));
            continue;
        };
        let facts =
            format!("{} {} {}", word(first, "side"), first["move_number"], word(first, "gravity"));
        if facts != wanted.facts {
            problems.push(format!("{}: {facts} instead of {}", wanted.kind, wanted.facts));
        }
        let article = article_of(wanted, edition);
        let named = word(first, "article");
        if word(first, "edition") != editions::source(kind(&wanted.kind), edition).year() {
            problems.push(format!("{}: edition {}", wanted.kind, word(first, "edition")));
        }
        if Some(named) != article || (edition == Edition::Y2023 && named != wanted.article) {
            problems.push(format!("{}: Article {named}", wanted.kind));
        }
        let last = of_kind.last().map_or("-", |it| word(it, "state"));
        let state = match (wanted.state.as_str(), last) {
            ("lapsed", "lapsed") | ("corrected", "closed") | ("open", "open") => None,
            // Whoever is called comes: that nobody is wanted any more must be said.
            ("expect", "closed") if word(first, "gravity") == "summon" => Some(last),
            ("expect", _) => None,
            _ => Some(last),
        };
        problems.extend(state.map(|state| format!("{} is {state} in the end", wanted.kind)));
        let grown = of_kind.last().map_or("-", |it| word(it, "gravity"));
        if wanted.state == "open" && !wanted.facts.ends_with(grown) {
            problems.push(format!("{} is {grown} in the end", wanted.kind));
        }
        let evidence = first["evidence"].as_array().map_or(0, Vec::len);
        let (en, fr) = (word(&first["text"], "en"), word(&first["text"], "fr"));
        if evidence == 0 || en.len() < 10 || fr.len() < 10 {
            problems.push(format!("{}: evidence or words are missing", wanted.kind));
        }
    }
    for line in &lines {
        let kind = word(line, "kind");
        problems.extend(badly_spaced(line).into_iter().map(|it| format!("{kind}: {it}")));
        let foreign = foreign_numbers(line, edition).into_iter();
        problems.extend(foreign.map(|it| format!("{kind}: not of this edition: {it}")));
        let wanted = expected.iter().any(|it| it.kind == kind);
        let muted = silent.iter().any(|it| it == kind);
        if muted || (!wanted && line["gravity"] != "note") {
            problems.push(format!("{kind} is raised: {}", word(&line["text"], "en")));
        }
    }
    problems.into_iter().map(|it| format!("{} ({}): {it}", scenario.name, edition.year())).collect()
}

#[test]
fn every_scenario_is_told_as_it_should_be() {
    let all = scenarios();
    let under = |it| Scenario::editions(it).into_iter().map(move |edition| (it, edition));
    let played: Vec<_> = all.iter().flat_map(under).collect();
    let problems = played.par_iter().flat_map_iter(|(scenario, at)| offences(scenario, *at));
    let problems: Vec<_> = problems.collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_program_prints_these_very_lines() {
    for scenario in scenarios().iter().step_by(40) {
        let edition = scenario.editions()[0];
        let mut program = Command::new(env!("CARGO_BIN_EXE_adoubed"));
        program.args(["replay", "--json", "--laws", edition.year()]).arg(&scenario.path);
        let printed = String::from_utf8(program.output().unwrap().stdout).unwrap();
        let lines = replay::json_lines(scenario.path.clone(), &Wanted::under(edition)).unwrap();
        assert_eq!(printed.lines().collect::<Vec<_>>(), lines, "{}", scenario.name);
    }
}

#[test]
fn scripts_expect_only_what_exists() {
    for scenario in scenarios() {
        let kinds = scenario.expected().into_iter().map(|it| it.kind).chain(scenario.silent());
        let kinds: Vec<_> = kinds.collect();
        assert!(!kinds.is_empty(), "{}: expects nothing", scenario.name);
        for name in kinds {
            kind(&name);
        }
    }
}
