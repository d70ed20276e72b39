//! Legal games by lot, rich in knights: whatever a table of two hasty players would touch. Nothing
//! about time, nothing about wires.

use eboard::{Piece, Placement, Square};
use shakmaty::{CastlingMode, Chess, Move, Position, Role, uci::UciMove};

/// Two players and the game between them.
pub struct Player {
    position: Chess,
    dice: u64,
}

/// A move as hands make it: everything that has to leave its square does so first.
pub struct Turn {
    /// In UCI notation.
    pub uci: String,
    /// A knight's: it needs no rest to be believed.
    pub knight: bool,
    /// What happens to the squares, in order.
    pub touches: Vec<(Square, Option<Piece>)>,
}

impl Player {
    /// Another seed, another game.
    pub fn new(seed: u64) -> Self {
        Self { position: Chess::default(), dice: seed }
    }

    /// A number below `end`.
    pub fn roll(&mut self, end: u64) -> u64 {
        // SplitMix64.
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.dice ^ self.dice >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }

    /// The next move, a knight's three times of four where there is one; none when the game must
    /// end.
    pub fn turn(&mut self) -> Option<Turn> {
        let goes_on = |mv: &Move| {
            let mut after = self.position.clone();
            after.play_unchecked(*mv);
            !after.is_game_over()
        };
        let moves: Vec<_> = self.position.legal_moves().into_iter().filter(goes_on).collect();
        let knights: Vec<_> = moves.iter().copied().filter(is_knights).collect();
        // Kings that walk to the centre would end the game.
        let others: Vec<_> = moves.iter().copied().filter(|mv| mv.role() != Role::King).collect();
        let knight = self.roll(4) > 0 && !knights.is_empty();
        let choice = [if knight { knights } else { others }, moves];
        let choice = choice.into_iter().find(|moves| !moves.is_empty())?;
        let mv = choice[usize::try_from(self.roll(choice.len() as u64)).ok()?];
        Some(self.make(mv))
    }

    fn make(&mut self, mv: Move) -> Turn {
        let before = placement(&self.position);
        self.position.play_unchecked(mv);
        let after = placement(&self.position);
        let changed: Vec<_> = before.differing(&after).collect();
        let lifts = changed.iter().filter(|&&square| before[square].is_some());
        let puts = changed.iter().filter(|&&square| after[square].is_some());
        let touches = lifts
            .map(|&square| (square, None))
            .chain(puts.map(|&square| (square, after[square])))
            .collect();
        let uci = UciMove::from_move(mv, CastlingMode::Standard).to_string();
        Turn { uci, knight: is_knights(&mv), touches }
    }
}

fn is_knights(mv: &Move) -> bool {
    mv.role() == Role::Knight
}

fn placement(position: &Chess) -> Placement {
    Placement::from_fen(&position.board().to_string()).expect("a board has eight ranks")
}
