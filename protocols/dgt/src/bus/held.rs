//! What a board has shown since its log was read last, kept until the log is read again.
//!
//! The log alone has an order: all squares, or a lever that went over, may show what the log has
//! still to tell. Told at once, a press would come before the move that it completes, and a square
//! would seem to have changed without a report. So both wait until the log has been read once more.

use bincode::{Decode, Encode};
use eboard::{ClockFace, Placement, Side};

use super::log::Tag;

/// What waits for the log.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Held {
    squares: Option<Placement>,
    face: Option<ClockFace>,
    /// Where the log says the lever went after that face was told.
    lever: Option<Side>,
    /// The last log could not be read to its end: only all squares tell what stands there now.
    unread: bool,
}

impl Held {
    /// Whether the log is to be asked for before anything else.
    pub(crate) const fn wants_log(&self) -> bool {
        (self.squares.is_some() || self.face.is_some()) && !self.unread
    }

    /// All squares were told; those that waited are history. Gives them back if the log can add
    /// nothing to them.
    pub(crate) fn squares(&mut self, squares: Placement) -> Option<Placement> {
        let again = self.squares.replace(squares).is_some();
        // Whoever reads two dumps in a row and no log between them does not read logs.
        let now = again || std::mem::take(&mut self.unread);
        self.squares.take_if(|_| now)
    }

    /// A face on which the lever has gone over. One that waited already is given back.
    pub(crate) fn face(&mut self, face: ClockFace) -> Option<ClockFace> {
        self.lever = None;
        self.face.replace(face)
    }

    /// The log tells of a press that gave this half the move.
    pub(crate) const fn pressed(&mut self, lever: Side) {
        self.lever = Some(lever);
    }

    /// The face that waits, if it waits for nothing more, and whether it is still true: the log may
    /// tell of a press after it.
    pub(crate) fn take_face(&mut self) -> Option<(ClockFace, bool)> {
        let face = self.face.take_if(|_| !self.unread)?;
        Some((face, self.lever.is_none_or(|lever| lever == face.lever)))
    }

    /// The log has been read to its end: what it says last of a square is newer than the squares
    /// that waited.
    pub(crate) fn read(&mut self, log: impl IntoIterator<Item = Tag>) -> Option<Placement> {
        let mut squares = self.squares.take_if(|_| !self.unread)?;
        for tag in log {
            if let Tag::Field { square, content, .. } = tag {
                squares[square] = content.man();
            }
        }
        Some(squares)
    }

    /// The log could not be read to its end. The squares that waited are older than it.
    pub(crate) fn unread(&mut self) {
        self.unread = true;
        self.squares = None;
    }
}
