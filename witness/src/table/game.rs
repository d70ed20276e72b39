//! One game: all that is known of it, and of nothing else. A new game is a new value.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, CastlingMode, Chess};

use super::DeviceState;
use super::adjournment::Resumed;
use super::envelope::Envelope;
use super::glimpse::Glimpse;
use super::hands::Irregularities;
use super::ordered::Ordered;
use super::outage::Outage;
use super::passed::Presses;
use super::phase::{Course, KingsAfter};
use super::press::Press;
use super::resume::Resumption;
use super::timing::Timing;
use crate::ending::{Ending, Withdrawn};
use crate::evidence::Traces;
use crate::game_position::GamePosition;
use crate::hand::Hand;
use crate::laws::illegal::IllegalMove;
use crate::number::GameNo;
use crate::recogniser::Recogniser;
use crate::score::Score;
use crate::surface::Surface;

/// One game at a table.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Game {
    /// Counted from 1 at this table; 0 before the first.
    pub number: GameNo,
    /// Its number when it began: a position set in its midst gives it another one.
    pub began_as: GameNo,
    pub score: Score,
    pub course: Course,
    pub reading: Reading,
    pub pressing: Pressing,
    pub away: Away,
    pub kings: Kings,
    pub clock: Clock,
    pub pause: Pause,
    pub hand: Hand,
    pub traces: Traces,
    pub timing: Timing,
    pub irregularities: Irregularities,
    pub ordered: Ordered,
}

/// How the squares are read.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Reading {
    pub tracker: Option<Recogniser>,
    /// From what stands there the game may go on without a legal move that leads there.
    pub resumption: Option<Resumption>,
    /// The illegal move that stands on the board.
    pub standing_illegal: Option<(IllegalMove, Board)>,
    /// More than one line of moves leads to what stands there, and that was reported.
    pub several_ways: bool,
    pub set_up: SetUp,
}

/// A starting position that stands there, or did a moment ago.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct SetUp {
    /// When a game begins with it, if nothing changes until then.
    pub at: Option<Moment>,
    /// It may not have to rest, if a game has begun with it.
    pub glimpse: Option<Box<Glimpse>>,
}

/// What is known from presses.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Pressing {
    /// The last one, while it is not judged yet.
    pub press: Option<Press>,
    pub presses: Presses,
}

/// A line that was out.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Away {
    pub outage: Option<Outage>,
    /// The line was out, and squares and score have not agreed since.
    pub reopened: bool,
    /// The position before the line was out, while nobody has seen the whole board since.
    pub unseen_after: Option<GamePosition>,
}

/// The kings in the centre.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Kings {
    /// When their sign has rested long enough.
    pub signal_at: Option<Moment>,
    /// What has come to the centre until then is no sign.
    pub no_sign_before: Moment,
}

/// The clock in this game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Clock {
    /// A time has counted.
    pub ran: bool,
    /// A clock that shows what the players are allotted ran already when the pieces were known to
    /// be set up: of this game, if a time runs out or is pressed for.
    pub ran_from_start: bool,
    /// When a time began to count last while both stood.
    pub started: Option<Moment>,
    /// Since when both times stand, after one has counted.
    pub stopped: Option<Moment>,
    /// It counts since the game before, and nobody has stopped it: not of this game, before both
    /// players have moved and pressed.
    pub runs_on: bool,
    /// It was reported that moves are made beside it while it stands.
    pub unrecorded: bool,
}

/// A game that was put aside, and is to be resumed.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Pause {
    pub resumed: Option<Resumed>,
    pub envelope: Option<Envelope>,
}

/// The board that is followed, whichever game is played on it.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Watched {
    pub surface: Surface,
    pub device: DeviceState,
    /// When anything was heard last.
    pub heard: Moment,
    /// How many changes came before the first report of the whole board.
    pub early_changes: u8,
    /// How late the board's reports may be; zero for a board that reports at once.
    pub lag: Duration,
    /// When the whole board is asked for if nothing explains the picture by then.
    pub survey_at: Option<Moment>,
    /// The device was away since the clock was read last.
    pub unwatched: bool,
}

impl Default for Watched {
    fn default() -> Self {
        Self {
            surface: Surface::unknown(),
            device: DeviceState::default(),
            heard: Moment::ZERO,
            early_changes: 0,
            lag: Duration::ZERO,
            survey_at: None,
            unwatched: false,
        }
    }
}

impl Game {
    /// None yet.
    pub fn before_the_first() -> Self {
        Self::of(GameNo::default(), Score::new(Chess::default(), CastlingMode::Standard))
    }

    /// The game of this number, followed from this position.
    pub fn new(
        now: Moment,
        number: GameNo,
        (position, mode): (Chess, CastlingMode),
        blind: bool,
    ) -> Self {
        let mut game = Self::of(number, Score::new(position.clone(), mode));
        game.reading.tracker = Some(Recogniser::new(now, position, blind));
        game.kings.no_sign_before = now;
        game
    }

    /// Whether anything was played, or a time has counted.
    pub fn has_begun(&self) -> bool {
        !self.score.plies().is_empty() || self.score.began().is_some()
    }

    /// There is a result: the game is followed no more.
    pub fn end(&mut self, ending: Ending, kings: KingsAfter) {
        self.score.end(Some(ending));
        self.course = Course::Ended(kings);
    }

    /// There is no result: the game is followed as before.
    pub fn reopen(&mut self) {
        self.score.end(None);
        self.course.reopen();
    }

    /// The result that seemed to be one is none.
    pub fn withdraw(&mut self, withdrawn: Withdrawn, rev: u32) {
        self.score.withdraw(withdrawn, rev);
        self.course.reopen();
    }

    fn of(number: GameNo, score: Score) -> Self {
        Self {
            number,
            began_as: number,
            score,
            course: Course::default(),
            reading: Reading::default(),
            pressing: Pressing::default(),
            away: Away::default(),
            kings: Kings::default(),
            clock: Clock::default(),
            pause: Pause::default(),
            hand: Hand::default(),
            traces: Traces::default(),
            timing: Timing::default(),
            irregularities: Irregularities::default(),
            ordered: Ordered::default(),
        }
    }
}
