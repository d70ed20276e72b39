//! Articles 7.5.3 and the games that go on from an illegal position: what a press shows beside the
//! move it completes.

use shakmaty::{Bitboard, Board, Color, Rank};

use super::editions;
use crate::incident::{Advice, Kind};
use crate::ledger::Ledger;
use crate::message::Message;
use crate::say;
use crate::settings::{Edition, Settings};

/// What the Laws end a game for when it is still there after the next completed move.
pub(crate) fn irregular(picture: &Board) -> Option<Kind> {
    let attacked = |side: Color| {
        picture
            .king_of(side)
            .is_some_and(|king| picture.attacks_to(king, side.other(), picture.occupied()).any())
    };
    let pawns = |side: Color, rank: Rank| picture.by_piece(side.pawn()) & Bitboard::from_rank(rank);
    if Color::ALL.into_iter().all(attacked) {
        Some(Kind::KingsInCheck)
    } else if (pawns(Color::White, Rank::Eighth) | pawns(Color::Black, Rank::First)).any() {
        Some(Kind::PawnOnLastRank)
    } else {
        None
    }
}

pub(crate) fn irregular_text(kind: Kind) -> Message {
    match kind {
        Kind::KingsInCheck => say::kings_in_check(),
        _ => say::pawn_on_last_rank(),
    }
}

pub(crate) fn irregular_advice() -> Advice {
    say::declared_drawn()
}

pub(crate) fn empty_text(by: Color) -> Message {
    say::pressed_without_move(by)
}

/// Article 6.6: nobody has moved yet.
pub(crate) fn before_the_first_move() -> Advice {
    say::before_the_first_move()
}

/// Article 6.6, while too little was pressed to know whose half of the clock is whose.
pub(crate) fn unsure() -> Advice {
    say::started_for_either()
}

pub(crate) fn empty_advice(edition: Edition) -> Advice {
    match edition {
        Edition::Y2005 | Edition::Y2014 => say::improper_use(),
        Edition::Y2018 | Edition::Y2023 => say::penalized_as_illegal(),
    }
}

/// The opponent made his move all the same. A.4.2, A.5.2: where nobody supervises, that is the end
/// of it if the press counts as an illegal move.
pub(crate) fn played_on(by: Color, settings: &Settings) -> Advice {
    let edition = settings.edition;
    let stands = settings.is_unsupervised() && Ledger::counts(Kind::PressedWithoutMove, edition);
    let then = match stands {
        true => {
            let article = editions::article(Kind::IllegalStands, edition);
            say::press_stands(article)
        }
        false => say::arbiter_decides_position(),
    };
    say::played_on(!by, by).then(then)
}

pub(crate) fn stands_text(side: Color) -> Message {
    say::illegal_stands(side)
}
