//! One table: the pure machine that turns sightings and orders into a score and incidents.
//!
//! ```text
//! sighting ─▶ surface ─▶ hand ─▶ tracker ─▶ score ─▶ effects
//!             clock ───── press ───▲  └──────▶ laws ─▶ incidents
//! ```
//!
//! | phase  | means                                          | leaves by |
//! |--------|------------------------------------------------|-----------|
//! | Unset  | no game: the pieces are not set up             | starting position, an order |
//! | Ready  | set up, nothing has moved                      | clock started, first move |
//! | InPlay | the score grows                                | result, trouble, standstill |
//! | Paused | both times stand, or the game is adjourned      | a time counts again |
//! | Adrift | squares and score disagree, nobody knows why   | squares agree again, an order |
//! | Ended  | there is a result: the score is frozen         | the pieces are set up again |

mod absence;
mod adjournment;
mod alerts;
mod attendance;
mod boards;
mod checks;
mod concluded;
mod counted;
mod disorder;
mod effects;
mod envelope;
mod faces;
mod flag;
mod game;
mod granted;
mod illegal_and_flag;
mod irregularities;
mod lag;
mod made_stopped;
mod missed_press;
mod neighbour;
mod ordered;
mod outage;
mod over;
mod own_clock;
mod penalties;
mod press;
mod presses;
mod put_back;
mod questions;
mod replayed;
mod results;
mod resume;
mod round;
mod short_of_time;
mod sign;
mod time;
mod unmatched;
mod unruled;
mod views;
mod wrong_start;

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Reason, Sighting};
use shakmaty::{Board, CastlingMode, Chess};

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
use crate::seating::Which;
use crate::settings::Settings;
use crate::surface::{Change, Surface};
use crate::tracker::{Lost, Waits};
use adjournment::{Adjourned, Resumed};
use alerts::Doubt;
use boards::Boards;
use checks::Checks;
use concluded::Concluded;
pub use effects::{Effect, Event, Facet};
use envelope::Envelope;
use granted::Granted;
use irregularities::Irregularities;
use ordered::Ordered;
use outage::Outage;
use press::Press;
use presses::Presses;
pub use questions::Question;
use questions::Questions;
use resume::Resumption;
pub use round::Round;
use time::Timing;
use wrong_start::WrongStart;

/// A picture that nothing explains has rested so long that a report may be lost.
const SURVEY: Duration = Duration::from_millis(400);
/// The same while a piece may be in the hand.
const SURVEY_IN_HAND: Duration = Duration::from_millis(1500);

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Phase {
    /// No game: the pieces are not set up.
    Unset,
    /// Set up; nothing has moved.
    Ready,
    /// The score grows.
    InPlay,
    /// Both times stand.
    Paused,
    /// Squares and score disagree.
    Adrift,
    /// There is a result.
    Ended,
}

/// What is known of the device at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct DeviceState {
    /// Its line is open.
    pub present: bool,
    /// It answers.
    pub answering: bool,
    /// Who it is.
    pub identity: Option<eboard::Identity>,
    /// Power left.
    pub battery: Option<eboard::Battery>,
}

/// The machine of one table.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Table {
    settings: Settings,
    surface: Surface,
    boards: Boards,
    hand: Hand,
    traces: Traces,
    clocks: Clocks,
    tracker: Option<Recogniser>,
    score: Score,
    docket: Docket,
    device: DeviceState,
    phase: Phase,
    press: Option<Press>,
    clock_ran: bool,
    /// A clock that shows what the players are allotted ran already when the pieces were known to
    /// be set up: of this game, if a time runs out or is pressed for.
    ran_from_start: bool,
    /// Since when both times stand, after one has counted.
    stopped: Option<Moment>,
    adrift: bool,
    /// More than one order of moves leads to what stands there, and somebody was told.
    several_ways: bool,
    /// The line was out, and squares and score have not agreed since.
    reopened: bool,
    /// The position before the line was out, while nobody has seen the whole board since.
    unseen_after: Option<String>,
    /// What is known of the outage, and when anything was heard last.
    outage: Option<Outage>,
    heard: Moment,
    /// Changes that were told before the whole board was.
    untold: u8,
    /// How late the board's reports may be; zero for a board that reports at once.
    lag: Duration,
    /// The illegal move that stands on the board.
    standing_illegal: Option<(IllegalMove, Board)>,
    /// From what stands there the game may go on without a legal move that leads there.
    resumption: Option<Resumption>,
    /// The game is adjourned; or it is to be resumed.
    adjourned: Option<Adjourned>,
    resumed: Option<Resumed>,
    envelope: Option<Envelope>,
    /// Presses in a row by a player who had nothing to complete while the other one had.
    contradictions: u8,
    /// The device was away since the clock was read last.
    unwatched: bool,
    /// What was told when squares and score were said to disagree.
    doubt: Option<Doubt>,
    /// Settings for the next game.
    next_settings: Option<Settings>,
    /// The machine has failed twice: only a human can say what is true.
    broken: bool,
    /// When the whole board is asked for if nothing explains the picture by then.
    survey_at: Option<Moment>,
    /// When a starting position or a result signal has rested long enough.
    set_up_at: Option<Moment>,
    signal_at: Option<Moment>,
    /// Since there is a result the kings say another one, and somebody was told.
    signed_otherwise: bool,
    /// What has come to the centre until then is no sign.
    no_sign_before: Moment,
    /// The kings have given the result: the game as it goes on if they have not.
    concluded: Option<Box<Concluded>>,
    /// This is that game, and nobody is told of it yet.
    is_apart: bool,
    game: u32,
    /// Its number when it began: a position set in its midst gives it another one.
    began_as: u32,
    irregularities: Irregularities,
    wrong_start: WrongStart,
    timing: Timing,
    presses: Presses,
    ledger: Ledger,
    granted: Granted,
    round: Round,
    checks: Checks,
    ordered: Ordered,
    questions: Questions,
}

impl Table {
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
            concluded: None,
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
        }
    }

    /// A device claims to see something.
    pub fn sight(&mut self, now: Moment, sighting: Sighting, out: &mut Vec<Effect>) {
        self.sight_at(now, Which::First, sighting, out);
    }

    fn sight_followed(&mut self, now: Moment, sighting: Sighting, out: &mut Vec<Effect>) {
        let from = out.len();
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
        self.note_seen(now, from, out);
    }

    /// What follows from whatever was seen.
    fn note_seen(&mut self, now: Moment, from: usize, out: &mut Vec<Effect>) {
        self.note_envelope(now, from, out);
        self.note_irregularities(now, from, out);
        self.note_time(now, from, out);
        self.review_resumption(now, out);
        self.note_boards(now, out);
    }

    /// The line of the table's device was opened or closed.
    pub fn line(&mut self, present: bool, out: &mut Vec<Effect>) {
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
    pub fn order(
        &mut self,
        now: Moment,
        order: Order,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let (apart, mut from) = (self.concluded.is_some().then(|| order.clone()), out.len());
        let set = matches!(order, Order::SetPosition { .. });
        match order {
            Order::SetPosition { .. } | Order::SetResult(None) if self.adjourned.is_some() => {
                return Err(Refusal::Adjourned);
            }
            Order::Acknowledge { incident, by } => self.acknowledge(incident, by, out)?,
            Order::Rule { incident, ruling, by } => self.rule(now, incident, (ruling, by), out)?,
            Order::SetPosition { position, mode } => self.set_position(now, *position, mode, out),
            Order::SetResult(Some(ending)) => self.end(now, ending, out),
            Order::SetResult(None) => from = self.resume(now, out),
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
        apart.iter().for_each(|order| self.order_apart(now, order));
        self.refresh_phase(out);
        self.note_envelope(now, from, out);
        self.note_irregularities(now, from, out);
        self.irregularities.ordered |= set;
        self.note_time(now, from, out);
        self.review_resumption(now, out);
        self.note_boards(now, out);
        Ok(())
    }

    /// The deadline has come.
    pub fn due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.adjourned.is_some() || self.goes_on(now, out, |it, out| it.due(now, out)) {
            return;
        }
        let from = out.len();
        let picture = self.surface.picture_at(now);
        let presses = self.absent(now).and_then(|absent| absent.presses);
        if let Some(tracker) = self.tracker.as_mut().filter(|_| self.score.ending().is_none())
            && tracker.deadline().is_some_and(|at| at <= now)
        {
            tracker.count_presses(presses);
            let changed = tracker.due(now, &picture);
            let over = tracker.may_be_over();
            self.after_tracker(now, changed, out);
            self.look_for_held_sign(now, &picture, out);
            if over {
                self.tell_ways(now, out);
            }
        }
        if self.press.as_ref().is_some_and(|press| press.judge <= now) {
            self.judge(now, out);
        }
        if self.score.ending().is_none() {
            self.resumption_due(now, out);
        }
        if self.survey_at.is_some_and(|at| at <= now) {
            self.surface.asked(now);
            self.survey_at = self.survey_again_at(now);
            out.push(Effect::Survey);
        }
        self.outage_due(now, out);
        self.clock_quiet(now, out);
        if self.set_up_at.is_some_and(|at| at <= now) {
            self.set_up_at = None;
            self.begin(now, out);
        }
        if self.irregularities.turn_at.is_some_and(|at| at <= now) {
            self.turn_by_first_move(now, out);
        }
        if self.wrong_start_at().is_some_and(|at| at <= now) {
            self.wrong_start_due(now, out);
        }
        if self.signal_at.is_some_and(|at| at <= now) {
            self.kings_rest(now, out);
        }
        if self.adrift_at().is_some_and(|at| at <= now) {
            self.go_adrift(now, out);
        }
        if self.doubt_at().is_some_and(|at| at <= now) {
            self.renew_doubt(now, out);
        }
        if self.empty_press_at().is_some_and(|at| at <= now) {
            self.judge_empty_press(now, out);
        }
        if self.displaced_at().is_some_and(|at| at <= now) {
            self.tell_displaced(now, out);
        }
        if self.differ_at().is_some_and(|at| at <= now) {
            self.tell_differing(now, out);
        }
        self.note_boards(now, out);
        self.refresh_phase(out);
        self.note_envelope(now, from, out);
        self.note_irregularities(now, from, out);
        self.note_time(now, from, out);
        self.time_due(now, out);
    }

    /// When the table next wants [`Table::due`], and why.
    #[must_use]
    pub fn deadline(&self) -> Option<(Moment, Reason)> {
        if self.adjourned.is_some() {
            return None;
        }
        let ended = self.score.ending().is_some();
        let tracker = self.tracker.as_ref().filter(|_| !ended).and_then(Recogniser::deadline);
        [
            (tracker, "the picture must rest"),
            (self.resumption_deadline().filter(|_| !ended), "the game may go on from here"),
            (self.press.as_ref().map(|press| press.judge), "a press is to be judged"),
            (self.survey_at, "a report may be lost"),
            (self.clock_awaited_until(), "the clock is not heard again"),
            (self.untold_at(), "the board has not told its squares again"),
            (self.clocks.held_until(), "the clock says nothing else than that a flag is down"),
            (self.set_up_at, "the pieces are set up"),
            (self.irregularities.turn_at, "the board lies the other way round"),
            (self.wrong_start_at(), "a game begins that was set up wrongly"),
            (self.signal_at, "both kings are in the centre"),
            (self.goes_on_at(), "the game may go on after the kings' sign"),
            (self.adrift_at(), "the picture is not explained"),
            (self.doubt_at(), "the doubt is another one, or has grown old"),
            (self.time_due_at(), "something about the clock has gone on for long enough"),
            (self.empty_press_at(), "a press without a move is to be judged"),
            (self.displaced_at(), "fallen pieces have not been put up"),
            (self.differ_at(), "the two boards differ"),
        ]
        .into_iter()
        .filter_map(|(at, why)| at.map(|at| (at, Reason(why))))
        .min_by_key(|(at, _)| *at)
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
            out.push(Effect::Told(Event::Touched(touched)));
        }
        out.push(Effect::Changed(Facet::Board));
        self.note_after_press();
        self.look(now, out);
    }

    /// Other settings: at once between games, else from the next game on.
    pub fn configure(&mut self, settings: Settings) {
        if let Some(concluded) = &mut self.concluded {
            concluded.configure(settings);
        }
        if self.score.ending().is_some() || self.score.plies().is_empty() {
            self.settings = settings;
            self.next_settings = None;
        } else {
            self.next_settings = Some(settings);
        }
    }

    /// The picture is another one: who can explain it?
    fn look(&mut self, now: Moment, out: &mut Vec<Effect>) {
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
    fn look_at(&mut self, now: Moment, picture: Picture, out: &mut Vec<Effect>) {
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
