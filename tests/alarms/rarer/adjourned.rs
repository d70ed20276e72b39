//! Games that are adjourned, whose board and clock are used meanwhile, and that are not to be
//! resumed as they were.

use std::time::Duration;

use eboard::{FaceTime, Piece, Square};
use rehearsal::{Act, Rng};
use serde_json::json;
use shakmaty::{Position, Role};

use super::{SECOND, amid, delay, do_at, left_at, on_after, sides_after, square};
use crate::offence::{Expected, Planted, about_the_game, manner, request};
use crate::room::{Scene, When, game};

/// From the press before the adjournment to the next move.
const AWAY: Duration = Duration::from_secs(150);
/// Players think so long at least before they can be interrupted.
const THINKS: Duration = Duration::from_millis(2500);

/// What is not as it was.
enum Wrong {
    /// This man stands elsewhere.
    Man(Square, Piece, Square),
    Time(eboard::Colour, FaceTime),
}

/// The game is adjourned while a player thinks; what is set up for the resumption differs in one
/// square or one time, and is put right when the arbiter has been told.
pub fn resumption_differs(number: u64, dice: &mut Rng) -> Planted {
    let game = game(number);
    let manner = manner(Vec::new());
    let performance = rehearsal::perform(&game, &manner, number);
    let (ply, _) = amid(&performance, dice)?;
    let made = performance.made[ply];
    let after = performance.acts.partition_point(|&(at, _)| at <= made);
    let &(pressed, Act::Press(_)) = performance.acts.get(after)? else { return None };
    if performance.acts.get(after + 1)?.0 < pressed + THINKS {
        return None;
    }
    let mut scene = Scene::of(performance, manner.control, number);
    delay(&mut scene.performance, after + 1, AWAY);
    let at = |seconds: u32| pressed + SECOND * seconds;
    do_at(&mut scene.performance, at(1), Act::StopClock);
    let position = game.positions().nth(ply)?;
    let (wrong, right) = match dice.below(2) {
        0 => {
            let others = position.board().occupied() & !position.board().by_role(Role::King);
            let from = dice.pick(&others.into_iter().collect::<Vec<_>>())?;
            let free: Vec<_> = (!position.board().occupied()).into_iter().collect();
            let piece = position.board().piece_at(from)?;
            let piece = Piece::from_letter(piece.char())?;
            let (from, to) = (square(from), square(dice.pick(&free)?));
            (Wrong::Man(from, piece, to), Wrong::Man(to, piece, from))
        }
        _ => {
            let (side, _) = sides_after(usize::try_from(dice.below(2)).unwrap());
            let left = left_at(&scene, at(2), side);
            let more = SECOND * u32::try_from(5 + dice.below(60)).unwrap();
            let face = |left: Duration| FaceTime::from_ms(u32::try_from(left.as_millis()).unwrap());
            (Wrong::Time(side, face(left + more)), Wrong::Time(side, face(left)))
        }
    };
    for (seconds, what) in [(40, wrong), (90, right)] {
        match what {
            Wrong::Man(from, piece, to) => {
                do_at(&mut scene.performance, at(seconds), Act::Lift(from));
                do_at(&mut scene.performance, at(seconds + 1), Act::Put(to, piece));
            }
            Wrong::Time(side, time) => {
                do_at(&mut scene.performance, at(seconds), Act::Correct(side, time));
            }
        }
    }
    do_at(&mut scene.performance, at(149), Act::GoOn);
    let table = json!({"table": 1});
    scene.requests.push((When::At(at(3)), request("adjourn", table.clone())));
    scene.requests.push((When::At(at(60)), request("resume", table)));
    let articles = ["E.5", "I.5", "I.5"];
    let expected = about_the_game("resumption_differs", "", on_after(ply + 1));
    Some((scene, Expected { articles, ..expected }, game))
}
