//! From pictures to moves: the tree of positions that have really stood on the board since the
//! last move that can no longer change. Knows legal play only; what is illegal is the Laws' matter.
//!
//! The root is the last settled position. Every picture that a legal move reaches from any picture
//! of the tree joins it; the one believed in is `shown`, and the way from the root to it is the
//! tail of the score. A picture may be read in several ways (moves that nobody saw): all are kept
//! until later pictures leave one. The root follows when enough moves have come after; so a slide
//! can go on, a move can be taken back, a reply can come before either is settled, and a scan can
//! be late, without a guess at any time.

mod doubtful;
mod evidence;
mod explain;
mod gap;
mod hearing;
mod pressed;
mod stale;
mod stands;
mod stood;
mod tail;
mod tolerances;
mod unwatched;

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use evidence::Again;
use gap::Put;
use hearing::Hearing;
use shakmaty::{Board, Chess, Color, Position};
use stands::Stands;

use crate::clock::Presses;
use crate::picture::Picture;
use crate::score::Confidence;
use crate::{candidates, signal};

pub(crate) use doubtful::Doubtful;
pub(crate) use gap::{Effort, shortest};
pub(crate) use stands::Step;
pub(crate) use stood::Stood;

/// Moves by either side that may still change.
const TAIL_MAX: usize = 8;
/// The same where the board cannot be asked: a report that was lost may show much later.
const DEAF_TAIL_MAX: usize = 80;
/// How many moves later an order that cannot be known is settled as the likeliest.
const UNDECIDED_MAX: usize = 3 * TAIL_MAX;
/// How many pictures a move may pass through before it is revised.
const REWRITTEN_MAX: usize = 4;
/// Ways to read one picture that are kept.
const READINGS_MAX: usize = 24;
/// Puts that are remembered.
const PUTS_MAX: usize = 96;
/// How many moves, and how many positions, are searched at once when a picture is no single move
/// away: a move fell between two scans.
const AT_ONCE: (usize, usize) = (2, 2_000);
/// The same when such a picture rests.
const RESTING: (usize, usize) = (4, 40_000);
/// The same when the board was away.
const AFTER_ABSENCE: (usize, usize) = (8, 120_000);

/// A picture nothing in the tree explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Lost {
    pub since: Moment,
    /// The same, whether half a move would have explained it or not.
    pub from: Moment,
    /// A move may be half done: pieces lifted, castling with one piece, a captured pawn left.
    pub unfinished: bool,
    /// The clock was pressed meanwhile: hands are not in the middle of a move.
    pub doubted: bool,
}

/// How long a picture must rest before it is believed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits {
    /// When it may be the passage to something longer.
    pub settle: Duration,
    /// When moves must have been missed, or a completed move would be another one.
    pub release: Duration,
    /// Whether missed moves are looked for; if not, the picture is explained otherwise.
    pub gaps: bool,
    /// The board was away and squares and score have not agreed since.
    pub unwatched: Option<Unwatched>,
    /// A mate or stalemate that may be the passage to something else.
    pub end: Duration,
    /// When a king's move to the centre may be the sign of a result: the clock stands.
    pub trip: Option<Duration>,
    /// Pieces may be moved about that are not played: what stood before may stand again, or one
    /// move is tried, and nothing else is looked for.
    pub rearranged: bool,
}

/// A time in which nobody watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwatched {
    /// When anything was heard last before it.
    pub since: Moment,
    /// When anything was heard again.
    pub until: Moment,
    /// How often the clock was pressed in it and since, if the clock shows that.
    pub presses: Option<Presses>,
}

/// A press, when the board has had time to show what stood there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pub by: Color,
    pub at: Moment,
    /// It completed a move that was known.
    pub completed: bool,
}

/// The recogniser of one game.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Tracker {
    stands: Stands,
    shown: usize,
    standing: Option<usize>,
    /// What stands there, or stood there last, and is not believed yet.
    pending: Option<usize>,
    /// When it is to be believed if it goes on standing.
    settles: Option<Moment>,
    lost: Option<Lost>,
    gap_at: Option<Moment>,
    unseen: Unseen,
    doubts: Doubts,
    /// The board does not report its whole position.
    deaf: bool,
    /// The picture before this one, and what was put where since the game began, the latest last.
    last: Option<Board>,
    puts: Vec<Put>,
    /// When which picture stood, the latest last.
    stood: Vec<(Moment, usize)>,
    /// All reports of the game, while the board has never reported its whole position.
    hearing: Option<Hearing>,
}

/// The time in which nobody watched.
#[derive(Clone, Debug, Default, Encode, Decode)]
struct Unseen {
    /// It is not explained yet.
    lasts: bool,
    /// How often the clock was pressed meanwhile, if the clock shows that.
    presses: Option<Presses>,
    /// What was shown when the board was away last.
    away: Option<usize>,
    again: Option<Again>,
    /// What was seen last before nobody watched.
    unwatched: Option<Board>,
}

/// What may differ from the tail.
#[derive(Clone, Debug, Default, Encode, Decode)]
struct Doubts {
    /// What stands there may be read in several ways that lead to different positions.
    open: Option<usize>,
    /// Moves were settled although the squares do not show their order.
    undecided: bool,
    /// After this move the board has corrected its squares. Even what was pressed for may have been
    /// something else.
    corrected: Option<usize>,
    /// The last picture that can only be read in several ways: what comes now comes after it.
    trunk: Option<usize>,
    /// What was shown before the last revision.
    revised: Option<usize>,
    /// How many moves of the tail are beyond doubt by what was heard, if not all are.
    disputed: Option<usize>,
}

impl Tracker {
    pub fn new(now: Moment, position: Chess) -> Self {
        Self::among(now, vec![position])
    }

    /// A game that goes on from one of these positions; which one is not known.
    pub fn among(now: Moment, positions: Vec<Chess>) -> Self {
        let only = Some(&positions[0]).filter(|_| positions.len() == 1);
        Self {
            hearing: only.map(|position| Hearing::new(now, position.clone())),
            stands: Stands::new(now, positions),
            shown: 0,
            standing: Some(0),
            pending: None,
            settles: None,
            lost: None,
            gap_at: None,
            unseen: Unseen::default(),
            doubts: Doubts::default(),
            deaf: false,
            last: None,
            puts: Vec::new(),
            stood: vec![(now, 0)],
        }
    }

    /// The clock was pressed over a picture that nothing explains. A hand that has gone to the
    /// pieces after the press is in the middle of the next move.
    pub fn doubt(&mut self, now: Moment, pressed: Moment, wait: Duration) {
        let Some(lost) = &mut self.lost else { return };
        if lost.unfinished && lost.from > pressed {
            return;
        }
        lost.doubted = true;
        self.gap_at.get_or_insert(now + wait);
    }

    /// The squares changed. True if the tail is another one now.
    pub fn see(&mut self, now: Moment, picture: &Picture, waits: Waits) -> bool {
        let before = self.mark();
        self.note_puts(now, picture);
        self.deaf = picture.is_uncertain();
        self.hearing.take_if(|hearing| hearing.began() < picture.confirmed());
        if let Some(stood) = self.standing {
            self.stands[stood].rested |= self.stands[stood].seen + waits.release <= now;
        }
        self.unseen.lasts = waits.unwatched.is_some();
        self.unseen.presses = waits.unwatched.and_then(|unwatched| unwatched.presses);
        match waits.unwatched {
            Some(unwatched) => self.watch_again(unwatched, picture),
            None => self.unseen.again = None,
        }
        self.standing = match self.unseen.presses.filter(|_| !picture.is_uncertain()) {
            Some(presses) => self.find_counted(now, picture, presses),
            None if waits.rearranged => self.find_again(now, picture),
            None => self.find(now, picture),
        };
        self.settles = None;
        match self.standing {
            Some(standing) => {
                self.pending = None;
                self.stands[standing].seen = now;
                let whole = picture.shows(self.stands[standing].position().board());
                self.stands[standing].shown_whole |= whole;
                self.remember(self.counted_since(standing).unwrap_or(now), standing);
                self.found();
                self.believe_if_final(now, standing, waits);
                self.follow_trunk(standing);
                if self.doubts.disputed.is_some() && self.hearing.is_some() && self.agrees() {
                    self.dispute();
                }
            }
            None => {
                self.believe_if_answered(picture);
                self.find_answered(now, picture, waits);
                self.lose(now, picture, waits);
            }
        }
        if self.unseen.presses.is_some() && before.0 != self.shown {
            (self.unseen.lasts, self.unseen.again) = (false, None);
        }
        self.has_changed(before)
    }

    /// A deadline came. True if the tail is another one now.
    pub fn due(&mut self, now: Moment, picture: &Picture) -> bool {
        let before = self.mark();
        if self.settles.is_some_and(|at| at <= now) {
            self.settles = None;
            self.settle(now);
        }
        if self.gap_at.is_some_and(|at| at <= now) {
            self.gap_at = None;
            self.bridge(now, picture);
        }
        self.has_changed(before)
    }

    /// Whether the tail is another one than before. Nobody presses for a move that ends the game.
    fn has_changed(&mut self, before: (usize, usize)) -> bool {
        let changed = before != self.mark();
        let (shown, stood) = (self.shown, before.0);
        if !self.stands.comes_after(shown, stood) && !self.stands.comes_after(stood, shown) {
            self.doubts.revised = Some(stood);
        }
        if changed && candidates::is_over(self.position()) {
            self.dispute();
        }
        changed
    }

    /// Keeps the tail short. Gives how many moves have been settled by it.
    pub fn fix_old(&mut self) -> usize {
        self.leave_unproven();
        let shown = &self.stands[self.shown];
        let ripe = shown.readings.len() > 1 && self.plies() > UNDECIDED_MAX;
        if ripe && shown.is_certain() && self.stands.is_leaf(self.shown) {
            // All lead to the same position, so nothing that comes can decide between them.
            self.doubts.undecided = true;
            self.stands[self.shown].readings.truncate(1);
        }
        let keep = if self.deaf { DEAF_TAIL_MAX } else { TAIL_MAX };
        if let Some((root, way, plies)) = self.stands.settled(self.shown, keep) {
            if let Some(hearing) = &mut self.hearing {
                hearing.settle(plies);
            }
            self.leave_settled(plies);
            self.doubts.disputed = self.doubts.disputed.and_then(|at| at.checked_sub(plies));
            let moved = self.stands.reroot(root, way);
            self.renumber(&moved);
            return plies;
        }
        let wanted =
            [Some(self.shown), self.standing, self.pending, self.doubts.open, self.doubts.trunk];
        let wanted = wanted.into_iter().chain([self.doubts.revised]);
        let wanted: Vec<_> = wanted.flatten().collect();
        if let Some(moved) = self.stands.forget_beside(&wanted) {
            self.renumber(&moved);
        }
        0
    }

    /// Gives up the last moves of the tail, as when they were no moves at all.
    pub fn drop_last(&mut self, plies: usize) {
        let mut left = plies;
        while left > 0 && self.shown != 0 {
            left = left.saturating_sub(self.stands[self.shown].readings[0].line.len());
            self.shown = self.stands[self.shown].parent;
        }
        (self.settles, self.pending) = (None, None);
        if self.standing.is_some_and(|standing| standing != self.shown) {
            self.standing = None;
        }
    }

    /// What builds on a position proves it; a picture that cannot go on needs no rest either.
    fn believe_if_final(&mut self, now: Moment, standing: usize, waits: Waits) {
        if standing == self.shown {
            return;
        }
        let stand = &self.stands[standing];
        let reading = &stand.readings[0];
        let before = &self.stands[stand.parent].readings[reading.from].position;
        let taken_back = self.stands.comes_after(self.shown, standing);
        let skipped = self.was_skipped(standing);
        let on_skipped = stand.parent != self.shown && self.was_skipped(stand.parent);
        let several = stand.readings.len() > 1;
        let last = reading.line.last().copied();
        let passage = last.is_none_or(|mv| candidates::extendable(before, mv));
        let trip = waits.trip.filter(|_| last.is_some_and(signal::may_be_a_trip));
        if !(taken_back || passage || skipped || on_skipped || several || trip.is_some()) {
            self.shown = standing;
            return;
        }
        let parent = stand.parent;
        let rest = match (skipped, candidates::is_over(stand.position())) {
            (_, true) => waits.end,
            (true, _) => waits.release,
            _ => waits.settle,
        };
        if !taken_back
            && !on_skipped
            && self.goes_on_from_shown(parent)
            && self.stands[parent].is_certain()
        {
            self.shown = parent;
        }
        self.settles = Some(now + trip.unwrap_or(rest));
        self.pending = (!taken_back && !skipped && trip.is_none()).then_some(standing);
    }

    /// A picture has rested long enough.
    fn settle(&mut self, now: Moment) {
        let Some(standing) = self.standing else { return };
        if self.is_final(standing) {
            self.shown = standing;
            return;
        }
        self.lost = Some(Lost { since: now, from: now, unfinished: false, doubted: false });
        (self.doubts.open, self.doubts.trunk) = (Some(standing), Some(standing));
    }

    /// The opponent has begun to move: a move that has not rested long enough was one all the same.
    fn believe_if_answered(&mut self, picture: &Picture) {
        let Some(pending) = self.pending else { return };
        let reading = &self.stands[pending].readings[0];
        let (position, seen) = (&reading.position, reading.corrected(picture));
        let turn = position.turn();
        // What the mover has put his piece on was captured by him.
        let lifted = seen.left(position.board(), turn) & !seen.occupied();
        if lifted.any()
            && !candidates::is_over(position)
            && self.has_moved(pending, turn.other(), picture)
            && self.stands[pending].is_certain()
        {
            self.shown = pending;
            self.pending = None;
        }
    }

    /// The opponent has lifted something before the board has reported the whole move. The one move
    /// that explains the rest was made.
    fn find_answered(&mut self, now: Moment, picture: &Picture, waits: Waits) {
        let by = self.position().turn().other();
        let parent = self.stands[self.shown].parent;
        let open = self.stands.comes_after(parent, self.open_from());
        let gone = !self.has_moved(self.shown, by, picture) && open;
        let instead = (self.shown != 0 && gone).then_some(parent);
        let counted = |presses: Presses| presses.are_known() && presses.allow(1, by.other());
        if self.unseen.lasts && !self.unseen.presses.is_some_and(counted) {
            return;
        }
        for base in std::iter::once(self.shown).chain(instead) {
            let [reading] = &self.stands[base].readings[..] else { continue };
            let picture = &reading.corrected(picture);
            let moves = candidates::answered(&reading.position, picture);
            if let [mv] = moves[..]
                && !(waits.trip.is_some() && signal::may_be_a_trip(mv))
            {
                let reading = reading.then(0, vec![mv], Confidence::Seen);
                self.shown = self.stands.push(now, base, vec![reading]);
                return;
            }
        }
    }

    fn found(&mut self) {
        self.lost = None;
        self.gap_at = None;
        self.doubts.open = None;
        self.doubts.corrected = None;
    }

    fn lose(&mut self, now: Moment, picture: &Picture, waits: Waits) {
        let counted = self.unseen.presses.is_some();
        let open = if counted { self.shown } else { self.open_from() };
        let unfinished = (0..self.stands.all().len())
            .any(|it| self.stands.comes_after(it, open) && self.is_half_done(it, picture))
            && !(self.unseen.lasts
                && candidates::single(self.position(), picture.board()).is_some());
        let since = match self.lost {
            Some(lost) if lost.unfinished == unfinished => lost.since,
            _ => now,
        };
        let doubted = self.lost.is_some_and(|it| it.doubted);
        let from = self.lost.map_or(now, |it| it.from);
        self.lost = Some(Lost { since, from, unfinished, doubted });
        if let Some(hearing) = self.hearing.as_mut().filter(|_| !unfinished) {
            hearing.saw_unexplained();
        }
        self.doubts.open = None;
        self.gap_at = (waits.gaps && (doubted || !unfinished)).then(|| now + waits.release);
    }

    /// Moves were missed: look for the short lines that end in this picture.
    fn bridge(&mut self, now: Moment, picture: &Picture) {
        if let Some(hearing) = &mut self.hearing {
            hearing.saw_unexplained();
        }
        let Some(stand) = self.explain_rest(now, picture) else { return };
        self.standing = Some(stand);
        let stood = || self.lost.map_or(now, |lost| lost.since);
        self.remember(self.counted_since(stand).unwrap_or_else(stood), stand);
        (self.unseen.lasts, self.unseen.again) = (false, None);
        if self.is_final(stand) {
            self.shown = stand;
            self.found();
        } else {
            (self.doubts.open, self.doubts.trunk) = (Some(stand), Some(stand));
        }
    }

    /// What rests there, if no move leads to it.
    fn explain_rest(&mut self, now: Moment, picture: &Picture) -> Option<usize> {
        if self.is_heard(picture)
            && let Some(found) = self.all_heard(now, picture)
        {
            return Some(found);
        }
        if self.unseen.lasts && self.unseen.again.is_none() && picture.is_uncertain() {
            // Nobody saw what happened meanwhile, and the board has not reported since.
            return None;
        }
        let found = match self.unseen.lasts {
            true => self.after_absence(now, picture),
            false => self.missed(now, picture, RESTING),
        };
        let found = found.or_else(|| self.as_before(now, picture));
        let found = found.or_else(|| self.instead(now, picture));
        let found = found.or_else(|| self.rethought(now, picture));
        found.or_else(|| self.worked_out_anew(now, picture))
    }

    fn renumber(&mut self, moved: &[Option<usize>]) {
        self.shown = moved[self.shown].unwrap_or(0);
        self.standing = self.standing.and_then(|standing| moved[standing]);
        self.pending = self.pending.and_then(|pending| moved[pending]);
        self.doubts.open = self.doubts.open.and_then(|open| moved[open]);
        self.doubts.corrected = self.doubts.corrected.map(|at| moved[at].unwrap_or(0));
        self.doubts.trunk = self.doubts.trunk.and_then(|at| moved[at]);
        self.doubts.revised = self.doubts.revised.and_then(|at| moved[at]);
        self.unseen.away = self.unseen.away.and_then(|at| moved[at]);
        let stood = std::mem::take(&mut self.stood).into_iter();
        self.stood = stood.filter_map(|(at, it)| Some((at, moved[it]?))).collect();
        if self.standing.is_none() {
            self.settles = None;
        }
    }
}
