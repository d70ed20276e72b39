//! What a table keeps does not grow without end: all of it stands in its checkpoint, whose size is
//! measured here.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use eboard::{ClockFace, Dial, FaceTime, Moment, Piece, Placement, Side, Sighting, Square};
use shakmaty::{Chess, Color, Move, Position, Role};
use witness::{Ending, Order, Settings, Table, TimeControl};

use crate::common::Doors as _;

/// Milliseconds that each player has.
const ALLOTTED: u32 = 36_000_000;

/// A table under hands that never stop.
struct Hands {
    table: Table,
    now: Moment,
    position: Chess,
    /// Milliseconds, of White and of Black.
    used: [u32; 2],
    chance: u64,
}

impl Hands {
    fn new() -> Self {
        let control: Option<TimeControl> = (ALLOTTED / 1000).to_string().parse().ok();
        let table = Table::new(Settings { control, ..Settings::default() });
        let (now, position) = (Moment::ZERO, Chess::default());
        let mut hands = Self { table, now, position, used: [0; 2], chance: 20_261_127 };
        hands.table.line(Moment::ZERO, true, &mut Vec::new());
        hands.see(1000, Sighting::Position(Placement::starting()));
        hands.clock(1000, false);
        hands.clock(4000, true);
        hands
    }

    /// So many milliseconds later a device reports this.
    fn see(&mut self, ms: u64, sighting: Sighting) {
        let now = self.now + Duration::from_millis(ms);
        while let Some((due, _)) = self.table.deadline().filter(|(due, _)| *due <= now) {
            self.table.due(due, &mut Vec::new());
        }
        self.now = now;
        self.table.sight(now, sighting, &mut Vec::new());
    }

    fn clock(&mut self, ms: u64, running: bool) {
        let dial = |used: u32| Dial { time: FaceTime::from_ms(ALLOTTED - used), ..Dial::default() };
        let [left, right] = self.used.map(dial);
        let lever = if self.position.turn() == Color::White { Side::Left } else { Side::Right };
        self.see(
            ms,
            Sighting::Clock(ClockFace { left, right, running, lever, low_battery: false }),
        );
    }

    fn below(&mut self, end: usize) -> usize {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.chance >> 33).unwrap() % end
    }

    /// A move that captures nothing and threatens no king; one of a pawn when that is due, so that
    /// no rule ends the game.
    fn any_move(&mut self) -> Move {
        let plain = plain_moves(&self.position);
        let goes_on = |it: &&Move| {
            let after = self.position.clone().play(**it).unwrap();
            !after.is_check() && !plain_moves(&after).is_empty()
        };
        let plain: Vec<_> = plain.iter().filter(goes_on).copied().collect();
        let pawns: Vec<_> = plain.iter().filter(|it| it.role() == Role::Pawn).copied().collect();
        let others: Vec<_> = plain.iter().filter(|it| it.role() != Role::Pawn).copied().collect();
        let due = self.position.halfmoves() > 60 && !pawns.is_empty() || others.is_empty();
        let wanted = if due { pawns } else { others };
        wanted[self.below(wanted.len())]
    }

    fn play_and_press(&mut self) {
        let mover = usize::from(self.position.turn() == Color::Black);
        self.play();
        self.used[mover] += 4000;
        self.clock(500, true);
    }

    fn play(&mut self) {
        let played = self.any_move();
        let (from, to) = (played.from().unwrap(), played.to());
        let square = |it: shakmaty::Square| Square::at(it.file() as u8, it.rank() as u8).unwrap();
        let piece = self.position.board().piece_at(from).map(|it| it.char());
        let piece = piece.and_then(Piece::from_letter);
        self.see(2000, Sighting::Square { square: square(from), piece: None });
        self.see(1500, Sighting::Square { square: square(to), piece });
        self.position.play_unchecked(played);
    }

    fn kept(&self) -> usize {
        bincode::encode_to_vec(&self.table, bincode::config::standard()).unwrap().len()
    }
}

fn plain_moves(position: &Chess) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|it| !it.is_capture() && !it.is_castle() && !it.is_promotion());
    moves
}

/// Bytes that a half move may add: itself with its times, and a position.
const OF_A_PLY: usize = 100;
/// Bytes that everything else may take: evidence of the last turns, decisions, pictures. Each has a
/// limit of its own.
const OF_A_TABLE: usize = 40_000;

#[test]
fn a_long_game_grows_by_its_moves_and_an_evening_of_analysis_has_a_limit() {
    let mut hands = Hands::new();
    for _ in 0..800 {
        hands.play_and_press();
    }
    assert_eq!(hands.table.score().plies().len(), 800);
    let of_game = hands.kept();
    assert!(of_game < OF_A_TABLE + 800 * OF_A_PLY, "{of_game} bytes");

    let draw = Ending::entered("1/2-1/2").unwrap();
    hands.table.order(hands.now, Order::SetResult(Some(draw)), &mut Vec::new()).unwrap();
    // Three hours at one move in four seconds.
    for _ in 0..54 {
        (0..50).for_each(|_| hands.play());
        let kept = hands.kept();
        assert!(kept < of_game + OF_A_TABLE, "{kept} bytes after {of_game}");
    }
    assert_eq!(hands.table.score().plies().len(), 800, "it is in no score");
}
