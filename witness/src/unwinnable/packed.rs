//! A position in 33 bytes, exactly: two different positions never look the same, so that no
//! answer hangs on a hash.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move,
    Position, Role, Setup, Square,
};

/// A rook that may still castle.
const CASTLING_ROOK: ByColor<u8> = ByColor { black: 14, white: 13 };
/// The empty square behind a pawn that may be captured en passant.
const EN_PASSANT: u8 = 15;

/// Four bits for each square, one bitboard for each bit: the piece, the right to castle of a
/// rook, the square of a legal en passant capture. Whose turn it is stands beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    planes: [u64; 4],
    pub turn: Color,
}

impl Packed {
    pub fn of(position: &Chess) -> Self {
        let (roles, colors) = position.board().clone().into_bitboards();
        let mut packed = Self { planes: [0; 4], turn: position.turn() };
        for (color, offset) in [(Color::White, 0), (Color::Black, 6)] {
            for role in Role::ALL {
                let men = roles.get(role).0 & colors.get(color).0;
                packed.put(men, role as u8 + offset);
            }
            let rooks = position.castles().castling_rights() & *colors.get(color);
            packed.planes = packed.planes.map(|plane| plane & !rooks.0);
            packed.put(rooks.0, *CASTLING_ROOK.get(color));
        }
        if let Some(square) = position.ep_square(EnPassantMode::Legal) {
            packed.put(Bitboard::from(square).0, EN_PASSANT);
        }
        packed
    }

    fn put(&mut self, squares: u64, code: u8) {
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            if code >> bit & 1 == 1 {
                *plane |= squares;
            }
        }
    }

    fn squares(&self, code: u8) -> Bitboard {
        let mut squares = u64::MAX;
        for (bit, plane) in self.planes.iter().enumerate() {
            squares &= if code >> bit & 1 == 1 { *plane } else { !*plane };
        }
        Bitboard(squares)
    }

    /// The position again, its move counters aside. `None` cannot be for what was packed.
    pub fn unpack(&self, mode: CastlingMode) -> Option<Chess> {
        let mut roles = ByRole::<Bitboard>::default();
        let mut colors = ByColor::<Bitboard>::default();
        let mut setup = Setup::empty();
        for (color, offset) in [(Color::White, 0), (Color::Black, 6)] {
            let castling = self.squares(*CASTLING_ROOK.get(color));
            setup.castling_rights |= castling;
            *roles.get_mut(Role::Rook) |= castling;
            *colors.get_mut(color) |= castling;
            for role in Role::ALL {
                let men = self.squares(role as u8 + offset);
                *roles.get_mut(role) |= men;
                *colors.get_mut(color) |= men;
            }
        }
        setup.board = Board::try_from_bitboards(roles, colors).ok()?;
        setup.turn = self.turn;
        setup.ep_square = self.squares(EN_PASSANT).first();
        Chess::from_setup(setup, mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }

    pub fn hash(&self) -> u64 {
        let mut hash = self.turn as u64;
        for plane in self.planes {
            hash = (hash.rotate_left(23) ^ plane).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        hash
    }
}

/// A move as from, to and promotion. The position before it decides which move that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedMove(u16);

impl PackedMove {
    pub const NONE: Self = Self(u16::MAX);

    pub fn of(mv: Move) -> Self {
        let from = mv.from().map_or(0, Square::to_u32) as u16;
        let promotion = mv.promotion().map_or(0, |role| role as u16);
        Self(from | (mv.to().to_u32() as u16) << 6 | promotion << 12)
    }

    pub fn unpack(self, before: &Chess) -> Option<Move> {
        before.legal_moves().into_iter().find(|mv| Self::of(*mv) == self)
    }
}
