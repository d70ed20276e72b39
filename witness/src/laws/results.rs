//! Articles 5.2.3, 8.7 and 9.1.1: results that contradict the board, or come too early.

use shakmaty::KnownOutcome;

use super::editions;
use super::flag::OnTheBoard;
use crate::ending::{Award, EndedBy, Ending};
use crate::incident::{Advice, Kind};
use crate::message::{Message, Written};
use crate::say;
use crate::settings::{Edition, Settings};

pub(crate) fn mismatch(entered: KnownOutcome, on_board: KnownOutcome) -> Message {
    say::result_mismatch(&entered.to_string(), &on_board.to_string())
}

/// By the kings, when there was a result before.
pub(crate) fn signed_otherwise(entered: Award, signed: KnownOutcome) -> Message {
    say::signed_otherwise(&entered.to_string(), &signed.to_string())
}

pub(crate) fn signed_otherwise_advice(entered: Award) -> Advice {
    say::ask_both(&entered.to_string())
}

/// A result that nobody had entered, when the game goes on.
pub(crate) fn withdrawn(Ending { outcome, reason }: Ending) -> Message {
    let outcome = &outcome.to_string();
    match reason {
        EndedBy::Checkmate => say::mate_withdrawn(outcome),
        EndedBy::Stalemate => say::stalemate_withdrawn(outcome),
        EndedBy::Signalled | EndedBy::Arbiter | EndedBy::Forfeit => say::kings_withdrawn(outcome),
    }
}

pub(crate) fn withdrawn_advice() -> Advice {
    say::nobody_has_signed()
}

fn article(how: OnTheBoard, edition: Edition) -> &'static str {
    match (how, edition <= Edition::Y2014) {
        (OnTheBoard::Checkmate, true) => "5.1.a",
        (OnTheBoard::Checkmate, false) => "5.1.1",
        (_, true) => "5.2.a",
        (_, false) => "5.2.1",
    }
}

fn named(how: OnTheBoard) -> Message {
    match how {
        OnTheBoard::Checkmate => say::the_checkmate(),
        _ => say::the_stalemate(),
    }
}

/// Articles 5.1.1 and 5.2.1 since 2014: how the move was made decides whether the game is over.
pub(crate) fn awaits_ruling(how: OnTheBoard, edition: Edition) -> Advice {
    let article = article(how, edition);
    say::end_awaits_ruling(named(how), article)
}

/// Articles 5.1.1, 5.2.1 and 4.7: the move that stands has ended the game.
pub(crate) fn released_end(how: OnTheBoard) -> Advice {
    let (end, article) = how.words();
    say::ends_as_released(end, article)
}

/// The same, when the game seems to be over once more.
pub(crate) fn after_released_end(how: OnTheBoard) -> Advice {
    say::end_came_after(named(how))
}

/// Articles 7.5.1 and 7.5.5: before it somebody made an illegal move, and nobody has ruled on it.
pub(crate) fn after_illegal(how: OnTheBoard, kind: Kind, edition: Edition) -> Advice {
    let article = editions::article(kind, edition);
    say::end_came_after_illegal(named(how), article)
}

/// Article 6.8: a flag had fallen, and nobody has ruled on it.
pub(crate) fn after_flag(how: OnTheBoard) -> Advice {
    say::end_after_flag(named(how))
}

/// The same of the kings in the centre.
pub(crate) fn signed_after_flag(signed: KnownOutcome) -> Advice {
    say::signed_after_flag(&signed.to_string())
}

/// It was shown while both times stood, so it may not belong to the game.
pub(crate) fn while_stopped(how: OnTheBoard) -> Advice {
    say::end_while_stopped(named(how))
}

/// Article 9.6: what came first has ended the game.
pub(crate) fn ended_before(how: OnTheBoard, first: Kind, edition: Edition) -> Advice {
    let article = editions::article(first, edition);
    say::ended_earlier(named(how), article)
}

pub(crate) fn mismatch_advice() -> Advice {
    say::signed_stands()
}

/// Why a draw by agreement may have come too early, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Early {
    /// A player has not made a single move (5.2.3, since 2018).
    Unplayed,
    /// The regulations of the event allow it later (9.1.1): after so many moves by each.
    Regulated(u32),
}

impl Early {
    /// The Article that says so.
    pub fn article(self, edition: Edition) -> &'static str {
        match self {
            Self::Unplayed => editions::FIRST_MOVES,
            Self::Regulated(_) => editions::article(Kind::EarlyDraw, edition),
        }
    }
}

/// Whether players who have made so many moves could not agree to a draw yet.
pub(crate) fn early(moves: u32, settings: &Settings) -> Option<Early> {
    let least = settings.min_draw_move;
    match settings.edition {
        Edition::Y2018 | Edition::Y2023 if moves == 0 => Some(Early::Unplayed),
        _ => (moves < least).then_some(Early::Regulated(least)),
    }
}

pub(crate) fn early_text(early: Early, moves: u32) -> Message {
    match early {
        Early::Unplayed => say::draw_before_moves(),
        Early::Regulated(least) => say::early_draw(moves, least),
    }
}

pub(crate) fn early_advice(early: Early, edition: Edition) -> Advice {
    let article = early.article(edition);
    match early {
        Early::Unplayed => say::draw_once_moved(article),
        Early::Regulated(_) => say::draw_needs_consent(article),
    }
}

/// 9.2 and 9.3 hold whatever an event says of draws by agreement: a claim may have been made with
/// this move.
pub(crate) fn may_be_claimed(mv: Written) -> Advice {
    say::may_be_claimed(mv)
}

/// III.5, G.5: the same of a claim in the last two minutes.
pub(crate) fn may_be_granted(edition: Edition) -> Advice {
    let article = editions::normal_means_article(edition);
    say::may_be_granted(article)
}
