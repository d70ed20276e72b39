//! Articles 6.2, 6.7, 6.9 and 7.1: a flag that falls after the game has ended on the board, after
//! an illegal move, or before its player has made a move. What follows from any other one is said
//! in [`super::flag`].

use shakmaty::Color;

use super::editions;
use super::flag::OnTheBoard;
use crate::incident::{Advice, Kind};
use crate::say;
use crate::settings::Edition;
use crate::topic::Topic;

/// Article 6.2: the game had ended before the flag fell, pressed or not. `sure`: the clock still
/// had time for that player when the move was made.
pub(crate) fn ended_before(how: OnTheBoard, number: u32, sure: bool) -> Advice {
    let (end, article) = how.words();
    if !sure {
        return say::end_as_flag_fell(end, number, article);
    }
    say::end_before_flag(end, number, article)
}

/// Article 5: what the board shows came before the flag, and a ruling on how that move was made
/// decides whether it ended the game.
pub(crate) fn open_before(how: OnTheBoard, sure: bool) -> Advice {
    let (end, article) = how.words();
    match sure {
        true => say::end_open_before(end, article),
        false => say::end_open_with(end, article),
    }
}

/// Articles 7.1 and 7.5: what came before the fall, and nobody has ruled on it.
pub(crate) fn after_irregular(kind: Kind, by: Color, edition: Edition) -> [Advice; 2] {
    let article = editions::article(kind, edition);
    let came_first = match kind {
        Kind::PressedWithoutMove => say::pressed_before_flag(by, article),
        _ => say::illegal_before_flag(by, article),
    };
    let came_first = came_first.then(say::rule_on_that_first());
    [came_first.about(Topic::RuledOnFirst(kind, by)), say::if_dismissed()]
}

/// The same once it was upheld.
pub(crate) fn irregular_upheld(kind: Kind, by: Color, edition: Edition) -> Advice {
    let article = editions::article(kind, edition);
    match kind {
        Kind::PressedWithoutMove => say::pressed_upheld(by, article),
        _ => say::illegal_upheld(by, article),
    }
}

/// Article 6.8: a flag had fallen before an illegal move was completed.
pub(crate) fn flag_was_first(side: Option<Color>) -> Advice {
    side.map_or_else(say::both_flags_were_first, say::flag_was_first)
}

/// Articles 6.7 and 6.9: a player lost on time without having made a move.
pub(crate) fn without_a_move(side: Color) -> Advice {
    say::lost_without_a_move(side).about(Topic::WithoutAMove(side))
}

/// Article 6.6: whose half of the clock is whose is not sure.
pub(crate) fn of_either() -> Advice {
    say::flag_of_either()
}

/// A time ran out that counted before its player had the move.
pub(crate) fn without_the_move(side: Color) -> Advice {
    say::never_had_the_move(side)
}
