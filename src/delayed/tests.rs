//! A hall in virtual time. Its daemon is killed, its clock is set and its delay is changed. The
//! public must see what the hall saw one delay earlier, and nothing that reveals the present.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use eboard::Moment;
use rehearsal::{Clock as ChessClock, Happening, Manner, Mishap, Pace, Permille, Stage};
use shakmaty::Position as _;
use witness::{LineNo, TableNo};

use super::*;
use crate::config::{Config, Feed, Public, Table};
use crate::entry::{Entry, LineId};
use crate::lines::virtual_line;
use crate::mqtt::payload;
use crate::mqtt::snapshot::{Message, Snapshot};
use crate::mqtt::topic::{TableTopic, Topic};
use crate::outlets::Games;
use crate::publish::Publisher;
use crate::record::checkpoint::{self, Keeper, Memory, freeze};
use crate::record::journal::{self, Journal, Record};
use crate::time::{Anchor, WallTime};
use crate::works::Act;

const DAY: &str = "2026.11.20";
const HALF_HOUR: Duration = Duration::from_secs(1800);
/// The start: 20 November 2026, 13:00 UTC.
const BEGINS: i64 = 1_795_179_600_000_000;
/// The most seconds that a kill can lose. Counted time is recorded every five seconds.
const LOST: u64 = 6;
/// The longest delay of these halls, in seconds.
const LONGEST: u64 = 45;

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn config(tables: u32, rule: Public) -> Config {
    let table = |number: u32| Table {
        number: TableNo::new(number),
        port: Some(format!("virtual-{number}")),
        driver: Some("dgt".to_owned()),
        white: Some(format!("White {number}")),
        ..Table::default()
    };
    let table = (1..=tables).map(table).collect();
    Config { table, public: Some(rule), ..Config::default() }
}

const fn rule(delay_s: u64, delay_moves: usize) -> Public {
    Public { delay_s, delay_moves }
}

/// Games on some boards as a daemon would record them. Each begins a little later than the one
/// before.
fn tournament(tables: u32, mishaps: &[Mishap]) -> Vec<Record> {
    let mut all = Vec::new();
    for number in 1..=tables {
        let line = LineNo::new(number);
        all.push((Moment::ZERO, Entry::Opened(line, LineId::at(&format!("virtual-{line}")))));
        // The first game ends with mate.
        let mut games = rehearsal::famous();
        games.sort_by_key(|game| !ends_with_mate(game));
        let game = &games[number as usize - 1];
        let manner = Manner {
            slides: Permille(200),
            mishaps: mishaps.to_vec(),
            tidy_up: number > 1,
            ..Manner::default()
        };
        let performance = rehearsal::perform(game, &manner, u64::from(number));
        let begin = Moment::ZERO + s(8 + 7 * u64::from(number));
        let clock = ChessClock::new(manner.control);
        let mut stage = Stage::of(begin, performance, clock, Pace::times(4.0));
        let mut happenings: Vec<(Moment, Happening)> = Vec::new();
        let mut end = begin;
        while !stage.over() {
            let Some(at) = stage.next() else { break };
            happenings.extend(stage.due(at).into_iter().map(|happening| (at, happening)));
            end = at;
        }
        all.extend(virtual_line::heard(&dgt::DRIVER, happenings, end + s(10), line));
    }
    all.sort_by_key(|(at, _)| *at);
    all
}

fn ends_with_mate(game: &rehearsal::Game) -> bool {
    let mut position = game.start.clone();
    game.moves.iter().for_each(|mv| position.play_unchecked(*mv));
    position.is_checkmate()
}

/// The retained payloads, without the numbers and times of the messages.
type Shown = BTreeMap<(TableNo, TableTopic), Arc<str>>;

/// One run of the daemon, without lines, broker and real time.
struct Run {
    memory: Memory,
    publisher: Publisher,
    snapshot: Arc<Snapshot>,
    journal: Journal,
    keeper: Keeper,
    intake: Intake,
    backlog: Arc<Backlog>,
    schedule: Schedule,
    copy: Copy,
    public: Destination,
}

impl Run {
    /// Starts a run where the record in this directory ends. The record goes on at `at`.
    fn begin(directory: &Path, config: &Config, at: Moment) -> Self {
        let segments = journal::recent(directory).unwrap();
        let mut memory = Memory::new(HALF_HOUR);
        for segment in &segments {
            for (at, entry) in journal::read_all(segment).unwrap().records {
                memory.enter(at, &entry, &mut Vec::new());
            }
        }
        let end = segments.last().map_or(0, |it| std::fs::metadata(it).unwrap().len());
        let place = Place { directory: directory.to_owned(), segments, end, every: HALF_HOUR };
        let journal = Journal::open(directory, DAY, Duration::from_millis(1)).unwrap();
        let public = config.public.unwrap();
        let delay =
            Schedule::resumed(memory.works.delay(), memory.works.now(), Some(&public)).unwrap();
        let schedule = Schedule::new(at, delay);
        let micros = i64::try_from(at.as_micros()).unwrap();
        let anchor = Anchor { moment: at, wall: WallTime::from_micros(BEGINS + micros) };
        let begin = Begin { config: config.clone(), run: schedule, place, anchor };
        let shown = Destination { snapshot: Arc::default(), games: Arc::default() };
        let copy = Copy::begin(begin, shown.clone(), schedule.counted(at));
        let (snapshot, backlog) = (Arc::<Snapshot>::default(), Arc::<Backlog>::default());
        let rooms = (Arc::clone(&snapshot), Arc::<Games>::default());
        let mut run = Self {
            memory,
            publisher: Publisher::new(
                rooms,
                config.clone(),
                anchor,
                crate::mqtt::speaker::Speaker::default(),
            ),
            snapshot,
            journal,
            keeper: Keeper::start(directory, public.delay()).unwrap(),
            intake: Intake::new(Arc::clone(&backlog), schedule, public),
            backlog,
            schedule,
            copy,
            public: shown,
        };
        run.enter(at, Entry::Delayed(delay));
        run.enter(at, Entry::Wall(anchor.wall.as_micros()));
        run.enter(at, Entry::Planned(Box::new(config.plan())));
        run.publisher.all(&run.memory.works);
        run
    }

    fn enter(&mut self, at: Moment, entry: Entry) {
        let at = at.max(self.memory.works.now());
        self.journal.append(at, entry.clone());
        self.intake.recorded(at, &entry);
        let mut acts = Vec::new();
        self.memory.sheet.enter(&mut self.memory.works, at, &entry, &mut acts);
        self.act(acts);
    }

    fn act(&mut self, acts: Vec<Act>) {
        let works = &self.memory.works;
        for act in acts {
            match act {
                Act::Table(at, table, effect) => self.publisher.effect(works, at, table, effect),
                Act::Recognised(at) | Act::Seated(at) => self.publisher.recognised(works, at),
                Act::Ended(table, ..) => self.publisher.ended(table),
                _ => {}
            }
        }
    }

    /// Publishes the present state to the hall.
    fn tell(&mut self) {
        self.publisher.draw(&self.memory.works);
        self.publisher.release();
    }

    /// Handles the deadlines up to a moment, each at its own.
    fn wake(&mut self, until: Moment, leap: Duration, live: &mut Shown, seen: &mut Seen) {
        while let Some(at) = self.memory.works.deadline().filter(|at| *at <= until) {
            let mut acts = Vec::new();
            self.memory.sheet.advance(&mut self.memory.works, at, &mut acts);
            self.act(acts);
            self.note(at.since(Moment::ZERO + leap), live, seen);
        }
    }

    /// Publishes to the hall, and notes what changed there.
    fn note(&mut self, at: Duration, live: &mut Shown, seen: &mut Seen) {
        self.tell();
        let changes = drained(&self.snapshot);
        if !changes.is_empty() {
            shown(live, &changes);
            seen.live.push((at, live.clone()));
        }
    }

    /// Brings the hall and the public up to this moment.
    fn settle(&mut self, at: Moment) {
        let mut acts = Vec::new();
        self.memory.sheet.advance(&mut self.memory.works, at, &mut acts);
        self.act(acts);
        self.tell();
        self.journal.settle();
        self.backlog.reaches(self.memory.works.now());
        self.copy.step(self.schedule.counted(at), &self.backlog);
    }

    fn configure(&mut self, at: Moment, config: &Config) {
        self.publisher.configure(config);
        if let Some(entry) = self.intake.configure(at, config) {
            self.enter(at, entry);
        }
        self.enter(at, Entry::Planned(Box::new(config.plan())));
    }

    /// Waits until the checkpoint is written. A busy disk leaves some out, and then the public copy
    /// would begin elsewhere after a kill.
    fn checkpoint(&mut self, directory: &Path) {
        let (works, sheet) = (&self.memory.works, &self.memory.sheet);
        let state = freeze(works, sheet, LineNo::default(), &[]).unwrap();
        let before = last_checkpoint(directory);
        self.journal.mark(self.keeper.mark(state));
        let written = (0..60_000).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            last_checkpoint(directory) != before
        });
        assert!(written, "the checkpoint is not written");
    }

    fn kill(self) {
        self.journal.close();
        self.keeper.close();
    }
}

/// The number of the newest checkpoint.
fn last_checkpoint(directory: &Path) -> Option<u32> {
    checkpoint::numbers(directory).unwrap().into_iter().max()
}

/// Takes over the messages of a snapshot.
fn shown(shown: &mut Shown, messages: &[(Topic, Vec<u8>)]) {
    for (topic, payload) in messages {
        if let Topic::Table(table, topic) = topic.clone().original()
            && TableTopic::PUBLIC.contains(&topic)
            && topic != TableTopic::Device
        {
            let text = String::from_utf8_lossy(payload::without_stamp(payload)).into_owned();
            shown.insert((table, topic), lasting(&text).into());
        }
    }
}

/// A view without the parts that may differ after another start: the day on which a game began
/// comes with the next change, and the clock of a move that is not completed comes once.
fn lasting(text: &str) -> String {
    let lines = text.split('\n').filter(|line| !line.starts_with("[Date "));
    let text = lines.collect::<Vec<_>>().join("\n");
    let open = text.find("\"emt_ms\":null,\"status\":\"released\"");
    let cut = match open.and_then(|end| Some((text.get(..end)?.rfind("\"clk_ms\":")?, end))) {
        Some((begin, end)) => format!("{}{}", &text[..begin], &text[end..]),
        None => text,
    };
    match cut.rfind(" {[%clk ").filter(|at| !cut[*at..].contains("%emt")) {
        Some(at) => cut[..at].to_owned(),
        None => cut,
    }
}

fn drained(snapshot: &Snapshot) -> Vec<(Topic, Vec<u8>)> {
    let messages = std::iter::from_fn(|| snapshot.take());
    let ours = messages.filter_map(|message| match message {
        Message::Ours(topic, payload) => Some((topic, payload)),
        Message::Reply(_) => None,
    });
    ours.collect()
}

/// An interference at a second of the hall.
#[derive(Clone, Copy)]
enum Blow {
    /// The daemon is killed. By the time of day, the pause lasted this long.
    Kill(Duration),
    /// Another delay is configured.
    Delay(Public),
}

/// What was seen in a tournament.
#[derive(Default)]
struct Seen {
    /// The hall's view after every change and at the end of each second.
    live: Vec<(Duration, Shown)>,
    /// The public's view at the end of each second.
    public: Vec<Shown>,
    /// The messages to the public in each second.
    sent: Vec<Vec<(Topic, Vec<u8>)>>,
}

/// Plays a tournament.
fn played(records: &[Record], first: Public, blows: &BTreeMap<u64, Blow>, seconds: u64) -> Seen {
    let directory = tempfile::tempdir().unwrap();
    let mut config = config(3, first);
    let mut run = Run::begin(directory.path(), &config, Moment::ZERO);
    let (mut records, mut seen) = (records.iter().peekable(), Seen::default());
    let (mut live, mut public) = (Shown::new(), Shown::new());
    // How far the record is ahead of the hall, because of the pauses.
    let mut leap = Duration::ZERO;
    for second in 1..=seconds {
        let until = Moment::ZERO + s(second);
        while let Some((at, entry)) = records.next_if(|(at, _)| *at <= until) {
            run.wake(*at + leap, leap, &mut live, &mut seen);
            run.enter(*at + leap, entry.clone());
            run.note(at.since(Moment::ZERO), &mut live, &mut seen);
        }
        run.wake(until + leap, leap, &mut live, &mut seen);
        run.settle(until + leap);
        shown(&mut live, &drained(&run.snapshot));
        let sent = drained(&run.public.snapshot);
        shown(&mut public, &sent);
        seen.live.push((s(second), live.clone()));
        seen.public.push(public.clone());
        seen.sent.push(sent);
        if second % 5 == 0 {
            let again = run.intake.again(until + leap);
            run.enter(until + leap, again);
        }
        if second % 13 == 0 {
            run.checkpoint(directory.path());
        }
        match blows.get(&second) {
            Some(Blow::Kill(pause)) => {
                run.kill();
                leap += *pause;
                run = Run::begin(directory.path(), &config, until + leap);
                run.note(s(second), &mut live, &mut seen);
            }
            Some(Blow::Delay(other)) => {
                config.public = Some(*other);
                run.configure(until + leap, &config);
            }
            None => {}
        }
    }
    run.kill();
    seen
}

impl Seen {
    /// The hall's view at the end of a second.
    fn at(&self, second: u64) -> &Shown {
        let found = self.live.iter().rev().find(|(at, _)| *at <= s(second));
        found.map_or(&self.live[0].1, |(_, shown)| shown)
    }

    /// When each of the hall's views may become public, by the rules of its time.
    fn due(&self, first: Public, blows: &BTreeMap<u64, Blow>) -> Vec<Duration> {
        let delay = |at: Duration| {
            let before = blows.range(..).filter(|(second, _)| s(**second) < at);
            let mut rules = before.filter_map(|(_, blow)| match blow {
                Blow::Delay(rule) => Some(rule.delay()),
                Blow::Kill(_) => None,
            });
            rules.next_back().unwrap_or(first.delay())
        };
        let mut latest = Duration::ZERO;
        let due = self.live.iter().map(|(at, _)| {
            latest = latest.max(*at + delay(*at));
            latest
        });
        due.collect()
    }
}

fn assert_as_it_was(first: Public, blows: &BTreeMap<u64, Blow>, seconds: u64) {
    let records = tournament(3, &[Mishap::WrongGeometry]);
    let seen = played(&records, first, blows, seconds);
    let due = seen.due(first, blows);
    let mut compared = 0;
    for (second, now) in (1..=seconds).zip(&seen.public) {
        let Some(exact) = due.iter().rposition(|due| *due <= s(second)) else { continue };
        let (at, expected) = &seen.live[exact];
        let kills = blows.iter().filter(|&(&of, blow)| {
            let lasts = of..=of + LONGEST + LOST;
            matches!(blow, Blow::Kill(_)) && lasts.contains(&second)
        });
        let late = s(LOST * kills.count() as u64);
        let from = due.iter().rposition(|due| *due + late <= s(second));
        let fits = seen.live[from.unwrap_or(0)..=exact].iter().any(|(_, it)| it == now);
        let begins = from.is_none() && !late.is_zero();
        assert!(fits || begins, "second {second}, {at:?}: {}", differing(now, expected));
        compared += 1;
    }
    assert!(compared > seconds / 2, "{compared}");
    let played = seen.live.iter().map(|(_, shown)| plies(shown, 1).0).max();
    assert!(played > Some(30), "nobody has played: {played:?}");
}

fn tail(text: Option<&Arc<str>>) -> &str {
    text.map_or("", |it| it.get(it.len().saturating_sub(300)..).unwrap_or(it))
}

fn differing(one: &Shown, other: &Shown) -> String {
    let keys = other.keys().filter(|key| one.get(key) != other.get(key));
    let lines = keys
        .map(|key| format!("{key:?}\n  {:?}\n  {:?}\n", tail(one.get(key)), tail(other.get(key))));
    lines.take(3).collect()
}

#[test]
fn the_public_is_told_what_the_hall_was_told_then() {
    assert_as_it_was(rule(40, 0), &BTreeMap::new(), 300);
}

#[test]
fn no_kill_and_no_clock_that_is_set_shows_anything_sooner() {
    let blows = [
        (31, Blow::Kill(Duration::ZERO)),
        (55, Blow::Kill(s(7200))),
        (56, Blow::Kill(s(1))),
        (120, Blow::Kill(s(86_400))),
        (140, Blow::Kill(s(30))),
        (141, Blow::Kill(s(600))),
        (250, Blow::Kill(Duration::ZERO)),
    ];
    assert_as_it_was(rule(40, 0), &blows.into(), 330);
}

#[test]
fn another_delay_holds_for_what_comes_over_kills_too() {
    let blows = [
        (60, Blow::Delay(rule(10, 0))),
        (70, Blow::Kill(s(50))),
        (150, Blow::Delay(rule(45, 0))),
        (160, Blow::Kill(s(3600))),
        (230, Blow::Delay(rule(20, 0))),
    ];
    assert_as_it_was(rule(40, 0), &blows.into(), 330);
}

/// Two halls are alike for a while. Until their difference is due, the public of both gets the same
/// bytes in the same seconds.
#[test]
fn nothing_that_is_sent_says_what_happens_now() {
    let records = tournament(3, &[]);
    for parts in [40, 77, 103] {
        let quiet: Vec<_> =
            records.iter().filter(|(at, _)| *at <= Moment::ZERO + s(parts)).cloned().collect();
        for (first, blows) in [
            (rule(30, 0), BTreeMap::new()),
            (rule(30, 3), BTreeMap::new()),
            (rule(30, 0), [(parts, Blow::Kill(s(60)))].into()),
        ] {
            let [busy, quiet] =
                [&records, &quiet].map(|it| played(it, first, &blows, parts + 60).sent);
            let alike = usize::try_from(parts + first.delay_s).unwrap();
            for (second, (busy, quiet)) in busy.iter().zip(&quiet).enumerate().take(alike) {
                assert_eq!(busy, quiet, "second {second} of {parts}");
            }
            assert!(busy.iter().take(alike).any(|it| it.len() > 3), "nobody was told anything");
            assert_ne!(busy, quiet, "they are not alike for ever");
        }
    }
}

fn plies(shown: &Shown, table: u32) -> (u64, bool) {
    let Some(position) = shown.get(&(TableNo::new(table), TableTopic::Position)) else {
        return (0, false);
    };
    let text = format!("{{\"v\":1{position}");
    let position: serde_json::Value = serde_json::from_str(&text).unwrap();
    (position["ply"].as_u64().unwrap(), position["result"] != "*")
}

#[test]
fn the_last_moves_are_held_back_until_the_game_is_over_over_kills_too() {
    let records = tournament(3, &[]);
    let blows = [(60, Blow::Kill(s(5))), (90, Blow::Kill(Duration::ZERO))].into();
    let (seconds, delay) = (420, 20);
    let from = usize::try_from(delay).unwrap();
    let seen = played(&records, rule(delay, 4), &blows, seconds);
    let mut held = 0;
    for table in 1..=3 {
        let shown_live = seen.live.iter().map(|(at, shown)| (*at, plies(shown, table)));
        let mut shown_live = shown_live.peekable();
        let (mut most, mut over) = (0, false);
        for (second, now) in (delay + 1..=seconds).zip(&seen.public[from..]) {
            // A move that was taken back counts as made.
            while let Some((_, (then, is))) = shown_live.next_if(|(at, _)| *at <= s(second - delay))
            {
                (most, over) = (most.max(then), over || is);
            }
            let now = plies(now, table).0;
            let hidden = now == 0 || now + 4 <= most;
            assert!(now <= most && (over || hidden), "second {second}: {now} of {most}");
            held += u32::from(!over && now > 0);
        }
    }
    assert!(held > 100);
    let (last, then) = (&seen.public[419], seen.at(400));
    let over = (1..=3).filter(|table| plies(then, *table).1);
    let mut ended = 0;
    for table in over {
        assert_eq!(plies(last, table), plies(then, table));
        let pgn = (TableNo::new(table), TableTopic::Pgn);
        assert_eq!(last[&pgn], then[&pgn]);
        ended += 1;
    }
    assert!(ended > 0, "no game has ended");
    let stands = |shown: &Shown| {
        shown
            .iter()
            .filter(|((_, topic), _)| *topic == TableTopic::Clock)
            .all(|(_, payload)| payload.contains("\"running\":null,\"flag\""))
    };
    assert!(seen.public.iter().all(stands), "a clock that runs tells who is to move");
}

#[test]
fn at_the_start_the_public_sees_the_pieces_set_up() {
    let seen = played(&[], rule(900, 0), &[(3, Blow::Kill(s(60)))].into(), 9);
    for table in 1..=3 {
        // After a start nothing was published yet.
        let is_shown = |second: usize| {
            let of_table = Topic::Public(TableNo::new(table), TableTopic::Position);
            seen.sent[second].iter().any(|(topic, _)| *topic == of_table)
        };
        assert!(is_shown(0) && !is_shown(1) && is_shown(3) && !is_shown(8));
        let shown = &seen.public[0];
        assert_eq!(plies(shown, table), (0, false));
        let text = &shown[&(TableNo::new(table), TableTopic::Game)];
        assert!(text.contains(&format!("White {table}")), "{text}");
        let position = &shown[&(TableNo::new(table), TableTopic::Position)];
        assert!(position.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"), "{position}");
    }
}

/// After a flood the copy goes on with the state of that moment.
#[test]
fn too_much_to_wait_is_followed_by_everything_anew() {
    let directory = tempfile::tempdir().unwrap();
    let config = config(1, rule(5, 0));
    let mut run = Run::begin(directory.path(), &config, Moment::ZERO);
    let records = tournament(1, &[]);
    let at = |second: u64| Moment::ZERO + s(second);
    let enter = |run: &mut Run, from: u64, to: u64| {
        let part = records.iter().filter(|(it, _)| *it > at(from) && *it <= at(to));
        part.for_each(|(at, entry)| run.enter(*at, entry.clone()));
    };
    run.enter(Moment::ZERO, records[0].1.clone());
    enter(&mut run, 0, 30);
    // No real line can do this, because its quota prevents it.
    let mut backlog_full = 0;
    while !run.backlog.has_lost() {
        run.backlog.push(&(at(30), Entry::Bytes(LineNo::new(99), vec![0; 1 << 20])));
        backlog_full += 1;
    }
    assert!(backlog_full > 200);
    enter(&mut run, 30, 60);
    run.settle(at(60));
    assert!(run.backlog.wants_all(), "everything up to then was due");
    let state = freeze(&run.memory.works, &run.memory.sheet, LineNo::default(), &[]).unwrap();
    run.backlog.all(at(60), state.encode().unwrap());
    enter(&mut run, 60, 80);
    let mut live = Shown::new();
    run.settle(at(70));
    shown(&mut live, &drained(&run.snapshot));
    run.settle(at(90));
    let mut public = Shown::new();
    shown(&mut public, &drained(&run.public.snapshot));
    assert!(plies(&live, 1).0 > 2);
    assert_eq!(differing(&public, &live), "");
    run.kill();
}

#[tokio::test]
async fn outlets_read_the_copy_as_they_would_read_the_hall() {
    use crate::mqtt::snapshot::Source as _;
    let directory = tempfile::tempdir().unwrap();
    let mut run = Run::begin(directory.path(), &config(2, rule(900, 0)), Moment::ZERO);
    let mut reader = run.public.snapshot.reader(Feed::Public);
    run.settle(Moment::ZERO + s(1));
    let topics: Vec<_> = reader.changes().await.into_iter().map(|(topic, _)| topic).collect();
    assert!(topics.contains(&Topic::BridgeInfo));
    assert!(topics.contains(&Topic::Table(TableNo::new(2), TableTopic::Device)), "{topics:?}");
    assert!(!topics.contains(&Topic::Table(TableNo::new(2), TableTopic::Board)), "{topics:?}");
    assert_eq!(run.public.games.all().len(), 2);
    run.kill();
}
