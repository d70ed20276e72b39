//! The Laws of Chess as far as board and clock can witness them, one file per group of Articles.
//! They explain and name; they accuse nobody and decide nothing.

pub(crate) mod attendance;
pub(crate) mod boards;
pub(crate) mod both_flags;
pub(crate) mod case;
mod castling;
pub(crate) mod checks;
pub mod claims;
pub(crate) mod clock;
pub mod editions;
pub mod flag;
pub mod illegal;
pub(crate) mod late_flag;
pub mod penalties;
pub mod position;
pub(crate) mod presses;
pub(crate) mod promotion;
pub mod rate;
pub mod regulations;
mod release;
pub(crate) mod results;
pub mod sealed;
mod settlement;
pub(crate) mod start;
pub(crate) mod time_trouble;
pub(crate) mod tolerances;
pub(crate) mod touch;
mod turn_order;

use crate::detail::Detail;
use crate::incident::{Gravity, Kind};
use crate::tolerances::SCAN;
use crate::turn::Turn;
use case::{Case, Finding, Rules};

/// Article 4: what there is to say about the turn in which a move was made. Nothing yet while it
/// may be the beginning of castling.
pub(crate) fn article_4(turn: &Turn<'_>, rules: Rules) -> Vec<Finding> {
    let case = Case::new(turn, rules);
    if castling::may_follow(&case) {
        return Vec::new();
    }
    let castling = castling::judge(&case);
    let special = castling.iter().any(|it| it.kind != Kind::TwoHands);
    let touch = touch::judge(&case).into_iter();
    // King and rook have Articles of their own; so has a move that rested.
    let touch: Vec<_> = touch.filter(|it| !special || it.kind == Kind::Adjusted).collect();
    let (released, touch): (Option<Finding>, Vec<_>) = match release::judge(&case) {
        Some(release) if special || touch.iter().any(|it| is_same(it, &release)) => {
            (None, with_release(touch, &release))
        }
        release => (release, touch),
    };
    let others = promotion::judge(&case).into_iter().chain(turn_order::judge(&case));
    let found = castling.into_iter().chain(touch).chain(released).chain(others);
    let found = found.map(|it| first_unknown(it, &case));
    found.map(|it| while_stopped(it, turn)).collect()
}

/// A board that may miss a short touch does not show what was touched first. A finding that rests
/// on it is looked at, and calls nobody.
fn first_unknown(found: Finding, case: &Case<'_>) -> Finding {
    let graver = found.gravity.is_none_or(|it| it == Gravity::Summon);
    if case.rules.misses <= SCAN || !graver || !rests_on_the_first_touch(&found, case) {
        return found;
    }
    let advice = touch::may_be_missed(case.rules.misses);
    found.only(Gravity::Look, Detail::MayBeMissed).advising([advice])
}

/// Whether the same would be lawful if another piece had been touched before.
fn rests_on_the_first_touch(found: &Finding, case: &Case<'_>) -> bool {
    match found.kind {
        Kind::TouchedNotMoved
        | Kind::TouchedNotCaptured
        | Kind::TouchedBoth
        | Kind::CastledRookFirst
        | Kind::MustCastle
        | Kind::MustMoveKing => true,
        // Who corrects what 4.3.1 forbids moves the piece that he touched first.
        Kind::ReleasedThenChanged => found.squares.first() != case.turn.mv.from().as_ref(),
        _ => false,
    }
}

/// While both clocks stand players and arbiters put things right: what is touched then is looked
/// at, and calls nobody.
fn while_stopped(found: Finding, turn: &Turn<'_>) -> Finding {
    let graver = found.gravity.is_none_or(|it| it == Gravity::Summon);
    if !graver || !turn.only_while_stopped(&found.squares) {
        return found;
    }
    found.only(Gravity::Look, Detail::ClocksStopped).advising([touch::while_stopped()])
}

/// Whether the piece that was touched is the one that was released.
fn is_same(touch: &Finding, release: &Finding) -> bool {
    touch.kind == Kind::TouchedNotMoved && touch.squares.first() == release.squares.first()
}

/// Who moved a piece, let go of it for long enough and then moved another one has not only touched
/// it: the move he released is the one that stands (4.7).
fn with_release(touch: Vec<Finding>, release: &Finding) -> Vec<Finding> {
    let merged = |it: Finding| match is_same(&it, release) {
        true => Finding { kind: it.kind, gravity: it.gravity, ..release.clone() },
        false => it,
    };
    touch.into_iter().map(merged).collect()
}
