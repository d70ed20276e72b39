//! A game with a visually impaired player, on two boards: every move is made on the mover's own and
//! repeated on the other one (Appendix D).

use std::time::Duration;

use adoubed::entry::Watch;
use eboard::Piece;
use rehearsal::{Act, Cue, Game, Habit, Manner, Performance, Permille, Rng, TimeControl};
use shakmaty::{Board, Position};

use super::{SECOND, amid, delay, on_after, square};
use crate::offence::{Expected, Planted, about_the_game, manner};
use crate::room::{Scene, game};

/// What belongs to a game on one board: a reply before the other one has been told, and what is
/// done to the pieces on the opponent's time.
const NOT_HERE: [Habit; 5] =
    [Habit::ATempo, Habit::MissedPress, Habit::Straightens, Habit::Flickers, Habit::KnocksOver];

/// How long it takes until a wrong repetition is put right, and until play goes on.
const PUT_RIGHT: Duration = Duration::from_secs(45);
const PLAY_GOES_ON: Duration = Duration::from_secs(60);

/// One move is not repeated as it was made: the man is put on another square.
pub fn boards_differ(number: u64, dice: &mut Rng) -> Planted {
    let (game, performance) = slowly(number);
    let (wrong, _) = amid(&performance, dice)?;
    let scene = scene(&game, performance, number, Some(wrong), dice)?;
    let articles = ["D.2.8", "D.2.9", "D.2.9"];
    let expected = about_the_game("boards_differ", "", on_after(wrong + 1));
    Some((scene, Expected { articles, ..expected }, game))
}

/// Every move is repeated as it was made.
pub fn in_agreement(number: u64) -> Option<(Scene, Game)> {
    let (game, performance) = slowly(number);
    let scene = scene(&game, performance, number, None, &mut Rng::new(number))?;
    Some((scene, game))
}

const CONTROL: TimeControl = TimeControl::new(5400, 30);

fn slowly(number: u64) -> (Game, Performance) {
    let game = game(number);
    let base = manner(Vec::new());
    let habits = NOT_HERE.into_iter().fold(base.habits, |it, habit| it.with(habit, Permille(0)));
    // Whoever repeats by touch needs the time.
    let think = (SECOND * 9, SECOND * 20);
    let manner = Manner { control: CONTROL, think, habits, ..base };
    let performance = rehearsal::perform(&game, &manner, number);
    (game, performance)
}

fn scene(
    game: &Game,
    mut performance: Performance,
    number: u64,
    wrong: Option<usize>,
    dice: &mut Rng,
) -> Option<Scene> {
    if let Some(wrong) = wrong {
        let made = performance.made[wrong];
        let next = performance.acts.partition_point(|&(at, act)| {
            at <= made || matches!(act, Act::Press(_)) && at < made + SECOND * 3
        });
        delay(&mut performance, next, PLAY_GOES_ON);
        for later in &mut performance.made[wrong + 1..] {
            *later += PLAY_GOES_ON;
        }
    }
    let (first, second) = on_two_boards(game, &performance, wrong, dice)?;
    let second = Performance { acts: second, ..performance.clone() };
    let mut scene = Scene::of(Performance { acts: first, ..performance }, CONTROL, number);
    scene.second = Some(second);
    scene.watch = Watch { second_board: "black".to_owned(), ..scene.watch };
    Some(scene)
}

/// What is done on White's board and on Black's: the moves, and their repetitions.
fn on_two_boards(
    game: &Game,
    performance: &Performance,
    wrong: Option<usize>,
    dice: &mut Rng,
) -> Option<(Vec<Cue>, Vec<Cue>)> {
    let mut boards = [Vec::new(), Vec::new()];
    for &(at, act) in &performance.acts {
        let ply = performance.made.partition_point(|made| *made < at);
        let over = ply >= performance.made.len();
        let on_squares = matches!(act, Act::Lift(_) | Act::Put(..));
        let board = if on_squares && !over { ply % 2 } else { 0 };
        boards[board].push((at, act));
    }
    let mut before = game.start.board().clone();
    for (ply, after) in game.positions().enumerate().take(performance.truth.plies) {
        let other = &mut boards[1 - ply % 2];
        let begin = performance.made[ply] + dice.between((SECOND * 2, SECOND * 4));
        let acts = repetition(&before, after.board());
        let spoiled = match wrong == Some(ply) {
            true => Some(misheard(&acts, after.board(), dice)?),
            false => None,
        };
        let mut at = begin;
        for (index, &act) in acts.iter().enumerate() {
            let last = index + 1 == acts.len();
            let act = spoiled.filter(|_| last).unwrap_or(act);
            other.push((at, act));
            at += SECOND / 2;
        }
        if let (Some(Act::Put(there, _)), Some(&right)) = (spoiled, acts.last()) {
            other.push((begin + PUT_RIGHT, Act::Lift(there)));
            other.push((begin + PUT_RIGHT + SECOND, right));
        }
        before = after.board().clone();
    }
    for acts in &mut boards {
        acts.sort_by_key(|&(at, _)| at);
    }
    let [first, second] = boards;
    Some((first, second))
}

/// The hands of somebody who does on his board what was announced.
fn repetition(before: &Board, after: &Board) -> Vec<Act> {
    let changed: Vec<_> = shakmaty::Square::ALL
        .into_iter()
        .filter(|at| before.piece_at(*at) != after.piece_at(*at))
        .collect();
    let lifts = changed.iter().filter(|at| before.piece_at(**at).is_some());
    let lifts = lifts.map(|at| Act::Lift(square(*at)));
    let puts = changed.iter().filter_map(|at| {
        let piece = Piece::from_letter(after.piece_at(*at)?.char())?;
        Some(Act::Put(square(*at), piece))
    });
    lifts.chain(puts).collect()
}

/// The man that was put last goes to an empty square beside the right one; none if there is none.
fn misheard(acts: &[Act], after: &Board, dice: &mut Rng) -> Option<Act> {
    let Act::Put(right, piece) = *acts.last()? else { return None };
    let beside = |at: &shakmaty::Square| {
        let at = square(*at);
        at.file().abs_diff(right.file()).max(at.rank().abs_diff(right.rank())) == 1
    };
    let free: Vec<_> = (!after.occupied()).into_iter().filter(beside).collect();
    Some(Act::Put(square(dice.pick(&free)?), piece))
}
