//! Article 4.2.1: only the player having the move may adjust. Colour and clock suggest whose hand
//! it was, but never with certainty.

use shakmaty::{Position, Square};

use super::case::{Case, Finding};
use super::editions;
use crate::evidence::Trace;
use crate::incident::{Advice, Kind};
use crate::laws::tolerances::AFTERTHOUGHT;
use crate::say;
use crate::turn::Token;

pub(crate) fn judge(case: &Case<'_>) -> Vec<Finding> {
    // Where an own piece was put, it was captured, and given back with that.
    let captured =
        |it: &Token| case.own().any(|own| own.puts.iter().any(|put| Some(put.1) == it.origin));
    let back = |it: &&Token| it.stayed() && !case.belongs(it) && !captured(it);
    case.theirs().filter(back).filter_map(|token| about(case, token)).collect()
}

/// Whether the opponent, who does not have the move, put his own piece straight.
pub(crate) fn by_opponent(case: &Case<'_>, token: &Token) -> bool {
    if case.own().any(|own| own.first < token.first) {
        return false;
    }
    let pressed = case.pressed_at();
    let before_press = pressed.is_some_and(|pressed| token.first < pressed);
    let soon = pressed.is_none_or(|pressed| token.first.since(pressed) <= AFTERTHOUGHT);
    before_press || (soon && token.origin == just_moved(case))
}

fn about(case: &Case<'_>, token: &Token) -> Option<Finding> {
    let square = token.origin?;
    let side = token.piece.color;
    if by_opponent(case, token) && case.pressed_at().is_none_or(|pressed| token.first < pressed) {
        let text = say::straight_after_move(side, token.piece.role, square);
        return Some(Finding::new(Kind::Adjusted, side, text).at([square]));
    }
    let capturable = case.captures_of(square).next().is_some();
    let in_hand = |own: &Token| own.first <= token.first;
    if !by_opponent(case, token) && (capturable || case.own().any(in_hand)) {
        return None;
    }
    let text = say::touched_out_of_turn(side, token.piece.role, square, case.side());
    // Either hand is possible, so nobody is named.
    let found = Finding::new(Kind::TouchedOutOfTurn, None, text).at([square]);
    Some(found.advising([only_having_the_move(case, token)]))
}

/// 4.2.1: what a piece of the opponent's that was put straight means by whose hand it was.
pub(super) fn only_having_the_move(case: &Case<'_>, token: &Token) -> Advice {
    let article = editions::article(Kind::TouchedOutOfTurn, case.rules.edition);
    let (turn, other) = (case.side(), token.piece.color);
    say::hand_not_sensed(turn, other, article)
}

/// Where the opponent has just put a piece.
fn just_moved(case: &Case<'_>) -> Option<Square> {
    let theirs = case.before().board().by_color(case.side().other());
    case.turn.earlier.iter().rev().find_map(|act| match act.trace {
        Trace::Touched(touched) if touched.put.is_some() && theirs.contains(touched.square) => {
            Some(touched.square)
        }
        _ => None,
    })
}
