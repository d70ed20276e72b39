//! Offences that no hand of a player commits, or only in a game made for them: of clocks and
//! cables, of the round, of two tables, and illegal positions that nobody puts right.

mod adjourned;
pub mod two_boards;
mod unclaimed;

use std::time::Duration;

use adoubed::entry::Watch;
use eboard::{Colour, FaceTime, Moment, Square};
use rehearsal::{Act, Ailment, Game, Habit, Manner, Mishap, Performance, Rng};
use rehearsal::{TimeControl, Trouble};
use serde_json::json;
use shakmaty::{Chess, Color};

use super::offence::{Expected, Planted};
use super::offence::{about_the_game, manner, number_of, owes_a_press, request};
use super::room::{Scene, When, game};

/// What happens.
#[derive(Clone, Copy, Debug)]
pub enum Rarer {
    /// A player presses the clock of the table beside his.
    Neighbour,
    /// Both times run out while nothing is heard of the clock.
    BothFlags,
    /// Something is wrong with the clock from some moment on.
    Fault(Fault),
    /// The arbiter gives time after an illegal move.
    Adjusted,
    /// Both kings are left in check by two illegal moves, in blitz that nobody supervises.
    KingsInCheck,
    /// A pawn is left on the last rank for two moves, in blitz that nobody supervises.
    PawnOnLastRank,
    /// The board's cable is out for 15 to 40 s.
    BoardLost,
    /// The clock's cable is out for 20 to 40 s.
    ClockLost,
    LowBattery,
    /// A player gives no sign by the default time.
    Absent(Color),
    /// The round has started and White's clock does not run.
    NotStarted,
    /// Less than two minutes are left in a quickplay finish.
    TwoMinutes,
    /// Less than five minutes are left in a game at which everybody had to write.
    TimeTrouble,
    /// The arbiter says that the players have each other's colours.
    ColoursReversed,
    /// A visually impaired player repeats a move wrongly on his own board.
    BoardsDiffer,
    /// An adjourned game is set up wrongly.
    ResumptionDiffers,
}

/// What is wrong with a clock.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    Jump,
    NeverStops,
    BothRun,
    OneDead,
    BothDead,
    Fast,
    Slow,
}

impl Rarer {
    pub const ALL: [Self; 23] = [
        Self::Neighbour,
        Self::BothFlags,
        Self::Fault(Fault::Jump),
        Self::Fault(Fault::NeverStops),
        Self::Fault(Fault::BothRun),
        Self::Fault(Fault::OneDead),
        Self::Fault(Fault::BothDead),
        Self::Fault(Fault::Fast),
        Self::Fault(Fault::Slow),
        Self::Adjusted,
        Self::KingsInCheck,
        Self::PawnOnLastRank,
        Self::BoardLost,
        Self::ClockLost,
        Self::LowBattery,
        Self::Absent(Color::White),
        Self::Absent(Color::Black),
        Self::NotStarted,
        Self::TwoMinutes,
        Self::TimeTrouble,
        Self::ColoursReversed,
        Self::BoardsDiffer,
        Self::ResumptionDiffers,
    ];

    pub fn planted(self, number: u64) -> Planted {
        let mut dice = Rng::new(number ^ 0x5eed);
        match self {
            Self::Neighbour => neighbour(number, &mut dice),
            Self::BothFlags => both_flags(number, &mut dice),
            Self::Fault(fault) => clock_fault(fault, number, &mut dice),
            Self::Adjusted => adjusted(number),
            Self::KingsInCheck => unclaimed::kings_in_check(number, &mut dice),
            Self::PawnOnLastRank => unclaimed::pawn_on_last_rank(number, &mut dice),
            Self::BoardLost => board_lost(number, &mut dice),
            Self::ClockLost => clock_lost(number, &mut dice),
            Self::LowBattery => low_battery(number, &mut dice),
            Self::Absent(side) => absent(side, number, &mut dice),
            Self::NotStarted => not_started(number, &mut dice),
            Self::TwoMinutes => two_minutes(number),
            Self::TimeTrouble => time_trouble(number),
            Self::ColoursReversed => colours_reversed(number, &mut dice),
            Self::BoardsDiffer => two_boards::boards_differ(number, &mut dice),
            Self::ResumptionDiffers => adjourned::resumption_differs(number, &mut dice),
        }
    }
}

const EQUIPMENT: &str = "C.02";
pub const SECOND: Duration = Duration::from_secs(1);

fn seconds(dice: &mut Rng, least: u64, most: u64) -> Duration {
    dice.between((SECOND * u32::try_from(least).unwrap(), SECOND * u32::try_from(most).unwrap()))
}

/// A game of clumsy hands that think so long (in seconds) under this control.
fn slowly(game: &Game, control: TimeControl, think: (u64, u64), seed: u64) -> Scene {
    let think = (Duration::from_secs(think.0), Duration::from_secs(think.1));
    let manner = Manner { control, think, ..manner(Vec::new()) };
    Scene::of(rehearsal::perform(game, &manner, seed), control, seed)
}

/// A moment in the game, a little after this move was made, with moves before and after it.
pub fn amid(performance: &Performance, dice: &mut Rng) -> Option<(usize, Duration)> {
    const FIRST: usize = 8;
    const REST: usize = 12;
    let choice = performance.truth.plies.checked_sub(FIRST + REST).filter(|it| *it > 0)?;
    let ply = FIRST + usize::try_from(dice.below(choice as u64)).unwrap();
    Some((ply, performance.made[ply] + SECOND / 2))
}

/// The number of the move that is on when so many plies have been made.
fn on_after(plies: usize) -> u32 {
    number_of(plies)
}

pub fn square(square: shakmaty::Square) -> Square {
    Square::at(u8::from(square.file()), u8::from(square.rank())).unwrap()
}

/// Something more is done at this moment.
pub fn do_at(performance: &mut Performance, at: Duration, act: Act) {
    let place = performance.acts.partition_point(|&(other, _)| other <= at);
    performance.acts.insert(place, (at, act));
}

/// Whose time counts then, if one does.
pub fn running_at(scene: &Scene, at: Duration) -> Colour {
    let mut stage = scene.stage(Moment::ZERO);
    stage.due(Moment::ZERO + at);
    stage.clock().to_move()
}

/// What the clock has left then.
pub fn left_at(scene: &Scene, at: Duration, side: Colour) -> Duration {
    let mut stage = scene.stage(Moment::ZERO);
    let at = Moment::ZERO + at;
    stage.due(at);
    stage.clock().left(at, side)
}

/// At one table a clock is pressed without a move just after a move at the other one whose press
/// does not come.
fn neighbour(number: u64, dice: &mut Rng) -> Planted {
    let (here, there) = (game(number), game(number + 1));
    let (mine, theirs) =
        (manner(vec![Mishap::PressedWithoutMove]), manner(vec![Mishap::LatePress]));
    let performance = rehearsal::perform(&here, &mine, number);
    if owes_a_press(&performance) {
        return None;
    }
    let beside = rehearsal::perform(&there, &theirs, number + 1);
    let ((at, _), (moved, _)) = (performance.truth.mishap?, beside.truth.mishap?);
    let stop = performance.acts.iter().position(|(_, act)| *act == Act::StopClock)?;
    let pressed = performance.acts[..stop].iter().rposition(|(_, act)| is_press(*act))?;
    // The hand goes to the wrong clock as soon as the move is made.
    let hand = seconds(dice, 1, 4);
    let later = performance.acts[pressed].0.checked_sub(beside.made[moved] + hand)?;
    let mut scene = Scene::of(performance, mine.control, number);
    scene.neighbour = Some((beside, later));
    Some((scene, about_the_game("neighbour_pressed", "6.5", number_of(at)), here))
}

fn is_press(act: Act) -> bool {
    matches!(act, Act::Press(_) | Act::PressRunning)
}

/// An old clock that shows no flags; both have little left, and its reports do not come until both
/// have nothing.
fn both_flags(number: u64, dice: &mut Rng) -> Planted {
    let game = game(number);
    let manner = manner(Vec::new());
    let mut performance = rehearsal::perform(&game, &manner, number);
    let (ply, _) = amid(&performance, dice)?;
    let mut at = unclaimed::cut_after(&mut performance, ply)?;
    let (mover, other) = sides_after(ply);
    let (first, second) = (3 + dice.below(3), 3 + dice.below(3));
    let face = |s: u64| FaceTime::from_ms(u32::try_from(s * 1000).unwrap());
    let acts = [
        (1, Act::StopClock),
        (4, Act::Correct(mover, face(first + 2))),
        (1, Act::Correct(other, face(second))),
        (1, Act::Trouble(Trouble::Unmarked)),
        (1, Act::GoOn),
        (2, Act::Trouble(Trouble::Wire(eboard::Disturbance::Lost(24)))),
        (first, Act::Press(mover)),
        (40, Act::StopClock),
    ];
    for (wait, act) in acts {
        at += SECOND * u32::try_from(wait).unwrap();
        performance.acts.push((at, act));
    }
    let mut scene = Scene::of(performance, manner.control, number);
    scene.freezes = false;
    // No guideline was announced: since 2018 the clock's own sign decides.
    let articles = ["6.11", "6.4", "6.4"];
    let expected = about_the_game("both_flags", "", on_after(ply + 1));
    Some((scene, Expected { articles, ..expected }, game))
}

/// Who has the move after this ply, and who has not.
pub fn sides_after(ply: usize) -> (Colour, Colour) {
    match ply.is_multiple_of(2) {
        true => (Colour::Black, Colour::White),
        false => (Colour::White, Colour::Black),
    }
}

fn clock_fault(fault: Fault, number: u64, dice: &mut Rng) -> Planted {
    let game = rehearsal::random_game(number, 140, Chess::default());
    // Nobody can compare clocks over less than a quarter of an hour, nor see in a second's turn
    // that a time does not count.
    let think = match fault {
        Fault::Jump | Fault::NeverStops | Fault::BothRun => (2, 15),
        _ => (12, 40),
    };
    let mut scene = slowly(&game, TimeControl::new(5400, 10), think, number);
    let (ply, at) = match fault {
        Fault::Fast | Fault::Slow => (0, SECOND * 3),
        _ => amid(&scene.performance, dice)?,
    };
    let drifts = matches!(fault, Fault::Fast | Fault::Slow);
    if drifts && scene.performance.made.last()? < &(SECOND * 1500) {
        return None;
    }
    let (colour, side) = match dice.below(2) {
        0 => (Colour::White, Color::White),
        _ => (Colour::Black, Color::Black),
    };
    let left = left_at(&scene, at, colour);
    let (ailment, side) = match fault {
        Fault::Jump => (None, Some(side)),
        Fault::NeverStops => (Some(Ailment::NeverStops(colour)), Some(side)),
        Fault::BothRun => (Some(Ailment::RunsBoth), None),
        Fault::OneDead => (Some(Ailment::Dead(colour)), Some(side)),
        Fault::BothDead => (Some(Ailment::Sticks), None),
        Fault::Fast => (Some(Ailment::Drift(1080)), None),
        Fault::Slow => (Some(Ailment::Drift(920)), None),
    };
    let jumped = FaceTime::from_ms(u32::try_from((left / 2).as_millis()).unwrap());
    let act = match ailment {
        Some(ailment) => Act::Trouble(Trouble::Ails(ailment)),
        None => Act::Correct(colour, jumped),
    };
    do_at(&mut scene.performance, at, act);
    let articles = ["6.10.a", "6.10.1", "6.10.1"];
    let within = match fault {
        Fault::Jump => 1,
        Fault::NeverStops | Fault::BothRun => 4,
        Fault::OneDead | Fault::BothDead => 8,
        Fault::Fast | Fault::Slow => 70,
    };
    let expected = about_the_game("clock_fault", "", on_after(ply + 1));
    Some((scene, Expected { articles, side, within, ..expected }, game))
}

fn adjusted(number: u64) -> Planted {
    let game = game(number);
    let manner = Manner { penalty: true, ..manner(vec![Mishap::WrongGeometry]) };
    let performance = rehearsal::perform(&game, &manner, number);
    let (at, _) = performance.truth.mishap?;
    let articles = ["6.10.b", "6.10.2", "6.10.2"];
    let expected = about_the_game("clock_adjusted", "", number_of(at));
    let expected = Expected { articles, ..expected };
    Some((Scene::of(performance, manner.control, number), expected, game))
}

/// A game of blitz players to whom nothing happens yet, and a moment in it.
fn undisturbed(number: u64, dice: &mut Rng) -> Option<(Game, Scene, usize, Duration)> {
    let game = game(number);
    let manner = manner(Vec::new());
    let performance = rehearsal::perform(&game, &manner, number);
    let (ply, at) = amid(&performance, dice)?;
    Some((game, Scene::of(performance, manner.control, number), ply, at))
}

fn board_lost(number: u64, dice: &mut Rng) -> Planted {
    let (game, mut scene, ply, at) = undisturbed(number, dice)?;
    scene.cable_out = Some((at, seconds(dice, 15, 40)));
    let expected = about_the_game("board_lost", EQUIPMENT, on_after(ply + 1));
    Some((scene, Expected { within: 1, ..expected }, game))
}

fn clock_lost(number: u64, dice: &mut Rng) -> Planted {
    let (game, mut scene, ply, at) = undisturbed(number, dice)?;
    let back = at + seconds(dice, 20, 40);
    do_at(&mut scene.performance, at, Act::Trouble(Trouble::Plugged(false)));
    do_at(&mut scene.performance, back, Act::Trouble(Trouble::Plugged(true)));
    // Whoever comes 10 s later finds other moves.
    let expected = about_the_game("clock_lost", EQUIPMENT, on_after(ply + 1));
    Some((scene, Expected { within: 8, ..expected }, game))
}

fn low_battery(number: u64, dice: &mut Rng) -> Planted {
    let (game, mut scene, ply, at) = undisturbed(number, dice)?;
    do_at(&mut scene.performance, at, Act::Trouble(Trouble::LowBattery));
    let expected = about_the_game("low_battery", EQUIPMENT, on_after(ply + 1));
    Some((scene, Expected { within: 1, ..expected }, game))
}

fn start_of_round() -> (When, adoubed::requests::Request) {
    (When::SetUp, request("start_round", json!({})))
}

/// Everything from this act on happens so much later.
pub fn delay(performance: &mut Performance, first: usize, by: Duration) {
    for (at, _) in performance.acts.iter_mut().skip(first) {
        *at += by;
    }
}

fn absent(side: Color, number: u64, dice: &mut Rng) -> Planted {
    const LIMIT_S: u64 = 90;
    let game = game(number);
    let mut scene = slowly(&game, TimeControl::new(900, 5), (1, 8), number);
    let by = seconds(dice, LIMIT_S + 20, LIMIT_S + 60);
    if scene.performance.done.contains(&(1, Habit::ATempo)) {
        // Black's hand was seen.
        return None;
    }
    let first = match side {
        Color::White => 0,
        Color::Black => 1 + scene.performance.acts.iter().position(|(_, act)| is_press(*act))?,
    };
    delay(&mut scene.performance, first, by);
    scene.watch = Watch { default_time_s: LIMIT_S, ..scene.watch };
    scene.requests.push(start_of_round());
    let articles = ["6.7.a", "6.7.1", "6.7.1"];
    let expected = about_the_game("default_time", "", 1);
    Some((scene, Expected { articles, side: Some(side), ..expected }, game))
}

fn not_started(number: u64, dice: &mut Rng) -> Planted {
    let game = game(number);
    let manner = manner(Vec::new());
    let performance = rehearsal::perform(&game, &manner, number);
    let mut scene = Scene::of(performance, manner.control, number);
    delay(&mut scene.performance, 0, seconds(dice, 70, 200));
    scene.requests.push(start_of_round());
    Some((scene, about_the_game("not_started", "6.6", 1), game))
}

/// The first player who has less than this left, and how many plies have been made then.
fn first_short(scene: &Scene, limit: Duration) -> Option<(Color, usize)> {
    let mut stage = scene.stage(Moment::ZERO);
    while !stage.over() {
        let at = stage.next()?;
        stage.due(at);
        let side = stage.clock().to_move();
        if stage.clock().left(at, side) < limit {
            let at = Duration::from_micros(at.as_micros());
            let made = scene.performance.made.iter().filter(|made| **made <= at).count();
            let color = if side == Colour::White { Color::White } else { Color::Black };
            return Some((color, made)).filter(|_| made < scene.performance.truth.plies);
        }
    }
    None
}

fn two_minutes(number: u64) -> Planted {
    let game = rehearsal::random_game(number, 160, Chess::default());
    let mut scene = slowly(&game, TimeControl::new(660, 0), (6, 20), number);
    scene.watch = Watch { quickplay_finish: true, ..scene.watch };
    let (side, plies) = first_short(&scene, SECOND * 119)?;
    let articles = ["G.4", "III.4", "III.4"];
    let expected = about_the_game("two_minutes", "", number_of(plies));
    Some((scene, Expected { articles, side: Some(side), within: 2, ..expected }, game))
}

fn time_trouble(number: u64) -> Planted {
    let game = rehearsal::random_game(number, 160, Chess::default());
    let scene = slowly(&game, TimeControl::new(3600, 0), (40, 120), number);
    let (side, plies) = first_short(&scene, SECOND * 299)?;
    let expected = about_the_game("time_trouble", "8.4", number_of(plies));
    Some((scene, Expected { side: Some(side), within: 1, ..expected }, game))
}

fn colours_reversed(number: u64, dice: &mut Rng) -> Planted {
    let (game, mut scene, ply, at) = undisturbed(number, dice)?;
    let body = json!({"table": 1, "colours_reversed": true});
    scene.requests.push((When::At(at), request("set_pairing", body)));
    let expected = about_the_game("colours_reversed", "7.3", on_after(ply + 1));
    Some((scene, Expected { within: 1, ..expected }, game))
}
