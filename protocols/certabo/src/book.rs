//! Which man a tag belongs to, learned from starting positions. It never guesses: an unknown tag
//! stays unknown until somebody sets it up where it shows what it is.
//!
//! Tag ids are arbitrary, so 32 unknown tags in the starting position look the same from both
//! sides. The first lesson therefore follows the makers' rule, White at the board's own bottom
//! side, unless the spare queens (White's on d3, Black's on d6, as the makers teach them) show
//! otherwise. From then on the tags themselves tell how the board lies.

use std::collections::{BTreeMap, BTreeSet};

use bincode::{Decode, Encode};
use eboard::{Colour, Lessons, Man, Piece, Placement, Role, Square};

use crate::frame::{Tag, Tags};

/// More tags than eight sets have are not kept.
const TAGS: usize = 8 * 34;

/// A first lesson is corrected when no more men than these stand otherwise: king and queen, or
/// two minor pieces, exchanged on both sides. More is another position, as in Chess960.
const CORRECTED: usize = 4;

/// The tags that are known.
#[derive(Debug, Default, Encode, Decode)]
pub(crate) struct Book {
    men: BTreeMap<Tag, Man>,
    /// What was taught on other lines, or on this one before it was opened.
    recalled: Lessons,
    /// The last lesson was given on a board that lies the other way round.
    turned: bool,
    /// A man has come to rest in the middle since the first lesson: it is not corrected any more.
    closed: bool,
}

impl Book {
    /// The man a tag belongs to, if that was taught.
    pub fn piece(&self, tag: Tag) -> Option<Piece> {
        self.man(tag).map(|man| man.piece)
    }

    /// Whether anything was taught of the men that rest there.
    pub fn knows(&self, resting: &Tags) -> bool {
        !self.men.is_empty() || resting.iter().any(|&tag| self.man(tag).is_some())
    }

    pub fn recall(&mut self, lessons: &Lessons) {
        self.recalled = lessons.clone();
    }

    pub fn teach(&self, lessons: &mut Lessons) {
        lessons.extend(self.men.iter().map(|(tag, man)| (tag.id(), *man)));
    }

    fn man(&self, tag: Tag) -> Option<Man> {
        self.men.get(&tag).copied().or_else(|| self.recalled.man(tag.id()))
    }

    /// Learns from what rests on the squares, if it is a starting position.
    pub fn study(&mut self, resting: &Tags) {
        self.closed |= self.has_begun(resting);
        if is_set_up(resting)
            && let Some(turned) = self.orientation(resting)
        {
            self.learn(resting, turned);
        }
    }

    fn has_begun(&self, resting: &Tags) -> bool {
        let men = middle().filter_map(|square| self.man(at(resting, square)));
        men.into_iter().any(|man| !man.spare)
    }

    /// How the board lies; `None` if it is set up so that nothing can be learned.
    fn orientation(&mut self, resting: &Tags) -> Option<bool> {
        let shown = [false, true].map(|turned| spares(resting, turned).next().is_some());
        let shown = match shown {
            [true, true] => return None,
            [false, false] => None,
            [_, turned] => Some(turned),
        };
        if home().all(|square| self.piece(at(resting, square)).is_none()) {
            *self = Self { recalled: self.recalled.clone(), ..Self::default() };
            return Some(shown.unwrap_or(false));
        }
        let wanted = shown.unwrap_or(self.turned);
        let other = shown.is_some() && self.contradictions(resting, !wanted) == 0;
        let corrects =
            || self.contradictions(resting, wanted) <= CORRECTED && self.is_full_set(resting);
        if !self.closed && (other || corrects()) {
            return Some(wanted);
        }
        let agrees = |turned: &bool| self.contradictions(resting, *turned) == 0;
        let agreeing = [false, true].into_iter().find(agrees);
        agreeing.filter(|turned| shown.is_none_or(|shown| shown == *turned))
    }

    /// How many men stand where another one should.
    fn contradictions(&self, resting: &Tags, turned: bool) -> usize {
        let start = start(turned);
        let men = home().filter(|&square| {
            let piece = self.piece(at(resting, square));
            piece.is_some() && piece != start[square]
        });
        men.count()
    }

    /// Whether the men at home are those of a starting position, in whatever order.
    fn is_full_set(&self, resting: &Tags) -> bool {
        let start = Placement::starting();
        let mut wanted: Vec<_> = home().map(|square| start[square]).collect();
        let at = |square: Square| self.piece(at(resting, square));
        let mut found: Vec<_> = home().map(at).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        wanted == found
    }

    fn learn(&mut self, resting: &Tags, turned: bool) {
        let start = start(turned);
        self.turned = turned;
        for square in home() {
            if let Some(piece) = start[square] {
                self.write(at(resting, square), Man { piece, spare: false });
            }
        }
        for (tag, piece) in spares(resting, turned) {
            if !self.closed || self.piece(tag).is_none() {
                self.write(tag, Man { piece, spare: true });
            }
        }
    }

    fn write(&mut self, tag: Tag, man: Man) {
        if self.men.len() < TAGS || self.men.contains_key(&tag) {
            self.men.insert(tag, man);
        }
    }
}

/// 32 different tags on the outer ranks, and none elsewhere but where spare queens are shown.
fn is_set_up(resting: &Tags) -> bool {
    let at = |square| at(resting, square);
    let men: BTreeSet<Tag> = home().map(at).filter(|tag| *tag != Tag::NONE).collect();
    let others = middle().map(at).filter(|tag| *tag != Tag::NONE);
    let spares = [false, true].into_iter().flat_map(|turned| spares(resting, turned));
    let spares: Vec<Tag> = spares.map(|(tag, _)| tag).collect();
    men.len() == home().count()
        && others.count() == spares.len()
        && !spares.iter().any(|spare| men.contains(spare))
}

fn at(resting: &Tags, square: Square) -> Tag {
    resting[usize::from(square.index())]
}

fn start(turned: bool) -> Placement {
    if turned { Placement::starting().turned() } else { Placement::starting() }
}

/// What rests where the makers show spare queens.
fn spares(resting: &Tags, turned: bool) -> impl Iterator<Item = (Tag, Piece)> {
    const D_FILE: u8 = 3;
    let shown =
        [(2, Colour::White), (5, Colour::Black)].into_iter().filter_map(move |(rank, of)| {
            let square = Square::at(D_FILE, rank)?;
            let square = if turned { square.turned() } else { square };
            Some((at(resting, square), Piece::new(of, Role::Queen)))
        });
    shown.filter(|(tag, _)| *tag != Tag::NONE)
}

/// The four outer ranks.
fn home() -> impl Iterator<Item = Square> {
    Square::all().filter(|square| !(2..6).contains(&square.rank()))
}

/// The four ranks between them.
fn middle() -> impl Iterator<Item = Square> {
    Square::all().filter(|square| (2..6).contains(&square.rank()))
}
