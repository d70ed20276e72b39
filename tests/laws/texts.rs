//! Where in the texts of the Laws an expectation comes from. Every script says it:
//!
//! ```text
//! ; text 2005 4.3.a; 2014 4.3.a, 4.5; 2018 4.3.1, 6.4 commentary; 2023 as 2018
//! ```
//!
//! For each edition it holds in, the Articles, by the numbers of `articles.txt`; `commentary` is
//! what arbiters remark there. `as YEAR`: this edition's own text was not at hand or is silent, and
//! the expectation is that of the other one. Several such lines are one.

use std::collections::{BTreeMap, BTreeSet};

use witness::laws::editions;
use witness::{Edition, Kind};

use super::scenario::{Scenario, kind, scenarios};

/// The Articles of one text, and whether somebody comments on them.
type Text = BTreeMap<&'static str, bool>;

/// What one edition is named with.
#[derive(Debug)]
enum Place {
    Articles(Vec<Reference>),
    As(Edition),
}

#[derive(Debug)]
struct Reference {
    article: String,
    commentary: bool,
}

impl Reference {
    /// This Article or a part of it.
    fn is_within(&self, article: &str) -> bool {
        let rest = self.article.strip_prefix(article);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// All texts, by edition.
fn texts() -> BTreeMap<Edition, Text> {
    let mut texts: BTreeMap<Edition, Text> = BTreeMap::new();
    let mut edition = None;
    let lines = include_str!("articles.txt").lines().filter(|it| !it.starts_with('#'));
    for word in lines.flat_map(str::split_whitespace) {
        if let Some(year) = word.strip_suffix(':') {
            edition = Some(Edition::named(year).unwrap());
            continue;
        }
        let text = texts.entry(edition.unwrap()).or_default();
        let article = word.trim_end_matches('*');
        assert!(text.insert(article, article != word).is_none(), "{word} stands there twice");
    }
    texts
}

/// What a script names; what it should not say.
fn places(scenario: &Scenario) -> Result<BTreeMap<Edition, Place>, String> {
    let mut places = BTreeMap::new();
    let lines = scenario.text.lines().filter_map(|line| line.strip_prefix("; text "));
    for part in lines.flat_map(|line| line.split("; ")) {
        let (year, rest) = part.split_once(' ').ok_or_else(|| format!("`{part}` names nothing"))?;
        let edition = Edition::named(year).ok_or_else(|| format!("`{year}` is no edition"))?;
        let place = match rest.strip_prefix("as ") {
            Some(other) => {
                Place::As(Edition::named(other).ok_or_else(|| format!("as {other}: no edition"))?)
            }
            None => Place::Articles(rest.split(", ").map(reference).collect()),
        };
        if places.insert(edition, place).is_some() {
            return Err(format!("names {year} twice"));
        }
    }
    Ok(places)
}

fn reference(written: &str) -> Reference {
    let article = written.strip_suffix(" commentary");
    Reference { article: article.unwrap_or(written).to_owned(), commentary: article.is_some() }
}

/// The kinds a script is about: its own and all it expects.
fn subjects(scenario: &Scenario) -> BTreeSet<Kind> {
    let own = scenario.name.split_once('-').map_or(&*scenario.name, |(own, _)| own);
    let expected = scenario.expected().into_iter().map(|it| kind(&it.kind));
    expected.chain([kind(own)]).collect()
}

/// The Article of the table for this kind, if this edition has one and its text holds it.
fn named_in(kind: Kind, edition: Edition, texts: &BTreeMap<Edition, Text>) -> Option<&str> {
    let own = editions::provides(kind, edition) && editions::source(kind, edition) == edition;
    let article = editions::article(kind, edition);
    let text = texts.get(&edition)?;
    (own && text.contains_key(article)).then_some(article)
}

fn offences(scenario: &Scenario, texts: &BTreeMap<Edition, Text>) -> Vec<String> {
    let places = match places(scenario) {
        Ok(places) => places,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    let missing = scenario.editions().into_iter().filter(|it| !places.contains_key(it));
    problems.extend(missing.map(|it| format!("no place in the text of {}", it.year())));
    for (&edition, place) in &places {
        let year = edition.year();
        let due = subjects(scenario).into_iter();
        let due: Vec<_> = due.filter_map(|kind| named_in(kind, edition, texts)).collect();
        match place {
            Place::As(other) if !places.contains_key(other) || *other == edition => {
                problems.push(format!("{year} as {}, which says nothing", other.year()));
            }
            Place::As(other) if !due.is_empty() => {
                problems.push(format!("{year} as {}, and has {}", other.year(), due.join(", ")));
            }
            Place::As(_) => {}
            Place::Articles(references) => {
                let text = texts.get(&edition);
                let unknown = references.iter().filter(|it| {
                    let known = text.and_then(|text| text.get(&*it.article));
                    known.is_none_or(|commented| it.commentary && !commented)
                });
                problems.extend(unknown.map(|it| format!("not in the text of {year}: {it:?}")));
                let unnamed = due.into_iter().filter(|article| {
                    !references.iter().any(|it| !it.commentary && it.is_within(article))
                });
                problems.extend(unnamed.map(|it| format!("{year} {it} is not named")));
            }
        }
    }
    problems.into_iter().map(|it| format!("{}: {it}", scenario.name)).collect()
}

#[test]
fn every_scenario_names_its_place_in_the_texts() {
    let texts = texts();
    let problems: Vec<_> = scenarios().iter().flat_map(|it| offences(it, &texts)).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// The handbook's chapter on equipment is none of the Laws.
#[test]
fn every_article_of_the_table_stands_in_its_text() {
    const EQUIPMENT: &str = "C.02";
    let texts = texts();
    for kind in Kind::ALL {
        for (edition, text) in &texts {
            let article = editions::article(kind, *edition);
            let own = editions::source(kind, *edition) == *edition;
            let known = !own || article == EQUIPMENT || text.contains_key(article);
            assert!(known, "{kind:?} {}: {article}", edition.year());
        }
    }
}

#[test]
fn a_place_that_is_not_there_offends() {
    let texts = texts();
    let of = |text: &str| {
        let name = "touched_not_moved".to_owned();
        offences(&Scenario { name, text: text.to_owned(), path: String::new().into() }, &texts)
    };
    let silent = "; silent touched_not_moved\n";
    let right = "2005 4.3.a; 2014 4.3.a, 4.5; 2018 4.3.1, 6.4 commentary; 2023 as 2018";
    assert_eq!(of(&format!("{silent}; text {right}")), Vec::<String>::new());
    assert_eq!(of(silent).len(), 4, "no place at all");
    let wrong = [
        ("2014 4.3.a, 4.5", "2014 4.3.a, 4.5.a"),
        ("2014 4.3.a, 4.5", "2014 4.5"),
        ("2005 4.3.a", "2005 as 2014"),
        ("6.4 commentary", "4.4.1 commentary"),
        ("2023 as 2018", "2023 as 2023"),
        ("2023 as 2018", "2018 4.3.1"),
        ("2005", "2009"),
    ];
    for (part, other) in wrong {
        let text = format!("{silent}; text {}", right.replace(part, other));
        assert!(!of(&text).is_empty(), "{other}");
    }
}
