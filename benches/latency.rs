//! From the last byte of a field update on the line to the message at a subscriber: the `board`
//! message of every touch and the `position` message of every knight's move, in halls of 1, 64 and
//! 256 boards in blitz tempo. The daemon, the pseudo-terminals and the subscriber are real.
//!
//! Every figure stands beside what the daemon's broker alone needs, in the same minute, for a
//! message of the same size from a bare client to the same subscriber.
//!
//! `cargo bench -p adoubed --bench latency`; `-- --boards N` for one hall, `-- --seconds N` each.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]

mod common;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use common::{Bare, Daemon, Hall, Spread, Table, Touch, busy, in_earnest, number_after, ratio};

/// Boards in a hall, and how many seconds it is watched: a lone board has little to say in one.
const HALLS: [(u32, u64); 3] = [(1, 180), (64, 45), (256, 45)];
/// What is heard before counts for nothing: caches and queues are still cold.
const WARMING_UP: Duration = Duration::from_secs(5);
/// How long the boards may take to be recognised and set up.
const SETTING_UP: Duration = Duration::from_secs(60);
/// From a message of the daemon's to the bare one beside it, when that touch is told.
const BESIDE: Duration = Duration::from_millis(100);
/// How often it is looked whether a bare message is due.
const LOOK: Duration = Duration::from_millis(2);
/// Where bare messages go: an arbiter may write there, and the daemon does not listen there.
const BARE: &str = "adoubed/v1/request/bench";
const COLUMNS: [&str; 10] = [
    "boards and message",
    "seen",
    "p50 ms",
    "p99 ms",
    "max ms",
    "broker p50, p99, max ms",
    "p50/broker",
    "p99/broker",
    "max/broker",
    "missed",
];

fn main() {
    let (boards, seconds) = (number_after("--boards"), number_after("--seconds"));
    let mut table = Table::new(&COLUMNS);
    println!("load of the machine before: {}", busy());
    let asked = boards.map(|boards| u32::try_from(boards).expect("a number of boards"));
    let halls = asked.map_or(HALLS.to_vec(), |boards| vec![(boards, seconds_of(boards))]);
    for (size, time) in halls {
        let time = if in_earnest() { seconds.unwrap_or(time) } else { 6 };
        watch(size, Duration::from_secs(time), &mut table);
    }
    println!("load of the machine after: {}", busy());
    table.print("From the line to a subscriber, and the broker alone");
}

/// How long a hall of so many boards is watched: as the largest one, unless it has its own time.
fn seconds_of(boards: u32) -> u64 {
    let [.., (_, longest)] = HALLS;
    HALLS.iter().find(|(size, _)| *size == boards).map_or(longest, |(_, seconds)| *seconds)
}

fn watch(boards: u32, time: Duration, table: &mut Table) {
    let ledger = Arc::new(Mutex::new(Ledger::new()));
    let (touched, heard) = (Arc::clone(&ledger), Arc::clone(&ledger));
    let hall = Hall::open(boards, move |touch| locked(&touched).touched(&touch));
    let daemon = Daemon::start(&hall.lines());
    let login = daemon.arbiter();
    let bare_ones = format!("{BARE}/#");
    let filters = ["adoubed/v1/table/+/board", "adoubed/v1/table/+/position", &bare_ones];
    common::listen(daemon.feed, &login, &filters, move |topic, payload, came| {
        locked(&heard).heard(topic, payload, came);
    });
    let bare = Bare::connect(daemon.feed, &login);
    let round = hall.live();
    await_set_up(&ledger, boards);
    round.begin();
    let counts_from = Instant::now() + WARMING_UP;
    while Instant::now() < counts_from + time {
        thread::sleep(LOOK);
        locked(&ledger).publish_bare(&bare);
    }
    locked(&ledger).report(boards, counts_from, table);
}

fn await_set_up(ledger: &Mutex<Ledger>, boards: u32) {
    let deadline = Instant::now() + SETTING_UP;
    loop {
        let ready = locked(ledger).ready.len();
        if ready == boards as usize {
            return;
        }
        assert!(Instant::now() < deadline, "only {ready} of {boards} boards are set up");
        thread::sleep(Duration::from_millis(50));
    }
}

fn locked(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was touched and heard in one hall.
struct Ledger {
    /// Tables whose pieces are set up.
    ready: BTreeSet<u32>,
    board: Course,
    position: Course,
}

/// One kind of message, the daemon's and the bare one.
#[derive(Default)]
struct Course {
    /// By table: when it was touched, and what stands in the message that tells of it.
    waiting: BTreeMap<u32, (Instant, String)>,
    /// When each came and how long it had taken.
    ours: Vec<(Instant, Duration)>,
    bare: Vec<(Instant, Duration)>,
    /// Touches that were overtaken by the next before a message told of them.
    missed: usize,
    /// Bare messages to be sent: when, and how long they are to be.
    due: VecDeque<(Instant, usize)>,
    /// When the bare message of this number was sent.
    sent: Vec<Instant>,
}

impl Ledger {
    fn new() -> Self {
        Self { ready: BTreeSet::new(), board: Course::default(), position: Course::default() }
    }

    fn touched(&mut self, touch: &Touch) {
        let placement = format!("\"placement\":\"{}\"", touch.placement);
        self.board.expect(touch, placement);
        if let Some(uci) = &touch.knight {
            self.position.expect(touch, format!("\"uci\":\"{uci}\"}},\"status\":\"released\""));
        }
    }

    fn heard(&mut self, topic: &str, payload: &[u8], came: Instant) {
        let Ok(text) = std::str::from_utf8(payload) else { return };
        let mut parts = topic.rsplit('/');
        let course = match parts.next() {
            Some("board") => &mut self.board,
            _ => &mut self.position,
        };
        match parts.next().map(str::parse) {
            Some(Ok(table)) => {
                course.heard(table, text, came);
                if text.contains("\"phase\":\"ready\"") {
                    self.ready.insert(table);
                }
            }
            _ => course.heard_bare(text, came),
        }
    }

    fn publish_bare(&mut self, bare: &Bare) {
        self.board.publish_bare(bare, "board");
        self.position.publish_bare(bare, "position");
    }

    fn report(&self, boards: u32, from: Instant, table: &mut Table) {
        self.board.report(&format!("{boards}, board"), from, table);
        self.position.report(&format!("{boards}, position"), from, table);
    }
}

impl Course {
    fn expect(&mut self, touch: &Touch, text: String) {
        let before = self.waiting.insert(touch.table, (touch.at, text));
        self.missed += usize::from(before.is_some());
    }

    fn heard(&mut self, table: u32, text: &str, came: Instant) {
        let Some((touched, expected)) = self.waiting.get(&table) else { return };
        if !text.contains(expected.as_str()) {
            return;
        }
        self.ours.push((came, came - *touched));
        self.waiting.remove(&table);
        self.due.push_back((came + BESIDE, text.len()));
    }

    fn publish_bare(&mut self, bare: &Bare, name: &str) {
        while self.due.front().is_some_and(|(at, _)| *at <= Instant::now())
            && let Some((_, size)) = self.due.pop_front()
        {
            let payload = format!("{:<size$}", self.sent.len()).into_bytes();
            self.sent.push(Instant::now());
            bare.publish(&format!("{BARE}/{name}"), payload);
        }
    }

    fn heard_bare(&mut self, text: &str, came: Instant) {
        let number = text.trim_end().parse().ok();
        if let Some(sent) = number.and_then(|number: usize| self.sent.get(number)) {
            self.bare.push((came, came - *sent));
        }
    }

    fn report(&self, name: &str, from: Instant, table: &mut Table) {
        let counted = |all: &[(Instant, Duration)]| {
            let later = all.iter().filter(|(came, _)| *came >= from);
            Spread::of(&later.map(|(_, took)| *took).collect::<Vec<_>>())
        };
        let (ours, bare) = (counted(&self.ours), counted(&self.bare));
        let ms = |seconds: f64| format!("{:.2}", seconds * 1e3);
        let mut row = vec![name.to_owned(), ours.count.to_string()];
        row.extend([ours.p50, ours.p99, ours.max].map(ms));
        row.push([bare.p50, bare.p99, bare.max].map(ms).join(", "));
        let pairs = [(ours.p50, bare.p50), (ours.p99, bare.p99), (ours.max, bare.max)];
        row.extend(pairs.map(|(ours, bare)| ratio(ours, bare)));
        row.push(self.missed.to_string());
        table.row(row);
    }
}
