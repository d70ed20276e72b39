//! The page about the Laws, `docs/laws.md`: what is detected under which Article and from what
//! evidence, what cannot be seen, and what else the texts contain. It is made from the tables of
//! the witness, the names of the scenarios, and the sentences of a language (`words/*/laws.ftl`).

use std::fmt::Write as _;

use witness::laws::editions;
use witness::{Edition, Kind};
use words::Language;

/// An example of a federation's regulations.
const REGULATIONS: &str = "\
```toml
[laws.gravity]
touched_out_of_turn = \"note\"     # note, look or summon, for any kind below

[laws.penalties.2023]            # by edition: minutes to the opponent for each illegal move,
standard = [2, \"loss\"]           # then the game
rapid = [1, 1, \"loss\"]           # also blitz, rapid_unsupervised, blitz_unsupervised
wrong_claim = 1                  # minutes after a wrong claim of a draw
```";

/// The place of each row in the Laws of 2014 and their commentary.
const COMMENTARY: &[&str] = &[
    "2.1, 7.2.b",
    "3.10.c",
    "4.6",
    "5.1.a",
    "5.1.b",
    "5.2.a",
    "5.2.c",
    "6.1",
    "6.1",
    "6.2.a",
    "6.2.b",
    "6.2.c",
    "6.5",
    "6.5",
    "6.6, 6.7",
    "6.8",
    "6.8, 6.11",
    "6.8",
    "6.10",
    "6.12",
    "6.12",
    "7.1",
    "7.5",
    "7.5",
    "7.5.a",
    "8.1",
    "8.1, 6.2.e",
    "8.5",
    "8.6",
    "9.1",
    "9.2",
    "9.3",
    "9.5",
    "9.6, 9.7",
    "11",
    "11.3.b",
    "11.8",
    "12.6, 12.7",
    "12.9",
    "A.4.a",
    "A.4.b, B.3",
    "A.4.d",
    "C",
    "D",
    "E.1.a",
    "E.1.b",
    "E.2, E.3",
    "E.5, E.13",
    "E.8",
    "E.9, E.10",
    "E.12",
    "F",
    "G.4",
    "G.5, G.6",
];

/// The place of each row in the book of 2018.
const COMPETITIONS: &[&str] = &[
    "4.2.1",
    "4.2.2",
    "4",
    "5.1.2",
    "5.2.3, 9.1.1",
    "6.2.1",
    "6.2.2",
    "6.2.3",
    "6.2.4, 7.5.3",
    "6.3.2",
    "6.4",
    "6.5",
    "6.7",
    "6.9",
    "6.10.1",
    "6.10.2",
    "6.12.2",
    "7.2.1",
    "7.3",
    "7.4",
    "7.5.1",
    "7.5.4",
    "7.6",
    "8.4, 8.5",
    "8.5.3, 8.6",
    "8.7",
    "9.1.2",
    "9.2.2, 9.3",
    "9.5.3",
    "9.6",
    "10.2, 11, 12",
    "A.3.2, B.3.2",
    "A.4.2",
    "A.4.3",
    "A.4.4",
    "A.5, B",
    "I to III",
    "rules 5.2, 5.3",
    "rules 5.15",
    "rules 5.16",
    "rules 7.2, 7.3",
    "rules 7.5",
    "rules 7.6, 7.7",
    "rules 7.8",
    "rules 10.7",
    "rules 10.8",
    "rules 10.9 to 11.7",
    "rules 12.3 to 12.8",
    "rules 12.11",
    "rules 13",
    "rules 15",
    "rules 21",
    "rules 1 to 6, 8, 9, 14, 16 to 20, 22 to 26",
    "equipment 1 to 3",
    "equipment 4.2, 4.7",
    "equipment 4.4, 4.5",
    "equipment 4.8, 4.12, 4.14.7, 4.14.8",
    "equipment 4.9",
    "equipment 4.13",
    "equipment 4.14.1",
    "equipment 4.14.6, 4.14.9",
    "equipment 4.14.10",
    "equipment 4.14.11",
    "equipment 4.14.12",
    "handicaps 5.1, 5.5",
    "handicaps 5.6",
    "pairings, tie-breaks",
    "teams 4.1",
    "tie-breaks 7",
    "tie-breaks 8",
];

/// The languages that have the page.
pub fn languages() -> impl Iterator<Item = Language> {
    Language::all().filter(|it| it.phrase("laws_title").is_some())
}

/// The whole page. `scenarios` are the names of the scripts.
#[must_use]
pub fn page(language: Language, scenarios: &[String]) -> String {
    let say = |name: &str| phrase(language, name);
    let mut page = format!("# {}\n", say("laws_title"));
    for name in ["laws_written", "laws_intro", "laws_regulations"] {
        let _ = write!(page, "\n{}\n", say(name));
    }
    let _ = write!(page, "\n{REGULATIONS}\n\n{}\n", say("laws_otherwise"));
    let _ = write!(page, "\n## {}\n\n", say("laws_numbers"));
    for edition in Edition::ALL {
        let _ = writeln!(page, "- {}", say(&format!("laws_numbers_{}", edition.year())));
    }
    for kind in Kind::ALL {
        of_kind(&mut page, language, kind, scenarios);
    }
    let _ = write!(page, "\n## {}\n\n{}\n", say("laws_beyond"), say("laws_beyond_intro"));
    for (name, places) in TABLES {
        let [place, what, here] = ["laws_where", "laws_what", "laws_here"].map(say);
        let _ = write!(page, "\n### {}\n\n| {place} | {what} | {here} |\n", say(name));
        page.push_str("|---|---|---|\n");
        for (index, place) in places.iter().enumerate() {
            let row = format!("{name}_{}", index + 1);
            let (what, here) = (say(&row), say(&format!("{row}_here")));
            let _ = writeln!(page, "| {place} | {what} | {here} |");
        }
    }
    page
}

/// The tables of what else the texts contain, each with the names of its rows.
const TABLES: [(&str, &[&str]); 2] =
    [("laws_commentary", COMMENTARY), ("laws_competitions", COMPETITIONS)];

fn of_kind(page: &mut String, language: Language, kind: Kind, scenarios: &[String]) {
    let say = |name: &str| phrase(language, name);
    let known = |edition: &Edition| editions::source(kind, *edition) == *edition;
    let articles: Vec<_> = Edition::ALL
        .into_iter()
        .filter(known)
        .map(|edition| format!("{} ({})", named(language, kind, edition), edition.year()))
        .collect();
    let scenarios = scenarios.iter().filter(|name| belongs(name, kind));
    let scenarios: Vec<_> = scenarios.map(|name| format!("`{name}`")).collect();
    let _ = write!(
        page,
        "\n## {}\n\n{} {}. {} `{}`.\n\n",
        kind.name(),
        say("laws_article"),
        articles.join(", "),
        say("laws_gravity"),
        editions::gravity(kind).name()
    );
    for part in PARTS {
        let sentence = say(&format!("laws_{}_{part}", kind.name()));
        let _ = writeln!(page, "- **{}**: {sentence}", say(&format!("laws_{part}")));
    }
    let _ = writeln!(page, "- **{}**: {}", say("laws_scenarios"), scenarios.join(", "));
}

/// The parts of a kind's row: when it is raised, from what evidence, what cannot be seen.
const PARTS: [&str; 3] = ["raised", "evidence", "unseen"];

/// The Article of a kind, and the other one that may apply.
fn named(language: Language, kind: Kind, edition: Edition) -> String {
    let article = editions::article(kind, edition);
    let other = editions::other_article(kind, edition);
    other.map_or(article.to_owned(), |other| {
        format!("{article} {} {other}", phrase(language, "laws_or"))
    })
}

fn belongs(name: &str, kind: Kind) -> bool {
    name.split_once('-').map_or(name, |(kind, _)| kind) == kind.name()
}

fn phrase(language: Language, name: &str) -> String {
    language.phrase(name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every message of the page.
    fn wanted() -> BTreeSet<String> {
        let heads = [
            "title",
            "written",
            "intro",
            "regulations",
            "otherwise",
            "numbers",
            "article",
            "or",
            "gravity",
            "raised",
            "evidence",
            "unseen",
            "scenarios",
            "beyond",
            "beyond_intro",
            "commentary",
            "competitions",
            "where",
            "what",
            "here",
        ];
        let heads = heads.iter().map(|it| format!("laws_{it}"));
        let years = Edition::ALL.iter().map(|it| format!("laws_numbers_{}", it.year()));
        let kinds = Kind::ALL
            .iter()
            .flat_map(|kind| PARTS.map(|part| format!("laws_{}_{part}", kind.name())));
        let rows = TABLES.iter().flat_map(|(name, places)| {
            let rows = (1..=places.len()).map(move |row| format!("{name}_{row}"));
            rows.flat_map(|row| [format!("{row}_here"), row])
        });
        heads.chain(years).chain(kinds).chain(rows).collect()
    }

    #[test]
    fn a_language_that_has_the_page_has_all_of_it_and_nothing_else() {
        assert!(languages().count() >= 2);
        for language in languages() {
            let there: BTreeSet<_> = language.names("laws.ftl").into_iter().collect();
            let wanted = wanted();
            let missing: Vec<_> = wanted.difference(&there).collect();
            let unused: Vec<_> = there.difference(&wanted).collect();
            assert!(missing.is_empty(), "{language} lacks {missing:?}");
            assert!(unused.is_empty(), "{language}: said nowhere: {unused:?}");
        }
    }
}
