//! `adoubed fidelity`: how often a score is right, measured on games anybody can play again.

use std::thread;

use clap::Args;

use super::say;
use crate::exit::Failure;
use crate::fidelity::{self, Model, Verdict};

const COLUMNS: [&str; 8] = [
    "model of hands and wires",
    "games",
    "exact score",
    "doubted",
    "silently wrong plies",
    "inferred plies",
    "false accusations per 100 games",
    "games that went wrong",
];
/// Numbers of games that went wrong are shown up to so many.
const SHOWN_MAX: usize = 8;

#[derive(Args)]
pub struct Arguments {
    /// Games of each model
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// The number of the first game
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// Tell of this one game what went wrong, with the hands as a gesture script
    #[arg(long, value_name = "NUMBER")]
    explain: Option<u64>,
    /// Only models whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    model: String,
}

pub fn fidelity(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(number) = arguments.explain {
        for model in models(arguments) {
            say(fidelity::explain(&model, number));
        }
        return Ok(());
    }
    say(format_args!("| {} |", COLUMNS.join(" | ")));
    say(format_args!("|{}", "---|".repeat(COLUMNS.len())));
    for model in models(arguments) {
        let verdicts = play(&model, arguments);
        say(row(&model, &verdicts));
    }
    Ok(())
}

fn models(arguments: &Arguments) -> impl Iterator<Item = Model> + use<> {
    let wanted = arguments.model.clone();
    fidelity::models().into_iter().filter(move |it| it.name.contains(&wanted))
}

fn play(model: &Model, arguments: &Arguments) -> Vec<(u64, Verdict)> {
    let workers = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let numbers = arguments.first..arguments.first + arguments.games;
    let mut verdicts: Vec<_> = thread::scope(|scope| {
        let shares: Vec<_> = (0..workers)
            .map(|worker| {
                let numbers = numbers.clone().filter(move |it| it % workers == worker);
                scope.spawn(move || {
                    numbers.map(|it| (it, fidelity::judge(model, it))).collect::<Vec<_>>()
                })
            })
            .collect();
        shares.into_iter().filter_map(|share| share.join().ok()).flatten().collect()
    });
    verdicts.sort_by_key(|(number, _)| *number);
    verdicts
}

fn row(model: &Model, verdicts: &[(u64, Verdict)]) -> String {
    let count = |what: fn(&Verdict) -> usize| -> usize {
        verdicts.iter().map(|(_, verdict)| what(verdict)).sum()
    };
    let games = verdicts.len();
    let exact = count(|it| usize::from(it.exact));
    #[allow(clippy::cast_precision_loss)] // Some ten thousand games.
    let share = |part: usize| 100.0 * part as f64 / games.max(1) as f64;
    let wrong: Vec<_> = verdicts
        .iter()
        .filter(|(_, verdict)| !verdict.exact || verdict.accused > 0)
        .map(|(number, _)| number.to_string())
        .take(SHOWN_MAX)
        .collect();
    format!(
        "| {} | {games} | {:.2} % | {} | {} | {} | {:.2} | {} |",
        model.name,
        share(exact),
        count(|it| usize::from(it.doubted)),
        count(|it| it.silently_wrong),
        count(|it| it.inferred),
        share(count(|it| it.accused)),
        wrong.join(", "),
    )
}
