//! Pairings without a board and games without a pairing, while the other tables play their round.
//! Boards come up one after the other, and free boards stand in most halls, so neither is an alert
//! before the round is under way.

use bincode::{Decode, Encode};
use eboard::Moment;

use super::watch::Watch;
use crate::incident::Kind;
use crate::table::tolerances::{PLUGGED_IN, PUT_RIGHT};

/// What a table lacks, and since when.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Unmatched {
    board: Watch<()>,
    pairing: Watch<()>,
}

/// What a table lacks now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lacks {
    /// It has a pairing in the round that is played, no move and no board.
    pub board: bool,
    /// A game is played here without a pairing in that round.
    pub pairing: bool,
}

impl Unmatched {
    /// Looks at what the table lacks now.
    pub fn note(&mut self, now: Moment, lacks: Lacks) {
        self.board.follow(now, lacks.board.then_some(()));
        self.pairing.follow(now, lacks.pairing.then_some(()));
    }

    /// Another game begins: the same may be reported of it.
    pub fn begins(&mut self) {
        self.pairing = Watch::default();
    }

    /// When something will have been lacking for long enough.
    pub fn due_at(&self) -> Option<Moment> {
        let board = self.board.due_at(PLUGGED_IN);
        board.into_iter().chain(self.pairing.due_at(PUT_RIGHT)).min()
    }

    /// What is to be reported now, and since when it has been so.
    pub fn due(&mut self, now: Moment) -> Option<(Kind, Moment)> {
        let board = self.board.due(now, PLUGGED_IN).map(|(_, since)| (Kind::NoBoard, since));
        let pairing =
            || self.pairing.due(now, PUT_RIGHT).map(|(_, since)| (Kind::NoPairing, since));
        board.or_else(pairing)
    }
}
