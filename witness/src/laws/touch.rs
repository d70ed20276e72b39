//! Articles 4.2 and 4.3: pieces that were lifted and put back.

use std::time::Duration;

use shakmaty::{Move, Square};

use super::case::{Case, Finding, san};
use super::{editions, turn_order};
use crate::candidates::captured;
use crate::detail::Detail;
use crate::incident::{Advice, Gravity, Kind};
use crate::message::Written;
use crate::say;
use crate::settings::Edition;
use crate::tolerances::SCAN;
use crate::turn::Token;

pub(crate) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let found = not_captured(case).or_else(|| match both_colours(case) {
        Some(obliged) if obliged.is_made(case) => None,
        Some(obliged) => obliged.not_made(case),
        None => not_moved(case),
    });
    found.or_else(|| adjusted(case)).or_else(|| early(case)).into_iter().collect()
}

/// What is touched while nobody's time counts may be no touch in the sense of Article 4.
pub(super) fn while_stopped() -> Advice {
    say::both_clocks_stood()
}

/// Without a clock it is not known whether the game had begun when a piece was put straight before
/// the first move.
pub(crate) fn before_the_first_move(found: Finding) -> Finding {
    let touched = [Kind::TouchedNotMoved, Kind::TouchedOutOfTurn].contains(&found.kind);
    match touched && found.released.is_none() {
        true => {
            let advice = say::may_not_have_begun();
            found.only(Gravity::Note, Detail::BeforeTheFirstMove).advising([advice])
        }
        false => found,
    }
}

/// Another piece may have been touched first, for less than this.
pub(super) fn may_be_missed(shorter: Duration) -> Advice {
    say::touch_may_be_missed(shorter)
}

/// 4.3.1: the first own piece touched that can be moved.
fn not_moved(case: &Case<'_>) -> Option<Finding> {
    let first = first_own(case).filter(|it| !case.is_moved(it) && it.is_back())?;
    let square = first.origin?;
    let played = played(case);
    let text = say::touched_not_moved(case.side(), first.piece.role, square, played);
    let oblige = say::unless_adjusted_move(first.piece.role, square);
    let found = Finding::new(Kind::TouchedNotMoved, case.side(), text)
        .at([square])
        .obliging(case.moves_of(square))
        .advising([oblige, until_touched(case.rules.edition)]);
    Some(if case.adjusts_around() {
        found.only(Gravity::Look, Detail::SeveralAdjusted)
    } else {
        found
    })
}

/// 4.3.2: a piece of the opponent's was lifted and put back before any own piece was lifted, and
/// none but the one that moved was.
fn not_captured(case: &Case<'_>) -> Option<Finding> {
    let touched = first_capturable(case).filter(|it| !is_theirs(case, it))?;
    let square = touched.origin?;
    let put = touched.puts.first().map(|put| put.0)?;
    if case.own().any(|own| own.first < put || !case.is_moved(own)) {
        return None;
    }
    let with_it = |mv: &Move| mv.from() == case.turn.mv.from();
    let by_moved: Vec<Move> = case.captures_of(square).filter(with_it).collect();
    let captures = if by_moved.is_empty() { case.captures_of(square).collect() } else { by_moved };
    let played = played(case);
    // Either hand is possible, so the text accuses nobody.
    let text =
        say::touched_not_captured(touched.piece.role, square, !case.side(), case.side(), played);
    let article = editions::article(Kind::TouchedNotCaptured, case.rules.edition);
    let oblige = say::if_that_hand_capture(case.side(), touched.piece.role, square, article);
    let hands = turn_order::only_having_the_move(case, touched);
    let found = Finding::new(Kind::TouchedNotCaptured, case.side(), text)
        .at([square])
        .obliging(captures)
        .advising([oblige, hands, until_touched(case.rules.edition)]);
    Some(found)
}

/// What 4.3.3 obliges to.
struct Obliged<'a> {
    own: &'a Token,
    theirs: &'a Token,
    moves: Vec<Move>,
}

/// 4.3.3: pieces of both colours. In doubt the own one was first. Nothing where the own piece must
/// be moved: that is the matter of 4.3.1.
fn both_colours<'a>(case: &'a Case<'_>) -> Option<Obliged<'a>> {
    let own = case.own().next()?;
    let theirs = first_touched(case).filter(|it| !is_theirs(case, it))?;
    let (from, target) = (own.origin?, theirs.origin?);
    let taken = captured(case.turn.mv) == Some(target);
    // One that is captured after all belongs to that capture, if the own piece stood again by then.
    let apart = taken && own.puts.first().is_some_and(|put| put.0 < theirs.first);
    if apart || !(taken || theirs.is_back()) {
        return None;
    }
    let captures = || case.captures_of(target);
    let by_own: Vec<Move> = captures().filter(|mv| mv.from() == Some(from)).collect();
    let moves = if !by_own.is_empty() {
        by_own
    } else if case.clearly_before(theirs, own) || !case.can_move(own) {
        captures().collect()
    } else {
        return None;
    };
    Some(Obliged { own, theirs, moves })
}

impl Obliged<'_> {
    fn is_made(&self, case: &Case<'_>) -> bool {
        self.moves.contains(&case.turn.mv)
    }

    fn not_made(self, case: &Case<'_>) -> Option<Finding> {
        let (from, target) = (self.own.origin?, self.theirs.origin?);
        let wanted = self.moves.first().map(|mv| san(case.before(), *mv))?;
        let played = played(case);
        let text = say::touched_both(
            case.side(),
            self.own.piece.role,
            from,
            self.theirs.piece.role,
            target,
            played,
        );
        let oblige = say::unless_adjusted_capture(wanted);
        let found = Finding::new(Kind::TouchedBoth, case.side(), text)
            .at([from, target])
            .obliging(self.moves)
            .advising([oblige, until_touched(case.rules.edition)]);
        Some(found)
    }
}

/// 4.2.1: lifted and put back, and nothing follows from it.
fn adjusted(case: &Case<'_>) -> Option<Finding> {
    let home = case.own().filter(|it| case.is_put_home(it));
    let squares: Vec<Square> = home.filter_map(|it| it.origin).collect();
    if squares.is_empty() {
        return None;
    }
    let text = say::lifted_and_put_back(case.side(), &squares);
    Some(Finding::new(Kind::Adjusted, case.side(), text).at(squares))
}

/// 4.3.1, where nothing shows whose hand it was. The player has the move as soon as the one before
/// was made, and his opponent may still have put something straight before he pressed.
fn early(case: &Case<'_>) -> Option<Finding> {
    let first = case.early().find(|it| case.can_move(it) && !case.is_moved(it))?;
    let square = first.origin?;
    let played = played(case);
    let text = say::touched_before_press(first.piece.role, square, case.side(), played);
    let found = Finding::new(Kind::TouchedNotMoved, case.side(), text)
        .at([square])
        .obliging(case.moves_of(square))
        .advising([until_touched(case.rules.edition)]);
    Some(found.only(Gravity::Note, Detail::BeforeThePress))
}

/// The first own piece touched that can be moved. When it was lifted in the same scan as the piece
/// that moved, the one that moved was first.
fn first_own<'a>(case: &'a Case<'_>) -> Option<&'a Token> {
    let first = case.own().find(|it| case.can_move(it))?;
    let moved = case.own().find(|it| case.is_moved(it))?;
    (case.is_moved(first) || case.clearly_before(first, moved)).then_some(first)
}

/// The first piece of the opponent's that could be captured and was lifted before the move was
/// made. What left its square within a scan of that may be the beginning of his reply.
fn first_touched<'a>(case: &'a Case<'_>) -> Option<&'a Token> {
    let capturable = |square: Square| case.captures_of(square).next().is_some();
    let moved = case.own().find(|it| case.is_moved(it));
    let made = moved.and_then(|it| it.puts.last()).map(|put| put.0);
    let before = |it: &&Token| {
        captured(case.turn.mv) == it.origin || made.is_none_or(|made| it.first + SCAN < made)
    };
    case.theirs().filter(before).find(|it| it.origin.is_some_and(capturable))
}

/// The same, if it stands there again and was not captured.
fn first_capturable<'a>(case: &'a Case<'_>) -> Option<&'a Token> {
    let taken = captured(case.turn.mv);
    first_touched(case).filter(|it| it.is_back() && it.origin != taken)
}

/// Whether it was rather the opponent who put his own piece straight: the one he has just moved, or
/// before he had pressed.
fn is_theirs(case: &Case<'_>, token: &Token) -> bool {
    turn_order::by_opponent(case, token)
}

pub(super) fn played(case: &Case<'_>) -> Written {
    san(case.before(), case.turn.mv)
}

/// 4.8.
pub(super) fn until_touched(edition: Edition) -> Advice {
    let article = editions::claim_article(edition);
    say::claim_until_touched(article)
}
