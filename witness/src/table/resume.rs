//! How a game goes on where no legal move leads on: an illegal move that nobody claimed (A.4.2,
//! B.4: in rapid and blitz it stands), or moves that nobody saw and no search finds. A second
//! tracker follows the game from what stands there; when both players have gone on from it, the
//! score breaks and continues.

use eboard::Moment;
use shakmaty::{Board, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Setup};

use super::{Effect, Table};
use crate::incident::Kind;
use crate::laws::illegal::IllegalMove;
use crate::recogniser::Recogniser;
use crate::score::{Break, Gap};
use crate::tracker::Waits;

/// Moves that must have been made from an unexplained position before it is believed.
const MISSING_PLIES: usize = 2;

/// A game that may go on from here.
#[derive(Clone, Debug)]
pub(super) struct Resumption {
    tracker: Recogniser,
    why: Gap,
}

impl Table {
    /// An illegal move stands: whoever plays on from it has let it stand.
    pub(super) fn expect_play_from_illegal(
        &mut self,
        now: Moment,
        mv: &IllegalMove,
        board: &Board,
    ) {
        let turn = mv.piece.color.other();
        let why = Gap::Illegal { from: mv.from, to: mv.to };
        self.resumption = self
            .standing(board, turn)
            .map(|position| Recogniser::new(now, position, self.surface.is_blind()))
            .map(|tracker| Resumption { tracker, why });
    }

    /// Nothing explains the squares after the board was away: whoever plays on from there goes on.
    /// A blind board cannot say what stands there: every line that it knows is followed until one
    /// is left, the pieces are set up anew, or an arbiter says what the position is.
    pub(super) fn expect_play_from_here(&mut self, now: Moment) {
        if self.surface.is_blind() || self.resumption.is_some() {
            return;
        }
        let board = self.surface.board();
        let positions: Vec<_> =
            Color::ALL.into_iter().filter_map(|turn| self.standing(board, turn)).collect();
        let tracker = (!positions.is_empty()).then(|| Recogniser::among(now, positions));
        self.resumption = tracker.map(|tracker| Resumption { tracker, why: Gap::Missing });
    }

    /// The squares changed: does the game go on from there?
    pub(super) fn look_for_resumption(&mut self, now: Moment, waits: Waits, out: &mut Vec<Effect>) {
        let Some(resumption) = &mut self.resumption else { return };
        resumption.tracker.see(now, &self.surface.picture_at(now), waits);
        self.resume_if_played_on(now, out);
    }

    /// The resumption's own deadline.
    pub(super) fn resumption_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let picture = self.surface.picture_at(now);
        let Some(resumption) = &mut self.resumption else { return };
        if resumption.tracker.deadline().is_some_and(|at| at <= now) {
            resumption.tracker.due(now, &picture);
            self.resume_if_played_on(now, out);
        }
    }

    pub(super) fn resumption_deadline(&self) -> Option<Moment> {
        self.resumption.as_ref().and_then(|resumption| resumption.tracker.deadline())
    }

    /// The opponent has pressed for a legal move on the illegal one: he has let it stand.
    pub(super) fn press_resumption(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        let picture = self.surface.picture();
        let Some(resumption) = &mut self.resumption else { return };
        resumption.tracker.pressed(now, by, false, &picture);
        let answered = resumption.tracker.tail().len() == 1
            && resumption.tracker.position().turn() == by.other();
        if answered && resumption.why != Gap::Missing {
            self.resume_from_break(now, out);
        }
    }

    fn resume_if_played_on(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(resumption) = &self.resumption else { return };
        let lost = self.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_some());
        let made = resumption.tracker.tail().len();
        // Nobody presses for a mate or stalemate, and nobody moves after it.
        let over = resumption.tracker.position().is_game_over() && resumption.tracker.agrees();
        let ended = over && made > 0 && resumption.why != Gap::Missing;
        if lost && (ended || made >= MISSING_PLIES) {
            self.resume_from_break(now, out);
        }
    }

    fn resume_from_break(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(Resumption { tracker, why }) = self.resumption.take() else { return };
        let agreed = self.score.fen();
        let position = tracker.root().clone();
        self.score.break_off(Break { at: self.score.plies().len(), gap: why, position });
        let followed = self.tracker.insert(tracker);
        if self.several_ways {
            followed.leave_undecided();
        }
        (self.standing_illegal, self.doubt, self.adrift) = (None, None, false);
        self.reopened = false;
        self.adopt(now, out);
        if why == Gap::Missing {
            self.doubt_what_is_missing(now, agreed, out);
        } else if !self.several_ways {
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    /// What stands there, as a position with this side to move, if the rules of chess can hold it.
    fn standing(&self, board: &Board, turn: Color) -> Option<Chess> {
        let (before, board) = (self.score.position(), board.clone());
        let kings = Color::ALL.into_iter().filter(|&side| {
            board.king_of(side).is_some() && board.king_of(side) == before.board().king_of(side)
        });
        let unmoved = kings.fold(shakmaty::Bitboard::EMPTY, |all, side| all | board.by_color(side));
        let castling_rights = before.castles().castling_rights() & board.rooks() & unmoved;
        let over = u32::from(before.turn() == Color::Black && turn == Color::White);
        let fullmoves = before.fullmoves().saturating_add(over);
        let setup = Setup {
            board,
            turn,
            castling_rights,
            fullmoves,
            ..before.to_setup(EnPassantMode::Legal)
        };
        let setup = Setup { ep_square: None, ..setup };
        Chess::from_setup(setup, self.score.mode())
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }
}
