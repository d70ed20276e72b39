//! In which order positions are looked at: how far away a mate seems to be if the loser helps.
//! A guess: it decides how soon an answer is found, never which.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

use super::reach::pawn_attacks;

/// Guesses are at most this much.
pub(super) const FARTHEST: usize = 127;

/// What is guessed about one position, and from it about its moves.
pub(super) struct Guide {
    winner: Color,
    king: Square,
    hunted: Square,
    occupied: Bitboard,
    /// Men of the loser.
    own: Bitboard,
    /// What the winner attacks, the hunted king thought away.
    attacked: Bitboard,
    /// Squares the hunted king could go to.
    flights: Bitboard,
    heavy: usize,
    needs_pawn: bool,
    /// One minor piece mates only a king whose own men stand in his way.
    smother: bool,
    /// Where the hunted king is to go, if a corner it must be.
    corners: Option<Bitboard>,
    distance: i32,
}

impl Guide {
    pub fn new(position: &Chess, winner: Color) -> Option<Self> {
        let board = position.board();
        let (king, hunted) = (board.king_of(winner)?, board.king_of(!winner)?);
        let men = board.by_color(winner);
        let heavy = (men & board.rooks_and_queens()).count();
        let minor = men & (board.knights() | board.bishops());
        let alone = lonely(board, minor);
        let own = board.by_color(!winner);
        let attacked = attacked(board, winner, hunted);
        let mut guide = Self {
            winner,
            king,
            hunted,
            occupied: board.occupied(),
            own,
            attacked,
            flights: attacks::king_attacks(hunted) & !own & !attacked,
            heavy,
            needs_pawn: heavy == 0 && (minor.is_empty() || alone),
            smother: heavy == 0 && alone,
            corners: (heavy == 0).then(|| corners(men & board.bishops(), alone)),
            distance: 0,
        };
        // A king without a flight is no nearer to mate than one whose last the check may take.
        guide.distance = guide.hunt(hunted, king) + 2 * (guide.flights.count() as i32).max(1);
        guide.distance += guide.material(board);
        Some(guide)
    }

    /// Estimated distance of a mate, 0 to [`FARTHEST`].
    pub fn distance(&self) -> usize {
        self.distance.clamp(0, FARTHEST as i32) as usize
    }

    /// The same after a move, without making it.
    pub fn after(&self, mv: Move) -> usize {
        let turn = if self.occupied_by_loser(mv) { !self.winner } else { self.winner };
        let change = if turn == self.winner { self.pursuit(mv) } else { self.help(mv) };
        (self.distance + change).clamp(0, FARTHEST as i32) as usize
    }

    /// Whether the winner's move gives check and leaves no flight, as far as it shows without being
    /// made: discovered checks are not looked for.
    pub fn may_mate(&self, mv: Move) -> bool {
        let Some(from) = mv.from() else { return false };
        if self.own.contains(from) || mv.role() == Role::King {
            return false;
        }
        let piece = mv.promotion().unwrap_or(mv.role()).of(self.winner);
        let occupied = self.occupied.without(from).without(self.hunted);
        let seen = attacks::attacks(mv.to(), piece, occupied);
        seen.contains(self.hunted) && (self.flights & !seen).without(mv.to()).is_empty()
    }

    fn occupied_by_loser(&self, mv: Move) -> bool {
        mv.from().is_some_and(|from| self.own.contains(from))
    }

    /// Where the hunted king is to be, and the other near him.
    fn hunt(&self, hunted: Square, king: Square) -> i32 {
        let place = match self.corners {
            Some(corners) => {
                3 * corners.into_iter().map(|at| at.distance(hunted)).min().unwrap_or(0)
            }
            None => 2 * edge_distance(hunted) + corner_distance(hunted),
        };
        let near = king.distance(hunted).saturating_sub(2);
        (place + near) as i32
    }

    fn material(&self, board: &Board) -> i32 {
        if self.heavy > 0 {
            return 0;
        }
        if !self.needs_pawn {
            return 4;
        }
        let crown = crowning(board, self.winner).map_or(60, |steps| 8 + 2 * steps as i32);
        let smother = if self.smother {
            let men = self.own & !board.kings() & !board.queens() & !board.pawns();
            let nearest = men.into_iter().map(|at| at.distance(self.hunted) as i32).min();
            let crown = crowning(board, !self.winner).map_or(20, |steps| 8 + steps as i32);
            let minor = board.by_color(self.winner) & (board.knights() | board.bishops());
            let attacker = minor.first().map_or(0, |at| at.distance(self.hunted) as i32);
            10 + 2 * nearest.unwrap_or(20).min(crown) + attacker.max(2)
        } else {
            60
        };
        crown.min(smother)
    }

    /// What a move of the winner changes.
    fn pursuit(&self, mv: Move) -> i32 {
        let Some(from) = mv.from() else { return 0 };
        let to = mv.to();
        let taken = mv.capture().map_or(0, |_| if self.around(to) { 1 } else { -1 });
        match (mv.role(), mv.promotion()) {
            (Role::King, _) => taken + self.hunt(self.hunted, to) - self.hunt(self.hunted, from),
            (_, Some(Role::Queen)) => taken - if self.needs_pawn { 10 } else { 2 },
            (_, Some(_)) => taken - if self.needs_pawn { 6 } else { 0 },
            (Role::Pawn, None) if self.needs_pawn => taken - 2,
            (Role::Pawn, None) => taken,
            (role, None) => {
                let seen = attacks::attacks(to, role.of(self.winner), {
                    self.occupied.without(from).without(self.hunted)
                });
                let mut change = taken - 2 * (seen & self.flights).count() as i32;
                if seen.contains(self.hunted) {
                    change -= 2;
                }
                if self.around(to) && !self.attacked.contains(to) {
                    change += 2;
                }
                if self.smother {
                    let near = |at: Square| at.distance(self.hunted).max(2) as i32;
                    change += near(to) - near(from);
                }
                change
            }
        }
    }

    /// What a move of the loser changes.
    fn help(&self, mv: Move) -> i32 {
        let Some(from) = mv.from() else { return 0 };
        let to = mv.to();
        let taken = match mv.capture() {
            Some(Role::Queen | Role::Rook) if self.heavy <= 1 => 16,
            Some(Role::Queen | Role::Rook) => 4,
            Some(Role::Pawn) if self.needs_pawn => 3,
            Some(_) => 2,
            None => 0,
        };
        if mv.role() == Role::King {
            let around = attacks::king_attacks(to) & !self.own & !self.attacked;
            let flights = around.count() as i32 - self.flights.count() as i32;
            return taken + 2 * flights + self.hunt(to, self.king)
                - self.hunt(self.hunted, self.king);
        }
        let mut change = taken;
        if self.smother {
            change += to.distance(self.hunted) as i32 - from.distance(self.hunted) as i32;
            change -= mv.promotion().map_or(0, |role| if role == Role::Queen { 0 } else { 4 });
        }
        if self.around(from) && !self.attacked.contains(from) {
            change += 2;
        }
        if self.flights.contains(to) {
            change -= 2;
        }
        change
    }

    fn around(&self, square: Square) -> bool {
        attacks::king_attacks(self.hunted).contains(square)
    }
}

/// Estimated distance to a mate, 0 to [`FARTHEST`].
pub(super) fn distance(position: &Chess, winner: Color) -> usize {
    Guide::new(position, winner).map_or(FARTHEST, |guide| guide.distance())
}

fn attacked(board: &Board, by: Color, hunted: Square) -> Bitboard {
    let occupied = board.occupied().without(hunted);
    let men = board.by_color(by);
    let mut seen = pawn_attacks(by, men & board.pawns());
    for knight in men & board.knights() {
        seen |= attacks::knight_attacks(knight);
    }
    for bishop in men & board.bishops_and_queens() {
        seen |= attacks::bishop_attacks(bishop, occupied);
    }
    for rook in men & board.rooks_and_queens() {
        seen |= attacks::rook_attacks(rook, occupied);
    }
    for king in men & board.kings() {
        seen |= attacks::king_attacks(king);
    }
    seen
}

/// Moves until the first pawn of that side promotes, with what it costs to clear its way.
fn crowning(board: &Board, color: Color) -> Option<usize> {
    let pawns = board.by_piece(Role::Pawn.of(color));
    let steps = pawns.into_iter().map(|pawn| {
        let rank = pawn.rank().to_usize();
        let left = color.fold_wb(7 - rank, rank);
        let file = Bitboard::from_file(pawn.file());
        let ahead = file & color.fold_wb(above(pawn), !above(pawn)) & board.occupied();
        let ahead = ahead.without(pawn);
        let stuck = ahead & board.pawns();
        left + 2 * ahead.count() + 4 * stuck.count()
    });
    steps.min()
}

fn above(square: Square) -> Bitboard {
    Bitboard(u64::MAX << square.to_u32())
}

/// One knight, or bishops of one colour: the loser's own men must help.
fn lonely(board: &Board, minor: Bitboard) -> bool {
    let one_colour =
        (minor & Bitboard::LIGHT_SQUARES).is_empty() || (minor & Bitboard::DARK_SQUARES).is_empty();
    minor.any() && (!minor.more_than_one() || minor.is_subset(board.bishops()) && one_colour)
}

/// A lone bishop mates only in a corner of its colour.
fn corners(bishops: Bitboard, alone: bool) -> Bitboard {
    match bishops.first() {
        Some(bishop) if alone && bishop.is_light() => Bitboard::CORNERS & Bitboard::LIGHT_SQUARES,
        Some(_) if alone => Bitboard::CORNERS & Bitboard::DARK_SQUARES,
        _ => Bitboard::CORNERS,
    }
}

fn edge_distance(square: Square) -> u32 {
    let (file, rank) = (square.file().to_u32(), square.rank().to_u32());
    file.min(7 - file).min(rank.min(7 - rank))
}

fn corner_distance(square: Square) -> u32 {
    let (file, rank) = (square.file().to_u32(), square.rank().to_u32());
    file.min(7 - file).max(rank.min(7 - rank))
}
