//! Article 4.4.4: the choice of the new piece is final when it has touched the square.

use std::time::Duration;

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::case::{Case, Finding};
use super::touch::until_touched;
use crate::incident::Kind;
use crate::laws::tolerances::{ONE_HAND, STOOD};
use crate::picture::Picture;
use crate::say;
use crate::settings::Edition;

pub(crate) fn judge(case: &Case<'_>) -> Vec<Finding> {
    exchanged(case).into_iter().chain(crossed(case)).collect()
}

/// 6.11.2: whether the new piece of a promotion is all that is missing: the pawn stands on the last
/// rank or beside the board, and what it captures may be off already.
pub(crate) fn awaits_piece(position: &Chess, picture: &Picture) -> bool {
    let promotes = |mv: &&Move| mv.promotion().is_some();
    position.legal_moves().iter().filter(promotes).any(|mv| {
        let Some(from) = mv.from() else { return false };
        let mut captured = position.board().clone();
        captured.discard_piece_at(mv.to());
        let mut off = position.board().clone();
        off.discard_piece_at(from);
        let mut both = captured.clone();
        both.discard_piece_at(from);
        let mut there = both.clone();
        there.set_piece_at(mv.to(), position.turn().pawn());
        let shown = |board: &Board| board != position.board() && picture.shows(board);
        [captured, off, both, there].iter().any(shown)
    })
}

/// 4.1: pawn and new piece passed each other faster than one hand can do it.
fn crossed(case: &Case<'_>) -> Option<Finding> {
    let Move::Normal { from, promotion: Some(role), to, .. } = case.turn.mv else { return None };
    let pawn = case.of(from).filter(|it| it.puts.is_empty())?.air.last()?.0;
    let mut new = case.new_pieces().filter(|it| it.piece.role == role && it.on == Some(to));
    let put = new.next()?.puts.last()?.0;
    if pawn.max(put).since(pawn.min(put)) >= ONE_HAND {
        return None;
    }
    let text = say::pawn_and_piece_crossed(case.side(), role);
    Some(Finding::new(Kind::TwoHands, case.side(), text).at([from, to]))
}

fn exchanged(case: &Case<'_>) -> Option<Finding> {
    let Move::Normal { promotion: Some(chosen), to, .. } = case.turn.mv else {
        return None;
    };
    let stood = |until: eboard::Moment, since: eboard::Moment| until.since(since) >= STOOD;
    let other = case.new_pieces().find_map(|token| {
        let role = token.piece.role;
        let put = token.puts.iter().find(|put| put.1 == to)?.0;
        let lifted = token.air.first()?.0;
        let exchanged = token.piece.color == case.side() && role != chosen && role != Role::Pawn;
        (exchanged && stood(lifted, put)).then_some(role)
    })?;
    let kept = case.legal.iter().copied().find(|mv| {
        mv.from() == case.turn.mv.from() && mv.to() == to && mv.promotion() == Some(other)
    });
    let found = exchange(case.side(), to, (other, chosen), case.rules.edition).obliging(kept);
    Some(Finding { released: kept, ..found })
}

/// The same after the press: another piece of the player's has stood there for some time since.
pub(crate) fn after_the_press(
    mv: Move,
    stands: Piece,
    stood: Duration,
    edition: Edition,
) -> Option<Finding> {
    let chosen = mv.promotion().filter(|it| *it != stands.role && stood >= STOOD)?;
    let piece = ![Role::Pawn, Role::King].contains(&stands.role);
    piece.then(|| exchange(stands.color, mv.to(), (chosen, stands.role), edition).obliging([mv]))
}

fn exchange(side: Color, to: Square, (first, then): (Role, Role), edition: Edition) -> Finding {
    let text = say::promotion_exchanged(side, first, then, to);
    let oblige = say::promotion_final(first, to);
    Finding::new(Kind::PromotionChanged, side, text)
        .at([to])
        .advising([oblige, until_touched(edition)])
}
