//! Articles 7.4 to 7.6: squares and score disagree, and what is said about illegal moves.

use eboard::FaceTime;
use shakmaty::{
    Bitboard, Board, ByColor, CastlingSide, Chess, Color, Move, Position, Role, Square,
};

use crate::candidates::captured;
use crate::incident::{Advice, Kind};
use crate::laws::case::san;
use crate::laws::editions::{self, penalty_article};
use crate::laws::illegal::{Bar, IllegalMove, Why};
use crate::message::{Join, List, Message, Written};
use crate::say;
use crate::settings::{Edition, Settings};
use crate::topic::Topic;

/// What the alert about squares that disagree says.
pub(crate) fn to_check(squares: Bitboard, candidates: usize) -> Message {
    match candidates {
        0 => say::differ_on(squares),
        1 => say::missed_one_order(squares),
        many => say::missed_orders(many, squares),
    }
}

/// The same where an earlier doubt is still open, from this move on.
pub(crate) fn with_earlier_doubt(text: Message, number: u32) -> Message {
    text.then(say::earlier_doubt(number).about(Topic::EarlierDoubt))
}

/// The same alert without that; none: it does not say so.
pub(crate) fn without_earlier_doubt(text: &Message) -> Option<Message> {
    text.without(Topic::EarlierDoubt)
}

/// What the alert says about moves that can be read in several ways.
pub(crate) fn ways_to_check(ways: usize) -> Message {
    say::several_orders(ways)
}

/// What the alert says about a board that has only reported changes.
pub(crate) fn never_reported() -> Message {
    say::position_never_reported()
}

/// What the alert says when a clock is started and the board does not show a starting position.
pub(crate) fn not_set_up(squares: Bitboard) -> Message {
    say::not_set_up(squares)
}

/// What the alert says about moves made while both times stand.
pub(crate) fn made_while_stopped() -> Message {
    say::made_while_stopped()
}

/// What the alert says about moves that nobody saw, where others may lead to the same position.
pub(crate) fn moves_unseen() -> Message {
    say::moves_unseen()
}

/// What the alert says when moves were seen in an order in which they are not legal.
pub(crate) fn order_contradicted() -> Message {
    say::order_contradicted()
}

/// What the alert says when the line was out and the board has not reported all its squares since.
pub(crate) fn nobody_saw() -> Message {
    say::line_was_out()
}

/// What the alert says about moves that nobody saw and no search finds.
pub(crate) fn moves_missing() -> Message {
    say::goes_on_from_there()
}

/// What the alert says when a player pressed without a move and his opponent went on.
pub(crate) fn turn_passed(by: Color) -> Message {
    say::turn_passed(by)
}

/// What the alert says when a game ended while something was not explained.
pub(crate) fn last_moves_to_check() -> Message {
    say::last_moves_to_check()
}

/// What the alert says where a blind board may show both kings in the centre, or a move.
pub(crate) fn result_to_check() -> Message {
    say::result_to_check()
}

/// What the alert says where both kings stand in the centre, and it is no sign beyond doubt.
pub(crate) fn kings_to_check() -> Message {
    say::kings_to_check()
}

/// What the alert says where both kings stood in the centre and were put back, and nobody has
/// pressed since.
pub(crate) fn kings_left() -> Message {
    say::kings_left()
}

/// What the alert says after the program itself has failed at a table.
pub(crate) fn fault(again: bool) -> Message {
    if again {
        return say::failed_again();
    }
    say::failed_once()
}

/// What an arbiter can do about squares that disagree.
pub(crate) fn to_check_advice() -> Vec<Advice> {
    vec![say::compare_and_set()]
}

/// What the alert about an illegal move says.
pub(crate) fn illegal(mv: &IllegalMove, picture: &Board) -> Message {
    let why = why(mv, picture);
    let sign = if mv.captured.is_some() { "x" } else { "–" };
    let (piece, from, to) = (mv.piece, mv.from, mv.to);
    say::illegal_move(piece.color, piece.role, from, sign, to, why)
}

/// Before 2014 no arbiter pointed out an illegal move in rapid and blitz that nobody supervises: so
/// the commentary on A.4.b of 2014.
pub(crate) fn not_pointed_out(settings: &Settings) -> Option<Advice> {
    let holds = settings.edition == Edition::Y2005 && settings.is_unsupervised();
    holds.then(say::not_pointed_out)
}

/// What the Laws provide after an illegal move.
pub(crate) fn illegal_advice(
    mv: &IllegalMove,
    before: &Chess,
    hands: Hands,
    clocks: Option<ByColor<FaceTime>>,
    edition: Edition,
) -> Vec<Advice> {
    let article = penalty_article(edition);
    let penalty = say::penalty_applies(article);
    if mv.why == Why::NotPromoted {
        return vec![obligation(mv, before, hands, edition), penalty];
    }
    let mut advice = Vec::new();
    match clocks {
        Some(times) => advice.push(say::reinstate_with_times(times.white, times.black)),
        None => advice.push(say::reinstate()),
    }
    advice.push(obligation(mv, before, hands, edition));
    advice.push(penalty);
    advice
}

fn why(mv: &IllegalMove, picture: &Board) -> Message {
    match mv.why {
        Why::Geometry => say::why_geometry(mv.piece.role),
        Why::Through(square) => say::why_through(square),
        Why::OwnPiece => say::why_own_piece(),
        Why::OwnKingInCheck(attackers) => say::why_king_in_check(named(attackers, picture)),
        Why::KingCaptured => say::why_king_captured(),
        Why::Castling(bar) => castling(bar, picture),
        Why::EnPassant => say::why_en_passant(),
        Why::NotPromoted => say::why_not_promoted(),
    }
}

fn castling(bar: Bar, picture: &Board) -> Message {
    match bar {
        Bar::Right => say::castling_right_lost(),
        Bar::Between(square) => say::castling_over_piece(square),
        Bar::Check(by) => say::castling_out_of_check(named(by, picture)),
        Bar::Attacked(square, by) => say::castling_attacked(square, named(by, picture)),
        Bar::RookLeft => say::castling_rook_left(),
        Bar::Squares => say::castling_elsewhere(),
    }
}

/// The pieces on these squares by name: `queen h5, rook e1`.
fn named(squares: Bitboard, picture: &Board) -> List {
    let piece = |square| Some(say::piece_at(picture.role_at(square)?, square));
    List(squares.into_iter().filter_map(piece).collect(), Join::Comma)
}

/// What hands did with the other piece that an illegal move has moved or taken off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hands {
    /// The rook that was moved with the king.
    pub rook: Option<Square>,
    /// It, or what was captured, was clearly lifted before the piece that moved.
    pub other_first: bool,
}

/// Articles 4.3 and 4.4 bind the move that replaces an illegal one: the piece that moved, or if it
/// cannot move the capture of what it captured; the other way round where that was touched first.
/// A king that was let go of two squares away has begun to castle (4.7.2); with a rook it was
/// touched to castle (4.4). Nothing: any legal move will do (4.5).
pub(crate) fn obliged(mv: &IllegalMove, before: &Chess, hands: Hands) -> Vec<Move> {
    let mut legal = before.legal_moves();
    // A king that an illegal move has left in check is not to be captured.
    let king = before.board().king_of(before.turn().other());
    legal.retain(|it| Some(it.to()) != king);
    let of = |from: Square| legal.iter().copied().filter(move |it| it.from() == Some(from));
    if mv.why == Why::NotPromoted {
        let queen = |it: &Move| it.to() == mv.to && it.promotion() == Some(Role::Queen);
        return of(mv.from).filter(queen).collect();
    }
    if let Some(rook) = hands.rook.filter(|_| hands.other_first) {
        let own: Vec<Move> = of(rook).collect();
        let beside = |it: &Move| !is_castling_with(it, rook);
        return if own.is_empty() { of(mv.from).filter(beside).collect() } else { own };
    }
    if has_begun_to_castle(mv) {
        let begun = |it: &Move| {
            it.castling_side().is_some_and(|side| side.king_to(mv.piece.color) == mv.to)
        };
        return of(mv.from).filter(begun).collect();
    }
    if let Some(castling) =
        hands.rook.and_then(|rook| of(mv.from).find(|it| is_castling_with(it, rook)))
    {
        return vec![castling];
    }
    let own: Vec<Move> = of(mv.from).collect();
    let taken = mv.taken();
    let captures = legal.iter().copied().filter(|it| taken.is_some() && captured(*it) == taken);
    let captures: Vec<Move> = captures.collect();
    if own.is_empty() || hands.other_first && !captures.is_empty() { captures } else { own }
}

/// The king stands where castling takes it.
fn has_begun_to_castle(mv: &IllegalMove) -> bool {
    let there = CastlingSide::ALL.map(|side| side.king_to(mv.piece.color)).contains(&mv.to);
    there && matches!(mv.why, Why::Castling(Bar::RookLeft | Bar::Squares))
}

fn is_castling_with(mv: &Move, rook: Square) -> bool {
    matches!(mv, Move::Castle { rook: it, .. } if *it == rook)
}

fn obligation(mv: &IllegalMove, before: &Chess, hands: Hands, edition: Edition) -> Advice {
    let begun = has_begun_to_castle(mv);
    let begun_by = editions::begun_castling_article(edition);
    let article = match mv.why {
        Why::Castling(_) => editions::article(Kind::MustMoveKing, edition),
        _ => "4.3",
    };
    if mv.why == Why::NotPromoted {
        return say::replaced_by_queen(mv.to);
    }
    match obliged(mv, before, hands).first() {
        Some(Move::Castle { .. }) if begun => say::king_put_to_castle(mv.to, begun_by),
        Some(castling) if hands.rook.is_some_and(|rook| is_castling_with(castling, rook)) => {
            touched_to_castle(san(before, *castling), edition)
        }
        Some(first) if first.from() == Some(mv.from) => {
            say::must_be_moved(mv.piece.role, mv.from, article)
        }
        Some(first) if first.from().is_some() && first.from() == hands.rook => {
            rook_first(hands.rook.unwrap_or(mv.from), edition)
        }
        Some(capture) => {
            let taken = captured(*capture).unwrap_or(mv.to);
            say::must_be_captured(taken)
        }
        None => say::any_move_will_do(mv.piece.role, mv.from),
    }
}

/// 4.4.1.
fn touched_to_castle(castling: Written, edition: Edition) -> Advice {
    let article = editions::article(Kind::MustCastle, edition);
    say::castling_must_be_played(castling, article)
}

/// 4.4.2.
fn rook_first(rook: Square, edition: Edition) -> Advice {
    let article = editions::article(Kind::CastledRookFirst, edition);
    say::rook_must_be_moved(rook, article)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::laws::illegal;

    #[test]
    fn an_illegal_move_obliges_to_move_the_piece_or_to_capture_or_to_nothing() {
        let cases = [
            // e2–e5.
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                "4k3/8/8/4P3/8/8/8/4K3",
                vec!["e3", "e4"],
                say::must_be_moved(Role::Pawn, Square::E2, "4.3"),
            ),
            // A pinned knight captures a pawn that the king could capture.
            (
                "4r1k1/8/8/8/8/8/3pN3/4K3 w - - 0 1",
                "4r1k1/8/8/8/8/8/3N4/4K3",
                vec!["Kxd2"],
                say::must_be_captured(Square::D2),
            ),
            // In passing where no pawn has passed; only the rook could capture that pawn.
            (
                "4k3/8/4n3/R2pP3/8/8/8/4K3 w - - 0 1",
                "4k3/8/3Pn3/R7/8/8/8/4K3",
                vec!["Rxd5"],
                say::must_be_captured(Square::D5),
            ),
            // Castling that is not allowed, and castling with only the king moved.
            (
                "4k3/8/8/8/8/8/5PPP/r3KN1R w K - 0 1",
                "4k3/8/8/8/8/8/5PPP/r4NKR",
                vec!["Kd2", "Ke2"],
                say::must_be_moved(Role::King, Square::E1, "4.4.3"),
            ),
            (
                "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1",
                "4k3/8/8/8/8/8/5PPP/6KR",
                vec!["O-O"],
                say::king_put_to_castle(Square::G1, "4.7.2"),
            ),
            (
                "4k3/6P1/8/8/8/8/8/4K3 w - - 0 1",
                "4k1P1/8/8/8/8/8/8/4K3",
                vec!["g8=Q"],
                say::replaced_by_queen(Square::G8),
            ),
            (
                "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1",
                "k3r3/8/8/8/5N2/8/8/4K3",
                vec![],
                say::any_move_will_do(Role::Knight, Square::E2),
            ),
        ];
        for (fen, picture, wanted, said) in cases {
            let before: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let picture = Board::from_ascii_board_fen(picture.as_bytes()).unwrap();
            let mv = illegal::explain(&before, &picture).unwrap();
            let moves = obliged(&mv, &before, Hands::default());
            let san = moves.iter().map(|mv| San::from_move(&before, *mv).to_string());
            assert_eq!(san.collect::<Vec<_>>(), wanted, "{fen}");
            let advice = obligation(&mv, &before, Hands::default(), Edition::Y2023);
            assert_eq!(advice, said, "{fen}");
        }
    }
}
