//! The runs whose records are in a directory, so that a machine knows its own record on the broker
//! from that of another one. Its name does not say that: two machines may have been given the same,
//! and a run may have ended before it had taken over what it was to go on with.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of the file. It has a line for each run.
const NAME: &str = "runs";
/// A run on this machine.
const OWN: &str = "own";
/// A run on another machine, whose record this one has gone on with.
const TAKEN: &str = "taken";

/// The runs whose records a directory contains.
pub struct Runs {
    path: PathBuf,
    /// Each run, and whether it was one of this machine.
    known: BTreeMap<String, bool>,
}

impl Runs {
    /// Reads what is known. A file that cannot be read knows nothing: the record on the broker is
    /// believed then.
    #[must_use]
    pub fn read(directory: &Path) -> Self {
        let path = directory.join(NAME);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let known = text.lines().filter_map(|line| {
            let (whose, boot) = line.split_once(' ')?;
            Some((boot.to_owned(), whose == OWN))
        });
        Self { known: known.collect(), path }
    }

    /// Whether it was a run of this machine.
    #[must_use]
    pub fn is_own(&self, boot: &str) -> bool {
        self.known.get(boot).is_some_and(|own| *own)
    }

    /// Whether its record is here.
    #[must_use]
    pub fn contains(&self, boot: &str) -> bool {
        self.known.contains_key(boot)
    }

    /// Notes a run of this machine, before any other machine hears of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begins(&mut self, boot: &str) -> io::Result<()> {
        self.note(boot, true)
    }

    /// Notes that the record of a run of another machine is here.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn takes(&mut self, boot: &str) -> io::Result<()> {
        self.note(boot, false)
    }

    fn note(&mut self, boot: &str, own: bool) -> io::Result<()> {
        if self.known.contains_key(boot) {
            return Ok(());
        }
        if let Some(directory) = self.path.parent() {
            fs::create_dir_all(directory)?;
        }
        let mut file: File = OpenOptions::new().create(true).append(true).open(&self.path)?;
        // Behind a line that a full disk has cut short.
        writeln!(file, "\n{} {boot}", if own { OWN } else { TAKEN })?;
        file.sync_all()?;
        self.known.insert(boot.to_owned(), own);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_known_after_a_restart() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("journal");
        let mut runs = Runs::read(&directory);
        assert!(!runs.contains("x"));
        runs.begins("x").unwrap();
        runs.takes("y").unwrap();
        runs.takes("x").unwrap();
        let mut cut = OpenOptions::new().append(true).open(directory.join(NAME)).unwrap();
        cut.write_all(b"own z").unwrap();
        let mut runs = Runs::read(&directory);
        runs.begins("w").unwrap();
        let runs = Runs::read(&directory);
        assert_eq!((runs.is_own("x"), runs.is_own("y"), runs.is_own("w")), (true, false, true));
        assert!(runs.contains("y") && runs.contains("z"));
    }
}
