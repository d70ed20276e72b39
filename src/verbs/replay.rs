//! `adoubed replay`: captures and journals through the same machines, as fast as it will go.

mod lines;

use std::path::PathBuf;

use clap::Args;

use super::say;
use crate::config::Config;
use crate::exit::{self, Failure};
use crate::pgn;
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::{self, Recording, Wanted};
use crate::works::Act;
use words::InWords as _;

/// What the command line says.
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
    #[command(flatten)]
    wanted: Wanted,
}

/// Plays the recordings of a command line.
///
/// # Errors
/// When a file cannot be read, an order in it cannot be carried out, or a record is damaged.
pub fn replay(arguments: &Arguments) -> Result<(), Failure> {
    let recordings = recording::read_all(&arguments.files, &arguments.wanted)?;
    let json = arguments.json || !arguments.pgn;
    let mut player = Player { json, pgn: arguments.pgn, full: arguments.full, say: &mut say };
    player.play_all(&recordings)
}

/// The lines of `replay --json FILE`, for callers in this process.
///
/// # Errors
/// As the verb fails.
pub fn json_lines(file: PathBuf, wanted: &Wanted) -> Result<Vec<String>, Failure> {
    let recordings = recording::read_all(&[file], wanted)?;
    let mut lines = Vec::new();
    let mut say = |line: String| lines.push(line);
    Player { json: true, pgn: false, full: false, say: &mut say }.play_all(&recordings)?;
    Ok(lines)
}

/// Prints what a recording leads to.
struct Player<'a> {
    json: bool,
    pgn: bool,
    full: bool,
    /// The printer.
    say: &'a mut dyn FnMut(String),
}

impl Player<'_> {
    fn play_all(&mut self, recordings: &[Recording]) -> Result<(), Failure> {
        for recording in recordings {
            let refused = self.play(recording);
            if let (Some(path), Some(why)) = (&recording.orders, refused) {
                let text = format!("{}: {why}", path.display());
                return Err(Failure::new(exit::DATA, text));
            }
        }
        recording::refuse_gaps(recordings)
    }

    /// Plays a recording. Returns why the first refused order was refused, if one was.
    fn play(&mut self, recording: &Recording) -> Option<String> {
        let mut refused = None;
        Chronicle::new(Config::default(), !recording.journal).play(recording, |replayed| {
            if let Replayed::Act { act: Act::Answered(_, Err(why)), .. } = &replayed {
                refused.get_or_insert_with(|| why.en());
            }
            self.print(&replayed);
        });
        refused
    }

    fn print(&mut self, replayed: &Replayed<'_>) {
        match replayed {
            Replayed::Act { works, act: Act::Table(at, number, effect), .. } if self.json => {
                let table = works.hall().table(*number);
                if let Some(line) = table.and_then(|it| lines::line(*at, *number, it, effect)) {
                    (self.say)(line.to_string());
                }
            }
            Replayed::Act { .. } => {}
            Replayed::Game { at, table, tags, score } => {
                if self.json {
                    (self.say)(lines::score(*at, *table, score).to_string());
                }
                if self.pgn {
                    let write = if self.full { pgn::write_full } else { pgn::write };
                    (self.say)(write(tags, score));
                }
            }
        }
    }
}
