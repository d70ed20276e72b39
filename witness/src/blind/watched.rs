//! What the squares of a blind board did, and when: every change since the oldest moment that still
//! matters.

use crate::tolerances::SCAN_AND_LINE;
use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Square};

/// A square that became empty or occupied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct Toggle {
    pub at: Moment,
    pub square: Square,
    pub filled: bool,
}

/// What changed at one moment, and what was occupied after it.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Frame {
    at: Moment,
    occupied: Bitboard,
    changed: Bitboard,
}

/// All of it, the oldest first.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Watched {
    /// How many frames have been forgotten.
    forgotten: usize,
    frames: Vec<Frame>,
}

impl Watched {
    pub fn new(at: Moment, occupied: Bitboard) -> Self {
        let frame = Frame { at, occupied, changed: Bitboard::EMPTY };
        Self { forgotten: 0, frames: vec![frame] }
    }

    /// Takes a picture in. True if it is another one than before.
    pub fn see(&mut self, at: Moment, occupied: Bitboard) -> bool {
        let changed = self.occupied() ^ occupied;
        if changed.any() {
            self.frames.push(Frame { at, occupied, changed });
        }
        changed.any()
    }

    pub fn occupied(&self) -> Bitboard {
        self.frames.last().map_or(Bitboard::EMPTY, |frame| frame.occupied)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.forgotten + self.frames.len() - 1
    }

    /// When the squares changed last.
    pub fn changed(&self) -> Moment {
        self.frames.last().map_or(Moment::ZERO, |frame| frame.at)
    }

    /// What changed after this frame.
    pub fn since(&self, frame: usize) -> impl Iterator<Item = Toggle> {
        let skipped = (frame + 1).saturating_sub(self.forgotten);
        self.frames.iter().skip(skipped).flat_map(|frame| {
            let Frame { at, occupied, changed } = *frame;
            let toggle = move |square| Toggle { at, square, filled: occupied.contains(square) };
            changed.into_iter().map(toggle)
        })
    }

    /// Squares that changed once within one scan before the last frame, or with it.
    pub fn just_changed(&self) -> Bitboard {
        let recent =
            self.frames.iter().rev().take_while(|it| it.at + SCAN_AND_LINE > self.changed());
        let (mut once, mut again) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for frame in recent {
            again |= once & frame.changed;
            once |= frame.changed;
        }
        once & !again
    }

    /// Nobody asks any more for what changed before this frame.
    pub fn forget_before(&mut self, frame: usize) {
        let surplus = frame.saturating_sub(self.forgotten).min(self.frames.len() - 1);
        self.frames.drain(..surplus);
        self.forgotten += surplus;
    }
}
