//! The one-time code with which the first organizer makes an account. It is a file in the state
//! directory: who may read that may set up the hall.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use argon2::password_hash::rand_core::{OsRng, RngCore as _};

/// Letters and digits that nobody takes for others.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// 50 bits: guesses are slowed like those of passwords.
const LENGTH: usize = 10;
/// The most bytes of the file that are read.
const FILE_MAX: u64 = 64;

/// The code of a state directory.
#[derive(Clone, Debug)]
pub struct Code {
    path: PathBuf,
}

impl Code {
    /// The code of this directory.
    #[must_use]
    pub fn of(directory: &Path) -> Self {
        Self { path: directory.join("setup-code") }
    }

    /// The code, which is made if there is none.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn shown(&self) -> io::Result<String> {
        match self.read()? {
            Some(code) => Ok(code),
            None => self.renewed(),
        }
    }

    /// Another code in place of the one that was.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn renewed(&self) -> io::Result<String> {
        let mut bytes = [0; LENGTH];
        OsRng.fill_bytes(&mut bytes);
        let letter = |byte: &u8| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]);
        let code: String = bytes.iter().map(letter).collect();
        let (first, last) = code.split_at(LENGTH / 2);
        let code = format!("{first}-{last}");
        self.write(&code)?;
        Ok(code)
    }

    /// Uses the code up, if it is this one.
    ///
    /// # Errors
    /// If the file cannot be read or removed.
    pub fn take(&self, given: &str) -> io::Result<bool> {
        let Some(code) = self.read()? else { return Ok(false) };
        if !same(&code, given) {
            return Ok(false);
        }
        self.forget()?;
        Ok(true)
    }

    /// Puts a code back that was of no use to anybody.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put_back(&self, code: &str) -> io::Result<()> {
        self.write(code)
    }

    /// Removes the code.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn read(&self) -> io::Result<Option<String>> {
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut text = String::new();
        file.take(FILE_MAX).read_to_string(&mut text)?;
        Ok(Some(text.trim().to_owned()).filter(|it| plain(it).len() == LENGTH))
    }

    fn write(&self, code: &str) -> io::Result<()> {
        if let Some(directory) = self.path.parent() {
            fs::create_dir_all(directory)?;
        }
        self.forget()?;
        let mut file =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.path)?;
        writeln!(file, "{code}")?;
        file.sync_all()
    }
}

/// As people type it: in any case, with or without the hyphen.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_uppercase()).collect()
}

/// Compares in constant time.
fn same(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    let differing = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == LENGTH && other.len() == LENGTH && differing == 0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn it_is_used_once_however_it_is_typed_and_only_its_owner_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let code = Code::of(&directory.path().join("state"));
        assert!(!code.take("").unwrap(), "there is none yet");
        let first = code.shown().unwrap();
        assert_eq!(code.shown().unwrap(), first, "it stays until it is used");
        assert_eq!(fs::metadata(&code.path).unwrap().mode() & 0o777, 0o600);
        assert!(!code.take("ABCDE-FGHJ").unwrap() && !code.take("").unwrap());
        assert!(code.take(&first.to_lowercase().replace('-', " ")).unwrap());
        assert!(!code.take(&first).unwrap(), "once");
        let second = code.shown().unwrap();
        assert_ne!(second, first);
        let third = code.renewed().unwrap();
        assert!(!code.take(&second).unwrap() && code.take(&third).unwrap());
    }

    #[test]
    fn a_damaged_file_is_no_code() {
        let directory = tempfile::tempdir().unwrap();
        let code = Code::of(directory.path());
        for text in ["", "\n", "short", &"A".repeat(1000)] {
            fs::write(&code.path, text).unwrap();
            assert!(!code.take(text).unwrap(), "{text}");
            assert_eq!(plain(&code.shown().unwrap()).len(), LENGTH);
        }
    }
}
