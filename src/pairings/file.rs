//! Reads files with pairings. It finds out the format, and checks what holds for every format.

use std::fs;
use std::path::Path;

use super::{Round, pgn, trf};

/// The longest file, in bytes. A longer one holds more than pairings.
const FILE_MAX: u64 = 64 << 20;
/// The most pairings. Every plan in the journal repeats them.
const PAIRINGS_MAX: usize = 5000;

/// A problem in a file of pairings.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The tag or column.
    pub key: &'static str,
    /// The problem, and what to write instead.
    pub what: String,
}

impl Problem {
    pub(crate) fn new(line: usize, key: &'static str, what: impl Into<String>) -> Self {
        Self { line, key, what: what.into() }
    }
}

/// The rounds of a file, in the file's order.
///
/// # Errors
/// If it cannot be read, or a value in it is wrong.
pub fn load(path: &Path) -> Result<Vec<Round>, Problem> {
    let fail = |error: std::io::Error| Problem::new(1, "pairings", error.to_string());
    if fs::metadata(path).map_err(fail)?.len() > FILE_MAX {
        return Err(Problem::new(1, "pairings", "too long; write the pairings alone"));
    }
    read(&text(fs::read(path).map_err(fail)?))
}

/// The rounds of a text.
///
/// # Errors
/// If a value in it is wrong.
pub fn read(text: &str) -> Result<Vec<Round>, Problem> {
    let text = text.trim_start_matches('\u{feff}');
    let rounds = if text.trim_start().starts_with('[') {
        pgn::read(text)?
    } else if lines(text).any(|(_, line)| line.starts_with("001 ")) {
        trf::read(text)?
    } else {
        let what = "neither PGN (tags in brackets) nor TRF (players in lines 001)";
        return Err(Problem::new(1, "pairings", what));
    };
    let all = rounds.iter().map(|round| round.pairings.len()).sum::<usize>();
    if all > PAIRINGS_MAX {
        let what = format!("{all} pairings; write {PAIRINGS_MAX} at most, the rounds to come");
        return Err(Problem::new(1, "pairings", what));
    }
    Ok(rounds)
}

/// The lines with their numbers from 1, whichever line ends the file uses.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends_at_return = !text.contains('\n');
    let split = move |it: char| it == '\n' || ends_at_return && it == '\r';
    (1..).zip(text.split(split).map(|line| line.trim_end_matches('\r')))
}

/// Decodes UTF-8, or else the Western code page of older programs.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_is_refused() {
        let problem = read("table,white,black\n1,A,B\n").unwrap_err();
        assert!(problem.what.starts_with("neither PGN"), "{problem:?}");
    }

    #[test]
    fn a_table_has_one_game_in_a_round_and_the_second_is_the_one_that_is_refused() {
        let game = "[Round \"3.7\"]\n[White \"A\"]\n[Black \"B\"]\n\n*\n\n";
        let problem = read(&game.repeat(2)).unwrap_err();
        assert!(problem.what.starts_with("table 7 has a game in round 3 already"), "{problem:?}");
        assert_eq!((problem.line, problem.key), (8, "Round"));
    }

    #[test]
    fn names_of_older_programs_are_read_too() {
        assert_eq!(text(b"M\xfcller".to_vec()), "Müller");
        assert_eq!(text("Müller".as_bytes().to_vec()), "Müller");
    }
}
