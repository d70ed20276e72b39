//! `adoubed unwinnable`: whether a side can checkmate by any series of legal moves (5.2.2, 6.9,
//! 7.5.5).

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use clap::Args;
use eboard::Moment;
use shakmaty::{CastlingMode, Chess, Color, Move, Position, PositionError, fen::Fen};
use witness::unwinnable::{Analysis, Effort, Verdict};

use super::{complain, say};
use crate::exit::{self, Failure};
use crate::time::Clock;

#[derive(Args)]
pub struct Arguments {
    /// One FEN per line, then `white` or `black`, the intended winner; without it the side that is
    /// not to move. Without a file they are read from standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Positions that may be made for one answer
    #[arg(long, default_value_t = Effort::FULL.0)]
    nodes: u64,
}

/// Answers line by line: `winnable` with a helpmate in UCI, `unwinnable` or `undetermined`, then
/// the positions made and the time. A line that holds no question is named on standard error, and
/// the others are answered all the same.
pub fn unwinnable(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.file.as_ref().map_or("standard input".into(), |it| it.to_string_lossy());
    let unread = |error: io::Error| {
        let code = match error.kind() {
            io::ErrorKind::NotFound => exit::NO_INPUT,
            _ => exit::IO,
        };
        Failure::new(code, format!("failed to read {name}: {error}"))
    };
    let lines: Box<dyn BufRead> = match &arguments.file {
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(unread)?)),
        None => Box::new(io::stdin().lock()),
    };
    let (mut asked, mut refused) = (0, 0);
    // Bytes that are no text are one more line to refuse, not the end of the file.
    for (number, line) in lines.split(b'\n').enumerate() {
        let line = line.map_err(unread)?;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        asked += 1;
        match read(&line) {
            Ok(question) => answer(&question, arguments.nodes),
            Err(problem) => {
                refused += 1;
                let message = format!("{name}:{}: {problem}", number + 1);
                complain(&Failure::new(exit::DATA, message));
            }
        }
    }
    if refused == 0 {
        return Ok(());
    }
    Err(Failure::new(exit::DATA, format!("{name}: {refused} of {asked} lines refused")))
}

fn answer(question: &Question, nodes: u64) {
    let clock = Clock::starting_at(Moment::ZERO);
    let mut analysis = Analysis::new(&question.position, question.winner);
    let verdict = words(question.mode, analysis.advance(Effort(nodes)));
    let took = clock.now().since(Moment::ZERO);
    say(format_args!("{verdict} nodes {} time {took:?}", analysis.spent()));
}

struct Question {
    position: Chess,
    /// The notation of castling in the helpmate.
    mode: CastlingMode,
    winner: Color,
}

fn read(line: &str) -> Result<Question, String> {
    let mut words: Vec<_> = line.split_whitespace().collect();
    let winner = match words.last() {
        Some(&"white") => Some(Color::White),
        Some(&"black") => Some(Color::Black),
        _ => None,
    };
    if winner.is_some() {
        words.pop();
    }
    let fen = words.join(" ").parse::<Fen>();
    let fen = fen.map_err(|error| format!("the FEN cannot be read: {error}"))?;
    let mode = CastlingMode::detect(fen.as_setup());
    // Composed positions are allowed, even if no game leads to them.
    let position: Chess = fen
        .into_position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| format!("the FEN is no legal position: {error}"))?;
    let winner = winner.unwrap_or(position.turn().other());
    Ok(Question { position, mode, winner })
}

fn words(mode: CastlingMode, verdict: Verdict) -> String {
    match verdict {
        Verdict::Winnable(line) => {
            let moves = line.iter().map(|mv: &Move| mv.to_uci(mode).to_string());
            let moves = moves.fold(String::new(), |all, mv| all + " " + &mv);
            format!("winnable{moves}")
        }
        Verdict::Unwinnable => "unwinnable".to_owned(),
        Verdict::Undetermined => "undetermined".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> String {
        let Question { position, mode, winner } = read(line).unwrap();
        words(mode, Analysis::new(&position, winner).advance(Effort::FULL))
    }

    #[test]
    fn the_side_that_is_not_to_move_is_to_win_unless_another_is_named() {
        assert_eq!(answer("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1 white"), "unwinnable");
        assert!(answer("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1").starts_with("winnable "));
        assert_eq!(read("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").unwrap().winner, Color::Black);
    }

    #[test]
    fn a_helpmate_is_proof_and_mate_needs_none() {
        let line = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 white";
        let mut position = read(line).unwrap().position;
        for word in answer(line).split_whitespace().skip(1) {
            let uci: shakmaty::uci::UciMove = word.parse().unwrap();
            let mv = uci.to_move(&position).unwrap();
            position = position.play(mv).unwrap();
        }
        assert!(position.is_checkmate() && position.turn() == Color::Black);
        assert_eq!(answer("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 white"), "winnable");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        assert!(read("nonsense white").err().unwrap().contains("cannot be read"));
        assert!(read("8/8/8/8/8/8/8/8 w - - 0 1").err().unwrap().contains("no legal position"));
    }
}
