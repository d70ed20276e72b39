//! What hands did in the last turns, and which alerts it raised.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::Play;
use crate::array::Array;
use crate::incident::{IncidentId, Kind};
use crate::turn::{Act, Turns};

/// An open incident about how a move was made.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Reported {
    /// The move, counted from 0.
    pub(super) ply: usize,
    pub(super) kind: Kind,
    pub(super) side: Option<Color>,
    pub(super) id: IncidentId,
    /// It says that a mate or stalemate was released before, and changed.
    pub(super) ended: bool,
}

/// What hands did in the last turns, and which alerts it raised.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Irregularities {
    pub(super) turns: Turns,
    pub(super) reported: Vec<Reported>,
    /// The move whose turn could not be judged: something was still in the air when it was made.
    pub(super) unjudged: Option<usize>,
    /// What stood there when fallen pieces were reported, until they stand again.
    pub fallen: Option<Board>,
    /// When a blind board is taken to lie the other way round, by the first move.
    pub turn_at: Option<Moment>,
    /// When the mate or stalemate that stands there has rested long enough.
    pub mate_at: Option<Moment>,
    /// The first move that was made while both times stood, if that was reported.
    pub made_stopped: Option<usize>,
    /// The kings that stood in the centre were put back after so many moves, while a time counted;
    /// nobody has pressed since.
    pub kings_left: Option<usize>,
    /// Pieces were moved about while both times stood, and squares and score have not agreed since.
    pub rearranged: bool,
    /// An arbiter has said what the game begins with.
    pub ordered: bool,
}

impl Irregularities {
    /// What is open of a game that is over.
    pub fn take_reported(self) -> Vec<Reported> {
        self.reported
    }

    /// The alerts about moves that may still be open: the move, counted from 0, and the kind.
    pub fn open(&self) -> impl Iterator<Item = (usize, Kind, IncidentId)> {
        self.reported.iter().map(|reported| (reported.ply, reported.kind, reported.id))
    }

    /// What says that a mate or stalemate was released before this move, or one after it, was made.
    pub fn released_ends(&self) -> impl Iterator<Item = IncidentId> {
        self.reported.iter().filter(|reported| reported.ended).map(|reported| reported.id)
    }

    /// What was done since so many moves had been made.
    pub fn acts_since(&self, plies: usize) -> &[Act] {
        self.turns.since(plies)
    }

    /// What was done since this array stood there, at that moment; none: that is not known.
    pub fn hands_since(&self, stood: Moment, array: &Array) -> Option<Turns> {
        self.turns.from(stood, array.position.board())
    }

    /// When the pieces of these squares were lifted last.
    pub fn lifted_from(&self, squares: &[Square]) -> Vec<(Square, Moment)> {
        let lift = |square: &Square| Some((*square, self.turns.lifted_at(*square)?));
        squares.iter().filter_map(lift).collect()
    }
}

impl Play {
    /// The whole board was seen for the first time, or lies the other way round now.
    pub(super) fn restart_turns(&mut self) {
        self.game.irregularities.turns =
            Turns::after(self.game.score.plies().len(), self.board.surface.board().clone());
        // The turn of a move that was made before is not known any more.
        self.game.irregularities.unjudged = None;
    }

    /// The clock is started: pieces that were put straight before were touched by nobody who had
    /// the move. Where it was `waited` for, nothing that hands did before was noted, so turns are
    /// noted from what stands there now.
    pub(super) fn begin_turns(&mut self, waited: bool) {
        let set_up = self.game.score.plies().is_empty() && self.agrees();
        self.game.ordered.put_back |= waited || set_up;
    }

    /// Whether nobody can say that the game had begun before this move: no clock is heard, and the
    /// pieces were set up for it.
    pub(super) fn may_not_have_begun(&self, ply: usize) -> bool {
        let start = self.game.score.start();
        let set_up = start.board().occupied() == Chess::default().board().occupied();
        ply == 0 && set_up && (!self.game.clock.ran || self.clocks.lost())
    }

    /// Whether this promotion was begun by then: only its piece was still to come (6.11.2).
    pub(super) fn promotes_since_before(&self, mv: Move, at: Moment) -> bool {
        let pawn = mv.from().filter(|_| mv.is_promotion());
        let lifted = pawn.and_then(|pawn| self.game.irregularities.turns.lifted_at(pawn));
        lifted.is_some_and(|lifted| lifted <= at)
    }
}
