//! What an arbiter may order at a table, and how a table declines.

use std::fmt;

use bincode::{Decode, Encode};
use eboard::FaceTime;
use shakmaty::{ByColor, CastlingMode, Chess, Color};

use crate::adjournment::{Absent, Sealing};
use crate::ending::Ending;
use crate::incident::{IncidentId, Ruling};
use crate::message::Message;
use crate::say;
use crate::score::{Passage, Unplayable};

/// What every move brings from now on. Seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum PerMove {
    /// Added.
    Increment(u32),
    /// Waited before the time counts.
    Delay(u32),
}

impl PerMove {
    /// What a clock may show of it before the move, in milliseconds.
    pub(crate) const fn ahead_ms(self) -> u32 {
        match self {
            Self::Increment(seconds) => seconds.saturating_mul(1000),
            Self::Delay(_) => 0,
        }
    }
}

/// What an arbiter grants (Guideline III.4, III.5; 12.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// For each move of both players.
    pub per_move: Option<PerMove>,
    /// Seconds added at once.
    pub added: ByColor<u32>,
}

/// A penalty, as an arbiter gave it.
#[derive(Clone, Debug)]
pub struct PenaltyGiven {
    /// Who was penalized.
    pub side: Color,
    /// What the opponent got.
    pub seconds: u32,
    /// Who gave it.
    pub by: String,
    /// For which incident: it is given once for each. None: nobody says.
    pub incident: Option<IncidentId>,
    /// The clock was set, or is being set, to these times with it.
    pub clock: Option<ByColor<FaceTime>>,
}

/// A penalty that counts no more.
#[derive(Clone, Debug)]
pub struct PenaltyWithdrawn {
    /// Who was penalized.
    pub side: Color,
    /// Its number on his page of the ledger, counted from 1.
    pub number: usize,
    /// Why.
    pub reason: String,
    /// Who withdraws it.
    pub by: String,
}

/// An arbiter's order to one table. Who gave it and when is the journal's matter.
#[derive(Clone, Debug)]
pub enum Order {
    /// Somebody is on the way to this incident.
    Acknowledge {
        /// Which.
        incident: IncidentId,
        /// Who.
        by: String,
    },
    /// A human's answer closes this incident.
    Rule {
        /// Which.
        incident: IncidentId,
        /// The answer.
        ruling: Ruling,
        /// Whose.
        by: String,
    },
    /// This is the true position now.
    SetPosition {
        /// The position, with the side to move.
        position: Box<Chess>,
        /// Whether castling follows Chess960.
        mode: CastlingMode,
    },
    /// This is the result; none: the game goes on.
    SetResult(Option<Ending>),
    /// This is the result of the game after this one, which has not begun at this table.
    SetNextResult(Ending),
    /// This player was penalized: his opponent got so many seconds.
    PenaltyGiven(PenaltyGiven),
    /// A penalty that was given counts no more.
    PenaltyWithdrawn(PenaltyWithdrawn),
    /// What was decided here a moment ago is taken back.
    Undo {
        /// Which act, by the number that [`crate::Play::acts`] had after it.
        act: u32,
        /// Who takes it back.
        by: String,
    },
    /// A claim of a draw by this player was found to be wrong: his opponent is to get time (9.5).
    WrongClaim(Color),
    /// The board lies the other way round.
    Flip,
    /// The score loses its last moves by either player.
    TakeBack {
        /// How many.
        plies: usize,
        /// How many there are for who asks: with others he means other moves.
        of: Option<usize>,
    },
    /// The score is put right from a scoresheet.
    CorrectScore {
        /// What stands on it.
        passage: Passage,
        /// How many half moves there are for who asks: with others he means other moves.
        of: usize,
    },
    /// The clock was set, or is being set, to these times.
    SetTime(ByColor<FaceTime>),
    /// The clock was set, or is being set, to what was granted.
    Grant(Grant),
    /// The arbiter has shown his score to this player (A.3.2, B.3.2).
    ScoreShown(Color),
    /// The players have the opponent's colours (7.3), or have them no longer.
    ColoursReversed(bool),
    /// The game is adjourned (Guideline I).
    Adjourn(Sealing),
    /// Play is resumed: board and clock are held against the sheet. Who has not come, if that is
    /// said.
    ResumePlay(Option<Absent>),
}

/// Why an order was not carried out; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No such incident is open at this table.
    NoSuchIncident,
    /// Another arbiter is on the way to it.
    Acknowledged,
    /// Nothing can be done about it any more.
    Lapsed,
    /// No such table.
    NoSuchTable,
    /// The program failed on it.
    Fault,
    /// There is no game in play at this table.
    NotInPlay,
    /// The game at this table has no result, so there is none after it yet.
    NoResultYet,
    /// Squares and score disagree, so the position that would be adjourned is not known.
    Disagrees,
    /// Only the player who has the move seals one.
    HasNotTheMove,
    /// The game is adjourned.
    Adjourned,
    /// The game is not adjourned.
    NotAdjourned,
    /// The score has fewer moves, or none was named.
    TooFewMoves,
    /// A move that is written, or one that follows, cannot be made.
    Unplayable(Unplayable),
    /// Who asks has not seen the last moves.
    MovedOn,
    /// No envelope is there to be opened.
    NoEnvelope,
    /// No clock is heard.
    NoClock,
    /// The clock runs, and nobody has changed its times.
    ClockRuns,
    /// Nothing was given, or withdrawn.
    Penalty(NotGiven),
    /// What was decided stands.
    Undo(NotUndone),
}

/// Why something that was decided cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUndone {
    /// No such act was done at this table, or it was taken back already.
    NoSuchAct,
    /// It was done too long ago.
    TooLate,
    /// Something else was decided here after it, and may rest on it.
    DecidedSince,
    /// Another game has begun.
    AnotherGame,
    /// What the alert was about has been put right meanwhile.
    PutRight,
}

impl NotUndone {
    fn text(self) -> Message {
        match self {
            Self::NoSuchAct => say::not_undone_no_such_act(),
            Self::TooLate => say::not_undone_too_late(),
            Self::DecidedSince => say::not_undone_decided_since(),
            Self::AnotherGame => say::not_undone_another_game(),
            Self::PutRight => say::not_undone_put_right(),
        }
    }
}

/// Why a penalty was neither given nor withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotGiven {
    /// It was given for this incident already.
    Already,
    /// The incident is neither open nor in the ledger of this game.
    Closed,
    /// The incident is one of a game before this one.
    EarlierGame,
    /// The incident concerns the other player.
    OtherPlayer,
    /// No penalty of this number was given.
    NoSuchPenalty,
    /// It counts no more already.
    WithdrawnAlready,
}

impl NotGiven {
    fn text(self) -> Message {
        match self {
            Self::Already => say::not_given_already(),
            Self::Closed => say::not_given_closed(),
            Self::EarlierGame => say::not_given_earlier_game(),
            Self::OtherPlayer => say::not_given_other_player(),
            Self::NoSuchPenalty => say::not_given_no_such_penalty(),
            Self::WithdrawnAlready => say::not_given_withdrawn_already(),
        }
    }
}

impl Refusal {
    /// Why, for a person.
    #[must_use]
    pub fn text(self) -> Message {
        match self {
            Self::NoSuchIncident => say::refused_no_such_incident(),
            Self::Acknowledged => say::refused_acknowledged(),
            Self::Lapsed => say::refused_lapsed(),
            Self::NoSuchTable => say::refused_no_such_table(),
            Self::Fault => say::refused_fault(),
            Self::NotInPlay => say::refused_not_in_play(),
            Self::NoResultYet => say::refused_no_result_yet(),
            Self::Disagrees => say::refused_disagrees(),
            Self::HasNotTheMove => say::refused_has_not_the_move(),
            Self::Adjourned => say::refused_adjourned(),
            Self::NotAdjourned => say::refused_not_adjourned(),
            Self::TooFewMoves => say::refused_too_few_moves(),
            Self::Unplayable(Unplayable { number, side, written: true }) => {
                say::refused_not_written_so(number, side)
            }
            Self::Unplayable(Unplayable { number, side, written: false }) => {
                say::refused_rest_unplayable(number, side)
            }
            Self::MovedOn => say::refused_moved_on(),
            Self::NoEnvelope => say::refused_no_envelope(),
            Self::NoClock => say::refused_no_clock(),
            Self::Penalty(why) => why.text(),
            Self::Undo(why) => why.text(),
            Self::ClockRuns => say::refused_clock_runs(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().name())
    }
}

impl std::error::Error for Refusal {}
