//! Whether a side can still mate: how many published questions are decided, and what the end of an
//! ordinary game costs.
//!
//! `cargo bench -p adoubed --bench unwinnable` uses ten million nodes a question, which takes
//! minutes; a number after `--` is another effort. The questions and games are looked for in
//! `../shared/data` or `$ADOUBED_DATA`.

#![allow(clippy::print_stdout, reason = "its table is its purpose")]
#![allow(clippy::unwrap_used, reason = "a bench may fall")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError};
use witness::unwinnable::{Analysis, Effort, Verdict};

/// Of a search by a mature engine.
const EFFORT: u64 = 10_000_000;
/// An ending has at most so many men.
const ENDING: usize = 10;

#[derive(Default)]
struct Tally {
    asked: u32,
    decided: u32,
    wrong: u32,
    nodes: u64,
    took: Duration,
    worst: Duration,
}

impl Tally {
    /// `expected`: the published answer.
    fn ask(&mut self, position: &Chess, winner: Color, effort: u64, expected: Option<bool>) {
        let begun = Instant::now();
        let mut analysis = Analysis::new(position, winner);
        let verdict = analysis.advance(Effort(effort));
        let took = begun.elapsed();
        let said = match verdict {
            Verdict::Winnable(line) => {
                let mut at = position.clone();
                line.into_iter().for_each(|mv| at = at.clone().play(mv).unwrap());
                assert!(at.is_checkmate() && at.turn() != winner, "the proof is none");
                Some(true)
            }
            Verdict::Unwinnable => Some(false),
            Verdict::Undetermined => None,
        };
        self.asked += 1;
        self.decided += u32::from(said.is_some());
        self.wrong += u32::from(said.is_some() && expected.is_some() && said != expected);
        self.nodes += analysis.spent();
        self.took += took;
        self.worst = self.worst.max(took);
    }

    fn print(&self, name: &str) {
        let asked = f64::from(self.asked.max(1));
        println!(
            "{name:<28} asked {:>5}  decided {:>5}  wrong {}  undetermined {:>4}  nodes {:>9.1}  \
             ms {:>9.4}  worst ms {:>8.1}  million nodes/s {:.2}",
            self.asked,
            self.decided,
            self.wrong,
            self.asked - self.decided,
            self.nodes as f64 / asked,
            self.took.as_secs_f64() * 1e3 / asked,
            self.worst.as_secs_f64() * 1e3,
            self.nodes as f64 / self.took.as_secs_f64().max(1e-9) / 1e6,
        );
    }
}

fn main() {
    let effort = std::env::args().find_map(|it| it.parse().ok()).unwrap_or(EFFORT);
    let data = std::env::var_os("ADOUBED_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let read = |name: &str| std::fs::read(data.join(name)).ok();
    match read("pgn/baku-olympiad-2016-all-noclk.pgn") {
        Some(pgn) => games(&String::from_utf8_lossy(&pgn)),
        None => println!("SKIPPED: no games in {}", data.display()),
    }
    match read("unwinnable/test-vector.txt") {
        Some(text) => published(&String::from_utf8_lossy(&text), effort),
        None => println!("SKIPPED: no published questions in {}", data.display()),
    }
}

/// The side that does not have the move is asked about, as when a flag falls.
fn games(pgn: &str) {
    let (mut all, mut endings) = (Tally::default(), Tally::default());
    for last in last_positions(pgn) {
        all.ask(&last, !last.turn(), Effort::QUICK.0, None);
        if last.board().occupied().count() <= ENDING {
            endings.ask(&last, !last.turn(), Effort::QUICK.0, None);
        }
    }
    all.print("last positions, quick");
    endings.print("endings, quick");
}

fn published(text: &str, effort: u64) {
    let mut tally = Tally::default();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (answers, fen) = line.split_at(3);
        let setup = fen.trim().parse::<Fen>().unwrap().into_setup();
        let position: Chess = setup
            .position(CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .unwrap();
        for (winner, answer) in [Color::White, Color::Black].into_iter().zip(answers.chars()) {
            tally.ask(&position, winner, effort, Some(answer != '-'));
        }
    }
    tally.print(&format!("published, {effort} nodes"));
}

/// What stood on the board at the end of each game: words that are no moves are passed over.
fn last_positions(pgn: &str) -> Vec<Chess> {
    let mut ends = Vec::new();
    let mut position = Chess::default();
    for word in pgn.lines().filter(|line| !line.starts_with('[')).flat_map(str::split_whitespace) {
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            ends.push(std::mem::take(&mut position));
        } else if let Ok(san) =
            word.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.').parse::<SanPlus>()
            && let Ok(mv) = san.san.to_move(&position)
        {
            position.play_unchecked(mv);
        }
    }
    ends
}
