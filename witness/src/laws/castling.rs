//! Articles 4.4.1 to 4.4.3 and the one hand of 4.1: king and rook touched in one turn.

use shakmaty::{CastlingSide, Move, Role, Square};

use super::case::{Case, Finding, san};
use super::touch::{played, until_touched};
use crate::detail::Detail;
use crate::incident::{Gravity, Kind};
use crate::say;
use crate::turn::Token;

pub(crate) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let hands = both_in_the_air(case);
    let order = match case.turn.mv {
        Move::Castle { king, rook } => rook_first(case, king, rook).or_else(|| king_and_rook(case)),
        _ => king_and_rook(case),
    };
    order.into_iter().chain(hands).collect()
}

/// Whether the rook stands where castling takes it, and the king may follow.
pub(crate) fn may_follow(case: &Case<'_>) -> bool {
    let (mv, completed) = (case.turn.mv, case.rules.completed);
    let passes = |castling: &Move| match *castling {
        Move::Castle { rook, .. } => castling
            .castling_side()
            .is_some_and(|side| mv.from() == Some(rook) && mv.to() == side.rook_to(case.side())),
        _ => false,
    };
    !completed && case.legal.iter().any(passes)
}

/// 4.4.2: castling was made although the rook was touched first.
fn rook_first(case: &Case<'_>, king: Square, rook: Square) -> Option<Finding> {
    let (king, rook_token) = (case.of(king)?, case.of(rook)?);
    if case.clearly_before(king, rook_token) {
        return None;
    }
    let name = played(case);
    if !case.clearly_before(rook_token, king) {
        let text = say::castled_unseen_order(case.side(), name);
        let found = Finding::new(Kind::CastledRookFirst, case.side(), text).at([rook]);
        return Some(found.only(Gravity::Note, Detail::SameScan));
    }
    let text = say::castled_rook_first(case.side(), name, rook);
    let free = !case.moves_of(rook).any(|_| true);
    let oblige = if free { say::no_castling_free() } else { say::no_castling_move_rook(rook) };
    let found = Finding::new(Kind::CastledRookFirst, case.side(), text)
        .at([rook])
        .obliging(case.moves_of(rook))
        .advising([oblige, until_touched(case.rules.edition)]);
    Some(in_doubt(case, found))
}

/// 4.4.1 and 4.4.3: king, then rook, and no castling with that rook.
fn king_and_rook(case: &Case<'_>) -> Option<Finding> {
    let mut own = case.own();
    let king = own.find(|it| it.piece.role == Role::King)?;
    let rook = own.find(|it| it.piece.role == Role::Rook)?;
    let first = case.own().next()?.piece.role == Role::King && case.clearly_before(king, rook);
    let rested = king.puts.iter().any(|put| put.0 < rook.first && Some(put.1) != king.origin);
    if !first || (rested && case.turn.mv.role() == Role::King) {
        return None;
    }
    let (king_at, rook_at) = (king.origin?, rook.origin?);
    let castling = |mv: &&Move| matches!(mv, Move::Castle { rook, .. } if *rook == rook_at);
    match case.legal.iter().find(castling) {
        Some(castling) if *castling == case.turn.mv => None,
        Some(castling) => Some(in_doubt(case, must_castle(case, *castling, [king_at, rook_at]))),
        // A king put elsewhere before is a matter of 4.3.1: nobody was castling.
        None if king.puts.first().is_some_and(|put| {
            let side = CastlingSide::from_king_side(rook_at > king_at);
            put.0 < rook.first && put.1 != side.king_to(case.side())
        }) =>
        {
            None
        }
        None => must_move_king(case, king, [king_at, rook_at]),
    }
}

fn must_castle(case: &Case<'_>, castling: Move, squares: [Square; 2]) -> Finding {
    let (name, wanted) = (played(case), san(case.before(), castling));
    let text = say::king_then_rook(case.side(), squares[1], name);
    let oblige = say::castling_obligatory(wanted);
    Finding::new(Kind::MustCastle, case.side(), text)
        .at(squares)
        .obliging([castling])
        .advising([oblige, until_touched(case.rules.edition)])
}

fn must_move_king(case: &Case<'_>, king: &Token, squares: [Square; 2]) -> Option<Finding> {
    if case.turn.mv.role() == Role::King || !case.can_move(king) {
        return None;
    }
    let name = played(case);
    let text = say::king_and_rook(case.side(), squares[1], name);
    let oblige = say::king_move_obligatory();
    let found = Finding::new(Kind::MustMoveKing, case.side(), text)
        .at(squares)
        .obliging(case.moves_of(squares[0]))
        .advising([oblige, until_touched(case.rules.edition)]);
    Some(in_doubt(case, found))
}

/// When several pieces were each lifted for a moment, these two may have been among them.
fn in_doubt(case: &Case<'_>, found: Finding) -> Finding {
    match case.adjusts_around() {
        true => found.only(Gravity::Look, Detail::SeveralAdjusted),
        false => found,
    }
}

/// King and rook of a castling in the air together: one hand can hardly do that. In Chess960 the
/// king has to wait beside the board.
fn both_in_the_air(case: &Case<'_>) -> Option<Finding> {
    let Move::Castle { king, rook } = case.turn.mv else { return None };
    if case.rules.chess960 {
        return None;
    }
    let (king, rook) = (case.of(king)?, case.of(rook)?);
    let ((king_up, king_down), (rook_up, rook_down)) = (*king.air.last()?, *rook.air.last()?);
    let overlap = king_up < rook_down? && rook_up < king_down?;
    if !overlap {
        return None;
    }
    let castling = match case.turn.mv.castling_side()? {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    };
    let text = say::castled_with_two_hands(castling, case.side());
    Some(
        Finding::new(Kind::TwoHands, case.side(), text)
            .at(king.origin.into_iter().chain(rook.origin)),
    )
}
