//! The ledger of illegal moves: numbers, penalties by edition, rulings that feed back.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::Doors as _;
use crate::common::{Record, play_answered, play_with};
use eboard::Moment;
use shakmaty::Color;
use witness::laws::penalties;
use witness::laws::regulations::{Regulations, Scale, Steps};
use witness::{
    Edition, Effect, Facet, Incident, IncidentId, Kind, NotGiven, Order, PenaltyGiven,
    PenaltyWithdrawn, Refusal, Ruling, Settings, State,
};
use words::InWords as _;

/// Two illegal moves by White, each put right by an arbiter.
const TWICE: &str = "e2^ e5v | +1 ~ e5^ e2v +1 |b ! +1 e2^ e4v | e7^ e5v | \
                     f1^ f6v | +1 ~ f6^ f1v +1 |b ! +1 f1^ e2v | +2";

fn illegal(record: &Record) -> Vec<Incident> {
    let mut raised: Vec<Incident> = Vec::new();
    for incident in record.raised() {
        if incident.facts.offence.is_some() && !raised.iter().any(|it| it.id == incident.id) {
            raised.push(incident.clone());
        }
    }
    raised
}

#[test]
fn the_first_costs_time_and_the_second_the_game() {
    let record = play_answered(TWICE, Settings::default());
    let illegal = illegal(&record);
    let facts: Vec<_> = illegal.iter().map(|it| (it.facts.offence, it.facts.penalty_s)).collect();
    assert_eq!(facts, [(Some(1), Some(120)), (Some(2), None)]);
    let advice = |incident: &Incident| incident.advice.last().unwrap().en();
    assert_eq!(advice(&illegal[0]), "Illegal move no. 1 of White: Black gets 2 minutes.");
    assert_eq!(advice(&illegal[1]), "Illegal move no. 2 of White: the game is lost.");
    assert_eq!(record.table.account(Color::White).illegal_moves, 2);
    assert_eq!(record.table.account(Color::Black).illegal_moves, 0);
}

#[test]
fn without_supervision_the_first_loses_in_2014() {
    let control = "180+2".parse().ok();
    let record = |edition, supervised| {
        let settings = Settings { edition, supervised, control, ..Settings::default() };
        let record = play_with("# time_control: 180+2\n e2^ e5v | +2", settings);
        illegal(&record)[0].facts.penalty_s
    };
    assert_eq!(record(Edition::Y2014, false), None);
    assert_eq!(record(Edition::Y2014, true), Some(60));
    assert_eq!(record(Edition::Y2018, false), Some(60));
    assert_eq!(record(Edition::Y2023, false), Some(60));
}

#[test]
fn an_opponent_who_cannot_mate_does_not_win() {
    let settings = Settings { supervised: false, edition: Edition::Y2014, ..Settings::default() };
    let settings = Settings { control: "180".parse().ok(), ..settings };
    let fen = "# time_control: 180\n# fen: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    let record = play_with(&format!("{fen} e2^ e5v | +2"), settings);
    let last = illegal(&record)[0].advice.last().unwrap().en();
    assert_eq!(last, "Illegal move no. 1 of White: the game is drawn, the opponent cannot mate.");
}

/// 7.5.5; 2014: 7.5.b. With the second illegal move the game is lost, and drawn against whoever
/// cannot checkmate: a bare king, or pawns that nothing can set free.
#[test]
fn the_second_draws_against_who_cannot_mate_in_every_edition() {
    let bare = "4k3/8/8/8/8/8/4P3/4K3";
    let walled = "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3";
    let mates = "4k3/8/8/8/8/8/4P3/r3K3";
    let drawn = "Illegal move no. 2 of White: the game is drawn, the opponent cannot mate.";
    let lost = "Illegal move no. 2 of White: the game is lost.";
    for edition in Edition::ALL {
        let cases =
            [(bare, "e2", "e5", drawn), (walled, "e1", "e3", drawn), (mates, "e2", "e5", lost)];
        for (board, from, to, last) in cases {
            let fault = format!("{from}^ {to}v | +1 ~ {to}^ {from}v +1 |b ! +1");
            let script = format!("# fen: {board} w - - 0 1\n {fault} {fault}");
            let record = play_with(&script, Settings { edition, ..Settings::default() });
            let illegal = illegal(&record);
            assert_eq!(illegal.len(), 2, "{edition:?} {board}");
            assert_eq!(illegal[1].advice.last().unwrap().en(), last, "{edition:?} {board}");
        }
    }
}

/// What was said meanwhile of the mate after it stays, and the former penalty does not.
#[test]
fn another_number_replaces_the_penalty_and_nothing_else() {
    let mate = "a7^ a6v | e2^ c4v | b7^ b6v | d1^ h5v | c7^ c6v | f7^ h5^ f7v | +2";
    let mut record = play_answered(&format!("{TWICE} {mate}"), Settings::default());
    let [first, second] = [0, 1].map(|index| illegal(&record)[index].id);
    let advice = |record: &Record| {
        let open = record.table.incidents().find(|it| it.id == second).unwrap();
        open.advice.iter().map(|it| it.en()).collect::<Vec<_>>()
    };
    let before = advice(&record);
    let about_the_mate = |it: &&String| it.contains("mate") && !it.starts_with("Illegal move no.");
    assert!(before.iter().any(|it| about_the_mate(&it)), "{before:?}");
    let order = Order::Rule { incident: first, ruling: Ruling::Dismissed, by: "Ann".to_owned() };
    record.table.order(Moment::from_micros(90_000_000), order, &mut Vec::new()).unwrap();
    let after = advice(&record);
    assert_eq!(
        before.iter().filter(about_the_mate).collect::<Vec<_>>(),
        after.iter().filter(about_the_mate).collect::<Vec<_>>()
    );
    let numbered: Vec<_> = after.iter().filter(|it| it.starts_with("Illegal move no.")).collect();
    assert_eq!(numbered, [&"Illegal move no. 1 of White: Black gets 2 minutes."]);
}

/// What is open about the second one says so when the first one was none.
#[test]
fn a_dismissed_one_leaves_the_next_with_another_number_and_penalty() {
    let mut record = play_answered(TWICE, Settings::default());
    let [first, second] = [0, 1].map(|index| illegal(&record)[index].id);
    let mut out: Vec<Effect> = Vec::new();
    let now = Moment::from_micros(60_000_000);
    let order = Order::Rule { incident: first, ruling: Ruling::Dismissed, by: "Ann".to_owned() };
    record.table.order(now, order, &mut out).unwrap();
    let revised = out.iter().find_map(|effect| match effect {
        Effect::Raised(it) if it.id == second => Some(it),
        _ => None,
    });
    let revised = revised.unwrap();
    assert_eq!((revised.facts.offence, revised.facts.penalty_s), (Some(1), Some(120)));
    let advice: Vec<_> = revised.advice.iter().map(|it| it.en()).collect();
    let numbered: Vec<_> = advice.iter().filter(|it| it.starts_with("Illegal move no.")).collect();
    assert_eq!(numbered, [&"Illegal move no. 1 of White: Black gets 2 minutes."]);
}

/// A.5.2: where nobody intervenes in time it stands, and is not the first of two.
#[test]
fn an_illegal_move_that_stands_is_not_counted_unless_it_is_upheld() {
    // A rook over a pawn, answered; then the same by the other rook.
    let script = "# time_control: 180+2\n a1^ a4v | +1 e7^ e5v | +1 h1^ h4v | +2";
    let settings = |supervised| {
        let control = "180+2".parse().ok();
        Settings { supervised, control, ..Settings::default() }
    };
    let mut record = play_with(script, settings(false));
    let numbers: Vec<_> = illegal(&record).iter().map(|it| it.facts.offence).collect();
    assert_eq!(numbers, [Some(1), Some(1)]);
    assert_eq!(record.table.account(Color::White).illegal_moves, 1);
    // An arbiter had seen it in time, and says so later.
    let incident = illegal(&record)[0].id;
    let order = Order::Rule { incident, ruling: Ruling::Upheld, by: "Ann".to_owned() };
    record.table.order(Moment::from_micros(60_000_000), order, &mut Vec::new()).unwrap();
    let last = record.table.incidents().find(|it| it.facts.offence.is_some()).unwrap();
    assert_eq!((last.facts.offence, last.facts.penalty_s), (Some(2), None));
}

#[test]
fn of_two_arbiters_one_is_on_the_way_and_to_a_lapsed_alert_nobody() {
    let mut record = play_with("e2^ e5v | +2", Settings::default());
    let incident = illegal(&record)[0].id;
    let mut acknowledge = |by: &str| {
        let order = Order::Acknowledge { incident, by: by.to_owned() };
        record.table.order(Moment::from_micros(60_000_000), order, &mut Vec::new())
    };
    assert_eq!(acknowledge("Ann"), Ok(()));
    assert_eq!(acknowledge("Bob"), Err(Refusal::Acknowledged));
    assert_eq!(acknowledge("Ann"), Ok(()), "her tablet had not heard the answer");
    let mut record = play_with("+3 g1^ g1v e2^ e4v | e7^ e5v | +2", Settings::default());
    let lapsed = record.table.incidents().find(|it| it.state == State::Lapsed).unwrap().id;
    let order = Order::Acknowledge { incident: lapsed, by: "Ann".to_owned() };
    let refused = record.table.order(Moment::from_micros(60_000_000), order, &mut Vec::new());
    assert_eq!(refused, Err(Refusal::Lapsed));
    assert!(record.table.incidents().any(|it| it.id == lapsed && it.state == State::Lapsed));
}

/// A federation may only warn: then no time that is changed is that of a penalty.
#[test]
fn where_the_first_is_only_a_warning_no_time_is_due() {
    let scale = penalties::scale(Edition::Y2023);
    let standard = Steps::of(&[0, 120]).unwrap();
    let regulations = Regulations::default().penalizing(Scale { standard, ..scale });
    let settings = Settings { regulations, control: "5400+30".parse().ok(), ..Settings::default() };
    let script = "# time_control: 5400+30\n +3 e2^ e5v | +1 ~ e5^ e2v +2 |b set:w=5000 +2 ! +2";
    let record = play_with(script, settings);
    let advice = illegal(&record)[0].advice.last().unwrap().en();
    assert_eq!(advice, "Illegal move no. 1 of White: a warning.");
    let adjusted = record.table.incidents().find(|it| it.kind == Kind::ClockAdjusted).unwrap();
    assert_eq!(adjusted.advice, []);
}

#[test]
fn what_an_arbiter_dismisses_does_not_count() {
    let mut record = play_with("e2^ e5v | +2", Settings::default());
    let incident = illegal(&record)[0].id;
    let mut out: Vec<Effect> = Vec::new();
    let now = Moment::from_micros(60_000_000);
    let order = Order::Rule { incident, ruling: Ruling::Dismissed, by: "Ann".to_owned() };
    record.table.order(now, order.clone(), &mut out).unwrap();
    assert_eq!(record.table.account(Color::White).illegal_moves, 0);
    assert!(record.table.order(now, order, &mut out).is_err(), "it is closed");
    let refused = record.table.order(now, given(Some(incident)), &mut out);
    assert_eq!(refused, Err(Refusal::Penalty(NotGiven::Closed)));
    assert_eq!(record.table.account(Color::White).given_s, 0);
    record.table.order(now, given(None), &mut out).unwrap();
    assert_eq!(record.table.account(Color::White).given_s, 120);
    let told_anew = |it: &&Effect| matches!(it, Effect::Changed(Facet::Ledger));
    assert_eq!(out.iter().filter(told_anew).count(), 2, "the ruling and the penalty");
}

fn given(incident: Option<IncidentId>) -> Order {
    let (side, by) = (Color::White, "Ann".to_owned());
    Order::PenaltyGiven(PenaltyGiven { side, seconds: 120, by, incident, clock: None })
}

/// 7.5.5: two minutes for the first, however often it is told that they were given.
#[test]
fn time_is_given_once_for_an_alert_and_without_one_as_often_as_it_is_said() {
    let mut record = play_with("e2^ e5v | +2", Settings::default());
    let incident = illegal(&record)[0].id;
    let now = Moment::from_micros(60_000_000);
    let mut order = |order: Order| record.table.order(now, order, &mut Vec::new());
    assert_eq!(order(given(Some(incident))), Ok(()));
    assert_eq!(order(given(Some(incident))), Err(Refusal::Penalty(NotGiven::Already)));
    let rule = Order::Rule { incident, ruling: Ruling::Upheld, by: "Bob".to_owned() };
    assert_eq!(order(rule), Ok(()), "closed, and it stands");
    assert_eq!(order(given(Some(incident))), Err(Refusal::Penalty(NotGiven::Already)));
    let other = Order::PenaltyWithdrawn(PenaltyWithdrawn {
        side: Color::White,
        number: 1,
        reason: "not to him".to_owned(),
        by: "Bob".to_owned(),
    });
    assert_eq!(order(other.clone()), Ok(()));
    assert_eq!(order(other), Err(Refusal::Penalty(NotGiven::WithdrawnAlready)));
    assert_eq!(order(given(Some(incident))), Ok(()), "after a withdrawal anew");
    assert_eq!(order(given(None)), Ok(()));
    assert_eq!(order(given(None)), Ok(()));
    assert_eq!(record.table.account(Color::White).given_s, 360);
    let entries = record.table.penalties_given(Color::White);
    assert_eq!(entries.len(), 4, "what was withdrawn is still there");
}

#[test]
fn nothing_is_given_to_the_wrong_player_nor_for_an_alert_of_an_earlier_game() {
    let mut record = play_with("e2^ e5v | +2", Settings::default());
    let incident = illegal(&record)[0].id;
    let now = Moment::from_micros(60_000_000);
    let (side, by) = (Color::Black, "Ann".to_owned());
    let wrong = Order::PenaltyGiven(PenaltyGiven {
        side,
        seconds: 120,
        by,
        incident: Some(incident),
        clock: None,
    });
    let refused = record.table.order(now, wrong, &mut Vec::new());
    assert_eq!(refused, Err(Refusal::Penalty(NotGiven::OtherPlayer)));
    let mut record = play_with("e2^ e5v | +2 e5^ e2v +6 e2^ e4v | +2", Settings::default());
    assert!(record.table.order(now, given(Some(incident)), &mut Vec::new()).is_ok(), "the same");
    let earlier = IncidentId { game: witness::GameNo::default(), ..incident };
    let refused = record.table.order(now, given(Some(earlier)), &mut Vec::new());
    assert_eq!(refused, Err(Refusal::Penalty(NotGiven::EarlierGame)));
}

/// Times that cannot be set are refused with all that came with them.
#[test]
fn a_penalty_with_times_for_the_clock_is_given_whole_or_not_at_all() {
    let clock = |script: &str| {
        let mut record = play_with(script, Settings::default());
        let incident = illegal(&record)[0].id;
        let times = record.table.clocks().state().unwrap().times;
        let (side, by) = (Color::White, "Ann".to_owned());
        let order = Order::PenaltyGiven(PenaltyGiven {
            side,
            seconds: 120,
            by,
            incident: Some(incident),
            clock: Some(times),
        });
        let answer = record.table.order(Moment::from_micros(60_000_000), order, &mut Vec::new());
        (answer, record.table.account(Color::White).given_s)
    };
    assert_eq!(clock("e2^ e5v | +2"), (Err(Refusal::ClockRuns), 0));
    assert_eq!(clock("e2^ e5v | +2 ~ +2"), (Ok(()), 120));
}

/// 7.5.4: whether two hands were used only a human can say, also some moves later; then it is an
/// illegal move since 2018.
#[test]
fn two_hands_count_where_an_arbiter_upholds_them() {
    let script = "# fen: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
        +3 e1^ +0.3 h1^ +0.3 g1v:K f1v:R | +3 a8^ b8v | a1^ b1v | +3 b8^ c8v | +1";
    let counted = |edition, ruling| {
        let mut record = play_with(script, Settings { edition, ..Settings::default() });
        let incident = record.table.incidents().find(|it| it.kind == Kind::TwoHands).unwrap().id;
        assert_eq!(record.table.account(Color::White).illegal_moves, 0, "nobody has said so yet");
        let order = Order::Rule { incident, ruling, by: "Ann".to_owned() };
        record.table.order(Moment::from_micros(60_000_000), order, &mut Vec::new()).unwrap();
        record.table.account(Color::White).illegal_moves
    };
    let editions = [Edition::Y2014, Edition::Y2018, Edition::Y2023];
    assert_eq!(editions.map(|edition| counted(edition, Ruling::Upheld)), [0, 1, 1]);
    assert_eq!(editions.map(|edition| counted(edition, Ruling::Dismissed)), [0, 0, 0]);
}

#[test]
fn what_was_dismissed_and_still_stands_on_the_board_is_reported_since_when() {
    let mut record = play_with("e2^ e4v | +2 b8^ b6v | +3 ~ +5", Settings::default());
    let incident = illegal(&record)[0].clone();
    let (mut out, now) = (Vec::new(), incident.opened + std::time::Duration::from_secs(60));
    let (ruling, by) = (Ruling::Dismissed, "Ann".to_owned());
    record.table.order(now, Order::Rule { incident: incident.id, ruling, by }, &mut out).unwrap();
    let later = now + std::time::Duration::from_secs(600);
    while let Some((due, _)) = record.table.deadline().filter(|(due, _)| *due <= later) {
        record.table.due(due, &mut out);
    }
    assert!(!record.table.agrees());
    let since = record.table.adrift_since().unwrap();
    assert!(since < incident.opened, "{since:?}, and not since the ruling");
    let agreeing = play_with("e2^ e4v | +2 b8^ c6v | +3", Settings::default());
    assert_eq!(agreeing.table.adrift_since(), None);
}
