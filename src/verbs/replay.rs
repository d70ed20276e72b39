//! `adoubed replay`: captures and journals through the same machines, as fast as it will go.

mod lines;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use eboard::Moment;
use witness::{Effect, Event, Score};

use super::say;
use crate::capture;
use crate::entry::{Entry, LineId, Plan, TableEntry, Watch};
use crate::exit::{self, Failure};
use crate::journal;
use crate::pgn::{self, Tags};
use crate::works::{Act, Works};

/// How long the machines are given after the last entry to make up their minds.
const AFTERWARDS: Duration = Duration::from_millis(1500);
/// Bytes of a file that are looked at to tell a journal from a text.
const JOURNAL_PREFIX: &str = "journal-";

#[derive(Args)]
pub struct Arguments {
    /// Captures (.cap) or journals
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object per line: moves, incidents, results
    #[arg(long)]
    json: bool,
    /// The games
    #[arg(long)]
    pgn: bool,
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
}

pub fn replay(arguments: &Arguments) -> Result<(), Failure> {
    let json = arguments.json || !arguments.pgn;
    for file in &arguments.files {
        let recording = read(file, arguments)?;
        let mut player = Player { json, pgn: arguments.pgn, tags: recording.tags };
        player.play(&recording.entries);
    }
    Ok(())
}

fn read(path: &Path, arguments: &Arguments) -> Result<Recording, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.starts_with(JOURNAL_PREFIX) {
        return read_journal(path, arguments);
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    read_capture(path, &text, arguments)
}

fn read_journal(path: &Path, arguments: &Arguments) -> Result<Recording, Failure> {
    let (mut entries, good) =
        journal::read(path).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
    if entries.is_empty() && good == 0 {
        let text = format!("{}: no record of a journal in it", path.display());
        return Err(Failure::new(exit::DATA, text));
    }
    if let Some(laws) = laws(arguments.laws.as_deref()) {
        for (_, entry) in &mut entries {
            if let Entry::Planned(plan) = entry {
                plan.watch.laws = laws;
                plan.tables.iter_mut().for_each(|table| table.watch.laws = laws);
            }
        }
    }
    let tags = tags(arguments.time_control.as_deref());
    Ok(Recording { entries, tags })
}

fn read_capture(path: &Path, text: &str, arguments: &Arguments) -> Result<Recording, Failure> {
    let capture = capture::parse(text)
        .map_err(|error| Failure::new(exit::DATA, format!("{}: {error}", path.display())))?;
    let header = &capture.header;
    let edition = laws(arguments.laws.as_deref().or(header.get("Laws")));
    let watch = Watch { laws: edition.unwrap_or(Watch::default().laws), ..Watch::default() };
    let port = "capture".to_owned();
    let table = TableEntry {
        number: 1,
        port: Some(port.clone()),
        serial: None,
        driver: None,
        station: 0,
        watch: watch.clone(),
    };
    let id = LineId { path: port.clone(), names: vec![port] };
    let mut entries = vec![
        (Moment::ZERO, Entry::Planned(Plan { tables: vec![table], watch })),
        (Moment::ZERO, Entry::Opened(1, id)),
    ];
    entries.extend(capture.events.into_iter().filter_map(|event| match event {
        capture::Event::Read(at, bytes) => Some((at, Entry::Bytes(1, bytes))),
        capture::Event::Written(..) => None,
    }));
    let control = arguments.time_control.as_deref();
    Ok(Recording { entries, tags: tags(control.or(capture.header.get("TimeControl"))) })
}

fn laws(edition: Option<&str>) -> Option<u16> {
    edition?.parse().ok()
}

fn tags(time_control: Option<&str>) -> Tags {
    Tags { time_control: time_control.unwrap_or_default().to_owned(), ..Tags::default() }
}

/// Plays entries and prints what comes of them.
struct Player {
    json: bool,
    pgn: bool,
    tags: Tags,
}

impl Player {
    fn play(&mut self, entries: &[journal::Record]) {
        let mut works = Works::new(catalog::DRIVERS.to_vec());
        let mut acts = Vec::new();
        for (at, entry) in entries {
            works.enter(*at, entry, &mut acts);
            self.print(&works, &mut acts);
        }
        works.advance(works.now() + AFTERWARDS, &mut acts);
        self.print(&works, &mut acts);
        for (table, machine) in works.hall().tables() {
            if machine.game_number() > 0 {
                self.game(works.now(), table, machine.score());
            }
        }
    }

    fn print(&mut self, works: &Works, acts: &mut Vec<Act>) {
        for act in acts.drain(..) {
            let Act::Table(number, effect) = act else { continue };
            let Some(table) = works.hall().table(number) else { continue };
            if self.json
                && let Some(line) = lines::line(works.now(), number, table, &effect)
            {
                say(line);
            }
            if let Effect::Told(Event::NewGame(Some(before))) = effect {
                self.game(works.now(), number, &before);
            }
        }
    }

    fn game(&mut self, now: Moment, table: u32, score: &Score) {
        if self.json {
            say(lines::score(now, table, score));
        }
        if self.pgn {
            say(pgn::write(&self.tags, score));
        }
    }
}
