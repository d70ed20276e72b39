//! `adoubed export`: papers, made from the record. It changes nothing.

mod results;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use witness::TableNo;

use super::say;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::{self, Wanted};
use crate::{papers::adjournment_sheet, papers::decisions, pgn, record::journal, time_sheet};

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Subcommand)]
enum Paper {
    /// The games
    Pgn(Pgn),
    /// What every clock showed each half hour and at the end of every period
    Timesheet(Timesheet),
    /// The sheet of every game that is adjourned: a page to be printed
    Adjournment(Adjournment),
    /// The journal of decisions: what was raised, and what arbiters did (CSV)
    Log(Log),
    /// The results of a round: into the report the pairings came from, or as a list
    Results(results::Results),
}

/// From what a paper is made, and where it goes.
#[derive(Args)]
struct Source {
    /// Journals, the oldest first; without one the newest of the configuration's directory
    #[arg(value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// The configuration: the directory, the event and the players
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where to write it; without it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct Pgn {
    #[command(flatten)]
    source: Source,
    /// This table alone
    #[arg(long, value_name = "NUMBER")]
    table: Option<TableNo>,
    /// The games to their end, also where an illegal move stood or moves were not seen
    #[arg(long)]
    full: bool,
}

#[derive(Args)]
struct Log {
    #[command(flatten)]
    source: Source,
    /// Language of the texts
    #[arg(long, default_value = "en", value_parser = super::language)]
    language: String,
}

#[derive(Args)]
struct Timesheet {
    #[command(flatten)]
    source: Source,
    /// Minutes between two lines; without it as the configuration says, or 30
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..=1440))]
    every: Option<u64>,
    /// `csv`, or `html`: a page to be printed
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Language of the page
    #[arg(long, default_value = "en", value_parser = super::language)]
    language: String,
}

#[derive(Args)]
struct Adjournment {
    #[command(flatten)]
    source: Source,
    /// This table alone
    #[arg(long, value_name = "NUMBER")]
    table: Option<TableNo>,
    /// Language of the page
    #[arg(long, default_value = "en", value_parser = super::language)]
    language: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Html,
}

pub fn export(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.paper {
        Paper::Pgn(pgn) => export_pgn(pgn),
        Paper::Log(log) => export_log(log),
        Paper::Results(it) => results::export(it),
        Paper::Timesheet(timesheet) => export_time_sheet(timesheet),
        Paper::Adjournment(adjournment) => export_adjournments(adjournment),
    }
}

fn export_pgn(arguments: &Pgn) -> Result<(), Failure> {
    let config = arguments.source.configuration()?;
    let journals = arguments.source.journals(&config)?;
    let write_game = if arguments.full { pgn::write_full } else { pgn::write };
    let mut games = Vec::new();
    let recordings = recording::read_all(&journals, &Wanted::default())?;
    for recording in &recordings {
        Chronicle::new(config.clone(), !recording.journal).play(recording, |replayed| {
            if let Replayed::Game { table, tags, score, .. } = replayed
                && arguments.table.is_none_or(|wanted| wanted == table)
                && !score.plies().is_empty()
            {
                games.push(write_game(tags, score));
            }
        });
    }
    arguments.source.write(&games.join("\n"))?;
    recording::refuse_gaps(&recordings)
}

fn export_log(arguments: &Log) -> Result<(), Failure> {
    let config = arguments.source.configuration()?;
    let journals = arguments.source.journals(&config)?;
    let recordings = recording::read_all(&journals, &Wanted::default())?;
    let lines: Vec<_> = recordings.iter().flat_map(decisions::of).collect();
    let text = decisions::csv(&lines, &arguments.language)
        .map_err(|error| Failure::new(exit::SOFTWARE, error))?;
    arguments.source.write(&text)?;
    recording::refuse_gaps(&recordings)
}

fn export_time_sheet(arguments: &Timesheet) -> Result<(), Failure> {
    let config = arguments.source.configuration()?;
    let asked = arguments.every.map(|minutes| Duration::from_secs(minutes * 60));
    let every = asked.unwrap_or_else(|| config.time_sheet_every());
    let mut rows = Vec::new();
    let journals = arguments.source.journals(&config)?;
    let recordings = recording::read_all(&journals, &Wanted::default())?;
    for recording in &recordings {
        rows.extend(time_sheet::rows(&recording.entries, every));
    }
    let text = match arguments.format {
        Format::Csv => time_sheet::csv(&rows),
        Format::Html => time_sheet::html(&rows, &config, &arguments.language),
    };
    arguments.source.write(&text)?;
    recording::refuse_gaps(&recordings)
}

fn export_adjournments(arguments: &Adjournment) -> Result<(), Failure> {
    let config = arguments.source.configuration()?;
    let mut sheets = Vec::new();
    let journals = arguments.source.journals(&config)?;
    let recordings = recording::read_all(&journals, &Wanted::default())?;
    for recording in &recordings {
        sheets.extend(adjournment_sheet::sheets(&recording.entries));
    }
    sheets.retain(|sheet| arguments.table.is_none_or(|table| table == sheet.table));
    if sheets.is_empty() {
        let text = "no game is adjourned at the end of this record";
        return Err(Failure::new(exit::NO_INPUT, text));
    }
    let page = adjournment_sheet::html(&sheets, &config, &arguments.language);
    arguments.source.write(&page)?;
    recording::refuse_gaps(&recordings)
}

impl Source {
    fn configuration(&self) -> Result<Config, Failure> {
        match &self.config {
            Some(path) => config::load(path).map_err(|error| Failure::new(exit::CONFIG, error)),
            None => Ok(Config::default()),
        }
    }

    fn journals(&self, config: &Config) -> Result<Vec<PathBuf>, Failure> {
        if !self.journals.is_empty() {
            return Ok(self.journals.clone());
        }
        let directory = config.journal_directory();
        let mut segments =
            journal::segments(&directory).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
        let newest = segments.pop().ok_or_else(|| {
            let text = format!("{}: no journal in it; name one", directory.display());
            Failure::new(exit::NO_INPUT, text)
        })?;
        Ok(vec![newest])
    }

    /// All that a round of today may stand in.
    fn recent(&self, config: &Config) -> Result<Vec<PathBuf>, Failure> {
        if !self.journals.is_empty() {
            return Ok(self.journals.clone());
        }
        let recent = journal::recent(&config.journal_directory());
        let recent = recent.map_err(|error| Failure::new(exit::NO_INPUT, error))?;
        // It says that there is none.
        if recent.is_empty() { self.journals(config) } else { Ok(recent) }
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        match &self.output {
            Some(path) => std::fs::write(path, text).map_err(|error| Failure::file(path, &error)),
            None => {
                say(text.trim_end());
                Ok(())
            }
        }
    }
}
