//! A starting position that stands there for less time than a set-up must rest: the last piece is
//! put in its place as the clock is started, and the first move is made at once. Whether a game
//! has begun with it only what follows can tell: a clock that is started over it, or, where no
//! clock is heard, a move by each player.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::Chess;

use super::Play;
use crate::array::Array;
use crate::picture::Picture;
use crate::recogniser::Recogniser;
use crate::table::tolerances::REPORTED;
use crate::tracker::Waits;

/// Moves that are a game where no clock is heard. One may be a pawn that is put straight.
const PLAYED_ON: usize = 2;

/// A starting position that has stood there, and what has been done from it since.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Glimpse {
    array: Array,
    /// The board lies the other way round.
    turned: bool,
    since: Moment,
    /// When a piece of it was taken up.
    left: Option<Moment>,
    /// A clock was started for it.
    started: bool,
    /// The moves from it, if a game has begun.
    line: Recogniser,
}

impl Glimpse {
    fn new(now: Moment, (array, turned): (Array, bool), picture: &Picture, waits: Waits) -> Self {
        let position: Chess = array.position.clone();
        let mut line = Recogniser::new(now, position, picture.is_blind());
        line.see(now, picture, waits);
        Self { array, turned, since: now, left: None, started: false, line }
    }
}

impl Play {
    /// The squares have changed: a starting position stands there, or what was seen of one goes on
    /// or comes to nothing.
    pub(super) fn follow_glimpse(&mut self, now: Moment) {
        let before = self.game.reading.set_up.glimpse.take();
        if !self.may_begin_unrested() {
            return;
        }
        let waits = self.waits(true, false, None);
        let changed = self.board.surface.changed();
        if let Some(array) = self.array() {
            let same = before.filter(|it| it.left.is_none() && it.since == changed);
            let picture = self.picture_for(array.1, now);
            let new = || Box::new(Glimpse::new(changed, array, &picture, waits));
            self.game.reading.set_up.glimpse = Some(same.unwrap_or_else(new));
            return;
        }
        let Some(mut glimpse) = before else { return };
        let picture = self.picture_for(glimpse.turned, now);
        glimpse.line.see(now, &picture, waits);
        glimpse.left.get_or_insert(now);
        if glimpse.line.lost().is_none_or(|lost| lost.unfinished) {
            self.game.reading.set_up.glimpse = Some(glimpse);
        }
    }

    /// Whether a game may begin here before its set-up has rested: none is played, and no arbiter
    /// has said what stands there.
    fn may_begin_unrested(&self) -> bool {
        let Some(tracker) = &self.game.reading.tracker else { return true };
        let over = self.game.score.ending().is_some();
        let unplayed = self.game.score.plies().is_empty() && !self.game.irregularities.ordered;
        over || unplayed && tracker.lost().is_some()
    }

    /// What stands there, from White's side if the board lies so.
    fn picture_for(&self, turned: bool, now: Moment) -> Picture {
        if !turned {
            return self.board.surface.picture_at(now);
        }
        let mut surface = self.board.surface.clone();
        surface.turn();
        surface.picture_at(now)
    }

    /// A time begins to count: whether that is for the starting position that stands there, or
    /// stood there until a moment ago. Then a game begins.
    pub(super) fn starts_glimpsed(&mut self, now: Moment) -> bool {
        let Some(glimpse) = &self.game.reading.set_up.glimpse else { return false };
        let over = self.game.score.ending().is_some();
        let here = glimpse.left.is_none_or(|left| now <= left + REPORTED);
        let starts = !over || here && self.is_clock_begun_for(glimpse, now);
        if let Some(glimpse) = &mut self.game.reading.set_up.glimpse {
            glimpse.started |= starts;
        }
        starts
    }

    /// Whether the clock shows that the game before is over and another one begins.
    fn is_clock_begun_for(&self, glimpse: &Glimpse, now: Moment) -> bool {
        match self.settings.control.and_then(|control| control.start()) {
            Some(_) => self.clocks.has_just_begun(glimpse.since, now, self.settings.control),
            None => self.clocks.shows_a_start(None),
        }
    }

    /// Whether the starting position that stands there need not rest: a time counts already that
    /// can only be this game's.
    pub(super) fn needs_no_rest(&self, now: Moment) -> bool {
        let Some(glimpse) = &self.game.reading.set_up.glimpse else { return false };
        let counts = self.clocks.face().is_some_and(|face| face.running) && !self.clocks.lost();
        let over = self.game.score.ending().is_some();
        counts && (!over || self.is_clock_begun_for(glimpse, now))
    }

    /// When what was played from a starting position will have rested, if it is a game by now.
    pub(super) fn glimpse_proven_at(&self) -> Option<Moment> {
        let glimpse = self.game.reading.set_up.glimpse.as_ref()?;
        if glimpse.started {
            return Some(glimpse.since);
        }
        let heard = self.clocks.face().is_some() && !self.clocks.lost();
        let over = self.game.score.ending().is_some();
        let played = glimpse.line.agrees() && glimpse.line.tail().len() >= PLAYED_ON;
        (played && !heard && !over).then(|| self.board.surface.changed() + self.settle())
    }

    /// With what a game begins now: what stands there, or what is there no longer and was the start
    /// of one. Whether the board lies the other way round, and since when it stood there.
    pub(super) fn begins_with(&self, now: Moment) -> Option<(Array, bool, Moment)> {
        if let Some((array, turned)) = self.array() {
            return Some((array, turned, self.board.surface.changed()));
        }
        self.glimpse_proven_at().filter(|at| *at <= now)?;
        let glimpse = self.game.reading.set_up.glimpse.as_ref()?;
        Some((glimpse.array.clone(), glimpse.turned, glimpse.since))
    }

    /// What was seen since a starting position was left that did not rest.
    pub(super) fn take_line(&mut self) -> Option<Recogniser> {
        let glimpse = self.game.reading.set_up.glimpse.take()?;
        glimpse.left.map(|_| glimpse.line)
    }

    /// When something of it may be believed that rests.
    pub(super) fn glimpse_at(&self) -> Option<Moment> {
        self.game.reading.set_up.glimpse.as_ref().filter(|it| it.left.is_some())?.line.deadline()
    }

    pub(super) fn glimpse_due(&mut self, now: Moment) {
        let Some(mut glimpse) = self.game.reading.set_up.glimpse.take() else { return };
        if glimpse.left.is_some() {
            let picture = self.picture_for(glimpse.turned, now);
            glimpse.line.due(now, &picture);
        }
        self.game.reading.set_up.glimpse = Some(glimpse);
    }
}
