//! `adoubed replay`: captures and journals through the same machines, as fast as it will go.

mod lines;

use std::path::PathBuf;

use clap::Args;

use super::say;
use crate::chronicle::{Chronicle, Told};
use crate::config::Config;
use crate::exit::{self, Failure};
use crate::pgn;
use crate::recording::{self, Recording, Wanted};
use crate::works::Act;

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

pub fn replay(arguments: &Arguments) -> Result<(), Failure> {
    let player =
        Player { json: arguments.json || !arguments.pgn, pgn: arguments.pgn, full: arguments.full };
    let recordings = recording::read_all(&arguments.files, &arguments.wanted)?;
    for recording in &recordings {
        let refused = player.play(recording);
        if let (Some(path), Some(why)) = (&recording.orders, refused) {
            let text = format!("{}: {why}", path.display());
            return Err(Failure::new(exit::DATA, text));
        }
    }
    recording::refuse_gaps(&recordings)
}

/// Prints what comes of a recording.
struct Player {
    json: bool,
    pgn: bool,
    full: bool,
}

impl Player {
    /// Gives why the first order was refused, if one was.
    fn play(&self, recording: &Recording) -> Option<String> {
        let mut refused = None;
        Chronicle::new(Config::default(), !recording.journal).play(recording, |told| {
            if let Told::Act { act: Act::Answered(_, Err(why)), .. } = &told {
                refused.get_or_insert_with(|| why.en.clone());
            }
            self.print(&told);
        });
        refused
    }

    fn print(&self, told: &Told<'_>) {
        match told {
            Told::Act { works, act: Act::Table(at, number, effect), .. } if self.json => {
                let table = works.hall().table(*number);
                if let Some(line) = table.and_then(|it| lines::line(*at, *number, it, effect)) {
                    say(line);
                }
            }
            Told::Act { .. } => {}
            Told::Game { at, table, tags, score } => {
                if self.json {
                    say(lines::score(*at, *table, score));
                }
                if self.pgn {
                    let write = if self.full { pgn::write_full } else { pgn::write };
                    say(write(tags, score));
                }
            }
        }
    }
}
