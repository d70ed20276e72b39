//! The verbs of the command line, one per file. No verb uses another, except that `salvage` uses
//! `verify`.

mod check;
mod demo;
mod doubts;
mod emulate;
mod explain;
mod export;
mod fidelity;
mod list;
mod manual;
mod one_line;
mod passwd;
mod record;
pub mod replay;
mod run;
mod salvage;
mod serve;
mod setup_code;
mod unwinnable;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use self::one_line::OneLine;
use crate::exit::{self, Failure};

/// Reads electronic chess boards and clocks, and tells screens and arbiters what happened.
#[derive(Parser)]
#[command(version, about)]
struct Program {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// The daemon: reads boards, serves the feed and the pages
    Run(run::Arguments),
    /// Pages only, without boards and record: for a central screen, or an arbiter of several halls
    Serve(serve::Arguments),
    /// A whole venue without hardware: emulated boards on pseudo-terminals, read by the daemon
    Demo(demo::Arguments),
    /// Serial lines present: what they are, and how to mend those that cannot be opened
    List(list::Arguments),
    /// Checks a configuration and says what it means
    Check(check::Arguments),
    /// Writes down what a board says, without disturbing it
    Record(record::Arguments),
    /// Captures and journals through the same machines, as fast as it will go
    Replay(replay::Arguments),
    /// A virtual board on a pseudo-terminal, for any software that speaks its language
    Emulate(emulate::Arguments),
    /// What an alert rests on: what was seen, what was legal, what the Laws provide
    Explain(explain::Arguments),
    /// Papers made from the record: games, time sheet, adjournment sheets, journal of decisions
    Export(export::Arguments),
    /// What of a record is whole, and what is missing
    Verify(verify::Arguments),
    /// Everything of damaged journals that can be read again, in a new one
    Salvage(salvage::Arguments),
    /// How often a score is right: virtual players against the truth they know
    Fidelity(fidelity::Arguments),
    /// Asks for a password and prints the line for [web.arbiters]
    Passwd(passwd::Arguments),
    /// The one-time code for the first organizer's account, on the page /setup
    SetupCode(setup_code::Arguments),
    /// Whether a side can checkmate by any series of legal moves, for positions in FEN
    Unwinnable(unwinnable::Arguments),
    /// Manual pages and completions for shells, for whoever makes a package
    #[command(hide = true)]
    Manual(manual::Arguments),
}

/// Reads the command line and does what it says.
#[must_use]
pub fn main() -> ExitCode {
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(help) => {
            let wrong = help.use_stderr();
            let _ = help.print();
            return if wrong { ExitCode::from(exit::USAGE) } else { ExitCode::SUCCESS };
        }
    };
    log_to_stderr();
    let outcome = match program.verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Serve(arguments) => serve::serve(&arguments),
        Verb::Demo(arguments) => demo::demo(&arguments),
        Verb::List(arguments) => list::list(&arguments),
        Verb::Check(arguments) => check::check(&arguments),
        Verb::Record(arguments) => record::record(&arguments),
        Verb::Replay(arguments) => replay::replay(&arguments),
        Verb::Emulate(arguments) => emulate::emulate(&arguments),
        Verb::Explain(arguments) => explain::explain(&arguments),
        Verb::Export(arguments) => export::export(&arguments),
        Verb::Verify(arguments) => verify::verify(&arguments),
        Verb::Salvage(arguments) => salvage::salvage(&arguments),
        Verb::Fidelity(arguments) => fidelity::fidelity(&arguments),
        Verb::Passwd(arguments) => passwd::passwd(&arguments),
        Verb::SetupCode(arguments) => setup_code::setup_code(&arguments),
        Verb::Unwinnable(arguments) => unwinnable::unwinnable(&arguments),
        Verb::Manual(arguments) => manual::manual(&arguments, Program::command()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure);
            failure.into()
        }
    }
}

/// Prints a line to standard output. All output goes through here.
#[allow(clippy::print_stdout)]
pub(crate) fn say(line: impl std::fmt::Display) {
    use std::io::Write as _;
    // A reader that is gone, like `head`, is no failure of ours.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

#[allow(clippy::print_stderr)]
fn complain(failure: &Failure) {
    eprintln!("adoubed: {}", failure.message);
}

fn log_to_stderr() {
    let filter = EnvFilter::try_from_env("ADOUBED_LOG")
        .unwrap_or_else(|_| EnvFilter::new("info,rumqttc=error,adoubed_broker=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| OneLine(std::io::stderr()))
        // Colours are control characters and could not be told from foreign ones.
        .with_ansi(false)
        .init();
}

/// The failure when a task ended that must not end.
fn ended(part: &str) -> Failure {
    Failure::new(exit::SOFTWARE, format!("{part} has ended: start again, the record goes on"))
}

/// A runtime for verbs that wait for something.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(exit::SOFTWARE, error))
}

/// Parses a language that has words.
pub(crate) fn language(code: &str) -> Result<String, String> {
    let known: Vec<_> = words::Language::all().map(words::Language::code).collect();
    match known.contains(&code) {
        true => Ok(code.to_owned()),
        false => Err(format!("one of {}", known.join(", "))),
    }
}
