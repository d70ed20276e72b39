//! The game at a table as strict PGN. It is continued with each move instead of written anew, so a
//! move costs the same in a long game.

use std::ops::Range;

use shakmaty::{Color, Position as _};
use witness::Score;

use super::lines::Lines;
use super::{Tags, end, gap, head, ply, tags_of};

/// Bytes reserved for what follows the moves: a withdrawn result, and the present one.
const ROOM: usize = 64;

/// The moves of a game that are written so far, and the tags that were written last.
#[derive(Debug, Default)]
pub struct Moves {
    lines: Lines,
    /// Where each move ends.
    ends: Vec<usize>,
    version: u64,
    head: Head,
}

/// The tags as text, and the values that they were made of.
#[derive(Debug, Default)]
struct Head {
    tags: Tags,
    of_score: Vec<(&'static str, String)>,
    result: &'static str,
    text: String,
}

impl Moves {
    /// Writes the moves of a score. The first `same` of them are written already.
    pub fn follow(&mut self, score: &Score, same: usize) {
        // Strict PGN ends at the first break of the score.
        let made = score.plies().len();
        let legal = score.breaks().first().map_or(made, |broken| broken.at.min(made));
        self.ends.truncate(same.min(legal));
        let kept = self.ends.last().copied().unwrap_or_default();
        let before = self.lines.split_off(kept);
        let number = u32::from(score.start().fullmoves());
        let black_began = score.start().turn() == Color::Black;
        for index in self.ends.len()..legal {
            let half = index + usize::from(black_began);
            let turn = if half.is_multiple_of(2) { Color::White } else { Color::Black };
            let number = number + u32::try_from(half / 2).unwrap_or(u32::MAX);
            ply(&mut self.lines, score, index, (number, turn));
            self.ends.push(self.lines.text.len());
        }
        if self.lines.text.get(kept..) != Some(&before) {
            self.version += 1;
        }
    }

    /// The version of the moves. It changes whenever they read differently.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The game that was followed last, the same as by [`write`](super::write), and the place of
    /// its moves in it.
    pub fn text(&mut self, tags: &Tags, score: &Score) -> (String, Range<usize>) {
        self.head.follow(tags, score);
        let (head, moves) = (&self.head.text, &self.lines.text);
        let mut text = String::with_capacity(head.len() + moves.len() + ROOM);
        text.push_str(head);
        text.push_str(moves);
        let place = head.len()..text.len();
        let mut lines = Lines::after(text);
        let broken = score.breaks().iter().filter(|broken| broken.at == self.ends.len());
        if self.ends.len() < score.plies().len() {
            broken.for_each(|broken| lines.words(&gap(broken)));
        }
        end(&mut lines, score);
        (lines.text, place)
    }
}

impl Head {
    fn follow(&mut self, tags: &Tags, score: &Score) {
        let (of_score, result) = (tags_of(score), score.result());
        let same = self.result == result && self.tags == *tags && self.of_score == of_score;
        if !same || self.text.is_empty() {
            let pairs = of_score.iter().map(|(name, value)| (*name, value.clone()));
            let text = head(tags, result, pairs);
            *self = Self { tags: tags.clone(), of_score, result, text };
        }
    }
}
