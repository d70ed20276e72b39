//! What an arbiter has decided a moment ago is taken back, or stays where something rests on it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use crate::common::Doors as _;
use crate::common::{Record, play_answered, play_with};
use eboard::Moment;
use shakmaty::{Color, KnownOutcome};
use witness::{
    Effect, EndedBy, Ending, Incident, IncidentId, Kind, NotUndone, Order, PenaltyGiven, Reason,
    Refusal, Ruling, Settings, State,
};

const NOW: Moment = Moment::from_micros(60_000_000);

fn after(seconds: u64) -> Moment {
    NOW + Duration::from_secs(seconds)
}

fn rule(incident: IncidentId, ruling: Ruling) -> Order {
    Order::Rule { incident, ruling, by: "Ann".to_owned() }
}

fn given(incident: IncidentId) -> Order {
    let (side, by, incident) = (Color::White, "Ann".to_owned(), Some(incident));
    Order::PenaltyGiven(PenaltyGiven { side, seconds: 120, by, incident, clock: None })
}

fn won(winner: Color) -> Order {
    let outcome = KnownOutcome::Decisive { winner }.into();
    Order::SetResult(Some(Ending { outcome, reason: EndedBy::Arbiter }))
}

/// A table, and what it has sent since the game was played.
struct Desk {
    record: Record,
    out: Vec<Effect>,
}

impl Desk {
    fn after(script: &str) -> Self {
        Self { record: play_with(script, Settings::default()), out: Vec::new() }
    }

    fn order(&mut self, at: Moment, order: Order) -> Result<(), Refusal> {
        self.record.table.order(at, order, &mut self.out)
    }

    /// Takes back the last decision.
    fn undo(&mut self, at: Moment) -> Result<(), Refusal> {
        let act = self.record.table.acts();
        self.undo_act(at, act)
    }

    fn undo_act(&mut self, at: Moment, act: u32) -> Result<(), Refusal> {
        self.order(at, Order::Undo { act, by: "Ann".to_owned() })
    }

    fn illegal(&self) -> Incident {
        let mut open = self.record.table.incidents();
        open.find(|it| it.kind == Kind::IllegalMove).unwrap().clone()
    }

    fn open(&self, id: IncidentId) -> Option<&Incident> {
        self.record.table.incidents().find(|it| it.id == id)
    }

    fn wake(&mut self, until: Moment) {
        while let Some((due, _)) = self.record.table.deadline().filter(|(due, _)| *due <= until) {
            self.record.table.due(due, &mut self.out);
        }
    }
}

const ILLEGAL: &str = "e2^ e5v | +2";

#[test]
fn a_ruling_is_taken_back_and_the_alert_opens_again_under_its_name() {
    for ruling in [Ruling::Upheld, Ruling::Dismissed, Ruling::Noted] {
        let mut desk = Desk::after(ILLEGAL);
        let before = desk.illegal();
        let account = desk.record.table.account(Color::White);
        desk.order(NOW, rule(before.id, ruling)).unwrap();
        assert!(desk.open(before.id).is_none());
        desk.undo(after(9)).unwrap();
        let again = desk.open(before.id).unwrap().clone();
        assert_eq!(again, Incident { revision: before.revision + 1, ..before });
        assert_eq!(desk.record.table.account(Color::White), account, "{ruling:?}");
        assert_eq!(desk.record.table.faults(Color::White)[0].2.ruling, None);
        desk.order(after(10), rule(again.id, Ruling::Dismissed)).unwrap();
        assert_eq!(
            desk.record.table.account(Color::White).illegal_moves,
            0,
            "and is ruled on anew"
        );
    }
}

#[test]
fn after_its_time_a_decision_stands_and_no_longer_offers_to_be_taken_back() {
    let mut desk = Desk::after(ILLEGAL);
    let id = desk.illegal().id;
    desk.order(NOW, rule(id, Ruling::Dismissed)).unwrap();
    let offered: Vec<_> = desk.record.table.undoable().collect();
    assert_eq!(offered.iter().map(|it| (it.at, it.until)).collect::<Vec<_>>(), [(NOW, after(10))]);
    assert_eq!(desk.undo(after(13)), Err(Refusal::Undo(NotUndone::TooLate)));
    desk.wake(after(13));
    assert_eq!(desk.record.table.undoable().count(), 0);
    assert_eq!(desk.undo(after(13)), Err(Refusal::Undo(NotUndone::NoSuchAct)));
    assert!(desk.open(id).is_none());
}

#[test]
fn two_decisions_are_taken_back_the_later_one_first() {
    let mut desk = Desk::after(ILLEGAL);
    let id = desk.illegal().id;
    desk.order(NOW, given(id)).unwrap();
    desk.order(after(1), rule(id, Ruling::Upheld)).unwrap();
    let refused = desk.undo_act(after(2), 1);
    assert_eq!(refused, Err(Refusal::Undo(NotUndone::DecidedSince)));
    assert_eq!(desk.record.table.account(Color::White).given_s, 120, "nothing has changed");
    desk.undo_act(after(2), 2).unwrap();
    assert_eq!(desk.undo_act(after(2), 2), Err(Refusal::Undo(NotUndone::NoSuchAct)), "once");
    desk.undo_act(after(3), 1).unwrap();
    assert_eq!(desk.record.table.account(Color::White).given_s, 0);
    let entry = desk.record.table.penalties_given(Color::White)[0].clone();
    assert_eq!(entry.withdrawn.map(|it| it.reason), Some(Reason::Undone), "it stays in the ledger");
    desk.order(after(4), given(id)).unwrap();
    assert_eq!(desk.record.table.account(Color::White).given_s, 120, "and may be given again");
}

#[test]
fn a_penalty_that_a_dismissal_has_taken_away_counts_again() {
    let mut desk = Desk::after(ILLEGAL);
    let id = desk.illegal().id;
    desk.order(NOW, given(id)).unwrap();
    desk.order(after(20), rule(id, Ruling::Dismissed)).unwrap();
    assert_eq!(desk.record.table.account(Color::White).given_s, 0);
    desk.undo(after(21)).unwrap();
    assert_eq!(desk.record.table.account(Color::White).given_s, 120);
}

/// The second illegal move loses the game, unless the first was none.
#[test]
fn the_numbers_of_other_illegal_moves_are_as_before() {
    let twice = "e2^ e5v | +1 ~ e5^ e2v +1 |b ! +1 e2^ e4v | e7^ e5v | \
                 f1^ f6v | +1 ~ f6^ f1v +1 |b ! +1 f1^ e2v | +2";
    let record = play_answered(twice, Settings::default());
    let mut desk = Desk { record, out: Vec::new() };
    let all: Vec<_> =
        desk.record.table.incidents().filter(|it| it.facts.offence.is_some()).collect();
    let ids: Vec<_> = all.iter().map(|it| it.id).collect();
    let second = all[1].clone();
    desk.order(NOW, rule(ids[0], Ruling::Dismissed)).unwrap();
    assert_eq!(desk.open(ids[1]).unwrap().facts.offence, Some(1));
    desk.undo(after(1)).unwrap();
    assert_eq!(desk.open(ids[1]), Some(&second));
}

#[test]
fn a_result_is_withdrawn_and_an_earlier_one_comes_back() {
    let mut desk = Desk::after("e2^ e4v | e7^ e5v | +2");
    desk.order(NOW, won(Color::White)).unwrap();
    desk.order(after(1), won(Color::Black)).unwrap();
    let ending = |desk: &Desk| desk.record.table.score().ending().and_then(|it| it.outcome.known());
    assert_eq!(ending(&desk), Some(KnownOutcome::Decisive { winner: Color::Black }));
    desk.undo(after(2)).unwrap();
    assert_eq!(ending(&desk), Some(KnownOutcome::Decisive { winner: Color::White }));
    desk.undo_act(after(3), 1).unwrap();
    assert_eq!(ending(&desk), None);
    assert!(desk.record.table.is_in_play());
    desk.order(after(4), won(Color::White)).unwrap();
    desk.order(after(5), Order::SetResult(None)).unwrap();
    desk.undo(after(6)).unwrap();
    assert_eq!(ending(&desk), Some(KnownOutcome::Decisive { winner: Color::White }));
}

/// Kings in the centre have told a result; an arbiter has let the game go on by mistake.
#[test]
fn a_result_of_the_kings_comes_back_too() {
    let mut desk = Desk::after("e2^ e4v | e7^ e5v | +2 ~ +1 e1^ e8^ e4x e4v:K d5v:k +6");
    let before = desk.record.table.score().ending().unwrap();
    assert_eq!(before.reason, EndedBy::Signalled);
    desk.order(NOW, Order::SetResult(None)).unwrap();
    assert_eq!(desk.record.table.score().ending(), None);
    desk.undo(after(1)).unwrap();
    assert_eq!(desk.record.table.score().ending(), Some(before));
}

#[test]
fn times_that_were_set_are_held_against_the_clock_no_more() {
    let script = "e2^ e4v | e7^ e5v | +2 ~ +2";
    let record = |undone: bool| {
        let mut desk = Desk::after(script);
        let mut times = desk.record.table.clocks().state().unwrap().times;
        times.white = eboard::FaceTime::from_ms(times.white.as_ms() + 300_000);
        desk.order(NOW, Order::SetTime(times)).unwrap();
        if undone {
            desk.undo(after(1)).unwrap();
        }
        desk
    };
    let mut out = Vec::new();
    for undone in [false, true] {
        let mut desk = record(undone);
        let state = desk.record.table.clocks().state().unwrap();
        let dial = |time| eboard::Dial { time, ..eboard::Dial::default() };
        let face = eboard::ClockFace {
            left: dial(state.times.white),
            right: dial(state.times.black),
            running: true,
            lever: eboard::Side::Left,
            low_battery: false,
        };
        desk.record.table.sight(after(2), eboard::Sighting::Clock(face), &mut out);
        let wrong = desk.record.table.incidents().any(|it| it.kind == Kind::ClockSetting);
        assert_eq!(wrong, !undone, "undone: {undone}");
    }
}

#[test]
fn what_rests_on_a_decision_keeps_it() {
    let mut desk = Desk::after("e2^ e4v | e7^ e5v | d2^ d5v | +2");
    let id = desk.illegal().id;
    desk.order(NOW, rule(id, Ruling::Dismissed)).unwrap();
    desk.order(after(1), Order::TakeBack { plies: 1, of: None }).unwrap();
    assert_eq!(desk.record.table.undoable().count(), 0, "nothing is offered");
    assert_eq!(desk.undo(after(2)), Err(Refusal::Undo(NotUndone::DecidedSince)));
    assert!(desk.open(id).is_none());
}

#[test]
fn in_another_game_nothing_of_the_one_before_is_taken_back() {
    let mut desk = Desk::after("e2^ e4v | e7^ e5v | +2");
    desk.order(NOW, won(Color::White)).unwrap();
    let draw = Ending { outcome: KnownOutcome::Draw.into(), reason: EndedBy::Arbiter };
    desk.order(after(1), Order::SetNextResult(draw)).unwrap();
    assert_eq!(desk.undo(after(2)), Err(Refusal::Undo(NotUndone::AnotherGame)));
}

/// 4.8: meanwhile the opponent has touched a piece, so his claim is lost.
#[test]
fn an_alert_comes_back_as_it_would_stand_by_now() {
    let script = "e2^ e4v | +3 g8^ g8v e7^ e5v | +2";
    let mut desk = Desk::after(script);
    let touched =
        desk.record.table.incidents().find(|it| it.kind == Kind::TouchedNotMoved).cloned();
    let touched = touched.unwrap();
    assert_eq!(touched.state, State::Open);
    desk.order(NOW, rule(touched.id, Ruling::Noted)).unwrap();
    let square = eboard::Square::at(6, 0).unwrap();
    let lifted = eboard::Sighting::Square { square, piece: None };
    desk.record.table.sight(after(3), lifted, &mut Vec::new());
    desk.undo(after(4)).unwrap();
    assert_eq!(desk.open(touched.id).unwrap().state, State::Lapsed);
}
