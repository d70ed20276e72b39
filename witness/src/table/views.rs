//! What others may look at: a table as screens and tablets see it. Changes nothing.

use shakmaty::{Board, Piece, Square};

use super::{DeviceState, Phase, Play};
use crate::clock::Clocks;
use crate::incident::{Incident, IncidentId};
use crate::score::Score;
use crate::seating::Which;
use crate::settings::Settings;

impl Play {
    /// Where the game stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The score of the game.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.score
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
        self.device_at(Which::First).unwrap_or(&self.device)
    }

    /// The physical squares, if the whole board has been seen.
    #[must_use]
    pub fn surface(&self) -> Option<&Board> {
        self.surface.known().then(|| self.surface.board())
    }

    /// Whether the board lies the other way round than its wire order says.
    #[must_use]
    pub fn turned(&self) -> bool {
        self.turned_at(Which::First)
    }

    /// Whether the squares show the position the score ends in.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let picture = self.surface.picture();
        let board = shakmaty::Position::board(self.score.position());
        let corrected = self.tracker.as_ref().map(|tracker| tracker.corrected(&picture));
        self.surface.known() && corrected.map_or(picture.shows(board), |it| it.shows(board))
    }

    /// Pieces in the air, in order of touch.
    #[must_use]
    pub fn lifted(&self) -> &[(Square, Piece)] {
        self.hand.air()
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
        id.game < self.began_as
    }

    /// The number of the last game before this one; none: this is the same one from a position
    /// that an arbiter has set.
    #[must_use]
    pub fn game_before(&self) -> Option<u32> {
        (self.began_as == self.game).then(|| self.game.saturating_sub(1))
    }

    /// The game at this table, counted from 1; 0 before the first.
    #[must_use]
    pub fn game_number(&self) -> u32 {
        self.game
    }
}
