//! Whether the pieces, each wherever it may ever stand, could make a picture of mate at all.
//!
//! Looked at is what every mate has: a check, and every square around the king either held by a
//! man of his own or attacked. Each piece stands once. What is left out (whether the check could
//! be parried, whether the squares can be held all at the same time) makes the answer "perhaps"
//! more often than it need be, and never makes it "no".

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::reach::{Man, Reach};

/// Placements looked at before the answer is "perhaps": a bound on the time, far above what any
/// confined position needs.
const PLACEMENTS: u32 = 20_000;

/// A piece of the winner on a square near the king.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Placement {
    /// Squares around the king that it attacks.
    guards: Bitboard,
    /// Its own square, if that is one of them: no man of the king's can be there.
    holds: Bitboard,
    checks: bool,
    /// Squares on which the winner's king may have stood in its way.
    lines: Bitboard,
}

struct Picture<'a> {
    reach: &'a Reach,
    winner: Color,
    king: Square,
    around: Bitboard,
    /// The squares the king can have come from, if nothing but him can have moved last.
    came_from: Option<Bitboard>,
    royal_squares: Bitboard,
    placements: Vec<(usize, Vec<Placement>)>,
    order: Vec<Square>,
    left: &'a mut u32,
}

/// `false`: the winner cannot checkmate from here, whatever is played, at least not after the
/// loser has moved once.
pub(super) fn mate_conceivable(reach: &Reach, winner: Color) -> bool {
    let mut left = PLACEMENTS;
    let kings = reach.men.iter().find(|man| man.piece == Role::King.of(!winner));
    let Some(loser) = kings else { return true };
    let mut squares: Vec<Square> = loser.on.into_iter().collect();
    // Mates are found in corners and at edges: most questions end at the first square.
    squares.sort_by_key(|square| attacks::king_attacks(*square).count());
    let only_king_moves = !reach.castling
        && reach.men.iter().all(|man| {
            man.piece.color == winner
                || man.piece.role == Role::King
                || man.anywhere() == Bitboard::from(man.home)
        });
    let kings = reach.men.iter().find(|man| man.piece == Role::King.of(winner));
    let royal = kings.map_or(Bitboard::EMPTY, |man| man.on);
    squares.into_iter().any(|king| {
        let around = attacks::king_attacks(king);
        let came_from = only_king_moves.then_some(loser.on & around);
        let mut picture = Picture {
            reach,
            winner,
            king,
            around,
            came_from,
            royal_squares: royal,
            placements: Vec::new(),
            order: Vec::new(),
            left: &mut left,
        };
        picture.conceivable()
    })
}

impl Picture<'_> {
    fn conceivable(&mut self) -> bool {
        let Some(royal) = self.place_winner() else { return false };
        self.order = self.by_need();
        let checkers: Vec<(usize, Placement)> = self
            .placements
            .iter()
            .flat_map(|(man, all)| all.iter().map(|placement| (*man, *placement)))
            .filter(|(man, placement)| placement.checks && !self.repeats(*man, 0))
            .collect();
        checkers.into_iter().any(|(man, check)| {
            royal.iter().any(|at| {
                let open = self.around & !check.guards & !attacks::king_attacks(*at);
                let uncovered = attacks::king_attacks(*at) & check.lines;
                if uncovered.any() {
                    return self.closable(open, 1 << man, check.holds);
                }
                match self.came_from {
                    _ if !self.royal_squares.contains(*at) => false,
                    Some(from) => (from & !attacks::king_attacks(*at))
                        .without(*at)
                        .into_iter()
                        .any(|from| self.closable(open, 1 << man, check.holds.with(from))),
                    None => self.closable(open, 1 << man, check.holds),
                }
            })
        })
    }

    /// Fills in where the winner's men may stand; returns the placements of his king.
    fn place_winner(&mut self) -> Option<Vec<Square>> {
        let mut royal = Vec::new();
        for (index, man) in self.reach.men.iter().enumerate() {
            if man.piece.color != self.winner {
                continue;
            }
            if man.piece.role == Role::King {
                royal = self.royal(man);
            } else {
                let placements = self.placements_of(man);
                self.placements.push((index, placements));
            }
        }
        (!royal.is_empty()).then_some(royal)
    }

    /// Where the winner's king may stand when it is mate; of the squares on which he does nothing
    /// one, if it does not matter whence the other king came.
    fn royal(&self, man: &Man) -> Vec<Square> {
        let squares = (man.on | *self.reach.last.get(self.winner)) & !self.around;
        let mut idle = false;
        let matters = |square: &Square| {
            (attacks::king_attacks(*square) & self.around).any()
                || self.came_from.is_some()
                || !self.reach.last.get(self.winner).is_empty()
                || !std::mem::replace(&mut idle, true)
        };
        squares.without(self.king).into_iter().filter(matters).collect()
    }

    /// Where the winner's king may have stood between a slider and the other king.
    fn lines(&self, square: Square) -> Bitboard {
        attacks::between(square, self.king) & self.royal_squares & !self.around
    }

    /// Squares that never are empty, but for a king who leaves his with the last move.
    fn closed(&self) -> Bitboard {
        let leaves = match self.reach.last.get(self.winner).is_empty() {
            true => Bitboard::EMPTY,
            false => self.royal_squares,
        };
        !(self.reach.clear | leaves).with(self.king)
    }

    fn placements_of(&self, man: &Man) -> Vec<Placement> {
        let mut placements = Vec::new();
        let closed = self.closed();
        let mut stand = |squares: Bitboard, role: Role| {
            for square in squares.without(self.king) {
                let piece = role.of(self.winner);
                let seen = attacks::attacks(square, piece, closed);
                let placement = Placement {
                    guards: seen & self.around,
                    holds: Bitboard::from(square) & self.around,
                    checks: seen.contains(self.king),
                    lines: self.lines(square),
                };
                if placement.checks || placement.guards.any() {
                    add(&mut placements, placement);
                }
            }
        };
        stand(man.on, man.piece.role);
        stand(man.crowned, Role::Queen);
        stand(man.crowned, Role::Knight);
        placements
    }

    /// The squares around, those first that fewest men can take.
    fn by_need(&self) -> Vec<Square> {
        let takers = |square: &Square| {
            let holders = self.reach.men.iter().filter(|man| self.holds(man, *square)).count();
            let guards = self
                .placements
                .iter()
                .filter(|(_, all)| all.iter().any(|placement| placement.guards.contains(*square)));
            holders + guards.count()
        };
        let mut squares: Vec<Square> = self.around.into_iter().collect();
        squares.sort_by_key(takers);
        squares
    }

    /// Whether a man of the king's own can be in his way there.
    fn holds(&self, man: &Man, square: Square) -> bool {
        man.piece.color != self.winner
            && man.piece.role != Role::King
            && man.anywhere().contains(square)
    }

    /// Whether a man that is as good, and not used either, comes before this one.
    fn repeats(&self, index: usize, used: u32) -> bool {
        let men = &self.reach.men;
        let same = |other: &Man| {
            let man = &men[index];
            (man.piece, man.on, man.crowned) == (other.piece, other.on, other.crowned)
        };
        (0..index).any(|other| used >> other & 1 == 0 && same(&men[other]))
    }

    /// Whether the squares still open can be taken from the king by men not yet used.
    fn closable(&mut self, open: Bitboard, used: u32, held: Bitboard) -> bool {
        let Some(square) = self.order.iter().copied().find(|square| open.contains(*square)) else {
            return true;
        };
        if *self.left == 0 {
            return true;
        }
        *self.left -= 1;
        self.closed_by_own(square, open, used, held)
            || self.closed_by_winner(square, open, used, held)
    }

    fn closed_by_own(&mut self, square: Square, open: Bitboard, used: u32, held: Bitboard) -> bool {
        if held.contains(square) {
            return false;
        }
        let reach = self.reach;
        reach.men.iter().enumerate().any(|(index, man)| {
            used >> index & 1 == 0
                && self.holds(man, square)
                && !self.repeats(index, used)
                && self.closable(open.without(square), used | 1 << index, held)
        })
    }

    fn closed_by_winner(
        &mut self,
        square: Square,
        open: Bitboard,
        used: u32,
        held: Bitboard,
    ) -> bool {
        (0..self.placements.len()).any(|at| {
            let index = self.placements[at].0;
            used >> index & 1 == 0
                && !self.repeats(index, used)
                && (0..self.placements[at].1.len()).any(|which| {
                    let placement = self.placements[at].1[which];
                    placement.guards.contains(square)
                        && self.closable(
                            open & !placement.guards,
                            used | 1 << index,
                            held | placement.holds,
                        )
                })
        })
    }
}

/// Adds a placement unless one that is as good is there.
fn add(placements: &mut Vec<Placement>, new: Placement) {
    let as_good = |old: &Placement| {
        new.guards.is_subset(old.guards)
            && old.holds.is_subset(new.holds)
            && (old.checks || !new.checks)
            && new.lines.is_subset(old.lines)
    };
    if !placements.iter().any(as_good) {
        placements.push(new);
    }
}

/// What material alone rules out: nothing but a king, a lone knight against queens, bishops of
/// one colour against pieces that cannot stand in their own king's way.
pub(super) fn material_conceivable(board: &Board, winner: Color) -> bool {
    let men = board.by_color(winner) & !board.kings();
    if (men & !(board.knights() | board.bishops())).any() {
        return true;
    }
    let theirs = board.by_color(!winner) & !board.kings();
    let minor = board.knights() | board.bishops() | board.pawns();
    if men.is_subset(board.knights()) {
        return men.more_than_one() || men.any() && (theirs & !board.queens()).any();
    }
    let one_colour = (board.bishops() & Bitboard::DARK_SQUARES).is_empty()
        || (board.bishops() & Bitboard::LIGHT_SQUARES).is_empty();
    !one_colour || (minor & !board.bishops()).any()
}
