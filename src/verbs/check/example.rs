//! `adoubed.example.toml`: every key with its meaning, for whoever writes a configuration. Its text
//! is written by hand, since an organizer wants more than the comment of a field; the tests hold it
//! to the configuration that is read.

pub(super) use crate::config::keys::EXAMPLE;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::EXAMPLE;
    use crate::config::{Config, read};

    /// A key of the file that is commented out, or the head of a section.
    struct Line {
        /// The text without its `#`.
        text: &'static str,
        /// It is an example and no default.
        is_example: bool,
    }

    /// All keys and heads of sections. What is said to be an example is one until the next empty
    /// line.
    fn lines() -> Vec<Line> {
        let mut is_example = false;
        let mut all = Vec::new();
        for line in EXAMPLE.lines() {
            if line.is_empty() {
                is_example = false;
            } else if line.starts_with("# ") || line == "#" {
                is_example |= line.ends_with("Example:") || line.ends_with("Examples:");
            } else if let Some(text) = line.strip_prefix('#') {
                all.push(Line { text, is_example });
            } else {
                all.push(Line { text: line, is_example: false });
            }
        }
        all
    }

    fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
        lines.fold(String::new(), |text, line| text + line + "\n")
    }

    fn parsed(text: &str) -> Config {
        toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn text(of: impl Fn(&Line) -> bool) -> String {
        joined(lines().iter().filter(|it| of(it)).map(|it| it.text))
    }

    #[test]
    fn the_file_as_it_is_changes_nothing() {
        assert_eq!(format!("{:?}", parsed(EXAMPLE)), format!("{:?}", Config::default()));
    }

    #[test]
    fn a_value_that_is_no_example_is_the_one_that_holds() {
        let defaults = text(|it| !it.is_example);
        assert!(defaults.contains("flush_ms = "), "{defaults}");
        assert_eq!(format!("{:?}", parsed(&defaults)), format!("{:?}", Config::default()));
    }

    /// The keys of the file by the section in which they stand. Those of a table on one line are
    /// named by what follows its key.
    fn written() -> BTreeMap<String, BTreeSet<String>> {
        let value: toml::Table = text(|_| true).parse().unwrap();
        let mut all = BTreeMap::new();
        note(&value, "", &mut all);
        all
    }

    fn note(table: &toml::Table, under: &str, all: &mut BTreeMap<String, BTreeSet<String>>) {
        all.insert(under.to_owned(), table.keys().cloned().collect());
        for (key, value) in table {
            let at = format!("{under}.{key}");
            match value {
                toml::Value::Table(inner) => note(inner, at.trim_start_matches('.'), all),
                toml::Value::Array(many) => {
                    let tables = many.iter().filter_map(toml::Value::as_table);
                    tables.for_each(|inner| note(inner, at.trim_start_matches('.'), all));
                }
                _ => {}
            }
        }
    }

    /// The keys that a section knows, as the parser names them when it meets another one.
    fn known(section: &str) -> Option<BTreeSet<String>> {
        let within = |inner: &str| format!("[[table]]\nnumber = 1\n[table.{inner}]\n");
        let head = match section {
            "" => String::new(),
            "table" => "[[table]]\n".to_owned(),
            _ => match section.strip_prefix("table.") {
                Some(inner) => within(inner),
                None => format!("[{section}]\n"),
            },
        };
        let error = toml::from_str::<Config>(&format!("{head}no_such_key = 1\n")).err()?;
        let (_, names) =
            error.message().strip_prefix("unknown field ")?.split_once(", expected ")?;
        let names = names.split('`').skip(1).step_by(2);
        Some(names.map(str::to_owned).collect())
    }

    #[test]
    fn every_key_is_there_and_no_other() {
        let written = written();
        assert!(written.len() > 15, "{:?}", written.keys());
        for (section, keys) in &written {
            // Sections whose keys are names take any.
            if let Some(known) = known(section) {
                assert_eq!(*keys, known, "[{section}]");
            }
        }
        let named = ["laws.gravity", "laws.penalties", "lichess.rounds", "web.sections"];
        let named = named.into_iter().chain(["web.arbiters", "web.organizers"]);
        let open: BTreeSet<_> = named.collect();
        let taken = written.keys().filter(|it| known(it).is_none()).map(String::as_str);
        assert_eq!(taken.collect::<BTreeSet<_>>(), open);
    }

    #[test]
    fn every_example_is_a_value_that_may_be_written() {
        let directory = tempfile::tempdir().unwrap();
        let pairings = "[White \"Doe, Jane\"]\n[Black \"Roe, Max\"]\n[Round \"1.1\"]\n\n*\n";
        std::fs::write(directory.path().join("pairings.pgn"), pairings).unwrap();
        let token = directory.path().join("lichess.token");
        std::fs::write(&token, "lip_secret").unwrap();
        let text = text(|_| true).replace("/etc/adoubed/lichess.token", token.to_str().unwrap());
        let config = read(&directory.path().join("adoubed.toml"), &text).unwrap();
        assert_eq!(config.table.len(), 1);
        assert_eq!(config.rounds.len(), 1);
        assert_eq!(config.public.map(|it| it.delay_s), Some(900));
    }
}
