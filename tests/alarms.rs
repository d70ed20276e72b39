//! Who is called for nothing, and who is not called: clumsy but lawful hands, and offences planted
//! among them. `ADOUBED_GAMES=2000 cargo test --release --test alarms -- --nocapture` measures;
//! without it a few games of each are a test.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and measures")]

use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, Seats, TableEntry, Watch};
use adoubed::virtual_line;
use adoubed::works::{Act, Works};
use eboard::Moment;
use rehearsal::{Clock, Faults, Game, Habits, Happening, Manner, Mishap, Pace, Permille};
use rehearsal::{Performance, Scan, Stage};
use shakmaty::{Chess, Color};
use witness::{Effect, Gravity, Incident, Kind};

/// One game in so many may end with a call for nothing.
const GAMES_PER_ALARM: usize = 100;

fn games() -> u64 {
    std::env::var("ADOUBED_GAMES").ok().and_then(|it| it.parse().ok()).unwrap_or(40)
}

fn game(number: u64) -> Game {
    let famous = rehearsal::famous();
    if number.is_multiple_of(4) {
        let index = usize::try_from(number / 4).unwrap() % famous.len();
        return famous.into_iter().nth(index).unwrap();
    }
    let plies = usize::try_from(20 + number.wrapping_mul(0x9e37_79b9) % 100).unwrap();
    rehearsal::random_game(number, plies, Chess::default())
}

/// Everything that was raised in a performance, each incident as it was told first.
fn told(performance: Performance, manner: &Manner, seed: u64) -> Vec<Incident> {
    let begin = Moment::ZERO + Duration::from_secs(3);
    let mut stage = Stage::of(begin, performance, Clock::new(manner.control), Pace::real());
    let (mut all, mut end): (Vec<(Moment, Happening)>, _) = (Vec::new(), begin);
    while !stage.over() {
        let Some(at) = stage.next() else { break };
        all.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at;
    }
    let end = end + Duration::from_secs(40);
    let seen = Scan::dgt(seed).see(&all);
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let mut acts = Vec::new();
    for entry in opening(manner) {
        works.enter(Moment::ZERO, &entry, &mut acts);
    }
    let faults = Faults::default();
    let heard = virtual_line::heard_through(&dgt::DRIVER, seen, end, 1, &faults, seed);
    for (at, entry) in heard.records {
        works.enter(at, &entry, &mut acts);
    }
    works.advance(end, &mut acts);
    let mut told: Vec<Incident> = Vec::new();
    for act in acts {
        let Act::Table(_, _, Effect::Raised(incident)) = act else { continue };
        match told.iter_mut().find(|it| it.id == incident.id) {
            Some(known) => known.gravity = known.gravity.max(incident.gravity),
            None => told.push(*incident),
        }
    }
    told
}

fn opening(manner: &Manner) -> [Entry; 2] {
    let port = "virtual".to_owned();
    let watch = Watch { time_control: manner.control.to_string(), ..Watch::default() };
    let table = TableEntry {
        number: 1,
        port: Some(port.clone()),
        serial: None,
        driver: Some(dgt::DRIVER.name.to_owned()),
        station: 0,
        watch: watch.clone(),
    };
    let id = LineId { path: port.clone(), names: vec![port] };
    let plan = Plan { tables: vec![table], watch, seats: Seats::default() };
    [Entry::Planned(plan), Entry::Opened(1, id)]
}

/// The move an incident is about, counted from 0.
fn ply(incident: &Incident) -> usize {
    let black = usize::from(incident.side == Some(Color::Black));
    usize::try_from(incident.move_number).unwrap().saturating_sub(1) * 2 + black
}

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

#[test]
fn clumsy_but_lawful_hands_call_nobody() {
    let manner = Manner { tidy_up: false, ..Manner::clumsy() };
    let games = games();
    let (mut alarms, mut looks) = (0, 0);
    for number in 1..=games {
        let game = game(number);
        let performance = rehearsal::perform(&game, &manner, number);
        for incident in told(performance.clone(), &manner, number) {
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

/// What is told of a mishap.
fn kinds(mishap: Mishap) -> &'static [&'static str] {
    match mishap {
        Mishap::WrongGeometry | Mishap::KingLeftInCheck => &["illegal_move"],
        Mishap::FlagFall => &["flag_fall"],
        Mishap::TouchedOther => &["touched_not_moved", "must_castle"],
        #[allow(unreachable_patterns)]
        _ => &[],
    }
}

#[test]
fn planted_offences_are_told_of_the_right_player_and_move() {
    for mishap in Mishap::ALL {
        let wanted = kinds(mishap);
        if wanted.is_empty() {
            continue;
        }
        let habits = Habits::clumsy()
            .with(rehearsal::Habit::TakesBack, Permille(0))
            .with(rehearsal::Habit::AdjustsRound, Permille(0));
        // What is shorter than one scan of the board nobody can see.
        let carry = (Duration::from_millis(280), Duration::from_millis(700));
        let clumsy = Manner { tidy_up: false, carry, ..Manner::clumsy() };
        let manner = Manner { mishaps: vec![mishap], habits, ..clumsy };
        let (mut planted, mut found) = (0_u64, 0_u64);
        for number in 1..=games() {
            let performance = rehearsal::perform(&game(number), &manner, number);
            let Some((at, _)) = performance.truth.mishap else { continue };
            planted += 1;
            let all = told(performance.clone(), &manner, number);
            let right = |it: &&Incident| wanted.contains(&it.kind.name()) && ply(it) == at;
            if all.iter().any(|it| right(&it)) {
                found += 1;
            } else {
                let all: Vec<_> =
                    all.iter().map(|it| format!("{} {}", it.kind.name(), ply(it))).collect();
                println!("game {number}: {mishap:?} at ply {at} not told: {all:?}");
                let near = performance.done.iter().filter(|(it, _)| it.abs_diff(at) <= 1);
                println!("  habits: {:?}", near.collect::<Vec<_>>());
                let plies = at.saturating_sub(1)..(at + 1).min(performance.truth.plies);
                println!("{}", performance.excerpt(&game(number), manner.control, plies));
            }
        }
        println!("{mishap:?}: {found} of {planted}");
        assert!(found * 100 >= planted * 98, "{mishap:?}: {found} of {planted}");
    }
}
