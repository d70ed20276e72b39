//! What is followed at a table: one game from set-up to result, and then the next.

use bincode::{Decode, Encode};
use eboard::{Moment, Reason};

use super::boards::Boards;
use super::checks::Checks;
use super::events::Step;
use super::game::{Game, Watched};
use super::granted::Granted;
use super::questions::Questions;
use super::quiet::is_nothing;
use super::timers::Timer;
use super::{Effect, Input, Phase, Round};
use crate::clock::Clocks;
use crate::incident::Docket;
use crate::ledger::Ledger;
use crate::orders::Refusal;
use crate::seating::Part;
use crate::settings::Settings;

/// What is followed at a table.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Play {
    pub(super) settings: Settings,
    /// Settings for the next game.
    pub(super) next_settings: Option<Settings>,
    pub(super) board: Watched,
    pub(super) boards: Boards,
    pub(super) clocks: Clocks,
    pub(super) game: Game,
    /// As it was reported last.
    pub(super) phase: Phase,
    pub(super) docket: Docket,
    pub(super) ledger: Ledger,
    pub(super) granted: Granted,
    pub(super) questions: Questions,
    pub(super) round: Round,
    pub(super) checks: Checks,
    /// This is a game that goes on beside its result. Nothing of it is published yet.
    pub(super) is_apart: bool,
    pub(super) step: Step,
}

impl Play {
    /// A table nobody has looked at yet.
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            next_settings: None,
            board: Watched::default(),
            boards: Boards::default(),
            clocks: Clocks::default(),
            game: Game::before_the_first(),
            phase: Phase::Unset,
            docket: Docket::default(),
            ledger: Ledger::default(),
            granted: Granted::default(),
            questions: Questions::default(),
            round: Round::default(),
            checks: Checks::default(),
            is_apart: false,
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
        self.step.start();
        let from = out.len();
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
            Input::Answered(number, mate) => self.answer(now, number, mate, out),
            Input::Due if self.game.course.is_adjourned() => return Ok(()),
            Input::Due => self.ring(now, &Timer::OF_THE_BOARD, out),
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
            self.ring(now, &Timer::OF_THE_WATCHES, out);
        }
        self.step.goes_on &= self.step.events.is_empty() && is_nothing(&out[from..]);
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
        if self.game.course.is_adjourned() {
            return None;
        }
        let all = Timer::OF_THE_BOARD.into_iter().chain(Timer::OF_THE_WATCHES);
        let set = all.filter_map(|timer| Some((self.timer_at(timer)?, timer)));
        let (at, first) = set.min_by_key(|(at, _)| *at)?;
        Some((at, first.reason()))
    }

    /// Other settings: at once between games, else from the next game on.
    pub(super) fn configure(&mut self, settings: Settings) {
        if self.game.score.ending().is_some() || self.game.score.plies().is_empty() {
            self.settings = settings;
            self.next_settings = None;
        } else {
            self.next_settings = Some(settings);
        }
    }
}
