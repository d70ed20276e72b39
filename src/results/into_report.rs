//! Writes results into a report (TRF16, TRF26): the marks of the round, and the points of its
//! players. Not another byte of the file changes, because it belongs to the pairing program.

use std::collections::BTreeMap;
use std::ops::Range;

use shakmaty::{Color, KnownOutcome};
use witness::{Award, Ending, TableNo};

use super::points::{PointSystem, tenths};
use super::{Outcome, Remark, assigned};
use crate::pairings::trf::{POINTS, Report, result_column};
use crate::pairings::{self, Pairing, Problem};
use crate::say;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A report with results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What needs a look.
    pub remarks: Vec<Remark>,
    /// The tables of the games whose results are written, by White's starting number.
    pub(super) tables: BTreeMap<u32, TableNo>,
}

/// The index of a round in a report, counted from 0.
pub(super) fn index(round: &str) -> Result<usize, Problem> {
    let number = round.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
    number.ok_or_else(|| Problem::new(1, "round", say::round_of_no_report(round)))
}

/// Fills in the results of a round. Games without a result and byes stay as they are.
///
/// # Errors
/// If the report cannot be read, or has no games of this round.
pub fn fill(file: &[u8], round: &str, outcomes: &[Outcome]) -> Result<Filled, Problem> {
    let text = pairings::text(file.to_vec());
    let report = Report::read(&text)?;
    let at = index(round)?;
    let games = report.games(at)?;
    if games.is_empty() {
        return Err(Problem::new(1, "round", say::no_pairings(round)));
    }
    let paired: Vec<Pairing> = games.iter().map(|game| report.pairing(game)).collect();
    let (results, mut remarks) = assigned(&paired, outcomes);
    let system = PointSystem::read(&text);
    let mut editor = Editor::new(file);
    let mut tables = BTreeMap::new();
    for (game, (table, ending)) in results {
        let players = games[game].players;
        tables.insert(players[0], table);
        let before = players.map(|number| report.cell(number, at).map_or(' ', |cell| cell.mark));
        let after = marks(ending);
        remarks.extend(changed(table, before, after));
        for (side, number) in players.into_iter().enumerate() {
            let Some(entrant) = report.entrants.get(&number) else { continue };
            if !is_like(before[side], after[side]) {
                let worth = |mark| system.worth(mark, side == 0);
                let more = worth(after[side]) - worth(before[side]);
                editor.write(entrant.line, result_column(at), after[side], more);
            }
        }
    }
    Ok(Filled { bytes: editor.bytes(), remarks, tables })
}

/// The marks of a result in White's line and in Black's.
pub(super) fn marks(ending: Ending) -> [char; 2] {
    let [won, lost] = if ending.was_played() { ['1', '0'] } else { ['+', '-'] };
    match ending.outcome {
        Award::Known(KnownOutcome::Decisive { winner: Color::White }) => [won, lost],
        Award::Known(KnownOutcome::Decisive { winner: Color::Black }) => [lost, won],
        Award::Known(KnownOutcome::Draw) => ['=', '='],
        Award::Half(Color::White) => ['=', '0'],
        Award::Half(Color::Black) => ['0', '='],
        Award::BothLost => [lost, lost],
    }
}

/// The result that two marks make; none: no result, or one that is not known here.
pub(super) fn read(written: [char; 2]) -> Option<Ending> {
    Ending::enterable().find(|it| marks(*it) == written.map(usual))
}

/// The usual mark for one of a game of less than a move. Those games have marks of their own, and
/// the same points.
fn usual(mark: char) -> char {
    match mark.to_ascii_uppercase() {
        'W' => '1',
        'D' => '=',
        'L' => '0',
        other => other,
    }
}

fn is_like(one: char, other: char) -> bool {
    usual(one) == usual(other)
}

fn changed(table: TableNo, before: [char; 2], after: [char; 2]) -> Option<Remark> {
    let (was, is) = (read(before)?, read(after)?);
    (was != is).then_some(Remark::Changed(table, was.written(), is.written()))
}

/// Changes the lines of a file in place, by columns. It keeps every line end and the encoding.
struct Editor<'a> {
    file: &'a [u8],
    utf8: bool,
    /// The bytes of each line, without its line end and without the byte order mark.
    lines: Vec<Range<usize>>,
    changed: BTreeMap<usize, Vec<char>>,
}

impl<'a> Editor<'a> {
    fn new(file: &'a [u8]) -> Self {
        let utf8 = std::str::from_utf8(file).is_ok();
        let end = if file.contains(&b'\n') { b'\n' } else { b'\r' };
        let mut lines = Vec::new();
        let mut from = if file.starts_with(BOM) { BOM.len() } else { 0 };
        for (at, _) in file.iter().enumerate().filter(|(_, byte)| **byte == end) {
            lines.push(from..at.max(from));
            from = at + 1;
        }
        lines.push(from..file.len());
        for line in &mut lines {
            while line.end > line.start && file[line.end - 1] == b'\r' {
                line.end -= 1;
            }
        }
        Self { file, utf8, lines, changed: BTreeMap::new() }
    }

    /// Writes a mark into a line and column, both counted from 1, and adds `more` tenths of a
    /// point.
    fn write(&mut self, line: usize, column: usize, mark: char, more: i32) {
        let Some(range) = self.lines.get(line - 1).cloned() else { return };
        let bytes = &self.file[range];
        let letters = self.changed.entry(line - 1).or_insert_with(|| match self.utf8 {
            true => String::from_utf8_lossy(bytes).chars().collect(),
            false => bytes.iter().copied().map(char::from).collect(),
        });
        if letters.len() < column {
            letters.resize(column, ' ');
        }
        letters[column - 1] = mark;
        add(letters, more);
    }

    fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.file.len() + 16);
        let mut copied = 0;
        for (line, letters) in &self.changed {
            let range = self.lines[*line].clone();
            bytes.extend_from_slice(&self.file[copied..range.start]);
            match self.utf8 {
                true => bytes.extend_from_slice(letters.iter().collect::<String>().as_bytes()),
                // Each letter of such a file was read from one byte.
                false => bytes.extend(letters.iter().map(|it| u8::try_from(*it).unwrap_or(b'?'))),
            }
            copied = range.end;
        }
        bytes.extend_from_slice(&self.file[copied..]);
        bytes
    }
}

/// Adds tenths of a point to the points of a line. A field without points stays empty, and points
/// that stay the same stay as they are written.
fn add(letters: &mut [char], more: i32) {
    let Some(field) = letters.get_mut(POINTS.0 - 1..POINTS.1).filter(|_| more != 0) else { return };
    let text: String = field.iter().collect();
    let Some(points) = tenths(&text).map(|it| it + more).filter(|it| *it >= 0) else { return };
    let point = if text.contains(',') { ',' } else { '.' };
    let text = format!("{:>4}", format!("{}{point}{}", points / 10, points % 10));
    let letters: Vec<char> = text.chars().collect();
    if letters.len() == field.len() {
        field.copy_from_slice(&letters);
    }
}
