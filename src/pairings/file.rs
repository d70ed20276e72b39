//! Reads files with pairings. It finds out the format, and checks what holds for every format.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use witness::Message;

use super::{NAME_MAX, Player, Round, is_plain, pgn, trf};
use crate::say;

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
    pub what: Message,
}

impl Problem {
    pub(crate) fn new(line: usize, key: &'static str, what: Message) -> Self {
        Self { line, key, what }
    }

    /// A file or text that cannot be read at all.
    pub(crate) fn unreadable(error: &std::io::Error) -> Self {
        Self::new(1, "pairings", say::pairings_unreadable(&error.to_string()))
    }
}

/// The rounds of a file, in the file's order.
///
/// # Errors
/// If it cannot be read, or a value in it is wrong.
pub fn load(path: &Path) -> Result<Vec<Round>, Problem> {
    let fail = |error: std::io::Error| Problem::unreadable(&error);
    if fs::metadata(path).map_err(fail)?.len() > FILE_MAX {
        return Err(Problem::new(1, "pairings", say::pairings_too_long()));
    }
    read(&text(fs::read(path).map_err(fail)?))
}

/// What a file with pairings is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Games in PGN.
    Pgn,
    /// The report of a pairing program.
    Report,
}

impl Source {
    /// Its short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Report => "trf",
        }
    }
}

/// What a file is, and its rounds.
///
/// # Errors
/// If a value in it is wrong.
pub fn of(bytes: Vec<u8>) -> Result<(Source, Vec<Round>), Problem> {
    either(&text(bytes))
}

/// The rounds of a text.
///
/// # Errors
/// If a value in it is wrong.
pub fn read(text: &str) -> Result<Vec<Round>, Problem> {
    either(text).map(|(_, rounds)| rounds)
}

fn either(text: &str) -> Result<(Source, Vec<Round>), Problem> {
    let text = text.trim_start_matches('\u{feff}');
    let (source, rounds) = if text.trim_start().starts_with('[') {
        (Source::Pgn, pgn::read(text)?)
    } else if lines(text).any(|(_, line)| line.starts_with("001 ")) {
        (Source::Report, trf::read(text)?)
    } else {
        return Err(Problem::new(1, "pairings", say::pairings_neither()));
    };
    few(&rounds).map_err(|why| Problem::new(1, "pairings", why))?;
    // A report may be one of players who are not paired yet.
    if source == Source::Pgn && rounds.iter().all(|it| it.pairings.is_empty()) {
        return Err(Problem::new(1, "pairings", say::pairings_none()));
    }
    Ok((source, rounds))
}

fn few(rounds: &[Round]) -> Result<(), Message> {
    let all = rounds.iter().map(|round| round.pairings.len()).sum();
    if all > PAIRINGS_MAX { Err(say::pairings_too_many(all, PAIRINGS_MAX)) } else { Ok(()) }
}

/// Whether pairings that somebody has put together can be meant.
///
/// # Errors
/// With the round and the table of the first that cannot.
pub fn judge(rounds: &[Round]) -> Result<(), Message> {
    few(rounds)?;
    let mut names = BTreeSet::new();
    for round in rounds {
        let name = &round.name;
        if !names.insert(name) || !is_plain(name) || name.chars().count() > NAME_MAX {
            return Err(say::round_unfit(name, NAME_MAX));
        }
        let mut tables = BTreeSet::new();
        for pairing in &round.pairings {
            let at = |what| say::pairing_at(name, pairing.table, what);
            if pairing.table.get() == 0 || !tables.insert(pairing.table) {
                return Err(at(say::table_unfit()));
            }
            for player in [&pairing.players.white, &pairing.players.black] {
                known(player).map_err(at)?;
            }
            pairing.array().map_err(|error| at(error.text()))?;
        }
    }
    Ok(())
}

fn known(player: &Player) -> Result<(), Message> {
    let words = [Some(&player.name), player.title.as_ref(), player.federation.as_ref()];
    for word in words.into_iter().flatten() {
        if !is_plain(word) {
            return Err(say::player_in_one_line());
        }
        if word.chars().count() > NAME_MAX {
            return Err(say::player_too_long(NAME_MAX));
        }
    }
    Ok(())
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
    use words::InWords as _;

    use super::*;

    #[test]
    fn what_is_neither_is_refused() {
        let problem = read("table,white,black\n1,A,B\n").unwrap_err();
        assert!(problem.what.en().starts_with("neither PGN"), "{problem:?}");
    }

    #[test]
    fn a_file_without_a_game_is_none_but_players_may_wait_for_their_pairing() {
        for text in ["[foo]\n", "[Event \"Open\"]\n\n*\n"] {
            let problem = read(text).unwrap_err();
            assert!(problem.what.en().starts_with("no game in it; write for each"), "{problem:?}");
        }
        let waiting = format!("001 {:>4} m    {:<33}\n", 1, "Doe, Jane");
        assert_eq!(read(&waiting), Ok(Vec::new()));
    }

    #[test]
    fn a_table_has_one_game_in_a_round_and_the_second_is_the_one_that_is_refused() {
        let game = "[Round \"3.7\"]\n[White \"A\"]\n[Black \"B\"]\n\n*\n\n";
        let problem = read(&game.repeat(2)).unwrap_err();
        let what = problem.what.en();
        assert_eq!(
            what,
            "game 2 in the file (A – B): table 7 has one already (A – B); give each game a table \
             of its own, here [Round \"3.1\"] (teams and matches: count the boards through)"
        );
        assert_eq!((problem.line, problem.key), (8, "Round"));
    }

    #[test]
    fn names_of_older_programs_are_read_too() {
        assert_eq!(text(b"M\xfcller".to_vec()), "Müller");
        assert_eq!(text("Müller".as_bytes().to_vec()), "Müller");
    }
}
