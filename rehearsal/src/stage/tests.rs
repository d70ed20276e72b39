//! Stages at several paces. What acts mean for squares and clocks is tested where they are made.

use eboard::{Colour, Piece, Square};

use super::*;
use crate::{Act, TimeControl, parse};

fn ms(ms: u64) -> Moment {
    Moment::from_micros(ms * 1000)
}

fn cue(ms: u64, act: Act) -> Cue {
    (Duration::from_millis(ms), act)
}

/// What happens when, in milliseconds, driven as a shell drives it.
fn drive(mut stage: Stage) -> Vec<(u64, Happening)> {
    let mut happened = Vec::new();
    while let Some(at) = stage.next() {
        let due = stage.due(at);
        assert!(!due.is_empty() || stage.over(), "woken for nothing at {at:?}");
        happened.extend(due.into_iter().map(|what| (at.as_micros() / 1000, what)));
        if happened.len() > 500 {
            break;
        }
    }
    happened
}

fn moves(happened: &[(u64, Happening)]) -> Vec<u64> {
    let squares = happened.iter().filter(|(_, what)| matches!(what, Happening::Square { .. }));
    squares.map(|&(at, _)| at).collect()
}

fn stage(acts: Vec<Cue>, pace: Pace) -> Stage {
    let clock = Clock::new(TimeControl::new(60, 0));
    Stage::new(ms(5000), Placement::starting(), acts, clock, pace)
}

fn e2_to_e4(lift_ms: u64, put_ms: u64) -> Vec<Cue> {
    let (e2, e4) = (Square::at(4, 1).unwrap(), Square::at(4, 3).unwrap());
    vec![cue(lift_ms, Act::Lift(e2)), cue(put_ms, Act::Put(e4, Piece::WhitePawn))]
}

#[test]
fn nothing_happens_before_the_beginning() {
    let mut stage = stage(e2_to_e4(0, 300), Pace::real());
    assert_eq!(stage.next(), Some(ms(5000)));
    assert_eq!(stage.due(ms(4999)), []);
    let first = stage.due(ms(5000));
    let Some(Happening::Board(board)) = first.first() else { panic!("{first:?}") };
    assert_eq!(*board, Placement::starting());
    assert!(matches!(first[1], Happening::Clock(face) if !face.running));
    assert!(matches!(first[2], Happening::Square { piece: None, .. }));
    assert_eq!(stage.next(), Some(ms(5300)));
    assert!(!stage.over());
    assert_eq!(stage.due(ms(9000)).len(), 1);
    assert!(stage.over());
    assert_eq!(stage.next(), None);
}

#[test]
fn driven_by_its_deadlines_a_script_happens_as_it_plays() {
    let script = parse("# time_control: 20\n e2^ e4v | g8^ f6v | a2^ a3v ~").unwrap();
    let played: Vec<_> =
        script.play().into_iter().map(|(at, what)| (at.as_micros() / 1000, what)).collect();
    assert_eq!(drive(script.stage(Moment::ZERO, Pace::real())), played);
}

#[test]
fn ten_times_faster_the_clock_counts_ten_seconds_a_second() {
    let acts = vec![cue(1000, Act::StartClock(Colour::White)), cue(31_000, Act::StopClock)];
    let happened = drive(stage(acts, Pace::times(10.0)));
    let at: Vec<u64> = happened.iter().skip(2).map(|&(at, _)| at).collect();
    // Started 0.1 s after the beginning, 30 changes of second, the last with the stop.
    let expected: Vec<u64> = (0..=30).map(|second| 5100 + 100 * second).collect();
    assert_eq!(at, expected);
    let Some((_, Happening::Clock(last))) = happened.last() else { panic!() };
    assert_eq!((last.left.time.to_string(), last.running), ("0:00:30".into(), false));
}

#[test]
fn hands_are_slowed_down_to_what_a_board_can_see() {
    let fast = drive(stage(e2_to_e4(1000, 1400), Pace::times(10.0)));
    assert_eq!(moves(&fast), [5100, 5160]);
    let wide = Pace::times(10.0).with_min_gap(Duration::from_millis(20));
    assert_eq!(moves(&drive(stage(e2_to_e4(1000, 1400), wide))), [5100, 5140]);
    let real = drive(stage(e2_to_e4(1000, 1010), Pace::real()));
    assert_eq!(moves(&real), [6000, 6010]);
    // One act leaves the plan behind, the next ones catch up.
    let mut acts = e2_to_e4(1000, 1100);
    acts.extend(e2_to_e4(1200, 3000).into_iter().map(|(at, act)| match act {
        Act::Lift(_) => (at, Act::Lift(Square::at(0, 0).unwrap())),
        Act::Put(_, piece) => (at, Act::Put(Square::at(0, 3).unwrap(), piece)),
        other => (at, other),
    }));
    assert_eq!(moves(&drive(stage(acts, Pace::times(10.0)))), [5100, 5160, 5220, 5300]);
}

#[test]
fn acts_of_one_moment_stay_together() {
    let happened = drive(stage(e2_to_e4(1000, 1000), Pace::times(10.0)));
    assert_eq!(moves(&happened), [5100, 5100]);
}

#[test]
fn slow_motion_is_slow() {
    assert_eq!(moves(&drive(stage(e2_to_e4(1000, 1400), Pace::times(0.5)))), [7000, 7800]);
    // Out of range or no number at all: kept within reason.
    assert_eq!(Pace::times(f64::NAN), Pace::times(1.0));
    assert_eq!(Pace::times(1e9), Pace::times(1000.0));
    assert_eq!(Pace::times(-1.0), Pace::times(0.001));
}

#[test]
fn no_moment_is_missed_at_a_crooked_pace() {
    let acts = vec![cue(0, Act::StartClock(Colour::White))];
    let happened = drive(stage(acts, Pace::times(7.003)));
    // The board, the face, the start, and 60 seconds down to the flag.
    assert_eq!(happened.len(), 63);
    let Some((at, Happening::Clock(last))) = happened.last() else { panic!() };
    assert_eq!(last.left.flag, eboard::FlagMark::Final);
    assert_eq!(*at, 5000 + 60_000 * 1000 / 7003);
}
