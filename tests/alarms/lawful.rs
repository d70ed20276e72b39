//! Clumsy but lawful hands: what no habit explains is a call for nothing.

use rehearsal::{Manner, Performance};
use witness::{Gravity, Incident, Kind};

use super::games;
use super::room::{Scene, game, ply, told};

/// One game in so many may end with a call for nothing.
const GAMES_PER_ALARM: usize = 100;

/// Whether a habit that showed about then is one that may be told so.
fn is_explained(incident: &Incident, performance: &Performance) -> bool {
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
fn first_told(all: Vec<Incident>) -> Vec<Incident> {
    let mut first: Vec<Incident> = Vec::new();
    for incident in all {
        match first.iter_mut().find(|it| it.id == incident.id) {
            Some(known) => known.gravity = known.gravity.max(incident.gravity),
            None => first.push(incident),
        }
    }
    first
}

#[test]
fn clumsy_but_lawful_hands_call_nobody() {
    let manner = Manner { tidy_up: false, ..Manner::clumsy() };
    let games = games().unwrap_or(40);
    let (mut alarms, mut looks) = (0, 0);
    for number in 1..=games {
        let game = game(number);
        let performance = rehearsal::perform(&game, &manner, number);
        let all = told(Scene::of(performance.clone(), manner.control, number));
        for incident in first_told(all) {
            if is_explained(&incident, &performance) || incident.gravity == Gravity::Note {
                continue;
            }
            let (kind, gravity) = (incident.kind.name(), incident.gravity.name());
            println!(
                "game {number}: {gravity} {kind}, ply {}: {}",
                ply(&incident),
                incident.text.en
            );
            let about = ply(&incident);
            let near = performance.done.iter().filter(|(at, _)| at.abs_diff(about) <= 1);
            println!("  habits: {:?}", near.collect::<Vec<_>>());
            let plies = about.saturating_sub(1)..(about + 1).min(performance.truth.plies);
            println!("{}", performance.excerpt(&game, manner.control, plies));
            match incident.gravity {
                Gravity::Summon => alarms += 1,
                _ => looks += 1,
            }
        }
    }
    println!("{games} games: {alarms} calls and {looks} looks for nothing");
    let most = usize::try_from(games).unwrap().div_ceil(GAMES_PER_ALARM);
    assert!(alarms <= most, "{alarms} calls for nothing in {games} games");
}
