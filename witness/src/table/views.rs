//! What others may look at: a table as screens and tablets see it. Changes nothing.

use shakmaty::{Board, Piece, Square};

use super::{DeviceState, Phase, Table};
use crate::clock::Clocks;
use crate::incident::{Incident, IncidentId};
use crate::score::Score;
use crate::settings::Settings;

impl Table {
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

    /// The device.
    #[must_use]
    pub fn device(&self) -> &DeviceState {
        &self.device
    }

    /// The physical squares, if the whole board has been seen.
    #[must_use]
    pub fn surface(&self) -> Option<&Board> {
        self.surface.known().then(|| self.surface.board())
    }

    /// Whether the board lies the other way round than its wire order says.
    #[must_use]
    pub fn turned(&self) -> bool {
        self.surface.turned()
    }

    /// Whether the squares show the position the score ends in.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.picture_is(shakmaty::Position::board(self.score.position()))
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

    /// Whether this incident is open.
    #[must_use]
    pub fn is_open(&self, id: IncidentId) -> bool {
        self.docket.all().any(|incident| incident.id == id)
    }

    /// The game at this table, counted from 1; 0 before the first.
    #[must_use]
    pub fn game_number(&self) -> u32 {
        self.game
    }
}
