//! `[web] halls`: whose tables the pages show, where they are those of several halls.

use std::fmt;
use std::path::Path;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use witness::Message;

use super::check::{Problem, base as check_base};
use super::refusal::{ConfigError, language_of, line_of};
use super::{Broker, Config, read, say};

/// The end of a base that stands for every hall below.
const BELOW: &str = "/+";
/// The most halls. Each has a machine of its own.
const HALLS_MAX: usize = 64;
/// The longest name of a hall. It stands before the number of each of its tables.
const NAME_MAX: usize = 8;
/// The sections that are of use to pages without boards.
const OF_PAGES: [&str; 4] = ["event", "mqtt", "public", "web"];

/// A hall that the pages show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownHall {
    /// The base of its topics. If it ends in `/+`, it stands for every hall below.
    pub base: String,
    /// The name before the numbers of its tables; empty: the pages take it from the base.
    pub name: String,
    /// The address of its own pages; empty: not known.
    pub pages: String,
}

/// The halls that the pages show; none: the daemon's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownHalls(pub Vec<ShownHall>);

/// A hall as it is written in full.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    base: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    pages: String,
}

impl ShownHall {
    /// `liege/a` is hall A.
    fn new(Written { base, name, pages }: Written) -> Self {
        let last = base.rsplit('/').next().unwrap_or_default();
        let open = base.ends_with(BELOW);
        let name = if name.is_empty() && !open { last.to_uppercase() } else { name };
        let pages = pages.trim_end_matches('/').to_owned();
        Self { base, name, pages }
    }

    /// Whether it stands for every hall below its base.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.base.ends_with(BELOW)
    }
}

impl ShownHalls {
    /// Whether tables need the name of their hall before their number.
    #[must_use]
    pub fn are_several(&self) -> bool {
        self.0.len() > 1 || self.0.iter().any(ShownHall::is_open)
    }
}

impl<'de> Deserialize<'de> for ShownHall {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneHall)
    }
}

impl<'de> Deserialize<'de> for ShownHalls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMany)
    }
}

struct OneHall;

impl<'de> Visitor<'de> for OneHall {
    type Value = ShownHall;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a base like \"liege/a\", or { base = \"liege/a\", name = \"A\" }")
    }

    fn visit_str<E>(self, base: &str) -> Result<ShownHall, E> {
        let (base, name, pages) = (base.to_owned(), String::new(), String::new());
        Ok(ShownHall::new(Written { base, name, pages }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ShownHall, A::Error> {
        Written::deserialize(MapAccessDeserializer::new(map)).map(ShownHall::new)
    }
}

struct OneOrMany;

impl<'de> Visitor<'de> for OneOrMany {
    type Value = ShownHalls;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("halls like [\"liege/a\", \"liege/b\"]")
    }

    fn visit_str<E: Error>(self, base: &str) -> Result<ShownHalls, E> {
        OneHall.visit_str(base).map(|hall| ShownHalls(vec![hall]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ShownHalls, A::Error> {
        let mut halls = Vec::new();
        while let Some(hall) = seq.next_element()? {
            halls.push(hall);
        }
        Ok(ShownHalls(halls))
    }
}

/// Reads the configuration of pages without boards.
///
/// # Errors
/// As [`super::load`], and if there is something in it that such pages have no use for.
pub fn load_for_pages(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    read_for_pages(path, &text)
}

/// Reads the configuration of a daemon, which shows its own hall.
///
/// # Errors
/// As [`super::load`], and if it names other halls.
pub fn load_for_boards(path: &Path) -> Result<Config, ConfigError> {
    let config = super::load(path)?;
    if config.web.halls.0.is_empty() {
        return Ok(config);
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Err(ConfigError::Refused {
        path: path.to_owned(),
        line: line_of(&text, "halls", None),
        key: "halls".to_owned(),
        problem: say::conf_run_halls(),
        language: language_of(&text),
    })
}

fn read_for_pages(path: &Path, text: &str) -> Result<Config, ConfigError> {
    let config = read(path, text)?;
    let found = pages_only(path, text, &config);
    if found.is_empty() { Ok(config) } else { Err(ConfigError::of(found, language_of(text))) }
}

/// Checks that every hall can be read, and told from the others.
pub(super) fn whole(config: &Config) -> Result<(), Problem> {
    let ShownHalls(halls) = &config.web.halls;
    let refuse = |problem: Message| Err(("halls", problem));
    if halls.is_empty() {
        return Ok(());
    }
    if config.mqtt.broker != Broker::External {
        return refuse(say::conf_halls_broker());
    }
    if halls.len() > HALLS_MAX {
        return refuse(say::conf_halls_many(HALLS_MAX));
    }
    if config.web.halls.are_several() && !config.web.sections.is_empty() {
        return refuse(say::conf_halls_sections());
    }
    for (nth, hall) in halls.iter().enumerate() {
        let others = halls.iter().take(nth);
        one(hall, others, config.web.halls.are_several()).or_else(refuse)?;
    }
    Ok(())
}

fn one<'a>(
    hall: &ShownHall,
    mut before: impl Iterator<Item = &'a ShownHall> + Clone,
    several: bool,
) -> Result<(), Message> {
    let ShownHall { base, name, pages } = hall;
    let fixed = base.strip_suffix(BELOW).unwrap_or(base);
    if check_base(fixed).is_err() {
        return Err(say::conf_halls_base(base));
    }
    if !pages.is_empty() && !pages.starts_with("http://") && !pages.starts_with("https://") {
        return Err(say::conf_halls_pages(pages));
    }
    if before.clone().any(|it| it.base == *base) {
        return Err(say::conf_halls_twice(base));
    }
    if hall.is_open() {
        let named = !name.is_empty() || !pages.is_empty();
        return if named { Err(say::conf_halls_open(base)) } else { Ok(()) };
    }
    if several && !is_name(name) {
        return Err(say::conf_halls_name(name, base, NAME_MAX as u64));
    }
    if before.any(|it| it.name.eq_ignore_ascii_case(name)) {
        return Err(say::conf_halls_same(name, base));
    }
    Ok(())
}

/// Whether it can stand before the number of a table, as `A` in `A-12`. A number could not.
fn is_name(name: &str) -> bool {
    name.len() <= NAME_MAX
        && name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric())
}

/// What of a configuration is of no use to pages without boards.
fn pages_only(path: &Path, text: &str, config: &Config) -> Vec<ConfigError> {
    let refuse = |line, key: &str, problem| ConfigError::wrong(path, line, key, problem);
    let head_of = |section: &str| {
        let is_head = |line: &str| {
            let name = line.trim().trim_start_matches('[');
            let own = name.strip_prefix(section).unwrap_or_default();
            line.trim().starts_with('[') && own.starts_with([']', '.'])
        };
        text.lines().position(is_head).map_or(1, |index| index + 1)
    };
    let written = text.parse::<toml::Table>().unwrap_or_default();
    let others = written.keys().filter(|it| !OF_PAGES.contains(&it.as_str()));
    let mut all: Vec<_> =
        others.map(|it| refuse(head_of(it), it, say::conf_serve_section(it))).collect();
    if config.web.halls.0.is_empty() {
        let line = if written.contains_key("web") { head_of("web") } else { 1 };
        all.push(refuse(line, "halls", say::conf_serve_halls()));
    } else if config.mqtt.broker != Broker::External {
        all.push(refuse(line_of(text, "halls", None), "halls", say::conf_halls_broker()));
    }
    all.sort_by_key(ConfigError::line);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTERNAL: &str = "[mqtt]\nbroker = \"external\"\nurl = \"mqtt://a\"\n";

    fn halls(written: &str) -> Result<Vec<(String, String)>, String> {
        let text = format!("{EXTERNAL}[web]\nhalls = {written}\n");
        let config = read(Path::new("a.toml"), &text).map_err(|error| error.to_string())?;
        Ok(config.web.halls.0.into_iter().map(|it| (it.base, it.name)).collect())
    }

    #[test]
    fn the_last_part_of_a_base_names_its_hall_if_nothing_else_does() {
        let pair = |base: &str, name: &str| (base.to_owned(), name.to_owned());
        let two = vec![pair("liege/a", "A"), pair("liege/b", "B")];
        assert_eq!(halls("[\"liege/a\", \"liege/b\"]"), Ok(two));
        assert_eq!(halls("\"liege/+\""), Ok(vec![pair("liege/+", "")]));
        let named = "[{ base = \"liege/hall-1\", name = \"Main\" }, \"liege/+\"]";
        assert_eq!(halls(named), Ok(vec![pair("liege/hall-1", "Main"), pair("liege/+", "")]));
        // One alone needs no name.
        assert_eq!(halls("[\"liege/hall-1\"]"), Ok(vec![pair("liege/hall-1", "HALL-1")]));
    }

    #[test]
    fn halls_that_cannot_be_told_apart_are_refused_with_a_way_out() {
        for (written, expected) in [
            ("[\"liege/a\", \"namur/a\"]", "two halls would have the name A; write"),
            ("[\"liege/a\", \"liege/a\"]", "liege/a stands there twice"),
            ("[\"liege/hall-a\", \"liege/b\"]", "\"HALL-A\" cannot stand before the number"),
            ("[\"liege/1\", \"liege/2\"]", "\"1\" cannot stand before the number"),
            ("[\"liege/#\"]", "\"liege/#\" is no base"),
            ("[\"+/a\"]", "\"+/a\" is no base"),
            ("[{ base = \"liege/+\", name = \"A\" }]", "liege/+ stands for many halls"),
            ("[{ base = \"a/b\", pages = \"hall.example\" }]", "\"hall.example\" is no address"),
            ("[{ base = \"a/b\", letter = \"B\" }]", "unknown field `letter`"),
            ("3", "expected halls like"),
        ] {
            let refusal = halls(written).unwrap_err();
            assert!(refusal.starts_with("a.toml:5: halls: "), "{written}: {refusal}");
            assert!(refusal.contains(expected), "{refusal}\nhas not\n{expected}");
        }
        let sections = "[\"a/a\", \"a/b\"]\n[web.sections]\nOpen = \"1-20\"";
        assert!(halls(sections).unwrap_err().contains("[web.sections]"));
    }

    #[test]
    fn several_halls_need_a_broker_of_their_own() {
        let text = "[web]\nhalls = [\"liege/a\", \"liege/b\"]\n";
        let refusal = read(Path::new("a.toml"), text).unwrap_err().to_string();
        assert!(refusal.starts_with("a.toml:2: halls: "), "{refusal}");
        assert!(refusal.contains("broker = \"external\""), "{refusal}");
    }

    #[test]
    fn pages_without_boards_take_what_pages_need_and_nothing_else() {
        let given = |text: &str| {
            read_for_pages(Path::new("a.toml"), text).map(|_| ()).map_err(|it| it.to_string())
        };
        let good = format!("{EXTERNAL}[web]\nhalls = \"liege/+\"\n[event]\nname = \"x\"\n");
        assert_eq!(given(&good), Ok(()));
        let boards = format!("{good}[[table]]\nnumber = 1\nport = \"/a\"\n");
        let refusal = given(&boards).unwrap_err();
        assert!(refusal.starts_with("a.toml:8: table: "), "{refusal}");
        assert!(refusal.contains("adoubed run"), "{refusal}");
        let outlet = format!("{good}[laws.penalties]\n");
        assert!(given(&outlet).unwrap_err().starts_with("a.toml:8: laws: "));
        let none = given(&format!("{EXTERNAL}[web]\nlisten = \"127.0.0.1:0\"\n")).unwrap_err();
        assert!(none.starts_with("a.toml:4: halls: "), "{none}");
        assert!(given("").unwrap_err().starts_with("a.toml:1: halls: "));
    }
}
