//! Articles 7.2 and A.5.1: the pieces were set up wrongly. That shows when a clock is started, or,
//! where no clock is heard, with the first move.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Board, Chess, Position};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::candidates;
use crate::incident::{Facts, Gravity, Incident, Kind};
use crate::laws::position;
use crate::laws::start::{self, Start};
use crate::picture::differing;
use crate::tolerances::{SCANNED, SET_UP};

/// Squares of a set-up that a board may not see as they are; with more it is another position.
const UNSEEN_MAX: usize = 4;

/// What is known of a set-up with which no game should begin.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct WrongStart {
    /// It stands there, or stood there last, and since when.
    pub(super) set_up: Option<(Board, Moment)>,
    /// When the first move from it is believed.
    pub(super) move_at: Option<Moment>,
    /// The squares that were not set up when the clock was started, and when they must be.
    pub(super) doubted: Option<(Bitboard, Moment)>,
    /// The squares that were reported when the clock was started.
    pub(super) reported: Option<Board>,
    /// What was closed with the game: it is open again where the game goes on.
    over: Vec<Incident>,
}

impl WrongStart {
    /// Another game: what was closed with the one before stays so.
    pub(super) fn forget_what_was_closed(&mut self) {
        self.over.clear();
    }
}

impl Play {
    /// A clock is started, and the board does not see all pieces as they are set up: a square is
    /// worn, or a piece is not in its place. A scan may still be bringing the last one in.
    pub(super) fn doubt_when_scanned(&mut self, now: Moment) {
        let squares = self.not_set_up();
        let few = squares.any() && squares.count() <= UNSEEN_MAX;
        self.checks.wrong_start.doubted = few.then_some((squares, now + SCANNED));
    }

    /// It has been scanned: some of these squares still do not show what belongs there.
    pub(super) fn doubt_the_set_up(
        &mut self,
        now: Moment,
        squares: Bitboard,
        out: &mut Vec<Effect>,
    ) {
        let followed = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        let squares = squares & self.not_set_up();
        if !followed && squares.any() && !self.follows_from_set_up() {
            let text = position::not_set_up(squares);
            let facts = Facts { squares: squares.into_iter().collect(), ..self.facts() };
            self.raise_doubt(now, text, facts, out);
        }
    }

    /// The squares that are not as the game begins.
    fn not_set_up(&self) -> Bitboard {
        let usual = Chess::default();
        let start = self.announced().map_or(usual.board(), |it| it.position.board());
        differing(self.board.surface.board(), start)
    }

    pub(super) fn wrong_set_up(&self, picture: &Board) -> Option<Start> {
        let announced = self.announced().map(|it| it.position.board());
        start::wrong(picture, announced)
    }

    pub(super) fn raise_wrong_start(
        &mut self,
        now: Moment,
        picture: &Board,
        wrong: &Start,
        out: &mut Vec<Effect>,
    ) {
        let announced = self.announced().map(|it| it.position.board().clone());
        let text = start::text(wrong, picture, announced.as_ref());
        let advice = start::advice(wrong, &self.settings);
        let squares = match wrong {
            Start::Mixed(squares) => squares.clone(),
            Start::Chess960(_) | Start::NotAnnounced | Start::Across => Vec::new(),
        };
        let facts = Facts { squares, detail: Some(wrong.detail()), ..self.facts() };
        let kind = match wrong {
            Start::Across => Kind::BoardTurned,
            _ => Kind::WrongStart,
        };
        // Chess960 is no fault where it is played; whether it is here nobody has said.
        let gravity = match wrong {
            Start::Chess960(_) if !start::only_kings_and_queens(picture) => {
                self.settings.gravity_in_doubt(kind, Gravity::Look)
            }
            _ => self.settings.gravity(kind),
        };
        self.raise_as(now, Saying { kind, side: None, text, facts, advice }, gravity, out);
    }

    /// Looks whether the pieces have been set up wrongly, or a first move was made from there. With
    /// a clock that is reported when it is started.
    pub(super) fn look_for_wrong_start(&mut self, now: Moment) {
        let begun = !self.game.score.plies().is_empty() && self.game.score.ending().is_none();
        if begun || self.board.surface.is_blind() || !self.board.surface.known() {
            self.checks.wrong_start.set_up = None;
            self.checks.wrong_start.move_at = None;
            return;
        }
        let picture = self.board.surface.board();
        let followed =
            self.game.reading.tracker.is_some() && self.game.score.start().board() == picture;
        if followed && self.checks.wrong_start.set_up.take().is_some() {
            // What is put right before the first move is set up, and no piece was touched (7.2).
            self.game.ordered.put_back = true;
        }
        let known = self.checks.wrong_start.set_up.as_ref().is_some_and(|(it, _)| it == picture);
        if known {
            self.checks.wrong_start.move_at = None;
            return;
        }
        if !followed && let Some(Start::Mixed(_)) = self.wrong_set_up(picture) {
            self.checks.wrong_start.set_up = Some((picture.clone(), now));
        } else if picture == Chess::default().board() {
            self.checks.wrong_start.set_up = None;
        }
        let moved = self.first_move_from(now).is_some();
        self.checks.wrong_start.move_at = moved.then(|| now + self.release());
    }

    /// What stood there long enough to be what the players meant, if a move was made from it.
    pub(super) fn first_move_from(&self, now: Moment) -> Option<(Board, Start)> {
        let (board, since) = self.checks.wrong_start.set_up.as_ref()?;
        let wrong = self.wrong_set_up(board)?;
        let position = start::position(board, &wrong)?;
        let rested = now.since(*since) >= SET_UP;
        let mut moves = position.legal_moves().into_iter();
        let stands = |position: Chess| position.board() == self.board.surface.board();
        let moved = rested && moves.any(|mv| stands(candidates::after(&position, mv)));
        moved.then(|| (board.clone(), wrong))
    }

    pub(super) fn wrong_start_at(&self) -> Option<Moment> {
        let doubted = self.checks.wrong_start.doubted.map(|(_, at)| at);
        self.checks.wrong_start.move_at.into_iter().chain(doubted).min()
    }

    /// The first move was made, and what the game began with was not reported.
    pub(super) fn note_first_move(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let board = self.game.score.start().board().clone();
        let reported =
            self.checks.wrong_start.reported.take().is_some_and(|reported| reported == board);
        if reported || self.game.irregularities.ordered {
            return;
        }
        if let Some(wrong) = self.wrong_set_up(&board) {
            self.raise_wrong_start(now, &board, &wrong, out);
        }
    }

    /// 7.2: a wrong set-up, or a board that lies across, is found during the game or not at all.
    pub(super) fn close_with_the_game(&mut self, out: &mut Vec<Effect>) {
        if self.game.score.ending().is_none() {
            for incident in std::mem::take(&mut self.checks.wrong_start.over) {
                self.open(incident, out);
            }
            return;
        }
        // Articles 7.2 and 7.3 are for what is found during a game.
        let kinds = [Kind::WrongStart, Kind::BoardTurned, Kind::ColoursReversed];
        let found = |it: &&Incident| kinds.contains(&it.kind);
        let open: Vec<_> = self.docket.all().filter(found).cloned().collect();
        for incident in open {
            self.close(incident.id, out);
            self.checks.wrong_start.over.push(incident);
        }
    }
}
