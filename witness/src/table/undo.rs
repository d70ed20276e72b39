//! What an arbiter has decided a moment ago, and how it is taken back: a ruling, time that was
//! given, times that were set, a result. A decision can be taken back while no other one was made
//! after it, because that one may rest on it. What was played meanwhile stays as it was played.
//!
//! An act remembers what its step has changed: alerts that it closed, raised or said otherwise,
//! the ledger, the result. Taking it back changes these and nothing else.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::Position;

use super::adjournment::Adjourned;
use super::game::Pause;
use super::ordered::Ordered;
use super::parting::Parting;
use super::tolerances::{UNDO, UNDO_ARRIVES};
use super::{Effect, Event, Facet, Input, Play};
use crate::ending::Ending;
use crate::evidence::Trace;
use crate::incident::{Incident, IncidentId, Kind, State};
use crate::laws::editions;
use crate::ledger::{Ledger, Reason, Withdrawal};
use crate::number::GameNo;
use crate::orders::{NotUndone, Order, Refusal};

/// The most acts that are remembered at a table: all its alerts of earlier games, ruled on with one
/// tap, and a few more.
const ACTS_MAX: usize = 32;

/// Alerts that follow from the result, and are raised and closed with it.
const OF_THE_RESULT: [Kind; 5] = [
    Kind::ResultMismatch,
    Kind::EarlyDraw,
    Kind::WrongStart,
    Kind::BoardTurned,
    Kind::ColoursReversed,
];

/// Something that an arbiter has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// Its number at the table, counted from 1.
    pub number: u32,
    /// When it was done.
    pub at: Moment,
    /// Until when it can be taken back.
    pub until: Moment,
}

/// What was decided at a table a moment ago.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Acts {
    /// How many there have been.
    number: u32,
    /// The last ones, the newest last.
    lately: Vec<Done>,
    /// When something was decided here last that cannot be taken back.
    decided: Option<Moment>,
}

/// One act, and what its step has changed.
#[derive(Clone, Debug, Encode, Decode)]
struct Done {
    number: u32,
    at: Moment,
    game: GameNo,
    what: What,
    /// Alerts that were closed, as they stood before.
    closed: Vec<Incident>,
    /// Alerts that were raised.
    raised: Vec<IncidentId>,
    /// Alerts that say something else, as they stood before and after.
    changed: Vec<(Incident, Incident)>,
    ending: Changed<Option<Ending>>,
    ordered: Changed<Ordered>,
    ledger: Ledger,
    /// Whether its missing result was reported, and is due.
    awaits: (bool, bool),
    pause: Pause,
    adjourned: Option<Box<Adjourned>>,
}

/// Something before and after an act.
#[derive(Clone, Debug, Encode, Decode)]
struct Changed<T> {
    before: T,
    after: T,
}

/// What can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
enum What {
    /// A ruling; whether the alert was about a move that the score still has.
    Ruling(IncidentId, bool),
    /// Time that was given, by its player and its number there.
    Given(shakmaty::Color, usize),
    Times,
    Result,
}

/// A table before an order, if what the order does can be taken back.
pub(super) struct Before {
    play: Box<Play>,
    what: What,
}

impl Acts {
    /// When the oldest one can be taken back no more.
    pub(super) fn due_at(&self) -> Option<Moment> {
        self.lately.iter().map(|it| it.at + UNDO + UNDO_ARRIVES).min()
    }
}

impl Play {
    /// How many decisions that can be taken back were made here.
    #[must_use]
    pub fn acts(&self) -> u32 {
        self.checks.acts.number
    }

    /// What can be taken back now, the newest last.
    pub fn undoable(&self) -> impl Iterator<Item = Act> {
        let may = |it: &&Done| it.game == self.game.number && !self.is_decided_since(it.at);
        let act = |it: &Done| Act { number: it.number, at: it.at, until: it.at + UNDO };
        self.checks.acts.lately.iter().filter(may).map(act)
    }

    /// The alert on which this act has ruled.
    #[must_use]
    pub fn ruled_by(&self, act: u32) -> Option<IncidentId> {
        let done = self.checks.acts.lately.iter().find(|it| it.number == act)?;
        match done.what {
            What::Ruling(incident, _) => Some(incident),
            What::Given(..) | What::Times | What::Result => None,
        }
    }

    /// A step. What an order decides in it is remembered, so that it can be taken back.
    ///
    /// # Errors
    /// When an order cannot be carried out; nothing has changed then.
    pub(super) fn decide(
        &mut self,
        now: Moment,
        input: Input,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let before = self.before(&input);
        let decides = is_decision(&input);
        self.step(now, input, out)?;
        match before {
            Some(before) => self.note_act(now, before, out),
            None if decides => self.note_decision(now, out),
            None => {}
        }
        Ok(())
    }

    /// What stands here before this order, if what it does can be taken back.
    pub(super) fn before(&self, input: &Input) -> Option<Before> {
        let Input::Ordered(order) = input else { return None };
        let what = match order {
            Order::Rule { incident, .. } => What::Ruling(*incident, self.is_reported(*incident)),
            Order::PenaltyGiven(it) => What::Given(it.side, self.ledger.given(it.side).len() + 1),
            Order::SetTime(_) if !self.game.course.is_adjourned() => What::Times,
            Order::SetResult(_) => What::Result,
            _ => return None,
        };
        // What was decided before is of no matter to it.
        let mut play = Box::new(self.clone());
        play.checks.acts = Acts::default();
        Some(Before { play, what })
    }

    /// The order was carried out: what it has changed is remembered.
    pub(super) fn note_act(&mut self, now: Moment, before: Before, out: &mut Vec<Effect>) {
        let Before { play, what } = before;
        if play.game.number != self.game.number {
            return self.note_decision(now, out);
        }
        let (mut closed, mut changed) = (Vec::new(), Vec::new());
        for then in play.docket.all() {
            match self.docket.all().find(|it| it.id == then.id) {
                None => closed.push(then.clone()),
                Some(now) if now != then => changed.push((then.clone(), now.clone())),
                Some(_) => {}
            }
        }
        let known = |id: IncidentId| play.docket.all().any(|it| it.id == id);
        let raised = self.docket.all().map(|it| it.id).filter(|id| !known(*id)).collect();
        self.checks.acts.number += 1;
        if self.checks.acts.lately.len() == ACTS_MAX {
            self.checks.acts.lately.remove(0);
        }
        let unchanged = play.ledger == self.ledger;
        let awaits = play.awaits_result_as();
        let Play { ledger, game: before, .. } = *play;
        let adjourned = before.course.adjourned().cloned().map(Box::new);
        let endings = [&before.score, &self.game.score].map(|it| it.ending());
        self.checks.acts.lately.push(Done {
            number: self.checks.acts.number,
            at: now,
            game: self.game.number,
            what,
            closed,
            raised,
            changed,
            ending: Changed { before: endings[0], after: endings[1] },
            ordered: Changed { before: before.ordered, after: self.game.ordered.clone() },
            ledger,
            awaits,
            pause: before.pause,
            adjourned,
        });
        if unchanged {
            // Otherwise it is published anew already.
            out.push(Effect::Changed(Facet::Ledger));
        }
    }

    /// Something was decided that cannot be taken back: what was decided before stands.
    pub(super) fn note_decision(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.undoable().next().is_some() {
            out.push(Effect::Changed(Facet::Ledger));
        }
        self.checks.acts.decided = Some(now);
    }

    /// Takes back what was decided by this act.
    pub(super) fn undo(
        &mut self,
        now: Moment,
        act: u32,
        by: String,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.may_be_undone(now, act).map_err(Refusal::Undo)?;
        let Some(done) = self.checks.acts.lately.pop() else { return Ok(()) };
        match done.what {
            What::Ruling(incident, _) => self.ledger.put_back(&done.ledger, incident),
            What::Given(side, number) => {
                let undone = Withdrawal { at: now, by, reason: Reason::Undone };
                // It may have been withdrawn already: then it stays as it is.
                let _ = self.ledger.withdraw(side, number, undone);
            }
            What::Times | What::Result => {}
        }
        self.game.ordered.take_back(&done.ordered.before, &done.ordered.after);
        self.await_result_as(done.awaits);
        let result = self.put_result_back(now, &done, out);
        self.put_alerts_back(&done, result, out);
        if let What::Ruling(incident, _) = done.what {
            let side = done.closed.iter().find(|it| it.id == incident).and_then(|it| it.side);
            self.renumber(side, out);
        }
        self.step.ruled = true;
        out.push(Effect::Changed(Facet::Ledger));
        Ok(())
    }

    fn may_be_undone(&self, now: Moment, act: u32) -> Result<(), NotUndone> {
        let Some(done) = self.checks.acts.lately.iter().find(|it| it.number == act) else {
            let last =
                self.checks.acts.lately.last().map_or(self.checks.acts.number, |it| it.number);
            return Err(if act < last { NotUndone::TooLate } else { NotUndone::NoSuchAct });
        };
        if now > done.at + UNDO + UNDO_ARRIVES {
            return Err(NotUndone::TooLate);
        }
        if done.game != self.game.number {
            return Err(NotUndone::AnotherGame);
        }
        let last = self.checks.acts.lately.last().is_some_and(|it| it.number == act);
        if !last || self.is_decided_since(done.at) {
            return Err(NotUndone::DecidedSince);
        }
        match done.what {
            What::Ruling(id, true) if !self.is_reported(id) => Err(NotUndone::PutRight),
            _ => Ok(()),
        }
    }

    fn is_decided_since(&self, at: Moment) -> bool {
        self.checks.acts.decided.is_some_and(|decided| decided >= at)
    }

    /// Whether the score still has the move that this alert is about.
    fn is_reported(&self, id: IncidentId) -> bool {
        self.game.irregularities.open().any(|it| it.2 == id)
    }

    /// Whether the result was another one, and is so again.
    fn put_result_back(&mut self, now: Moment, done: &Done, out: &mut Vec<Effect>) -> bool {
        let Changed { before, after } = done.ending;
        if before == after || self.game.score.ending() != after {
            return false;
        }
        match before {
            Some(ending) => self.end(now, ending, out),
            None => {
                self.step.parting = Parting::Ends;
                self.game.pause = done.pause.clone();
                self.game.reopen();
                if let Some(adjourned) = &done.adjourned {
                    self.game.course.put_aside((**adjourned).clone());
                }
                self.tell(Event::Result, out);
                self.changed_game(out);
                self.look(now, out);
            }
        }
        true
    }

    fn put_alerts_back(&mut self, done: &Done, result: bool, out: &mut Vec<Effect>) {
        for id in &done.raised {
            self.close(*id, out);
        }
        for (before, after) in &done.changed {
            let open = self.docket.get_mut(before.id).filter(|it| *it == after);
            if let Some(open) = open {
                open.clone_from(before);
                out.push(Effect::Raised(Box::new(before.clone())));
            }
        }
        for closed in &done.closed {
            if result && OF_THE_RESULT.contains(&closed.kind) {
                continue;
            }
            let state = self.state_after(closed, done.at);
            let revision = closed.revision + 1;
            self.open(Incident { state, revision, ..closed.clone() }, out);
        }
    }

    /// Where an alert stands by now that was closed at that moment. 4.8: the opponent may have
    /// touched a piece since.
    fn state_after(&self, closed: &Incident, at: Moment) -> State {
        let barred = editions::is_barred_by_touching(closed.kind, self.settings.edition)
            && !self.awaits_ruling()
            && closed.state == State::Open;
        let Some(opponent) = closed.side.filter(|_| barred).map(|it| it.other()) else {
            return closed.state.clone();
        };
        let plies = self.game.score.plies();
        let moved = plies.iter().rev().take_while(|it| it.released > at);
        let moved = moved.into_iter().any(|it| it.after.turn() != opponent);
        let acts = self.game.irregularities.acts_since(plies.len());
        let touched = acts.iter().filter(|act| act.at > at).any(|act| match act.trace {
            Trace::Touched(it) => it.lifted.is_some_and(|it| it.color == opponent),
            _ => false,
        });
        if moved || touched { State::Lapsed } else { closed.state.clone() }
    }

    /// The time in which decisions can be taken back is over.
    pub(super) fn forget_acts(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.checks.acts.lately.retain(|it| it.at + UNDO + UNDO_ARRIVES > now);
        out.push(Effect::Changed(Facet::Ledger));
    }
}

/// Whether something may rest on it that was decided before.
const fn is_decision(input: &Input) -> bool {
    let Input::Ordered(order) = input else { return false };
    !matches!(
        order,
        Order::Acknowledge { .. }
            | Order::ScoreShown(_)
            | Order::WrongClaim(_)
            | Order::Undo { .. }
            | Order::Flip
    )
}
