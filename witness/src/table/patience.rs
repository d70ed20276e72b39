//! Who waits for whom while squares and score disagree: a hand that thinks holds a piece, but not
//! over its own press, and a move that nobody has pressed for may be put right.

use eboard::Moment;
use shakmaty::Position;

use super::Play;
use crate::laws::illegal;
use crate::recogniser::Recogniser;
use crate::tracker::Lost;

impl Play {
    /// When the player having the move pressed although a piece was gone and no move of his stood
    /// there. No hand holds the piece then. Reports may be lost, so the board must have reported
    /// all its squares since.
    pub(super) fn gone_at_the_press(&self, tracker: &Recogniser, lost: Lost) -> Option<Moment> {
        let side = tracker.position().turn();
        let pressed = self.pressed_at(side)?;
        let was_last = self.pressed_at(!side).is_none_or(|other| other < pressed);
        let picture = self.board.surface.picture();
        let confirmed = !picture.is_blind() && picture.confirmed() >= pressed;
        (was_last && confirmed && lost.from <= pressed).then_some(pressed)
    }

    /// Whether what stands there is an illegal move of the player whose time counts, who has not
    /// pressed for it: he may put it right (7.5.1), and nobody has to come for that.
    pub(super) fn may_be_put_right(&self) -> bool {
        let Some(tracker) = self.game.reading.tracker.as_ref().filter(|_| self.clock_counts())
        else {
            return false;
        };
        let (position, board) = (tracker.position(), self.board.surface.board());
        let counts = self.clocks.state().and_then(|state| state.running);
        counts == Some(position.turn())
            && !self.board.surface.is_blind()
            && self.sign_shown().is_none()
            && illegal::explain(position, board).is_some()
    }
}
