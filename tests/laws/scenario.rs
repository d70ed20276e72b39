//! The scripts of this folder, and what their remarks want.

use std::fs;
use std::path::{Path, PathBuf};

use witness::{Edition, Kind};

/// What a remark wants.
#[derive(Clone, Debug)]
pub struct Expected {
    pub state: String,
    pub kind: String,
    /// Side, number of the move, gravity.
    pub facts: String,
    pub article: String,
}

pub struct Scenario {
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

impl Scenario {
    pub fn remarks(&self) -> impl Iterator<Item = Vec<&str>> {
        let remarks = self.text.lines().filter_map(|line| line.strip_prefix(';'));
        remarks.map(|line| line.split_whitespace().collect())
    }

    pub fn expected(&self) -> Vec<Expected> {
        let expected = self.remarks().filter_map(|words| match words[..] {
            [
                state @ ("expect" | "open" | "lapsed" | "corrected"),
                kind,
                side,
                number,
                gravity,
                article,
            ] => Some(Expected {
                state: state.to_owned(),
                kind: kind.to_owned(),
                facts: format!("{side} {number} {gravity}"),
                article: article.to_owned(),
            }),
            _ => None,
        });
        expected.collect()
    }

    pub fn silent(&self) -> Vec<String> {
        let silent = self.remarks().filter_map(|words| match words[..] {
            ["silent", kind] => Some(kind.to_owned()),
            _ => None,
        });
        silent.collect()
    }

    /// Kinds of which one alert is enough.
    pub fn once(&self) -> Vec<String> {
        let once = self.remarks().filter_map(|words| match words[..] {
            ["once", kind] => Some(kind.to_owned()),
            _ => None,
        });
        once.collect()
    }

    /// What must be said (`says`), or must not be (`never`), by kind.
    pub fn words(&self, remark: &str) -> Vec<(String, String)> {
        let said = self.remarks().filter_map(|words| match words[..] {
            [first, kind, ref said @ ..] if first == remark => {
                Some((kind.to_owned(), said.join(" ")))
            }
            _ => None,
        });
        said.collect()
    }

    pub fn score(&self) -> Option<String> {
        self.remarks().find_map(|words| match words[..] {
            ["score", ref moves @ ..] => Some(moves.join(" ")),
            _ => None,
        })
    }

    pub fn result(&self, remark: &str) -> Option<String> {
        self.remarks().find_map(|words| match words[..] {
            [it, result] if it == remark => Some(result.to_owned()),
            _ => None,
        })
    }

    pub fn games(&self) -> Option<usize> {
        self.remarks().find_map(|words| match words[..] {
            ["games", number] => number.parse().ok(),
            _ => None,
        })
    }

    pub fn editions(&self) -> Vec<Edition> {
        let named = self.text.lines().find_map(|line| line.strip_prefix("# laws: "));
        let holds = |it: &Edition| named.is_none_or(|named| named == it.year());
        Edition::ALL.into_iter().filter(holds).collect()
    }
}

pub fn scenarios() -> Vec<Scenario> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let mut all: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "gestures"))
        .map(|path| Scenario {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: fs::read_to_string(&path).unwrap(),
            path,
        })
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

pub fn kind(name: &str) -> Kind {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or_else(|| panic!("{name}"))
}
