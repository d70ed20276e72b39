//! Puts a daemon together: journal, works, broker, client, pages and lines. Each needs the ones
//! before it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use adoubed_broker::Broker;
use eboard::Moment;
use tokio::sync::{mpsc, watch};

use super::floods::Floods;
use super::manager::{self, Wanted};
use super::missing::Missing;
use super::{ANSWERS, Checkpoints, Doors, EVENTS, Order, REQUESTS, Run};
use crate::analyst::Analyst;
use crate::config::{self, Config, Public, accounts};
use crate::delayed::{self, Backlog, Intake, Place, Schedule};
use crate::descriptors::Shares;
use crate::entry::{Entry, Plan};
use crate::exit::{self, Failure};
use crate::health::Health;
use crate::health::Recalled;
use crate::lines::line::{LineEvent, Lines};
use crate::mqtt::access::{self, HallAccess};
use crate::mqtt::client::{self, Reach, Watches};
use crate::mqtt::snapshot::Snapshot;
use crate::mqtt::speaker::Speaker;
use crate::net::link::{Address, Link};
use crate::outlets::livechess;
use crate::outlets::{Games, Outlets, folder, lichess, notify};
use crate::publish::Publisher;
use crate::record::checkpoint::{self, Keeper, Memory};
use crate::record::journal::{self, Journal};
use crate::setup::{Wish, fulfil};
use crate::spare::mirror::Mirror;
use crate::spare::{Own, Standby};
use crate::tasks::Tasks;
use crate::time::{self, Anchor, Clock, WallTime};
use crate::tls::Certificates;
use crate::web::{self, Usher};
use words::InWords as _;

/// How long our own client has to reach our own broker before other clients are admitted.
const GREETING: Duration = Duration::from_secs(5);
/// How long the last messages have to reach the broker when the daemon ends.
const GOODBYE: Duration = Duration::from_millis(500);

/// The longest pause that is believed between two runs. A machine's time of day may be wrong by
/// years.
const PAUSE_MAX: Duration = Duration::from_secs(30 * 24 * 3600);

/// A running daemon.
pub struct Hall {
    /// The address of the pages.
    pub pages: SocketAddr,
    /// The address of the encrypted pages, if there are any.
    pub encrypted: Option<SocketAddr>,
    /// The address of our own broker, if there is one.
    pub feed: Option<SocketAddr>,
    orders: mpsc::Sender<Order>,
    wanted: watch::Sender<Wanted>,
    /// Sends a new configuration to the outlets that accept one while they run.
    settings: watch::Sender<Arc<Config>>,
    shown: web::Pages,
    /// The configuration at the start.
    started: Box<Config>,
    snapshot: Arc<Snapshot>,
    speaker: Speaker,
    client: Watches,
    broker: Option<Broker>,
    run: tokio::task::JoinHandle<()>,
    tasks: Tasks,
}

/// Starts a daemon. Changes of the configuration are asked for at `wishes`; without it they are
/// refused.
///
/// # Errors
/// If an address is in use, the journal cannot be written, or a file cannot be read.
pub async fn start(
    config: Config,
    own: Own,
    wishes: Option<mpsc::Sender<Wish>>,
) -> Result<Hall, Failure> {
    let speaker = own.speaker.clone();
    let kept = remember(&config)?;
    let (snapshot, outlets) = (Arc::new(Snapshot::default()), Outlets::default());
    let begins = kept.begins(&config);
    let (broker, reach, access) = broker(&config, &speaker).await?;
    let certificates =
        config.web.listen_tls.map(|_| Certificates::open(config.certificate())).transpose()?;
    let listeners = web::bind(&config.web)?;
    let (plain, encrypted) = (listeners.plain()?, listeners.encrypted());
    let journal = kept.journal(&config)?;
    let checkpoints = kept.checkpoints(&config)?;

    let mut tasks = Tasks::default();
    let (requests, incoming) = mpsc::channel(REQUESTS);
    let link = Arc::clone(&reach.link);
    let mut client = client::start(reach, Arc::clone(&snapshot), requests, &mut tasks);
    if broker.is_some() {
        // A guest who is admitted must find our client connected already.
        let _ = tokio::time::timeout(GREETING, client.listens.wait_for(|it| *it)).await;
    }
    let (feed, door) = broker.as_ref().map(|it| (it.local_addr(), it.door())).unzip();
    let (health, usher) = (Arc::new(Health::of(&own)), Arc::<Usher>::default());
    serve_livechess(&config, &snapshot, &outlets, &usher, &mut tasks);
    let was = (kept.recalled, Arc::clone(&health));
    let shown = web::Pages::new(&config, door, link, access.clone(), (&snapshot, &outlets), was);
    let shown = shown.set_up(wishes.clone());
    let shown = web::serve(listeners, certificates, shown, &usher, &mut tasks)?;

    let (orders, ordered) = mpsc::channel(4);
    let clock = kept.clock;
    let (wanted, happened) = open_lines(&config, &kept, &mut tasks);
    let (answers, answered) = mpsc::channel(ANSWERS);
    let analyst = Analyst::start(answers, &mut tasks);
    let settings = serve_others(&config, &snapshot, &outlets, &mut tasks);
    let public = begins.zip(config.public).map(|(begins, rule)| {
        let place = kept.place(&config);
        public((begins, rule), place, &config, (&snapshot, &outlets, clock), &mut tasks)
    });
    let rooms = (Arc::clone(&snapshot), outlets.games);
    let kept = Kept { begins, public, ..kept };
    let run = resume(kept, &config, (journal, checkpoints), rooms, (access, analyst), own);
    let doors = Doors { events: happened, requests: incoming, answers: answered, orders: ordered };
    let run = tasks.spawn_apart(
        "the run loop",
        run.watched(health).set_up(wishes, orders.downgrade()).go(doors),
    );
    let started = Box::new(config);
    Ok(Hall {
        pages: plain,
        encrypted,
        feed,
        orders,
        wanted,
        settings,
        shown,
        started,
        snapshot,
        speaker,
        client,
        broker,
        run,
        tasks,
    })
}

impl Hall {
    /// Takes up another configuration. Addresses, broker and journal stay as they are.
    pub async fn reload(&self, config: Config) {
        for key in self.started.fixed_that_differ(&config) {
            tracing::warn!("{key} has changed: that takes effect when the daemon is started again");
        }
        self.shown.configure(&config);
        self.wanted.send_replace(Wanted::from_config(&config));
        self.settings.send_replace(Arc::new(config.clone()));
        let _ = self.orders.send(Order::Reload(Box::new(config))).await;
    }

    /// Changes the file as an organizer wishes, takes it up, and answers, also which keys hold only
    /// after the next start. Returns the configuration that holds now, if it is another one.
    pub async fn grant(&self, file: &Path, wish: Wish) -> Option<Config> {
        // Some disks take their time, and the journal waits for none of them.
        let (mut answer, other) = tokio::task::block_in_place(|| fulfil(file, &wish));
        if let Some(other) = &other {
            self.reload(other.clone()).await;
            if let Ok(answer) = &mut answer {
                answer["restart"] = self.started.fixed_that_differ(other).into();
            }
        }
        let _ = wish.answer.send(answer);
        other
    }

    /// Waits until a task ends that must not end, and returns its name.
    pub async fn failed(&self) -> &'static str {
        self.tasks.ended().await
    }

    /// Waits until another machine speaks for the hall, and returns its name.
    pub async fn superseded(&self) -> String {
        let mut other = self.client.superseded.clone();
        match other.wait_for(Option::is_some).await {
            Ok(other) => other.clone().unwrap_or_default(),
            // The client has ended, and the daemon with it.
            Err(_) => std::future::pending().await,
        }
    }

    /// Ends what another machine does now. The feed is that one's.
    pub async fn step_back(mut self) {
        let _ = self.orders.send(Order::Stop).await;
        let _ = self.run.await;
        leave(&self.snapshot, &mut self.client).await;
        self.tasks.shutdown().await;
    }

    /// Ends the daemon. The feed reports it, and the journal is on the disk.
    pub async fn stop(mut self) {
        let _ = self.orders.send(Order::Stop).await;
        let _ = self.run.await;
        Publisher::goodbye(&self.snapshot, &self.speaker);
        leave(&self.snapshot, &mut self.client).await;
        self.tasks.shutdown().await;
        if let Some(broker) = self.broker {
            broker.shutdown().await;
        }
    }
}

/// Takes leave of the broker, which would publish the last will otherwise. One that is away is not
/// waited for longer than a goodbye may take.
async fn leave(snapshot: &Snapshot, client: &mut Watches) {
    snapshot.close();
    let _ = tokio::time::timeout(GOODBYE, client.left.wait_for(|left| *left)).await;
}

/// What was read from the journal and the checkpoint.
pub(super) struct Kept {
    pub(super) memory: Memory,
    clock: Clock,
    good: Option<(PathBuf, u64)>,
    /// The segments that were read.
    segments: Vec<PathBuf>,
    /// The works, and what they were made of.
    pub(super) recalled: Recalled,
    /// The rule of the public delay that this run records first, if there is one.
    begins: Option<Schedule>,
    public: Option<Intake>,
}

impl Kept {
    /// The day in the name of the next segment. While a game is adjourned it stays the same, over
    /// any number of days and restarts, because a start reads the newest day only.
    pub(super) fn day(&self, directory: &Path) -> Result<String, Failure> {
        let today = time::wall_now().pgn_date();
        let mut tables = self.memory.works.hall().tables();
        if !tables.any(|(_, table)| table.adjournment().is_some()) {
            return Ok(today);
        }
        let last = journal::last_day(directory);
        Ok(last.map_err(|error| Failure::new(exit::UNAVAILABLE, error))?.unwrap_or(today))
    }

    /// Opens the journal at its end.
    fn journal(&self, config: &Config) -> Result<Journal, Failure> {
        let directory = config.journal_directory();
        let day = self.day(&directory)?;
        let flush = Duration::from_millis(config.journal.flush_ms);
        let good = self.good.as_ref().map(|(path, good)| (path.as_path(), *good));
        Journal::go_on(&directory, &day, flush, good)
            .map_err(|error| Failure::new(exit::UNAVAILABLE, error))
    }

    /// The rule of the public delay at the start of this run; none: no delay is set, and none was
    /// ever recorded.
    fn begins(&self, config: &Config) -> Option<Schedule> {
        let works = &self.memory.works;
        let delay = Schedule::resumed(works.delay(), works.now(), config.public.as_ref());
        delay.map(|delay| Schedule::new(self.clock.now(), delay))
    }

    /// The place of this record.
    fn place(&self, config: &Config) -> Place {
        Place {
            directory: config.journal_directory(),
            segments: self.segments.clone(),
            end: self.good.as_ref().map_or(0, |(_, end)| *end),
            every: config.time_sheet_every(),
        }
    }

    /// Starts the writer of checkpoints. The records that were just read count towards the next
    /// one, so that not every start reads them again.
    fn checkpoints(&self, config: &Config) -> Result<Option<Checkpoints>, Failure> {
        let every = config.journal.checkpoint_records;
        if every == 0 {
            return Ok(None);
        }
        let keep_for = config.public.map_or(Duration::ZERO, |public| public.delay());
        let keeper = Keeper::start(&config.journal_directory(), keep_for)
            .map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;
        Ok(Some(Checkpoints { keeper, every, since: self.recalled.records }))
    }
}

/// Opens the lines that are wanted, and says where others are asked for and what happens on them.
fn open_lines(
    config: &Config,
    kept: &Kept,
    tasks: &mut Tasks,
) -> (watch::Sender<Wanted>, mpsc::Receiver<(Moment, LineEvent)>) {
    let (events, happened) = mpsc::channel(EVENTS);
    let numbers = Arc::new(AtomicU32::new(kept.memory.last_line.get()));
    let lines = Lines { events, clock: kept.clock, numbers };
    let (wanted, lines_wanted) = watch::channel(Wanted::from_config(config));
    tasks.spawn("the keeper of lines", manager::manage(lines_wanted, lines));
    (wanted, happened)
}

/// Reads the journal, unless another daemon writes it.
fn remember(config: &Config) -> Result<Kept, Failure> {
    let directory = config.journal_directory();
    journal::free(&directory).map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;
    let checkpoints = config.journal.checkpoint_records > 0;
    let kept = recall(&directory, config.time_sheet_every(), checkpoints)?;
    kept.recalled.tell();
    Ok(kept)
}

/// Restores the works: from the last checkpoint and the records after it, or else by replaying the
/// journal.
pub(super) fn recall(
    directory: &Path,
    every: Duration,
    checkpoints: bool,
) -> Result<Kept, Failure> {
    let fail = |error| Failure::new(exit::UNAVAILABLE, error);
    let segments = journal::recent(directory).map_err(fail)?;
    let found = checkpoint::newest(directory, &segments, every);
    // What another machine has recorded begins with a checkpoint: there is nothing before it here.
    let found = found.filter(|it| checkpoints || it.offset == 0);
    let mut recalled = Recalled { checkpoint: found.is_some(), ..Recalled::default() };
    let (mut memory, from) = match found {
        Some(found) => (found.memory, Some((found.segment, found.offset))),
        None => (Memory::new(every), None),
    };
    let earlier = |it: &&PathBuf| from.as_ref().is_some_and(|(segment, _)| segment != *it);
    let (mut acts, mut good) = (Vec::new(), None);
    for segment in segments.iter().skip_while(earlier) {
        let offset = from.as_ref().filter(|(of, _)| of == segment).map_or(0, |(_, at)| *at);
        let read = journal::each_from(segment, offset, |(at, entry)| {
            memory.enter(at, &entry, &mut acts);
            recalled.records += 1;
        });
        let read = read.map_err(fail)?;
        warn_of_damage(segment, &read);
        good = Some((segment.clone(), read.good));
        recalled.damaged += read.missing().len() as u64;
    }
    let wall = memory.sheet.anchor().map(|it| (it.moment, it.wall.as_micros()));
    let clock = Clock::starting_at(resumes_at(memory.works.now(), wall, time::wall_now()));
    Ok(Kept { memory, clock, good, segments, recalled, begins: None, public: None })
}

/// Logs damage in a segment, because damaged records are missing.
fn warn_of_damage(segment: &Path, read: &journal::Content) {
    let path = segment.display();
    for missing in read.missing() {
        tracing::warn!("{path}: {missing}; everything else of it is read");
    }
}

/// The moment at which the record goes on. The time of day says how long the pause was; the result
/// is never earlier than the last record and at most [`PAUSE_MAX`] later.
fn resumes_at(last: Moment, wall: Option<(Moment, i64)>, now: WallTime) -> Moment {
    let Some((moment, micros)) = wall else { return last };
    let passed = u64::try_from(now.as_micros().saturating_sub(micros)).unwrap_or(0);
    (moment + Duration::from_micros(passed).min(PAUSE_MAX)).max(last)
}

pub(super) fn resume(
    kept: Kept,
    config: &Config,
    (journal, checkpoints): (Journal, Option<Checkpoints>),
    destinations: (Arc<Snapshot>, Arc<Games>),
    (access, analyst): (Option<Arc<HallAccess>>, Analyst),
    own: Own,
) -> Run {
    let Kept { memory: Memory { works, sheet, last_line, closed }, clock, .. } = kept;
    let (begins, public) = (kept.begins, kept.public);
    let anchor = Anchor { moment: clock.now(), wall: time::wall_now() };
    let Own { speaker, left, .. } = own;
    let mirror = speaker.machine.is_some().then(|| Mirror::new(speaker.clone(), left));
    let mut publisher = Publisher::new(destinations, config.clone(), anchor, speaker);
    for (table, incident) in &closed {
        publisher.forget_alert(*table, *incident);
    }
    let open_lines: Vec<_> = works.lines().map(|(number, _)| number).collect();
    let mut run = Run {
        works,
        sheet,
        clock,
        journal,
        publisher,
        access,
        lines: std::collections::BTreeMap::new(),
        asking: None,
        analyst,
        last_line,
        closed,
        checkpoints,
        health: Arc::default(),
        missing: Missing::default(),
        floods: Floods::default(),
        public,
        mirror,
        setup: None,
    };
    for (table, machine) in run.works.hall().tables() {
        machine.questions().for_each(|question| run.analyst.ask(table, question.clone()));
    }
    // The lines that were open when the last run ended are closed.
    for number in open_lines {
        run.enter(run.works.now(), Entry::Closed(number));
    }
    if let Some(begins) = begins {
        run.enter(begins.from(), Entry::Delayed(*begins.rule()));
    }
    // Messages use this very pair of times, and the public copy must show the same.
    run.enter(anchor.moment, Entry::Wall(anchor.wall.as_micros()));
    let plan = Plan { seats: run.works.seats(), ..config.plan() };
    run.enter(clock.now(), Entry::Planned(Box::new(plan)));
    run.publisher.all(&run.works);
    run.publish();
    run
}

/// Starts the outlets besides the pages and LiveChess. They are sent later configurations.
fn serve_others(
    config: &Config,
    snapshot: &Arc<Snapshot>,
    outlets: &Outlets,
    tasks: &mut Tasks,
) -> watch::Sender<Arc<Config>> {
    let (settings, read) = watch::channel(Arc::new(config.clone()));
    let written = Arc::clone(outlets.games(config.feed(config.pgn.feed)));
    folder::start(read.clone(), written, &outlets.reports, tasks);
    let games = Arc::clone(outlets.games(config.feed(config.lichess.feed)));
    lichess::start(read.clone(), games, &outlets.reports, tasks);
    notify::start(read, snapshot.alerts(), &outlets.reports, tasks);
    settings
}

fn serve_livechess(
    config: &Config,
    snapshot: &Arc<Snapshot>,
    outlets: &Outlets,
    usher: &Arc<Usher>,
    tasks: &mut Tasks,
) {
    if let Some(address) = config.livechess.address() {
        let door = (address, Shares::of_livechess(), Arc::clone(usher));
        let source = snapshot.reader(config.feed(config.livechess.feed));
        livechess::start(door, source, outlets, tasks);
    }
}

/// Starts the public copy.
fn public(
    (run, rule): (Schedule, Public),
    place: Place,
    config: &Config,
    (snapshot, outlets, clock): (&Arc<Snapshot>, &Outlets, Clock),
    tasks: &mut Tasks,
) -> Intake {
    let backlog = Arc::<Backlog>::default();
    let anchor = Anchor { moment: clock.now(), wall: time::wall_now() };
    let begin = delayed::Begin { config: config.clone(), run, place, anchor };
    let (snapshot, games) = (Arc::clone(snapshot), Arc::clone(&outlets.public));
    let destination = delayed::Destination { snapshot, games };
    let reports = Arc::clone(&outlets.reports);
    delayed::start(begin, Arc::clone(&backlog), destination, (clock, reports), tasks);
    Intake::new(backlog, run, rule)
}

type Brokered = (Option<Broker>, Reach, Option<Arc<HallAccess>>);

async fn broker(config: &Config, speaker: &Speaker) -> Result<Brokered, Failure> {
    if config.mqtt.broker == config::Broker::External {
        return Ok((None, external(config, speaker.clone())?, None));
    }
    let base = config.mqtt.base.clone();
    let password = access::secret();
    let accounts = config.web.accounts();
    let access =
        Arc::new(HallAccess::new(&base, config.hall_is_open(), password.clone(), accounts));
    let settings = adoubed_broker::Settings {
        listen: config.mqtt.listen,
        access: access.clone(),
        guests: Shares::of_this_process().guests,
        guests_per_address: config.mqtt.guests_per_address,
    };
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
    let login = Some((accounts::DAEMON.to_owned(), password));
    let (door, port) = (broker.door(), address.port());
    let known_as = Address { encrypted: false, host, port };
    let link = Arc::new(Link::inside(known_as, move || door.inside()));
    let (version, speaker) = (config::Version::Five, speaker.clone());
    // Our own broker begins empty, so there is nothing of an earlier run to sweep.
    let (names_senders, sweeps) = (true, false);
    let reach = Reach { link, version, login, base, speaker, speaks: true, names_senders, sweeps };
    Ok((Some(broker), reach, Some(access)))
}

/// The way to the organizer's broker.
fn external(config: &Config, speaker: Speaker) -> Result<Reach, Failure> {
    let link = Arc::new(config.mqtt.link().map_err(|it| Failure::new(exit::CONFIG, it.1.en()))?);
    let (base, login) = (config.mqtt.base.clone(), external_login(config)?);
    let (version, sweeps) = (config.mqtt.version, config.public.is_none());
    let names_senders = false;
    Ok(Reach { link, version, login, base, speaker, speaks: true, names_senders, sweeps })
}

/// Waits until it is the turn of this machine to speak for its hall: at once, where it is alone.
///
/// # Errors
/// If the broker's files cannot be read, or the record of another machine not be written here.
pub async fn turn(config: &Config, tell: impl Fn(&str)) -> Result<Own, Failure> {
    let mqtt = &config.mqtt;
    if mqtt.machine.is_empty() {
        return Ok(Own::alone());
    }
    let standby = Standby {
        name: mqtt.machine.clone(),
        spare: mqtt.spare,
        reach: external(config, Speaker::default())?,
        directory: config.journal_directory(),
        every: config.time_sheet_every(),
    };
    let wanted = Wanted::from_config(config);
    standby.turn(|| wanted.is_there(), tell).await
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_wrong_by_years_does_not_make_the_record_jump() {
        let last = Moment::from_micros(90_000_000);
        let at = |wall, now| {
            let wall = (Moment::from_micros(30_000_000), wall);
            resumes_at(last, Some(wall), WallTime::from_micros(now))
        };
        let second = 1_000_000;
        assert_eq!(at(0, 100 * second), Moment::from_micros(130_000_000));
        assert_eq!(at(0, 10 * second), last, "never before what was there");
        assert_eq!(at(1000 * second, 0), last);
        assert_eq!(at(i64::MIN, i64::MAX), Moment::from_micros(30_000_000) + PAUSE_MAX);
        assert_eq!(resumes_at(last, None, WallTime::from_micros(0)), last);
    }
}
