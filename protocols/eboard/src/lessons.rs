//! What a conversation has learned that holds on every line: which man a tag belongs to. A set of
//! men that was taught once is known wherever it is put, and after its cable was out.

use std::collections::BTreeMap;
use std::sync::Arc;

use bincode::{Decode, Encode};

use crate::Piece;

/// A man in whose foot a tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Man {
    /// What it is.
    pub piece: Piece,
    /// It was taught as a spare: it stands beside the board until a pawn is promoted.
    pub spare: bool,
}

/// More tags than the sets of a thousand boards have are noise.
const TAGS: usize = 1000 * 34;

/// Men by the ids of their tags. Cheap to hand on.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct Lessons(Arc<BTreeMap<u64, Man>>);

impl Lessons {
    /// The man a tag belongs to, if that was ever taught.
    #[must_use]
    pub fn man(&self, tag: u64) -> Option<Man> {
        self.0.get(&tag).copied()
    }

    /// Whether nothing was ever taught.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps what was taught; the last lesson holds.
    pub fn extend(&mut self, taught: impl IntoIterator<Item = (u64, Man)>) {
        let mut taught = taught.into_iter().peekable();
        if taught.peek().is_none() {
            return;
        }
        let men = Arc::make_mut(&mut self.0);
        for (tag, man) in taught {
            if men.len() < TAGS || men.contains_key(&tag) {
                men.insert(tag, man);
            }
        }
    }
}
