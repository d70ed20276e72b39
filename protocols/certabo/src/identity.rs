//! Boards that read tags (Certabo, Cerno): from frames of 320 numbers to a picture with pieces.
//! A tag that was never taught is no piece, and nothing is told before anything was taught.

use bincode::{Decode, Encode};
use eboard::{Anomaly, Lessons, Piece, Pieces, Placement};

use crate::book::Book;
use crate::device::Family;
use crate::frame::Message;
use crate::settled::Settled;

pub(crate) const NAME: &str = "certabo";

/// What a board that reads tags has shown and taught so far.
#[derive(Debug, Default, Encode, Decode)]
pub struct Identities {
    settled: Settled,
    book: Book,
    /// Tags rest otherwise than when the book was last opened.
    news: bool,
    recognised: bool,
}

impl Family for Identities {
    type Senses = Pieces;
    type Content = Option<Piece>;
    const NAME: &'static str = NAME;
    const EMPTY: Option<Piece> = None;

    fn take(&mut self, frame: &Message) -> Result<(), Anomaly> {
        let Message::Tags(tags) = frame else { return Err(Anomaly::BadLength) };
        self.recognised = true;
        self.news |= self.settled.see(tags, |tag| self.book.piece(tag).is_some());
        if self.news && self.settled.steady() {
            self.book.study(&self.settled.resting());
            self.news = false;
        }
        Ok(())
    }

    fn disturbed(&mut self) {}

    fn recognised(&self) -> bool {
        self.recognised
    }

    fn picture(&self) -> Option<[Option<Piece>; 64]> {
        let resting = self.settled.resting();
        let known = self.settled.complete() && self.book.knows(&resting);
        known.then(|| resting.map(|tag| self.book.piece(tag)))
    }

    fn board(picture: &[Option<Piece>; 64]) -> Placement {
        Placement::from_squares(*picture)
    }

    /// What was taught stays: a tag is a tag, whenever it comes.
    fn begin_again(&mut self) {
        self.settled = Settled::default();
        self.recognised = false;
    }

    fn teach(&self, lessons: &mut Lessons) {
        self.book.teach(lessons);
    }

    fn recall(&mut self, lessons: &Lessons) {
        self.book.recall(lessons);
    }
}
