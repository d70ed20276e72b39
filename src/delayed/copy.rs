//! The copy itself: works of its own, which receive every recorded entry when it is due.
//!
//! The same entries give the same acts, so these works publish what the hall's works published
//! then. Nothing that happens in the hall reaches the copy any other way.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use eboard::Moment;
use witness::{Effect, Event, Facet, TableNo};

use super::Schedule;
use super::backlog::{Backlog, Chunk};
use super::gate::{Gate, Progress};
use super::history::{History, Place};
use crate::config::Config;
use crate::entry::{Delay, Entry};
use crate::mqtt::payload;
use crate::mqtt::snapshot::{Message, Snapshot};
use crate::mqtt::speaker::Speaker;
use crate::mqtt::topic::{TableTopic, Topic};
use crate::outlets::Games;
use crate::publish::Publisher;
use crate::record::checkpoint::{self, Memory};
use crate::record::journal::{self, Record};
use crate::time::{Anchor, WallTime};
use crate::works::Act;

/// The longest step by which the works advance.
const STRIDE: Duration = Duration::from_secs(60);
/// Entries that have been due for longer than this are caught up with after a start: their views
/// are not made one by one.
const FINE: Duration = Duration::from_secs(10);
/// Steps between two reports about the daemon itself.
const BEAT: u32 = 5;

/// What the copy handles next.
enum Item {
    Record(Record),
    Anew(Moment, Vec<u8>),
    Config(Box<Config>),
}

/// Where a copy begins.
pub struct Begin {
    /// The configuration.
    pub config: Config,
    /// The moment at which this run begins to record, and its rule.
    pub run: Schedule,
    /// What was recorded before.
    pub place: Place,
    /// The time of day.
    pub anchor: Anchor,
}

/// Where the copy publishes.
#[derive(Clone)]
pub struct Destination {
    /// The topics.
    pub snapshot: Arc<Snapshot>,
    /// The games.
    pub games: Arc<Games>,
}

/// The copy.
pub struct Copy {
    memory: Memory,
    publisher: Publisher,
    gate: Gate,
    schedule: Schedule,
    history: History,
    ready: VecDeque<Item>,
    /// The moment of the last entry, and when it was due.
    last: Option<(Moment, Duration)>,
    destination: Destination,
    /// Nothing is due yet, so the configured tables are shown.
    set_up: bool,
    /// Every view is made as soon as it changes, instead of once at the end of a step.
    fine: bool,
    /// The last `seq` of each table; `None`: of topics that belong to no table.
    seqs: BTreeMap<Option<TableNo>, u64>,
    steps: u32,
}

impl Copy {
    /// Recalls what the public may know when `now` has been counted.
    #[must_use]
    pub fn begin(begin: Begin, destination: Destination, now: Duration) -> Self {
        let Begin { config, run, place, anchor } = begin;
        // Only the whole game says which of its moves were held back.
        let whole = config.public.is_some_and(|public| public.delay_moves > 0);
        let recalled = match whole && !place.segments.is_empty() {
            true => Some((Memory::new(place.every), History::all(&place))),
            false => History::recall(&place, now),
        };
        let (memory, history) =
            recalled.unwrap_or_else(|| (Memory::new(place.every), History::default()));
        let known = memory.works.delay();
        let first = known.or_else(|| History::first_rule(&place));
        let schedule = first.map_or(run, |(at, delay)| Schedule::new(at, delay));
        let last = known.map(|_| (memory.works.now(), schedule.due(memory.works.now())));
        let anchor = memory.sheet.anchor().copied().unwrap_or(anchor);
        let nowhere = (Arc::default(), Arc::default());
        let mut publisher = Publisher::new(nowhere, config.clone(), anchor, Speaker::default());
        let mut gate = Gate::default();
        gate.hold(plies(schedule.rule()));
        publisher.stands(gate.holds());
        let (ready, seqs) = (VecDeque::new(), BTreeMap::new());
        let mut copy = Self {
            memory,
            publisher,
            gate,
            schedule,
            history,
            ready,
            last,
            destination,
            seqs,
            set_up: false,
            fine: false,
            steps: 0,
        };
        copy.set_up(&config);
        if !copy.set_up {
            copy.publisher.all(&copy.memory.works);
        }
        copy
    }

    /// Shows the configured tables while the public may not know of any other. Who sits where is
    /// no secret before the first move, and an empty page would look like a fault.
    fn set_up(&mut self, config: &Config) {
        if self.memory.works.hall().tables().next().is_some() {
            return;
        }
        let planned = Memory::new(self.memory.sheet.every());
        let nothing = std::mem::replace(&mut self.memory, planned);
        self.enter((Moment::ZERO, Entry::Planned(Box::new(config.plan()))));
        self.publisher.all(&self.memory.works);
        self.tell();
        self.memory = nothing;
        self.set_up = true;
    }

    /// Publishes everything that is due when `now` has been counted.
    pub fn step(&mut self, now: Duration, backlog: &Backlog) {
        let reached = backlog.reached();
        while self.next(backlog).is_some_and(|due| due <= now) {
            match self.ready.pop_front() {
                Some(Item::Record(record)) => self.enter_due(record, now),
                Some(Item::Anew(at, state)) => self.anew(at, &state),
                Some(Item::Config(config)) => self.publisher.configure(&config),
                None => break,
            }
        }
        if let Some((at, due)) = self.last {
            let next = self.ready.iter().find_map(|item| match item {
                Item::Record((at, _)) | Item::Anew(at, _) => Some(*at),
                Item::Config(_) => None,
            });
            let reached = next.unwrap_or(reached);
            self.advance((at + now.saturating_sub(due)).min(reached));
        }
        if self.steps.is_multiple_of(BEAT) && !self.set_up {
            self.publisher.heartbeat(&self.memory.works, false);
        }
        self.steps = self.steps.wrapping_add(1);
        self.tell();
    }

    /// When the next item is due.
    fn next(&mut self, backlog: &Backlog) -> Option<Duration> {
        while self.ready.is_empty() {
            let records = self.history.records();
            if !records.is_empty() {
                self.ready = records.into_iter().map(Item::Record).collect();
                continue;
            }
            match backlog.take()? {
                Chunk::Records(bytes) => {
                    let records = journal::content(&bytes, 0).records;
                    self.ready = records.into_iter().map(Item::Record).collect();
                }
                Chunk::Anew(at, state) => self.ready.push_back(Item::Anew(at, state)),
                Chunk::Config(config) => self.ready.push_back(Item::Config(config)),
            }
        }
        Some(match self.ready.front()? {
            // A new rule says itself when it is due: until then the rule before it holds.
            Item::Record((_, Entry::Delayed(delay))) => Duration::from_micros(delay.due),
            Item::Record((at, _)) | Item::Anew(at, _) => self.schedule.due(*at),
            // A configuration holds for the records that follow it.
            Item::Config(_) => self.last.map_or(Duration::ZERO, |(_, due)| due),
        })
    }

    fn enter_due(&mut self, record: Record, now: Duration) {
        let at = record.0;
        if let Entry::Delayed(delay) = &record.1 {
            self.schedule = Schedule::new(at, *delay);
            self.gate.hold(plies(delay));
            self.publisher.stands(self.gate.holds());
        }
        let due = self.schedule.due(at);
        self.last = Some((at, due));
        // A view also depends on the moment at which it is made, so the copy makes it when the
        // hall did. Nobody sees the views while the copy catches up. The gate still needs each of
        // them, because it has to know which half move a picture shows.
        self.fine = self.gate.holds() || due + FINE >= now;
        self.enter(record);
    }

    fn enter(&mut self, (at, entry): Record) {
        if let Entry::Wall(micros) = &entry {
            self.publisher.anchored(Anchor { moment: at, wall: WallTime::from_micros(*micros) });
        }
        let at = at.max(self.memory.works.now());
        while self.memory.works.now() + STRIDE < at {
            self.advance(self.memory.works.now() + STRIDE);
        }
        let mut acts = Vec::new();
        self.memory.sheet.enter(&mut self.memory.works, at, &entry, &mut acts);
        self.act(acts);
        if matches!(entry, Entry::Planned(_)) && std::mem::take(&mut self.set_up) {
            self.publisher.all(&self.memory.works);
        }
    }

    fn advance(&mut self, to: Moment) {
        let mut acts = Vec::new();
        self.memory.sheet.advance(&mut self.memory.works, to, &mut acts);
        self.act(acts);
    }

    /// Goes on from a state of everything, after records were left out.
    fn anew(&mut self, at: Moment, state: &[u8]) {
        match checkpoint::decode(state) {
            Ok(memory) => {
                let before = self.memory.works.hall().tables().map(|(table, _)| table);
                let gone: Vec<_> =
                    before.filter(|it| memory.works.hall().table(*it).is_none()).collect();
                self.memory = memory;
                gone.iter().for_each(|it| self.publisher.removed(&self.memory.works, *it, &[]));
                self.publisher.all(&self.memory.works);
            }
            Err(error) => tracing::error!("the public copy cannot go on: {error}"),
        }
        self.last = Some((at, self.schedule.due(at)));
    }

    fn act(&mut self, acts: Vec<Act>) {
        let works = &self.memory.works;
        let mut changed = false;
        for act in acts {
            match act {
                Act::Recognised(at) | Act::Seated(at) => self.publisher.recognised(works, at),
                Act::Table(at, table, effect) if is_public(&effect) => {
                    self.publisher.effect(works, at, table, effect);
                    changed = true;
                }
                Act::Removed(table, _) => self.publisher.removed(works, table, &[]),
                Act::Ended(table, ..) => {
                    self.publisher.ended(table);
                    changed = true;
                }
                _ => {}
            }
        }
        if changed && self.fine {
            self.collect();
        }
    }

    /// Publishes everything that the gate lets pass.
    fn tell(&mut self) {
        self.collect();
        let works = &self.memory.works;
        let tables: Vec<_> = works.hall().tables().map(|(table, _)| table).collect();
        for table in tables {
            let Some(picture) = self.gate.pass(table, self.progress(table)) else { continue };
            for (topic, payload) in picture.views {
                self.publish(table, topic, &payload);
            }
            picture.games.into_values().for_each(|game| self.destination.games.put(game));
        }
    }

    /// Makes every view that has changed, and hands it to the gate.
    fn collect(&mut self) {
        self.publisher.draw(&self.memory.works);
        let (messages, mut news) = self.publisher.take();
        for message in messages {
            let Message::Ours(topic, payload) = message else { continue };
            match topic {
                Topic::BridgeInfo => self.info(&payload),
                Topic::Table(table, TableTopic::Device) => {
                    let device = payload::public_device(&payload);
                    let payload = device.map(|it| payload::json(&it)).unwrap_or_default();
                    self.publish(table, TableTopic::Device, &payload);
                }
                Topic::Table(table, topic) if TableTopic::PUBLIC.contains(&topic) => {
                    if payload.is_empty() {
                        self.gate.forget(table);
                        self.publish(table, topic, &payload);
                    } else {
                        self.gate.view(table, self.progress(table), topic, payload);
                    }
                }
                // Not for the public.
                _ => {}
            }
        }
        for game in news.games.drain(..) {
            self.gate.game(self.progress(game.table), game);
        }
        self.destination.games.hear(news);
    }

    fn info(&mut self, destination: &[u8]) {
        let Some(info) = payload::public_info(destination, self.schedule.rule()) else { return };
        let seq = self.seq(None);
        let payload = payload::with_seq(&payload::json(&info), seq);
        self.destination.snapshot.publish(Topic::PublicInfo, payload);
    }

    fn publish(&mut self, table: TableNo, topic: TableTopic, payload: &[u8]) {
        let payload = match topic {
            TableTopic::Pgn => payload.to_vec(),
            _ if payload.is_empty() => Vec::new(),
            _ => payload::with_seq(payload, self.seq(Some(table))),
        };
        self.destination.snapshot.publish(Topic::Public(table, topic), payload);
    }

    /// The next `seq`. It rises over restarts too, because it follows recorded time as in the
    /// hall. Here that is the time of the moment that is public.
    fn seq(&mut self, of: Option<TableNo>) -> u64 {
        let seq = self.seqs.entry(of).or_default();
        *seq = (*seq + 1).max(self.memory.works.now().as_micros() / 1000);
        *seq
    }

    fn progress(&self, table: TableNo) -> Progress {
        let score = self.memory.works.hall().table(table).map(|it| it.score());
        score.map_or(Progress { plies: 0, over: true }, |score| Progress {
            plies: score.plies().len(),
            over: score.ending().is_some(),
        })
    }

    /// The moment that is public.
    #[must_use]
    pub fn shows(&self) -> Moment {
        self.memory.works.now()
    }
}

fn plies(delay: &Delay) -> usize {
    usize::try_from(delay.delay_moves).unwrap_or(usize::MAX)
}

/// Whether the public may see this effect. Alerts and their evidence are for arbiters, squares and
/// touches for the hall.
fn is_public(effect: &Effect) -> bool {
    match effect {
        Effect::Changed(facet) => !matches!(facet, Facet::Board | Facet::Ledger),
        Effect::Event(event) => matches!(event, Event::NewGame(_)),
        _ => false,
    }
}
