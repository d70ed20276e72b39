//! The refusals of a configuration, with their lines.

use std::io;
use std::path::{Path, PathBuf};

use ::words::Language;
use witness::Message;

use super::{Config, say};
use crate::pairings;

/// The most unreadable lines that are skipped, each with its own complaint. A file with more of
/// them is no configuration.
const COMPLAINTS_MAX: usize = 20;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("failed to read {}: {source}{}", path.display(), way_out(source))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A value is wrong.
    #[error("{}:{line}: {key}: {}", path.display(), language.say(problem))]
    Refused {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// The problem, and what to write instead.
        problem: Message,
        /// The language of the event, in which it is said.
        language: Language,
    },
    /// Several values are wrong. Each has a line, in the order of the file.
    #[error("{}", each(all))]
    Several {
        /// Two or more.
        all: Vec<ConfigError>,
    },
}

fn each(all: &[ConfigError]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl ConfigError {
    /// The line, from 1.
    pub(super) fn line(&self) -> usize {
        match self {
            Self::Refused { line, .. } => *line,
            Self::Unreadable { .. } | Self::Several { .. } => 0,
        }
    }

    /// A wrong value. The language in which it is said is that of the error it becomes a part of.
    pub(super) fn wrong(path: &Path, line: usize, key: &str, problem: Message) -> Self {
        let (path, key, language) = (path.to_owned(), key.to_owned(), Language::ENGLISH);
        Self::Refused { path, line, key, problem, language }
    }

    /// A problem in the file with the pairings, to be said in the language of this code.
    pub(super) fn in_pairings(path: &Path, problem: pairings::Problem, language: &str) -> Self {
        let pairings::Problem { line, key, what } = problem;
        let language = Language::of(language).unwrap_or(Language::ENGLISH);
        let (path, key) = (path.to_owned(), key.to_owned());
        Self::Refused { path, line, key, problem: what, language }
    }

    /// Makes one error of at least one, to be said in this language.
    pub(super) fn of(mut all: Vec<Self>, language: Language) -> Self {
        for error in &mut all {
            if let Self::Refused { language: spoken, .. } = error {
                *spoken = language;
            }
        }
        match all.len() {
            1 => all.swap_remove(0),
            _ => Self::Several { all },
        }
    }

    /// The same for a person at a page, who has a language of his own.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Unreadable { .. } => crate::say::config_refused(&self.to_string()),
            Self::Refused { path, line, key, problem, .. } => {
                say::conf_refused_at(&path.display().to_string(), *line, key, problem.clone())
            }
            Self::Several { all } => {
                let mut all = all.iter().map(Self::message);
                let first = all.next().unwrap_or_else(|| crate::say::config_refused(""));
                all.fold(first, Message::then)
            }
        }
    }
}

/// The language of the event, as far as a text says it that may be no TOML.
pub(super) fn language_of(text: &str) -> Language {
    let mut inside = false;
    let mut said = text.lines().map(str::trim).filter_map(|line| {
        if line.starts_with('[') {
            inside = line.starts_with("[event]");
        }
        let (key, value) = line.split_once('=').filter(|_| inside)?;
        let code: String = value.chars().filter(char::is_ascii_alphabetic).take(2).collect();
        Some(code).filter(|_| key.trim() == "language")
    });
    said.next().and_then(|code| Language::of(&code)).unwrap_or(Language::ENGLISH)
}

/// The remedy for a file that cannot be read.
fn way_out(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "; write it, or say where it is with --config FILE",
        io::ErrorKind::InvalidData => "; save it as UTF-8",
        _ => "",
    }
}

/// An error of the TOML parser, with its line and, if possible, its key.
fn syntax(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let at = error.span().map_or(0, |span| span.start);
    let line = text.get(..at).unwrap_or(text).lines().count().max(1);
    let line = if text.get(..at).is_some_and(|it| it.ends_with('\n')) { line + 1 } else { line };
    let whole = text.lines().nth(line - 1).unwrap_or_default().trim();
    let key = whole.split('=').next().unwrap_or_default().trim().to_owned();
    let within = text.get(..at).and_then(within_braces);
    let value = text.get(error.span().unwrap_or_default()).unwrap_or_default();
    let said = error.message();
    let problem = quotation(whole)
        .or_else(|| section(whole, said))
        .or_else(|| one_of(value, said))
        .or_else(|| remedy(within.unwrap_or(&key), value, said))
        .or_else(|| as_written(&key, said))
        .unwrap_or_else(|| match text.parse::<toml::Table>() {
            Ok(_) => say::conf_said(said),
            Err(_) => say::conf_no_toml(said),
        });
    let problem = match within {
        Some(within) => say::conf_within(within, problem),
        None => problem,
    };
    let language = Language::ENGLISH;
    ConfigError::Refused { path: path.to_owned(), line, key, problem, language }
}

/// Marks that text programs and telephones put in place of straight ones.
const CURLED: [char; 10] = ['“', '”', '„', '‟', '«', '»', '‘', '’', '‚', '`'];

/// The complaint about a line whose key or value stands in other marks than straight ones.
fn quotation(line: &str) -> Option<Message> {
    if line.starts_with('#') {
        return None;
    }
    let (key, value) = line.split_once('=')?;
    let value = value.trim();
    let ends = |text: &str| [text.chars().next(), text.chars().next_back()];
    let marks = ends(key.trim()).into_iter().chain(ends(value)).flatten();
    let curled = marks.into_iter().find(|it| CURLED.contains(it));
    curled.map(|mark| say::conf_straight_quotes(&mark.to_string()))
}

/// The complaint about the head of a section with too few or too many brackets.
fn section(line: &str, said: &str) -> Option<Message> {
    let many = line.strip_prefix("[[").and_then(|it| it.split_once("]]"));
    match many {
        Some((name, _)) if name != "table" && said.starts_with("invalid type") => {
            Some(say::conf_single(name))
        }
        None if line.starts_with("[table]") && said.contains("expected a sequence") => {
            Some(say::conf_each_table())
        }
        _ => None,
    }
}

/// The key of a value in a table on one line: `{ player = "red" }`.
fn within_braces(before: &str) -> Option<&str> {
    let (_, inner) = before.lines().next_back()?.split_once('{')?;
    let (_, last) = inner.rsplit_once([',', '{']).unwrap_or(("", inner));
    Some(last.split_once('=')?.0.trim())
}

/// The known words or keys, if another one was written.
fn one_of(value: &str, said: &str) -> Option<Message> {
    let (written, known) = said.split_once(", expected ")?;
    let known = known.strip_prefix("one of ").unwrap_or(known).replace(" or ", ", ");
    let known = known.replace('`', "");
    if let Some(key) = written.strip_prefix("unknown field ") {
        return Some(say::conf_key(key.trim_matches('`'), &known));
    }
    written.starts_with("unknown variant ").then(|| {
        let value = value.trim().trim_matches('"');
        say::conf_word(value, &known)
    })
}

/// What to write if a value is missing, there twice or of the wrong type.
fn remedy(key: &str, value: &str, said: &str) -> Option<Message> {
    let value = value.lines().next().unwrap_or_default().trim().trim_matches('"');
    let number = ["u16", "u32", "u64", "usize"].iter().any(|it| said.ends_with(it));
    if said.ends_with("expected a string") {
        Some(say::conf_quotes(key, value, said))
    } else if said.starts_with("string values must be quoted") {
        let truth = ["yes", "no", "on", "off", "oui", "non", "sí", "si"].contains(&value);
        Some(if truth { say::conf_truth(said) } else { say::conf_no_quotes(key, value) })
    } else if said.ends_with("expected a sequence") {
        Some(say::conf_list(key, value))
    } else if number {
        Some(say::conf_whole_number(value, said))
    } else if said.ends_with("expected a boolean") {
        Some(say::conf_truth(said))
    } else if said.ends_with("invalid socket address syntax") {
        Some(say::conf_socket(said))
    } else if said.starts_with("duplicate key") {
        Some(say::conf_twice())
    } else {
        let missing = said.strip_prefix("missing field ")?;
        Some(say::conf_missing(missing.trim_matches('`')))
    }
}

/// How to write a line that is no TOML.
fn as_written(key: &str, said: &str) -> Option<Message> {
    let begins = |all: &[&str]| all.iter().any(|it| said.starts_with(it));
    if begins(&["invalid basic string", "invalid literal string"]) {
        Some(say::conf_open_quotes(said))
    } else if begins(&["unexpected key or value"]) {
        Some(say::conf_line_of_its_own(said))
    } else if begins(&["key with no value", "unquoted keys cannot be empty"]) {
        let key = key.split([':', '"']).next().unwrap_or_default().trim();
        Some(say::conf_equals(if key.is_empty() { "name" } else { key }, said))
    } else if begins(&["unclosed table", "unclosed array table"]) {
        Some(say::conf_head(said))
    } else if begins(&["unclosed array", "missing comma between array elements"]) {
        Some(say::conf_whole_list(said))
    } else if begins(&["missing escaped value", "invalid escape"]) {
        Some(say::conf_backslash(said))
    } else {
        None
    }
}

/// Parses as much of a text as possible. A line with a wrong key or type is skipped, so that later
/// lines are checked as well.
///
/// # Errors
/// With all problems, if the rest is no configuration.
pub(super) fn parse(
    path: &Path,
    text: &str,
) -> Result<(Config, Vec<ConfigError>), Vec<ConfigError>> {
    let mut left = text.to_owned();
    let mut found: Vec<ConfigError> = Vec::new();
    loop {
        let error = match toml::from_str(&left) {
            Ok(config) => return Ok((config, found)),
            Err(error) => error,
        };
        let refusal = syntax(path, &left, &error);
        let line = refusal.line();
        // A text that is no TOML cannot be parsed any further, unless it is for a mark that spoils
        // its own line only.
        let own =
            left.lines().nth(line.saturating_sub(1)).is_some_and(|it| quotation(it).is_some());
        let is_toml = own || left.parse::<toml::Table>().is_ok();
        let again = found.iter().any(|it| it.line() == line);
        if is_toml || found.is_empty() {
            found.push(refusal);
        }
        let whole = left.lines().nth(line.saturating_sub(1)).is_some_and(is_whole);
        if !is_toml || again || !whole || found.len() >= COMPLAINTS_MAX {
            found.sort_by_key(ConfigError::line);
            return Err(found);
        }
        left = without(&left, line);
    }
}

/// Whether a line is a whole key with its value.
fn is_whole(line: &str) -> bool {
    let line = line.trim();
    !line.starts_with('[') && line.contains('=')
}

/// The text with this line empty.
fn without(text: &str, line: usize) -> String {
    let kept = (1..).zip(text.lines());
    let kept = kept.map(|(number, it)| if number == line { "" } else { it });
    kept.collect::<Vec<_>>().join("\n") + "\n"
}

/// The line of the section's head.
pub(super) fn section_of(text: &str, line: usize) -> usize {
    let heads = (1..).zip(text.lines()).filter(|(_, it)| it.trim().starts_with('['));
    heads.take_while(|(number, _)| *number <= line).last().map_or(0, |(number, _)| number)
}

/// The line of a key in the nth table, from 0, or outside of all tables. Without the key it is the
/// head of that table.
pub(super) fn line_of(text: &str, key: &str, nth: Option<usize>) -> usize {
    let (mut tables, mut inside, mut header) = (0, None, 1);
    for (index, line) in text.lines().enumerate() {
        if line.trim() == "[[table]]" {
            inside = Some(tables);
            tables += 1;
            if inside == nth {
                header = index + 1;
            }
        } else if line.starts_with('[') {
            inside = None;
        }
        if is_key(line, key) && inside == nth {
            return index + 1;
        }
    }
    header
}

/// Whether a section begins in a line, whatever spaces and remarks stand there.
fn is_head(line: &str, section: &str) -> bool {
    let head = line.split('#').next().unwrap_or_default().trim();
    let named = head.strip_prefix('[').and_then(|head| head.strip_suffix(']'));
    named.is_some_and(|named| named.trim() == section)
}

/// Whether a line gives this key a value, in quotes or not.
fn is_key(line: &str, key: &str) -> bool {
    let bare = |it: &str| it.trim().trim_matches('"').to_owned();
    line.split('=').next().map(bare) == Some(bare(key))
}

/// The line of a key in a section. Without the key it is any line that names it, or the head of the
/// section.
pub(super) fn line_under(text: &str, section: &str, key: &str) -> usize {
    let lines = || text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let under = lines().skip_while(|(_, line)| !is_head(line, section)).skip(1);
    let mut under = under.take_while(|(_, line)| !line.starts_with('['));
    let found = under.find(|(_, line)| is_key(line, key));
    let found = found.or_else(|| lines().find(|(_, line)| is_key(line, key)));
    let found = found.or_else(|| lines().find(|(_, line)| line.contains(key)));
    found.map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn places(text: &str) -> Vec<String> {
        let refusal = read(Path::new("a.toml"), text).unwrap_err().to_string();
        refusal.lines().map(|it| it.split_once(": ").unwrap_or_default().0.to_owned()).collect()
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once_in_the_order_of_the_lines() {
        let text = "[event]\nname = \"x\"\nlaws = \"2020\"\ncolour = 1\nstart = \"14:00\"\n\
                    [mqtt]\nlisten = \"here\"\nbase = \"a/#\"\n[journal]\nflush_ms = 0\n\
                    [[table]]\nnumber = 1\nport = \"/a\"\ndriver = \"dtg\"\n\
                    [[table]]\nnumber = 2\nport = \"/b\"\nlaws = \"1066\"\n";
        // In the section of a skipped line nothing else is reported, because it may follow from
        // that line.
        assert_eq!(
            places(text),
            ["a.toml:3", "a.toml:4", "a.toml:7", "a.toml:10", "a.toml:14", "a.toml:18"]
        );
        let values = text.replace("colour = 1\n", "\n").replace("listen = \"here\"\n", "\n");
        let values = values.replace("laws = \"2020\"\n", "time_control = \"90m\"\n");
        assert_eq!(
            places(&values),
            ["a.toml:3", "a.toml:5", "a.toml:8", "a.toml:10", "a.toml:14", "a.toml:18"]
        );
    }

    fn refused(text: &str) -> String {
        read(Path::new("a.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn what_beginners_write_is_refused_with_what_to_write() {
        for (text, expected) in [
            (
                "[table]\nnumber = 1\n",
                "a.toml:1: [table]: write [[table]] in two brackets, once for each table",
            ),
            (
                "[[event]]\nname = \"x\"\n",
                "a.toml:1: [[event]]: write [event] in one bracket, once",
            ),
            ("[event]\nname = Open\n", "a.toml:2: name: a text stands in quotes: name = \"Open\""),
            (
                "[event]\nlanguages = \"fr\"\n",
                "a.toml:2: languages: write a list in brackets: languages = [\"fr\"]",
            ),
            ("[event]\nname = \"a\"\nname = \"b\"\n", "a.toml:3: name: is there already; write"),
            (
                "[event]\nnaem = \"a\"\n",
                "a.toml:2: naem: unknown field `naem`; write one of name, site, round, laws,",
            ),
            (
                "[[table]]\nnumber = 1\nserial = \"1\"\nclock = { port = \"/a\" }\n",
                "a.toml:4: clock: write driver too",
            ),
            (
                "[event]\nname = “Open”\nlaws = \"2020\"\nsite = \"Liège”\n# “ours”\n",
                "a.toml:2: name: “ is no quotation mark of a configuration; write straight ones: \
                 \"…\" (text programs like to change them)\n\
                 a.toml:3: laws: \"2020\" is not known; write one of 2005, 2014, 2018, 2023\n\
                 a.toml:4: site: ” is no quotation mark",
            ),
        ] {
            let said = refused(text);
            assert!(said.starts_with(expected), "{said}\nnot\n{expected}");
        }
    }

    #[test]
    fn what_is_no_toml_is_refused_in_the_language_of_the_event_with_what_to_write() {
        for (line, key, remedy) in [
            ("name = \"Open", "name", "un texte se met entre deux guillemets droits"),
            ("name = 'Open\"", "name", "un texte se met entre deux guillemets droits"),
            ("name = \"a\" site = \"b\"", "name", "écrivez une seule clé par ligne"),
            ("name = \"a\",", "name", "écrivez une seule clé par ligne"),
            ("name: \"Open\"", "name: \"Open\"", "écrivez name = …"),
            ("Open A = \"1-20\"", "Open A", ""),
            ("[web", "[web", "écrivez l’en-tête en entier"),
            ("[[table]", "[[table]", "écrivez l’en-tête en entier"),
            ("languages = [\"fr\" \"en\"]", "languages", "écrivez la liste en entier"),
            ("languages = [\"fr\"", "languages", "écrivez la liste en entier"),
            ("name = \"C:\\dir\"", "name", "écrivez deux fois une barre oblique inverse"),
            ("quickplay_finish = yes", "quickplay_finish", "écrivez true ou false"),
            ("{ \"event\": 1 }", "{ \"event\": 1 }", "cette ligne ne peut pas être lue"),
        ] {
            let said = refused(&format!("[event]\nlanguage = \"fr\"\n{line}\n"));
            assert!(said.starts_with(&format!("a.toml:3: {key}: {remedy}")), "{line}: {said}");
            assert!(
                said.contains('(') || remedy.is_empty(),
                "the parser's own words follow: {said}"
            );
        }
    }

    #[test]
    fn a_refusal_is_said_in_the_language_of_the_event() {
        let wrong = "name = “Open”\ntime_sheet_min = 0\n[[table]]\nnumber = 1\n";
        for (language, quotes, minutes, place) in [
            ("en", "straight ones", "write 1 to 1440 minutes", "write where its board is"),
            ("fr", "guillemets droits", "écrivez de 1 à 1440 minutes", "où est son échiquier"),
            ("es", "comillas rectas", "escriba de 1 a 1440 minutos", "dónde está su tablero"),
            ("xx", "straight ones", "", ""),
        ] {
            // Also where the file cannot be read as a whole, and wherever the language stands.
            let said = refused(&format!("[event]\nlanguage = \"{language}\"\n{wrong}"));
            assert!(said.contains("a.toml:3: name: “ ") && said.contains(quotes), "{said}");
            let mended = wrong.replace(['“', '”'], "\"");
            let said = refused(&format!("[event]\nlanguage = \"{language}\"\n{mended}"));
            assert!(said.contains(minutes) && said.contains(place), "{said}");
        }
    }

    #[test]
    fn at_a_page_a_refusal_is_said_in_the_language_of_the_reader() {
        let error = read(Path::new("a.toml"), "[event]\ntime_sheet_min = 0\n").unwrap_err();
        let spanish = Language::of("es").unwrap().say(&error.message());
        let expected = "la configuración sería rechazada: a.toml:2: time_sheet_min: escriba de 1";
        assert!(spanish.starts_with(expected), "{spanish}");
    }

    #[test]
    fn a_line_that_is_left_out_is_not_said_to_be_missing() {
        let text = "[[table]]\nnumber = \"one\"\nport = \"/a\"\n[event]\nlaws = \"2020\"\n";
        assert_eq!(places(text), ["a.toml:2", "a.toml:5"]);
        let no_toml = "[event]\nname = = 3\nlaws = \"2020\"\n";
        assert_eq!(places(no_toml), ["a.toml:2"]);
        let long = "[web]\nnames = [\n  1,\n]\n[event]\nlaws = \"2020\"\n";
        assert_eq!(places(long), ["a.toml:3", "a.toml:6"], "several lines are not taken apart");
    }
}
