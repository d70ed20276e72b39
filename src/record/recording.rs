//! What can be played again: captures, gesture scripts and journals, as entries.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use eboard::{Carrier, Colour, Driver, Moment};
use rehearsal::{Faults, Gesture, Header, ScriptError};
use serde_json::json;
use witness::{Edition, LineNo, TableNo, TimeControl};

use crate::entry::{Entry, LineId, Plan, SecondBoard, TableEntry, Watch};
use crate::exit::{self, Failure};
use crate::lines::virtual_line;
use crate::pairings::{Pairing, Player, Players, Round};
use crate::record::capture;
use crate::record::journal;
use crate::requests::Request;

/// When the board of a script is known. Its clock starts a little later.
const KNOWN: Duration = Duration::from_millis(950);
/// The first part of a journal's file name.
const JOURNAL_PREFIX: &str = "journal-";
/// The line and the table of a capture.
const LINE: LineNo = LineNo::new(1);
const TABLE: TableNo = TableNo::new(1);
/// The line of a second board.
const SECOND_LINE: LineNo = LineNo::new(1000);

/// Options that override what a recording says.
#[derive(Args, Default)]
pub struct Wanted {
    /// The Laws in force
    #[arg(long, value_name = "EDITION", value_parser = editions())]
    laws: Option<String>,
    /// The time control, as 180+2
    #[arg(long, value_name = "TC")]
    time_control: Option<String>,
    /// The boards of gesture scripts are of this family, as dgt
    #[arg(long, value_name = "DRIVER", value_parser = families())]
    board: Option<String>,
}

impl Wanted {
    /// Overrides the Laws only.
    #[must_use]
    pub fn under(laws: Edition) -> Self {
        Self { laws: Some(laws.year().to_owned()), ..Self::default() }
    }

    /// Overrides the family of boards in gesture scripts too.
    #[must_use]
    pub fn on(self, driver: &eboard::Driver) -> Self {
        Self { board: Some(driver.name.to_owned()), ..self }
    }
}

fn families() -> PossibleValuesParser {
    PossibleValuesParser::new(catalog::DRIVERS.iter().map(|driver| driver.name))
}

fn editions() -> PossibleValuesParser {
    PossibleValuesParser::new(Edition::ALL.map(Edition::year))
}

/// A recording, ready to be played.
#[derive(Clone)]
pub struct Recording {
    /// The entries in order.
    pub entries: Vec<journal::Record>,
    /// Whether it is a journal. A journal contains the answers to questions of mate, and may name
    /// players.
    pub journal: bool,
    /// The damage that could not be read, for people.
    pub missing: Vec<String>,
    /// The file in which to report orders that cannot be carried out; none for journals, whose
    /// orders may have been refused at the time.
    pub orders: Option<PathBuf>,
}

/// Fails if a recording is damaged, after its readable part was used.
///
/// # Errors
/// If anything is missing.
pub fn refuse_gaps(recordings: &[Recording]) -> Result<(), Failure> {
    let missing = recordings.iter().flat_map(|recording| &recording.missing);
    let missing: Vec<_> = missing.map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let text = format!("what was made of this record is not whole:\n  {}", missing.join("\n  "));
    Err(Failure::new(exit::DATA, text))
}

/// Reads recordings. Consecutive segments of a journal become one, because games go on from one to
/// the next.
///
/// # Errors
/// If a file cannot be read or is no recording.
pub fn read_all(files: &[PathBuf], wanted: &Wanted) -> Result<Vec<Recording>, Failure> {
    let mut recordings: Vec<Recording> = Vec::new();
    for file in files {
        let read = read(file, wanted)?;
        match recordings.last_mut() {
            Some(before) if before.journal && read.journal && follows(before, &read) => {
                before.entries.extend(read.entries);
                before.missing.extend(read.missing);
            }
            _ => recordings.push(read),
        }
    }
    Ok(recordings)
}

fn follows(before: &Recording, after: &Recording) -> bool {
    let (last, first) = (before.entries.last(), after.entries.first());
    last.zip(first).is_none_or(|(last, first)| last.0 <= first.0)
}

fn read(path: &Path, wanted: &Wanted) -> Result<Recording, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.starts_with(JOURNAL_PREFIX) {
        return read_journal(path, wanted);
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    if name.ends_with(".gestures") {
        return read_gestures(path, &text, wanted);
    }
    read_capture(path, &text, wanted)
}

fn read_journal(path: &Path, wanted: &Wanted) -> Result<Recording, Failure> {
    let content = journal::read_all(path).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
    let missing = content.missing();
    let missing = missing.iter().map(|it| format!("{}: {it}", path.display())).collect();
    let mut entries = content.records;
    if entries.is_empty() && content.good == 0 {
        let text = format!("{}: no record of a journal in it", path.display());
        return Err(Failure::new(exit::DATA, text));
    }
    let (laws, control) = (laws(wanted.laws.as_deref()), control(wanted, None)?);
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
    Ok(Recording { entries, journal: true, missing, orders: None })
}

fn read_capture(path: &Path, text: &str, wanted: &Wanted) -> Result<Recording, Failure> {
    let capture = capture::parse(text)
        .map_err(|error| Failure::new(exit::DATA, format!("{}: {error}", path.display())))?;
    let header = &capture.header;
    let control = control(wanted, header.get("TimeControl"))?;
    let laws = wanted.laws.as_deref().or(header.get("Laws"));
    let carrier = header.carrier().map_err(|value| {
        let wanted = "write serial, socket, or hid and the ids, as in hid 2d80:8001";
        let text = format!("{}: Carrier: {value} is not known: {wanted}", path.display());
        Failure::new(exit::DATA, text)
    })?;
    let desk =
        Desk { number: TABLE, pairing: None, watch: watch(laws, &control), driver: None, carrier };
    let mut entries = opening(vec![desk]);
    entries.extend(capture.events.into_iter().filter_map(|event| match event {
        capture::Event::Read(at, bytes) => Some((at, Entry::Bytes(LINE, bytes))),
        capture::Event::Written(..) => None,
    }));
    Ok(Recording { entries, journal: false, missing: Vec::new(), orders: None })
}

fn read_gestures(path: &Path, text: &str, wanted: &Wanted) -> Result<Recording, Failure> {
    let fail = |problem: String| Failure::new(exit::DATA, format!("{}: {problem}", path.display()));
    let mut scripts = Vec::new();
    for part in parts(text).map_err(fail)? {
        let script = rehearsal::parse(part.text).map_err(|error| {
            fail(ScriptError { line: error.line + part.before, ..error }.to_string())
        })?;
        if part.table > TABLE && !script.unplugs().is_empty() {
            let only = format!("table {}: line:out can be played at table 1 only", part.table);
            return Err(fail(only));
        }
        scripts.push((part.table, script));
    }
    let end = scripts.iter().map(|(_, script)| script.end()).max().unwrap_or(Moment::ZERO);
    let (mut desks, mut entries) = (Vec::new(), Vec::new());
    for (table, script) in &scripts {
        let desk = desk(*table, script.header(), wanted)?;
        entries.extend(heard(script, &desk, end));
        entries.extend(orders(script, *table));
        desks.push(desk);
    }
    // Requests come before sightings of the same moment.
    entries.sort_by_key(|(at, entry)| (*at, !matches!(entry, Entry::Request(_))));
    let entries = opening(desks).into_iter().chain(entries).collect();
    let orders = Some(path.to_owned());
    Ok(Recording { entries, journal: false, missing: Vec::new(), orders })
}

/// The part of a script for one table.
struct Part<'a> {
    table: TableNo,
    text: &'a str,
    /// The number of lines before it.
    before: usize,
}

/// The script of table 1, then those of other tables, each after a line with its number.
fn parts(text: &str) -> Result<Vec<Part<'_>>, String> {
    let (mut found, mut begins) = (Vec::new(), 0);
    let (mut table, mut before) = (TABLE, 0);
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        at += line.len();
        let named = line.strip_prefix('#').and_then(|named| named.trim().strip_prefix("table:"));
        let Some(named) = named else { continue };
        found.push(Part { table, text: &text[begins..at - line.len()], before });
        let other = |it: &TableNo| found.iter().all(|part: &Part<'_>| part.table != *it);
        table = named.trim().parse().ok().filter(other).ok_or_else(|| {
            format!("read line {number}, `{}`: wanted another table, as 2", line.trim())
        })?;
        (begins, before) = (at, number);
    }
    found.push(Part { table, text: &text[begins..], before });
    Ok(found)
}

/// A table of a recording.
struct Desk {
    number: TableNo,
    /// The players in the pairings.
    pairing: Option<[String; 2]>,
    watch: Watch,
    driver: Option<&'static Driver>,
    carrier: Carrier,
}

impl Desk {
    fn port(&self) -> String {
        match self.number {
            TABLE => virtual_line::NAME.to_owned(),
            number => format!("table-{number}"),
        }
    }

    fn line(&self) -> LineNo {
        self.after(LINE)
    }

    fn second_line(&self) -> LineNo {
        self.after(SECOND_LINE)
    }

    /// The lines of the tables follow one another.
    fn after(&self, first: LineNo) -> LineNo {
        LineNo::new(first.get() + self.number.get() - TABLE.get())
    }
}

fn desk(number: TableNo, header: &Header, wanted: &Wanted) -> Result<Desk, Failure> {
    let driver = wanted.board.as_deref().and_then(catalog::find).unwrap_or(match header.sensing {
        rehearsal::Sensing::Identity => &dgt::DRIVER,
        rehearsal::Sensing::Occupancy => &certabo::TABUTRONIC,
    });
    let laws = header.laws.map(|edition| match edition {
        rehearsal::Edition::E2005 => "2005",
        rehearsal::Edition::E2014 => "2014",
        rehearsal::Edition::E2018 => "2018",
        rehearsal::Edition::E2023 => "2023",
    });
    let control = control(wanted, Some(&header.time_control.to_string()))?;
    let laws = wanted.laws.as_deref().or(laws);
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
        result_after_s: result_after(header),
        min_draw_move: header.min_draw_move,
        quickplay_finish: header.quickplay_finish,
        second_board: second_board.to_owned(),
        ..watch(laws, &control)
    };
    let (pairing, carrier) = (header.pairing.clone(), driver.emulated_over());
    Ok(Desk { number, pairing, watch, driver: Some(driver), carrier })
}

fn result_after(header: &Header) -> u64 {
    let minutes = header.result_after_min.map(u64::from);
    minutes.map_or(Watch::default().result_after_s, |minutes| minutes * 60)
}

/// The pairings of a script's only round, if it names any.
fn round(desks: &[Desk]) -> Option<Round> {
    let player = |name: &String| Player { name: name.clone(), ..Player::default() };
    let pairings = desks.iter().filter_map(|desk| {
        let [white, black] = desk.pairing.as_ref()?;
        let players = Players { white: player(white), black: player(black) };
        Some(Pairing { table: desk.number, players, ..Pairing::default() })
    });
    let pairings: Vec<_> = pairings.collect();
    (!pairings.is_empty()).then(|| Round { name: "1".to_owned(), pairings })
}

/// The requests of a script, its position first.
fn orders(script: &rehearsal::Script, table: TableNo) -> Vec<journal::Record> {
    let header = script.header();
    let set_position = |fen: &String| {
        let body = json!({"table": table, "fen": fen, "chess960": header.chess960});
        (Moment::ZERO + KNOWN, "set_position".to_owned(), body)
    };
    let asked = script.orders().iter().map(|(at, order)| {
        let (verb, body) = asked(order, table);
        (*at, verb, body)
    });
    let all = header.fen.as_ref().map(set_position).into_iter().chain(asked);
    all.map(|(at, verb, body)| (at, Entry::Request(Request::read(&verb, body, "script")))).collect()
}

/// The request of an arbiter's gesture. Most have the same name in both notations.
fn asked(order: &Gesture, table: TableNo) -> (String, serde_json::Value) {
    match order {
        Gesture::Colours(reversed) => {
            ("set_pairing".to_owned(), json!({"table": table, "colours_reversed": reversed}))
        }
        Gesture::Result(outcome) => {
            ("set_result".to_owned(), json!({"table": table, "result": outcome}))
        }
        Gesture::Grant(side, seconds) => {
            let opponent = match side {
                Colour::White => "black_s",
                Colour::Black => "white_s",
            };
            let body = json!({"table": table, "increment": seconds, opponent: 120});
            ("grant_time".to_owned(), body)
        }
        Gesture::Resume(Some(absent)) => {
            ("resume".to_owned(), json!({"table": table, "absent": absent.word()}))
        }
        order => (order.to_string(), json!({"table": table})),
    }
}

/// The sightings of a script's boards, as bytes.
fn heard(script: &rehearsal::Script, desk: &Desk, end: Moment) -> Vec<journal::Record> {
    let Some(driver) = desk.driver else { return Vec::new() };
    let faults = Faults { unplugs: script.unplugs().to_vec(), ..Faults::default() };
    let seen = script.header().readings.of(script.play(), 0);
    let first = virtual_line::heard_through(driver, seen, end, desk.line(), &faults, 0);
    let mut heard = first.records;
    if script.header().second_board.is_some() {
        let second = script.play_second();
        heard.extend(virtual_line::heard(driver, second, end, desk.second_line()));
    }
    heard
}

/// The first entries of a recording.
fn opening(desks: Vec<Desk>) -> Vec<journal::Record> {
    let open =
        |number: LineNo, port: &str, over| Entry::Opened(number, LineId::at(port).over(over));
    let mut plan = Plan { rounds: round(&desks).into_iter().collect(), ..Plan::default() };
    let mut opened = Vec::new();
    for desk in desks {
        let (port, driver) = (desk.port(), desk.driver.map(|it| it.name.to_owned()));
        opened.push(open(desk.line(), &port, desk.carrier));
        if !desk.watch.second_board.is_empty() {
            let second = format!("second-{}", desk.number);
            opened.push(open(desk.second_line(), &second, desk.carrier));
            plan.second_boards.push(SecondBoard {
                table: desk.number,
                port: Some(second),
                driver: driver.clone(),
                ..SecondBoard::default()
            });
        }
        if plan.tables.is_empty() {
            plan.watch = desk.watch.clone();
        }
        plan.tables.push(TableEntry {
            number: desk.number,
            port: Some(port),
            serial: None,
            driver,
            station: 0,
            watch: desk.watch,
        });
    }
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

/// The time control that overrides, or else the recording's own. A text that is no time control is
/// only quoted, and nothing is computed from it.
fn control(wanted: &Wanted, own: Option<&str>) -> Result<String, Failure> {
    let Some(asked) = &wanted.time_control else { return Ok(own.unwrap_or_default().into()) };
    let refuse = |error| Failure::new(exit::USAGE, format!("--time-control: {error}"));
    TimeControl::read(asked).map_err(refuse)?;
    Ok(asked.clone())
}
