//! Games that are adjourned, put away, set up as they were and resumed as Guideline I says.

use std::time::Duration;

use eboard::{Colour, Placement, Square};
use rehearsal::{Act, Cue, Habit, Manner, Performance, Permille, Rng, TimeControl};
use serde_json::json;

use super::Confused;
use super::row::lawful;
use crate::offence::request;
use crate::rarer::{SECOND, amid, delay, do_at, left_at, sides_after};
use crate::room::{Scene, When, game};

/// The seals are broken so long after the clock was stopped.
const AWAY: Duration = Duration::from_secs(150);
/// Whoever is late comes so long after the other.
const COMES_LATE: Duration = Duration::from_secs(50);
/// Players think so long at least before they can be interrupted.
const THINKS: Duration = Duration::from_millis(2500);

/// More than the players reckon with: whoever is waited for pays with his own time, and nobody
/// oversteps for that.
const CLOCK: TimeControl = TimeControl::new(300, 2);

/// Who comes late to the resumption.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Late {
    Nobody,
    /// Whoever answers: his time counts before the sealed move is made (I.9.2).
    Replier,
    /// Whoever sealed: the answer is sealed too, and made when he has come (I.9.3).
    Sealer,
}

/// The player who has the move seals it and stops the clock. Men are cleared away and set up again
/// as they stood. The arbiter makes the sealed move with the clock at rest, and starts it for
/// whoever answers.
pub fn resumed(number: u64, late: Late) -> Option<Confused> {
    let mut dice = Rng::new(number ^ 0x5ea1);
    let game = game(number);
    let mut performance = rehearsal::perform(&game, &quiet(), number);
    if performance.truth.flag.is_some() {
        return None;
    }
    let (ply, _) = amid(&performance, &mut dice)?;
    let made = performance.made[ply];
    let first = 1 + performance.acts.partition_point(|&(at, _)| at <= made);
    let &(pressed, Act::Press(_)) = performance.acts.get(first - 1)? else { return None };
    if performance.acts.get(first)?.0 < pressed + THINKS {
        return None;
    }
    let (sealer, replier) = sides_after(ply);
    let away = if late == Late::Replier { AWAY + COMES_LATE } else { AWAY };
    later(&mut performance, first, ply + 1, away);
    // The sealed move, and the lever that goes down for it.
    let sealed = *performance.made.get(ply + 1)?;
    let lever = |it: &Cue| it.0 > sealed && it.1 == Act::Press(sealer);
    let started = performance.acts.iter().find(|it| lever(it))?.0;
    if performance.made.get(ply + 2).is_some_and(|next| *next < started + THINKS) {
        return None;
    }
    let stands = placement_at(&performance, made);
    do_at(&mut performance, pressed + SECOND, Act::StopClock);
    match late {
        Late::Nobody => {}
        Late::Replier => {
            performance.acts.retain(|it| *it != (started, Act::Press(sealer)));
            let begin = pressed + AWAY - SECOND * 20;
            do_at(&mut performance, begin, Act::Press(sealer));
            do_at(&mut performance, begin + SECOND, Act::GoOn);
            do_at(&mut performance, begin + COMES_LATE, Act::StopClock);
        }
        Late::Sealer => seal_the_reply(&mut performance, ply + 2, started, replier)?,
    }
    do_at(&mut performance, started + SECOND / 2, Act::GoOn);
    clear_and_set_up(&mut performance, pressed + SECOND * 20, &stands, &mut dice);
    let mut scene = Scene::of(performance, CLOCK, number);
    assert!(nobody_oversteps(&scene), "a flag falls in game {number}");
    let name = |colour| if colour == Colour::White { "white" } else { "black" };
    let seal = json!({"table": 1, "sealed_by": name(sealer)});
    let absent = match late {
        Late::Nobody => "nobody",
        Late::Replier => name(replier),
        Late::Sealer => name(sealer),
    };
    // Half of the arbiters say nothing of it: the board tells.
    let resume = match number.is_multiple_of(2) {
        true => json!({"table": 1, "absent": absent}),
        false => json!({"table": 1}),
    };
    scene.requests.push((When::At(pressed + SECOND * 3), request("adjourn", seal)));
    scene.requests.push((When::At(pressed + SECOND * 110), request("resume", resume)));
    Some(Confused { scene, game, rightly: &[] })
}

/// Whether both have time left in the end. A clock stands where a flag has fallen.
fn nobody_oversteps(scene: &Scene) -> bool {
    let end = scene.performance.acts.last().map(|it| it.0).unwrap_or_default();
    let left = [Colour::White, Colour::Black].map(|side| left_at(scene, end, side));
    left.iter().all(|left| !left.is_zero())
}

/// Hands that press for every move, and leave the pieces alone then.
fn quiet() -> Manner {
    let never = [Habit::MissedPress, Habit::ATempo, Habit::Flickers];
    let habits = never.into_iter().fold(lawful().habits, |it, habit| it.with(habit, Permille(0)));
    Manner { habits, ..lawful() }
}

/// Everything from this act and this move on happens so much later.
fn later(performance: &mut Performance, first: usize, ply: usize, by: Duration) {
    delay(performance, first, by);
    performance.made.iter_mut().skip(ply).for_each(|made| *made += by);
}

/// The answer is written down, and the clock pressed for it. When the other one has come the
/// arbiter stops the clock, makes the answer on the board and lets the clock go on.
fn seal_the_reply(
    performance: &mut Performance,
    ply: usize,
    since: Duration,
    replier: Colour,
) -> Option<()> {
    let first = performance
        .acts
        .iter()
        .position(|&(at, act)| at > since && matches!(act, Act::Lift(_) | Act::Put(..)))?;
    let sealed = performance.acts[first].0;
    later(performance, first, ply, COMES_LATE);
    let made = *performance.made.get(ply)?;
    let press = |it: &Cue| it.0 > made && it.1 == Act::Press(replier);
    let press = performance.acts.iter().position(press)?;
    if performance.made.get(ply + 1).is_some_and(|next| *next < performance.acts[press].0) {
        return None;
    }
    performance.acts[press].1 = Act::GoOn;
    do_at(performance, sealed, Act::Press(replier));
    do_at(performance, sealed + COMES_LATE - SECOND, Act::StopClock);
    Some(())
}

/// What stands on the board then.
fn placement_at(performance: &Performance, until: Duration) -> Placement {
    let mut placement = performance.start;
    for &(at, act) in &performance.acts {
        match act {
            Act::Lift(square) if at <= until => placement[square] = None,
            Act::Put(square, piece) if at <= until => placement[square] = Some(piece),
            _ => {}
        }
    }
    placement
}

/// Ten men go into the box, and come out again half a minute later.
fn clear_and_set_up(
    performance: &mut Performance,
    since: Duration,
    stands: &Placement,
    dice: &mut Rng,
) {
    let mut men: Vec<_> = Square::all().filter_map(|at| Some((at, stands[at]?))).collect();
    while men.len() > 10 {
        let Some(kept) = dice.pick(&men) else { return };
        men.retain(|it| *it != kept);
    }
    for (index, (square, piece)) in (0..).zip(men) {
        let at = since + SECOND * index;
        do_at(performance, at, Act::Lift(square));
        do_at(performance, at + SECOND * 40, Act::Put(square, piece));
    }
}
