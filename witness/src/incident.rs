//! A suspicion with its evidence, and a docket of the open ones. Not a verdict: a human rules.

use std::collections::BTreeMap;
use std::fmt;

use bincode::{Decode, Encode};
use eboard::{FaceTime, FlagMark, Moment, Word};
use shakmaty::{ByColor, Color, KnownOutcome, Square};

use crate::detail::Detail;
use crate::ending::Award;
use crate::evidence::Evidence;
use crate::game_position::GamePosition;
use crate::laws::flag::Consequence;
use crate::message::Message;
use crate::number::{GameNo, TableNo};
use crate::settings::Edition;
use crate::topic::Topic;

/// Declares the kinds with their stable names for machines.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident = $name:literal,)*) => {
        /// What kind of thing happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
        pub enum Kind {
            $($(#[$about])* $kind,)*
        }

        impl Kind {
            /// How many there are.
            pub const COUNT: usize = [$($name),*].len();

            /// All kinds.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$kind),*];

            /// The stable name for machines.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// The kind of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|kind| kind.name() == name)
            }
        }
    };
}

kinds! {
    /// A piece was lifted and put back by the player having the move.
    Adjusted = "adjusted",
    /// Castling although the rook was lifted before the king.
    CastledRookFirst = "castled_rook_first",
    /// The board lies the other way round, or across.
    BoardTurned = "board_turned",
    /// The board of a game that goes on is not heard any more.
    BoardLost = "board_lost",
    /// The two boards of a game with a visually impaired player do not show the same position.
    BoardsDiffer = "boards_differ",
    /// Both flags have fallen, and nobody can say which was first.
    BothFlags = "both_flags",
    /// Times were changed while the clock stood.
    ClockAdjusted = "clock_adjusted",
    /// The clock does not keep time.
    ClockFault = "clock_fault",
    /// The clock of a game that goes on is not heard any more.
    ClockLost = "clock_lost",
    /// The clock is not set as the time control says.
    ClockSetting = "clock_setting",
    /// Both times stand although the game is not over.
    ClockStopped = "clock_stopped",
    /// The players have the opponent's colours.
    ColoursReversed = "colours_reversed",
    /// Neither player can mate by any series of legal moves.
    DeadPosition = "dead_position",
    /// A player has given no sign by the default time.
    DefaultTime = "default_time",
    /// Several pieces left their squares at once and no move explains it.
    Displaced = "displaced",
    /// A draw before the event allows one.
    EarlyDraw = "early_draw",
    /// 50 moves by each player without capture or pawn move.
    FiftyPossible = "fifty_possible",
    /// The same position for the fifth time.
    Fivefold = "fivefold",
    /// A player's time has run out.
    FlagFall = "flag_fall",
    /// The clock was pressed on a move the Laws do not know.
    IllegalMove = "illegal_move",
    /// An illegal move that nobody claimed in time: the game goes on from it.
    IllegalStands = "illegal_stands",
    /// Both kings are attacked after another completed move.
    KingsInCheck = "kings_in_check",
    /// King and then rook were lifted and castling was legal; another move was made.
    MustCastle = "must_castle",
    /// King and rook were lifted and castling was illegal; no king move was made.
    MustMoveKing = "must_move_king",
    /// The clock shows its low-battery sign.
    LowBattery = "low_battery",
    /// A player moved again without having pressed.
    MissedPress = "missed_press",
    /// The clock was pressed without a move while the table beside it waited for a press.
    NeighbourPressed = "neighbour_pressed",
    /// The table has a pairing in the round that is played, and no board.
    NoBoard = "no_board",
    /// A game is played at a table that has no pairing in the round that is played.
    NoPairing = "no_pairing",
    /// A game lies there and goes on no more, and nobody has entered a result.
    NoResult = "no_result",
    /// The round has started and White's clock does not run.
    NotStarted = "not_started",
    /// The clock was pressed with a pawn on the last rank.
    PawnNotPromoted = "pawn_not_promoted",
    /// A pawn still stands on the last rank after another completed move.
    PawnOnLastRank = "pawn_on_last_rank",
    /// A player of this table is named at another table of the round too.
    PlayerTwice = "player_twice",
    /// Squares and score disagree and nothing explains it.
    PositionToCheck = "position_to_check",
    /// The clock was pressed and no move was made.
    PressedWithoutMove = "pressed_without_move",
    /// The new piece was exchanged after it stood on the square of promotion.
    PromotionChanged = "promotion_changed",
    /// A legal move rested on the board and was changed before the press.
    ReleasedThenChanged = "released_then_changed",
    /// The result entered contradicts the board.
    ResultMismatch = "result_mismatch",
    /// Board or clock are not as on the sheet of the adjourned game that is to be resumed.
    ResumptionDiffers = "resumption_differs",
    /// The clock was pressed for a reply that is in an envelope.
    SealedReply = "sealed_reply",
    /// 75 moves by each player without capture or pawn move.
    SeventyFive = "seventy_five",
    /// The same position for the third time.
    ThreefoldPossible = "threefold_possible",
    /// Pieces of both colours were lifted and the capture they oblige to was not made.
    TouchedBoth = "touched_both",
    /// A piece of the opponent's that could be captured was lifted and not captured.
    TouchedNotCaptured = "touched_not_captured",
    /// A piece that could move was lifted, and another one moved.
    TouchedNotMoved = "touched_not_moved",
    /// A piece of the player who does not have the move was lifted and put back.
    TouchedOutOfTurn = "touched_out_of_turn",
    /// A move that one hand can hardly have made.
    TwoHands = "two_hands",
    /// A player has less than five minutes and need not write any more.
    TimeTrouble = "time_trouble",
    /// A player may make the requests of the last two minutes.
    TwoMinutes = "two_minutes",
    /// The time of the player counts who does not have the move.
    WrongClockRunning = "wrong_clock_running",
    /// The pieces were set up wrongly.
    WrongStart = "wrong_start",
}

/// How urgently the arbiter is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Gravity {
    /// For the log.
    Note,
    /// In the arbiter's list.
    Look,
    /// On top of it, with a sound if he wants one.
    Summon,
}

impl Gravity {
    /// All of them, the quietest first.
    pub const ALL: [Self; 3] = [Self::Note, Self::Look, Self::Summon];

    /// The gravity of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gravity| gravity.name() == name)
    }

    /// The stable name for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Look => "look",
            Self::Summon => "summon",
        }
    }
}

/// Where an open incident stands.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum State {
    /// Nobody has looked at it yet.
    Open,
    /// Somebody is on the way.
    Acknowledged {
        /// Who.
        by: String,
    },
    /// It can no longer be acted on by the player it concerned; it stays until a human rules.
    Lapsed,
    /// Nobody has ruled, and nobody is asked any more: too many are open at its table.
    SetAside,
}

/// A human's answer. It closes the incident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Ruling {
    /// It was so.
    Upheld,
    /// It was not so.
    Dismissed,
    /// Seen, nothing to decide.
    Noted,
}

/// What the Laws provide, in words.
pub type Advice = Message;

/// The last reading of a time above zero, and the first at zero.
pub type Between = (Option<Moment>, Moment);

/// What machines may want to know of an incident.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Facts {
    /// The position both score and squares agreed on last; the one before the move, where the
    /// incident is about a move.
    pub position: GamePosition,
    /// What stood on the squares, as the first field of a FEN.
    pub surface: Option<String>,
    /// What the clock showed.
    pub clocks: Option<ByColor<FaceTime>>,
    /// The move, by the squares it was made from and to.
    pub mv: Option<(Square, Square)>,
    /// Why it is illegal, or what is wrong.
    pub detail: Option<Detail>,
    /// The squares of the pieces that give check.
    pub attackers: Vec<Square>,
    /// The squares that disagree.
    pub squares: Vec<Square>,
    /// Lines that would explain what is seen, in SAN, the likeliest first.
    pub candidates: Vec<String>,
    /// The last reading above zero and the first at zero.
    pub between: Option<Between>,
    /// The same of each player, where both flags are down.
    pub falls: Option<ByColor<Between>>,
    /// Moves this player has completed.
    pub moves_completed: Option<u32>,
    /// The moves that the Laws oblige to, in SAN, of those that were legal then.
    pub obliged: Vec<String>,
    /// After which plies, counted from 1, the position has stood there; 0 is the beginning.
    pub occurrences: Vec<u32>,
    /// Illegal moves this player has completed in this game, this one among them.
    pub offence: Option<u32>,
    /// Seconds that the Laws give to the opponent.
    pub penalty_s: Option<u32>,
    /// Moves he must have completed by the end of the period.
    pub moves_required: Option<u32>,
    /// How surely a flag fell.
    pub grade: Option<FlagMark>,
    /// What follows from a fallen flag, or from an illegal move that ends the game.
    pub consequence: Option<Consequence>,
    /// What the clock should show.
    pub expected: Option<ByColor<FaceTime>>,
    /// Presses that were left out, by the score.
    pub presses_missing: Option<ByColor<u32>>,
    /// Since when.
    pub since: Option<Moment>,
    /// The other table, or those that may be meant, the likeliest first.
    pub tables: Vec<TableNo>,
    /// The result that the board or the kings show, where another one was entered.
    pub shown: Option<Award>,
}

/// Which incident: unique at its table for all time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct IncidentId {
    /// The game at this table, counted from 1.
    pub game: GameNo,
    /// The incident in this game, counted from 1.
    pub number: u32,
}

impl fmt::Display for IncidentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.game, self.number)
    }
}

/// A suspicion with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Incident {
    /// Which one.
    pub id: IncidentId,
    /// What kind.
    pub kind: Kind,
    /// The Article in the edition in force.
    pub article: Word,
    /// The edition in force.
    pub edition: Edition,
    /// Who did it, where that can be said.
    pub side: Option<Color>,
    /// The number of the move.
    pub move_number: u32,
    /// How loudly.
    pub gravity: Gravity,
    /// Where it stands.
    pub state: State,
    /// Counted from 1; one more each time a ruling on it is taken back.
    pub revision: u32,
    /// When it was raised.
    pub opened: Moment,
    /// In one sentence.
    pub text: Message,
    /// For machines.
    pub facts: Facts,
    /// What was seen.
    pub evidence: Vec<Evidence>,
    /// What the Laws provide.
    pub advice: Vec<Advice>,
}

impl Incident {
    /// The results that its own words name: what a fallen flag or an illegal move ends the game
    /// with, for an arbiter to enter. Both, where only he can judge which.
    #[must_use]
    pub fn names(&self) -> Vec<KnownOutcome> {
        let lost = self.side.map(|side| KnownOutcome::Decisive { winner: !side });
        let (lost, drawn) = match self.facts.consequence {
            Some(Consequence::Loss) => (lost, None),
            Some(Consequence::Draw) => (None, Some(KnownOutcome::Draw)),
            Some(Consequence::Undetermined) => (lost, Some(KnownOutcome::Draw)),
            Some(Consequence::PeriodPassed) | None => (None, None),
        };
        lost.into_iter().chain(drawn).collect()
    }

    /// Whether it says something about this.
    pub(crate) fn advises(&self, topic: Topic) -> bool {
        self.advice.iter().any(|it| it.is_about(topic))
    }

    /// Says this too, if it says nothing about it yet. Whether that is new.
    pub(crate) fn advise(&mut self, topic: Topic, advice: Advice) -> bool {
        let new = !self.advises(topic);
        if new {
            self.advice.push(advice.about(topic));
        }
        new
    }

    /// Says this where it said something else about it.
    pub(crate) fn advise_anew(&mut self, topic: Topic, advice: Advice) {
        self.advice.retain(|it| !it.is_about(topic));
        self.advise(topic, advice);
    }
}

/// Open incidents of earlier games at a table: six hours of blitz in which nobody rules leave 15
/// where everything goes wrong.
const EARLIER_MAX: usize = 24;
/// Open incidents of the game that is played: a board that is out of its mind raises one after the
/// other, and no arbiter reads so many.
const OF_GAME_MAX: usize = 40;

/// The open incidents of one game, and of earlier ones at its table. Closing takes an incident out:
/// it cannot be closed twice.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Docket {
    open: BTreeMap<IncidentId, Incident>,
    raised: u32,
}

impl Docket {
    pub fn next_id(&mut self, game: GameNo) -> IncidentId {
        self.raised += 1;
        IncidentId { game, number: self.raised }
    }

    /// The next so many numbers are left to another docket of the same game.
    pub fn leave_numbers(&mut self, numbers: u32) {
        self.raised += numbers;
    }

    /// No number is given again that the other docket has given.
    pub fn number_after(&mut self, other: &Self) {
        self.raised = self.raised.max(other.raised);
    }

    /// Opens it, and returns those that give way to it.
    pub fn open(&mut self, incident: Incident) -> Vec<Incident> {
        let game = incident.id.game;
        self.open.insert(incident.id, incident);
        let mut aside = Vec::new();
        while let Some(mut it) = self.surplus(game).and_then(|id| self.close(id)) {
            it.state = State::SetAside;
            aside.push(it);
        }
        aside
    }

    /// Which has to go, if too many are open: of earlier games the oldest, of this one the oldest
    /// of those that matter least.
    fn surplus(&self, game: GameNo) -> Option<IncidentId> {
        let (earlier, of_game): (Vec<_>, Vec<_>) = self.all().partition(|it| it.id.game < game);
        let oldest = earlier.first().filter(|_| earlier.len() > EARLIER_MAX);
        let least = || of_game.iter().min_by_key(|it| (it.gravity, it.id));
        let too_many = of_game.len() > OF_GAME_MAX;
        oldest.or_else(|| too_many.then(least).flatten()).map(|it| it.id)
    }

    pub fn all(&self) -> impl Iterator<Item = &Incident> {
        self.open.values()
    }

    pub fn get_mut(&mut self, id: IncidentId) -> Option<&mut Incident> {
        self.open.get_mut(&id)
    }

    pub fn of_kind(&self, kind: Kind) -> Option<IncidentId> {
        self.all().find(|incident| incident.kind == kind).map(|incident| incident.id)
    }

    pub fn close(&mut self, id: IncidentId) -> Option<Incident> {
        self.open.remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incident(game: u32, number: u32, gravity: Gravity) -> Incident {
        Incident {
            id: IncidentId { game: GameNo::new(game), number },
            kind: Kind::IllegalMove,
            article: "7.5.1".into(),
            edition: Edition::Y2023,
            side: None,
            move_number: 1,
            gravity,
            state: State::Open,
            revision: 1,
            opened: Moment::ZERO,
            text: crate::say::drawn_intervene(),
            facts: Facts::default(),
            evidence: Vec::new(),
            advice: Vec::new(),
        }
    }

    fn ids(incidents: &[Incident]) -> Vec<(u32, u32)> {
        incidents.iter().map(|it| (it.id.game.get(), it.id.number)).collect()
    }

    #[test]
    fn of_earlier_games_the_oldest_alert_gives_way_and_says_so() {
        let mut docket = Docket::default();
        for game in 1..=24 {
            assert!(docket.open(incident(game, 1, Gravity::Summon)).is_empty());
        }
        assert!(docket.open(incident(25, 1, Gravity::Note)).is_empty(), "24 are earlier");
        let aside = docket.open(incident(26, 1, Gravity::Note));
        assert_eq!(ids(&aside), [(1, 1)]);
        assert_eq!(aside[0].state, State::SetAside);
        assert_eq!(docket.all().count(), 25);
    }

    #[test]
    fn of_a_game_without_end_the_least_alert_gives_way_and_no_summons_for_a_note() {
        let mut docket = Docket::default();
        for number in 1..=10 {
            assert!(docket.open(incident(1, number, Gravity::Summon)).is_empty());
        }
        for number in 11..=40 {
            assert!(docket.open(incident(1, number, Gravity::Note)).is_empty());
        }
        assert_eq!(ids(&docket.open(incident(1, 41, Gravity::Look))), [(1, 11)]);
        for number in 42..=10_000 {
            assert_eq!(docket.open(incident(1, number, Gravity::Note)).len(), 1);
        }
        assert_eq!(docket.all().count(), 40);
        assert_eq!(docket.all().filter(|it| it.gravity == Gravity::Summon).count(), 10);
    }

    #[test]
    fn alerts_of_a_game_that_is_over_are_brought_to_their_bound_by_the_next() {
        let mut docket = Docket::default();
        for number in 1..=40 {
            docket.open(incident(1, number, Gravity::Look));
        }
        assert_eq!(docket.open(incident(2, 1, Gravity::Note)).len(), 16);
        assert_eq!(docket.all().count(), 25);
    }
}
