//! A daemon, its journal and one DGT board with a clock, without processes and in virtual time. The
//! daemon can be killed at any moment, and another one goes on from what was kept.

use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::record::journal::Record;
use adoubed::works::kept::Saved;
use adoubed::works::{Act, Works};
use bincode::config::standard;
use eboard::{Change, Emulator, Moment, Placement, Said, Stimulus};
use witness::{Incident, Kind, LineNo, Phase, Status, Table, TableNo};

/// The first byte of a message with all squares.
const BOARD: u8 = 0x86;
const PORT: &str = "virtual";

/// Where the bytes are that were under way when the daemon was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnderWay {
    /// They are in the journal.
    Kept,
    /// They are lost: no daemon has read them.
    Lost,
    /// The system holds them for the next daemon that opens the line.
    Held,
}

/// The table, with everything in view: board, line, daemon and journal.
pub struct Room {
    now: Moment,
    works: Works,
    acts: Vec<Act>,
    sent: usize,
    journal: Vec<Record>,
    /// The works of the last checkpoint, and the number of records they know.
    checkpoint: Option<(Vec<u8>, usize)>,
    board: Box<dyn Emulator>,
    last_line: LineNo,
    open: bool,
    held: Option<Vec<Vec<u8>>>,
    waiting: Vec<Vec<u8>>,
    /// How often the board has reported all its squares since the line was opened.
    pub announced: usize,
    plan: Plan,
    /// The completed moves.
    completed: Vec<String>,
    /// Completed moves that changed afterwards, which must not happen.
    pub faults: Vec<String>,
}

impl Room {
    pub fn new(control: &str, start: &Placement) -> Self {
        let watch = Watch { time_control: control.to_owned(), ..Watch::default() };
        let table = TableEntry::at(TableNo::new(1), PORT, dgt::DRIVER.name, &watch);
        let plan = Plan { tables: vec![table], watch, ..Plan::default() };
        let mut room = Self {
            now: Moment::ZERO,
            works: Works::new(vec![&dgt::DRIVER]),
            acts: Vec::new(),
            sent: 0,
            journal: Vec::new(),
            checkpoint: None,
            board: (dgt::DRIVER.emulate)(),
            last_line: LineNo::default(),
            open: false,
            held: None,
            waiting: Vec::new(),
            announced: 0,
            plan,
            completed: Vec::new(),
            faults: Vec::new(),
        };
        room.board.set_serials(&["1"]);
        room.show(Change::Board(start));
        room.enter(Entry::Wall(0));
        room.enter(Entry::Planned(Box::new(room.plan.clone())));
        room.open();
        room
    }

    pub fn now(&self) -> Moment {
        self.now
    }

    pub fn table(&self) -> &Table {
        self.works.hall().table(TableNo::new(1)).expect("the table")
    }

    pub fn moves(&self) -> Vec<String> {
        self.table().score().plies().iter().map(|ply| ply.uci.clone()).collect()
    }

    /// The squares that the board has reported.
    pub fn squares(&self) -> String {
        self.table().surface().map(ToString::to_string).unwrap_or_default()
    }

    /// Lets something happen on the board or to its clock.
    pub fn show(&mut self, change: Change<'_>) {
        self.feel(change.here());
    }

    /// Makes a checkpoint.
    pub fn keep(&mut self) {
        let bytes = bincode::encode_to_vec(&self.works, standard()).expect("works are kept");
        self.checkpoint = Some((bytes, self.journal.len()));
    }

    /// Holds the bytes from now on, until [`Room::kill`] says where they are.
    pub fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    /// Kills the daemon.
    pub fn kill(&mut self, under_way: UnderWay) {
        let held = self.held.take().unwrap_or_default();
        match under_way {
            UnderWay::Kept => held.into_iter().for_each(|bytes| self.hear(bytes)),
            UnderWay::Lost => {}
            UnderWay::Held => self.waiting = held,
        }
        self.open = false;
    }

    /// Starts another daemon, which recalls what was kept and opens the line.
    pub fn start(&mut self) {
        self.recall();
        // The lines that were open have been closed since the last record.
        self.enter_at(self.works.now(), Entry::Closed(self.last_line));
        let micros = i64::try_from(self.now.as_micros()).expect("a time of day");
        self.enter(Entry::Wall(micros));
        let plan = Plan { seats: self.works.seats(), ..self.plan.clone() };
        self.enter(Entry::Planned(Box::new(plan)));
        self.open();
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().for_each(|bytes| self.hear(bytes));
    }

    /// Whether the daemon lives and has the line open.
    pub fn is_up(&self) -> bool {
        self.open
    }

    /// Lets time pass.
    pub fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(at) = self.deadline().filter(|at| *at <= until) {
            self.wake(at);
        }
        self.now = until;
        if self.open {
            self.works.advance(until, &mut self.acts);
            self.carry_out();
        }
    }

    /// Lets time pass until a condition holds. Gives whether it held in time.
    pub fn pass_until(&mut self, most: Duration, is_so: impl Fn(&Self) -> bool) -> bool {
        let until = self.now + most;
        loop {
            if is_so(self) {
                return true;
            }
            let Some(at) = self.deadline().filter(|at| *at <= until) else { return false };
            self.wake(at);
        }
    }

    fn wake(&mut self, at: Moment) {
        self.now = self.now.max(at);
        if self.board.deadline().is_some_and(|(due, _)| due <= at) {
            self.feel(Stimulus::Due);
        }
        if self.open {
            self.works.advance(at, &mut self.acts);
            self.carry_out();
        }
    }

    fn deadline(&self) -> Option<Moment> {
        let board = self.board.deadline().map(|(at, _)| at);
        let works = self.works.deadline().filter(|_| self.open);
        board.into_iter().chain(works).min()
    }

    /// Rebuilds the works from the checkpoint and the journal.
    fn recall(&mut self) {
        let (mut works, known) = match &self.checkpoint {
            Some((bytes, known)) => {
                let (saved, _) = bincode::decode_from_slice::<Saved, _>(bytes, standard())
                    .expect("works that were kept");
                (saved.works(vec![&dgt::DRIVER]).expect("works"), *known)
            }
            None => (Works::new(vec![&dgt::DRIVER]), 0),
        };
        let mut acts = Vec::new();
        for (at, entry) in &self.journal[known..] {
            works.enter(*at, entry, &mut acts);
        }
        self.works = works;
        self.acts.clear();
        self.sent = 0;
    }

    fn open(&mut self) {
        self.last_line = self.last_line.next();
        (self.open, self.announced) = (true, 0);
        self.enter(Entry::Opened(self.last_line, LineId::at(PORT)));
    }

    fn feel(&mut self, stimulus: Stimulus<'_>) {
        let mut said = Said::default();
        self.board.handle(self.now, stimulus, &mut said);
        for bytes in said.writes() {
            match &mut self.held {
                Some(held) => held.push(bytes),
                None => self.hear(bytes),
            }
        }
    }

    fn hear(&mut self, bytes: Vec<u8>) {
        if self.open {
            self.announced += usize::from(bytes.first() == Some(&BOARD));
            self.enter(Entry::Bytes(self.last_line, bytes));
        }
    }

    fn enter(&mut self, entry: Entry) {
        self.enter_at(self.now, entry);
    }

    fn enter_at(&mut self, at: Moment, entry: Entry) {
        self.journal.push((at, entry.clone()));
        self.works.enter(at, &entry, &mut self.acts);
        self.carry_out();
    }

    fn carry_out(&mut self) {
        let line = self.last_line;
        let wanted = self.acts[self.sent..].iter().filter_map(|act| match act {
            Act::Send(to, bytes) if *to == line => Some(bytes.clone()),
            _ => None,
        });
        let wanted: Vec<_> = wanted.collect();
        self.sent = self.acts.len();
        if self.open {
            wanted.iter().for_each(|bytes| self.feel(Stimulus::Host(bytes)));
        }
        self.watch();
    }

    /// Notes every completed move that has changed.
    fn watch(&mut self) {
        let Some(table) = self.works.hall().table(TableNo::new(1)) else { return };
        let plies = table.score().plies().iter();
        let completed = plies.take_while(|ply| ply.status == Status::Completed);
        let completed: Vec<_> = completed.map(|ply| ply.uci.clone()).collect();
        if !completed.starts_with(&self.completed) {
            let at = completed.iter().zip(&self.completed).take_while(|(a, b)| a == b).count();
            let (before, now) = (self.completed.get(at), completed.get(at));
            self.faults.push(format!(
                "at {} the completed ply {} was {before:?} and is {now:?}",
                self.now.as_micros() / 1000,
                at + 1
            ));
        }
        self.completed = completed;
    }

    /// Whether an alert says that the score may be wrong.
    pub fn is_in_doubt(&self) -> bool {
        let check = |it: &Incident| it.kind == Kind::PositionToCheck;
        self.table().phase() == Phase::Adrift || self.table().incidents().any(check)
    }
}
