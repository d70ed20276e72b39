//! Reports that never came, or came through damaged: squares that differ from what is there, and
//! what is open again when the board has reported all of them.

use std::borrow::Cow;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Position};

use super::Tracker;
use super::stands::Reading;
use crate::picture::{Picture, differing};
use crate::score::Confidence;

/// Squares that look otherwise than they are until something is heard of them.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct Stale {
    squares: Bitboard,
    since: Moment,
}

impl Stale {
    pub fn new(now: Moment, squares: Bitboard) -> Self {
        Self { squares, since: now }
    }

    /// Those that nothing has been heard of yet.
    pub fn live(self, picture: &Picture) -> Bitboard {
        if self.squares.is_empty() || picture.confirmed() > self.since {
            return Bitboard::EMPTY;
        }
        self.squares.into_iter().filter(|&it| picture.stirred(it) <= self.since).collect()
    }
}

impl Reading {
    /// The picture as it is if this reading is true.
    pub(super) fn corrected<'a>(&self, picture: &'a Picture) -> Cow<'a, Picture> {
        match self.stale.live(picture) {
            Bitboard::EMPTY => Cow::Borrowed(picture),
            live => Cow::Owned(picture.with(live, self.position.board())),
        }
    }

    /// Whether this is how its position looks.
    pub(super) fn shows(&self, picture: &Picture) -> bool {
        picture.shows(self.position.board())
            || !self.stale.squares.is_empty()
                && self.corrected(picture).shows(self.position.board())
    }

    pub(super) fn is_guessed(&self) -> bool {
        !self.stale.squares.is_empty()
    }
}

impl Tracker {
    /// The board was asked for all its squares, and these differ from its reports since its last
    /// report of the whole board. What moves have done to them since then is open again.
    pub fn correct(&mut self, squares: Bitboard, since: Moment) {
        let later = |&at: &usize| at != 0 && self.stands[at].seen > since;
        let path: Vec<_> = self.stands.back_from(self.shown).take_while(later).collect();
        let touched = |&stand: &usize| {
            let stand = &self.stands[stand];
            let before = self.stands[stand.parent].position();
            !differing(before.board(), stand.position().board()).is_disjoint(squares)
        };
        let Some(first) = path.iter().rposition(touched) else { return };
        for &at in &path[..=first] {
            (self.stands[at].pressed, self.stands[at].rested) = (false, false);
        }
        self.doubts.corrected = Some(self.stands[path[first]].parent);
    }

    /// The picture as it is if what is shown is true.
    pub fn corrected<'a>(&self, picture: &'a Picture) -> Cow<'a, Picture> {
        self.stands[self.shown].readings[0].corrected(picture)
    }

    /// What builds on a picture that can be read in several ways proves that it stood there.
    pub(super) fn follow_trunk(&mut self, standing: usize) {
        let Some(trunk) = self.doubts.trunk else { return };
        let parent = self.stands[standing].parent;
        if self.stands.comes_after(parent, trunk) {
            self.doubts.trunk = Some(parent);
        }
        if self.stands.comes_after(self.shown, trunk) || !self.stands.comes_after(standing, trunk) {
            self.doubts.trunk = None;
        }
    }

    /// Whether this picture is explained by reports that were lost.
    pub(super) fn was_guessed(&self, stand: usize) -> bool {
        let reading = &self.stands[stand].readings[0];
        reading.is_guessed() && reading.confidence == Confidence::Inferred
    }
}
