//! Every key of the configuration, as a page shows and sets it. The list is read from
//! `adoubed.example.toml`, which its tests hold to the parser: so a page lacks no key.

use std::sync::LazyLock;

use ::words::Language;
use serde::Serialize;
use serde_json::Value as Json;
use toml_edit::{DocumentMut, Item, TableLike};
use witness::{Edition, Gravity, Kind as AlertKind};

use super::Config;

/// The annotated file. As it is, it changes nothing.
pub const EXAMPLE: &str = include_str!("../../adoubed.example.toml");

/// Sections whose keys are names that somebody chooses.
const NAMED: [&str; 5] =
    ["laws.gravity", "lichess.rounds", "web.sections", "web.arbiters", "web.organizers"];

/// The penalties in the example. Every edition has the same keys.
const PENALTIES: &str = "laws.penalties.2023.";

/// The external broker, or several.
const URL: &str = "mqtt.url";

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A text on one line.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Truth,
    /// One of a few words.
    Choice,
    /// Several texts.
    List,
    /// Minutes for each illegal move, then `loss`.
    Steps,
    /// Values by names.
    Named,
}

/// From when on a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// At once.
    Now,
    /// From the next game of each table on: a game in play keeps what it has begun with.
    NextGame,
    /// After the next start.
    NextStart,
}

/// Why no page sets a key, and where it is set instead. The words have these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fixed {
    /// With another broker this page can change nothing any more.
    OwnBroker,
    /// It wants an external broker, with which this page can change nothing.
    OtherBroker,
    /// Only `adoubed serve` reads it.
    ServeOnly,
    /// People have a place of their own, as passwords must not be recorded.
    People,
    /// It names the table. Boards get their tables where the hall is seated.
    TableName,
}

/// A key, by its sections and its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Key {
    /// Its whole name: `web.screens.clocks`. Those of a table begin with `table.`
    pub key: String,
    /// The name of the sentence that says what it means: keys that mean the same share one.
    pub word: String,
    /// What it takes.
    pub kind: Kind,
    /// The value that holds without it; none: it has none of its own.
    pub default: Option<Json>,
    /// A value that shows how one looks; none: the default does.
    pub example: Option<Json>,
    /// The words there are, also for the values of names; none: any.
    pub choices: Vec<String>,
    /// Those of the choices that have a sentence, `choice-adequate`. The others are names.
    pub said: Vec<String>,
    /// The names there are; none: any.
    pub names: Vec<String>,
    /// The least and the greatest number; none: the checks of a start know better.
    pub range: Option<[u64; 2]>,
    /// From when on a value holds.
    pub holds: Holds,
    /// Whether it is asked for twice, since after the next start something is elsewhere.
    pub asks: bool,
    /// Why no page sets it; none: one does.
    pub fixed: Option<Fixed>,
}

impl Key {
    /// All keys, in the order of the example.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Key>> = LazyLock::new(read);
        &ALL
    }

    /// A key by its whole name. Those of `[event]` have short names, too.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let event = name.strip_prefix("event.").unwrap_or(name);
        let is_it = |key: &str| key == name || key.strip_prefix("event.") == Some(event);
        Self::all().iter().find(|it| is_it(&it.key))
    }

    /// Whether it stands in the section of a table.
    #[must_use]
    pub fn of_table(&self) -> Option<&str> {
        self.key.strip_prefix("table.")
    }

    /// Whether a game in play may lose a board or a clock by it.
    #[must_use]
    pub fn moves_a_board(&self) -> bool {
        let of_board = ["serial", "port", "driver", "station"];
        self.of_table().is_some_and(|it| {
            of_board.contains(&it) || it.starts_with("second_board.") || it.starts_with("clock.")
        })
    }
}

/// The lines of the example with and without those that are no defaults. What is said to be an
/// example is one until the next empty line.
fn texts() -> [String; 2] {
    let mut is_example = false;
    let mut all = [String::new(), String::new()];
    for line in EXAMPLE.lines() {
        if line.is_empty() {
            is_example = false;
            continue;
        }
        let bare = line.strip_prefix('#');
        if bare.is_some_and(|it| it.is_empty() || it.starts_with(' ')) {
            is_example |= line.ends_with("Example:") || line.ends_with("Examples:");
        } else {
            let taken = if bare.is_some() && is_example { 1 } else { 2 };
            for text in all.iter_mut().take(taken) {
                text.extend([bare.unwrap_or(line), "\n"]);
            }
        }
    }
    all
}

fn read() -> Vec<Key> {
    let [everything, defaults] = texts();
    let mut names = Vec::new();
    let document: DocumentMut = everything.parse().unwrap_or_default();
    walk(document.as_table(), "", &mut names);
    let json = |text: &str| {
        let table: Option<toml::Table> = text.parse().ok();
        table.and_then(|it| serde_json::to_value(it).ok()).unwrap_or_default()
    };
    let (everything, defaults) = (json(&everything), json(&defaults));
    let of_editions = |name: String| match name.strip_prefix(PENALTIES) {
        Some(last) => Edition::ALL
            .iter()
            .map(|it| (format!("laws.penalties.{}.{last}", it.year()), name.clone()))
            .collect(),
        None => vec![(name.clone(), name)],
    };
    let all = names.into_iter().flat_map(of_editions);
    let mut all: Vec<_> = all
        .map(|(key, shown)| key_of(key, at(&defaults, &shown), at(&everything, &shown)))
        .collect();
    // Editions one after the other, and not key by key. The sort keeps the order within each.
    let year = |key: &str| key.strip_prefix("laws.penalties.").map(|it| it[..4].to_owned());
    let years = all.iter().position(|it| year(&it.key).is_some()).unwrap_or_default();
    let count = all.iter().filter(|it| year(&it.key).is_some()).count();
    if let Some(part) = all.get_mut(years..years + count) {
        part.sort_by_key(|it| std::cmp::Reverse(year(&it.key)));
    }
    all
}

/// Names every key below a section.
fn walk(section: &dyn TableLike, under: &str, names: &mut Vec<String>) {
    for (name, item) in section.iter() {
        let name = if under.is_empty() { name.to_owned() } else { format!("{under}.{name}") };
        let first = item.as_array_of_tables().and_then(|it| it.get(0));
        let inner = first.map(|it| it as &dyn TableLike).or_else(|| Item::as_table_like(item));
        match inner {
            Some(inner) if !NAMED.contains(&name.as_str()) => walk(inner, &name, names),
            _ => names.push(name),
        }
    }
}

/// The value of a key, that of the first table where there are several.
pub fn at<'a>(whole: &'a Json, key: &str) -> Option<&'a Json> {
    key.split('.').try_fold(whole, |value, name| {
        value.as_array().and_then(|it| it.first()).unwrap_or(value).get(name)
    })
}

fn key_of(key: String, default: Option<&Json>, shown: Option<&Json>) -> Key {
    let (choices, names) = (choices(&key), names(&key));
    let is_empty = |it: &Json| {
        it.as_str().is_some_and(str::is_empty) || it.as_array().is_some_and(Vec::is_empty)
    };
    let kind = match shown {
        _ if NAMED.contains(&key.as_str()) => Kind::Named,
        // One address is written as a text, and several as a list.
        _ if key == URL => Kind::List,
        _ if !choices.is_empty() && rule(&key) != LANGUAGES => Kind::Choice,
        Some(Json::Array(_)) if key.starts_with("laws.penalties.") => Kind::Steps,
        Some(Json::Array(_)) => Kind::List,
        Some(Json::Number(_)) => Kind::Number,
        Some(Json::Bool(_)) => Kind::Truth,
        _ => Kind::Text,
    };
    Key {
        word: word(&key),
        kind,
        default: default.filter(|_| kind != Kind::Named).cloned(),
        example: shown.filter(|it| default.is_none() && !is_empty(it)).cloned(),
        said: choices.iter().filter(|it| SAID.contains(&it.as_str())).cloned().collect(),
        choices,
        names,
        range: range(&key),
        holds: holds(&key),
        asks: ASKS.contains(&key.as_str()),
        fixed: FIXED.iter().find(|(fixed, _)| *fixed == key).map(|(_, why)| *why),
        key,
    }
}

/// The keys that no page sets, and why.
const FIXED: [(&str, Fixed); 7] = [
    ("mqtt.broker", Fixed::OwnBroker),
    ("mqtt.machine", Fixed::OtherBroker),
    ("mqtt.spare", Fixed::OtherBroker),
    ("web.halls", Fixed::ServeOnly),
    ("web.arbiters", Fixed::People),
    ("web.organizers", Fixed::People),
    ("table.number", Fixed::TableName),
];

/// Keys after which pages, screens or the record are elsewhere.
const ASKS: [&str; 6] =
    ["mqtt.listen", "mqtt.base", "mqtt.hall", "web.listen", "web.listen_tls", "journal.directory"];

fn word(key: &str) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    if ["ca_file", "feed"].contains(&last) {
        return last.to_owned();
    }
    match key.strip_prefix("table.") {
        _ if key.starts_with("laws.penalties.") => format!("penalties-{last}"),
        Some(rule) if OF_A_GAME.contains(&rule) => format!("event-{rule}"),
        _ => key.replace('.', "-"),
    }
}

/// The words that a key takes. Those of `[event]` and of a table are the same.
type Choices = (&'static str, fn() -> Vec<String>);

const CHOICES: [Choices; 15] = [
    ("laws", || owned(Edition::ALL.map(Edition::year))),
    ("supervision", || owned(["adequate", "inadequate"])),
    ("language", languages),
    (LANGUAGES, languages),
    ("driver", drivers),
    ("second_board.driver", drivers),
    ("second_board.player", || owned(["white", "black"])),
    ("clock.driver", || owned(catalog::CLOCKS.iter().map(|it| it.name))),
    ("laws.gravity", || owned(Gravity::ALL.map(Gravity::name))),
    ("mqtt.broker", || owned(["embedded", "external"])),
    ("mqtt.hall", || owned(["open", "users"])),
    ("mqtt.version", || owned(["auto", "5", "3.1.1"])),
    ("livechess.feed", feeds),
    ("pgn.feed", feeds),
    ("lichess.feed", feeds),
];

/// The choices that are words. Drivers, editions, versions and languages are names.
const SAID: [&str; 14] = [
    "auto",
    "adequate",
    "inadequate",
    "white",
    "black",
    "note",
    "look",
    "summon",
    "embedded",
    "external",
    "open",
    "users",
    "live",
    "public",
];

/// A list of words, and not one of them.
const LANGUAGES: &str = "languages";

fn owned<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

fn languages() -> Vec<String> {
    Language::all().map(|it| it.code().to_owned()).collect()
}

fn drivers() -> Vec<String> {
    owned(["auto"].into_iter().chain(catalog::DRIVERS.iter().map(|it| it.name)))
}

fn feeds() -> Vec<String> {
    owned(["live", "public"])
}

/// The name of a key of the event or of a table without its section; others whole.
fn rule(key: &str) -> &str {
    key.strip_prefix("event.").or(key.strip_prefix("table.")).unwrap_or(key)
}

fn choices(key: &str) -> Vec<String> {
    let own = CHOICES.iter().find(|(name, _)| *name == rule(key));
    own.map(|(_, words)| words()).unwrap_or_default()
}

fn names(key: &str) -> Vec<String> {
    let names = NAMES.iter().filter(|(name, _)| *name == key);
    names.flat_map(|(_, all)| all.iter().map(|it| it.name().to_owned())).collect()
}

/// The names that a section takes, where it does not take any.
const NAMES: [(&str, &[AlertKind]); 1] = [("laws.gravity", &AlertKind::ALL)];

/// As the checks of a start have them: a test compares both. The claim is one of any edition.
const RANGES: [(&str, [u64; 2]); 12] = [
    ("event.time_sheet_min", [1, 1440]),
    ("event.result_after_min", [0, 1440]),
    ("web.screens.page_s", [5, 3600]),
    ("journal.flush_ms", [1, 10_000]),
    ("journal.checkpoint_records", [0, 10_000_000]),
    ("defaults.settle_ms", [0, 600_000]),
    ("defaults.release_ms", [0, 600_000]),
    ("defaults.check_after_s", [0, 600]),
    ("defaults.repeat_s", [0, 600]),
    ("public.delay_s", [5, 7200]),
    ("public.delay_moves", [0, 20]),
    ("penalties-wrong_claim", [0, 60]),
];

fn range(key: &str) -> Option<[u64; 2]> {
    let word = word(key);
    RANGES.iter().find(|(name, _)| *name == key || *name == word).map(|(_, range)| *range)
}

/// What a game has from its beginning to its end.
const OF_A_GAME: [&str; 7] = [
    "laws",
    "time_control",
    "supervision",
    "default_time_s",
    "min_draw_move",
    "quickplay_finish",
    "result_after_min",
];

fn holds(key: &str) -> Holds {
    if Config::is_fixed(key) {
        return Holds::NextStart;
    }
    let of_a_game = OF_A_GAME.contains(&rule(key));
    if of_a_game || key.starts_with("laws.") || key.starts_with("defaults.") {
        return Holds::NextGame;
    }
    Holds::Now
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::read;

    #[test]
    fn there_are_all_keys_each_once_and_in_the_order_of_the_file() {
        let names: Vec<_> = Key::all().iter().map(|it| it.key.as_str()).collect();
        assert!(names.len() > 95, "{names:?}");
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
        assert_eq!(names.first(), Some(&"event.name"));
        assert_eq!(names.last(), Some(&"table.clock.driver"));
        for key in ["laws.penalties.2014.blitz", "table.second_board.player", "lichess.rounds"] {
            assert!(names.contains(&key), "{key}");
        }
        assert_eq!(Key::named("time_control").map(|it| &*it.key), Some("event.time_control"));
        assert!(Key::named("web.screens.clocks").is_some() && Key::named("clocks").is_none());
    }

    /// A text that sets a key. What else it wants is written, too.
    fn text(key: &Key, value: &str) -> String {
        let (section, name) = key.key.rsplit_once('.').unwrap();
        match key.of_table() {
            Some(name) if name.contains('.') => {
                let (inner, name) = name.split_once('.').unwrap();
                let first = "[[table]]\nnumber = 1\nserial = \"1\"\n";
                format!("{first}{inner} = {{ port = \"/b\", {name} = {value} }}\n")
            }
            Some(_) => format!("[[table]]\nnumber = 1\nport = \"/a\"\n{name} = {value}\n"),
            None if key.kind == Kind::Named => {
                let inner = key.names.first().map_or("A", |it| it);
                format!("[{}]\n{inner} = {value}\n", key.key)
            }
            None => format!("[{section}]\n{name} = {value}\n"),
        }
    }

    fn error(text: &str) -> Option<String> {
        read(Path::new("adoubed.toml"), text).err().map(|it| it.to_string())
    }

    #[test]
    fn the_range_of_a_key_is_the_one_that_is_checked() {
        let mut ranges = 0;
        for key in Key::all() {
            let Some([least, most]) = key.range else { continue };
            ranges += 1;
            for right in [least, most] {
                assert_eq!(error(&text(key, &right.to_string())), None, "{}", key.key);
            }
            // A whole second of milliseconds more is too long.
            let beyond = if key.key.starts_with("defaults.") { 1000 } else { 1 };
            let wrong = [Some(most + beyond), least.checked_sub(1)];
            for wrong in wrong.into_iter().flatten() {
                assert!(error(&text(key, &wrong.to_string())).is_some(), "{}: {wrong}", key.key);
            }
        }
        assert!(ranges > 12, "{ranges}");
    }

    #[test]
    fn the_choices_of_a_key_are_those_that_are_checked() {
        for key in Key::all().iter().filter(|it| !it.choices.is_empty()) {
            let bad = if key.kind == Kind::List { "[\"no such\"]" } else { "\"no such\"" };
            let error = error(&text(key, bad)).unwrap_or_default();
            for choice in &key.choices {
                assert!(error.contains(choice.as_str()), "{}: {choice}: {error}", key.key);
            }
        }
    }

    #[test]
    fn what_a_choice_means_is_said_unless_it_is_a_name() {
        let languages = languages();
        let editions = Edition::ALL.map(Edition::year);
        let clocks = catalog::CLOCKS.iter().map(|it| it.name);
        let drivers: Vec<_> = catalog::DRIVERS.iter().map(|it| it.name).chain(clocks).collect();
        for key in Key::all() {
            for choice in key.choices.iter().map(String::as_str) {
                let is_name = drivers.contains(&choice)
                    || editions.contains(&choice)
                    || languages.iter().any(|it| it == choice)
                    || ["5", "3.1.1"].contains(&choice);
                let is_said = key.said.iter().any(|it| it == choice);
                assert_eq!(is_said, !is_name, "{}: {choice}", key.key);
            }
        }
    }

    #[test]
    fn every_key_and_every_reason_is_told_in_every_language() {
        let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("words");
        for language in Language::all() {
            let file = folders.join(language.code()).join("settings.ftl");
            let text = std::fs::read_to_string(file).unwrap();
            let has = |name: &str| text.lines().any(|it| it.starts_with(&format!("{name} = ")));
            for key in Key::all() {
                assert!(has(&key.word), "{}: {}", language.code(), key.word);
                let section = format!("in-{}", key.key.split('.').next().unwrap());
                assert!(has(&section), "{}: {section}", language.code());
                for choice in &key.said {
                    assert!(has(&format!("choice-{choice}")), "{}: {choice}", language.code());
                }
                if let Some(fixed) = key.fixed {
                    let name = serde_json::to_value(fixed).unwrap();
                    assert!(has(&format!("fixed-{}", name.as_str().unwrap())), "{name}");
                }
            }
        }
    }

    #[test]
    fn what_holds_after_the_next_start_is_what_a_reload_leaves() {
        let after = Key::all().iter().filter(|it| it.holds == Holds::NextStart);
        let after: Vec<_> = after.map(|it| it.key.as_str()).collect();
        let fixed: Vec<_> = Config::fixed_keys().filter(|it| *it != "public").collect();
        assert_eq!(after.len(), fixed.len(), "{after:?} {fixed:?}");
        assert!(fixed.iter().all(|it| after.contains(it)), "{after:?} {fixed:?}");
        assert!(ASKS.iter().all(|it| Key::named(it).is_some()));
        assert!(FIXED.iter().all(|(it, _)| Key::named(it).is_some()));
    }
}
