//! One offence in each game, of every kind, at a random moment among clumsy hands: it is told, of
//! the right player and move, with its Article in the edition in force.

use rehearsal::Game;
use witness::Incident;

use super::games;
use super::offence::{Expected, Offence, all, edition, planted};
use super::room::{Scene, incidents};
use words::InWords as _;

/// Games of each kind where nobody measures.
const A_FEW: u64 = 4;

/// How one offence fared.
#[derive(Default)]
struct Tally {
    planted: u64,
    found: u64,
}

impl Expected {
    fn is_met_by(&self, incident: &Incident, number: u64) -> bool {
        incident.kind.name() == self.kind
            && incident.side == self.side
            && (self.move_number..=self.move_number + self.within).contains(&incident.move_number)
            && incident.article == self.articles[edition(number)]
    }
}

fn count(offence: Offence, wanted: u64) -> Tally {
    let mut tally = Tally::default();
    for number in 1..=wanted * 40 {
        if tally.planted == wanted {
            break;
        }
        let Some((scene, expected, game)) = planted(offence, number) else { continue };
        tally.planted += 1;
        if !try_one(offence, number, (scene, expected, game)) {
            continue;
        }
        tally.found += 1;
    }
    tally
}

fn try_one(
    offence: Offence,
    number: u64,
    (scene, expected, game): (Scene, Expected, Game),
) -> bool {
    let (performance, clock) = (scene.performance.clone(), scene.clock);
    let all = incidents(scene);
    let met = all.iter().any(|it| expected.is_met_by(it, number));
    if !met {
        let Expected { kind, side, move_number, .. } = expected;
        println!("game {number}, {offence:?}: no {kind} of {side:?} at move {move_number}");
        for it in &all {
            let (kind, at) = (it.kind.name(), it.move_number);
            println!("  {kind} {:?} {at} {}: {}", it.side, it.article, it.text.en());
        }
        let at = usize::try_from(move_number).unwrap().saturating_sub(1) * 2;
        let near = performance.done.iter().filter(|(it, _)| it.abs_diff(at) <= 2);
        println!("  habits: {:?}", near.collect::<Vec<_>>());
        let plies = at.saturating_sub(1)..(at + 2).min(performance.truth.plies);
        if plies.start < plies.end {
            println!("{}", performance.excerpt(&game, clock, plies));
        }
    }
    met
}

#[test]
fn planted_offences_are_told_of_the_right_player_and_move() {
    let offences = all();
    let only = std::env::var("ADOUBED_OFFENCE").unwrap_or_default();
    let each = games().map_or(A_FEW, |games| games.div_ceil(offences.len() as u64));
    let mut whole = Tally::default();
    for offence in offences {
        let name = format!("{offence:?}");
        if !name.contains(&only) {
            continue;
        }
        let tally = count(offence, each);
        println!("{name}: {} of {}", tally.found, tally.planted);
        assert!(tally.planted > 0, "{name} was never planted");
        whole.planted += tally.planted;
        whole.found += tally.found;
    }
    println!("{} of {} offences told", whole.found, whole.planted);
    let missed = whole.planted - whole.found;
    assert!(missed * 100 <= whole.planted, "{missed} of {} were not told", whole.planted);
}
