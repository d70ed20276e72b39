//! The refusals of a configuration, with their lines.

use std::io;
use std::path::{Path, PathBuf};

use super::Config;

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
    #[error("{}:{line}: {key}: {problem}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// The problem, and what to write instead.
        problem: String,
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

    /// Makes one error of at least one.
    pub(super) fn of(mut all: Vec<Self>) -> Self {
        match all.len() {
            1 => all.swap_remove(0),
            _ => Self::Several { all },
        }
    }
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
    let key = text.lines().nth(line - 1).and_then(|line| line.split('=').next());
    let key = key.unwrap_or_default().trim().to_owned();
    let within = text.get(..at).and_then(within_braces);
    let value = text.get(error.span().unwrap_or_default()).unwrap_or_default();
    let problem = error.message();
    let problem = match (one_of(value, problem), remedy(within.unwrap_or(&key), value, problem)) {
        (Some(whole), _) => whole,
        (None, Some(remedy)) => format!("{remedy} ({problem})"),
        (None, None) => problem.to_owned(),
    };
    let problem = within.map_or(problem.clone(), |within| format!("{within}: {problem}"));
    ConfigError::Refused { path: path.to_owned(), line, key, problem }
}

/// The key of a value in a table on one line: `{ player = "red" }`.
fn within_braces(before: &str) -> Option<&str> {
    let (_, inner) = before.lines().next_back()?.split_once('{')?;
    let (_, last) = inner.rsplit_once([',', '{']).unwrap_or(("", inner));
    Some(last.split_once('=')?.0.trim())
}

/// The known words, if another one was written.
fn one_of(value: &str, problem: &str) -> Option<String> {
    let (_, words) = problem.strip_prefix("unknown variant ")?.split_once(", expected ")?;
    let words = words.strip_prefix("one of ").unwrap_or(words).replace(" or ", ", ");
    Some(format!("{value} is not known; write one of {}", words.replace('`', "")))
}

/// What to write if a value has the wrong type.
fn remedy(key: &str, value: &str, problem: &str) -> Option<String> {
    let value = value.lines().next().unwrap_or_default().trim().trim_matches('"');
    let number = ["u16", "u32", "u64", "usize"].iter().any(|it| problem.ends_with(it));
    if problem.ends_with("expected a string") {
        Some(format!("write it in quotes: {key} = \"{value}\""))
    } else if number {
        Some(format!("write a whole number from 0, without quotes, not {value}"))
    } else if problem.ends_with("expected a boolean") {
        Some("write true or false, without quotes".to_owned())
    } else if problem.ends_with("invalid socket address syntax") {
        Some("write an address and a port, as \"0.0.0.0:8380\"".to_owned())
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
        // A text that is no TOML cannot be parsed any further.
        let is_toml = left.parse::<toml::Table>().is_ok();
        let refusal = syntax(path, &left, &error);
        let line = refusal.line();
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
    let bare = |it: &str| it.trim().trim_matches('"').to_owned();
    let is_key = |line: &str| line.split('=').next().map(bare) == Some(bare(key));
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
        if is_key(line) && inside == nth {
            return index + 1;
        }
    }
    header
}

/// The line of a key in a section. Without the key it is any line that names it, or the head of the
/// section.
pub(super) fn line_under(text: &str, section: &str, key: &str) -> usize {
    let head = format!("[{section}]");
    let lines = || text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let under = lines().skip_while(|(_, line)| *line != head).skip(1);
    let mut under = under.take_while(|(_, line)| !line.starts_with('['));
    let is_key = |line: &str| line.split('=').next().map(str::trim) == Some(key);
    let found = under.find(|(_, line)| is_key(line));
    let found = found.or_else(|| lines().find(|(_, line)| line.contains(key)));
    found.map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn told(text: &str) -> Vec<String> {
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
            told(text),
            ["a.toml:3", "a.toml:4", "a.toml:7", "a.toml:10", "a.toml:14", "a.toml:18"]
        );
        let values = text.replace("colour = 1\n", "\n").replace("listen = \"here\"\n", "\n");
        let values = values.replace("laws = \"2020\"\n", "time_control = \"90m\"\n");
        assert_eq!(
            told(&values),
            ["a.toml:3", "a.toml:5", "a.toml:8", "a.toml:10", "a.toml:14", "a.toml:18"]
        );
    }

    #[test]
    fn a_line_that_is_left_out_is_not_said_to_be_missing() {
        let text = "[[table]]\nnumber = \"one\"\nport = \"/a\"\n[event]\nlaws = \"2020\"\n";
        assert_eq!(told(text), ["a.toml:2", "a.toml:5"]);
        let no_toml = "[event]\nname = = 3\nlaws = \"2020\"\n";
        assert_eq!(told(no_toml), ["a.toml:2"]);
        let long = "[web]\nnames = [\n  1,\n]\n[event]\nlaws = \"2020\"\n";
        assert_eq!(told(long), ["a.toml:3", "a.toml:6"], "several lines are not taken apart");
    }
}
