//! The clock alone, in real times and read in every way: sound clocks that call nobody, and faults
//! that are found, and when.
//!
//! `ADOUBED_GAMES=100 cargo test --test alarms clocks -- --nocapture` prints the rows of
//! `docs/clocks.md`.

mod row;

use std::time::Duration;

use eboard::{Colour, Disturbance};
use rehearsal::{Act, Ailment, Manner, Mishap, TimeControl, Trouble};
use witness::Kind;

use super::room::Scene;
use super::timed::{Pace, Timed};
use row::{Planted, Row, WAYS};

/// Games at the classical rate, of which some last as long as is wanted.
const ALL_GAMES: u64 = 156;
/// Games of each row, as a test.
const GAMES: u64 = 4;

/// Nothing is wrong, whatever the pace and however the clock is read.
#[test]
fn sound_clocks_call_nobody() {
    for pace in Pace::ALL {
        for (way, readings) in WAYS {
            let mut row = Row::new("sound", pace, way);
            for number in 0..super::games().unwrap_or(GAMES) {
                let mut scene = Timed::of(pace, number).scene(Manner::default(), number);
                scene.readings = readings;
                row.sound(number, scene);
            }
            row.print();
            row.has_no_false_alarm();
        }
    }
}

/// The games of one row, and what is planted in each, if it can be.
fn row(
    name: &str,
    how: (Pace, usize),
    plant: impl Fn(u64, &Timed, &mut Scene) -> Option<Planted>,
) -> Row {
    row_of(name, how, |number, timed, scene| plant(number, timed, scene).map(Some))
}

/// The same where something may happen in a game and nothing is to be raised.
fn row_of(
    name: &str,
    how: (Pace, usize),
    plant: impl Fn(u64, &Timed, &mut Scene) -> Option<Option<Planted>>,
) -> Row {
    row_among(0..super::games().unwrap_or(GAMES), name, how, plant)
}

/// The same in the games by these numbers.
fn row_among(
    numbers: impl IntoIterator<Item = u64>,
    name: &str,
    (pace, way): (Pace, usize),
    plant: impl Fn(u64, &Timed, &mut Scene) -> Option<Option<Planted>>,
) -> Row {
    let (way, readings) = WAYS[way];
    let mut row = Row::new(name, pace, way);
    for number in numbers {
        let timed = Timed::of(pace, number);
        let mut scene = timed.scene(Manner::default(), number);
        scene.readings = readings;
        match plant(number, &timed, &mut scene) {
            Some(Some(planted)) => row.planted(number, scene, &planted),
            Some(None) => row.sound(number, scene),
            None => {}
        }
    }
    row.print();
    row
}

/// Something is wrong with the clock from this moment on.
fn ails(scene: &mut Scene, at: Duration, trouble: Trouble) {
    let acts = &mut scene.performance.acts;
    let place = acts.partition_point(|(then, _)| *then <= at);
    acts.insert(place, (at, Act::Trouble(trouble)));
}

const BEGIN: Duration = Duration::from_secs(3);
const HALF_AN_HOUR: Duration = Duration::from_secs(1800);

/// By a twentieth: what is less than a fiftieth is nobody's business.
#[test]
fn a_clock_that_does_not_keep_time_is_found() {
    for (name, permille, says) in [("fast", 1050, "is fast"), ("slow", 950, "is slow")] {
        let drifts = |_: u64, timed: &Timed, scene: &mut Scene| {
            ails(scene, BEGIN, Trouble::Ails(Ailment::Drift(permille)));
            let lasts: Duration = timed.turns.iter().sum();
            let says = says.to_owned();
            let planted = Planted { at: BEGIN, kind: Kind::ClockFault, besides: &[], says };
            Some(planted).filter(|_| lasts > HALF_AN_HOUR)
        };
        for way in 0..WAYS.len() {
            let row = row(name, (Pace::Classical, way), drifts);
            row.has_no_false_alarm();
            row.finds(0, HALF_AN_HOUR);
        }
    }
}

/// The same control with an increment of so many seconds more.
fn other_increment(timed: &Timed, more: i64) -> TimeControl {
    let each = timed.control.of(Colour::White);
    let (was, is) = (each.increment_s(), i64::from(each.increment_s()) + more);
    timed.control.to_string().replace(&format!("+{was}"), &format!("+{is}")).parse().unwrap()
}

#[test]
fn an_increment_that_is_a_second_off_is_found_in_a_few_moves() {
    for (name, more) in [("a second less", -1), ("a second more", 1)] {
        for (pace, within_s) in [(Pace::Blitz, 120), (Pace::Rapid, 300), (Pace::Classical, 900)] {
            for way in 0..WAYS.len() {
                let row = row(name, (pace, way), |_, timed, scene| {
                    scene.clock = other_increment(timed, more);
                    let each = timed.control.of(Colour::White).increment_s();
                    let says = format!("it should give {each} s");
                    Some(Planted { at: BEGIN, kind: Kind::ClockSetting, besides: &[], says })
                });
                row.has_no_false_alarm();
                row.finds(0, Duration::from_secs(within_s));
            }
        }
    }
}

/// A clock that falls silent while its board is heard, and another that is only late.
#[test]
fn a_clock_that_falls_silent_is_lost_and_nobody_else_is_blamed() {
    for (pace, middle) in [(Pace::Blitz, 60), (Pace::Rapid, 240), (Pace::Classical, 900)] {
        for (name, silent_s, found) in [("silent for 5 min", 300, true), ("for 4 s", 4, false)] {
            for way in [0, 2] {
                let row = row_of(name, (pace, way), |number, timed, scene| {
                    let at = BEGIN + Duration::from_secs(middle + number * 7);
                    let back = at + Duration::from_secs(silent_s);
                    let lasts: Duration = timed.turns.iter().sum();
                    if at + Duration::from_secs(60) > lasts {
                        return None;
                    }
                    ails(scene, at, Trouble::Wire(Disturbance::Silent(true)));
                    ails(scene, back, Trouble::Wire(Disturbance::Silent(false)));
                    let (kind, says) = (Kind::ClockLost, String::new());
                    Some(Some(Planted { at, kind, besides: &[], says }).filter(|_| found))
                });
                row.has_no_false_alarm();
                row.finds(0, Duration::from_secs(30));
            }
        }
    }
}

/// Whether the first period lasts both players so long, and the game too: at zero a clock that adds
/// nothing is found in another way.
fn lasts_to(timed: &Timed, plies: usize) -> bool {
    timed.turns.len() > plies
        && [Colour::White, Colour::Black].into_iter().enumerate().all(|(first, side)| {
            let own = timed.turns.iter().take(plies).skip(first).step_by(2);
            let used = own.clone().sum::<Duration>() + Duration::from_secs(10);
            let each = timed.control.of(side);
            let moves = u32::try_from(own.count()).unwrap();
            used < Duration::from_secs((each.main_s() + each.increment_s() * moves).into())
        })
}

/// What is raised, and after which ply.
type Raised = (&'static str, usize);

/// The clock counts to forty, by moves of the score; a clock that adds at zero counts nothing. How
/// it is to add, and what is to be raised.
const ADDING: [(&str, &str, Option<Raised>); 6] = [
    ("adds with move 40", "adds=40", None),
    ("adds at zero", "adds=zero", None),
    ("adds with move 41", "adds=41", Some(("with the press for move 41", 81))),
    ("adds with move 39", "adds=39", Some(("with the press for move 39", 77))),
    (
        "adds nothing to Black",
        "adds=b:never",
        Some(("White was given the next period with move 40", 80)),
    ),
    (
        "adds nothing to White",
        "adds=w:never",
        Some(("Black was given the next period with move 40", 80)),
    ),
];

#[test]
fn a_clock_that_counts_to_another_move_is_found() {
    for (name, word, raised) in ADDING {
        let trouble: Trouble = word.parse().unwrap();
        let fits = |number: &u64| {
            let timed = Timed::of(Pace::Classical, *number);
            raised.map_or(timed.turns.len() > 90, |(_, plies)| lasts_to(&timed, plies + 2))
        };
        let games = usize::try_from(super::games().unwrap_or(GAMES)).unwrap();
        for way in [0, 3] {
            let numbers = (0..ALL_GAMES).filter(fits).take(games);
            let row = row_among(numbers, name, (Pace::Classical, way), |_, timed, scene| {
                ails(scene, BEGIN, trouble);
                let Some((says, plies)) = raised else { return Some(None) };
                let at = BEGIN + timed.turns.iter().take(plies).sum::<Duration>();
                let (kind, says) = (Kind::ClockSetting, says.to_owned());
                // What was left out is missing again at zero.
                Some(Some(Planted { at, kind, besides: &[Kind::ClockSetting], says }))
            });
            row.has_no_false_alarm();
            row.finds(0, Duration::from_secs(120));
        }
    }
}

/// What is not found yet stands in `docs/clocks.md`.
#[test]
fn a_press_that_was_left_out_is_missed() {
    for (way, readings) in [WAYS[0], WAYS[2]] {
        let mut row = Row::new("press left out", Pace::Rapid, way);
        for number in 0..super::games().unwrap_or(GAMES) {
            let timed = Timed::of(Pace::Rapid, number);
            let manner = Manner { mishaps: vec![Mishap::MissedPress], ..Manner::default() };
            let mut scene = timed.scene(manner, number);
            scene.readings = readings;
            let Some((ply, _)) = scene.performance.truth.mishap else { continue };
            let at = scene.performance.made[ply];
            let (kind, says) = (Kind::MissedPress, String::new());
            let besides = &[Kind::WrongClockRunning];
            row.planted(number, scene, &Planted { at, kind, besides, says });
        }
        row.print();
        row.has_no_false_alarm();
        row.finds(25, Duration::from_secs(120));
    }
}
