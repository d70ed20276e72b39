//! The rows: which game, which hands, which event, and what an arbiter may rightly be called for.

use std::time::Duration;

use adoubed::entry::Watch;
use eboard::Colour;
use rehearsal::{Act, Game, Habit, Habits, Manner, Mishap, Permille, TimeControl};
use serde_json::json;
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::Confused;
use super::adjourned::{self, Late};
use crate::offence::{repeated_at, request};
use crate::rarer::{do_at, left_at, running_at};
use crate::room::{Scene, When, game};

/// What is lawful and looks like something else.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// Pieces are put straight, and a wrong set-up is put right, before the clock is started.
    SettlesDown,
    /// The same, and the board hears of no clock.
    SettlesDownUnheard,
    /// Kings in opposition cross the centre one after the other.
    KingsAbreast,
    /// A king is put beside the other one, and goes elsewhere before the press.
    KingsMeet,
    /// The press comes first, and the arbiter puts the king back.
    KingPutBack,
    /// An illegal move is pressed for, and the arbiter puts it right.
    MovePutBack,
    /// A press without a move is put right by the arbiter.
    PressPutBack,
    /// A piece that stands wrongly is put right by the arbiter.
    PutRight,
    /// The opponent's pieces are put straight.
    AdjustsTheirs,
    /// Two presses were left out; the arbiter presses for both players (commentary to 6.2.1).
    PressesMadeUp,
    /// A draw by repetition or by fifty moves where none may be agreed yet.
    GivenDraw,
    /// Mate, and the clock runs until a flag falls.
    FlagAfterMate,
    /// The same after the fifth repetition, pressed or not.
    FlagAfterFivefold,
    /// The same after the 75th move.
    FlagAfterSeventyFive,
    /// The same after the last man who could win has gone.
    FlagAfterDead,
    /// Adjourned, cleared away, and resumed as it was: the sealed move is made, then the clock is
    /// started for whoever answers (I.9.1).
    Resumed,
    /// The same; whoever answers is late, and his clock is started first (I.9.2).
    ResumedLate,
    /// The same; whoever sealed is late, and the answer is sealed too (I.9.3).
    SealedReply,
}

impl Row {
    pub const ALL: [Self; 18] = [
        Self::SettlesDown,
        Self::SettlesDownUnheard,
        Self::KingsAbreast,
        Self::KingsMeet,
        Self::KingPutBack,
        Self::MovePutBack,
        Self::PressPutBack,
        Self::PutRight,
        Self::AdjustsTheirs,
        Self::PressesMadeUp,
        Self::GivenDraw,
        Self::FlagAfterMate,
        Self::FlagAfterFivefold,
        Self::FlagAfterSeventyFive,
        Self::FlagAfterDead,
        Self::Resumed,
        Self::ResumedLate,
        Self::SealedReply,
    ];

    /// Such a game, if this number has one.
    pub fn confused(self, number: u64) -> Option<Confused> {
        let kings = rehearsal::kings_abreast(number);
        let often = Permille(60);
        let mut confused = match self {
            Self::SettlesDown => played(game(number), &settling(), number),
            Self::SettlesDownUnheard => unheard(played(game(number), &settling(), number)),
            Self::KingsAbreast => played(kings, &lawful(), number),
            Self::KingsMeet => {
                // Two kings that have come since the last press are how players show a result.
                let meet = with(Habit::KingsMeet, Permille(400));
                let habits = meet.habits.with(Habit::MissedPress, Permille(0));
                played(kings, &Manner { habits, ..meet }, number)
            }
            Self::KingPutBack => gone_wrong(kings, Mishap::KingLeftInCheck, number)?,
            Self::MovePutBack => {
                let mishaps = [Mishap::WrongGeometry, Mishap::KingLeftInCheck];
                gone_wrong(game(number), mishaps[usize::from(number.is_multiple_of(2))], number)?
            }
            Self::PressPutBack => gone_wrong(game(number), Mishap::PressedWithoutMove, number)?,
            Self::PutRight => played(game(number), &with(Habit::PutRight, often), number),
            Self::AdjustsTheirs => played(game(number), &with(Habit::AdjustsTheirs, often), number),
            Self::PressesMadeUp => presses_made_up(number)?,
            Self::GivenDraw => given_draw(number)?,
            Self::FlagAfterMate => after_the_end(rehearsal::mating_game(number)?, &[], number)?,
            Self::FlagAfterFivefold => {
                let game = repeated(number, 5)?;
                after_the_end(game, &["fivefold"], number)?
            }
            Self::FlagAfterSeventyFive => {
                let game = rehearsal::quiet_game(number, 150)?;
                after_the_end(game, &["seventy_five"], number)?
            }
            Self::FlagAfterDead => {
                let game = rehearsal::dying_game(number)?;
                after_the_end(game, &["dead_position"], number)?
            }
            Self::Resumed => adjourned::resumed(number, Late::Nobody)?,
            // He stops the clock to call the arbiter.
            Self::ResumedLate => Confused {
                rightly: &["clock_stopped"],
                ..adjourned::resumed(number, Late::Replier)?
            },
            // The arbiter is asked to look at the answer.
            Self::SealedReply => Confused {
                rightly: &["sealed_reply", "clock_stopped"],
                ..adjourned::resumed(number, Late::Sealer)?
            },
        };
        confused.scene.watch.laws = [2014, 2018, 2023][usize::try_from(number % 3).unwrap()];
        Some(confused)
    }
}

/// Clumsy hands that do nothing the Laws forbid: nothing of 4.1 to 4.7, 6.2.5 or 7.4.
pub fn lawful() -> Manner {
    const UNLAWFUL: [Habit; 7] = [
        Habit::RookFirst,
        Habit::BothAtOnce,
        Habit::KingBeside,
        Habit::RookUpsideDown,
        Habit::TakesBack,
        Habit::Straightens,
        Habit::KnocksOver,
    ];
    let habits = [Habit::AdjustsRound, Habit::ClockLeft].into_iter().chain(UNLAWFUL);
    let habits = habits.fold(Habits::clumsy(), |habits, it| habits.with(it, Permille(0)));
    let habits = habits.with(Habit::SettlesDown, Permille(200));
    // What is shorter than one scan of the board nobody can see.
    let carry = (Duration::from_millis(280), Duration::from_millis(700));
    Manner { tidy_up: false, carry, habits, ..Manner::clumsy() }
}

fn with(habit: Habit, rate: Permille) -> Manner {
    Manner { habits: lawful().habits.with(habit, rate), ..lawful() }
}

/// Hands that find something to put straight before most games.
fn settling() -> Manner {
    with(Habit::SettlesDown, Permille(700))
}

fn unheard(mut confused: Confused) -> Confused {
    confused.scene.unheard_clock = true;
    confused
}

/// The game, watched as it is, from where it begins.
fn played(game: Game, manner: &Manner, number: u64) -> Confused {
    let performance = rehearsal::perform(&game, manner, number);
    let mut scene = Scene::of(performance, manner.control, number);
    if game.start != Chess::default() {
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
        let body = json!({"table": 1, "fen": fen});
        scene.requests.push((When::SetUp, request("set_position", body)));
    }
    Confused { scene, game, rightly: &[] }
}

/// One thing that is against the Laws, and the arbiter sees to it.
fn gone_wrong(game: Game, mishap: Mishap, number: u64) -> Option<Confused> {
    let manner = Manner { mishaps: vec![mishap], ..with(Habit::MissedPress, Permille(0)) };
    let confused = played(game, &manner, number);
    confused.scene.performance.truth.mishap?;
    let rightly: &[&str] = match mishap {
        Mishap::PressedWithoutMove => &["pressed_without_move"],
        _ => &["illegal_move"],
    };
    Some(Confused { rightly, ..confused })
}

/// The arbiter waits until the players have pressed again and nobody has a hand on the board.
fn presses_made_up(number: u64) -> Option<Confused> {
    const QUIET: Duration = Duration::from_secs(3);
    let mut confused = played(game(number), &with(Habit::MissedPress, Permille(20)), number);
    let performance = &mut confused.scene.performance;
    let mut missed = performance.done.iter().filter(|it| it.1 == Habit::MissedPress);
    let &(ply, _) = missed.next()?;
    if missed.next().is_some() {
        return None;
    }
    let since = *performance.made.get(ply)?;
    let pauses = performance.acts.windows(2).filter(|it| it[0].0 > since);
    let (at, side) = pauses.take(40).find_map(|it| match (it[0], it[1]) {
        ((at, Act::Press(side)), (next, _)) if next > at + QUIET => Some((at, side)),
        _ => None,
    })?;
    let other = if side == Colour::White { Colour::Black } else { Colour::White };
    do_at(performance, at + QUIET / 3, Act::Press(other));
    do_at(performance, at + QUIET / 2, Act::Press(side));
    Some(confused)
}

/// A game that ends where a position stands there so many times.
fn repeated(number: u64, times: usize) -> Option<Game> {
    let mut game = rehearsal::repeated_game(number, times)?;
    let ply = repeated_at(&game, times)?;
    game.moves.truncate(ply);
    Some(game)
}

/// Long enough for two hours of shuffling.
const LONG: TimeControl = TimeControl::new(1800, 10);

fn given_draw(number: u64) -> Option<Confused> {
    let (game, manner) = match number.is_multiple_of(4) {
        true => (rehearsal::quiet_game(number, 100)?, Manner { control: LONG, ..lawful() }),
        false => (repeated(number, 3)?, lawful()),
    };
    let mut confused = played(game, &manner, number);
    if confused.scene.performance.truth.flag.is_some() {
        return None;
    }
    let draw = json!({"table": 1, "result": "1/2-1/2"});
    let Scene { requests, watch, .. } = &mut confused.scene;
    requests.push((When::Over, request("set_result", draw)));
    *watch = Watch { min_draw_move: 200, ..watch.clone() };
    Some(confused)
}

/// The last move ends the game; half of the players press for it. The clock runs until a flag has
/// fallen, and is stopped then.
fn after_the_end(game: Game, rightly: &'static [&'static str], number: u64) -> Option<Confused> {
    let manner = Manner { control: control_for(&game), ..with(Habit::MissedPress, Permille(0)) };
    let mut confused = played(game, &manner, number);
    let scene = &mut confused.scene;
    let (truth, made) = (scene.performance.truth, *scene.performance.made.last()?);
    if truth.flag.is_some() || truth.plies < confused.game.moves.len() {
        return None;
    }
    let acts = &mut scene.performance.acts;
    let presses = |it: &(Duration, Act)| it.0 > made && matches!(it.1, Act::Press(_));
    let pressed = acts.iter().position(presses).filter(|_| number.is_multiple_of(2));
    let last = pressed.map_or_else(|| acts.partition_point(|it| it.0 <= made), |at| at + 1);
    acts.truncate(last);
    let ended = acts.last()?.0;
    let running = running_at(scene, ended);
    let left = left_at(scene, ended, running);
    do_at(&mut scene.performance, ended + left + Duration::from_secs(9), Act::StopClock);
    Some(Confused { rightly, ..confused })
}

/// Nobody comes near his flag before the end.
fn control_for(game: &Game) -> TimeControl {
    match game.moves.len() {
        0..100 => TimeControl::new(180, 2),
        _ => LONG,
    }
}
