//! A starting position that is left before it is known that a game begins with it: it stood there
//! for less time than a set-up must rest, or the clock beside it stands. What is moved from it may
//! be a game, or an opening that is looked at, and only what follows can tell: a clock that is
//! started, or pressed by both players; where no clock is heard, a move by each of them. That is
//! another game after one with a result, whatever times the clock shows.

use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, Moment};
use shakmaty::Position;

use super::Play;
use super::round::PLAYED;
use crate::array::{self, Array};
use crate::picture::Picture;
use crate::recogniser::Recogniser;
use crate::table::tolerances::{PUT_BACK, REPORTED};
use crate::tolerances::SCANNED;
use crate::tracker::Waits;

/// Moves that are a game where no clock is heard. One may be a pawn that is put straight.
const PLAYED_ON: usize = 2;
/// Presses that are a game where a time counted before the pieces were set up: one by each player.
const PRESSED_ON: u8 = 2;
/// Moves that may have been made before the clock of another game is started.
const BEFORE_THE_CLOCK: usize = 1;

/// A starting position that stands there, or has stood there, and what has been done from it since.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Glimpse {
    array: Array,
    /// The board lies the other way round.
    turned: bool,
    /// When its last piece was put in its place.
    since: Moment,
    /// When a piece of it was taken up; none: it stands there still.
    left: Option<Moment>,
    /// When the squares changed that were seen last.
    seen: Moment,
    /// A clock was started for it. The game may begin a moment later, or apart from a forfeit, so
    /// this has to be remembered.
    started: bool,
    /// How often a clock was pressed since it was left.
    presses: u8,
    /// A clock was beside what was moved from it: it stood there to be started, or counted.
    beside_clock: bool,
    /// The moves from it, if a game has begun. None of them is settled before that, as the score
    /// has to be given all of them then.
    line: Recogniser,
}

impl Glimpse {
    fn new(since: Moment, (array, turned): (Array, bool), picture: &Picture, waits: Waits) -> Self {
        let mut line = Recogniser::new(since, array.position.clone(), picture.is_blind());
        line.see(since, picture, waits);
        Self { seen: since, ..Self::of(since, (array, turned), line) }
    }

    /// What may be moved from a set-up that has rested.
    fn of(now: Moment, (array, turned): (Array, bool), line: Recogniser) -> Self {
        let (left, seen, started) = (None, Moment::ZERO, false);
        Self {
            array,
            turned,
            since: now,
            left,
            seen,
            started,
            presses: 0,
            beside_clock: false,
            line,
        }
    }

    /// Whether it is this array that stands there, since then.
    fn stands(&self, since: Moment, (array, turned): &(Array, bool)) -> bool {
        let here = self.left.is_none() && self.since == since;
        here && self.turned == *turned && self.array == *array
    }

    /// Whether what was moved may be a game. A hand may be in the middle of a move, and an illegal
    /// first one is put back.
    fn may_be_played(&self, now: Moment) -> bool {
        let lost = self.line.lost().filter(|lost| !lost.unfinished);
        lost.is_none_or(|lost| now < lost.from + PUT_BACK)
    }
}

impl Play {
    /// The squares may have changed: a starting position stands there, or what was seen of one goes
    /// on or comes to nothing.
    fn follow_glimpse(&mut self, now: Moment) {
        let tried_out = self.is_tried_out();
        let before = self.game.reading.set_up.glimpse.take();
        if !tried_out && !self.may_begin_unrested() {
            return;
        }
        // Moves that nobody saw are not looked for: a guess proves no game.
        let waits = self.waits(true, false, None);
        let changed = self.board.surface.changed();
        if let Some(array) = self.array() {
            let picture = self.picture_for(array.1, now);
            let same = before.filter(|it| it.stands(changed, &array));
            // What was tried out before is nobody's turn.
            self.game.ordered.put_back |= tried_out && same.is_none();
            let new = || Box::new(Glimpse::new(changed, array, &picture, waits));
            self.game.reading.set_up.glimpse = Some(same.unwrap_or_else(new));
            return;
        }
        let of_this_game = || tried_out.then(|| Box::new(self.moved_from_set_up(now)));
        let Some(mut glimpse) = before.or_else(of_this_game) else { return };
        glimpse.beside_clock |= self.is_clock_to_be_started() || self.clocks.counts();
        glimpse.left.get_or_insert(now);
        if glimpse.seen != changed {
            let picture = self.picture_for(glimpse.turned, now);
            glimpse.line.see(now, &picture, waits);
            glimpse.seen = changed;
        }
        if glimpse.may_be_played(now) {
            self.game.reading.set_up.glimpse = Some(glimpse);
        }
    }

    /// Looks whether a starting position stands there, and when a game begins with it.
    pub(super) fn look_for_set_up(&mut self, now: Moment) {
        self.follow_glimpse(now);
        self.expect_set_up(now);
    }

    /// What is moved from the set-up of a game that has not begun.
    fn moved_from_set_up(&self, now: Moment) -> Glimpse {
        let (position, mode) = (self.game.score.start().clone(), self.game.score.mode());
        let line = Recogniser::new(now, position.clone(), self.board.surface.is_blind());
        Glimpse::of(now, (Array { position, mode }, false), line)
    }

    /// Whether a game may begin here before its set-up has rested: none is played that explains
    /// what stands there, and no arbiter has said that it is a beginning.
    fn may_begin_unrested(&self) -> bool {
        let Some(tracker) = &self.game.reading.tracker else { return true };
        let over = self.game.score.ending().is_some();
        let ordered = self.game.irregularities.ordered && self.game.score.plies().is_empty();
        over || tracker.lost().is_some() && !ordered
    }

    /// Whether what is moved from the set-up of this game is only tried out: beside it stands a
    /// clock that is to be started for it, or stood while it was left, or one that counts on for
    /// the game before. One that has never counted
    /// here may not be the one they play with, and nobody waits for it.
    pub(super) fn is_tried_out(&self) -> bool {
        let score = &self.game.score;
        let unplayed = score.plies().is_empty() && score.ending().is_none() && !self.game.clock.ran;
        let ruled = || self.game.irregularities.ordered || self.is_out_of_play();
        let gone = || self.clocks.lost() && self.glimpse().is_some_and(|it| it.beside_clock);
        let set_up = || array::of(score.start().board()).is_some();
        unplayed
            && self.game.reading.tracker.is_some()
            && !ruled()
            && self.clocks.has_ever_counted()
            && (self.is_clock_to_be_started() || gone() || self.game.clock.runs_on)
            && set_up()
    }

    /// Whether nobody has started the clock of this game yet, and it is there to be started.
    pub(super) fn waits_for_its_clock(&self) -> bool {
        !self.game.clock.ran && self.is_clock_to_be_started()
    }

    /// Whether a clock is heard that stands. One that shows nothing but zeros is not used.
    fn is_clock_to_be_started(&self) -> bool {
        let shows =
            |face: ClockFace| [face.left, face.right].iter().any(|it| it.time > FaceTime::ZERO);
        self.clocks.stopped() && self.clocks.face().is_some_and(shows)
    }

    /// Whether a game was played here: only its clock, or play by both, shows that another one
    /// begins.
    fn is_after_another(&self) -> bool {
        let score = &self.game.score;
        score.ending().is_some() || !score.plies().is_empty()
    }

    /// What stands there, or what would if the board were turned.
    fn picture_for(&self, turned: bool, now: Moment) -> Picture {
        let surface = &self.board.surface;
        if turned { surface.turned_picture_at(now) } else { surface.picture_at(now) }
    }

    /// A time begins to count. Notes whether that is for the starting position that stands there,
    /// or for what was moved from it, and gives it: a game begins then.
    pub(super) fn note_start_for_glimpse(&mut self, now: Moment) -> bool {
        let starts = self.glimpse().is_some_and(|glimpse| self.is_started_for(glimpse, now));
        if let Some(glimpse) = &mut self.game.reading.set_up.glimpse {
            glimpse.started |= starts;
        }
        starts
    }

    /// Somebody presses the clock.
    pub(super) fn note_press_for_glimpse(&mut self, now: Moment) {
        let glimpse = self.game.reading.set_up.glimpse.as_mut().filter(|it| it.left.is_some());
        if let Some(glimpse) = glimpse {
            glimpse.presses = glimpse.presses.saturating_add(1);
            self.expect_set_up(now);
        }
    }

    /// Whether the clock that is started now is started for this position. After another game
    /// people set up pieces and move them to look at an opening. There the position has to stand
    /// there as the clock is started, or to have been left just now, or only for the first move. A
    /// start is reported no later than a press.
    fn is_started_for(&self, glimpse: &Glimpse, now: Moment) -> bool {
        let here = glimpse.left.is_none_or(|left| now <= left + REPORTED)
            || glimpse.line.agrees() && glimpse.line.tail().len() <= BEFORE_THE_CLOCK;
        !self.is_after_another() || here && self.counts_for_another(glimpse, now)
    }

    /// While it has not stood since the game before was begun, the clock still counts for that. If
    /// it was started before the pieces stood, it has to show that another game begins.
    fn counts_for_another(&self, glimpse: &Glimpse, now: Moment) -> bool {
        let control = self.next_settings.as_ref().unwrap_or(&self.settings).control;
        let stood = self.clocks.has_stopped() || !self.game.clock.ran;
        let over = self.game.score.ending().is_some();
        let just_begun = || over && self.clocks.has_just_begun(glimpse.since, now, control);
        let over_it = self.game.clock.started.is_some_and(|at| glimpse.since <= at + SCANNED);
        stood && (over_it || self.clocks.is_started_anew(control) || just_begun())
    }

    /// Whether the starting position that stands there need not rest: a time counts already that
    /// can only be this game's.
    pub(super) fn needs_no_rest(&self, now: Moment) -> bool {
        let counts = |it: &Glimpse| !self.is_after_another() || self.counts_for_another(it, now);
        self.clocks.counts() && !self.game.clock.runs_on && self.glimpse().is_some_and(counts)
    }

    /// When what was played from a starting position will have rested, if it is a game by now.
    pub(super) fn glimpse_proven_at(&self) -> Option<Moment> {
        let glimpse = self.glimpse()?;
        if glimpse.started {
            return Some(glimpse.since);
        }
        let enough = self.moves_that_prove(glimpse)?;
        let played = glimpse.line.agrees() && glimpse.line.plies() >= enough;
        played.then(|| self.board.surface.changed() + self.settle())
    }

    /// How many moves are a game; none: no moves are one without the clock.
    fn moves_that_prove(&self, glimpse: &Glimpse) -> Option<usize> {
        if self.clocks.counts() {
            return (glimpse.presses >= PRESSED_ON).then_some(PLAYED_ON);
        }
        let used = self.clocks.has_ever_counted() && !self.clocks.lost();
        match glimpse.beside_clock && (self.clocks.lost() || self.is_clock_to_be_started()) {
            // None was there, or its times were set to zero: it is not used.
            false => Some(PLAYED_ON),
            // The clock on the table may not be the one they play with.
            true => (!used).then_some(PLAYED),
        }
    }

    /// Whether play goes on from a starting position that has stood there since there is a result.
    pub(super) fn is_left_for_another(&self) -> bool {
        self.glimpse().is_some_and(|it| it.left.is_some())
    }

    /// Whether legal moves lead from such a position to what stands there, or will when a hand has
    /// made one.
    pub(super) fn follows_from_set_up(&self) -> bool {
        let explained = |it: &Glimpse| it.line.lost().is_none_or(|lost| lost.unfinished);
        self.glimpse().is_some_and(|it| it.left.is_some() && explained(it))
    }

    /// How many moves were made from the set-up beside a clock that is to be started, for this game
    /// or after one with a result; none: none was, or no clock waits.
    pub(super) fn moves_beside_the_clock(&self) -> Option<usize> {
        let over = self.game.score.ending().is_some();
        let waits = self.is_clock_to_be_started() && (over || self.is_tried_out());
        let glimpse = self.glimpse().filter(|_| waits)?;
        glimpse.left.map(|_| glimpse.line.plies())
    }

    /// What a game begins with now: what stands there, or what is there no longer and was the start
    /// of one. Whether the board lies the other way round, and since when it stood there.
    pub(super) fn begins_with(&self, now: Moment) -> Option<(Array, bool, Moment)> {
        if let Some((array, turned)) = self.array() {
            return Some((array, turned, self.board.surface.changed()));
        }
        self.glimpse_proven_at().filter(|at| *at <= now)?;
        let glimpse = self.glimpse()?;
        Some((glimpse.array.clone(), glimpse.turned, glimpse.since))
    }

    /// What was seen since a starting position was left that did not rest; none: it stands there
    /// still, or it has rested.
    pub(super) fn take_line(&mut self) -> Option<Recogniser> {
        let glimpse = self.game.reading.set_up.glimpse.take()?;
        glimpse.left.map(|_| glimpse.line)
    }

    /// When what stands there has rested long enough to be a move from a starting position.
    pub(super) fn glimpse_at(&self) -> Option<Moment> {
        self.glimpse().filter(|it| it.left.is_some())?.line.deadline()
    }

    /// It has rested.
    pub(super) fn glimpse_due(&mut self, now: Moment) {
        if let Some(mut glimpse) = self.game.reading.set_up.glimpse.take() {
            let picture = self.picture_for(glimpse.turned, now);
            glimpse.line.due(now, &picture);
            self.game.reading.set_up.glimpse = Some(glimpse);
        }
        self.expect_set_up(now);
    }

    fn glimpse(&self) -> Option<&Glimpse> {
        self.game.reading.set_up.glimpse.as_deref()
    }
}
