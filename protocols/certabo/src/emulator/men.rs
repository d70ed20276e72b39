//! The men of an emulated board that reads tags: which tag each carries, and where those are that
//! stand beside the board. It knows no rule: any man may stand anywhere.

use eboard::{Piece, Placement, Square};

use super::Reader;
use super::noise::Noise;
use crate::frame::{Message, Tag, Tags};

/// The men of one table. Who puts up more men of a kind than there are gets, unless the box is
/// [`Men::boxed`], another with the tag of one that stands: whoever emulates a game need not show
/// spare queens first.
#[derive(Debug)]
pub struct Men {
    standing: [Option<(Piece, Tag)>; 64],
    /// Beside the board, the man lifted last at the end.
    beside: Vec<(Piece, Tag)>,
    /// Tags given away so far.
    made: u8,
    boxed: bool,
    noise: Option<Noise>,
}

impl Default for Men {
    fn default() -> Self {
        let mut men =
            Self { standing: [None; 64], beside: Vec::new(), made: 0, boxed: false, noise: None };
        let start = Placement::starting();
        for piece in Square::all().filter_map(|square| start[square]) {
            men.add(piece);
        }
        men
    }
}

impl Men {
    /// A real box: a spare queen for each side, and every man beyond that from somewhere else,
    /// with a tag of its own.
    #[must_use]
    pub fn boxed() -> Self {
        let mut men = Self { boxed: true, ..Self::default() };
        men.add(Piece::WhiteQueen);
        men.add(Piece::BlackQueen);
        men
    }

    /// The same men on a weak reader: ghosts on empty squares as often as in real frames, and
    /// misses and damaged bytes as often as real frames allow.
    #[must_use]
    pub fn noisy(self, seed: u64) -> Self {
        Self { noise: Some(Noise::new(seed)), ..self }
    }

    fn add(&mut self, piece: Piece) {
        let tag = self.new_tag();
        self.beside.push((piece, tag));
    }

    /// The first bytes are those of a real set. 91 is odd, so 256 tags differ in the last byte.
    fn new_tag(&mut self) -> Tag {
        let tag =
            Tag([3, 0, 84, 224 + self.made % 32, self.made.wrapping_mul(91).wrapping_add(13)]);
        self.made = self.made.wrapping_add(1);
        tag
    }

    /// Lifts first, so that a man put down before he was lifted is still the same man.
    fn carry(&mut self, squares: &Placement) {
        for (standing, square) in self.standing.iter_mut().zip(Square::all()) {
            if standing.map(|(piece, _)| piece) != squares[square] {
                self.beside.extend(standing.take());
            }
        }
        for (at, square) in Square::all().enumerate() {
            if let (None, Some(piece)) = (self.standing[at], squares[square]) {
                self.standing[at] = Some((piece, self.take(piece)));
            }
        }
    }

    fn take(&mut self, piece: Piece) -> Tag {
        if let Some(at) = self.beside.iter().rposition(|(beside, _)| *beside == piece) {
            return self.beside.remove(at).1;
        }
        let mut twins = self.standing.iter().flatten().filter(|(twin, _)| *twin == piece);
        match twins.next() {
            Some((_, tag)) if !self.boxed => *tag,
            _ => self.new_tag(),
        }
    }
}

impl Reader for Men {
    fn read(&mut self, squares: &Placement) -> Message {
        self.carry(squares);
        let mut tags: Tags = self.standing.map(|man| man.map_or(Tag::NONE, |(_, tag)| tag));
        if let Some(noise) = &mut self.noise {
            noise.disturb(&mut tags);
        }
        Message::Tags(Box::new(tags))
    }
}
