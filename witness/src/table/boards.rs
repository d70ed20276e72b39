//! Two boards for one game (Appendix D): every move is made on the mover's own board and repeated
//! by the opponent on his. One of them is followed, and what is touched there is judged; it is the
//! board of the player who has the move from the moment he touches anything on it. The other one
//! has to show the same position, but for the time that a repetition takes.

use bincode::{Decode, Encode};
use eboard::{Moment, Sighting};
use shakmaty::{Color, Position};

use super::alerts::Saying;
use super::{DeviceState, Effect, Facet, Play};
use crate::candidates;
use crate::incident::{Facts, Kind};
use crate::laws::boards;
use crate::seating::Which;
use crate::signal;
use crate::surface::{Change, Surface};

/// The two boards of a table.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Boards {
    followed: Which,
    /// The board that the clock was read from.
    clock: Which,
    other: Option<Box<Other>>,
    /// The clock that has a line of its own.
    pub(super) own_clock: Option<Box<DeviceState>>,
    /// Since when the other board has not shown the position.
    differs: Option<Moment>,
    told: bool,
}

/// The board that is not followed.
#[derive(Clone, Debug, Encode, Decode)]
struct Other {
    surface: Surface,
    device: DeviceState,
}

impl Play {
    /// A device claims to see something on this board of the table.
    pub(super) fn sight_at(
        &mut self,
        now: Moment,
        board: Which,
        sighting: Sighting,
        out: &mut Vec<Effect>,
    ) {
        if matches!(sighting, Sighting::Clock(_) | Sighting::ClockLost | Sighting::Lever(_)) {
            if self.has_own_clock() || !self.is_clock_of(board, &sighting) {
                return;
            }
            self.boards.clock = board;
            return self.sight_followed(now, sighting, out);
        }
        if board != self.boards.followed && !self.takes_over(now, &sighting) {
            return self.sight_other(now, &sighting, out);
        }
        if board != self.boards.followed {
            self.follow_other(out);
        }
        self.sight_followed(now, sighting, out);
        self.follow_the_one_that_is_heard(now, out);
    }

    /// The line of this board of the table was opened or closed.
    pub(super) fn line_at(
        &mut self,
        now: Moment,
        board: Which,
        present: bool,
        out: &mut Vec<Effect>,
    ) {
        if board == self.boards.followed {
            self.line(present, out);
        } else {
            let device = &mut self.other_mut().device;
            device.present = present;
            device.answering &= present;
            out.push(Effect::Changed(Facet::Device));
        }
        // The clock is gone with the board that it was read from.
        let was_read_here = board == self.boards.clock && !self.has_own_clock();
        if !present && was_read_here && self.boards.other.is_some() {
            self.clocks.lose();
            out.push(Effect::Changed(Facet::Clock));
        }
        self.follow_the_one_that_is_heard(now, out);
    }

    pub(super) fn answering(&mut self, answering: bool, out: &mut Vec<Effect>) {
        if self.device.answering != answering {
            self.device_now(out, |device| device.answering = answering);
        }
    }

    pub(super) fn device_now(
        &mut self,
        out: &mut Vec<Effect>,
        change: impl FnOnce(&mut DeviceState),
    ) {
        let before = self.device.clone();
        change(&mut self.device);
        self.unwatched |= !self.device.answering;
        if self.device != before {
            out.push(Effect::Changed(Facet::Device));
        }
        let heard = |it: &DeviceState| it.present && it.answering;
        let read_here = self.clocks.state().is_some() && !self.has_own_clock();
        if heard(&self.device) != heard(&before) && read_here {
            // What was read last is not what the clock shows now, or is so again.
            out.push(Effect::Changed(Facet::Clock));
        }
    }

    /// What is known of the device at this board.
    #[must_use]
    pub fn device_at(&self, board: Which) -> Option<&DeviceState> {
        if board == self.boards.followed {
            return Some(&self.device);
        }
        self.boards.other.as_ref().map(|other| &other.device)
    }

    /// Whether this board lies the other way round than its wire order says.
    #[must_use]
    pub fn turned_at(&self, board: Which) -> bool {
        if board == self.boards.followed {
            return self.surface.turned();
        }
        self.boards.other.as_ref().is_some_and(|other| other.surface.turned())
    }

    /// The squares of this board, if there is one and the whole of it has been seen, and whether
    /// they show the position the score ends in.
    #[must_use]
    pub fn squares_at(&self, board: Which) -> Option<(&shakmaty::Board, bool)> {
        let other = self.boards.other.as_ref().map(|other| &other.surface);
        let followed = board == self.boards.followed;
        let surface = if followed { Some(&self.surface) } else { other };
        let surface = surface.filter(|surface| surface.known())?;
        Some((surface.board(), surface.picture().shows(self.score.position().board())))
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
        let away = !is_heard(&other.device) && is_heard(&self.device);
        away.then(|| self.owner(self.boards.followed.other())).flatten()
    }

    /// When the other board will have differed for longer than a repetition takes.
    pub(super) fn differ_at(&self) -> Option<Moment> {
        let since = self.boards.differs.filter(|_| !self.boards.told)?;
        Some(since + self.settings.repeat)
    }

    /// The boards differ still. A board that is not heard cannot be the one to follow.
    pub(super) fn tell_differing(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.boards.told = true;
        if !is_heard(&self.device) {
            self.follow_other(out);
            self.reopened = true;
            return self.look(now, out);
        }
        let Some(other) = &self.boards.other else { return };
        let position = self.score.position().board();
        let (here, there) = (self.surface.picture(), other.surface.picture());
        let squares = here.differing(position) | there.differing(position);
        let followed = self.boards.followed;
        let right = match (here.shows(position), there.shows(position)) {
            (true, false) => self.owner(followed),
            (false, true) => self.owner(followed.other()),
            _ => None,
        };
        let facts = Facts {
            squares: squares.into_iter().collect(),
            surface: Some(other.surface.board().to_string()),
            ..self.facts()
        };
        let (text, advice) = (boards::differ(&facts.squares, right), vec![boards::advice()]);
        let kind = Kind::BoardsDiffer;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    /// Looks whether both boards show the position. That of the player who has the move may show it
    /// on the way to the next one, if it is the one that is followed.
    pub(super) fn note_boards(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.boards.other.is_none() {
            return;
        }
        let position = self.score.position().board().clone();
        let moving = self.owner(self.boards.followed) == Some(self.score.position().turn());
        let disturbed = !moving && is_heard(&self.device) && !self.agrees();
        let playing = self.tracker.is_some()
            && self.score.ending().is_none()
            && self.score.began().is_some()
            && !self.is_out_of_play();
        let Some(other) = &mut self.boards.other else { return };
        let shows = other.surface.picture().shows(&position);
        if shows {
            other.surface.suppose(&position);
        }
        let heard = other.surface.known() && is_heard(&other.device);
        let differs = playing && heard && (!shows || disturbed);
        if differs {
            self.boards.differs.get_or_insert(now);
            return;
        }
        (self.boards.differs, self.boards.told) = (None, false);
        self.close_kind(Kind::BoardsDiffer, out);
    }

    /// Whether the clock at this board is the clock of the game: the one that is read already, as
    /// long as it is there.
    fn is_clock_of(&self, board: Which, sighting: &Sighting) -> bool {
        let there = self.device_at(self.boards.clock).is_some_and(is_heard);
        let other = self.boards.clock != board && self.clocks.face().is_some();
        match sighting {
            Sighting::ClockLost => !other,
            _ => !other || self.clocks.lost() || !there,
        }
    }

    /// Whether what is seen on the other board makes it the one to follow: its player has the move
    /// and touches a piece there, or has made his move already; or the result is shown there. When
    /// the board that was followed is gone, it is enough that the game goes on here.
    fn takes_over(&self, now: Moment, sighting: &Sighting) -> bool {
        let Some(other) = self.boards.other.as_ref().filter(|other| other.surface.known()) else {
            return false;
        };
        let playing = self.tracker.is_some() && self.score.ending().is_none();
        let mut seen = other.surface.clone();
        if !playing || self.is_at_rest() || apply(&mut seen, now, sighting).is_empty() {
            return false;
        }
        if signal::sign(seen.board()).is_some() {
            return true;
        }
        let position = self.score.position();
        let own = self.owner(self.boards.followed.other()) == Some(position.turn());
        let (before, after) = (other.surface.picture(), seen.picture());
        let moved = || {
            let after = |mv| candidates::after(position, mv);
            let legal = position.legal_moves();
            legal.into_iter().any(|mv| seen.picture().shows(after(mv).board()))
        };
        let gone = !is_heard(&self.device);
        let agrees = before.shows(position.board());
        (own || gone) && (agrees || moved()) || gone && after.shows(position.board())
    }

    fn follow_other(&mut self, out: &mut Vec<Effect>) {
        let Some(other) = &mut self.boards.other else { return };
        // Where both show the same, what was touched goes on to count.
        let same = other.surface.board() == self.surface.board();
        std::mem::swap(&mut self.surface, &mut other.surface);
        std::mem::swap(&mut self.device, &mut other.device);
        self.boards.followed = self.boards.followed.other();
        if !same {
            self.hand.clear();
            self.restart_turns();
        }
        out.extend([Facet::Board, Facet::Device].map(Effect::Changed));
    }

    /// A board that is gone is not followed while the other one shows the game.
    fn follow_the_one_that_is_heard(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let shows = self.squares_at(self.boards.followed.other()).is_some_and(|(_, shows)| shows);
        let heard = self.boards.other.as_ref().is_some_and(|other| is_heard(&other.device));
        if shows && heard && !is_heard(&self.device) {
            self.follow_other(out);
            self.look(now, out);
        }
    }

    fn sight_other(&mut self, now: Moment, sighting: &Sighting, out: &mut Vec<Effect>) {
        let began = self.score.plies().is_empty();
        let position = self.score.position().board().clone();
        let other = self.other_mut();
        let before = other.device.clone();
        other.device.answering = !matches!(sighting, Sighting::Silent);
        match sighting {
            Sighting::Battery(battery) => other.device.battery = Some(*battery),
            Sighting::Identified(identity) => other.device.identity = Some(identity.clone()),
            _ => {}
        }
        let first = !other.surface.known();
        let changed = !apply(&mut other.surface, now, sighting).is_empty();
        // How it lies is found from the set-up, as on any board.
        if began && other.surface.known() && other.surface.turned_board() == position {
            other.surface.turn();
        }
        if other.device != before {
            out.push(Effect::Changed(Facet::Device));
        }
        if changed || first {
            out.push(Effect::Changed(Facet::Board));
        }
        self.follow_the_one_that_is_heard(now, out);
    }

    fn other_mut(&mut self) -> &mut Other {
        self.boards.other.get_or_insert_with(|| {
            Box::new(Other { surface: Surface::unknown(), device: DeviceState::default() })
        })
    }
}

fn is_heard(device: &DeviceState) -> bool {
    device.present && device.answering
}

/// Brings what was seen of the squares onto a surface.
fn apply(surface: &mut Surface, now: Moment, sighting: &Sighting) -> Vec<Change> {
    match *sighting {
        Sighting::Position(ref placement) => surface.whole(now, placement),
        Sighting::Occupancy(occupancy) => surface.occupancy(now, occupancy),
        Sighting::Square { square, piece } => {
            surface.square(now, square, piece).into_iter().collect()
        }
        Sighting::Presence { square, occupied } => {
            surface.presence(now, square, occupied).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
