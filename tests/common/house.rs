//! A house for one daemon: a directory with its configuration, its journal and its lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub struct House {
    directory: TempDir,
    sections: BTreeMap<String, BTreeMap<String, String>>,
    tables: Vec<String>,
}

impl House {
    /// Addresses that nobody else has, a journal and an empty directory for lines. No table. It
    /// is left standing for those who look for a fault when `$ADOUBED_KEEP` is set.
    pub fn new() -> Self {
        let mut directory = TempDir::with_prefix("adoubed-").expect("a temporary directory");
        directory.disable_cleanup(std::env::var_os("ADOUBED_KEEP").is_some());
        for part in ["journal", "lines"] {
            fs::create_dir(directory.path().join(part)).expect("a directory");
        }
        let mut house = Self { directory, sections: BTreeMap::new(), tables: Vec::new() };
        house.set("mqtt", "listen", "127.0.0.1:0").set("web", "listen", "127.0.0.1:0");
        let journal = house.journal().display().to_string();
        house.set("journal", "directory", &journal);
        house
    }

    /// A key with a text.
    pub fn set(&mut self, section: &str, key: &str, text: &str) -> &mut Self {
        self.put(section, key, &format!("\"{text}\""))
    }

    /// A key with anything else.
    pub fn put(&mut self, section: &str, key: &str, value: &str) -> &mut Self {
        let section = self.sections.entry(section.to_owned()).or_default();
        section.insert(key.to_owned(), value.to_owned());
        self
    }

    /// A table at a line of its own, [`House::line`] of its number, and whatever else is to be
    /// said of it.
    pub fn table(&mut self, number: u32, more: &str) -> &mut Self {
        let port = self.line(&number.to_string());
        self.at(number, &port, more)
    }

    /// A table at this line, which others may share, and whatever else is to be said of it.
    pub fn at(&mut self, number: u32, line: &Path, more: &str) -> &mut Self {
        let table = format!("number = {number}\nport = \"{}\"\n{more}\n", line.display());
        self.tables.push(table);
        self
    }

    /// A table whose board is known by its own number, on any line.
    pub fn numbered(&mut self, number: u32, serial: &str) -> &mut Self {
        self.tables.push(format!("number = {number}\nserial = \"{serial}\"\n"));
        self
    }

    /// No table that was named so far.
    pub fn no_tables(&mut self) -> &mut Self {
        self.tables.clear();
        self
    }

    /// Looks for boards in the directory of lines.
    pub fn any_line(&mut self) -> &mut Self {
        let lines = self.lines().display().to_string();
        self.set("ports", "directory", &lines)
    }

    /// Where a line is, once a board is there.
    pub fn line(&self, name: &str) -> PathBuf {
        self.lines().join(name)
    }

    pub fn lines(&self) -> PathBuf {
        self.path().join("lines")
    }

    pub fn journal(&self) -> PathBuf {
        self.path().join("journal")
    }

    /// The files of the journal, oldest first.
    pub fn segments(&self) -> Vec<PathBuf> {
        adoubed::record::journal::segments(&self.journal()).expect("a journal")
    }

    /// What is kept beside the journal, oldest first.
    pub fn checkpoints(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.journal()).expect("a directory");
        let mut files: Vec<_> = files.map(|it| it.expect("a file").path()).collect();
        files.retain(|path| path.extension().is_some_and(|it| it == "bin"));
        files.sort();
        files
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn config(&self) -> PathBuf {
        self.path().join("adoubed.toml")
    }

    /// Writes the configuration.
    pub fn write(&self) {
        let mut text = String::new();
        for (section, keys) in &self.sections {
            let _ = writeln!(text, "[{section}]");
            for (key, value) in keys {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        for table in &self.tables {
            let _ = write!(text, "[[table]]\n{table}");
        }
        fs::write(self.config(), text).expect("a configuration");
    }
}
