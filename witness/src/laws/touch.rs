//! Articles 4.2 and 4.3: pieces that were lifted and put back.

use shakmaty::{Move, Square};

use super::case::{Case, Finding, captured, named, san};
use super::words::{both, player_en, player_fr};
use crate::incident::{Advice, Gravity, Kind};
use crate::turn::Token;

pub(crate) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let found = not_captured(case).or_else(|| both_colours(case)).or_else(|| not_moved(case));
    found.or_else(|| adjusted(case)).into_iter().collect()
}

/// 4.3.1: the first own piece touched that can be moved.
fn not_moved(case: &Case<'_>) -> Option<Finding> {
    let first = first_own(case).filter(|it| !case.is_moved(it) && it.is_back())?;
    let square = first.origin?;
    let (piece, played) = (named(first.piece.role, square), played(case));
    let (en, fr) = (player_en(case.side()), player_fr(case.side()));
    let text = both(
        format!("{en} lifted the {} and put it back, then played {}.", piece.en, played.en),
        format!("{fr} ont soulevé {} puis reposé, et joué {}.", piece.fr, played.fr),
    );
    let oblige = both(
        format!("Unless it was adjusted (4.2), the {} must be moved.", piece.en),
        format!("Sauf « j'adoube » (4.2), il faut jouer {}.", piece.fr),
    );
    let found = Finding::new(Kind::TouchedNotMoved, case.side(), text)
        .at([square])
        .obliging(case.moves_of(square))
        .advising([oblige, until_touched()]);
    Some(if case.adjusts_around() { found.only(Gravity::Look, "several_adjusted") } else { found })
}

/// 4.3.2: a piece of the opponent's was lifted and put back before any own piece was lifted.
fn not_captured(case: &Case<'_>) -> Option<Finding> {
    let touched = first_capturable(case).filter(|it| !is_theirs(case, it))?;
    let square = touched.origin?;
    let put = touched.puts.first().map(|put| put.0)?;
    if case.own().any(|own| own.first < put) {
        return None;
    }
    let (piece, played) = (named(touched.piece.role, square), played(case));
    let (en, fr) = (player_en(case.side()), player_fr(case.side()));
    let text = both(
        format!(
            "{en} lifted the opponent's {} and put it back, then played {}.",
            piece.en, played.en
        ),
        format!("{fr} ont soulevé {} adverse puis reposé, et joué {}.", piece.fr, played.fr),
    );
    let oblige = both(
        format!("Unless it was adjusted (4.2), the {} must be captured.", piece.en),
        format!("Sauf « j'adoube » (4.2), il faut prendre {}.", piece.fr),
    );
    let found = Finding::new(Kind::TouchedNotCaptured, case.side(), text)
        .at([square])
        .obliging(case.captures_of(square))
        .advising([oblige, until_touched()]);
    Some(found)
}

/// 4.3.3: pieces of both colours. In doubt the own one was first.
fn both_colours(case: &Case<'_>) -> Option<Finding> {
    let own = case.own().next()?;
    let theirs = first_capturable(case).filter(|it| !is_theirs(case, it))?;
    let (from, target) = (own.origin?, theirs.origin?);
    let both_moves: Vec<Move> =
        case.captures_of(target).filter(|mv| mv.from() == Some(from)).collect();
    let obliged = if !both_moves.is_empty() {
        both_moves
    } else if case.clearly_before(theirs, own) || !case.can_move(own) {
        case.captures_of(target).collect()
    } else {
        // The own piece must be moved: that is the matter of 4.3.1.
        return None;
    };
    if obliged.contains(&case.turn.mv) {
        return None;
    }
    let (one, other) = (named(own.piece.role, from), named(theirs.piece.role, target));
    let (played, wanted) = (played(case), obliged.first().map(|mv| san(case.before(), *mv))?);
    let (en, fr) = (player_en(case.side()), player_fr(case.side()));
    let text = both(
        format!(
            "{en} lifted the {} and the opponent's {}, then played {}.",
            one.en, other.en, played.en
        ),
        format!("{fr} ont soulevé {} et {} adverse, puis joué {}.", one.fr, other.fr, played.fr),
    );
    let oblige = both(
        format!("Unless one was adjusted (4.2), the capture must be made: {}.", wanted.en),
        format!("Sauf « j'adoube » (4.2), la prise est obligatoire : {}.", wanted.fr),
    );
    let found = Finding::new(Kind::TouchedBoth, case.side(), text)
        .at([from, target])
        .obliging(obliged)
        .advising([oblige, until_touched()]);
    Some(found)
}

/// 4.2.1: lifted and put back, and nothing follows from it.
fn adjusted(case: &Case<'_>) -> Option<Finding> {
    let home = |it: &&Token| it.puts.first().is_some_and(|put| Some(put.1) == it.origin);
    let squares: Vec<Square> = case.own().filter(home).filter_map(|it| it.origin).collect();
    if squares.is_empty() {
        return None;
    }
    let names: Vec<_> = squares.iter().map(Square::to_string).collect();
    let names = names.join(", ");
    let text = both(
        format!("{} lifted and put back: {names}.", player_en(case.side())),
        format!("{} ont soulevé et reposé : {names}.", player_fr(case.side())),
    );
    Some(Finding::new(Kind::Adjusted, case.side(), text).at(squares))
}

/// The first own piece touched that can be moved. When it was lifted in the same scan as the piece
/// that moved, the one that moved was first.
fn first_own<'a>(case: &'a Case<'_>) -> Option<&'a Token> {
    let first = case.own().find(|it| case.can_move(it))?;
    let moved = case.own().find(|it| case.is_moved(it))?;
    (case.is_moved(first) || case.clearly_before(first, moved)).then_some(first)
}

/// The first piece of the opponent's that could be captured, was lifted and stands there again.
fn first_capturable<'a>(case: &'a Case<'_>) -> Option<&'a Token> {
    let mv = case.turn.mv;
    let capturable = |square: Square| case.captures_of(square).next().is_some();
    let first = case.theirs().find(|it| it.origin.is_some_and(capturable))?;
    (first.is_back() && first.origin != captured(mv)).then_some(first)
}

/// Whether it was rather the opponent who put his own piece straight: the one he has just moved, or
/// before he had pressed.
fn is_theirs(case: &Case<'_>, token: &Token) -> bool {
    super::turn_order::by_opponent(case, token)
}

pub(super) fn played(case: &Case<'_>) -> crate::incident::Bilingual {
    san(case.before(), case.turn.mv)
}

/// 4.8.
pub(super) fn until_touched() -> Advice {
    both(
        "The opponent can claim until he touches a piece (4.8).",
        "L'adversaire peut réclamer tant qu'il n'a pas touché de pièce (4.8).",
    )
}
