//! Two boards for one game (Appendix D): every move is made on the mover's own board and repeated
//! by the opponent on his. One of them is followed, and what is touched there is judged; it is the
//! board of the player who has the move from the moment he touches anything on it. The other one
//! has to show the same position, but for the time that a repetition takes.

use bincode::{Decode, Encode};
use eboard::{Moment, Sighting};
use shakmaty::{Color, Position};

use super::watch::Watch;
use super::{DeviceState, Effect, Facet, Play};
use crate::incident::Kind;
use crate::seating::Which;
use crate::surface::{Change, Surface};

/// The two boards of a table.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Boards {
    pub(super) followed: Which,
    /// The board that the clock was read from.
    pub(super) clock: Which,
    pub(super) other: Option<Box<Other>>,
    /// The clock that has a line of its own.
    pub(super) own_clock: Option<Box<DeviceState>>,
    /// The other board does not show the position.
    pub(super) differs: Watch<()>,
}

/// The board that is not followed.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Other {
    pub(super) surface: Surface,
    pub(super) device: DeviceState,
}

impl Play {
    pub(super) fn answering(&mut self, answering: bool, out: &mut Vec<Effect>) {
        if self.board.device.answering != answering {
            self.device_now(out, |device| device.answering = answering);
        }
    }

    pub(super) fn device_now(
        &mut self,
        out: &mut Vec<Effect>,
        change: impl FnOnce(&mut DeviceState),
    ) {
        let before = self.board.device.clone();
        change(&mut self.board.device);
        self.board.unwatched |= !self.board.device.answering;
        if self.board.device != before {
            out.push(Effect::Changed(Facet::Device));
        }
        let heard = |it: &DeviceState| it.present && it.answering;
        let read_here = self.clocks.state().is_some() && !self.has_own_clock();
        if heard(&self.board.device) != heard(&before) && read_here {
            // What was read last is not what the clock shows now, or is so again.
            out.push(Effect::Changed(Facet::Clock));
        }
    }

    /// The squares of this board, if there is one and the whole of it has been seen, and whether
    /// they show the position the score ends in.
    #[must_use]
    pub fn squares_at(&self, board: Which) -> Option<(&shakmaty::Board, bool)> {
        let other = self.boards.other.as_ref().map(|other| &other.surface);
        let followed = board == self.boards.followed;
        let surface = if followed { Some(&self.board.surface) } else { other };
        let surface = surface.filter(|surface| surface.known())?;
        Some((surface.board(), surface.picture().shows(self.game.score.position().board())))
    }

    /// The board that is followed, where there are two.
    #[must_use]
    pub fn followed(&self) -> Which {
        self.boards.followed
    }

    /// Whose board this is, where there are two.
    #[must_use]
    pub fn owner(&self, board: Which) -> Option<Color> {
        let second = self.settings.second_board?;
        Some(if board == Which::Second { second } else { !second })
    }

    /// Whose board is not heard any more, while the other one is.
    pub(super) fn board_away_of(&self) -> Option<Color> {
        let other = self.boards.other.as_deref().filter(|other| other.surface.known())?;
        let away = !is_heard(&other.device) && is_heard(&self.board.device);
        away.then(|| self.owner(self.boards.followed.other())).flatten()
    }

    /// When the other board will have differed for longer than a repetition takes.
    pub(super) fn differ_at(&self) -> Option<Moment> {
        self.boards.differs.due_at(self.settings.repeat)
    }

    /// Looks whether both boards show the position. That of the player who has the move may show it
    /// on the way to the next one, if it is the one that is followed.
    pub(super) fn note_boards(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.boards.other.is_none() {
            return;
        }
        let position = self.game.score.position().board().clone();
        let moving = self.owner(self.boards.followed) == Some(self.game.score.position().turn());
        let disturbed = !moving && is_heard(&self.board.device) && !self.agrees();
        let playing = self.game.reading.tracker.is_some()
            && self.game.score.ending().is_none()
            && self.game.score.began().is_some()
            && !self.is_out_of_play();
        let Some(other) = &mut self.boards.other else { return };
        let shows = other.surface.picture().shows(&position);
        if shows {
            other.surface.suppose(&position);
        }
        let heard = other.surface.known() && is_heard(&other.device);
        let differs = playing && heard && (!shows || disturbed);
        self.boards.differs.follow(now, differs.then_some(()));
        if !differs {
            self.close_kind(Kind::BoardsDiffer, out);
        }
    }

    /// Whether the clock at this board is the clock of the game: the one that is read already, as
    /// long as it is there.
    pub(super) fn is_clock_of(&self, board: Which, sighting: &Sighting) -> bool {
        let there = self.device_at(self.boards.clock).is_some_and(is_heard);
        let other = self.boards.clock != board && self.clocks.face().is_some();
        match sighting {
            Sighting::ClockLost => !other,
            _ => !other || self.clocks.lost() || !there,
        }
    }

    pub(super) fn follow_other(&mut self, out: &mut Vec<Effect>) {
        let Some(other) = &mut self.boards.other else { return };
        // Where both show the same, what was touched goes on to count.
        let same = other.surface.board() == self.board.surface.board();
        std::mem::swap(&mut self.board.surface, &mut other.surface);
        std::mem::swap(&mut self.board.device, &mut other.device);
        self.boards.followed = self.boards.followed.other();
        if !same {
            self.game.hand.clear();
            self.restart_turns();
        }
        out.extend([Facet::Board, Facet::Device].map(Effect::Changed));
    }

    pub(super) fn other_mut(&mut self) -> &mut Other {
        self.boards.other.get_or_insert_with(|| {
            Box::new(Other { surface: Surface::unknown(), device: DeviceState::default() })
        })
    }
}

pub(super) fn is_heard(device: &DeviceState) -> bool {
    device.present && device.answering
}

/// Brings what was seen of the squares onto a surface.
pub(super) fn apply(surface: &mut Surface, now: Moment, sighting: &Sighting) -> Vec<Change> {
    match *sighting {
        Sighting::Position(ref placement) => surface.whole(now, placement),
        Sighting::Occupancy(occupancy) => surface.occupancy(now, occupancy),
        Sighting::Square { square, piece } => {
            surface.square(now, square, piece).into_iter().collect()
        }
        Sighting::Presence { square, occupied } => {
            surface.presence(now, square, occupied).into_iter().collect()
        }
        Sighting::Misses(shorter) => {
            surface.may_miss(shorter);
            Vec::new()
        }
        _ => Vec::new(),
    }
}
