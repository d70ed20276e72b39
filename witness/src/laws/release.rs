//! Article 4.7: a move that rested on the board and was changed before the press.

use std::time::Duration;

use shakmaty::{Board, CastlingSide, Move, Position, Square};

use super::case::{Case, Finding, san};
use super::editions;
use super::touch::{played, until_touched};
use crate::candidates;
use crate::incident::{Advice, Kind};
use crate::message::Message;
use crate::say;

pub(crate) fn judge(case: &Case<'_>) -> Option<Finding> {
    rested(case).find_map(|(picture, span)| released(case, picture, span))
}

/// The pictures that rested long enough, each with how long it did.
fn rested<'a>(case: &'a Case<'_>) -> impl Iterator<Item = (&'a Board, Duration)> {
    let making = case.turn.making();
    let ends = making.iter().skip(1).map(|act| act.at);
    let all = making.iter().zip(ends).map(|(act, end)| (&act.picture, end.since(act.at)));
    all.filter(|(_, span)| *span >= case.rules.release)
}

fn released(case: &Case<'_>, picture: &Board, span: Duration) -> Option<Finding> {
    let made = case.turn.mv;
    let moved = candidates::single(case.before(), picture);
    let begun = || castling_begun(case, picture).or_else(|| promotion_begun(case, picture));
    let mv = moved.or_else(begun)?;
    // Another new piece is the matter of 4.4.4.
    let exchanged = mv.promotion().is_some() && (mv.from(), mv.to()) == (made.from(), made.to());
    let by_mover = case.own().any(|it| it.origin == mv.from());
    let fine = mv == made || exchanged || is_part_of_castling(case, mv) || put_right(case, mv);
    if fine || !by_mover {
        return None;
    }
    let text = text(case, mv, moved.is_some(), span);
    let oblige = oblige(case, mv, moved.is_some());
    let squares = mv.from().into_iter().chain([mv.to()]);
    let obliged = case.legal.iter().copied().filter(|it| match moved {
        Some(mv) => *it == mv,
        None => (it.from(), it.to()) == (mv.from(), mv.to()),
    });
    let kind = Kind::ReleasedThenChanged;
    let found = Finding::new(kind, case.side(), text).at(squares).obliging(obliged);
    let until = editions::is_barred_by_touching(kind, case.rules.edition)
        .then(|| until_touched(case.rules.edition));
    Some(Finding { released: moved, ..found.advising([oblige]).advising(until) })
}

/// What rested was the whole move, or the king on its way to castle.
fn text(case: &Case<'_>, mv: Move, whole: bool, span: Duration) -> Message {
    let name = played(case);
    let what = match mv.castling_side() {
        _ if whole => say::released_move(san(case.before(), mv)),
        Some(side) => say::released_king(side.king_to(case.side())),
        None => say::released_pawn(mv.to()),
    };
    say::released(case.side(), what, span, name)
}

fn oblige(case: &Case<'_>, mv: Move, whole: bool) -> Advice {
    let first = san(case.before(), mv);
    if whole {
        let article = editions::article(Kind::ReleasedThenChanged, case.rules.edition);
        return say::released_stands(article, first);
    }
    if mv.promotion().is_some() {
        let article = editions::begun_promotion_article(case.rules.edition);
        return say::promoted_there(mv.to(), article);
    }
    let article = editions::begun_castling_article(case.rules.edition);
    say::only_that_castling(article, first)
}

/// 4.7.2: the king alone has been put two squares away, or where it goes in castling.
fn castling_begun(case: &Case<'_>, picture: &Board) -> Option<Move> {
    CastlingSide::ALL.into_iter().find_map(|side| {
        let mut castlings = case.legal.iter().filter(|mv| mv.castling_side() == Some(side));
        let castling = *castlings.next()?;
        let mut board = case.before().board().clone();
        let king = board.remove_piece_at(castling.from()?)?;
        let target = side.king_to(case.side());
        if board.piece_at(target).is_some() {
            return None;
        }
        board.set_piece_at(target, king);
        (board == *picture).then_some(castling)
    })
}

/// The pawn alone stands where it is to be promoted, and what it captures is off.
fn promotion_begun(case: &Case<'_>, picture: &Board) -> Option<Move> {
    let stands = |mv: &&Move| {
        let Some(from) = mv.from().filter(|_| mv.promotion().is_some()) else { return false };
        let mut board = case.before().board().clone();
        board.discard_piece_at(from);
        board.set_piece_at(mv.to(), case.side().pawn());
        board == *picture
    };
    case.legal.iter().find(stands).copied()
}

/// King or rook on the way to the castling that was made: the order is another Article's matter.
fn is_part_of_castling(case: &Case<'_>, mv: Move) -> bool {
    let Move::Castle { king, rook } = case.turn.mv else { return false };
    let Some(side) = case.turn.mv.castling_side() else { return false };
    let (king_to, rook_to) = (side.king_to(case.side()), side.rook_to(case.side()));
    let goes = |from: Square, to: Square| mv.from() == Some(from) && mv.to() == to;
    goes(king, king_to) || goes(rook, rook_to)
}

/// What was made in the end moves the piece that was touched first, and what rested before did not:
/// that puts right what 4.3.1 forbids.
fn put_right(case: &Case<'_>, mv: Move) -> bool {
    let Some(first) = case.own().find(|it| case.can_move(it)) else { return false };
    let moved = case.own().find(|it| it.origin == mv.from());
    let clear = moved.is_some_and(|moved| case.clearly_before(first, moved));
    case.is_moved(first) && first.origin != mv.from() && clear
}
