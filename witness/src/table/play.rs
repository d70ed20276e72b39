//! What is followed at a table: one game from set-up to result, and then the next.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Reason};
use shakmaty::{Board, CastlingMode, Chess};

use super::adjournment::{Adjourned, Resumed};
use super::boards::Boards;
use super::checks::Checks;
use super::doubts::Doubt;
use super::envelope::Envelope;
use super::events::Step;
use super::granted::Granted;
use super::hands::Irregularities;
use super::ordered::Ordered;
use super::outage::Outage;
use super::passed::Presses;
use super::press::Press;
use super::questions::Questions;
use super::resume::Resumption;
use super::timers::Timer;
use super::timing::Timing;
use super::wrong_start::WrongStart;
use super::{DeviceState, Effect, Input, Phase, Round};
use crate::clock::Clocks;
use crate::evidence::Traces;
use crate::hand::Hand;
use crate::incident::Docket;
use crate::laws::illegal::IllegalMove;
use crate::ledger::Ledger;
use crate::orders::Refusal;
use crate::recogniser::Recogniser;
use crate::score::Score;
use crate::seating::Part;
use crate::settings::Settings;
use crate::surface::Surface;

/// A picture that nothing explains has rested so long that a report may be lost.
pub(super) const SURVEY: Duration = Duration::from_millis(400);
/// The same while a piece may be in the hand.
pub(super) const SURVEY_IN_HAND: Duration = Duration::from_millis(1500);

/// What is followed at a table.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Play {
    pub(super) settings: Settings,
    pub(super) surface: Surface,
    pub(super) boards: Boards,
    pub(super) hand: Hand,
    pub(super) traces: Traces,
    pub(super) clocks: Clocks,
    pub(super) tracker: Option<Recogniser>,
    pub(super) score: Score,
    pub(super) docket: Docket,
    pub(super) device: DeviceState,
    pub(super) phase: Phase,
    pub(super) press: Option<Press>,
    pub(super) clock_ran: bool,
    /// A clock that shows what the players are allotted ran already when the pieces were known to
    /// be set up: of this game, if a time runs out or is pressed for.
    pub(super) ran_from_start: bool,
    /// Since when both times stand, after one has counted.
    pub(super) stopped: Option<Moment>,
    pub(super) adrift: bool,
    /// More than one order of moves leads to what stands there, and somebody was told.
    pub(super) several_ways: bool,
    /// The line was out, and squares and score have not agreed since.
    pub(super) reopened: bool,
    /// The position before the line was out, while nobody has seen the whole board since.
    pub(super) unseen_after: Option<String>,
    /// What is known of the outage, and when anything was heard last.
    pub(super) outage: Option<Outage>,
    pub(super) heard: Moment,
    /// Changes that were told before the whole board was.
    pub(super) untold: u8,
    /// How late the board's reports may be; zero for a board that reports at once.
    pub(super) lag: Duration,
    /// The illegal move that stands on the board.
    pub(super) standing_illegal: Option<(IllegalMove, Board)>,
    /// From what stands there the game may go on without a legal move that leads there.
    pub(super) resumption: Option<Resumption>,
    /// The game is adjourned; or it is to be resumed.
    pub(super) adjourned: Option<Adjourned>,
    pub(super) resumed: Option<Resumed>,
    pub(super) envelope: Option<Envelope>,
    /// Presses in a row by a player who had nothing to complete while the other one had.
    pub(super) contradictions: u8,
    /// The device was away since the clock was read last.
    pub(super) unwatched: bool,
    /// What was told when squares and score were said to disagree.
    pub(super) doubt: Option<Doubt>,
    /// Settings for the next game.
    pub(super) next_settings: Option<Settings>,
    /// The machine has failed twice: only a human can say what is true.
    pub(super) broken: bool,
    /// When the whole board is asked for if nothing explains the picture by then.
    pub(super) survey_at: Option<Moment>,
    /// When a starting position or a result signal has rested long enough.
    pub(super) set_up_at: Option<Moment>,
    pub(super) signal_at: Option<Moment>,
    /// Since there is a result the kings say another one, and somebody was told.
    pub(super) signed_otherwise: bool,
    /// What has come to the centre until then is no sign.
    pub(super) no_sign_before: Moment,
    /// This is a game that goes on beside its result, and nobody is told of it yet.
    pub(super) is_apart: bool,
    pub(super) game: u32,
    /// Its number when it began: a position set in its midst gives it another one.
    pub(super) began_as: u32,
    pub(super) irregularities: Irregularities,
    pub(super) wrong_start: WrongStart,
    pub(super) timing: Timing,
    pub(super) presses: Presses,
    pub(super) ledger: Ledger,
    pub(super) granted: Granted,
    pub(super) round: Round,
    pub(super) checks: Checks,
    pub(super) ordered: Ordered,
    pub(super) questions: Questions,
    pub(super) step: Step,
}

impl Play {
    /// A table nobody has looked at yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            surface: Surface::unknown(),
            boards: Boards::default(),
            hand: Hand::default(),
            traces: Traces::default(),
            clocks: Clocks::default(),
            tracker: None,
            score: Score::new(Chess::default(), CastlingMode::Standard),
            docket: Docket::default(),
            device: DeviceState::default(),
            phase: Phase::Unset,
            press: None,
            clock_ran: false,
            ran_from_start: false,
            stopped: None,
            adrift: false,
            several_ways: false,
            reopened: false,
            unseen_after: None,
            outage: None,
            heard: Moment::ZERO,
            untold: 0,
            lag: Duration::ZERO,
            standing_illegal: None,
            resumption: None,
            adjourned: None,
            resumed: None,
            envelope: None,
            contradictions: 0,
            unwatched: false,
            doubt: None,
            next_settings: None,
            broken: false,
            survey_at: None,
            set_up_at: None,
            signal_at: None,
            signed_otherwise: false,
            no_sign_before: Moment::ZERO,
            is_apart: false,
            game: 0,
            began_as: 0,
            irregularities: Irregularities::default(),
            wrong_start: WrongStart::default(),
            timing: Timing::default(),
            presses: Presses::default(),
            ledger: Ledger::default(),
            granted: Granted::default(),
            round: Round::default(),
            checks: Checks::default(),
            ordered: Ordered::default(),
            questions: Questions::default(),
            step: Step::default(),
        }
    }

    /// One step: what enters is applied, then all machines follow what it has brought about.
    ///
    /// # Errors
    /// When an order cannot be carried out; nothing has changed then.
    pub(super) fn step(
        &mut self,
        now: Moment,
        input: Input,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.step = Step::default();
        let due = matches!(input, Input::Due);
        match input {
            Input::Seen(Part::Board(board), sighting) => self.sight_at(now, board, sighting, out),
            Input::Seen(Part::Clock, sighting) => self.sight_clock(now, sighting, out),
            Input::Line(Part::Board(board), present) => self.line_at(now, board, present, out),
            Input::Line(Part::Clock, present) => self.clock_line(now, present, out),
            Input::Announced(round) => self.announce(now, *round),
            Input::Ordered(order) => self.order(now, order, out)?,
            Input::NeighbourWaits(other) => self.suspect_neighbour(now, other),
            Input::NeighbourPressed => self.acquit_neighbour(),
            Input::Answered(number, winnable) => self.answer(now, number, winnable, out),
            Input::Due if self.adjourned.is_some() => return Ok(()),
            Input::Due => self.ring(now, Timer::of_the_board(), out),
            Input::Failed { again } => self.faulted(now, again, out),
            // No machine has anything to follow.
            Input::Configured(settings) => {
                self.configure(*settings);
                return Ok(());
            }
            Input::GamesBefore(games) => {
                self.count_from(games);
                return Ok(());
            }
        }
        self.follow(now, out);
        if due {
            self.ring(now, Timer::of_the_watches(), out);
        }
        Ok(())
    }

    /// What follows from whatever has happened.
    pub(super) fn follow(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.refresh_phase(out);
        self.note_envelope(now, out);
        self.note_irregularities(now, out);
        self.note_time(now, out);
        self.review_resumption(now, out);
        self.note_boards(now, out);
    }

    /// Does what these timers have waited for, as far as their moments have come.
    fn ring(&mut self, now: Moment, timers: &[Timer], out: &mut Vec<Effect>) {
        for timer in timers {
            if self.timer_at(*timer).is_some_and(|at| at <= now) {
                self.timer_rings(*timer, now, out);
            }
        }
    }

    /// When the table next wants to be woken, and why.
    pub(super) fn deadline(&self) -> Option<(Moment, Reason)> {
        if self.adjourned.is_some() {
            return None;
        }
        let all = Timer::ALL.into_iter();
        let set = all.filter_map(|timer| Some((self.timer_at(timer)?, timer.reason())));
        set.min_by_key(|(at, _)| *at)
    }

    /// Other settings: at once between games, else from the next game on.
    pub(super) fn configure(&mut self, settings: Settings) {
        if self.score.ending().is_some() || self.score.plies().is_empty() {
            self.settings = settings;
            self.next_settings = None;
        } else {
            self.next_settings = Some(settings);
        }
    }
}
