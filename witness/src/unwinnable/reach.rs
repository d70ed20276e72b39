//! Where each piece can ever get to, if everybody helps and nobody is in the way for longer than
//! he must be.
//!
//! A relaxation that only ever grows: a piece steps to a square that may be empty at some time or
//! hold something to capture at some time; a square may be empty if nothing stands there now, or
//! if what stands there can leave or be captured. Whatever really can happen is in it, so what it
//! excludes is excluded; what it allows need not be possible.

use shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Role, Square,
    attacks,
};

/// One piece and its future.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub piece: Piece,
    pub home: Square,
    /// Where it may stand as what it is now.
    pub on: Bitboard,
    /// Where it may stand after a promotion, as a queen or as a knight, which between them have
    /// the moves of all pieces.
    pub crowned: Bitboard,
}

impl Man {
    /// Where it may ever stand.
    pub fn anywhere(&self) -> Bitboard {
        self.on | self.crowned
    }
}

/// What every piece of a position may reach.
#[derive(Debug)]
pub(super) struct Reach {
    pub men: Vec<Man>,
    /// Squares that may be empty at some time.
    pub clear: Bitboard,
    /// Where a piece that can be captured may stand: all but kings.
    visited: ByColor<Bitboard>,
    /// Where a piece may stand that is captured, by any piece.
    taken: ByColor<Bitboard>,
    /// Where a king may capture and thereby end the game, for the other side has no move left.
    pub last: ByColor<Bitboard>,
    /// Somebody may still castle.
    pub castling: bool,
    changed: bool,
}

impl Reach {
    pub fn of(position: &Chess) -> Self {
        let board = position.board();
        let mut reach = Self {
            men: Vec::with_capacity(32),
            clear: !board.occupied(),
            visited: ByColor::new_with(|color| board.by_color(color) & !board.kings()),
            taken: ByColor::default(),
            last: ByColor::default(),
            castling: position.castles().any(),
            changed: true,
        };
        for (home, piece) in board {
            let (on, crowned) = (Bitboard::from(home), Bitboard::EMPTY);
            reach.men.push(Man { piece, home, on, crowned });
        }
        reach.en_passant_now(position);
        while reach.changed {
            reach.changed = false;
            reach.castling(position);
            let barred = ByColor::new_with(|color| reach.barred_to_king(color));
            for index in 0..reach.men.len() {
                reach.step(index, &barred);
            }
        }
        reach
    }

    /// Later en passant captures need nothing of their own: a pawn that goes two squares could
    /// have gone one, so it may be captured there anyway.
    fn en_passant_now(&mut self, position: &Chess) {
        if let Some(square) = position.ep_square(EnPassantMode::Legal) {
            let captured = match position.turn() {
                Color::White => square.offset(-8),
                Color::Black => square.offset(8),
            };
            self.visited.get_mut(!position.turn()).add(square);
            captured.into_iter().for_each(|square| self.clear.add(square));
        }
    }

    fn castling(&mut self, position: &Chess) {
        let castles = position.castles();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = castles.rook(color, side) else { continue };
                if castles.path(color, side).is_subset(self.clear) {
                    let king = position.board().king_of(color);
                    self.arrive_from(king, side.king_to(color));
                    self.arrive_from(Some(rook), side.rook_to(color));
                }
            }
        }
    }

    fn arrive_from(&mut self, home: Option<Square>, to: Square) {
        if let Some(index) = self.men.iter().position(|man| Some(man.home) == home) {
            self.arrive(index, Bitboard::from(to), Bitboard::EMPTY);
        }
    }

    fn step(&mut self, index: usize, barred: &ByColor<Bitboard>) {
        let man = self.men[index];
        let color = man.piece.color;
        let enterable = self.clear | *self.visited.get(!color);
        let on = match man.piece.role {
            Role::Pawn => return self.step_of_pawn(index, enterable),
            Role::Knight => knight_steps(man.on),
            Role::Bishop => self.slides(man.on, true, false),
            Role::Rook => self.slides(man.on, false, true),
            Role::Queen => self.slides(man.on, true, true),
            Role::King => {
                let on = king_steps(man.on) & enterable & !*barred.get(color);
                self.without_last(&man, on, barred)
            }
        };
        self.arrive(index, on & enterable, Bitboard::EMPTY);
    }

    /// Leaves out captures after which the other side cannot move: they end the game. Only the
    /// capture of a piece that has never moved is distinguished from a step to an empty square.
    fn without_last(
        &mut self,
        king: &Man,
        squares: Bitboard,
        barred: &ByColor<Bitboard>,
    ) -> Bitboard {
        let color = king.piece.color;
        // If he has never moved before, the square he leaves may be what the reply needs.
        if (squares & self.clear).without(king.home).is_empty() {
            return squares;
        }
        let mut left = squares;
        for square in squares & !self.clear {
            if !self.can_reply(!color, square, barred) {
                left.discard(square);
                self.last.get_mut(color).add(square);
            }
        }
        left
    }

    /// Whether this side has a move, wherever its men stand, when the other king has just captured
    /// on that square.
    fn can_reply(&self, color: Color, captured: Square, barred: &ByColor<Bitboard>) -> bool {
        let beside = attacks::king_attacks(captured).with(captured);
        let enterable = (self.clear | *self.visited.get(!color)) & !beside & !*barred.get(color);
        self.castling
            || self.men.iter().filter(|man| man.piece.color == color).any(|man| {
                if man.piece.role == Role::King {
                    let mut stands = (man.on & !beside).into_iter();
                    stands.any(|at| (attacks::king_attacks(at) & enterable).any())
                } else {
                    man.home != captured && man.anywhere() != Bitboard::from(man.home)
                }
            })
    }

    fn step_of_pawn(&mut self, index: usize, enterable: Bitboard) {
        let man = self.men[index];
        let captures = self.pawn_captures(man.piece.color, man.on);
        let on = captures | self.pawn_pushes(index);
        let officer = self.slides(man.crowned, true, true) | knight_steps(man.crowned);
        let officer = officer & enterable;
        let crowned = (on & Bitboard::BACKRANKS) | officer;
        self.take(man.piece.color, captures | officer | passed(man.piece.color, captures));
        self.arrive(index, on & !Bitboard::BACKRANKS, crowned);
    }

    fn arrive(&mut self, index: usize, on: Bitboard, crowned: Bitboard) {
        let man = &mut self.men[index];
        let color = man.piece.color;
        if (on | crowned).without(man.home).any() && !self.clear.contains(man.home) {
            self.clear.add(man.home);
            self.changed = true;
        }
        if !(on.is_subset(man.on) && crowned.is_subset(man.crowned)) {
            man.on |= on;
            man.crowned |= crowned;
            self.changed = true;
        }
        if man.piece.role != Role::King {
            *self.visited.get_mut(color) |= on | crowned;
        }
        if man.piece.role != Role::Pawn {
            self.take(color, on);
        }
    }

    /// This side may capture on these squares, if something of the other stands there.
    fn take(&mut self, color: Color, squares: Bitboard) {
        if squares.is_subset(*self.taken.get(color)) {
            return;
        }
        *self.taken.get_mut(color) |= squares;
        self.changed = true;
        for other in &self.men {
            if other.piece.color != color && squares.contains(other.home) {
                self.clear.add(other.home);
            }
        }
    }

    fn pawn_captures(&self, color: Color, from: Bitboard) -> Bitboard {
        pawn_attacks(color, from) & *self.visited.get(!color)
    }

    fn pawn_pushes(&self, index: usize) -> Bitboard {
        let man = &self.men[index];
        let color = man.piece.color;
        let forward = |squares: Bitboard| squares.shift(color.fold_wb(8, -8));
        let free = self.clear & !self.beyond_opponent(man);
        let once = forward(man.on) & free;
        let twice = forward(once & forward(second_rank(color))) & free;
        once | twice
    }

    /// Squares that a pawn cannot push to, because a pawn that comes the other way on its file
    /// would have to get out of the way and cannot: neither leaves the file, nor is the other
    /// captured.
    fn beyond_opponent(&self, man: &Man) -> Bitboard {
        let file = Bitboard::from_file(man.home.file());
        let mut beyond = Bitboard::EMPTY;
        if !man.anywhere().is_subset(file) {
            return beyond;
        }
        for other in &self.men {
            let facing = other.piece == Role::Pawn.of(!man.piece.color)
                && file.contains(other.home)
                && is_ahead(man.piece.color, man.home, other.home);
            if facing
                && other.anywhere().is_subset(file)
                && self.taken.get(man.piece.color).is_disjoint(other.anywhere())
            {
                beyond |= file & not_before(man.piece.color, other.home);
            }
        }
        beyond
    }

    /// Everything sliders on these squares see, up to and with the first square that never is
    /// empty.
    fn slides(&self, from: Bitboard, diagonal: bool, straight: bool) -> Bitboard {
        slides(from, self.clear, diagonal, straight)
    }

    /// Squares on which this side's king would always be in check: attacked by a piece that can
    /// neither leave its square nor be captured, along lines nobody can ever close.
    fn barred_to_king(&self, color: Color) -> Bitboard {
        let mut closing = Bitboard::EMPTY;
        for man in &self.men {
            if man.piece != Role::King.of(color) {
                closing |= man.anywhere();
            }
        }
        let mut barred = Bitboard::EMPTY;
        for man in &self.men {
            if man.piece.color != color && !self.clear.contains(man.home) {
                barred |= attacks::attacks(man.home, man.piece, closing.without(man.home));
            }
        }
        barred
    }
}

const fn second_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::from_rank(shakmaty::Rank::Second),
        Color::Black => Bitboard::from_rank(shakmaty::Rank::Seventh),
    }
}

fn is_ahead(color: Color, from: Square, to: Square) -> bool {
    color.fold_wb(to > from, to < from)
}

/// The squares on this rank and those farther on.
fn not_before(color: Color, square: Square) -> Bitboard {
    let rank = square.rank().to_u32();
    color.fold_wb(Bitboard(u64::MAX << (8 * rank)), Bitboard(u64::MAX >> (8 * (7 - rank))))
}

/// Where pawns may stand that are captured en passant by a capture to these squares.
fn passed(color: Color, captures: Bitboard) -> Bitboard {
    let sixth = color.fold_wb(shakmaty::Rank::Sixth, shakmaty::Rank::Third);
    (captures & Bitboard::from_rank(sixth)).shift(color.fold_wb(-8, 8))
}

pub(super) fn pawn_attacks(color: Color, from: Bitboard) -> Bitboard {
    let ahead = from.shift(color.fold_wb(8, -8));
    east(ahead) | west(ahead)
}

fn knight_steps(from: Bitboard) -> Bitboard {
    let (one, two) = (east(from) | west(from), east(east(from)) | west(west(from)));
    one.shift(16) | one.shift(-16) | two.shift(8) | two.shift(-8)
}

fn king_steps(from: Bitboard) -> Bitboard {
    let row = from | east(from) | west(from);
    row | row.shift(8) | row.shift(-8)
}

fn slides(from: Bitboard, clear: Bitboard, diagonal: bool, straight: bool) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut slide = |step: &dyn Fn(Bitboard) -> Bitboard| {
        let mut front = step(from);
        while front.any() {
            seen |= front;
            front = step(front & clear);
        }
    };
    if diagonal {
        slide(&|front| east(front).shift(8));
        slide(&|front| west(front).shift(8));
        slide(&|front| east(front).shift(-8));
        slide(&|front| west(front).shift(-8));
    }
    if straight {
        slide(&|front| front.shift(8));
        slide(&|front| front.shift(-8));
        slide(&|front| east(front));
        slide(&|front| west(front));
    }
    seen
}

fn east(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(shakmaty::File::H)).shift(1)
}

fn west(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(shakmaty::File::A)).shift(-1)
}
