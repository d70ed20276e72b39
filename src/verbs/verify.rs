//! `adoubed verify`: what of a record is whole, and what is missing. It changes nothing.

use std::path::{Path, PathBuf};

use clap::Args;

use super::say;
use crate::entry::Entry;
use crate::exit::{self, Failure};
use crate::record::journal::{self, Content, Record};
use crate::time::WallTime;

#[derive(Args)]
pub struct Arguments {
    /// Journals, or directories with journals
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
}

pub fn verify(arguments: &Arguments) -> Result<(), Failure> {
    let (mut damaged, segments) = (0, segments(&arguments.journals)?);
    for segment in &segments {
        let content = read(segment)?;
        damaged += usize::from(!content.missing().is_empty());
        tell(segment, &content);
    }
    match damaged {
        0 => Ok(()),
        _ => {
            let text = format!(
                "{damaged} of {} files are damaged; `adoubed salvage` writes what can be read into \
                 a new one",
                segments.len()
            );
            Err(Failure::new(exit::DATA, text))
        }
    }
}

/// The named files, and the files in the named directories.
pub(super) fn segments(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut segments = Vec::new();
    for path in named {
        if !path.is_dir() {
            segments.push(path.clone());
            continue;
        }
        let found = journal::segments(path).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
        if found.is_empty() {
            let text = format!("{}: no journal in it", path.display());
            return Err(Failure::new(exit::NO_INPUT, text));
        }
        segments.extend(found);
    }
    Ok(segments)
}

pub(super) fn read(path: &Path) -> Result<Content, Failure> {
    journal::read_all(path).map_err(|error| Failure::new(exit::NO_INPUT, error))
}

fn tell(path: &Path, content: &Content) {
    let records = content.records.len();
    let days = match (wall(content.records.iter()), wall(content.records.iter().rev())) {
        (Some(first), Some(last)) => format!(", {first} to {last}"),
        _ => String::new(),
    };
    let state = if content.missing().is_empty() { "whole" } else { "DAMAGED" };
    say(format!("{}: {state}, {records} records{days}", path.display()));
    for missing in content.missing() {
        say(format!("  {missing}"));
    }
    if content.unfinished {
        let bytes = content.torn;
        say(format!(
            "  its last {bytes} bytes begin a record that was not finished: the program was killed \
             then, or is writing now"
        ));
    }
}

/// The first time of day among these records.
fn wall<'a>(mut records: impl Iterator<Item = &'a Record>) -> Option<String> {
    records.find_map(|(_, entry)| match entry {
        Entry::Wall(micros) => Some(WallTime::from_micros(*micros).rfc3339()),
        _ => None,
    })
}
