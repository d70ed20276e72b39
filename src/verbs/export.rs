//! `adoubed export`: papers, made from the record. It changes nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::say;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::{journal, time_sheet};

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Subcommand)]
enum Paper {
    /// What every clock showed each half hour and at the end of every period
    Timesheet(Timesheet),
}

#[derive(Args)]
struct Timesheet {
    /// Journals; without one the newest of the configuration's directory
    #[arg(value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// The configuration that names the directory
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Minutes between two lines
    #[arg(long, value_name = "MINUTES", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=1440))]
    every: u64,
    /// `csv`, or `html`: a page to be printed
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Language of the page
    #[arg(long, default_value = "en", value_parser = ["en", "fr"])]
    language: String,
    /// Where to write it; without it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Html,
}

pub fn export(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.paper {
        Paper::Timesheet(timesheet) => export_time_sheet(timesheet),
    }
}

fn export_time_sheet(arguments: &Timesheet) -> Result<(), Failure> {
    let every = Duration::from_secs(arguments.every * 60);
    let mut rows = Vec::new();
    for path in journals(&arguments.journals, arguments.config.as_deref())? {
        let (records, _) =
            journal::read(&path).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
        rows.extend(time_sheet::rows(&records, every));
    }
    let text = match arguments.format {
        Format::Csv => time_sheet::csv(&rows),
        Format::Html => time_sheet::html(&rows, &arguments.language),
    };
    match &arguments.output {
        Some(path) => std::fs::write(path, text).map_err(|error| Failure::file(path, &error)),
        None => {
            say(text.trim_end());
            Ok(())
        }
    }
}

fn journals(named: &[PathBuf], config: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let config = match config {
        Some(path) => config::load(path).map_err(|error| Failure::new(exit::CONFIG, error))?,
        None => Config::default(),
    };
    let directory = config.journal_directory();
    let mut segments =
        journal::segments(&directory).map_err(|error| Failure::new(exit::NO_INPUT, error))?;
    let newest = segments.pop().ok_or_else(|| {
        let text = format!("{}: no journal in it; name one", directory.display());
        Failure::new(exit::NO_INPUT, text)
    })?;
    Ok(vec![newest])
}
