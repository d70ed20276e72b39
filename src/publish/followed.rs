//! The score of a table as it was published last. It finds the moves that have not changed since,
//! and keeps them as they are written.

use eboard::{FaceTime, Moment};
use shakmaty::{CastlingMode, Chess, Move};
use witness::{Break, Confidence, Ply, Score, Status};

use crate::mqtt::payload;
use crate::pgn::{self, spent_ms};
use crate::time::Anchor;

/// The score of one table, followed from one publication to the next.
#[derive(Default)]
pub struct Followed {
    whole: Option<Whole>,
    plies: Vec<Made>,
    /// The position that the game began with as FEN.
    pub start_fen: String,
    /// The moves as JSON.
    pub json: payload::Moves,
    /// The moves as PGN.
    pub pgn: pgn::Moves,
}

/// What every move is written by. With the moves it also says how each of them is called.
#[derive(PartialEq)]
struct Whole {
    anchor: Anchor,
    start: Chess,
    mode: CastlingMode,
    began: Option<Moment>,
    breaks: Vec<Break>,
}

/// What a move is written by.
struct Made {
    mv: Move,
    status: Status,
    confidence: Confidence,
    released: Moment,
    completed: Option<Moment>,
    clock: Option<FaceTime>,
    spent_ms: Option<u32>,
}

impl Followed {
    /// Writes the moves that have changed, and the new ones.
    pub fn follow(&mut self, anchor: &Anchor, score: &Score) {
        if !self.whole.as_ref().is_some_and(|it| it.is_of(anchor, score)) {
            self.whole = Some(Whole::of(anchor, score));
            self.start_fen = score.start_fen();
            self.plies.clear();
        }
        let plies = score.plies();
        let same = self.plies.iter().zip(plies).take_while(|(made, ply)| made.is(ply)).count();
        let last = same.checked_sub(1);
        let took = |it: &usize| self.plies.get(*it).is_some_and(|made| made.took(score, *it));
        // The time that a move took may follow from the move after it.
        let stands = last.filter(|last| !took(last)).unwrap_or(same);
        self.plies.truncate(stands);
        let new = plies.iter().enumerate().skip(stands);
        self.plies.extend(new.map(|(index, ply)| Made::of(ply, spent_ms(score, index))));
        self.json.follow(anchor, score, stands);
        self.pgn.follow(score, stands);
    }
}

impl Whole {
    fn of(anchor: &Anchor, score: &Score) -> Self {
        Self {
            anchor: *anchor,
            start: score.start().clone(),
            mode: score.mode(),
            began: score.began(),
            breaks: score.breaks().to_vec(),
        }
    }

    fn is_of(&self, anchor: &Anchor, score: &Score) -> bool {
        self.anchor == *anchor
            && self.mode == score.mode()
            && self.began == score.began()
            && self.breaks == score.breaks()
            && self.start == *score.start()
    }
}

impl Made {
    const fn of(ply: &Ply, spent_ms: Option<u32>) -> Self {
        Self {
            mv: ply.mv,
            status: ply.status,
            confidence: ply.confidence,
            released: ply.released,
            completed: ply.completed,
            clock: ply.clock,
            spent_ms,
        }
    }

    fn is(&self, ply: &Ply) -> bool {
        self.completed == ply.completed
            && self.clock == ply.clock
            && self.mv == ply.mv
            && self.status == ply.status
            && self.confidence == ply.confidence
            && self.released == ply.released
    }

    /// Whether the move still took this time.
    fn took(&self, score: &Score, index: usize) -> bool {
        self.spent_ms == spent_ms(score, index)
    }
}
