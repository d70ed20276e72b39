//! Transcripts read again: the same happens, as long after the start.

use std::time::Duration;

use eboard::Square;
use shakmaty::Chess;

use super::*;
use crate::{Habits, Manner, Mishap, Pace, Stage, chess960, famous, parse, perform, random_game};

/// What happens when, from the start of the clock on; without the ticks after the last act.
fn since_start(stage: Stage) -> Vec<(Duration, Happening)> {
    let mut stage = stage;
    let mut happened = Vec::new();
    while let Some(at) = stage.next().filter(|_| !stage.over()) {
        happened.extend(stage.due(at).into_iter().map(|what| (at, what)));
    }
    let started = happened.iter().find_map(|(at, what)| match what {
        Happening::Clock(face) if face.running => Some(*at),
        _ => None,
    });
    let started = started.expect("the clock is started");
    happened.retain(|(at, _)| *at >= started);
    happened.into_iter().map(|(at, what)| (at.since(started), what)).collect()
}

/// A script without the rest at its end, which is no act.
fn acts_of(script: &crate::Script) -> Stage {
    Stage::new(Moment::ZERO, script.placement(), script.cues(), script.clock(), Pace::real())
}

fn manners() -> [Manner; 3] {
    let clumsy = Manner::clumsy();
    [
        Manner { mishaps: vec![Mishap::FlagFall], ..Manner::default() },
        Manner { mishaps: vec![Mishap::WrongGeometry], ..clumsy.clone() },
        Manner { tidy_up: false, ..clumsy },
    ]
}

fn games() -> Vec<Game> {
    let of_chess960 = (0..4).map(|it| random_game(it, 80, chess960(it as u32 * 200).unwrap()));
    famous().into_iter().take(8).chain(of_chess960).collect()
}

#[test]
fn a_performance_written_down_and_read_again_is_the_same() {
    for (seed, game) in (0..).zip(games()) {
        for manner in manners() {
            let performance = perform(&game, &manner, seed);
            let text = performance.transcript(Colour::White, manner.control);
            let script = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let clock = crate::Clock::new(manner.control);
            let played = Stage::of(Moment::ZERO, performance, clock, Pace::real());
            let read = acts_of(&script);
            assert_eq!(since_start(played), since_start(read), "{text}");
        }
    }
}

#[test]
fn what_happened_written_down_and_read_again_is_the_same() {
    for (seed, game) in (0..).zip(games()) {
        for manner in manners() {
            let performance = perform(&game, &manner, seed);
            let clock = crate::Clock::new(manner.control);
            let stage = || Stage::of(Moment::ZERO, performance.clone(), clock, Pace::real());
            let (mut happened, mut to_come) = (Vec::new(), stage());
            while let Some(at) = to_come.next().filter(|_| !to_come.over()) {
                happened.extend(to_come.due(at).into_iter().map(|what| (at, what)));
            }
            let text = transcript_of(&happened, manner.control);
            let script = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let read = since_start(acts_of(&script));
            assert_eq!(since_start(stage()), read, "{text}");
        }
    }
}

#[test]
fn scripts_come_back_as_they_were_written() {
    let scripts = [
        "# time_control: 300+3\ne2^ e4v |\n+0.4 d7^ d5v |\ne4^ d5x d5v |\n",
        "# time_control: 300\ng1^ +1.5 g1v e2^ e4v |\n",
        "# fen: 4k3/P7/8/8/8/8/8/4K2R w - - 0 1\n# time_control: 5400+30\n\
         e1^ h1^ g1v:K f1v |\n+3 ~ a7x a8=Q !\n+5 flag:w\n",
        "# time_control: 60\n~ +2 e2^ e2v +2 ! e2^ e4v |\n",
        "# time_control: 60\ne2^ e4v |\nclock:button clock:lost=2 +5 e7^ e5v |\n",
    ];
    for text in scripts {
        let script = parse(text).unwrap();
        let again = transcript_of(&script.play(), script.header().time_control.clock().unwrap());
        let read = parse(&again).unwrap();
        assert_eq!(read.cues().len(), script.cues().len(), "{again}");
        let moments = |script: &crate::Script| -> Vec<(Duration, Vec<Square>)> {
            let on_board = |it: &Cue| match it.1 {
                Act::Lift(square) | Act::Put(square, _) => Some((it.0, vec![square])),
                _ => None,
            };
            let cues: Vec<_> = script.cues().iter().filter_map(on_board).collect();
            let first = cues[0].0;
            cues.into_iter().map(|(at, squares)| (at - first, squares)).collect()
        };
        assert_eq!(moments(&read), moments(&script), "{text}\n{again}");
    }
}

#[test]
fn the_usual_gaps_are_not_written() {
    let script = parse("# time_control: 300+3\ne2^ e4v |\nd7^ d5v |\ne4^ d5x d5v |\n").unwrap();
    let text = transcript_of(&script.play(), script.header().time_control.clock().unwrap());
    assert_eq!(text, "# time_control: 300+3\ne2^ e4v |\nd7^ d5v |\ne4^ d5x d5v |\n");
}

#[test]
fn an_excerpt_holds_its_plies_and_nothing_else() {
    let manner = Manner { habits: Habits::default(), ..Manner::clumsy() };
    for (seed, game) in (0..).zip(games()) {
        let performance = perform(&game, &manner, seed);
        let plies = performance.truth.plies;
        for first in (0..plies.saturating_sub(3)).step_by(5) {
            let text = performance.excerpt(&game, manner.control, first..first + 2);
            let script = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(text.matches('|').count(), 2, "{text}");
            let placed =
                |ply: usize| convert::placement(game.positions().nth(ply).unwrap().board());
            let start = convert::placement(game.start.board());
            let before = first.checked_sub(1).map_or(start, placed);
            assert_eq!(script.placement(), before);
            let mut stage = script.stage(Moment::ZERO, Pace::real());
            while let Some(at) = stage.next().filter(|_| !stage.over()) {
                stage.due(at);
            }
            assert_eq!(*stage.placement(), placed(first + 1), "{text}");
        }
    }
}

#[test]
fn a_clumsy_excerpt_can_be_read_wherever_it_is_cut() {
    for (seed, game) in (0..).zip(games()) {
        let performance = perform(&game, &Manner::clumsy(), seed);
        for first in 0..performance.truth.plies {
            let text = performance.excerpt(&game, Manner::clumsy().control, first..first + 1);
            assert!(parse(&text).is_ok(), "{text}");
        }
    }
    let nothing = perform(&random_game(1, 0, Chess::default()), &Manner::clumsy(), 1);
    let empty = random_game(1, 0, Chess::default());
    assert!(parse(&nothing.excerpt(&empty, Manner::clumsy().control, 3..9)).is_ok());
}
