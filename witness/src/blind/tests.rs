//! However long nothing fits, a blind board stays small, and says that it does not know.

use std::time::Duration;

use eboard::Moment;
use shakmaty::{Bitboard, Chess, Position, Square};

use super::Blind;
use super::lines::{LIVE_MAX, NODES_MOST, TOGGLES_MAX};
use crate::picture::Picture;
use crate::settings::Settings;
use crate::tracker::Waits;

/// From picture to picture, and how many of them are an hour.
const PERIOD: Duration = Duration::from_millis(222);
const HOUR: u64 = 3600 * 1000 / 222;
/// Enough for more lines than are kept.
const MINUTES: u64 = 400 * 1000 / 222;

fn waits() -> Waits {
    let Settings { settle, release, .. } = Settings::default();
    let (gaps, unwatched, end, trip) = (true, None, settle + release, None);
    Waits { settle, release, gaps, unwatched, end, trip, rearranged: false }
}

fn picture(occupied: Bitboard) -> Picture {
    let pawn = shakmaty::Color::White.pawn();
    let board = occupied.into_iter().map(|square| (square, pawn)).collect();
    Picture::new(board, true, [Moment::ZERO; 64])
}

/// Noise that is the same every time.
struct Noise(u64);

impl Noise {
    fn one_of(&mut self, squares: &[Square]) -> Square {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let drawn = usize::try_from(self.0 >> 33).unwrap();
        squares[drawn % squares.len()]
    }
}

/// What was largest, while every picture differs from the one before in one square.
#[derive(Debug, Default)]
struct Largest {
    tips: usize,
    nodes: usize,
    frames: usize,
    bytes: usize,
}

fn hear(
    turns: u64,
    blind: &mut Blind,
    occupied: &mut Bitboard,
    mut toggle: impl FnMut(&mut Noise, Bitboard) -> Square,
) -> Largest {
    let (mut noise, mut largest) = (Noise(1), Largest::default());
    for turn in 1..=turns {
        let now = Moment::ZERO + PERIOD * u32::try_from(turn).unwrap();
        while let Some(at) = blind.deadline().filter(|at| *at <= now) {
            blind.due(at, &picture(*occupied));
        }
        *occupied ^= Bitboard::from(toggle(&mut noise, *occupied));
        if blind.see(now, &picture(*occupied), waits()) {
            blind.fix_old();
        }
        let (tips, nodes, bytes) = blind.lines.size();
        largest.tips = largest.tips.max(tips);
        largest.nodes = largest.nodes.max(nodes);
        largest.frames = largest.frames.max(blind.watched.len());
        largest.bytes = largest.bytes.max(bytes);
    }
    largest
}

fn assert_small(largest: &Largest) {
    println!("{largest:?}");
    assert!(largest.tips <= LIVE_MAX, "{largest:?}");
    assert!(largest.nodes <= NODES_MOST + LIVE_MAX * 8, "{largest:?}");
    assert!(largest.frames <= TOGGLES_MAX + 2, "{largest:?}");
    assert!(largest.bytes <= 8 << 20, "{largest:?}");
}

#[test]
fn an_hour_of_noise_on_all_squares_stays_small() {
    let start = Chess::default();
    let mut occupied = start.board().occupied();
    let mut blind = Blind::new(Moment::ZERO, start.clone());
    let largest = hear(HOUR, &mut blind, &mut occupied, |noise, _| noise.one_of(&Square::ALL));
    assert_small(&largest);
    assert!(!blind.agrees());
    assert!(blind.lost().is_some());
}

#[test]
fn an_hour_of_noise_where_moves_are_made_stays_small() {
    let start = Chess::default();
    let mut occupied = start.board().occupied();
    let mut blind = Blind::new(Moment::ZERO, start.clone());
    let some = [Square::E2, Square::E4, Square::D7, Square::D5, Square::G1, Square::F3];
    let largest = hear(HOUR, &mut blind, &mut occupied, |noise, _| noise.one_of(&some));
    assert_small(&largest);
}

#[test]
fn moves_that_fit_in_ever_more_ways_stay_small() {
    let mut position = Chess::default();
    let mut occupied = position.board().occupied();
    let mut blind = Blind::new(Moment::ZERO, position.clone());
    let mut to_put = None;
    let largest = hear(MINUTES, &mut blind, &mut occupied, |noise, occupied| {
        if let Some(square) = to_put.take().filter(|square| !occupied.contains(*square)) {
            return square;
        }
        // Captures show as one piece lifted.
        let moves = position.legal_moves();
        let simple = moves.iter().filter(|mv| !mv.is_castle() && !mv.is_en_passant());
        let simple: Vec<_> = simple.filter(|mv| mv.promotion().is_none()).copied().collect();
        let from: Vec<_> = simple.iter().filter_map(|mv| mv.from()).collect();
        let from = noise.one_of(&from);
        let to: Vec<_> =
            simple.iter().filter(|mv| mv.from() == Some(from)).map(|mv| mv.to()).collect();
        let to = noise.one_of(&to);
        let made = simple.iter().find(|mv| mv.from() == Some(from) && mv.to() == to).copied();
        position.play_unchecked(made.unwrap());
        to_put = Some(to);
        from
    });
    assert_small(&largest);
}
