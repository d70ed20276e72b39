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
//! | Adrift | squares and score disagree, unexplained        | squares agree again, an order |
//! | Ended  | there is a result: the score is frozen         | the pieces are set up again |

mod adjourned;
mod adjournment;
mod alerts;
mod answered;
mod attendance;
mod begin;
mod boards;
mod checks;
mod commands;
mod concluded;
mod counted;
mod disorder;
mod doubts;
mod effects;
mod ended;
mod envelope;
mod events;
mod faces;
mod flag;
mod game;
mod glimpse;
mod granted;
mod hands;
mod illegal_and_flag;
mod input;
mod irregularities;
mod lag;
mod look;
mod lost_devices;
mod made_stopped;
mod missed_press;
mod moves;
mod neighbour;
mod opened;
mod ordered;
mod outage;
mod over;
mod own_clock;
mod parting;
mod passed;
mod patience;
mod penalties;
mod phase;
mod play;
mod press;
mod presses;
mod questions;
mod quiet;
mod reckoning;
mod reopened;
mod replayed;
mod results;
mod resume;
mod round;
mod ruled;
mod seen;
mod setting;
mod short_of_time;
mod sides;
mod sign;
mod signalled;
mod time;
mod timers;
mod timing;
mod tolerances;
mod two_boards;
mod undo;
mod unmatched;
mod unstarted;
mod views;
mod watch;
mod wrong_start;

use std::ops::Deref;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::{Moment, Reason};

use crate::orders::{Order, Refusal};
use crate::settings::Settings;
use concluded::Concluded;
pub use effects::{Effect, Event, Facet};
use events::Wakes;
pub use input::Input;
pub use phase::Phase;
pub use play::Play;
pub use questions::Question;
pub use round::{NextRound, Paired, Round};
pub use undo::Act;

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

/// The machine of one table. Whatever enters, enters by [`Table::handle`]. What is read of it is
/// read of the game that is followed: a [`Play`] to whoever is outside.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Table {
    play: Play,
    /// Something seems to have ended the game: the game as it goes on if it has not.
    apart: Option<Box<Concluded>>,
    alarm: Alarm,
}

/// In debug builds one second of so many that may pass is compared with any other reading.
const COMPARED: u64 = 8;

/// What was found at the end of the last step. It follows from everything else, so it is not kept.
#[derive(Clone, Debug, Default)]
struct Alarm {
    /// When the table wants to be woken; none before the first step.
    wakes: Option<Wakes>,
    /// That step was a reading of the clock, and nothing came of it.
    calm: bool,
}

impl Encode for Alarm {
    fn encode<E: Encoder>(&self, _: &mut E) -> Result<(), EncodeError> {
        Ok(())
    }
}

impl<Context> Decode<Context> for Alarm {
    fn decode<D: Decoder<Context = Context>>(_: &mut D) -> Result<Self, DecodeError> {
        Ok(Self::default())
    }
}

bincode::impl_borrow_decode!(Alarm);

impl Deref for Table {
    type Target = Play;

    fn deref(&self) -> &Play {
        &self.play
    }
}

impl Table {
    /// A table nobody has looked at yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { play: Play::new(settings), apart: None, alarm: Alarm::default() }
    }

    /// Something enters: the only way in. What follows is pushed into `out`.
    ///
    /// # Errors
    /// When an order cannot be carried out; nothing has changed then.
    pub fn handle(
        &mut self,
        now: Moment,
        input: Input,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let calm = self.is_calm(now);
        let compared = (now.as_micros() / 1_000_000).is_multiple_of(COMPARED);
        if calm && compared && cfg!(debug_assertions) {
            return self.compare(now, input, out);
        }
        if calm && self.play.pass(now, &input) {
            out.push(Effect::Changed(Facet::Clock));
            return Ok(());
        }
        self.take(now, input, out)
    }

    /// What may pass is read as any other reading, and nothing may differ then.
    fn compare(&mut self, now: Moment, input: Input, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        let passed = self.play.passed(now, &input);
        let from = out.len();
        let answer = self.take(now, input, out);
        if let Some(passed) = passed {
            assert!(quiet::is_nothing(&out[from..]), "no machine sees this: {:?}", &out[from..]);
            assert_eq!(passed, self.play.seconds(), "a second that passes is read as any other");
        }
        answer
    }

    /// Whether nothing came of the last step, and nothing is due.
    fn is_calm(&self, now: Moment) -> bool {
        let due = self.alarm.wakes.flatten().is_some_and(|(at, _)| at <= now);
        self.alarm.calm && !due && self.apart.is_none()
    }

    /// All machines follow what enters.
    fn take(&mut self, now: Moment, input: Input, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.play.step.goes_on = false;
        let answer = self.enter(now, input, out);
        self.alarm = Alarm { wakes: Some(self.wakes()), calm: self.play.step.goes_on };
        answer
    }

    fn enter(&mut self, now: Moment, input: Input, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        let taken_over = match &input {
            Input::Seen(..) | Input::Line(..) | Input::Answered(..) | Input::Due => {
                self.goes_on(now, &input, out)
            }
            Input::Ordered(Order::SetResult(None)) if !self.play.game.course.is_adjourned() => {
                let before = self.play.before(&input);
                let resumed = self.resume(now, out);
                if let Some(before) = before.filter(|_| resumed) {
                    self.play.note_act(now, before, out);
                }
                resumed
            }
            Input::Configured(_) => {
                if let Some(apart) = &mut self.apart {
                    apart.configure(now, &input);
                }
                false
            }
            _ => false,
        };
        if taken_over {
            return Ok(());
        }
        let order = match &input {
            Input::Ordered(order) if self.apart.is_some() => Some(order.clone()),
            _ => None,
        };
        self.play.decide(now, input, out)?;
        let another = self.part(now);
        order.into_iter().filter(|_| !another).for_each(|order| self.order_apart(now, order));
        Ok(())
    }

    /// When the table next wants [`Input::Due`], and why.
    #[must_use]
    pub fn deadline(&self) -> Option<(Moment, Reason)> {
        let Some(wakes) = self.alarm.wakes else { return self.wakes() };
        debug_assert_eq!(wakes, self.wakes(), "A table says when it wants to be woken.");
        wakes
    }

    fn wakes(&self) -> Wakes {
        let apart = self.apart.as_ref().and_then(|apart| apart.deadline());
        let apart = apart.map(|at| (at, Reason("the game may go on after all")));
        self.play.deadline().into_iter().chain(apart).min_by_key(|(at, _)| *at)
    }
}
