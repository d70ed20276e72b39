//! Virtual players compared with the games they were given, position by position.

mod clumsy;
mod meddling;

use eboard::{Moment, Piece, Role, Square};
use shakmaty::{CastlingMode, Move, fen::Fen};

use super::*;
use crate::{Act, Clock, Happening, Stage, famous};

/// Long enough that no flag falls by itself in any of the games.
fn calm() -> Manner {
    Manner { control: TimeControl::new(5400, 30), ..Manner::default() }
}

/// The placements at each press that throws a lever while a time counts, and at the end.
fn pressed(performance: &Performance, control: TimeControl) -> (Vec<Placement>, Placement) {
    let mut placement = performance.start;
    let mut clock = Clock::new(control);
    let mut pressed = Vec::new();
    for &(at, act) in &performance.acts {
        let now = Moment::ZERO + at;
        if matches!(act, Act::Press(_)) && clock.is_running(now) {
            pressed.push(placement);
        }
        act.apply(now, &mut placement, &mut clock);
    }
    (pressed, placement)
}

fn placements(game: &Game) -> Vec<Placement> {
    game.positions().map(|position| convert::placement(position.board())).collect()
}

fn named(name: &str) -> Square {
    Square::all().find(|square| square.to_string() == name).unwrap()
}

fn kings(placement: &Placement) -> (Square, Square) {
    let find = |piece| Square::all().find(|&square| placement[square] == Some(piece)).unwrap();
    (find(Piece::WhiteKing), find(Piece::BlackKing))
}

#[test]
fn at_each_press_stands_the_position_after_the_move() {
    let busy = Manner { slides: Permille(500), adjusts: Permille(200), ..calm() };
    for game in famous() {
        for seed in 0..8 {
            let performance = perform(&game, &busy, seed);
            assert_eq!(performance.truth.plies, game.moves.len(), "{}", game.white);
            assert_eq!(performance.truth.outcome, game.outcome);
            let (pressed, last) = pressed(&performance, busy.control);
            let mut wanted = placements(&game);
            if game.positions().last().unwrap().is_game_over() {
                // Mate ends the game without a press.
                wanted.pop();
            }
            assert_eq!(pressed, wanted, "{} - {}, seed {seed}", game.white, game.black);
            assert_eq!(last, Placement::starting());
        }
    }
}

#[test]
fn pieces_replace_others_only_where_the_move_goes() {
    let busy = Manner { slides: Permille(800), tidy_up: false, ..calm() };
    let mut slid = 0;
    for game in famous() {
        let performance = perform(&game, &busy, 11);
        let mut placement = performance.start;
        let mut clock = Clock::new(busy.control);
        let mut ply = 0;
        let (mut lifted_at, mut shown) = (Duration::ZERO, false);
        for &(at, act) in &performance.acts {
            let played = game.moves.get(ply).filter(|_| !shown);
            match act {
                Act::Lift(square) => {
                    assert!(placement[square].is_some(), "{square} is empty: {act:?}");
                    lifted_at = at;
                }
                Act::Put(square, _) => {
                    slid += u32::from(lifted_at == at);
                    if placement[square].is_some() {
                        let goal = played.map(|it| convert::square(it.to()));
                        assert_eq!(goal, Some(square), "{} ply {ply}", game.white);
                    }
                }
                Act::Press(_) => ply += 1,
                Act::StopClock => shown = true,
                _ => {}
            }
            act.apply(Moment::ZERO + at, &mut placement, &mut clock);
        }
    }
    assert!(slid > 100, "{slid} steps of slides");
}

#[test]
fn careful_hands_put_nothing_on_an_occupied_square() {
    let manner = Manner { lifts_captured: true, slides: Permille(500), ..calm() };
    for game in famous() {
        let performance = perform(&game, &Manner { tidy_up: false, ..manner.clone() }, 5);
        let mut placement = performance.start;
        let mut clock = Clock::new(manner.control);
        for &(at, act) in &performance.acts {
            if let Act::Put(square, _) = act {
                assert_eq!(placement[square], None, "{} {square}", game.white);
            }
            act.apply(Moment::ZERO + at, &mut placement, &mut clock);
        }
    }
}

#[test]
fn captures_come_in_every_order() {
    let game = famous().remove(0);
    let captures = game.moves.iter().filter(|it| it.is_capture()).count();
    assert!(captures > 5);
    let (mut first, mut between, mut replaced) = (0, 0, 0);
    for seed in 0..10 {
        let steady = Manner { slides: Permille(0), adjusts: Permille(0), ..calm() };
        let performance = perform(&game, &steady, seed);
        let mut acts = performance.acts.iter().map(|&(_, act)| act).peekable();
        for &played in &game.moves {
            let mut of_move = Vec::new();
            while let Some(act) = acts.next_if(|act| !matches!(act, Act::Press(_) | Act::StopClock))
            {
                of_move.extend(matches!(act, Act::Lift(_) | Act::Put(..)).then_some(act));
            }
            acts.next();
            let Move::Normal { from, to, capture: Some(_), .. } = played else { continue };
            let (from, to) = (convert::square(from), convert::square(to));
            match of_move[..] {
                [Act::Lift(a), Act::Lift(b), Act::Put(c, _)] if (a, b, c) == (to, from, to) => {
                    first += 1;
                }
                [Act::Lift(a), Act::Lift(b), Act::Put(c, _)] if (a, b, c) == (from, to, to) => {
                    between += 1;
                }
                [Act::Lift(a), Act::Put(b, _)] if (a, b) == (from, to) => replaced += 1,
                ref other => panic!("{played:?}: {other:?}"),
            }
        }
    }
    assert!(first > 10 && between > 10 && replaced > 10, "{first} {between} {replaced}");
}

#[test]
fn the_same_seed_gives_the_same_acts() {
    let game = famous().remove(3);
    let manner = Manner { mishaps: Mishap::ALL.to_vec(), ..calm() };
    for seed in 0..5 {
        let (once, again) = (perform(&game, &manner, seed), perform(&game, &manner, seed));
        assert_eq!(once.acts, again.acts);
        assert_eq!(once.truth, again.truth);
        assert_ne!(once.acts, perform(&game, &manner, seed + 100).acts);
    }
}

#[test]
fn acts_come_in_order_and_as_slowly_as_asked() {
    let pace = Pace::times(10.0);
    let manner = calm().at(pace);
    assert_eq!(manner.least_gap, Duration::from_millis(600));
    for game in famous() {
        let performance = perform(&game, &manner, 5);
        for pair in performance.acts.windows(2) {
            let gap = pair[1].0 - pair[0].0;
            assert!(gap.is_zero() || gap >= Duration::from_millis(600), "{pair:?}");
            let slide = matches!((pair[0].1, pair[1].1), (Act::Lift(_), Act::Put(..)));
            assert!(!gap.is_zero() || slide, "{pair:?}");
        }
    }
}

#[test]
fn a_stage_at_the_pace_asked_for_shows_the_same_as_in_life() {
    let shown = |performance: Performance, pace| {
        let mut stage = Stage::of(Moment::ZERO, performance, Clock::new(calm().control), pace);
        let mut happened: Vec<Happening> = Vec::new();
        while let Some(at) = stage.next() {
            happened.extend(stage.due(at));
        }
        assert!(stage.over());
        happened
    };
    let pace = Pace::times(10.0);
    let performance = perform(&famous().remove(5), &calm().at(pace), 1);
    assert_eq!(shown(performance.clone(), Pace::real()), shown(performance, pace));
}

#[test]
fn kings_show_the_result_unless_the_board_does() {
    let manner = Manner { tidy_up: false, ..calm() };
    let light = [named("e4"), named("d5")];
    let dark = [named("d4"), named("e5")];
    for game in famous() {
        for seed in 0..6 {
            let performance = perform(&game, &manner, seed);
            let (_, last) = pressed(&performance, manner.control);
            let (white, black) = kings(&last);
            let end = game.positions().last().unwrap();
            let on_light = [white, black].iter().filter(|square| light.contains(square)).count();
            let on_dark = [white, black].iter().filter(|square| dark.contains(square)).count();
            let expected = match (end.is_checkmate(), game.outcome) {
                (true, _) => {
                    assert_eq!(last, convert::placement(end.board()));
                    continue;
                }
                (_, Outcome::Known(KnownOutcome::Decisive { winner: Color::White })) => (2, 0),
                (_, Outcome::Known(KnownOutcome::Decisive { winner: Color::Black })) => (0, 2),
                (_, Outcome::Known(KnownOutcome::Draw)) => (1, 1),
                (_, Outcome::Unknown) => panic!("no famous game is without result"),
            };
            assert_eq!((on_light, on_dark), expected, "{} seed {seed}: {last}", game.white);
            assert_ne!(white, black);
            let running = performance.acts.iter().rposition(|(_, act)| *act == Act::StopClock);
            let lifts_after = performance.acts.iter().skip(running.unwrap());
            assert!(lifts_after.count() <= 7, "the kings move after the clock is stopped");
        }
    }
}

/// The placement at each stop of the clock, and what stood before the mishap.
fn blunders(mishap: Mishap) -> Vec<(Game, Performance, Vec<Placement>)> {
    let manner = Manner { mishaps: vec![mishap], penalty: true, ..calm() };
    let mut seen = Vec::new();
    for game in famous() {
        for seed in 0..4 {
            let performance = perform(&game, &manner, seed);
            if performance.truth.mishap.is_some() {
                let (pressed, last) = pressed(&performance, manner.control);
                assert_eq!(last, Placement::starting());
                seen.push((game.clone(), performance, pressed));
            }
        }
    }
    seen
}

fn check_blunders(mishap: Mishap, pseudo_legal: bool) {
    let seen = blunders(mishap);
    assert!(seen.len() > 40, "{mishap:?} {}", seen.len());
    for (game, performance, pressed) in seen {
        let Some((ply, _)) = performance.truth.mishap else { unreachable!() };
        let mut wanted = placements(&game);
        let before = wanted[ply - 1];
        let position = game.positions().nth(ply - 1).unwrap();
        // One press more than moves: at the blunder.
        let wrong = pressed[ply];
        assert!(
            !position.legal_moves().iter().any(|&it| {
                let mut after = position.clone();
                after.play_unchecked(it);
                convert::placement(after.board()) == wrong
            }),
            "{} ply {ply}: {wrong} is legal",
            game.white
        );
        let changed: Vec<Square> = before.differing(&wrong).collect();
        assert_eq!(changed.len(), 2, "{before} {wrong}");
        let from = *changed.iter().find(|&&square| wrong[square].is_none()).unwrap();
        let to = *changed.iter().find(|&&square| wrong[square].is_some()).unwrap();
        let reach = position
            .board()
            .attacks_from(shakmaty::Square::from_ascii(from.to_string().as_bytes()).unwrap());
        assert_eq!(reach.into_iter().any(|it| convert::square(it) == to), pseudo_legal);
        assert_eq!(before[from].map(Piece::colour), Some(convert::colour(position.turn())));
        wanted.insert(ply, wrong);
        if game.positions().last().unwrap().is_game_over() {
            wanted.pop();
        }
        assert_eq!(pressed, wanted, "{}", game.white);
        assert_eq!(performance.truth.outcome, game.outcome);
    }
}

#[test]
fn a_piece_moved_wrongly_is_put_back_and_the_game_goes_on() {
    check_blunders(Mishap::WrongGeometry, false);
}

#[test]
fn a_king_left_in_check_is_put_back_and_the_game_goes_on() {
    check_blunders(Mishap::KingLeftInCheck, true);
}

#[test]
fn after_a_blunder_the_one_who_erred_is_on_the_clock_again() {
    for (_, performance, _) in blunders(Mishap::WrongGeometry).into_iter().take(10) {
        let mut clock = Clock::new(calm().control);
        let mut placement = performance.start;
        let mut levers = Vec::new();
        for &(at, act) in &performance.acts {
            let now = Moment::ZERO + at;
            if matches!(act, Act::StopClock | Act::GoOn) {
                levers.push((clock.to_move(), now));
            }
            if let Act::Correct(side, time) = act {
                let before = clock.left(now, side);
                // 5400 + 60 x 30 s is standard play: two minutes.
                let given = Duration::from_millis(time.as_ms().into()).checked_sub(before);
                let given = given.unwrap();
                assert!(given > Duration::from_millis(119_998), "{given:?}");
                assert!(given <= Duration::from_secs(120), "{given:?}");
            }
            act.apply(now, &mut placement, &mut clock);
        }
        let [(stopped, from), (went_on, until), ..] = levers[..] else { panic!("{levers:?}") };
        assert_ne!(stopped, went_on);
        assert!(until.since(from) > Duration::from_secs(5));
    }
}

#[test]
fn a_flag_falls_for_the_one_who_stops_moving() {
    let manner = Manner { mishaps: vec![Mishap::FlagFall], tidy_up: false, ..Manner::default() };
    for game in famous() {
        let performance = perform(&game, &manner, 3);
        let truth = performance.truth;
        let fallen = truth.flag.expect("somebody loses on time");
        let turn = if truth.plies.is_multiple_of(2) { Colour::White } else { Colour::Black };
        assert_eq!(fallen, turn);
        let clock = Clock::new(manner.control);
        let mut stage = Stage::of(Moment::ZERO, performance, clock, Pace::real());
        let mut last = None;
        while let Some(at) = stage.next() {
            last = stage.due(at).into_iter().rfind(|it| matches!(it, Happening::Clock(_))).or(last);
        }
        let Some(Happening::Clock(face)) = last else { panic!("no face") };
        let dial = face.dial(stage.clock().side_of(fallen));
        assert_eq!((dial.time.as_ms(), dial.flag), (0, eboard::FlagMark::Final));
        let (white, _) = kings(stage.placement());
        let light = [named("e4"), named("d5")].contains(&white);
        let won = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
        assert_eq!(light, truth.outcome == won, "{}", game.white);
        assert_eq!(fallen == Colour::Black, truth.outcome == won);
    }
}

#[test]
fn a_touched_piece_that_stays_could_have_moved() {
    let manner = Manner { mishaps: vec![Mishap::TouchedOther], adjusts: Permille(0), ..calm() };
    for game in famous() {
        let performance = perform(&game, &manner, 9);
        let (ply, mishap) = performance.truth.mishap.expect("there is always another piece");
        assert_eq!(mishap, Mishap::TouchedOther);
        let acts = &performance.acts;
        let presses: Vec<usize> =
            (0..acts.len()).filter(|&index| matches!(acts[index].1, Act::Press(_))).collect();
        let first = presses[ply - 1] + 1;
        let [Act::Lift(touched), Act::Put(back, _)] = [acts[first].1, acts[first + 1].1] else {
            panic!("{:?}", &acts[first..first + 4])
        };
        assert_eq!(touched, back);
        let played = game.moves[ply];
        assert_ne!(played.from().map(convert::square), Some(touched));
        let position = game.positions().nth(ply - 1).unwrap();
        let movable = position.legal_moves();
        assert!(movable.iter().any(|it| it.from().map(convert::square) == Some(touched)));
        assert_eq!(pressed(&performance, manner.control).0[ply], placements(&game)[ply]);
    }
}

#[test]
fn kings_and_rooks_that_cross_in_chess960_reach_their_squares() {
    let fen = "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1";
    let start: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
    let castlings: Vec<Move> =
        start.legal_moves().into_iter().filter(|it| it.is_castle()).collect();
    assert_eq!(castlings.len(), 2);
    for castling in castlings {
        let game = Game {
            irregular: None,
            white: String::new(),
            black: String::new(),
            event: String::new(),
            site: String::new(),
            date: String::new(),
            start: start.clone(),
            moves: vec![castling],
            outcome: Outcome::Unknown,
        };
        let manner = Manner { tidy_up: false, ..calm() };
        let (pressed, _) = pressed(&perform(&game, &manner, 1), manner.control);
        assert_eq!(pressed, placements(&game));
        let king =
            pressed[0][named(if castling.to() > shakmaty::Square::F1 { "g1" } else { "c1" })];
        assert_eq!(king.map(Piece::role), Some(Role::King));
    }
}

#[test]
fn a_flag_costs_only_half_against_a_bare_king() {
    let bare: Chess = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let drawn = Outcome::Known(KnownOutcome::Draw);
    assert_eq!(outcome(Outcome::Unknown, &bare, Some(Colour::White)), drawn);
    let lost = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
    assert_eq!(outcome(Outcome::Unknown, &bare, Some(Colour::Black)), lost);
    assert_eq!(outcome(drawn, &bare, None), drawn);
}
