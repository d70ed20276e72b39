//! One game with one offence in it, of every kind that hands, clock or moves can commit, and what
//! an arbiter must be told of it: written down here by hand, from the Laws.

use std::time::Duration;

use adoubed::entry::Watch;
use adoubed::requests::Request;
use rehearsal::{Act, Game, Habit, Habits, Manner, Mishap, Performance, Permille, TimeControl};
use serde_json::{Value, json};
use shakmaty::{Chess, Color, EnPassantMode, Outcome, Position, fen::Fen};

use super::rarer::Rarer;
use super::room::{Scene, When, game};

/// What goes wrong in a game.
#[derive(Clone, Copy, Debug)]
pub enum Offence {
    /// Hands do it.
    Hands(Mishap),
    /// Two men of one player are set up on each other's squares.
    Misplaced,
    /// The board lies across.
    Across,
    /// The same position for the third, the fifth time.
    Again(usize),
    /// So many half-moves without capture and pawn move.
    Quiet(u32),
    /// An illegal move that nobody claims, in blitz without adequate supervision.
    Stands,
    /// Nobody can win any more.
    Dead,
    /// A draw before the event allows one.
    EarlyDraw,
    /// The arbiter enters another result than the mate on the board.
    Mismatch,
    /// The clock is set to something else.
    ClockSetting,
    /// No hand of a player does it.
    Rarer(Rarer),
}

/// What is to be told.
pub struct Expected {
    pub kind: &'static str,
    /// 2014, 2018, 2023.
    pub articles: [&'static str; 3],
    pub side: Option<Color>,
    pub move_number: u32,
    /// So many moves later it may be told: what takes time to show, or happens between two moves.
    pub within: u32,
}

pub fn all() -> Vec<Offence> {
    let others = [
        Offence::Misplaced,
        Offence::Across,
        Offence::Again(3),
        Offence::Again(5),
        Offence::Quiet(100),
        Offence::Quiet(150),
        Offence::Stands,
        Offence::Dead,
        Offence::EarlyDraw,
        Offence::Mismatch,
        Offence::ClockSetting,
    ];
    let rarer = Rarer::ALL.into_iter().map(Offence::Rarer);
    Mishap::ALL.into_iter().map(Offence::Hands).chain(others).chain(rarer).collect()
}

const fn told_of(mishap: Mishap) -> (&'static str, [&'static str; 3]) {
    match mishap {
        Mishap::WrongGeometry | Mishap::KingLeftInCheck | Mishap::PawnForgotten => {
            ("illegal_move", ["7.5.a", "7.5.1", "7.5.1"])
        }
        Mishap::FlagFall => ("flag_fall", ["6.8", "6.8", "6.8"]),
        Mishap::TouchedOther => ("touched_not_moved", ["4.3.a", "4.3.1", "4.3.1"]),
        Mishap::Adjusted => ("adjusted", ["4.2", "4.2.1", "4.2.1"]),
        Mishap::TouchedTheirs => ("touched_not_captured", ["4.3.b", "4.3.2", "4.3.2"]),
        Mishap::TouchedBoth => ("touched_both", ["4.3.c", "4.3.3", "4.3.3"]),
        Mishap::RookFirst => ("castled_rook_first", ["4.4.b", "4.4.2", "4.4.2"]),
        Mishap::NotCastled => ("must_castle", ["4.4.a", "4.4.1", "4.4.1"]),
        Mishap::KingNotMoved => ("must_move_king", ["4.4.c", "4.4.3", "4.4.3"]),
        Mishap::ReleasedOther => ("released_then_changed", ["4.7", "4.7", "4.7"]),
        Mishap::PromotionChanged => ("promotion_changed", ["4.4.d", "4.4.4", "4.4.4"]),
        Mishap::TouchedOutOfTurn => ("touched_out_of_turn", ["4.2", "4.2.1", "4.2.1"]),
        Mishap::BothHands => ("two_hands", ["4.1", "7.5.4", "7.5.4"]),
        Mishap::PawnLeft => ("pawn_not_promoted", ["7.5.a", "7.5.2", "7.5.2"]),
        Mishap::PressedWithoutMove => ("pressed_without_move", ["6.2.c", "7.5.3", "7.5.3"]),
        Mishap::LeftFallen => ("displaced", ["7.4", "7.4", "7.4"]),
        Mishap::Astray => ("position_to_check", ["7.6", "7.6", "7.6"]),
        Mishap::MissedPress => ("missed_press", ["6.2.a", "6.2.1.2", "6.2.1.2"]),
        Mishap::LatePress => ("wrong_clock_running", ["6.2.a", "6.2.2", "6.2.2"]),
        Mishap::ClockStopped => ("clock_stopped", ["6.12", "6.11", "6.11"]),
    }
}

/// The editions take turns.
pub fn edition(number: u64) -> usize {
    usize::try_from(number % 3).unwrap()
}

/// Clumsy players who do not do by habit what is planted, nor what hides it.
pub fn manner(mishaps: Vec<Mishap>) -> Manner {
    let habits = [Habit::TakesBack, Habit::AdjustsRound]
        .into_iter()
        .fold(Habits::clumsy(), |habits, it| habits.with(it, Permille(0)));
    // What is shorter than one scan of the board nobody can see.
    let carry = (Duration::from_millis(280), Duration::from_millis(700));
    Manner { tidy_up: false, carry, habits, mishaps, ..Manner::clumsy() }
}

/// A game in which it happens, if it does in this one.
pub fn planted(offence: Offence, number: u64) -> Option<(Scene, Expected, Game)> {
    let laws = [2014, 2018, 2023][edition(number)];
    let (mut scene, expected, game) = match offence {
        Offence::Hands(mishap) => by_hands(mishap, number),
        Offence::Misplaced => misplaced(number),
        Offence::Across => across(number),
        Offence::Again(times) => again(times, number),
        Offence::Quiet(half_moves) => quiet(half_moves, number),
        Offence::Stands => stands(number),
        Offence::Dead => dead(number),
        Offence::EarlyDraw => early_draw(number),
        Offence::Mismatch => mismatch(number),
        Offence::ClockSetting => clock_setting(number),
        Offence::Rarer(rarer) => rarer.planted(number),
    }?;
    scene.watch.laws = laws;
    Some((scene, expected, game))
}

pub type Planted = Option<(Scene, Expected, Game)>;

fn scene(game: &Game, number: u64) -> Scene {
    let manner = manner(Vec::new());
    Scene::of(rehearsal::perform(game, &manner, number), manner.control, number)
}

fn by_hands(mishap: Mishap, number: u64) -> Planted {
    let game = game(number);
    let manner = manner(vec![mishap]);
    let performance = rehearsal::perform(&game, &manner, number);
    let (at, _) = performance.truth.mishap?;
    // It is the press of the move before; whose the next one is no press tells any more; what came
    // instead was never seen.
    let hidden = match mishap {
        Mishap::PressedWithoutMove => owes_a_press(&performance),
        Mishap::MissedPress => performance.truth.plies < at + 4,
        Mishap::PromotionChanged => is_gone_within_a_scan(&performance, at),
        _ => false,
    };
    if hidden {
        return None;
    }
    let (kind, articles) = told_of(mishap);
    let mover = if at.is_multiple_of(2) { Color::White } else { Color::Black };
    let side = match mishap {
        Mishap::LeftFallen | Mishap::Astray | Mishap::ClockStopped => None,
        // Either hand may have been there.
        Mishap::TouchedOutOfTurn => None,
        _ => Some(mover),
    };
    let expected = Expected { kind, articles, side, move_number: number_of(at), within: 0 };
    Some((Scene::of(performance, manner.control, number), expected, game))
}

/// Whether the player who presses for nothing has left out the press before: then it is that one.
pub fn owes_a_press(performance: &Performance) -> bool {
    let owes = |at: usize| performance.done.contains(&(at.saturating_sub(1), Habit::MissedPress));
    performance.truth.mishap.is_some_and(|(at, _)| owes(at))
}

/// Whether the piece that was put last in this move was taken again before a scan can have seen it.
fn is_gone_within_a_scan(performance: &Performance, ply: usize) -> bool {
    const SCAN: Duration = Duration::from_millis(250);
    let made = performance.made[ply];
    let square = |act: &Act| match *act {
        Act::Lift(square) | Act::Put(square, _) => Some(square),
        _ => None,
    };
    let mut acts = performance.acts.iter();
    let put = acts.by_ref().find(|(at, _)| *at == made).and_then(|(_, act)| square(act));
    let next = acts.find(|(at, act)| *at > made && square(act) == put);
    next.is_some_and(|(at, _)| *at < made + SCAN)
}

/// The number of the move that is this ply, counted from 0.
pub fn number_of(ply: usize) -> u32 {
    u32::try_from(ply / 2 + 1).unwrap()
}

pub fn about_the_game(kind: &'static str, article: &'static str, move_number: u32) -> Expected {
    Expected { kind, articles: [article; 3], side: None, move_number, within: 0 }
}

fn misplaced(number: u64) -> Planted {
    let game = rehearsal::misplaced_game(number, 30)?;
    let articles = ["7.2.a", "7.2.1", "7.2.1"];
    let expected = Expected { articles, ..about_the_game("wrong_start", "", 1) };
    Some((scene(&game, number), expected, game))
}

/// Everything happens a quarter of a turn away.
fn across(number: u64) -> Planted {
    let game = game(number);
    let mut scene = scene(&game, number);
    let turned = |square: eboard::Square| {
        eboard::Square::at(square.rank(), 7 - square.file()).expect("on the board")
    };
    let Performance { start, acts, .. } = &mut scene.performance;
    let before = *start;
    for square in eboard::Square::all() {
        start[turned(square)] = before[square];
    }
    for (_, act) in acts {
        *act = match *act {
            Act::Lift(square) => Act::Lift(turned(square)),
            Act::Put(square, piece) => Act::Put(turned(square), piece),
            other => other,
        };
    }
    let articles = ["7.2.b", "7.2.2", "7.2.2"];
    let expected = Expected { articles, ..about_the_game("board_turned", "", 1) };
    Some((scene, expected, game))
}

/// The ply with which a position has stood there so many times, counted from 1.
pub fn repeated_at(game: &Game, times: usize) -> Option<usize> {
    let key = |it: &Chess| {
        let fen = Fen::from_position(it, EnPassantMode::Legal).to_string();
        fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    };
    let all: Vec<String> =
        [game.start.clone()].iter().cloned().chain(game.positions()).map(|it| key(&it)).collect();
    let count = |ply: usize| all[..=ply].iter().filter(|it| **it == all[ply]).count();
    (1..all.len()).find(|&ply| count(ply) == times)
}

fn again(times: usize, number: u64) -> Planted {
    let game = rehearsal::repeated_game(number, times)?;
    let ply = repeated_at(&game, times)?;
    let expected = match times {
        3 => {
            let turn = if ply.is_multiple_of(2) { Color::White } else { Color::Black };
            let side = Some(turn);
            Expected { side, ..about_the_game("threefold_possible", "9.2", number_of(ply - 1)) }
        }
        _ => {
            let articles = ["9.6.a", "9.6.1", "9.6.1"];
            Expected { articles, ..about_the_game("fivefold", "", number_of(ply - 1)) }
        }
    };
    Some((scene(&game, number), expected, game))
}

fn quiet(half_moves: u32, number: u64) -> Planted {
    let game = rehearsal::quiet_game(number, half_moves)?;
    let move_number = number_of(game.moves.len() - 1);
    let expected = match half_moves {
        100 => {
            let side = game.positions().last().map(|it| it.turn());
            Expected { side, ..about_the_game("fifty_possible", "9.3", move_number) }
        }
        _ => {
            let articles = ["9.6.b", "9.6.2", "9.6.2"];
            Expected { articles, ..about_the_game("seventy_five", "", move_number) }
        }
    };
    // Two hours of shuffling: there must be time for it.
    let manner = Manner { control: TimeControl::new(1800, 10), ..manner(Vec::new()) };
    let performance = rehearsal::perform(&game, &manner, number);
    Some((Scene::of(performance, manner.control, number), expected, game))
}

fn stands(number: u64) -> Planted {
    let game = rehearsal::irregular_game(number);
    let at = game.irregular?;
    let mut scene = scene(&game, number);
    // Only a press completes it: where it was answered before, nobody is accused.
    let unpressed = |&(ply, habit): &(usize, Habit)| {
        [Habit::ATempo, Habit::MissedPress].contains(&habit) && (at..=at + 2).contains(&ply)
    };
    let Performance { done, truth, .. } = &scene.performance;
    if truth.plies < at + 3 || done.iter().any(unpressed) {
        return None;
    }
    scene.watch = Watch { rate: "blitz".into(), unsupervised: true, ..scene.watch };
    let side = Some(if at.is_multiple_of(2) { Color::White } else { Color::Black });
    let articles = ["A.4.b", "A.4.2", "A.5.2"];
    let expected = about_the_game("illegal_stands", "", number_of(at));
    let expected = Expected { articles, side, ..expected };
    Some((scene, expected, game))
}

fn dead(number: u64) -> Planted {
    let game = rehearsal::dying_game(number)?;
    let fen = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
    let mut scene = scene(&game, number);
    scene.requests.push((When::SetUp, request("set_position", json!({"table": 1, "fen": fen}))));
    let move_number = number_of(game.moves.len() - 1);
    let articles = ["5.2.b", "5.2.2", "5.2.2"];
    let expected = about_the_game("dead_position", "", move_number);
    Some((scene, Expected { articles, ..expected }, game))
}

pub fn request(verb: &str, body: Value) -> Request {
    Request::read(verb, body, "Ann")
}

fn early_draw(number: u64) -> Planted {
    let mut game = game(number);
    game.moves.truncate(24);
    let last = game.positions().last().filter(|it| !it.is_game_over())?;
    game.outcome = Outcome::Known(shakmaty::KnownOutcome::Draw);
    let mut scene = scene(&game, number);
    scene.watch.min_draw_move = 30;
    let articles = ["9.1.a", "9.1.1", "9.1.1"];
    let move_number = last.fullmoves().get();
    let expected = about_the_game("early_draw", "", move_number);
    Some((scene, Expected { articles, ..expected }, game))
}

fn mismatch(number: u64) -> Planted {
    let game = (0..400)
        .map(|more| game(number + more * 7919))
        .find(|it| it.positions().last().is_some_and(|last| last.is_checkmate()))?;
    let last = game.positions().last()?;
    let result = if last.turn() == Color::White { "1-0" } else { "0-1" };
    let mut scene = scene(&game, number);
    if scene.performance.truth.flag.is_some() {
        return None;
    }
    scene.requests.push((When::Over, request("set_result", json!({"table": 1, "result": result}))));
    let move_number = last.fullmoves().get();
    Some((scene, about_the_game("result_mismatch", "8.7", move_number), game))
}

fn clock_setting(number: u64) -> Planted {
    let game = game(number);
    let mut scene = scene(&game, number);
    let other = ["300+3", "120+2", "900+10"];
    scene.watch.time_control = other[usize::try_from(number / 3 % 3).unwrap()].to_owned();
    let articles = ["6.10.b", "6.10.2", "6.10.2"];
    let expected = Expected { articles, ..about_the_game("clock_setting", "", 1) };
    Some((scene, expected, game))
}
