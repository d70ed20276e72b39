//! Appendix D: the two boards of a game with a visually impaired player. Words and advice.

use shakmaty::{Color, Square};

use crate::incident::Advice;
use crate::message::Message;
use crate::say;

/// What the alert about boards that differ says; `right` is whose board agrees with the score.
pub(crate) fn differ(squares: &[Square], right: Option<Color>) -> Message {
    let Some(right) = right else {
        return say::boards_differ(squares);
    };
    let wrong = right.other();
    say::boards_differ_one_right(squares, right, wrong)
}

/// What Article D.2.9 provides (2014: D.2.8).
pub(crate) fn advice() -> Advice {
    say::put_boards_right()
}
