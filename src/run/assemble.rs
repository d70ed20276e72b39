//! Puts a daemon together: journal, works, broker, client, pages and lines, in the order in which
//! each needs the one before.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adoubed_broker::Broker;
use eboard::Moment;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use witness::Effect;

use super::manager::{self, Wanted};
use super::publish::Publisher;
use super::{Doors, EVENTS, Order, REQUESTS, Run};
use crate::config::Config;
use crate::entry::{Entry, Plan};
use crate::exit::{self, Failure};
use crate::journal::{self, Journal};
use crate::line::Lines;
use crate::mqtt::access::{self, HallAccess};
use crate::mqtt::client::{self, Reach};
use crate::mqtt::snapshot::Snapshot;
use crate::time::{self, Anchor, Clock};
use crate::web;
use crate::works::{Act, Works};

/// How long the last messages may take to reach the broker when the daemon ends.
const GOODBYE: Duration = Duration::from_millis(500);

/// Days of the record that are read again at the start: a game may go on over midnight.
const SEGMENTS: usize = 2;

/// A running daemon.
pub struct Hall {
    /// Where the pages are.
    pub pages: SocketAddr,
    /// Where the feed is, if the broker is ours.
    pub feed: Option<SocketAddr>,
    orders: mpsc::Sender<Order>,
    wanted: manager::Shared,
    snapshot: Arc<Snapshot>,
    boot: String,
    broker: Option<Broker>,
    run: tokio::task::JoinHandle<()>,
    tasks: JoinSet<()>,
}

/// Starts a daemon.
///
/// # Errors
/// When an address is in use, the journal cannot be kept, or a file cannot be read.
pub async fn start(config: Config) -> Result<Hall, Failure> {
    for key in config.without_effect() {
        tracing::warn!("{key} has no effect in this version");
    }
    let boot = access::secret();
    let kept = recall(&config.journal_directory())?;
    let snapshot = Arc::new(Snapshot::default());
    let (broker, reach, access) = broker(&config, &boot).await?;
    let pages = web::bind(config.web.listen).await?;
    let page_address = pages.local_addr().map_err(|error| Failure::new(exit::IO, error))?;
    let day = time::wall_now().pgn_date();
    let flush = Duration::from_millis(config.journal.flush_ms);
    let journal = Journal::open(&config.journal_directory(), &day, flush)
        .map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;

    let mut tasks = JoinSet::new();
    let (requests, incoming) = mpsc::channel(REQUESTS);
    client::start(reach, Arc::clone(&snapshot), requests, &mut tasks);
    let feed = broker.as_ref().map(Broker::local_addr);
    let door = broker.as_ref().map(Broker::door);
    tasks.spawn(web::serve(pages, web::Pages::new(&config, door, access.clone(), &snapshot)));

    let (events, told) = mpsc::channel(EVENTS);
    let (orders, ordered) = mpsc::channel(4);
    let clock = kept.clock;
    let lines = Lines { events, clock, numbers: Arc::new(AtomicU32::new(kept.last_line)) };
    let wanted = Arc::new(Mutex::new(Wanted::from_config(&config)));
    tasks.spawn(manager::manage(Arc::clone(&wanted), lines));

    let run = resume(kept, &config, journal, &snapshot, access, &boot);
    let run = tokio::spawn(run.go(Doors { events: told, requests: incoming, orders: ordered }));
    Ok(Hall { pages: page_address, feed, orders, wanted, snapshot, boot, broker, run, tasks })
}

impl Hall {
    /// Uses another configuration; addresses and the journal stay as they are.
    pub async fn reload(&self, config: Config) {
        *self.wanted.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
            Wanted::from_config(&config);
        let _ = self.orders.send(Order::Reload(Box::new(config))).await;
    }

    /// Ends: the feed is told, the journal is on the disk.
    pub async fn stop(mut self) {
        let _ = self.orders.send(Order::Stop).await;
        let _ = self.run.await;
        Publisher::goodbye(&self.snapshot, &self.boot);
        let drained = async {
            while !self.snapshot.is_drained() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // What was taken from the snapshot still has to be written.
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let _ = tokio::time::timeout(GOODBYE, drained).await;
        self.tasks.shutdown().await;
        if let Some(broker) = self.broker {
            broker.shutdown().await;
        }
    }
}

/// What the journal remembers.
struct Kept {
    works: Works,
    clock: Clock,
    last_line: u32,
    open_lines: Vec<u32>,
    closed_alerts: Vec<(u32, Box<witness::Incident>)>,
}

/// Replays the journal: the works stand again where they stood.
fn recall(directory: &std::path::Path) -> Result<Kept, Failure> {
    let fail = |error| Failure::new(exit::UNAVAILABLE, error);
    let mut works = Works::new(catalog::DRIVERS.to_vec());
    let (mut last_line, mut open_lines, mut closed_alerts) = (0, Vec::new(), Vec::new());
    let mut wall: Option<(Moment, i64)> = None;
    let segments: Vec<PathBuf> =
        if directory.exists() { journal::segments(directory).map_err(fail)? } else { Vec::new() };
    let mut acts = Vec::new();
    for segment in segments.iter().rev().take(SEGMENTS).rev() {
        for (at, entry) in journal::read(segment).map_err(fail)?.0 {
            works.enter(at, &entry, &mut acts);
            match entry {
                Entry::Opened(number, _) => {
                    last_line = last_line.max(number);
                    open_lines.push(number);
                }
                Entry::Closed(number) => open_lines.retain(|line| *line != number),
                Entry::Wall(micros) => wall = Some((at, micros)),
                Entry::Planned(_) | Entry::Bytes(..) | Entry::Request(_) => {}
            }
            closed_alerts.extend(acts.drain(..).filter_map(|act| match act {
                Act::Table(table, Effect::Closed(incident, _)) => Some((table, incident)),
                _ => None,
            }));
        }
    }
    let clock = Clock::starting_at(resumes_at(works.now(), wall));
    Ok(Kept { works, clock, last_line, open_lines, closed_alerts })
}

/// The record goes on as much later as the time of day says, and never earlier.
fn resumes_at(last: Moment, wall: Option<(Moment, i64)>) -> Moment {
    let Some((moment, micros)) = wall else { return last };
    let passed = time::wall_now().as_micros().saturating_sub(micros);
    (moment + Duration::from_micros(u64::try_from(passed).unwrap_or(0))).max(last)
}

fn resume(
    kept: Kept,
    config: &Config,
    journal: Journal,
    snapshot: &Arc<Snapshot>,
    access: Option<Arc<HallAccess>>,
    boot: &str,
) -> Run {
    let Kept { works, clock, open_lines, closed_alerts, .. } = kept;
    let anchor = Anchor { moment: clock.now(), wall: time::wall_now() };
    let mut publisher =
        Publisher::new(Arc::clone(snapshot), config.clone(), anchor, boot.to_owned());
    for (table, incident) in &closed_alerts {
        publisher.forget_alert(*table, incident);
    }
    let lines = std::collections::BTreeMap::new();
    let mut run = Run { works, clock, journal, publisher, access, lines, asking: None };
    run.enter(clock.now(), Entry::Wall(time::wall_now().as_micros()));
    // The lines that were open when the last run ended are open no more.
    for number in open_lines {
        run.enter(clock.now(), Entry::Closed(number));
    }
    let plan = Plan { seats: run.works.seats(), ..config.plan() };
    run.enter(clock.now(), Entry::Planned(plan));
    run.publisher.all(&run.works);
    run.publisher.flush(&run.works);
    run
}

type Brokered = (Option<Broker>, Reach, Option<Arc<HallAccess>>);

async fn broker(config: &Config, boot: &str) -> Result<Brokered, Failure> {
    let base = config.mqtt.base.clone();
    if config.mqtt.broker == "external" {
        let (host, port) = client::address(&config.mqtt.url).unwrap_or_default();
        let login = external_login(config)?;
        let reach = Reach { host, port, login, base, boot: boot.to_owned() };
        return Ok((None, reach, None));
    }
    let password = access::secret();
    let arbiters = config.web.arbiters.clone();
    let access =
        Arc::new(HallAccess::new(&base, config.hall_is_open(), password.clone(), arbiters));
    let settings = adoubed_broker::Settings { listen: config.mqtt.listen, access: access.clone() };
    let broker = Broker::start(settings).await.map_err(|error| {
        Failure::new(
            exit::UNAVAILABLE,
            format!("failed to start the broker: {error}; set [mqtt] listen to another address"),
        )
    })?;
    let address = broker.local_addr();
    let host = match address.ip() {
        ip if ip.is_unspecified() => "127.0.0.1".to_owned(),
        ip => ip.to_string(),
    };
    let login = Some((access::DAEMON.to_owned(), password));
    let reach = Reach { host, port: address.port(), login, base, boot: boot.to_owned() };
    Ok((Some(broker), reach, Some(access)))
}

fn external_login(config: &Config) -> Result<Option<(String, String)>, Failure> {
    let mqtt = &config.mqtt;
    if mqtt.username.is_empty() {
        return Ok(None);
    }
    let password = match mqtt.password_file.as_os_str().is_empty() {
        true => String::new(),
        false => std::fs::read_to_string(&mqtt.password_file)
            .map_err(|error| Failure::file(&mqtt.password_file, &error))?,
    };
    Ok(Some((mqtt.username.clone(), password.trim_end().to_owned())))
}
