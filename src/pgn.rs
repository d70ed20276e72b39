//! Writes a score as PGN in export format, with `%clk` and `%emt`. `pairings/pgn` reads PGN.

mod lines;
mod moves;

pub use moves::Moves;

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, Position};
use witness::{Break, Confidence, EndedBy, Ending, Gap, Ply, Score, Status, TableNo};

use crate::pairings::{Player, Players, tag};
use lines::{Lines, WIDTH};

/// The tag that says why a game is over.
const TERMINATION: &str = "Termination";

/// The tags that a score does not contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Name of the event.
    pub event: String,
    /// Where it is held.
    pub site: String,
    /// `2026.11.20`.
    pub date: String,
    /// Round, with the table after a point.
    pub round: String,
    /// Who plays.
    pub players: Players,
    /// In the notation of the TimeControl tag.
    pub time_control: String,
    /// The table.
    pub board: Option<TableNo>,
}

/// A game as far as its score says, without the tags of [`Tags`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Body {
    /// How the game ended; none: it has no result.
    pub ending: Option<Ending>,
    /// How many half moves were made.
    pub plies: usize,
    /// Further tags, in their order.
    tags: Vec<(String, String)>,
    moves: String,
}

impl Body {
    /// The game for strict readers: it ends with a comment where no legal move leads on.
    #[must_use]
    pub fn strict(score: &Score) -> Self {
        Self::new(score, false)
    }

    fn new(score: &Score, full: bool) -> Self {
        let tags = tags_of(score).into_iter().map(|(name, value)| (name.to_owned(), value));
        Self {
            ending: score.ending(),
            plies: score.plies().len(),
            tags: tags.collect(),
            moves: movetext(score, full).text,
        }
    }

    /// Sets the result that an arbiter has entered, or removes it.
    pub fn end(&mut self, ending: Option<Ending>) {
        // The old result is the last word of the moves, before the line end.
        let text = self.moves.trim_end();
        let text = text.strip_suffix(termination_marker(self.ending)).unwrap_or(text);
        let marker = termination_marker(ending);
        let moves = text.trim_end();
        let column = moves.len() - moves.rfind('\n').map_or(0, |at| at + 1);
        let between = match column {
            0 => "",
            _ if column + 1 + marker.len() > WIDTH => "\n",
            _ => " ",
        };
        self.moves = format!("{moves}{between}{marker}\n");
        self.tags.retain(|(name, _)| name != TERMINATION);
        let why = ending.and_then(|it| termination(it.reason));
        self.tags.extend(why.map(|why| (TERMINATION.to_owned(), why.to_owned())));
        self.ending = ending;
    }

    /// Whether nothing has happened yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plies == 0 && self.ending.is_none()
    }
}

/// A result as PGN has it: `1-0`, `0-1`, `1/2-1/2` or `*`; or what an arbiter has awarded besides:
/// `0-0`, `1/2-0`, `0-1/2`.
#[must_use]
pub fn result(ending: Option<Ending>) -> &'static str {
    ending.map_or("*", |it| it.outcome.as_str())
}

/// The game for strict readers: it ends with a comment where no legal move leads on.
#[must_use]
pub fn write(tags: &Tags, score: &Score) -> String {
    text(tags, &Body::strict(score))
}

/// The whole game. Where no legal move leads on, a comment says why and gives the position, and the
/// moves go on from there. Strict readers stop at such a comment.
#[must_use]
pub fn write_full(tags: &Tags, score: &Score) -> String {
    text(tags, &Body::new(score, true))
}

/// Tags, an empty line, and the moves.
#[must_use]
pub fn text(tags: &Tags, body: &Body) -> String {
    let of_score = body.tags.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let mut text = head(tags, result(body.ending), of_score);
    text.push_str(&body.moves);
    text
}

/// Tags and an empty line.
fn head<'a>(
    tags: &Tags,
    result: &str,
    of_score: impl Iterator<Item = (&'a str, String)>,
) -> String {
    let mut text = String::new();
    for (name, value) in tag_pairs(tags, result).into_iter().chain(of_score) {
        text += &tag(name, &value);
    }
    text.push('\n');
    text
}

fn tag_pairs(tags: &Tags, result: &str) -> Vec<(&'static str, String)> {
    let or = |value: &str, unknown: &str| {
        if value.is_empty() { unknown.to_owned() } else { value.to_owned() }
    };
    let mut pairs = vec![
        ("Event", or(&tags.event, "?")),
        ("Site", or(&tags.site, "?")),
        ("Date", or(&tags.date, "????.??.??")),
        ("Round", or(&tags.round, "?")),
        ("White", or(&tags.players.white.name, "?")),
        ("Black", or(&tags.players.black.name, "?")),
        ("Result", result.to_owned()),
    ];
    pairs.extend(tags.board.map(|board| ("Board", board.to_string())));
    pairs.extend(of_player(&tags.players.white, ["WhiteTitle", "WhiteElo", "WhiteFideId"]));
    pairs.extend(of_player(&tags.players.black, ["BlackTitle", "BlackElo", "BlackFideId"]));
    if !tags.time_control.is_empty() {
        pairs.push(("TimeControl", tags.time_control.clone()));
    }
    pairs
}

fn tags_of(score: &Score) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    if score.mode() == CastlingMode::Chess960 {
        pairs.push(("Variant", "Chess960".to_owned()));
    }
    if *score.start() != Chess::default() {
        pairs.push(("SetUp", "1".to_owned()));
        pairs.push(("FEN", score.start_fen()));
    }
    let why = score.ending().and_then(|it| termination(it.reason));
    pairs.extend(why.map(|why| (TERMINATION, why.to_owned())));
    pairs
}

/// Why the game is over; none: an arbiter has entered the result, and the reason is not known. PGN
/// has no word for a game that was not played, so this uses the arbiters' word. A game without
/// moves is no forfeit by itself: it may have been played on a board that was not read.
fn termination(reason: EndedBy) -> Option<&'static str> {
    match reason {
        EndedBy::Checkmate | EndedBy::Stalemate | EndedBy::Signalled => Some("normal"),
        EndedBy::Forfeit => Some("forfeit"),
        EndedBy::Arbiter => None,
    }
}

fn of_player(
    player: &Player,
    names: [&'static str; 3],
) -> impl Iterator<Item = (&'static str, String)> {
    let number = |it: Option<u32>| it.map(|it| it.to_string());
    let rating = player.rating.map(u32::from);
    let values = [player.title.clone(), number(rating), number(player.fide_id)];
    names.into_iter().zip(values).filter_map(|(name, value)| Some((name, value?)))
}

fn movetext(score: &Score, full: bool) -> Lines {
    let mut lines = Lines::default();
    let mut number = u32::from(score.start().fullmoves());
    let mut turn = score.start().turn();
    for index in 0..score.plies().len() {
        let breaks: Vec<_> = score.breaks().iter().filter(|broken| broken.at == index).collect();
        breaks.iter().for_each(|broken| lines.words(&gap(broken)));
        if let Some(broken) = breaks.last() {
            if !full {
                break;
            }
            number = u32::from(broken.position.fullmoves());
            turn = broken.position.turn();
        }
        ply(&mut lines, score, index, (number, turn));
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
    end(&mut lines, score);
    lines
}

/// One move with its number and its comment.
fn ply(lines: &mut Lines, score: &Score, index: usize, (number, turn): (u32, Color)) {
    let Some(ply) = score.plies().get(index) else { return };
    // The comment of White's move stands before Black's, and then the number is repeated.
    let dots = if turn == Color::White { "." } else { "..." };
    lines.word(&format!("{number}{dots}"));
    lines.word(&ply.san);
    comment(score, index, ply).iter().for_each(|word| lines.word(word));
}

/// What follows the moves.
fn end(lines: &mut Lines, score: &Score) {
    if let Some(withdrawn) = score.withdrawn() {
        lines.words(&format!("{{the result {} was withdrawn}}", withdrawn.ending.outcome));
    }
    lines.word(termination_marker(score.ending()));
    lines.end();
}

/// The marker that ends the moves. PGN has four of them; any other award stands in the tag alone.
fn termination_marker(ending: Option<Ending>) -> &'static str {
    ending.and_then(|it| it.outcome.known()).map_or("*", KnownOutcome::as_str)
}

/// The comment where no legal move leads on.
fn gap(broken: &Break) -> String {
    let fen = Fen::from_position(&broken.position, EnPassantMode::Legal);
    match broken.gap {
        Gap::Illegal { from, to } => {
            format!("{{the illegal move {from}{to} stood; the game went on from {fen}}}")
        }
        Gap::Passed => {
            let by = match broken.position.turn() {
                Color::White => "Black",
                Color::Black => "White",
            };
            format!("{{{by} pressed the clock without a move; the game went on from {fen}}}")
        }
        Gap::Missing => format!("{{moves were not seen; the game went on from {fen}}}"),
    }
}

/// The words of the comment behind a move. A command such as `[%clk 0:02:59]` counts as one word,
/// because many readers do not find it across the end of a line.
fn comment(score: &Score, index: usize, ply: &Ply) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(face) = ply.clock {
        words.push(format!("[%clk {face}]"));
    }
    if let Some(spent) = spent_ms(score, index) {
        words.push(format!("[%emt {}]", FaceTime::from_ms(spent)));
    }
    if ply.confidence == Confidence::Inferred {
        words.push("inferred".to_owned());
    }
    if let Some(first) = words.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    words
}

/// How long after its reply a move may be completed by a press of its own. Beyond that the clock
/// was away, or the next move completed it. A reply a tempo stands there for a shorter time.
const REPLIED: Duration = Duration::from_secs(2);

/// Milliseconds from the completion of the move before to that of this one, by our own clock. A
/// move without a known press counts from the moment at which it stood on the board.
#[must_use]
pub fn spent_ms(score: &Score, index: usize) -> Option<u32> {
    let ply = score.plies().get(index)?;
    if ply.status != Status::Completed {
        return None;
    }
    let before = match index.checked_sub(1) {
        Some(before) => done(score.plies(), before),
        None => score.began(),
    };
    u32::try_from(done(score.plies(), index)?.since(before?).as_millis()).ok()
}

/// When a move was done: at its press, if the press can be known.
fn done(plies: &[Ply], index: usize) -> Option<Moment> {
    let ply = plies.get(index)?;
    let completed = ply.completed?;
    let replied = plies.get(index + 1).is_some_and(|it| it.released + REPLIED < completed);
    // One press or reading has completed several moves.
    let before = index.checked_sub(1).and_then(|before| plies.get(before));
    let together = before.is_some_and(|it| it.completed == ply.completed);
    Some(if replied || together { ply.released } else { completed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_short_and_commands_whole() {
        let mut lines = Lines::default();
        (0..40).for_each(|_| lines.word("{[%clk 0:02:59]}"));
        lines.end();
        let text = lines.text;
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.lines().all(|line| line.ends_with("]}")), "{text}");
        assert_eq!(text.matches("[%clk 0:02:59]").count(), 40);
    }
}
