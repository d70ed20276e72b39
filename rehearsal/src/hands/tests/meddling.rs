//! What looks like an offence and is none, looked for in the acts.

use eboard::{Moment, Role, Square};

use super::super::*;
use super::kings;
use crate::{Act, Clock, kings_abreast, random_game};

fn only(habit: Habit) -> Manner {
    let control = TimeControl::new(5400, 30);
    Manner { control, adjusts: Permille(0), habits: Habits::only(habit), ..Manner::default() }
}

fn distance(placement: &Placement) -> u8 {
    let (white, black) = kings(placement);
    white.file().abs_diff(black.file()).max(white.rank().abs_diff(black.rank()))
}

/// The placement after each act, with the act and when it was done.
fn placements(performance: &Performance, control: TimeControl) -> Vec<(Duration, Act, Placement)> {
    let (mut placement, mut clock) = (performance.start, Clock::new(control));
    let acts = performance.acts.iter().map(|&(at, act)| {
        act.apply(Moment::ZERO + at, &mut placement, &mut clock);
        (at, act, placement)
    });
    acts.collect()
}

#[test]
fn kings_stand_side_by_side_for_a_while_and_at_no_press() {
    let mut met = 0;
    for seed in 0..20 {
        let (game, manner) = (kings_abreast(seed), only(Habit::KingsMeet));
        let performance = perform(&game, &manner, seed);
        assert_eq!(performance.truth.plies, game.moves.len(), "{seed}");
        met += performance.done.len();
        let end = *performance.made.last().unwrap();
        let whole = |placement: &Placement| {
            let men = Square::all().filter_map(|square| placement[square]);
            men.filter(|piece| piece.role() == Role::King).count() == 2
        };
        for (at, act, placement) in placements(&performance, manner.control) {
            if at <= end && matches!(act, Act::Press(_)) && whole(&placement) {
                assert!(distance(&placement) > 1, "{seed}");
            }
        }
    }
    assert!(met > 60, "{met}");
}

#[test]
fn a_piece_of_the_other_player_is_put_straight_and_nothing_is_left_changed() {
    for (habit, least) in [(Habit::AdjustsTheirs, 20), (Habit::PutRight, 20)] {
        for seed in 0..6 {
            let game = random_game(seed, 60, Chess::default());
            let manner = only(habit);
            let performance = perform(&game, &manner, seed);
            assert_eq!(performance.truth.plies, game.moves.len(), "{habit:?} {seed}");
            assert!(performance.done.len() >= least.min(game.moves.len() / 2), "{habit:?} {seed}");
            let stood: Vec<_> = placements(&performance, manner.control);
            for (made, after) in performance.made.iter().zip(game.positions()) {
                let at = stood.iter().rev().find(|(at, ..)| at == made).unwrap();
                assert_eq!(at.2, convert::placement(after.board()), "{habit:?} {seed}");
            }
        }
    }
}

#[test]
fn whatever_is_done_before_the_clock_is_started_the_pieces_stand_right_then() {
    let manner = only(Habit::SettlesDown);
    let (mut wrong, mut touched) = (0, [0, 0]);
    for seed in 0..20 {
        let game = random_game(seed, 20, Chess::default());
        let performance = perform(&game, &manner, seed);
        assert_eq!(performance.truth.plies, game.moves.len(), "{seed}");
        wrong += usize::from(performance.start != Placement::starting());
        let stood = placements(&performance, manner.control);
        let started = stood.iter().position(|it| matches!(it.1, Act::StartClock(_))).unwrap();
        assert_eq!(stood[started].2, Placement::starting(), "{seed}");
        for (_, act, _) in &stood[..started] {
            if let Act::Lift(square) = act {
                touched[usize::from(square.rank() > 3)] += 1;
            }
        }
    }
    assert!(wrong > 15 && touched.iter().all(|it| *it > 20), "{wrong} {touched:?}");
}
