//! `adoubed replay`: captures and journals through the same machines, as fast as it will go.

mod lines;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use eboard::{Colour, Driver, Moment};
use rehearsal::Faults;
use serde_json::json;
use witness::{Effect, Event, Phase, Score};

use super::say;
use crate::capture;
use crate::entry::{Answer, Entry, LineId, Plan, Request, SecondBoard, TableEntry, Watch};
use crate::exit::{self, Failure};
use crate::journal;
use crate::pgn::{self, Tags};
use crate::run::analyst::look_to_the_end;
use crate::virtual_line;
use crate::works::{Act, Works};

/// How long the machines are given after the last entry to make up their minds: longer than two
/// kings must rest in the centre to be a result, shorter than pieces must stand set up again.
const AFTERWARDS: Duration = Duration::from_millis(2500);
/// By then the board of a script has been seen; its clock starts a little later.
const KNOWN: Duration = Duration::from_millis(950);
/// The name of a journal's file begins with this.
const JOURNAL_PREFIX: &str = "journal-";
/// The line and the table of a recording of one table.
const LINE: u32 = 1;
const TABLE: u32 = 1;
/// The line of a second board.
const SECOND_LINE: u32 = 1000;

#[derive(Args)]
pub struct Arguments {
    /// Captures (.cap), gesture scripts (.gestures) or journals
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object per line: moves, incidents, results
    #[arg(long)]
    json: bool,
    /// The games
    #[arg(long)]
    pgn: bool,
    /// The games to their end, also where an illegal move stood or moves were not seen
    #[arg(long, requires = "pgn")]
    full: bool,
    /// The Laws in force
    #[arg(long, value_name = "EDITION", value_parser = ["2014", "2018", "2023"])]
    laws: Option<String>,
    /// The time control, as 180+2
    #[arg(long, value_name = "TC")]
    time_control: Option<String>,
}

/// One recording, ready to be played.
struct Recording {
    entries: Vec<journal::Record>,
    tags: Tags,
    /// Whether the answers to questions of mate are in it.
    answered: bool,
    /// Where to say that an order in it cannot be carried out; a journal's may have been refused.
    orders: Option<PathBuf>,
}

pub fn replay(arguments: &Arguments) -> Result<(), Failure> {
    let json = arguments.json || !arguments.pgn;
    for file in &arguments.files {
        let recording = read(file, arguments)?;
        let (pgn, full) = (arguments.pgn, arguments.full);
        let answers = !recording.answered;
        let mut player = Player { json, pgn, full, answers, tags: recording.tags };
        let refused = player.play(&recording.entries);
        if let (Some(path), Some(why)) = (recording.orders, refused) {
            let text = format!("{}: {why}", path.display());
            return Err(Failure::new(exit::DATA, text));
        }
    }
    Ok(())
}

fn read(path: &Path, arguments: &Arguments) -> Result<Recording, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.starts_with(JOURNAL_PREFIX) {
        return read_journal(path, arguments);
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    if name.ends_with(".gestures") {
        return read_gestures(path, &text, arguments);
    }
    read_capture(path, &text, arguments)
}

fn read_journal(path: &Path, arguments: &Arguments) -> Result<Recording, Failure> {
    let (mut entries, good) =
        journal::read(path).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
    if entries.is_empty() && good == 0 {
        let text = format!("{}: no record of a journal in it", path.display());
        return Err(Failure::new(exit::DATA, text));
    }
    let (laws, control) = (laws(arguments.laws.as_deref()), control(arguments, None)?);
    for (_, entry) in &mut entries {
        let Entry::Planned(plan) = entry else { continue };
        let tables = plan.tables.iter_mut().map(|table| &mut table.watch);
        for watch in tables.chain([&mut plan.watch]) {
            watch.laws = laws.unwrap_or(watch.laws);
            if !control.is_empty() {
                watch.time_control.clone_from(&control);
            }
        }
    }
    Ok(Recording { entries, tags: tags(control), answered: true, orders: None })
}

fn read_capture(path: &Path, text: &str, arguments: &Arguments) -> Result<Recording, Failure> {
    let capture = capture::parse(text)
        .map_err(|error| Failure::new(exit::DATA, format!("{}: {error}", path.display())))?;
    let header = &capture.header;
    let control = control(arguments, header.get("TimeControl"))?;
    let laws = arguments.laws.as_deref().or(header.get("Laws"));
    let mut entries = opening(watch(laws, &control), None);
    entries.extend(capture.events.into_iter().filter_map(|event| match event {
        capture::Event::Read(at, bytes) => Some((at, Entry::Bytes(LINE, bytes))),
        capture::Event::Written(..) => None,
    }));
    Ok(Recording { entries, tags: tags(control), answered: false, orders: None })
}

fn read_gestures(path: &Path, text: &str, arguments: &Arguments) -> Result<Recording, Failure> {
    let fail = |problem: String| Failure::new(exit::DATA, format!("{}: {problem}", path.display()));
    let script = rehearsal::parse(text).map_err(|error| fail(error.to_string()))?;
    let header = script.header();
    let driver = match header.sensing {
        rehearsal::Sensing::Identity => &dgt::DRIVER,
        rehearsal::Sensing::Occupancy => &certabo::TABUTRONIC,
    };
    let laws = header.laws.map(|edition| match edition {
        rehearsal::Edition::E2014 => "2014",
        rehearsal::Edition::E2018 => "2018",
        rehearsal::Edition::E2023 => "2023",
    });
    let control = control(arguments, Some(&header.time_control.to_string()))?;
    let laws = arguments.laws.as_deref().or(laws);
    let rate = header.rate.map_or("", |rate| match rate {
        rehearsal::Rate::Standard => "standard",
        rehearsal::Rate::Rapid => "rapid",
        rehearsal::Rate::Blitz => "blitz",
    });
    let unsupervised = header.supervision == Some(rehearsal::Supervision::Inadequate);
    let second_board = header.second_board.map_or("", |whose| match whose {
        Colour::White => "white",
        Colour::Black => "black",
    });
    let watch = Watch {
        rate: rate.to_owned(),
        unsupervised,
        default_time_s: header.default_time_s.into(),
        quickplay_finish: header.quickplay_finish,
        second_board: second_board.to_owned(),
        ..watch(laws, &control)
    };
    let mut entries = opening(watch, Some(driver.name));
    entries.extend(heard(&script, driver));
    let fen = header.fen.as_ref().map(|fen| {
        (Moment::ZERO + KNOWN, "set_position".to_owned(), json!({"table": TABLE, "fen": fen}))
    });
    let orders = script.orders().iter().map(|(at, order)| {
        // The notation names its orders as the requests are named.
        (*at, order.to_string(), json!({"table": TABLE}))
    });
    for (at, verb, body) in fen.into_iter().chain(orders) {
        let request = Request { verb, body, by: "script".into() };
        let place = entries.partition_point(|(other, _)| *other < at);
        entries.insert(place, (at, Entry::Request(request)));
    }
    let orders = Some(path.to_owned());
    Ok(Recording { entries, tags: tags(control), answered: false, orders })
}

/// What the boards of a script say.
fn heard(script: &rehearsal::Script, driver: &'static Driver) -> Vec<journal::Record> {
    let faults = Faults { unplugs: script.unplugs().to_vec(), ..Faults::default() };
    let first = virtual_line::heard_through(driver, script.play(), script.end(), LINE, &faults, 0);
    let mut heard = first.records;
    if script.header().second_board.is_some() {
        let second = script.play_second();
        heard.extend(virtual_line::heard(driver, second, script.end(), SECOND_LINE));
        heard.sort_by_key(|(at, _)| *at);
    }
    heard
}

/// What every recording of one table begins with.
fn opening(watch: Watch, driver: Option<&str>) -> Vec<journal::Record> {
    let port = virtual_line::NAME.to_owned();
    let table = TableEntry {
        number: TABLE,
        port: Some(port.clone()),
        serial: None,
        driver: driver.map(str::to_owned),
        station: 0,
        watch: watch.clone(),
    };
    let second = (!watch.second_board.is_empty()).then(|| SecondBoard {
        table: TABLE,
        port: Some("second".to_owned()),
        driver: driver.map(str::to_owned),
        ..SecondBoard::default()
    });
    let line = |port: &str| LineId { path: port.to_owned(), names: vec![port.to_owned()] };
    let lines = [(LINE, Some(line(&port))), (SECOND_LINE, second.as_ref().map(|_| line("second")))];
    let second_boards = second.into_iter().collect();
    let plan = Plan { tables: vec![table], second_boards, watch, ..Plan::default() };
    let opened = lines.into_iter().filter_map(|(number, id)| Some(Entry::Opened(number, id?)));
    let entries = std::iter::once(Entry::Planned(Box::new(plan))).chain(opened);
    entries.map(|entry| (Moment::ZERO, entry)).collect()
}

fn watch(edition: Option<&str>, control: &str) -> Watch {
    let laws = laws(edition).unwrap_or(Watch::default().laws);
    Watch { laws, time_control: control.to_owned(), ..Watch::default() }
}

fn laws(edition: Option<&str>) -> Option<u16> {
    edition?.parse().ok()
}

/// What was asked for, or else what the recording says of itself: whatever it is that is no time
/// control is only quoted, and nothing is predicted from it.
fn control(arguments: &Arguments, own: Option<&str>) -> Result<String, Failure> {
    let Some(asked) = &arguments.time_control else { return Ok(own.unwrap_or_default().into()) };
    let refuse = |error| Failure::new(exit::USAGE, format!("--time-control: {error}"));
    asked.parse::<witness::TimeControl>().map_err(refuse)?;
    Ok(asked.clone())
}

fn tags(time_control: String) -> Tags {
    Tags { time_control, ..Tags::default() }
}

/// A read is taken byte by byte: each line then says what was so when it happened, and not what the
/// rest of the read has made of it, however the bytes were cut.
fn parts(entry: &Entry) -> Vec<Cow<'_, Entry>> {
    match entry {
        Entry::Bytes(line, bytes) => {
            bytes.iter().map(|byte| Cow::Owned(Entry::Bytes(*line, vec![*byte]))).collect()
        }
        whole => vec![Cow::Borrowed(whole)],
    }
}

/// Plays entries and prints what comes of them.
struct Player {
    json: bool,
    pgn: bool,
    full: bool,
    /// Whether questions of mate are to be looked at.
    answers: bool,
    tags: Tags,
}

impl Player {
    /// Gives why the first order was refused, if one was.
    fn play(&mut self, entries: &[journal::Record]) -> Option<String> {
        let mut refused = None;
        let mut works = Works::new(catalog::DRIVERS.to_vec());
        let mut acts = Vec::new();
        for (at, entry) in entries {
            for part in parts(entry) {
                works.enter(*at, &part, &mut acts);
                self.answer(&mut works, &mut acts);
                self.print(&works, &mut acts, &mut refused);
            }
        }
        works.advance(works.now() + AFTERWARDS, &mut acts);
        self.print(&works, &mut acts, &mut refused);
        for (table, machine) in works.hall().tables() {
            if machine.phase() != Phase::Unset {
                self.game(works.now(), table, machine.score());
            }
        }
        refused
    }

    /// Whatever is asked is answered at once.
    fn answer(&self, works: &mut Works, acts: &mut Vec<Act>) {
        let mut looked = 0;
        while let Some(act) = acts.get(looked).filter(|_| self.answers) {
            if let Act::Table(_, table, Effect::Asked(question)) = act {
                let winnable = look_to_the_end(question);
                let answer = Answer { table: *table, question: question.number, winnable };
                works.enter(works.now(), &Entry::Answered(answer), acts);
            }
            looked += 1;
        }
    }

    fn print(&mut self, works: &Works, acts: &mut Vec<Act>, refused: &mut Option<String>) {
        for act in acts.drain(..) {
            if let Act::Answered(_, Err(why)) = &act {
                refused.get_or_insert_with(|| why.clone());
            }
            let Act::Table(at, number, effect) = act else { continue };
            let Some(table) = works.hall().table(number) else { continue };
            if self.json
                && let Some(line) = lines::line(at, number, table, &effect)
            {
                say(line);
            }
            if let Effect::Told(Event::NewGame(Some(before))) = effect {
                self.game(at, number, &before);
            }
        }
    }

    fn game(&mut self, now: Moment, table: u32, score: &Score) {
        if self.json {
            say(lines::score(now, table, score));
        }
        if self.pgn {
            let write = if self.full { pgn::write_full } else { pgn::write };
            say(write(&self.tags, score));
        }
    }
}
