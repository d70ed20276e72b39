//! What others may look at: a table as screens and tablets see it. Changes nothing.

use eboard::{FaceTime, Moment};
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Square};

use super::round::was_played;
use super::{DeviceState, Play};
use crate::array::{self, Array};
use crate::clock::Clocks;
use crate::incident::{Incident, IncidentId};
use crate::laws::promotion::awaits_piece;
use crate::number::GameNo;
use crate::recogniser::Recogniser;
use crate::score::Score;
use crate::seating::Which;
use crate::settings::Settings;
use crate::signal::{self, Sign};

/// The four ranks on which every game begins.
pub(super) const ARRAY: Bitboard = Bitboard(0xffff_0000_0000_ffff);

/// How a board lies on its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    /// As its wire order says.
    Straight,
    /// The other way round.
    Turned,
}

impl Play {
    /// The score of the game.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.game.score
    }

    /// How it is watched in this game.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The chess clock.
    #[must_use]
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The device; that of the first board, where there are two.
    #[must_use]
    pub fn device(&self) -> &DeviceState {
        self.device_at(Which::First).unwrap_or(&self.board.device)
    }

    /// The physical squares, if the whole board has been seen.
    #[must_use]
    pub fn surface(&self) -> Option<&Board> {
        self.board.surface.known().then(|| self.board.surface.board())
    }

    /// Whether the board lies the other way round than its wire order says.
    #[must_use]
    pub fn turned(&self) -> bool {
        self.turned_at(Which::First)
    }

    /// Whether the squares show the position the score ends in.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let picture = self.board.surface.picture();
        let board = shakmaty::Position::board(self.game.score.position());
        let corrected =
            self.game.reading.tracker.as_ref().map(|tracker| tracker.corrected(&picture));
        self.board.surface.known() && corrected.map_or(picture.shows(board), |it| it.shows(board))
    }

    /// Since when squares and score have disagreed, while they do and no move explains it.
    #[must_use]
    pub fn adrift_since(&self) -> Option<Moment> {
        self.game.course.doubt().map(|doubt| doubt.since)
    }

    /// Pieces in the air, in order of touch.
    #[must_use]
    pub fn lifted(&self) -> &[(Square, Piece)] {
        self.game.hand.air()
    }

    /// The open incidents.
    pub fn incidents(&self) -> impl Iterator<Item = &Incident> {
        self.docket.all()
    }

    /// Those of the game that is played now: what nobody has ruled on before is another matter.
    pub(super) fn open_in_game(&self) -> impl Iterator<Item = &Incident> {
        self.docket.all().filter(|it| !self.is_of_earlier_game(it.id))
    }

    /// Whether this incident is open.
    #[must_use]
    pub fn is_open(&self, id: IncidentId) -> bool {
        self.docket.all().any(|incident| incident.id == id)
    }

    /// Whether another game is played at this table by now than when this incident was raised.
    #[must_use]
    pub fn is_of_earlier_game(&self, id: IncidentId) -> bool {
        id.game < self.game.began_as
    }

    /// The number of the last game before this one; none: this is the same one from a position
    /// that an arbiter has set.
    #[must_use]
    pub fn game_before(&self) -> Option<GameNo> {
        let before = GameNo::new(self.game.number.get().saturating_sub(1));
        (self.game.began_as == self.game.number).then_some(before)
    }

    /// The game at this table, counted from 1; 0 before the first.
    #[must_use]
    pub fn game_number(&self) -> GameNo {
        self.game.number
    }

    /// The array the pieces stand in, and whether the board lies the other way round. Where no
    /// pieces are seen it can only be the usual one.
    pub(super) fn array(&self) -> Option<(Array, bool)> {
        if !self.board.surface.known() {
            return None;
        }
        if let Some(announced) = self.announced()
            && let Some(lies) = self.stands_set_up(announced)
        {
            return Some((announced.clone(), lies == Lies::Turned));
        }
        if self.board.surface.board().occupied() != ARRAY {
            return None;
        }
        if self.board.surface.is_blind() {
            return array::of(Chess::default().board()).map(|array| (array, false));
        }
        let straight = array::of(self.board.surface.board()).map(|array| (array, false));
        straight.or_else(|| Some((array::of(&self.board.surface.turned_board())?, true)))
    }

    /// How the board lies if this is what stands there.
    fn stands_set_up(&self, array: &Array) -> Option<Lies> {
        let board = array.position.board();
        if self.board.surface.picture().shows(board) {
            return Some(Lies::Straight);
        }
        let turned = self.board.surface.turned_board();
        let shown = match self.board.surface.is_blind() {
            false => turned == *board,
            true => turned.occupied() == board.occupied(),
        };
        shown.then_some(Lies::Turned)
    }

    /// Whether a game has begun and has no result.
    #[must_use]
    pub fn is_in_play(&self) -> bool {
        self.game.reading.tracker.is_some()
            && self.game.score.began().is_some()
            && self.game.score.ending().is_none()
    }

    /// When this move came to stand there: it is believed only when it has rested.
    pub(super) fn made_at(&self, ply: usize) -> Option<Moment> {
        let ply = self.game.score.plies().get(ply)?;
        Some(self.board.surface.picture().stirred(ply.mv.to()).min(ply.released))
    }

    /// Whether the board reports single changes, and has not reported all its squares since that
    /// moment.
    pub(super) fn is_unconfirmed_since(&self, now: Moment, moment: Moment) -> bool {
        let picture = self.board.surface.picture_at(now);
        self.board.surface.reports_singly()
            && !picture.is_uncertain()
            && picture.confirmed() <= moment
    }

    /// Article 6.11.2: both times stand, and a promotion lacks its piece.
    pub(super) fn waits_for_a_piece(&self) -> bool {
        let position = self.game.reading.tracker.as_ref().map(Recogniser::position);
        self.game.clock.ran
            && self.clocks.stopped()
            && position.is_some_and(|it| awaits_piece(it, &self.board.surface.picture()))
    }

    /// What this side's clock shows now, if it is heard: a time of before an outage is worse in a
    /// score than none.
    pub(super) fn time_now(&self, now: Moment, side: Color) -> Option<FaceTime> {
        self.clocks.time_now(now, side).filter(|_| !self.board.unwatched)
    }

    /// Since when both times of this game stand.
    pub(super) fn stood_at(&self) -> Option<Moment> {
        self.game.clock.stopped.filter(|_| self.game.clock.ran && self.clocks.stopped())
    }

    /// Whether a time of this game counts.
    pub(super) fn clock_counts(&self) -> bool {
        self.game.clock.ran && !self.clocks.lost() && !self.clocks.stopped()
    }

    /// What the next game is announced to begin with.
    pub(super) fn announced(&self) -> Option<&Array> {
        let round = &self.round;
        if was_played(&self.game.score) { round.next_array.as_ref() } else { round.array.as_ref() }
    }

    /// When the round at this table officially started, or will start.
    #[must_use]
    pub fn round_start(&self) -> Option<Moment> {
        self.round.start
    }

    /// What is known of the device at this board.
    #[must_use]
    pub fn device_at(&self, board: Which) -> Option<&DeviceState> {
        if board == self.boards.followed {
            return Some(&self.board.device);
        }
        self.boards.other.as_ref().map(|other| &other.device)
    }

    /// Whether this board lies the other way round than its wire order says.
    #[must_use]
    pub fn turned_at(&self, board: Which) -> bool {
        if board == self.boards.followed {
            return self.board.surface.turned();
        }
        self.boards.other.as_ref().is_some_and(|other| other.surface.turned())
    }

    /// The result that both kings show, on a board that knows its pieces.
    pub(super) fn sign_shown(&self) -> Option<Sign> {
        let picture = self.board.surface.picture();
        signal::sign(picture.board()).filter(|_| !picture.is_blind())
    }

    /// Whether a clock with a line of its own is there.
    pub(super) fn has_own_clock(&self) -> bool {
        self.own_clock().is_some_and(|clock| clock.present)
    }

    /// What is known of the clock that has a line of its own.
    #[must_use]
    pub fn own_clock(&self) -> Option<&DeviceState> {
        self.boards.own_clock.as_deref()
    }
}
