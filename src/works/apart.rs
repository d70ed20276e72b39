//! What distinguishes lines and boards. Each answer looks at all the others, so a list of them
//! counts once for all its answers.

use std::collections::{BTreeMap, BTreeSet};

use witness::{LineNo, Seat};

use super::{Board, Works};

/// What the open lines are called, and which numbers their boards have.
pub struct Apart<'a> {
    works: &'a Works,
    /// By name: how many open lines have it.
    called: BTreeMap<&'a str, usize>,
    /// By serial number: how many boards that are present have it.
    numbered: BTreeMap<&'a str, usize>,
}

impl Works {
    /// Counts the names of the open lines and the numbers of their boards.
    #[must_use]
    pub fn apart(&self) -> Apart<'_> {
        let lines = self.lines().map(|(_, line)| line);
        // The path of a line may be among its links once more.
        let names = lines.flat_map(|line| line.id.names.iter().collect::<BTreeSet<_>>());
        let boards = self.lines().flat_map(|(_, line)| line.boards().map(|(_, board)| board));
        Apart {
            works: self,
            called: counted(names.map(String::as_str)),
            numbered: counted(boards.filter_map(serial)),
        }
    }
}

impl<'a> Apart<'a> {
    /// The best name of an open line. It lasts, and no other open line has it: some makers give all
    /// their adapters the same number.
    #[must_use]
    pub fn name_of(&self, number: LineNo) -> Option<&'a str> {
        let line = self.works.line(number)?;
        let alone = |name: &&String| self.called.get(name.as_str()) == Some(&1);
        let lasting = line.id.lasting();
        let best = lasting.iter().find(alone);
        let best = best.and_then(|best| line.id.names.iter().find(|it| *it == best));
        Some(best.unwrap_or(&line.id.path))
    }

    /// Whether another board that is present has the same serial number.
    #[must_use]
    pub fn is_twin(&self, at: Seat) -> bool {
        let number = self.works.board(at).and_then(serial);
        number.is_some_and(|number| self.numbered.get(number) > Some(&1))
    }
}

fn serial(board: &Board) -> Option<&str> {
    board.identity.as_ref()?.serial.as_deref()
}

fn counted<'a>(all: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counted = BTreeMap::new();
    for it in all {
        *counted.entry(it).or_default() += 1;
    }
    counted
}
