//! What is followed at a table: one game from set-up to result, and then the next.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Reason, Sighting};
use shakmaty::{Board, CastlingMode, Chess};

use super::adjournment::{Adjourned, Resumed};
use super::alerts::Doubt;
use super::boards::Boards;
use super::checks::Checks;
use super::envelope::Envelope;
use super::events::Step;
use super::granted::Granted;
use super::irregularities::Irregularities;
use super::ordered::Ordered;
use super::outage::Outage;
use super::press::Press;
use super::presses::Presses;
use super::questions::Questions;
use super::resume::Resumption;
use super::time::Timing;
use super::timers::Timer;
use super::wrong_start::WrongStart;
use super::{DeviceState, Effect, Event, Facet, Input, Phase, Round};
use crate::clock::Clocks;
use crate::evidence::{Trace, Traces};
use crate::hand::Hand;
use crate::incident::Docket;
use crate::laws::illegal::IllegalMove;
use crate::ledger::Ledger;
use crate::orders::{Order, Refusal};
use crate::picture::Picture;
use crate::recogniser::Recogniser;
use crate::score::Score;
use crate::seating::Part;
use crate::settings::Settings;
use crate::surface::{Change, Surface};
use crate::tracker::{Lost, Waits};

/// A picture that nothing explains has rested so long that a report may be lost.
const SURVEY: Duration = Duration::from_millis(400);
/// The same while a piece may be in the hand.
const SURVEY_IN_HAND: Duration = Duration::from_millis(1500);

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

    /// The picture has rested.
    pub(super) fn picture_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let picture = self.surface.picture_at(now);
        let presses = self.absent(now).and_then(|absent| absent.presses);
        let Some(tracker) = &mut self.tracker else { return };
        tracker.count_presses(presses);
        let changed = tracker.due(now, &picture);
        let over = tracker.may_be_over();
        self.after_tracker(now, changed, out);
        self.look_for_held_sign(now, &picture, out);
        if over {
            self.tell_ways(now, out);
        }
    }

    /// Nothing has explained the picture: the board is asked what stands there.
    pub(super) fn survey_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.surface.asked(now);
        self.survey_at = self.survey_again_at(now);
        out.push(Effect::Survey);
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

    /// A device claims to see something on the board that is followed.
    pub(super) fn sight_followed(
        &mut self,
        now: Moment,
        sighting: Sighting,
        out: &mut Vec<Effect>,
    ) {
        self.answering(true, out);
        self.note_heard(now);
        match sighting {
            Sighting::Position(placement) => {
                let first = !self.surface.known();
                let changes = self.surface.whole(now, &placement);
                self.saw_whole(now, first, &changes, out);
            }
            Sighting::Square { square, piece } => {
                self.note_untold(now, out);
                let change = self.surface.square(now, square, piece);
                self.saw_changes(now, change.as_slice(), out);
            }
            Sighting::Clock(face) => self.read_clock(now, face, out),
            Sighting::Lever(side) => self.saw_lever(now, side, out),
            Sighting::ClockLost => self.lose_clock(now, out),
            Sighting::Battery(battery) => self.device_now(out, |it| it.battery = Some(battery)),
            Sighting::Identified(identity) => {
                self.device_now(out, |device| device.identity = Some(identity));
            }
            Sighting::Within(span) => self.lag = span,
            Sighting::Silent => self.answering(false, out),
            Sighting::Occupancy(occupancy) => {
                let first = !self.surface.known();
                let changes = self.surface.occupancy(now, occupancy);
                self.saw_whole(now, first, &changes, out);
            }
            Sighting::Presence { square, occupied } => {
                let change = self.surface.presence(now, square, occupied);
                self.saw_changes(now, change.as_slice(), out);
            }
        }
    }

    /// The line of the table's device was opened or closed.
    pub(super) fn line(&mut self, present: bool, out: &mut Vec<Effect>) {
        if present {
            self.line_opened();
        } else {
            self.clocks.forget_held();
        }
        self.device_now(out, |device| {
            device.present = present;
            device.answering &= present;
        });
    }

    /// An arbiter's order.
    ///
    /// # Errors
    /// When it cannot be carried out; nothing has changed then.
    fn order(&mut self, now: Moment, order: Order, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.step.sets_position = matches!(order, Order::SetPosition { .. });
        match order {
            Order::SetPosition { .. } | Order::SetResult(None) if self.adjourned.is_some() => {
                return Err(Refusal::Adjourned);
            }
            Order::Acknowledge { incident, by } => self.acknowledge(incident, by, out)?,
            Order::Rule { incident, ruling, by } => self.rule(now, incident, (ruling, by), out)?,
            Order::SetPosition { position, mode } => self.set_position(now, *position, mode, out),
            Order::SetResult(Some(ending)) => self.end(now, ending, out),
            Order::SetResult(None) => self.resume(now, out),
            Order::PenaltyGiven(penalty) => self.give_penalty(now, penalty, out)?,
            Order::PenaltyWithdrawn(it) => self.withdraw_penalty(now, it, out)?,
            Order::WrongClaim(side) => self.ordered.wrong_claim = Some(side),
            Order::Adjourn(sealing) => self.adjourn(now, sealing, out)?,
            Order::ResumePlay(absent) => self.resume_play(now, absent, out)?,
            Order::TakeBack { plies, of } => self.take_back(now, (plies, of), out)?,
            Order::SetTime(times) => self.set_time(now, times, out)?,
            Order::Grant(grant) => self.grant(now, grant, out)?,
            Order::ScoreShown(side) => self.show_score(side, out)?,
            Order::ColoursReversed(reversed) => self.colours_reversed(now, reversed, out)?,
            Order::Flip => {
                self.surface.turn();
                self.restart_turns();
                let turned = [Facet::Board, Facet::Clock, Facet::Device];
                out.extend(turned.map(Effect::Changed));
                self.look(now, out);
            }
        }
        Ok(())
    }

    fn saw_whole(&mut self, now: Moment, first: bool, changes: &[Change], out: &mut Vec<Effect>) {
        let waited = self.unseen_after.take().is_some();
        if first {
            self.note_told(out);
            self.restart_turns();
            if self.array().is_none() {
                // Damaged on its way, perhaps.
                self.survey_at = Some(now + SURVEY);
            }
            out.push(Effect::Changed(Facet::Board));
            self.look(now, out);
        } else {
            self.note_correction(now, changes);
            self.saw_changes(now, changes, out);
            if waited && changes.is_empty() {
                self.follow_what_was_told(out);
                self.look(now, out);
            }
        }
        if self.tracker.as_ref().is_some_and(Recogniser::agrees) {
            self.reopened = false;
        }
    }

    fn saw_changes(&mut self, now: Moment, changes: &[Change], out: &mut Vec<Effect>) {
        if changes.is_empty() {
            return;
        }
        if self.is_at_rest() {
            out.push(Effect::Changed(Facet::Board));
            return self.look(now, out);
        }
        for &change in changes {
            let touched = self.hand.saw(now, change);
            self.traces.add(now, Trace::Touched(touched));
            self.tell(Event::Touched(touched), out);
        }
        out.push(Effect::Changed(Facet::Board));
        self.note_after_press();
        self.look(now, out);
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

    /// The picture is another one: who can explain it?
    pub(super) fn look(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.look_for_sheet();
        if self.is_at_rest() {
            return;
        }
        self.look_for_wrong_start(now);
        let picture = self.surface.picture_at(now);
        if self.waits_for_whole(now, &picture) {
            self.note_told_singly(now, &picture);
            return self.note_told_again(now, &picture);
        }
        self.forget_what_was_told();
        self.look_at(now, picture, out);
    }

    /// This picture is another one.
    pub(super) fn look_at(&mut self, now: Moment, picture: Picture, out: &mut Vec<Effect>) {
        if self.score.ending().is_some() {
            self.look_for_another_sign(now);
            self.look_for_set_up(now);
            self.refresh_phase(out);
            return;
        }
        if self.shows_what_was_taken_back() {
            return self.refresh_phase(out);
        }
        self.signal_at = None;
        self.look_for_turn_given_back(now, out);
        let absent = self.absent_still(now, &picture);
        let rearranged = self.is_rearranged(now) || self.awaits_promotion();
        let explained = self.is_explained() || rearranged;
        let waits = self.waits(explained, rearranged, absent);
        if let Some(tracker) = &mut self.tracker {
            let uncertain = picture.is_uncertain();
            let changed = tracker.see(now, &picture, waits);
            let wait = |lost: Lost| if lost.unfinished { SURVEY_IN_HAND } else { SURVEY };
            self.survey_at = tracker.lost().map(|lost| now + wait(lost));
            self.note_rearranged(rearranged);
            self.after_tracker(now, changed, out);
            self.look_for_sign(now, &picture);
            if uncertain {
                self.doubt_what_nobody_saw(now, out);
            }
            let followed = Waits { gaps: false, rearranged: false, ..waits };
            self.look_for_resumption(now, Waits { absent: None, ..followed }, out);
            self.look_for_position_put_back(now, out);
        }
        self.look_for_first_move(now);
        self.look_for_set_up(now);
        self.refresh_phase(out);
    }
}
