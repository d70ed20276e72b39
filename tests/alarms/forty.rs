//! Forty moves in the first period, counted by the clock itself: the press for the fortieth brings
//! each player his second period, nothing ever reads zero, and no flag is told.

use std::collections::BTreeSet;
use std::time::Duration;

use eboard::Moment;
use rehearsal::{Habit, Manner, Permille, TimeControl};
use shakmaty::{Chess, Color, Position as _};
use witness::{Clocks, Event};

use super::offence::manner;
use super::room::{Scene, told_with};

const CONTROL: &str = "40/5400+30:1800+30";
/// What a press may bring beside the period: the increment, less what the move has taken.
const PERIOD_MS: u32 = 1_800_000;

/// Players who come to the fortieth move with little time.
fn slow(control: TimeControl) -> Manner {
    let habits = manner(Vec::new()).habits.with(Habit::MissedPress, Permille(0));
    let think = (Duration::from_secs(40), Duration::from_secs(420));
    Manner { control, think, habits, ..manner(Vec::new()) }
}

/// Times as they were shown one after the other, and when a period was told.
#[derive(Default)]
struct Watched {
    least: Option<u32>,
    /// Side, moves made and how much more than just before.
    begun: Vec<(Color, usize)>,
    rose: Vec<u32>,
    last: Option<[u32; 2]>,
}

impl Watched {
    fn see(&mut self, clocks: &Clocks) {
        let Some(state) = clocks.state() else { return };
        let now = [state.times.white.as_ms(), state.times.black.as_ms()];
        let least = now.into_iter().min();
        self.least = self.least.min(least).or(least);
        if let Some(last) = self.last {
            let rises = now.iter().zip(last).filter_map(|(now, last)| now.checked_sub(last));
            self.rose.extend(rises.filter(|rise| *rise > 60_000));
        }
        self.last = Some(now);
    }
}

#[test]
fn at_move_forty_both_are_credited_and_nothing_reads_zero() {
    let control: TimeControl = CONTROL.parse().unwrap();
    let mut games = 0;
    for seed in 0..12 {
        let game = rehearsal::random_game(seed, 110, Chess::default());
        let performance = rehearsal::perform(&game, &slow(control), seed);
        if performance.truth.plies < 90 {
            continue;
        }
        games += 1;
        let mut watched = Watched::default();
        let scene = Scene::of(performance, control, seed);
        let raised = told_with(scene, &mut |_: Moment, table, event| {
            watched.see(table.clocks());
            if let Some(Event::Period(side)) = event {
                let own = table.score().plies().iter().filter(|ply| !ply.after.turn() == *side);
                watched.begun.push((*side, own.count()));
            }
        });
        assert_eq!(watched.begun, [(Color::White, 40), (Color::Black, 40)], "game {seed}");
        assert!(watched.least.is_some_and(|least| least > 0), "game {seed}: a false 0:00");
        assert_eq!(watched.rose.len(), 2, "game {seed}: {:?}", watched.rose);
        let right = |rise: &u32| (PERIOD_MS..=PERIOD_MS + 30_000).contains(rise);
        assert!(watched.rose.iter().all(right), "game {seed}: {:?}", watched.rose);
        let kinds: BTreeSet<_> = raised.iter().map(|it| it.kind.name()).collect();
        for kind in ["flag_fall", "both_flags", "clock_setting", "clock_fault", "missed_press"] {
            assert!(!kinds.contains(kind), "game {seed}: {kind}");
        }
    }
    assert!(games >= 3, "{games} games came to move 45");
}
