//! Every clumsy habit, looked for in the acts, and the game found whole below them.

use eboard::{Moment, Piece, Role, Square};
use shakmaty::Move;

use super::super::*;
use crate::{Act, Clock, chess960, famous, random_game};

fn only(habit: Habit) -> Manner {
    Manner {
        control: TimeControl::new(5400, 30),
        slides: Permille(0),
        adjusts: Permille(0),
        habits: Habits::only(habit),
        ..Manner::default()
    }
}

/// Ordinary games and games of Chess960 with all kinds of moves in them.
fn games() -> Vec<Game> {
    let ordinary = (0..10).map(|seed| random_game(seed, 220, Chess::default()));
    let drawn = (0..10).map(|seed| random_game(seed, 220, chess960(seed as u32 * 95).unwrap()));
    famous().into_iter().take(6).chain(ordinary).chain(drawn).collect()
}

/// Says which game and seed, and what was done about the move that is wrong.
#[track_caller]
fn must_hold(game: &Game, manner: &Manner, seed: u64) -> Performance {
    let performance = perform(game, manner, seed);
    let truth = performance.truth;
    assert_eq!(performance.made.len(), truth.plies);
    let mut placement = performance.start;
    let mut clock = Clock::new(manner.control);
    let mut acts = performance.acts.iter().peekable();
    let mut last = Duration::ZERO;
    let positions = positions(game);
    for (ply, (pair, made)) in positions.windows(2).zip(&performance.made).enumerate() {
        let [before, after] = [&pair[0], &pair[1]];
        while let Some(&(at, act)) = acts.next_if(|(at, _)| at <= made) {
            assert!(at >= last);
            last = at;
            if let Act::Lift(square) = act {
                assert!(placement[square].is_some(), "{} ply {ply}: {square}", game.event);
            }
            if let Act::Press(side) = act {
                let showed = |habit| performance.done.contains(&(ply, habit));
                let unfinished = showed(Habit::PawnForgotten) || showed(Habit::PawnLeft);
                if !showed(Habit::ATempo) && !unfinished {
                    let stood = convert::placement(before.board());
                    assert_eq!(placement, stood, "{} ply {ply}", game.event);
                }
                let owed = ply.checked_sub(1).map(|it| (it, Habit::ATempo));
                let owed = owed.is_some_and(|it| performance.done.contains(&it));
                if !owed && !unfinished {
                    assert_eq!(convert::other(side), convert::colour(before.turn()));
                }
                assert_eq!(clock.to_move(), side);
            }
            act.apply(Moment::ZERO + at, &mut placement, &mut clock);
        }
        assert_eq!(
            placement,
            convert::placement(after.board()),
            "{}, seed {seed}\n{}",
            game.event,
            performance.excerpt(game, manner.control, ply..ply + 1)
        );
    }
    for &(at, act) in acts {
        act.apply(Moment::ZERO + at, &mut placement, &mut clock);
    }
    if manner.tidy_up {
        let home = convert::placement(game.start.board());
        assert_eq!(placement, home, "{}, seed {seed}", game.event);
    }
    performance
}

/// The position before the first move and after each.
fn positions(game: &Game) -> Vec<Chess> {
    std::iter::once(game.start.clone()).chain(game.positions()).collect()
}

/// One ply with what was done for it: the acts on squares after the ply before stood.
struct Ply {
    before: Chess,
    played: Move,
    acts: Vec<Cue>,
    all: Vec<Cue>,
}

impl Ply {
    fn from(&self) -> Square {
        convert::square(self.played.from().unwrap())
    }

    fn to(&self) -> Square {
        convert::square(self.played.to())
    }

    fn standing(&self, square: Square) -> Option<Piece> {
        convert::placement(self.before.board())[square]
    }

    fn goes(&self, from: Square, to: Square) -> bool {
        self.before.legal_moves().iter().any(|it| {
            it.from().map(convert::square) == Some(from) && convert::square(it.to()) == to
        })
    }

    /// Pieces put somewhere and lifted there again: what, where, how long it stood.
    fn rests(&self) -> Vec<(Piece, Square, Duration)> {
        let puts = self.acts.iter().enumerate();
        puts.filter_map(|(index, &(put, act))| {
            let Act::Put(square, piece) = act else { return None };
            let mut later = self.acts.iter().skip(index + 1);
            let lifted = later.find(|(_, act)| *act == Act::Lift(square))?;
            Some((piece, square, lifted.0 - put))
        })
        .collect()
    }

    fn gap(&self, index: usize) -> Duration {
        self.acts[index].0 - self.acts[index - 1].0
    }
}

/// Every ply of every game at which this habit showed when there was no other.
fn shown(habit: Habit) -> Vec<Ply> {
    let mut plies = Vec::new();
    for (seed, game) in (0..).zip(games()) {
        let performance = must_hold(&game, &only(habit), seed);
        assert_eq!(performance.truth.plies, game.moves.len(), "{habit:?} {}", game.event);
        let before = positions(&game);
        for &(ply, done) in &performance.done {
            assert_eq!(done, habit);
            if ply >= game.moves.len() {
                continue;
            }
            let since = if ply == 0 { Duration::ZERO } else { performance.made[ply - 1] };
            let acts = &performance.acts;
            let [first, end] = [since, performance.made[ply]]
                .map(|moment| acts.partition_point(|it| it.0 <= moment));
            let all = acts[first..end].to_vec();
            let on_board = |it: &&Cue| matches!(it.1, Act::Lift(_) | Act::Put(..));
            plies.push(Ply {
                before: before[ply].clone(),
                played: game.moves[ply],
                acts: all.iter().filter(on_board).copied().collect(),
                all,
            });
        }
    }
    plies
}

fn s(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

#[track_caller]
fn each(habit: Habit, least: usize, looks_right: impl Fn(&Ply) -> bool) {
    let plies = shown(habit);
    assert!(plies.len() >= least, "{habit:?} showed {} times", plies.len());
    for ply in plies {
        assert!(looks_right(&ply), "{habit:?}: {:?} {:?}", ply.played, ply.acts);
    }
}

#[test]
fn a_captured_piece_is_parked_beside_and_taken_off() {
    each(Habit::TakenParked, 100, |ply| {
        let taken = ply.standing(ply.to());
        let parked = ply.rests().into_iter().find(|it| Some(it.0) == taken && it.1 != ply.to());
        parked.is_some_and(|(_, aside, rest)| {
            rest > s(0.5) && ply.acts.last().unwrap().1 == Act::Lift(aside)
                || ply.played.is_promotion()
        })
    });
}

#[test]
fn a_captured_piece_is_dropped_back_and_removed() {
    let dropped = |ply: &Ply| {
        let taken = ply.standing(ply.to());
        ply.rests().into_iter().find(|it| Some(it.0) == taken && it.2 >= s(0.3))
    };
    each(Habit::TakenDroppedBack, 100, |ply| dropped(ply).is_some());
    let plies = shown(Habit::TakenDroppedBack);
    let onto = |square: fn(&Ply) -> Square| {
        plies.iter().filter(|it| dropped(it).is_some_and(|drop| drop.1 == square(it))).count()
    };
    assert!(onto(Ply::to) > 20 && onto(Ply::from) > 10);
}

#[test]
fn a_captured_piece_leaves_ghosts_as_it_is_dragged_off() {
    each(Habit::TakenDraggedOff, 100, |ply| {
        let taken = ply.standing(ply.to());
        let ghost = |it: &(Piece, Square, Duration)| Some(it.0) == taken && it.2 <= s(0.25);
        ply.rests().iter().any(ghost)
    });
}

#[test]
fn a_dragged_piece_is_seen_on_the_squares_between() {
    each(Habit::Drags, 300, |ply| {
        let between = ply.rests();
        let short = between.iter().all(|it| (s(0.015)..=s(0.35)).contains(&it.2));
        !between.is_empty() && short
    });
    let rested = shown(Habit::Drags).iter().flat_map(Ply::rests).filter(|it| it.2 > s(0.2)).count();
    assert!(rested > 50, "{rested}");
}

#[test]
fn a_misplaced_piece_stood_where_it_may_not_go() {
    each(Habit::Misplaces, 500, |ply| {
        let rests = ply.rests();
        let [(piece, wrong, rest)] = rests[..] else { return false };
        Some(piece) == ply.standing(ply.from()) && !ply.goes(ply.from(), wrong) && rest >= s(0.3)
    });
}

#[test]
fn a_piece_is_held_while_its_player_thinks() {
    each(Habit::LongHold, 500, |ply| (1..ply.acts.len()).any(|it| ply.gap(it) >= s(3.0)));
}

#[test]
fn castling_takes_every_form() {
    let role = |ply: &Ply, index: usize| match ply.acts[index].1 {
        Act::Lift(square) => ply.standing(square).map(Piece::role),
        Act::Put(_, piece) => Some(piece.role()),
        _ => None,
    };
    let (king, rook) = (Some(Role::King), Some(Role::Rook));
    each(Habit::RookFirst, 10, |ply| role(ply, 0) == rook && role(ply, 3) == king);
    each(Habit::BothAtOnce, 10, |ply| {
        let lifts = ply.acts[..2].iter().all(|it| matches!(it.1, Act::Lift(_)));
        lifts && ply.gap(1) <= s(0.1) && ply.gap(3) <= s(0.1) && ply.acts.len() == 4
    });
    each(Habit::RookLate, 10, |ply| {
        role(ply, 1) == king && role(ply, 2) == rook && ply.gap(2) >= s(2.0)
    });
    each(Habit::KingBeside, 10, |ply| {
        role(ply, 0) == king && role(ply, ply.acts.len() - 1) == king && role(ply, 1) != king
            || ply.acts.len() == 2
    });
}

#[test]
fn a_pawn_taken_en_passant_goes_late() {
    let last_lift = |ply: &Ply| {
        let captured = Square::at(ply.to().file(), ply.from().rank()).unwrap();
        ply.acts.last().unwrap().1 == Act::Lift(captured)
    };
    each(Habit::PawnLate, 5, |ply| {
        let touched = ply.all.iter().skip_while(|it| !matches!(it.1, Act::Lift(_)));
        let unpressed = touched.clone().all(|it| !matches!(it.1, Act::Press(_)));
        last_lift(ply) && ply.gap(ply.acts.len() - 1) >= s(2.0) && unpressed
    });
    each(Habit::PawnForgotten, 5, |ply| {
        let pressed = ply.all.iter().rev().nth(1).unwrap();
        last_lift(ply) && matches!(pressed.1, Act::Press(_))
    });
}

#[test]
fn a_promotion_is_made_with_the_piece_first_or_much_later() {
    let promoted = |ply: &Ply| {
        let role = ply.played.promotion().map(convert::role).unwrap();
        Act::Put(ply.to(), Piece::new(convert::colour(ply.before.turn()), role))
    };
    each(Habit::PieceFirst, 20, |ply| {
        let first_put = ply.acts.iter().find(|it| matches!(it.1, Act::Put(..))).unwrap();
        first_put.1 == promoted(ply) && ply.acts.last().unwrap().1 == Act::Lift(ply.from())
    });
    each(Habit::QueenLate, 20, |ply| {
        let waited = (1..ply.acts.len()).any(|it| ply.gap(it) >= s(5.0));
        waited && ply.acts.last().unwrap().1 == promoted(ply)
    });
    let late = shown(Habit::QueenLate);
    let stood = late.iter().filter(|ply| ply.rests().iter().any(|it| it.2 > s(4.0))).count();
    assert!(stood > 3 && stood < late.len(), "{stood} pawns waited on the last rank");
}

#[test]
fn a_queen_comes_after_a_rook_upside_down_or_after_the_press() {
    let queens = |ply: &Ply| ply.played.promotion() == Some(shakmaty::Role::Queen);
    let ends = |ply: &Ply| matches!(ply.acts.last().unwrap().1, Act::Put(to, _) if to == ply.to());
    each(Habit::RookUpsideDown, 5, |ply| {
        let rook = Piece::new(convert::colour(ply.before.turn()), Role::Rook);
        let put = ply.acts.iter().position(|it| it.1 == Act::Put(ply.to(), rook));
        let stood = put.is_some_and(|at| ply.gap(at + 1) >= s(1.5));
        queens(ply) && ends(ply) && stood
    });
    each(Habit::PawnLeft, 5, |ply| {
        let pressed = ply.all.iter().rposition(|it| matches!(it.1, Act::Press(_)));
        let queen = ply.all.iter().rposition(|it| matches!(it.1, Act::Put(..)));
        queens(ply) && ends(ply) && pressed.is_some() && queen > pressed
    });
}

#[test]
fn a_piece_on_the_edge_of_its_square_comes_and_goes() {
    each(Habit::Flickers, 500, |ply| {
        let [.., lifted, put] = &ply.acts[..] else { return false };
        let (Act::Lift(from), Act::Put(to, _)) = (lifted.1, put.1) else { return false };
        from == to && put.0 - lifted.0 <= s(0.25)
    });
}

#[test]
fn a_piece_is_straightened_before_the_answer() {
    each(Habit::Straightens, 500, |ply| {
        let [lifted, put, ..] = &ply.acts[..] else { return false };
        let (Act::Lift(from), Act::Put(to, _)) = (lifted.1, put.1) else { return false };
        from == to && ply.standing(from).is_some() && put.0 - lifted.0 <= s(0.4)
    });
}

#[test]
fn a_clock_that_is_left_runs_while_the_kings_are_put() {
    let game = random_game(3, 40, Chess::default());
    let stops = |habits| {
        let manner = Manner { habits, ..only(Habit::Drags) };
        perform(&game, &manner, 1).acts.iter().any(|it| it.1 == Act::StopClock)
    };
    assert!(stops(Habits::default()) && !stops(Habits::only(Habit::ClockLeft)));
}

#[test]
fn what_is_knocked_over_is_put_up_again() {
    each(Habit::KnocksOver, 500, |ply| {
        let lifted = ply.acts.iter().filter_map(|it| match it.1 {
            Act::Lift(square) if square != ply.from() => Some(square),
            _ => None,
        });
        let stands = |square: Square| ply.standing(square);
        let again = |square: Square| {
            stands(square).is_some_and(|it| ply.acts.iter().any(|a| a.1 == Act::Put(square, it)))
        };
        lifted.into_iter().any(again)
    });
}

#[test]
fn an_adjusting_player_touches_several_of_his_own() {
    each(Habit::AdjustsRound, 500, |ply| {
        let pairs = ply.acts.chunks(2).map_while(|pair| match (pair[0].1, pair.get(1)?.1) {
            (Act::Lift(from), Act::Put(to, piece)) if from == to => Some(piece.colour()),
            _ => None,
        });
        let colours: Vec<Colour> = pairs.collect();
        let own = convert::colour(ply.before.turn());
        colours.len() >= 2 && colours.iter().all(|&it| it == own) || ply.before.us().count() < 2
    });
}

#[test]
fn another_square_is_tried_for_less_than_a_release() {
    each(Habit::SecondThoughts, 500, |ply| {
        // Where a capture follows, the captured piece may be lifted before the other.
        let mut pairs = ply.acts.windows(2);
        pairs.any(|pair| {
            let Act::Put(tried, piece) = pair[0].1 else { return false };
            let rest = pair[1].0 - pair[0].0;
            let own = Some(piece) == ply.standing(ply.from()) && ply.goes(ply.from(), tried);
            own && tried != ply.to() && (s(0.15)..=s(0.7)).contains(&rest)
        })
    });
}

#[test]
fn another_legal_move_rests_and_is_taken_back() {
    each(Habit::TakesBack, 500, |ply| {
        ply.rests().iter().any(|&(piece, tried, rest)| {
            let by = ply.before.legal_moves().into_iter().filter_map(|it| it.from());
            let mut by = by.map(convert::square);
            rest >= s(1.5) && by.any(|it| ply.standing(it) == Some(piece) && ply.goes(it, tried))
        })
    });
}

#[test]
fn a_reply_a_tempo_stands_or_is_in_the_air_before_the_press() {
    let mut in_the_air = 0;
    each(Habit::ATempo, 500, |ply| {
        let other = convert::other(convert::colour(ply.before.turn()));
        let press = ply.all.iter().position(|it| it.1 == Act::Press(other));
        let lift = ply.all.iter().position(|it| matches!(it.1, Act::Lift(_)));
        // Either within the reply, or after it.
        press.is_none_or(|press| Some(press) > lift)
    });
    for ply in shown(Habit::ATempo) {
        let other = convert::other(convert::colour(ply.before.turn()));
        in_the_air += usize::from(ply.all.iter().any(|it| it.1 == Act::Press(other)));
    }
    assert!(in_the_air > 100, "{in_the_air}");
    let game = famous().remove(0);
    let manner = Manner { tidy_up: false, ..only(Habit::ATempo) };
    let presses = presses(&must_hold(&game, &manner, 1));
    let (before_last, alternating) = (game.moves.len() - 1, [Colour::White, Colour::Black]);
    assert!(presses.len() >= before_last - 1, "{} of {}", presses.len(), game.moves.len());
    let expected: Vec<Colour> = alternating.into_iter().cycle().take(presses.len()).collect();
    assert_eq!(presses, expected);
}

fn presses(performance: &Performance) -> Vec<Colour> {
    let press = |it: &Cue| if let Act::Press(side) = it.1 { Some(side) } else { None };
    performance.acts.iter().filter_map(press).collect()
}

#[test]
fn a_missed_press_costs_two() {
    let game = famous().remove(0);
    let always = must_hold(&game, &only(Habit::MissedPress), 1);
    assert_eq!(presses(&always), []);
    let habits = Habits::default().with(Habit::MissedPress, Permille(100));
    for seed in 0..20 {
        let manner = Manner { habits, ..only(Habit::MissedPress) };
        let performance = must_hold(&game, &manner, seed);
        let tidy = must_hold(&game, &Manner { habits: Habits::default(), ..manner }, seed);
        let missed = performance.done.len();
        let costs = presses(&tidy).len() - presses(&performance).len();
        // The last one may cost one press only: the game is over.
        assert!(costs == 2 * missed || costs + 1 == 2 * missed, "{costs} {missed}");
    }
}

#[test]
fn either_king_shows_the_result_first() {
    let game = famous().into_iter().find(|it| !it.positions().last().unwrap().is_game_over());
    let game = game.unwrap();
    let first_king = |habits: Habits, seed| {
        let manner = Manner { habits, tidy_up: false, ..only(Habit::BlackKingFirst) };
        let acts = must_hold(&game, &manner, seed).acts;
        let stop = acts.iter().rposition(|it| it.1 == Act::StopClock).unwrap();
        acts[stop..].iter().find_map(|it| match it.1 {
            Act::Put(_, piece) if piece.role() == Role::King => Some(piece.colour()),
            _ => None,
        })
    };
    for seed in 0..10 {
        assert_eq!(first_king(Habits::default(), seed), Some(Colour::White));
        let black = first_king(Habits::only(Habit::BlackKingFirst), seed);
        assert_eq!(black, Some(Colour::Black));
    }
}

#[test]
fn after_the_game_moves_are_tried_that_are_no_part_of_it() {
    for (seed, game) in (0..).zip(games()) {
        let performance = must_hold(&game, &only(Habit::PostMortem), seed);
        assert_eq!(performance.done, [(game.moves.len(), Habit::PostMortem)]);
        let stop = performance.acts.iter().rposition(|it| it.1 == Act::StopClock).unwrap();
        let made = performance.made.last().unwrap();
        assert!(performance.acts[stop].0 > *made);
        let after = performance.acts[stop..].iter().filter(|it| matches!(it.1, Act::Put(..)));
        let tried_at_least = if game.positions().last().unwrap().is_game_over() { 0 } else { 5 };
        assert!(after.count() > tried_at_least);
        assert!(!performance.acts[stop..].iter().any(|it| matches!(it.1, Act::Press(_))));
    }
}

#[test]
fn all_habits_together_leave_the_game_whole() {
    let calm = Manner { control: TimeControl::new(5400, 30), ..Manner::clumsy() };
    let mut seen: Vec<Habit> = Vec::new();
    for (seed, game) in (0..).zip(games()) {
        for round in 0..6 {
            let performance = must_hold(&game, &calm, seed * 100 + round);
            assert_eq!(performance.truth.plies, game.moves.len());
            seen.extend(performance.done.iter().map(|it| it.1));
            must_hold(&game, &Manner::clumsy(), seed * 100 + round);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    let all = Habit::ALL.into_iter().filter(|it| Habits::clumsy().rate(*it) > Permille(0));
    assert_eq!(seen, all.collect::<Vec<_>>());
}

#[test]
fn every_habit_at_every_move_leaves_the_game_whole() {
    let all = Habit::ALL.into_iter().filter(|&it| it != Habit::MissedPress);
    let habits = all.fold(Habits::default(), |sum, habit| sum.with(habit, Permille(400)));
    let manner = Manner { habits, ..only(Habit::Drags) };
    for (seed, game) in (0..).zip(games()) {
        assert_eq!(must_hold(&game, &manner, seed).truth.plies, game.moves.len());
    }
}

#[test]
fn clumsy_acts_too_keep_the_gap_a_stage_needs() {
    let manner = Manner::clumsy().at(Pace::times(10.0));
    for (seed, game) in (0..).zip(games()) {
        for pair in perform(&game, &manner, seed).acts.windows(2) {
            let gap = pair[1].0 - pair[0].0;
            assert!(gap.is_zero() || gap >= Duration::from_millis(600), "{pair:?}");
        }
    }
}

#[test]
fn clumsiness_too_is_the_same_for_the_same_seed() {
    for (seed, game) in (0..).zip(games()) {
        let [once, again] = [(); 2].map(|()| perform(&game, &Manner::clumsy(), seed));
        assert_eq!((once.acts, once.done, once.made), (again.acts, again.done, again.made));
    }
}

#[test]
fn castling_in_chess960_reaches_its_squares_from_every_array_and_in_every_form() {
    let forms = [Habit::RookFirst, Habit::BothAtOnce, Habit::RookLate, Habit::KingBeside];
    let (mut castled, mut kings_only, mut rooks_only) = (0, 0, 0);
    for number in 0..960 {
        let game = random_game(number.into(), 40, chess960(number).unwrap());
        let mut position = game.start.clone();
        for &played in &game.moves {
            if let Move::Castle { king, rook } = played {
                let side = played.castling_side().unwrap();
                castled += 1;
                rooks_only += u32::from(king == side.king_to(position.turn()));
                kings_only += u32::from(rook == side.rook_to(position.turn()));
            }
            position.play_unchecked(played);
        }
        let form = forms[number as usize % forms.len()];
        let performance = must_hold(&game, &only(form), number.into());
        assert_eq!(performance.truth.plies, game.moves.len());
    }
    assert!(castled > 300 && kings_only > 20 && rooks_only > 20);
}

#[test]
fn a_move_finished_after_the_flag_is_not_counted_but_told() {
    let hurried = Manner { control: TimeControl::new(20, 0), tidy_up: false, ..Manner::clumsy() };
    let slow = Manner { carry: (s(2.0), s(4.0)), ..hurried };
    let mut late = 0;
    for seed in 0..40 {
        let game = random_game(seed, 100, Chess::default());
        let performance = must_hold(&game, &slow, seed);
        let truth = performance.truth;
        assert!(truth.flag.is_some() || truth.plies == game.moves.len());
        late += u32::from(truth.late);
        let stopped = performance.acts.last().unwrap().0;
        assert!(performance.made.iter().all(|&made| made <= stopped));
    }
    assert!(late > 5, "{late}");
}
