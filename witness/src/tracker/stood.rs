//! What stood when: a game ends with what stood there before the kings went to the centre.

use eboard::Moment;
use shakmaty::{Color, Position};

use super::Tracker;
use crate::picture::Picture;
use crate::signal;

/// How many pictures are remembered with the moments at which they stood.
const STOOD_MAX: usize = 64;

/// A picture that stood there at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stood {
    pub at: Moment,
    /// A king came to the centre with it.
    pub trip: bool,
    /// The clock was pressed for it.
    pub pressed: bool,
}

impl Tracker {
    /// Whether this picture is a legal position after a move by this side, or such a position has
    /// come to stand there since that moment.
    pub fn has_stood(&self, picture: &Picture, by: Color, since: Moment) -> bool {
        self.stands.all().iter().enumerate().any(|(index, stand)| {
            let guessed = self.was_guessed(index) && !self.stands.comes_after(self.shown, index);
            stand.readings.iter().any(|reading| {
                let moved = reading.position.turn() == by.other();
                moved && !guessed && (reading.shows(picture) || index != 0 && stand.seen > since)
            })
        })
    }

    /// Whether a move of the other side has come to stand there since that moment.
    pub fn has_answered(&self, by: Color, since: Moment) -> bool {
        let stands = self.stands.all().iter().skip(1);
        stands.into_iter().any(|stand| stand.seen > since && stand.position().turn() == by)
    }

    /// Whether a move on from the position the score ends in has stood there, and was not the last
    /// word.
    pub fn has_tried(&self) -> bool {
        let tried = |it: usize| self.stands[it].parent == self.shown && !self.was_guessed(it);
        (1..self.stands.all().len()).any(tried)
    }

    /// What stood there last before that moment, with when it came to stand and whether the clock
    /// was pressed for it.
    pub fn stood_before(&self, moment: Moment) -> Option<Stood> {
        self.last_before(moment).map(|(at, stand)| {
            let stand = &self.stands[stand];
            let last = stand.readings[0].line.last();
            let trip = last.is_some_and(|&mv| signal::may_be_a_trip(mv));
            Stood { at, trip, pressed: stand.pressed }
        })
    }

    /// The score ends with what stood there last before that moment. True if the tail is another
    /// one now.
    pub fn end_before(&mut self, moment: Moment) -> bool {
        let before = self.mark();
        let stood = self.last_before(moment).map(|(_, stand)| stand);
        let certain = stood.filter(|&it| self.stands[it].is_certain());
        let open = self.doubts.open.is_some() || self.doubts.trunk.is_some() || certain.is_none();
        let likeliest = if self.deaf && open { self.likeliest_heard(stood) } else { None };
        if let Some(stand) = likeliest {
            self.stands[stand].unproven |= certain != likeliest;
            self.shown = stand;
        } else if let Some(stand) = certain {
            self.shown = stand;
        }
        (self.settles, self.pending, self.standing) = (None, None, None);
        before != self.mark()
    }

    /// Two moves at once that nobody has believed in yet may be what kings take off on their way.
    fn last_before(&self, moment: Moment) -> Option<(Moment, usize)> {
        let believed = |it: usize| !self.was_skipped(it) || self.stands.comes_after(self.shown, it);
        self.stood.iter().rev().copied().find(|&(at, stand)| at < moment && believed(stand))
    }

    pub(super) fn remember(&mut self, now: Moment, standing: usize) {
        if self.stood.len() == STOOD_MAX {
            self.stood.remove(0);
        }
        self.stood.push((now, standing));
    }
}
