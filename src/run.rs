//! The run loop: one task that owns the works. It takes entries in order, writes each to the
//! journal, and publishes what changed. It knows no protocol and no Law.

use witness::LineNo;

mod assemble;
mod floods;
mod manager;
mod missing;
#[cfg(test)]
mod tests;

use crate::analyst::Analyst;
use crate::publish::{Asking, Publisher};
use crate::say;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use eboard::Moment;
use tokio::sync::{mpsc, oneshot};
use witness::{Effect, IncidentId, Phase, Seat, TableNo};

pub use assemble::{Hall, start, turn};
use floods::Floods;
use missing::Missing;

use crate::config::Config;
use crate::delayed::Intake;
use crate::entry::{Answer, Entry, Plan};
use crate::health::{Counts, Health};
use crate::lines::line::{LineEvent, LineOrder};
use crate::mqtt::access::HallAccess;
use crate::mqtt::client::Incoming;
use crate::notify;
use crate::plugged;
use crate::record::checkpoint::{self, Keeper, Memory};
use crate::record::journal::Journal;
use crate::requests::{Asks, Change, Request, UNNAMED};
use crate::setup::{Wanted, Wish};
use crate::spare::mirror::Mirror;
use crate::time::{self, Anchor, Clock};
use crate::time_sheet::Sheet;
use crate::works::{Act, Works};
use words::InWords as _;

/// The most line events that wait for the run loop: one second of 300 boards in a time scramble.
pub const EVENTS: usize = 8192;
/// The most requests that wait. Arbiters are few.
pub const REQUESTS: usize = 256;
/// The most answers that wait. The analyst gives one after another.
pub const ANSWERS: usize = 8;
/// The most entries of one round. After each round, changes are published.
pub const ROUND: usize = 512;
/// The longest request that is recorded and carried out, in bytes.
const REQUEST_MAX: usize = 16 * 1024;
/// The longest transaction that an answer repeats, as JSON, in bytes.
const TRANSACTION_MAX: usize = 1024;
/// The longest name that a request may give for its sender, in characters.
const NAME_MAX: usize = 64;
/// How often the time of day is recorded beside our own time.
const WALL_PERIOD: Duration = Duration::from_secs(60);

/// Orders from outside to the run loop.
pub enum Order {
    /// Take up this configuration.
    Reload(Box<Config>),
    /// Answer a request to change the configuration, which has been seen to.
    Answer(Box<Configured>),
    /// End the loop.
    Stop,
}

/// The answer to a request to change the configuration.
pub struct Configured {
    by: String,
    asking: Option<Asking>,
    answer: Result<serde_json::Value, witness::Message>,
}

/// The run loop and everything it owns.
pub struct Run {
    works: Works,
    sheet: Sheet,
    clock: Clock,
    journal: Journal,
    publisher: Publisher,
    access: Option<Arc<HallAccess>>,
    lines: BTreeMap<LineNo, mpsc::Sender<LineOrder>>,
    asking: Option<Asking>,
    analyst: Analyst,
    last_line: LineNo,
    closed: Vec<(TableNo, IncidentId)>,
    checkpoints: Option<Checkpoints>,
    health: Arc<Health>,
    missing: Missing,
    floods: Floods,
    /// The intake of the public copy, if there is one.
    public: Option<Intake>,
    /// The record on the broker, if the hall may have other machines.
    mirror: Option<Mirror>,
    /// Where changes of the configuration are asked for, and where the answers come in.
    setup: Option<(mpsc::Sender<Wish>, mpsc::WeakSender<Order>)>,
}

/// When checkpoints are written.
pub struct Checkpoints {
    /// The task that writes them.
    pub keeper: Keeper,
    /// Records between two checkpoints.
    pub every: u64,
    /// Records since the last checkpoint.
    pub since: u64,
}

impl Checkpoints {
    fn is_due(&self) -> bool {
        self.since >= self.every && !self.keeper.is_busy()
    }
}

/// The channels into the run loop.
pub struct Doors {
    /// Events of the lines.
    pub events: mpsc::Receiver<(Moment, LineEvent)>,
    /// Requests from the broker.
    pub requests: mpsc::Receiver<Incoming>,
    /// Answers of the analyst about mates.
    pub answers: mpsc::Receiver<Answer>,
    /// Orders from whoever runs the daemon.
    pub orders: mpsc::Receiver<Order>,
}

impl Run {
    /// The same loop, which counts its health here.
    #[must_use]
    pub fn watched(self, health: Arc<Health>) -> Self {
        health.beats(Counts::of(&self.works, self.journal.state()));
        Self { health, ..self }
    }

    /// The same loop, which sends changes of the configuration there.
    #[must_use]
    pub fn set_up(
        self,
        wishes: Option<mpsc::Sender<Wish>>,
        orders: mpsc::WeakSender<Order>,
    ) -> Self {
        Self { setup: wishes.map(|wishes| (wishes, orders)), ..self }
    }

    /// Runs until it is ordered to stop.
    pub async fn go(mut self, mut doors: Doors) {
        let beat = notify::period().unwrap_or(Duration::from_secs(5)).min(Duration::from_secs(5));
        let mut heart = tokio::time::interval(beat);
        let mut next_wall = self.clock.now();
        loop {
            let sleep = self.until_due();
            tokio::select! {
                event = doors.events.recv() => match event {
                    Some(event) => self.take_events(event, &mut doors.events),
                    None => break,
                },
                Some(request) = doors.requests.recv() => self.request(request),
                Some(answer) = doors.answers.recv() => {
                    self.enter(self.clock.now(), Entry::Answered(answer));
                }
                Some(order) = doors.orders.recv() => match order {
                    Order::Reload(config) => self.reload(&config),
                    Order::Answer(it) => {
                        let asked = ("configure", &*it.by);
                        self.publisher.answer(&self.works, asked, it.answer, it.asking);
                    }
                    Order::Stop => break,
                },
                () = tokio::time::sleep(sleep) => self.tick(),
                _ = heart.tick() => {
                    notify::alive();
                    if self.clock.now() >= next_wall {
                        self.note_time_of_day();
                        next_wall = self.clock.now() + WALL_PERIOD;
                    }
                    self.count();
                    self.publisher.heartbeat(&self.works, self.journal.failed());
                    self.beat();
                }
            }
            self.publish();
            if self.checkpoints.as_ref().is_some_and(Checkpoints::is_due) {
                self.checkpoint();
            }
        }
        self.count();
        if self.checkpoints.as_ref().is_some_and(|it| it.since > 0) {
            self.checkpoint();
        }
        self.journal.close();
        if let Some(checkpoints) = self.checkpoints {
            checkpoints.keeper.close();
        }
    }

    /// Makes a new segment readable that does not follow from the one before: with a checkpoint
    /// beside it, or else with a complete head.
    fn record_anew(&mut self) {
        match self.checkpoints.is_some() {
            true => {
                self.plan_again(self.clock.now());
                self.note_time_of_day();
                self.checkpoint();
            }
            false => self.begin_record(),
        }
    }

    /// Records how much time has been counted. After a crash the count goes on from there.
    fn count(&mut self) {
        let at = self.clock.now().max(self.works.now());
        if let Some(again) = self.public.as_ref().map(|public| public.again(at)) {
            self.enter(at, again);
        }
    }

    fn beat(&mut self) {
        if self.journal.take_anew() {
            self.record_anew();
        }
        let missing = self.missing.look(self.clock.now(), &self.works);
        let floods = self.floods.look(self.clock.now());
        let shed = self.floods.shed_bytes();
        let counts = Counts::of(&self.works, self.journal.state());
        self.tell_public_all();
        self.health.beats(Counts { missing, floods, shed, ..counts });
    }

    /// Writes a checkpoint of the present state, which is the state after the last record of the
    /// journal.
    fn checkpoint(&mut self) {
        let Some(checkpoints) = self.checkpoints.as_mut().filter(|_| !self.journal.failed()) else {
            return;
        };
        checkpoints.since = 0;
        let begun = self.clock.now();
        match checkpoint::freeze(&self.works, &self.sheet, self.last_line, &self.closed) {
            Ok(state) => {
                tracing::debug!("a state was taken in {:?}", self.clock.now().since(begun));
                self.journal.mark(checkpoints.keeper.mark(state));
            }
            Err(error) => tracing::debug!("no checkpoint can be made now: {error}"),
        }
    }

    /// Publishes what changed, after the records behind it are kept.
    fn publish(&mut self) {
        for table in self.sheet.take_changed() {
            self.publisher.time_sheet(&self.works, table, self.sheet.of(table));
        }
        self.publisher.draw(&self.works);
        self.journal.settle();
        self.reflect();
        self.publisher.release();
        if let Some(public) = &self.public {
            public.backlog().reaches(self.works.now());
        }
    }

    /// Brings the record on the broker up to date, before anything that follows from it is there.
    fn reflect(&mut self) {
        let Some(mirror) = &mut self.mirror else { return };
        if mirror.wants_checkpoint() {
            let state = checkpoint::freeze(&self.works, &self.sheet, self.last_line, &self.closed);
            match state.and_then(|it| it.encode()) {
                Ok(state) => mirror.checkpoint(&state),
                Err(error) => {
                    mirror.put_off();
                    tracing::debug!("no checkpoint can be made for other machines: {error}");
                }
            }
        }
        for (topic, payload) in mirror.take() {
            self.publisher.reflect(topic, payload);
        }
    }

    /// Sends the whole state to the public copy, after records for it were left out.
    fn tell_public_all(&self) {
        let Some(public) = self.public.as_ref().filter(|it| it.backlog().wants_all()) else {
            return;
        };
        let state = checkpoint::freeze(&self.works, &self.sheet, self.last_line, &self.closed);
        match state.and_then(|it| it.encode()) {
            Ok(state) => public.backlog().all(self.works.now(), state),
            Err(error) => tracing::debug!("the public copy cannot go on yet: {error}"),
        }
    }

    fn note_time_of_day(&mut self) {
        let anchor = Anchor { moment: self.clock.now(), wall: time::wall_now() };
        self.publisher.anchored(anchor);
        let day = anchor.wall.pgn_date();
        let turns = day != self.journal.day() && self.is_idle();
        if turns {
            self.journal.begin(&day);
        }
        self.enter(anchor.moment, Entry::Wall(anchor.wall.as_micros()));
        if turns {
            self.begin_record();
        }
    }

    fn is_idle(&self) -> bool {
        let idle = [Phase::Unset, Phase::Ready, Phase::Ended];
        self.works.hall().tables().all(|(_, table)| idle.contains(&table.phase()))
    }

    /// Writes what makes a segment complete in itself. Lines are opened anew, because a
    /// conversation cannot be read from its middle.
    fn begin_record(&mut self) {
        self.plan_again(self.works.now());
        let lines: Vec<_> =
            self.works.lines().map(|(number, it)| (number, it.id.clone())).collect();
        for (number, id) in lines {
            self.enter(self.works.now(), Entry::Closed(number));
            self.enter(self.works.now(), Entry::Opened(number, id));
        }
    }

    /// Records the present plan again, with everything that was learned since it began.
    fn plan_again(&mut self, at: Moment) {
        let works = &self.works;
        let (seats, standings) = (works.seats(), works.standings());
        let plan = Plan { seats, standings, ..works.plan().clone() };
        self.enter(at, Entry::Planned(Box::new(plan)));
    }

    fn until_due(&self) -> Duration {
        let later = self.clock.now() + Duration::from_secs(60);
        let hour = self.sheet.next(self.works.now(), later);
        let first = self.works.deadline().into_iter().chain(hour).min();
        self.clock.until(first.unwrap_or(later))
    }

    fn take_events(
        &mut self,
        first: (Moment, LineEvent),
        events: &mut mpsc::Receiver<(Moment, LineEvent)>,
    ) {
        self.line_event(first.0, first.1);
        for _ in 1..ROUND {
            let Ok((at, event)) = events.try_recv() else { return };
            self.line_event(at, event);
        }
    }

    fn line_event(&mut self, at: Moment, event: LineEvent) {
        match event {
            LineEvent::Opened(number, id, orders) => {
                self.lines.insert(number, orders);
                self.enter(at, Entry::Opened(number, id));
                tracing::info!("{} is open", self.place(number));
            }
            LineEvent::Bytes(number, bytes) => self.enter(at, Entry::Bytes(number, bytes)),
            LineEvent::Shed(number, bytes) => {
                self.floods.shed(at, &self.place(number), bytes);
                self.enter(at, Entry::Shed(number, bytes));
            }
            LineEvent::Closed(number) => {
                match self.works.line(number).and_then(|line| line.tables().next()) {
                    Some(_) => tracing::warn!("{} is gone", self.place(number)),
                    None => tracing::info!("{} is gone", self.place(number)),
                }
                self.lines.remove(&number);
                self.enter(at, Entry::Closed(number));
            }
        }
    }

    /// The name of a line for people: its table, if it has one.
    fn place(&self, number: LineNo) -> String {
        let Some(line) = self.works.line(number) else { return format!("line {number}") };
        let path = &line.id.path;
        let tables: Vec<_> = line.tables().map(|table| table.to_string()).collect();
        match tables.as_slice() {
            [] => path.clone(),
            [table] => format!("table {table}: {path}"),
            tables => format!("tables {}: {path}", tables.join(", ")),
        }
    }

    fn request(&mut self, incoming: Incoming) {
        let body: serde_json::Value =
            serde_json::from_slice(&incoming.payload).unwrap_or(serde_json::Value::Null);
        let by = self.person(incoming.user, &body);
        let transaction = body.get("transaction").cloned().unwrap_or_default();
        let asking = Asking {
            transaction: Some(transaction)
                .filter(|it| it.to_string().len() <= TRANSACTION_MAX)
                .unwrap_or_default(),
            response_topic: incoming.response_topic,
            correlation: incoming.correlation,
        };
        if incoming.payload.len() > REQUEST_MAX {
            let (asked, refusal) = ((&*incoming.verb, &*by), say::request_too_long(REQUEST_MAX));
            return self.publisher.answer(&self.works, asked, Err(refusal), Some(asking));
        }
        self.asking = Some(asking);
        let request = Request::read(&incoming.verb, body, &by);
        tracing::info!("{} asks to {}", request.by, request.verb());
        self.enter(self.clock.now(), Entry::Request(request));
        self.asking = None;
    }

    /// The person behind a request. Our own broker knows it. With another broker it is the name
    /// that the request gives.
    fn person(&self, user: Option<String>, body: &serde_json::Value) -> String {
        let named = match (&self.access, user) {
            (Some(access), Some(user)) => Some(access.person(&user)),
            (Some(_), None) => None,
            (None, _) => body.get("arbiter").and_then(|name| name.as_str()).map(str::to_owned),
        };
        named.as_deref().and_then(plain).unwrap_or_else(|| UNNAMED.to_owned())
    }

    fn reload(&mut self, config: &Config) {
        self.publisher.configure(config);
        let at = self.clock.now().max(self.works.now());
        if let Some(other) = self.public.as_mut().and_then(|it| it.configure(at, config)) {
            self.enter(at, other);
        }
        self.enter(self.clock.now(), Entry::Planned(Box::new(config.plan())));
    }

    fn tick(&mut self) {
        let mut acts = Vec::new();
        self.sheet.advance(&mut self.works, self.clock.now(), &mut acts);
        self.act(acts);
    }

    /// Writes an entry to the journal, then gives it to the works. What was not kept has not
    /// happened.
    fn enter(&mut self, at: Moment, entry: Entry) {
        let at = at.max(self.works.now());
        self.journal.append(at, entry.clone());
        if let Some(public) = &mut self.public {
            public.recorded(at, &entry);
        }
        if let Some(mirror) = &mut self.mirror {
            mirror.keep(at, &entry);
        }
        if let Entry::Opened(number, _) = &entry {
            self.last_line = self.last_line.max(*number);
        }
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.since += 1;
        }
        let mut acts = Vec::new();
        self.sheet.enter(&mut self.works, at, &entry, &mut acts);
        self.act(acts);
    }

    fn act(&mut self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::Send(line, bytes) => self.order(line, LineOrder::Write(bytes)),
                Act::Set(line, settings) => self.order(line, LineOrder::Set(settings)),
                Act::Recognised(at) => self.publisher.recognised(&self.works, at),
                Act::Table(_, table, Effect::Asked(question)) => {
                    self.analyst.ask(table, *question);
                }
                Act::Table(at, table, effect) => {
                    if let Effect::Closed(incident, _) = &effect {
                        Memory::close(&mut self.closed, table, incident.id);
                    }
                    self.publisher.effect(&self.works, at, table, effect);
                }
                Act::Answered(request, answer) | Act::AnsweredAgain(request, answer) => {
                    let asking = self.asking.take();
                    let asked = (request.verb(), &*request.by);
                    self.publisher.answer(&self.works, asked, answer, asking);
                }
                Act::Removed(table, open) => {
                    tracing::info!("table {table} is no longer configured: it is removed");
                    for incident in &open {
                        Memory::close(&mut self.closed, table, *incident);
                    }
                    self.publisher.removed(&self.works, table, &open);
                }
                Act::Ended(table, ..) => self.publisher.ended(table),
                Act::Seated(at) => self.seated(at),
                Act::Shown => self.publisher.ask_for_tables(),
                Act::KingLifted(at, square) => {
                    self.publisher.king_lifted(&self.works, at, square);
                }
                Act::Configure(request, changes) => self.configure(*request, changes),
                Act::Faulted(table) => {
                    tracing::error!("the machine of table {table} failed on its last input");
                }
            }
        }
    }

    /// Has the file of the configuration changed. The answer comes when it is written.
    fn configure(&mut self, request: Request, changes: Vec<Change>) {
        let asking = self.asking.take();
        let Request { by, asks, .. } = request;
        let revision = match *asks {
            Asks::Configure(asked) => asked.revision,
            _ => None,
        };
        let (answer, answered) = oneshot::channel();
        let wanted = Wanted::Changes(changes, revision);
        let wish = Wish { by: by.clone(), wanted, answer };
        // Another broker does not say who is an organizer.
        let ours = self.setup.as_ref().filter(|_| self.access.is_some());
        let sent = match ours {
            Some((wishes, orders)) => {
                wishes.try_send(wish).map(|()| orders.clone()).map_err(|_| say::config_busy())
            }
            None => Err(say::config_not_here()),
        };
        match sent {
            Err(why) => {
                self.publisher.answer(&self.works, ("configure", &by), Err(why), asking);
            }
            Ok(orders) => {
                _ = tokio::spawn(async move {
                    let answer = answered.await.unwrap_or_else(|_| Err(say::config_busy()));
                    let Some(orders) = orders.upgrade() else { return };
                    let answer = Order::Answer(Box::new(Configured { by, asking, answer }));
                    let _ = orders.send(answer).await;
                })
            }
        }
    }

    /// Logs which table a board got, or why it got none and what to do.
    fn seated(&mut self, at: Seat) {
        self.publisher.recognised(&self.works, at);
        self.publisher.ask_for_tables();
        let Some(board) = self.works.board(at) else { return };
        let path = self.works.path_of(at);
        let who = board.identity.as_ref().map_or_else(
            || "its board".to_owned(),
            |it| {
                let serial = it.serial.as_ref().map(|serial| format!(" {serial}"));
                format!("a {} board{}", it.driver, serial.unwrap_or_default())
            },
        );
        let why = self.works.unseated(at).and_then(|why| plugged::why_unseated(&self.works, why));
        match (board.table, why) {
            (Some(table), _) => tracing::info!("table {table}: {who} on {path}"),
            (None, Some(why)) => tracing::warn!("{path}: {who} has no table: {}", why.en()),
            (None, None) => {}
        }
    }

    /// Sends an order to a line. A line that accepts none is broken; when it is open again, the
    /// board is asked for what it missed.
    fn order(&self, line: LineNo, order: LineOrder) {
        if let Some(orders) = self.lines.get(&line)
            && orders.try_send(order).is_err()
        {
            tracing::debug!("line {line} takes no more orders");
        }
    }
}

/// A name without characters that could break a line of the log or of the record; none: nothing is
/// left of it.
fn plain(name: &str) -> Option<String> {
    let plain = name.chars().filter(|letter| !letter.is_control()).take(NAME_MAX);
    Some(plain.collect::<String>()).filter(|name| !name.is_empty())
}
