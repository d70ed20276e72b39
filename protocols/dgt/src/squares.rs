//! What the board has told of its squares, and whether to ask once more: frames have no checksum,
//! so a change that came through damaged looks like any other, and one that was lost like none.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Piece, Placement, Square};

/// After its last change a board is given so long before it is asked for all its squares: a hand
/// rarely rests in the middle of a move, and a dump takes 0.07 s of the line.
const QUIET: Duration = Duration::from_secs(1);
/// Hands that never rest do not keep the question back for longer than this.
const RESTLESS: Duration = Duration::from_secs(5);
/// A dump that contradicts the changes and is neither confirmed nor refuted within this time is
/// taken as it is: nobody answers in a recording.
const UNCONFIRMED: Duration = Duration::from_secs(1);

/// The squares as far as they have been told.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Squares {
    reported: Option<Placement>,
    /// A dump that contradicts what was told, and when it came.
    doubted: Option<(Placement, Moment)>,
    /// When the first and the last change came that no dump has confirmed.
    changed: Option<(Moment, Moment)>,
}

/// What becomes of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dump {
    /// It says what the changes said, or is the first one.
    Same,
    /// Changes were lost or damaged on the way.
    Corrects,
    /// Either they were or this dump is: it is to be asked for once more.
    Doubtful,
}

impl Squares {
    /// One square was told.
    pub(crate) fn change(&mut self, now: Moment, square: Square, piece: Option<Piece>) {
        if let Some(reported) = &mut self.reported {
            reported[square] = piece;
        }
        if let Some((doubted, _)) = &mut self.doubted {
            doubted[square] = piece;
        }
        let first = self.changed.map_or(now, |(first, _)| first);
        self.changed = Some((first, now));
    }

    /// The whole board was told. Where nobody can be asked again nothing is doubtful.
    pub(crate) fn dump(&mut self, now: Moment, placement: Placement, asks: bool) -> Dump {
        self.changed = None;
        let doubted = self.doubted.take();
        let Some(reported) = self.reported.filter(|reported| *reported != placement) else {
            self.reported = Some(placement);
            return Dump::Same;
        };
        let twice =
            |it: &Placement| reported.differing(&placement).all(|sq| it[sq] == placement[sq]);
        if !asks || doubted.is_some_and(|(doubted, _)| twice(&doubted)) {
            self.reported = Some(placement);
            return Dump::Corrects;
        }
        self.doubted = Some((placement, now));
        Dump::Doubtful
    }

    /// When the whole board is to be asked for, to confirm what changed.
    pub(crate) fn ask_at(&self) -> Option<Moment> {
        self.changed.map(|(first, last)| (last + QUIET).min(first + RESTLESS))
    }

    /// It is being asked for.
    pub(crate) fn asked(&mut self) {
        self.changed = None;
    }

    /// When a doubtful dump is taken as it is.
    pub(crate) fn give_in_at(&self) -> Option<Moment> {
        self.doubted.map(|(_, since)| since + UNCONFIRMED)
    }

    /// Nobody has confirmed or refuted a dump in time: that is what stands there then.
    pub(crate) fn give_in(&mut self, now: Moment) -> Option<Placement> {
        let (placement, _) = self.doubted.take_if(|(_, since)| *since + UNCONFIRMED <= now)?;
        self.reported = Some(placement);
        Some(placement)
    }

    /// Another board sits on the line.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}
