//! One row: games of one kind, what was raised in them for nothing, what was found, and how late.

use std::collections::BTreeMap;
use std::time::Duration;

use rehearsal::Readings;
use witness::{Incident, IncidentId, Kind};

pub use super::super::room::DGT;
use super::super::room::{BEGIN, Scene, incidents};
use super::super::timed::Pace;
use words::InWords as _;

/// How a clock may be read.
pub const WAYS: [(&str, Readings); 4] =
    [("as it changes", DGT), ("1 s late", LATE), ("every 0.4 s", ASKED), ("both", ASKED_LATE)];
const LATE: Readings = Readings::as_it_changes().late(Duration::from_secs(1));
const ASKED: Readings = Readings::every(Duration::from_millis(400));
const ASKED_LATE: Readings = ASKED.late(Duration::from_secs(1));

/// What says that something is wrong with the clock, or with how it was used.
const OF_THE_CLOCK: [Kind; 8] = [
    Kind::ClockFault,
    Kind::ClockSetting,
    Kind::ClockAdjusted,
    Kind::ClockLost,
    Kind::ClockStopped,
    Kind::WrongClockRunning,
    Kind::MissedPress,
    Kind::PressedWithoutMove,
];

/// What is planted in a game.
pub struct Planted {
    /// Since the players sat down.
    pub at: Duration,
    pub kind: Kind,
    /// What else follows from it, and is no false alarm.
    pub besides: &'static [Kind],
    /// What the text must say.
    pub says: String,
}

/// What came of the games of one kind.
pub struct Row {
    name: String,
    games: usize,
    alarms: Vec<String>,
    planted: usize,
    missed: Vec<u64>,
    /// How long after it was planted each was raised.
    after: Vec<Duration>,
}

impl Row {
    pub fn new(name: &str, pace: Pace, way: &str) -> Self {
        Self {
            name: format!("{name} | {pace:?} | {way}"),
            games: 0,
            alarms: Vec::new(),
            planted: 0,
            missed: Vec::new(),
            after: Vec::new(),
        }
    }

    /// A game in which nothing is to be raised.
    pub fn sound(&mut self, number: u64, scene: Scene) {
        self.games += 1;
        for it in raised(scene).into_values() {
            self.alarm(number, &it);
        }
    }

    /// A game in which this is to be raised, and nothing else.
    pub fn planted(&mut self, number: u64, scene: Scene, planted: &Planted) {
        self.games += 1;
        self.planted += 1;
        let begins = BEGIN + planted.at;
        let mut found: Option<Duration> = None;
        for it in raised(scene).into_values() {
            let says = it.text.en().contains(&planted.says)
                || it.advice.iter().any(|it| it.en().contains(&planted.says));
            if it.kind == planted.kind && it.opened >= begins && says {
                found.get_or_insert(it.opened.since(begins));
            } else if !planted.besides.contains(&it.kind) || it.opened < begins {
                self.alarm(number, &it);
            }
        }
        match found {
            Some(after) => self.after.push(after),
            None => self.missed.push(number),
        }
    }

    fn alarm(&mut self, number: u64, it: &Incident) {
        let Incident { kind, move_number, text, .. } = it;
        self.alarms.push(format!("{number}: {} at move {move_number}: {}", kind.name(), text.en()));
    }

    /// As a row of a table: false alarms per 100 games, what was found, and the median and the
    /// longest time until then.
    pub fn print(&mut self) {
        self.after.sort_unstable();
        let alarms = 100 * self.alarms.len() / self.games.max(1);
        let Self { name, games, planted, .. } = self;
        print!("| {name} | {games} | {alarms} |");
        match (self.after.get(self.after.len() / 2), self.after.last()) {
            (Some(median), Some(most)) => {
                let (found, median, most) = (self.after.len(), median.as_secs(), most.as_secs());
                println!(" {found} of {planted} | {median} s | {most} s |");
            }
            _ if *planted > 0 => println!(" 0 of {planted} | | |"),
            _ => println!(" | | |"),
        }
        self.alarms.iter().for_each(|alarm| println!("    {alarm}"));
        if !self.missed.is_empty() {
            println!("    not found in {:?}", self.missed);
        }
    }

    pub fn has_no_false_alarm(&self) {
        assert_eq!(self.alarms, [""; 0], "{}", self.name);
    }

    /// All but so many in a hundred are found, each within this time.
    pub fn finds(&self, but_percent: usize, within: Duration) {
        let most = (self.planted * but_percent).div_ceil(100);
        assert!(self.missed.len() <= most, "{}: not found in {:?}", self.name, self.missed);
        let late = self.after.iter().filter(|after| **after > within).count();
        assert!(late <= most, "{}: {:?}", self.name, self.after.last());
    }
}

/// What was raised about the clock, each once, as it was raised first.
fn raised(scene: Scene) -> BTreeMap<IncidentId, Incident> {
    let mut first = BTreeMap::new();
    for it in incidents(scene).into_iter().filter(|it| OF_THE_CLOCK.contains(&it.kind)) {
        first.entry(it.id).or_insert(it);
    }
    first
}
