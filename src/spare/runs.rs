//! The runs whose records are in a directory, so that a machine knows its own record on the broker
//! from that of another one. Its name does not say that: two machines may have been given the same,
//! and a run may have ended before it had taken over what it was to go on with.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::time::WallTime;

/// The name of the file. It has a line for each run.
const NAME: &str = "runs";
/// A run on this machine.
const OWN: &str = "own";
/// A run on another machine, whose record this one has gone on with.
const TAKEN: &str = "taken";

/// How long people are reminded that the games of another machine are gone on with.
const REMINDED: Duration = Duration::from_secs(12 * 3600);

/// The runs whose records a directory contains.
pub struct Runs {
    path: PathBuf,
    /// Each run, and whether it was one of this machine.
    known: BTreeMap<String, bool>,
    /// The newest of another machine.
    taken: Option<Taken>,
}

/// The games of another machine are gone on with here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The name of the other machine.
    pub from: String,
    /// Since when.
    pub since: WallTime,
}

impl Runs {
    /// Reads what is known. A file that cannot be read knows nothing: the record on the broker is
    /// believed then.
    #[must_use]
    pub fn read(directory: &Path) -> Self {
        let path = directory.join(NAME);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let (mut known, mut taken) = (BTreeMap::new(), None);
        for line in text.lines() {
            let mut words = line.splitn(4, ' ');
            let (Some(whose), Some(boot)) = (words.next(), words.next()) else { continue };
            known.insert(boot.to_owned(), whose == OWN);
            if let (Some(Ok(micros)), Some(from)) = (words.next().map(str::parse), words.next()) {
                let since = WallTime::from_micros(micros);
                taken = Some(Taken { from: from.to_owned(), since });
            }
        }
        Self { path, known, taken }
    }

    /// Whose games are gone on with here since some hours.
    #[must_use]
    pub fn taken(&self, now: WallTime) -> Option<Taken> {
        let passed = |since: WallTime| now.as_micros().saturating_sub(since.as_micros());
        let recent =
            |it: &&Taken| u128::from(passed(it.since).unsigned_abs()) < REMINDED.as_micros();
        self.taken.as_ref().filter(recent).cloned()
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
        self.note(boot, &format!("{OWN} {boot}"))?;
        self.known.entry(boot.to_owned()).or_insert(true);
        Ok(())
    }

    /// Notes that the record of a run of another machine is here.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn takes(&mut self, boot: &str, taken: Taken) -> io::Result<()> {
        let Taken { from, since } = &taken;
        let noted = self.note(boot, &format!("{TAKEN} {boot} {} {from}", since.as_micros()));
        // It is said in this run all the same.
        self.taken = Some(taken);
        noted?;
        self.known.entry(boot.to_owned()).or_insert(false);
        Ok(())
    }

    fn note(&self, boot: &str, line: &str) -> io::Result<()> {
        if self.known.contains_key(boot) {
            return Ok(());
        }
        if let Some(directory) = self.path.parent() {
            fs::create_dir_all(directory)?;
        }
        let mut file: File = OpenOptions::new().create(true).append(true).open(&self.path)?;
        // Behind a line that a full disk has cut short.
        writeln!(file, "\n{line}")?;
        file.sync_all()
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
        let taken = |hour: i64| Taken {
            from: "the first".to_owned(),
            since: WallTime::from_micros(hour * 3_600_000_000),
        };
        runs.begins("x").unwrap();
        runs.takes("y", taken(1)).unwrap();
        runs.takes("x", taken(1)).unwrap();
        let mut cut = OpenOptions::new().append(true).open(directory.join(NAME)).unwrap();
        cut.write_all(b"own z").unwrap();
        let mut runs = Runs::read(&directory);
        runs.begins("w").unwrap();
        let runs = Runs::read(&directory);
        assert_eq!((runs.is_own("x"), runs.is_own("y"), runs.is_own("w")), (true, false, true));
        assert!(runs.contains("y") && runs.contains("z"));
        assert_eq!(runs.taken(taken(12).since), Some(taken(1)));
        assert_eq!(runs.taken(taken(14).since), None);
    }
}
