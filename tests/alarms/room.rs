//! One performance on a virtual DGT board, heard by the very works of the daemon: everything that
//! was raised. Nothing here waits.

use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, SecondBoard, TableEntry, Watch};
use adoubed::lines::virtual_line;
use adoubed::record::journal::Record;
use adoubed::requests::Request;
use adoubed::works::{Act, Works};
use eboard::Moment;
use rehearsal::{Clock, Faults, Game, Happening, Pace, Performance, Readings, Scan, Stage};
use rehearsal::{TimeControl, Unplug};
use shakmaty::{Chess, Color};
use witness::{Effect, Event, Incident, LineNo, Table, TableNo};
use words::InWords as _;

/// The first table.
const TABLE: TableNo = TableNo::new(1);

/// When somebody asks for something.
#[derive(Clone, Copy)]
pub enum When {
    /// The pieces stand and nobody has touched any.
    SetUp,
    /// So long after the players have sat down.
    At(Duration),
    /// The game is over.
    Over,
}

/// What happens at one table, and perhaps at the one beside it.
#[derive(Clone)]
pub struct Scene {
    pub performance: Performance,
    /// What the clock is set to.
    pub clock: TimeControl,
    /// Whether it stands when a flag has fallen.
    pub freezes: bool,
    pub watch: Watch,
    pub requests: Vec<(When, Request)>,
    /// The cable of the board is out: since when, counted from when the players sat down.
    pub cable_out: Option<(Duration, Duration)>,
    /// At the table beside, and how much later.
    pub neighbour: Option<(Performance, Duration)>,
    /// At Black's own board, where each player has one.
    pub second: Option<Performance>,
    /// How the clock is read.
    pub readings: Readings,
    /// Whether the board hears of no clock.
    pub unheard_clock: bool,
    pub seed: u64,
}

/// A DGT board reports what changes on its clock, up to a quarter of a second late.
pub const DGT: Readings = Readings::as_it_changes().late(Duration::from_millis(250));

impl Scene {
    /// A performance that is watched under the time control of its clock, and nobody asks.
    pub fn of(performance: Performance, clock: TimeControl, seed: u64) -> Self {
        let watch = Watch { time_control: clock.to_string(), ..Watch::default() };
        Self {
            performance,
            clock,
            freezes: true,
            watch,
            requests: Vec::new(),
            cable_out: None,
            neighbour: None,
            second: None,
            readings: DGT,
            unheard_clock: false,
            seed,
        }
    }

    /// A table on which all of it happens from this moment on.
    pub fn stage(&self, begin: Moment) -> Stage {
        let clock = Clock::new(self.clock);
        let clock = if self.freezes { clock } else { clock.running_on() };
        Stage::of(begin, self.performance.clone(), clock, Pace::real())
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

/// The players sit down.
pub const BEGIN: Moment = Moment::from_micros(3_000_000);

/// Everything that was raised in a scene, each incident every time it was told.
pub fn incidents(scene: Scene) -> Vec<Incident> {
    told_with(scene, &mut |_, _, _| {})
}

/// The same, seen by somebody after every step: the first table, and each event that it told.
pub fn told_with(
    scene: Scene,
    watch: &mut dyn FnMut(Moment, &Table, Option<&Event>),
) -> Vec<Incident> {
    let beside = scene.neighbour.clone().map(|(performance, later)| {
        let line = LineNo::new(2);
        heard(&Scene { performance, cable_out: None, ..scene.clone() }, BEGIN + later, line)
    });
    let second = scene.second.clone().map(|performance| {
        let scene = Scene { performance, cable_out: None, second: None, ..scene.clone() };
        heard(&scene, BEGIN, LineNo::new(2))
    });
    let (mut entries, mut end) = heard(&scene, BEGIN, LineNo::new(1));
    let tables = if beside.is_some() { 2 } else { 1 };
    if let Some((more, later)) = beside.or(second) {
        entries.extend(more);
        end = end.max(later);
    }
    entries.extend(scene.requests.into_iter().map(|(when, request)| {
        let at = match when {
            When::SetUp => BEGIN + Duration::from_secs(1),
            When::At(after) => BEGIN + after,
            When::Over => end,
        };
        (at, Entry::Request(request))
    }));
    entries.sort_by_key(|(at, _)| *at);
    let mut works = Works::new(vec![&dgt::DRIVER]);
    let mut acts = Vec::new();
    for entry in opening(&scene.watch, tables) {
        works.enter(Moment::ZERO, &entry, &mut acts);
    }
    for (at, entry) in entries {
        let before = acts.len();
        works.enter(at, &entry, &mut acts);
        let Some(table) = works.hall().table(TABLE) else { continue };
        watch(at, table, None);
        for act in &acts[before..] {
            if let Act::Table(_, TABLE, Effect::Event(event)) = act {
                watch(at, table, Some(event));
            }
        }
    }
    works.advance(end, &mut acts);
    raised(acts)
}

/// What the line of a table says, and until when.
fn heard(scene: &Scene, begin: Moment, line: LineNo) -> (Vec<Record>, Moment) {
    let mut stage = scene.stage(begin);
    let (mut all, mut end): (Vec<(Moment, Happening)>, _) = (Vec::new(), begin);
    while !stage.over() {
        let Some(at) = stage.next() else { break };
        all.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
        end = at;
    }
    if scene.unheard_clock || line.get() > 1 && scene.neighbour.is_none() {
        // The clock stands at the first board, or is not connected.
        all.retain(|(_, happening)| !matches!(happening, Happening::Clock(_)));
    }
    let end = end + Duration::from_secs(40);
    let mut seen = vec![(Moment::ZERO, Happening::Board(scene.performance.start))];
    seen.extend(Scan::dgt(scene.seed).reading(scene.readings).see(&all));
    let unplugs = scene.cable_out.iter();
    let unplugs = unplugs.map(|&(after, lasts)| Unplug { at: begin + after, lasts }).collect();
    let faults = Faults { unplugs, ..Faults::default() };
    let heard = virtual_line::heard_through(&dgt::DRIVER, seen, end, line, &faults, scene.seed);
    (heard.records, end)
}

fn raised(acts: Vec<Act>) -> Vec<Incident> {
    let raised = acts.into_iter().filter_map(|act| match act {
        Act::Table(_, _, Effect::Raised(incident)) => Some(*incident),
        Act::Answered(request, Err(refusal)) => panic!("{}: {}", request.verb(), refusal.en()),
        _ => None,
    });
    raised.collect()
}

fn opening(watch: &Watch, tables: u32) -> Vec<Entry> {
    // A board that is pulled out comes back under the name that the virtual line gives it.
    let port = |line: u32| match line {
        1 => virtual_line::NAME.to_owned(),
        _ => format!("beside-{line}"),
    };
    let table =
        |number: u32| TableEntry::at(TableNo::new(number), &port(number), dgt::DRIVER.name, watch);
    let second = (!watch.second_board.is_empty()).then(|| SecondBoard {
        table: TABLE,
        port: Some(port(2)),
        driver: Some(dgt::DRIVER.name.to_owned()),
        ..SecondBoard::default()
    });
    let lines = tables + u32::from(second.is_some());
    let tables = (1..=tables).map(table).collect();
    let second_boards = second.into_iter().collect();
    let plan = Plan { tables, second_boards, watch: watch.clone(), ..Plan::default() };
    let opened = (1..=lines).map(|line| Entry::Opened(LineNo::new(line), LineId::at(&port(line))));
    [Entry::Planned(Box::new(plan))].into_iter().chain(opened).collect()
}

/// The move an incident is about, counted from 0.
pub fn ply(incident: &Incident) -> usize {
    let black = usize::from(incident.side == Some(Color::Black));
    usize::try_from(incident.move_number).unwrap().saturating_sub(1) * 2 + black
}
