//! Where a game stands. What only holds in one phase is part of it, and ends with it.

use bincode::{Decode, Encode};

use super::adjournment::Adjourned;
use super::doubts::Doubt;
use super::{Effect, Event, Facet, Play};

/// Where a game stands, as it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Phase {
    /// No game: the pieces are not set up.
    Unset,
    /// Set up; nothing has moved.
    Ready,
    /// The score grows.
    InPlay,
    /// Both times stand.
    Paused,
    /// Squares and score disagree.
    Adrift,
    /// There is a result.
    Ended,
}

/// How a game goes on. A [`Phase`] says the same to others, and besides what score and clock show
/// of a game that is followed.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) enum Course {
    /// Squares and score agree, or will when the hand that is at a move has made it.
    #[default]
    Followed,
    /// Squares and score disagree, and no move explains it.
    Adrift(Doubt),
    /// The program has failed twice: only an arbiter can say what is true. The squares may disagree
    /// with the score besides.
    Broken(Option<Doubt>),
    /// The game is put aside.
    Adjourned(Box<Adjourned>),
    /// There is a result. Kings may lie in the centre that have said another one; that is reported
    /// once.
    Ended(KingsAfter),
}

/// What both kings say after there is a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) enum KingsAfter {
    /// Nothing yet, or they were put back.
    Silent,
    /// They lay in the centre before the result was given, or another result was reported.
    Known,
}

impl KingsAfter {
    /// Kings that lie in the centre now have said what they say before the result was given.
    pub const fn before(signed: bool) -> Self {
        if signed { Self::Known } else { Self::Silent }
    }
}

impl Course {
    /// Squares and score disagree, and this is known about it.
    pub fn disagree(&mut self, doubt: Doubt) {
        match self {
            Self::Followed | Self::Adrift(_) => *self = Self::Adrift(doubt),
            Self::Broken(besides) => *besides = Some(doubt),
            // Nothing that stands there belongs to the game.
            Self::Adjourned(_) | Self::Ended(_) => {}
        }
    }

    /// Squares and score do not disagree any more, or the score begins anew. Returns the doubt that
    /// ends.
    pub fn agree(&mut self) -> Option<Doubt> {
        match self {
            Self::Followed | Self::Adjourned(_) | Self::Ended(_) => None,
            Self::Broken(besides) => besides.take(),
            Self::Adrift(_) => match std::mem::take(self) {
                Self::Adrift(doubt) => Some(doubt),
                _ => None,
            },
        }
    }

    /// The program has failed twice. A game that is put aside is compared with its sheet before it
    /// goes on, and one that has a result is not followed.
    pub fn fail(&mut self) {
        match self {
            Self::Followed | Self::Adrift(_) => *self = Self::Broken(self.agree()),
            Self::Broken(_) | Self::Adjourned(_) | Self::Ended(_) => {}
        }
    }

    /// There is no result.
    pub fn reopen(&mut self) {
        if matches!(self, Self::Ended(_)) {
            *self = Self::Followed;
        }
    }

    /// The game is put aside again.
    pub fn put_aside(&mut self, adjourned: Adjourned) {
        *self = Self::Adjourned(Box::new(adjourned));
    }

    /// The game that was put aside goes on; none: it is not put aside.
    pub fn take_up(&mut self) -> Option<Adjourned> {
        match std::mem::take(self) {
            Self::Adjourned(adjourned) => Some(*adjourned),
            other => {
                *self = other;
                None
            }
        }
    }

    /// There is a result, and the kings say another one. Whether that is new.
    pub fn kings_say_another(&mut self) -> bool {
        match self {
            Self::Ended(kings) => std::mem::replace(kings, KingsAfter::Known) == KingsAfter::Silent,
            _ => false,
        }
    }

    /// One of the kings has left the centre again: the next time they say something else.
    pub const fn kings_put_back(&mut self) {
        if let Self::Ended(kings) = self {
            *kings = KingsAfter::Silent;
        }
    }

    /// What is known about the disagreement of squares and score, while they disagree.
    pub const fn doubt(&self) -> Option<&Doubt> {
        match self {
            Self::Adrift(doubt) | Self::Broken(Some(doubt)) => Some(doubt),
            _ => None,
        }
    }

    pub const fn doubt_mut(&mut self) -> Option<&mut Doubt> {
        match self {
            Self::Adrift(doubt) | Self::Broken(Some(doubt)) => Some(doubt),
            _ => None,
        }
    }

    /// Whether it is not known what has been played.
    pub const fn is_adrift(&self) -> bool {
        matches!(self, Self::Adrift(_) | Self::Broken(_))
    }

    pub const fn is_broken(&self) -> bool {
        matches!(self, Self::Broken(_))
    }

    pub const fn is_adjourned(&self) -> bool {
        matches!(self, Self::Adjourned(_))
    }

    pub fn adjourned(&self) -> Option<&Adjourned> {
        match self {
            Self::Adjourned(adjourned) => Some(adjourned),
            _ => None,
        }
    }

    pub fn adjourned_mut(&mut self) -> Option<&mut Adjourned> {
        match self {
            Self::Adjourned(adjourned) => Some(adjourned),
            _ => None,
        }
    }
}

impl Play {
    /// Where the game stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub(super) fn refresh_phase(&mut self, out: &mut Vec<Effect>) {
        let phase = self.phase_now();
        if phase != self.phase {
            if self.phase == Phase::Ready {
                // The start of the game is known now, so publish it now. With the next event it
                // would reveal to everybody what arbiters do.
                out.push(Effect::Changed(Facet::Game));
            }
            self.phase = phase;
            self.tell(Event::Phase(phase), out);
            out.push(Effect::Changed(Facet::Position));
        }
    }

    fn phase_now(&self) -> Phase {
        let over = matches!(self.game.course, Course::Ended(_));
        debug_assert_eq!(over, self.game.score.ending().is_some(), "The score has the result.");
        match &self.game.course {
            Course::Ended(_) => Phase::Ended,
            _ if self.game.reading.tracker.is_none() => Phase::Unset,
            Course::Adjourned(_) => Phase::Paused,
            Course::Adrift(_) | Course::Broken(_) => Phase::Adrift,
            Course::Followed if !self.game.has_begun() => Phase::Ready,
            Course::Followed if self.game.clock.ran && self.clocks.stopped() => Phase::Paused,
            Course::Followed => Phase::InPlay,
        }
    }
}

#[cfg(test)]
mod tests {
    use eboard::Moment;
    use shakmaty::Board;

    use super::*;

    fn doubt() -> Doubt {
        let (picture, since) = (Board::empty(), Moment::default());
        Doubt { picture, since, signed: false, old_at: None, untold: false }
    }

    #[test]
    fn what_only_holds_in_a_phase_ends_with_it() {
        let mut course = Course::default();
        course.disagree(doubt());
        assert!(course.is_adrift() && course.doubt().is_some());
        assert!(course.agree().is_some() && !course.is_adrift() && course.agree().is_none());
        course.disagree(doubt());
        course = Course::Ended(KingsAfter::Silent);
        assert!(!course.is_adrift() && course.doubt().is_none());
    }

    #[test]
    fn a_program_that_failed_twice_is_adrift_until_another_game() {
        let mut course = Course::default();
        course.disagree(doubt());
        course.fail();
        assert!(course.is_broken() && course.doubt().is_some(), "It disagrees as before.");
        assert!(course.agree().is_some() && course.is_adrift() && course.doubt().is_none());
        course.disagree(doubt());
        assert!(course.is_broken() && course.doubt().is_some());
    }

    #[test]
    fn nothing_disagrees_with_a_game_that_is_not_followed() {
        let mut course = Course::Ended(KingsAfter::Known);
        course.disagree(doubt());
        course.fail();
        assert!(matches!(course, Course::Ended(KingsAfter::Known)));
    }
}
