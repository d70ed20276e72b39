//! A daemon that was killed while its disk was behind goes on from an older record, beside players
//! who have not waited for it: their pieces rest for less than a second.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use eboard::{ClockFace, Dial, FaceTime, Moment, Piece, Placement, Side, Sighting, Square};
use shakmaty::{CastlingMode, Chess, Color, Position, san::San};
use witness::{Kind, Phase, Settings, Table};

use crate::common::{Doors as _, taken_up};

/// The first moves of Morphy in Paris, 1858: captures by both players.
const MOVES: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 \
                     cxb5 Bxb5+ Nbd7";
/// Seconds that each player has, and that each move takes.
const TIME: u32 = 1800;
const OF_A_MOVE: u32 = 3;

/// What hands do at the board and at the clock, and the moves that they make.
fn hands() -> (Vec<Sighting>, Vec<String>) {
    let (mut position, mut left) = (Chess::default(), [TIME; 2]);
    let (mut done, mut moves) = (vec![clock(left, Color::White)], Vec::new());
    for san in MOVES.split_whitespace() {
        let made = san.parse::<San>().unwrap().to_move(&position).unwrap();
        let (from, to) = (made.from().unwrap(), made.to());
        let piece = position.board().piece_at(from).map(|it| it.char());
        let mut hand = |at: shakmaty::Square, piece: Option<char>| {
            let square = Square::at(at.file() as u8, at.rank() as u8).unwrap();
            done.push(Sighting::Square { square, piece: piece.and_then(Piece::from_letter) });
        };
        if made.is_capture() {
            hand(to, None);
        }
        hand(from, None);
        hand(to, piece);
        left[usize::from(position.turn() == Color::Black)] -= OF_A_MOVE;
        position.play_unchecked(made);
        done.push(clock(left, position.turn()));
        moves.push(made.to_uci(CastlingMode::Standard).to_string());
    }
    (done, moves)
}

fn clock(left: [u32; 2], counts: Color) -> Sighting {
    let [left, right] = left.map(|it| FaceTime::from_ms(it * 1000));
    let [left, right] = [left, right].map(|time| Dial { time, ..Dial::default() });
    let lever = if counts == Color::White { Side::Left } else { Side::Right };
    Sighting::Clock(ClockFace { left, right, running: true, lever, low_battery: false })
}

/// A table, and what its board and clock would say if they were asked.
struct Hall {
    table: Table,
    now: Moment,
    squares: Placement,
    clock: Option<Sighting>,
}

impl Hall {
    fn new() -> Self {
        let (table, squares) = (Table::new(Settings::default()), Placement::starting());
        let mut hall = Self { table, now: Moment::ZERO, squares, clock: None };
        hall.table.line(Moment::ZERO, true, &mut Vec::new());
        hall.see(1000, Sighting::Position(squares));
        hall.see(4000, clock([TIME; 2], Color::White));
        hall
    }

    /// So many milliseconds later a device reports this.
    fn see(&mut self, ms: u64, sighting: Sighting) {
        let now = self.now + Duration::from_millis(ms);
        while let Some((due, _)) = self.table.deadline().filter(|(due, _)| *due <= now) {
            self.table.due(due, &mut Vec::new());
        }
        self.now = now;
        match &sighting {
            Sighting::Square { square, piece } => self.squares[*square] = *piece,
            Sighting::Clock(_) => self.clock = Some(sighting.clone()),
            _ => {}
        }
        self.table.sight(now, sighting, &mut Vec::new());
    }

    /// The next daemon goes on with what was written down, and asks.
    fn restarted(&mut self, record: Table) {
        self.table = record;
        self.now = self.now + Duration::from_secs(1);
        self.table.line(self.now, false, &mut Vec::new());
        self.table.line(self.now, true, &mut Vec::new());
        self.see(300, Sighting::Position(self.squares));
        let clock = self.clock.clone().unwrap();
        self.see(100, clock);
    }

    fn rest(&mut self) {
        for _ in 0..20 {
            let clock = self.clock.clone().unwrap();
            self.see(1000, clock);
            self.see(0, Sighting::Position(self.squares));
        }
    }

    fn moves(&self) -> Vec<String> {
        self.table.score().plies().iter().map(|it| it.uci.clone()).collect()
    }

    fn is_doubted(&self) -> bool {
        let asked = self.table.incidents().any(|it| it.kind == Kind::PositionToCheck);
        asked || self.table.phase() == Phase::Adrift
    }
}

#[test]
fn records_that_were_lost_with_a_kill_are_worked_out_beside_quick_hands() {
    let (done, moves) = hands();
    for pace in [30, 300, 1000] {
        let (mut all, mut exact) = (0, 0);
        for (killed, lost) in (12..60).flat_map(|killed| (1..=8).map(move |lost| (killed, lost))) {
            let (mut hall, mut record) = (Hall::new(), None);
            for (index, sighting) in done.iter().enumerate() {
                if index == killed - lost {
                    record = Some(taken_up(&hall.table));
                }
                if index == killed {
                    hall.restarted(record.take().unwrap());
                }
                hall.see(pace, sighting.clone());
            }
            hall.rest();
            let right = hall.moves() == moves;
            let why = format!("{pace} ms, {lost} lost at {killed}: {:?}", hall.moves());
            assert!(right || hall.is_doubted(), "silently wrong: {why}");
            (all, exact) = (all + 1, exact + usize::from(right));
        }
        // Two or three moves that can be made in another order cannot be told.
        assert!(exact * 100 >= all * 98, "{pace} ms: {exact} of {all} are exact");
    }
}
