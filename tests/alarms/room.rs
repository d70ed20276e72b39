//! One performance on a virtual DGT board, heard by the very works of the daemon: everything that
//! was raised. Nothing here waits.

use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, Request, TableEntry, Watch};
use adoubed::virtual_line;
use adoubed::works::{Act, Works};
use eboard::Moment;
use rehearsal::{Clock, Faults, Game, Happening, Pace, Performance, Scan, Stage, TimeControl};
use shakmaty::{Chess, Color};
use witness::{Effect, Incident};

/// When somebody asks for something.
#[derive(Clone, Copy)]
pub enum When {
    /// The pieces stand and nobody has touched any.
    SetUp,
    /// The game is over.
    Over,
}

/// What happens at one table.
pub struct Scene {
    pub performance: Performance,
    /// What the clock is set to.
    pub clock: TimeControl,
    pub watch: Watch,
    pub requests: Vec<(When, Request)>,
    pub seed: u64,
}

impl Scene {
    /// A performance that is watched under the time control of its clock, and nobody asks.
    pub fn of(performance: Performance, clock: TimeControl, seed: u64) -> Self {
        let watch = Watch { time_control: clock.to_string(), ..Watch::default() };
        Self { performance, clock, watch, requests: Vec::new(), seed }
    }
}

/// A famous game now and then, or a random one.
pub fn game(number: u64) -> Game {
    let famous = rehearsal::famous();
    if number.is_multiple_of(4) {
        let index = usize::try_from(number / 4).unwrap() % famous.len();
        return famous.into_iter().nth(index).unwrap();
    }
    let plies = usize::try_from(20 + number.wrapping_mul(0x9e37_79b9) % 100).unwrap();
    rehearsal::random_game(number, plies, Chess::default())
}

/// Everything that was raised in a scene, each incident every time it was told.
pub fn told(scene: Scene) -> Vec<Incident> {
    let Scene { performance, clock, watch, requests, seed } = scene;
    let begin = Moment::ZERO + Duration::from_secs(3);
    let start = performance.start;
    let mut stage = Stage::of(begin, performance, Clock::new(clock), Pace::real());
    let (mut all, mut end): (Vec<(Moment, Happening)>, _) = (Vec::new(), begin);
    while !stage.over() {
        let Some(at) = stage.next() else { break };
        all.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at;
    }
    let end = end + Duration::from_secs(40);
    let mut seen = vec![(Moment::ZERO, Happening::Board(start))];
    seen.extend(Scan::dgt(seed).see(&all));
    let faults = Faults::default();
    let heard = virtual_line::heard_through(&dgt::DRIVER, seen, end, 1, &faults, seed);
    let mut entries = heard.records;
    entries.extend(requests.into_iter().map(|(when, request)| {
        let at = match when {
            When::SetUp => begin + Duration::from_secs(1),
            When::Over => end,
        };
        (at, Entry::Request(request))
    }));
    entries.sort_by_key(|(at, _)| *at);
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let mut acts = Vec::new();
    for entry in opening(&watch) {
        works.enter(Moment::ZERO, &entry, &mut acts);
    }
    for (at, entry) in entries {
        works.enter(at, &entry, &mut acts);
    }
    works.advance(end, &mut acts);
    raised(acts)
}

fn raised(acts: Vec<Act>) -> Vec<Incident> {
    let raised = acts.into_iter().filter_map(|act| match act {
        Act::Table(_, _, Effect::Raised(incident)) => Some(*incident),
        Act::Answered(request, Err(refusal)) => panic!("{}: {refusal}", request.verb),
        _ => None,
    });
    raised.collect()
}

fn opening(watch: &Watch) -> [Entry; 2] {
    let port = "virtual".to_owned();
    let table = TableEntry {
        number: 1,
        port: Some(port.clone()),
        serial: None,
        driver: Some(dgt::DRIVER.name.to_owned()),
        station: 0,
        watch: watch.clone(),
    };
    let id = LineId { path: port.clone(), names: vec![port] };
    let plan = Plan { tables: vec![table], watch: watch.clone(), ..Plan::default() };
    [Entry::Planned(Box::new(plan)), Entry::Opened(1, id)]
}

/// The move an incident is about, counted from 0.
pub fn ply(incident: &Incident) -> usize {
    let black = usize::from(incident.side == Some(Color::Black));
    usize::try_from(incident.move_number).unwrap().saturating_sub(1) * 2 + black
}
