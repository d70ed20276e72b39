//! Clumsy but lawful hands: what no habit explains is a call for nothing.

use rehearsal::{Game, Manner, Performance};
use witness::{Gravity, Incident, Kind};

use super::games;
use super::rarer::two_boards;
use super::room::{Scene, game, incidents, ply};
use words::InWords as _;

/// One game in so many may end with a call for nothing.
const GAMES_PER_ALARM: usize = 100;

/// Whether a habit that showed about then is one that may be told so.
pub fn is_explained(incident: &Incident, performance: &Performance) -> bool {
    let about = ply(incident);
    // A capture that is tried and given up touches both colours.
    let kind = match incident.kind {
        Kind::TouchedBoth => Kind::TouchedNotCaptured.name(),
        kind => kind.name(),
    };
    performance
        .done
        .iter()
        // A press that was left out is told at the same player's next move.
        .any(|(at, habit)| at.abs_diff(about) <= 2 && habit.may_be_told().contains(&kind))
}

/// Each incident once, as it was told first, but as loudly as it ever was.
pub fn first_told(all: Vec<Incident>) -> Vec<Incident> {
    let mut first: Vec<Incident> = Vec::new();
    for incident in all {
        match first.iter_mut().find(|it| it.id == incident.id) {
            Some(known) => known.gravity = known.gravity.max(incident.gravity),
            None => first.push(incident),
        }
    }
    first
}

/// Calls and looks for nothing.
#[derive(Default)]
struct Alarms {
    games: usize,
    calls: usize,
    looks: usize,
}

impl Alarms {
    fn count(&mut self, number: u64, scene: Scene, game: &Game) {
        self.games += 1;
        let (performance, control) = (scene.performance.clone(), scene.clock);
        for incident in first_told(incidents(scene)) {
            if is_explained(&incident, &performance) || incident.gravity == Gravity::Note {
                continue;
            }
            let (kind, gravity) = (incident.kind.name(), incident.gravity.name());
            let about = ply(&incident);
            println!("game {number}: {gravity} {kind}, ply {about}: {}", incident.text.en());
            let near = performance.done.iter().filter(|(at, _)| at.abs_diff(about) <= 1);
            println!("  habits: {:?}", near.collect::<Vec<_>>());
            let plies = about.saturating_sub(1)..(about + 1).min(performance.truth.plies);
            println!("{}", performance.excerpt(game, control, plies));
            match incident.gravity {
                Gravity::Summon => self.calls += 1,
                _ => self.looks += 1,
            }
        }
    }

    fn are_few(&self) {
        let Self { games, calls, looks } = self;
        println!("{games} games: {calls} calls and {looks} looks for nothing");
        let most = games.div_ceil(GAMES_PER_ALARM);
        assert!(*calls <= most, "{calls} calls for nothing in {games} games");
    }
}

#[test]
fn clumsy_but_lawful_hands_call_nobody() {
    let manner = Manner { tidy_up: false, ..Manner::clumsy() };
    let mut alarms = Alarms::default();
    for number in 1..=games().unwrap_or(40) {
        let game = game(number);
        let performance = rehearsal::perform(&game, &manner, number);
        alarms.count(number, Scene::of(performance, manner.control, number), &game);
    }
    alarms.are_few();
}

/// Appendix D: each move stands on one board before it stands on the other.
#[test]
fn two_boards_in_agreement_call_nobody() {
    let mut alarms = Alarms::default();
    for number in 1..=games().unwrap_or(10) {
        if let Some((scene, game)) = two_boards::in_agreement(number) {
            alarms.count(number, scene, &game);
        }
    }
    alarms.are_few();
}
