//! The score of a table as it was published last. It finds the moves that have not changed since,
//! and keeps them as they are written.

use eboard::{FaceTime, Moment};
use shakmaty::{CastlingMode, Chess, Move};
use witness::{Break, Confidence, Ply, Score, Status};

use crate::mqtt::payload;
use crate::pgn;
use crate::time::Anchor;

/// The score of one table, followed from one publication to the next.
#[derive(Default)]
pub struct Followed {
    whole: Option<Whole>,
    plies: Vec<Made>,
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

/// What a move is written by, and the moves beside it, whose times say how long it took.
#[derive(PartialEq)]
struct Made {
    mv: Move,
    status: Status,
    confidence: Confidence,
    released: Moment,
    completed: Option<Moment>,
    clock: Option<FaceTime>,
}

impl Followed {
    /// Writes the moves that have changed, and the new ones.
    pub fn follow(&mut self, anchor: &Anchor, score: &Score) {
        if !self.whole.as_ref().is_some_and(|it| it.is_of(anchor, score)) {
            self.whole = Some(Whole::of(anchor, score));
            self.plies.clear();
        }
        let plies = score.plies();
        let same = self.plies.iter().zip(plies).take_while(|(made, ply)| made.is(ply)).count();
        let stands = match same == self.plies.len() && same == plies.len() {
            true => same,
            // The time that a move took may follow from the move after it.
            false => same.saturating_sub(1),
        };
        self.plies.truncate(same);
        self.plies.extend(plies.iter().skip(same).map(Made::of));
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
    const fn of(ply: &Ply) -> Self {
        Self {
            mv: ply.mv,
            status: ply.status,
            confidence: ply.confidence,
            released: ply.released,
            completed: ply.completed,
            clock: ply.clock,
        }
    }

    fn is(&self, ply: &Ply) -> bool {
        *self == Self::of(ply)
    }
}
