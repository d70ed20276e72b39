//! `adoubed fidelity`: how often a score is right. The games can be played again by their numbers.

use std::path::PathBuf;
use std::thread;

use clap::Args;

use super::say;
use crate::exit::{self, Failure};
use crate::venue::fidelity::{self, Class, Ending, Fitting, Games, Model, Outage};
use crate::venue::fidelity::{Grade, Sort, Verdict};
use crate::venue::games;

/// The most numbers of games that are printed.
const SHOWN_MAX: usize = 8;
/// This many lost moves, or more, share the last row.
const LOST_MAX: usize = 4;

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
    /// With --explain: around this ply, not the first one that went wrong
    #[arg(long, value_name = "PLY", requires = "explain")]
    around: Option<usize>,
    /// Only models whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    model: String,
    /// Let two plain methods make their scores of the same sightings, side by side with ours
    #[arg(long)]
    baselines: bool,
    /// Play the games of this file instead of the model's own
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// What is printed below the table of scores.
#[derive(Default)]
struct Below {
    bounds: Vec<String>,
    outages: Vec<String>,
    doubt: Vec<String>,
    times: Vec<String>,
}

pub fn fidelity(arguments: &Arguments) -> Result<(), Failure> {
    let models = models(arguments)?;
    if let Some(number) = arguments.explain {
        for model in models {
            say(fidelity::explain(&model, number, arguments.around));
        }
        return Ok(());
    }
    if arguments.baselines {
        say_baselines(models, arguments);
        return Ok(());
    }
    let columns = COLUMNS.map(|(title, _)| title);
    say(format_args!("| model of hands and wires | games | {} |", columns.join(" | ")));
    say(format_args!("|{}", "---|".repeat(columns.len() + 2)));
    let mut below = Below::default();
    for model in models {
        let verdicts = play(arguments, |number| fidelity::judge(&model, number));
        let cells = COLUMNS.map(|(_, cell)| cell(&verdicts));
        say(format_args!("| {} | {} | {} |", model.name, verdicts.len(), cells.join(" | ")));
        below.bounds.extend(bound(&model, &verdicts));
        if verdicts.iter().any(|(_, verdict)| verdict.outage.is_some()) {
            below.outages.extend(outages(model.name, &verdicts));
        }
        below.doubt.push(format!("| {} | {} |", model.name, calibration(&verdicts)));
        let times = Sort::ALL.map(|sort| waited(&verdicts, sort));
        below.times.push(format!("| {} | {} |", model.name, times.join(" | ")));
    }
    below.bounds.iter().chain(&below.outages).for_each(say);
    say(CALIBRATION);
    below.doubt.iter().for_each(say);
    let sorts = Sort::ALL.map(Sort::name).join(" | ");
    say(format_args!("\n| from the last put to the message: p50, p99 | {sorts} |"));
    say(format_args!("|{}", "---|".repeat(Sort::ALL.len() + 1)));
    below.times.iter().for_each(say);
    Ok(())
}

fn models(arguments: &Arguments) -> Result<Vec<Model>, Failure> {
    let mut models = fidelity::models();
    let names: Vec<_> = models.iter().map(|model| model.name).collect();
    models.retain(|model| model.name.contains(&arguments.model));
    if models.is_empty() {
        let text = format!("no model is called so; there are\n  {}", names.join("\n  "));
        return Err(Failure::new(exit::USAGE, text));
    }
    if let Some(path) = &arguments.pgn {
        let games = Games::Given(games::read(path)?.into());
        models.iter_mut().for_each(|model| model.games = games.clone());
    }
    Ok(models)
}

/// Verdicts, with the numbers of their games.
type Verdicts = [(u64, Verdict)];

/// Plays all games, with as many threads as there are processors.
fn play<T: Send>(arguments: &Arguments, judge: impl Fn(u64) -> T + Sync) -> Vec<(u64, T)> {
    let workers = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let (numbers, judge) = (arguments.first..arguments.first + arguments.games, &judge);
    let mut judged: Vec<_> = thread::scope(|scope| {
        let shares: Vec<_> = (0..workers)
            .map(|worker| {
                let numbers = numbers.clone().filter(move |it| it % workers == worker);
                scope.spawn(move || numbers.map(|it| (it, judge(it))).collect::<Vec<_>>())
            })
            .collect();
        shares.into_iter().filter_map(|share| share.join().ok()).flatten().collect()
    });
    judged.sort_by_key(|(number, _)| *number);
    judged
}

/// Prints exact moves and silent errors, of our method and the plain ones.
fn say_baselines(models: Vec<Model>, arguments: &Arguments) {
    let methods = ["ours", "quiet board", "every position reached"];
    let columns = methods.map(|method| format!("{method}: moves exact | silently wrong plies"));
    let (first, doubted) = ("model of hands and wires | games", "ours: doubted");
    say(format_args!("| {first} | {} | {doubted} |", columns.join(" | ")));
    say(format_args!("|{}", "---|".repeat(2 * methods.len() + 3)));
    for model in models {
        let rounds = play(arguments, |number| fidelity::compare(&model, number));
        let games = rounds.len();
        let doubted = rounds.iter().filter(|(_, round)| round.doubted).count();
        let right = rounds.iter().filter(|(_, it)| it.ours == 0 && !it.doubted).count();
        let ours: usize = rounds.iter().map(|(_, round)| round.ours).sum();
        let mut cells = vec![format!("{:.2} % | {ours}", percent(right, games))];
        for method in 0..methods.len() - 1 {
            let wrong: Option<Vec<_>> = rounds.iter().map(|(_, it)| it.theirs[method]).collect();
            cells.push(wrong.map_or("– | –".to_owned(), |wrong| {
                let right = wrong.iter().filter(|count| **count == 0).count();
                format!("{:.2} % | {}", percent(right, games), wrong.iter().sum::<usize>())
            }));
        }
        say(format_args!("| {} | {games} | {} | {doubted} |", model.name, cells.join(" | ")));
    }
}

/// The title of a column and its values.
type Column = (&'static str, fn(&Verdicts) -> String);

/// Every column after the first two.
const COLUMNS: [Column; 13] = [
    ("exact score", |it| share(it, |verdict| verdict.exact)),
    ("exact but doubted", |it| games(it, |verdict| verdict.exact && verdict.doubted)),
    ("wrong and doubted", |it| games(it, |verdict| !verdict.exact && !is_silent(verdict))),
    ("silently wrong games", |it| games(it, is_silent)),
    ("plies right at once", |it| plies(it, Class::AtOnce)),
    ("revised", |it| plies(it, Class::Revised)),
    ("inferred", |it| plies(it, Class::Inferred)),
    ("in doubt", |it| plies(it, Class::InDoubt)),
    ("silently wrong", |it| plies(it, Class::SilentlyWrong)),
    ("results wrong", |it| games(it, |verdict| verdict.ending != Ending::Right)),
    ("last moves damaged", |it| games(it, |verdict| verdict.damaged_last)),
    ("games accused falsely", |it| games(it, |verdict| verdict.accused > 0)),
    ("games that went wrong", wrong),
];

/// Whether moves or result are wrong and at least one error is silent.
fn is_silent(verdict: &Verdict) -> bool {
    !verdict.exact && (verdict.count(Class::SilentlyWrong) > 0 || verdict.ending == Ending::Wrong)
}

fn games(verdicts: &Verdicts, which: impl Fn(&Verdict) -> bool) -> String {
    number_of(verdicts, which).to_string()
}

fn number_of(verdicts: &Verdicts, which: impl Fn(&Verdict) -> bool) -> usize {
    verdicts.iter().filter(|(_, verdict)| which(verdict)).count()
}

fn share(verdicts: &Verdicts, which: impl Fn(&Verdict) -> bool) -> String {
    format!("{:.2} %", percent(number_of(verdicts, which), verdicts.len()))
}

#[allow(clippy::cast_precision_loss)] // Some ten thousand games.
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn plies(verdicts: &Verdicts, class: Class) -> String {
    verdicts.iter().map(|(_, verdict)| verdict.count(class)).sum::<usize>().to_string()
}

/// In how many games the moves are undetermined, and how many of the others are exact. None if that
/// was not asked.
fn bound(model: &Model, verdicts: &Verdicts) -> Option<String> {
    let asked = number_of(verdicts, |it| it.fitting != Fitting::Uncounted);
    let open = number_of(verdicts, |it| it.fitting == Fitting::Several);
    let exact = number_of(verdicts, |it| it.fitting == Fitting::One && it.exact);
    (asked > 0).then(|| {
        format!(
            "\n{}: in {open} of {asked} games ({:.2} %) more than one line fits what was seen; \
             of the others {:.2} % are exact.",
            model.name,
            percent(open, asked),
            percent(exact, asked - open),
        )
    })
}

/// Games that went wrong, the silent ones first.
fn wrong(verdicts: &Verdicts) -> String {
    let (silent, rest): (Vec<_>, Vec<_>) = verdicts
        .iter()
        .filter(|(_, verdict)| !verdict.exact || verdict.accused > 0)
        .partition(|(_, verdict)| is_silent(verdict));
    let numbers = silent.into_iter().chain(rest).map(|(number, _)| number.to_string());
    numbers.take(SHOWN_MAX).collect::<Vec<_>>().join(", ")
}

/// The outcomes of outages, by the number of moves made in them.
fn outages(name: &str, verdicts: &Verdicts) -> Vec<String> {
    let titles = OUTAGES.map(|it| it.0).join(" | ");
    let mut lines = vec![format!("\n| {name}: moves lost | games | {titles} |")];
    lines.push(format!("|{}", "---|".repeat(OUTAGES.len() + 2)));
    let outages: Vec<Outage> = verdicts.iter().filter_map(|(_, verdict)| verdict.outage).collect();
    for lost in 0..=LOST_MAX {
        let these: Vec<_> =
            outages.iter().filter(|it| it.lost.min(LOST_MAX) == lost).copied().collect();
        let more = if lost == LOST_MAX { " or more" } else { "" };
        let cells = OUTAGES.map(|(_, which)| {
            let count = these.iter().filter(|it| which(it)).count();
            format!("{count} ({:.1} %)", percent(count, these.len()))
        });
        lines.push(format!("| {lost}{more} | {} | {} |", these.len(), cells.join(" | ")));
    }
    let open = outages.iter().filter(|it| it.fitting == Fitting::Several).count();
    lines.push(format!(
        "\nIn {open} of {} games ({:.2} %) more than one line fits what was seen.",
        outages.len(),
        percent(open, outages.len()),
    ));
    lines
}

/// The head of the table of marks.
const CALIBRATION: &str = "
| marked as not certain, and of that wrong | games doubted | wrong | other games | wrong | \
plies doubted | wrong | plies inferred | wrong | other plies | wrong |
|---|---|---|---|---|---|---|---|---|---|---|";

/// Reads one mark of a verdict.
type Mark = fn(&Verdict) -> (usize, usize);

/// How much of what is marked as not certain is wrong, and how much of what is not.
fn calibration(verdicts: &Verdicts) -> String {
    let marked = |it: &Verdict| it.doubted || it.ending == Ending::InDoubt;
    let of_games = [true, false].map(|wanted| {
        let of_these = number_of(verdicts, |it| marked(it) == wanted);
        let wrong = number_of(verdicts, |it| marked(it) == wanted && !it.exact);
        (of_these, wrong)
    });
    let marks: [Mark; 3] = [|it| it.marks.doubted, |it| it.marks.inferred, |it| it.marks.plain];
    let of_plies = marks.map(|of| {
        let add = |sum: (usize, usize), it: (usize, usize)| (sum.0 + it.0, sum.1 + it.1);
        verdicts.iter().map(|(_, verdict)| of(verdict)).fold((0, 0), add)
    });
    let cells = of_games.into_iter().chain(of_plies);
    cells.map(|(all, wrong)| format!("{all} | {wrong}")).collect::<Vec<_>>().join(" | ")
}

/// How long moves of this sort waited until they were told, in seconds: half of them, and all but
/// one of a hundred.
fn waited(verdicts: &Verdicts, sort: Sort) -> String {
    let announced = verdicts.iter().flat_map(|(_, verdict)| &verdict.announced);
    let mut times: Vec<_> = announced.filter(|it| it.sort == sort).map(|it| it.after).collect();
    times.sort_unstable();
    let at = |hundredth: usize| times.get(times.len() * hundredth / 100);
    match at(50).zip(at(99)) {
        Some((half, most)) => format!("{:.2}, {:.2}", half.as_secs_f64(), most.as_secs_f64()),
        None => "–".to_owned(),
    }
}

/// The title of a column and what it counts.
type Share = (&'static str, fn(&Outage) -> bool);

/// The columns of that table.
const OUTAGES: [Share; 6] = [
    ("exact", |it| it.grade == Grade::Exact),
    ("doubted, truth among the candidates", |it| it.grade == Grade::CandidateTrue),
    ("doubted otherwise", |it| it.grade == Grade::Doubted),
    ("silently wrong", |it| it.grade == Grade::SilentlyWrong),
    ("order cannot be told", |it| it.fitting == Fitting::Several),
    ("too many lines to count", |it| it.fitting == Fitting::Uncounted),
];
