//! What a board has shown since its log was last read. It is kept until the log is read again.
//!
//! Only the log has an order. A dump of all squares, or a lever that went over, may show an event
//! that the log has yet to report. Passed on at once, a press would come before the move that it
//! completes, and a square would seem to change without a report. So both wait for the next log.

use bincode::{Decode, Encode};
use eboard::{ClockFace, Placement, Side};

use super::log::Tag;

/// A dump and a clock face that wait for the log.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Held {
    squares: Option<Placement>,
    face: Option<ClockFace>,
    /// The side to which the lever went after that face, by the log.
    lever: Option<Side>,
    /// The last log could not be read to its end. Only a dump can say what stands there now.
    unread: bool,
}

impl Held {
    /// Whether to ask for the log before anything else.
    pub(crate) const fn wants_log(&self) -> bool {
        (self.squares.is_some() || self.face.is_some()) && !self.unread
    }

    /// Takes a dump, which replaces one that waits. Gives it back at once if the log can add
    /// nothing to it.
    pub(crate) fn squares(&mut self, squares: Placement) -> Option<Placement> {
        let again = self.squares.replace(squares).is_some();
        // A program that reads two dumps without a log between them does not read logs, so waiting
        // would be in vain.
        let now = again || std::mem::take(&mut self.unread);
        self.squares.take_if(|_| now)
    }

    /// Takes a face whose lever has gone over. Gives back the one that waited before, if any.
    pub(crate) fn face(&mut self, face: ClockFace) -> Option<ClockFace> {
        self.lever = None;
        self.face.replace(face)
    }

    /// Notes a press in the log, which moved the lever to this side.
    pub(crate) const fn pressed(&mut self, lever: Side) {
        self.lever = Some(lever);
    }

    /// Takes the face that waits, once the log was read to its end. The flag says whether the face
    /// still holds: the log may report a later press.
    pub(crate) fn take_face(&mut self) -> Option<(ClockFace, bool)> {
        let face = self.face.take_if(|_| !self.unread)?;
        Some((face, self.lever.is_none_or(|lever| lever == face.lever)))
    }

    /// Takes a log that was read to its end. Gives the dump that waited, brought up to date: the
    /// log's last word on a square is newer than the dump.
    pub(crate) fn read(&mut self, log: impl IntoIterator<Item = Tag>) -> Option<Placement> {
        let mut squares = self.squares.take_if(|_| !self.unread)?;
        for tag in log {
            if let Tag::Field { square, content, .. } = tag {
                squares[square] = content.man();
            }
        }
        Some(squares)
    }

    /// Notes that the log could not be read to its end. A dump that waited is older than that log,
    /// so it is dropped.
    pub(crate) fn unread(&mut self) {
        self.unread = true;
        self.squares = None;
    }
}
