//! `adoubed export results`: the results of a round, for the pairing program and the notice board.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Source;
use crate::config::Config;
use crate::exit::{self, Failure};
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::{self, Wanted};
use crate::results::{self, Outcome, Remark};
use words::InWords as _;

#[derive(Args)]
pub(super) struct Results {
    #[command(flatten)]
    source: Source,
    /// The round, as it is called; without it that of the configuration, or the last one played
    #[arg(long, value_name = "ROUND")]
    round: Option<String>,
    /// Fill the results into this report (TRF16, TRF26): in place, or into the file that --output
    /// names. Nothing else in it changes
    #[arg(long, value_name = "FILE.trf", conflicts_with = "format")]
    into: Option<PathBuf>,
    /// What is written without --into
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Language of the page
    #[arg(long, default_value = "en", value_parser = crate::verbs::language)]
    language: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line for each board
    Csv,
    /// One line for each player: his rounds and points
    Crosstable,
    /// As lists of pairings in Swiss-Manager look
    SwissManager,
    /// A file of results for Vega (.res)
    Vega,
    /// List and crosstable: a page to be printed
    Html,
}

pub(super) fn export(arguments: &Results) -> Result<(), Failure> {
    let config = arguments.source.configuration()?;
    let journals = arguments.source.recent(&config)?;
    let recordings = recording::read_all(&journals, &Wanted::default())?;
    let mut outcomes = Vec::new();
    for recording in &recordings {
        Chronicle::new(config.clone(), !recording.journal).play(recording, |replayed| {
            outcomes.extend(outcome(&replayed));
        });
    }
    let round = round(arguments, &config, &outcomes)?;
    let remarks = match &arguments.into {
        Some(report) => fill_in(arguments, report, &outcomes, &round)?,
        None => write(arguments, &config, &outcomes, &round)?,
    };
    for remark in &remarks {
        // Standard output is the paper.
        let _ = writeln!(std::io::stderr(), "{}", remark.text().en());
    }
    recording::refuse_gaps(&recordings)
}

/// How a game went, once it is over.
fn outcome(replayed: &Replayed<'_>) -> Option<Outcome> {
    let Replayed::Game { table, tags, score, .. } = replayed else { return None };
    let round = tags.round.strip_suffix(&format!(".{table}")).unwrap_or_default();
    Some(Outcome {
        table: *table,
        round: round.to_owned(),
        players: tags.players.clone(),
        ending: score.ending(),
        plies: score.plies().len(),
    })
}

fn round(arguments: &Results, config: &Config, outcomes: &[Outcome]) -> Result<String, Failure> {
    let named = arguments.round.clone();
    let configured = || Some(config.event.round.clone()).filter(|it| !it.is_empty());
    let last = || outcomes.iter().rev().find(|it| it.ending.is_some()).map(|it| it.round.clone());
    named.or_else(configured).or_else(last).ok_or_else(|| {
        Failure::new(exit::NO_INPUT, "no game has a result: name a round with --round")
    })
}

fn fill_in(
    arguments: &Results,
    report: &Path,
    outcomes: &[Outcome],
    round: &str,
) -> Result<Vec<Remark>, Failure> {
    let bytes = fs::read(report).map_err(|error| Failure::file(report, &error))?;
    let filled = results::fill(&bytes, round, &results::of_round(outcomes, round))
        .map_err(|problem| refused(report, &problem))?;
    let to = arguments.source.output.as_deref().unwrap_or(report);
    if to != report || filled.bytes != bytes {
        replace(to, &filled.bytes)?;
    }
    Ok(filled.remarks)
}

/// Whole or not at all: whoever reads the file at this moment reads the old one.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::file(path, &error);
    // A link stays a link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut file = fs::File::create(&new).map_err(fail)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(fail)?;
    if let Ok(before) = fs::metadata(path) {
        fs::set_permissions(&new, before.permissions()).map_err(fail)?;
    }
    fs::rename(&new, path).map_err(fail)
}

fn refused(path: &Path, problem: &crate::pairings::Problem) -> Failure {
    let text =
        format!("{}:{}: {}: {}", path.display(), problem.line, problem.key, problem.what.en());
    Failure::new(exit::DATA, text)
}

fn write(
    arguments: &Results,
    config: &Config,
    outcomes: &[Outcome],
    round: &str,
) -> Result<Vec<Remark>, Failure> {
    let source = match &config.event.pairings {
        Some(path) => {
            let bytes = fs::read(path).map_err(|error| Failure::file(path, &error))?;
            results::Source::of(bytes).map_err(|problem| refused(path, &problem))?
        }
        None => results::Source::Rounds(Vec::new()),
    };
    let results = results::tell(&source, outcomes, round).map_err(|problem| {
        let path = config.event.pairings.clone().unwrap_or_default();
        refused(&path, &problem)
    })?;
    let mut remarks = results.remarks.clone();
    let text = match arguments.format {
        Format::Csv => results::csv(&results),
        Format::Crosstable => results::crosstable_csv(&results),
        Format::SwissManager => results::swiss_manager(&results),
        Format::Vega => {
            let (text, more) = results::vega(&results);
            remarks.extend(more);
            text
        }
        Format::Html => results::html(&results, config, &arguments.language),
    };
    arguments.source.write(&text)?;
    Ok(remarks)
}
