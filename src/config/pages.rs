//! The settings of the pages: parts of the hall, and what its screens show.

use std::collections::BTreeMap;

use argon2::{Algorithm, PasswordHash};
use serde::{Deserialize, Serialize};

use witness::{Message, TableNo};
use words::Language;

use super::accounts::{self, Role};
use super::check::{Problem, one_of};
use super::say;
use super::{Config, Event, Web};
use crate::tls;

/// The longest time for a page of the wall, in seconds.
const PAGE_MAX_S: u64 = 3600;
/// The shortest time for a page, so that it can be read, in seconds.
const PAGE_MIN_S: u64 = 5;

/// What the screens of the hall show.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Screens {
    /// Whether clocks are shown.
    pub clocks: bool,
    /// Whether moves are shown, with their numbers. Boards are always shown.
    pub moves: bool,
    /// Whether a screen shows that a move was completed with the clock. It is off by default:
    /// Article 12.6 forbids telling a player that his opponent has not pressed.
    pub presses: bool,
    /// Whether moves have figurines, unless the reader chose otherwise.
    pub figurines: bool,
    /// Tables that are larger on screens, as `1-3,7`.
    pub featured: String,
    /// How long a page of the wall stays, in seconds, 5 to 3600.
    pub page_s: u64,
}

impl Config {
    /// The source of the pages' certificate.
    #[must_use]
    pub fn certificate(&self) -> tls::Source {
        let Web { certificate, key, names, .. } = &self.web;
        if certificate.as_os_str().is_empty() {
            let directory = self.journal_directory().join("tls");
            let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
            return tls::Source::Own { directory, names };
        }
        tls::Source::Given { certificate: certificate.clone(), key: key.clone() }
    }
}

impl Default for Screens {
    fn default() -> Self {
        Self {
            clocks: true,
            moves: true,
            presses: false,
            figurines: false,
            featured: String::new(),
            page_s: 20,
        }
    }
}

/// A part of the hall, for the arbiter's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Its tables, as `1-40,50`.
    pub tables: String,
}

/// The parts of the hall by name.
#[must_use]
pub fn sections(named: &BTreeMap<String, String>) -> Vec<Section> {
    let each = named.iter();
    each.map(|(name, tables)| Section { name: name.clone(), tables: tables.clone() }).collect()
}

/// All wrong values: the section, the key and the problem.
pub(super) fn whole(web: &Web) -> Vec<(&'static str, String, Message)> {
    let screens = screens(&web.screens).into_iter();
    let screens = screens.map(|(key, problem)| ("web.screens", key.to_owned(), problem));
    let arbiters = people(Role::Arbiter, &web.arbiters);
    let organizers = people(Role::Organizer, &web.organizers);
    let both = web.organizers.keys().filter(|name| web.arbiters.contains_key(*name));
    let both = both.map(|it| (Role::Organizer.section(), written(it), say::conf_two_roles()));
    let parts = overlapping(&web.sections).into_iter();
    let parts = parts.map(|(name, problem)| ("web.sections", written(name), problem));
    screens.chain(arbiters).chain(organizers).chain(both).chain(parts).collect()
}

fn screens(screens: &Screens) -> Vec<Problem> {
    let time = (!(PAGE_MIN_S..=PAGE_MAX_S).contains(&screens.page_s))
        .then(|| ("page_s", say::conf_between(PAGE_MIN_S, PAGE_MAX_S)));
    let named = (!screens.featured.is_empty()).then(|| ranges(&screens.featured));
    let featured = named.and_then(Result::err).map(|problem| ("featured", problem));
    time.into_iter().chain(featured).collect()
}

fn people(
    role: Role,
    hashes: &BTreeMap<String, String>,
) -> impl Iterator<Item = (&'static str, String, Message)> {
    hashes.iter().filter_map(move |(name, hash)| {
        let problem = if accounts::is_reserved(name) {
            say::conf_own_name()
        } else if !is_hash(hash) {
            say::conf_no_hash(name)
        } else {
            return None;
        };
        Some((role.section(), written(name), problem))
    })
}

/// The parts that name no tables, or tables that are named before.
fn overlapping(sections: &BTreeMap<String, String>) -> Vec<(&str, Message)> {
    let mut taken = Vec::new();
    let each = sections.iter();
    each.filter_map(|(name, tables)| Some((name.as_str(), take(&mut taken, name, tables).err()?)))
        .collect()
}

/// Adds the tables of a part: the first, the last, and its name. Those that clash are added too,
/// for the parts that clash with them.
fn take<'a>(
    taken: &mut Vec<(TableNo, TableNo, &'a str)>,
    name: &'a str,
    tables: &str,
) -> Result<(), Message> {
    let mut clash = Ok(());
    for (first, last) in ranges(tables)? {
        if let Some((_, _, other)) = taken.iter().find(|it| it.0 <= last && first <= it.1) {
            clash = clash.and(Err(say::conf_shares(other)));
        }
        taken.push((first, last, name));
    }
    clash
}

/// Whether passwords can be checked against it.
fn is_hash(text: &str) -> bool {
    PasswordHash::new(text).is_ok_and(|it| {
        let ours = Algorithm::try_from(it.algorithm).is_ok() && it.hash.is_some();
        ours && it.salt.is_some()
    })
}

/// Parses `1-40,50` as pairs of first and last tables.
pub fn ranges(text: &str) -> Result<Vec<(TableNo, TableNo)>, Message> {
    text.split(',').map(|part| range(part.trim())).collect()
}

fn range(part: &str) -> Result<(TableNo, TableNo), Message> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    let number = |text: &str| text.trim().parse::<TableNo>().ok().filter(|it| it.get() > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(say::conf_no_tables(part)),
    }
}

/// The key as it is written in the file.
fn written(name: &str) -> String {
    let bare = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if name.chars().all(bare) { name.to_owned() } else { format!("\"{name}\"") }
}

/// Checks the languages: each needs its words, and pages begin in one of them.
pub(super) fn languages(event: &Event) -> Result<(), Problem> {
    let known: Vec<_> = Language::all().map(Language::code).collect();
    event.languages.iter().try_for_each(|it| one_of("languages", it, &known))?;
    one_of("language", &event.language, &known)?;
    let offered = event.languages();
    let offered: Vec<_> = offered.iter().map(String::as_str).collect();
    one_of("language", &event.language, &offered)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Config, ConfigError, read};
    use super::*;

    fn config(text: &str) -> Result<Config, ConfigError> {
        read(Path::new("adoubed.toml"), text)
    }

    #[test]
    fn screens_and_sections_are_read() {
        let text = "[web.screens]\nclocks = false\nfeatured = \"1-3, 7\"\n[web.sections]\n\
                    \"Open A\" = \"1-20\"\nB = \"21-40,99\"\n";
        let web = config(text).unwrap().web;
        assert!(!web.screens.clocks && web.screens.moves && !web.screens.presses);
        let names: Vec<_> = sections(&web.sections).into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["B", "Open A"]);
    }

    #[test]
    fn an_event_offers_the_languages_it_names_and_the_one_it_begins_with() {
        let offered = |text: &str| config(text).unwrap().event.languages();
        assert_eq!(offered(""), ["en", "fr"]);
        assert_eq!(offered("[event]\nlanguage = \"es\"\n"), ["en", "fr", "es"]);
        let named = "[event]\nlanguages = [\"es\", \"en\"]\n";
        assert_eq!(offered(named), ["es", "en"]);
        assert_eq!(config(named).unwrap().plan().languages, ["es", "en"]);
    }

    #[test]
    fn all_faults_of_the_pages_are_told_at_once() {
        let hash = "$argon2id$v=19$m=4096,t=3,p=1$Z2l2ZW4gc2FsdA$\
                    MpKuGdKPkgqVTbKKWXHvhm/yLnk8zpTDEpEMbhBgNjo";
        let text = format!(
            "[web.screens]\npage_s = 1\nfeatured = \"9-3\"\n[web.sections]\nA = \"1\"\n\
             B = \"1,3\"\nC = \"3\"\nClaire = \"x\"\n[web.arbiters]\nadoubed-daemon = \"{hash}\"\n\
             \"session:1\" = \"{hash}\"\nAnn = \"{hash}\"\nClaire = \"secret\"\n\
             [web.organizers]\nClaire = \"{hash}\"\n\"Bob\" = \"secret\"\n"
        );
        let refusal = config(&text).unwrap_err().to_string();
        let places = refusal.lines().map(|it| it.splitn(4, ':').collect::<Vec<_>>());
        let places: Vec<_> = places.map(|it| format!("{} {}", it[1], it[2].trim())).collect();
        let expected = [
            "2 page_s",
            "3 featured",
            "6 B",
            "7 C",
            "8 Claire",
            "10 adoubed-daemon",
            "11 \"session",
            "13 Claire",
            "15 Claire",
            "16 Bob",
        ];
        assert_eq!(places, expected, "{refusal}");
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_line() {
        for (text, expected) in [
            (
                "[event]\nlanguage = \"xx\"\n",
                "adoubed.toml:2: language: \"xx\" is not known; write one of en,",
            ),
            (
                "[event]\nlanguages = [\"en\", \"xx\"]\n",
                "adoubed.toml:2: languages: \"xx\" is not known; write one of en, es, fr",
            ),
            (
                "[event]\nlanguages = [\"en\", \"es\"]\nlanguage = \"fr\"\n",
                "adoubed.toml:3: language: \"fr\" n’est pas connu",
            ),
            ("[web.screens]\npage_s = 1\n", "adoubed.toml:2: page_s: write 5 to 3600"),
            ("[web.screens]\nfeatured = \"9-3\"\n", "adoubed.toml:2: featured: \"9-3\" names no"),
            ("[web.sections]\n\n\"Open A\" = \"all\"\n", "adoubed.toml:3: \"Open A\": \"all\""),
            (
                "[web.sections]\nA = \"1-20\"\nB = \"20\"\n",
                "adoubed.toml:3: B: shares tables with A",
            ),
            (
                "[web.sections]\n\"A\" = \"1-20\"\n\"B\" = \"20\"\n",
                "adoubed.toml:3: B: shares tables with A",
            ),
            ("[web.sections]\nA = \"0\"\n", "adoubed.toml:2: A: \"0\" names no tables"),
            (
                "[event]\nname = \"Open A\"\n[ web.sections ] # parts\nA = \"0\"\n",
                "adoubed.toml:4: A: \"0\" names no tables",
            ),
            ("[web.sections]\nA = \"1-3,2\"\n", "adoubed.toml:2: A: shares tables with A"),
        ] {
            let refusal = config(text).unwrap_err().to_string();
            assert!(refusal.starts_with(expected), "{refusal}\nnot\n{expected}");
        }
    }
}
