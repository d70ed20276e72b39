//! What one message of the board says, and how it is written. Not how messages are found in a
//! stream (see [`crate::Decoder`]), and not which man a tag belongs to.

use bincode::{Decode, Encode};
use eboard::{Occupancy, Square};

/// Bytes of one tag.
const TAG_BYTES: usize = 5;

/// Numbers in a frame of a board that reads tags: 64 squares, five bytes each.
pub const TAG_NUMBERS: usize = 64 * TAG_BYTES;

/// Numbers in a frame of a board that senses occupied squares: one byte for each rank.
pub const RANK_NUMBERS: usize = 8;

/// What was read on one square: the arbitrary id of the tag in a man's foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Tag(pub [u8; TAG_BYTES]);

impl Tag {
    /// Nothing was read. Five zeros on the wire.
    pub const NONE: Self = Self([0; TAG_BYTES]);

    /// The id as a number.
    pub(crate) fn id(self) -> u64 {
        self.0.into_iter().fold(0, |id, byte| id << 8 | u64::from(byte))
    }
}

/// What was read on all squares, a8 first.
pub type Tags = [Tag; 64];

/// Which lamps a board has, as it tells after it was sent a picture for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Lamps {
    /// One colour: `L`.
    Mono,
    /// All colours: `D`.
    Rgb,
}

/// One message of the board.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Message {
    /// 320 numbers: the tag on each square.
    Tags(Box<Tags>),
    /// 8 numbers: which squares are occupied.
    Occupied(Occupancy),
    /// A picture for the lamps has been taken.
    Lit(Lamps),
}

impl Message {
    /// The bytes a board sends.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Tags(tags) => line(tags.iter().flat_map(|tag| tag.0)),
            Self::Occupied(occupancy) => line(ranks(*occupancy)),
            Self::Lit(Lamps::Mono) => b"L\r\n".to_vec(),
            Self::Lit(Lamps::Rgb) => b"D\r\n".to_vec(),
        }
    }

    /// The frame with these numbers; `None` unless there are exactly 8 or 320.
    pub(crate) fn from_numbers(numbers: &[u8]) -> Option<Self> {
        if let Ok(ranks) = <[u8; RANK_NUMBERS]>::try_from(numbers) {
            return Some(Self::Occupied(occupancy(ranks)));
        }
        let (tags, rest) = numbers.as_chunks::<TAG_BYTES>();
        let tags: Vec<Tag> = tags.iter().copied().map(Tag).collect();
        let tags = tags.into_boxed_slice().try_into().ok();
        tags.filter(|_| rest.is_empty()).map(Self::Tags)
    }
}

fn line(numbers: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!(":{} \r\n", numbers.join(" ")).into_bytes()
}

/// Rank 8 first; in each byte the a-file is the highest bit.
fn ranks(occupancy: Occupancy) -> [u8; RANK_NUMBERS] {
    let mut ranks = [0; RANK_NUMBERS];
    for square in Square::all().filter(|&square| occupancy.contains(square)) {
        ranks[usize::from(7 - square.rank())] |= 0x80 >> square.file();
    }
    ranks
}

fn occupancy(ranks: [u8; RANK_NUMBERS]) -> Occupancy {
    let mut occupancy = Occupancy::default();
    for square in Square::all() {
        let rank = ranks[usize::from(7 - square.rank())];
        occupancy.set(square, rank & 0x80 >> square.file() != 0);
    }
    occupancy
}
