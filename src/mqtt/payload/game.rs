//! The score of one table. It is long and grows by a move at a time, so its moves can be written on
//! instead of anew.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode};
use witness::{Break, GameNo, Gap, Score, Table};

use super::adjournment::{Envelope, envelope, sheet_at};
use super::table::status;
use super::{Confidence, EventInfo, Stamp, VERSION, write};
use crate::answers::Sheet;
use crate::pairings::Players;
use crate::pgn::spent_ms;
use crate::time::Anchor;

/// Bytes for what stands around the moves: most games need fewer.
const ROOM: usize = 1024;

#[derive(Debug, Serialize)]
struct Move<'a> {
    ply: usize,
    san: &'a str,
    uci: &'a str,
    clk_ms: Option<u32>,
    emt_ms: Option<u32>,
    status: &'static str,
    confidence: Confidence,
    at: String,
}

/// A break: the score does not go on by a legal move.
#[derive(Debug, Serialize)]
struct BreakPayload {
    /// The first move after the break.
    before_ply: usize,
    why: &'static str,
    /// The illegal move, as its two squares.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    fen: String,
}

impl BreakPayload {
    fn of(broken: &Break) -> Self {
        let (why, mv) = match broken.gap {
            Gap::Illegal { from, to } => ("illegal_move", Some(format!("{from}{to}"))),
            Gap::Passed => ("turn_passed", None),
            Gap::Missing => ("missing_moves", None),
        };
        let fen = Fen::from_position(&broken.position, EnPassantMode::Legal).to_string();
        Self { before_ply: broken.at + 1, why, mv, fen }
    }
}

/// A published result that was withdrawn.
#[derive(Debug, Serialize)]
struct WithdrawnPayload {
    result: &'static str,
    termination: &'static str,
    at: String,
}

/// The whole score.
#[derive(Debug, Serialize)]
pub struct Game<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    moves: Vec<Move<'a>>,
    #[serde(flatten)]
    tail: Tail,
}

/// What stands before the moves.
#[derive(Debug, Serialize)]
struct Head<'a> {
    v: u8,
    seq: u64,
    at: String,
    game: GameNo,
    players: &'a Players,
    event: &'a EventInfo,
    start_at: Option<String>,
    start_fen: Cow<'a, str>,
    chess960: bool,
}

/// What stands behind them.
#[derive(Debug, Serialize)]
struct Tail {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breaks: Vec<BreakPayload>,
    rev: u32,
    result: &'static str,
    termination: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<WithdrawnPayload>,
    adjournment: Option<Sheet>,
    envelope: Option<Envelope>,
}

impl<'a> Move<'a> {
    fn of(anchor: &Anchor, score: &'a Score, index: usize) -> Option<Self> {
        let ply = score.plies().get(index)?;
        Some(Self {
            ply: index + 1,
            san: &ply.san,
            uci: &ply.uci,
            clk_ms: ply.clock.map(eboard::FaceTime::as_ms),
            emt_ms: spent_ms(score, index),
            status: status(ply.status),
            confidence: ply.confidence.into(),
            at: anchor.wall(ply.released).rfc3339(),
        })
    }
}

impl<'a> Head<'a> {
    fn of(
        stamp: Stamp<'_>,
        table: &Table,
        players: &'a Players,
        event: &'a EventInfo,
        start_fen: Cow<'a, str>,
    ) -> Self {
        Self {
            v: VERSION,
            seq: stamp.seq,
            at: stamp.at(),
            game: table.game_number(),
            players,
            event,
            // Rounds start at whole seconds, and conversion to the time of day is off by
            // microseconds.
            start_at: table.round_start().map(|at| stamp.anchor.wall(at).rounded().rfc3339()),
            start_fen,
            chess960: table.score().mode() == CastlingMode::Chess960,
        }
    }
}

impl Tail {
    fn of(stamp: Stamp<'_>, table: &Table) -> Self {
        let score = table.score();
        Self {
            breaks: score.breaks().iter().map(BreakPayload::of).collect(),
            rev: score.rev(),
            result: score.result(),
            termination: score.ending().map(|ending| ending.reason.name()),
            withdrawn: score.withdrawn().map(|it| WithdrawnPayload {
                result: it.ending.outcome.as_str(),
                termination: it.ending.reason.name(),
                at: stamp.wall(it.at),
            }),
            adjournment: table.adjournment().map(|it| sheet_at(stamp, it)),
            envelope: envelope(table),
        }
    }
}

/// The score of a table's game.
#[must_use]
pub fn game<'a>(
    stamp: Stamp<'_>,
    table: &'a Table,
    players: &'a Players,
    event: &'a EventInfo,
) -> Game<'a> {
    let score = table.score();
    let moves = (0..score.plies().len()).filter_map(|it| Move::of(stamp.anchor, score, it));
    Game {
        head: Head::of(stamp, table, players, event, Cow::Owned(score.start_fen())),
        moves: moves.collect(),
        tail: Tail::of(stamp, table),
    }
}

/// The moves of a game as they stand in its payload, those that are written so far.
#[derive(Debug, Default)]
pub struct Moves {
    json: Vec<u8>,
    /// Where each move ends.
    ends: Vec<usize>,
    version: u64,
}

impl Moves {
    /// Writes the moves of a score. The first `same` of them are written already.
    pub fn follow(&mut self, anchor: &Anchor, score: &Score, same: usize) {
        self.ends.truncate(same);
        let kept = self.ends.last().copied().unwrap_or_default();
        let before = self.json.split_off(kept);
        for index in self.ends.len()..score.plies().len() {
            if index > 0 {
                self.json.push(b',');
            }
            write(&mut self.json, &Move::of(anchor, score, index));
            self.ends.push(self.json.len());
        }
        if self.json.get(kept..) != Some(&before) {
            self.version += 1;
        }
    }

    /// The version of the moves. It changes whenever they read differently.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }
}

/// The payload of [`game`] with the first position as FEN and the moves that were followed last,
/// and where the moves stand in it.
#[must_use]
pub fn game_of(
    stamp: Stamp<'_>,
    table: &Table,
    (players, event): (&Players, &EventInfo),
    (start_fen, moves): (&str, &Moves),
) -> (Vec<u8>, Range<usize>) {
    let mut payload = Vec::with_capacity(moves.json.len() + ROOM);
    write(&mut payload, &Head::of(stamp, table, players, event, Cow::Borrowed(start_fen)));
    // The three are one object.
    payload.pop();
    payload.extend_from_slice(br#","moves":["#);
    let begin = payload.len();
    payload.extend_from_slice(&moves.json);
    let end = payload.len();
    payload.push(b']');
    let tail = payload.len();
    write(&mut payload, &Tail::of(stamp, table));
    if let Some(brace) = payload.get_mut(tail) {
        *brace = b',';
    }
    (payload, begin..end)
}
