//! The results of a round as files for arbiters: lists, a page to print, and the report of the
//! pairings with the results filled in.

use std::fs;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use witness::{Ending, GameNo, TableNo};

use super::who::for_arbiters;
use super::{Pages, decisions};
use crate::config::Config;
use crate::languages::Languages;
use crate::outlets::{Games, Played};
use crate::pairings::Problem;
use crate::results::{self, Outcome, Remark, Source};
use crate::say;
use words::InWords as _;

/// A request for results. The session of the arbiter comes with it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    round: Option<String>,
    form: Form,
    language: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// The facts about a round, for the page.
    #[default]
    About,
    Csv,
    Crosstable,
    SwissManager,
    Vega,
    Html,
    /// The report of the pairings, with the results filled in.
    Report,
}

/// The facts about a round that the page shows before a download.
#[derive(Serialize)]
struct About {
    round: String,
    rounds: Vec<String>,
    /// The name of the report, if the pairings came from one.
    report: Option<String>,
    rows: Vec<Row>,
    remarks: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct Row {
    table: TableNo,
    white: String,
    black: String,
    result: Option<&'static str>,
    /// The number of the game, if its table has another game by now. A result without a number
    /// would go to that one.
    earlier_game: Option<GameNo>,
    /// The number that the game will get, if its table still has the game of the round before.
    next_game: Option<GameNo>,
}

/// Serves results to arbiters only.
pub async fn serve(State(pages): State<Pages>, body: Bytes) -> Response {
    let Some(wanted) = pages.arbiter_wants::<Wanted>(&body) else { return for_arbiters() };
    let (config, games) = (pages.config(), Arc::clone(&pages.games));
    let made = tokio::task::spawn_blocking(move || make(&config, &games, &wanted)).await;
    match made {
        Ok(Ok((kind, bytes))) => {
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], bytes)
                .into_response()
        }
        Ok(Err(problem)) => {
            tracing::warn!("failed to write the results of a round: {}", problem.what.en());
            (StatusCode::UNPROCESSABLE_ENTITY, format!("{}\n", problem.what.en())).into_response()
        }
        Err(error) => decisions::failed(&error.to_string()),
    }
}

fn make(
    config: &Config,
    games: &Games,
    wanted: &Wanted,
) -> Result<(&'static str, Vec<u8>), Problem> {
    let outcomes: Vec<Outcome> = games.all().iter().map(|it| outcome(it)).collect();
    let source = source(config)?;
    let round = wanted.round.clone().unwrap_or_else(|| games.event().round.clone());
    let csv = "text/csv; charset=utf-8";
    if wanted.form == Form::Report {
        let Source::Report(bytes) = &source else {
            return Err(Problem::new(1, "pairings", say::no_report()));
        };
        let filled = results::fill(bytes, &round, &results::of_round(&outcomes, &round))?;
        return Ok(("application/octet-stream", filled.bytes));
    }
    let results = results::tell(&source, &outcomes, &round)?;
    Ok(match wanted.form {
        Form::About | Form::Report => {
            let games = games.all();
            let page = about(config, &source, (&outcomes, &games), &results);
            ("application/json", page.into_bytes())
        }
        Form::Csv => (csv, results::csv(&results).into_bytes()),
        Form::Crosstable => (csv, results::crosstable_csv(&results).into_bytes()),
        Form::SwissManager => (csv, results::swiss_manager(&results).into_bytes()),
        Form::Vega => ("text/plain; charset=utf-8", results::vega(&results).0.into_bytes()),
        Form::Html => {
            let page = results::html(&results, config, &wanted.language);
            ("text/html; charset=utf-8", page.into_bytes())
        }
    })
}

fn outcome(game: &Played) -> Outcome {
    let Played { table, round, players, ending, plies, .. } = game.clone();
    Outcome { table, round, players, ending, plies }
}

fn source(config: &Config) -> Result<Source, Problem> {
    let Some(path) = &config.event.pairings else { return Ok(Source::Rounds(Vec::new())) };
    let bytes = fs::read(path).map_err(|error| Problem::unreadable(&error))?;
    Source::of(bytes)
}

fn about(
    config: &Config,
    source: &Source,
    (outcomes, games): (&[Outcome], &[Arc<Played>]),
    results: &results::RoundResults,
) -> String {
    let report = config.event.pairings.as_ref().filter(|_| matches!(source, Source::Report(_)));
    let name = report.and_then(|path| path.file_name()?.to_str().map(str::to_owned));
    let rounds = results::rounds(source, outcomes);
    let place = rounds.iter().position(|it| *it == results.round);
    let before = place.and_then(|place| rounds.get(place.checked_sub(1)?));
    let row = |it: &results::Row| Row {
        table: it.table,
        white: it.players.white.name.clone(),
        black: it.players.black.name.clone(),
        result: it.ending.map(Ending::written),
        earlier_game: earlier_game(games, it.table, &results.round),
        next_game: next_game(games, it.table, before),
    };
    let mut remarks = results.remarks.clone();
    if name.is_some() {
        remarks.extend(results::vega(results).1);
    }
    let about = About {
        round: results.round.clone(),
        report: name,
        rows: results.rows.iter().map(row).collect(),
        rounds,
        remarks: remarks.iter().map(spelled).collect(),
    };
    serde_json::to_string(&about).unwrap_or_default()
}

/// The last game of a table in a round, if the table has had another one since.
fn earlier_game(games: &[Arc<Played>], table: TableNo, round: &str) -> Option<GameNo> {
    let of_table = || games.iter().filter(|it| it.table == table);
    let last = of_table().filter(|it| it.round == round).map(|it| it.number).max()?;
    of_table().any(|it| it.number > last).then_some(last)
}

/// The number of the next game of a table, if its last one was of this round and is over.
fn next_game(games: &[Arc<Played>], table: TableNo, before: Option<&String>) -> Option<GameNo> {
    let last = games.iter().filter(|it| it.table == table).max_by_key(|it| it.number)?;
    (before == Some(&last.round) && last.ending.is_some()).then_some(last.number.next())
}

fn spelled(remark: &Remark) -> serde_json::Value {
    json!(Languages::all().text(&remark.text()))
}

/// Every paper of every round, by its name: lists, the page to print, and the report of the
/// pairings with all results.
pub(super) fn papers(config: &Config, games: &Games, language: &str) -> Vec<(String, Vec<u8>)> {
    let outcomes: Vec<Outcome> = games.all().iter().map(|it| outcome(it)).collect();
    let rounds = source(config).map(|it| results::rounds(&it, &outcomes)).unwrap_or_default();
    let forms = [
        (Form::Csv, "results.csv"),
        (Form::Crosstable, "crosstable.csv"),
        (Form::Html, "results.html"),
        (Form::Report, "report.trf"),
    ];
    let all = rounds.into_iter().flat_map(|round| {
        // A name may be anything, and in an archive it is a folder.
        let folder: String =
            round.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect();
        forms.into_iter().filter_map(move |(form, name)| {
            let language = language.to_owned();
            let wanted = Wanted { round: Some(round.clone()), form, language };
            // Without a report there is none to fill.
            let (_, bytes) = make(config, games, &wanted).ok()?;
            Some((format!("round-{folder}/{name}"), bytes))
        })
    });
    all.collect()
}
