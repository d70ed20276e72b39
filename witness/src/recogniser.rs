//! Who turns pictures into moves: the tracker where pieces are seen, else the one that follows
//! every line that fits the occupied squares.

use std::borrow::Cow;
use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Bitboard, Chess, Color, Square};

use crate::blind::Blind;
use crate::clock::Presses;
use crate::picture::Picture;
use crate::score::Confidence;
use crate::signal::{self, Asked, Shown};
use crate::tracker::{Doubtful, Late, Lost, Step, Stood, Tracker, Unwatched, Waits};

/// The recogniser of one game.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) enum Recogniser {
    Sighted(Box<Tracker>),
    Blind(Blind),
}

impl Recogniser {
    pub fn new(now: Moment, position: Chess, blind: bool) -> Self {
        match blind {
            false => Self::Sighted(Box::new(Tracker::new(now, position))),
            true => Self::Blind(Blind::new(now, position)),
        }
    }

    /// A game that goes on from one of these positions; which one is not known.
    pub fn among(now: Moment, positions: Vec<Chess>) -> Self {
        Self::Sighted(Box::new(Tracker::among(now, positions)))
    }

    /// The position the score ends in.
    pub fn position(&self) -> &Chess {
        match self {
            Self::Sighted(tracker) => tracker.position(),
            Self::Blind(blind) => blind.position(),
        }
    }

    /// The position before the tail, by which the score goes on.
    pub fn root(&self) -> &Chess {
        match self {
            Self::Sighted(tracker) => tracker.root(),
            Self::Blind(blind) => blind.root(),
        }
    }

    /// The moves since the root, oldest first.
    pub fn tail(&self) -> Vec<Step<'_>> {
        match self {
            Self::Sighted(tracker) => tracker.tail(),
            Self::Blind(blind) => blind.tail(),
        }
    }

    /// How many they are.
    pub fn plies(&self) -> usize {
        match self {
            Self::Sighted(tracker) => tracker.plies(),
            Self::Blind(blind) => blind.tail().len(),
        }
    }

    /// Whether one of the last moves of the tail, of so many at most, was worked out.
    pub fn has_worked_out_among(&self, last: usize) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.has_worked_out_among(last),
            Self::Blind(blind) => {
                let tail = blind.tail();
                tail.iter().rev().take(last).any(|it| it.confidence == Confidence::Inferred)
            }
        }
    }

    /// The position before the last move of the tail, or the root's.
    pub fn before_last(&self) -> Chess {
        match self {
            Self::Sighted(tracker) => tracker.before_last(),
            Self::Blind(blind) => blind.before_last(),
        }
    }

    /// The squares show exactly the position the score ends in.
    pub fn agrees(&self) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.agrees(),
            Self::Blind(blind) => blind.agrees(),
        }
    }

    /// Since when nothing explains the picture.
    pub fn lost(&self) -> Option<Lost> {
        match self {
            Self::Sighted(tracker) => tracker.lost(),
            Self::Blind(blind) => blind.lost(),
        }
    }

    /// On a blind board: where something stands that no move has brought there, while no piece is
    /// in a hand.
    pub fn strays(&self) -> Bitboard {
        match self {
            Self::Sighted(_) => Bitboard::EMPTY,
            Self::Blind(blind) => blind.strays(),
        }
    }

    /// Whether this picture is a legal position after a move by this side, or such a position has
    /// come to stand there since that moment.
    pub fn has_stood(&self, picture: &Picture, by: Color, since: Moment) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.has_stood(picture, by, since),
            Self::Blind(blind) => blind.has_stood(picture, by, since),
        }
    }

    /// Whether a move of the other side has come to stand there since that moment.
    pub fn has_answered(&self, by: Color, since: Moment) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.has_answered(by, since),
            Self::Blind(blind) => blind.has_answered(by, since),
        }
    }

    /// Whether a move on from the position the score ends in has stood there, and was not the last
    /// word.
    pub fn has_tried(&self) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.has_tried(),
            Self::Blind(blind) => blind.has_tried(),
        }
    }

    /// The clock was pressed over a picture that nothing explains: hands are not in the middle of
    /// a move.
    pub fn doubt(&mut self, now: Moment, pressed: Moment, wait: Duration) {
        match self {
            Self::Sighted(tracker) => tracker.doubt(now, pressed, wait),
            Self::Blind(blind) => blind.doubt(now + wait),
        }
    }

    pub fn follows_by_ear(&mut self) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.follows_by_ear(),
            Self::Blind(_) => false,
        }
    }

    /// Whether moves were settled although the squares do not show their order.
    pub fn is_undecided(&self) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.is_undecided(),
            Self::Blind(blind) => blind.is_undecided(),
        }
    }

    /// Moves may have been made that no picture will show.
    pub fn leave_undecided(&mut self) {
        match self {
            Self::Sighted(tracker) => tracker.leave_undecided(),
            Self::Blind(blind) => blind.leave_undecided(),
        }
    }

    /// The board was asked for all its squares, and these differ from its reports since that
    /// moment. A board that sees no pieces always reports all of them.
    pub fn correct(&mut self, squares: Bitboard, since: Moment) {
        if let Self::Sighted(tracker) = self {
            tracker.correct(squares, since);
        }
    }

    /// The picture as it is if what is shown is true.
    pub fn corrected<'a>(&self, picture: &'a Picture) -> Cow<'a, Picture> {
        match self {
            Self::Sighted(tracker) => tracker.corrected(picture),
            Self::Blind(_) => Cow::Borrowed(picture),
        }
    }

    /// Nobody has watched since that moment: what stood there may stand there no longer.
    pub fn look_away(&mut self, since: Moment, release: Duration) {
        if let Self::Sighted(tracker) = self {
            tracker.look_away(since, release);
        }
    }

    /// The board is watched again.
    pub fn watch_again(&mut self, unwatched: Unwatched, picture: &Picture) {
        if let Self::Sighted(tracker) = self {
            tracker.watch_again(unwatched, picture);
        }
    }

    /// Notes that everything done in the outage was reported after all. Gives whether that matters.
    pub fn was_watched(&mut self) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.was_watched(),
            Self::Blind(_) => false,
        }
    }

    /// Whether nothing was played while the board was unwatched, except that a hand lifted pieces.
    pub fn was_only_in_hand(&mut self, unwatched: Unwatched, picture: &Picture) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.was_only_in_hand(unwatched, picture),
            Self::Blind(_) => false,
        }
    }

    /// How often the clock was pressed while nobody watched and since, if the clock shows that.
    pub fn count_presses(&mut self, presses: Option<Presses>) {
        if let Self::Sighted(tracker) = self {
            tracker.count_presses(presses);
        }
    }

    /// Whether it has been explained what was played while nobody watched.
    pub fn has_caught_up(&self) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.has_caught_up(),
            Self::Blind(_) => false,
        }
    }

    /// The squares changed. True if the tail is another one now.
    pub fn see(&mut self, now: Moment, picture: &Picture, waits: Waits) -> bool {
        match self {
            Self::Sighted(tracker) if picture.is_blind() => {
                // A position was given before the board had said what it is.
                *self = Self::new(now, tracker.position().clone(), true);
                self.see(now, picture, waits)
            }
            Self::Sighted(tracker) => tracker.see(now, picture, waits),
            Self::Blind(blind) => blind.see(now, picture, waits),
        }
    }

    /// A deadline came. True if the tail is another one now.
    pub fn due(&mut self, now: Moment, picture: &Picture) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.due(now, picture),
            Self::Blind(blind) => blind.due(now, picture),
        }
    }

    pub fn deadline(&self) -> Option<Moment> {
        match self {
            Self::Sighted(tracker) => tracker.deadline(),
            Self::Blind(blind) => blind.deadline(),
        }
    }

    /// A clock was pressed. True if the tail is another one now.
    pub fn pressed(&mut self, now: Moment, by: Color, owed: bool, picture: &Picture) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.pressed(now, by, owed, picture),
            Self::Blind(blind) => blind.pressed(by, owed),
        }
    }

    /// A scan has brought in another move of this side after the press. True if the tail is another
    /// one now.
    pub fn came_late(&mut self, press: &Late, picture: &Picture) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.came_late(press, picture),
            Self::Blind(blind) => blind.pressed(press.by, press.completed),
        }
    }

    /// Keeps the move of a press that is not judged yet, when the line goes out.
    pub fn keep_pressed(&mut self, press: &Late, picture: &Picture) {
        if let Self::Sighted(tracker) = self {
            tracker.keep_pressed(press, false, picture);
        }
    }

    /// Keeps the tail short. Gives how many moves have been settled by it.
    pub fn fix_old(&mut self) -> usize {
        match self {
            Self::Sighted(tracker) => tracker.fix_old(),
            Self::Blind(blind) => blind.fix_old(),
        }
    }

    /// Gives up the last moves of the tail, as when they were no moves at all.
    pub fn drop_last(&mut self, plies: usize) {
        match self {
            Self::Sighted(tracker) => tracker.drop_last(plies),
            Self::Blind(blind) => blind.drop_last(plies),
        }
    }

    /// What stood there last before that moment.
    pub fn stood_before(&self, moment: Moment) -> Option<Stood> {
        match self {
            Self::Sighted(tracker) => tracker.stood_before(moment),
            Self::Blind(_) => None,
        }
    }

    /// The score ends with what stood there last before that moment. True if the tail is another
    /// one now.
    pub fn end_before(&mut self, moment: Moment) -> bool {
        match self {
            Self::Sighted(tracker) => tracker.end_before(moment),
            Self::Blind(_) => false,
        }
    }

    /// Both kings in the centre, if as many have come there since the last completed position as
    /// are asked for.
    pub fn shown(&self, picture: &Picture, asked: Asked) -> Option<Shown> {
        match self {
            Self::Sighted(tracker) => {
                let sign = signal::sign(picture.board())?;
                let now = tracker.position();
                let shown = match asked.open {
                    true => Shown::since(&tracker.before_last(), now, sign.kings),
                    false => Shown::since(now, now, sign.kings),
                };
                Some(shown).filter(|shown| shown.suffices(asked))
            }
            Self::Blind(blind) => blind.shown(asked),
        }
    }

    /// On a blind board: whether the kings' sign may be what stands there, and nothing goes on.
    pub fn may_be_signed(&self) -> bool {
        match self {
            Self::Sighted(_) => false,
            Self::Blind(blind) => blind.may_be_signed(),
        }
    }

    /// Whether it is not sure which result the kings show.
    pub fn is_sign_unsure(&self, asked: Asked) -> bool {
        match self {
            Self::Sighted(_) => false,
            Self::Blind(blind) => blind.is_sign_unsure(asked),
        }
    }

    /// On a blind board: the kings' sign has rested, and the score ends before it. Where the kings
    /// stand.
    pub fn end_by_sign(&mut self, asked: Asked) -> Option<[Square; 2]> {
        match self {
            Self::Sighted(_) => None,
            Self::Blind(blind) => blind.end_by_sign(asked),
        }
    }

    /// Whether the game may be over on the board, and no move will decide.
    pub fn may_be_over(&self) -> bool {
        match self {
            Self::Sighted(_) => false,
            Self::Blind(blind) => blind.may_be_over(),
        }
    }

    /// The lines that would explain a picture which does not show their order, and is not believed
    /// for that reason.
    pub fn candidates(&self) -> Option<Doubtful> {
        match self {
            Self::Sighted(tracker) => tracker.candidates(),
            Self::Blind(blind) => blind.doubtful(),
        }
    }

    /// The last moves of the score, if the squares fit others as well.
    pub fn doubtful(&self) -> Option<Doubtful> {
        match self {
            Self::Sighted(tracker) => tracker.doubtful(),
            Self::Blind(blind) => blind.doubtful(),
        }
    }
}
