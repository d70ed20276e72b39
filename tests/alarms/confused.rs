//! Lawful games that hold what is easily taken for something else: kings that walk side by side or
//! meet before the press, pieces put straight before the game or on the other's side, arbiters who
//! put something right, draws that the Laws give, flags that come after the end, adjournments.
//! Nobody is called, and no result is published, that is not true.

mod adjourned;
mod row;

use std::time::Duration;

use eboard::Moment;
use rehearsal::{Game, Performance};
use witness::{Gravity, Incident};

use super::games;
use super::lawful::{first_told, is_explained};
use super::room::{BEGIN, Scene, ply, told_with};
use row::Row;
use words::InWords as _;

/// Games of each row where nobody measures.
const A_FEW: u64 = 4;

/// A game, and what an arbiter may rightly be called for in it.
pub struct Confused {
    pub scene: Scene,
    pub game: Game,
    pub rightly: &'static [&'static str],
}

/// What was told that is not true.
#[derive(Default)]
struct Tally {
    games: u64,
    summons: usize,
    looks: usize,
    results: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.summons += other.summons;
        self.looks += other.looks;
        self.results += other.results;
    }
}

/// A result as it was published: when, counted from when the players sat down.
type Published = (Duration, &'static str);

/// What was raised and published in a scene, in order.
fn heard(scene: Scene) -> (Vec<Incident>, Vec<Published>) {
    let (mut published, mut stands) = (Vec::new(), "*");
    let raised = told_with(scene, &mut |at: Moment, table, _| {
        let result = table.score().result();
        if result != stands {
            stands = result;
            published.push((at.since(BEGIN), result));
        }
    });
    (raised, published)
}

/// Another result than that of the game, or one that comes before anybody touches a piece for the
/// last move.
fn is_false((at, result): Published, scene: &Scene) -> bool {
    let Performance { truth, made, .. } = &scene.performance;
    let begun = made.len().checked_sub(2).map(|last| made[last]).unwrap_or_default();
    result != "*" && (at < begun || result != truth.outcome.to_string())
}

fn is_false_call(incident: &Incident, confused: &Confused) -> bool {
    let rightly = confused.rightly.contains(&incident.kind.name());
    incident.gravity != Gravity::Note
        && !rightly
        && !is_explained(incident, &confused.scene.performance)
}

fn try_one(row: Row, number: u64, confused: &Confused) -> Tally {
    let scene = &confused.scene;
    let (raised, published) = heard(scene.clone());
    let mut tally = Tally { games: 1, ..Tally::default() };
    let show = |about: usize| {
        let done = scene.performance.done.iter().filter(|(at, _)| at.abs_diff(about) <= 1);
        println!("  laws {}, habits: {:?}", scene.watch.laws, done.collect::<Vec<_>>());
        let plies = about.saturating_sub(1)..(about + 1).min(scene.performance.truth.plies);
        if plies.start < plies.end {
            println!("{}", scene.performance.excerpt(&confused.game, scene.clock, plies));
        }
    };
    for incident in first_told(raised).iter().filter(|it| is_false_call(it, confused)) {
        let (kind, gravity) = (incident.kind.name(), incident.gravity.name());
        let about = ply(incident);
        println!("{row:?} {number}: {gravity} {kind}, ply {about}: {}", incident.text.en());
        show(about);
        match incident.gravity {
            Gravity::Summon => tally.summons += 1,
            _ => tally.looks += 1,
        }
    }
    for (at, result) in published.into_iter().filter(|it| is_false(*it, scene)) {
        let made = scene.performance.made.iter().filter(|made| **made <= at).count();
        let truth = scene.performance.truth;
        println!("{row:?} {number}: {result} after {made} of {} plies", truth.plies);
        println!("  at {:.1} s; it was {}", at.as_secs_f64(), truth.outcome);
        show(made);
        tally.results += 1;
    }
    tally
}

fn count(row: Row, wanted: u64) -> Tally {
    let mut tally = Tally::default();
    for number in 1..=wanted * 20 {
        if tally.games == wanted {
            break;
        }
        let Some(confused) = row.confused(number) else { continue };
        tally.add(&try_one(row, number, &confused));
    }
    tally
}

#[test]
fn what_is_lawful_calls_nobody_and_ends_no_game() {
    let only = std::env::var("ADOUBED_ROW").unwrap_or_default();
    let each = games().map_or(A_FEW, |games| games.div_ceil(Row::ALL.len() as u64));
    let mut whole = Tally::default();
    for row in Row::ALL.into_iter().filter(|row| format!("{row:?}").contains(&only)) {
        let tally = count(row, each);
        let Tally { games, summons, looks, results } = tally;
        println!("{row:?}: {games} games, {summons} calls, {results} results, {looks} looks");
        assert!(games > 0, "{row:?} was never played");
        whole.add(&tally);
    }
    let Tally { games, summons, looks, results } = whole;
    println!("{games} games: {summons} false calls, {results} false results, {looks} looks");
    assert_eq!((summons, results), (0, 0), "false calls and results in {games} games");
}
